//! What compiling depends on besides the text.

use riverhawk_syntax::Dialect;
use riverhawk_syntax::lint::Lint;

use crate::include::IncludePath;

/// What compiling depends on besides the text.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// Characters are bytes: regular expressions are translated for that.
    pub characters_as_bytes: bool,
    /// Characters are grapheme clusters in `length`, `substr`, `index`, `match`, `split` and the
    /// widths of `printf`. `characters_as_bytes` wins over it.
    pub graphemes: bool,
    /// Where the files are that the program includes.
    pub include_path: IncludePath,
    /// Included files are input: they are read only as far as options allow.
    pub sandbox: bool,
    /// What of the language there is.
    pub dialect: Dialect,
    /// Runs can be profiled, traced and debugged; they are slower.
    pub observed: bool,
    /// Arithmetic of any precision: exact integers, floats rounded as PREC and ROUNDMODE say.
    pub bignum: bool,
    /// Runs may be limited in time ([`crate::Limits::timeout`]): each iteration of a loop asks.
    pub timed: bool,
    /// Integers are exact, other numbers doubles. `bignum` wins over it.
    pub exact_integers: bool,
    /// Where the time of a run goes is in [`crate::Outcome::profile`]; such runs use one thread and are a
    /// little slower.
    pub profiled: bool,
    /// What to warn of.
    pub lint: Option<Lint>,
    /// Each of these warnings is an error.
    pub lint_is_fatal: bool,
    /// Nothing is said of what gawk says nothing of without being asked.
    pub quiet: bool,
    /// The program's text is also the name of a file: perhaps that was to be run.
    pub names_file: bool,
    /// `LINT` may be assigned from outside: warnings of the run are worked out then.
    pub assigns_lint: bool,
}
