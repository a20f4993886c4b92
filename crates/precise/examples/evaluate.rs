//! Evaluates rows of `function precision rounding x y` from standard input, for comparing with
//! another implementation: each answer with all its hexadecimal digits.

#[path = "../tests/operations/mod.rs"]
mod operations;

use riverhawk_precise::{Float, Rounding};
use std::io::BufRead;

fn main() {
    for line in std::io::stdin().lock().lines() {
        match operations::evaluate(&line.unwrap_or_default()) {
            Some((result, _)) => println!("{}", show(&result)),
            None => println!("?"),
        }
    }
}

fn show(result: &Float) -> String {
    let sign = if result.is_negative() { "-" } else { "" };
    match result.hexadecimal_digits(None, Rounding::Nearest) {
        Some(digits) => {
            format!("{sign}0x{}p{}", String::from_utf8_lossy(&digits.digits), digits.exponent)
        }
        None if result.is_nan() => "nan".to_string(),
        None if result.is_zero() => format!("{sign}0"),
        None => format!("{sign}inf"),
    }
}
