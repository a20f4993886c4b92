//! Tools that look at an awk program while it runs.
//!
//! **What it is.** Gawk's debugger, a trace of statements, a profiler, and coverage. They see a
//! program that was compiled for them (`riverhawk_compile::Mode`) through [`riverhawk_vm::visits`]
//! and [`riverhawk_vm::profile`]; other programs pay nothing for them.
//!
//! **What it is not.** It starts no run and reads no terminal: a caller runs the program, and gives
//! the debugger a [`Console`](debugger::Console). What `--lint` finds while a program runs is in the
//! virtual machine, because it looks at each operation's operands.
//!
//! **Main nouns.** [`Session`](debugger::Session), [`Trace`](trace::Trace),
//! [`Profile`](profile::Profile), [`Ticker`](profile::Ticker), [`Coverage`](coverage::Coverage).
//!
//! ```
//! use riverhawk_tools::profile::{Profile, ProfileFormat, StackNode};
//!
//! let program = StackNode { part: None, parent: 0, time: 0 };
//! let profile = Profile { program: "words.awk".into(), stacks: vec![program], ..Profile::default() };
//! assert!(profile.write(ProfileFormat::Text).contains("words.awk"));
//! ```

#![forbid(unsafe_code)]

pub mod coverage;
pub mod debugger;
mod hash;
mod markup;
pub mod profile;
pub mod trace;
