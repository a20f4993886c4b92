//! Every entry point, also with everything missing that may be.

use riverhawk_c::*;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

pub fn text(text: &str) -> rh_text<'_> {
    rh_text::new(text.as_bytes())
}

pub fn string(text: rh_text<'_>) -> String {
    String::from_utf8(text.bytes().to_vec()).unwrap()
}

pub type Failed = Box<rh_error>;

type Change = fn(&mut rh_run);

/// Calls a function that can fail. Without a result it has an error, and otherwise none.
pub fn call<R>(
    call: impl FnOnce(Option<&mut MaybeUninit<*mut rh_error>>) -> Option<R>,
) -> Result<R, Failed> {
    // As a caller in C that has initialised nothing.
    let mut error = MaybeUninit::uninit();
    let result = call(Some(&mut error));
    // SAFETY: every function that can fail writes it.
    let error = unsafe { error.assume_init() };
    match result {
        Some(result) => {
            assert!(error.is_null());
            Ok(result)
        }
        // SAFETY: it is an error that this is the only owner of.
        None => Err(unsafe { Box::from_raw(error) }),
    }
}

pub fn compile(source: &str) -> Box<rh_program> {
    call(|error| rh_program_compile(text(source), error)).ok().unwrap()
}

pub fn run(
    program: &rh_program,
    change: impl FnOnce(&mut rh_run),
) -> Result<Box<rh_outcome>, Failed> {
    let mut run = rh_run_new().unwrap();
    change(&mut run);
    let result = call(|error| rh_program_run(Some(program), Some(&mut run), error));
    let again = call(|error| rh_program_run(Some(program), Some(&mut run), error)).err().unwrap();
    assert_eq!(string(rh_error_message(Some(&again))), "the run has been used up");
    rh_run_free(Some(run));
    result
}

fn prints(source: &str, change: impl FnOnce(&mut rh_run)) -> String {
    let program = compile(source);
    let outcome = run(&program, change);
    rh_program_free(Some(program));
    let outcome = outcome.map_err(|error| string(rh_error_drawn(Some(&error)))).unwrap();
    string(rh_outcome_stdout(Some(&outcome)))
}

fn fails(source: &str, change: impl FnOnce(&mut rh_run)) -> Failed {
    run(&compile(source), change).err().unwrap()
}

fn kind_and_message(error: &rh_error) -> (rh_error_kind, String) {
    (rh_error_kind_of(Some(error)), string(rh_error_message(Some(error))))
}

fn write_to(value: Option<&rh_value>, buffer: &mut [u8]) -> usize {
    // SAFETY: the buffer is as long as it says, and borrowed here alone.
    unsafe { rh_value_write(value, buffer.as_mut_ptr(), buffer.len()) }
}

/// Nothing to call.
fn no_reader() -> rh_reader {
    rh_reader { context: null_mut(), read: None, drop: None }
}

fn no_writer() -> rh_writer {
    rh_writer { context: null_mut(), write: None, flush: None, drop: None }
}

fn no_files() -> rh_files {
    rh_files { context: null_mut(), open: None, create: None, drop: None }
}

