//! `--timeout`, `--max-record`, `--max-output`, `--max-steps`, `--max-records`.

use riverhawk_tests::shell::Shell;
use std::time::{Duration, Instant};

/// Enough for a busy machine; far below what these programs would take.
const PATIENCE: Duration = Duration::from_secs(15);

/// Runs a script that prints this and ends by the limit.
#[track_caller]
fn times_out(script: &str, stdout: &str) {
    let begun = Instant::now();
    let ran = Shell::new().run(&script.replace("rhawk ", "\"$RHAWK\" --timeout=300ms "));
    assert!(begun.elapsed() < PATIENCE, "{script}");
    assert_eq!((ran.stdout.as_str(), ran.status), (stdout, 2), "{script}\n{}", ran.stderr);
    let message = "the time limit of 300ms is reached (--timeout)";
    assert!(
        ran.stderr.contains(message) && !ran.stderr.contains("lost"),
        "{script}\n{}",
        ran.stderr
    );
}

#[test]
fn loops_and_calls_end_in_machine_code_and_without_it() {
    for options in ["", "--no-jit", "--spesh-blocking --spesh-nodelay", "-M", "-j4"] {
        for program in [
            "BEGIN { print \"before\"; while (1) i++ }",
            "BEGIN { print \"before\"; while (1) { } }",
            "BEGIN { print \"before\"; for (;;) s = s + i++ % 7 }",
            "BEGIN { print \"before\"; do x = length(\"abc\"); while (1) }",
            "BEGIN { print \"before\"; for (i = 0; i < 9; i++) a[i]; while (1) for (k in a) s += a[k] }",
            "function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } BEGIN { print \"before\"; f(90) }",
            "BEGIN { print \"before\" > \"out\"; while (1) n++ } END { print \"never\" }",
        ] {
            let stdout = "before\n";
            times_out(
                &format!("rhawk {options} '{program}'; s=$?; cat out 2> /dev/null; exit $s"),
                stdout,
            );
        }
    }
    let ran = Shell::new().run("\"$RHAWK\" --timeout=0.3 'BEGIN { x = 1\nwhile (1) x++ }'");
    let place = "rhawk: cmd. line:2:8: error: the time limit of 300ms";
    assert!(ran.stderr.starts_with(place), "{}", ran.stderr);
}

#[test]
fn input_that_never_ends_or_never_comes_is_no_reason_to_stay() {
    times_out("yes | rhawk '{ n++ } END { print \"never\" }'", "");
    times_out("yes | rhawk 'END { print \"never\" }'", "");
    times_out("(echo x; sleep 5) | rhawk '{ print } END { print \"never\" }'", "x\n");
    times_out("(echo x; sleep 5) | rhawk 'BEGIN { while (1) { getline; print } }'", "x\n");
    times_out("mkfifo p; rhawk 'BEGIN { print 1 } { print }' p", "1\n");
    times_out("mkfifo p; rhawk 'BEGIN { print 1; print 2 > \"p\" }'", "1\n");
    times_out("mkfifo p; rhawk 'BEGIN { print 1; getline x < \"p\"; print \"never\" }'", "1\n");
    times_out("echo x > f; rhawk --follow '{ print } END { print \"never\" }' f", "x\n");
}

#[test]
fn commands_that_are_waited_for_are_ended() {
    let sleeps = "sleep 31.25; echo never";
    times_out(
        &format!("rhawk 'BEGIN {{ print 1; system(\"{sleeps}\"); print \"never\" }}'"),
        "1\n",
    );
    times_out(
        &format!("rhawk 'BEGIN {{ print 1; \"{sleeps}\" | getline; print \"never\" }}'"),
        "1\n",
    );
    times_out(
        &format!(
            "rhawk 'BEGIN {{ print 1; print | \"{sleeps}\"; close(\"{sleeps}\"); print \"never\" }}'"
        ),
        "1\n",
    );
    times_out("rhawk 'BEGIN { print 1; print 2 | \"cat; sleep 31.25\" }' < /dev/null", "1\n2\n");
    times_out("rhawk 'BEGIN { print 1; c = \"cat\"; c |& getline; print \"never\" }'", "1\n");
    // One that does not poll, and one whose parent has ended.
    times_out(
        "rhawk 'BEGIN { print 1; system(\"trap : TERM; while :; do sleep 0.1; done\") }'",
        "1\n",
    );
    times_out(
        "rhawk 'BEGIN { print 1; \"(sleep 31.25; echo never) & exit\" | getline; print \"never\" }'",
        "1\n",
    );
    if std::path::Path::new("/proc/self/stat").exists() {
        let left = Shell::new()
            .run("sleep 0.5; cat /proc/[0-9]*/cmdline 2> /dev/null | tr '\\0' ' ' | grep -c 'sleep 31[.]25'");
        assert_eq!(left.stdout, "0\n");
    }
}

