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
use pyo3::types::{PyDict, PyIterator, PyMapping};
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
                    return Err(unknown(value.py(), &name));
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
                    let arguments = several("args", &value)?.map(|argument| path_of(&argument?));
                    run.operands(arguments.collect::<PyResult<Vec<_>>>()?)
                }
                "vars" => {
                    pairs("vars", &value)?.into_iter().try_fold(run, |run, (name, value)| {
                        PyResult::Ok(run.variable(variable_name(&name)?, value_of(&value)?))
                    })?
                }
                "env" => {
                    let pairs = pairs("env", &value)?.into_iter();
                    let pairs = pairs.map(|(name, value)| Ok((path_of(&name)?, path_of(&value)?)));
                    run.environment(pairs.collect::<PyResult<Vec<_>>>()?)
                }
                "stdout" => run.stdout(Output { file: value.unbind(), raised: raised.clone() }),
                "stderr" => run.stderr(Output { file: value.unbind(), raised: raised.clone() }),
                "limits" => run.limits(settings::<Limits>(&value, "Limits")?.checked()?),
                "permissions" => {
                    run.permissions(settings::<Permissions>(&value, "Permissions")?.into())
                }
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
                _ => return Err(unknown(value.py(), &name)),
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
    "args",
    "cancel",
    "clock",
    "cluster",
    "encoding",
    "env",
    "files",
    "header",
    "input",
    "input_format",
    "jobs",
    "keep_variables",
    "limits",
    "operand_files",
    "output_format",
    "permissions",
    "piece_size",
    "progress",
    "relaxed_sums",
    "seed",
    "stderr",
    "stdout",
    "vars",
];

fn unknown(py: Python<'_>, name: &str) -> PyErr {
    let near = || {
        let difflib = py.import(intern!(py, "difflib"))?;
        let near = difflib.call_method1(intern!(py, "get_close_matches"), (name, NAMES, 1))?;
        near.extract::<Vec<String>>()
    };
    let advice = match name {
        "bignum" | "functions" => ": it is for compile".to_owned(),
        "csv" | "json" | "jsonl" | "tsv" => format!("; did you mean input_format={name:?}?"),
        "stdin" => "; did you mean \"input\"?".to_owned(),
        _ => match near() {
            Ok(near) if !near.is_empty() => format!("; did you mean {:?}?", near[0]),
            _ => format!(": it has {}", NAMES.join(", ")),
        },
    };
    PyTypeError::new_err(format!("a run has no option {name:?}{advice}"))
}

type Pair<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// The items of the mapping that the option `name` is.
pub(crate) fn pairs<'py>(name: &str, option: &Bound<'py, PyAny>) -> PyResult<Vec<Pair<'py>>> {
    match option.cast::<PyMapping>() {
        Ok(mapping) => mapping.items()?.extract(),
        Err(_) => Err(wrong_type(name, "a mapping", option)),
    }
}

/// The items of the option `name`, which is no text: that would give characters.
pub(crate) fn several<'py>(
    name: &str,
    option: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyIterator>> {
    match option.try_iter() {
        Ok(items) if bytes_of(option)?.is_none() => Ok(items),
        _ => Err(wrong_type(name, "a list of texts", option)),
    }
}

/// An instance of one of the package's dataclasses.
fn settings<'py, T>(option: &Bound<'py, PyAny>, class: &str) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    if option.get_type().name()? == class {
        return option.extract();
    }
    Err(wrong_type(&class.to_ascii_lowercase(), &format!("of the type riverhawk.{class}"), option))
}

fn wrong_type(name: &str, wanted: &str, option: &Bound<'_, PyAny>) -> PyErr {
    match option.get_type().name() {
        Ok(kind) => PyTypeError::new_err(format!("{name} is {wanted}, not {kind}")),
        Err(error) => error,
    }
}

/// A name that a program can have, whether this one does or not.
fn variable_name(name: &Bound<'_, PyAny>) -> PyResult<String> {
    let name: String = name.extract()?;
    let is_letter = |character: char| character.is_alphanumeric() || "_:".contains(character);
    if name.starts_with(|first: char| first.is_ascii_digit())
        || !name.chars().all(is_letter)
        || name.is_empty()
    {
        return Err(PyValueError::new_err(format!("vars: no variable has the name {name:?}")));
    }
    Ok(name)
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
    let wrong = || PyValueError::new_err(format!("clock: the system has no time {seconds}"));
    let size = Duration::try_from_secs_f64(seconds.abs()).map_err(|_| wrong())?;
    let epoch = SystemTime::UNIX_EPOCH;
    let time = if seconds < 0.0 { epoch.checked_sub(size) } else { epoch.checked_add(size) };
    time.ok_or_else(wrong)
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
        match object.try_iter() {
            Ok(paths) => {
                let paths = paths.map(|path| operand_of(&path?));
                Ok(Files(paths.collect::<PyResult<_>>()?))
            }
            Err(_) => Err(wrong_type("files", "a path or several", &object)),
        }
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

impl Limits {
    fn checked(self) -> PyResult<riverhawk::Limits> {
        let mut all = riverhawk::Limits::none();
        all.steps = self.steps;
        all.time = self.time.map(seconds_of).transpose()?;
        all.memory = self.memory;
        all.output = self.output;
        all.record = self.record;
        all.decompressed = self.decompressed;
        all.records = self.records;
        all.call_depth = self.call_depth;
        Ok(all)
    }
}

/// As long as there is, if that is longer: also for `math.inf`.
fn seconds_of(time: f64) -> PyResult<Duration> {
    match Duration::try_from_secs_f64(time) {
        Ok(time) => Ok(time),
        Err(_) if time > 0.0 => Ok(Duration::MAX),
        Err(_) => Err(PyValueError::new_err(format!("a limit of time is no {time} seconds"))),
    }
}

/// A path or several.
struct Paths(Vec<PathBuf>);

impl<'a, 'py> FromPyObject<'a, 'py> for Paths {
    type Error = PyErr;

    fn extract(object: pyo3::Borrowed<'a, 'py, PyAny>) -> PyResult<Paths> {
        match object.extract::<PathBuf>() {
            Ok(path) => Ok(Paths(vec![path])),
            Err(_) => Ok(Paths(object.extract()?)),
        }
    }
}

/// `riverhawk.Permissions`.
#[derive(FromPyObject)]
struct Permissions {
    everything: bool,
    read: Paths,
    write: Paths,
    commands: bool,
    network: bool,
}

impl From<Permissions> for riverhawk::Permissions {
    fn from(granted: Permissions) -> riverhawk::Permissions {
        if granted.everything {
            return riverhawk::Permissions::all();
        }
        let mut permissions = riverhawk::Permissions::none();
        for path in granted.read.0 {
            permissions = permissions.read(path);
        }
        for path in granted.write.0 {
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
