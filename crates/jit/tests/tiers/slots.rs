//! Variables and constants that are past the reach of an operation's slots.

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
