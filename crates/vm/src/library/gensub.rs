//! `gensub` returns the new text and changes nothing. It can replace one match by its number, and
//! its replacement can name groups.

use crate::current::CurrentRecord;
use crate::outside::Outside;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_memory::Growing;
use riverhawk_record::splitter::character_length;
use riverhawk_regex::{Match, Regex};
use riverhawk_value::{HeapStr, Value};

#[derive(Clone, Copy)]
enum Occurrence {
    All,
    One(u64),
}

enum Piece<'a> {
    Text(&'a [u8]),
    Group(usize),
}

/// `&` and `\0` are the match, `\1` to `\9` groups. A backslash before any other character is
/// dropped; at the end it is itself.
fn pieces<'a>(mut rest: &'a [u8], mut each: impl FnMut(Piece<'a>)) {
    while let Some(at) = memchr::memchr2(b'\\', b'&', rest) {
        if at > 0 {
            each(Piece::Text(&rest[..at]));
        }
        rest = match &rest[at..] {
            [b'\\', digit @ b'0'..=b'9', rest @ ..] => {
                each(Piece::Group(usize::from(digit - b'0')));
                rest
            }
            [b'\\', character, rest @ ..] => {
                each(Piece::Text(std::slice::from_ref(character)));
                rest
            }
            [b'\\'] => {
                each(Piece::Text(b"\\"));
                &[]
            }
            [_, rest @ ..] => {
                each(Piece::Group(0));
                rest
            }
            [] => return,
        };
    }
    if !rest.is_empty() {
        each(Piece::Text(rest));
    }
}

struct Replacement<'a> {
    text: &'a [u8],
    plain: bool,
    groups: bool,
}

impl<'a> Replacement<'a> {
    fn new(text: &'a [u8]) -> Replacement<'a> {
        let mut groups = false;
        pieces(text, |piece| groups |= matches!(piece, Piece::Group(1..)));
        Replacement { text, plain: memchr::memchr2(b'\\', b'&', text).is_none(), groups }
    }

    fn write(
        &self,
        regex: &Regex,
        text: &[u8],
        found: Match,
        groups: &mut Vec<Option<Match>>,
        out: &mut Vec<u8>,
    ) {
        if self.plain {
            out.extend_by(self.text);
            return;
        }
        if self.groups {
            regex.captures_of(text, found, groups);
        }
        pieces(self.text, |piece| match piece {
            Piece::Text(text) => out.extend_by(text),
            Piece::Group(0) => out.extend_by(&text[found.start..found.end]),
            Piece::Group(number) => {
                if let Some(Some(group)) = groups.get(number) {
                    out.extend_by(&text[group.start..group.end]);
                }
            }
        });
    }
}

/// Unlike in gsub, an empty match right after another counts: gawk remembers the previous match
/// only if it was replaced.
fn nth(regex: &Regex, text: &[u8], number: u64) -> Option<Match> {
    let mut from_at = 0;
    for _ in 1..number {
        let found = regex.find_at(text, from_at)?;
        from_at = match found.is_empty() {
            true if found.end >= text.len() => return None,
            true => found.end + character_length(&text[found.end..]),
            false => found.end,
        };
    }
    regex.find_at(text, from_at)
}

impl Runtime {
    pub(super) fn gensub(
        &mut self,
        old: Option<HeapStr>,
        re: &Value,
        new: &Value,
        how: &Value,
        s: Option<&Value>,
    ) -> Fallible<Value> {
        let regex = self.regex_of(re)?;
        let which = self.outside.which(&self.current, how)?;
        let record;
        let s = match s {
            Some(s) => s,
            None => {
                record = self.current.field(0);
                &record
            }
        };
        let mut number = std::mem::take(&mut self.workspace.scratch[0]);
        let mut scratch = std::mem::take(&mut self.workspace.scratch[1]);
        let mut out = std::mem::take(&mut self.workspace.assembly);
        out.clear();
        let text = s.text(self.current.record.text(), &self.current.specials.convfmt, &mut number);
        let by = Replacement::new(new.text(
            self.current.record.text(),
            &self.current.specials.convfmt,
            &mut scratch,
        ));
        let mut groups = Vec::new();
        let mut copied = 0;
        let mut any = false;
        let mut one = |found: Match| {
            any = true;
            out.extend_by(&text[copied..found.start]);
            by.write(&regex, text, found, &mut groups, &mut out);
            copied = found.end;
        };
        match which {
            Occurrence::All => crate::memory::while_memory_lasts(regex.matches(text)).for_each(one),
            Occurrence::One(number) => {
                if let Some(found) = nth(&regex, text, number) {
                    one(found);
                }
            }
        }
        let result = if any {
            out.extend_by(&text[copied..]);
            Value::from_text_in(old, &out)
        } else if let Value::Num(_) | Value::Precise(_) = s {
            Value::from_text_in(old, text)
        } else {
            self.current.owned(s)
        };
        self.workspace.scratch[0] = number;
        self.workspace.scratch[1] = scratch;
        self.workspace.assembly = out;
        Ok(result)
    }
}

impl Outside {
    fn which(&mut self, current: &CurrentRecord, how: &Value) -> Fallible<Occurrence> {
        if matches!(how.bytes(current.record.text()), Some([b'g' | b'G', ..])) {
            return Ok(Occurrence::All);
        }
        let number = current.number(how);
        if number <= 0.0 {
            let shown = current.text_of(how);
            self.warn_here(
                current,
                &format!(
                    "gensub: third argument `{}' treated as 1",
                    String::from_utf8_lossy(&shown)
                ),
            )?;
        }
        // Rounds towards zero; NaN is 0.
        Ok(Occurrence::One((number as u64).max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_regex::Options;

    fn shown(replacement: &str) -> String {
        let mut shown = String::new();
        pieces(replacement.as_bytes(), |piece| match piece {
            Piece::Text(text) => shown.push_str(&String::from_utf8_lossy(text)),
            Piece::Group(number) => shown.push_str(&format!("<{number}>")),
        });
        shown
    }

    #[test]
    fn a_backslash_makes_groups_of_digits_and_itself_of_everything_else() {
        for (replacement, expected) in [
            ("a&b", "a<0>b"),
            (r"\0\1\9", "<0><1><9>"),
            (r"\&", "&"),
            (r"\\&", r"\<0>"),
            (r"\\1", r"\1"),
            (r"\\\1", r"\<1>"),
            (r"\q", "q"),
            (r"x\", r"x\"),
            ("", ""),
        ] {
            assert_eq!(shown(replacement), expected, "{replacement}");
        }
    }

    #[test]
    fn matches_are_counted_with_empty_ones_behind_others() {
        let regex = Regex::new(b"b*", &Options::default()).expect("a regex");
        let found = |number| nth(&regex, b"abc", number).map(|found| (found.start, found.end));
        assert_eq!(
            [found(1), found(2), found(3), found(4)],
            [Some((0, 0)), Some((1, 2)), Some((2, 2)), Some((3, 3))]
        );
        assert_eq!(found(5), None);
        assert_eq!(found(u64::MAX), None);
    }
}
