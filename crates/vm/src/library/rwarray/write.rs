//! Writes an array to a file.

use super::{MAGIC, VERSION, kind};
use riverhawk_precise::{Float, Number, Rounding};
use riverhawk_system::io::Errno;
use riverhawk_value::{Array, NumberFormat, Value};
use std::io::{self, BufWriter, Write};

pub(super) fn write(to: impl Write, array: &Array, convfmt: &NumberFormat) -> io::Result<()> {
    let mut to = BufWriter::new(to);
    to.write_all(MAGIC)?;
    for version in VERSION {
        to.write_all(&version.to_be_bytes())?;
    }
    write_array(&mut to, array, convfmt)?;
    to.flush()
}

/// Keeps nested arrays on a stack of its own, since programs nest them deep.
fn write_array(to: &mut impl Write, array: &Array, convfmt: &NumberFormat) -> io::Result<()> {
    let mut open = vec![begin(to, array)?];
    while let Some(elements) = open.last_mut() {
        let Some((key, value)) = elements.next() else {
            open.pop();
            continue;
        };
        text(to, key.text(b"", convfmt, &mut Vec::new()))?;
        let mut of_kind = |kind: u32, bytes: &[u8]| {
            to.write_all(&kind.to_be_bytes())?;
            text(to, bytes)
        };
        match &value {
            Value::Array(inner) => {
                to.write_all(&kind::ARRAY.to_be_bytes())?;
                open.push(begin(to, &inner.borrow())?);
            }
            Value::Untyped(cell) if cell.get().is_some() => {
                to.write_all(&kind::ARRAY.to_be_bytes())?;
                if let Some(inner) = cell.get() {
                    open.push(begin(to, &inner.borrow())?);
                }
            }
            Value::Num(number) => of_kind(kind::NUMBER, &c_number(*number))?,
            Value::Sum(sum) => of_kind(kind::NUMBER, &c_number(sum.to_f64()))?,
            Value::Precise(number) if is_double(number) => {
                of_kind(kind::NUMBER, &c_number(number.to_f64()))?
            }
            // All digits, as text that any reader takes for a number.
            Value::Precise(number) => of_kind(kind::NUMERIC_INPUT, &all_digits(number))?,
            Value::Bool(truth) => {
                of_kind(kind::TRUTH, if truth.is_true() { b"TRUE" } else { b"FALSE" })?
            }
            Value::Regex { text, .. } => of_kind(kind::REGEX, text.as_bytes())?,
            Value::Uninit
            | Value::Unassigned
            | Value::NoField
            | Value::Untyped(_)
            | Value::Keys(_)
            | Value::View(_) => {
                of_kind(kind::NOTHING, b"")?;
            }
            Value::Small(_) | Value::Str(_) => {
                of_kind(kind::TEXT, value.bytes(b"").unwrap_or_default())?
            }
            Value::SmallInput(_) | Value::Input(_) => {
                let is_number = value.strnum(b"").is_some();
                of_kind(
                    if is_number { kind::NUMERIC_INPUT } else { kind::TEXT },
                    value.bytes(b"").unwrap_or_default(),
                )?;
            }
        }
    }
    Ok(())
}

type Elements = std::vec::IntoIter<(Value, Value)>;

fn begin(to: &mut impl Write, array: &Array) -> io::Result<Elements> {
    count(to, array.len())?;
    Ok(array.pairs().into_iter())
}

fn count(to: &mut impl Write, count: usize) -> io::Result<()> {
    let count = u32::try_from(count).map_err(|_| Errno::OVERFLOW)?;
    to.write_all(&count.to_be_bytes())
}

fn text(to: &mut impl Write, text: &[u8]) -> io::Result<()> {
    count(to, text.len())?;
    to.write_all(text)
}

fn c_number(number: f64) -> Vec<u8> {
    let mut text = if number.is_nan() {
        String::from(if number.is_sign_negative() { "-nan" } else { "nan" })
    } else if number.is_infinite() {
        String::from(if number < 0.0 { "-inf" } else { "inf" })
    } else {
        let scientific = format!("{number:.16e}");
        let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        if (-4..17).contains(&exponent) {
            let decimals = usize::try_from(16 - exponent).unwrap_or(0);
            without_zeros(&format!("{number:.decimals$}")).to_string()
        } else {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", without_zeros(digits), exponent.abs())
        }
    };
    text.push('\0');
    text.into_bytes()
}

fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

fn is_double(number: &Number) -> bool {
    let double = Number::Float(Float::from_f64(number.to_f64()));
    matches!(number, Number::Float(_))
        && double.compare(number).is_some_and(std::cmp::Ordering::is_eq)
}

fn all_digits(number: &Number) -> Vec<u8> {
    let Number::Float(float) = number else {
        return number.truncate().unwrap_or_default().to_string().into_bytes();
    };
    let count = float.precision() * 30_103 / 100_000 + 2;
    let sign: &[u8] = if float.is_negative() { b"-" } else { b"" };
    match float.significant_digits(count, Rounding::Nearest) {
        Some(digits) => {
            let (first, rest) = digits.digits.split_at(1);
            [sign, first, b".", rest, b"e", digits.exponent.to_string().as_bytes()].concat()
        }
        None if float.is_nan() => [if sign.is_empty() { b"+" } else { sign }, b"nan"].concat(),
        None if float.is_infinite() => [if sign.is_empty() { b"+" } else { sign }, b"inf"].concat(),
        None => [sign, b"0.0"].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_c_writes_them() {
        for (number, expected) in [
            (0.1, "0.10000000000000001"),
            (-0.0, "-0"),
            (9007199254740992.0, "9007199254740992"),
            (1e16, "10000000000000000"),
            (1e17, "1e+17"),
            (1.5e300, "1.5000000000000001e+300"),
            (1e-5, "1.0000000000000001e-05"),
            (0.0001, "0.0001"),
            (f64::NEG_INFINITY, "-inf"),
            (-f64::NAN, "-nan"),
            (5e-324, "4.9406564584124654e-324"),
        ] {
            assert_eq!(
                String::from_utf8(c_number(number)).unwrap(),
                format!("{expected}\0"),
                "{number}"
            );
        }
    }
}
