//! Functions that become part of their callers.

use crate::run::{compare, inline_log};

#[test]
fn arithmetic_becomes_part_of_its_callers() {
    let program = "function sq(x) { return x * x } function larger(a, b) { return a > b ? a : b } BEGIN { for (i = 0; i < 50; i++) s += sq(i) + larger(i, 20) + sq(sq(i)); print s }";
    compare(program, "");
    assert!(inline_log(program).contains(&"Can inline sq into BEGIN".to_owned()));
    assert!(inline_log(program).contains(&"Can inline larger into BEGIN".to_owned()));
}

#[test]
fn functions_of_functions_become_part_of_their_callers() {
    let program = "function sq(x) { return x * x } function sum(a, b) { return sq(a) + sq(b) } BEGIN { while (i < 50) { i++; s += sum(i, i + 1) } print s }";
    compare(program, "");
    assert!(inline_log(program).contains(&"Can inline sum into BEGIN".to_owned()));
}

#[test]
fn what_cannot_is_said_with_the_reason() {
    let program = "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) } function part(a, b) { return a / b } function loud(x) { print x; return x } BEGIN { for (i = 1; i < 9; i++) s += fib(i) + part(i, 2) + loud(i); print s }";
    compare(program, "");
    let log = inline_log(program);
    for expected in [
        "Can NOT inline fib into fib: it calls itself",
        "Can NOT inline fib into BEGIN: it calls itself",
        "Can NOT inline part into BEGIN: it does more than arithmetic",
        "Can NOT inline loud into BEGIN: it does more than arithmetic",
    ] {
        assert!(log.iter().any(|line| line == expected), "{expected}: {log:?}");
    }
}
