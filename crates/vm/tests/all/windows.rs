//! The record is in the window of the main input. Whatever moves or frees the window must copy the
//! record first. These programs read the record after each such event, through windows so small
//! that every record is cut.

use crate::run::{WINDOWS, prints, run_with, with_window};
use riverhawk_vm::config::MachineConfig;

const LINES: &str = "a b c\nd e f\ng h i\n";

/// Two records so long that the window gives its block away, and two short ones.
fn long() -> String {
    format!("{} one\nshort two\n{} three\ntail four\n", "x".repeat(100_000), "y".repeat(70_000))
}

#[test]
fn the_record_outlives_the_end_of_the_input() {
    prints("END { print $0, NF, $2 }", LINES, "g h i 3 h\n");
    prints(
        "END { print $0; $2 = \"x\"; print; print (getline), $0 }",
        LINES,
        "g h i\ng x i\n0 g x i\n",
    );
    prints("{ nextfile } END { print $0, NF }", LINES, "a b c 3\n");
}

#[test]
fn the_record_outlives_an_exit_in_the_middle_and_reading_goes_on_from_there() {
    prints(
        "{ if (NR == 2) exit } END { print $0; getline; print $0, NR; getline y; print y \"|\" $0, NR }",
        LINES,
        "d e f\ng h i 3\n|g h i 3\n",
    );
    prints(
        "BEGIN { getline; print $0; exit } END { print $0, $1; getline; print $0 }",
        LINES,
        "a b c\na b c a\nd e f\n",
    );
}

#[test]
fn the_record_outlives_reading_past_it() {
    prints(
        "BEGIN { getline; print $0; getline x; print x, $0 } { print \"m\", $0 } END { print $0 }",
        LINES,
        "a b c\nd e f a b c\nm g h i\ng h i\n",
    );
    prints(
        "{ y = $0; while ((getline) > 0) y = y \"|\" $0; print y, $0 }",
        LINES,
        "a b c|d e f|g h i g h i\n",
    );
    prints("{ while ((getline x) > 0) n++; print $0, $2, n, x }", LINES, "a b c b 2 g h i\n");
}

#[test]
fn the_record_outlives_a_change_of_how_records_end() {
    prints(
        "NR == 1 { RS = \"\" } { print NR \":\" $0 \"|\" NF }",
        "a\nb\nc\n\nd\ne\n\n\nf\n",
        "1:a|1\n2:b\nc|2\n3:d\ne|2\n4:f|1\n",
    );
    prints(
        "NR == 1 { RS = \"[0-9]+\" } { print NR \":\" $0 \":\" RT }",
        "a\nb1c22d333e",
        "1:a:\n\n2:b:1\n3:c:22\n4:d:333\n5:e:\n",
    );
    prints(
        "{ print $1; RS = \"\"; print $0; getline; print $0, $2 }",
        "a b\nc d\ne\n\nf g\n",
        "a\na b\nc d\ne d\nf\nf g\nf g g\n",
    );
}

#[test]
fn the_record_outlives_reading_the_same_standard_input_by_name() {
    prints(
        "{ getline y < \"-\"; print $0, y, $2, NR }",
        LINES,
        "a b c d e f b 1\ng h i d e f h 2\n",
    );
    prints(
        "{ p = $0; getline < \"-\"; print p, $0, $1, NR }",
        LINES,
        "a b c d e f d 1\ng h i g h i g 2\n",
    );
    prints(
        "BEGIN { getline; getline y < \"-\"; close(\"-\"); getline z < \"-\"; print $0, y, z }",
        LINES,
        "a b c d e f g h i\n",
    );
    prints(
        "{ close(\"-\"); print $0 } END { print (getline < \"-\"), $0 }",
        "a\nb\n",
        "a\nb\n0 b\n",
    );
}

#[test]
fn a_long_record_outlives_the_window_that_held_it() {
    let long = long();
    for (program, expected) in [
        (
            "{ p = $0; getline; print length(p), length($0), $NF, substr(p, length(p) - 3) }",
            "100004 9 two  one\n70006 9 four hree\n",
        ),
        (
            "{ getline x; print length($0), length(x), $2, substr(x, length(x) - 4) }",
            "100004 9 one t two\n70006 9 three  four\n",
        ),
        (
            "{ $2 = \"T\"; getline x; print length($0), length(x), substr($0, length($0) - 3) }",
            "100002 9 xx T\n70002 9 yy T\n",
        ),
        (
            "{ n = NF; getline x; print length($1), $2, n, length(x) }",
            "100000 one 2 9\n70000 three 2 9\n",
        ),
        (
            "NR == 1 { exit } END { print length($0), $2; getline z; print length($0), length(z), $2 }",
            "100004 one\n100004 9 one\n",
        ),
        ("NR == 1 { nextfile } END { print length($0), $2 }", "100004 one\n"),
        (
            "NR == 1 { getline a; getline b; getline c; print length($0), $2, a, length(b), c }",
            "100004 one short two 70006 tail four\n",
        ),
        ("NR == 1 { RS = \"t\" } END { print NR, length($0), NF }", "6 9 2\n"),
    ] {
        prints(program, &long, expected);
    }
}

#[test]
fn a_literal_looked_for_ahead_is_found_in_its_own_record_only() {
    let input = "one needle\nnee\ndle\nneedle needle\n\nthe end needl\ne\n";
    prints("/needle/ { print NR }", input, "1\n4\n");
    prints(
        "/needle/ { getline; print NR \":\" $0 } /needle/ { print \"again\" }",
        input,
        "2:nee\n5:\n",
    );
    prints(
        "{ n += gsub(/needle/, \"<&>\") } { print } END { print n }",
        input,
        "one <needle>\nnee\ndle\n<needle> <needle>\n\nthe end needl\ne\n3\n",
    );
    prints(
        "/e/ { $0 = \"x\" } /e/ { print \"no\" } /x/ { n++ } END { print n, NR }",
        input,
        "6 7\n",
    );
    prints("NR == 2 { RS = \"d\" } /nee/ { print NR }", input, "1\n2\n4\n5\n7\n");
}

#[test]
fn what_a_program_sees_does_not_depend_on_the_window() {
    // Records of all lengths near the sizes at which windows are refilled and given away.
    let input: String = (0..400).map(|n| format!("{} {n}\n", "w".repeat(n * 7 % 131))).collect();
    let program = "{ s = s $NF; n += length($1) } NR % 7 == 0 { getline p; s = s \"|\" p } NR % 11 == 0 { getline; s = s $0 } \
        END { print n, length(s), s }";
    let whole = run_with(program, &input, MachineConfig::default());
    assert!(whole.out.len() > 1000);
    for &window in WINDOWS {
        assert_eq!(
            run_with(program, &input, with_window(window)).out,
            whole.out,
            "window {window}"
        );
    }
}

/// Lines that rarely match a pattern are searched ahead; a record that holds newlines is not a
/// line.
#[test]
fn what_was_looked_ahead_for_is_forgotten_when_records_end_otherwise() {
    let input = format!("{}a\nb;q;a\nb;", "x\n".repeat(400));
    prints(
        "/a.*b/ { n++; last = NR } NR == 350 { RS = \";\" } END { print n, last, NR }",
        &input,
        "2 353 353\n",
    );
}
