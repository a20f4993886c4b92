//! The debug adapter: rhawk's debugger for editors.
//!
//! **What it is.** A loop over messages of the Debug Adapter Protocol, and an observer of one run on
//! a thread of its own. The loop answers what needs no variables; the rest waits for a run that
//! stands still, and is answered by its thread. What the program prints is sent as events.
//!
//! **What it is not.** It does not know options or files of programs: a [`Launcher`] compiles. It
//! decides nothing about awk: places, steps and expressions are those of
//! [`riverhawk_tools::debugger`].
//!
//! **Main nouns.** `Adapter` is the loop; `Stops` the observer; `Control` what both share; an
//! `Outbox` where messages go; an `Inspection` what is asked about a run that stands still.
//!
//! ```
//! use riverhawk_dap::{Launch, Launcher, Prepared, serve};
//!
//! struct Nothing;
//! impl Launcher for Nothing {
//!     fn prepare(&self, _: &Launch) -> Result<Prepared, String> {
//!         Err("there is no program".to_owned())
//!     }
//! }
//!
//! let request = r#"{"seq": 1, "type": "request", "command": "disconnect"}"#;
//! let text = format!("Content-Length: {}\r\n\r\n{request}", request.len());
//! serve(&mut text.as_bytes(), Box::new(std::io::sink()), &Nothing).unwrap();
//! ```
#![forbid(unsafe_code)]

mod adapter;
mod breakpoints;
mod capabilities;
mod conditions;
mod control;
mod data_breakpoints;
mod framing;
mod hit_condition;
mod inspection;
mod launch;
mod log_message;
mod outbox;
mod printed;
mod protocol;
mod run;
mod sources;
mod stops;

pub use adapter::{AdapterError, serve, serve_stdio};
pub use launch::{Launch, Launcher, Prepared};
