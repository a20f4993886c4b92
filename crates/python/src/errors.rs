//! Failures of the engine as exceptions of `riverhawk._errors`.

use crate::convert::str_of;
use crate::outcome::Result;
use pyo3::exceptions::PyOSError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use riverhawk::engine::Severity;
use riverhawk::{CompileError, EndCause, RunError};
use std::io;

fn errors(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(intern!(py, "riverhawk._errors"))
}

/// `riverhawk.SyntaxError`, which Python and IPython draw with the line and a caret.
pub(crate) fn syntax_error(py: Python<'_>, error: &CompileError, sources: &Sources) -> PyErr {
    let make = || {
        let first = error.diagnostics().first();
        let message = first.map_or("the program does not compile", |first| &first.message);
        let location = first.and_then(|first| first.location.clone());
        let text = location.as_ref().and_then(|at| sources.line(&at.source, at.line));
        let place = location.map(|at| (at.source, at.line, at.column, text));
        let made = errors(py)?.getattr(intern!(py, "Diagnostic"))?;
        let diagnostics = error.diagnostics().iter().map(|found| {
            let severity = match found.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            let at = found.location.as_ref();
            let place = (at.map(|at| &at.source), at.map(|at| at.line), at.map(|at| at.column));
            made.call1((
                severity,
                &found.message,
                place.0,
                place.1,
                place.2,
                &found.label,
                &found.help,
            ))
        });
        let diagnostics = diagnostics.collect::<PyResult<Vec<_>>>()?;
        let arguments = (message, place, error.to_string(), diagnostics);
        errors(py)?.call_method1(intern!(py, "SyntaxError"), arguments)
    };
    make().map_or_else(|error| error, PyErr::from_value)
}

/// A failure of the system as the subclass of `OSError` that it is.
pub(crate) fn os_error(
    py: Python<'_>,
    error: &io::Error,
    path: Option<&Bound<'_, PyAny>>,
) -> PyErr {
    let make = || {
        let kind = py.get_type::<PyOSError>();
        match (error.raw_os_error(), path) {
            (Some(code), path) => {
                let os = py.import(intern!(py, "os"))?;
                let message = os.call_method1(intern!(py, "strerror"), (code,))?;
                kind.call1((code, message, path))
            }
            (None, Some(path)) => kind.call1((format!("{error}: {}", path.repr()?),)),
            (None, None) => kind.call1((error.to_string(),)),
        }
    };
    make().map_or_else(|error| error, PyErr::from_value)
}

/// The texts of a program, for the lines that its errors show.
pub(crate) struct Sources(pub Vec<(String, Vec<u8>)>);

impl Sources {
    fn line(&self, name: &str, number: usize) -> Option<String> {
        let (_, text) = self.0.iter().find(|(known, _)| known == name)?;
        let line = text.split(|&byte| byte == b'\n').nth(number.checked_sub(1)?)?;
        Some(String::from_utf8_lossy(line).into_owned())
    }
}

/// What a run raises that has failed: what was raised in it, with the place in the program as its cause
/// unless it has another.
pub(crate) fn failure(py: Python<'_>, error: RunError, raised: Option<PyErr>) -> PyErr {
    let Some(exception) = raised else { return runtime_error(py, error) };
    if exception.cause(py).is_none() {
        exception.set_cause(py, Some(runtime_error(py, error)));
    }
    exception
}

/// `riverhawk.RuntimeError`, with what the run had done until then.
fn runtime_error(py: Python<'_>, error: RunError) -> PyErr {
    let make = || {
        let details = PyDict::new(py);
        details.set_item("report", error.to_string())?;
        details.set_item("limit", error.cause().and_then(name_of))?;
        if let Some(at) = error.location() {
            details.set_item("filename", &at.source)?;
            details.set_item("lineno", at.line)?;
            details.set_item("offset", at.column)?;
        }
        if let Some((file, number)) = error.record() {
            details.set_item("input", str_of(py, file)?)?;
            details.set_item("record", number)?;
        }
        let message = error.message().to_owned();
        details.set_item("result", Result::new(py, error.into_outcome()).into_pyobject(py)?)?;
        let made = errors(py)?.getattr(intern!(py, "RuntimeError"))?;
        made.call((message,), Some(&details))
    };
    make().map_or_else(|error| error, PyErr::from_value)
}

/// `riverhawk.TableError`: rows that are not what the table's columns say.
pub(crate) fn table_error(
    py: Python<'_>,
    message: &str,
    input: Option<Bound<'_, PyString>>,
    record: Option<u64>,
    column: Option<String>,
) -> PyErr {
    let make =
        || errors(py)?.call_method1(intern!(py, "TableError"), (message, input, record, column));
    make().map_or_else(|error| error, PyErr::from_value)
}

/// The limit, by its name in `riverhawk.Limits`.
fn name_of(cause: EndCause) -> Option<&'static str> {
    Some(match cause {
        EndCause::Time => "time",
        EndCause::Memory => "memory",
        EndCause::Steps => "steps",
        EndCause::Records => "records",
        EndCause::Calls => "call_depth",
        EndCause::Output => "output",
        EndCause::RecordLength => "record",
        _ => return None,
    })
}
