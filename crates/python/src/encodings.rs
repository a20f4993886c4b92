//! Encodings by their names, and encodings that are Python objects.

use crate::raised::Raised;
use pyo3::exceptions::{PyLookupError, PyTypeError, PyUnicodeDecodeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use riverhawk_text::encoding::{
    Decode, DecodeError, Decoded, Encode, Encoded, Encoding, Encodings, Policy,
};
use std::sync::{Arc, LazyLock};

static BUILT_IN: LazyLock<Encodings> = LazyLock::new(Encodings::new);

/// A built-in encoding by its name, or an object with a name and a method `decode`.
pub(crate) fn encoding_of(
    encoding: &Bound<'_, PyAny>,
    raised: &Raised,
) -> PyResult<Arc<dyn Encoding>> {
    let py = encoding.py();
    if let Ok(name) = encoding.cast::<PyString>() {
        return named(name.to_str()?);
    }
    if encoding.getattr_opt(intern!(py, "decode"))?.is_none() {
        return Err(PyTypeError::new_err(
            "an encoding is a name or has a name and a decode method",
        ));
    }
    let name = encoding.getattr(intern!(py, "name"))?.extract()?;
    let foreign = ForeignEncoding {
        name,
        object: Arc::new(encoding.clone().unbind()),
        raised: raised.clone(),
    };
    Ok(Arc::new(foreign))
}

pub(crate) fn named(name: &str) -> PyResult<Arc<dyn Encoding>> {
    BUILT_IN.get(name).ok_or_else(|| PyLookupError::new_err(format!("unknown encoding: {name}")))
}

/// Python's name for what to do with bytes that are no text.
pub(crate) fn policy_of(errors: &str) -> PyResult<Policy> {
    match errors {
        "strict" => Ok(Policy::Strict),
        "replace" => Ok(Policy::ReplaceWith("\u{fffd}".to_owned())),
        "ignore" => Ok(Policy::ReplaceWith(String::new())),
        _ => {
            let message = format!("errors is strict, replace or ignore here, not {errors:?}");
            Err(PyValueError::new_err(message))
        }
    }
}

pub(crate) fn decode_error(py: Python<'_>, error: &DecodeError) -> PyErr {
    let kind = py.get_type::<PyUnicodeDecodeError>();
    let reason = format!(
        "undecodable at line {}, column {} (byte {})",
        error.line, error.column, error.byte_offset
    );
    let bytes = PyBytes::new(py, &error.bytes).unbind();
    PyErr::from_type(kind, (error.encoding.to_string(), bytes, 0, error.bytes.len(), reason))
}

/// An encoding of a Python object.
#[derive(Clone)]
struct ForeignEncoding {
    name: String,
    object: Arc<Py<PyAny>>,
    raised: Raised,
}

impl Encoding for ForeignEncoding {
    fn name(&self) -> &str {
        &self.name
    }

    fn replacement(&self) -> &'static str {
        "\u{fffd}"
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(self.clone())
    }

    fn encoder(&self) -> Box<dyn Encode> {
        Box::new(NoEncoder)
    }
}

impl ForeignEncoding {
    fn call(&self, input: &[u8], is_last: bool, text: &mut String) -> Decoded {
        let everything = Decoded { consumed: input.len(), undecodable: 0 };
        Python::attach(|py| match self.decoded(py, input, is_last, text) {
            Ok(decoded) => decoded,
            Err(error) if error.is_instance_of::<PyUnicodeDecodeError>(py) => {
                undecodable(py, &error, input, text, self, is_last)
            }
            Err(error) => {
                // The caller sees it when it asks what was raised.
                drop(self.raised.keep(error));
                everything
            }
        })
    }

    fn decoded(
        &self,
        py: Python<'_>,
        input: &[u8],
        is_last: bool,
        text: &mut String,
    ) -> PyResult<Decoded> {
        let result = self
            .object
            .bind(py)
            .call_method1(intern!(py, "decode"), (PyBytes::new(py, input), is_last))?;
        let (decoded, consumed): (Bound<'_, PyString>, usize) = result.extract()?;
        if consumed > input.len() {
            let message = format!("decode() says that it used {consumed} of {} bytes", input.len());
            return Err(PyValueError::new_err(message));
        }
        text.push_str(decoded.to_str()?);
        Ok(Decoded { consumed, undecodable: 0 })
    }
}

/// The text before the bytes that a `UnicodeDecodeError` names, and how many these are.
fn undecodable(
    py: Python<'_>,
    error: &PyErr,
    input: &[u8],
    text: &mut String,
    encoding: &ForeignEncoding,
    is_last: bool,
) -> Decoded {
    let bound = |name: &str| error.value(py).getattr(name).and_then(|at| at.extract::<usize>());
    let (start, end) = (bound("start").unwrap_or(0), bound("end").unwrap_or(0));
    let start = start.min(input.len());
    let count = end.saturating_sub(start).clamp(1, (input.len() - start).max(1));
    if start == 0 {
        return Decoded { consumed: 0, undecodable: count };
    }
    match encoding.decoded(py, &input[..start], is_last, text) {
        Ok(decoded) if decoded.consumed == start => Decoded { consumed: start, undecodable: count },
        Ok(decoded) => decoded,
        Err(error) => {
            drop(encoding.raised.keep(error));
            Decoded { consumed: input.len(), undecodable: 0 }
        }
    }
}

impl Decode for ForeignEncoding {
    fn decode(&mut self, input: &[u8], text: &mut String) -> Decoded {
        self.call(input, false, text)
    }

    fn finish(&mut self, tail: &[u8], text: &mut String) -> Decoded {
        let decoded = self.call(tail, true, text);
        if decoded.consumed < tail.len() && decoded.undecodable == 0 {
            return Decoded { undecodable: tail.len() - decoded.consumed, ..decoded };
        }
        decoded
    }

    fn fork(&self) -> Box<dyn Decode> {
        Box::new(self.clone())
    }
}

/// Python objects only decode here.
struct NoEncoder;

impl Encode for NoEncoder {
    fn encode(&mut self, text: &str, _: &mut Vec<u8>) -> Encoded {
        text.chars()
            .next()
            .map_or(Encoded::All, |character| Encoded::Unmappable { at: 0, character })
    }
}
