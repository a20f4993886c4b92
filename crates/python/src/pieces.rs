//! Pieces of the input on other machines: what `riverhawk.spark` is made of. Starts, pieces and parcels
//! are bytes.

use crate::detached_worker::detached;
use crate::operands::PythonFiles;
use crate::raised::Raised;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use riverhawk::pieces::{self, Cluster, PieceError};

/// A cluster that is a Python object with `count`, `run` and `insert`.
pub(crate) struct PythonCluster {
    pub object: Py<PyAny>,
    pub raised: Raised,
}

impl PythonCluster {
    fn ask<T>(
        &self,
        method: &str,
        start: &[u8],
        all: &[Vec<u8>],
        take: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> Result<T, String> {
        let answered = Python::attach(|py| {
            let pieces = PyList::new(py, all.iter().map(|piece| PyBytes::new(py, piece)))?;
            let object = self.object.bind(py);
            take(&object.call_method1(method, (PyBytes::new(py, start), pieces))?)
        });
        answered.map_err(|error| self.raised.keep(error).to_string())
    }
}

impl Cluster for PythonCluster {
    fn count(&self, start: &[u8], pieces: &[Vec<u8>]) -> Result<Vec<u64>, String> {
        self.ask("count", start, pieces, |counts| counts.extract())
    }

    fn run(&self, start: &[u8], pieces: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, String> {
        self.ask("run", start, pieces, |parcels| {
            parcels.try_iter()?.map(|parcel| parcel?.extract()).collect()
        })
    }

    fn insert(&self, name: &[u8]) -> Result<(), String> {
        let inserted = Python::attach(|py| {
            let object = self.object.bind(py);
            object.call_method1(intern!(py, "insert"), (PyBytes::new(py, name),)).map(drop)
        });
        inserted.map_err(|error| self.raised.keep(error).to_string())
    }
}

fn raise(error: PieceError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Runs pieces that begin with one start, on the thread that made it. Boxed, since Python's objects are
/// less aligned than the machine.
#[pyclass(unsendable, module = "riverhawk._engine")]
pub(crate) struct PieceWorker(Box<pieces::PieceWorker>);

#[pymethods]
impl PieceWorker {
    /// The number of a piece's records.
    fn count(&mut self, py: Python<'_>, piece: &[u8]) -> PyResult<u64> {
        detached(py, &mut self.0, piece, pieces::PieceWorker::count).map_err(raise)
    }

    /// Run a piece, and return its parcel.
    fn run<'py>(&mut self, py: Python<'py>, piece: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let parcel = detached(py, &mut self.0, piece, pieces::PieceWorker::run);
        Ok(PyBytes::new(py, &parcel.map_err(raise)?))
    }

    /// Split a parcel into so many, each with a part of the keys of arrays.
    fn split<'py>(
        &mut self,
        py: Python<'py>,
        parcel: &[u8],
        strands: usize,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let split = self.0.split(parcel, strands).map_err(raise)?;
        Ok(split.iter().map(|strand| PyBytes::new(py, strand)).collect())
    }

    /// Join parcels of pieces that follow each other, in this order.
    fn join<'py>(
        &mut self,
        py: Python<'py>,
        parcels: Vec<Vec<u8>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let joined = detached(py, &mut self.0, parcels, |worker, parcels| worker.join(&parcels));
        Ok(PyBytes::new(py, &joined.map_err(raise)?))
    }
}

pub(crate) fn piece_worker(
    program: &riverhawk::Program,
    start: &[u8],
    files: Option<PythonFiles>,
) -> PyResult<PieceWorker> {
    let worker = match files {
        Some(files) => program.piece_worker_with(start, files),
        None => program.piece_worker(start),
    };
    Ok(PieceWorker(Box::new(worker.map_err(raise)?)))
}

/// A parcel without what its piece printed, which is kept elsewhere under this name; and that, or
/// `None`.
#[pyfunction]
pub(crate) fn take_printed<'py>(
    py: Python<'py>,
    parcel: &[u8],
    name: &[u8],
) -> PyResult<(Bound<'py, PyBytes>, Option<Bound<'py, PyBytes>>)> {
    let (parcel, printed) = pieces::take_printed(parcel, name).map_err(raise)?;
    Ok((PyBytes::new(py, &parcel), printed.map(|printed| PyBytes::new(py, &printed))))
}

/// The parcel of all that `PieceWorker.split` has made of one, or of several that were then joined.
#[pyfunction]
pub(crate) fn unite(py: Python<'_>, strands: Vec<Vec<u8>>) -> PyResult<Bound<'_, PyBytes>> {
    Ok(PyBytes::new(py, &pieces::unite(&strands).map_err(raise)?))
}

/// Why the leading run has to run the piece of this parcel; `None` if its result can be joined.
#[pyfunction]
pub(crate) fn complaint(parcel: &[u8]) -> PyResult<Option<String>> {
    pieces::complaint(parcel).map_err(raise)
}

/// A parcel that stands for the one of this piece of so many records (0 where they are not counted),
/// which is run later.
#[pyfunction]
pub(crate) fn deferred<'py>(
    py: Python<'py>,
    piece: &[u8],
    records: u64,
    name: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &pieces::deferred(piece, records, name).map_err(raise)?))
}
