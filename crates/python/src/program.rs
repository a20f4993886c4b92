//! Programs: `riverhawk.compile` and `riverhawk.Program`.

use crate::convert::bytes_of;
use crate::errors::{Sources, failure, syntax_error};
use crate::function::{declare, with_raised};
use crate::interrupt::interruptible;
use crate::operands::PythonFiles;
use crate::options::{Prepared, pairs};
use crate::outcome::Result;
use crate::pieces::{PieceWorker, piece_worker};
use crate::raised::Raised;
use crate::stream::Stream;
use crate::table::{Shape, Table, printed_table};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use pyo3::{IntoPyObjectExt, intern};

/// Compile a program; a short one takes some ten microseconds.
///
/// `name` is what errors call the text. `functions` are what the program may call, by name: the number
/// of their arguments is looked up here and checked in the program. They get `str`, or numbers for what
/// was computed, and return text, a number or `None`. An argument whose annotation is `dict` is an array:
/// the elements that the function sets and deletes change in the program when it returns. `bignum` gives
/// numbers of any size, as gawk's `-M`.
///
/// Raises `SyntaxError` with everything that is wrong.
///
/// >>> import riverhawk as rh
/// >>> shout = rh.compile('{ print shout($1) }', functions={'shout': str.upper})
/// >>> shout.run(input='tea\n').text
/// 'TEA\n'
#[pyfunction]
#[pyo3(signature = (program, *, name="program", functions=None, bignum=false))]
pub(crate) fn compile(
    py: Python<'_>,
    program: &Bound<'_, PyAny>,
    name: &str,
    functions: Option<&Bound<'_, PyAny>>,
    bignum: bool,
) -> PyResult<Program> {
    let Some(text) = bytes_of(program)? else {
        let kind = program.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a program is str or bytes, not {kind}")));
    };
    let mut builder = riverhawk::Program::builder().source(name, text.clone());
    if let Some(functions) = functions {
        for (name, function) in pairs("functions", functions)? {
            builder = declare(builder, name.extract()?, function)?;
        }
    }
    if bignum {
        builder = builder.bignum();
    }
    match py.detach(|| builder.compile()) {
        Ok(program) => {
            let source = if functions.is_some() { None } else { Some(Source { text, bignum }) };
            Ok(Program { program, name: name.to_owned(), source })
        }
        Err(error) => Err(syntax_error(py, &error, &Sources(vec![(name.to_owned(), text)]))),
    }
}

/// A compiled program: to be run any number of times, also by several threads at once. `pickle` takes one
/// without functions, which is compiled again where it arrives.
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
    /// Without it the program has functions, which stay in this process.
    source: Option<Source>,
}

/// What a program is compiled from, to be compiled again.
struct Source {
    text: Vec<u8>,
    bignum: bool,
}

