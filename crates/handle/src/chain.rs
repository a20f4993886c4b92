//! Several inputs read as one.

use crate::error::Error;
use crate::handle::Handle;
use riverhawk_text::decoder::Separators;
use riverhawk_text::encoding::{Encoding, Policy};
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

#[derive(Clone, Debug)]
enum Part {
    /// `-` is the standard input.
    Path(Vec<u8>),
    Handle(Handle),
}

type OnSwitch = Box<dyn FnMut(Option<&Handle>, Option<&Handle>) + Send>;

/// Inputs one after the other, as a command's operands. A part is opened when the previous one has
/// ended, gets the chain's encoding and separators, and is closed at its end (except standard
/// input). A line never continues in the next part.
///
/// After a part fails to open or read, the chain continues: with the next part, or the rest of this
/// one.
///
/// ```
/// use riverhawk_handle::{Chain, Handle};
/// let mut chain = Chain::of_handles([Handle::of_bytes("a\nb"), Handle::of_bytes("c\n")]);
/// assert_eq!(chain.read_line()?.as_deref(), Some("a"));
/// let rest: Result<Vec<_>, _> = chain.lines().collect();
/// assert_eq!(rest?, ["b", "c"]);
/// assert!(chain.lines().next().is_none());
/// # Ok::<(), riverhawk_handle::Error>(())
/// ```
#[derive(Default)]
pub struct Chain {
    current: Option<Handle>,
    parts: VecDeque<Part>,
    encoding: Option<Arc<dyn Encoding>>,
    policy: Option<Policy>,
    separators: Option<Separators>,
    on_switch: Option<OnSwitch>,
}

impl Chain {
    /// Over paths; `-` is the standard input.
    pub fn of_paths<P: AsRef<[u8]>>(paths: impl IntoIterator<Item = P>) -> Self {
        Self::of(paths.into_iter().map(|path| Part::Path(path.as_ref().to_vec())))
    }

    /// Over handles.
    pub fn of_handles(handles: impl IntoIterator<Item = Handle>) -> Self {
        Self::of(handles.into_iter().map(Part::Handle))
    }

    fn of(parts: impl Iterator<Item = Part>) -> Self {
        Self { parts: parts.collect(), ..Self::default() }
    }

    /// Sets the encoding of every part, including the current one.
    pub fn set_encoding(&mut self, encoding: impl Encoding + 'static) {
        let encoding: Arc<dyn Encoding> = Arc::new(encoding);
        if let Some(current) = &self.current {
            current.set_encoding(Arc::clone(&encoding));
        }
        self.encoding = Some(encoding);
    }

    /// Sets the treatment of undecodable bytes, in every part.
    pub fn set_policy(&mut self, policy: Policy) {
        if let Some(current) = &self.current {
            current.set_policy(policy.clone());
        }
        self.policy = Some(policy);
    }

    /// Sets what ends a line, in every part.
    pub fn set_separators(&mut self, separators: Separators) {
        if let Some(current) = &self.current {
            current.set_separators(separators.clone());
        }
        self.separators = Some(separators);
    }

    /// Sets a function called with the new part (`None` at the end) and the old one when the chain
    /// advances.
    pub fn on_switch(
        &mut self,
        call: impl FnMut(Option<&Handle>, Option<&Handle>) + Send + 'static,
    ) {
        self.on_switch = Some(Box::new(call));
    }

    /// The current part: `None` before the first read and at the end.
    pub fn current(&self) -> Option<&Handle> {
        self.current.as_ref()
    }

    /// The next line without its separator; `None` after all parts.
    ///
    /// # Errors
    /// As [`OpenOptions::open`](crate::OpenOptions::open) and [`Handle::read_line`].
    pub fn read_line(&mut self) -> Result<Option<String>, Error> {
        self.next(Handle::read_line)
    }

