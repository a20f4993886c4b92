//! Signals as a stream, for threads and tasks.
//!
//! The handler writes a byte into a socket (`signal-hook`), which the dispatcher counts.

use super::events::{Counting, Dispatcher};
use riverhawk_pool::blocking;
use riverhawk_system::fd::{AsFd, OwnedFd};
use std::collections::{BTreeSet, VecDeque};
use std::future::poll_fn;
use std::io;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// Signals received by the process, in order, for one listener.
///
/// The first listener removes the signal's default effect for good. Signals in quick succession may
/// count as one. SIGKILL, SIGSTOP, SIGSEGV, SIGFPE and SIGILL cannot be listened to.
///
/// ```
/// use riverhawk_handle::{Signals, Spawn};
/// let signals = Signals::of(&[10])?; // SIGUSR1 on Linux
/// Spawn::shell(format!("kill -USR1 {}", std::process::id())).run()?;
/// assert_eq!(signals.wait(), 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Signals(Arc<Listener>);

struct Listener {
    numbers: Vec<i32>,
    queue: Mutex<Queue>,
    arrived: Condvar,
}

#[derive(Default)]
struct Queue {
    signals: VecDeque<i32>,
    waker: Option<Waker>,
}

struct All {
    installed: BTreeSet<i32>,
    listeners: Vec<Weak<Listener>>,
}

static ALL: Mutex<All> = Mutex::new(All { installed: BTreeSet::new(), listeners: Vec::new() });

fn all() -> MutexGuard<'static, All> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

fn drain(pipe: &OwnedFd) -> usize {
    let (mut bytes, mut count) = ([0; 64], 0);
    while let Ok(more @ 1..) = riverhawk_system::io::read(pipe, &mut bytes) {
        count += more;
    }
    count
}

fn arrived(number: i32, count: usize) {
    let listeners: Vec<_> = all().listeners.iter().filter_map(Weak::upgrade).collect();
    for listener in listeners.iter().filter(|listener| listener.numbers.contains(&number)) {
        let mut queue = listener.queue();
        queue.signals.extend(std::iter::repeat_n(number, count));
        let waker = queue.waker.take();
        drop(queue);
        listener.arrived.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Listener {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Signals {
    /// Listens to these signals.
    ///
    /// # Errors
    /// One of them cannot be listened to, or the dispatcher cannot be started.
    pub fn of(numbers: &[i32]) -> io::Result<Self> {
        let dispatcher = Dispatcher::get()?;
        let listener = Arc::new(Listener {
            numbers: numbers.to_vec(),
            queue: Mutex::default(),
            arrived: Condvar::new(),
        });
        let mut all = all();
        for &number in numbers {
            if all.installed.contains(&number) {
                continue;
            }
            if signal_hook::consts::FORBIDDEN.contains(&number) {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidInput,
                    format!("signal {number} cannot be caught"),
                ));
            }
            let (ours, handlers) = UnixStream::pair()?;
            ours.set_nonblocking(true)?;
            signal_hook::low_level::pipe::register(number, handlers)?;
            let counting = Counting { number, drain, arrived };
            dispatcher.count_signals(ours.as_fd().try_clone_to_owned()?, counting)?;
            all.installed.insert(number);
        }
        all.listeners.retain(|listener| listener.strong_count() > 0);
        all.listeners.push(Arc::downgrade(&listener));
        Ok(Self(listener))
    }

    /// The next signal, without waiting.
    pub fn try_next(&self) -> Option<i32> {
        self.0.queue().signals.pop_front()
    }

    /// Waits for the next signal.
    pub fn wait(&self) -> i32 {
        loop {
            if let Some(number) = self.wait_for(Duration::from_secs(3600)) {
                return number;
            }
        }
    }

    /// Waits for the next signal, at most for `limit`.
    pub fn wait_for(&self, limit: Duration) -> Option<i32> {
        blocking(|| {
            let deadline = Instant::now().checked_add(limit)?;
            let mut queue = self.0.queue();
            loop {
                if let Some(number) = queue.signals.pop_front() {
                    return Some(number);
                }
                let left = deadline.checked_duration_since(Instant::now())?;
                queue = self
                    .0
                    .arrived
                    .wait_timeout(queue, left)
                    .unwrap_or_else(PoisonError::into_inner)
                    .0;
            }
        })
    }

    /// Awaits the next signal.
    pub async fn next(&self) -> i32 {
        poll_fn(|context| {
            let mut queue = self.0.queue();
            match queue.signals.pop_front() {
                Some(number) => Poll::Ready(number),
                None => {
                    queue.waker = Some(context.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }
}
