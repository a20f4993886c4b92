//! Workers for jobs of one kind, as tasks of the pool. Results come in the order of the jobs.
//!
//! A member of a crew is one long task, since its machine cannot change threads and is expensive to
//! make. Dropping a crew does not wait for members: a job that a serial run would not have reached
//! may never end.

use riverhawk_pool::{Handle, Promise, Receiver, Resolver, Sender, channel, promise};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

type Order<J, R> = (J, Resolver<R>);

pub(super) struct Crew<J, R> {
    jobs: Sender<Order<J, R>>,
    results: VecDeque<Promise<R>>,
}

impl<J: Send + 'static, R: Send + 'static> Crew<J, R> {
    /// Each task makes its worker on its own thread, since workers need not be `Send`. `None` if
    /// the pool has no thread for them.
    pub fn start<W: FnMut(J) -> R>(
        pool: &Handle,
        members: usize,
        make: impl Fn() -> W + Send + Clone + 'static,
    ) -> Option<Crew<J, R>> {
        if !pool.ensure_worker() {
            return None;
        }
        let (jobs, given) = channel(None);
        pool.reserve(members);
        for number in 0..members {
            let (given, make) = (given.clone(), make.clone());
            pool.spawner().name(&format!("pieces {number}")).run(move || work(&given, make));
        }
        Some(Crew { jobs, results: VecDeque::new() })
    }

    pub fn outstanding(&self) -> usize {
        self.results.len()
    }

    pub fn give(&mut self, job: J) {
        let (resolver, result) = promise();
        // Members live as long as the crew, and the queue is unbounded.
        let _ = self.jobs.send((job, resolver)).wait();
        self.results.push_back(result);
    }

    /// Waits for the oldest job's result. `None` if there is no job, or after a panic.
    pub fn take(&mut self) -> Option<R> {
        self.results.pop_front()?.wait().ok()
    }
}

/// Cancels jobs that no member has begun.
impl<J, R> Drop for Crew<J, R> {
    fn drop(&mut self) {
        self.jobs.close();
    }
}

fn work<J, R, W: FnMut(J) -> R>(given: &Receiver<Order<J, R>>, make: impl Fn() -> W) {
    let mut worker = make();
    while let Some((job, resolver)) = given.receive().wait() {
        match catch_unwind(AssertUnwindSafe(|| worker(job))) {
            Ok(result) => resolver.resolve(result),
            Err(_) => worker = make(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_pool::{Pool, Shutdown};
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        let pool = Pool::new();
        let mut crew = Crew::start(&pool, 3, || {
            |job: u64| {
                std::thread::sleep(Duration::from_millis(job % 3));
                job * 2
            }
        })
        .expect("threads");
        (0..50).for_each(|job| crew.give(job));
        for job in 0..50 {
            assert_eq!(crew.outstanding(), 50 - job as usize);
            assert_eq!(crew.take(), Some(job * 2));
        }
        assert_eq!(crew.take(), None);
    }

    #[test]
    fn a_job_that_panics_has_no_result_and_the_others_do() {
        let pool = Pool::new();
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
        let pool = Pool::new();
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
        crew.give(());
        drop(crew);
        assert_eq!(pool.shutdown(Shutdown::Abandon).expect("no task of it").abandoned, 1);
        drop(never);
        assert!(has_started.recv().is_err(), "the second job is not begun");
    }
}
