//! `riverhawk.Cancel`.

use pyo3::prelude::*;

/// Ends runs, from any thread: those that have it as their option `cancel`, and those that begin later.
///
/// A run that it ends raises `RuntimeError`.
///
/// >>> import riverhawk as rh, threading
/// >>> cancel = rh.Cancel()
/// >>> threading.Timer(0.02, cancel.cancel).start()
/// >>> try:
/// ...     rh.awk('BEGIN { while (1) n++ }', cancel=cancel)
/// ... except rh.RuntimeError as error:
/// ...     print(error)
/// the run was cancelled
#[pyclass(frozen, module = "riverhawk")]
pub(crate) struct Cancel(pub riverhawk::Cancel);

#[pymethods]
impl Cancel {
    #[new]
    fn new() -> Cancel {
        Cancel(riverhawk::Cancel::new())
    }

    /// End all runs that have this handle, without waiting for their end.
    fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether it has been called.
    #[getter]
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}
