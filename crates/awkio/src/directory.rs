//! A directory as input, for gawk's `readdir`: records `inode/name/type`.
//!
//! Types are `f`, `d`, `l` (link), `p` (FIFO), `s` (socket), `b`, `c`, and `u` for unknown.

use riverhawk_stream::{Room, Source};
use riverhawk_system::fd::AsFd;
use riverhawk_system::fs::{AtFlags, Dir, FileType, statat, type_of};
use std::io::{self, Write};

/// No name contains it.
pub(super) const END: u8 = 0;

pub(super) struct Entries {
    directory: Dir,
    /// Did not fit into the last read.
    entry: Vec<u8>,
    taken: usize,
}

impl Entries {
    /// Begins to read an open directory.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub(super) fn of(directory: impl AsFd) -> io::Result<Entries> {
        Ok(Entries { directory: Dir::read_from(directory)?, entry: Vec::new(), taken: 0 })
    }

    /// False at the end.
    fn advance(&mut self) -> io::Result<bool> {
        let Some(entry) = self.directory.read().transpose()? else { return Ok(false) };
        let mut kind = type_of(&entry);
        if kind == FileType::Unknown {
            let known =
                self.directory.fd().and_then(|fd| statat(fd, entry.file_name(), AtFlags::empty()));
            kind = known.map_or(FileType::Unknown, |known| FileType::from_raw_mode(known.st_mode));
        }
        let kind = match kind {
            FileType::RegularFile => 'f',
            FileType::Directory => 'd',
            FileType::Symlink => 'l',
            FileType::Fifo => 'p',
            FileType::Socket => 's',
            FileType::BlockDevice => 'b',
            FileType::CharacterDevice => 'c',
            FileType::Unknown => 'u',
        };
        self.entry.clear();
        self.taken = 0;
        write!(self.entry, "{}/", entry.ino())?;
        self.entry.extend_from_slice(entry.file_name().to_bytes());
        write!(self.entry, "/{kind}")?;
        self.entry.push(END);
        Ok(true)
    }
}

impl Source for Entries {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        if self.taken == self.entry.len() && !self.advance()? {
            return Ok(0);
        }
        let taken = room.append(&self.entry[self.taken..]);
        self.taken += taken;
        Ok(taken)
    }
}
