//! Enormous program text and call depth: clear errors, no crash.

use riverhawk_tests::shell::{Ran, Shell};

fn run_program(text: &str) -> Ran {
    Shell::new().with_file("p.awk", text).run(r#"exec "$RHAWK" -f p.awk"#)
}

/// It works, or is refused with a message that names the limit; it never dies.
#[track_caller]
fn prints_or_is_refused(text: &str, stdout: &str) {
    let ran = run_program(text);
    if ran.status == 0 {
        ran.assert_prints(stdout);
    } else {
        assert!((1..=2).contains(&ran.status), "{ran:?}");
        ran.assert_says(&["nest", "deep", "depth", "too large", "too many", "limit"], ran.status);
    }
}

#[test]
fn each_kind_of_unterminated_text_is_a_syntax_error() {
    let texts = [
        "BEGIN { print \"abc",
        "BEGIN { print \"abc\\",
        "BEGIN { print \"abc\n }",
        "/abc",
        "/abc\\",
        "/[abc/",
        "/a[",
        "BEGIN { print /",
        "BEGIN {",
        "BEGIN { print (1",
        "BEGIN { a[1",
        "BEGIN { if (",
        "BEGIN { if (1)",
        "BEGIN { while (1",
        "BEGIN { do",
        "BEGIN { do print 1; while",
        "BEGIN { for (",
        "BEGIN { for (;",
        "BEGIN { for (;;",
        "BEGIN { for (k in",
        "BEGIN { for (k in a)",
        "BEGIN { x = ",
        "BEGIN { x = 1 ? 2 :",
        "BEGIN { x = 1 +",
        "BEGIN { print 1,",
        "BEGIN { print >",
        "BEGIN { print 1 |",
        "BEGIN { getline <",
        "BEGIN { \"cmd\" |",
        "BEGIN { substr(\"a\",",
        "BEGIN { $",
        "BEGIN { !",
        "BEGIN { x = 1 \\",
        "function",
        "function f",
        "function f(",
        "function f(a,",
        "function f(a)",
        "function f(a) {",
        "BEGIN",
        "END",
        "NR == 1,",
        "NR == 1 &&",
        "\\",
        "\"",
        "(",
        "[",
        "{",
    ];
    for text in texts {
        let ran = run_program(text);
        assert!(
            ran.status == 1 && !ran.stderr.is_empty() && ran.stdout.is_empty(),
            "{text}: {ran:?}"
        );
        assert!(!ran.stderr.contains("panicked"), "{text}: {ran:?}");
    }
}

#[test]
fn program_text_that_is_no_text_is_an_error() {
    for bytes in [
        &b"\xff\xfe"[..],
        b"BEGIN { \0 }",
        b"BEGIN { print \xc3 }",
        b"\x80{}",
        b"BEGIN { x\xe9 = 1 }",
    ] {
        let ran = Shell::new().with_file("p.awk", bytes).run(r#"exec "$RHAWK" -f p.awk"#);
        assert!((1..=2).contains(&ran.status) && !ran.stderr.is_empty(), "{bytes:?}: {ran:?}");
    }
}

#[test]
fn a_hundred_thousand_parentheses() {
    let n = 100_000;
    prints_or_is_refused(&format!("BEGIN {{ print {}1{} }}", "(".repeat(n), ")".repeat(n)), "1\n");
}

#[test]
fn a_hundred_thousand_nested_operators() {
    let n = 100_000;
    prints_or_is_refused(&format!("BEGIN {{ print {}1 }}", "!".repeat(n)), "1\n");
    prints_or_is_refused(&format!("BEGIN {{ print {}1 }}", "- ".repeat(n)), "1\n");
    prints_or_is_refused(&format!("BEGIN {{ x = {}5; print x }}", "x = ".repeat(n)), "5\n");
    prints_or_is_refused(&format!("BEGIN {{ print {}3 }}", "1 ? 2 : ".repeat(n)), "2\n");
    prints_or_is_refused(&format!("BEGIN {{ print {}1 }}", "1 ^ ".repeat(n)), "1\n");
    prints_or_is_refused(&format!("BEGIN {{ $0 = 1; print {}1 }}", "$".repeat(n)), "1\n");
}

#[test]
fn a_hundred_thousand_operators_in_a_row_need_no_nesting() {
    let n = 100_000;
    run_program(&format!("BEGIN {{ print 1{} }}", " + 1".repeat(n))).assert_prints("100001\n");
    run_program(&format!("BEGIN {{ print length(1{}) }}", " 1".repeat(n)))
        .assert_prints("100001\n");
    run_program(&format!("BEGIN {{ print (0{}) }}", " || 0".repeat(n))).assert_prints("0\n");
    run_program(&format!("BEGIN {{ print 0{} }}", ", 0".repeat(n)))
        .assert_prints(&format!("0{}\n", " 0".repeat(n)));
}

#[test]
fn a_hundred_thousand_nested_statements() {
    let n = 100_000;
    prints_or_is_refused(&format!("BEGIN {}print 1{}", "{ ".repeat(n), " }".repeat(n)), "1\n");
    prints_or_is_refused(&format!("BEGIN {{ {}print 1 }}", "if (1) ".repeat(n)), "1\n");
    prints_or_is_refused(
        &format!("BEGIN {{ {}print 0{} }}", "if (0) ; else ".repeat(n), ""),
        "0\n",
    );
}

#[test]
fn a_hundred_thousand_nested_subscripts_and_calls() {
    let n = 100_000;
    prints_or_is_refused(
        &format!("BEGIN {{ {}1{} = 2; print length(a) }}", "a[".repeat(n), "]".repeat(n)),
        "100000\n",
    );
    prints_or_is_refused(
        &format!("BEGIN {{ print {}1.5{} }}", "int(".repeat(n), ")".repeat(n)),
        "1\n",
    );
}

#[test]
fn a_regex_of_a_hundred_thousand_groups() {
    let n = 100_000;
    let ran =
        run_program(&format!("BEGIN {{ print \"a\" ~ /{}a{}/ }}", "(".repeat(n), ")".repeat(n)));
    assert!(
        ran.status == 0 && ran.stdout == "1\n"
            || (1..=2).contains(&ran.status) && !ran.stderr.is_empty(),
        "{ran:?}"
    );
}

#[test]
fn a_regex_that_would_be_huge_is_refused() {
    let ran = run_program("BEGIN { print \"a\" ~ /((a{1000}){1000}){1000}/ }");
    assert!(ran.status == 0 || (1..=2).contains(&ran.status) && !ran.stderr.is_empty(), "{ran:?}");
}

#[test]
fn a_program_of_ten_megabytes_in_many_rules() {
    let rule = "BEGIN { x += 1 }\n";
    let count = 10_000_000 / rule.len();
    let ran = run_program(&(rule.repeat(count) + "BEGIN { print x }\n"));
    ran.assert_prints(&format!("{count}\n"));
}

#[test]
fn a_program_of_ten_megabytes_in_one_action() {
    let statement = "x = x + 1; ";
    let count = 10_000_000 / statement.len();
    let ran = run_program(&format!("BEGIN {{ {} print x }}", statement.repeat(count)));
    ran.assert_prints(&format!("{count}\n"));
}

#[test]
fn a_string_of_ten_megabytes_in_the_program() {
    let ran = run_program(&format!("BEGIN {{ print length(\"{}\") }}", "s".repeat(10_000_000)));
    ran.assert_prints("10000000\n");
}

#[test]
fn ten_thousand_functions_and_a_hundred_thousand_variables() {
    let functions: String =
        (0..10_000).map(|i| format!("function f{i}(a) {{ return a + {i} }}\n")).collect();
    let variables: String = (0..100_000).map(|i| format!("v{i} = {i}\n")).collect();
    let ran = run_program(&format!("{functions}BEGIN {{\n{variables}print f9999(1), v99999 }}\n"));
    ran.assert_prints("10000 99999\n");
}

/// More than 16 bits can number, and a call of the first and the last.
#[test]
fn seventy_thousand_functions() {
    let mut text: String =
        (0..70_000).map(|at| format!("function f{at}(x) {{ return x + {at} }}\n")).collect();
    text.push_str("BEGIN { print f0(1), f65535(1), f65536(1), f69999(1) }\n");
    run_program(&text).assert_prints("1 65536 65537 70000\n");
}

#[test]
fn one_million_nested_calls_work() {
    run_program("function f(n) { return n ? 1 + f(n - 1) : 0 } BEGIN { print f(1000000) }")
        .assert_prints("1000000\n");
}

#[test]
fn one_million_nested_calls_with_locals_and_arrays_work() {
    let text =
        "function f(n, a,  x, y) { x = n; y = \"s\" n; a[0] += 1; if (n) f(n - 1, a); return x == n && y == \"s\" n }
        BEGIN { print f(1000000, t), t[0] }";
    run_program(text).assert_prints("1 1000001\n");
}

#[test]
fn recursion_without_end_is_a_clear_error() {
    for text in [
        "function f(n) { return f(n + 1) } BEGIN { f(1) }",
        "function f() { g() } function g() { f() } BEGIN { f() }",
    ] {
        let ran = run_program(&format!("BEGIN {{ print \"before\" }} {text}"));
        ran.assert_says(&["nest", "recurs", "depth", "deep"], 2);
        assert_eq!(ran.stdout, "before\n");
    }
}
