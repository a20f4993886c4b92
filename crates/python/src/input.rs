//! Standard inputs that are Python's: file objects and iterables.

use crate::convert::{bytes_of, text_of};
use crate::raised::Raised;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyIterator, PyMemoryView, PyString};
use pyo3::{Borrowed, intern};
use riverhawk::Run;
use std::io::{self, Read};

/// What a run gets as its standard input.
pub(crate) enum Input {
    Memory(Vec<u8>),
    File(Py<PyAny>),
    Lines(Py<PyIterator>),
}

impl FromPyObject<'_, '_> for Input {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Input> {
        if let Some(bytes) = bytes_of(&object)? {
            return Ok(Input::Memory(bytes));
        }
        if object.hasattr(intern!(object.py(), "read"))? {
            return Ok(Input::File(object.to_owned().unbind()));
        }
        if object.is_instance_of::<PyByteArray>() || object.is_instance_of::<PyMemoryView>() {
            let bytes = object.py().get_type::<PyBytes>().call1((object,))?;
            return Ok(Input::Memory(bytes.extract()?));
        }
        match object.try_iter() {
            Ok(lines) => Ok(Input::Lines(lines.unbind())),
            Err(_) => {
                let kind = object.get_type().name()?;
                let is_path = object.hasattr(intern!(object.py(), "__fspath__"))?;
                let advice = if is_path { ": a file is given as files" } else { "" };
                let message = format!(
                    "input is str, bytes, a file object or an iterable, not {kind}{advice}"
                );
                Err(PyTypeError::new_err(message))
            }
        }
    }
}

impl Input {
    pub(crate) fn give(self, run: Run, raised: &Raised) -> Run {
        match self {
            Input::Memory(bytes) => run.input(bytes),
            other => run.stdin(Pulled::new(other, raised)),
        }
    }
}

/// Gives more bytes, of about the given number; none at the end.
type Next = dyn FnMut(Python<'_>, usize) -> PyResult<Vec<u8>> + Send;

/// An input as a reader that attaches to the interpreter for each block or line.
pub(crate) struct Pulled {
    next: Box<Next>,
    raised: Raised,
    rest: Vec<u8>,
    /// How much of `rest` is used.
    at: usize,
}

impl Pulled {
    pub(crate) fn new(input: Input, raised: &Raised) -> Pulled {
        let (next, rest): (Box<Next>, _) = match input {
            Input::Memory(bytes) => (Box::new(|_, _| Ok(Vec::new())), bytes),
            Input::File(file) => {
                (Box::new(move |py, room| block_of(file.bind(py), room)), Vec::new())
            }
            Input::Lines(lines) => (Box::new(move |py, _| line_of(lines.bind(py))), Vec::new()),
        };
        Pulled { next, raised: raised.clone(), rest, at: 0 }
    }
}

impl Read for Pulled {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.at == self.rest.len() {
            let more = Python::attach(|py| (self.next)(py, room.len()));
            self.rest = more.map_err(|error| self.raised.keep(error))?;
            self.at = 0;
        }
        let taken = room.len().min(self.rest.len() - self.at);
        room[..taken].copy_from_slice(&self.rest[self.at..self.at + taken]);
        self.at += taken;
        Ok(taken)
    }
}

fn block_of(file: &Bound<'_, PyAny>, size: usize) -> PyResult<Vec<u8>> {
    let py = file.py();
    // What is there, where the object can tell: a pipe is not waited on until a block is full.
    let block = match file.call_method1(intern!(py, "read1"), (size,)) {
        Err(error) if error.is_instance_of::<pyo3::exceptions::PyAttributeError>(py) => {
            file.call_method1(intern!(py, "read"), (size,))
        }
        other => other,
    }?;
    if let Ok(bytes) = block.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    if let Ok(text) = block.cast::<PyString>() {
        return text_of(text);
    }
    let kind = block.get_type().name()?;
    let reason = if block.is_none() { ": it does not block" } else { "" };
    Err(PyTypeError::new_err(format!("read() gave {kind}, not bytes or str{reason}")))
}

/// The next item with a newline at its end.
fn line_of(lines: &Bound<'_, PyIterator>) -> PyResult<Vec<u8>> {
    let Some(item) = lines.clone().next() else { return Ok(Vec::new()) };
    let item = item?;
    let Some(mut line) = bytes_of(&item)? else {
        let kind = item.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "an item of the input is {kind}, not str or bytes"
        )));
    };
    if line.last() != Some(&b'\n') {
        line.try_reserve(1).map_err(|error| PyValueError::new_err(error.to_string()))?;
        line.push(b'\n');
    }
    Ok(line)
}