#[test]
fn null_is_an_error_or_nothing() {
    assert_eq!(string(rh_version()), env!("CARGO_PKG_VERSION"));
    let none = text("");

    for error in [
        call(|error| rh_builder_compile(None, error)).err().unwrap(),
        call(|error| rh_program_run(None, None, error)).err().unwrap(),
        call(|error| rh_program_records(None, None, error)).err().unwrap(),
        call(|error| rh_records_next(None, None, error).then_some(())).err().unwrap(),
        call(|error| rh_program_run(Some(&compile("")), None, error)).err().unwrap(),
    ] {
        assert_eq!(rh_error_kind_of(Some(&error)), rh_error_kind::Argument);
        assert!(rh_error_outcome(Some(&error)).is_none());
        assert_eq!(rh_error_record(Some(&error)), 0);
        assert_eq!(string(rh_error_file(Some(&error))), "");
        rh_error_free(Some(error));
    }
    assert!(rh_builder_compile(None, None).is_none());
    assert!(rh_program_compile(text("{"), None).is_none());
    assert!(rh_program_run(None, None, None).is_none());
    assert!(rh_program_records(None, None, None).is_none());
    assert!(!rh_records_next(None, None, None));

    rh_builder_source(None, none, none);
    rh_builder_dialect(None, 0);
    rh_builder_option(None, 0);
    assert_eq!(rh_program_warning_count(None), 0);
    assert_eq!(string(rh_program_warning(None, 0).message), "");
    rh_run_input_csv(None, 0);
    rh_run_output_format(None, 0);
    rh_run_option(None, 0);
    rh_run_output_encoding(None, none);
    rh_run_jobs(None, 0);
    rh_run_clock(None, 0.0);
    rh_run_seed(None, 0);
    rh_run_limit_decompressed(None, 0);
    rh_run_progress(None, 0, rh_progress { context: null_mut(), report: None, drop: None });
    rh_run_warnings(None, rh_warnings { context: null_mut(), report: None, drop: None });
    rh_builder_includes(None, no_files());
    rh_builder_include_memory_files(None, None);
    let context = null_mut();
    rh_builder_function(None, none, 0, 0, 0, rh_function { context, call: None, drop: None });
    assert_eq!(rh_call_count(None), 0);
    assert_eq!(rh_call_number(None, 0), 0.0);
    assert_eq!(string(rh_call_text(None, 0)), "");
    assert!(!rh_call_is_number(None, 0));
    assert!(rh_call_array(None, 0).is_none());
    rh_call_return_number(None, 0.0);
    rh_call_return_text(None, none);
    assert!(!rh_call_return_value(None, None));
    rh_call_fail(None, none);
    assert_eq!(rh_array_count(None), 0);
    assert!(rh_array_get(None, none).is_none());
    assert!(rh_array_copy(None).is_none());
    assert!(!rh_array_set(None, none, None));
    assert!(!rh_array_remove(None, none));
    rh_array_clear(None);
    rh_run_input(None, none);
    rh_run_stdin(None, no_reader());
    rh_run_stdout(None, no_writer());
    rh_run_stderr(None, no_writer());
    rh_run_files(None, no_files());
    rh_run_memory_files(None, None);
    rh_run_rooted_files(None, none, true);
    rh_run_operand(None, none);
    rh_run_environment(None, none, none);
    rh_run_variable(None, none, None);
    rh_run_number(None, none, 1.0);
    rh_run_text(None, none, none);
    rh_run_keep_variables(None);
    rh_run_input_format(None, 1);
    rh_run_allow_read(None, none);
    rh_run_allow_write(None, none);
    rh_run_allow_commands(None);
    rh_run_allow_network(None);
    rh_run_allow_all(None);
    rh_run_limit_time(None, 1);
    rh_run_limit_memory(None, 1);
    rh_run_limit_output(None, 1);
    rh_run_limit_record(None, 1);
    rh_run_limit_records(None, 1);
    rh_run_limit_steps(None, 1);
    rh_run_limit_call_depth(None, 1);
    rh_run_cancel(None, None);
    rh_cancel_cancel(None);

    assert_eq!(rh_error_kind_of(None), rh_error_kind::Argument);
    assert_eq!(rh_error_count(None), 0);
    assert_eq!(rh_error_line(None) + rh_error_column(None), 0);
    for empty in [
        rh_error_message(None),
        rh_error_source(None),
        rh_error_drawn(None),
        rh_error_file(None),
        rh_outcome_stdout(None),
        rh_outcome_stderr(None),
    ] {
        assert_eq!(string(empty), "");
    }
    assert_eq!(rh_error_record(None), 0);
    assert!(rh_error_outcome(None).is_none());
    let _ = rh_error_diagnostic(None, 0);
    assert_eq!(rh_outcome_status(None), 0);
    assert_eq!(rh_outcome_records(None), 0);
    assert!(rh_outcome_variable(None, none).is_none());
    assert_eq!(rh_outcome_variable_count(None), 0);
    assert!(rh_outcome_variable_at(None, 0, None).is_none());

    assert_eq!(rh_value_kind_of(None), rh_value_kind::Unset);
    assert_eq!(rh_value_to_number(None), 0.0);
    assert!(!rh_value_as_text(None, None));
    assert_eq!(write_to(None, &mut []), 0);
    assert_eq!(rh_value_count(None), 0);
    assert!(rh_value_at(None, 0, None).is_none());
    assert!(rh_value_get(None, none).is_none());
    assert!(!rh_value_add(None, none, None));

    rh_memory_files_insert(None, none, none);
    assert!(rh_memory_files_get(None, none).is_none());
    assert!(!rh_memory_files_remove(None, none));

    rh_builder_free(None);
    rh_program_free(None);
    rh_run_free(None);
    rh_records_free(None);
    rh_outcome_free(None);
    rh_error_free(None);
    rh_value_free(None);
    rh_cancel_free(None);
    rh_memory_files_free(None);
}

