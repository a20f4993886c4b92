//! A channel between tasks and threads: first in, first out, many senders and receivers, bounded or
//! not. Waiting suspends a task, or blocks a thread as a declared wait.

use crate::block::{block_on, block_on_within};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use std::{error, fmt};

#[derive(Default)]
struct Waiters {
    wakers: VecDeque<(u64, Waker)>,
    next: u64,
}

impl Waiters {
    fn register(&mut self, ticket: &mut Option<u64>, waker: &Waker) {
        if let Some(number) = *ticket
            && let Some((_, old)) = self.wakers.iter_mut().find(|(other, _)| *other == number)
        {
            old.clone_from(waker);
            return;
        }
        *ticket = Some(self.next);
        self.wakers.push_back((self.next, waker.clone()));
        self.next += 1;
    }

    fn pop(&mut self) -> Option<Waker> {
        self.wakers.pop_front().map(|(_, waker)| waker)
    }

    fn remove(&mut self, number: u64) -> bool {
        let at = self.wakers.iter().position(|(other, _)| *other == number);
        at.and_then(|at| self.wakers.remove(at)).is_some()
    }
}

struct State<T> {
    queue: VecDeque<T>,
    /// None: unbounded.
    capacity: Option<usize>,
    closed: bool,
    senders: usize,
    receivers: usize,
    receiving: Waiters,
    sending: Waiters,
}

impl<T> State<T> {
    fn is_over(&self) -> bool {
        self.closed || self.senders == 0
    }
}

struct Channel<T>(Mutex<State<T>>);

impl<T> Channel<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        let lost = std::mem::take(&mut state.queue);
        let senders = std::mem::take(&mut state.sending.wakers);
        let receivers = std::mem::take(&mut state.receiving.wakers);
        drop(state);
        drop(lost);
        senders.into_iter().chain(receivers).for_each(|(_, waker)| waker.wake());
    }
}

/// A channel, unbounded or of at most `capacity` values (at least one): then sending waits for
/// room.
///
/// ```
/// let (sender, receiver) = riverhawk_pool::channel(Some(2));
/// std::thread::spawn(move || (0..5).try_for_each(|n| sender.send(n).wait()));
/// let mut sum = 0;
/// while let Some(n) = receiver.receive().wait() {
///     sum += n;
/// }
/// assert_eq!(sum, 10);
/// ```
#[must_use]
pub fn channel<T>(capacity: Option<usize>) -> (Sender<T>, Receiver<T>) {
    let channel = Arc::new(Channel(Mutex::new(State {
        queue: VecDeque::new(),
        capacity: capacity.map(|capacity| capacity.max(1)),
        closed: false,
        senders: 1,
        receivers: 1,
        receiving: Waiters::default(),
        sending: Waiters::default(),
    })));
    (Sender(Arc::clone(&channel)), Receiver(channel))
}

/// The sending side.
pub struct Sender<T>(Arc<Channel<T>>);

/// The receiving side.
pub struct Receiver<T>(Arc<Channel<T>>);

/// There is no receiver any more; returns the value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Closed<T>(pub T);

impl<T> fmt::Debug for Closed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Closed(..)")
    }
}

impl<T> fmt::Display for Closed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the channel has no receiver any more")
    }
}

impl<T> error::Error for Closed<T> {}

impl<T> Sender<T> {
    /// Sends when there is room.
    pub fn send(&self, value: T) -> Send<'_, T> {
        Send { channel: &self.0, value: Some(value), ticket: None }
    }

    /// Ends the channel at once: pending values are dropped.
    pub fn close(&self) {
        self.0.close();
    }

    /// Whether nothing can be sent any more.
    pub fn is_closed(&self) -> bool {
        self.0.lock().closed
    }
}

impl<T> Receiver<T> {
    /// The next value; None when there is none left and no sender.
    pub fn receive(&self) -> Receive<'_, T> {
        Receive { channel: &self.0, ticket: None }
    }

    /// The next value if there is one already.
    #[must_use]
    pub fn try_receive(&self) -> Option<T> {
        let mut state = self.0.lock();
        let value = state.queue.pop_front()?;
        let waker = state.sending.pop();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
        Some(value)
    }

    /// Waits, declared, for a value or the end; false if neither comes in this time.
    #[must_use]
    pub fn wait_ready(&self, time: Duration) -> bool {
        block_on_within(Readable { channel: &self.0, ticket: None }, time).is_some()
    }

    /// Ends the channel at once: pending values are dropped, and sending fails.
    pub fn close(&self) {
        self.0.close();
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        self.0.lock().senders += 1;
        Self(Arc::clone(&self.0))
    }
}

