//! Parts of a `str`.

use pyo3::ffi::{Py_ssize_t, PyUnicode_Substring};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The characters from `start` to `end`. Of an ASCII text they are copied, which is faster than decoding
/// them.
#[inline]
pub(crate) fn substring<'py>(
    text: &Bound<'py, PyString>,
    start: usize,
    end: usize,
) -> PyResult<Bound<'py, PyString>> {
    // SAFETY: `text` is a `str`, places behind its end are cut off, and what is given is a new reference
    // to a `str`, or null with an exception.
    unsafe {
        let part = PyUnicode_Substring(text.as_ptr(), start as Py_ssize_t, end as Py_ssize_t);
        Ok(Bound::from_owned_ptr_or_err(text.py(), part)?.cast_into_unchecked())
    }
}
