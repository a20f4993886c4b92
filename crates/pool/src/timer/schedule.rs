//! Callbacks at times: after, at, every, times, with a stop condition, a panic handler and a way to
//! cancel.

use super::queue::{Action, Key};
use crate::Kind;
use crate::error::{Error, Payload, panic_message};
use crate::handle::Handle;
use crate::item::Turn;
use crate::log::Event;
use crate::shared::Shared;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The shortest interval.
const MIN_INTERVAL: Duration = Duration::from_millis(1);

/// When something is to happen, in seconds as a script gives them; made step by step, then
/// [`start`](Schedule::start)ed.
///
/// | value | `after`, `at` | `every` |
/// |---|---|---|
/// | zero, negative, in the past, -inf | at once | 1 ms, and the log says so |
/// | +inf, or further away than the clock goes | never: the timer is empty | once, never again |
/// | NaN | error | error |
///
/// `times(n)` without `every` runs n times, one after the other; `times(0)` never. `after` with
/// `at` is an error. A callback never runs twice at once: firings that fall into the time it takes
/// are left out, the phase is kept.
///
/// ```
/// use riverhawk_pool::{Pool, Schedule};
/// use std::sync::mpsc;
///
/// let pool = Pool::new();
/// let (send, receive) = mpsc::channel();
/// let timer = Schedule::new().after(0.001).every(0.002).times(3).start(&pool, move || {
///     let _ = send.send("tick");
/// })?;
/// assert_eq!(receive.iter().count(), 3);
/// assert!(!timer.cancel());
/// # Ok::<(), riverhawk_pool::Error>(())
/// ```
#[derive(Default)]
#[must_use]
pub struct Schedule {
    after: Option<f64>,
    at: Option<f64>,
    every: Option<f64>,
    times: Option<u64>,
    stop: Option<Stop>,
    catch: Option<Catch>,
}

type Stop = Box<dyn FnMut() -> bool + Send>;
type Catch = Box<dyn FnMut(Payload) + Send>;

impl Schedule {
    /// At once, one time.
    pub fn new() -> Self {
        Self::default()
    }

    /// So many seconds from the start.
    pub fn after(mut self, seconds: f64) -> Self {
        self.after = Some(seconds);
        self
    }

    /// At this moment, in seconds since 1970-01-01 UTC.
    pub fn at(mut self, epoch_seconds: f64) -> Self {
        self.at = Some(epoch_seconds);
        self
    }

    /// Again and again, so many seconds apart.
    pub fn every(mut self, seconds: f64) -> Self {
        self.every = Some(seconds);
        self
    }

    /// At most so many times.
    pub fn times(mut self, count: u64) -> Self {
        self.times = Some(count);
        self
    }

    /// Asked before each firing: true ends the schedule.
    pub fn stop(mut self, condition: impl FnMut() -> bool + Send + 'static) -> Self {
        self.stop = Some(Box::new(condition));
        self
    }

    /// Gets what a panic of the callback carried; the schedule goes on. Without it the panic is
    /// counted and logged.
    pub fn catch(mut self, handler: impl FnMut(Payload) + Send + 'static) -> Self {
        self.catch = Some(Box::new(handler));
        self
    }

    /// Starts the schedule on the pool's timer queue. Callbacks should be short: they share one
    /// worker, and a second one is only added when a due timer has waited for a tick of the
    /// supervisor.
    ///
    /// # Errors
    /// [`Error::NotANumber`] and [`Error::TwoStarts`].
    #[track_caller]
    pub fn start(
        self,
        pool: &Handle,
        callback: impl FnMut() + Send + 'static,
    ) -> Result<Timer, Error> {
        let shared = &pool.shared;
        let start = self.first(shared)?;
        let interval = self.interval(shared)?;
        let left = match (self.times, interval) {
            (Some(times), _) => Some(times),
            (None, Interval::Once) => Some(1),
            (None, Interval::Every(_)) => None,
        };
        let job = Arc::new(Job {
            spawned_at: Location::caller(),
            over: AtomicBool::new(false),
            key: Mutex::new(None),
            callback: Mutex::new(Some(Callback {
                body: Box::new(callback),
                stop: self.stop,
                catch: self.catch,
                left,
                interval,
            })),
        });
        match start {
            Some(start) if left != Some(0) && shared.is_open() => job.set(shared, start),
            _ => job.end(),
        }
        Ok(Timer { shared: Arc::clone(shared), job })
    }

