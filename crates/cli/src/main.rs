//! The binary `rhawk`. On UNIX it has C's `main` instead of Rust's, for what has to be done before
//! Rust's own start-up: see `entry/unix.rs`.
#![cfg_attr(unix, no_main)]

#[cfg_attr(unix, path = "entry/unix.rs")]
#[cfg_attr(not(unix), path = "entry/elsewhere.rs")]
mod entry;

use std::alloc::System;

use riverhawk::engine::memory::{self, Checked};

/// The system's allocator; a reserve covers failures.
#[cfg(not(target_env = "musl"))]
#[global_allocator]
static ALLOCATOR: Checked<System> = Checked(System);

/// For small blocks musl's own allocator takes up to a third more time.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: Checked<memory::BySize<dlmalloc::GlobalDlmalloc, System>> =
    Checked(memory::BySize { small: dlmalloc::GlobalDlmalloc, large: System });

#[cfg(not(unix))]
fn main() -> std::process::ExitCode {
    entry::main()
}

/// Ends a process that has no memory even for a message with a position.
fn without_memory() -> ! {
    riverhawk::engine::system::exit_at_once(b"rhawk: error: out of memory\n", 2)
}

/// Before anything else: memory is kept for what has to be said without any.
fn keep_reserve() {
    memory::keep_reserve(without_memory);
}
