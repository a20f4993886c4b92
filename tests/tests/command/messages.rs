//! All of standard error when a program fails at run time, with the caret. The corpus only checks
//! words.

use riverhawk_tests::shell::Shell;

/// Runs each script beside a file of two records and a directory.
#[track_caller]
fn check(rows: &[(&str, i32, &str)]) {
    let shell = Shell::new().with_file("in.txt", "1 2\n3 0\n");
    std::fs::create_dir(shell.dir().join("dir")).expect("a directory for the test");
    for (script, status, stderr) in rows {
        let ran = shell.run(&script.replace("rhawk ", "\"$RHAWK\" "));
        let expected = stderr.trim_start_matches('\n');
        assert_eq!(
            ran.stderr, expected,
            "{script}\n--- says:\n{}\n--- and should say:\n{expected}",
            ran.stderr
        );
        assert_eq!(ran.status, *status, "{script}");
    }
}

/// A string used as a regular expression gets its warning when it is reached.
#[test]
fn an_escape_that_does_nothing_in_a_computed_regexp_is_shown_where_it_is_used() {
    let row = r#"
rhawk: cmd. line:1:24: warning: regexp escape sequence `\q' is not a known regexp operator
  |
1 | BEGIN { x = "\\q"; if ("q" ~ x) y = match("q", x) }
  |                        ^^^^^^^
"#;
    let script = r#"rhawk OPTIONS 'BEGIN { x = "\\q"; if ("q" ~ x) y = match("q", x) }'"#;
    for options in ["--no-jit", "--spesh-nodelay --spesh-blocking"] {
        check(&[(&script.replace("OPTIONS", options), 0, row)]);
    }
}

#[test]
fn arithmetic_without_an_answer_is_shown_where_it_stands() {
    check(&[
        (
            r#"rhawk '{ print $1 / $2 }' in.txt"#,
            2,
            r#"
rhawk: cmd. line:1:9: error: division by zero in `/'
  |
1 | { print $1 / $2 }
  |         ^^^^^^^
  |
  = input: in.txt, record 2
"#,
        ),
        (
            r#"rhawk '{ total /= $2 - $2 }' in.txt"#,
            2,
            r#"
rhawk: cmd. line:1:3: error: division by zero in `/'
  |
1 | { total /= $2 - $2 }
  |   ^^^^^^^^^^^^^^^^
  |
  = input: in.txt, record 1
"#,
        ),
        (
            r#"rhawk '{ a[NR] %= zero }' in.txt"#,
            2,
            r#"
rhawk: cmd. line:1:3: error: division by zero in `%'
  |
1 | { a[NR] %= zero }
  |   ^^^^^^^^^^^^^
  |
  = input: in.txt, record 1
"#,
        ),
    ]);
}

