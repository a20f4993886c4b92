//! What one run gets: the keywords that `run`, `stream` and `run_async` have in common.

use crate::cancel::Cancel;
use crate::convert::{bytes_of, path_of, value_of};
use crate::input::Input;
use crate::operands::PythonFiles;
use crate::output::Output;
use crate::pieces::PythonCluster;
use crate::raised::Raised;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use riverhawk::engine::JsonForm;
use riverhawk::pieces::SerialRest;
use riverhawk::{Run, TableFormat};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// A run as its keywords say, with what may raise in it and what ends it.
pub(crate) struct Prepared {
    pub run: Run,
    pub raised: Raised,
    pub cancel: riverhawk::Cancel,
}

impl Prepared {
    pub(crate) fn new(options: Option<&Bound<'_, PyDict>>) -> PyResult<Prepared> {
        let raised = Raised::default();
        let mut run = Run::new();
        let (mut cancel, mut files, mut progress, mut keeps) = (None, None, None, true);
        for (name, value) in options.into_iter().flatten() {
            let name: String = name.extract()?;
            // As in a call of Python's, `None` stands for no argument.
            if value.is_none() {
                if !NAMES.contains(&name.as_str()) {
                    return Err(unknown(&name));
                }
                continue;
            }
            run = match name.as_str() {
                "files" => {
                    files = Some(value.extract::<Files>()?);
                    run
                }
                "input" => value.extract::<Input>()?.give(run, &raised),
                "args" => {
                    let arguments = value.try_iter()?.map(|argument| path_of(&argument?));
                    run.operands(arguments.collect::<PyResult<Vec<_>>>()?)
                }
                "vars" => pairs(&value)?.into_iter().try_fold(run, |run, (name, value)| {
                    PyResult::Ok(run.variable(name.extract::<String>()?, value_of(&value)?))
                })?,
                "env" => {
                    let pairs = pairs(&value)?.into_iter();
                    let pairs = pairs.map(|(name, value)| Ok((path_of(&name)?, path_of(&value)?)));
                    run.environment(pairs.collect::<PyResult<Vec<_>>>()?)
                }
                "stdout" => run.stdout(Output { file: value.unbind(), raised: raised.clone() }),
                "stderr" => run.stderr(Output { file: value.unbind(), raised: raised.clone() }),
                "limits" => run.limits(value.extract::<Limits>()?.into()),
                "permissions" => run.permissions(value.extract::<Permissions>()?.into()),
                "cancel" => {
                    cancel = Some(value.cast::<Cancel>()?.get().0.clone());
                    run
                }
                "jobs" => run.jobs(value.extract()?),
                "piece_size" => run.piece_size(value.extract()?),
                "relaxed_sums" if value.is_truthy()? => run.relaxed_sums(),
                "cluster" => {
                    let may = value.getattr(intern!(value.py(), "runs_rest"))?.is_truthy()?;
                    let rest = if may { SerialRest::Allowed } else { SerialRest::Refused };
                    run.cluster(
                        PythonCluster { object: value.unbind(), raised: raised.clone() },
                        rest,
                    )
                }
                "operand_files" => run
                    .operand_files(PythonFiles { object: value.unbind(), raised: raised.clone() }),
                "progress" => {
                    progress = Some(value.unbind());
                    run
                }
                "input_format" => run.input_format(table_format(value.extract()?)?),
                "output_format" => run.output_format(table_format(value.extract()?)?),
                "header" if value.is_truthy()? => run.header(),
                "encoding" => run.variable("ENCODING", value.extract::<String>()?),
                "seed" => run.seed(value.extract()?),
                "clock" => run.clock(time(value.extract()?)?),
                "keep_variables" => {
                    keeps = value.is_truthy()?;
                    run
                }
                "header" | "relaxed_sums" => run,
                _ => return Err(unknown(&name)),
            };
        }
        run = run.operands(files.map_or_else(Vec::new, |files| files.0));
        if keeps {
            run = run.keep_variables();
        }
        let is_shared = cancel.is_some();
        let cancel = cancel.unwrap_or_default();
        run = run.cancel(&cancel);
        if let Some(progress) = progress {
            // Other runs may have a handle of the caller's.
            let ends = (!is_shared).then(|| cancel.clone());
            run = reporting(run, progress, raised.clone(), ends);
        }
        Ok(Prepared { run, raised, cancel })
    }
}

