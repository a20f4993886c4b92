//! Jobs on threads, results in the order of the jobs.
//!
//! Threads are not waited for when nobody wants their results any more: a job that a serial run would never have come to may take
//! for ever.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Threads that work on jobs of one kind.
pub(super) struct Crew<J, R> {
    shared: Arc<Shared<J, R>>,
    given: u64,
    taken: u64,
}

struct Shared<J, R> {
    state: Mutex<State<J, R>>,
    /// There is a job, or there will be none any more.
    given: Condvar,
    /// There is a result.
    done: Condvar,
}

struct State<J, R> {
    jobs: VecDeque<(u64, J)>,
    /// `None` for a job that panicked.
    results: BTreeMap<u64, Option<R>>,
    closed: bool,
}

impl<J, R> Shared<J, R> {
    fn lock(&self) -> MutexGuard<'_, State<J, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J: Send + 'static, R: Send + 'static> Crew<J, R> {
    /// Starts up to `threads` threads; each makes its own worker, on itself, since workers need not be `Send`. `None` when not
    /// even one can be started.
    pub fn start<W: FnMut(J) -> R>(
        threads: usize,
        make: impl Fn() -> W + Send + Clone + 'static,
    ) -> Option<Crew<J, R>> {
        let state = State { jobs: VecDeque::new(), results: BTreeMap::new(), closed: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), given: Condvar::new(), done: Condvar::new() });
        let mut started = 0;
        for number in 0..threads {
            let (shared, make) = (shared.clone(), make.clone());
            let thread = std::thread::Builder::new().name(format!("piece {number}"));
            started += usize::from(thread.spawn(move || work(&shared, make)).is_ok());
        }
        (started > 0).then_some(Crew { shared, given: 0, taken: 0 })
    }

    /// Jobs given whose results have not been taken.
    pub fn outstanding(&self) -> u64 {
        self.given - self.taken
    }

    /// Gives a job.
    pub fn give(&mut self, job: J) {
        self.shared.lock().jobs.push_back((self.given, job));
        self.given += 1;
        self.shared.given.notify_one();
    }

    /// Waits for the result of the oldest job whose result has not been taken: `None` when there is no such job, or it panicked.
    pub fn take(&mut self) -> Option<R> {
        if self.outstanding() == 0 {
            return None;
        }
        let mut state = self.shared.lock();
        loop {
            if let Some(result) = state.results.remove(&self.taken) {
                self.taken += 1;
                return result;
            }
            state = self.shared.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Nobody takes a job any more.
impl<J, R> Drop for Crew<J, R> {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.closed = true;
        state.jobs.clear();
        self.shared.given.notify_all();
    }
}

fn work<J, R, W: FnMut(J) -> R>(shared: &Shared<J, R>, make: impl Fn() -> W) {
    let mut worker = make();
    loop {
        let mut state = shared.lock();
        let (number, job) = loop {
            match state.jobs.pop_front() {
                Some(job) => break job,
                None if state.closed => return,
                None => state = shared.given.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(state);
        let result = catch_unwind(AssertUnwindSafe(|| worker(job))).ok();
        if result.is_none() {
            worker = make();
        }
        shared.lock().results.insert(number, result);
        shared.done.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        let mut crew = Crew::start(3, || {
            |job: u64| {
                std::thread::sleep(Duration::from_millis(job % 3));
                job * 2
            }
        })
        .expect("threads");
        (0..50).for_each(|job| crew.give(job));
        for job in 0..50 {
            assert_eq!(crew.outstanding(), 50 - job);
            assert_eq!(crew.take(), Some(job * 2));
        }
        assert_eq!(crew.take(), None);
    }

    #[test]
    fn a_job_that_panics_has_no_result_and_the_others_do() {
        let mut crew =
            Crew::start(1, || |job: u64| if job == 1 { std::panic::resume_unwind(Box::new(())) } else { job })
                .expect("threads");
        (0..3).for_each(|job| crew.give(job));
        assert_eq!([crew.take(), crew.take(), crew.take()], [Some(0), None, Some(2)]);
    }

    #[test]
    fn a_crew_that_is_let_go_does_not_wait_for_what_it_is_doing() {
        let (never, waits) = std::sync::mpsc::channel::<()>();
        let waits = Arc::new(Mutex::new(waits));
        let mut crew = Crew::start(1, move || {
            let waits = waits.clone();
            move |(): ()| drop(waits.lock().map(|waits| waits.recv()))
        })
        .expect("threads");
        crew.give(());
        drop(crew);
        drop(never);
    }
}
