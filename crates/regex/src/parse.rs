//! The grammar: a pattern becomes a `regex_syntax` tree with gawk's meaning.
//!
//! As in gawk 5.2: `* + ?` and intervals are literal after an anchor and where there is nothing to
//! repeat; `{` that begins no interval and an unmatched `)` are literal; `^` and `$` are anchors
//! everywhere, of the whole text; no back-references.

use regex_syntax::hir::{
    Capture, Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange,
};
use regex_syntax::hir::{Hir, Look, Repetition};

use crate::Error;
use crate::bracket::parse_bracket;
use crate::classes::{Dialect, Set};
use crate::cursor::{PatternCursor, PatternUnit};
use crate::limits::{NEST_MAX, REPEAT_MAX};
use crate::unescape::{Escapes, Unescaped, unescape};

pub(crate) struct Parsed {
    pub hir: Hir,
    /// Groups, without the whole match.
    pub groups: u32,
}

pub(crate) fn parse(pattern: &[u8], dialect: Dialect) -> Result<Parsed, Error> {
    let Unescaped { bytes, came_from } = unescape(pattern, Escapes::of(dialect))?;
    let cursor = PatternCursor { bytes: &bytes, came_from: &came_from, pos: 0, dialect };
    let mut parser = Parser { cursor, groups: 0, depth: 0 };
    let hir = parser.alternation(false)?;
    Ok(Parsed { hir, groups: parser.groups })
}

struct Parser<'a> {
    cursor: PatternCursor<'a>,
    groups: u32,
    depth: usize,
}