    /// `count` characters of this part or, at its end, of the next; fewer at the end of a part.
    ///
    /// # Errors
    /// As [`OpenOptions::open`](crate::OpenOptions::open) and [`Handle::read_chars`].
    pub fn read_chars(&mut self, count: usize) -> Result<Option<String>, Error> {
        self.next(|part| part.read_chars(count))
    }

    /// Up to `limit` bytes; empty after all parts.
    ///
    /// # Errors
    /// As [`OpenOptions::open`](crate::OpenOptions::open) and [`Handle::read`].
    pub fn receive(&mut self, limit: usize) -> Result<Vec<u8>, Error> {
        let some = self.next(|part| {
            let bytes = part.receive(limit)?;
            Ok((limit == 0 || !bytes.is_empty()).then_some(bytes))
        })?;
        Ok(some.unwrap_or_default())
    }

    /// The text of all remaining parts.
    ///
    /// # Errors
    /// As [`OpenOptions::open`](crate::OpenOptions::open) and [`Handle::read_text`]. The text
    /// before the error is lost.
    pub fn read_text(&mut self) -> Result<String, Error> {
        let mut all = String::new();
        let part_text = |part: &Handle| {
            let text = part.read_text()?;
            Ok((!text.is_empty()).then_some(text))
        };
        while let Some(text) = self.next(part_text)? {
            all.push_str(&text);
        }
        Ok(all)
    }

    /// The remaining lines. An iterator ends after a failure; the next one continues.
    pub fn lines(&mut self) -> impl Iterator<Item = Result<String, Error>> + '_ {
        let mut failed = false;
        std::iter::from_fn(move || {
            if failed {
                return None;
            }
            let line = self.read_line();
            failed = line.is_err();
            line.transpose()
        })
    }

    /// Closes the remaining parts; standard input stays open.
    ///
    /// # Errors
    /// The first failure; all are closed nevertheless.
    pub fn close(&mut self) -> Result<(), Error> {
        let mut closed = Ok(());
        let current = self.current.take().map(Part::Handle);
        for part in current.into_iter().chain(self.parts.drain(..)) {
            if let Part::Handle(handle) = part {
                closed = closed.and(leave(&handle));
            }
        }
        closed
    }

    fn next<T>(
        &mut self,
        mut ask: impl FnMut(&Handle) -> Result<Option<T>, Error>,
    ) -> Result<Option<T>, Error> {
        loop {
            if let Some(current) = &self.current {
                if let Some(answer) = ask(current)? {
                    return Ok(Some(answer));
                }
            } else if self.parts.is_empty() {
                return Ok(None);
            }
            self.switch()?;
        }
    }

    fn switch(&mut self) -> Result<(), Error> {
        let old = self.current.take();
        let closed = old.as_ref().map_or(Ok(()), leave);
        let opened = self.parts.pop_front().map(open).transpose();
        if let Ok(Some(new)) = &opened {
            if let Some(policy) = &self.policy {
                new.set_policy(policy.clone());
            }
            if let Some(separators) = &self.separators {
                new.set_separators(separators.clone());
            }
            if let Some(encoding) = &self.encoding {
                new.set_encoding(Arc::clone(encoding));
            }
        }
        let (new, opened) = match opened {
            Ok(new) => (new, Ok(())),
            Err(error) => (None, Err(error)),
        };
        if let Some(call) = &mut self.on_switch {
            call(new.as_ref(), old.as_ref());
        }
        self.current = new;
        closed.and(opened)
    }
}

fn open(part: Part) -> Result<Handle, Error> {
    match part {
        Part::Handle(handle) => Ok(handle),
        Part::Path(path) if path == b"-" => Ok(Handle::stdin()),
        Part::Path(path) => crate::OpenOptions::read().open_bytes(&path),
    }
}

fn leave(handle: &Handle) -> Result<(), Error> {
    if *handle.name() == crate::Name::Stdin { Ok(()) } else { handle.close().map(drop) }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain")
            .field("current", &self.current)
            .field("parts", &self.parts)
            .finish_non_exhaustive()
    }
}