#[test]
fn handles_that_are_not_used_are_freed() {
    rh_builder_free(rh_builder_new());
    rh_run_free(rh_run_new());
    rh_cancel_free(rh_cancel_new());
    rh_memory_files_free(rh_memory_files_new());
    rh_value_free(rh_value_array());
}

#[test]
fn everything_wrong_with_a_program_has_its_place() {
    let mut builder = rh_builder_new().unwrap();
    rh_builder_source(Some(&mut builder), text("first"), text("{ print 1 + }\n"));
    rh_builder_source(Some(&mut builder), text("second"), text("\n  { print 2 * }\n"));
    let error = call(|error| rh_builder_compile(Some(&mut builder), error)).err().unwrap();
    assert_eq!(rh_error_kind_of(Some(&error)), rh_error_kind::Compile);
    assert_eq!(rh_error_count(Some(&error)), 2);
    assert_eq!(string(rh_error_source(Some(&error))), "first");
    assert_eq!((rh_error_line(Some(&error)), rh_error_column(Some(&error))), (1, 13));
    assert!(string(rh_error_drawn(Some(&error))).contains("second:2:"));
    assert!(string(rh_error_message(Some(&error))).contains("expected an expression"));
    let again = call(|error| rh_builder_compile(Some(&mut builder), error)).err().unwrap();
    assert_eq!(string(rh_error_message(Some(&again))), "the builder has been used up");
    rh_builder_free(Some(builder));
}

#[test]
fn the_first_wrong_argument_is_the_error() {
    let mut builder = rh_builder_new().unwrap();
    rh_builder_dialect(Some(&mut builder), 9);
    rh_builder_source(Some(&mut builder), rh_text::new(b"\xff"), text("{"));
    rh_builder_include_memory_files(Some(&mut builder), None);
    let error = call(|error| rh_builder_compile(Some(&mut builder), error)).err().unwrap();
    let argument = |message: &str| (rh_error_kind::Argument, message.to_owned());
    assert_eq!(kind_and_message(&error), argument("there is no dialect 9"));

    let changes: [(Change, &str); 12] = [
        (
            |run| rh_run_text(Some(run), rh_text::new(b"\xff"), text("")),
            "the name of a variable is not UTF-8",
        ),
        (
            |run| rh_run_number(Some(run), rh_text::new(b"\xff"), 0.0),
            "the name of a variable is not UTF-8",
        ),
        (|run| rh_run_variable(Some(run), text("v"), None), "no value for the variable"),
        (|run| rh_run_cancel(Some(run), None), "no handle to cancel by"),
        (|run| rh_run_memory_files(Some(run), None), "no files"),
        (|run| rh_run_input_format(Some(run), 5), "there is no format 5 of input"),
        (|run| rh_run_output_format(Some(run), 0), "there is no format 0 of output"),
        (|run| rh_run_input_csv(Some(run), b'"'), "the byte 34 cannot separate fields"),
        (|run| rh_run_option(Some(run), 12), "there is no option 12 of runs"),
        (|run| rh_run_clock(Some(run), -1.0), "-1 is no time"),
        (
            |run| rh_run_rooted_files(Some(run), text("/nowhere"), false),
            "cannot open \"/nowhere\": No such file or directory (os error 2)",
        ),
        (
            |run| {
                rh_run_cancel(Some(run), None);
                rh_run_memory_files(Some(run), None);
            },
            "no handle to cancel by",
        ),
    ];
    for (change, message) in changes {
        assert_eq!(kind_and_message(&fails("BEGIN { print }", change)), argument(message));
    }
}

