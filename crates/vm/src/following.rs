//! `--follow`: files of the main input are read as they grow.
//!
//! Every operand is first read to its end, then whichever file grows. Each file has its own reader,
//! FNR and columns. A file ends when it is truncated or another file has taken its name; the other
//! begins like an operand of that name.

mod ends;

pub(crate) mod follow;

use riverhawk_awkio::{Holder, News, RecordReader, Tail, Watch};
use riverhawk_record::table::FileColumns;
use riverhawk_value::Value;
use std::time::{Duration, Instant};

/// A replaced file ends when its successor has data and nothing came for this long. Programs write
/// to the old file until they open it anew.
const QUIET: Duration = Duration::from_secs(1);

/// After this time the successor no longer waits, and both are read.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) struct Following {
    files: Vec<Followed>,
    current: Option<Followed>,
    watch: Watch,
    count: u64,
    is_ending: bool,
}

struct Followed {
    id: u64,
    name: Vec<u8>,
    argind: Value,
    tail: Tail,
    reader: Option<Box<RecordReader>>,
    place: Option<Place>,
    quiet_since: Instant,
    holder: Holder,
    /// Since when no file has its name, which may be for a moment while it is replaced.
    gone_since: Option<Instant>,
    has_successor: bool,
    /// It is read when this file has ended, or at that time.
    waits_for: Option<(u64, Instant)>,
    has_ended: bool,
}

struct Place {
    fnr: f64,
    columns: FileColumns,
    header_is_due: bool,
}

impl Following {
    pub(crate) fn new() -> Following {
        Following {
            files: Vec::new(),
            current: None,
            watch: Watch::begin(),
            count: 0,
            is_ending: false,
        }
    }

    fn file(
        &mut self,
        name: &[u8],
        argind: Value,
        (reader, tail): (RecordReader, Tail),
    ) -> Followed {
        self.count += 1;
        self.watch.add(&tail);
        Followed {
            id: self.count,
            name: name.to_vec(),
            argind,
            tail,
            reader: Some(Box::new(reader)),
            place: None,
            quiet_since: Instant::now(),
            holder: Holder::Same,
            gone_since: None,
            has_successor: false,
            waits_for: None,
            has_ended: false,
        }
    }

    fn ready(&mut self) -> Option<usize> {
        if self.is_ending {
            return (0..self.files.len()).min_by_key(|&at| self.files[at].id);
        }
        (0..self.files.len()).find(|&at| self.is_ready(at))
    }

    fn is_ready(&self, at: usize) -> bool {
        let file = &self.files[at];
        if file.has_ended {
            return true;
        }
        if let Some((id, time)) = file.waits_for
            && self.files.iter().any(|other| other.id == id)
            && Instant::now() < time
        {
            return false;
        }
        match file.tail.news() {
            News::More => true,
            News::Truncated => false,
            News::None => {
                let next = self
                    .files
                    .iter()
                    .find(|next| next.waits_for.is_some_and(|(id, _)| id == file.id));
                let is_over = file.quiet_since.elapsed() >= QUIET
                    && next
                        .is_some_and(|next| next.place.is_some() || next.tail.news() != News::None);
                if is_over {
                    file.tail.end();
                }
                is_over
            }
        }
    }
}