#[pymethods]
impl Program {
    /// Run the program to its end, without the GIL, and return a `Result`.
    ///
    /// `files` (a path or several) are read one after the other; else `input` is: text, a binary or text
    /// file object, or an iterable of lines, whose newlines are added where they are missing.
    ///
    /// - `args`: operands as on the command line, before the files: `name=value` is an assignment, `-` the
    ///   standard input.
    /// - `vars`: variables to begin with; mappings are arrays, and so are lists, from 1.
    /// - `env`: `ENVIRON` and the environment of commands, empty by default.
    /// - `stdout`, `stderr`: binary file objects to write to; without them what is printed is in the result.
    /// - `input_format`, `output_format`: `csv`, `tsv`, `json` or `jsonl`. With `header` the first record of
    ///   each file names its columns, for `@"name"`.
    /// - `encoding`: what the input is in, if not UTF-8, as the language's `ENCODING`.
    /// - `seed`: what `rand` begins with. `clock`: the time that the program sees, in seconds since 1970.
    /// - `jobs`: threads that run pieces of the input, 0 for as many as there are cores, 1 by default. The
    ///   result is the same. `piece_size`: about how many bytes a piece has, 4 MiB by default.
    /// - `relaxed_sums`: sums of fractions are exact and rounded once, so that they do not keep a program from
    ///   running in pieces.
    /// - `cluster`: runs pieces on other machines, see `riverhawk._types.PieceCluster`.
    /// - `operand_files`: opens files that the system does not know, see `riverhawk._types.OperandFiles`.
    /// - `progress`: is called with the bytes and the records that were read so far, about ten times in a
    ///   second. What it raises is raised by `run`.
    /// - `limits`, `permissions`, `cancel`: see `Limits`, `Permissions` and `Cancel`.
    /// - `keep_variables=False`: the result has no variables.
    ///
    /// Raises `RuntimeError` where the program fails or reaches a limit; what a function, a file object or an
    /// iterable raises, as it was, with the `RuntimeError` as its cause; `KeyboardInterrupt` at Ctrl-C.
    ///
    /// >>> import riverhawk as rh
    /// >>> over = rh.compile('$2 > limit { over[$1] = $2 - limit }')
    /// >>> over.run(input='tea 12\nmilk 3\n', vars={'limit': 10}).variables['over']
    /// {'tea': 2}
    /// >>> table = 'name,price\n"tea, green",3\n'
    /// >>> rh.awk('{ print @"name" }', input=table, input_format='csv', header=True).text
    /// 'tea, green\n'
    #[pyo3(signature = (**options))]
    fn run(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Result> {
        let Prepared { run, raised, cancel } = Prepared::new(options)?;
        let ended = interruptible(py, &cancel, || {
            py.detach(|| with_raised(&raised, || self.program.run(run)))
        })?;
        match (ended, raised.take()) {
            (Ok(outcome), None) => Ok(Result::new(py, outcome)),
            (Ok(_), Some(exception)) => Err(exception),
            (Err(error), raised) => Err(failure(py, error, raised)),
        }
    }

    /// Run the program beside Python, and return an iterator over the lines that it prints.
    ///
    /// The program runs on a thread of its own, at most two blocks of 64 KiB ahead of what is asked for.
    /// The iterator is a context manager, whose `close` ends the run. The options are those of `run`,
    /// without `stdout` and `jobs`. Raises after the last line what `run` would raise.
    ///
    /// >>> import riverhawk as rh, itertools
    /// >>> squares = rh.compile('{ print $1 * $1 }')
    /// >>> with squares.stream(input=map(str, itertools.count(1))) as lines:
    /// ...     list(itertools.islice(lines, 3))
    /// ['1', '4', '9']
    #[pyo3(signature = (**options))]
    fn stream(&self, options: Option<&Bound<'_, PyDict>>) -> PyResult<Stream> {
        for name in ["stdout", "jobs"] {
            if options.is_some_and(|options| options.contains(name).unwrap_or(false)) {
                return Err(PyTypeError::new_err(format!("a stream has no option {name:?}")));
            }
        }
        Stream::begin(self.program.clone(), Prepared::new(options)?)
    }

    /// Run the program beside Python, and return what it prints as a `Table`, in columns.
    ///
    /// `print a, b` prints a row of two columns, and lines that are printed otherwise are rows of the
    /// `format`: `tsv`, with escapes; `csv`; or `jsonl`, where the program prints objects itself.
    /// `columns` are names, or a mapping of names to types, `nulls` and `batch_size` as in
    /// `riverhawk.table`, and the other options those of `stream`.
    /// The program is at most two blocks of 64 KiB ahead of the batches that are asked for, and ends
    /// with the table; what it raises is raised after the rows.
    ///
    /// >>> import riverhawk as rh
    /// >>> total = rh.compile('{ n[$1] += $2 } END { for (k in n) print k, n[k] }')
    /// >>> table = total.table(columns={'item': 'string', 'total': 'f64'}, input='tea 2\ntea 1.5\n')
    /// >>> list(table)
    /// [{'item': 'tea', 'total': 3.5}]
    #[pyo3(signature = (
        *, columns=None, format="tsv", nulls=None, batch_size=65_536, **options
    ))]
    fn table(
        &self,
        columns: Option<&Bound<'_, PyAny>>,
        format: &str,
        nulls: Option<&Bound<'_, PyAny>>,
        batch_size: usize,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Table> {
        for name in ["stdout", "jobs", "output_format"] {
            if options.is_some_and(|options| options.contains(name).unwrap_or(false)) {
                return Err(PyTypeError::new_err(format!("a table has no option {name:?}")));
            }
        }
        let shape = Shape { format, columns, nulls, batch_rows: batch_size };
        printed_table(self.program.clone(), Prepared::new(options)?, &shape)
    }

    /// Run the program on a thread of the event loop's executor; the options are those of `run`.
    ///
    /// If the task is cancelled, the run is, and has ended when `CancelledError` is raised.
    ///
    /// >>> import asyncio, riverhawk as rh
    /// >>> double = rh.compile('{ print $1 * 2 }')
    /// >>> async def main():
    /// ...     return await asyncio.gather(*(double.run_async(input=f'{n}\n') for n in range(3)))
    /// >>> [result.text for result in asyncio.run(main())]
    /// ['0\n', '2\n', '4\n']
    #[pyo3(signature = (**options))]
    fn run_async<'py>(
        slf: &Bound<'py, Self>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let module = py.import(intern!(py, "riverhawk._async"))?;
        module.call_method(intern!(py, "run_async"), (slf,), options)
    }

    /// What runs pieces that begin with this start, on another machine than the one that leads.
    #[pyo3(signature = (start, operand_files=None))]
    fn piece_worker(
        &self,
        start: &[u8],
        operand_files: Option<Py<PyAny>>,
    ) -> PyResult<PieceWorker> {
        let files = operand_files.map(|object| PythonFiles { object, raised: Raised::default() });
        piece_worker(&self.program, start, files)
    }

    /// Whether what is printed for a record depends on nothing but the record and its number.
    fn has_independent_records(&self) -> PyResult<bool> {
        let needs = self.program.piece_needs().map_err(PyValueError::new_err)?;
        Ok(!needs.joins && !needs.guesses_ranges)
    }

    /// How often a cluster is asked for something, at least and at most.
    fn piece_rounds(&self) -> PyResult<(usize, usize)> {
        let needs = self.program.piece_needs().map_err(PyValueError::new_err)?;
        let rounds = needs.rounds();
        Ok((*rounds.start(), *rounds.end()))
    }

    /// Which rules can run in pieces, how variables are joined, and what prevents it.
    fn explain(&self) -> String {
        self.program.explain()
    }

    /// The program laid out as a person would.
    fn format(&self) -> String {
        String::from_utf8_lossy(&self.program.format()).into_owned()
    }

    fn __repr__(&self) -> String {
        format!("<riverhawk.Program {:?}>", self.name)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Some(Source { text, bignum }) = &self.source else {
            let message = "a program with functions is not pickled: compile it in each process";
            return Err(PyTypeError::new_err(message));
        };
        let oneshot = py.import(intern!(py, "riverhawk._oneshot"))?;
        let make = oneshot.getattr(intern!(py, "_program"))?;
        (make, (PyBytes::new(py, text), &self.name, *bignum)).into_bound_py_any(py)
    }
}
