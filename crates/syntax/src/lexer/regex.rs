//! Finds the end of regex constants.

use super::Lexer;
use crate::ast::Span;
use crate::diagnostic::Diagnostic;

impl Lexer<'_> {
    /// Reads the regex constant whose opening slash is at `slash`; `content` gets its text, with
    /// only `\/` and continued lines changed. Without a closing slash it is reported, and ends with
    /// its line.
    ///
    /// A slash in brackets does not end it, as in gawk: `/[/]/`.
    pub(crate) fn regex(&mut self, slash: u32) -> Span {
        let start = (slash - self.base) as usize;
        self.at = start + 1;
        self.content.clear();
        let mut bracket_start = None;
        loop {
            match self.peek(0) {
                None | Some(b'\n') => {
                    let span = self.span_from(start);
                    let unterminated = match bracket_start {
                        Some(bracket) => {
                            let bracket = Span {
                                start: self.base + bracket as u32,
                                end: self.base + bracket as u32 + 1,
                            };
                            Diagnostic::error(span, "unterminated regexp", "expected a closing `/` on the same line")
                                .with_related(
                                    bracket,
                                    "this `[` is not closed by a `]`, so no `/` after it ends the regexp",
                                )
                        }
                        None => Diagnostic::error(
                            span,
                            "unterminated regexp",
                            "expected a closing `/` on the same line",
                        ),
                    };
                    self.report(unterminated);
                    return span;
                }
                Some(0) => {
                    self.invalid(0);
                }
                Some(b'/') if bracket_start.is_none() => {
                    self.at += 1;
                    return self.span_from(start);
                }
                Some(b'\\') => self.regex_escape(),
                Some(b'[') if bracket_start.is_none() => {
                    bracket_start = Some(self.at);
                    self.keep(1);
                    if self.peek(0) == Some(b'^') {
                        self.keep(1);
                    }
                    // A `]` right after the opening bracket is a member.
                    if self.peek(0) == Some(b']') {
                        self.keep(1);
                    }
                }
                Some(b'[') => self.regex_class(),
                Some(b']') => {
                    bracket_start = None;
                    self.keep(1);
                }
                Some(_) => self.keep(1),
            }
        }
    }

    fn keep(&mut self, count: usize) {
        let end = (self.at + count).min(self.text.len());
        self.content.extend_from_slice(&self.text[self.at..end]);
        self.at = end;
    }

    fn regex_escape(&mut self) {
        if let Some(after) = self.continuation(self.at) {
            self.at = after;
            return;
        }
        match self.peek(1) {
            Some(b'/') => {
                self.at += 1;
                self.keep(1);
            }
            Some(b'\n' | 0) => self.keep(1),
            _ => self.keep(2),
        }
    }

    /// In brackets: `[:alpha:]`, `[.a.]`, `[=a=]` if closed on this line, otherwise a plain `[`.
    fn regex_class(&mut self) {
        let rest = &self.text[self.at..self.line_end(self.at)];
        let length = match rest.get(1) {
            Some(&mark @ (b':' | b'.' | b'=')) => rest[2..]
                .windows(2)
                .position(|pair| pair == [mark, b']'])
                .filter(|&name| name <= 32)
                .map(|name| name + 4),
            _ => None,
        };
        self.keep(length.unwrap_or(1));
    }
}
