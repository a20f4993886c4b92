//! The decimal point of the user's locale (`-N`), for input and output, never in program text.
//!
//! A property of the thread, like [`NumberSyntax`](super::NumberSyntax). Only texts with a point or
//! comma and numbers with a fraction read it.

use std::cell::Cell;

/// The decimal point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecimalPoint {
    /// `2.5`, as in program text.
    #[default]
    Period,
    /// `2,5`; periods group digits.
    Comma,
}

thread_local! {
    static POINT: Cell<u8> = const { Cell::new(b'.') };
}

impl DecimalPoint {
    /// Sets this thread's point.
    pub fn set(self) {
        POINT.set(match self {
            DecimalPoint::Period => b'.',
            DecimalPoint::Comma => b',',
        });
    }
}

#[inline]
pub(crate) fn decimal_point() -> u8 {
    POINT.get()
}

pub(crate) fn group_separator() -> u8 {
    if decimal_point() == b',' { b'.' } else { b',' }
}

#[inline]
pub(crate) fn localise(out: &mut [u8], start: usize) {
    if decimal_point() != b'.' {
        replace_point(&mut out[start..]);
    }
}

#[cold]
fn replace_point(number: &mut [u8]) {
    if let Some(point) = number.iter_mut().find(|byte| **byte == b'.') {
        *point = decimal_point();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::number::{NumberSyntax, looks_numeric, number_to_text, to_number};

    fn with_comma<R>(work: impl FnOnce() -> R) -> R {
        DecimalPoint::Comma.set();
        let result = work();
        DecimalPoint::Period.set();
        result
    }

    #[test]
    fn a_comma_is_read_and_a_period_ends_a_number() {
        for (text, value, numeric) in [
            ("3,5", 3.5, true),
            (" -3,25 ", -3.25, true),
            (",5", 0.5, true),
            ("5,", 5.0, true),
            ("2.5", 2.0, false),
            (".5", 0.0, false),
            ("1,2,3", 1.2, false),
            ("1,5e3", 1500.0, true),
            ("0,1234567890123456789012345", 0.123_456_789_012_345_68, true),
            ("123456789012345678901,5", 123_456_789_012_345_680_000.0, true),
            ("7", 7.0, true),
            (",", 0.0, false),
        ] {
            let read = with_comma(|| {
                (to_number(text.as_bytes()), looks_numeric(text.as_bytes()).is_some())
            });
            assert_eq!(read, (value, numeric), "{text}");
        }
        assert_eq!(
            (to_number(b"3,5"), looks_numeric(b"3,5"), looks_numeric(b",5")),
            (3.0, None, None)
        );
        NumberSyntax::NonDecimal.set();
        let octal = with_comma(|| (to_number(b"011"), to_number(b"011,5")));
        NumberSyntax::Posix.set();
        let hexadecimal = with_comma(|| to_number(b"0x1,8"));
        NumberSyntax::Decimal.set();
        assert_eq!((octal, hexadecimal), ((9.0, 11.5), 1.5));
    }

    #[test]
    fn a_comma_is_written_and_periods_group_digits() {
        let text = |format: &str, number: f64| {
            let mut out = b"1.5 ".to_vec();
            with_comma(|| number_to_text(number, &Format::parse(format.as_bytes()), &mut out));
            String::from_utf8(out).unwrap()
        };
        // Earlier text and the rest of the format stay unchanged.
        assert_eq!(text("%.6g", 2.5), "1.5 2,5");
        assert_eq!(text("%.6g", -1.25e-7), "1.5 -1,25e-07");
        assert_eq!(text("%.6g", 1e6), "1.5 1000000");
        assert_eq!(text("a.b %.3f.", 1.23456), "1.5 a.b 1,235.");
        assert_eq!(text("%e", 1234.5), "1.5 1,234500e+03");
        assert_eq!(text("%'.2f", 1_234_567.891), "1.5 1.234.567,89");
        assert_eq!(text("%'d", 1_234_567.891), "1.5 1.234.567");
        assert_eq!(text("%#8.3g|", 2.5), "1.5     2,50|");
        assert_eq!(text("%a", 1.5), "1.5 0x1,8p+0");
        assert_eq!(text("%.20g", 0.1), "1.5 0,10000000000000000555");
    }
}
