//! Tables that other libraries take as Arrow's batches: `riverhawk.table` and `Program.table`.
//!
//! - here: what Python sees;
//! - `rows`: from records to batches;
//! - `column`: columns in Arrow's layout;
//! - `arrow`: Arrow's C interface.
//!
//! Rows are read while the thread is detached from the interpreter, whoever asks for them: the program that
//! prints them, or the file object that they come from, may need the interpreter meanwhile.

#[allow(unsafe_code, reason = "Arrow's structures are C's")]
mod arrow;
mod column;
mod rows;

use crate::convert::{bytes_of, path_of, str_of};
use crate::encodings::{decode_error, named, policy_of};
use crate::errors::{os_error, table_error};
use crate::options::{Prepared, several};
use crate::outcome::escaped;
use crate::raised::Raised;
use crate::records::{is_utf_8, open};
use crate::stream::Printed;
use arrow::{ArrowArrayStream, ArrowSchema, BatchSource, EINVAL, EIO, Field, StreamError};
use column::{Batch, Cell, ColumnType};
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyMapping, PyString};
use pyo3::{IntoPyObjectExt, intern};
use riverhawk::TableFormat;
use riverhawk::engine::JsonForm;
use riverhawk::engine::system::names::OsStrExt;
use riverhawk_awkio::Coding;
use riverhawk_compress::{Limit, Sniffed};
use riverhawk_stream::{FdSource, ReadSource, Source};
use riverhawk_text::encoding::DecodeError;
use rows::{RowError, RowReader, RowRules, WantedColumn};
use std::ffi::OsStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Rows that a notebook shows.
const SHOWN_ROWS: usize = 10;

/// A table with typed columns, read in batches as they are asked for: an Arrow stream.
///
/// What knows Arrow's PyCapsule interface takes it without a copy: `pyarrow.table(t)`,
/// `polars.DataFrame(t)`, `pandas.DataFrame.from_arrow(t)`, `duckdb.sql('FROM t')`. Iterating gives the
/// rows as dictionaries. A table of a path is read anew each time; of a file object or a program, once.
///
/// >>> import io, riverhawk as rh
/// >>> orders = rh.table(io.BytesIO(b'item,price\ntea,3.5\nmilk,\n'))
/// >>> orders.schema
/// {'item': 'string', 'price': 'f64'}
/// >>> list(orders)
/// [{'item': 'tea', 'price': 3.5}, {'item': 'milk', 'price': None}]
#[pyclass(frozen, module = "riverhawk")]
pub(crate) struct Table(Arc<Shared>);

/// What a table and the streams of it share.
struct Shared {
    rules: Arc<RowRules>,
    path: Option<TablePath>,
    /// What its source has raised.
    raised: Raised,
    state: Mutex<State>,
}

struct State {
    /// Until a stream takes it.
    reader: Option<RowReader>,
    fields: Option<Vec<Field>>,
}

/// To open the table anew.
struct TablePath {
    bytes: Vec<u8>,
    coding: Option<Coding>,
    decompress: bool,
}

/// The rows of a table as dictionaries.
#[pyclass(frozen, module = "riverhawk")]
pub(crate) struct Rows(Mutex<Unpacked>);

struct Unpacked {
    pulling: Pulling,
    batch: Option<Batch>,
    /// The next row of it.
    at: usize,
    names: Vec<Py<PyString>>,
}

/// Takes the batches of a table for a stream.
struct Pulling {
    shared: Arc<Shared>,
    /// Once the first batch was asked for.
    reader: Option<RowReader>,
    is_ended: bool,
}

/// The shape of a table, as Python says it.
pub(crate) struct Shape<'a, 'py> {
    pub format: &'a str,
    pub columns: Option<&'a Bound<'py, PyAny>>,
    pub nulls: Option<&'a Bound<'py, PyAny>>,
    pub batch_rows: usize,
}

