//! Python functions that programs call.

use crate::convert::{number_of, reply_of, str_of};
use crate::raised::Raised;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{IntoPyObjectExt, intern};
use riverhawk::{Builder, Call, CallError, Reply};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::RangeInclusive;

/// What `*args` takes at most.
const MAX_ARGUMENTS: usize = 255;

thread_local! {
    /// Where exceptions of the thread's run are kept: functions are of a program, not of a run.
    static RAISED: RefCell<Option<Raised>> = const { RefCell::new(None) };
}

/// Keeps exceptions of functions that are called on this thread while `run` lasts.
pub(crate) fn with_raised<R>(raised: &Raised, run: impl FnOnce() -> R) -> R {
    /// Puts back what an outer run has, also when the run panics.
    struct Outer(Option<Raised>);
    impl Drop for Outer {
        fn drop(&mut self) {
            RAISED.set(self.0.take());
        }
    }
    let _outer = Outer(RAISED.replace(Some(raised.clone())));
    run()
}

/// Declares a Python function to a program.
pub(crate) fn declare(
    builder: Builder,
    name: String,
    function: Bound<'_, PyAny>,
) -> PyResult<Builder> {
    if !function.is_callable() {
        return Err(PyTypeError::new_err(format!("{name} cannot be called")));
    }
    let arguments = arguments_of(&name, &function)?;
    let function = function.unbind();
    Ok(builder.function(name, arguments, move |call: &mut Call<'_>| {
        let result = Python::attach(|py| answer(function.bind(py), call));
        result.map_err(|error| {
            let kept = RAISED.with_borrow(Clone::clone).unwrap_or_default();
            CallError::from(kept.keep(error))
        })
    }))
}

fn answer(function: &Bound<'_, PyAny>, call: &Call<'_>) -> PyResult<Reply> {
    let py = function.py();
    let arguments = (0..call.len()).map(|at| match call.text(at) {
        Cow::Borrowed(text) => Ok(str_of(py, text)?.into_any()),
        // Only numbers are written out.
        Cow::Owned(_) => number_of(py, call.number(at)),
    });
    let arguments = PyTuple::new(py, arguments.collect::<PyResult<Vec<_>>>()?)?;
    reply_of(&function.call1(arguments)?)
}

/// How many arguments a function can be called with, by position.
fn arguments_of(name: &str, function: &Bound<'_, PyAny>) -> PyResult<RangeInclusive<usize>> {
    let py = function.py();
    let inspect = py.import(intern!(py, "inspect"))?;
    let parameter = inspect.getattr(intern!(py, "Parameter"))?;
    let Ok(signature) = inspect.call_method1(intern!(py, "signature"), (function,)) else {
        // Some functions that are written in C do not tell.
        return Ok(0..=MAX_ARGUMENTS);
    };
    let empty = parameter.getattr(intern!(py, "empty"))?;
    let kind = |name: &str| parameter.getattr(name);
    let (by_position, either) = (kind("POSITIONAL_ONLY")?, kind("POSITIONAL_OR_KEYWORD")?);
    let (rest, by_name) = (kind("VAR_POSITIONAL")?, kind("KEYWORD_ONLY")?);
    let (mut least, mut most) = (0, 0);
    let parameters = signature.getattr(intern!(py, "parameters"))?;
    for parameter in parameters.call_method0(intern!(py, "values"))?.try_iter()? {
        let parameter = parameter?;
        let kind = parameter.getattr(intern!(py, "kind"))?;
        let is_needed = parameter.getattr(intern!(py, "default"))?.is(&empty);
        if kind.is(&rest) {
            most = MAX_ARGUMENTS;
        } else if kind.is(&by_position) || kind.is(&either) {
            most += 1;
            least += usize::from(is_needed);
        } else if kind.is(&by_name) && is_needed {
            let message =
                format!("{name} needs the argument {} by name", parameter.into_py_any(py)?);
            return Err(PyValueError::new_err(message));
        }
    }
    Ok(least..=most)
}
