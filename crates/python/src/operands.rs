//! Operands that Python opens: files of an object store, say.

use crate::raised::Raised;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use riverhawk::filesystem::{OperandFile, OperandFiles, ReadAt};
use std::io;
use std::sync::Arc;

/// A Python object whose `open` gives `None` for the system's files, or the length, a version, and a
/// function that reads so many bytes from a place on.
pub(crate) struct PythonFiles {
    pub object: Py<PyAny>,
    pub raised: Raised,
}

type Opened = Option<(u64, i64, Py<PyAny>)>;

impl OperandFiles for PythonFiles {
    fn open(&self, name: &[u8]) -> Option<io::Result<OperandFile>> {
        let opened = Python::attach(|py| {
            let object = self.object.bind(py);
            object.call_method1(intern!(py, "open"), (name,))?.extract::<Opened>()
        });
        let (length, version, read) = match opened {
            Ok(opened) => opened?,
            Err(error) => return Some(Err(self.raised.keep(error))),
        };
        let bytes = Arc::new(PythonFile { read, raised: self.raised.clone() });
        Some(Ok(OperandFile { bytes, length, version }))
    }
}

struct PythonFile {
    read: Py<PyAny>,
    raised: Raised,
}

impl ReadAt for PythonFile {
    fn read_at(&self, block: &mut [u8], offset: u64) -> io::Result<usize> {
        let read = Python::attach(|py| {
            let bytes: PyBackedBytes = self.read.call1(py, (offset, block.len()))?.extract(py)?;
            let count = bytes.len().min(block.len());
            block[..count].copy_from_slice(&bytes[..count]);
            Ok(count)
        });
        read.map_err(|error: PyErr| self.raised.keep(error))
    }
}
