//! Comments that allow a warning: `# rhawk: allow(RH0802)`.
//!
//! Behind code it holds for its line; on a line of its own for the next line with code, and for the
//! whole rule or function that begins there.

use crate::ast::{Program, Span};
use crate::code::MessageCode;
use crate::diagnostic::{Diagnostic, Fix};
use crate::source::{SourceMap, SourcePiece};

/// Messages while a program runs; their codes begin here. Only a run shows whether they are met.
const FIRST_OF_RUNS: u16 = 1100;

/// What the comments of a program allow.
#[derive(Clone, Debug, Default)]
pub struct Allowances {
    entries: Vec<Allowance>,
    wrong: Vec<Diagnostic>,
}

#[derive(Clone, Debug)]
struct Allowance {
    code: MessageCode,
    /// The code in the comment.
    written: Span,
    /// The comment, if it allows nothing else.
    comment: Option<Span>,
    /// Where it holds, with its end.
    place: Span,
}

impl Allowances {
    /// Reads the comments of a program.
    pub fn of(program: &Program, source: &SourceMap) -> Allowances {
        let mut allowed = Allowances::default();
        for &comment in &program.comments {
            let Some(order) = order(source.slice(comment)) else { continue };
            let Some(piece) = source.piece_at(comment.start) else { continue };
            if piece.is_library {
                continue;
            }
            match codes(order) {
                Some(list) => {
                    // The list lies behind the order's first parenthesis.
                    let text = source.slice(comment);
                    let open = text.iter().position(|&byte| byte == b'(').unwrap_or(0);
                    let list_at = comment.start + open as u32 + 1;
                    allowed.add(list, list_at, comment, place(comment, piece, program));
                }
                None => {
                    let shown = String::from_utf8_lossy(order);
                    let message = format!(
                        "`rhawk: {shown}' is not understood: write `# rhawk: allow(RH0101)'"
                    );
                    allowed.wrong.push(Diagnostic::error(comment, message, "").warning());
                }
            }
        }
        allowed
    }

    /// Whether no comment tells rhawk anything.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.wrong.is_empty()
    }

    fn add(&mut self, list: &[u8], list_at: u32, comment: Span, place: Span) {
        let mut start = list_at;
        for part in list.split(|&byte| byte == b',') {
            let name = String::from_utf8_lossy(part.trim_ascii()).into_owned();
            let blanks = (part.len() - part.trim_ascii_start().len()) as u32;
            let written = Span { start: start + blanks, end: start + blanks + name.len() as u32 };
            start += part.len() as u32 + 1;
            match MessageCode::from_name(&name) {
                Some(code) => self.entries.push(Allowance {
                    code,
                    written,
                    comment: (!list.contains(&b',')).then_some(comment),
                    place,
                }),
                None => {
                    let message = format!("`allow({name})': there is no warning with this code");
                    self.wrong.push(Diagnostic::error(written, message, "").warning());
                }
            }
        }
    }

    /// Whether a comment allows this message at this place.
    pub fn allows(&self, message: &str, span: Span) -> bool {
        let here = |entry: &&Allowance| (entry.place.start..=entry.place.end).contains(&span.start);
        let mut here = self.entries.iter().filter(here).peekable();
        here.peek().is_some() && {
            let code = MessageCode::of(message);
            here.any(|entry| Some(entry.code) == code)
        }
    }

    /// Removes the warnings that comments allow.
    pub fn retain(&self, found: &mut Vec<Diagnostic>) {
        use crate::diagnostic::Severity::Warning;
        found.retain(|found| found.severity != Warning || !self.allows(&found.message, found.span));
    }

    /// Warnings of comments that are wrong, or that allow none of `found`, which are all warnings
    /// that there are before a run.
    pub fn unused(&self, found: &[Diagnostic]) -> Vec<Diagnostic> {
        let is_used = |entry: &Allowance| {
            let is_it = |found: &Diagnostic| {
                (entry.place.start..=entry.place.end).contains(&found.span.start)
                    && MessageCode::of(&found.message) == Some(entry.code)
            };
            entry.code.number() >= FIRST_OF_RUNS || found.iter().any(is_it)
        };
        let unused = self.entries.iter().filter(|entry| !is_used(entry)).map(|entry| {
            let message = format!("`allow({})' allows nothing", entry.code);
            let found = Diagnostic::error(entry.written, message, "no such warning here").warning();
            match entry.comment {
                Some(comment) => found.with_fix(Fix::safe("remove the comment", comment, "")),
                None => found,
            }
        });
        self.wrong.iter().cloned().chain(unused).collect()
    }
}

/// What a comment tells rhawk: the text behind `# rhawk:`.
fn order(comment: &[u8]) -> Option<&[u8]> {
    let text = comment.strip_prefix(b"#")?.trim_ascii_start();
    Some(text.strip_prefix(b"rhawk:")?.trim_ascii_start())
}

/// The list in `allow(RH0101, RH0102)`; text may follow.
fn codes(order: &[u8]) -> Option<&[u8]> {
    let list = order.strip_prefix(b"allow")?.trim_ascii_start().strip_prefix(b"(")?;
    let end = list.iter().position(|&byte| byte == b')')?;
    Some(&list[..end])
}

/// Where a comment holds.
fn place(comment: Span, piece: &SourcePiece, program: &Program) -> Span {
    let text = &piece.text[..];
    let at = (comment.start - piece.base) as usize;
    let line_start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = |start: usize| {
        let length = text[start..].iter().position(|&byte| byte == b'\n');
        let end = length.map_or(text.len(), |length| start + length);
        Span { start: piece.base + start as u32, end: piece.base + end as u32 }
    };
    if !text[line_start..at].trim_ascii().is_empty() {
        return line(line_start);
    }
    let mut start = line_start;
    loop {
        let here = line(start);
        let code = text[start..(here.end - piece.base) as usize].trim_ascii();
        if !(code.is_empty() || code.starts_with(b"#")) {
            let begins = |span: &Span| (here.start..=here.end).contains(&span.start);
            let end = items(program).filter(begins).map(|item| item.end).max();
            return Span { end: end.unwrap_or(0).max(here.end), ..here };
        }
        start = (here.end - piece.base) as usize + 1;
        if start > text.len() {
            return here;
        }
    }
}

fn items(program: &Program) -> impl Iterator<Item = Span> {
    let special = [&program.begin, &program.begin_file, &program.end_file, &program.end];
    let special = special.into_iter().flatten().map(|action| action.span);
    let rules = program.rules.iter().map(|rule| rule.span);
    let defined = program.functions.iter().filter(|function| function.defined && !function.builtin);
    special.chain(rules).chain(defined.map(|function| function.span))
}
