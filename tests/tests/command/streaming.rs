//! Records are delivered as they arrive, and memory does not grow with the input.

use riverhawk_tests::shell::Shell;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(20);

/// Writes pieces of input one at a time and expects one line for each, while the input stays open.
#[track_caller]
fn answers_each(program: &str, pieces: &[(&str, &str)]) {
    let shell = Shell::new();
    let mut command = shell.command(&format!(r#"exec "$RHAWK" {program}"#));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("sh");
    let mut input = child.stdin.take().expect("a pipe");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let (send, lines) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    let mut failure = None;
    for (piece, expected) in pieces {
        input.write_all(piece.as_bytes()).expect("rhawk reads");
        let line = lines.recv_timeout(PATIENCE);
        if line.as_deref() != Ok(expected) {
            failure = Some(format!("after {piece:?}: {line:?} instead of {expected:?}"));
            break;
        }
    }
    drop(input);
    if failure.is_some() {
        child.kill().expect("it is ours");
    }
    let status = child.wait().expect("it is ours");
    reader.join().expect("the reader has no reason to panic");
    assert!(failure.is_none() && status.success(), "{failure:?} {status}");
}

#[test]
fn a_record_is_answered_while_the_next_is_awaited() {
    answers_each(
        "'{ print NR, $2; fflush() }'",
        &[("a b\n", "1 b"), ("c d\n", "2 d"), ("e f\n", "3 f")],
    );
}

#[test]
fn output_is_flushed_before_a_read_that_would_wait() {
    answers_each("'{ print NR, $2 }'", &[("a b\n", "1 b"), ("c d\n", "2 d"), ("e f\n", "3 f")]);
}

#[test]
fn files_and_commands_are_flushed_before_a_read_that_would_wait() {
    let wait = "i=0; while ! grep -qs first $1 && [ $i -lt 400 ]; do sleep 0.05; i=$((i + 1)); done; cat $1; echo more";
    for (output, program) in
        [("> \"out\"", "out"), (">> \"out\"", "out"), ("| \"cat > out\"", "out")]
    {
        let shell = Shell::new();
        let script = format!(
            "echo '{wait}' > wait; (echo first; sh wait {program} 1>&2) | \"$RHAWK\" '{{ print {output} }}'; cat out"
        );
        let ran = shell.run(&script);
        // Output while the input still was open, and all of it.
        assert_eq!(
            (ran.stderr.as_str(), ran.stdout.as_str()),
            ("first\nmore\n", "first\n"),
            "{output}"
        );
    }
}

#[test]
fn a_record_by_another_character_is_answered_at_once() {
    answers_each(r#"-v 'RS=;' '{ print $0; fflush() }'"#, &[("a;", "a"), ("b;", "b")]);
}

#[test]
fn getline_answers_at_once() {
    answers_each(
        r#"'BEGIN { while ((getline x) > 0) { print "<" x ">"; fflush() } }'"#,
        &[("a\n", "<a>"), ("b\n", "<b>")],
    );
    answers_each(
        r#"'BEGIN { while ((getline x < "/dev/stdin") > 0) { print "<" x ">"; fflush() } }'"#,
        &[("a\n", "<a>"), ("b\n", "<b>")],
    );
    answers_each(
        r#"'BEGIN { while (("cat" | getline x) > 0) { print "<" x ">"; fflush() } }'"#,
        &[("a\n", "<a>")],
    );
}

#[test]
fn a_record_in_two_pieces_is_answered_when_it_is_whole() {
    answers_each("'{ print length($0) }'", &[("abc\nde", "3"), ("f\n", "3")]);
}

#[test]
fn leaving_early_does_not_wait_for_the_rest_of_the_input() {
    let ran =
        Shell::new().run(r#"{ echo a; sleep 100; } | { "$RHAWK" '{ print; exit }'; kill 0; }"#);
    assert_eq!(ran.stdout, "a\n", "{ran:?}");
}

/// Peak resident memory in KiB after reading `bytes` of input, by its own account.
fn peak_kib(rule: &str, bytes: u64) -> u64 {
    let script = format!(
        r#"yes 'some 60 characters of a line, which is about what logs have in' | head -c {bytes} |
        "$RHAWK" '{rule} END {{ RS = "\n"; while ((getline l < "/proc/self/status") > 0) if (l ~ /^VmHWM/) {{ split(l, p); print p[2] }} }}'"#
    );
    let ran = Shell::new().run(&script);
    let last = ran.stdout.lines().last().and_then(|line| line.parse().ok());
    last.unwrap_or_else(|| panic!("no measurement: {ran:?}"))
}

/// 200 MB of input may not cost 4 MiB more than 50 MB do. Both run long enough for machine code,
/// whose compiler takes memory once.
#[track_caller]
fn memory_stays(rule: &str) {
    let (small, large) = (peak_kib(rule, 50_000_000), peak_kib(rule, 200_000_000));
    assert!(large < small + 4096, "{rule}: {small} KiB for 50 MB, {large} KiB for 200 MB");
    assert!(large < 24_576, "{rule}: {large} KiB");
}

#[test]
fn memory_does_not_grow_with_lines() {
    memory_stays("{ n += length($0) }");
}

#[test]
fn memory_does_not_grow_with_fields_and_changes() {
    memory_stays(r#"{ $2 = NR; x = $0; gsub(/a/, "b"); last = $3; seen[$1]++ }"#);
}

#[test]
fn memory_does_not_grow_with_regex_records() {
    memory_stays(r#"BEGIN { RS = "[,\n]" } { n++ }"#);
}

#[test]
fn memory_does_not_grow_with_output() {
    memory_stays(r#"{ print > "/dev/null" }"#);
}

#[test]
fn memory_does_not_grow_with_getline() {
    memory_stays("BEGIN { while ((getline line) > 0) n += length(line) }");
}
