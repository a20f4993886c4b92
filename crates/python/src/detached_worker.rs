//! A worker that stays on its thread while other threads may use the interpreter.

use pyo3::prelude::*;
use riverhawk::pieces::PieceWorker;

/// What a closure for `detach` holds must be `Send`, as nothing bound to the interpreter is.
struct OnThisThread<'w>(&'w mut PieceWorker);

// SAFETY: `detached` is the only maker, and `Python::detach` calls its closure on the calling thread.
// Of Python the worker has only files, which attach to the interpreter themselves.
unsafe impl Send for OnThisThread<'_> {}

impl<'w> OnThisThread<'w> {
    /// As a method it captures all of `self`, not only the field.
    fn into_inner(self) -> &'w mut PieceWorker {
        self.0
    }
}

/// Lets the worker act. It waits for threads that decompress, which may read by functions of Python.
pub(crate) fn detached<T: Send, R: Send>(
    py: Python<'_>,
    worker: &mut PieceWorker,
    work: T,
    act: fn(&mut PieceWorker, T) -> R,
) -> R {
    let worker = OnThisThread(worker);
    py.detach(move || act(worker.into_inner(), work))
}