#[test]
fn builders_know_dialects_includes_and_precision() {
    let files = rh_memory_files_new().unwrap();
    rh_memory_files_insert(Some(&files), text("two"), text("function two() { return 2 }"));
    let mut builder = rh_builder_new().unwrap();
    rh_builder_include_memory_files(Some(&mut builder), Some(&files));
    rh_builder_option(Some(&mut builder), rh_builder_flag::Bignum as u32);
    let source = "@include \"two\"\nBEGIN { print two() ** 100 }";
    rh_builder_source(Some(&mut builder), text("main"), text(source));
    let program = call(|error| rh_builder_compile(Some(&mut builder), error)).ok().unwrap();
    let outcome = run(&program, |_| {}).ok().unwrap();
    assert_eq!(string(rh_outcome_stdout(Some(&outcome))), "1267650600228229401496703205376\n");
    rh_memory_files_free(Some(files));

    let mut builder = rh_builder_new().unwrap();
    rh_builder_includes(Some(&mut builder), no_files());
    rh_builder_dialect(Some(&mut builder), rh_dialect::Posix as u32);
    rh_builder_source(
        Some(&mut builder),
        text("p"),
        text("BEGIN { switch (1) { case 1: print } }"),
    );
    assert!(rh_builder_compile(Some(&mut builder), None).is_none());
}

#[test]
fn runs_have_inputs_variables_and_an_environment() {
    assert_eq!(
        prints("{ print NR, $1 }", |run| rh_run_input(Some(run), text("a\nb"))),
        "1 a\n2 b\n"
    );
    assert_eq!(prints("END { print NR }", |run| rh_run_input(Some(run), text(""))), "0\n");
    assert_eq!(
        prints("BEGIN { print n + 1, t, ENVIRON[\"HOME\"], ARGV[1], e == 0, length(e) }", |run| {
            rh_run_number(Some(run), text("n"), 41.0);
            rh_run_text(Some(run), text("t"), text("a\\n"));
            rh_run_environment(Some(run), text("HOME"), text("/h"));
            rh_run_operand(Some(run), text("o"));
        }),
        "42 a\\n /h o 1 0\n"
    );
    assert_eq!(
        prints("{ print $2 }", |run| {
            rh_run_input_format(Some(run), rh_format::JsonLines as u32);
            rh_run_input(Some(run), text("[1, \"x y\"]\n"));
        }),
        "x y\n"
    );
}

#[test]
fn values_go_in_and_come_out() {
    let mut inner = rh_value_array().unwrap();
    let (number, input) = (rh_value_number(0.5).unwrap(), rh_value_input(text("3x")).unwrap());
    assert!(rh_value_add(Some(&mut inner), text("half"), Some(&number)));
    assert!(rh_value_add(Some(&mut inner), text(""), Some(&input)));
    assert!(!rh_value_add(Some(&mut inner), text("k"), None));
    let mut outer = rh_value_array().unwrap();
    assert!(rh_value_add(Some(&mut outer), text("inner"), Some(&inner)));
    let mut plain = rh_value_text(text("t")).unwrap();
    assert!(!rh_value_add(Some(&mut plain), text("k"), Some(&number)));

    let program = compile("BEGIN { a[\"inner\"][\"half\"] += 1; n = 7; s = \"text\"; exit 3 }");
    let outcome = run(&program, |run| {
        rh_run_variable(Some(run), text("a"), Some(&outer));
        rh_run_keep_variables(Some(run));
    });
    for value in [inner, outer, plain, number, input] {
        rh_value_free(Some(value));
    }
    let outcome = outcome.ok().unwrap();
    let outcome = Some(&*outcome);
    assert_eq!(rh_outcome_status(outcome), 3);
    let a = rh_outcome_variable(outcome, text("a"));
    assert_eq!((rh_value_kind_of(a), rh_value_count(a)), (rh_value_kind::Array, 1));
    let inner = rh_value_get(a, text("inner"));
    assert_eq!(rh_value_to_number(rh_value_get(inner, text("half"))), 1.5);
    assert!(rh_value_get(inner, text("no")).is_none());
    let mut key = MaybeUninit::uninit();
    let element = rh_value_at(inner, 1, Some(&mut key));
    // SAFETY: there is such an element.
    assert_eq!(string(unsafe { key.assume_init() }), "");
    assert_eq!(rh_value_kind_of(element), rh_value_kind::Input);
    let mut bytes = MaybeUninit::uninit();
    assert!(rh_value_as_text(element, Some(&mut bytes)));
    // SAFETY: it is always written.
    assert_eq!(string(unsafe { bytes.assume_init() }), "3x");
    assert!(rh_value_at(inner, 2, None).is_none());

    let n = rh_outcome_variable(outcome, text("n"));
    assert_eq!((rh_value_kind_of(n), rh_value_to_number(n)), (rh_value_kind::Number, 7.0));
    assert!(!rh_value_as_text(n, None));
    let s = rh_outcome_variable(outcome, text("s"));
    let mut buffer = [b'-'; 6];
    assert_eq!(write_to(s, &mut buffer[..2]), 4);
    assert_eq!(&buffer, b"te----");
    assert_eq!(write_to(s, &mut buffer), 4);
    assert_eq!(&buffer, b"text--");
    // SAFETY: null is allowed.
    assert_eq!(unsafe { rh_value_write(n, null_mut(), 0) }, 1);

    let count = rh_outcome_variable_count(outcome);
    let names = (0..count).map(|at| {
        let mut name = MaybeUninit::uninit();
        assert!(rh_outcome_variable_at(outcome, at, Some(&mut name)).is_some());
        // SAFETY: there is such a variable.
        string(unsafe { name.assume_init() })
    });
    let names: Vec<String> = names.collect();
    assert!(["a", "n", "s", "NR"].iter().all(|name| names.iter().any(|found| found == name)));
    assert!(rh_outcome_variable_at(outcome, count, None).is_none());
    assert!(rh_outcome_variable(outcome, rh_text::new(b"\xff")).is_none());
}

