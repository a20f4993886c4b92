//! The algebra of byte streams, `riverhawk.ByteStream`, and records from the last to the first.

use crate::convert::path_of;
use crate::errors::os_error;
use crate::input::{Input, Pulled};
use crate::output::Output;
use crate::raised::Raised;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator, PyString, PyTuple};
use riverhawk::engine::system::names::OsStrExt;
use riverhawk_stream::{
    Backwards, Buffered, ByteSet, Ended, FdSource, MemorySource, Pattern, ReadSource, SourceStream,
    WriteSink,
};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

type Core = Box<dyn Buffered + Send>;

/// Bytes that are taken piece by piece, as a parser of a protocol or format does.
///
/// `source` is a path, `bytes`, a binary file object, or an iterable of `bytes` and of streams, which is their
/// concatenation. Streams are binary file objects themselves, and iterate over their lines, which end
/// with LF, CR or CR LF. A delimiter is taken and dropped. Nothing is read that a call can do without.
///
/// >>> import riverhawk as rh
/// >>> stream = rh.ByteStream(b'put 11;hello\nworld--end--get 0;')
/// >>> stream.up_to(b' '), int(stream.up_to(b';'))
/// (b'put', 11)
/// >>> body = stream.limited(11)
/// >>> list(body), body.at_end
/// ([b'hello', b'world'], True)
/// >>> stream.skip_to(b'--end--'), stream.peek(3)
/// (True, b'get')
#[pyclass(frozen, module = "riverhawk")]
pub(crate) struct ByteStream {
    core: Arc<Mutex<Core>>,
    /// Where a limited stream ends in the one that it is of.
    end_offset: Option<u64>,
    raised: Raised,
    /// For errors.
    path: Option<Py<PyAny>>,
}

/// Gives one item of an iterable after the other.
struct Concatenation {
    items: Py<PyIterator>,
    stream: Option<Py<ByteStream>>,
    rest: Cursor<Vec<u8>>,
    raised: Raised,
}

/// What a stream with a copy reads: another stream.
struct Taking {
    stream: Py<ByteStream>,
    raised: Raised,
}

impl Read for Taking {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = Python::attach(|py| self.stream.get().available(py, room.len()));
        let block = read.map_err(|error| self.raised.keep(error))?;
        room[..block.len()].copy_from_slice(&block);
        Ok(block.len())
    }
}

impl Read for Concatenation {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.rest.read(room)?;
            if count > 0 {
                return Ok(count);
            }
            let more = Python::attach(|py| self.more(py, room.len()));
            match more.map_err(|error| self.raised.keep(error))? {
                Some(block) => self.rest = Cursor::new(block),
                None => return Ok(0),
            }
        }
    }
}

impl Concatenation {
    /// More bytes, maybe none; `None` at the end.
    fn more(&mut self, py: Python<'_>, room: usize) -> PyResult<Option<Vec<u8>>> {
        if let Some(stream) = &self.stream {
            let block = stream.get().available(py, room)?;
            if !block.is_empty() {
                return Ok(Some(block));
            }
            self.stream = None;
        }
        let Some(item) = self.items.bind(py).clone().next() else { return Ok(None) };
        let item = item?;
        if let Ok(stream) = item.cast::<ByteStream>() {
            self.stream = Some(stream.clone().unbind());
            return Ok(Some(Vec::new()));
        }
        match item.cast::<PyBytes>() {
            Ok(bytes) => Ok(Some(bytes.as_bytes().to_vec())),
            Err(_) => {
                let kind = item.get_type().name()?;
                Err(PyTypeError::new_err(format!("a part is bytes or a ByteStream, not {kind}")))
            }
        }
    }
}

impl ByteStream {
    fn of(core: Core, raised: Raised) -> ByteStream {
        ByteStream { core: Arc::new(Mutex::new(core)), end_offset: None, raised, path: None }
    }

    /// Acts on the stream, up to its end if it is limited, while the thread is detached.
    fn act<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut dyn Buffered) -> io::Result<T> + Send,
    ) -> PyResult<T> {
        let result = py.detach(|| {
            let mut core = self.core.lock().unwrap_or_else(PoisonError::into_inner);
            match self.end_offset {
                None => act(&mut **core),
                Some(end) => {
                    let left = end.saturating_sub(core.offset());
                    act(&mut core.limited(left))
                }
            }
        });
        py.check_signals()?;
        result.map_err(|error| match self.raised.take() {
            Some(raised) => raised,
            None => os_error(py, &error, self.path.as_ref().map(|path| path.bind(py))),
        })
    }

    /// At most `size` bytes, as many as there are without waiting for more than one; none at the end.
    fn available(&self, py: Python<'_>, size: usize) -> PyResult<Vec<u8>> {
        self.act(py, |stream| {
            let count = stream.look()?.len().min(size);
            Ok(stream.consume(count).to_vec())
        })
    }
}

