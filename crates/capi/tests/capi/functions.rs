//! Functions of the caller.

use crate::entry_points::{Failed, call, run, string, text};
use riverhawk_c::*;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

type Body = fn(&mut rh_call<'_>);

/// What the caller knows of a function.
struct Function {
    body: Body,
    dropped: &'static AtomicUsize,
}

unsafe extern "C-unwind" fn forward(context: *mut c_void, call: *mut rh_call<'_>) {
    // SAFETY: the context is a `Function`, and the call the library's.
    let (function, call) = unsafe { (&*context.cast::<Function>(), &mut *call) };
    (function.body)(call);
}

unsafe extern "C-unwind" fn dropped(context: *mut c_void) {
    // SAFETY: `function` made the context, and it is dropped once.
    let function = unsafe { Box::from_raw(context.cast::<Function>()) };
    function.dropped.fetch_add(1, Relaxed);
}

fn function(body: Body, count: &'static AtomicUsize) -> rh_function {
    let context = Box::into_raw(Box::new(Function { body, dropped: count })).cast();
    rh_function { context, call: Some(forward), drop: Some(dropped) }
}

/// Runs a program that may call `f`, whose first argument is an array if `arrays` is 1.
fn try_with(source: &str, arrays: u16, body: Body) -> Result<String, Failed> {
    let count: &'static AtomicUsize = Box::leak(Box::default());
    let mut builder = rh_builder_new().unwrap();
    rh_builder_source(Some(&mut builder), text("main"), text(source));
    rh_builder_function(Some(&mut builder), text("f"), 0, 3, arrays, function(body, count));
    let program = call(|error| rh_builder_compile(Some(&mut builder), error));
    rh_builder_free(Some(builder));
    let printed = program.and_then(|program| {
        let outcome = run(&program, |run| rh_run_input(Some(run), text("tea 2\n")));
        assert_eq!(count.load(Relaxed), 0);
        rh_program_free(Some(program));
        Ok(string(rh_outcome_stdout(Some(&*outcome?))))
    });
    assert_eq!(count.load(Relaxed), 1);
    printed
}

fn with(source: &str, arrays: u16, body: Body) -> String {
    let drawn = |error: Failed| string(rh_error_drawn(Some(&error)));
    try_with(source, arrays, body).map_err(drawn).unwrap()
}

#[test]
fn functions_read_arguments_and_return_values() {
    let upper: Body = |call| {
        let upper = string(rh_call_text(Some(call), 0)).to_uppercase();
        rh_call_return_text(Some(call), text(&upper));
    };
    assert_eq!(with("{ print f($1), f(0.5) f() }", 0, upper), "TEA 0.5\n");
    let sum: Body = |call| {
        let numbers = (0..rh_call_count(Some(call))).map(|at| rh_call_number(Some(call), at));
        let sum = numbers.sum();
        rh_call_return_number(Some(call), sum);
    };
    assert_eq!(with("{ print f($2, 3, \"4x\"), f() }", 0, sum), "9 0\n");
    let is_number: Body = |call| {
        let is_number = rh_call_is_number(Some(call), 0);
        let value = rh_value_input(text(if is_number { "10" } else { "9" })).unwrap();
        assert!(rh_call_return_value(Some(call), Some(&value)));
        assert!(!rh_call_return_value(Some(call), rh_value_array().as_deref()));
        assert!(rh_call_array(Some(call), 0).is_none());
    };
    assert_eq!(with("{ print f($1) < f($2), f(x) }", 0, is_number), "1 10\n");
    assert_eq!(with("{ print length(f()), f() == 0 }", 0, |_| ()), "0 1\n");
}

#[test]
fn functions_read_and_change_arrays() {
    let change: Body = |call| {
        let array = rh_call_array(Some(call), 0);
        assert_eq!(rh_array_count(array), 2);
        let copy = rh_array_copy(array);
        assert_eq!(rh_value_count(copy.as_deref()), 2);
        let inner = rh_array_get(array, text("inner"));
        assert_eq!(rh_value_to_number(rh_value_get(inner.as_deref(), text("x"))), 0.5);
        let tea = rh_array_get(array, text("tea"));
        assert_eq!(rh_value_kind_of(tea.as_deref()), rh_value_kind::Input);
        assert!(rh_array_get(array, text("no")).is_none());
        assert!(rh_array_remove(array, text("tea")) && !rh_array_remove(array, text("tea")));
        assert!(rh_array_set(array, text("milk"), tea.as_deref()));
        assert!(!rh_array_set(array, text("milk"), copy.as_deref()));
    };
    let program = "{ a[$1] = $2; a[\"inner\"][\"x\"] = 0.5; f(a); print length(a), a[\"milk\"] }";
    assert_eq!(with(program, 1, change), "2 2\n");
    let clear: Body = |call| rh_array_clear(rh_call_array(Some(call), 0));
    assert_eq!(with("{ a[1]; f(a); print length(a) }", 1, clear), "0\n");
}

#[test]
fn failures_have_the_place_of_the_call() {
    let fail: Body = |call| rh_call_fail(Some(call), text("no such city"));
    let error = try_with("\n{ f($1) }", 0, fail).unwrap_err();
    assert_eq!(rh_error_kind_of(Some(&error)), rh_error_kind::Run);
    assert_eq!(string(rh_error_message(Some(&error))), "f: no such city");
    assert_eq!((rh_error_line(Some(&error)), rh_error_record(Some(&error))), (2, 1));
    let error = try_with("{ f($1) }", 0, |_| panic!("in f")).unwrap_err();
    assert!(string(rh_error_message(Some(&error))).contains("panicked: in f"));
    let error = try_with("{ f(1, 2, 3, 4) }", 0, |_| ()).unwrap_err();
    assert_eq!(rh_error_kind_of(Some(&error)), rh_error_kind::Compile);

    let mut builder = rh_builder_new().unwrap();
    let count: &'static AtomicUsize = Box::leak(Box::default());
    rh_builder_function(Some(&mut builder), text("f"), 2, 1, 0, function(|_| (), count));
    assert_eq!(count.load(Relaxed), 1);
    let error = call(|error| rh_builder_compile(Some(&mut builder), error)).err().unwrap();
    assert_eq!(string(rh_error_message(Some(&error))), "f: 2 to 1 arguments");
}