#[test]
fn a_program_that_ends_in_time_is_left_alone() {
    let ran = Shell::new().run("echo a b | \"$RHAWK\" --timeout=1h '{ print $2 } END { exit 3 }'");
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.status), ("b\n", "", 3));
    for wrong in ["0", "x", "5x", "-1", "1e3", ""] {
        Shell::new()
            .run(&format!("\"$RHAWK\" --timeout={wrong} 1"))
            .assert_says(&["--timeout needs a time"], 1);
    }
}

/// Runs a script over records of 1 to 4 bytes.
#[track_caller]
fn limited(script: &str, stdout: &str, words: &str) {
    let shell = Shell::new().with_file("in", "a\nbb\nccc\ndddd\n");
    let ran = shell.run(&script.replace("rhawk ", "\"$RHAWK\" "));
    assert_eq!((ran.stdout.as_str(), ran.status), (stdout, 2), "{script}\n{}", ran.stderr);
    assert!(ran.stderr.contains(words), "{script}\n{}", ran.stderr);
}

#[test]
fn a_record_that_is_too_long_ends_the_program_behind_the_others() {
    let words = "any further, after record 2: the record at byte 5 is longer than the limit of 2 bytes (--max-record)";
    for options in ["", "-j4", "--no-jit", "-v 'RS=\n+'", "-v RS='\n' -b", "--csv"] {
        limited(
            &format!("rhawk --max-record=2 {options} '{{ print }} END {{ print \"never\" }}' in"),
            "a\nbb\n",
            words,
        );
    }
    limited("rhawk --max-record=2 '{ print } ENDFILE { print \"never\" }' in", "a\nbb\n", words);
    limited("rhawk --max-record=2 'END { print \"never\" }' in", "", words);
    limited("gzip < in | rhawk --max-record=2 '{ print }'", "a\nbb\n", words);
    for source in ["< \"in\"", "\"cat in\" |", "\"cat in\" |&"] {
        let getline = match source.strip_prefix('<') {
            Some(_) => format!("getline line {source}"),
            None => format!("{source} getline line"),
        };
        let program = format!("BEGIN {{ while (({getline}) > 0) print line }}");
        limited(
            &format!("rhawk --max-record=2 '{program}'"),
            "a\nbb\n",
            "longer than the limit of 2 bytes (--max-record)",
        );
    }
    limited("yes | tr -d '\\n' | rhawk --max-record=64K 1", "", "65536 bytes (--max-record)");
    let ran = Shell::new().run(
        "seq 999 | gzip | head -c 90 > cut.gz; \"$RHAWK\" --max-record=9 'END { print NR }' cut.gz",
    );
    assert!(ran.status == 2 && !ran.stderr.contains("--max-record"), "{}", ran.stderr);
    let ran =
        Shell::new().with_file("in", "a\nbb\n").run("\"$RHAWK\" --max-record=2 '{ print }' in");
    ran.assert_prints("a\nbb\n");
}

