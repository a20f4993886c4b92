//! Options of compilation.

use riverhawk_awkio::filesystem::FileSystem;
use riverhawk_compile::LeftOut;
use riverhawk_syntax::Dialect;
use riverhawk_syntax::host::HostDeclaration;
use riverhawk_syntax::lint::Lint;

use crate::include::IncludePath;
use std::sync::Arc;

/// Options of compilation.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// Characters are bytes, in regular expressions too.
    pub characters_as_bytes: bool,
    /// Characters are grapheme clusters in `length`, `substr`, `index`, `match`, `split` and the
    /// widths of `printf`. `characters_as_bytes` overrides this.
    pub graphemes: bool,
    /// Where included files are searched.
    pub include_path: IncludePath,
    /// Reads included files instead of the system's; `include_path` is then unused.
    pub include_from: Option<Arc<dyn FileSystem>>,
    /// Included files are input: they need permission to be read.
    pub sandbox: bool,
    /// Host functions that the program may call. A run needs
    /// [`crate::MachineConfig::host_functions`] in the same order.
    pub host_functions: Vec<HostDeclaration>,
    /// The dialect of the language.
    pub dialect: Dialect,
    /// Runs can be profiled, traced and debugged; they are slower.
    pub observed: bool,
    /// With `observed`: counts how each `?:` and each operand of `&&` and `||` came out.
    pub outcomes: bool,
    /// Arithmetic of any precision: exact integers, floats rounded by PREC and ROUNDMODE.
    pub bignum: bool,
    /// Runs may be cancelled ([`crate::MachineConfig::cancel`]) and have limits of time, steps and
    /// records ([`crate::Limits::timeout`], [`crate::Limits::max_steps`],
    /// [`crate::Limits::max_records`]), checked in each iteration of a loop.
    pub limited: bool,
    /// Integers are exact, other numbers doubles. `bignum` overrides this.
    pub exact_integers: bool,
    /// Runs give [`crate::Outcome::profile`]. They use one thread and are slightly slower.
    pub profiled: bool,
    /// What to warn of.
    pub lint: Option<Lint>,
    /// Findings of lint are errors.
    pub lint_is_fatal: bool,
    /// Omits warnings that gawk gives only on request.
    pub quiet: bool,
    /// The program's text is also a file's name, which may be meant.
    pub names_file: bool,
    /// `LINT` may be assigned from outside, so runs must be able to warn.
    pub assigns_lint: bool,
    /// A function that runs call.
    pub test: Option<TestCall>,
    /// Rewrites that are not made; results do not depend on them.
    pub left_out: LeftOut,
}

/// A call of a function without arguments, as the last that a run does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCall {
    /// The function's name, with its namespace unless that is `awk`.
    pub function: String,
    /// What comes before it.
    pub rules: TestRules,
}

/// What a program does before a test's function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestRules {
    /// Nothing.
    Skipped,
    /// Its rules, with input.
    Run,
}
