#![doc = include_str!("../README.md")]
//!
//! # The nouns
//!
//! | | |
//! |---|---|
//! | [`Program`], [`Builder`] | a compiled program, and what it is compiled with |
//! | [`Run`] | what one run reads, writes and may do |
//! | [`Outcome`] | exit status, what was printed, variables |
//! | [`Records`] | what a program prints, pulled line by line |
//! | [`Value`] | a variable's value, in or out |
//! | [`FileSystem`](filesystem::FileSystem) | what names in a program mean |
//! | [`Call`], [`Reply`] | a call of a function of yours, and its result |
//! | [`Array`], [`Key`], [`Element`] | an array that such a function gets |
//! | [`Permissions`], [`Limits`], [`Cancel`] | what a run may do, use up, and its end from outside |
//! | [`CompileError`], [`Diagnostic`], [`RunError`], [`Error`] | what went wrong, as data and drawn |
//!
//! # What a run never does
//!
//! It does not read the environment, install handlers of signals, change the locale or end the
//! process, and two runs share nothing but the program. A thread is started only by what asks for
//! one: machine code for a program that is hot, [`Records`], a time limit, commands.
#![forbid(unsafe_code)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod error;
mod outcome;
mod permissions;
pub mod pieces;
mod program;
mod records;
mod run;
mod settings;
mod unwinding;

pub use error::{CompileError, Diagnostic, Error, Location, RunError};
pub use outcome::Outcome;
pub use permissions::Permissions;
pub use program::{Builder, Program};
pub use records::Records;
pub use run::Run;
pub use settings::Limits;

#[doc(inline)]
pub use riverhawk_engine::Data as Value;
#[doc(inline)]
pub use riverhawk_engine::HostArray as Array;
#[doc(inline)]
pub use riverhawk_engine::HostCall as Call;
#[doc(inline)]
pub use riverhawk_engine::HostElement as Element;
#[doc(inline)]
pub use riverhawk_engine::HostError as CallError;
#[doc(inline)]
pub use riverhawk_engine::HostKey as Key;
#[doc(inline)]
pub use riverhawk_engine::HostValue as Reply;
pub use riverhawk_engine::{
    Cancel, Dialect, Display, EndCause, InputPosition, JsonForm, Lint, MessageCode, OutputFormat,
    Progress, Severity, StopCause, Strictness, TableFormat, filesystem,
};

/// The allocator that [`Limits::memory`] needs as the process's `#[global_allocator]`.
pub use riverhawk_memory::Checked;

/// The engine beneath, for programs that are a command: its debugger, profiles and dumps, whole files
/// that are replaced, what each platform's system is asked. It has no promise of stability.
pub mod engine {
    pub use riverhawk_engine::*;
    pub use riverhawk_memory as memory;
    pub use riverhawk_slurp as slurp;
    pub use riverhawk_system as system;
}

/// The page that embedders read, whose examples are run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/embedding.md")]
mod embedding {}