#[pymethods]
impl ByteStream {
    #[new]
    fn new(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<ByteStream> {
        let raised = Raised::default();
        if let Ok(bytes) = source.cast::<PyBytes>() {
            let source = MemorySource::new(bytes.as_bytes());
            return Ok(ByteStream::of(Box::new(SourceStream::new(source)), raised));
        }
        if source.hasattr(intern!(py, "read"))? {
            let file = Pulled::new(Input::File(source.clone().unbind()), &raised);
            let core = SourceStream::new(ReadSource::new(file));
            return Ok(ByteStream::of(Box::new(core), raised));
        }
        let is_path =
            source.is_instance_of::<PyString>() || source.hasattr(intern!(py, "__fspath__"))?;
        if !is_path {
            let items = source.try_iter()?.unbind();
            let rest = Cursor::new(Vec::new());
            let parts = Concatenation { items, stream: None, rest, raised: raised.clone() };
            let core = SourceStream::new(ReadSource::new(parts));
            return Ok(ByteStream::of(Box::new(core), raised));
        }
        let path = path_of(source)?;
        let file = py.detach(|| FdSource::open(OsStr::from_bytes(&path)));
        let file = file.map_err(|error| os_error(py, &error, Some(source)))?;
        let stream = ByteStream::of(Box::new(SourceStream::new(file)), raised);
        Ok(ByteStream { path: Some(source.clone().unbind()), ..stream })
    }

    /// The bytes before the next `delimiter`, which has at least one byte; the rest if there is none.
    fn up_to<'py>(&self, py: Python<'py>, delimiter: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let mut out = Vec::new();
        match delimiter {
            [] => return Err(empty_delimiter()),
            &[byte] => drop(self.act(py, |stream| stream.up_to(byte, &mut out))?),
            text => {
                let mut pattern = Pattern::new(text);
                self.act(py, |stream| stream.up_to_all(&mut pattern, &mut out))?;
            }
        }
        Ok(PyBytes::new(py, &out))
    }

