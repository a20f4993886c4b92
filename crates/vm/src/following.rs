//! `--follow`: the files of the main input go on when they have been read, and so does the program.
//!
//! Each operand is read in its turn to where it ends. Then they are read as they grow, whichever
//! has something: each has a reader of its own, with its FNR and the columns of its header, and the
//! main input's reader is that of the file being read. A file that is truncated, or whose name
//! another file has taken, has ended; the other one begins as an operand of that name would.

mod ends;

pub(crate) mod follow;

use riverhawk_awkio::{Holder, News, RecordReader, Tail, Watch};
use riverhawk_record::table::FileColumns;
use riverhawk_value::Value;
use std::time::{Duration, Instant};

/// A file whose name another one has taken has ended when nothing has come for so long, and the
/// other one has something: until they are told to open it anew, programs write to the old one.
const QUIET: Duration = Duration::from_secs(1);

/// The other one waits for that no longer than this: then both are read.
const PATIENCE: Duration = Duration::from_secs(10);

/// The files that are followed.
pub(crate) struct Following {
    /// Those that are not being read; the one that has waited longest for its turn comes first.
    files: Vec<Followed>,
    /// The one that is being read.
    current: Option<Followed>,
    watch: Watch,
    /// How many there have been.
    count: u64,
    /// They are read to where they end, and no further.
    is_ending: bool,
}

/// A file that is followed.
struct Followed {
    /// In the order in which they were opened.
    id: u64,
    name: Vec<u8>,
    argind: Value,
    tail: Tail,
    /// While it is not being read.
    reader: Option<Box<RecordReader>>,
    /// Where it was left; none before its first record.
    place: Option<Place>,
    /// Nothing has come since.
    quiet_since: Instant,
    /// Who had its name when that was last looked at.
    holder: Holder,
    /// Nobody has had its name since; a moment without one is part of being replaced.
    gone_since: Option<Instant>,
    /// What is read under its name from now on has been opened.
    has_successor: bool,
    /// It begins when the one before has ended, or at that time.
    waits_for: Option<(u64, Instant)>,
    /// It was truncated.
    has_ended: bool,
}

/// What the program sees of a file besides its records.
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

    /// A file that begins.
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

    /// The file whose turn it is, if one has something.
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
