//! Number constants: decimal, and as in gawk hexadecimal and octal (`011` is 9).

use super::Lexer;
use crate::token::TokenKind;

impl Lexer<'_> {
    pub(super) fn number(&mut self) -> TokenKind {
        let extended = self.dialect.has_extensions();
        if extended
            && self.peek(0) == Some(b'0')
            && matches!(self.peek(1), Some(b'x' | b'X'))
            && self.peek(2).is_some_and(|digit| digit.is_ascii_hexdigit())
        {
            let start = self.at;
            self.at += 2;
            let digits = self.digits(|byte| byte.is_ascii_hexdigit());
            self.number = in_base(digits, 16.0);
            self.keep_numeral(start, self.number < EXACT);
            // gawk skips a fraction here: `0x1.8` is 1.
            if self.peek(0) == Some(b'.') {
                self.at += 1;
                self.digits(|byte| byte.is_ascii_hexdigit());
            }
            return TokenKind::Number;
        }
        let start = self.at;
        self.digits(|byte| byte.is_ascii_digit());
        let mut whole = true;
        if self.peek(0) == Some(b'.') {
            whole = false;
            self.at += 1;
            self.digits(|byte| byte.is_ascii_digit());
        }
        if matches!(self.peek(0), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.peek(1), Some(b'+' | b'-')));
            // `1e` is 1 followed by a variable `e`.
            if self.peek(1 + sign).is_some_and(|digit| digit.is_ascii_digit()) {
                whole = false;
                self.at += 1 + sign;
                self.digits(|byte| byte.is_ascii_digit());
            }
        }
        let text = &self.text[start..self.at];
        self.number = if extended
            && whole
            && text[0] == b'0'
            && text.iter().all(|digit| (b'0'..b'8').contains(digit))
        {
            in_base(text, 8.0)
        } else {
            std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).unwrap_or(0.0)
        };
        self.keep_numeral(start, whole && self.number < EXACT);
        TokenKind::Number
    }

    /// Keeps the text of a constant, unless a double holds its exact value.
    fn keep_numeral(&mut self, start: usize, says_all: bool) {
        self.numeral = (!says_all).then(|| self.text[start..self.at].to_vec());
    }

    fn digits(&mut self, is_digit: impl Fn(u8) -> bool) -> &[u8] {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|&byte| !is_digit(byte)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }
}

/// 2^53: every integer below it is a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

fn in_base(digits: &[u8], base: f64) -> f64 {
    let digit = |&byte: &u8| f64::from(char::from(byte).to_digit(16).unwrap_or(0));
    digits.iter().fold(0.0, |value, byte| value * base + digit(byte))
}
