//! FIELDWIDTHS: fields by position.
//!
//! Each part is `width` or `skip:width`, in characters, the last perhaps `*`. A short record has
//! the fields that begin in it.

use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_simd::FINISHED;
use riverhawk_text::{Unit, char_to_byte};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Width {
    skip: usize,
    width: Option<usize>,
}

/// Parsed FIELDWIDTHS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widths {
    parts: Vec<Width>,
    unit: Unit,
}

/// gawk's limit, a C `int`.
const MOST: u64 = i32::MAX as u64;

impl Widths {
    /// Parses FIELDWIDTHS.
    ///
    /// # Errors
    /// A part is invalid.
    pub fn parse(text: &[u8], unit: Unit) -> Fallible<Widths> {
        let mut parts = Vec::new();
        let mut rest = trim_blanks(text);
        while !rest.is_empty() {
            let invalid = |near: &[u8]| {
                let (field, near) = (parts.len() + 1, String::from_utf8_lossy(near));
                Fault::new(format!("invalid FIELDWIDTHS value, for field {field}, near `{near}'"))
            };
            let mut skip = 0;
            if let Some((count, [b':', after @ ..])) = number(rest).filter(|&(count, _)| count > 0)
            {
                skip = count;
                rest = after;
            }
            let width = match rest {
                [b'*', after @ ..] if trim_blanks(after).is_empty() => {
                    rest = after;
                    None
                }
                [b'*', ..] => {
                    return Err(Fault::new("`*' must be the last designator in FIELDWIDTHS"));
                }
                _ => match number(rest) {
                    Some((width, after)) if width > 0 && after.first().is_none_or(is_blank) => {
                        rest = after;
                        Some(width)
                    }
                    _ => return Err(invalid(rest)),
                },
            };
            parts.push(Width { skip, width });
            rest = trim_blanks(rest);
        }
        Ok(Widths { parts, unit })
    }

    /// Appends up to `wanted` fields; see [`Splitter::split`](crate::splitter::Splitter::split).
    pub fn split(
        &self,
        text: &[u8],
        from_at: usize,
        wanted: usize,
        out: &mut Vec<(u32, u32)>,
    ) -> usize {
        let mut at = from_at;
        for part in self.parts.iter().skip(out.len()).take(wanted) {
            if at >= text.len() {
                return FINISHED;
            }
            let start = self.after(text, at, part.skip);
            at = part.width.map_or(text.len(), |width| self.after(text, start, width));
            out.push((start as u32, at as u32));
        }
        if out.len() == self.parts.len() { FINISHED } else { at }
    }

    fn after(&self, text: &[u8], at: usize, count: usize) -> usize {
        let rest = &text[at..];
        if self.unit == Unit::Byte
            || rest.get(..count).is_some_and(riverhawk_simd::is_ascii)
                && self.unit == Unit::CodePoint
        {
            return at + count.min(rest.len());
        }
        at + char_to_byte(rest, self.unit, count)
    }
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn trim_blanks(text: &[u8]) -> &[u8] {
    &text[text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len())..]
}

fn number(text: &[u8]) -> Option<(usize, &[u8])> {
    let digits = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(digits);
    let value: u64 = std::str::from_utf8(number).ok()?.parse().ok()?;
    (value <= MOST).then_some((value as usize, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields<'t>(widths: &str, text: &'t str, unit: Unit, at_once: usize) -> Vec<&'t str> {
        let widths = Widths::parse(widths.as_bytes(), unit).expect("valid widths");
        let (mut out, mut at) = (Vec::new(), if text.is_empty() { FINISHED } else { 0 });
        while at != FINISHED {
            at = widths.split(text.as_bytes(), at, at_once, &mut out);
        }
        out.iter().map(|&(start, end)| &text[start as usize..end as usize]).collect()
    }

    #[test]
    fn fields_are_the_same_however_many_are_asked_for_at_a_time() {
        // As printed by gawk 5.2.1.
        let table: [(&str, &str, &[&str]); 8] = [
            ("2 3 4", "abcdefgh", &["ab", "cde", "fgh"]),
            ("2 3 4", "abc", &["ab", "c"]),
            ("2 1:3 2:2", "abcdefgh", &["ab", "def", ""]),
            ("2 1:3", "abc", &["ab", ""]),
            ("5 3:2", "abc", &["abc"]),
            ("2 1:*", "abcdefgh", &["ab", "defgh"]),
            (" 3\t2 ", "abcdefgh", &["abc", "de"]),
            ("", "abc", &[]),
        ];
        for (widths, text, expected) in table {
            for at_once in [1, 2, usize::MAX] {
                assert_eq!(
                    fields(widths, text, Unit::CodePoint, at_once),
                    expected,
                    "{widths} of {text}"
                );
            }
        }
    }

    #[test]
    fn widths_are_characters() {
        assert_eq!(
            fields("2 1:3 *", "日本語テキスト", Unit::CodePoint, 1),
            ["日本", "テキス", "ト"]
        );
        assert_eq!(fields("3 3", "日本", Unit::Byte, 1), ["日", "本"]);
        assert_eq!(fields("1 1", "e\u{301}x", Unit::Grapheme, 1), ["e\u{301}", "x"]);
    }

    #[test]
    fn what_is_no_width_is_told_with_its_place() {
        for (widths, message) in [
            ("* 2", "`*' must be the last designator in FIELDWIDTHS"),
            ("2 *3", "`*' must be the last designator in FIELDWIDTHS"),
            ("2 x", "invalid FIELDWIDTHS value, for field 2, near `x'"),
            ("0 2", "invalid FIELDWIDTHS value, for field 1, near `0 2'"),
            ("1:2:3 2", "invalid FIELDWIDTHS value, for field 1, near `2:3 2'"),
            ("3: 2", "invalid FIELDWIDTHS value, for field 1, near ` 2'"),
            (
                "2 99999999999999999999",
                "invalid FIELDWIDTHS value, for field 2, near `99999999999999999999'",
            ),
        ] {
            assert_eq!(
                Widths::parse(widths.as_bytes(), Unit::CodePoint).unwrap_err().message(),
                message
            );
        }
    }
}
