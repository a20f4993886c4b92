//! Texts and values, from Python and to it.
//!
//! A `str` is UTF-8, where each byte that is no part of it is a lone surrogate: what Python calls
//! `surrogateescape`, as for names of files. So all bytes can go out to Python and come back.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};
use pyo3::{IntoPyObjectExt, intern};
use riverhawk::{Reply, Value};

/// Whole numbers up to here are exact as doubles.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// The bytes of a `str` or `bytes`; `None` for other objects.
pub(crate) fn bytes_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    if let Ok(text) = object.cast::<PyString>() {
        return text_of(text).map(Some);
    }
    Ok(object.cast::<PyBytes>().ok().map(|bytes| bytes.as_bytes().to_vec()))
}

/// The bytes of a `str`.
pub(crate) fn text_of(text: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
    if let Ok(text) = text.to_str() {
        return Ok(text.as_bytes().to_vec());
    }
    // It has surrogates.
    let py = text.py();
    let encoded = text.call_method1(intern!(py, "encode"), ("utf-8", "surrogateescape"))?;
    Ok(encoded.cast::<PyBytes>()?.as_bytes().to_vec())
}

/// The path as bytes of a `str`, `bytes` or `os.PathLike`.
pub(crate) fn path_of(path: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let os = path.py().import(intern!(path.py(), "os"))?;
    let encoded = os.call_method1(intern!(path.py(), "fsencode"), (path,))?;
    Ok(encoded.cast::<PyBytes>()?.as_bytes().to_vec())
}

/// Bytes as a `str`.
pub(crate) fn str_of<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(PyString::new(py, text)),
        Err(_) => {
            let bytes = PyBytes::new(py, bytes);
            let decoded =
                bytes.call_method1(intern!(py, "decode"), ("utf-8", "surrogateescape"))?;
            Ok(decoded.cast_into()?)
        }
    }
}

/// An `int` if the number is whole and exact, else a `float`.
pub(crate) fn number_of(py: Python<'_>, number: f64) -> PyResult<Bound<'_, PyAny>> {
    let is_whole = number.trunc() == number && number.abs() <= MAX_EXACT;
    // Negative zero is no integer.
    if is_whole && (number != 0.0 || number.is_sign_positive()) {
        (number as i64).into_bound_py_any(py)
    } else {
        number.into_bound_py_any(py)
    }
}

/// A variable as an object: `None`, a number, a `str`, or a `dict`.
pub(crate) fn object_of<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Unset => Ok(py.None().into_bound(py)),
        Value::Number(number) => number_of(py, *number),
        Value::Precise(digits) => {
            let digits = PyString::new(py, digits);
            match py.get_type::<PyInt>().call1((&digits,)) {
                Ok(integer) => Ok(integer),
                Err(_) => py.get_type::<PyFloat>().call1((digits,)),
            }
        }
        Value::Text(text) | Value::Input(text) => Ok(str_of(py, text)?.into_any()),
        Value::Array(pairs) => {
            let dict = PyDict::new(py);
            for (key, value) in pairs {
                dict.set_item(str_of(py, key)?, object_of(py, value)?)?;
            }
            Ok(dict.into_any())
        }
    }
}

/// A scalar for the program.
enum Scalar {
    Nothing,
    Number(f64),
    /// An integer that no double holds, in decimal digits.
    Large(String),
    Text(Vec<u8>),
}

impl Scalar {
    /// `None` for an object that is none.
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
        if let Some(text) = bytes_of(object)? {
            return Ok(Some(Scalar::Text(text)));
        }
        if object.is_none() {
            return Ok(Some(Scalar::Nothing));
        }
        if let Ok(truth) = object.cast::<PyBool>() {
            return Ok(Some(Scalar::Number(f64::from(u8::from(truth.is_true())))));
        }
        if object.is_instance_of::<PyInt>() {
            let number = match object.extract::<f64>() {
                Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => f64::INFINITY,
                other => other?,
            };
            return Ok(Some(if number.abs() <= MAX_EXACT {
                Scalar::Number(number)
            } else {
                Scalar::Large(object.str()?.to_str()?.to_owned())
            }));
        }
        // Also what has `__float__`, such as decimals and numbers of numpy.
        let is_number = object.hasattr(intern!(object.py(), "__float__"))?;
        Ok(if is_number { Some(Scalar::Number(object.extract()?)) } else { None })
    }
}

/// An object as a variable: `None`, numbers, `str`, `bytes`, mappings, and lists and tuples as
/// arrays from 1.
pub(crate) fn value_of(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Some(scalar) = Scalar::of(object)? {
        return Ok(match scalar {
            Scalar::Nothing => Value::Unset,
            Scalar::Number(number) => Value::Number(number),
            Scalar::Large(digits) => Value::Precise(digits),
            Scalar::Text(text) => Value::Text(text),
        });
    }
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        let pairs = object
            .try_iter()?
            .zip(1..)
            .map(|(item, at): (_, usize)| Ok((at.to_string().into_bytes(), value_of(&item?)?)));
        return Ok(Value::Array(pairs.collect::<PyResult<_>>()?));
    }
    let Ok(mapping) = object.cast::<PyMapping>() else {
        let kind = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a program has no values of type {kind}")));
    };
    let pairs = mapping.items()?.into_iter().map(|pair| {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
        Ok((key_of(&key)?, value_of(&value)?))
    });
    Ok(Value::Array(pairs.collect::<PyResult<_>>()?))
}

/// The key of an element: text, or a number as the language writes it.
pub(crate) fn key_of(key: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    match Scalar::of(key)? {
        Some(Scalar::Text(text)) => Ok(text),
        Some(Scalar::Number(number)) => Ok(Value::Number(number).bytes().into_owned()),
        Some(Scalar::Large(digits)) => Ok(digits.into_bytes()),
        Some(Scalar::Nothing) | None => {
            let kind = key.get_type().name()?;
            Err(PyTypeError::new_err(format!("a key is text or a number, not {kind}")))
        }
    }
}

/// What a host function has returned.
pub(crate) fn reply_of(object: &Bound<'_, PyAny>) -> PyResult<Reply> {
    match Scalar::of(object)? {
        Some(Scalar::Nothing) => Ok(Reply::nothing()),
        Some(Scalar::Number(number)) => Ok(Reply::from(number)),
        Some(Scalar::Large(digits)) => Ok(Reply::input(digits.as_bytes())),
        Some(Scalar::Text(text)) => Ok(Reply::from(text)),
        None => {
            let kind = object.get_type().name()?;
            let message = format!("a function returns text, a number or None, not {kind}");
            Err(PyTypeError::new_err(message))
        }
    }
}
