//! The specialiser as a program sees it: register frames, log, and see what comes.

use crate::counters::{Counters, Tally};
use crate::frame::{FrameFacts, Registry, StaticFrame};
use crate::log::{Batch, Logger, Quota, Receiver, Sent, ThreadKind, ThreadNo};
use crate::options::Options;
use crate::producer::Producer;
use crate::statistics::Version;
use crate::worker::Worker;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

/// Watches through the log, and hands plans to a [`Producer`].
///
/// Its one thread is started by the first buffer that is handed over: a program that ends before
/// costs no thread. The thread sleeps while there is nothing to do, and does not keep the process
/// alive. When the specialiser and all its loggers are gone, it ends. Should it ever fail, nothing
/// more is logged, and programs go on as they are.
pub struct Specialiser {
    shared: Arc<Shared>,
}

static OF_PROCESS: OnceLock<Specialiser> = OnceLock::new();

impl Specialiser {
    /// A specialiser that writes its dump to the file that the options name, if any; an error when
    /// that cannot be created.
    pub fn new(options: &Options, producer: impl Producer + 'static) -> io::Result<Specialiser> {
        let dump = match &options.log {
            Some(path) => {
                Some(Box::new(BufWriter::new(File::create(path)?)) as Box<dyn Write + Send>)
            }
            None => None,
        };
        Ok(Specialiser::with_dump(options, producer, dump))
    }

    /// As [`Specialiser::new`], with the dump going anywhere, whatever file the options name.
    pub fn with_dump(
        options: &Options,
        producer: impl Producer + 'static,
        dump: Option<Box<dyn Write + Send>>,
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
            desk: Mutex::new(Desk::Idle(Box::new(worker))),
        };
        Specialiser { shared: Arc::new(shared) }
    }

    /// The one that the whole process shares, made by whoever asks first. Programs that run side by
    /// side should have one: then nothing is produced twice, and there is one thread.
    pub fn of_process(make: impl FnOnce() -> Specialiser) -> &'static Specialiser {
        OF_PROCESS.get_or_init(make)
    }

    /// Registers a static frame. It belongs to the caller: when the last `Arc` is gone, so is all
    /// that was learnt about it.
    pub fn register(&self, facts: FrameFacts) -> Arc<StaticFrame> {
        self.shared.registry.register(facts)
    }

    /// A log for a thread. It is meant to live as long as the thread, also when that runs one
    /// program after the other: what a short program leaves in the buffer counts with the next.
    pub fn logger(&self, kind: ThreadKind) -> Logger {
        let thread = ThreadNo(self.shared.next_thread.fetch_add(1, Ordering::Relaxed));
        self.shared.tally.threads.add(1);
        let receiver: Arc<dyn Receiver> = Arc::<Shared>::clone(&self.shared);
        Logger::new(receiver, thread, Arc::new(Quota::new(kind)), self.shared.buffer_entries)
    }

    /// Waits until all buffers handed over so far have been dealt with.
    pub fn wait(&self) {
        if matches!(*self.shared.desk(), Desk::Staffed { .. }) {
            let (done, wait) = mpsc::sync_channel(0);
            self.shared.send(Message::Reached { done });
            // As in blocking mode: an error is what is waited for.
            let _ = wait.recv();
        }
    }

    /// What has been done so far.
    pub fn counters(&self) -> Counters {
        self.shared.tally.frames.set(self.shared.registry.len() as u64);
        self.shared.tally.read()
    }

    /// Waits until everything handed over has been dealt with, and ends the thread. Loggers that
    /// are still there log no more. An error when the dump could not be written, or the
    /// producer panicked.
    pub fn finish(self) -> io::Result<Counters> {
        let desk = std::mem::replace(&mut *self.shared.desk(), Desk::Closed);
        match desk {
            Desk::Idle(worker) => worker.finish()?,
            Desk::Staffed { queue, thread } => {
                drop(queue);
                thread
                    .join()
                    .map_err(|_| io::Error::other("the specialiser's thread panicked"))??;
            }
            Desk::Closed => {}
        }
        Ok(self.counters())
    }
}

impl fmt::Debug for Specialiser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Specialiser").field("counters", &self.counters()).finish_non_exhaustive()
    }
}