impl<T> Clone for Receiver<T> {
    fn clone(&self) -> Self {
        self.0.lock().receivers += 1;
        Self(Arc::clone(&self.0))
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.senders -= 1;
        if state.senders == 0 {
            let waiting = std::mem::take(&mut state.receiving.wakers);
            drop(state);
            waiting.into_iter().for_each(|(_, waker)| waker.wake());
        }
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.receivers -= 1;
        let is_last = state.receivers == 0;
        drop(state);
        if is_last {
            self.0.close();
        }
    }
}

/// A value being sent; await it or [`wait`](Self::wait).
#[must_use = "nothing is sent unless it is awaited or waited for"]
pub struct Send<'a, T> {
    channel: &'a Channel<T>,
    value: Option<T>,
    ticket: Option<u64>,
}

impl<T> Send<'_, T> {
    /// Blocks until there is room; a declared wait.
    ///
    /// # Errors
    /// [`Closed`] with the value if there is no receiver.
    pub fn wait(self) -> Result<(), Closed<T>> {
        block_on(self)
    }
}

impl<T> Unpin for Send<'_, T> {}

impl<T> Future for Send<'_, T> {
    type Output = Result<(), Closed<T>>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let mut state = this.channel.lock();
        let Some(value) = this.value.take() else { return Poll::Ready(Ok(())) };
        if state.closed {
            return Poll::Ready(Err(Closed(value)));
        }
        if state.capacity.is_some_and(|capacity| state.queue.len() >= capacity) {
            this.value = Some(value);
            state.sending.register(&mut this.ticket, context.waker());
            return Poll::Pending;
        }
        state.queue.push_back(value);
        if let Some(number) = this.ticket.take() {
            state.sending.remove(number);
        }
        let waker = state.receiving.pop();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
        Poll::Ready(Ok(()))
    }
}

impl<T> Drop for Send<'_, T> {
    fn drop(&mut self) {
        let Some(number) = self.ticket.take() else { return };
        let mut state = self.channel.lock();
        // Woken but dropped: pass the room to another sender.
        let next = if state.sending.remove(number) { None } else { state.sending.pop() };
        drop(state);
        if let Some(waker) = next {
            waker.wake();
        }
    }
}

/// A value to come; await it or [`wait`](Self::wait).
#[must_use = "nothing is received unless it is awaited or waited for"]
pub struct Receive<'a, T> {
    channel: &'a Channel<T>,
    ticket: Option<u64>,
}

impl<T> Receive<'_, T> {
    /// Blocks until there is a value or no sender; a declared wait.
    pub fn wait(self) -> Option<T> {
        block_on(self)
    }
}

impl<T> Future for Receive<'_, T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let mut state = this.channel.lock();
        let Some(value) = state.queue.pop_front() else {
            if state.is_over() {
                return Poll::Ready(None);
            }
            state.receiving.register(&mut this.ticket, context.waker());
            return Poll::Pending;
        };
        if let Some(number) = this.ticket.take() {
            state.receiving.remove(number);
        }
        let waker = state.sending.pop();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
        Poll::Ready(Some(value))
    }
}

impl<T> Drop for Receive<'_, T> {
    fn drop(&mut self) {
        let Some(number) = self.ticket.take() else { return };
        let mut state = self.channel.lock();
        // Woken but dropped: pass the value to another receiver.
        let next = if state.receiving.remove(number) { None } else { state.receiving.pop() };
        drop(state);
        if let Some(waker) = next {
            waker.wake();
        }
    }
}

struct Readable<'a, T> {
    channel: &'a Channel<T>,
    ticket: Option<u64>,
}

impl<T> Future for Readable<'_, T> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        let mut state = this.channel.lock();
        if state.queue.is_empty() && !state.is_over() {
            state.receiving.register(&mut this.ticket, context.waker());
            return Poll::Pending;
        }
        Poll::Ready(())
    }
}

/// Passes a wake-up on, since the value was not taken.
impl<T> Drop for Readable<'_, T> {
    fn drop(&mut self) {
        let Some(number) = self.ticket.take() else { return };
        let mut state = self.channel.lock();
        let next = if state.receiving.remove(number) { None } else { state.receiving.pop() };
        drop(state);
        if let Some(waker) = next {
            waker.wake();
        }
    }
}