/// Opens a file as a table; see `riverhawk.table`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "as Python gives them")]
pub(crate) fn open_table(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    format: &str,
    columns: Option<&Bound<'_, PyAny>>,
    header: bool,
    sep: &str,
    nulls: Option<&Bound<'_, PyAny>>,
    encoding: &str,
    errors: &str,
    decompress: bool,
    batch_size: usize,
) -> PyResult<Table> {
    let shape = Shape { format, columns, nulls, batch_rows: batch_size };
    let format = match (format, sep.as_bytes()) {
        ("csv", &[separator]) if !b"\"\r\n".contains(&separator) => TableFormat::Csv { separator },
        ("csv", _) => {
            return Err(PyValueError::new_err(format!("sep is one ASCII character, not {sep:?}")));
        }
        ("tsv" | "jsonl", _) if sep != "," => {
            return Err(PyValueError::new_err(format!("sep is for csv, not for {format}")));
        }
        ("tsv", _) => TableFormat::Tsv,
        ("jsonl", _) => TableFormat::Json(JsonForm::Lines),
        _ => return Err(no_format(format)),
    };
    let rules = rules_of(format, &shape, header)?;
    let coding = if is_utf_8(encoding) && errors == "strict" {
        None
    } else {
        Some(Coding { encoding: named(encoding)?, policy: policy_of(errors)? })
    };
    let raised = Raised::default();
    let (bytes, path) = open(py, source, &raised)?;
    let reader = RowReader::new(prepared(bytes, decompress, coding.as_ref()), &rules, None);
    let path = match path {
        None => None,
        Some(path) => Some(TablePath { bytes: path_of(path.bind(py))?, coding, decompress }),
    };
    let state = Mutex::new(State { reader: Some(reader), fields: None });
    Ok(Table(Arc::new(Shared { rules, path, raised, state })))
}

/// What a program prints as a table; see `Program.table`.
pub(crate) fn printed_table(
    program: riverhawk::Program,
    mut prepared: Prepared,
    shape: &Shape<'_, '_>,
) -> PyResult<Table> {
    let format = match shape.format {
        "csv" => TableFormat::CSV,
        "tsv" => TableFormat::Tsv,
        "jsonl" => TableFormat::Json(JsonForm::Lines),
        _ => return Err(no_format(shape.format)),
    };
    let rules = rules_of(format, shape, false)?;
    // Objects are printed by the program itself: `print` would make arrays.
    if !format.is_json() {
        prepared.run = prepared.run.output_format(format);
    }
    let raised = prepared.raised.clone();
    let source = ReadSource::new(Printed::begin(program, prepared)?);
    let reader = RowReader::new(Box::new(source), &rules, None);
    let state = Mutex::new(State { reader: Some(reader), fields: None });
    Ok(Table(Arc::new(Shared { rules, path: None, raised, state })))
}

fn no_format(format: &str) -> PyErr {
    PyValueError::new_err(format!("a table's format is csv, tsv or jsonl, not {format:?}"))
}

fn rules_of(
    format: TableFormat,
    shape: &Shape<'_, '_>,
    has_header: bool,
) -> PyResult<Arc<RowRules>> {
    let nulls = match shape.nulls {
        None => vec![Vec::new()],
        Some(nulls) => {
            let nulls = several("nulls", nulls)?.map(|null| {
                bytes_of(&null?)?.ok_or_else(|| PyTypeError::new_err("nulls are str or bytes"))
            });
            nulls.collect::<PyResult<_>>()?
        }
    };
    if shape.batch_rows == 0 {
        return Err(PyValueError::new_err("a batch has at least one row: batch_size is 0"));
    }
    Ok(Arc::new(RowRules {
        format,
        has_header,
        columns: shape.columns.map(columns_of).transpose()?,
        nulls,
        batch_rows: shape.batch_rows,
    }))
}

/// Names, or a mapping of names to types.
fn columns_of(columns: &Bound<'_, PyAny>) -> PyResult<Vec<WantedColumn>> {
    let Ok(mapping) = columns.cast::<PyMapping>() else {
        if columns.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("columns are names, or a mapping of names to types"));
        }
        return columns.try_iter()?.map(|name| Ok((name?.extract()?, None))).collect();
    };
    let columns = mapping.items()?.into_iter().map(|pair| {
        let (name, kind): (String, Option<String>) = pair.extract()?;
        let kind = kind.map(|kind| {
            ColumnType::named(&kind).ok_or_else(|| {
                let known = ColumnType::NAMES.map(|(name, _)| name).join(", ");
                PyValueError::new_err(format!("{kind:?} is no type of a column: {known}"))
            })
        });
        Ok((name, kind.transpose()?))
    });
    columns.collect()
}

