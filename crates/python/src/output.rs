//! Standard outputs that are Python's: objects with `write`.

use crate::raised::Raised;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io::{self, Write};

/// A binary file object that a run writes to.
pub(crate) struct Output {
    pub file: Py<PyAny>,
    pub raised: Raised,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = Python::attach(|py| {
            let count = self
                .file
                .bind(py)
                .call_method1(intern!(py, "write"), (PyBytes::new(py, bytes),))?;
            // Some writers return nothing; they have taken everything.
            count.extract::<Option<usize>>()
        });
        let count = written.map_err(|error| self.raised.keep(error))?;
        Ok(count.map_or(bytes.len(), |count| count.min(bytes.len())))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = Python::attach(|py| {
            let file = self.file.bind(py);
            match file.getattr_opt(intern!(py, "flush"))? {
                Some(flush) => flush.call0().map(drop),
                None => Ok(()),
            }
        });
        flushed.map_err(|error| self.raised.keep(error))
    }
}
