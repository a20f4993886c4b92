//! `--follow`: the files of the main input go on when they have been read, and so does the program.
//!
//! Each operand is read in its turn to where it ends. Then they are read as they grow, whichever
//! has something: each has a reader of its own, with its FNR and the columns of its header, and the
//! main input's reader is that of the file being read. A file that is truncated, or whose name
//! another file has taken, has ended; the other one begins as an operand of that name would.

use crate::fault::Fallible;
use crate::file_rules::FileEvent;
use crate::io::{
    FileName, Holder, News, OpenError, RecordReader, Tail, Watch, interrupted, is_inet,
};
use crate::main_input::MainInput;
use crate::runtime::Runtime;
use crate::table::FileColumns;
use crate::time_limit;
use riverhawk_syntax::ast::Special;
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
            watch: Watch::new(),
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

impl MainInput {
    /// Whether the file being read is followed, and this says that there is no more of it for the
    /// time being.
    pub(crate) fn is_at_growing_end(&self, error: &std::io::Error) -> bool {
        error.kind() == std::io::ErrorKind::WouldBlock
            && self.following.as_ref().is_some_and(|following| following.current.is_some())
    }

    /// If somebody wants the run to end, the files end where they end now.
    pub(crate) fn note_interrupt(&mut self) {
        let Some(following) = &mut self.following else { return };
        if following.is_ending || !interrupted() {
            return;
        }
        following.is_ending = true;
        for file in following.files.iter().chain(&following.current) {
            file.tail.end();
        }
    }

    /// Whether no further file is to be opened.
    pub(crate) fn is_ending(&self) -> bool {
        self.following.as_ref().is_some_and(|following| following.is_ending)
    }

    /// The file being read is followed no longer.
    pub(crate) fn forget_current(&mut self) {
        if let Some(following) = &mut self.following {
            following.current = None;
        }
    }
}

impl Runtime {
    /// Whether an operand is one that can be followed. The standard input is, too, in its own way.
    pub(crate) fn may_be_followed(&self, name: &[u8]) -> bool {
        !matches!(FileName::for_reading(name), FileName::Standard(_)) && !is_inet(name)
    }

    /// Begins to follow an operand.
    ///
    /// # Errors
    /// It cannot be opened.
    pub(crate) fn follow_file(&mut self, name: &[u8]) -> Result<(), OpenError> {
        let opened = self.io.open_tail(name)?;
        self.begin_following(name, opened);
        Ok(())
    }

    /// Begins to follow the standard input, whose name the program has been told; whether it can
    /// be.
    pub(crate) fn follow_stdin(&mut self) -> bool {
        let Ok(opened) = self.io.open_tail(b"-") else { return false };
        let name = self.text_of(self.specials.value(Special::Filename));
        self.begin_following(&name, opened);
        true
    }

    fn begin_following(&mut self, name: &[u8], opened: (RecordReader, Tail)) {
        let argind = self.specials.value(Special::Argind).clone();
        let Some(following) = &mut self.main.following else { return };
        let file = following.file(name, argind, opened);
        self.read_followed(file);
    }

    /// Reads a file, from its beginning or from where it was left.
    fn read_followed(&mut self, mut file: Followed) {
        self.main.give_reader(file.reader.take());
        self.specials.store(Special::Argind, file.argind.clone());
        match file.place.take() {
            None => {
                self.begin_file(&file.name);
                self.main.tell(FileEvent::Begun);
            }
            Some(Place { fnr, columns, header_is_due }) => {
                self.begin_file(&file.name);
                self.specials.fnr = fnr;
                self.return_to_columns(&columns);
                self.columns.header_is_due = header_is_due;
            }
        }
        if let Some(following) = &mut self.main.following {
            following.current = Some(file);
        }
    }

    /// The file being read has no more for the time being: it waits until it has.
    pub(crate) fn set_file_aside(&mut self) {
        let reader = self.main.take_reader();
        let (columns, header_is_due) = (self.columns.known(), self.columns.header_is_due);
        let place = Place { fnr: self.specials.fnr, columns, header_is_due };
        let Some(following) = &mut self.main.following else { return };
        let Some(mut file) = following.current.take() else { return };
        (file.reader, file.place, file.quiet_since) = (reader, Some(place), Instant::now());
        following.files.push(file);
    }

