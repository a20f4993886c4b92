//! Programs: `riverhawk.compile` and `riverhawk.Program`.

use crate::convert::{bytes_of, path_of, value_of};
use crate::errors::{Sources, runtime_error, syntax_error};
use crate::function::{declare, with_raised};
use crate::input::Input;
use crate::interrupt::interruptible;
use crate::outcome::Result;
use crate::output::Output;
use crate::raised::Raised;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use riverhawk::{Cancel, Run};
use std::path::PathBuf;
use std::time::Duration;

/// Compile a program; a short one takes some ten microseconds.
///
/// `name` is what errors call the text. `functions` are what the program may call, by name: the number
/// of their arguments is looked up here and checked in the program. They get `str`, or numbers for what
/// was computed, and return text, a number or `None`. `any_precision` gives numbers of any size, as
/// gawk's `-M`.
///
/// Raises `SyntaxError` with the place of the first thing that is wrong.
///
/// >>> import riverhawk as rh
/// >>> shout = rh.compile('{ print shout($1) }', functions={'shout': str.upper})
/// >>> shout.run(input='tea\n').text
/// 'TEA\n'
#[pyfunction]
#[pyo3(signature = (program, *, name="program", functions=None, any_precision=false))]
pub(crate) fn compile(
    py: Python<'_>,
    program: &Bound<'_, PyAny>,
    name: &str,
    functions: Option<Bound<'_, PyDict>>,
    any_precision: bool,
) -> PyResult<Program> {
    let Some(text) = bytes_of(program)? else {
        let kind = program.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a program is str or bytes, not {kind}")));
    };
    let mut builder = riverhawk::Program::builder().source(name, text.clone());
    for (name, function) in functions.iter().flatten() {
        builder = declare(builder, name.extract()?, function)?;
    }
    if any_precision {
        builder = builder.bignum();
    }
    match py.detach(|| builder.compile()) {
        Ok(program) => Ok(Program { program, name: name.to_owned() }),
        Err(error) => Err(syntax_error(py, &error, &Sources(vec![(name.to_owned(), text)]))),
    }
}

/// A compiled program: to be run any number of times, also by several threads at once.
///
/// >>> import riverhawk as rh
/// >>> longest = rh.compile('length > max { max = length; line = $0 } END { print line }')
/// >>> longest.run(input='a\nccc\nbb\n').text
/// 'ccc\n'
#[pyclass(frozen, module = "riverhawk")]
pub(crate) struct Program {
    program: riverhawk::Program,
    /// What its errors call it.
    #[pyo3(get)]
    name: String,
}

#[pymethods]
impl Program {
    /// Run the program to its end, without the GIL.
    ///
    /// `files` (a path or several) are read one after the other; else `input` is: text, a binary or text
    /// file object, or an iterable of lines, whose newlines are added where they are missing. `args` are
    /// operands as on the command line, before the files: `name=value` is an assignment, `-` the standard
    /// input. `vars` are variables to begin with; mappings are arrays, and so are lists, from 1. `env` is
    /// `ENVIRON` and the environment of commands, empty by default. `stdout` and `stderr` are binary file
    /// objects to write to; without them what is printed is in the result. `limits` and `permissions`: see
    /// `Limits` and `Permissions`. With `keep_variables=False` the result has no variables.
    ///
    /// Raises `RuntimeError` where the program fails or reaches a limit; what a function, a file object or an
    /// iterable raises, as it was, with the `RuntimeError` as its cause; `KeyboardInterrupt` at Ctrl-C.
    ///
    /// >>> import riverhawk as rh
    /// >>> over = rh.compile('$2 > limit { over[$1] = $2 - limit }')
    /// >>> over.run(input='tea 12\nmilk 3\n', vars={'limit': 10}).variables['over']
    /// {'tea': 2}
    #[pyo3(signature = (
        *, files=None, input=None, args=None, vars=None, env=None, stdout=None, stderr=None,
        limits=None, permissions=None, keep_variables=true
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn run(
        &self,
        py: Python<'_>,
        files: Option<Files>,
        input: Option<Input>,
        args: Option<Vec<Bound<'_, PyAny>>>,
        vars: Option<Bound<'_, PyDict>>,
        env: Option<Bound<'_, PyDict>>,
        stdout: Option<Py<PyAny>>,
        stderr: Option<Py<PyAny>>,
        limits: Option<Limits>,
        permissions: Option<Permissions>,
        keep_variables: bool,
    ) -> PyResult<Result> {
        let raised = Raised::default();
        let mut run = Run::new();
        for argument in args.iter().flatten() {
            run = run.operands([path_of(argument)?]);
        }
        run = run.operands(files.map_or_else(Vec::new, |files| files.0));
        if let Some(input) = input {
            run = input.give(run, &raised);
        }
        for (name, value) in vars.iter().flatten() {
            run = run.variable(name.extract::<String>()?, value_of(&value)?);
        }
        for (name, value) in env.iter().flatten() {
            run = run.environment([(path_of(&name)?, path_of(&value)?)]);
        }
        if let Some(file) = stdout {
            run = run.stdout(Output { file, raised: raised.clone() });
        }
        if let Some(file) = stderr {
            run = run.stderr(Output { file, raised: raised.clone() });
        }
        if let Some(limits) = limits {
            run = run.limits(limits.into());
        }
        if let Some(permissions) = permissions {
            run = run.permissions(permissions.into());
        }
        if keep_variables {
            run = run.keep_variables();
        }
        let cancel = Cancel::new();
        let run = run.cancel(&cancel);
        let ended = interruptible(py, &cancel, || {
            py.detach(|| with_raised(&raised, || self.program.run(run)))
        })?;
        match (ended, raised.take()) {
            (Ok(outcome), None) => Ok(Result::new(py, outcome)),
            (Err(error), None) => Err(runtime_error(py, error)),
            (Ok(_), Some(exception)) => Err(exception),
            (Err(error), Some(exception)) => {
                // Where in the program, for an exception that has no cause of its own.
                if exception.cause(py).is_none() {
                    exception.set_cause(py, Some(runtime_error(py, error)));
                }
                Err(exception)
            }
        }
    }

    /// The program laid out as a person would.
    fn format(&self) -> String {
        String::from_utf8_lossy(&self.program.format()).into_owned()
    }

    fn __repr__(&self) -> String {
        format!("<riverhawk.Program {:?}>", self.name)
    }
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
    records: Option<u64>,
    call_depth: Option<usize>,
}

impl From<Limits> for riverhawk::Limits {
    fn from(limits: Limits) -> riverhawk::Limits {
        riverhawk::Limits {
            steps: limits.steps,
            time: limits
                .time
                .map(|time| Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX)),
            memory: limits.memory,
            output: limits.output,
            record: limits.record,
            decompressed: None,
            records: limits.records,
            call_depth: limits.call_depth,
        }
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
