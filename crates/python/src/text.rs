//! Text in characters as readers see them: `riverhawk.text`.

use crate::convert::{str_of, text_of};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use riverhawk_text::NormalForm;

/// The grapheme clusters of a text: what a reader takes for one character each.
///
/// >>> from riverhawk import text
/// >>> text.graphemes('e\u0301🇫🇷\r\n')
/// ['é', '🇫🇷', '\r\n']
#[pyfunction]
pub(crate) fn graphemes<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyList>> {
    let py = text.py();
    let bytes = text_of(text)?;
    let parts = riverhawk_text::graphemes(&bytes).map(|part| str_of(py, part));
    PyList::new(py, parts.collect::<PyResult<Vec<_>>>()?)
}

/// How many grapheme clusters a text has.
///
/// >>> from riverhawk import text
/// >>> text.grapheme_count('e\u0301🇫🇷'), len('e\u0301🇫🇷')
/// (2, 4)
#[pyfunction]
pub(crate) fn grapheme_count(text: &Bound<'_, PyString>) -> PyResult<usize> {
    Ok(riverhawk_text::grapheme_count(&text_of(text)?))
}

/// The columns that a text takes on a terminal.
///
/// >>> from riverhawk import text
/// >>> text.width('tea'), text.width('茶'), text.width('e\u0301')
/// (3, 2, 1)
#[pyfunction]
pub(crate) fn width(text: &Bound<'_, PyString>) -> PyResult<usize> {
    Ok(riverhawk_text::display_width(&text_of(text)?))
}

/// A text in a normal form: NFC, NFD, NFKC or NFKD.
///
/// Raises `ValueError` for another form.
///
/// >>> from riverhawk import text
/// >>> text.normalize('NFC', 'e\u0301') == '\u00e9'
/// True
#[pyfunction]
pub(crate) fn normalize<'py>(
    form: &str,
    text: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyString>> {
    let bytes = text_of(text)?;
    match riverhawk_text::normalize(&bytes, form_of(form)?) {
        std::borrow::Cow::Borrowed(_) => Ok(text.clone()),
        std::borrow::Cow::Owned(normal) => str_of(text.py(), &normal),
    }
}

/// Whether a text is in a normal form.
///
/// >>> from riverhawk import text
/// >>> text.is_normalized('NFC', 'e\u0301')
/// False
#[pyfunction]
pub(crate) fn is_normalized(form: &str, text: &Bound<'_, PyString>) -> PyResult<bool> {
    Ok(riverhawk_text::is_normalized(&text_of(text)?, form_of(form)?))
}

fn form_of(name: &str) -> PyResult<NormalForm> {
    let form = NormalForm::from_name(name.as_bytes());
    form.ok_or_else(|| PyValueError::new_err(format!("no normal form is called {name:?}")))
}