impl Parser<'_> {
    /// Branches up to the end, or to the group's `)`.
    fn alternation(&mut self, in_group: bool) -> Result<Hir, Error> {
        let mut branches = vec![self.branch(in_group)?];
        while self.cursor.eat(b'|') {
            branches.push(self.branch(in_group)?);
        }
        Ok(Hir::alternation(branches))
    }

    fn branch(&mut self, in_group: bool) -> Result<Hir, Error> {
        let mut items = Vec::new();
        // Nothing comes before, or only an anchor.
        let mut is_first = true;
        while let Some(byte) = self.cursor.peek() {
            if byte == b'|' || (byte == b')' && in_group) {
                break;
            }
            if let Some(look) = self.anchor() {
                let holds_nowhere = look == Look::Start && self.cursor.dialect.continued;
                items.push(if holds_nowhere { Hir::fail() } else { Hir::look(look) });
                is_first = true;
                continue;
            }
            if self.cursor.dialect.strict && is_first && matches!(byte, b'*' | b'+' | b'?' | b'{') {
                return Err(self.cursor.error(self.cursor.pos, "a repeat with nothing before it"));
            }
            is_first = false;
            let start_depth = self.depth;
            let item = self.atom(byte)?;
            items.push(self.repeats(item)?);
            self.depth = start_depth;
        }
        Ok(Hir::concat(items))
    }

    /// An anchor takes no repeat: in `^*` the star is literal.
    fn anchor(&mut self) -> Option<Look> {
        let bytes = self.cursor.dialect.bytes || self.cursor.dialect.ascii_part;
        let (look, len) = match (self.cursor.peek()?, self.cursor.peek_at(1)) {
            (b'^', _) => (Look::Start, 1),
            (b'$', _) => (Look::End, 1),
            _ if self.cursor.dialect.posix => return None,
            (b'\\', Some(b'`')) => (Look::Start, 2),
            (b'\\', Some(b'\'')) => (Look::End, 2),
            (b'\\', Some(b'y')) => (if bytes { Look::WordAscii } else { Look::WordUnicode }, 2),
            (b'\\', Some(b'B')) => {
                (if bytes { Look::WordAsciiNegate } else { Look::WordUnicodeNegate }, 2)
            }
            (b'\\', Some(b'<')) => {
                (if bytes { Look::WordStartAscii } else { Look::WordStartUnicode }, 2)
            }
            (b'\\', Some(b'>')) => {
                (if bytes { Look::WordEndAscii } else { Look::WordEndUnicode }, 2)
            }
            _ => return None,
        };
        self.cursor.pos += len;
        Some(look)
    }

    fn atom(&mut self, byte: u8) -> Result<Hir, Error> {
        let at = self.cursor.pos;
        match byte {
            b'(' => {
                self.cursor.pos += 1;
                self.nest(at)?;
                self.groups += 1;
                let index = self.groups;
                let inside = self.alternation(true)?;
                if !self.cursor.eat(b')') {
                    return Err(self.cursor.error(at, "unmatched ("));
                }
                Ok(Hir::capture(Capture { index, name: None, sub: Box::new(inside) }))
            }
            b'[' => {
                self.cursor.pos += 1;
                parse_bracket(&mut self.cursor)
            }
            b'.' => {
                self.cursor.pos += 1;
                Ok(Set::new().into_negated_hir(self.cursor.dialect))
            }
            b'\\' => self.escape(),
            _ => {
                let (unit, len) = self.cursor.unit_at(at);
                self.cursor.pos += len;
                Ok(self.literal(unit))
            }
        }
    }

    fn escape(&mut self) -> Result<Hir, Error> {
        let at = self.cursor.pos;
        self.cursor.pos += 1;
        let Some(letter) = self.cursor.peek() else {
            return Err(self.cursor.error(at, "trailing backslash"));
        };
        let mut set = Set::new();
        match letter {
            b's' | b'S' if !self.cursor.dialect.posix => {
                set.add_named(b"space", self.cursor.dialect);
            }
            b'w' | b'W' if !self.cursor.dialect.posix => {
                set.add_named(b"alnum", self.cursor.dialect);
                set.add_range('_', '_');
            }
            _ => {
                let (unit, len) = self.cursor.unit_at(self.cursor.pos);
                self.cursor.pos += len;
                return Ok(self.literal(unit));
            }
        }
        self.cursor.pos += 1;
        Ok(match letter.is_ascii_uppercase() {
            true => set.into_negated_hir(self.cursor.dialect),
            false => set.into_hir(self.cursor.dialect),
        })
    }

    fn literal(&self, unit: PatternUnit) -> Hir {
        match unit {
            PatternUnit::Byte(byte) => Hir::literal([byte]),
            PatternUnit::Char(unit) if self.cursor.dialect.bytes => {
                let byte = unit as u32 as u8;
                let mut class = ClassBytes::new([ClassBytesRange::new(byte, byte)]);
                if self.cursor.dialect.ignore_case {
                    class.case_fold_simple();
                }
                Hir::class(Class::Bytes(class))
            }
            PatternUnit::Char(unit) if self.cursor.dialect.ignore_case => {
                let mut class = ClassUnicode::new([ClassUnicodeRange::new(unit, unit)]);
                let _ = class.try_case_fold_simple();
                Hir::class(Class::Unicode(class))
            }
            PatternUnit::Char(unit) => Hir::literal(unit.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }

    /// Any number of repeats: `a**`, `a+?`, `a{2}{3}`.
    fn repeats(&mut self, mut item: Hir) -> Result<Hir, Error> {
        let mut last = None;
        loop {
            let at = self.cursor.pos;
            let (min, max) = match self.cursor.peek() {
                Some(b'*') => (0, None),
                Some(b'+') => (1, None),
                Some(b'?') => (0, Some(1)),
                Some(b'{') => match self.interval()? {
                    Some(bounds) => bounds,
                    None => return Ok(item),
                },
                _ => return Ok(item),
            };
            if self.cursor.pos == at {
                self.cursor.pos += 1;
            }
            // A star of a star is a star: `a****` costs no depth.
            if last == Some((0, None)) && matches!((min, max), (0 | 1, None | Some(1))) {
                continue;
            }
            last = Some((min, max));
            self.nest(at)?;
            // Required rounds of an item that can be empty may all be. As in gawk the group ignores
            // such rounds unless there is a maximum: `(a*){2,}` leaves it at its last text,
            // `(a*){2}` at the empty text after it.
            let can_be_nothing = item.properties().minimum_len() == Some(0)
                && item.properties().look_set().is_empty();
            let min = if max.is_none() && can_be_nothing { min.min(1) } else { min };
            item = Hir::repetition(Repetition { min, max, greedy: true, sub: Box::new(item) });
        }
    }

    /// `{n}`, `{n,}`, `{n,m}` or `{,m}` at the cursor; otherwise `None`, without moving.
    #[allow(clippy::type_complexity)] // lower bound, upper bound or none
    fn interval(&mut self) -> Result<Option<(u32, Option<u32>)>, Error> {
        let open_at = self.cursor.pos;
        let mut at = open_at + 1;
        let low = self.number(&mut at);
        let (min, max) = match (low, self.cursor.bytes.get(at)) {
            (None, Some(b'}')) => return Err(self.cursor.error(open_at, "invalid content of {}")),
            (Some(count), Some(b'}')) => (count, Some(count)),
            (low, Some(b',')) => {
                at += 1;
                let high = self.number(&mut at);
                match self.cursor.bytes.get(at) {
                    Some(b'}') => {}
                    // From a second comma on glibc reports an error instead of literal text.
                    Some(b',') => return Err(self.cursor.error(open_at, "invalid content of {}")),
                    _ => return Ok(None),
                }
                (low.unwrap_or(0), high)
            }
            _ => return Ok(None),
        };
        if max.is_some_and(|max| max < min) {
            return Err(self.cursor.error(open_at, "invalid content of {}"));
        }
        if max.unwrap_or(min) > REPEAT_MAX {
            return Err(Error::too_big(self.cursor.came_from[open_at]));
        }
        self.cursor.pos = at + 1;
        Ok(Some((min, max)))
    }

    fn number(&self, at: &mut usize) -> Option<u32> {
        let mut value: Option<u32> = None;
        while let Some(digit) = self.cursor.bytes.get(*at).filter(|byte| byte.is_ascii_digit()) {
            value =
                Some(value.unwrap_or(0).saturating_mul(10).saturating_add(u32::from(digit - b'0')));
            *at += 1;
        }
        value
    }

    fn nest(&mut self, at: usize) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > NEST_MAX {
            return Err(self
                .cursor
                .error(at, format!("more than {NEST_MAX} nested groups and repeats")));
        }
        Ok(())
    }
}
