//! The protocols under loom: every interleaving of small cases, up to the stated number of
//! preemptions.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p riverhawk-pool --lib models
//! ```
//!
//! loom reports a lost wake-up as a deadlock.

use crate::affinity::{Ordered, SerialList};
use crate::crew::{Call, Crew};
use crate::park::{Parker, Word};
use crate::ticket::Ticket;
use crate::turn_state::TurnState;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;
use std::sync::Arc;

/// More preemptions are left out: three threads with locks have too many interleavings.
fn check(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

/// Only the crew's fences order its pushes and reads.
#[derive(Default)]
struct Queue(AtomicUsize);

impl Queue {
    fn push(&self) {
        self.0.fetch_add(1, Ordering::Release);
    }

    fn has_work(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    fn take(&self) -> bool {
        let less = |count: usize| count.checked_sub(1);
        self.0.fetch_update(Ordering::AcqRel, Ordering::Relaxed, less).is_ok()
    }
}

fn work(crew: &Crew, queue: &Queue, count: usize) {
    let parker = Arc::new(Parker::new());
    let mut done = 0;
    while done < count {
        if !crew.is_crowded() && queue.take() {
            done += 1;
        } else if crew.rest(&parker, || queue.has_work()) == Word::Leave {
            return;
        }
    }
}

#[test]
fn work_that_comes_while_the_only_worker_goes_to_rest_is_done() {
    check(3, || {
        let (crew, queue) = (Arc::new(Crew::new(4, 4)), Arc::new(Queue::default()));
        assert_eq!(crew.call(), Call::Start);
        let worker = {
            let (crew, queue) = (Arc::clone(&crew), Arc::clone(&queue));
            thread::spawn(move || work(&crew, &queue, 2))
        };
        for _ in 0..2 {
            queue.push();
            assert_ne!(crew.call(), Call::Start, "there is one permit, and it is taken");
        }
        worker.join().unwrap();
        assert!(!queue.has_work());
    });
}

#[test]
fn worker_in_a_declared_wait_is_replaced_whenever_the_work_comes() {
    check(3, || {
        let (crew, queue) = (Arc::new(Crew::new(4, 4)), Arc::new(Queue::default()));
        let done = Arc::new(Parker::new());
        assert_eq!(crew.call(), Call::Start);
        let second = |call: Call| {
            let (crew, queue, done) = (Arc::clone(&crew), Arc::clone(&queue), Arc::clone(&done));
            (call == Call::Start).then(|| {
                thread::spawn(move || {
                    work(&crew, &queue, 1);
                    done.unpark(Word::Work);
                })
            })
        };
        let producer = {
            let (crew, queue) = (Arc::clone(&crew), Arc::clone(&queue));
            thread::spawn(move || {
                queue.push();
                crew.call()
            })
        };
        crew.enter_blocked();
        let mine = if queue.has_work() { second(crew.call()) } else { None };
        let theirs = second(producer.join().unwrap());
        assert!(mine.is_some() != theirs.is_some(), "one replacement, and only one");
        assert_eq!(done.park(), Word::Work);
        crew.leave_blocked();
        mine.into_iter().chain(theirs).for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn closing_sends_every_resting_worker_home() {
    check(3, || {
        let (crew, queue) = (Arc::new(Crew::new(4, 4)), Arc::new(Queue::default()));
        crew.set_target(2);
        assert_eq!((crew.call(), crew.call()), (Call::Start, Call::Start));
        let workers: Vec<_> = (0..2)
            .map(|_| {
                let (crew, queue) = (Arc::clone(&crew), Arc::clone(&queue));
                thread::spawn(move || work(&crew, &queue, 1))
            })
            .collect();
        crew.close();
        workers.into_iter().for_each(|worker| worker.join().unwrap());
        assert_eq!(crew.count().threads, 0);
    });
}

#[test]
fn two_producers_wake_two_workers_or_one_that_does_both() {
    check(3, || {
        let (crew, queue) = (Arc::new(Crew::new(4, 4)), Arc::new(Queue::default()));
        assert_eq!(crew.call(), Call::Start);
        let worker = {
            let (crew, queue) = (Arc::clone(&crew), Arc::clone(&queue));
            thread::spawn(move || work(&crew, &queue, 2))
        };
        let other = {
            let (crew, queue) = (Arc::clone(&crew), Arc::clone(&queue));
            thread::spawn(move || {
                queue.push();
                assert_ne!(crew.call(), Call::Start);
            })
        };
        queue.push();
        assert_ne!(crew.call(), Call::Start);
        other.join().unwrap();
        worker.join().unwrap();
    });
}

#[test]
fn word_is_not_lost_whether_it_comes_before_or_after_the_sleep() {
    check(5, || {
        let parker = Arc::new(Parker::new());
        let waker = {
            let parker = Arc::clone(&parker);
            thread::spawn(move || parker.unpark(Word::Leave))
        };
        assert_eq!(parker.park(), Word::Leave);
        waker.join().unwrap();
    });
}

/// A turn follows the last wake, and a task is never queued twice.
#[test]
fn woken_task_has_a_turn_after_its_last_wake() {
    check(3, || {
        let state = Arc::new(TurnState::queued());
        let queued = Arc::new(AtomicUsize::new(1));
        let (wakes, seen) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let push =
            |queued: &AtomicUsize| assert_eq!(queued.fetch_add(1, Ordering::SeqCst), 0, "once");
        let turn =
            |state: &TurnState, queued: &AtomicUsize, wakes: &AtomicUsize, seen: &AtomicUsize| {
                queued.fetch_sub(1, Ordering::SeqCst);
                assert!(state.begin());
                seen.store(wakes.load(Ordering::SeqCst), Ordering::SeqCst);
                if state.suspend() {
                    push(queued);
                }
            };
        let wakers: Vec<_> = (0..2)
            .map(|_| {
                let (state, queued, wakes) =
                    (Arc::clone(&state), Arc::clone(&queued), Arc::clone(&wakes));
                thread::spawn(move || {
                    wakes.fetch_add(1, Ordering::SeqCst);
                    if state.wake() {
                        push(&queued);
                    }
                })
            })
            .collect();
        turn(&state, &queued, &wakes, &seen);
        wakers.into_iter().for_each(|waker| waker.join().unwrap());
        while queued.load(Ordering::SeqCst) > 0 {
            turn(&state, &queued, &wakes, &seen);
        }
        assert_eq!(seen.load(Ordering::SeqCst), 2);
        assert!(state.is_resting());
    });
}

#[test]
fn task_that_is_cancelled_while_it_runs_is_over_once() {
    check(4, || {
        let state = Arc::new(TurnState::queued());
        let canceller = {
            let state = Arc::clone(&state);
            thread::spawn(move || state.finish())
        };
        let finished = state.begin() && state.finish();
        assert!(finished != canceller.join().unwrap());
        assert!(!state.wake() && !state.begin() && !state.suspend());
    });
}

#[test]
fn affinity_queue_keeps_order_and_loses_nothing_while_items_are_moved() {
    check(3, || {
        let queue = Arc::new(Ordered::new());
        let worker = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || std::iter::from_fn(|| Some(queue.next()?.0)).collect::<Vec<_>>())
        };
        let supervisor = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || queue.take_waiting())
        };
        (0..3).for_each(|item| _ = queue.push(item));
        let moved = supervisor.join().unwrap();
        let left = queue.close();
        let ran = worker.join().unwrap();
        assert!(ran.is_sorted() && left.is_sorted());
        let mut all: Vec<_> = ran.into_iter().chain(moved).chain(left).collect();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2]);
    });
}

