//! The command `rhawk`, for `python -m riverhawk` and the script of the wheel.

use pyo3::prelude::*;
use riverhawk_cli::{command, panics};
use std::ffi::OsString;

/// Run the command with its arguments, the first of which is its name, in this process; return its exit
/// status. The process is the command's from then on.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, argv: Vec<OsString>) -> u8 {
    py.detach(|| panics::guarded(|| command::run(argv)))
}
