//! The command and its debugger; one program, linked once.

mod command_line;
mod debug_adapter;
mod debugger;
mod debugger_like_gawk;
mod generated_files;
mod language_client;
mod language_server;
mod observed;
mod pictures;
mod support;
mod testing;
