//! Every operation, in every direction, against recorded answers of MPFR.

use riverhawk_precise::{Context, Float, Number, Rounding};
use std::cmp::Ordering;

fn read(text: &str) -> Float {
    let exact = Context::bits(10_000);
    match text.trim_start_matches(['-', '+']) {
        "0" => Float::zero(text.starts_with('-')),
        "inf" => Float::infinity(text.starts_with('-')),
        "nan" => Float::NAN,
        _ => Number::read_hexadecimal(text.as_bytes(), b'.', true, &exact).unwrap().0.to_float(),
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
        "pow" => context.pow(x, y),
        other => panic!("{other}"),
    }
}

#[test]
fn every_operation_is_rounded_as_mpfr_rounds_it() {
    let mut rows = 0;
    for row in include_str!("answers.txt").lines().filter(|row| !row.starts_with('#')) {
        let words: Vec<&str> = row.split(' ').collect();
        let [function, precision, rounding, x, y, answer] = words[..] else { panic!("{row}") };
        let rounding = Rounding::of_name(rounding.as_bytes()).unwrap();
        let context = Context::bits(precision.parse().unwrap()).rounding(rounding);
        let result = evaluate(function, &read(x), &read(y), &context);
        let answer = read(answer);
        let same = result.is_nan() && answer.is_nan()
            || result.compare(&answer) == Some(Ordering::Equal) && result.is_negative() == answer.is_negative();
        assert!(same, "{row}\n{result:?}");
        rows += 1;
    }
    assert_eq!(rows, 301);
}
