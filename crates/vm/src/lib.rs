//! The virtual machine of an awk program.
//!
//! A [`Machine`](machine::Machine) runs one [`Unit`](riverhawk_bytecode::Unit): BEGIN, the record
//! loop, END. A [`MachineConfig`](config::MachineConfig) is what it takes from outside.
//!
//! - `current`, `globals`, `workspace`, `searches`, `locale`, `arithmetic`, `outside`,
//!   `main_input`: the states of a run, which `runtime` holds;
//! - `interpret`: the loop over operations, with `frames` for calls;
//! - `strings`, `substitute`, `splitting`, `printing`, `getline`, `library`: built-in functions;
//!   `callback`: those that call functions of the program;
//! - `specials`, `arguments`, `procinfo`, `named`, `table`: variables with a meaning, and tables;
//! - [`host`]: functions of the embedding program;
//! - [`parallel`]: runs over pieces of the input;
//! - [`visits`], [`profile`], [`lint`]: what tools see of a run;
//! - [`tier`], [`native`]: the interfaces to an optimiser and to its machine code.
//!
//! It does not parse, and knows no optimiser. Most modules are private, because the interpreter's
//! unchecked accesses require a program that never changes after it is verified.
//!
//! ```
//! use riverhawk_stream::MemorySource;
//! use riverhawk_awkio::{BrokenPipe, Io, Outputs, RecordReader};
//! use riverhawk_bytecode::VerifiedUnit;
//! use riverhawk_vm::config::MachineConfig;
//! use riverhawk_vm::machine::Machine;
//! use riverhawk_record::patterns::Patterns;
//! use std::io::Read;
//!
//! let mut sources = riverhawk_syntax::source::SourceMap::new();
//! sources.add("words.awk", b"{ words += NF } END { print words }".to_vec()).unwrap();
//! let program = riverhawk_syntax::parse(&sources).program.expect("no syntax errors");
//! let unit = VerifiedUnit::new(riverhawk_compile::compile(&program).unwrap()).unwrap();
//!
//! let config = MachineConfig::default();
//! let (mut printed, stdout) = std::io::pipe().unwrap();
//! let outputs = Outputs::with_writers(Box::new(stdout), Box::new(std::io::stderr()));
//! let mut io = Io::with_outputs(outputs, BrokenPipe::Report, config.input.window_size);
//! io.inputs.set_stdin(RecordReader::of_source(MemorySource::new("tea and\nmilk\n"), config.input.window_size));
//!
//! let patterns = Patterns::new(&unit, riverhawk_text::Unit::default()).unwrap();
//! let ended = Machine::over(io, unit, patterns, config).unwrap().run();
//! assert_eq!((ended.status, ended.counts.records), (0, 2));
//! let mut text = String::new();
//! printed.read_to_string(&mut text).unwrap();
//! assert_eq!(text, "3\n");
//! ```

#![deny(unsafe_code)]

mod ahead;
mod arguments;
mod arithmetic;
mod backwards;
mod budget;
mod callback;
pub mod config;
mod configure;
mod current;
pub mod data;
mod destination;
pub mod error;
mod exact;
mod field_mode;
mod file_rules;
mod flow;
mod following;
mod frames;
mod getline;
mod globals;
pub mod host;
mod ignore_case;
mod in_place;
mod interpret;
mod library;
pub mod lint;
mod locale;
pub mod machine;
mod main_input;
pub mod memory;
mod named;
#[allow(unsafe_code)]
pub mod native;
mod observe;
mod observed_types;
mod outside;
pub mod parallel;
mod precise;
mod printing;
mod procinfo;
pub mod profile;
pub mod progress;
mod runtime;
mod sandbox;
mod searches;
mod specials;
mod splitting;
mod strings;
mod substitute;
mod system;
mod table;
pub mod tier;
mod unknown_escapes;
mod variables;
pub mod visits;
pub mod warning;
mod workspace;
