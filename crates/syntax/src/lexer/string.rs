//! String constants and their escapes.

use super::Lexer;
use crate::ast::Span;
use crate::diagnostic::{Diagnostic, Fix, FixKind};
use crate::dialect::Dialect;
use crate::token::TokenKind;

impl Lexer<'_> {
    /// A string without a closing quote is reported, and ends with its line.
    pub(super) fn string(&mut self) -> TokenKind {
        let start = self.at;
        self.at += 1;
        self.content.clear();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest
                .iter()
                .position(|byte| matches!(byte, b'"' | b'\\' | b'\n' | 0))
                .unwrap_or(rest.len());
            self.content.extend_from_slice(&rest[..plain]);
            self.at += plain;
            match self.peek(0) {
                Some(b'"') => {
                    self.at += 1;
                    return TokenKind::String;
                }
                Some(b'\\') if self.at + 1 < self.text.len() => self.escape(),
                Some(0) => {
                    self.invalid(0);
                }
                _ => {
                    self.at = self.line_end(self.at);
                    let span = self.span_from(start);
                    self.report(
                        Diagnostic::error(
                            span,
                            "unterminated string",
                            "expected a closing `\"` on the same line",
                        )
                        .with_help("write a newline inside a string as `\\n`"),
                    );
                    return TokenKind::String;
                }
            }
        }
    }

    /// Reads an escape; at least one byte follows the backslash.
    fn escape(&mut self) {
        if let Some(after) = self.continuation(self.at) {
            if self.dialect == Dialect::Posix {
                let span = self.span_from(self.at);
                let message = "POSIX does not allow physical newlines in string values";
                self.report(
                    Diagnostic::error(span, message, "the string continues on the next line")
                        .fatal(),
                );
            }
            self.at = after;
            return;
        }
        let start = self.at;
        let escaped = self.text[start + 1];
        self.at += 2;
        let byte = match escaped {
            b'"' | b'\\' => escaped,
            b'a' => 0x07,
            b'b' => 0x08,
            b'f' => 0x0C,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 0x0B,
            b'0'..=b'7' => {
                let mut value = u32::from(escaped - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = self.peek(0) else { break };
                    value = value * 8 + u32::from(digit - b'0');
                    self.at += 1;
                }
                // gawk keeps the low eight bits of `\777`.
                value as u8
            }
            b'x' | b'u' if self.dialect == Dialect::Posix => escaped,
            b'x' => match self.hex_digits() {
                Some(value) => value,
                None => {
                    let span = self.span_from(start);
                    self.report(
                        Diagnostic::error(
                            span,
                            "no hex digits in `\\x' escape sequence",
                            "stands for a plain `x`",
                        )
                        .warning(),
                    );
                    b'x'
                }
            },
            b'u' => return self.code_point(start),
            b'\n' | 0 => {
                self.at = start + 1;
                return;
            }
            _ => return self.unknown_escape(start),
        };
        self.content.push(byte);
    }

    /// `\u` and up to eight hexadecimal digits: that character in UTF-8, or `?`, as in gawk 5.3.
    fn code_point(&mut self, start: usize) {
        let rest = &self.text[self.at..];
        let digits = rest.iter().take(8).take_while(|byte| byte.is_ascii_hexdigit()).count();
        self.at += digits;
        let written = std::str::from_utf8(&rest[..digits]).unwrap_or_default();
        let Ok(number) = u32::from_str_radix(written, 16) else {
            let message = "no hex digits in `\\u' escape sequence";
            self.content.push(b'u');
            let span = self.span_from(start);
            return self
                .report(Diagnostic::error(span, message, "stands for a plain `u`").warning());
        };
        let Some(character) = char::from_u32(number) else {
            let message = "invalid `\\u' escape sequence";
            self.content.push(b'?');
            let span = self.span_from(start);
            return self.report(
                Diagnostic::error(span, message, "no character has this number: stands for `?`")
                    .warning(),
            );
        };
        self.content.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }

    fn hex_digits(&mut self) -> Option<u8> {
        let mut value = None;
        for _ in 0..2 {
            let Some(digit) = self.peek(0).and_then(|byte| char::from(byte).to_digit(16)) else {
                break;
            };
            value = Some(value.unwrap_or(0) << 4 | digit as u8);
            self.at += 1;
        }
        value
    }

    /// An escape without a meaning is the character itself, with all its bytes.
    fn unknown_escape(&mut self, start: usize) {
        while self.peek(0).is_some_and(|byte| byte & 0xC0 == 0x80) && self.text[start + 1] >= 0xC0 {
            self.at += 1;
        }
        let character = &self.text[start + 1..self.at];
        self.content.extend_from_slice(character);
        let shown = String::from_utf8_lossy(character).into_owned();
        let span = self.span_from(start);
        let message = format!("escape sequence `\\{shown}' treated as plain `{shown}'");
        if self.diagnostics.iter().any(|found| found.message == message) {
            return;
        }
        // `"\x4\c"` without the second backslash would be another character.
        let joins = self.text[start + 1].is_ascii_hexdigit()
            && self.text[start - 1].is_ascii_alphanumeric();
        let kind = if joins { FixKind::Suggested } else { FixKind::Safe };
        let backslash = Span { start: span.start, end: span.start + 1 };
        self.report(
            Diagnostic::error(span, message, "this escape has no meaning in a string")
                .warning()
                .with_help(format!(
                    "write `\\\\{shown}` for a backslash (as in a regex), or drop the backslash"
                ))
                .with_fix(Fix { kind, ..Fix::safe("drop the backslash", backslash, "") })
                .with_fix(Fix::suggested("double the backslash", backslash, "\\\\")),
        );
    }
}
