//! Awaiting several things at once: the task is woken once, when the last of them is there.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

/// Wakes the task when every one has been woken.
struct Countdown {
    left: AtomicUsize,
    task: Mutex<Option<Waker>>,
}

/// The waker of one of them.
struct One {
    countdown: Arc<Countdown>,
    woken: AtomicBool,
}

impl Wake for One {
    fn wake(self: Arc<Self>) {
        if !self.woken.swap(true, Ordering::SeqCst) {
            self.countdown.count();
        }
    }
}

impl Countdown {
    fn count(&self) {
        if self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            let waker = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }
}

/// What [`all`] returns.
#[must_use = "a future does nothing unless awaited"]
pub struct All<F: Future> {
    waiting: Vec<Option<F>>,
    results: Vec<Option<F::Output>>,
}

// The futures themselves are `Unpin`, and the results are only moved.
impl<F: Future + Unpin> Unpin for All<F> {}

/// The results of all of them, in their order, when the last is there. Meant for
/// [`Promise`](crate::Promise) and [`Task`](crate::Task), which wake once: their task is then
/// resumed once, not once for each.
///
/// ```
/// use riverhawk_pool::{Pool, all};
///
/// let pool = Pool::new();
/// let tasks: Vec<_> = (0..10).map(|n| pool.spawn(move || n * n)).collect();
/// let squares: Result<Vec<i32>, _> = pool.block_on(all(tasks)).into_iter().collect();
/// assert_eq!(squares?.iter().sum::<i32>(), 285);
/// # Ok::<(), riverhawk_pool::TaskError>(())
/// ```
pub fn all<F: Future + Unpin>(futures: impl IntoIterator<Item = F>) -> All<F> {
    let waiting: Vec<_> = futures.into_iter().map(Some).collect();
    let results = waiting.iter().map(|_| None).collect();
    All { waiting, results }
}

impl<F: Future + Unpin> Future for All<F> {
    type Output = Vec<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        // One more than are waiting, so that nothing is woken before all of them have been asked.
        let waiting = this.waiting.iter().flatten().count();
        let countdown = Arc::new(Countdown {
            left: AtomicUsize::new(waiting + 1),
            task: Mutex::new(Some(context.waker().clone())),
        });
        let mut pending = false;
        for (waiting, result) in this.waiting.iter_mut().zip(&mut this.results) {
            let Some(future) = waiting else { continue };
            let one =
                Arc::new(One { countdown: Arc::clone(&countdown), woken: AtomicBool::new(false) });
            let waker = Waker::from(Arc::clone(&one));
            match Pin::new(future).poll(&mut Context::from_waker(&waker)) {
                Poll::Ready(value) => {
                    *result = Some(value);
                    *waiting = None;
                    one.wake();
                }
                Poll::Pending => pending = true,
            }
        }
        if pending {
            countdown.count();
            return Poll::Pending;
        }
        Poll::Ready(this.results.iter_mut().filter_map(Option::take).collect())
    }
}
