//! Connects the specialiser with the interpreter.
//!
//! The interpreter (`vm`) reports to a trait; the specialiser (`spesh`) has numbered frames and a
//! log. [`watcher`] is the tier of one thread, which counts and writes the log; [`watched`] is
//! shared by all threads of one program; [`processwide`] by all programs, in particular the
//! specialiser's thread; [`facts`] describes the frames; [`producer`] compiles a plan (`jit`) into
//! [`candidates`]; [`code_use`] records entries and exits of machine code.
//!
//! None of it exists before a program has made [`watcher::WARM_UP`] loop iterations and calls.

mod candidates;
mod code_use;
mod facts;
mod processwide;
mod producer;
mod programs;
mod watched;
mod watcher;

pub(crate) use watched::{Done, Watched};
