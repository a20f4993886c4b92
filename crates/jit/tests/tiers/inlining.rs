//! Inlining: its log, and side exits within inlined code.

use crate::run::{compare, compare_with, inline_log};

const INPUT: &str = "1 a\n2 b\nx c\n4 d\n5 e\n";

fn assert_logged(program: &str, lines: &[&str]) {
    let log = inline_log(program);
    for expected in lines {
        assert!(log.iter().any(|line| line == expected), "{expected}: {log:?}");
    }
}

#[test]
fn arithmetic_becomes_part_of_its_callers() {
    let program = "function sq(x) { return x * x } function larger(a, b) { return a > b ? a : b } BEGIN { for (i = 0; i < 50; i++) s += sq(i) + larger(i, 20) + sq(sq(i)); print s }";
    compare(program, "");
    assert_logged(program, &["Can inline sq into BEGIN", "Can inline larger into BEGIN"]);
}

#[test]
fn functions_of_functions_become_part_of_their_callers() {
    let program = "function sq(x) { return x * x } function sum(a, b) { return sq(a) + sq(b) } BEGIN { while (i < 50) { i++; s += sum(i, i + 1) } print s }";
    compare(program, "");
    assert_logged(program, &["Can inline sum into BEGIN", "Can inline sq into sum"]);
}

#[test]
fn what_can_leave_becomes_part_of_its_callers() {
    let program = "function part(a, b) { return a / b } function loud(x) { print x; return x } function text(x) { return x \"-\" } BEGIN { for (i = 1; i < 9; i++) s += part(i, 2) + loud(i) + length(text(i)); print s }";
    compare(program, "");
    assert_logged(
        program,
        &["Can inline part into BEGIN", "Can inline loud into BEGIN", "Can inline text into BEGIN"],
    );
}

#[test]
fn what_cannot_is_said_with_the_reason() {
    let long = "x = x * 2 + 1; ".repeat(20);
    let program = format!(
        "function fib(n) {{ return n < 2 ? n : fib(n - 1) + fib(n - 2) }}
        function long(x) {{ {long}; return x }}
        function many(a, b, c, d, e, f, g, h, i) {{ return a + i }}
        function even(n) {{ return n == 0 ? 1 : odd(n - 1) }}
        function odd(n) {{ return n == 0 ? 0 : even(n - 1) }}
        BEGIN {{ for (i = 1; i < 9; i++) s += fib(i) + long(i) % 7 + many(i) + even(i); print s }}"
    );
    compare(&program, "");
    assert_logged(
        &program,
        &[
            "Can NOT inline fib into fib: it calls itself",
            "Can NOT inline fib into BEGIN: it calls itself",
            "Can NOT inline long into BEGIN: it has 672 bytes of bytecode, and 384 is the limit",
            "Can NOT inline many into BEGIN: it has 9 parameters, and 8 is the limit",
            "Can NOT inline odd into even: it calls a function that has no code yet",
        ],
    );
}

#[test]
fn a_caller_takes_in_only_so_many() {
    let calls = "s += f(i); ".repeat(200);
    let program = format!(
        "function f(x) {{ return x / 2 + length(x \"\") }} BEGIN {{ for (i = 0; i < 5; i++) {{ {calls} }} print s }}"
    );
    compare(&program, "");
    assert_logged(
        &program,
        &[
            "Can inline f into BEGIN",
            "Can NOT inline f into BEGIN: the caller has taken in as many as it may",
        ],
    );
}

#[test]
fn leaving_two_and_three_deep_gives_the_interpreters_errors_and_backtraces() {
    for program in [
        "function f(n) { return 10 / n } BEGIN { for (i = 5; i > -2; i--) s += f(i) }",
        "function f(n) { return 10 / n } function g(n) { return 1 + f(n) } BEGIN { for (i = 5; i > -2; i--) s += g(i) * 2 }",
        "function f(n) { return 10 / n } function g(n) { return 1 + f(n) } function h(a, n) { return a g(n) } BEGIN { for (i = 5; i > -2; i--) s = s h(\"long text of more than fourteen bytes\", i) }",
        "function f(x) { return $(x) } function g(x) { return f(x) + 1 } function h(x) { return g(x) g(x - 1) } BEGIN { for (i = 3; i > -3; i--) s = h(i) }",
        "function f(a, k) { a[k][1] = 1; return a[k] + 1 } function g(a, k) { return f(a, k) } BEGIN { for (i = 0; i < 3; i++) g(x, i) }",
        "function f(x) { return sub(\"(\", \"x\", x) } function g(x) { if (x == 7) return f(x); return x } BEGIN { for (i = 0; i < 9; i++) s += g(i) }",
        "function f(n) { if (n == 3) getline x < \"\"; return n } function g(n) { return f(n) \"\" } BEGIN { for (i = 0; i < 5; i++) g(i) }",
        "function f(n) { if (n == 3) next; return n } function g(n) { return f(n) + 1 } BEGIN { for (i = 0; i < 5; i++) g(i) }",
        "function f(n,  t) { t = sprintf(\"%d %s\", n); return t } function g(n) { return f(n) } BEGIN { for (i = 0; i < 5; i++) g(i) }",
    ] {
        compare(program, "");
    }
}

#[test]
fn exit_and_next_leave_from_what_became_part_of_the_record_loop() {
    for program in [
        "function f(n) { if (n == 4) exit 3; return n } function g(n) { return f(n) + 1 } { s += g($1) } END { print s }",
        "function f(n) { if (n % 2) next; return n } function g(n) { return f(n) + 1 } { s += g(NR); print NR } END { print s }",
        "function f(n) { if (n == 3) nextfile; return n } function g(n) { return f(n) + 1 } { s += g(NR); print NR } END { print s }",
        "function f(n) { exit n } function g(n) { if (n == 5) f(n); return n } BEGIN { for (i = 0; i < 9; i++) k += g(i) } END { print i, k }",
    ] {
        compare(program, INPUT);
    }
}

