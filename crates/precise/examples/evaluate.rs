//! Evaluates rows of `function precision rounding x y` from standard input, for comparing with another implementation: each answer with all
//! its hexadecimal digits.

use riverhawk_precise::{Context, Float, Number, Rounding};
use std::io::BufRead;

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap_or_default();
        let words: Vec<&str> = line.split(' ').collect();
        let [function, precision, rounding, x, y] = words[..] else { continue };
        let rounding = Rounding::of_name(rounding.as_bytes()).unwrap_or_default();
        let context = Context::bits(precision.parse().unwrap_or(53)).rounding(rounding);
        let read = |text: &str| {
            Number::read_hexadecimal(text.as_bytes(), b'.', true, &Context::bits(100_000))
                .map(|(number, _)| number.to_float())
        };
        let (Some(x), Some(y)) = (read(x), read(y)) else { continue };
        println!("{}", show(&evaluate(function, &x, &y, &context)));
    }
}

fn evaluate(function: &str, x: &Float, y: &Float, context: &Context) -> Float {
    match function {
        "add" => context.add(x, y),
        "sub" => context.sub(x, y),
        "mul" => context.mul(x, y),
        "div" => context.div(x, y),
        "rem" => context.rem(x, y),
        "sqrt" => context.sqrt(x),
        "exp" => context.exp(x),
        "log" => context.ln(x),
        "sin" => context.sin(x),
        "cos" => context.cos(x),
        "atan2" => context.atan2(x, y),
        _ => context.pow(x, y),
    }
}

fn show(result: &Float) -> String {
    let sign = if result.is_negative() { "-" } else { "" };
    match result.hexadecimal_digits(None, Rounding::Nearest) {
        Some(digits) => format!("{sign}0x{}p{}", String::from_utf8_lossy(&digits.digits), digits.exponent),
        None if result.is_nan() => "nan".to_string(),
        None if result.is_zero() => format!("{sign}0"),
        None => format!("{sign}inf"),
    }
}
