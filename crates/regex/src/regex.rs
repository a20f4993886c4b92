//! The compiled pattern.

use std::cell::OnceCell;

use memchr::memmem;
use regex_syntax::hir::{Hir, Look};

use crate::automata::Automata;
use crate::captures::Captures;
use crate::classes::Dialect;
use crate::limits::EAGER_COST;
use crate::memory::Memory;
use crate::parse::parse;
use crate::shape::{Shape, cost, shape_of};
use crate::span::Match;
use crate::{ByteSet, Error};

/// How a pattern is to be read. The default is UTF-8, case sensitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// The unit of text is the byte (C locale), not the code point.
    pub bytes: bool,
    /// Upper and lower case are the same: simple folding in UTF-8, ASCII in byte mode.
    pub ignore_case: bool,
    /// Only POSIX's operators: `\y \B \< \> \s \S \w \W` and the two anchors of whole texts are
    /// the characters themselves.
    pub posix: bool,
    /// A repeat with nothing before it that it could repeat is an error, not the character itself.
    pub strict: bool,
    /// Texts go on from where others ended: `^` holds nowhere.
    pub continued: bool,
}

/// A compiled regular expression.
///
/// Making one parses the pattern and little more; automata are built when a search first needs
/// them, and kept. They live in interior cells: a `Regex` is used by one thread at a time.
pub struct Regex {
    pub(crate) pattern: Box<[u8]>,
    options: Options,
    pub(crate) hir: Hir,
    groups: usize,
    anchored_start: bool,
    pub(crate) shape: Shape,
    pub(crate) automata: Automata,
    pub(crate) finder: OnceCell<memmem::Finder<'static>>,
    captures: Captures,
}

impl Regex {
    /// Compiles `pattern`: the value of a dynamic regex after string escapes, or the text between
    /// the slashes.
    ///
    /// # Errors
    /// An unmatched `(` or `[`, a trailing backslash, an unknown class, a reversed range, `{}`, a
    /// count over 32,767, more than 250 levels of nesting, or an automaton of more than 10 MiB.
    pub fn new(pattern: &[u8], options: &Options) -> Result<Regex, Error> {
        let parsed = parse(pattern, dialect(options))?;
        let automata = Automata::new(&parsed.hir);
        if cost(&parsed.hir) > EAGER_COST && automata.nfa().is_none() {
            return Err(Error::too_big(0));
        }
        Ok(Regex {
            pattern: pattern.into(),
            options: *options,
            groups: parsed.groups as usize,
            anchored_start: parsed.hir.properties().look_set_prefix().contains(Look::Start),
            shape: shape_of(&parsed.hir),
            hir: parsed.hir,
            automata,
            finder: OnceCell::new(),
            captures: Captures::default(),
        })
    }

    /// Whether the pattern matches anywhere in `text`.
    #[must_use]
    pub fn is_match(&self, text: &[u8]) -> bool {
        self.test(text)
    }

    /// The leftmost match, and of those that begin there the longest.
    #[must_use]
    pub fn find(&self, text: &[u8]) -> Option<Match> {
        self.find_at(text, 0)
    }

    /// As [`Regex::find`], for matches that begin at or behind `from_at`. The text before is still
    /// seen by `^` (which matches at 0 only) and by `\y \B \< \>`.
    ///
    /// To find all matches use [`Regex::matches`](crate::Regex::matches), which stays linear on any pattern.
    #[must_use]
    pub fn find_at(&self, text: &[u8], from_at: usize) -> Option<Match> {
        self.search(text, from_at, &mut Memory::default())
    }

    /// As [`Regex::find`], with the groups: entry 0 is the whole match, entry n group n, `None` for
    /// a group that took no part. False, and no entries, if there is no match.
    ///
    /// Groups follow gawk: alternatives in order and repeats greedy, as long as the whole is the
    /// longest match.
    pub fn captures(&self, text: &[u8], groups: &mut Vec<Option<Match>>) -> bool {
        self.captures_at(text, 0, groups)
    }

    /// As [`Regex::captures`], for matches that begin at or behind `from_at`.
    pub fn captures_at(
        &self,
        text: &[u8],
        from_at: usize,
        groups: &mut Vec<Option<Match>>,
    ) -> bool {
        groups.clear();
        let Some(whole) = self.find_at(text, from_at) else { return false };
        self.captures_of(text, whole, groups);
        true
    }

    /// The groups of a match that was found before in the same text.
    pub fn captures_of(&self, text: &[u8], whole: Match, groups: &mut Vec<Option<Match>>) {
        self.captures.fill(&self.hir, text, whole, self.groups, groups);
    }

    /// Groups in the pattern, the whole match not counted.
    #[must_use]
    pub fn group_count(&self) -> usize {
        self.groups
    }

    /// The text, if the pattern is exactly one literal: callers can use their own search then.
    #[must_use]
    pub fn literal(&self) -> Option<&[u8]> {
        match &self.shape {
            Shape::Literal(literal) => Some(literal),
            Shape::One(set) => {
                LITERAL_BYTES.get(usize::from(set.only()?)).map(std::slice::from_ref)
            }
            _ => None,
        }
    }

    /// The set, if the pattern matches exactly one byte out of a set and nothing else.
    #[must_use]
    pub fn single_byte(&self) -> Option<&ByteSet> {
        match &self.shape {
            Shape::One(set) => Some(set),
            _ => None,
        }
    }

    /// The set, if the pattern is one or more bytes out of a set, like `[ \t]+`.
    #[must_use]
    pub fn byte_run(&self) -> Option<&ByteSet> {
        match &self.shape {
            Shape::Run { class, empty: false } if !class.other_chars => Some(&class.bytes),
            _ => None,
        }
    }

    /// Whether a match can begin at 0 only.
    #[must_use]
    pub fn anchored_start(&self) -> bool {
        self.anchored_start
    }

    /// Whether the answer may depend on where the text begins.
    #[must_use]
    pub fn looks_at_start(&self) -> bool {
        self.hir.properties().look_set().contains(Look::Start)
    }

    /// The pattern as it was given.
    #[must_use]
    pub fn pattern(&self) -> &[u8] {
        &self.pattern
    }

    /// The options as they were given.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) fn dialect(&self) -> Dialect {
        dialect(&self.options)
    }
}

fn dialect(options: &Options) -> Dialect {
    let Options { bytes, ignore_case, posix, strict, continued } = *options;
    Dialect { bytes, ignore_case, ascii_part: false, posix, strict, continued }
}

/// Every byte value, to lend out as literals of one byte.
static LITERAL_BYTES: [u8; 256] = {
    let mut bytes = [0; 256];
    let mut value = 0;
    while value < 256 {
        bytes[value] = value as u8;
        value += 1;
    }
    bytes
};

impl std::fmt::Debug for Regex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Regex")
            .field("pattern", &String::from_utf8_lossy(&self.pattern))
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