#[test]
fn an_array_used_as_a_scalar_or_the_reverse_is_named() {
    check(&[
        (
            r#"rhawk 'BEGIN { u = 1; u[1] = 2 }'"#,
            2,
            r#"
rhawk: cmd. line:1:16: error: attempt to use the scalar `u' as an array
  |
1 | BEGIN { u = 1; u[1] = 2 }
  |                ^^^^^^^^
"#,
        ),
        (
            r#"rhawk 'BEGIN { u[1] = 1; print u + 1 }'"#,
            2,
            r#"
rhawk: cmd. line:1:25: error: attempt to use the array `u' as a scalar
  |
1 | BEGIN { u[1] = 1; print u + 1 }
  |                         ^
"#,
        ),
        (
            r#"rhawk 'BEGIN { x[1]; sub(/a/, "b", x) }'"#,
            2,
            r#"
rhawk: cmd. line:1:29: error: attempt to use the array `x' as a scalar
  |
1 | BEGIN { x[1]; sub(/a/, "b", x) }
  |                             ^
"#,
        ),
        (
            r#"rhawk 'BEGIN { split("a b", NF) }'"#,
            2,
            r#"
rhawk: cmd. line:1:22: error: attempt to use the special variable `NF' as an array
  |
1 | BEGIN { split("a b", NF) }
  |                      ^^
"#,
        ),
        (
            r#"rhawk 'BEGIN { ENVIRON = 1 }'"#,
            2,
            r#"
rhawk: cmd. line:1:9: error: attempt to use the array `ENVIRON' as a scalar
  |
1 | BEGIN { ENVIRON = 1 }
  |         ^^^^^^^^^^^
"#,
        ),
    ]);
}

#[test]
fn a_parameter_of_the_wrong_kind_is_named_with_the_calls_that_passed_it() {
    check(&[
        (
            r#"rhawk 'function f(a) { g(a) } function g(b) { b["k"]++ } BEGIN { x = 5; f(x) }'"#,
            2,
            r#"
rhawk: cmd. line:1:40: error: attempt to use the scalar parameter `b' as an array
  |
1 | function f(a) { g(a) } function g(b) { b["k"]++ } BEGIN { x = 5; f(x) }
  |                                        ^^^^^^^^
backtrace, innermost call first:
  g(), called at cmd. line:1:17
  f(), called at cmd. line:1:66
"#,
        ),
        (
            r#"rhawk 'function f(a) { return a + 1 } BEGIN { x[1]; print f(x) }'"#,
            2,
            r#"
rhawk: cmd. line:1:24: error: attempt to use the array parameter `a' as a scalar
  |
1 | function f(a) { return a + 1 } BEGIN { x[1]; print f(x) }
  |                        ^
backtrace, innermost call first:
  f(), called at cmd. line:1:52
"#,
        ),
    ]);
}

#[test]
fn fields_that_cannot_be_are_named_by_their_number() {
    check(&[
        (
            r#"rhawk '{ print $(NF-3) }' in.txt"#,
            2,
            r#"
rhawk: cmd. line:1:9: error: attempt to access field -1: field numbers start at 0
  |
1 | { print $(NF-3) }
  |         ^^^^^^^
  |
  = input: in.txt, record 1
"#,
        ),
        (
            r#"rhawk 'BEGIN { $1e9 = 1 }'"#,
            2,
            r#"
rhawk: cmd. line:1:9: error: field 1000000000 is past the limit of 268435456 fields
  |
1 | BEGIN { $1e9 = 1 }
  |         ^^^^^^^^
"#,
        ),
        (
            r#"rhawk '{ NF = -1 }' in.txt"#,
            2,
            r#"
rhawk: cmd. line:1:3: error: NF set to a negative value (-1)
  |
1 | { NF = -1 }
  |   ^^^^^^^
  |
  = input: in.txt, record 1
"#,
        ),
    ]);
}

#[test]
fn a_format_names_the_conversion_that_fails() {
    check(&[
        (
            r#"rhawk 'BEGIN { printf "%s %s %5.2f!", 1, 2 }'"#,
            2,
            r#"
rhawk: cmd. line:1:9: error: not enough arguments to satisfy format string: 2 given, none left for `%5.2f' at character 7
  |
1 | BEGIN { printf "%s %s %5.2f!", 1, 2 }
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^
"#,
        ),
        (
            r#"rhawk '{ x = sprintf($1 "%*d", NR) }' in.txt"#,
            2,
            r#"
rhawk: cmd. line:1:7: error: not enough arguments to satisfy format string: 1 given, none left for `%*d' at character 2
  |
1 | { x = sprintf($1 "%*d", NR) }
  |       ^^^^^^^^^^^^^^^^^^^^^
  |
  = input: in.txt, record 1
"#,
        ),
        (
            r#"rhawk 'BEGIN { printf "%99999999999d", 1 }'"#,
            2,
            r#"
rhawk: cmd. line:1:9: error: width or precision in format over 2147483647
  |
1 | BEGIN { printf "%99999999999d", 1 }
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^
"#,
        ),
        (
            r#"rhawk 'BEGIN { CONVFMT = "%d-%d" }'"#,
            2,
            r#"
rhawk: cmd. line:1:9: error: CONVFMT "%d-%d" cannot format one number: not enough arguments to satisfy format string: 1 given, none left for `%d' at character 4
  |
1 | BEGIN { CONVFMT = "%d-%d" }
  |         ^^^^^^^^^^^^^^^^^
"#,
        ),
    ]);
}

