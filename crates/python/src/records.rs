//! Records and their fields from files and file objects: `riverhawk.records` and `riverhawk.fields`.
//!
//! The engine's window is read without the GIL. Of what is in it a list is made, some hundred records at
//! a time, and `itertools.chain` goes through the lists: that takes half as long as a call from Python
//! for each record.

use crate::block::Block;
use crate::convert::{bytes_of, path_of};
use crate::encodings::{decode_error, named, policy_of};
use crate::errors::os_error;
use crate::input::{Input, Pulled};
use crate::raised::Raised;
use crate::regex::Regex;
use crate::repeated::Repeated;
use crate::strings::list_of;
use memchr::memmem::Finder;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyIterator, PyList, PyString};
use riverhawk::engine::system::names::OsStrExt;
use riverhawk_awkio::Coding;
use riverhawk_compress::{Limit, Sniffed};
use riverhawk_record::record_rule::RecordRule;
use riverhawk_simd::{split_blanks, split_byte};
use riverhawk_stream::{FdSource, ReadSource, Record, RecordSeparator, Records, Source, Step};
use riverhawk_text::encoding::DecodeError;
use std::ffi::OsStr;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Records of which a list is made at once: few enough to stay in the cache.
const BATCH: usize = 128;

/// Iterators over some hundred records of a file, or their fields, until there are no more; for
/// `itertools.chain`.
#[pyclass(frozen, module = "riverhawk")]
pub(crate) struct Batches {
    reader: Mutex<Reader>,
    /// Changes with [`Reader::current`].
    count: AtomicU64,
}

struct Reader {
    records: Records,
    raised: Raised,
    /// For errors of reading.
    path: Option<Py<PyAny>>,
    text: TextKind,
    cut: Cut,
    /// Memory for a batch.
    found: Vec<Record>,
    /// Memory for where its fields are.
    ranges: Vec<(u32, u32)>,
    /// Fields that may come again.
    repeated: Repeated,
    /// The batch that is being consumed.
    current: Option<Py<PyIterator>>,
    /// What comes after it.
    late: Option<PyErr>,
}

/// What the bytes of a record or field become.
enum TextKind {
    Bytes,
    Strict,
    /// As `bytes.decode('utf-8', errors)`.
    Lenient(String),
}

/// What is made of a record.
enum Cut {
    /// Without its separator.
    Chomped,
    /// With it.
    Whole,
    /// A list of its fields.
    Fields(FieldRule),
}

