//! `riverhawk.Decoder`: the streaming decoder.

use crate::encodings::{decode_error, encoding_of, policy_of};
use crate::raised::Raised;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use riverhawk_text::decoder::Separators;
use riverhawk_text::encoding::DecodeError;
use std::sync::{Mutex, TryLockError};

/// Turns bytes that arrive in any pieces into lines and characters.
///
/// Text is given as soon as its bytes are there, wherever the pieces were cut; what is not complete is
/// `None`, never an error. `encoding` is a name, or an object with `name` and
/// `decode(data: bytes, final: bool) -> tuple[str, int]`, which returns text and how many bytes it is of,
/// leaves an incomplete character alone, and raises `UnicodeDecodeError` for bytes that are none. `errors` is
/// `strict`, `replace` or `ignore`. `separators` end lines; LF and CRLF if there are none.
///
/// Raises `LookupError` for an unknown encoding, `UnicodeDecodeError` under `strict` once the lines before
/// are taken: `take_available` then gives the text before the bytes, and `take_bytes` the bytes.
///
/// >>> import riverhawk as rh
/// >>> decoder = rh.Decoder()
/// >>> decoder.feed(b'one\ntw\xc3')
/// >>> decoder.take_lines()
/// ['one']
/// >>> decoder.feed(b'\xb6\r\nend')
/// >>> decoder.take_line(), decoder.take_line()
/// ('twö', None)
/// >>> decoder.finish()
/// >>> decoder.take_line()
/// 'end'
#[pyclass(frozen, module = "riverhawk")]
pub(crate) struct Decoder {
    decoder: Mutex<riverhawk_text::decoder::Decoder>,
    raised: Raised,
}

impl Decoder {
    fn with<R>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut riverhawk_text::decoder::Decoder) -> Result<R, DecodeError>,
    ) -> PyResult<R> {
        let result = match self.decoder.try_lock() {
            Ok(mut decoder) => f(&mut decoder),
            Err(TryLockError::Poisoned(poisoned)) => f(&mut poisoned.into_inner()),
            // Waiting could be for ever: the other may be waiting for the GIL.
            Err(TryLockError::WouldBlock) => {
                return Err(PyValueError::new_err("the decoder is in use"));
            }
        };
        match (self.raised.take(), result) {
            (Some(raised), _) => Err(raised),
            (None, Err(error)) => Err(decode_error(py, &error)),
            (None, Ok(result)) => Ok(result),
        }
    }
}

fn text<'py>(py: Python<'py>, text: Option<&str>) -> Option<Bound<'py, PyString>> {
    text.map(|text| PyString::new(py, text))
}

#[pymethods]
impl Decoder {
    #[new]
    #[pyo3(signature = (encoding=None, *, errors="strict", separators=None))]
    fn new(
        encoding: Option<&Bound<'_, PyAny>>,
        errors: &str,
        separators: Option<Vec<String>>,
    ) -> PyResult<Decoder> {
        let raised = Raised::default();
        let encoding = match encoding {
            Some(encoding) => encoding_of(encoding, &raised)?,
            None => crate::encodings::named("utf-8")?,
        };
        let mut decoder =
            riverhawk_text::decoder::Decoder::new(encoding).with_policy(policy_of(errors)?);
        if let Some(separators) = separators {
            let made = Separators::strings(separators);
            let made = made.map_err(|error| PyValueError::new_err(error.to_string()))?;
            decoder = decoder.with_separators(made);
        }
        Ok(Decoder { decoder: Mutex::new(decoder), raised })
    }

    /// Add bytes.
    fn feed(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let Ok(data) = data.cast::<PyBytes>() else {
            let kind = data.get_type().name()?;
            return Err(PyTypeError::new_err(format!("a decoder is fed bytes, not {kind}")));
        };
        self.with(py, |decoder| {
            decoder.add_slice(data.as_bytes());
            Ok(())
        })
    }

    /// End the input, so that an unterminated last line is a line. More bytes begin it again.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |decoder| {
            decoder.finish();
            Ok(())
        })
    }

    /// The next line without its separator, or `None` if none is complete.
    fn take_line<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.with(py, |decoder| Ok(text(py, decoder.take_line()?)))
    }

    /// All complete lines, without their separators.
    ///
    /// Under `strict` the lines before an error come first; the next call raises it.
    fn take_lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut lines = Vec::new();
        self.with(py, |decoder| {
            let all = decoder.for_each_line(|line| {
                lines.push(PyString::new(py, line));
                true
            });
            match all {
                Err(error) if lines.is_empty() => Err(error),
                _ => Ok(()),
            }
        })?;
        PyList::new(py, lines)
    }

    /// All text that is complete; may be empty.
    fn take_available<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.with(py, |decoder| Ok(PyString::new(py, decoder.take_available()?)))
    }

    /// Exactly `count` code points, or `None` if there are fewer; after `finish` the rest.
    fn take_chars<'py>(
        &self,
        py: Python<'py>,
        count: usize,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        self.with(py, |decoder| Ok(text(py, decoder.take_chars(count)?)))
    }

    /// Exactly `count` grapheme clusters, or `None` if there are fewer or the last may still be joined by a
    /// combining mark; after `finish` the rest.
    fn take_graphemes<'py>(
        &self,
        py: Python<'py>,
        count: usize,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        self.with(py, |decoder| Ok(text(py, decoder.take_graphemes(count)?)))
    }

    /// Exactly `count` bytes of the input from the end of the text that was taken last, or `None` if there
    /// are fewer.
    fn take_bytes<'py>(
        &self,
        py: Python<'py>,
        count: usize,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.with(py, |decoder| Ok(decoder.take_bytes(count).map(|bytes| PyBytes::new(py, bytes))))
    }

    /// Whether everything that was fed has been taken.
    #[getter]
    fn is_empty(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |decoder| Ok(decoder.is_empty()))
    }

    /// How many bytes of the input have text that was not taken.
    #[getter]
    fn bytes_available(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |decoder| Ok(decoder.bytes_available()))
    }

    /// The position in the input of the next text, in bytes.
    #[getter]
    fn byte_offset(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |decoder| Ok(decoder.byte_offset()))
    }
}
