//! A compiled pattern as one thread uses it.

use std::cell::RefCell;
use std::ops::Deref;
use std::sync::Arc;

use crate::Error;
use crate::anything::Unknown;
use crate::caches::Caches;
use crate::compiled::{CompiledRegex, Options};
use crate::memory::Memory;
use crate::shape::{Left, Shape};
use crate::span::Match;

/// A regular expression to search with, used by one thread at a time. The compiled pattern is a
/// [`CompiledRegex`], which other threads may share. [`Regex::over`] and `clone` only count a
/// reference: the caches are made when a search needs them.
pub struct Regex {
    pub(crate) compiled: Arc<CompiledRegex>,
    pub(crate) caches: RefCell<Caches>,
}

impl Regex {
    /// Compiles a pattern that is not shared.
    ///
    /// # Errors
    /// As [`CompiledRegex::new`].
    pub fn new(pattern: &[u8], options: &Options) -> Result<Regex, Error> {
        Ok(Regex::over(Arc::new(CompiledRegex::new(pattern, options)?)))
    }

    /// Searches with a compiled pattern.
    #[must_use]
    pub fn over(compiled: Arc<CompiledRegex>) -> Regex {
        Regex { compiled, caches: RefCell::default() }
    }

    /// The compiled pattern, which other threads may share.
    #[must_use]
    pub fn compiled(&self) -> &Arc<CompiledRegex> {
        &self.compiled
    }

    /// Whether the pattern matches anywhere in `text`.
    #[must_use]
    pub fn is_match(&self, text: &[u8]) -> bool {
        self.test(text)
    }

    /// The leftmost match, the longest of those that begin there.
    #[must_use]
    pub fn find(&self, text: &[u8]) -> Option<Match> {
        match &self.compiled.shape {
            Shape::EdgeRun(run) => run
                .find(text, 0)
                .unwrap_or_else(|Unknown| self.search_general(text, 0, &mut Memory::default())),
            Shape::Anchored(anchored) => anchored.find(text),
            _ => self.find_at(text, 0),
        }
    }

    /// What is left of `text` without the match, for a literal or a run at an edge of the text
    /// (`\r$`, `^[ \t]+`): all, if nothing matches. Unknown for other patterns, and where the
    /// match is empty.
    #[inline(never)]
    #[must_use]
    pub fn left_of(&self, text: &[u8]) -> Left {
        match &self.compiled.shape {
            Shape::EdgeRun(run) => run.left_of(text),
            Shape::Anchored(anchored) => anchored.left_of(text),
            _ => Left::UNKNOWN,
        }
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
        let CompiledRegex { hir, captures, .. } = &*self.compiled;
        let count = self.compiled.group_count();
        captures.fill(hir, text, whole, count, self.caches.borrow_mut().groups(), groups);
    }
}

impl Deref for Regex {
    type Target = CompiledRegex;

    #[inline]
    fn deref(&self) -> &CompiledRegex {
        &self.compiled
    }
}

impl Clone for Regex {
    fn clone(&self) -> Regex {
        Regex::over(self.compiled.clone())
    }
}

impl std::fmt::Debug for Regex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Regex")
            .field("pattern", &String::from_utf8_lossy(self.pattern()))
            .field("options", self.options())
            .finish_non_exhaustive()
    }
}
