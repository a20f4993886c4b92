//! `-j` reports on a terminal, and with `--stats`, that it cannot run a program in pieces.

use riverhawk_tests::shell::Shell;
use riverhawk_tests::terminal::on_terminal;

/// A few hundred bytes of two columns: a number of quarters, and an integer.
const INPUT: &str = r#""$RHAWK" 'BEGIN { for (i = 1; i <= 30000; i++) print i / 4, i }' > in; "$RHAWK" --piece-size=4096 "#;

fn remark(arguments: &str) -> String {
    let ran = Shell::new().run(&format!("{INPUT} --stats {arguments} > out"));
    let remarks: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("note: ")).collect();
    assert!(remarks.len() <= 1, "{ran:?}");
    remarks.concat()
}

#[test]
fn a_run_on_one_thread_is_remarked_on_with_the_reason() {
    for (arguments, expected) in [
        (
            "-j2 '{ s += $1 } END { print s }' in",
            "rhawk: cmd. line:1:3: note: -j: continued on one thread: fractions in s: see --relaxed-sums",
        ),
        (
            "-j2 '{ n++; t[$2 % 3] += $1 } END { print t[1] }' in",
            "rhawk: cmd. line:1:8: note: -j: continued on one thread: fractions in t: see --relaxed-sums",
        ),
        (
            "-j2 'NR > 29000 { s += $1 } END { print s }' in",
            "rhawk: cmd. line:1:14: note: -j: continued on one thread: fractions in s: see --relaxed-sums",
        ),
        (
            "-j2 '{ print prev; prev = $1 }' in",
            "rhawk: cmd. line:1:9: note: -j: ran on one thread: `prev` is read here, and its value comes from other records; see --explain",
        ),
        (
            "-j2 -M '{ n++ }' in",
            "rhawk: note: -j: ran on one thread: arithmetic is of any precision",
        ),
        ("-j2 --in-place '1' in", "rhawk: note: -j: ran on one thread: files are edited in place"),
        (
            "-j2 --max-steps=1000000 '{ n++ }' in",
            "rhawk: note: -j: ran on one thread: steps, records or output are limited",
        ),
        (
            "-j2 --max-record=1M '{ n++ }' in",
            "rhawk: note: -j: ran on one thread: steps, records or output are limited",
        ),
        (
            "-j2 --json '{ n++ }' in",
            "rhawk: note: -j: ran on one thread: JSON values, aligned tables and counts of malformed rows need the input in one piece",
        ),
        (
            "-j2 -v RS='^x' '{ n++ }' in",
            "rhawk: note: -j: continued on one thread: RS does not show where records begin",
        ),
        (
            "-j2 '{ s += $2 * 1e15 } END { print s }' in",
            "rhawk: note: -j: continued on one thread: sums near 2^53, which depend on the order",
        ),
        (
            "-j2 --piece-size=65536 '!seen[$1]++' in",
            "rhawk: note: -j: continued on one thread: most keys are new, so that joining takes as long as running",
        ),
        (
            "-j2 --piece-size=65536 '{ a[NR] = $0 } END { print a[1] }' in",
            "rhawk: note: -j: continued on one thread: most keys are new, so that joining takes as long as running",
        ),
        (
            "-j2 -v 'k=-1' 'BEGIN { seen[-7] = k } !seen[$2]++' in",
            "rhawk: note: -j: continued on one thread: a count of keys is negative",
        ),
        (
            "-j2 --output-csv '!seen[$1 % 7]++' in",
            "rhawk: note: -j: ran on one thread: what is printed once for each key (`!seen[$1]++`) is dropped only from plain text, on one machine",
        ),
        ("-j2 '!seen[$1 % 7]++' in", ""),
        // These run in pieces, or were not asked to, or have nothing to cut.
        ("-j2 '{ s += $2 } END { print s }' in", ""),
        ("-j2 --relaxed-sums '{ s += $1 } END { print s }' in", ""),
        ("'{ s += $1 } END { print s }' in", ""),
        ("-j1 '{ print prev; prev = $1 }' in", ""),
        ("-j2 'BEGIN { print 1 }'", ""),
    ] {
        assert_eq!(remark(arguments), expected, "{arguments}");
    }
}

#[test]
fn it_is_said_on_a_terminal_and_nowhere_else() {
    let shell = Shell::new();
    let seen = on_terminal(
        &shell,
        200,
        &format!("{INPUT} -j2 --color=never '{{ s += $1 }} END {{ print s }}' in"),
    );
    let expected = "112503750\nrhawk: cmd. line:1:3: note: -j: continued on one thread: fractions in s: see --relaxed-sums\n";
    assert_eq!(seen.text, expected);
    let ran = shell.run(&format!("{INPUT} -j2 '{{ s += $1 }} END {{ print s }}' in"));
    ran.assert_prints("112503750\n");
    let explained = shell.run("\"$RHAWK\" --explain '{ s += $1 } END { print s }'").stdout;
    assert!(
        explained.contains("while all are whole numbers (fractions: see --relaxed-sums)"),
        "{explained}"
    );
}

#[test]
fn relaxed_sums_print_integers_as_integers() {
    let shell = Shell::new();
    let script = |program: &str| {
        format!(
            "yes 0.1 | head -n 3000000 > tenths; \"$RHAWK\" -j2 --relaxed-sums '{program}' tenths"
        )
    };
    // One thread comes to 300000.00000195683.
    let ran = shell
        .run(&script("{ s += $1; t[NR % 2] += $1 } END { print s; printf \"%.17g %d\\n\", s, s; print t[0], t[1] }"));
    ran.assert_prints("300000\n300000 300000\n150000 150000\n");
    // Fractions stay as they are.
    let ran = shell.run(&script("{ s += $1 } END { s += 0.25; print s; printf \"%.17g\\n\", s }"));
    ran.assert_prints("300000\n300000.25\n");
    let ran = shell.run(
        "yes 0.3 | head -n 1000001 > x; \"$RHAWK\" -j2 --relaxed-sums '{ s += $1 } END { printf \"%.4f\\n\", s }' x",
    );
    ran.assert_prints("300000.3000\n");
}
