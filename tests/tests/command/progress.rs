//! `--progress` on a terminal: the line never mixes with the program's output.

use riverhawk_tests::shell::Shell;
use riverhawk_tests::terminal::{Seen, on_terminal, screen};

/// Runs a script on a terminal; `slow` in it writes a line every 0.35 seconds.
fn run(columns: u16, script: &str) -> Seen {
    let slow =
        r#"slow() { i=0; while [ $i -lt 6 ]; do i=$((i + 1)); echo "line $i"; sleep 0.35; done; }"#;
    on_terminal(
        &Shell::new(),
        columns,
        &format!("rhawk() {{ \"$RHAWK\" \"$@\"; }}\n{slow}\n{script}"),
    )
}

fn was_shown(seen: &Seen) -> bool {
    seen.text.contains("B/s\x1b[K")
}

#[test]
fn what_is_printed_stands_alone() {
    let lines: Vec<String> = (1..=6).map(|i| format!("line {i}")).chain([String::new()]).collect();
    for options in ["", "-j2", "--no-jit"] {
        let seen = run(80, &format!("slow | rhawk {options} --progress 1"));
        assert!(was_shown(&seen), "{options}: {seen:?}");
        assert_eq!(screen(&seen.text), lines, "{options}: {seen:?}");
    }
    // Any output: standard error, a warning, a command's.
    for program in [
        "{ print > \"/dev/stderr\" }",
        "{ system(\"echo \" $0 \"; sleep 0.6\") }",
        "{ print | \"cat\" }",
        "{ print > \"/proc/self/fd/1\" }",
        "{ printf \"%s \", $1; print $2 > \"/dev/stderr\" }",
    ] {
        let seen = run(80, &format!("slow | rhawk --progress '{program}'"));
        assert_eq!(screen(&seen.text), lines, "{program}: {seen:?}");
    }
    let seen = run(80, "slow | rhawk --progress '{ x = log(-$2) }' 2>&1");
    assert!(was_shown(&seen) && seen.text.contains("record 6"), "{seen:?}");
    assert!(screen(&seen.text).iter().all(|line| !line.contains("B/s")), "{seen:?}");
}

#[test]
fn a_line_that_is_not_ended_is_left_alone() {
    let seen = run(80, "slow | rhawk --progress '{ printf \"%s, \", $2 }'");
    assert_eq!(screen(&seen.text), ["1, 2, 3, 4, 5, 6, "], "{seen:?}");
}

#[test]
fn it_fits_the_terminal() {
    for columns in [12, 20, 40] {
        let seen = run(columns, "slow | rhawk --progress '{ n++ }'");
        for drawn in seen.text.split('\r').filter_map(|part| part.strip_suffix("\x1b[K")) {
            assert!(drawn.len() < columns.into(), "{columns}: {drawn}");
        }
        assert_eq!(screen(&seen.text), [""], "{seen:?}");
    }
}

#[test]
fn short_runs_and_other_streams_see_nothing_of_it() {
    assert_eq!(run(80, "seq 5 | rhawk --progress '{ n++ } END { print n }'").text, "5\n");
    assert_eq!(run(80, "seq 5 > f; rhawk -j2 --progress '{ n++ } END { print n }' f").text, "5\n");
    let seen = run(80, "slow | rhawk --progress '{ n++ } END { print n }' 2> errors; cat errors");
    assert_eq!(seen.text, "6\n");
}
