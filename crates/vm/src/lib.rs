//! The virtual machine of an awk program.
//!
//! A [`Machine`](machine::Machine) runs one [`Unit`](riverhawk_bytecode::Unit): BEGIN, the record loop, END. The rooms:
//!
//! - [`interpret`]: the loop over operations, with [`frames`] for calls;
//! - [`record`], [`splitter`], [`main_input`], [`record_rule`]: from bytes to fields;
//! - [`ahead`]: one search through the window for a literal that every record is asked for;
//! - [`strings`], [`substitute`], [`splitting`], [`arithmetic`], [`random`]: built-in functions;
//! - [`printing`], [`getline`], [`io`]: the outer world;
//! - [`specials`], [`arguments`], [`patterns`]: NR and FS, `var=value`, regular expressions by number and by text;
//! - [`tier`]: where an optimiser will look in.
//!
//! What it is not: it does not parse, and nothing in it knows an optimiser.

pub mod ahead;
pub mod arguments;
pub mod arithmetic;
pub mod error;
pub mod fault;
pub mod frames;
pub mod getline;
pub mod interpret;
pub mod io;
pub mod machine;
pub mod main_input;
pub mod patterns;
pub mod printing;
pub mod random;
pub mod record;
pub mod record_rule;
pub mod runtime;
pub mod specials;
pub mod splitter;
pub mod splitting;
pub mod strings;
pub mod substitute;
pub mod tier;
