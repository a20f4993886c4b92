//! Waits that hold a thread, declared so that another worker runs meanwhile.

use crate::context;
use crate::driver;
use crate::shared::Shared;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

struct ThreadWaker {
    thread: Thread,
    woken: AtomicBool,
}

impl Wake for ThreadWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.woken.store(true, Ordering::SeqCst);
        self.thread.unpark();
    }
}

/// Runs code that blocks unseen by the pool: a system call, a lock, a child process. Meanwhile
/// another worker takes its place. Outside a worker it is a plain call.
///
/// ```
/// use riverhawk_pool::{Pool, blocking};
/// use std::time::{Duration, Instant};
///
/// let pool = Pool::new();
/// let task = pool.spawn(|| blocking(|| std::thread::sleep(Duration::from_millis(1))));
/// task.wait()?;
/// # Ok::<(), riverhawk_pool::TaskError>(())
/// ```
pub fn blocking<T>(body: impl FnOnce() -> T) -> T {
    let _blocked = context::block();
    body()
}

/// Runs a future on the calling thread. In a worker its sleep is a declared wait. The driver of a
/// deterministic pool runs its tasks meanwhile.
pub fn block_on<F: Future>(future: F) -> F::Output {
    block_on_for(context::driven().or_else(context::current).as_ref(), future)
}

/// As [`block_on`] with a timeout. Not for the driver of a deterministic pool.
pub(crate) fn block_on_within<F: Future>(future: F, time: Duration) -> Option<F::Output> {
    let mut future = pin!(future);
    let start = Instant::now();
    let signal = Arc::new(ThreadWaker { thread: thread::current(), woken: AtomicBool::new(false) });
    let waker = Waker::from(signal);
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return Some(value);
        }
        let left = time.checked_sub(start.elapsed()).filter(|left| !left.is_zero())?;
        let _blocked = context::block();
        thread::park_timeout(left);
    }
}

pub(crate) fn block_on_for<F: Future>(shared: Option<&Arc<Shared>>, future: F) -> F::Output {
    let mut future = pin!(future);
    if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        return value;
    }
    let signal = Arc::new(ThreadWaker { thread: thread::current(), woken: AtomicBool::new(false) });
    let waker = Waker::from(Arc::clone(&signal));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        if let Some(shared) = shared
            && shared.seeded.is_some()
        {
            while !signal.woken.load(Ordering::SeqCst) {
                if !driver::step(shared) {
                    // Only something outside the pool can resolve it.
                    thread::park_timeout(Duration::from_millis(1));
                }
            }
        } else {
            let _blocked = context::block();
            while !signal.woken.load(Ordering::SeqCst) {
                match shared {
                    // Without a supervisor the waiting thread retries refused threads.
                    Some(shared) if !shared.is_supervised() => {
                        thread::park_timeout(Duration::from_millis(100));
                        shared.retry_threads();
                    }
                    _ => thread::park(),
                }
            }
        }
        signal.woken.store(false, Ordering::SeqCst);
    }
}