    /// The first moment; None for never.
    fn first(&self, shared: &Shared) -> Result<Option<Instant>, Error> {
        let now = shared.clock.now();
        let delay = match (self.after, self.at) {
            (Some(_), Some(_)) => return Err(Error::TwoStarts),
            (Some(seconds), None) => delay("after", seconds)?,
            (None, Some(epoch)) => {
                let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                delay("at", epoch - elapsed.as_secs_f64())?
            }
            (None, None) => Some(Duration::ZERO),
        };
        Ok(delay.and_then(|delay| now.checked_add(delay)))
    }

    fn interval(&self, shared: &Shared) -> Result<Interval, Error> {
        let Some(seconds) = self.every else { return Ok(Interval::Once) };
        Ok(match delay("every", seconds)? {
            None => Interval::Once,
            Some(interval) if interval < MIN_INTERVAL => {
                shared.note(Event::IntervalRaised(seconds));
                Interval::Every(MIN_INTERVAL)
            }
            Some(interval) => Interval::Every(interval),
        })
    }
}

/// Seconds as a delay: none for zero and less, never (None) for more than the clock can say, an
/// error for NaN.
fn delay(setting: &'static str, seconds: f64) -> Result<Option<Duration>, Error> {
    if seconds.is_nan() {
        Err(Error::NotANumber(setting))
    } else if seconds <= 0.0 {
        Ok(Some(Duration::ZERO))
    } else {
        Ok(Duration::try_from_secs_f64(seconds).ok())
    }
}

#[derive(Clone, Copy)]
enum Interval {
    /// Not again, except for `times`, which then follow at once.
    Once,
    Every(Duration),
}

struct Callback {
    body: Box<dyn FnMut() + Send>,
    stop: Option<Stop>,
    catch: Option<Catch>,
    /// Firings to come; None without end.
    left: Option<u64>,
    interval: Interval,
}

/// A schedule under way. It is on the timer queue at most once, and never while its callback runs.
pub(crate) struct Job {
    pub(crate) spawned_at: &'static Location<'static>,
    over: AtomicBool,
    key: Mutex<Option<Key>>,
    /// Dropped when the schedule is over, with what it holds.
    callback: Mutex<Option<Callback>>,
}

impl Job {
    /// Sets the next firing, unless cancelled meanwhile.
    fn set(self: &Arc<Self>, shared: &Arc<Shared>, at: Instant) {
        let mut key = self.key.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.over.load(Ordering::SeqCst) {
            *key = Some(shared.set_deadline(at, Action::Fire(Arc::clone(self))));
            return;
        }
        drop(key);
        // Cancelled while the callback ran, which is why it could not be dropped then.
        self.end();
    }

    /// It will not fire again. The callback is dropped, unless it runs just now: then it is dropped
    /// after.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::SeqCst);
        let callback = self.callback.try_lock().ok().and_then(|mut callback| callback.take());
        // What the callback holds may panic as it goes.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(callback)));
    }

    /// Runs the callback once and sets the next firing. `Continues` if it did not run.
    pub(crate) fn fire(self: &Arc<Self>, shared: &Arc<Shared>) -> Turn {
        let due = self.key.lock().unwrap_or_else(PoisonError::into_inner).take();
        if self.over.load(Ordering::SeqCst) {
            return Turn::Continues;
        }
        let mut callback = self.callback.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Callback { body, stop, catch, left, interval }) = &mut *callback else {
            return Turn::Continues;
        };
        shared.counters.submit(Kind::Timer);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            if stop.as_mut().is_some_and(|stop| stop()) {
                return false;
            }
            body();
            true
        }));
        let (goes_on, turn) = match outcome {
            Ok(goes_on) => (goes_on, Turn::Finished),
            Err(payload) => (true, report(shared, catch.as_mut(), payload)),
        };
        if let Some(left) = left {
            *left = left.saturating_sub(1);
        }
        let now = shared.clock.now();
        let due = due.map_or(now, |key| key.0);
        let next = match interval {
            _ if !goes_on || *left == Some(0) || !shared.is_open() => None,
            Interval::Once => Some(now),
            Interval::Every(interval) => next_in_phase(due, *interval, now),
        };
        drop(callback);
        match next {
            Some(next) => self.set(shared, next),
            None => self.end(),
        }
        turn
    }
}