fn prepared(
    mut source: Box<dyn Source>,
    decompress: bool,
    coding: Option<&Coding>,
) -> Box<dyn Source> {
    if decompress {
        source = Box::new(Sniffed::new(source, Limit::default()));
    }
    match coding {
        Some(coding) => Box::new(coding.decode(source)),
        None => source,
    }
}

/// Acts without the interpreter, whether the thread is attached or not. `None` if Python has ended.
fn detached<T: Send>(act: impl FnOnce() -> T + Send) -> Option<T> {
    Python::try_attach(|py| py.detach(act))
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fields(&self) -> Result<Vec<Field>, RowError> {
        let mut state = self.lock();
        if state.fields.is_none() {
            let reader = state.reader.as_mut().ok_or_else(used_up)?;
            state.fields = Some(reader.fields()?.to_vec());
        }
        Ok(state.fields.clone().unwrap_or_default())
    }

    /// The reader that the fields were found with, or a new one.
    fn reader(&self) -> Result<RowReader, RowError> {
        let fields = self.fields()?;
        if let Some(reader) = self.lock().reader.take() {
            return Ok(reader);
        }
        let Some(path) = &self.path else { return Err(used_up()) };
        let file = FdSource::open(OsStr::from_bytes(&path.bytes)).map_err(RowError::Read)?;
        let source = prepared(Box::new(file), path.decompress, path.coding.as_ref());
        Ok(RowReader::new(source, &self.rules, Some(&fields)))
    }

    /// What Python raises for it.
    fn exception(&self, py: Python<'_>, error: RowError) -> PyErr {
        if let Some(raised) = self.raised.take() {
            return raised;
        }
        let path = self.path.as_ref().map(|path| OsStr::from_bytes(&path.bytes));
        match error {
            RowError::Text { message, record, column } => {
                let input = path.and_then(|path| str_of(py, path.as_bytes()).ok());
                table_error(py, &message, input, record, column)
            }
            RowError::Read(error) => {
                let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<DecodeError>());
                match inner {
                    Some(error) => decode_error(py, error),
                    None => {
                        let path = path.and_then(|path| path.into_bound_py_any(py).ok());
                        os_error(py, &error, path.as_ref())
                    }
                }
            }
        }
    }
}

fn used_up() -> RowError {
    let message = "the table was read before, and its source gives it once".into();
    RowError::Text { message, record: None, column: None }
}

impl Pulling {
    fn new(shared: &Arc<Shared>) -> Pulling {
        Pulling { shared: Arc::clone(shared), reader: None, is_ended: false }
    }

    fn pull(&mut self) -> Result<Option<Batch>, RowError> {
        if self.is_ended {
            return Ok(None);
        }
        if self.reader.is_none() {
            self.reader = Some(self.shared.reader()?);
        }
        let batch = match &mut self.reader {
            Some(reader) => reader.next(),
            None => Ok(None),
        };
        if !matches!(batch, Ok(Some(_))) {
            (self.reader, self.is_ended) = (None, true);
        }
        batch
    }

    /// An error for another library, which raises its own exception.
    fn failure<T>(&self, result: Option<Result<T, RowError>>) -> Result<T, StreamError> {
        let error = match result {
            Some(Ok(value)) => return Ok(value),
            Some(Err(error)) => error,
            None => return Err(StreamError { code: EIO, message: "Python has ended".into() }),
        };
        let code = if let RowError::Text { .. } = error { EINVAL } else { EIO };
        let message = Python::try_attach(|py| {
            let exception = self.shared.exception(py, error);
            let message = exception.to_string();
            if exception.is_instance_of::<PyKeyboardInterrupt>(py)
                && let Ok(thread) = py.import(intern!(py, "_thread"))
            {
                // It is raised when Python goes on; the other library would make an error of it.
                drop(thread.call_method0(intern!(py, "interrupt_main")));
            }
            message
        });
        Err(StreamError { code, message: message.unwrap_or_default() })
    }
}

impl BatchSource for Pulling {
    fn schema(&mut self) -> Result<Vec<Field>, StreamError> {
        let fields = detached(|| self.shared.fields());
        self.failure(fields)
    }

    fn next(&mut self) -> Result<Option<Batch>, StreamError> {
        let batch = detached(|| self.pull());
        self.failure(batch)
    }
}

impl Table {
    fn fields(&self, py: Python<'_>) -> PyResult<Vec<Field>> {
        py.detach(|| self.0.fields()).map_err(|error| self.0.exception(py, error))
    }

