//! A write that fails is never silent: full devices, closed descriptors, readers that have ended.
//!
//! `/dev/full` fails each write with "no space left on device".

use riverhawk_tests::shell::Shell;

const STDOUT: [&str; 2] = ["standard output", "stdout"];

#[test]
fn standard_output_on_a_full_device_is_an_error_at_the_latest_at_the_end() {
    Shell::new().run(r#""$RHAWK" 'BEGIN { print "x" }' > /dev/full"#).assert_says(&STDOUT, 2);
    Shell::new().run(r#""$RHAWK" 'BEGIN { printf "x" }' > /dev/full"#).assert_says(&STDOUT, 2);
    Shell::new()
        .run(r#"echo a | "$RHAWK" '{ print } END { exit 0 }' > /dev/full"#)
        .assert_says(&STDOUT, 2);
}

#[test]
fn standard_output_on_a_full_device_ends_a_long_run_early() {
    // Without the failure it would run forever.
    Shell::new()
        .run(r#""$RHAWK" 'BEGIN { while (1) print "some text to fill a block with" }' > /dev/full"#)
        .assert_says(&STDOUT, 2);
}

#[test]
fn standard_output_under_its_device_name_on_a_full_device_is_an_error() {
    let ran = Shell::new().run(r#""$RHAWK" 'BEGIN { print "x" > "/dev/stdout" }' > /dev/full"#);
    ran.assert_says(&STDOUT, 2);
}

#[test]
fn flushing_to_a_full_device_is_an_error() {
    Shell::new()
        .run(r#""$RHAWK" 'BEGIN { print "x"; fflush(); print "y" }' > /dev/full"#)
        .assert_says(&STDOUT, 2);
    let ran =
        Shell::new().run(r#""$RHAWK" 'BEGIN { print "x" > "/dev/full"; fflush("/dev/full") }'"#);
    ran.assert_says(&["/dev/full"], 2);
}

#[test]
fn flushing_before_system_on_a_full_device_is_an_error() {
    let ran = Shell::new().run(r#""$RHAWK" 'BEGIN { print "x"; system("true") }' > /dev/full"#);
    ran.assert_says(&STDOUT, 2);
}

#[test]
fn a_redirected_file_on_a_full_device_is_named() {
    Shell::new()
        .run(r#""$RHAWK" 'BEGIN { print "x" > "/dev/full" }'"#)
        .assert_says(&["/dev/full"], 2);
    Shell::new()
        .run(r#""$RHAWK" 'BEGIN { printf "x" > "/dev/full" }'"#)
        .assert_says(&["/dev/full"], 2);
    Shell::new()
        .run(r#""$RHAWK" 'BEGIN { while (1) print "x" > "/dev/full" }'"#)
        .assert_says(&["/dev/full"], 2);
}

#[test]
fn an_append_on_a_full_device_is_named() {
    Shell::new()
        .run(r#""$RHAWK" 'BEGIN { print "x" >> "/dev/full" }'"#)
        .assert_says(&["/dev/full"], 2);
}

#[test]
fn closing_a_file_on_a_full_device_is_an_error() {
    let ran = Shell::new()
        .run(r#""$RHAWK" 'BEGIN { print "x" > "/dev/full"; r = close("/dev/full"); exit 0 }'"#);
    ran.assert_says(&["/dev/full"], 2);
}

#[test]
fn a_command_that_cannot_write_shows_in_the_status_of_its_close() {
    let ran = Shell::new()
        .run(r#""$RHAWK" 'BEGIN { c = "cat > /dev/full"; print "x" | c; exit close(c) }'"#);
    ran.assert_says(&["space"], 1);
}

#[test]
fn what_was_written_elsewhere_survives_the_failure() {
    let shell = Shell::new();
    let ran = shell
        .run(r#""$RHAWK" 'BEGIN { print "kept" > "good"; print "out"; print "x" > "/dev/full"; close("/dev/full") }'"#);
    ran.assert_says(&["/dev/full"], 2);
    assert_eq!((shell.content("good").as_str(), ran.stdout.as_str()), ("kept\n", "out\n"));
}

#[test]
fn closed_standard_output_is_an_error_only_for_those_who_write_to_it() {
    let ran = Shell::new().run(r#""$RHAWK" 'BEGIN { print "x" }' >&-"#);
    ran.assert_says(&STDOUT, 2);
    Shell::new().run(r#""$RHAWK" 'BEGIN { x = 1 }' >&-"#).assert_prints("");
}

#[test]
fn a_file_that_is_opened_never_takes_the_place_of_closed_standard_output() {
    let shell = Shell::new().with_file("in", "a\nb\n");
    let ran = shell.run(r#""$RHAWK" '{ print > "out" } END { print "lost" }' in >&-"#);
    assert_ne!(ran.status, 0, "{ran:?}");
    assert_eq!(shell.content("out"), "a\nb\n");
    assert_eq!(shell.content("in"), "a\nb\n");
}

#[test]
fn closed_standard_input_and_error_do_no_harm() {
    let shell = Shell::new().with_file("in", "a\nb\n");
    shell.run(r#""$RHAWK" '{ print } END { print NR }' in <&- 2>&-"#).assert_prints("a\nb\n2\n");
}

/// Runs rhawk into a reader that takes one line and ends. Returns the status and standard error.
fn into_head(before: &str, rhawk: &str) -> (String, String) {
    let shell = Shell::new();
    let script =
        format!("{before} {{ {rhawk}; echo $? > status; }} | head -n 1 > first; cat status");
    let ran = shell.run(&script);
    assert_eq!(shell.content("first"), "x\n", "{ran:?}");
    (ran.stdout.trim().to_owned(), ran.stderr)
}

/// 128 + 13, the shell's status for SIGPIPE.
const SIGPIPE_STATUS: &str = "141";

#[test]
fn a_reader_that_has_gone_ends_the_program_quietly() {
    let (status, stderr) = into_head("", r#""$RHAWK" 'BEGIN { while (1) print "x" }'"#);
    assert_eq!((status.as_str(), stderr.as_str()), (SIGPIPE_STATUS, ""));
}

#[test]
fn a_reader_that_has_gone_ends_a_program_that_copies() {
    let (status, stderr) = into_head("", r#"yes x | "$RHAWK" 1"#);
    assert_eq!((status.as_str(), stderr.as_str()), (SIGPIPE_STATUS, ""));
}

#[test]
fn a_reader_that_has_gone_is_seen_while_the_program_waits_for_input() {
    // The input stays open and silent for longer than the test may take.
    let shell = Shell::new();
    let ran = shell.run(
        r#"mkfifo in; sleep 100 > in & sleeper=$!
        { "$RHAWK" 'BEGIN { print "x"; fflush() } { print }' < in; echo $? > status; } | head -n 1
        kill $sleeper; cat status"#,
    );
    assert_eq!(ran.stdout, format!("x\n{SIGPIPE_STATUS}\n"), "{ran:?}");
}

#[test]
fn with_sigpipe_ignored_a_reader_that_has_gone_is_an_error_with_a_message() {
    let (status, stderr) =
        into_head("trap '' PIPE;", r#""$RHAWK" 'BEGIN { while (1) print "x" }'"#);
    assert_eq!(status, "2", "{stderr}");
    assert!(!stderr.is_empty());
}

#[test]
fn a_command_that_stops_reading_ends_the_program_or_is_reported() {
    // gawk dies of SIGPIPE here; it must not run forever, or end as if all had been written.
    let shell = Shell::new();
    let ran = shell.run(r#""$RHAWK" 'BEGIN { while (1) print "x" | "head -n 1" }'"#);
    assert_eq!(ran.stdout, "x\n", "{ran:?}");
    assert_ne!(ran.status, 0, "{ran:?}");
}

#[test]
fn a_slow_reader_gets_all_that_was_written() {
    let ran = Shell::new()
        .run(r#""$RHAWK" 'BEGIN { for (i = 0; i < 300000; i++) print "0123456789" }' | { sleep 0.3; wc -c; }"#);
    assert_eq!(ran.stdout.trim(), "3300000", "{ran:?}");
}

#[test]
fn output_larger_than_the_file_size_limit_is_an_error() {
    // 8 blocks of 512 bytes; SIGXFSZ is ignored, so that the write fails instead of killing.
    let shell = Shell::new();
    let ran =
        shell.run(r#"trap '' XFSZ; ulimit -f 8; "$RHAWK" 'BEGIN { for (i = 0; i < 100000; i++) print i > "out" }'"#);
    ran.assert_says(&["out"], 2);
}
