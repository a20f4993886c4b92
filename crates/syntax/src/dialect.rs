//! Dialects: which awk's language a program is in.

use crate::library::LibraryFn;

/// The language of a program: gawk's, or what `--traditional` and `--posix` leave of it.
///
/// ```
/// use riverhawk_syntax::Dialect;
///
/// assert!(Dialect::Gawk.has_extensions() && !Dialect::Traditional.has_extensions());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// All of gawk's language.
    #[default]
    Gawk,
    /// The awk of Bell Laboratories: without gawk's extensions.
    Traditional,
    /// POSIX: only what the standard has.
    Posix,
}

const GAWK_KEYWORDS: &[&str] = &["BEGINFILE", "ENDFILE", "switch", "case", "default"];

/// Variables that only gawk or this awk has.
const GAWK_VARIABLES: &[&str] = &[
    "ARGIND",
    "BINMODE",
    "ENCODING",
    "ERRNO",
    "FIELDWIDTHS",
    "FPAT",
    "FUNCTAB",
    "IGNORECASE",
    "LINT",
    "PREC",
    "PROCINFO",
    "ROUNDMODE",
    "RT",
    "SYMTAB",
    "TEXTDOMAIN",
];

impl Dialect {
    /// Whether it has gawk's extensions.
    pub fn has_extensions(self) -> bool {
        self == Dialect::Gawk
    }

    pub(crate) fn option(self) -> &'static str {
        match self {
            Dialect::Gawk | Dialect::Traditional => "--traditional",
            Dialect::Posix => "--posix (or POSIXLY_CORRECT in the environment)",
        }
    }

    /// Whether a word that gawk reserves is reserved here; otherwise it is a plain name.
    pub(crate) fn has_word(self, word: &str) -> bool {
        match self {
            Dialect::Gawk => true,
            Dialect::Posix if word == "func" => false,
            _ => !GAWK_KEYWORDS.contains(&word) && LibraryFn::from_name(word).is_none(),
        }
    }

    pub(crate) fn adds(word: &str) -> bool {
        GAWK_KEYWORDS.contains(&word) || Dialect::adds_function(word)
    }

    pub(crate) fn adds_function(word: &str) -> bool {
        LibraryFn::from_name(word).is_some_and(|function| function.namespace().is_none())
    }

    /// Whether a variable of this name has gawk's meaning.
    pub fn has_variable(self, name: &str) -> bool {
        self.has_extensions() || !GAWK_VARIABLES.contains(&name)
    }
}
