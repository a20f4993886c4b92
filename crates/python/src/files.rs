//! Whole files: reading, writing, appending, prepending and editing.
//!
//! Contents are bytes here; `riverhawk._files` decodes and encodes.

use crate::convert::path_of;
use crate::errors::os_error;
use crate::raised::Raised;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyTimeoutError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use riverhawk::engine::system::names::{OsStrExt, OsStringExt};
use riverhawk_slurp::{Durability, Error, ErrorKind, Lock, ReadDir, Slurp, Spew};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// What an operation writes, as `riverhawk._files` gives it.
#[derive(FromPyObject)]
pub(crate) struct Writing {
    /// `None` is the operation's own choice.
    atomic: Option<bool>,
    perms: Option<u32>,
    no_clobber: bool,
    create: bool,
    lock: bool,
    lock_timeout: Option<f64>,
    sync: Option<String>,
}

impl Writing {
    fn spew(self) -> PyResult<Spew> {
        let mut spew = match self.atomic {
            Some(true) => Spew::new().atomic(),
            Some(false) => Spew::new().in_place(),
            None => Spew::new(),
        };
        if let Some(perms) = self.perms {
            spew = spew.perms(perms);
        }
        if self.no_clobber {
            spew = spew.no_clobber();
        }
        if self.create {
            spew = spew.create();
        }
        if self.lock {
            spew = spew.lock(Lock::Exclusive);
        }
        if let Some(seconds) = self.lock_timeout {
            spew = spew.lock_timeout(duration(seconds)?);
        }
        match self.sync.as_deref() {
            None => Ok(spew),
            Some("file") => Ok(spew.sync(Durability::File)),
            Some("directory") => Ok(spew.sync(Durability::FileAndDirectory)),
            Some(other) => {
                Err(PyValueError::new_err(format!("sync is file or directory, not {other:?}")))
            }
        }
    }
}

fn duration(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err(format!("a timeout is no {seconds} seconds")))
}

fn path(object: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    path_of(object).map(OsString::from_vec).map(PathBuf::from)
}

/// The content of a file.
#[pyfunction]
pub(crate) fn read_file<'py>(
    py: Python<'py>,
    file: &Bound<'py, PyAny>,
    limit: Option<u64>,
    lock: bool,
    lock_timeout: Option<f64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let path = path(file)?;
    let mut slurp = Slurp::new();
    if let Some(limit) = limit {
        slurp = slurp.limit(limit);
    }
    if lock {
        slurp = slurp.lock(Lock::Shared);
    }
    if let Some(seconds) = lock_timeout {
        slurp = slurp.lock_timeout(duration(seconds)?);
    }
    let content = py.detach(|| slurp.read(&path)).map_err(|error| failure(py, &error, file))?;
    Ok(PyBytes::new(py, &content))
}

/// Replace the content of a file.
#[pyfunction]
pub(crate) fn write_file(
    py: Python<'_>,
    file: &Bound<'_, PyAny>,
    content: &[u8],
    how: Writing,
) -> PyResult<()> {
    let (path, spew) = (path(file)?, how.spew()?);
    py.detach(|| spew.write(&path, content)).map_err(|error| failure(py, &error, file))
}

/// Add to the end of a file.
#[pyfunction]
pub(crate) fn append_file(
    py: Python<'_>,
    file: &Bound<'_, PyAny>,
    content: &[u8],
    how: Writing,
) -> PyResult<()> {
    let (path, spew) = (path(file)?, how.spew()?);
    py.detach(|| spew.append(&path, content)).map_err(|error| failure(py, &error, file))
}

/// Add to the beginning of a file.
#[pyfunction]
pub(crate) fn prepend_file(
    py: Python<'_>,
    file: &Bound<'_, PyAny>,
    content: &[u8],
    how: Writing,
) -> PyResult<()> {
    let (path, spew) = (path(file)?, how.spew()?);
    py.detach(|| spew.prepend(&path, content)).map_err(|error| failure(py, &error, file))
}

/// Replace the content of a file by what `change` makes of it; whether it was written.
#[pyfunction]
pub(crate) fn change_file(
    py: Python<'_>,
    file: &Bound<'_, PyAny>,
    change: Bound<'_, PyAny>,
    how: Writing,
) -> PyResult<bool> {
    let (path, spew) = (path(file)?, how.spew()?);
    let raised = Raised::default();
    let (change, kept) = (change.unbind(), raised.clone());
    let written = py.detach(|| {
        spew.edit(&path, |content| {
            let new = Python::attach(|py| {
                let new = change.bind(py).call1((PyBytes::new(py, content),))?;
                new.extract::<Vec<u8>>()
            });
            match new {
                Ok(new) => *content = new,
                // Unchanged, it is not written.
                Err(error) => drop(kept.keep(error)),
            }
        })
    });
    match raised.take() {
        Some(error) => Err(error),
        None => written.map_err(|error| failure(py, &error, file)),
    }
}

/// The names in a directory; see `riverhawk.read_dir`.
#[pyfunction]
pub(crate) fn list_directory<'py>(
    py: Python<'py>,
    directory: &Bound<'py, PyAny>,
    prefix: bool,
    sorted: bool,
) -> PyResult<Bound<'py, PyList>> {
    let path = path(directory)?;
    let mut how = ReadDir::new();
    if prefix {
        how = how.prefix();
    }
    if sorted {
        how = how.sorted();
    }
    let names = py.detach(|| how.read(&path)).map_err(|error| failure(py, &error, directory))?;
    let decode = py.import(intern!(py, "os"))?.getattr(intern!(py, "fsdecode"))?;
    let names =
        names.iter().map(|name| decode.call1((PyBytes::new(py, name.as_os_str().as_bytes()),)));
    PyList::new(py, names.collect::<PyResult<Vec<_>>>()?)
}

fn failure(py: Python<'_>, error: &Error, file: &Bound<'_, PyAny>) -> PyErr {
    if let Some(cause) = error.io_error()
        && cause.raw_os_error().is_some()
    {
        return os_error(py, cause, Some(file));
    }
    match error.kind() {
        ErrorKind::LockTimeout => PyTimeoutError::new_err(error.to_string()),
        ErrorKind::OutOfMemory => PyMemoryError::new_err(error.to_string()),
        ErrorKind::TooLarge => PyValueError::new_err(error.to_string()),
        _ => PyOSError::new_err(error.to_string()),
    }
}
