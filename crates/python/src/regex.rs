//! `riverhawk.Regex`: POSIX leftmost-longest expressions on `str` and `bytes`.

use crate::convert::{str_of, text_of};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use pyo3::{IntoPyObjectExt, intern};
use riverhawk_regex::{CompiledRegex, Match, Options};
use riverhawk_text::{Unit, length};
use std::sync::{Arc, Mutex};

/// Texts from here on are searched without the GIL, in bytes.
const LONG: usize = 64 * 1024;

/// A POSIX extended regular expression as in gawk: leftmost, longest, in linear time.
///
/// It is searched for in `str` or `bytes`; positions are in characters or bytes accordingly. With
/// `ignore_case` letters match in either case. There are no back-references and no lazy operators.
///
/// `\d` and the like are letters, as in gawk.
///
/// Raises `RegexError` for a pattern that is none.
///
/// >>> import riverhawk as rh
/// >>> rh.Regex('a|ab|abc').find('xabcd')
/// (1, 4)
#[pyclass(frozen, module = "riverhawk")]
pub(crate) struct Regex {
    compiled: Arc<CompiledRegex>,
    /// For one thread at a time; another makes its own.
    searcher: Mutex<riverhawk_regex::Regex>,
    /// The pattern, as it was given.
    #[pyo3(get)]
    pattern: Py<PyAny>,
}

/// A `str` or `bytes`, and where matches in it are.
enum Subject<'py> {
    Text(Vec<u8>, Python<'py>),
    Bytes(Bound<'py, PyBytes>),
}

impl<'py> Subject<'py> {
    fn of(object: &Bound<'py, PyAny>) -> PyResult<Subject<'py>> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Subject::Text(text_of(text)?, object.py()));
        }
        match object.cast::<PyBytes>() {
            Ok(bytes) => Ok(Subject::Bytes(bytes.clone())),
            Err(_) => {
                let kind = object.get_type().name()?;
                Err(PyTypeError::new_err(format!("text is str or bytes, not {kind}")))
            }
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Subject::Text(text, _) => text,
            Subject::Bytes(bytes) => bytes.as_bytes(),
        }
    }

    /// A part of it, of its own type.
    fn part(&self, part: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Subject::Text(_, py) => Ok(str_of(*py, part)?.into_any()),
            Subject::Bytes(bytes) => Ok(PyBytes::new(bytes.py(), part).into_any()),
        }
    }

    fn span(&self, found: Match) -> (usize, usize) {
        match self {
            Subject::Bytes(_) => (found.start, found.end),
            Subject::Text(text, _) => {
                let start = length(&text[..found.start], Unit::CodePoint);
                (start, start + length(&text[found.start..found.end], Unit::CodePoint))
            }
        }
    }
}

impl Regex {
    /// The pattern in bytes, and how it is read.
    pub(crate) fn source(&self) -> (&[u8], Options) {
        (self.compiled.pattern(), *self.compiled.options())
    }

    /// A searcher for another thread or owner.
    pub(crate) fn searcher(&self) -> riverhawk_regex::Regex {
        riverhawk_regex::Regex::over(Arc::clone(&self.compiled))
    }

    fn search<R: Send>(
        &self,
        py: Python<'_>,
        text: &[u8],
        search: impl FnOnce(&riverhawk_regex::Regex, &[u8]) -> R + Send,
    ) -> R {
        let search = || match self.searcher.try_lock() {
            Ok(searcher) => search(&searcher, text),
            Err(_) => search(&self.searcher(), text),
        };
        if text.len() < LONG { search() } else { py.detach(search) }
    }

    fn all(&self, py: Python<'_>, text: &[u8]) -> Vec<Match> {
        self.search(py, text, |regex, text| regex.matches(text).collect())
    }
}

#[pymethods]
impl Regex {
    #[new]
    #[pyo3(signature = (pattern, *, ignore_case=false))]
    fn new(pattern: &Bound<'_, PyAny>, ignore_case: bool) -> PyResult<Regex> {
        let text = Subject::of(pattern)?;
        let options = Options { ignore_case, ..Options::default() };
        match CompiledRegex::new(text.bytes(), &options) {
            Ok(compiled) => {
                let compiled = Arc::new(compiled);
                let searcher = Mutex::new(riverhawk_regex::Regex::over(Arc::clone(&compiled)));
                Ok(Regex { compiled, searcher, pattern: pattern.clone().unbind() })
            }
            Err(error) => {
                let errors = pattern.py().import(intern!(pattern.py(), "riverhawk._errors"))?;
                let made = errors.call_method1(
                    intern!(pattern.py(), "RegexError"),
                    (error.message(), pattern, error.offset()),
                )?;
                Err(PyErr::from_value(made))
            }
        }
    }

