//! The C library: `include/riverhawk.h` over the crate `riverhawk`.
//!
//! Entry points take handles as references and boxes, which C sees as pointers, and texts as
//! [`rh_text`], so they are safe functions of Rust; that the pointers are what the header asks for is
//! the caller's part. What remains of unsafe code is reading a text ([`rh_text`]), calling the
//! caller's functions ([`rh_reader`], [`rh_writer`], [`rh_files`], [`rh_function`]), and seeing a value of
//! the engine as one of C's. No panic crosses the border: every entry point runs in `border`'s
//! `guarded` or `attempt`.
//!
//! The header is made by cbindgen from these comments, with `cbindgen.toml`.
#![deny(unsafe_code)]
#![allow(
    non_camel_case_types,
    // A C library has the prefix in all its names.
    clippy::module_name_repetitions
)]

use riverhawk::Checked;
use std::alloc::System;

#[allow(unsafe_code)]
mod border;
#[allow(unsafe_code)]
mod callbacks;
#[allow(unsafe_code)]
mod cancel;
#[allow(unsafe_code)]
mod error;
#[allow(unsafe_code)]
mod function;
#[allow(unsafe_code)]
mod memory_files;
#[allow(unsafe_code)]
mod outcome;
#[allow(unsafe_code)]
mod program;
#[allow(unsafe_code)]
mod records;
#[allow(unsafe_code)]
mod run;
#[allow(unsafe_code)]
mod value;

pub use border::*;
pub use callbacks::*;
pub use cancel::*;
pub use error::*;
pub use function::*;
pub use memory_files::*;
pub use outcome::*;
pub use program::*;
pub use records::*;
pub use run::*;
pub use value::*;

/// Counts what the library allocates, for `rh_run_limit_memory`. C's allocations are not counted.
#[global_allocator]
static ALLOCATOR: Checked<System> = Checked(System);
