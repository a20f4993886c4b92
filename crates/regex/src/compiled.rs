//! What every thread that searches for a pattern shares.

use std::sync::{Arc, OnceLock};

use memchr::memmem;
use regex_syntax::hir::{Hir, Look};

use crate::anything::{Characters, Texts};
use crate::automata::Automata;
use crate::captures::Captures;
use crate::chain::Chain;
use crate::classes::Dialect;
use crate::limits::EAGER_COST;
use crate::parse::parse;
use crate::shape::{EdgeBytes, Shape, char_len, cost, shape_of, without_captures};
use crate::twin::Twin;
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

/// A compiled pattern, for any number of threads; each searches with a
/// [`Regex`](crate::Regex::over) of its own.
///
/// Construction does little more than parsing; automata are built on demand, for all threads.
pub struct CompiledRegex {
    options: Options,
    pub(crate) hir: Hir,
    groups: usize,
    anchored_start: bool,
    pub(crate) shape: Shape,
    pub(crate) automata: Automata,
    finder: OnceLock<memmem::Finder<'static>>,
    pub(crate) captures: Captures,
    /// For whether a text matches.
    chain: OnceLock<Option<Chain>>,
    /// For texts of many lines.
    pub(crate) twin: OnceLock<Option<Arc<Twin>>>,
}

impl CompiledRegex {
    /// Compiles `pattern`: a dynamic regex after string escapes, or the text between slashes.
    ///
    /// # Errors
    /// An unmatched `(` or `[`, a trailing backslash, an unknown class, a reversed range, `{}`, a
    /// count over 32,767, more than 250 levels of nesting, or an automaton of more than 10 MiB.
    pub fn new(pattern: &[u8], options: &Options) -> Result<CompiledRegex, Error> {
        let dialect = dialect(options);
        let parsed = parse(pattern, dialect)?;
        let automata = Automata::new(&parsed.hir, pattern, dialect);
        if cost(&parsed.hir) > EAGER_COST && automata.nfa().is_none() {
            return Err(Error::too_big(0));
        }
        Ok(CompiledRegex {
            options: *options,
            groups: parsed.groups as usize,
            anchored_start: parsed.hir.properties().look_set_prefix().contains(Look::Start),
            shape: shape_of(&parsed.hir, characters(options)),
            hir: parsed.hir,
            automata,
            finder: OnceLock::new(),
            captures: Captures::default(),
            chain: OnceLock::new(),
            twin: OnceLock::new(),
        })
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

    /// The bytes, if the pattern is a run of bytes below 64 at an edge of the text.
    #[must_use]
    pub fn edge_bytes(&self) -> Option<EdgeBytes> {
        match &self.shape {
            Shape::EdgeRun(run) => run.edge_bytes(),
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

    /// The set, if the matches in a text are the bytes of a set: of `[,;]` in any text, of `[^a-z]` in
    /// ASCII, for which `is_ascii` is asked.
    #[must_use]
    pub fn single_bytes(&self, is_ascii: impl FnOnce() -> bool) -> Option<&ByteSet> {
        match &self.shape {
            Shape::OneOfMany(class) if is_ascii() => Some(&class.bytes),
            _ => self.single_byte(),
        }
    }

    /// The set, if the matches in a text are the runs of bytes of a set: of `[ \t]+` in any text, of
    /// `[^ \t]+` in ASCII, for which `is_ascii` is asked.
    #[must_use]
    pub fn byte_runs(&self, is_ascii: impl FnOnce() -> bool) -> Option<&ByteSet> {
        match &self.shape {
            Shape::Run { class, empty: false } if class.is_of_bytes() || is_ascii() => {
                Some(&class.bytes)
            }
            _ => None,
        }
    }

    /// Whether a match can begin only at index 0.
    #[must_use]
    #[inline]
    pub fn anchored_start(&self) -> bool {
        self.anchored_start
    }

    /// Whether the answer may depend on where the text begins.
    #[must_use]
    pub fn looks_at_start(&self) -> bool {
        self.hir.properties().look_set().contains(Look::Start)
    }

    /// Whether the answer may depend on where the text begins or ends.
    #[must_use]
    pub fn looks_at_edges(&self) -> bool {
        let looks = self.hir.properties().look_set();
        looks.contains(Look::Start) || looks.contains(Look::End)
    }

    /// The pattern as given.
    #[must_use]
    pub fn pattern(&self) -> &[u8] {
        &self.automata.pattern
    }

    /// The options as given.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) fn chain(&self) -> Option<&Chain> {
        let build = || Chain::of(&without_captures(&self.hir), self.characters(), Texts::All);
        self.chain.get_or_init(build).as_ref()
    }

    pub(crate) fn characters(&self) -> Characters {
        characters(&self.options)
    }

    pub(crate) fn finder(&self, literal: &[u8]) -> &memmem::Finder<'static> {
        self.finder.get_or_init(|| memmem::Finder::new(literal).into_owned())
    }

    pub(crate) fn step_over(&self, text: &[u8], at: usize) -> usize {
        at + if self.options.bytes { 1 } else { char_len(text, at).max(1) }
    }
}

fn characters(options: &Options) -> Characters {
    if options.bytes { Characters::Bytes } else { Characters::Utf8 }
}

fn dialect(options: &Options) -> Dialect {
    let Options { bytes, ignore_case, posix, strict, continued } = *options;
    Dialect { bytes, ignore_case, ascii_part: false, posix, strict, continued }
}

/// To lend out as literals of one byte.
static LITERAL_BYTES: [u8; 256] = {
    let mut bytes = [0; 256];
    let mut value = 0;
    while value < 256 {
        bytes[value] = value as u8;
        value += 1;
    }
    bytes
};

impl std::fmt::Debug for CompiledRegex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CompiledRegex")
            .field("pattern", &String::from_utf8_lossy(self.pattern()))
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::CompiledRegex;

    #[test]
    fn a_compiled_pattern_may_be_used_by_many_threads() {
        fn is_shared<T: Send + Sync>() {}
        is_shared::<CompiledRegex>();
    }
}
