//! Variables and constants past the reach of an operation's slots.

use crate::run::compare;
use std::fmt::Write;

#[test]
fn programs_with_forty_thousand_variables_do_the_same() {
    let mut program = String::from("function f(a) { a[1]++; return a[1] } BEGIN {");
    for number in 0..40_000 {
        let _ = write!(program, "v{number} = {number};");
    }
    program.push_str("for (i = 0; i < 5; i++) { v39999 += i; s += v39999; arr[i] = 123456789012; print f(arr2), arr[i] } print s, v39998 }");
    compare(&program, "");
}

#[test]
fn short_constants_take_the_place_of_whatever_was_there() {
    compare(
        "BEGIN { for (i = 0; i < 300; i++) { x = \"ab\"; if (i % 3 == 0) x = x i \" is a text that is counted\"; y = x; x = \"a constant that is not short\"; x = \"cd\"; if (i % 7 == 0) x = i; s = s x y; x = \"\" } print s x y }",
        "",
    );
    compare(
        "{ x = $1; x = \"ab\"; y = y x $2; $2 = x } END { print y, x }",
        "one two\nthree four\nfive\n",
    );
    compare(
        "function f(x) { x = \"ab\"; return x } BEGIN { for (i = 0; i < 99; i++) s = s f(i) f(s) f(); print s }",
        "",
    );
}
