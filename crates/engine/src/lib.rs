//! Riverhawk as a library: compile an awk program, run it, draw its errors.
//!
//! This crate is the facade over the crates below it, and the only one that knows them all. It adds
//! nothing to the meaning of programs, which is settled in `compile` and `vm`. It prints no
//! messages: the caller gets an [`Outcome`] or a [`Failure`].
//!
//! - [`Source`]: a piece of program text and its name in messages;
//! - [`Compiled`]: a program that can be dumped or [run](Compiled::run);
//! - [`Config`]: all that a run takes from outside: command line, environment, files, limits,
//!   threads;
//! - [`Outcome`]: exit status, the error that ended the run, and counters if requested;
//! - [`Profile`]: where the time of a run went;
//! - [`Failure`]: program text that does not compile, with every [`Diagnostic`];
//! - [`Renderer`]: draws a diagnostic or a [`RuntimeError`] with the source line and a caret.
//!
//! ```
//! use riverhawk_engine::{CompileOptions, Renderer, Source, compile};
//!
//! let source = Source::new("prog.awk", "{ print $1 + }\n");
//! let failure = compile(vec![source], &CompileOptions::default()).unwrap_err();
//! let drawn = Renderer::plain("rhawk").failure(&failure);
//! assert!(drawn.starts_with("prog.awk:1:"));
//! ```
#![forbid(unsafe_code)]

pub mod cluster;
mod code;
mod compile;
mod compile_options;
mod config;
mod confine;
mod executable;
mod failure;
mod include;
mod locale;
mod mistaken;
mod optimiser;
mod outcome;
mod parallel;
mod pieces;
mod pool_log;
mod progress;
mod render;
mod run;
mod streams;
mod test_functions;
mod thread_role;
#[cfg(feature = "jit")]
mod tier;
#[cfg(not(feature = "jit"))]
#[path = "no_tier.rs"]
mod tier;

pub use compile::{Compiled, Source, VisitCounts, compile};
pub use compile_options::{CompileOptions, TestCall, TestRules};
pub use config::{Config, Parallel, Tools};
pub use failure::Failure;
pub use include::IncludePath;
pub use locale::{locale_collation, locale_decimal_point, locale_is_bytes, number_syntax};
pub use optimiser::{Optimiser, PASSES};
pub use outcome::{Outcome, Remark, Stats};
pub use render::{MessageFormat, Renderer, sarif_log};
pub use riverhawk_awkio::Limit;
pub use riverhawk_awkio::cancel::{Cancel, StopCause};
pub use riverhawk_awkio::display::Display;
pub use riverhawk_awkio::filesystem;
pub use riverhawk_awkio::in_place::{Colours, Edits, Effect, Emptying, unified as unified_diff};
pub use riverhawk_awkio::sandbox::{Access, Allowed, Paths, Wording};
pub use riverhawk_compile::LeftOut;
pub use riverhawk_record::table::{JsonForm, OutputFormat, Strictness, TableFormat, Tables};
pub use riverhawk_syntax::Dialect;
pub use riverhawk_syntax::ast::{Extension, Span};
pub use riverhawk_syntax::code::MessageCode;
pub use riverhawk_syntax::diagnostic::{Diagnostic, Severity};
pub use riverhawk_syntax::host::HostDeclaration;
pub use riverhawk_syntax::lint::{Fixed, Lint};
pub use riverhawk_syntax::source::SourceMap;
pub use riverhawk_syntax::written::Written;
pub use riverhawk_text::encoding::{self, Encodings};
pub use riverhawk_tools::coverage::Coverage;
pub use riverhawk_tools::debugger::Console;
pub use riverhawk_tools::profile::{
    Call, EnteredLoop, Fallback, Profile, ProfileFormat, ProfilePart, SourcePlace, StackNode,
};
pub use riverhawk_value::number::{DecimalPoint, NumberSyntax};
pub use riverhawk_vm::config::{
    Assignment, AssignmentError, CommandLine, Environment, InputConfig, Limits, LocaleConfig,
    MachineConfig, OutputConfig, Permissions, Reports,
};
pub use riverhawk_vm::data::Data;
pub use riverhawk_vm::error::{Backtrace, EndCause, Frame, InputPosition, RuntimeError};
pub use riverhawk_vm::host::{
    HostArray, HostCall, HostElement, HostError, HostFunction, HostFunctions, HostKey, HostValue,
    panic_message,
};
pub use riverhawk_vm::progress::{Progress, ProgressCallback};
pub use riverhawk_vm::warning::{Drawing, Warning};
pub use streams::Streams;
pub use test_functions::TestFunction;
