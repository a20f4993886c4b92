//! Options of compilation.

use riverhawk_awkio::filesystem::FileSystem;
use riverhawk_syntax::Dialect;
use riverhawk_syntax::host::HostDeclaration;
use riverhawk_syntax::lint::Lint;

use crate::include::IncludePath;
use std::sync::Arc;

/// Options of compilation.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// Characters are bytes, also in regular expressions.
    pub characters_as_bytes: bool,
    /// Characters are grapheme clusters in `length`, `substr`, `index`, `match`, `split` and the
    /// widths of `printf`. `characters_as_bytes` has precedence.
    pub graphemes: bool,
    /// Where included files are searched.
    pub include_path: IncludePath,
    /// Where included files are read from, if not from the system's files; `include_path` then means
    /// nothing.
    pub include_from: Option<Arc<dyn FileSystem>>,
    /// Included files are input: they need permission to be read.
    pub sandbox: bool,
    /// The functions of the embedding program that this one may call. A run needs
    /// [`crate::MachineConfig::host_functions`] in the same order.
    pub host_functions: Vec<HostDeclaration>,
    /// The dialect of the language.
    pub dialect: Dialect,
    /// Runs can be profiled, traced and debugged; they are slower.
    pub observed: bool,
    /// Arithmetic of any precision: exact integers, floats rounded by PREC and ROUNDMODE.
    pub bignum: bool,
    /// Runs may have a time limit or be cancelled ([`crate::Limits::timeout`],
    /// [`crate::MachineConfig::cancel`]), checked in each iteration of a
    /// loop.
    pub timed: bool,
    /// Runs may have limits of steps and records ([`crate::Limits::max_steps`],
    /// [`crate::Limits::max_records`]): each iteration of a loop is counted.
    pub counted: bool,
    /// Exact integers, other numbers doubles. `bignum` has precedence.
    pub exact_integers: bool,
    /// Runs give [`crate::Outcome::profile`]; they use one thread and are a little slower.
    pub profiled: bool,
    /// What to warn of.
    pub lint: Option<Lint>,
    /// Warnings of lint are errors.
    pub lint_is_fatal: bool,
    /// No warnings that gawk gives only on request.
    pub quiet: bool,
    /// The program's text is also the name of a file, which was perhaps meant.
    pub names_file: bool,
    /// `LINT` may be assigned from outside, so warnings of the run are prepared.
    pub assigns_lint: bool,
}
