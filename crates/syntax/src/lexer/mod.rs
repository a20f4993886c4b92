//! The lexer: turns text into tokens, one at a time, as the parser asks for them.
//!
//! A slash is always [`TokenKind::Slash`] or [`TokenKind::DivAssign`]. Where an operand may start,
//! the parser calls [`Lexer::regex`], since only the grammar distinguishes a regex from a division.
//!
//! Each piece of the source ends in a newline and [`TokenKind::Eof`], so that no rule spans files.

mod number;
mod own;
mod qualified;
mod regex;
mod shadow;
mod string;

pub(crate) use own::is_of_library;
pub(crate) use qualified::malformed;
pub(crate) use shadow::Within;

use std::ops::Range;

use crate::MAX_ERRORS;
use crate::ast::Span;
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::Dialect;
use crate::source::{Included, SourceMap, SourcePiece};
use crate::token::{Token, TokenKind};
use crate::words::Words;

pub(crate) struct Lexer<'a> {
    pieces: &'a [SourcePiece],
    piece: usize,
    text: &'a [u8],
    base: u32,
    at: usize,
    previous: TokenKind,
    pub words: Words,
    pub number: f64,
    /// Its text, if a double may not hold it: see
    /// [`Program::numerals`](crate::ast::Program::numerals).
    pub numeral: Option<Vec<u8>>,
    pub content: Vec<u8>,
    pub diagnostics: Vec<Diagnostic>,
    /// Lines that already have an error, as ranges of offsets; at most [`MAX_ERRORS`].
    error_lines: Vec<Range<u32>>,
    pub quiet: bool,
    source: &'a SourceMap,
    /// The pieces that include this one, each with the position and namespace to return to.
    including: Vec<(usize, usize, Option<String>)>,
    entered: Vec<bool>,
    namespace: Option<String>,
    /// The library's namespaces that the program defines itself.
    own_namespaces: Option<Vec<String>>,
    shadow: shadow::Shadow,
    pub dialect: Dialect,
    pub comments: Vec<Span>,
}

