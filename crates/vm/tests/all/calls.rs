//! Calls: parameters that become arrays in a callee, deep recursion and its limit, and leaving
//! functions by `next` and `exit`.

use crate::run::{fails, prints, run};

#[test]
fn a_variable_nothing_is_known_of_becomes_an_array_through_any_number_of_calls() {
    prints(
        "function g(q) { q[\"a\"] = 1 } function f(p) { g(p) } BEGIN { f(z); for (k in z) print k }",
        "",
        "a\n",
    );
    prints(
        "function h(r) { r[1] } function g(q) { h(q) } function f(p) { g(p) } BEGIN { f(z); z[2]; print length(z) }",
        "",
        "2\n",
    );
    prints(
        "function f(p, n) { if (n) return f(p, n - 1); p[\"k\"] = n; return 1 } BEGIN { f(z, 100); for (k in z) print k }",
        "",
        "k\n",
    );
    prints(
        "function g(q) { } function f(p) { g(p); p[\"x\"] } BEGIN { f(z); print length(z) }",
        "",
        "1\n",
    );
    prints(
        "function g(q) { q[\"a\"] } function f(p, l) { g(l); return length(l) } BEGIN { print f(), f() }",
        "",
        "1 1\n",
    );
}

#[test]
fn one_variable_passed_twice_is_one_array() {
    prints("function f(a, b) { a[1]; print length(a), length(b) } BEGIN { f(x, x) }", "", "1 1\n");
    prints("function f(p) { z[1] = 3; return length(p) } BEGIN { print f(z) }", "", "1\n");
    prints("function f(p) { delete p; p[1] } BEGIN { f(x); print length(x) }", "", "1\n");
}

#[test]
fn a_parameter_that_never_becomes_an_array_leaves_the_variable_a_scalar() {
    prints(
        "function f(p) { return p \"\" } BEGIN { print f(x) \"|\" x + 0 \"|\"; x = 5; print f(x) }",
        "",
        "|0|\n5\n",
    );
    prints("function f(a) { a++; print a } BEGIN { f(x); print x \"|\" }", "", "1\n|\n");
    prints(
        "function f(a) { getline a; print a } BEGIN { f(x); print x \"|\" }",
        "line\n",
        "line\n|\n",
    );
    prints(
        "function f(a, b) { print a, b } BEGIN { x = 1; f(x, x = 5); f(x, x++); f(x++, x) }",
        "",
        "1 5\n5 5\n6 7\n",
    );
}

#[test]
fn an_array_where_a_scalar_is_wanted_and_the_reverse_are_errors_that_name_it() {
    fails("function f(p) { p[1] = 1 } BEGIN { x = 3; f(x) }", "", "`p' as an array");
    fails("function f(p) { return p } BEGIN { x[1]; print f(x) }", "", "`p' as a scalar");
    fails(
        "function g(q) { return q + 1 } function f(p) { return g(p) } BEGIN { x[1]; print f(x) }",
        "",
        "as a scalar",
    );
    fails("function f(p) { p = p[1] } BEGIN { f(z) }", "", "`p' as a scalar");
    fails("function f(p) { split(p, p) } BEGIN { f(z) }", "", "`p' as a scalar");
    fails("function f(p) { match(p, /x/, p) } BEGIN { f(z) }", "", "`p' as a scalar");
    fails(
        "function f(p, q) { split(\"a b\", p, / /, q) } BEGIN { f(z, z) }",
        "",
        "split: cannot use the same array for second and fourth args",
    );
    fails(
        "function f(p) { split(\"a b\", p, / /, p) } BEGIN { f(z) }",
        "",
        "split: cannot use the same array for second and fourth args",
    );
}

#[test]
fn a_million_nested_calls_work() {
    prints_once(
        "function f(n) { return n ? 1 + f(n - 1) : 0 } BEGIN { print f(1000000) }",
        "1000000\n",
    );
    prints_once(
        "function f(n, s) { return n ? f(n - 1, s \"x\") : length(s) } BEGIN { print f(2000), f(2000, \"y\") }",
        "2000 2001\n",
    );
}

#[track_caller]
fn prints_once(program: &str, expected: &str) {
    let ran = run(program, "");
    assert!(ran.errors.is_empty(), "{:?}", ran.errors);
    assert_eq!(ran.out, expected);
}

#[test]
fn endless_recursion_is_an_error_that_names_the_limit_and_shows_both_ends_of_the_calls() {
    let ran = run(
        "function g() { return f() } function f() { return g() } BEGIN { print \"before\"; f() }",
        "",
    );
    assert_eq!((ran.out.as_str(), ran.status), ("before\n", 2));
    let error = &ran.errors[0];
    assert!(error.message.contains("limit of 8388608"), "{}", error.message);
    let names = |frames: &[riverhawk_vm::error::Frame]| {
        frames.iter().map(|frame| frame.function.to_string()).collect::<String>()
    };
    assert_eq!(names(&error.backtrace.innermost), "gfgfgfgfgf");
    assert_eq!(names(&error.backtrace.outermost), "fgfgf");
    assert_eq!(error.backtrace.omitted, 8 * 1024 * 1024 - 15);
}

#[test]
fn next_and_exit_leave_any_number_of_calls() {
    prints(
        "function g(n) { if (n > 0) g(n - 1); else next } { x[NR] = $0; g(50); print \"no\" } END { print NR, x[1] x[2] x[3] }",
        "a\nb\nc\n",
        "3 abc\n",
    );
    prints(
        "function f(a) { a[1] = $0; if (NR < 3) next; print a[1], $0 } { f(z) } END { print length(z) }",
        "a\nb\nc\n",
        "c c\n1\n",
    );
    let ran = run(
        "function f(n) { if (n == 0) exit 3; f(n - 1) } BEGIN { f(1000) } END { print \"end\" }",
        "",
    );
    assert_eq!((ran.out.as_str(), ran.status), ("end\n", 3));
    fails("function f() { next } BEGIN { f() }", "", "`next' cannot be used in a");
    fails("function f() { nextfile } END { f() }", "", "`nextfile' cannot be used in a");
}

#[test]
fn locals_begin_as_nothing_in_every_call() {
    prints(
        "function f(n, l) { l = l n; if (n) f(n - 1); return l } BEGIN { print f(3), f(2) }",
        "",
        "3 2\n",
    );
    prints(
        "function f(n, l) { l[n]; if (n) return f(n - 1); return length(l) } BEGIN { print f(3) }",
        "",
        "1\n",
    );
}

#[test]
fn the_stack_is_as_deep_as_the_deepest_call() {
    let ran = run(
        "function f(n) { return n ? f(n - 1) : 0 } BEGIN { f(10); f(100000) } END { f(10) }",
        "",
    );
    assert!(ran.registers >= 100_000 && ran.registers < 1_000_000, "{}", ran.registers);
}