/// A turn that waits for one at work would need a supervisor.
#[test]
fn serial_list_keeps_order_and_its_turns_wait_for_nothing() {
    check(3, || {
        let (queue, list) = (Arc::new(Ordered::new()), Arc::new(SerialList::new()));
        let submit = |queue: &Ordered<()>, list: &SerialList<u8>, item| {
            if list.push(item) {
                assert!(!queue.push(()), "a turn waits");
            }
        };
        let worker = {
            let (queue, list) = (Arc::clone(&queue), Arc::clone(&list));
            thread::spawn(move || {
                let mut ran = Vec::new();
                while ran.len() < 3 {
                    assert_eq!(queue.next(), Some(((), false)));
                    ran.push(list.next().expect("an item for the turn"));
                    queue.done();
                    if list.end_turn() {
                        assert!(!queue.push(()), "a turn waits");
                    }
                }
                ran
            })
        };
        let other = {
            let (queue, list) = (Arc::clone(&queue), Arc::clone(&list));
            thread::spawn(move || submit(&queue, &list, 10))
        };
        submit(&queue, &list, 1);
        submit(&queue, &list, 2);
        other.join().unwrap();
        let ran = worker.join().unwrap();
        assert!(ran.iter().filter(|&&item| item < 10).is_sorted() && ran.contains(&10), "{ran:?}");
        assert_eq!((queue.load(), list.next()), ((0, false), None));
    });
}

#[test]
fn scope_has_a_ticket_on_the_queue_whenever_a_closure_waits() {
    check(5, || {
        let (ticket, closures) = (Arc::new(Ticket::new()), Arc::new(Queue::default()));
        let tickets = Arc::new(AtomicUsize::new(0));
        let add = |ticket: &Ticket, closures: &Queue, tickets: &AtomicUsize| {
            closures.push();
            if ticket.issue() {
                assert_eq!(tickets.fetch_add(1, Ordering::SeqCst), 0, "one at a time");
            }
        };
        add(&ticket, &closures, &tickets);
        let adder = {
            let (ticket, closures, tickets) =
                (Arc::clone(&ticket), Arc::clone(&closures), Arc::clone(&tickets));
            thread::spawn(move || add(&ticket, &closures, &tickets))
        };
        tickets.fetch_sub(1, Ordering::SeqCst);
        ticket.take();
        while closures.take() {}
        adder.join().unwrap();
        assert!(!closures.has_work() || tickets.load(Ordering::SeqCst) == 1);
    });
}