/// How fields are separated.
enum FieldRule {
    Blanks,
    Byte(u8),
    Text(Box<Finder<'static>>),
    Pattern(Box<riverhawk_regex::Regex>),
}

/// Opens a file and gives batches of its records; see `riverhawk.records` and `riverhawk.fields`.
#[pyfunction]
#[pyo3(signature = (source, sep, encoding, errors, chomp, decompress, fs=None))]
#[expect(clippy::too_many_arguments, reason = "as Python gives them")]
pub(crate) fn read_records(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    sep: &Bound<'_, PyAny>,
    encoding: Option<&str>,
    errors: &str,
    chomp: bool,
    decompress: bool,
    fs: Option<&Bound<'_, PyAny>>,
) -> PyResult<Batches> {
    let separator = separator_of(sep)?;
    let cut = match (fs, chomp) {
        (Some(fs), _) => Cut::Fields(field_rule_of(fs)?),
        (None, true) => Cut::Chomped,
        (None, false) => Cut::Whole,
    };
    let raised = Raised::default();
    let (mut bytes, path) = open(py, source, &raised)?;
    if decompress {
        bytes = Box::new(Sniffed::new(bytes, Limit::default()));
    }
    let text = match encoding {
        None => TextKind::Bytes,
        Some(name) if is_utf_8(name) => match errors {
            "strict" => TextKind::Strict,
            errors => {
                let codecs = py.import(intern!(py, "codecs"))?;
                codecs.call_method1(intern!(py, "lookup_error"), (errors,))?;
                TextKind::Lenient(errors.to_owned())
            }
        },
        Some(name) => {
            let coding = Coding { encoding: named(name)?, policy: policy_of(errors)? };
            bytes = Box::new(coding.decode(bytes));
            TextKind::Strict
        }
    };
    let mut records = Records::new(bytes);
    records.set_separator(separator);
    let (found, ranges, repeated) = (Vec::new(), Vec::new(), Repeated::default());
    let (current, late) = (None, None);
    let reader =
        Reader { records, raised, path, text, cut, found, ranges, repeated, current, late };
    Ok(Batches { reader: Mutex::new(reader), count: AtomicU64::new(0) })
}

pub(crate) fn is_utf_8(name: &str) -> bool {
    name.eq_ignore_ascii_case("utf-8") || name.eq_ignore_ascii_case("utf8")
}

/// A source, and the name of its file, for errors.
pub(crate) type Opened = (Box<dyn Source>, Option<Py<PyAny>>);

/// A file by its name, or a file object.
pub(crate) fn open(py: Python<'_>, source: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Opened> {
    if source.hasattr(intern!(py, "read"))? {
        let file = Pulled::new(Input::File(source.clone().unbind()), raised);
        return Ok((Box::new(ReadSource::new(file)), None));
    }
    let path = path_of(source)?;
    let file = py.detach(|| FdSource::open(OsStr::from_bytes(&path)));
    let file = file.map_err(|error| os_error(py, &error, Some(source)))?;
    Ok((Box::new(file), Some(source.clone().unbind())))
}

fn separator_of(sep: &Bound<'_, PyAny>) -> PyResult<RecordSeparator> {
    if let Ok(regex) = sep.cast::<Regex>() {
        return regex_separator(regex.get());
    }
    let strings = match bytes_of(sep)? {
        Some(text) if text.is_empty() => return Ok(RecordSeparator::paragraph()),
        Some(text) => vec![text],
        None => {
            let wrong = || PyTypeError::new_err("separators are str, bytes or a riverhawk.Regex");
            let strings = sep.try_iter().map_err(|_| wrong())?;
            let strings = strings.map(|string| bytes_of(&string?)?.ok_or_else(wrong));
            strings.collect::<PyResult<_>>()?
        }
    };
    RecordSeparator::strings(strings).map_err(|error| PyValueError::new_err(error.to_string()))
}

fn regex_separator(regex: &Regex) -> PyResult<RecordSeparator> {
    let (pattern, options) = regex.source();
    // As RS, one character would be itself.
    let separator =
        if pattern.len() == 1 { [b"(", pattern, b")"].concat() } else { pattern.to_vec() };
    let rule = RecordRule { separator, generation: 0, options, rows: None, checked: false };
    rule.separator().map_err(|fault| PyValueError::new_err(fault.message().clone()))
}

fn field_rule_of(fs: &Bound<'_, PyAny>) -> PyResult<FieldRule> {
    if let Ok(regex) = fs.cast::<Regex>() {
        return Ok(FieldRule::Pattern(Box::new(regex.get().searcher())));
    }
    match bytes_of(fs)?.as_deref() {
        Some(b" ") => Ok(FieldRule::Blanks),
        Some(&[byte]) => Ok(FieldRule::Byte(byte)),
        Some(text) if !text.is_empty() => {
            Ok(FieldRule::Text(Box::new(Finder::new(text).into_owned())))
        }
        _ => Err(PyValueError::new_err("fs is a text that is not empty, or a Regex")),
    }
}

#[pymethods]
impl Batches {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// An iterator over the next records. `slf` is owned: another thread that ends the chain meanwhile drops
    /// the chain's reference.
    fn __next__(slf: Bound<'_, Self>) -> PyResult<Option<Py<PyIterator>>> {
        let (py, batches) = (slf.py(), slf.get());
        let count = batches.count.load(Ordering::Acquire);
        let reader = batches.reader.lock_py_attached(py);
        let mut reader = reader.unwrap_or_else(PoisonError::into_inner);
        if batches.count.load(Ordering::Acquire) != count {
            // Another thread has read on: its records are for both.
            return Ok(reader.current.as_ref().map(|current| current.clone_ref(py)));
        }
        batches.count.fetch_add(1, Ordering::Release);
        reader.current = None;
        let batch = reader.batch(py)?;
        let current = batch.map(|batch| batch.try_iter()).transpose()?.map(Bound::unbind);
        reader.current = current.as_ref().map(|current| current.clone_ref(py));
        Ok(current)
    }
}

impl Reader {
    /// What is in the window, up to [`BATCH`] records; reads if that is none.
    fn batch<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        if let Some(error) = self.late.take() {
            return Err(error);
        }
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        while found.len() < BATCH {
            if let Some(record) = self.records.next_marked() {
                found.push(record);
                continue;
            }
            match self.records.next_buffered() {
                Step::Record(record) => found.push(record),
                Step::NeedMore if found.is_empty() => {
                    let refilled = py.detach(|| self.records.refill());
                    refilled.map_err(|error| self.failure(py, error))?;
                    // Ctrl-C, since a record may take long to end.
                    py.check_signals()?;
                }
                Step::NeedMore | Step::End => break,
            }
        }
        let batch = if found.is_empty() { Ok(None) } else { self.list(py, &found).map(Some) };
        self.found = found;
        batch
    }

