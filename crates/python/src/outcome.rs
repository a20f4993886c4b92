//! How a run ended, as `riverhawk.Result`.

use crate::convert::object_of;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use riverhawk::{Outcome, Value};
use std::sync::Mutex;

/// How a run ended: what it printed, its exit status, and its variables.
///
/// >>> import riverhawk as rh
/// >>> result = rh.awk('{ n[$1]++ } END { print NR; exit 3 }', input='tea\nmilk\ntea\n')
/// >>> result.stdout, result.status, result.variables['n']
/// (b'3\n', 3, {'tea': 2, 'milk': 1})
#[pyclass(frozen, module = "riverhawk")]
pub(crate) struct Result {
    /// What was printed; empty if the run had a `stdout` to write to.
    #[pyo3(get)]
    stdout: Py<PyBytes>,
    /// What was printed to the standard error; empty if the run had a `stderr` to write to.
    #[pyo3(get)]
    stderr: Py<PyBytes>,
    /// The exit status: 0, or what the program says by `exit`.
    #[pyo3(get)]
    status: u8,
    /// Records read of the main input.
    #[pyo3(get)]
    records: u64,
    /// Those that no one has asked for yet.
    kept: Mutex<Vec<(String, Value)>>,
    variables: PyOnceLock<Py<PyDict>>,
}

impl Result {
    pub(crate) fn new(py: Python<'_>, outcome: Outcome) -> Result {
        Result {
            stdout: PyBytes::new(py, &outcome.stdout).unbind(),
            stderr: PyBytes::new(py, &outcome.stderr).unbind(),
            status: outcome.status,
            records: outcome.records,
            kept: Mutex::new(outcome.into_variables().collect()),
            variables: PyOnceLock::new(),
        }
    }
}

#[pymethods]
impl Result {
    /// What was printed, as text; bytes that are no UTF-8 are replaced by U+FFFD.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &String::from_utf8_lossy(self.stdout.as_bytes(py)))
    }

    /// The lines of `text`, without their newlines.
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let text = String::from_utf8_lossy(self.stdout.as_bytes(py));
        let text = text.strip_suffix('\n').unwrap_or(&text);
        if text.is_empty() && self.stdout.as_bytes(py).is_empty() {
            return Ok(PyList::empty(py));
        }
        PyList::new(py, text.split('\n'))
    }

    /// The variables that the program names, and NR, FNR and NF, as the program left them: numbers,
    /// `str`, arrays as `dict`, and `None` for what was never assigned. Empty if the run was not to
    /// keep them.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyDict>> {
        let made = self.variables.get_or_try_init(py, || {
            let mut kept = self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let dict = PyDict::new(py);
            for (name, value) in kept.iter() {
                dict.set_item(name, object_of(py, value)?)?;
            }
            kept.clear();
            PyResult::Ok(dict.unbind())
        });
        made.map(|dict| dict.bind(py))
    }

    /// Raises `riverhawk.StatusError` if the exit status is not 0; returns the result otherwise, so
    /// that calls can be chained.
    fn raise_for_status<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        if slf.get().status == 0 {
            return Ok(slf.clone());
        }
        let py = slf.py();
        let errors = py.import(intern!(py, "riverhawk._errors"))?;
        let error = errors.call_method1(intern!(py, "StatusError"), (slf,))?;
        Err(PyErr::from_value(error))
    }

    /// What was printed, as the output of a cell in a notebook.
    fn _repr_html_(&self, py: Python<'_>) -> String {
        format!("<pre>{}</pre>", escaped(&String::from_utf8_lossy(self.stdout.as_bytes(py))))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        /// Bytes of output that are shown.
        const SHOWN: usize = 60;
        let stdout = self.stdout.as_bytes(py);
        let shown = PyBytes::new(py, &stdout[..stdout.len().min(SHOWN)]);
        let more = if stdout.len() > SHOWN { "..." } else { "" };
        format!("Result(status={}, stdout={shown:?}{more}, records={})", self.status, self.records)
    }
}

/// A text in HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