/// What loggers and the specialiser's owner share. The worker holds none of it but registry and
/// tally, so that it can notice that all of them are gone.
struct Shared {
    registry: Arc<Registry>,
    tally: Arc<Tally>,
    buffer_entries: usize,
    is_blocking: bool,
    next_thread: AtomicU64,
    desk: Mutex<Desk>,
}

/// Where buffers are handed over.
enum Desk {
    /// Nothing has been handed over yet.
    Idle(Box<Worker>),
    /// The thread runs.
    Staffed { queue: Sender<Message>, thread: JoinHandle<io::Result<()>> },
    /// Nobody takes buffers any more.
    Closed,
}

enum Message {
    Buffer {
        batch: Batch,
        sent: Instant,
        /// Dropped when the buffer has been dealt with, which wakes whoever waits at the other
        /// end.
        done: Option<SyncSender<()>>,
    },
    ThreadEnded(ThreadNo),
    /// Everything before it has been dealt with.
    Reached {
        /// Dropped to say so.
        done: SyncSender<()>,
    },
}

impl Shared {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a message into the queue; whether anybody will read it.
    fn send(&self, message: Message) -> Sent {
        let mut desk = self.desk();
        if matches!(*desk, Desk::Idle(_))
            && let Desk::Idle(worker) = std::mem::replace(&mut *desk, Desk::Closed)
            && let Some(staffed) = start(*worker)
        {
            self.tally.workers.add(1);
            *desk = staffed;
        }
        let Desk::Staffed { queue, .. } = &*desk else { return Sent::NobodyListens };
        // Should the thread have failed, it stays to be asked why, and each logger learns of it in
        // its turn.
        if queue.send(message).is_ok() { Sent::Taken } else { Sent::NobodyListens }
    }
}

/// Starts the thread; none when the system has no more threads.
fn start(mut worker: Worker) -> Option<Desk> {
    let (queue, messages) = mpsc::channel();
    let work = move || {
        make_room();
        for message in messages {
            match message {
                Message::Buffer { batch, sent, done } => {
                    worker.process(batch.thread, batch.entries, sent.elapsed());
                    if batch.is_bonus {
                        batch.quota.give_back_bonus();
                    } else {
                        batch.quota.give_back();
                    }
                    drop(done);
                }
                Message::ThreadEnded(thread) => worker.thread_ended(thread),
                Message::Reached { done } => drop(done),
            }
        }
        worker.finish()
    };
    let thread = thread::Builder::new().name("specialiser".into()).spawn(work).ok()?;
    Some(Desk::Staffed { queue, thread })
}

/// Has the allocator take memory for this thread at once. The heap of a thread that is not the
/// first grows page by page otherwise, with a call of the system for each (37 until the first loop
/// has its code), all of which the program's thread waits for when it takes memory itself. Nothing
/// of it is written, so it costs no memory until it is used.
fn make_room() {
    // Larger blocks would be mapped by themselves.
    let blocks: [Vec<u8>; 5] = std::array::from_fn(|_| Vec::with_capacity(100 << 10));
    std::hint::black_box(&blocks);
}

impl Receiver for Shared {
    fn take(&self, batch: Batch) -> Sent {
        let (done, wait) = if self.is_blocking {
            let (done, wait) = mpsc::sync_channel(0);
            (Some(done), Some(wait))
        } else {
            (None, None)
        };
        let sent = self.send(Message::Buffer { batch, sent: Instant::now(), done });
        if wait.is_none() && sent == Sent::Taken {
            // On a processor of their own both go on at once. Where they share one, the sooner the
            // answer, the less is done without it: the thread would wait for its turn
            // for up to some milliseconds, in which the program runs slowly.
            thread::yield_now();
        }
        if let Some(wait) = wait {
            // An error is what is waited for: the other end was dropped, because the work is done
            // or nobody does it.
            let _ = wait.recv();
        }
        sent
    }

    fn leave(&self, thread: ThreadNo) {
        self.tally.threads.subtract(1);
        // Nobody need be woken who was never there.
        if matches!(*self.desk(), Desk::Staffed { .. }) {
            self.send(Message::ThreadEnded(thread));
        }
    }
}
