//! Jobs on the pool's workers, results in the order of the jobs.
//!
//! Each of a crew's members is one task of the pool, since what works on the jobs (an interpreter)
//! cannot change threads and is too dear to make anew for each. They are not waited for when nobody
//! wants their results any more: a job that a serial run would never have come to may take for
//! ever, so the pool is abandoned in the end ([`Shutdown::Abandon`](riverhawk_pool::Shutdown)).

use riverhawk_pool::{Pool, blocking};
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Members that work on jobs of one kind.
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
    /// Gives the pool so many tasks; each makes its own worker, on its thread, since workers need
    /// not be `Send`. `None` when the pool has got no thread to run them.
    pub fn start<W: FnMut(J) -> R>(
        pool: &Pool,
        members: usize,
        make: impl Fn() -> W + Send + Clone + 'static,
    ) -> Option<Crew<J, R>> {
        if pool.usage().general.workers == 0 {
            return None;
        }
        let state = State { jobs: VecDeque::new(), results: BTreeMap::new(), closed: false };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            given: Condvar::new(),
            done: Condvar::new(),
        });
        for number in 0..members {
            let (shared, make) = (shared.clone(), make.clone());
            pool.spawner().name(&format!("pieces {number}")).run(move || work(&shared, make));
        }
        Some(Crew { shared, given: 0, taken: 0 })
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

    /// Waits for the result of the oldest job whose result has not been taken: `None` when there is
    /// no such job, or it panicked.
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
    while let Some((number, job)) = next_job(shared) {
        let result = catch_unwind(AssertUnwindSafe(|| worker(job))).ok();
        if result.is_none() {
            worker = make();
        }
        shared.lock().results.insert(number, result);
        shared.done.notify_all();
    }
}

/// The oldest job that nobody has taken; none when there will be no more. Waiting for one is
/// declared to the pool.
fn next_job<J, R>(shared: &Shared<J, R>) -> Option<(u64, J)> {
    let mut state = shared.lock();
    if state.jobs.is_empty() && !state.closed {
        drop(state);
        state = blocking(|| {
            let mut state = shared.lock();
            while state.jobs.is_empty() && !state.closed {
                state = shared.given.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            state
        });
    }
    state.jobs.pop_front()
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_pool::Shutdown;
    use std::time::Duration;

    fn pool(workers: usize) -> Pool {
        Pool::builder().initial_workers(workers).build().expect("threads")
    }

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        let pool = pool(3);
        let mut crew = Crew::start(&pool, 3, || {
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
        let pool = pool(1);
        let mut crew = Crew::start(&pool, 1, || {
            |job: u64| if job == 1 { std::panic::resume_unwind(Box::new(())) } else { job }
        })
        .expect("threads");
        (0..3).for_each(|job| crew.give(job));
        assert_eq!([crew.take(), crew.take(), crew.take()], [Some(0), None, Some(2)]);
    }

    #[test]
    fn a_crew_that_is_let_go_does_not_wait_for_what_it_is_doing() {
        let ((never, waits), (started, has_started)) =
            (std::sync::mpsc::channel::<()>(), std::sync::mpsc::channel());
        let waits = Arc::new(Mutex::new(waits));
        let pool = pool(1);
        let mut crew = Crew::start(&pool, 1, move || {
            let (waits, started) = (waits.clone(), started.clone());
            move |(): ()| {
                started.send(()).expect("the test waits");
                drop(waits.lock().map(|waits| waits.recv()));
            }
        })
        .expect("threads");
        crew.give(());
        has_started.recv().expect("the job begins");
        drop(crew);
        assert_eq!(pool.shutdown(Shutdown::Abandon).expect("no task of it").abandoned, 1);
        drop(never);
    }
}