    /// The first rows, which stay to be read; none if they were, and cannot be read again.
    fn first(&self, py: Python<'_>) -> PyResult<Vec<Vec<String>>> {
        let shared = &self.0;
        let rows = py.detach(|| {
            if shared.path.is_none() && shared.lock().reader.is_none() {
                return Ok(Vec::new());
            }
            let mut reader = shared.reader()?;
            let batch = reader.peek()?;
            let rows = batch.map_or(0, |batch| batch.rows.min(SHOWN_ROWS));
            let cells = batch.into_iter().flat_map(|batch| {
                (0..rows).map(|row| batch.columns.iter().map(|c| c.cell(row).to_string()).collect())
            });
            let cells = cells.collect();
            let mut state = shared.lock();
            state.reader = Some(reader);
            Ok(cells)
        });
        rows.map_err(|error| shared.exception(py, error))
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn column_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.fields(py)?.into_iter().map(|field| field.name).collect())
    }

    /// The names of the columns and their types: `string`, `bytes`, `i64`, `f64` or `bool`.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let schema = PyDict::new(py);
        for field in self.fields(py)? {
            schema.set_item(field.name, field.kind.name())?;
        }
        Ok(schema)
    }

    /// Arrow's schema, as a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = ArrowSchema::of_fields(&self.fields(py)?)
            .map_err(|error| PyValueError::new_err(error.message))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// A stream of the batches, as a capsule. Other types than the table has are not made.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Whoever asked for one has to convert.
        let _ = requested_schema;
        // What fails here is raised as it is.
        self.fields(py)?;
        let stream = ArrowArrayStream::new(Box::new(Pulling::new(&self.0)));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Rows> {
        let names = self.fields(py)?;
        let names = names.iter().map(|field| PyString::new(py, &field.name).unbind()).collect();
        let pulling = Pulling::new(&self.0);
        Ok(Rows(Mutex::new(Unpacked { pulling, batch: None, at: 0, names })))
    }

    /// The columns and the first rows, as the output of a cell in a notebook.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let fields = self.fields(py)?;
        let mut html = String::from("<table><thead><tr>");
        for field in &fields {
            let (name, kind) = (escaped(&field.name), field.kind.name());
            html += &format!("<th>{name}<br><small>{kind}</small></th>");
        }
        html += "</tr></thead><tbody>";
        for row in self.first(py)? {
            let cells = row.iter().map(|cell| format!("<td>{}</td>", escaped(cell)));
            html += &format!("<tr>{}</tr>", cells.collect::<String>());
        }
        Ok(html + "</tbody></table>")
    }

    fn __repr__(&self) -> String {
        let source = match &self.0.path {
            Some(path) => format!("{:?}", String::from_utf8_lossy(&path.bytes)),
            None => "read once".into(),
        };
        format!("<riverhawk.Table {source}>")
    }
}

#[pymethods]
impl Rows {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let unpacked = self.0.lock_py_attached(py);
        unpacked.unwrap_or_else(PoisonError::into_inner).next(py)
    }
}

impl Unpacked {
    fn next<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        if self.batch.as_ref().is_none_or(|batch| self.at == batch.rows) {
            let pulling = &mut self.pulling;
            let pulled = py.detach(|| pulling.pull());
            self.batch = pulled.map_err(|error| self.pulling.shared.exception(py, error))?;
            self.at = 0;
            py.check_signals()?;
        }
        let Some(batch) = &self.batch else { return Ok(None) };
        let row = PyDict::new(py);
        for (name, column) in self.names.iter().zip(&batch.columns) {
            row.set_item(name, object_of(py, column.cell(self.at))?)?;
        }
        self.at += 1;
        Ok(Some(row))
    }
}

fn object_of<'py>(py: Python<'py>, cell: Cell<'_>) -> PyResult<Bound<'py, PyAny>> {
    match cell {
        Cell::Null => Ok(py.None().into_bound(py)),
        Cell::Text(text) => Ok(PyString::new(py, text).into_any()),
        Cell::Bytes(bytes) => Ok(PyBytes::new(py, bytes).into_any()),
        Cell::Integer(integer) => integer.into_bound_py_any(py),
        Cell::Float(float) => float.into_bound_py_any(py),
        Cell::Bool(truth) => truth.into_bound_py_any(py),
    }
}
