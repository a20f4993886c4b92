//! Operations by name on numbers in hexadecimal: what the recorded answers and the example
//! `evaluate` are made of.

use riverhawk_precise::{Context, Float, Number, Rounding, Sign};

/// An operation, what it is to be rounded to, and two numbers: `add 53 N 0x1p0 -0x3p-2`. What
/// follows is left over.
pub fn evaluate(row: &str) -> Option<(Float, Option<&str>)> {
    let mut words = row.split(' ');
    let mut word = || words.next();
    let (function, precision, rounding, x, y) = (word()?, word()?, word()?, word()?, word()?);
    let context =
        Context::bits(precision.parse().ok()?).rounding(Rounding::of_name(rounding.as_bytes())?);
    Some((apply(function, &read(x)?, &read(y)?, &context)?, word()))
}

/// A number with all its bits.
pub fn read(text: &str) -> Option<Float> {
    let exact = Context::bits(100_000);
    let sign = Sign::from(text.starts_with('-'));
    Some(match text.trim_start_matches(['-', '+']) {
        "0" => Float::zero(sign),
        "inf" => Float::infinity(sign),
        "nan" => Float::NAN,
        _ => Number::read_hexadecimal(text.as_bytes(), b'.', &exact)?.0.to_float(),
    })
}

fn apply(function: &str, x: &Float, y: &Float, context: &Context) -> Option<Float> {
    Some(match function {
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
        _ => return None,
    })
}