    /// The bytes before the next byte of `delimiters`, and that; empty at the end.
    fn up_to_any<'py>(
        &self,
        py: Python<'py>,
        delimiters: &[u8],
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let (mut out, set) = (Vec::new(), ByteSet::new(delimiters));
        let found = self.act(py, |stream| stream.up_to_any(&set, &mut out))?;
        Ok((PyBytes::new(py, &out), PyBytes::new(py, found.as_slice())))
    }

    /// The rest.
    fn up_to_end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut out = Vec::new();
        self.act(py, |stream| stream.up_to_end(&mut out))?;
        Ok(PyBytes::new(py, &out))
    }

    /// Drops everything up to the next `delimiter`, and that; whether there is one.
    fn skip_to(&self, py: Python<'_>, delimiter: &[u8]) -> PyResult<bool> {
        match delimiter {
            [] => Err(empty_delimiter()),
            &[byte] => self.act(py, |stream| stream.skip_to(byte)),
            text => {
                let mut pattern = Pattern::new(text);
                self.act(py, |stream| stream.skip_to_all(&mut pattern))
            }
        }
    }

    /// Drops `count` bytes; how many, which is fewer at the end.
    fn skip(&self, py: Python<'_>, count: u64) -> PyResult<u64> {
        self.act(py, |stream| stream.skip(count))
    }

    /// As of a file object: `size` bytes, fewer at the end; the rest if it is `None` or negative.
    #[pyo3(signature = (size=None, /))]
    fn read<'py>(&self, py: Python<'py>, size: Option<i64>) -> PyResult<Bound<'py, PyBytes>> {
        let Some(size) = size.and_then(|size| usize::try_from(size).ok()) else {
            return self.up_to_end(py);
        };
        let mut out = Vec::new();
        self.act(py, |stream| {
            while out.len() < size {
                let count = stream.look()?.len().min(size - out.len());
                if count == 0 {
                    break;
                }
                out.extend_from_slice(stream.consume(count));
            }
            Ok(())
        })?;
        Ok(PyBytes::new(py, &out))
    }

    /// As of a file object: what is there, at most `size` bytes; none at the end.
    #[pyo3(signature = (size=None, /))]
    fn read1<'py>(&self, py: Python<'py>, size: Option<i64>) -> PyResult<Bound<'py, PyBytes>> {
        let size = size.and_then(|size| usize::try_from(size).ok());
        let block = self.available(py, size.unwrap_or(usize::MAX))?;
        Ok(PyBytes::new(py, &block))
    }

    /// Exactly `count` bytes. If there are fewer, `EOFError` is raised, and they stay.
    fn take<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Bound<'py, PyBytes>> {
        let piece = self.act(py, |stream| {
            while stream.buffered().len() < count {
                if stream.fill()? == 0 {
                    return Ok(Err(stream.buffered().len()));
                }
            }
            Ok(Ok(stream.consume(count).to_vec()))
        })?;
        match piece {
            Ok(piece) => Ok(PyBytes::new(py, &piece)),
            Err(left) => {
                let message = format!("{count} bytes were asked for, and {left} are left");
                Err(pyo3::exceptions::PyEOFError::new_err(message))
            }
        }
    }

    /// The next `count` bytes, fewer at the end, which stay.
    #[pyo3(signature = (count=1))]
    fn peek<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Bound<'py, PyBytes>> {
        let piece = self.act(py, |stream| {
            while stream.buffered().len() < count && stream.fill()? > 0 {}
            Ok(stream.buffered()[..count.min(stream.buffered().len())].to_vec())
        })?;
        Ok(PyBytes::new(py, &piece))
    }

    /// Whether nothing is left; waits until that is known.
    #[getter]
    fn at_end(&self, py: Python<'_>) -> PyResult<bool> {
        self.act(py, |stream| Ok(stream.look()?.is_empty()))
    }

    /// Bytes taken so far; of a limited stream, those of the one that it is of.
    #[getter]
    fn offset(&self, py: Python<'_>) -> PyResult<u64> {
        self.act(py, |stream| Ok(stream.offset()))
    }

    /// The next `count` bytes as a stream of their own. What it leaves is left in this one.
    fn limited(&self, py: Python<'_>, count: u64) -> PyResult<ByteStream> {
        let end = self.offset(py)?.saturating_add(count);
        Ok(ByteStream {
            core: Arc::clone(&self.core),
            end_offset: Some(self.end_offset.map_or(end, |outer| outer.min(end))),
            raised: self.raised.clone(),
            path: self.path.as_ref().map(|path| path.clone_ref(py)),
        })
    }

    /// This stream with a copy of its bytes written to a binary file object, as they are read: up to
    /// 256 KiB before they are taken. This one is read by it from now on.
    fn tee(slf: Bound<'_, Self>, file: Py<PyAny>) -> ByteStream {
        let raised = Raised::default();
        let taken = Taking { stream: slf.unbind(), raised: raised.clone() };
        let copied = WriteSink::new(Output { file, raised: raised.clone() });
        let core = SourceStream::new(ReadSource::new(taken)).tee(copied);
        ByteStream::of(Box::new(core), raised)
    }

    /// This stream, then the other: a stream or `bytes`.
    fn __add__(slf: Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<ByteStream> {
        ByteStream::new(slf.py(), PyTuple::new(slf.py(), [slf.as_any(), other])?.as_any())
    }

    /// The other, then this stream.
    fn __radd__(slf: Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<ByteStream> {
        ByteStream::new(slf.py(), PyTuple::new(slf.py(), [other, slf.as_any()])?.as_any())
    }

    /// What `change` makes of each line, `bytes` or streams, one after the other.
    ///
    /// >>> import riverhawk as rh
    /// >>> rh.ByteStream(b'a\nb\n').gather(lambda line: line * 2 + b';').up_to_end()
    /// b'aa;bb;'
    fn gather(slf: Bound<'_, Self>, change: &Bound<'_, PyAny>) -> PyResult<ByteStream> {
        let py = slf.py();
        let map = py.import(intern!(py, "builtins"))?.getattr(intern!(py, "map"))?;
        ByteStream::new(py, &map.call1((change, slf))?)
    }

    /// Pairs of a line of this stream and an item of another, or of any iterable, until one ends.
    ///
    /// >>> import riverhawk as rh
    /// >>> list(rh.ByteStream(b'a\nb\n').with_(rh.ByteStream(b'1\n2\n3\n')))
    /// [(b'a', b'1'), (b'b', b'2')]
    fn with_<'py>(slf: Bound<'py, Self>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let zip = py.import(intern!(py, "builtins"))?.getattr(intern!(py, "zip"))?;
        zip.call1((slf, other))
    }

    /// `combine(... combine(combine(initial, first line), second line) ...)`.
    ///
    /// >>> import riverhawk as rh
    /// >>> rh.ByteStream(b'1\n20\n').inject_into(0, lambda sum, line: sum + int(line))
    /// 21
    fn inject_into<'py>(
        slf: Bound<'py, Self>,
        initial: &Bound<'py, PyAny>,
        combine: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let functools = py.import(intern!(py, "functools"))?;
        functools.call_method1(intern!(py, "reduce"), (combine, slf, initial))
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let line = self.act(py, |stream| {
            let taken = stream.take_line()?;
            let is_there = taken.ended == Ended::AtDelimiter || !taken.bytes.is_empty();
            Ok(is_there.then(|| taken.bytes.to_vec()))
        })?;
        Ok(line.map(|line| PyBytes::new(py, &line)))
    }
}

