//! The extension module `riverhawk._engine` of the Python package `riverhawk`, which is in `python/`.
//!
//! Here is what needs the engine: programs, their runs, values and callbacks. Classes that only hold
//! data, and errors, are written in Python (`python/riverhawk`), and made from here.
//!
//! Rust code runs detached from the interpreter; what calls Python (host functions, file objects,
//! iterables) attaches to it for as long as that takes. An exception that Python raises meanwhile is
//! kept in [`raised::Raised`] and raised where the run ends.
#![deny(unsafe_code)]
#![allow(clippy::doc_link_with_quotes, reason = "documentation of Python's")]

mod block;
mod byte_stream;
mod cancel;
mod command;
mod convert;
mod decoder;
#[allow(unsafe_code, reason = "PyO3 detaches only what is `Send`")]
mod detached_worker;
mod encodings;
mod errors;
mod files;
mod function;
mod input;
mod interrupt;
mod operands;
mod options;
mod outcome;
mod output;
mod pieces;
mod program;
mod raised;
mod records;
mod regex;
mod repeated;
mod stream;
#[allow(unsafe_code, reason = "PyO3 has no safe functions for them, or slower ones")]
mod strings;
mod table;
mod text;
mod wakeup;

use pyo3::pymodule;
use riverhawk::Checked;
use std::alloc::System;

/// Counts what the extension allocates, for `Limits.memory`. Python's own allocations are not counted.
#[global_allocator]
static ALLOCATOR: Checked<System> = Checked(System);

/// The engine of `riverhawk`.
#[pymodule(gil_used = false)]
mod _engine {
    #[pymodule_export]
    use crate::byte_stream::{ByteStream, ReversedRecords};
    #[pymodule_export]
    use crate::cancel::Cancel;
    #[pymodule_export]
    use crate::command::run_command;
    #[pymodule_export]
    use crate::decoder::Decoder;
    #[pymodule_export]
    use crate::files::{
        append_file, change_file, list_directory, prepend_file, read_file, write_file,
    };
    #[pymodule_export]
    use crate::outcome::Result;
    #[pymodule_export]
    use crate::pieces::{PieceWorker, complaint, deferred, take_printed, unite};
    #[pymodule_export]
    use crate::program::{Program, compile};
    #[pymodule_export]
    use crate::records::{Batches, read_records};
    #[pymodule_export]
    use crate::regex::Regex;
    #[pymodule_export]
    use crate::stream::Stream;
    #[pymodule_export]
    use crate::table::{Rows, Table, open_table};
    #[pymodule_export]
    use crate::text::{grapheme_count, graphemes, is_normalized, normalize, width};

    /// The version of the engine, such as "0.1.0".
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
