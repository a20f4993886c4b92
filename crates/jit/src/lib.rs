//! Machine code for hot parts of an awk program.
//!
//! [`Compiler::compile`] turns a [`CodeRequest`] (a frame, an entry point, the types seen) into a
//! [`Candidate`], installed and entered through [`Candidate::entry`]. In between are the typed
//! representation of [`riverhawk_spesh::ir`], its passes, Cranelift, and memory that is never
//! writable and executable at once.
//!
//! It does not decide what to compile or when to discard it. Whatever machine code does not do
//! itself the interpreter does, through [`riverhawk_vm::native`].
//!
//! [`listing`] describes the code to the system's profilers. [`Eager`] is a tier that compiles
//! everything at its first use: slow, for tests.
//!
//! ```
//! use riverhawk_jit::{Eager, CompilerOptions};
//! use riverhawk_awkio::{BrokenPipe, Io, Outputs};
//! use riverhawk_bytecode::VerifiedUnit;
//! use riverhawk_vm::config::MachineConfig;
//! use riverhawk_vm::machine::Machine;
//! use riverhawk_vm::tier::PacedTier;
//! use riverhawk_record::patterns::Patterns;
//! use std::io::Read;
//!
//! let mut sources = riverhawk_syntax::source::SourceMap::new();
//! sources.add("sum.awk", b"BEGIN { while (i < 100) sum += i++; print sum }".to_vec()).unwrap();
//! let program = riverhawk_syntax::parse(&sources).program.expect("no syntax errors");
//! let unit = VerifiedUnit::new(riverhawk_compile::compile(&program).unwrap()).unwrap();
//!
//! let config = MachineConfig::default();
//! let (mut printed, stdout) = std::io::pipe().unwrap();
//! let outputs = Outputs::with_writers(Box::new(stdout), Box::new(std::io::stderr()));
//! let io = Io::with_outputs(outputs, BrokenPipe::Report, config.input.window_size);
//! let patterns = Patterns::new(&unit, riverhawk_text::Unit::default()).unwrap();
//!
//! let mut watch = PacedTier::by(Eager::new(&unit, CompilerOptions::default()).unwrap());
//! let ended = Machine::over(io, unit, patterns, config).unwrap().run_watched(&mut watch);
//! assert_eq!(ended.status, 0);
//! assert!(watch.tier.entries() > 0, "the loop ran as machine code");
//! let mut text = String::new();
//! printed.read_to_string(&mut text).unwrap();
//! assert_eq!(text, "4950\n");
//! ```

#![deny(unsafe_code)]
#![warn(unreachable_pub)]

#[allow(unsafe_code)]
mod candidate;
mod compiler;
mod eager;
mod links;
pub mod listing;
mod lower;
mod machine;
#[allow(unsafe_code)]
mod memory;
mod stubs;

pub use candidate::{CallNote, Candidate};
pub use compiler::{Compiler, CompilerOptions};
pub use eager::Eager;
pub use links::Links;
pub use riverhawk_spesh::ir::{CodeRequest, Refusal, Snapshot};