/// The least time between two reports.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// The run calls back with the bytes and records that it has read. What that raises ends the run.
fn reporting(
    run: Run,
    callback: Py<PyAny>,
    raised: Raised,
    ends: Option<riverhawk::Cancel>,
) -> Run {
    run.progress(PROGRESS_EVERY, move |read| {
        let called = Python::attach(|py| callback.call1(py, (read.bytes, read.records)).map(drop));
        if let Err(error) = called {
            drop(raised.keep(error));
            if let Some(cancel) = &ends {
                cancel.cancel();
            }
        }
    })
}

const NAMES: [&str; 23] = [
    "operand_files",
    "cluster",
    "piece_size",
    "relaxed_sums",
    "files",
    "input",
    "args",
    "vars",
    "env",
    "stdout",
    "stderr",
    "limits",
    "permissions",
    "cancel",
    "jobs",
    "progress",
    "input_format",
    "output_format",
    "header",
    "encoding",
    "seed",
    "clock",
    "keep_variables",
];

fn unknown(name: &str) -> PyErr {
    PyTypeError::new_err(format!("a run has no option {name:?}"))
}

type Pair<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

fn pairs<'py>(mapping: &Bound<'py, PyAny>) -> PyResult<Vec<Pair<'py>>> {
    mapping.cast::<PyMapping>()?.items()?.extract()
}

fn table_format(name: &str) -> PyResult<TableFormat> {
    match name {
        "csv" => Ok(TableFormat::CSV),
        "tsv" => Ok(TableFormat::Tsv),
        "jsonl" => Ok(TableFormat::Json(JsonForm::Lines)),
        "json" => Ok(TableFormat::Json(JsonForm::Values)),
        _ => {
            Err(PyValueError::new_err(format!("a format is csv, tsv, json or jsonl, not {name:?}")))
        }
    }
}

/// Seconds since 1970.
fn time(seconds: f64) -> PyResult<SystemTime> {
    let size = Duration::try_from_secs_f64(seconds.abs())
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let epoch = SystemTime::UNIX_EPOCH;
    let time = if seconds < 0.0 { epoch.checked_sub(size) } else { epoch.checked_add(size) };
    time.ok_or_else(|| PyValueError::new_err("the system has no such time"))
}
/// Names of files, none of which is taken for an assignment or an option.
struct Files(Vec<Vec<u8>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Files {
    type Error = PyErr;

    fn extract(object: pyo3::Borrowed<'a, 'py, PyAny>) -> PyResult<Files> {
        let is_path =
            bytes_of(&object)?.is_some() || object.hasattr(intern!(object.py(), "__fspath__"))?;
        if is_path {
            return Ok(Files(vec![operand_of(&object)?]));
        }
        let paths = object.try_iter()?.map(|path| operand_of(&path?));
        Ok(Files(paths.collect::<PyResult<_>>()?))
    }
}

/// A path as an operand that names this file whatever it is called.
fn operand_of(path: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let name = path_of(path)?;
    let is_plain = name.starts_with(b"/") || name.starts_with(b".") || !name.contains(&b'=');
    if is_plain && name != b"-" { Ok(name) } else { Ok([b"./", &*name].concat()) }
}

/// `riverhawk.Limits`.
#[derive(FromPyObject)]
struct Limits {
    steps: Option<u64>,
    time: Option<f64>,
    memory: Option<usize>,
    output: Option<usize>,
    record: Option<usize>,
    decompressed: Option<u64>,
    records: Option<u64>,
    call_depth: Option<usize>,
}

impl From<Limits> for riverhawk::Limits {
    fn from(limits: Limits) -> riverhawk::Limits {
        let seconds = |time| Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX);
        let mut all = riverhawk::Limits::none();
        all.steps = limits.steps;
        all.time = limits.time.map(seconds);
        all.memory = limits.memory;
        all.output = limits.output;
        all.record = limits.record;
        all.decompressed = limits.decompressed;
        all.records = limits.records;
        all.call_depth = limits.call_depth;
        all
    }
}

/// `riverhawk.Permissions`.
#[derive(FromPyObject)]
struct Permissions {
    everything: bool,
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
    commands: bool,
    network: bool,
}

impl From<Permissions> for riverhawk::Permissions {
    fn from(granted: Permissions) -> riverhawk::Permissions {
        if granted.everything {
            return riverhawk::Permissions::all();
        }
        let mut permissions = riverhawk::Permissions::none();
        for path in granted.read {
            permissions = permissions.read(path);
        }
        for path in granted.write {
            permissions = permissions.write(path);
        }
        if granted.commands {
            permissions = permissions.commands();
        }
        if granted.network {
            permissions = permissions.network();
        }
        permissions
    }
}