#[test]
fn types_that_change_in_the_middle_of_an_expression_are_noticed() {
    for program in [
        // The callee changes a global that its caller keeps in a register.
        "function f(n) { if (n % 7 == 0) s = s \"x\"; else s += n; return n } BEGIN { for (i = 0; i < 60; i++) s = s + f(i) * 2 + f(i + 1); print s }",
        "function f(n) { if (n == 30) g = \"t\"; return n / 2 } function h(n) { g += n; return f(n) + g } BEGIN { for (i = 0; i < 60; i++) { g++; s += g + h(i) } print s, g }",
        // Elements that are mostly numbers.
        "function at(a, k) { return a[k] < 50 } function sum(a, k) { return at(a, k) + at(a, k + 1) } BEGIN { for (i = 0; i < 100; i++) a[i] = i % 9 ? i : \"t\" i; for (i = 0; i < 99; i++) n += sum(a, i) * 3; print n }",
        // Arguments that flip.
        "function f(x) { return x + 1 } function g(x, y) { return f(x) (f(y) > 2) } BEGIN { for (i = 0; i < 90; i++) s = s g(i % 5 ? i : i \"x\", i % 3 ? i : \"y\"); print s }",
        "function f(x) { if (x) return x; return \"none\" } function g(x) { return f(x) + f(x - 1) } BEGIN { for (i = 0; i < 50; i++) t += g(i % 4); print t, f(0) }",
        "function f(x,  t) { t = x \"a text that needs an allocation\"; if (x % 5) t = x; return t } function g(x,  u) { u = f(x); return u + 1 } BEGIN { for (i = 0; i < 60; i++) s += g(i); print s }",
    ] {
        compare(program, "");
    }
}

#[test]
fn loops_over_keys_and_getline_go_on_within() {
    for program in [
        "function sum(a,  k, s) { for (k in a) { s += a[k]; if (k == 3) s = s \"\" } return s } function twice(a) { return sum(a) + sum(a) } BEGIN { for (i = 0; i < 30; i++) { a[i] = i; t += twice(a) } print t }",
        "function first(a,  k) { for (k in a) return k; return \"none\" } BEGIN { for (i = 0; i < 30; i++) { t = t first(b); b[i]; if (i % 4 == 0) delete b } print t }",
        "function line(n,  l) { if ((getline l) > 0) return l; return n } function both(n) { return line(n) \"/\" line(n) } { for (i = 0; i < 3; i++) t = t both(i) } END { print t }",
        "function more(n) { while ((getline v) > 0 && v) n += v; return n } { s += more($1) } END { print s, v, NR }",
    ] {
        compare(program, "1\n2\n\n3\n4\nx\n5\n\n6\n7\n8\n9\n");
    }
}

#[test]
fn assignments_between_files_reach_globals_within() {
    for program in [
        "function f(n) { return x + n } function g(n) { x++; return f(n) * 2 } { s += g(1) } END { print s, x }",
        "function f() { if ((getline l) > 0) return x; return -1 } function g() { return f() + f() } { while ((v = g()) >= 0) s += v } END { print s, x }",
    ] {
        compare_with(
            program,
            INPUT,
            &["x=1", "/proc/self/limits", "x=20", "/proc/self/limits", "x=abc", "-"],
        );
    }
}

#[test]
fn recursion_by_way_of_what_was_taken_in_goes_on_in_the_interpreter() {
    compare(
        "function step(n) { return n - 1 } function r(n) { return n ? r(step(n)) + 1 : 0 } BEGIN { for (i = 0; i < 3; i++) print r(200000) }",
        "",
    );
    compare(
        "function small(t) { return length(t) / 2 } function r(n, t) { if (n) return r(n - 1, t \"x\") + small(t); return small(t) } BEGIN { for (i = 0; i < 3; i++) print r(2000, \"\") }",
        "",
    );
}

#[test]
fn a_function_that_was_put_into_itself_is_left_at_any_depth() {
    for program in [
        "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) } BEGIN { print fib(17) }",
        // The division fails some levels down, in the first call and in the second.
        "function f(n) { return n == 3 ? 1 / (n - 3) : n < 1 ? 1 : f(n - 1) + f(n - 2) } BEGIN { print f(12) }",
        "function f(n) { if (n < 2) return n; return f(n - 1) + f(n - 2) / (n - 7) } BEGIN { print f(6); print f(9) }",
        // The recursive call has other types, so it calls another candidate.
        "function f(n, x) { return n < 1 ? length(x) : f(n - 1, n % 3 ? x : n) } BEGIN { for (i = 0; i < 30; i++) s += f(i, \"abc\") + f(i, 7); print s }",
        "function f(n) { return n < 1 ? \"x\" : n % 2 ? f(n - 1) \"a\" : f(n - 1) } BEGIN { print f(40) f(41) }",
        "function f(n) { g = g + 1; return n < 1 ? g : f(n - 1) - g } BEGIN { g = 1; print f(30); g = \"3x\"; print f(31) }",
        "function depth(n) { return n < 1 ? 0 : 1 + depth(n - 1) } BEGIN { print depth(10), depth(100000) }",
        "function f(n) { if (n < 1) exit 3; return f(n - 1) + f(n - 2) } BEGIN { f(20) } END { print n }",
    ] {
        compare(program, "");
    }
}
