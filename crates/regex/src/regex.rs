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

/// How a pattern is read. The default is UTF-8, case sensitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// The unit of text is the byte (C locale), not the code point.
    pub bytes: bool,
    /// Ignores case: simple folding in UTF-8, ASCII in byte mode.
    pub ignore_case: bool,
    /// POSIX's operators only: `\y \B \< \> \s \S \w \W` and the anchors of whole texts are
    /// characters.
    pub posix: bool,
    /// A repeat of nothing is an error, not the character itself.
    pub strict: bool,
    /// Texts continue earlier ones: `^` never matches.
    pub continued: bool,
}

/// A compiled regular expression.
///
/// Construction does little more than parsing; automata are built on demand, in cells, so a `Regex`
/// is used by one thread at a time.
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
    /// Compiles `pattern`: a dynamic regex after string escapes, or the text between slashes.
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

    /// The leftmost match, the longest of those that begin there.
    #[must_use]
    pub fn find(&self, text: &[u8]) -> Option<Match> {
        self.find_at(text, 0)
    }

    /// As [`Regex::find`], from `from_at` on; `^` and word boundaries see the text before.
    ///
    /// For all matches use [`Regex::matches`](crate::Regex::matches), which is linear on any
    /// pattern.
    #[must_use]
    pub fn find_at(&self, text: &[u8], from_at: usize) -> Option<Match> {
        self.search(text, from_at, &mut Memory::default())
    }

    /// As [`Regex::find`], with the groups: entry 0 is the whole match, `None` an unused group.
    /// Without a match, false and no entries.
    ///
    /// Groups follow gawk: alternatives in order, repeats greedy, the whole the longest match.
    pub fn captures(&self, text: &[u8], groups: &mut Vec<Option<Match>>) -> bool {
        self.captures_at(text, 0, groups)
    }

    /// As [`Regex::captures`], from `from_at` on.
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

    /// The groups of a match found in this text.
    pub fn captures_of(&self, text: &[u8], whole: Match, groups: &mut Vec<Option<Match>>) {
        self.captures.fill(&self.hir, text, whole, self.groups, groups);
    }

    /// Groups, without the whole match.
    #[must_use]
    pub fn group_count(&self) -> usize {
        self.groups
    }

    /// The text, if the pattern is one literal.
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

    /// The set, if the pattern is one byte of a set.
    #[must_use]
    pub fn single_byte(&self) -> Option<&ByteSet> {
        match &self.shape {
            Shape::One(set) => Some(set),
            _ => None,
        }
    }

    /// The set, if the pattern is one or more bytes of a set, like `[ \t]+`.
    #[must_use]
    pub fn byte_run(&self) -> Option<&ByteSet> {
        match &self.shape {
            Shape::Run { class, empty: false } if !class.other_chars => Some(&class.bytes),
            _ => None,
        }
    }

    /// Whether matches begin at 0 only.
    #[must_use]
    pub fn anchored_start(&self) -> bool {
        self.anchored_start
    }

    /// Whether the answer may depend on where the text begins.
    #[must_use]
    pub fn looks_at_start(&self) -> bool {
        self.hir.properties().look_set().contains(Look::Start)
    }

    /// The pattern as given.
    #[must_use]
    pub fn pattern(&self) -> &[u8] {
        &self.pattern
    }

    /// The options as given.
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
