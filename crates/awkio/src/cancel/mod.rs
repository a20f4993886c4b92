//! Ending a run from outside: by its embedder, or because its time is over.
//!
//! Each run has an [`Interrupt`]. When it stops, memory counts as run out for the run: all that asks
//! for that ends early, and the program ends by an error, whose cause is this one then. A limited
//! program asks at each turn of a loop and each start of a function besides. What waits for a
//! descriptor waits for a wake-up too, and the commands that the run has started are ended.
//!
//! In a process that belongs to the run a repeated signal interrupts system calls besides, all
//! descendants of the process are ended, and a run that does not end (a long built-in function) is
//! ended by force.
//!
//! ```
//! use riverhawk_awkio::cancel::{self, Cancel, ProcessOwner, StopCause};
//! let cancel = Cancel::new();
//! let run = cancel::begin(Some(&cancel), None, ProcessOwner::Host)?;
//! let waiting = std::time::Instant::now();
//! let canceller = std::thread::spawn(move || cancel.cancel());
//! cancel::sleep(std::time::Duration::from_secs(60));
//! assert_eq!(cancel::check(), Err(StopCause::Cancelled));
//! assert!(waiting.elapsed().as_secs() < 60);
//! # canceller.join().unwrap();
//! # Ok::<(), std::io::Error>(())
//! ```
#![allow(unsafe_code)] // The handler of a signal, and sending it.

#[cfg_attr(not(unix), path = "no_children.rs")]
mod children;
#[cfg_attr(not(unix), path = "no_thread.rs")]
mod thread;

use riverhawk_system::fd::BorrowedFd;
use std::cell::RefCell;
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use riverhawk_handle::{Child, Ended, Wake, WeakChild};
use riverhawk_memory::SharedAccount;
use riverhawk_system::event::{PollFd, PollFlags, Timespec, poll};
use riverhawk_system::io::Errno;

use crate::{system, timers};
use thread::RunThread;

/// How long a command is asked to end before it is forced to.
const ASKED_FOR: Duration = Duration::from_millis(500);

/// How often it is looked at what still runs.
const LOOKED_AT_EVERY: Duration = Duration::from_millis(20);

/// How commands are ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Asked,
    Forced,
}

impl Manner {
    fn after(time: Duration) -> Manner {
        if time >= ASKED_FOR { Manner::Forced } else { Manner::Asked }
    }
}

/// When a process that belongs to a stopped run is ended by force.
const FORCED_AFTER: Duration = Duration::from_secs(5);

/// Ends runs, from any thread. Clones are the same handle; runs that begin after the call end at
/// once.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Interrupt>);

impl Cancel {
    /// A handle without runs.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// A handle that is cancelled with this one, and also alone.
    #[must_use]
    pub fn child(&self) -> Cancel {
        let child = Cancel::new();
        child.0.follow(&self.0);
        child
    }

    /// Ends all runs that have this handle, and those inside them. Does not wait for their end.
    pub fn cancel(&self) {
        self.0.stop(StopCause::Cancelled);
    }

    /// Whether it has been called.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_stopped()
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancel").field("is_cancelled", &self.is_cancelled()).finish()
    }
}

/// What has stopped a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopCause {
    /// [`Cancel::cancel`].
    Cancelled,
    /// The time limit, which is this.
    Time(Duration),
}

/// The message for the user.
impl fmt::Display for StopCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopCause::Cancelled => f.write_str("the run was cancelled"),
            StopCause::Time(limit) => {
                write!(f, "the time limit of {limit:?} is reached")
            }
        }
    }
}

/// Whose the process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessOwner {
    /// The run's: all its descendants are ended, and so is the process if nothing else helps.
    Run,
    /// Another program's: signals and what the run has not started are left alone.
    Host,
}

/// Whether a run is to end, and what has to be woken and ended then.
#[derive(Default)]
pub struct Interrupt {
    stopped: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    stopped: Option<(StopCause, Instant)>,
    /// Made when the run first waits.
    wake: Option<Arc<Wake>>,
    children: Vec<WeakChild>,
    /// Runs that end with this one.
    followers: Vec<Weak<Interrupt>>,
    /// The run's memory, as long as it lasts.
    account: Option<SharedAccount>,
    /// The run's thread, as long as it lasts and the process is its own.
    thread: Option<RunThread>,
}