#[test]
fn a_failed_run_has_its_place_and_what_it_printed() {
    let error = fails("{ print }\nNR == 2 { getline l < \"/etc/passwd\" }", |run| {
        rh_run_input(Some(run), text("a\nb\nc\n"));
    });
    assert_eq!(rh_error_kind_of(Some(&error)), rh_error_kind::Run);
    assert_eq!((rh_error_line(Some(&error)), rh_error_record(Some(&error))), (2, 2));
    assert_eq!(string(rh_error_source(Some(&error))), "program");
    assert_eq!(rh_error_count(Some(&error)), 1);
    let outcome = rh_error_outcome(Some(&error));
    assert_eq!(string(rh_outcome_stdout(outcome)), "a\nb\n");
    assert_eq!(rh_outcome_records(outcome), 2);
}

#[test]
fn what_is_permitted_works_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let program = "BEGIN { print \"x\" > f; close(f); getline l < f; print l }";
    let file = format!("{path}/f");
    let set = |run: &mut rh_run| rh_run_text(Some(run), text("f"), text(&file));
    assert_eq!(rh_error_kind_of(Some(&fails(program, set))), rh_error_kind::Run);
    fails(program, |run| {
        set(run);
        rh_run_allow_write(Some(run), text(path));
    });
    assert_eq!(
        prints(program, |run| {
            set(run);
            rh_run_allow_write(Some(run), text(path));
            rh_run_allow_read(Some(run), text(path));
        }),
        "x\n"
    );
    assert_eq!(
        prints(program, |run| {
            rh_run_text(Some(run), text("f"), text("/g"));
            rh_run_rooted_files(Some(run), text(path), true);
        }),
        "x\n"
    );
    assert!(folder.path().join("g").exists());
    fails(program, |run| {
        rh_run_text(Some(run), text("f"), text("/g"));
        rh_run_rooted_files(Some(run), text(path), false);
    });

    let program = "BEGIN { system(\"echo x; echo y >&2\") }";
    fails(program, rh_run_allow_network_of);
    assert_eq!(prints(program, |run| rh_run_allow_commands(Some(run))), "x\n");
    let outcome = run(&compile(program), |run| rh_run_allow_all(Some(run))).ok().unwrap();
    assert_eq!(string(rh_outcome_stderr(Some(&outcome))), "y\n");
    rh_outcome_free(Some(outcome));
}

fn rh_run_allow_network_of(run: &mut rh_run) {
    rh_run_allow_network(Some(run));
}