/// A position to return to. The counts of errors keep text that is read again from being reported
/// twice.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    at: usize,
    previous: TokenKind,
    diagnostics: usize,
    error_lines: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(source: &'a SourceMap, dialect: Dialect) -> Lexer<'a> {
        let pieces = source.pieces();
        let (text, base) =
            pieces.first().map_or((&[][..], 0), |piece| (&piece.text[..], piece.base));
        Lexer {
            pieces,
            piece: 0,
            text,
            base,
            at: 0,
            previous: TokenKind::Newline,
            words: Words::new(),
            number: 0.0,
            numeral: None,
            content: Vec::new(),
            diagnostics: Vec::new(),
            error_lines: Vec::new(),
            quiet: false,
            source,
            including: Vec::new(),
            entered: (0..pieces.len()).map(|piece| piece == 0).collect(),
            namespace: None,
            own_namespaces: None,
            shadow: shadow::Shadow::default(),
            dialect,
            comments: Vec::new(),
        }
    }

    /// Returns to where this piece was included, or goes on with the next piece; false at the end.
    pub(crate) fn next_piece(&mut self) -> bool {
        if let Some((piece, at, namespace)) = self.including.pop() {
            self.go_to(piece, at);
            self.namespace = namespace;
            return true;
        }
        let after = (self.piece + 1..self.pieces.len()).find(|&piece| !self.pieces[piece].included);
        let Some(piece) = after else { return false };
        self.entered[piece] = true;
        self.namespace = None;
        self.go_to(piece, 0);
        true
    }

    fn go_to(&mut self, piece: usize, at: usize) {
        self.piece = piece;
        self.text = &self.pieces[piece].text;
        self.base = self.pieces[piece].base;
        self.at = at;
    }

    pub(crate) fn included(&self, name: &[u8]) -> Option<&'a Included> {
        self.source.included(name)
    }

    /// Continues with a piece, and returns here after it; false if it has been read already.
    pub(crate) fn enter(&mut self, piece: usize) -> bool {
        if std::mem::replace(&mut self.entered[piece], true) {
            return false;
        }
        self.including.push((self.piece, self.at, self.namespace.take()));
        self.go_to(piece, 0);
        true
    }

    pub(crate) fn has_entered(&self, piece: usize) -> bool {
        self.entered[piece]
    }

    pub(crate) fn set_namespace(&mut self, name: &str) {
        self.namespace = (name != "awk").then(|| name.to_string());
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            at: self.at,
            previous: self.previous,
            diagnostics: self.diagnostics.len(),
            error_lines: self.error_lines.len(),
        }
    }

    pub(crate) fn rewind(&mut self, mark: Mark) {
        self.at = mark.at;
        self.previous = mark.previous;
        self.diagnostics.truncate(mark.diagnostics);
        self.error_lines.truncate(mark.error_lines);
    }

    /// Whether a parenthesis follows at once, which makes a name a function call.
    pub(crate) fn at_paren(&self) -> bool {
        self.peek(0) == Some(b'(')
    }

    pub(crate) fn at_slash(&self) -> bool {
        self.peek(0) == Some(b'/')
    }

    pub(crate) fn at_quote(&self) -> bool {
        self.peek(0) == Some(b'"')
    }

    pub(crate) fn slice(&self, span: Span) -> &'a [u8] {
        let end = (span.end.saturating_sub(self.base) as usize).min(self.text.len());
        &self.text[(span.start.saturating_sub(self.base) as usize).min(end)..end]
    }

    /// Where a directive can be put into the file that an offset is in: at its start, behind a line
    /// that names the interpreter.
    pub(crate) fn directives_at(&self, offset: u32) -> u32 {
        let Some(piece) = self.source.piece_at(offset) else { return 0 };
        let line_end = || piece.text.iter().position(|&byte| byte == b'\n');
        let line = if piece.text.starts_with(b"#!") { line_end().map(|at| at + 1) } else { None };
        piece.base + line.unwrap_or(0) as u32
    }

    /// Records an error or warning. Only the first of each line is kept, since the others mostly
    /// follow from it.
    pub(crate) fn report(&mut self, found: Diagnostic) {
        if self.quiet {
            return;
        }
        if found.severity == Severity::Error {
            let start = found.span.start;
            if self.has_too_many_errors()
                || self.error_lines.iter().any(|line| line.contains(&start))
            {
                return;
            }
            let at = (start.saturating_sub(self.base) as usize).min(self.text.len());
            let line_start = self.text[..at]
                .iter()
                .rposition(|&byte| byte == b'\n')
                .map_or(0, |newline| newline + 1);
            self.error_lines
                .push(self.base + line_start as u32..self.base + self.line_end(at) as u32 + 1);
        }
        self.diagnostics.push(found);
    }

    pub(crate) fn has_too_many_errors(&self) -> bool {
        self.error_lines.len() >= MAX_ERRORS
    }

    pub(crate) fn has_errors(&self) -> bool {
        !self.error_lines.is_empty()
    }

    pub(crate) fn next(&mut self) -> Token {
        self.skip_blanks();
        let start = self.at;
        let mut word = 0;
        let kind = match self.peek(0) {
            None => TokenKind::Eof,
            Some(byte) => match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                    let kind;
                    (kind, word) = self.word();
                    kind
                }
                b'0'..=b'9' => self.number(),
                b'.' if self.peek(1).is_some_and(|digit| digit.is_ascii_digit()) => self.number(),
                b'"' => self.string(),
                _ => self.punctuation(byte),
            },
        };
        self.previous = kind;
        Token { kind, span: self.span_from(start), word }
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.peek(0) {
                // gawk drops the carriage return of a CRLF line end; elsewhere it is a blank.
                Some(b' ' | b'\t' | b'\r') => self.at += 1,
                // A backslash at the end of a comment does not continue the line.
                Some(b'#') => {
                    let start = self.at;
                    self.at = self.line_end(start);
                    let comment = self.span_from(start);
                    // Text that is read again has no new comments.
                    if !self.in_library()
                        && self.comments.last().is_none_or(|last| last.start < comment.start)
                    {
                        self.comments.push(comment);
                    }
                }
                Some(b'\\') => match self.continuation(self.at) {
                    Some(after) => self.at = after,
                    None => return,
                },
                _ => return,
            }
        }
    }

    /// Where the next line starts, if the backslash at `at` continues this line.
    fn continuation(&self, at: usize) -> Option<usize> {
        match self.text.get(at + 1..)? {
            [b'\n', ..] => Some(at + 2),
            [b'\r', b'\n', ..] => Some(at + 3),
            _ => None,
        }
    }

    fn word(&mut self) -> (TokenKind, u32) {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.iter().position(|&byte| !is_name_byte(byte)).unwrap_or(rest.len());
        self.at += length;
        let extended = self.dialect.has_extensions();
        if extended && self.text[self.at..].starts_with(b"::") {
            return self.qualified(start);
        }
        // In `$_"text"`, gawk takes the `_` for the field's number.
        if extended && rest.starts_with(b"_\"") && self.previous != TokenKind::Dollar {
            return (self.string(), Words::MARK);
        }
        let text = std::str::from_utf8(&rest[..length]).unwrap_or_default();
        let mut word = self.words.number(text);
        let is_name =
            if extended { self.is_shadowed(word, text) } else { !self.dialect.has_word(text) };
        let kind = if is_name { TokenKind::Name } else { Words::kind(word) };
        if let (Some(namespace), TokenKind::Name) = (&self.namespace, kind)
            && !text.bytes().all(|byte| byte.is_ascii_uppercase())
        {
            // A name all in capitals, such as NF, belongs to every namespace.
            word = self.words.number(&format!("{namespace}::{text}"));
        }
        (kind, word)
    }

    fn punctuation(&mut self, byte: u8) -> TokenKind {
        use TokenKind::*;
        let after = self.peek(1);
        let (kind, length) = match (byte, after) {
            (b'\n', _) => (Newline, 1),
            (b'(', _) => (LeftParen, 1),
            (b')', _) => (RightParen, 1),
            (b'[', _) => (LeftBracket, 1),
            (b']', _) => (RightBracket, 1),
            (b'{', _) => (LeftBrace, 1),
            (b'}', _) => (RightBrace, 1),
            (b';', _) => (Semicolon, 1),
            (b',', _) => (Comma, 1),
            (b'?', _) => (Question, 1),
            (b':', _) => (Colon, 1),
            (b'$', _) => (Dollar, 1),
            (b'~', _) => (Match, 1),
            (b'@', _) if self.dialect.has_extensions() || self.pieces[self.piece].is_option => {
                (At, 1)
            }
            (b'+', Some(b'+')) => (Increment, 2),
            (b'+', Some(b'=')) => (AddAssign, 2),
            (b'+', _) => (Plus, 1),
            (b'-', Some(b'-')) => (Decrement, 2),
            (b'-', Some(b'=')) => (SubAssign, 2),
            (b'-', _) => (Minus, 1),
            (b'*', Some(b'*')) if self.dialect == Dialect::Posix => (Star, 1),
            (b'*', Some(b'*')) if self.peek(2) == Some(b'=') => (PowAssign, 3),
            (b'*', Some(b'*')) => (Caret, 2),
            (b'*', Some(b'=')) => (MulAssign, 2),
            (b'*', _) => (Star, 1),
            (b'/', Some(b'=')) => (DivAssign, 2),
            (b'/', _) => (Slash, 1),
            (b'%', Some(b'=')) => (ModAssign, 2),
            (b'%', _) => (Percent, 1),
            (b'^', Some(b'=')) => (PowAssign, 2),
            (b'^', _) => (Caret, 1),
            (b'!', Some(b'=')) => (NotEqual, 2),
            (b'!', Some(b'~')) => (NoMatch, 2),
            (b'!', _) => (Not, 1),
            (b'<', Some(b'=')) => (LessEqual, 2),
            (b'<', _) => (Less, 1),
            (b'=', Some(b'=')) => (Equal, 2),
            (b'=', _) => (Assign, 1),
            (b'>', Some(b'>')) => (Append, 2),
            (b'>', Some(b'=')) => (GreaterEqual, 2),
            (b'>', _) => (Greater, 1),
            (b'|', Some(b'|')) => (Or, 2),
            (b'|', Some(b'&')) if self.dialect.has_extensions() => (Coprocess, 2),
            (b'|', _) => (Pipe, 1),
            (b'&', Some(b'&')) => (And, 2),
            _ => return self.invalid(byte),
        };
        self.at += length;
        kind
    }

    fn invalid(&mut self, byte: u8) -> TokenKind {
        let start = self.at;
        self.at += match std::str::from_utf8(&self.text[start..self.text.len().min(start + 4)]) {
            Ok(text) => text.chars().next().map_or(1, char::len_utf8),
            Err(error) => std::str::from_utf8(&self.text[start..start + error.valid_up_to()])
                .ok()
                .and_then(|text| text.chars().next())
                .map_or(1, char::len_utf8),
        };
        let span = self.span_from(start);
        let shown = match std::str::from_utf8(&self.text[start..self.at]) {
            Ok("\u{FEFF}") => "U+FEFF".to_string(),
            Ok(text) if !text.chars().any(char::is_control) => format!("`{text}`"),
            _ => format!("byte 0x{byte:02X}"),
        };
        let message = format!("invalid character {shown} in an expression");
        let found = Diagnostic::error(span, message, "no token starts with this");
        self.report(match byte {
            // All control characters but blanks, line ends and those with an escape in C.
            0..=6 | 14..=31 | 127 => {
                let message = format!("invalid character '\\{byte:03o}' in source code");
                Diagnostic::error(span, message, "a control character").fatal()
            }
            b'\'' => found.with_help(
                "awk strings take double quotes; single quotes only protect the program from the shell, and end at the next one",
            ),
            b'\\' => Diagnostic::error(span, "backslash not last character on line", "expected the end of the line here")
                .with_help("a backslash continues a line only when nothing follows it, not even a blank"),
            b'@' => found.with_help("names that begin with `@` are an extension of gawk, which --traditional and --posix switch off"),
            b'&' if !self.dialect.has_extensions() => {
                found.with_help("coprocesses are an extension of gawk, which --traditional and --posix switch off")
            }
            b'&' => found.with_help("awk's logical operator is `&&`; it has no bitwise operators"),
            0xE2 if shown.contains(['“', '”', '‘', '’', '„']) => found.with_help("use plain ASCII double quotes"),
            0xEF if self.text[start..].starts_with(b"\xEF\xBB\xBF") => {
                found.with_help("this is a byte order mark: save the program without it")
            }
            0x80.. => found.with_help("names are made of ASCII letters, digits and underscores"),
            _ => found,
        });
        TokenKind::Invalid
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    fn line_end(&self, at: usize) -> usize {
        self.text[at..]
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(self.text.len(), |length| at + length)
    }

    fn span_from(&self, start: usize) -> Span {
        Span { start: self.base + start as u32, end: self.base + self.at as u32 }
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