impl Interrupt {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the run is to end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Fails when the run is to end.
    #[inline(always)]
    pub fn check(&self) -> Result<(), StopCause> {
        match self.is_stopped().then(|| self.cause()).flatten() {
            Some(cause) => Err(cause),
            None => Ok(()),
        }
    }

    /// Why the run is to end.
    #[cold]
    pub fn cause(&self) -> Option<StopCause> {
        self.state().stopped.map(|(cause, _)| cause)
    }

    /// What is readable from when the run is to end; `None` without a free descriptor.
    fn wake(&self) -> Option<Arc<Wake>> {
        let mut state = self.state();
        if state.wake.is_none() {
            state.wake = Wake::new().ok().map(Arc::new);
            if state.stopped.is_some() {
                state.wake.iter().for_each(|wake| wake.signal());
            }
        }
        state.wake.clone()
    }

    /// Ends those that help a run, which is over.
    pub fn end(self: &Arc<Self>) {
        self.stop(StopCause::Cancelled);
    }

    fn stop(self: &Arc<Self>, cause: StopCause) {
        let mut state = self.state();
        if state.stopped.is_some() {
            return;
        }
        let now = Instant::now();
        // Before the run is woken, which lets go of those that it waits for.
        let children = std::mem::take(&mut state.children);
        let children: Vec<_> = children.iter().filter_map(WeakChild::upgrade).collect();
        state.stopped = Some((cause, now));
        self.stopped.store(true, Ordering::SeqCst);
        state.account.iter().for_each(SharedAccount::exhaust);
        state.wake.iter().for_each(|wake| wake.signal());
        let followers = std::mem::take(&mut state.followers);
        let owns_process = state.thread.is_some();
        drop(state);
        if !owns_process || !children::FINDS_DESCENDANTS {
            children::end(children);
        }
        followers.iter().filter_map(Weak::upgrade).for_each(|follower| follower.stop(cause));
        if owns_process {
            let run = Arc::clone(self);
            // Without a thread only the flag ends the run.
            let _ = timers::call_at(now, move || run.end_process(now));
        }
    }

    fn follow(self: &Arc<Self>, leader: &Interrupt) {
        let mut state = leader.state();
        match state.stopped {
            Some((cause, _)) => {
                drop(state);
                self.stop(cause);
            }
            None => {
                state.followers.retain(|follower| follower.strong_count() > 0);
                state.followers.push(Arc::downgrade(self));
            }
        }
    }

    /// The run has started a command, which is ended with it.
    fn started(&self, child: &Child) {
        let mut state = self.state();
        if state.stopped.is_some() {
            drop(state);
            children::end(vec![child.clone()]);
            return;
        }
        state.children.retain(|child| child.upgrade().is_some());
        state.children.push(child.downgrade());
    }

    /// One step of ending what a process does; when the next is due.
    fn end_process(&self, since: Instant) -> Option<Instant> {
        self.state().thread.as_ref()?;
        children::end_all(Manner::after(since.elapsed()));
        let state = self.state();
        // SAFETY: the thread lives as long as its run, whose end waits for this lock.
        unsafe { state.thread.as_ref()?.interrupt() };
        drop(state);
        if since.elapsed() >= FORCED_AFTER {
            self.force_end();
        }
        Some(Instant::now() + LOOKED_AT_EVERY)
    }

