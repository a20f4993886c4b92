//! `sub` and `gsub`. The result is assembled in a buffer that is kept from call to call, and the
//! target assigned only if something matched.

use crate::current::CurrentRecord;
use crate::runtime::Runtime;
use crate::workspace::Workspace;
use riverhawk_bytecode::Unit as Program;
use riverhawk_memory::{self as memory, Growing};
use riverhawk_record::patterns::NO_CONSTANT;
use riverhawk_regex::{Match, Regex};
use riverhawk_syntax::Dialect;
use riverhawk_value::{Ascii, HeapStr, Value};

enum Piece<'a> {
    Text(&'a [u8]),
    Matched,
}

/// Splits a replacement by gawk's rules: `&` is the match, `\&` an ampersand, `\\&` a backslash and
/// the match, `\\\&` a backslash and an ampersand, `\\\\` two backslashes. Any other backslash is
/// itself. By POSIX's rules (`--posix`) `\\` is always one backslash.
fn pieces<'a>(replacement: &'a [u8], by_posix: bool, mut each: impl FnMut(Piece<'a>)) {
    let mut rest = replacement;
    while let Some(at) = memchr::memchr2(b'\\', b'&', rest) {
        if at > 0 {
            each(Piece::Text(&rest[..at]));
        }
        rest = &rest[at..];
        let taken = match rest {
            [b'&', ..] => {
                each(Piece::Matched);
                1
            }
            [b'\\', b'\\', b'\\', last @ (b'&' | b'\\'), ..] => {
                each(Piece::Text(b"\\"));
                each(Piece::Text(std::slice::from_ref(last)));
                4
            }
            [b'\\', b'\\', b'&', ..] => {
                each(Piece::Text(b"\\"));
                each(Piece::Matched);
                3
            }
            [b'\\', b'&', ..] => {
                each(Piece::Text(b"&"));
                2
            }
            [b'\\', b'\\', ..] if by_posix => {
                each(Piece::Text(b"\\"));
                2
            }
            _ => {
                each(Piece::Text(b"\\"));
                1
            }
        };
        rest = &rest[taken..];
    }
    if !rest.is_empty() {
        each(Piece::Text(rest));
    }
}

/// Most replacements are short, and a loop costs less than a call.
#[inline]
fn is_plain(replacement: &[u8]) -> bool {
    match replacement.len() {
        0..16 => !replacement.iter().any(|&byte| byte == b'\\' || byte == b'&'),
        _ => memchr::memchr2(b'\\', b'&', replacement).is_none(),
    }
}

#[derive(Clone, Copy)]
struct Replacement<'a> {
    text: &'a [u8],
    plain: bool,
    by_posix: bool,
}

impl<'a> Replacement<'a> {
    fn new(text: &'a [u8], dialect: Dialect) -> Replacement<'a> {
        Replacement { text, plain: is_plain(text), by_posix: dialect == Dialect::Posix }
    }

    #[inline]
    fn append(self, out: &mut Vec<u8>, matched: &[u8]) {
        if self.plain {
            out.extend_by(self.text);
            return;
        }
        pieces(self.text, self.by_posix, |piece| match piece {
            Piece::Text(text) => out.extend_by(text),
            Piece::Matched => out.extend_by(matched),
        });
    }
}

/// How many matches `sub` and `gsub` replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacements {
    /// The first one.
    First,
    /// All of them.
    Every,
}

impl Replacements {
    pub(crate) fn of(every: bool) -> Replacements {
        if every { Replacements::Every } else { Replacements::First }
    }
}

impl Runtime {
    /// As [`Workspace::substitute_record`] for a constant literal; `None` for others. The search
    /// continues through the window, for the records that follow.
    #[inline]
    pub fn substitute_literal(
        &mut self,
        which: Replacements,
        re: usize,
        by: &Value,
    ) -> Option<usize> {
        self.current.settle_record();
        if self.searches.literal_ahead(&self.current, &self.main, re)? {
            Some(self.replace_literal(which, re, by))
        } else {
            Some(0)
        }
    }

