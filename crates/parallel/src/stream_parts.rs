//! Input cut as it arrives: a pipe, or a file to be decoded.
//!
//! Records are taken as soon as there are enough. When the input stalls, those there go to the
//! leader at once; so do the last, for `$0`, NF and RT in `END`.

use crate::cut::Boundaries;
use riverhawk_awkio::{cancel, until_readable};
use riverhawk_stream::{Room, Source};
use riverhawk_system::fd::{AsFd, OwnedFd};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Input that cannot be cut beforehand.
pub struct Stream {
    /// The operand's number; none without operands.
    pub operand: Option<f64>,
    /// FILENAME.
    pub name: Vec<u8>,
    /// Where it comes from.
    pub source: Box<dyn Source>,
    /// The descriptor that its reads may wait for.
    pub waits_on: Option<Arc<OwnedFd>>,
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream")
            .field("name", &String::from_utf8_lossy(&self.name))
            .finish_non_exhaustive()
    }
}

/// A part of a stream.
#[derive(Debug)]
pub enum StreamPart {
    /// Whole records, about as many bytes as requested.
    Piece(Arc<[u8]>),
    /// Whole records: the first, or those before a stall.
    AtOnce(Arc<[u8]>),
    /// The last ones.
    Last(Arc<[u8]>),
    /// The rest before a failed read, and the error.
    Failed(Arc<[u8]>, io::Error),
}

/// For the leader, which must process any header before others can help.
const FIRST: usize = 64 * 1024;

/// As long as for flushing output.
const STALL: Duration = Duration::from_millis(20);

/// Cuts a stream into parts.
pub struct StreamCutter {
    stream: Stream,
    boundaries: Boundaries,
    size: usize,
    bytes: Vec<u8>,
    is_first: bool,
}

impl StreamCutter {
    /// The stream must be unread.
    pub fn new(stream: Stream, boundaries: Boundaries, size: usize) -> StreamCutter {
        StreamCutter { stream, boundaries, size: size.max(1), bytes: Vec::new(), is_first: true }
    }

    /// None follows the last or a failure. `None` once parts are no longer wanted, which is asked
    /// before each read.
    pub fn next_part(&mut self, is_wanted: impl Fn() -> bool) -> Option<StreamPart> {
        // Bytes searched without finding a boundary.
        let mut looked = 0;
        while is_wanted() {
            let wanted = if self.is_first { FIRST.min(self.size) } else { self.size };
            if self.bytes.len() > wanted {
                // Keeps a byte for the last part.
                let known = &self.bytes[..self.bytes.len() - 1];
                let place = self
                    .boundaries
                    .last_in(&known[..wanted])
                    .or_else(|| self.boundaries.last_in(known));
                if let Some(records) = place.and_then(|at| self.take(at)) {
                    let is_first = std::mem::take(&mut self.is_first);
                    return Some(if is_first {
                        StreamPart::AtOnce(records)
                    } else {
                        StreamPart::Piece(records)
                    });
                }
            }
            if self.bytes.len() > looked && self.has_stalled() {
                looked = self.bytes.len();
                if let Some(records) =
                    self.boundaries.last_in(&self.bytes).and_then(|at| self.take(at))
                {
                    self.is_first = false;
                    return Some(StreamPart::AtOnce(records));
                }
            }
            let room = wanted.saturating_sub(self.bytes.len()).max(self.bytes.len()).max(4096);
            self.bytes.reserve(room);
            if let Err(error) = self.wait_within_run() {
                return Some(StreamPart::Failed(std::mem::take(&mut self.bytes).into(), error));
            }
            match self.stream.source.read(&mut Room::new(&mut self.bytes, room)) {
                Ok(0) => return Some(StreamPart::Last(std::mem::take(&mut self.bytes).into())),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Some(StreamPart::Failed(std::mem::take(&mut self.bytes).into(), error));
                }
            }
        }
        None
    }

    fn take(&mut self, at: usize) -> Option<Arc<[u8]>> {
        let records = (at > 0).then(|| Arc::from(&self.bytes[..at]))?;
        self.bytes.drain(..at);
        Some(records)
    }

    /// In a run that can be stopped a read must not wait, since nothing would end that.
    fn wait_within_run(&self) -> io::Result<()> {
        match &self.stream.waits_on {
            Some(fd) if cancel::current().is_some() => cancel::wait_until_readable(fd.as_fd()),
            _ => Ok(()),
        }
    }

    fn has_stalled(&self) -> bool {
        // The read reports errors.
        self.stream
            .waits_on
            .as_ref()
            .is_some_and(|fd| !until_readable(fd.as_fd(), STALL).unwrap_or(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cut::Cut;
    use riverhawk_stream::{FdSource, MemorySource};
    use std::io::Write;

    fn boundaries() -> Boundaries {
        Cut::Byte(b'\n').finder()
    }

    fn of(
        source: impl Source + 'static,
        waits_on: Option<Arc<OwnedFd>>,
        size: usize,
    ) -> StreamCutter {
        let stream =
            Stream { operand: None, name: b"-".to_vec(), source: Box::new(source), waits_on };
        StreamCutter::new(stream, boundaries(), size)
    }

    #[test]
    fn parcels_are_whole_records_and_together_all_there_is() {
        let lines: String = (0..2000).map(|line| format!("line {line}\n")).collect();
        for text in [lines.as_str(), &lines[..lines.len() - 1], "one", "", "\n\n"] {
            for size in [1, 10, 1000, 1 << 20] {
                let mut parts = of(MemorySource::new(text.as_bytes()), None, size);
                let mut all = Vec::new();
                loop {
                    match parts.next_part(|| true).expect("it is wanted") {
                        StreamPart::Last(last) => {
                            assert!(
                                !last.is_empty() || text.is_empty(),
                                "the last record is kept back"
                            );
                            all.extend_from_slice(&last);
                            break;
                        }
                        StreamPart::Piece(piece) | StreamPart::AtOnce(piece) => {
                            assert!(piece.ends_with(b"\n") && piece.len() <= 2 * size + 5000);
                            all.extend_from_slice(&piece);
                        }
                        StreamPart::Failed(..) => panic!("memory does not fail"),
                    }
                }
                assert_eq!(all, text.as_bytes(), "in parts of {size}");
            }
        }
    }

    #[test]
    fn a_record_does_not_wait_for_the_next_one() {
        let (reader, mut writer) = io::pipe().unwrap();
        let source = FdSource::new(reader);
        let fd = source.shared();
        let mut parts = of(source, Some(fd), 1 << 20);
        for record in ["first\n", "second\n"] {
            writer.write_all(record.as_bytes()).unwrap();
            let Some(StreamPart::AtOnce(came)) = parts.next_part(|| true) else {
                panic!("no record")
            };
            assert_eq!(&*came, record.as_bytes());
        }
        writer.write_all(b"thi").unwrap();
        drop(writer);
        assert!(
            matches!(parts.next_part(|| true), Some(StreamPart::Last(last)) if *last == *b"thi")
        );
    }
}