    fn force_end(&self) -> ! {
        let cause = self.cause().unwrap_or(StopCause::Cancelled);
        let message = format!(
            "rhawk: error: {cause} (--timeout); the program did not stop, and its unwritten output is lost
"
        );
        riverhawk_system::exit_at_once(message.as_bytes(), 2)
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interrupt").field("cause", &self.cause()).finish_non_exhaustive()
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Arc<Interrupt>>> = const { RefCell::new(None) };
}

/// A run that can be stopped, until it is dropped; on the thread that has begun it, where one may
/// begin inside another.
pub struct StoppableRun {
    interrupt: Arc<Interrupt>,
    outer: Option<Arc<Interrupt>>,
    deadline: Option<timers::Key>,
    /// Not for another thread.
    on_thread: PhantomData<*const ()>,
}

/// Begins a run on the calling thread that ends by `cancel`, after `limit`, or with the run that
/// it is inside of.
///
/// # Errors
/// No thread can be started for the time limit, or there is no clock for it.
pub fn begin(
    cancel: Option<&Cancel>,
    limit: Option<Duration>,
    owner: ProcessOwner,
) -> io::Result<StoppableRun> {
    let interrupt = Arc::new(Interrupt::default());
    interrupt.state().account = Some(SharedAccount::of_this_thread());
    if owner == ProcessOwner::Run {
        thread::note_interrupts();
        system::adopt_orphans();
        interrupt.state().thread = Some(RunThread::current());
    }
    let deadline = match limit {
        Some(limit) => {
            let now = riverhawk_system::now().ok_or(Errno::NOTSUP)?;
            let run = Arc::downgrade(&interrupt);
            let stop = move || {
                if let Some(run) = run.upgrade() {
                    run.stop(StopCause::Time(limit));
                }
                None
            };
            // One beyond the clock's range is none.
            now.checked_add(limit).map(|end| timers::call_at(end, stop)).transpose()?
        }
        None => None,
    };
    let outer = CURRENT.replace(Some(Arc::clone(&interrupt)));
    if let Some(outer) = &outer {
        interrupt.follow(outer);
    }
    if let Some(cancel) = cancel {
        interrupt.follow(&cancel.0);
    }
    Ok(StoppableRun { interrupt, outer, deadline, on_thread: PhantomData })
}

impl StoppableRun {
    /// What has stopped it.
    pub fn cause(&self) -> Option<StopCause> {
        self.interrupt.cause()
    }
}

impl fmt::Debug for StoppableRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoppableRun").field("interrupt", &self.interrupt).finish_non_exhaustive()
    }
}

impl Drop for StoppableRun {
    fn drop(&mut self) {
        if let Some(deadline) = self.deadline {
            timers::forget(deadline);
        }
        let mut state = self.interrupt.state();
        state.account = None;
        let owned = state.thread.take();
        drop(state);
        if owned.is_some() && self.interrupt.is_stopped() {
            end_all_commands();
        }
        CURRENT.set(self.outer.take());
    }
}

/// The calling thread works for a run, and ends with it, until this is dropped.
#[derive(Debug)]
#[must_use]
pub struct StoppableHelper {
    before: Option<Arc<Interrupt>>,
    /// Not for another thread.
    on_thread: PhantomData<*const ()>,
}

/// Has the calling thread work for a run, as [`current`] gave it on the run's own thread.
pub fn enter(run: Option<Arc<Interrupt>>) -> StoppableHelper {
    StoppableHelper { before: CURRENT.replace(run), on_thread: PhantomData }
}

impl Drop for StoppableHelper {
    fn drop(&mut self) {
        CURRENT.set(self.before.take());
    }
}

/// The thread's run, if it can be stopped.
pub fn current() -> Option<Arc<Interrupt>> {
    CURRENT.with_borrow(Clone::clone)
}

/// For threads that help the thread's run: stopped with the run, if that can be stopped, or by
/// [`Interrupt::end`] when it is over.
pub fn for_helpers() -> Arc<Interrupt> {
    let interrupt = Arc::new(Interrupt::default());
    interrupt.state().account = Some(SharedAccount::of_this_thread());
    if let Some(run) = current() {
        interrupt.follow(&run);
    }
    interrupt
}

/// Whether the thread's run can be stopped.
pub(crate) fn is_possible() -> bool {
    CURRENT.with_borrow(Option::is_some)
}

/// Whether the thread's run is to end.
#[inline]
pub fn is_stopped() -> bool {
    CURRENT.with_borrow(|run| run.as_ref().is_some_and(|run| run.is_stopped()))
}

/// Why the thread's run is to end.
pub fn cause() -> Option<StopCause> {
    CURRENT.with_borrow(|run| run.as_ref().and_then(|run| run.cause()))
}

/// Fails when the thread's run is to end.
#[inline]
pub fn check() -> Result<(), StopCause> {
    CURRENT.with_borrow(|run| run.as_ref().map_or(Ok(()), |run| run.check()))
}

/// Fails when the run is to end; otherwise retry the call.
pub fn interrupted() -> io::Result<()> {
    if is_stopped() { Err(io::Error::other("interrupted")) } else { Ok(()) }
}

