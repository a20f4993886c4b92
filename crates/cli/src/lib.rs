//! The command `rhawk`: parses its command line, runs the program through the engine, and reports
//! errors.
//!
//! It contains no awk. One table, [`options::OPTIONS`], is the source of the parser, `--help`, the
//! man page and the shell completions. The binary (`main.rs`) is C's `main`, for what has to happen
//! before Rust's own start-up.
//!
//! An [`Opt`](options::Opt) is a row of the table; a [`Request`](parse::Request) is a parsed
//! command line; an [`Invocation`](parse::Invocation) is a request to run a program.
//!
//! ```
//! use riverhawk_cli::parse::{Request, parse};
//!
//! let Ok(Request::Run(invocation)) = parse(["-F:", "{ print $1 }", "/etc/passwd"], |_| None) else { panic!() };
//! assert_eq!(invocation.config.machine.command_line.operands, [b"/etc/passwd"]);
//! ```
#![forbid(unsafe_code)]

pub mod command;
pub mod completions;
mod coverage;
mod debug_adapter;
mod debug_console;
mod destination;
mod direct;
mod environment;
mod help;
mod language_server;
#[cfg_attr(not(any(unix, windows)), path = "no_line_editor.rs")]
mod line_editor;
mod lint_variable;
mod looks;
pub mod man_page;
mod manual;
mod messages;
pub mod options;
pub mod panics;
pub mod parse;
mod preparation;
mod program_text;
mod rewrite;
mod suggest;
mod terminal;
mod testing;
mod usage_error;

/// The version, as in `Cargo.toml`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