    /// The records as objects, up to the first that is none.
    fn list<'py>(&mut self, py: Python<'py>, found: &[Record]) -> PyResult<Bound<'py, PyList>> {
        let mut ranges = std::mem::take(&mut self.ranges);
        let mut repeated = std::mem::take(&mut self.repeated);
        let window = self.records.bytes();
        let block = self.block(py, found);
        let object = |start: usize, end: usize| match block
            .as_ref()
            .and_then(|block| block.part(start, end))
        {
            Some(text) => Ok(text?.into_any()),
            None => self.text.object(py, &window[start..end]),
        };
        // What a handler of errors makes of bytes may be another each time.
        let may_repeat = block.is_some() || !matches!(self.text, TextKind::Lenient(_));
        let (list, late) = match &self.cut {
            Cut::Chomped => list_of(py, found, |record| object(record.start, record.end)),
            Cut::Whole => list_of(py, found, |record| object(record.start, record.terminator_end)),
            Cut::Fields(rule) => list_of(py, found, |record| {
                ranges.clear();
                rule.split(&window[record.start..record.end], &mut ranges);
                let field = |&(start, end): &(u32, u32)| {
                    let start = record.start + start as usize;
                    let end = record.start + end as usize;
                    if may_repeat {
                        repeated.object(py, &window[start..end], || object(start, end))
                    } else {
                        object(start, end)
                    }
                };
                match list_of(py, &ranges, field)? {
                    (_, Some(error)) => Err(error),
                    (fields, None) => Ok(fields.into_any()),
                }
            }),
        }?;
        self.ranges = ranges;
        self.repeated = repeated;
        match late {
            Some(error) if list.is_empty() => Err(error),
            // The records before it come first.
            late => {
                self.late = late;
                Ok(list)
            }
        }
    }

    /// How the records become text together, if they can.
    fn block<'py>(&self, py: Python<'py>, found: &[Record]) -> Option<Block<'py>> {
        let (first, last) = (found.first()?, found.last()?);
        match self.text {
            TextKind::Bytes => None,
            _ => {
                let bytes = &self.records.bytes()[first.start..last.terminator_end];
                Block::of(py, bytes, first.start)
            }
        }
    }

    /// What reading has raised, or why it failed.
    fn failure(&self, py: Python<'_>, error: io::Error) -> PyErr {
        if let Some(raised) = self.raised.take() {
            return raised;
        }
        let undecoded = error.get_ref().and_then(|inner| inner.downcast_ref::<DecodeError>());
        match undecoded {
            Some(error) => decode_error(py, error),
            None => os_error(py, &error, self.path.as_ref().map(|path| path.bind(py))),
        }
    }
}

impl TextKind {
    #[inline]
    fn object<'py>(&self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            TextKind::Bytes => PyBytes::new(py, bytes).into_any(),
            TextKind::Strict => PyString::from_bytes(py, bytes)?.into_any(),
            TextKind::Lenient(errors) => match PyString::from_bytes(py, bytes) {
                Ok(text) => text.into_any(),
                Err(_) => {
                    let bytes = PyBytes::new(py, bytes);
                    bytes.call_method1(intern!(py, "decode"), ("utf-8", errors))?
                }
            },
        })
    }
}

impl FieldRule {
    /// Adds where each field begins and ends. As in awk, an empty record has none.
    fn split(&self, record: &[u8], ranges: &mut Vec<(u32, u32)>) {
        let mut from = 0;
        let mut end_at = |start: usize, end: usize| {
            ranges.push((from, start as u32));
            from = end as u32;
        };
        match self {
            _ if record.is_empty() => return,
            FieldRule::Blanks => {
                split_blanks(record, 0, usize::MAX, ranges);
                return;
            }
            FieldRule::Byte(byte) => {
                split_byte(record, *byte, 0, usize::MAX, ranges);
                return;
            }
            FieldRule::Text(finder) => {
                let length = finder.needle().len();
                finder.find_iter(record).for_each(|at| end_at(at, at + length));
            }
            FieldRule::Pattern(regex) => regex
                .matches(record)
                .filter(|found| found.end > found.start)
                .for_each(|found| end_at(found.start, found.end)),
        }
        end_at(record.len(), record.len());
    }
}
