//! File descriptors: regular files, pipes, terminals, standard streams.

use super::{Device, Wait};
use crate::gate::{Interest, is_ready};
use crate::system::{end_sending, enlarge_pipe, give_up_standard};
use riverhawk_stream::Room;
use riverhawk_system::fd::{AsFd, BorrowedFd, OwnedFd};
use riverhawk_system::fs::{FileType, fstat};
use riverhawk_system::io::Errno;
use std::io::{self, SeekFrom};

/// Some systems refuse or cut larger calls.
pub(super) const MAX_CALL: usize = 1 << 30;

/// A descriptor's owner.
#[derive(Debug)]
pub(crate) enum Keeping {
    /// Unshared: a file or FIFO opened here, an end of a pipe, a socket. It may be made
    /// non-blocking.
    Own(OwnedFd),
    /// Owned, but its open file is shared with other processes, which would see non-blocking mode.
    Shared(OwnedFd),
    /// Standard input, output or error: shared, and its number stays occupied after close.
    Standard(i32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blocking {
    /// Regular files and the like: reads never wait.
    Never,
    /// Non-blocking: try first, wait when refused.
    Tries,
    /// Must stay blocking: poll before each read.
    Asks,
}

#[derive(Debug)]
pub(crate) struct Descriptor {
    keeping: Keeping,
    blocking: Blocking,
    seekable: bool,
    terminal: bool,
    socket: bool,
    pipe: bool,
}

impl Descriptor {
    pub(crate) fn new(keeping: Keeping) -> io::Result<Self> {
        let fd = borrow(&keeping);
        let kind = FileType::from_raw_mode(fstat(fd)?.st_mode);
        let seekable = matches!(kind, FileType::RegularFile | FileType::BlockDevice);
        let terminal = kind == FileType::CharacterDevice && riverhawk_system::termios::isatty(fd);
        let blocking = match (&keeping, kind) {
            (_, FileType::RegularFile | FileType::BlockDevice | FileType::Directory) => {
                Blocking::Never
            }
            (Keeping::Own(fd), _) if riverhawk_system::io::ioctl_fionbio(fd, true).is_ok() => {
                Blocking::Tries
            }
            _ => Blocking::Asks,
        };
        let socket = kind == FileType::Socket;
        let pipe = kind == FileType::Fifo;
        if pipe {
            enlarge_pipe(fd);
        }
        Ok(Self { keeping, blocking, seekable, terminal, socket, pipe })
    }

    fn borrowed(&self) -> BorrowedFd<'_> {
        borrow(&self.keeping)
    }

    /// Refuses a read that would block in the system, where it could not be ended.
    fn ask_before_reading(&self) -> io::Result<()> {
        if self.blocking == Blocking::Asks && !is_ready(self.borrowed(), Interest::Read)? {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        Ok(())
    }
}

fn borrow(keeping: &Keeping) -> BorrowedFd<'_> {
    match keeping {
        Keeping::Own(fd) | Keeping::Shared(fd) => fd.as_fd(),
        Keeping::Standard(0) => riverhawk_system::stdio::stdin(),
        Keeping::Standard(1) => riverhawk_system::stdio::stdout(),
        Keeping::Standard(_) => riverhawk_system::stdio::stderr(),
    }
}

impl Device for Descriptor {
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.ask_before_reading()?;
        let room = buffer.len().min(MAX_CALL);
        Ok(riverhawk_system::io::read(self.borrowed(), &mut buffer[..room])?)
    }

    fn read_room(&self, room: &mut Room<'_>) -> io::Result<usize> {
        self.ask_before_reading()?;
        room.read_fd(self.borrowed())
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        Ok(riverhawk_system::io::write(self.borrowed(), &bytes[..bytes.len().min(MAX_CALL)])?)
    }

    /// A file ends at its size; one of size 0, as in `/proc`, and anything without a position, at a
    /// read of 0.
    fn is_at_end(&self) -> io::Result<bool> {
        if !self.seekable {
            return Ok(false);
        }
        match u64::try_from(fstat(self.borrowed())?.st_size) {
            Ok(0) | Err(_) => Ok(false),
            Ok(size) => Ok(riverhawk_system::fs::tell(self.borrowed())? >= size),
        }
    }

    fn fd(&self) -> Option<BorrowedFd<'_>> {
        Some(self.borrowed())
    }

    /// Only for a pipe: a socket's descriptor is also written.
    fn set_wait(&self, wait: Wait) {
        if self.pipe && self.blocking == Blocking::Tries {
            // If refused, reads work as before.
            let _ = riverhawk_system::io::ioctl_fionbio(self.borrowed(), wait == Wait::InHandle);
        }
    }

    fn ends_for_good(&self) -> bool {
        !self.terminal && !self.seekable
    }

    fn seek(&self, to: SeekFrom) -> io::Result<u64> {
        let to = match to {
            SeekFrom::Start(offset) => riverhawk_system::fs::SeekFrom::Start(offset),
            SeekFrom::End(offset) => riverhawk_system::fs::SeekFrom::End(offset),
            SeekFrom::Current(offset) => riverhawk_system::fs::SeekFrom::Current(offset),
        };
        Ok(riverhawk_system::fs::seek(self.borrowed(), to)?)
    }

    fn is_seekable(&self) -> bool {
        self.seekable
    }

    fn preferred_buffer(&self) -> usize {
        if self.terminal { 0 } else { crate::DEFAULT_BUFFER }
    }

    fn end_writing(&self) -> io::Result<()> {
        if !self.socket {
            return Ok(());
        }
        end_sending(self.borrowed())
    }

    fn sync(&self) -> io::Result<()> {
        match riverhawk_system::fs::fsync(self.borrowed()) {
            // A pipe, terminal or socket has no disk.
            Ok(()) | Err(Errno::INVAL | Errno::ROFS | Errno::NOTSUP) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn close(&self) -> io::Result<()> {
        match self.keeping {
            Keeping::Standard(number) => give_up_standard(number),
            Keeping::Own(_) | Keeping::Shared(_) => Ok(()),
        }
    }
}
