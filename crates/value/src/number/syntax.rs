//! Input numbers besides decimal ones: hexadecimal and octal with `-n`, and all of C's `strtod`
//! with `--posix`.
//!
//! It is a property of the thread, since it is rare and callers are everywhere.

use std::cell::Cell;

use super::blank::is_blank;
use super::point::decimal_point;

/// Which numbers input text may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NumberSyntax {
    /// Decimal numbers, and `+inf -inf +nan -nan`.
    #[default]
    Decimal,
    /// Also `0x1A` and `017`, as in program text.
    NonDecimal,
    /// What `strtod` takes: also `0x1.8p3`, `inf`, `infinity` and `nan` without a sign.
    Posix,
    /// The same without hexadecimal: what MPFR reads at base ten, as gawk does for any precision.
    PosixDecimal,
}

thread_local! {
    static SYNTAX: Cell<NumberSyntax> = const { Cell::new(NumberSyntax::Decimal) };
}

impl NumberSyntax {
    /// Sets this thread's syntax.
    pub fn set(self) {
        SYNTAX.set(self);
    }

    /// This thread's syntax.
    #[inline]
    pub fn get() -> NumberSyntax {
        SYNTAX.get()
    }

    /// Whether POSIX's rules apply.
    #[inline]
    pub fn is_posix(self) -> bool {
        matches!(self, NumberSyntax::Posix | NumberSyntax::PosixDecimal)
    }
}

#[cold]
pub(super) fn after_zero(text: &[u8], sign: Option<u8>) -> Option<(f64, usize)> {
    match NumberSyntax::get() {
        NumberSyntax::Decimal | NumberSyntax::PosixDecimal => {
            matches!(text.get(1), Some(b'x' | b'X')).then_some((0.0, 1))
        }
        syntax => hexadecimal(text, syntax == NumberSyntax::Posix)
            // As in gawk, `-011` is decimal.
            .or_else(|| {
                if syntax == NumberSyntax::NonDecimal && sign.is_none() {
                    octal(text)
                } else {
                    None
                }
            }),
    }
}

#[cold]
pub(super) fn word(text: &[u8]) -> Option<(f64, usize)> {
    if !NumberSyntax::get().is_posix() {
        return None;
    }
    let words: [(&[u8], f64); 3] =
        [(b"infinity", f64::INFINITY), (b"inf", f64::INFINITY), (b"nan", f64::NAN.copysign(1.0))];
    let begins =
        |word: &[u8]| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    words.into_iter().find(|(word, _)| begins(word)).map(|(word, value)| (value, word.len()))
}

fn hexadecimal(text: &[u8], with_fraction: bool) -> Option<(f64, usize)> {
    if !matches!(text.get(1), Some(b'x' | b'X')) {
        return None;
    }
    let digit = |at: usize| text.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let (mut at, mut value, mut digits) = (2, 0.0, 0);
    while let Some(digit) = digit(at) {
        value = value * 16.0 + f64::from(digit);
        (at, digits) = (at + 1, digits + 1);
    }
    if with_fraction
        && text.get(at) == Some(&decimal_point())
        && (digits > 0 || digit(at + 1).is_some())
    {
        at += 1;
        let mut scale = 1.0 / 16.0;
        while let Some(digit) = digit(at) {
            value += f64::from(digit) * scale;
            (at, digits, scale) = (at + 1, digits + 1, scale / 16.0);
        }
    }
    if digits == 0 {
        return None;
    }
    if with_fraction && matches!(text.get(at), Some(b'p' | b'P')) {
        let negative = text.get(at + 1) == Some(&b'-');
        let first = at + 1 + usize::from(negative || text.get(at + 1) == Some(&b'+'));
        let count = text[first..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count > 0 {
            let size: i32 =
                std::str::from_utf8(&text[first..first + count]).ok()?.parse().unwrap_or(99_999);
            value *= 2f64.powi(if negative { -size } else { size });
            at = first + count;
        }
    }
    Some((value, at))
}

/// All digits must be octal: `018` is decimal.
fn octal(text: &[u8]) -> Option<(f64, usize)> {
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_octal = len > 1 && text[..len].iter().all(|&digit| digit < b'8');
    let follows = text.get(len);
    let ends = follows.is_none_or(|&byte| {
        !(byte == decimal_point() || matches!(byte, b'e' | b'E')) || is_blank(byte)
    });
    let value = |digits: &[u8]| {
        digits.iter().fold(0.0, |value, &digit| value * 8.0 + f64::from(digit - b'0'))
    };
    (is_octal && ends).then(|| (value(&text[..len]), len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{looks_numeric, to_number};

    fn read(syntax: NumberSyntax, text: &str) -> (f64, bool) {
        syntax.set();
        let read = (to_number(text.as_bytes()), looks_numeric(text.as_bytes()).is_some());
        NumberSyntax::Decimal.set();
        read
    }

    #[test]
    fn decimal_knows_neither_hexadecimal_nor_octal() {
        assert_eq!(read(NumberSyntax::Decimal, "0x1A"), (0.0, false));
        assert_eq!(read(NumberSyntax::Decimal, "011"), (11.0, true));
        assert_eq!(read(NumberSyntax::Decimal, "inf"), (0.0, false));
    }

    #[test]
    fn non_decimal_reads_what_program_text_may_have() {
        for (text, value, numeric) in [
            ("0x1A", 26.0, true),
            (" -0x10 ", -16.0, true),
            ("011", 9.0, true),
            ("-011", -11.0, true),
            ("018", 18.0, true),
            ("0", 0.0, true),
            ("0x", 0.0, false),
            ("0xg", 0.0, false),
            ("011.5", 11.5, true),
            ("0x1Ag", 26.0, false),
            ("inf", 0.0, false),
            ("00.5", 0.5, true),
        ] {
            assert_eq!(read(NumberSyntax::NonDecimal, text), (value, numeric), "{text}");
        }
    }

    #[test]
    fn posix_reads_what_strtod_reads() {
        for (text, value, numeric) in [
            ("0x1A", 26.0, true),
            ("0x1.8p3", 12.0, true),
            ("0x.8", 0.5, true),
            ("0x1.", 1.0, true),
            ("0x.", 0.0, false),
            ("0x1p-1", 0.5, true),
            ("0x1p", 1.0, false),
            ("011", 11.0, true),
            ("inf", f64::INFINITY, true),
            ("-Infinity", f64::NEG_INFINITY, true),
            ("infidel", f64::INFINITY, false),
        ] {
            assert_eq!(read(NumberSyntax::Posix, text), (value, numeric), "{text}");
        }
        assert!(read(NumberSyntax::Posix, "nan").0.is_nan());
    }
}
