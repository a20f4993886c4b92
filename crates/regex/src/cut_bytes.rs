//! Bytes after which a search can restart, to cut a text without its beginning.
//!
//! If a byte occurs in matches only as their last, no match crosses the index after it, and the
//! following matches do not depend on the text before. That holds for a newline with `\r?\n`, for
//! every ASCII byte with `[,;]`, for every byte except `a` and `b` with `aba`.

use regex_syntax::hir::{Class, Hir, HirKind};

use crate::ByteSet;
use crate::compiled::CompiledRegex;

struct Standing {
    anywhere: [bool; 256],
    inside: [bool; 256],
}

impl CompiledRegex {
    /// ASCII bytes that occur in no match, or only as its last byte. `None` if there are none, or
    /// if a match may be empty or depend on its surroundings.
    ///
    /// ```
    /// use riverhawk_regex::{Options, Regex};
    /// let cuts = |pattern: &[u8]| Regex::new(pattern, &Options::default()).unwrap().cut_bytes();
    /// assert!(cuts(b"\r?\n").is_some_and(|set| set.contains(b'\n') && !set.contains(b'\r')));
    /// assert!(cuts(b"^x").is_none());
    /// ```
    #[must_use]
    pub fn cut_bytes(&self) -> Option<ByteSet> {
        let properties = self.hir.properties();
        if !properties.look_set().is_empty()
            || properties.minimum_len().is_none_or(|least| least == 0)
        {
            return None;
        }
        let inside = standing(&self.hir).inside;
        let members: [bool; 256] = std::array::from_fn(|byte| byte < 0x80 && !inside[byte]);
        members.contains(&true).then(|| ByteSet::new(members))
    }
}

/// A superset of the bytes that can occur.
fn standing(hir: &Hir) -> Standing {
    let mut found = Standing { anywhere: [false; 256], inside: [false; 256] };
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => {
            for (at, &byte) in literal.0.iter().enumerate() {
                found.anywhere[usize::from(byte)] = true;
                found.inside[usize::from(byte)] |= at + 1 < literal.0.len();
            }
        }
        HirKind::Class(Class::Bytes(class)) => {
            for range in class.ranges() {
                found.anywhere[usize::from(range.start())..=usize::from(range.end())].fill(true);
            }
        }
        HirKind::Class(Class::Unicode(class)) => {
            for range in class.ranges() {
                let (low, high) = (range.start() as usize, range.end() as usize);
                if low < 0x80 {
                    found.anywhere[low..=high.min(0x7f)].fill(true);
                }
                if high >= 0x80 {
                    // For longer characters, all their bytes.
                    found.anywhere[0x80..].fill(true);
                    found.inside[0x80..].fill(true);
                }
            }
        }
        HirKind::Repetition(repetition) => {
            found = standing(&repetition.sub);
            if repetition.max != Some(1) {
                found.inside = found.anywhere;
            }
        }
        HirKind::Capture(capture) => found = standing(&capture.sub),
        HirKind::Concat(subs) => {
            for sub in subs {
                // A superset if `sub` can be empty, which is safe.
                found.inside = found.anywhere;
                let last = standing(sub);
                merge(&mut found.anywhere, &last.anywhere);
                merge(&mut found.inside, &last.inside);
            }
        }
        HirKind::Alternation(subs) => {
            for sub in subs {
                let one = standing(sub);
                merge(&mut found.anywhere, &one.anywhere);
                merge(&mut found.inside, &one.inside);
            }
        }
    }
    found
}

fn merge(into: &mut [bool; 256], from: &[bool; 256]) {
    into.iter_mut().zip(from).for_each(|(into, &from)| *into |= from);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Match, Options, Regex};

    fn set(pattern: &str) -> Option<ByteSet> {
        Regex::new(pattern.as_bytes(), &Options::default()).unwrap().cut_bytes()
    }

    #[test]
    fn a_byte_that_ends_every_match_it_is_in_cuts() {
        for (pattern, yes, no) in [
            ("\r?\n", "\nx,", "\r"),
            ("[,;]", ",;\nx", ""),
            ("aba", "\ncx", "ab"),
            ("a+", "\nb", "a"),
            ("-+\n|==\n", "\nx", "-="),
            ("(ab|c)d", "d\nx", "abc"),
            ("x{2}", "y", "x"),
            ("é", "x\n", ""),
            ("[^,]+,", ",", "x\n"),
            ("a(b)?", "b\n", "a"),
        ] {
            let set = set(pattern).unwrap_or_else(|| panic!("{pattern}"));
            assert!(yes.bytes().all(|byte| set.contains(byte)), "{pattern}");
            assert!(!no.bytes().any(|byte| set.contains(byte)), "{pattern}");
            assert!(!(0x80..=0xff).any(|byte| set.contains(byte)), "{pattern}");
        }
    }

    #[test]
    fn what_looks_around_or_may_be_empty_or_reaches_over_everything_does_not_cut() {
        for pattern in ["^a", "a$", "\\<a", "a\\y", "a*", "a?|b*", "(.|\n)+", "[^é]+x"] {
            assert!(set(pattern).is_none(), "{pattern}");
        }
    }

    #[test]
    fn behind_such_a_byte_a_search_needs_nothing_before_it() {
        let mut seed = 7u64;
        let mut random = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let patterns = [
            "\r?\n",
            "a+",
            "aba",
            "ab|ba",
            "[ab]c?",
            "(a|ab)(c|bcd)",
            "a.*b",
            "b\n+",
            "a[^c]*c",
            "\n\n+",
            "xa|b",
        ];
        for pattern in patterns {
            let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
            let Some(set) = regex.cut_bytes() else { continue };
            for _ in 0..300 {
                let text: Vec<u8> =
                    (0..random(30)).map(|_| b"abcdx\r\n"[random(7) as usize]).collect();
                let all: Vec<Match> = regex.matches(&text).collect();
                for at in (0..text.len()).filter(|&at| set.contains(text[at])) {
                    let (cut, tail) = (at + 1, &text[at + 1..]);
                    let behind: Vec<Match> =
                        all.iter().copied().filter(|found| found.end > cut).collect();
                    let alone = regex.matches(tail);
                    let alone: Vec<Match> = alone
                        .map(|found| Match { start: found.start + cut, end: found.end + cut })
                        .collect();
                    assert_eq!(
                        behind,
                        alone,
                        "{pattern} in {:?} behind {at}",
                        String::from_utf8_lossy(&text)
                    );
                }
            }
        }
    }
}
