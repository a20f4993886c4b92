//! The public side of the specialiser: registers frames, hands out logs.

use crate::counters::{Counters, Tally};
use crate::executor::{Executor, OwnThread};
use crate::frame::{FrameFacts, RegisteredFrame, Registry};
use crate::log::{Batch, Logger, Quota, Receiver, Sent, ThreadKind, ThreadNo};
use crate::options::SpecialiserOptions;
use crate::producer::Producer;
use crate::statistics::Version;
use crate::worker::Worker;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// Watches a program through the log, and gives plans to a [`Producer`].
///
/// The [`Executor`] starts with the first buffer, so a short program costs no thread. If the work
/// panics, logging stops.
pub struct Specialiser {
    shared: Arc<Shared>,
}

impl Specialiser {
    /// A specialiser with its [own thread](OwnThread) that dumps to the file in the options, if
    /// any.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn new(
        options: &SpecialiserOptions,
        producer: impl Producer + 'static,
    ) -> io::Result<Specialiser> {
        let dump = match &options.log {
            Some(path) => {
                Some(Box::new(BufWriter::new(File::create(path)?)) as Box<dyn Write + Send>)
            }
            None => None,
        };
        Ok(Specialiser::with_dump(options, producer, dump))
    }

    /// As [`Specialiser::new`], with any destination of the dump.
    pub fn with_dump(
        options: &SpecialiserOptions,
        producer: impl Producer + 'static,
        dump: Option<Box<dyn Write + Send>>,
    ) -> Specialiser {
        Specialiser::with_executor(options, producer, dump, OwnThread::default())
    }

    /// As [`Specialiser::with_dump`], with the work done by `executor`.
    pub fn with_executor(
        options: &SpecialiserOptions,
        producer: impl Producer + 'static,
        dump: Option<Box<dyn Write + Send>>,
        executor: impl Executor + 'static,
    ) -> Specialiser {
        let (registry, tally) = (Arc::<Registry>::default(), Arc::<Tally>::default());
        let worker = Worker {
            registry: Arc::clone(&registry),
            tally: Arc::clone(&tally),
            producer: Box::new(producer),
            thresholds: options.thresholds(),
            limit: options.limit,
            dump,
            dumps_times: !options.blocking,
            dump_error: None,
            version: Version::default(),
            simulations: Default::default(),
            ages: Default::default(),
        };
        let shared = Shared {
            registry,
            tally,
            buffer_entries: options.buffer_entries(),
            is_blocking: options.blocking,
            next_thread: AtomicU64::new(0),
            executor: Box::new(executor),
            worker: Arc::new(Mutex::new(Some(worker))),
            has_begun: AtomicBool::new(false),
            is_finished: AtomicBool::new(false),
            has_failed: Arc::default(),
        };
        Specialiser { shared: Arc::new(shared) }
    }

    /// Registers a static frame, which owns its statistics.
    pub fn register(&self, facts: FrameFacts) -> Arc<RegisteredFrame> {
        self.shared.registry.register(facts)
    }

    /// A log, kept for all programs of a thread so that entries of short programs are sent too.
    pub fn logger(&self, kind: ThreadKind) -> Logger {
        let thread = ThreadNo(self.shared.next_thread.fetch_add(1, Ordering::Relaxed));
        self.shared.tally.threads.add(1);
        let receiver: Arc<dyn Receiver> = Arc::<Shared>::clone(&self.shared);
        Logger::new(receiver, thread, Arc::new(Quota::new(kind)), self.shared.buffer_entries)
    }

    /// Waits until all buffers sent so far have been processed.
    pub fn wait(&self) {
        if self.shared.has_begun.load(Ordering::SeqCst) {
            let (done, wait) = mpsc::sync_channel::<()>(0);
            self.shared.execute(|_| drop(done));
            // An error means that the work is done or dropped.
            let _ = wait.recv();
        }
    }

    /// The counters so far.
    pub fn counters(&self) -> Counters {
        self.shared.tally.frames.set(self.shared.registry.len() as u64);
        self.shared.tally.read()
    }

    /// Waits until everything sent has been processed, and ends logging.
    ///
    /// # Errors
    /// The dump could not be written, or the producer panicked.
    pub fn finish(self) -> io::Result<Counters> {
        let Shared { worker, executor, .. } = &*self.shared;
        let mut last = None;
        if self.shared.has_begun.load(Ordering::SeqCst) {
            let (give, wait) = mpsc::sync_channel(1);
            let worker = Arc::clone(worker);
            executor.execute(Box::new(move || drop(give.send(lock(&worker).take()))));
            last = wait.recv().ok().flatten();
        }
        self.shared.is_finished.store(true, Ordering::SeqCst);
        match last.or_else(|| lock(worker).take()) {
            Some(worker) => worker.finish()?,
            None => return Err(io::Error::other("the specialiser's work panicked")),
        }
        Ok(self.counters())
    }
}