    /// Whether it matches anywhere in the text.
    ///
    /// >>> import riverhawk as rh
    /// >>> rh.Regex('^[a-z]+$').is_match(b'tea')
    /// True
    fn is_match(&self, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<bool> {
        let text = Subject::of(text)?;
        Ok(self.search(py, text.bytes(), |regex, text| regex.is_match(text)))
    }

    /// Where the first match begins and ends, or `None`.
    ///
    /// >>> import riverhawk as rh
    /// >>> rh.Regex('[0-9]+').find('für 12 €'), rh.Regex('x').find('a')
    /// ((4, 6), None)
    fn find(&self, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Option<(usize, usize)>> {
        let text = Subject::of(text)?;
        let found = self.search(py, text.bytes(), |regex, text| regex.find(text));
        Ok(found.map(|found| text.span(found)))
    }

    /// All matches, from left to right.
    ///
    /// >>> import riverhawk as rh
    /// >>> rh.Regex('[a-z]+').find_all('tea, milk')
    /// ['tea', 'milk']
    fn find_all<'py>(
        &self,
        py: Python<'py>,
        text: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let text = Subject::of(text)?;
        let found = self.all(py, text.bytes());
        let parts = found.iter().map(|found| text.part(&text.bytes()[found.start..found.end]));
        PyList::new(py, parts.collect::<PyResult<Vec<_>>>()?)
    }

    /// The first match and its groups, or `None`; a group that took no part is `None`.
    ///
    /// >>> import riverhawk as rh
    /// >>> rh.Regex('([a-z]+)=([0-9]+)|x').captures('a, b=12')
    /// ['b=12', 'b', '12']
    fn captures<'py>(
        &self,
        py: Python<'py>,
        text: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyList>>> {
        let text = Subject::of(text)?;
        let groups = self.search(py, text.bytes(), |regex, text| {
            let mut groups = Vec::new();
            regex.captures(text, &mut groups).then_some(groups)
        });
        let Some(groups) = groups else { return Ok(None) };
        let parts = groups.iter().map(|group| match group {
            Some(group) => text.part(&text.bytes()[group.start..group.end]),
            None => Ok(py.None().into_bound(py)),
        });
        PyList::new(py, parts.collect::<PyResult<Vec<_>>>()?).map(Some)
    }

    /// The parts between the matches that are not empty.
    ///
    /// >>> import riverhawk as rh
    /// >>> rh.Regex(' *, *').split('tea , milk,')
    /// ['tea', 'milk', '']
    fn split<'py>(
        &self,
        py: Python<'py>,
        text: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let text = Subject::of(text)?;
        let (mut parts, mut from) = (Vec::new(), 0);
        for found in self.all(py, text.bytes()).iter().filter(|found| found.end > found.start) {
            parts.push(text.part(&text.bytes()[from..found.start])?);
            from = found.end;
        }
        parts.push(text.part(&text.bytes()[from..])?);
        PyList::new(py, parts)
    }

    /// The text with its matches replaced: by `replacement` as it is, or by what it returns for each
    /// match if it is a function. `count` replaces that many at most.
    ///
    /// >>> import riverhawk as rh
    /// >>> word = rh.Regex('[a-z]+')
    /// >>> word.replace('tea milk', 'x', count=1), word.replace('tea milk', str.title)
    /// ('x milk', 'Tea Milk')
    #[pyo3(signature = (text, replacement, *, count=None))]
    fn replace<'py>(
        &self,
        py: Python<'py>,
        text: &Bound<'py, PyAny>,
        replacement: &Bound<'py, PyAny>,
        count: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let subject = Subject::of(text)?;
        let bytes = subject.bytes();
        let found = self.all(py, bytes);
        if found.is_empty() {
            return text.clone().into_bound_py_any(py);
        }
        let same_type = |object: &Bound<'py, PyAny>| {
            let made = Subject::of(object)?;
            let is_same = matches!(made, Subject::Text(..)) == matches!(subject, Subject::Text(..));
            if is_same {
                return Ok(made.bytes().to_vec());
            }
            Err(PyTypeError::new_err("text and replacement are of different types"))
        };
        let fixed = if replacement.is_callable() { None } else { Some(same_type(replacement)?) };
        let (mut out, mut from) = (Vec::with_capacity(bytes.len()), 0);
        for found in found.iter().take(count.unwrap_or(usize::MAX)) {
            out.extend_from_slice(&bytes[from..found.start]);
            match &fixed {
                Some(fixed) => out.extend_from_slice(fixed),
                None => {
                    let matched = subject.part(&bytes[found.start..found.end])?;
                    out.extend_from_slice(&same_type(&replacement.call1((matched,))?)?);
                }
            }
            from = found.end;
        }
        out.extend_from_slice(&bytes[from..]);
        subject.part(&out)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let case = if self.compiled.options().ignore_case { ", ignore_case=True" } else { "" };
        Ok(format!("Regex({}{case})", self.pattern.bind(py).repr()?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let errors = py.import(intern!(py, "riverhawk._oneshot"))?;
        let make = errors.getattr(intern!(py, "_regex"))?;
        let ignore_case = slf.get().compiled.options().ignore_case;
        (make, (slf.get().pattern.bind(py), ignore_case)).into_bound_py_any(py)
    }
}