#[test]
fn a_pattern_that_is_no_regular_expression_shows_where_it_breaks() {
    check(&[
        (
            r#"rhawk '{ r = "a["; if ($1 ~ r) print }' in.txt"#,
            2,
            r#"
rhawk: cmd. line:1:17: error: invalid regular expression /a[/: unmatched [ at character 2
  |
1 | { r = "a["; if ($1 ~ r) print }
  |                 ^^^^^^
  |
  = input: in.txt, record 1
"#,
        ),
        (
            r#"rhawk 'BEGIN { RS = "é(a" }'"#,
            2,
            r#"
rhawk: cmd. line:1:9: error: invalid regular expression /é(a/: unmatched ( at character 2
  |
1 | BEGIN { RS = "é(a" }
  |         ^^^^^^^^^^
"#,
        ),
        (
            r#"rhawk -F '[a' '{ print }' in.txt"#,
            2,
            r#"
rhawk: error: cannot set FS from the command line: invalid regular expression /[a/: unmatched [ at character 1
"#,
        ),
    ]);
}

#[test]
fn output_that_cannot_be_written_is_named() {
    check(&[
        (
            r#"rhawk '{ print > "/no/such/dir/f" }' in.txt"#,
            2,
            r#"
rhawk: cmd. line:1:3: error: cannot open "/no/such/dir/f" for writing: No such file or directory
  |
1 | { print > "/no/such/dir/f" }
  |   ^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = input: in.txt, record 1
"#,
        ),
        (
            r#"rhawk '{ print > "" }' in.txt"#,
            2,
            r#"
rhawk: cmd. line:1:3: error: the name that output is redirected to is empty
  |
1 | { print > "" }
  |   ^^^^^^^^^^
  |
  = input: in.txt, record 1
"#,
        ),
        (
            r#"rhawk 'BEGIN { print "x" > "/dev/full"; close("/dev/full") }'"#,
            2,
            r#"
rhawk: cmd. line:1:34: error: cannot finish writing to "/dev/full": No space left on device
  |
1 | BEGIN { print "x" > "/dev/full"; close("/dev/full") }
  |                                  ^^^^^^^^^^^^^^^^^^
"#,
        ),
        (
            r#"rhawk 'BEGIN { print "x" > "/dev/full" }'"#,
            2,
            r#"
rhawk: error: cannot finish writing to "/dev/full": No space left on device
"#,
        ),
    ]);
}

#[test]
fn what_is_wrong_with_an_operand_is_not_blamed_on_the_program() {
    check(&[
        (
            r#"rhawk '{ n++ }' in.txt nosuch"#,
            2,
            r#"
rhawk: error: cannot open "nosuch" for reading: No such file or directory
"#,
        ),
        (
            r#"rhawk 'BEGIN { getline }' nosuch"#,
            2,
            r#"
rhawk: error: cannot open "nosuch" for reading: No such file or directory
"#,
        ),
        (
            r#"rhawk '{ n++ }' NF=-1 in.txt"#,
            2,
            r#"
rhawk: error: operand "NF=-1": NF set to a negative value (-1)
"#,
        ),
        (
            r#"rhawk '{ n++ }' 'FS=[a' in.txt"#,
            2,
            r#"
rhawk: error: operand "FS=[a": invalid regular expression /[a/: unmatched [ at character 1
"#,
        ),
        (
            r#"rhawk 'function f() { } { n++ }' f=1 in.txt"#,
            2,
            r#"
rhawk: error: operand "f=1": `f' is a function of the program, not a variable
"#,
        ),
        (
            r#"rhawk '{ n++ }' if=1 in.txt"#,
            2,
            r#"
rhawk: error: operand "if=1": `if' is a keyword, not a variable
"#,
        ),
    ]);
}

#[test]
fn what_cannot_be_set_from_the_command_line_is_named_with_the_reason() {
    check(&[
        (
            r#"rhawk -v a=1 'BEGIN { a[1] = 2; print a[1] }'; rhawk -v ENVIRON=1 'BEGIN { }'"#,
            2,
            r#"
rhawk: error: cannot set a from the command line: `a' is an array
rhawk: error: cannot set ENVIRON from the command line: `ENVIRON' is an array
"#,
        ),
        (
            r#"rhawk -v f=1 'function f() { } BEGIN { f() }'"#,
            1,
            r#"
rhawk: error: cannot set f from the command line: `f' is a function of the program
"#,
        ),
        (
            r#"rhawk -v if=1 'BEGIN { }'"#,
            2,
            r#"
rhawk: error: -v 'if=1': 'if' is a keyword, not a variable
"#,
        ),
    ]);
}

#[test]
fn calls_that_cannot_be_made_are_shown() {
    check(&[
        (
            r#"rhawk 'function count(n) { } BEGIN { coutn(1) }'"#,
            2,
            r#"
rhawk: cmd. line:1:31: error: function `coutn' is not defined
  |
1 | function count(n) { } BEGIN { coutn(1) }
  |                               ^^^^^^^^
  |
  = help: there is a function `count`
"#,
        ),
        (
            r#"rhawk 'function f() { next } BEGIN { f() }'"#,
            2,
            r#"
rhawk: cmd. line:1:16: error: `next' cannot be used in a function called from BEGIN
  |
1 | function f() { next } BEGIN { f() }
  |                ^^^^
backtrace, innermost call first:
  f(), called at cmd. line:1:31
"#,
        ),
    ]);
}

#[test]
fn warnings_name_the_function_and_what_it_was_given() {
    check(&[
        (
            r#"rhawk 'BEGIN { x = log(-1) + exp(1000); fflush("nothing") }'"#,
            0,
            r#"
rhawk: cmd. line:1:13: warning: log: received negative argument -1
  |
1 | BEGIN { x = log(-1) + exp(1000); fflush("nothing") }
  |             ^^^^^^^
rhawk: cmd. line:1:23: warning: exp: argument 1000 is out of range
  |
1 | BEGIN { x = log(-1) + exp(1000); fflush("nothing") }
  |                       ^^^^^^^^^
rhawk: cmd. line:1:34: warning: fflush: `nothing' is not an open file, pipe or co-process
  |
1 | BEGIN { x = log(-1) + exp(1000); fflush("nothing") }
  |                                  ^^^^^^^^^^^^^^^^^
"#,
        ),
        (
            r#"rhawk 'BEGIN { getline }' dir </dev/null"#,
            0,
            r#"
rhawk: warning: the operand dir is a directory: skipped
"#,
        ),
    ]);
}

#[test]
fn a_warning_shows_the_text_the_first_time_and_is_one_line_from_then_on() {
    check(&[
        (
            r#"rhawk 'function f(x) { return sqrt(-x) } { y = f($1) }' in.txt"#,
            0,
            r#"
rhawk: cmd. line:1:24: warning: sqrt: received negative argument -1
  |
1 | function f(x) { return sqrt(-x) } { y = f($1) }
  |                        ^^^^^^^^
  |
  = input: in.txt, record 1
rhawk: cmd. line:1:24: warning: sqrt: received negative argument -3 (in.txt, record 2)
"#,
        ),
        (
            r#"rhawk 'BEGIN { while (i++ < 2) x = log(-i) }'"#,
            0,
            r#"
rhawk: cmd. line:1:29: warning: log: received negative argument -1
  |
1 | BEGIN { while (i++ < 2) x = log(-i) }
  |                             ^^^^^^^
rhawk: cmd. line:1:29: warning: log: received negative argument -2
"#,
        ),
    ]);
}

#[test]
fn what_lint_finds_in_a_run_looks_like_any_other_warning() {
    check(&[
        (
            r#"rhawk --lint '{ print $9 }' in.txt"#,
            0,
            r#"
rhawk: cmd. line:1:9: warning: reference to uninitialized field `$9'
  |
1 | { print $9 }
  |         ^^
  |
  = input: in.txt, record 1
rhawk: cmd. line:1:9: warning: reference to uninitialized field `$9' (in.txt, record 2)
"#,
        ),
        (
            r#"rhawk --lint=fatal 'BEGIN { print substr("hello", 0) }'"#,
            2,
            r#"
rhawk: cmd. line:1:15: error: substr: start index 0 is invalid, using 1
  |
1 | BEGIN { print substr("hello", 0) }
  |               ^^^^^^^^^^^^^^^^^^
"#,
        ),
        (
            r#"rhawk --lint 'BEGIN { print 1 > "out" }'"#,
            0,
            r#"
rhawk: warning: no explicit close of file `out' provided
"#,
        ),
    ]);
}

#[test]
fn with_several_texts_a_message_says_which() {
    check(&[
        (
            r#"rhawk -e 'BEGIN { x = 1 }' -e 'BEGIN { print 1 / 0 }'"#,
            2,
            r#"
rhawk: cmd. line (-e 2):1:15: error: division by zero in `/'
  |
1 | BEGIN { print 1 / 0 }
  |               ^^^^^
"#,
        ),
        (
            r#"rhawk -e 'function f(x) { return 1 / x }' -e 'BEGIN {
  print f(0) }'"#,
            2,
            r#"
rhawk: cmd. line (-e 1):1:24: error: division by zero in `/'
  |
1 | function f(x) { return 1 / x }
  |                        ^^^^^
backtrace, innermost call first:
  f(), called at cmd. line (-e 2):2:9
"#,
        ),
        (
            r#"rhawk -e '' -e 'BEGIN { x = ( }'"#,
            1,
            r#"
rhawk: warning: empty argument to `-e/--source' ignored
rhawk: cmd. line:1:15: error: expected an expression, found `}`
  |
1 | BEGIN { x = ( }
  |               ^ expected an expression
"#,
        ),
    ]);
}

#[test]
fn a_typed_regexp_that_is_asked_whether_it_is_true_is_told_what_to_write() {
    check(&[(
        r#"rhawk '@/x/ { print }'"#,
        1,
        r#"
rhawk: cmd. line:1:1: error: a typed regexp is always true: `@/x/' is used as a condition
  |
1 | @/x/ { print }
  | ^^^^ a value, not a match
  |
  = help: write `/x/` to match the record, or `x ~ @/x/` to match something else
"#,
    )]);
}

#[test]
fn a_statement_outside_braces_is_told_where_it_stands() {
    check(&[(
        r#"rhawk 'print $1' in.txt"#,
        1,
        r#"
rhawk: cmd. line:1:1: error: expected a pattern or `{`, found `print`
  |
1 | print $1
  | ^^^^^ expected a pattern or `{`
  |
  = help: statements must be in braces: `{ print }`, `BEGIN { x = 1 }`
"#,
    )]);
}

#[test]
fn a_parameter_that_is_called_is_told_how_to_call_what_it_names() {
    let row = r#"
rhawk: cmd. line:1:17: error: attempt to use non-function `x' in function call
  |
1 | function f(x) { x(1) }
  |                 ^ this is a parameter of the enclosing function
"#;
    let help = "  |\n  = help: to call the function it names, write `@x(...)`\n";
    check(&[(r#"rhawk 'function f(x) { x(1) }'"#, 1, &format!("{row}{help}"))]);
    check(&[(r#"rhawk --posix 'function f(x) { x(1) }'"#, 1, row)]);
}

#[test]
fn what_a_sort_or_an_assignment_is_warned_of_has_its_place() {
    check(&[
        (
            r#"rhawk 'BEGIN { a[1]; asort(a, a) }'"#,
            0,
            r#"
rhawk: cmd. line:1:15: warning: asort/asorti: using the same array as source and destination without a third argument is silly.
  |
1 | BEGIN { a[1]; asort(a, a) }
  |               ^^^^^^^^^^^
"#,
        ),
        (
            r#"rhawk -M -v ROUNDMODE=Q 'BEGIN { PREC = "x" }'"#,
            0,
            r#"
rhawk: warning: ROUNDMODE value `Q' is invalid
rhawk: cmd. line:1:9: warning: PREC value `x' is invalid
  |
1 | BEGIN { PREC = "x" }
  |         ^^^^^^^^^^
"#,
        ),
    ]);
}

#[test]
fn a_loop_whose_order_fails_is_named_as_the_caller() {
    let script = r#"rhawk OPTIONS 'function c(a, b, x, y) { return 1 / (n - n) }
BEGIN { t[1]; t[2]; PROCINFO["sorted_in"] = "c"
  for (k in t) print k }'"#;
    let row = r#"
rhawk: cmd. line:1:33: error: division by zero in `/'
  |
1 | function c(a, b, x, y) { return 1 / (n - n) }
  |                                 ^^^^^^^^^^^
backtrace, innermost call first:
  c(), called at cmd. line:3:3
"#;
    for options in ["--no-jit", "--spesh-nodelay --spesh-blocking"] {
        check(&[(&script.replace("OPTIONS", options), 2, row)]);
    }
}