fn empty_delimiter() -> PyErr {
    PyValueError::new_err("a delimiter has at least one byte")
}

trait SeekableFile: Read + Seek + Send {}
impl<T: Read + Seek + Send> SeekableFile for T {}

/// A file object that seeks.
struct SoughtFile {
    file: Py<PyAny>,
    raised: Raised,
}

impl Read for SoughtFile {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let block = Python::attach(|py| {
            let block = self.file.bind(py).call_method1(intern!(py, "read"), (room.len(),))?;
            match block.cast::<PyBytes>() {
                Ok(block) => Ok(block.as_bytes().to_vec()),
                Err(_) => Err(PyTypeError::new_err("read() of a binary file object gives bytes")),
            }
        });
        let block = block.map_err(|error| self.raised.keep(error))?;
        let count = block.len().min(room.len());
        room[..count].copy_from_slice(&block[..count]);
        Ok(count)
    }
}

impl Seek for SoughtFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (offset, whence) = match to {
            SeekFrom::Start(offset) => (i128::from(offset), 0),
            SeekFrom::Current(offset) => (i128::from(offset), 1),
            SeekFrom::End(offset) => (i128::from(offset), 2),
        };
        let place = Python::attach(|py| {
            self.file.bind(py).call_method1(intern!(py, "seek"), (offset, whence))?.extract()
        });
        place.map_err(|error| self.raised.keep(error))
    }
}

/// Records of a file from the last to the first, as bytes; see `riverhawk.backwards`.
#[pyclass(frozen, module = "riverhawk")]
pub(crate) struct ReversedRecords {
    records: Mutex<Backwards<Box<dyn SeekableFile>>>,
    raised: Raised,
    path: Option<Py<PyAny>>,
}

#[pymethods]
impl ReversedRecords {
    #[new]
    fn new(py: Python<'_>, source: &Bound<'_, PyAny>, sep: &[u8]) -> PyResult<ReversedRecords> {
        let &[byte] = sep else {
            return Err(PyValueError::new_err("sep is one byte"));
        };
        let raised = Raised::default();
        let mut path = None;
        let file: Box<dyn SeekableFile> = if let Ok(bytes) = source.cast::<PyBytes>() {
            Box::new(Cursor::new(bytes.as_bytes().to_vec()))
        } else if source.hasattr(intern!(py, "read"))? {
            Box::new(SoughtFile { file: source.clone().unbind(), raised: raised.clone() })
        } else {
            path = Some(source.clone().unbind());
            let name = path_of(source)?;
            let file = py.detach(|| File::open(OsStr::from_bytes(&name)));
            Box::new(file.map_err(|error| os_error(py, &error, Some(source)))?)
        };
        let records = py.detach(|| Backwards::new(file, byte));
        let records = records.map_err(|error| match raised.take() {
            Some(raised) => raised,
            None => os_error(py, &error, Some(source)),
        })?;
        Ok(ReversedRecords { records: Mutex::new(records), raised, path })
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let record = py.detach(|| {
            let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
            records.next_record().map(|record| record.map(<[u8]>::to_vec))
        });
        py.check_signals()?;
        match record {
            Ok(record) => Ok(record.map(|record| PyBytes::new(py, &record))),
            Err(error) => Err(match self.raised.take() {
                Some(raised) => raised,
                None => os_error(py, &error, self.path.as_ref().map(|path| path.bind(py))),
            }),
        }
    }
}
