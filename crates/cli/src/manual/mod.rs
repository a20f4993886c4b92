//! The manual in the command: `--help=TOPIC` prints a section of it, and the language's man page is
//! made from it.
//!
//! The chapters are those of `docs`, linked as `crates/cli/manual`. A *name* is a function, a
//! variable or an option.

mod blocks;
#[cfg(feature = "lsp")]
mod markdown;
mod packed;
pub(crate) mod roff;
mod text;
mod topics;

pub use topics::{about, names};
#[cfg(feature = "lsp")]
pub(crate) use topics::{in_markdown, keys, option};

use packed::unpacked;

pub(crate) use blocks::{Block, Style, blocks, spans};

#[derive(Clone, Copy, Debug)]
pub struct Chapter {
    /// In `--help`.
    pub name: &'static str,
    packed: &'static [u8],
    pub(crate) is_language: bool,
}

macro_rules! chapters {
    ($($(($mark:ident))? $name:literal $path:literal;)*) => {
        &[$(Chapter {
            name: $name,
            packed: packed::chapter!($path),
            is_language: chapters!(@ $($mark)?),
        }),*]
    };
    (@ language) => { true };
    (@) => { false };
}

/// Chapters for users, in the book's order.
pub const CHAPTERS: &[Chapter] = chapters! {
    (language) "start" "language/start.md";
    (language) "patterns" "language/patterns.md";
    (language) "records" "language/records.md";
    (language) "fields" "language/fields.md";
    (language) "expressions" "language/expressions.md";
    (language) "conversions" "language/conversions.md";
    (language) "regex" "language/regex.md";
    (language) "control" "language/control.md";
    (language) "functions" "language/functions.md";
    (language) "arrays" "language/arrays.md";
    (language) "strings" "language/strings.md";
    (language) "numbers" "language/numbers.md";
    (language) "precise" "language/precise.md";
    (language) "printf" "language/printf.md";
    (language) "input" "language/input.md";
    (language) "output" "language/output.md";
    (language) "variables" "language/variables.md";
    (language) "gawk-language" "gawk-language.md";
    (language) "gawk" "gawk.md";
    (language) "library" "library.md";
    (language) "time::" "library/time.md";
    (language) "math::" "library/math.md";
    (language) "array::" "library/array.md";
    (language) "assert::" "library/assert.md";
    (language) "coprocesses" "coprocesses.md";
    "recipes" "recipes.md";
    "command-line" "command-line.md";
    "options" "options.md";
    "errors" "errors.md";
    "lint" "lint.md";
    "lint-codes" "lint-codes.md";
    "testing" "testing.md";
    "editors" "editors.md";
    "streams" "streams.md";
    "text" "text.md";
    "tables" "tables.md";
    "files" "files.md";
    "in-place" "in-place.md";
    "follow" "follow.md";
    "parallel" "parallel.md";
    "cluster" "cluster.md";
    "performance" "performance.md";
    "profiling" "profiling.md";
    "coming-from" "coming-from.md";
};

impl Chapter {
    pub(crate) fn blocks(&self) -> Vec<Block> {
        blocks(&unpacked(self.packed))
    }

    pub fn title(&self) -> String {
        let text = unpacked(self.packed);
        let first = text.lines().next().unwrap_or_default();
        text::inline(first.trim_start_matches('#').trim())
    }
}

#[cfg(test)]
mod tests {
    use super::{CHAPTERS, unpacked};

    /// Those parts of the book.
    #[test]
    fn every_chapter_of_the_book_for_users_can_be_asked_for() {
        let summary = include_str!("../../manual/SUMMARY.md");
        let for_users = summary.split("# Inside").next().unwrap();
        let links = for_users.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let records = ["introduction.md", "divergences.md", "conformance.md"];
        for path in links.filter(|path| !records.contains(path)) {
            let text =
                std::fs::read_to_string(format!("{}/manual/{path}", env!("CARGO_MANIFEST_DIR")))
                    .unwrap();
            assert!(CHAPTERS.iter().any(|chapter| unpacked(chapter.packed) == text), "{path}");
        }
    }
}