    /// Reads the file that has something next, waiting for it; false when all have ended.
    pub(crate) fn go_on_following(&mut self) -> Fallible<bool> {
        loop {
            time_limit::check()?;
            self.main.note_interrupt();
            let Some(following) = &mut self.main.following else { return Ok(false) };
            if let Some(at) = following.ready() {
                let file = following.files.remove(at);
                self.read_followed(file);
                return Ok(true);
            }
            if following.files.is_empty() {
                return Ok(false);
            }
            if self.notice_changes()? {
                continue;
            }
            let Some(following) = &self.main.following else { return Ok(false) };
            let tails = following.files.iter().map(|file| &file.tail);
            following.watch.wait(tails, &mut self.io.outputs)?;
        }
    }

    /// Looks at what has become of the files and their names; whether there is something new to
    /// read.
    fn notice_changes(&mut self) -> Fallible<bool> {
        let mut any = false;
        let mut at = 0;
        while let Some(file) =
            self.main.following.as_ref().and_then(|following| following.files.get(at))
        {
            if file.tail.news() == News::Truncated && !file.has_ended {
                self.notice_truncation(at)?;
                any = true;
            } else if !file.has_successor {
                let holder = file.tail.holder();
                // Another file that could not be opened is tried again: it may have become
                // readable.
                if holder != file.holder || matches!(holder, Holder::Other(_)) {
                    any |= self.notice_holder(at, holder)?;
                }
            }
            at += 1;
        }
        Ok(any)
    }

    /// A file has become shorter than what was read of it.
    fn notice_truncation(&mut self, at: usize) -> Fallible<()> {
        let Some(file) = self.main.following.as_ref().and_then(|following| following.files.get(at))
        else {
            return Ok(());
        };
        let name = String::from_utf8_lossy(&file.name).into_owned();
        let again = self.io.rewind(&file.tail);
        self.warn(&format!("{name} has been truncated: reading it from its beginning"))?;
        match again {
            Ok(opened) => self.add_successor(at, opened),
            Err(error) => return Err(self.read_error(error)),
        }
        if let Some(file) =
            self.main.following.as_mut().and_then(|following| following.files.get_mut(at))
        {
            file.has_ended = true;
            file.tail.end();
        }
        Ok(())
    }

    /// The name of a file has become another's; whether that is one that can be read.
    fn notice_holder(&mut self, at: usize, holder: Holder) -> Fallible<bool> {
        let Some(file) =
            self.main.following.as_mut().and_then(|following| following.files.get_mut(at))
        else {
            return Ok(false);
        };
        let is_brief = |since: &mut Instant| since.elapsed() < QUIET;
        if holder == Holder::Nobody && is_brief(file.gone_since.get_or_insert_with(Instant::now)) {
            return Ok(false);
        }
        file.gone_since = None;
        let is_known = std::mem::replace(&mut file.holder, holder) == holder;
        let name = file.name.clone();
        let shown = String::from_utf8_lossy(&name).into_owned();
        match holder {
            Holder::Same => Ok(false),
            Holder::Nobody => {
                self.warn(&format!(
                    "{shown} has been removed: waiting for a new file of that name"
                ))?;
                Ok(false)
            }
            Holder::NoFile => {
                self.warn(&format!(
                    "{shown} has been replaced by what is no regular file: waiting for a new one"
                ))?;
                Ok(false)
            }
            Holder::Other(_) => match self.io.open_tail(&name) {
                Ok(opened) => {
                    self.warn(&format!("{shown} has been replaced: reading the new file"))?;
                    self.add_successor(at, opened);
                    Ok(true)
                }
                Err(_) if is_known => Ok(false),
                Err(error) => {
                    self.warn(&format!("{shown} has been replaced: {error}"))?;
                    Ok(false)
                }
            },
        }
    }

    /// What is read under the name of a file from now on.
    fn add_successor(&mut self, at: usize, opened: (RecordReader, Tail)) {
        let Some(following) = &mut self.main.following else { return };
        let Some(file) = following.files.get_mut(at) else { return };
        file.has_successor = true;
        let (id, name, argind) = (file.id, file.name.clone(), file.argind.clone());
        let mut next = following.file(&name, argind, opened);
        next.waits_for = Some((id, Instant::now() + PATIENCE));
        following.files.push(next);
    }
}
