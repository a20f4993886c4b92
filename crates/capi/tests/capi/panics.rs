//! No panic crosses the border: callbacks that panic are errors.

use crate::entry_points::{compile, run, string};
use riverhawk_c::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static DROPPED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C-unwind" fn read(_: *mut c_void, _: *mut u8, _: usize) -> isize {
    panic!("in read")
}

unsafe extern "C-unwind" fn write(_: *mut c_void, _: *const u8, _: usize) -> i32 {
    panic!("in write")
}

unsafe extern "C-unwind" fn open(_: *mut c_void, _: rh_text<'_>, _: *mut rh_reader) -> i32 {
    panic!("in open")
}

unsafe extern "C-unwind" fn dropped(_: *mut c_void) {
    DROPPED.fetch_add(1, Relaxed);
}

unsafe extern "C-unwind" fn panics_in_drop(_: *mut c_void) {
    panic!("in drop")
}

type Change<'c> = &'c dyn Fn(&mut rh_run);

#[test]
fn callbacks_that_panic_are_errors() {
    let program = compile("{ print; getline < \"f\" }");
    let context = null_mut();
    let reader = || rh_reader { context, read: Some(read), drop: Some(dropped) };
    let writer = || rh_writer { context, write: Some(write), flush: None, drop: Some(dropped) };
    let files = || rh_files { context, open: Some(open), create: None, drop: Some(dropped) };
    let input = |run: &mut rh_run| rh_run_input(Some(run), rh_text::new(b"x\n"));
    let changes: [(Change<'_>, &str); 2] = [
        (&|run| rh_run_stdin(Some(run), reader()), "a panic: in read"),
        (
            &|run| {
                input(run);
                rh_run_stdout(Some(run), writer());
                rh_run_allow_all(Some(run));
            },
            "a panic: in write",
        ),
    ];
    for (nth, (change, message)) in changes.into_iter().enumerate() {
        let error = run(&program, change).err().unwrap();
        let said = string(rh_error_message(Some(&error)));
        assert!(said.ends_with(message), "{said}");
        assert_eq!(rh_error_kind_of(Some(&error)), rh_error_kind::Run);
        assert_eq!(DROPPED.load(Relaxed), nth + 1);
    }
    // As a file that cannot be opened.
    let opened = compile("{ print (getline < \"f\") }");
    let outcome = run(&opened, |run| {
        input(run);
        rh_run_files(Some(run), files());
    });
    assert_eq!(string(rh_outcome_stdout(outcome.ok().as_deref())), "-1\n");
    // The program is as it was.
    let outcome = run(&program, input).err().unwrap();
    assert_eq!(rh_error_kind_of(Some(&outcome)), rh_error_kind::Run);

    let mut unused = rh_run_new().unwrap();
    rh_run_stdin(Some(&mut unused), rh_reader { context, read: None, drop: Some(panics_in_drop) });
    rh_run_free(Some(unused));

    // On the thread of a run whose output is pulled.
    let mut pulled = rh_run_new().unwrap();
    rh_run_stdin(Some(&mut pulled), reader());
    let mut records = rh_program_records(Some(&program), Some(&mut pulled), None).unwrap();
    let mut error = std::mem::MaybeUninit::uninit();
    assert!(!rh_records_next(Some(&mut records), None, Some(&mut error)));
    // SAFETY: it is always written, and owned by this alone.
    let error = unsafe { Box::from_raw(error.assume_init()) };
    assert!(string(rh_error_message(Some(&error))).ends_with("a panic: in read"));
}