impl fmt::Debug for Specialiser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Specialiser").field("counters", &self.counters()).finish_non_exhaustive()
    }
}

struct Shared {
    registry: Arc<Registry>,
    tally: Arc<Tally>,
    buffer_entries: usize,
    is_blocking: bool,
    next_thread: AtomicU64,
    executor: Box<dyn Executor>,
    /// Taken out while the worker works, so that a panic drops it.
    worker: Arc<Mutex<Option<Worker>>>,
    /// Whether a buffer was ever sent.
    has_begun: AtomicBool,
    is_finished: AtomicBool,
    has_failed: Arc<AtomicBool>,
}

/// Its drop runs only on a panic.
struct Fails<'a>(&'a AtomicBool);

impl Drop for Fails<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

fn lock(worker: &Mutex<Option<Worker>>) -> MutexGuard<'_, Option<Worker>> {
    worker.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn execute(&self, work: impl FnOnce(&mut Worker) + Send + 'static) -> Sent {
        if self.is_finished.load(Ordering::SeqCst) || self.has_failed.load(Ordering::SeqCst) {
            return Sent::NoReceiver;
        }
        let is_first = !self.has_begun.swap(true, Ordering::SeqCst);
        let (worker, has_failed) = (Arc::clone(&self.worker), Arc::clone(&self.has_failed));
        let taken = self.executor.execute(Box::new(move || {
            if is_first {
                make_room();
            }
            let Some(mut at_work) = lock(&worker).take() else { return };
            let fails = Fails(&has_failed);
            work(&mut at_work);
            std::mem::forget(fails);
            *lock(&worker) = Some(at_work);
        }));
        if is_first && taken {
            self.tally.workers.add(1);
        }
        if taken { Sent::Taken } else { Sent::NoReceiver }
    }
}

/// Makes the allocator grow this thread's heap at once. It would grow it page by page, with system
/// calls that the program's thread waits for. Unwritten pages cost no memory.
fn make_room() {
    // Larger blocks would be mapped on their own.
    let blocks: [Vec<u8>; 5] = std::array::from_fn(|_| Vec::with_capacity(100 << 10));
    std::hint::black_box(&blocks);
}

impl Receiver for Shared {
    fn take(&self, batch: Batch) -> Sent {
        let (done, wait): (Option<SyncSender<()>>, _) = match self.is_blocking {
            true => {
                let (done, wait) = mpsc::sync_channel(0);
                (Some(done), Some(wait))
            }
            false => (None, None),
        };
        let handed_over = Instant::now();
        let sent = self.execute(move |worker| {
            worker.process(batch.thread, batch.entries, handed_over.elapsed());
            if batch.is_bonus {
                batch.quota.give_back_bonus();
            } else {
                batch.quota.give_back();
            }
            drop(done);
        });
        match wait {
            Some(wait) => drop(wait.recv()),
            // On a shared processor the program would otherwise run uncompiled for a whole time
            // slice.
            None if sent == Sent::Taken => thread::yield_now(),
            None => {}
        }
        sent
    }

    fn leave(&self, thread: ThreadNo) {
        self.tally.threads.subtract(1);
        if self.has_begun.load(Ordering::SeqCst) {
            self.execute(move |worker| worker.thread_ended(thread));
        }
    }
}