/// Gives the panic to the schedule's handler, or to the log if there is none or it panics itself.
fn report(shared: &Shared, catch: Option<&mut Catch>, payload: Payload) -> Turn {
    let payload = match catch {
        None => payload,
        Some(catch) => match catch_unwind(AssertUnwindSafe(|| catch(payload))) {
            Ok(()) => return Turn::Finished,
            Err(second) => second,
        },
    };
    shared
        .note(Event::Panicked(panic_message(payload.as_ref()).unwrap_or("no message").to_owned()));
    Turn::Panicked
}

/// The first multiple of `interval` after `due` that is not before `now`; None beyond the clock's
/// end.
fn next_in_phase(due: Instant, interval: Duration, now: Instant) -> Option<Instant> {
    let next = due.checked_add(interval)?;
    if next >= now {
        return Some(next);
    }
    let missed = now.duration_since(due).as_nanos() / interval.as_nanos().max(1);
    let behind = now.duration_since(due).as_nanos() - missed * interval.as_nanos();
    let wait = if behind == 0 { 0 } else { interval.as_nanos() - behind };
    now.checked_add(Duration::from_nanos(u64::try_from(wait).ok()?))
}

/// A started schedule. Dropping it does not stop it.
pub struct Timer {
    shared: Arc<Shared>,
    job: Arc<Job>,
}

impl Timer {
    /// No further firing; one that is under way is finished. False if there was none to come
    /// anyway.
    pub fn cancel(&self) -> bool {
        let key = {
            let mut key = self.job.key.lock().unwrap_or_else(PoisonError::into_inner);
            if self.job.over.swap(true, Ordering::SeqCst) {
                return false;
            }
            key.take()
        };
        if let Some(key) = key {
            self.shared.timers.remove(key);
        }
        self.job.end();
        true
    }

    /// Whether it may fire again.
    #[must_use]
    pub fn is_active(&self) -> bool {
        !self.job.over.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_delays_as_the_table_says() {
        let rows = [
            (0.0, Some(Duration::ZERO)),
            (-0.0, Some(Duration::ZERO)),
            (-3.5, Some(Duration::ZERO)),
            (f64::NEG_INFINITY, Some(Duration::ZERO)),
            (0.25, Some(Duration::from_millis(250))),
            (f64::INFINITY, None),
            (1e300, None),
        ];
        for (seconds, expected) in rows {
            assert_eq!(delay("after", seconds).unwrap(), expected, "{seconds}");
        }
        assert!(matches!(delay("after", f64::NAN), Err(Error::NotANumber("after"))));
    }

    #[test]
    fn firings_that_were_missed_are_left_out_and_the_phase_is_kept() {
        let due = Instant::now();
        let ms = Duration::from_millis;
        assert_eq!(next_in_phase(due, ms(10), due + ms(3)), Some(due + ms(10)));
        assert_eq!(next_in_phase(due, ms(10), due + ms(10)), Some(due + ms(10)));
        assert_eq!(next_in_phase(due, ms(10), due + ms(34)), Some(due + ms(40)));
        assert_eq!(next_in_phase(due, ms(10), due + ms(40)), Some(due + ms(40)));
    }
}