#[test]
fn limits_end_runs() {
    let time = fails("BEGIN { for (;;) n++ }", |run| rh_run_limit_time(Some(run), 20));
    assert_eq!(rh_error_kind_of(Some(&time)), rh_error_kind::TimeLimit);
    let limits: [(Change, rh_error_kind); 6] = [
        (|run| rh_run_limit_memory(Some(run), 1 << 20), rh_error_kind::Limit),
        (|run| rh_run_limit_records(Some(run), 1), rh_error_kind::Limit),
        (|run| rh_run_limit_steps(Some(run), 10_000), rh_error_kind::Limit),
        (|run| rh_run_limit_call_depth(Some(run), 100), rh_error_kind::Limit),
        (|run| rh_run_limit_output(Some(run), 1 << 20), rh_error_kind::Limit),
        (|run| rh_run_limit_record(Some(run), 2), rh_error_kind::Limit),
    ];
    let program = "function f(n) { if (n) f(n - 1) }
        { f(200); if (NR == 2) while (1) { s = s \"0123456789\"; print s } }";
    for (limit, expected) in limits {
        let error = fails(program, |run| {
            rh_run_input(Some(run), text("abcdef\nghijkl\n"));
            limit(run);
        });
        let (kind, message) = kind_and_message(&error);
        assert!(kind == expected && message.contains("limit"), "{message}");
    }
}

#[test]
fn another_thread_cancels_a_run() {
    let cancel = rh_cancel_new().unwrap();
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            rh_cancel_cancel(Some(&cancel));
        });
        fails("BEGIN { for (;;) n++ }", |run| rh_run_cancel(Some(run), Some(&cancel)))
    });
    assert_eq!(rh_error_kind_of(Some(&error)), rh_error_kind::Cancelled);
    rh_cancel_free(Some(cancel));
}

#[test]
fn lines_are_pulled() {
    let program = compile("BEGIN { for (;;) print ++i * i }");
    let mut run = rh_run_new().unwrap();
    let mut records =
        call(|error| rh_program_records(Some(&program), Some(&mut run), error)).ok().unwrap();
    rh_run_free(Some(run));
    rh_program_free(Some(program));
    for expected in ["1", "4", "9"] {
        let mut line = MaybeUninit::uninit();
        call(|error| rh_records_next(Some(&mut records), Some(&mut line), error).then_some(()))
            .ok()
            .unwrap();
        // SAFETY: it is always written.
        assert_eq!(string(unsafe { line.assume_init() }), expected);
    }
    rh_records_free(Some(records));

    let program = compile("BEGIN { print 1; getline < \"/\" }");
    let mut run = rh_run_new().unwrap();
    let mut records = rh_program_records(Some(&program), Some(&mut run), None).unwrap();
    assert!(rh_records_next(Some(&mut records), None, None));
    let mut error = MaybeUninit::uninit();
    assert!(!rh_records_next(Some(&mut records), None, Some(&mut error)));
    // SAFETY: it is always written, and owned by this alone.
    let failed = unsafe { Box::from_raw(error.assume_init()) };
    assert_eq!(rh_error_kind_of(Some(&failed)), rh_error_kind::Run);
    assert!(!rh_records_next(Some(&mut records), None, Some(&mut error)));
    // SAFETY: as before.
    assert!(unsafe { error.assume_init() }.is_null());
}

#[test]
fn files_in_memory_are_shared_with_programs() {
    let files = rh_memory_files_new().unwrap();
    rh_memory_files_insert(Some(&files), text("in"), text("b\na\n"));
    let program = "BEGIN { while ((getline l < \"in\") > 0) print l > \"out\" }";
    assert_eq!(prints(program, |run| rh_run_memory_files(Some(run), Some(&files))), "");
    let out = rh_memory_files_get(Some(&files), text("out")).unwrap();
    let mut bytes = MaybeUninit::uninit();
    assert!(rh_value_as_text(Some(&out), Some(&mut bytes)));
    // SAFETY: it is always written.
    assert_eq!(string(unsafe { bytes.assume_init() }), "b\na\n");
    assert!(rh_memory_files_remove(Some(&files), text("out")));
    assert!(rh_memory_files_get(Some(&files), text("out")).is_none());
    assert!(!rh_memory_files_remove(Some(&files), text("out")));
}

/// Bytes that are read and written, and how often the caller's things were dropped.
#[derive(Default)]
struct Shared {
    written: std::sync::Mutex<Vec<u8>>,
    flushed: AtomicUsize,
    dropped: AtomicUsize,
}

fn shared(context: *mut c_void) -> &'static Shared {
    // SAFETY: every context in this file is a leaked `Shared`.
    unsafe { &*context.cast::<Shared>() }
}

unsafe extern "C-unwind" fn read_error(_: *mut c_void, _: *mut u8, _: usize) -> isize {
    -28
}

