//! Exceptions that Python raises while a run is in the engine.

use pyo3::PyErr;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// The first exception that a callback of a run has raised.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// Keeps the exception, and makes an error of it that ends the run.
    pub(crate) fn keep(&self, error: PyErr) -> io::Error {
        let message = error.to_string();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        io::Error::other(message)
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
