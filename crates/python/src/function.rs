//! Python functions that programs call.

use crate::convert::{key_of, number_of, reply_of, str_of};
use crate::raised::Raised;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use pyo3::{IntoPyObjectExt, intern};
use riverhawk::{Array, Builder, Call, CallError, Reply};
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
    let Arguments { count, arrays } = arguments_of(&name, &function)?;
    let function = function.unbind();
    Ok(builder.function_of_arrays(name, count, arrays, move |call: &mut Call<'_>| {
        let result = Python::attach(|py| answer(function.bind(py), call));
        result.map_err(|error| {
            let kept = RAISED.with_borrow(Clone::clone).unwrap_or_default();
            CallError::from(kept.keep(error))
        })
    }))
}

fn answer(function: &Bound<'_, PyAny>, call: &Call<'_>) -> PyResult<Reply> {
    let py = function.py();
    let mut arrays = Vec::new();
    let arguments = (0..call.len()).map(|at| {
        if let Some(array) = call.array(at) {
            let dict = dict_of(py, &array)?;
            arrays.push((array, dict.copy()?, dict.clone()));
            return Ok(dict.into_any());
        }
        scalar_of(py, call.text(at), || call.number(at))
    });
    let arguments = PyTuple::new(py, arguments.collect::<PyResult<Vec<_>>>()?)?;
    let reply = reply_of(&function.call1(arguments)?)?;
    for (array, before, after) in arrays {
        change(&array, &before, &after)?;
    }
    Ok(reply)
}

/// Texts as `str`, and as numbers what was computed.
fn scalar_of<'py>(
    py: Python<'py>,
    text: Cow<'_, [u8]>,
    number: impl FnOnce() -> f64,
) -> PyResult<Bound<'py, PyAny>> {
    match text {
        Cow::Borrowed(text) => Ok(str_of(py, text)?.into_any()),
        // Only numbers are written out.
        Cow::Owned(_) => number_of(py, number()),
    }
}

/// An array as it is now. The values of arrays in it are read only.
fn dict_of<'py>(py: Python<'py>, array: &Array<'_>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, element) in array.elements() {
        let value = match element.array() {
            Some(inner) => dict_of(py, &inner)?.into_any(),
            None => scalar_of(py, element.text(), || element.number())?,
        };
        dict.set_item(str_of(py, &key.text())?, value)?;
    }
    Ok(dict)
}

/// Makes the elements that a function has changed.
fn change(
    array: &Array<'_>,
    before: &Bound<'_, PyDict>,
    after: &Bound<'_, PyDict>,
) -> PyResult<()> {
    for key in before.keys() {
        if !after.contains(&key)? {
            array.remove(&*key_of(&key)?);
        }
    }
    for (key, value) in after {
        let is_same = before.get_item(&key)?.is_some_and(|old| old.is(&value));
        if !is_same {
            array.set(&*key_of(&key)?, reply_of(&value)?);
        }
    }
    Ok(())
}

/// What a function can be called with, by position.
struct Arguments {
    count: RangeInclusive<usize>,
    /// Those that are arrays.
    arrays: Vec<usize>,
}

fn arguments_of(name: &str, function: &Bound<'_, PyAny>) -> PyResult<Arguments> {
    let py = function.py();
    let inspect = py.import(intern!(py, "inspect"))?;
    let parameter = inspect.getattr(intern!(py, "Parameter"))?;
    let Ok(signature) = inspect.call_method1(intern!(py, "signature"), (function,)) else {
        // Some functions that are written in C do not tell.
        return Ok(Arguments { count: 0..=MAX_ARGUMENTS, arrays: Vec::new() });
    };
    let empty = parameter.getattr(intern!(py, "empty"))?;
    let kind = |name: &str| parameter.getattr(name);
    let (by_position, either) = (kind("POSITIONAL_ONLY")?, kind("POSITIONAL_OR_KEYWORD")?);
    let (rest, by_name) = (kind("VAR_POSITIONAL")?, kind("KEYWORD_ONLY")?);
    let (mut least, mut most, mut arrays) = (0, 0, Vec::new());
    let parameters = signature.getattr(intern!(py, "parameters"))?;
    for parameter in parameters.call_method0(intern!(py, "values"))?.try_iter()? {
        let parameter = parameter?;
        let kind = parameter.getattr(intern!(py, "kind"))?;
        let is_needed = parameter.getattr(intern!(py, "default"))?.is(&empty);
        if kind.is(&rest) {
            most = MAX_ARGUMENTS;
        } else if kind.is(&by_position) || kind.is(&either) {
            if is_array(&parameter.getattr(intern!(py, "annotation"))?)? {
                arrays.push(most);
            }
            most += 1;
            least += usize::from(is_needed);
        } else if kind.is(&by_name) && is_needed {
            let message =
                format!("{name} needs the argument {} by name", parameter.into_py_any(py)?);
            return Err(PyValueError::new_err(message));
        }
    }
    Ok(Arguments { count: least..=most, arrays })
}

/// Whether an annotation is `dict` or such as `dict[str, int]`, also as a text.
fn is_array(annotation: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = annotation.py();
    if let Ok(text) = annotation.cast::<PyString>() {
        let text = text.to_string_lossy();
        return Ok(text == "dict" || text.starts_with("dict["));
    }
    let origin = annotation.getattr_opt(intern!(py, "__origin__"))?;
    Ok(origin.as_ref().unwrap_or(annotation).is(py.get_type::<PyDict>()))
}
