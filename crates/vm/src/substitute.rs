//! `sub` and `gsub`. The result is assembled in a buffer that is kept from call to call, and the
//! target assigned only if something matched.

use crate::current::CurrentRecord;
use crate::runtime::Runtime;
use crate::searches::Searches;
use crate::workspace::Workspace;
use riverhawk_bytecode::operand::PatternKind;
use riverhawk_bytecode::{PatternRef, Unit as Program};
use riverhawk_memory::{self as memory, Appender, Growing, PART};
use riverhawk_record::patterns::NO_CONSTANT;
use riverhawk_regex::{AllMatches, Match, Regex};
use riverhawk_syntax::Dialect;
use riverhawk_value::{Ascii, HeapStr, SMALL_CAPACITY, Value};
use std::iter;
use std::ops::Range;

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

/// What a replacement consists of, found once for all matches of a call.
#[derive(Clone, Copy)]
enum Form<'a> {
    /// No match.
    Plain(Part<'a>),
    /// The match once, between these.
    Around([Part<'a>; 2]),
    /// What [`pieces`] says.
    Any { by_posix: bool },
}

/// A text that is appended many times: a short one with one store.
#[derive(Clone, Copy)]
struct Part<'a> {
    text: &'a [u8],
    start: [u8; PART],
}

impl<'a> Part<'a> {
    fn new(text: &'a [u8]) -> Part<'a> {
        let mut start = [0; PART];
        let len = text.len().min(PART);
        start[..len].copy_from_slice(&text[..len]);
        Part { text, start }
    }

    #[inline(always)]
    fn append_to(&self, out: &mut Appender<'_>) {
        let length = self.text.len();
        out.put(if length <= PART { &self.start } else { self.text }, 0..length);
    }
}

impl<'a> Form<'a> {
    #[inline]
    fn of(replacement: &'a [u8], dialect: Dialect) -> Form<'a> {
        match first_special(replacement) {
            None => Form::Plain(Part::new(replacement)),
            Some(at)
                if replacement[at] == b'&' && first_special(&replacement[at + 1..]).is_none() =>
            {
                Form::Around([&replacement[..at], &replacement[at + 1..]].map(Part::new))
            }
            Some(_) => Form::Any { by_posix: dialect == Dialect::Posix },
        }
    }
}

/// Most replacements are short, and a loop costs less than a call.
#[inline]
fn first_special(replacement: &[u8]) -> Option<usize> {
    match replacement.len() {
        0..16 => replacement.iter().position(|&byte| byte == b'\\' || byte == b'&'),
        _ => memchr::memchr2(b'\\', b'&', replacement),
    }
}

#[derive(Clone, Copy)]
struct Replacement<'a> {
    text: &'a [u8],
    form: Form<'a>,
}

impl<'a> Replacement<'a> {
    fn new(text: &'a [u8], dialect: Dialect) -> Replacement<'a> {
        Replacement { text, form: Form::of(text, dialect) }
    }

    fn is_plain(self) -> bool {
        matches!(self.form, Form::Plain(_))
    }

    /// Appends the match's replacement.
    #[inline(always)]
    fn append(&self, out: &mut Appender<'_>, text: &[u8], matched: Range<usize>) {
        match &self.form {
            Form::Plain(part) => part.append_to(out),
            Form::Around([left, right]) => {
                left.append_to(out);
                out.put(text, matched);
                right.append_to(out);
            }
            Form::Any { by_posix } => out.put_by(|out| {
                pieces(self.text, *by_posix, |piece| match piece {
                    Piece::Text(text) => out.extend_by(text),
                    Piece::Matched => out.extend_by(&text[matched.clone()]),
                })
            }),
        }
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

/// What is replaced by what.
#[derive(Clone, Copy)]
struct Substitution<'a> {
    dialect: Dialect,
    which: Replacements,
    regex: &'a Regex,
    by: &'a Value,
}

/// What a substitution leaves of a text when it only takes away its beginning and its end: then
/// nothing is copied.
enum Edges {
    /// Nothing matches.
    Kept,
    /// This range is left.
    Cut { count: usize, start: usize, end: usize },
    /// Something is replaced in the middle, or not looked for; the first match, if it was found.
    Unknown(Option<Match>),
}

impl Edges {
    fn of(Substitution { which, regex, by, .. }: Substitution<'_>, text: &[u8]) -> Edges {
        if !matches!(by, Value::Small(by) if by.is_empty()) {
            return Edges::Unknown(None);
        }
        // Others mostly match in the middle as well, and one search would be in vain.
        if which == Replacements::Every && !regex.looks_at_edges() {
            return Edges::Unknown(None);
        }
        let Some(first) = regex.find(text) else { return Edges::Kept };
        let cut = |count, start, end| Edges::Cut { count, start, end };
        match which {
            Replacements::First if first.start == 0 => cut(1, first.end, text.len()),
            Replacements::First if first.end == text.len() => cut(1, 0, first.start),
            // Whether an empty match may follow is for `Matches` to say.
            Replacements::Every if !first.is_empty() && first.end == text.len() => {
                cut(1, 0, first.start)
            }
            Replacements::Every if !first.is_empty() && first.start == 0 => {
                match regex.find_at(text, first.end) {
                    None => cut(1, first.end, text.len()),
                    Some(last) if !last.is_empty() && last.end == text.len() => {
                        cut(2, first.end, last.start)
                    }
                    Some(_) => Edges::Unknown(Some(first)),
                }
            }
            _ => Edges::Unknown(Some(first)),
        }
    }
}

/// What is left of `text`, if a constant pattern and an empty replacement only take an edge away.
#[inline(always)]
pub(crate) fn left_of(
    searches: &Searches,
    pattern: PatternRef,
    by: &Value,
    text: &[u8],
) -> Option<Range<usize>> {
    match (pattern.kind(), by) {
        (PatternKind::Constant(re), Value::Small(by)) if by.is_empty() => {
            searches.patterns.constant(re.index()).ok()?.left_of(text).range()
        }
        _ => None,
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
        let replacement_is_ascii = riverhawk_simd::is_ascii(replacement);
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
            let in_place = replacement.is_plain() && replacement.text.len() == length;
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
                    let mut out = Appender::new(&mut out);
                    out.put(window, copied..next);
                    replacement.append(&mut out, window, next..next + length);
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
        let ascii = Ascii::when(self.current.record.is_ascii() && replacement_is_ascii);
        self.current.record.swap_text(&mut out, ascii);
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
        let substitution = Substitution { dialect: program.dialect, which, regex, by };
        let text = v.bytes(current.record.text());
        let first = match text.map(|text| Edges::of(substitution, text)) {
            Some(Edges::Kept) => return 0,
            Some(Edges::Cut { count, start, end }) if v.cut(start, end) => return count,
            Some(Edges::Unknown(first)) => first,
            _ => None,
        };
        let mut first = first;
        if which == Replacements::First
            && let Some(text) = v.bytes(current.record.text())
        {
            let Some(found) = first.or_else(|| regex.find(text)) else { return 0 };
            if replace(v, current.record.text(), found, by) {
                return 1;
            }
            first = Some(found);
        }
        let mut out = std::mem::take(&mut self.assembly);
        out.clear();
        let count = {
            let text =
                v.text(current.record.text(), &current.specials.convfmt, &mut self.scratch[0]);
            current.assemble(substitution, text, text.len(), first, &mut out)
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
        let substitution = Substitution { dialect: program.dialect, which, regex, by };
        let first = match Edges::of(substitution, current.record.text()) {
            Edges::Kept => return 0,
            Edges::Cut { count, start, end } => {
                current.record.cut(start, end);
                return count;
            }
            Edges::Unknown(first) => first,
        };
        let mut out = std::mem::take(&mut self.assembly);
        out.clear();
        let (source, length) = (current.record.text_and_behind(), current.record.text().len());
        let count = current.assemble(substitution, source, length, first, &mut out);
        if count > 0 {
            let by = by.bytes(current.record.text());
            let is_ascii = current.record.is_ascii() && by.is_some_and(riverhawk_simd::is_ascii);
            current.record.swap_text(&mut out, Ascii::when(is_ascii));
        }
        self.assembly = out;
        count
    }
}

/// Replaces one match in place, or makes a new text at once; false, and unchanged, where the
/// replacement has a meaning, or the result is short.
fn replace(v: &mut Value, record: &[u8], Match { start, end }: Match, by: &Value) -> bool {
    let (Some(text), Some(by)) = (v.bytes(record), by.bytes(record)) else { return false };
    let is_short = text.len() - (end - start) + by.len() <= SMALL_CAPACITY;
    if is_short || matches!(v, Value::Regex { .. }) || first_special(by).is_some() {
        return false;
    }
    if let Value::Str(heap) = v
        && heap.splice(start..end, by)
    {
        return true;
    }
    let Some(text) = v.bytes(record) else { return false };
    let joined = HeapStr::concat([&text[..start], by, &text[end..]]);
    if v.is_known_ascii() && by.is_ascii() {
        joined.note_ascii();
    }
    *v = Value::Str(joined);
    true
}

impl CurrentRecord {
    /// Of the first `length` bytes of `source`; what lies behind them only helps. `first` is the
    /// first match, if it was found before.
    fn assemble(
        &self,
        Substitution { dialect, which, regex, by }: Substitution<'_>,
        source: &[u8],
        length: usize,
        first: Option<Match>,
        out: &mut Vec<u8>,
    ) -> usize {
        let text = &source[..length];
        let mut number = Vec::new();
        let replacement = by.text(self.record.text(), &self.specials.convfmt, &mut number);
        let assembly =
            || Assembly { replacement: Replacement::new(replacement, dialect), source, length };
        if which == Replacements::First {
            let Some(only) = first.or_else(|| regex.find(text)) else { return 0 };
            return assembly().assemble(Some(only), iter::empty(), out);
        }
        match regex.all_matches(text) {
            AllMatches::Runs(runs) => assembly().assemble(None, runs, out),
            AllMatches::Members(members) => assembly().assemble(None, members, out),
            // Most texts have none, and need no replacement.
            AllMatches::Others(mut others) => match others.next() {
                Some(first) => assembly().assemble(Some(first), others, out),
                None => 0,
            },
        }
    }
}

/// What is put together from the first `length` bytes of `source`.
struct Assembly<'a> {
    replacement: Replacement<'a>,
    source: &'a [u8],
    length: usize,
}

impl Assembly<'_> {
    /// Returns the number of matches; without one `out` is unchanged. A function for each kind of
    /// search, so that what both know stays in registers.
    #[inline(never)]
    fn assemble(
        &self,
        first: Option<Match>,
        mut others: impl Iterator<Item = Match>,
        out: &mut Vec<u8>,
    ) -> usize {
        let (mut copied, mut count) = (0, 0);
        let mut out = Appender::new(out);
        let mut next = first.or_else(|| others.next());
        while let Some(found) = next {
            if memory::ran_out() {
                return count;
            }
            out.put(self.source, copied..found.start);
            self.replacement.append(&mut out, self.source, found.start..found.end);
            copied = found.end;
            count += 1;
            next = others.next();
        }
        if count > 0 {
            out.put(self.source, copied..self.length);
        }
        count
    }
}