    fn replace_literal(&mut self, which: Replacements, re: usize, by: &Value) -> usize {
        let mut out = std::mem::take(&mut self.workspace.assembly);
        out.clear();
        let mut number = Vec::new();
        let replacement =
            by.text(self.current.record.text(), &self.current.specials.convfmt, &mut number);
        let replacement = Replacement::new(replacement, self.program.dialect);
        let mut count = 0;
        let text = self.current.record.text();
        if let (Some((start, window)), Some(literal)) =
            (self.main.place_of(text), self.searches.patterns.literal(re))
        {
            let length = literal.literal().len();
            let end = start + text.len();
            memory::grow(&mut out, 2 * text.len());
            let mut copied = start;
            let mut next = self.searches.ahead[re].next();
            // A replacement of the same length is written over a copy of the text: one long copy
            // instead of many short ones.
            let in_place = replacement.plain && replacement.text.len() == length;
            if in_place {
                out.extend_by(text);
            }
            while next + length <= end && (which == Replacements::Every || count == 0) {
                if memory::ran_out() {
                    break;
                }
                if in_place {
                    out[next - start..next - start + length].copy_from_slice(replacement.text);
                } else {
                    let before = &window[copied..next];
                    if !memory::grow(&mut out, before.len() + replacement.text.len()) {
                        break;
                    }
                    out.extend_from_slice(before);
                    match replacement.plain {
                        true => out.extend_from_slice(replacement.text),
                        false => replacement.append(&mut out, &window[next..next + length]),
                    }
                }
                copied = next + length;
                count += 1;
                next = literal.next(window, copied).unwrap_or(window.len());
            }
            if !in_place && !memory::ran_out() {
                out.extend_by(&window[copied..end]);
            }
            self.searches.ahead[re].moved_to(copied, next);
        }
        self.current.record.swap_text(&mut out);
        self.workspace.assembly = out;
        count
    }
}

impl Workspace {
    pub fn substitute(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        which: Replacements,
        v: &mut Value,
        regex: &Regex,
        by: &Value,
    ) -> usize {
        let mut scratch = std::mem::take(&mut self.scratch[0]);
        let mut out = std::mem::take(&mut self.assembly);
        out.clear();
        let count = {
            let text = v.text(current.record.text(), &current.specials.convfmt, &mut scratch);
            current.assemble(program, which, text, regex, by, &mut out)
        };
        if count > 0 {
            match v {
                Value::Regex { .. } => {
                    *v = Value::Regex { number: NO_CONSTANT, text: HeapStr::new(&out) }
                }
                _ => {
                    let is_ascii = v.is_known_ascii()
                        && by.bytes(current.record.text()).is_some_and(riverhawk_simd::is_ascii);
                    v.set_text(&out, Ascii::when(is_ascii));
                }
            }
        }
        self.scratch[0] = scratch;
        self.assembly = out;
        count
    }

    pub fn substitute_record(
        &mut self,
        program: &Program,
        current: &mut CurrentRecord,
        which: Replacements,
        regex: &Regex,
        by: &Value,
    ) -> usize {
        current.settle_record();
        let mut out = std::mem::take(&mut self.assembly);
        out.clear();
        let count = current.assemble(program, which, current.record.text(), regex, by, &mut out);
        if count > 0 {
            current.record.swap_text(&mut out);
        }
        self.assembly = out;
        count
    }
}

impl CurrentRecord {
    fn assemble(
        &self,
        program: &Program,
        which: Replacements,
        text: &[u8],
        regex: &Regex,
        by: &Value,
        out: &mut Vec<u8>,
    ) -> usize {
        let mut number = Vec::new();
        let replacement = by.text(self.record.text(), &self.specials.convfmt, &mut number);
        let replacement = Replacement::new(replacement, program.dialect);
        let mut copied = 0;
        let mut count = 0;
        let mut one = |found: Match| {
            let before = &text[copied..found.start];
            if memory::ran_out() || !memory::grow(out, before.len() + replacement.text.len()) {
                return false;
            }
            out.extend_from_slice(before);
            match replacement.plain {
                true => out.extend_from_slice(replacement.text),
                false => replacement.append(out, &text[found.start..found.end]),
            }
            copied = found.end;
            count += 1;
            true
        };
        if which == Replacements::Every {
            for found in regex.matches(text) {
                if !one(found) {
                    break;
                }
            }
        } else if let Some(found) = regex.find(text) {
            one(found);
        }
        if count > 0 && !memory::ran_out() {
            out.extend_by(&text[copied..]);
        }
        count
    }
}