unsafe extern "C-unwind" fn read_too_much(_: *mut c_void, _: *mut u8, capacity: usize) -> isize {
    capacity as isize + 1
}

unsafe extern "C-unwind" fn write(context: *mut c_void, bytes: *const u8, length: usize) -> i32 {
    // SAFETY: the library gives `length` bytes.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, length) };
    shared(context).written.lock().unwrap().extend_from_slice(bytes);
    0
}

unsafe extern "C-unwind" fn write_error(_: *mut c_void, _: *const u8, _: usize) -> i32 {
    28
}

unsafe extern "C-unwind" fn flush(context: *mut c_void) -> i32 {
    shared(context).flushed.fetch_add(1, Relaxed);
    0
}

unsafe extern "C-unwind" fn dropped(context: *mut c_void) {
    shared(context).dropped.fetch_add(1, Relaxed);
}

unsafe extern "C-unwind" fn open(_: *mut c_void, _: rh_text<'_>, _: *mut rh_reader) -> i32 {
    2
}

unsafe extern "C-unwind" fn create(
    context: *mut c_void,
    name: rh_text<'_>,
    append: i32,
    writer: *mut rh_writer,
) -> i32 {
    let name = string(name);
    shared(context)
        .written
        .lock()
        .unwrap()
        .extend_from_slice(format!("{name} {append}\n").as_bytes());
    let made = rh_writer { context, write: Some(write), flush: Some(flush), drop: Some(dropped) };
    // SAFETY: the library gives a writer to fill in.
    unsafe { writer.write(made) };
    0
}

#[test]
fn files_are_the_callers_and_dropped_once() {
    let context: &'static Shared = Box::leak(Box::default());
    let pointer = std::ptr::from_ref(context).cast_mut().cast::<c_void>();
    let files = || rh_files {
        context: pointer,
        open: Some(open),
        create: Some(create),
        drop: Some(dropped),
    };
    let program = "BEGIN { print (getline l < \"in\"); print \"x\" > \"out\"; fflush(\"out\"); print \"y\" >> \"log\" }";
    assert_eq!(prints(program, |run| rh_run_files(Some(run), files())), "-1\n");
    let written = String::from_utf8(context.written.lock().unwrap().clone()).unwrap();
    assert_eq!(written, "out 0\nx\nlog 1\ny\n");
    assert!(context.flushed.load(Relaxed) > 0);
    assert_eq!(context.dropped.load(Relaxed), 3);

    // Also if there is no run, or it is never run.
    rh_run_files(None, files());
    let mut run = rh_run_new().unwrap();
    rh_run_files(Some(&mut run), files());
    rh_run_files(Some(&mut run), files());
    assert_eq!(context.dropped.load(Relaxed), 5);
    rh_run_free(Some(run));
    assert_eq!(context.dropped.load(Relaxed), 6);
}

#[test]
fn errors_of_callbacks_are_errors_of_the_run() {
    let message = |error: Failed| kind_and_message(&error).1;
    for (read, expected) in [
        (Some(read_error as unsafe extern "C-unwind" fn(_, _, _) -> _), "No space left"),
        (Some(read_too_much), "more than there is room for"),
        (None, "the callback is missing"),
    ] {
        let reader = rh_reader { read, ..no_reader() };
        let error = message(fails("{ print }", |run| rh_run_stdin(Some(run), reader)));
        assert!(error.contains(expected), "{error}");
    }
    for (write, expected) in [
        (Some(write_error as unsafe extern "C-unwind" fn(_, _, _) -> _), "No space left"),
        (None, "the callback is missing"),
    ] {
        let writer = rh_writer { write, ..no_writer() };
        let error = message(fails("BEGIN { print }", |run| rh_run_stdout(Some(run), writer)));
        assert!(error.contains(expected), "{error}");
    }
    let error = fails("BEGIN { print > \"f\" }", |run| rh_run_files(Some(run), no_files()));
    assert!(message(error).contains("files cannot be written here"));

    let context: &'static Shared = Box::leak(Box::default());
    let pointer = std::ptr::from_ref(context).cast_mut().cast::<c_void>();
    let writer =
        rh_writer { context: pointer, write: Some(write), flush: None, drop: Some(dropped) };
    assert_eq!(
        prints("BEGIN { print 1 > \"/dev/stderr\" }", |run| rh_run_stderr(Some(run), writer)),
        ""
    );
    assert_eq!(*context.written.lock().unwrap(), b"1\n");
    assert_eq!(context.dropped.load(Relaxed), 1);
}