/// Whether the run is to end and blocked writes give up.
pub(crate) fn is_impatient() -> bool {
    let stopped = |run: &Arc<Interrupt>| {
        run.state().stopped.is_some_and(|(_, since)| since.elapsed() >= ASKED_FOR)
    };
    CURRENT.with_borrow(|run| run.as_ref().is_some_and(stopped))
}

/// What is readable when the thread's run is to end.
pub(crate) fn wake() -> Option<Arc<Wake>> {
    CURRENT.with_borrow(|run| run.as_ref().and_then(|run| run.wake()))
}

/// A command that the thread's run has started.
pub(crate) fn started(child: &Child) {
    CURRENT.with_borrow(|run| run.as_ref().map(|run| run.started(child)));
}

/// Waits for a child; `None` when the run is to end and the child is being ended.
pub(crate) fn wait_for(child: Child) -> Result<Option<Ended>, riverhawk_handle::Error> {
    match wake() {
        Some(wake) => child.wait_unless(wake.fd()),
        None => child.finish().map(Some),
    }
}

/// Sleeps, but not longer than the thread's run.
pub fn sleep(time: Duration) {
    let Some(wake) = wake() else { return std::thread::sleep(time) };
    let end = Instant::now() + time;
    while !is_stopped() && Instant::now() < end {
        let left = Timespec::try_from(end.saturating_duration_since(Instant::now()));
        // A failure to wait is no reason for not waiting.
        if poll(&mut [readable(wake.fd())], left.ok().as_ref()).is_err() {
            std::thread::yield_now();
        }
    }
}

/// Waits for input or its end, but not longer than the thread's run, whose end is an error.
///
/// # Errors
/// The run is to end, or the descriptor cannot be waited for.
pub fn wait_until_readable(fd: BorrowedFd<'_>) -> io::Result<()> {
    let wake = wake();
    loop {
        let wake = wake.as_ref().map(|wake| readable(wake.fd()));
        let mut awaited: Vec<_> = std::iter::once(readable(fd)).chain(wake).collect();
        let polled = poll(&mut awaited, None);
        interrupted()?;
        match polled {
            Err(Errno::INTR) => {}
            result => return result.map(|_| ()).map_err(io::Error::from),
        }
    }
}

pub(crate) fn readable(fd: BorrowedFd<'_>) -> PollFd<'_> {
    PollFd::from_borrowed_fd(fd, PollFlags::IN)
}

fn end_all_commands() {
    let since = Instant::now();
    loop {
        let count = children::end_all(Manner::after(since.elapsed()));
        if count == 0 || since.elapsed() >= 2 * ASKED_FOR {
            return;
        }
        std::thread::sleep(LOOKED_AT_EVERY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(cancel: &Cancel) -> StoppableRun {
        begin(Some(cancel), None, ProcessOwner::Host).unwrap()
    }

    #[test]
    fn a_run_inside_another_ends_with_it_and_not_the_other_way_round() {
        let [outer, inner, other] = [(); 3].map(|()| Cancel::new());
        let outer_run = run(&outer);
        let inner_run = run(&inner);
        inner.cancel();
        assert_eq!((check(), outer_run.cause()), (Err(StopCause::Cancelled), None));
        drop(inner_run);
        assert!(!is_stopped());
        let inner_run = run(&other);
        outer.cancel();
        assert_eq!((is_stopped(), inner_run.cause()), (true, Some(StopCause::Cancelled)));
        assert!(!other.is_cancelled());
        drop(inner_run);
        let late = run(&other);
        assert!(is_stopped(), "it is inside one that has been stopped");
        drop((late, outer_run));
        assert!(current().is_none() && !is_stopped());
    }

    #[test]
    fn a_thread_does_not_see_the_run_of_another() {
        let cancel = Cancel::new();
        let _run = run(&cancel);
        cancel.cancel();
        assert!(is_stopped() && interrupted().is_err());
        std::thread::spawn(|| assert!(!is_stopped())).join().unwrap();
    }

    #[test]
    fn what_waits_is_woken() {
        let (reader, _writer) = std::io::pipe().unwrap();
        let cancel = Cancel::new();
        let _run = run(&cancel);
        let canceller = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            cancel.cancel();
        });
        let input = riverhawk_system::fd::AsFd::as_fd(&reader);
        assert!(crate::wait::until_readable(input, Duration::from_secs(60)).is_err());
        canceller.join().unwrap();
    }
}
