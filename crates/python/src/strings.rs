//! Objects that are made by the million.

use pyo3::ffi::{PyList_New, PyList_SetItem, PyList_SetSlice, PyUnicode_Substring};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use std::ptr;

/// The characters from `start` to `end`. To copy them takes fewer instructions than to decode them, as UTF-8
/// or as Latin-1.
#[inline]
pub(crate) fn substring<'py>(
    text: &Bound<'py, PyString>,
    start: usize,
    end: usize,
) -> PyResult<Bound<'py, PyString>> {
    // SAFETY: `text` is a `str`, places behind its end are cut off, and what is given is a new reference
    // to a `str`, or null with an exception.
    unsafe {
        let part = PyUnicode_Substring(text.as_ptr(), start as isize, end as isize);
        Ok(Bound::from_owned_ptr_or_err(text.py(), part)?.cast_into_unchecked())
    }
}

/// A list of what is made of each item before the first error, and that.
#[inline(always)]
pub(crate) fn list_of<'py, T>(
    py: Python<'py>,
    items: &[T],
    mut make: impl FnMut(&T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyList>, Option<PyErr>)> {
    let count = items.len() as isize;
    // SAFETY: `PyList_New` gives a new reference to a list with `count` empty places, or null with an exception.
    // The list takes the reference of each object, at a place that it has. The places that stay empty are cut
    // off before anyone else has the list.
    unsafe {
        let list = Bound::from_owned_ptr_or_err(py, PyList_New(count))?.cast_into_unchecked();
        for (at, item) in items.iter().enumerate() {
            match make(item) {
                Ok(object) => {
                    PyList_SetItem(list.as_ptr(), at as isize, object.into_ptr());
                }
                Err(error) => {
                    PyList_SetSlice(list.as_ptr(), at as isize, count, ptr::null_mut());
                    return Ok((list, Some(error)));
                }
            }
        }
        Ok((list, None))
    }
}
