//! Accounts of threads that run at the same time, one inside another, and for the same run.

use riverhawk_memory::{self as memory, Checked, Run, SharedAccount};
use std::alloc::System;
use std::sync::Barrier;
use std::thread;

#[global_allocator]
static ALLOCATOR: Checked<System> = Checked(System);

const MIB: usize = 1 << 20;

/// Whether there is memory for one block of so many bytes.
fn is_there(bytes: usize) -> bool {
    memory::grow(&mut Vec::<u8>::new(), bytes)
}

/// The end of a run, with which memory no longer counts as run out.
fn end_run() {
    drop(Run::begin());
}

#[test]
fn threads_do_not_see_each_others_limits() {
    let both = Barrier::new(2);
    let work = |limit: usize| {
        let _account = memory::open_account(Some(limit)).unwrap();
        let _run = Run::begin();
        both.wait();
        for _ in 0..1000 {
            assert!(is_there(limit / 2) && !memory::ran_out());
        }
        both.wait();
        assert!(!is_there(2 * limit));
        assert_eq!((memory::ran_out(), memory::reached_limit()), (true, Some(limit)));
    };
    thread::scope(|scope| {
        scope.spawn(|| work(MIB));
        scope.spawn(|| work(100 * MIB));
        scope.spawn(|| {
            assert!(is_there(300 * MIB) && !memory::ran_out() && memory::reached_limit().is_none());
        });
    });
}

#[test]
fn an_account_inside_another_hides_it_until_it_is_dropped() {
    let outer = memory::open_account(Some(10 * MIB)).unwrap();
    let held = vec![0u8; 6 * MIB];
    let inner = memory::open_account(Some(8 * MIB)).unwrap();
    assert!(is_there(7 * MIB) && !is_there(9 * MIB) && memory::ran_out());
    let free = memory::open_account(None).unwrap();
    assert!(is_there(100 * MIB) && !memory::ran_out());
    drop(free);
    assert!(memory::ran_out());
    drop(inner);
    assert!(!memory::ran_out() && is_there(3 * MIB) && !is_there(5 * MIB));
    drop(held);
    end_run();
    assert!(is_there(9 * MIB));
    drop(outer);
    assert!(!memory::ran_out() && is_there(100 * MIB));
}

#[test]
fn what_a_thread_allocates_for_the_same_run_is_counted() {
    let _account = memory::open_account(Some(10 * MIB)).unwrap();
    let shared = SharedAccount::of_this_thread();
    let held = thread::spawn(move || {
        let _entered = shared.enter();
        vec![0u8; 6 * MIB]
    })
    .join()
    .unwrap();
    assert!(!is_there(5 * MIB) && memory::ran_out());
    drop(held);
    end_run();
    assert!(is_there(9 * MIB));
}

#[test]
fn a_run_that_ends_leaves_nothing_behind() {
    let _account = memory::open_account(Some(MIB)).unwrap();
    let run = Run::begin();
    assert!(!is_there(2 * MIB) && memory::ran_out());
    assert!(memory::wanted() >= 2 * MIB);
    drop(run);
    assert!(!memory::ran_out() && memory::reached_limit().is_none());
}

#[test]
fn guards_that_are_dropped_in_the_wrong_order_are_no_danger() {
    thread::spawn(|| {
        let first = memory::open_account(Some(10 * MIB)).unwrap();
        let second = memory::open_account(Some(20 * MIB)).unwrap();
        drop(first);
        assert!(!is_there(300 * MIB) || is_there(1));
        drop(second);
        assert!(is_there(MIB));
    })
    .join()
    .unwrap();
}
