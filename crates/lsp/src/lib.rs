//! The language server: what editors ask about awk programs.
//!
//! **What it is.** A loop over messages of the Language Server Protocol. Texts are kept as the
//! editor has them; a program that changed is parsed once, when the messages that have arrived are
//! read, and all answers come from its tree.
//!
//! **What it is not.** It runs nothing, and writes no file: changes are sent to the editor. It does
//! not know the manual or the folders of included files; [`Surroundings`] do.
//!
//! **Main nouns.** A `Place` is where a text is; a `Document` one that the editor has open; a
//! `Program` a text with all that it includes, parsed; an `Occurrence` a name in it.
//!
//! ```
//! use lsp_server::{Connection, Message, Notification};
//! use riverhawk_lsp::{Surroundings, serve};
//!
//! struct Nothing;
//! impl Surroundings for Nothing {}
//!
//! let (server, client) = Connection::memory();
//! client.sender.send(Message::Notification(Notification::new("exit".into(), ()))).unwrap();
//! assert!(serve(&server, &Nothing).is_err(), "it ended before it was initialized");
//! ```
#![forbid(unsafe_code)]

mod answers;
mod capabilities;
mod codes;
mod diagnostics;
mod dispatch;
mod document;
mod last_tokens;
mod library_names;
mod main_loop;
mod occurrences;
mod place;
mod position;
mod program;
mod scripts;
mod server;
mod settings;
mod shell;
mod surroundings;
mod texts;

pub use library_names::described;
pub use main_loop::{ServeError, serve, serve_stdio};
pub use surroundings::Surroundings;