#[test]
fn output_beyond_the_limit_is_an_error_and_the_rest_is_written() {
    let words = "cannot write to standard output: the limit of 5 bytes for all output is reached (--max-output)";
    for options in ["", "-j4", "--no-jit", "--spesh-nodelay --spesh-blocking"] {
        limited(
            &format!("rhawk --max-output=5 {options} '{{ print }} END {{ print \"never\" }}' in"),
            "a\nbb\n",
            words,
        );
    }
    limited(
        "rhawk --max-output=9 'BEGIN { printf \"%d\", file::spew(\"/no/such/f\", \"12345678\"); print \"x\\nyyyyy\\nzz\" }'",
        "-1x\nyyyyy",
        "the limit of 9 bytes",
    );
    limited("rhawk --max-output=4 '{ print }' in", "a\nbb", "the limit of 4 bytes");
    limited(
        "rhawk --max-output=8 '{ print; print > \"out\" }' in; s=$?; cat out; exit $s",
        "a\nbb\na\nb",
        "cannot write to \"out\": the limit of 8 bytes",
    );
    limited(
        "rhawk --max-output=8 '{ print | \"cat\" }' in",
        "a\nbb\nccc",
        "cannot write to the command \"cat\": the limit of 8 bytes",
    );
    limited(
        "rhawk --max-output=9 --compress-output '{ print > \"o.gz\" }' in; s=$?; gzip -dc o.gz; exit $s",
        "a\nbb\nccc\n",
        "the limit of 9 bytes",
    );
    limited(
        "rhawk --max-output=200K 'BEGIN { while (1) print \"x\" }' | wc -c | tr -d ' '; exit 2",
        "204800\n",
        "cmd. line:1:19",
    );
    limited(
        "rhawk --max-output=200K 'BEGIN { printf \"%300000d\", 1 }' | wc -c | tr -d ' '; exit 2",
        "204800\n",
        "--max-output",
    );
    let whole = "BEGIN { print file::spew(\"f\", \"abcd\"), file::append(\"f\", \"efgh\"), ERRNO }";
    let ran = Shell::new().run(&format!("\"$RHAWK\" --max-output=70 '{whole}'; cat f"));
    ran.assert_prints("1 1 \nabcdefgh");
    let ran = Shell::new().run(&format!("\"$RHAWK\" --max-output=7 '{whole}'; echo $?; cat f"));
    assert_eq!(ran.stdout, "1 -2\nabcd");
    let ran =
        Shell::new().with_file("in", "a\nbb\n").run("\"$RHAWK\" --max-output=5 '{ print }' in");
    ran.assert_prints("a\nbb\n");
}

#[test]
fn steps_are_the_same_in_machine_code_and_without_it() {
    for program in [
        "BEGIN { while (1) if (++i % 1000 == 0) print i }",
        "BEGIN { for (;;) { do n++; while (n % 7); if (n % 700 == 0) print n } }",
        "function f(n) { if (++c % 1000 == 0) print c; return n < 2 ? n : f(n - 1) + f(n - 2) } BEGIN { f(90) }",
        "function g(x) { return x + 1 } BEGIN { while (1) { s = g(s); if (s % 100 == 0) print s } }",
        "BEGIN { for (k = 0; k < 9; k++) a[k]; while (1) for (k in a) if ((s += k) % 999 == 0) print s }",
        "{ n += $1 } END { while (1) if (++n % 777 == 0) print n }",
        "{ for (i = 0; i < $1; ) i++; print i, $1 }",
    ] {
        let run = |options: &str| {
            let script = format!("seq 2000 | \"$RHAWK\" --max-steps=50000 {options} '{program}'");
            let ran = Shell::new().run(&script);
            assert!(
                ran.stderr.contains("the limit of 50000 steps is reached (--max-steps)"),
                "{script}\n{}",
                ran.stderr
            );
            (ran.stdout, ran.stderr, ran.status)
        };
        let interpreted = run("--no-jit");
        assert!(interpreted.0.len() > 20 && interpreted.2 == 2, "{program}");
        for options in ["", "--spesh-blocking --spesh-nodelay", "--no-inline", "-j4"] {
            assert_eq!(run(options), interpreted, "{options} '{program}'");
        }
    }
    Shell::new()
        .run("\"$RHAWK\" --max-steps=3 'BEGIN { while (i < 3) i++; print i }'")
        .assert_prints("3\n");
    Shell::new()
        .run("\"$RHAWK\" --max-steps=0 1")
        .assert_says(&["--max-steps needs a whole number of at least 1"], 1);
}

#[test]
fn records_beyond_the_limit_are_an_error() {
    let words = "the limit of 2 records is reached (--max-records)";
    for options in ["", "-j4", "--no-jit", "--spesh-blocking --spesh-nodelay", "--csv"] {
        let program = format!("rhawk --max-records=2 {options}");
        limited(&format!("{program} '{{ print }} END {{ print \"never\" }}' in"), "a\nbb\n", words);
        limited(&format!("{program} 'END {{ print NR }}' in"), "", words);
        limited(
            &format!("{program} 'BEGIN {{ while ((getline line) > 0) print line }}' in"),
            "a\nbb\n",
            words,
        );
        limited(&format!("{program} 'BEGIN {{ while (getline) print }}' in"), "a\nbb\n", words);
    }
    let shell = Shell::new().with_file("in", "a\nbb\n");
    shell.run("\"$RHAWK\" --max-records=2 'END { print NR, $0 }' in").assert_prints("2 bb\n");
    shell
        .run("\"$RHAWK\" --max-records=1 'BEGIN { while ((getline x < \"in\") > 0) print x }'")
        .assert_prints("a\nbb\n");
}