#[test]
fn runs_take_options_tables_a_clock_and_a_seed() {
    let table = |run: &mut rh_run| {
        rh_run_input_csv(Some(run), b';');
        rh_run_option(Some(run), rh_run_flag::Header as u32);
        rh_run_output_format(Some(run), rh_format::Markdown as u32);
        rh_run_input(Some(run), text("a;b\n1;2\n"));
        rh_run_jobs(Some(run), 2);
    };
    assert!(prints("1", table).starts_with("| a | b |\n"));
    let fixed = |run: &mut rh_run| {
        rh_run_clock(Some(run), 5.0);
        rh_run_seed(Some(run), 9);
        rh_run_output_encoding(Some(run), text("utf-8"));
        rh_run_limit_decompressed(Some(run), 1 << 20);
    };
    assert_eq!(prints("BEGIN { print systime(), srand() }", fixed), "5 9\n");

    let mut builder = rh_builder_new().unwrap();
    rh_builder_option(Some(&mut builder), rh_builder_flag::Lint as u32);
    rh_builder_source(Some(&mut builder), text("w.awk"), text("{ if (x = 1) print }"));
    let program = call(|error| rh_builder_compile(Some(&mut builder), error)).ok().unwrap();
    assert!(rh_program_warning_count(Some(&program)) > 0);
    assert_eq!(string(rh_program_warning(Some(&program), 99).message), "");
    let warning = rh_program_warning(Some(&program), 0);
    assert_eq!(string(warning.message), "assignment used in conditional context");
    let mut builder = rh_builder_new().unwrap();
    rh_builder_option(Some(&mut builder), 9);
    let error = call(|error| rh_builder_compile(Some(&mut builder), error)).err().unwrap();
    assert_eq!(string(rh_error_message(Some(&error))), "there is no option 9 of programs");
}

#[test]
fn progress_is_told_and_its_callback_dropped() {
    static TOLD: AtomicU64 = AtomicU64::new(0);
    static DROPPED: AtomicU64 = AtomicU64::new(0);
    unsafe extern "C-unwind" fn report(_: *mut c_void, bytes: u64, records: u64) {
        assert!(bytes > 0 && records < bytes);
        TOLD.store(bytes, Relaxed);
    }
    unsafe extern "C-unwind" fn dropped(_: *mut c_void) {
        DROPPED.fetch_add(1, Relaxed);
    }
    let input = "line\n".repeat(200_000);
    let progress =
        || rh_progress { context: null_mut(), report: Some(report), drop: Some(dropped) };
    let program = compile("END { print NR }");
    let outcome = run(&program, |run| {
        rh_run_progress(Some(run), 0, progress());
        rh_run_input(Some(run), text(&input));
    });
    assert_eq!(string(rh_outcome_stdout(outcome.ok().as_deref())), "200000\n");
    assert_eq!((TOLD.load(Relaxed), DROPPED.load(Relaxed)), (1_000_000, 1));
}

#[test]
fn warnings_have_their_code_place_and_record() {
    static TOLD: AtomicU64 = AtomicU64::new(0);
    static DROPPED: AtomicU64 = AtomicU64::new(0);
    unsafe extern "C-unwind" fn report(
        _: *mut c_void,
        warning: rh_diagnostic<'_>,
        file: rh_text<'_>,
        record: u64,
    ) {
        assert_eq!(string(warning.message), "sqrt: received negative argument -9");
        assert_eq!((warning.code, warning.line, warning.column), (1302, 1, 3));
        assert_eq!(string(file), "-");
        TOLD.store(record, Relaxed);
    }
    unsafe extern "C-unwind" fn dropped(_: *mut c_void) {
        DROPPED.fetch_add(1, Relaxed);
    }
    let program = compile("{ sqrt($1) }");
    let outcome = run(&program, |run| {
        let (report, drop) = (Some(report as _), Some(dropped as _));
        rh_run_warnings(Some(run), rh_warnings { context: null_mut(), report, drop });
        rh_run_input(Some(run), text("4\n-9\n"));
    });
    assert!(outcome.is_ok());
    assert_eq!((TOLD.load(Relaxed), DROPPED.load(Relaxed)), (2, 1));
}
