//! Opening files.

use super::Handle;
use crate::device::{Descriptor, Device, Keeping};
use crate::error::{Action, Error, ErrorKind, Name};
use riverhawk_pool::blocking;
use riverhawk_system::fs::{FileType, Mode, OFlags, RawMode, fstat, open};
use riverhawk_system::names::OsStrExt;
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// How a file is opened. New files get mode 0666 less the umask.
///
/// | | reads | writes | creates | empties | at the end |
/// |---|---|---|---|---|---|
/// | [`read`](Self::read) | yes | | | | |
/// | [`write`](Self::write) | | yes | yes | yes | |
/// | [`append`](Self::append) | | yes | yes | | yes |
/// | [`update`](Self::update) | yes | yes | yes | | |
///
/// ```
/// use riverhawk_handle::{ErrorKind, OpenOptions};
/// # let directory = std::env::temp_dir().join(format!("riverhawk-open-{}", std::process::id()));
/// # std::fs::create_dir_all(&directory)?;
/// let path = directory.join("new");
/// let file = OpenOptions::update().only_new().open(&path)?;
/// file.write_text("one\ntwo\n")?;
/// file.seek(std::io::SeekFrom::Start(0))?;
/// assert_eq!(file.read_line()?.as_deref(), Some("one"));
/// assert_eq!(file.tell()?, 4);
/// file.close()?;
/// let again = OpenOptions::write().only_new().open(&path).unwrap_err();
/// assert_eq!(again.kind(), ErrorKind::Exists);
/// assert_eq!(OpenOptions::read().open(&directory).unwrap_err().kind(), ErrorKind::Directory);
/// # std::fs::remove_dir_all(&directory)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenOptions {
    flags: OFlags,
    mode: u32,
}

impl OpenOptions {
    const fn with(flags: OFlags) -> Self {
        Self { flags, mode: 0o666 }
    }

    /// Reads an existing file.
    pub fn read() -> Self {
        Self::with(OFlags::RDONLY)
    }

    /// Writes from the start; creates or empties the file.
    pub fn write() -> Self {
        Self::with(OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::TRUNC))
    }

    /// Writes at the current end, at each write; creates a missing file.
    pub fn append() -> Self {
        Self::with(OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::APPEND))
    }

    /// Reads and writes; creates a missing file.
    pub fn update() -> Self {
        Self::with(OFlags::RDWR.union(OFlags::CREATE))
    }

    /// Requires that the file does not exist.
    #[must_use]
    pub fn only_new(mut self) -> Self {
        self.flags |= OFlags::CREATE | OFlags::EXCL;
        self
    }

    /// Requires that the file exists.
    #[must_use]
    pub fn only_existing(mut self) -> Self {
        self.flags.remove(OFlags::CREATE | OFlags::EXCL);
        self
    }

    /// Empties the file.
    #[must_use]
    pub fn truncate(mut self) -> Self {
        self.flags.insert(OFlags::TRUNC);
        self
    }

    /// Keeps the file's content.
    #[must_use]
    pub fn keep_content(mut self) -> Self {
        self.flags.remove(OFlags::TRUNC);
        self
    }

    /// Permissions of a created file, before the umask.
    #[must_use]
    pub fn mode(mut self, mode: u32) -> Self {
        self.mode = mode;
        self
    }

    /// Opens the file. A FIFO waits for the other side, as in open(2).
    ///
    /// # Errors
    /// [`ErrorKind::Missing`], [`ErrorKind::Permission`], [`ErrorKind::Exists`],
    /// [`ErrorKind::Directory`], [`ErrorKind::NulInName`], [`ErrorKind::EmptyName`],
    /// [`ErrorKind::TooManyOpen`], or another system error.
    pub fn open(self, path: impl AsRef<Path>) -> Result<Handle, Error> {
        self.open_bytes(path.as_ref().as_os_str().as_bytes())
    }

    /// As [`open`](OpenOptions::open), with the path as bytes.
    ///
    /// # Errors
    /// As [`open`](OpenOptions::open).
    pub fn open_bytes(self, path: &[u8]) -> Result<Handle, Error> {
        let name = Name::File(path.into());
        let fail = |kind| Error::of_kind(&name, Action::Open, kind);
        let system = |source: io::Error| Error::system(&name, Action::Open, source);
        if path.is_empty() {
            return Err(fail(ErrorKind::EmptyName));
        }
        if path.contains(&0) {
            return Err(fail(ErrorKind::NulInName));
        }
        let flags = self.flags | OFlags::CLOEXEC | OFlags::NOCTTY;
        let opened = blocking(|| {
            loop {
                match open(
                    OsStr::from_bytes(path),
                    flags,
                    Mode::from_raw_mode(self.mode as RawMode),
                ) {
                    Err(riverhawk_system::io::Errno::INTR) => {}
                    result => return result,
                }
            }
        });
        let fd = opened.map_err(|errno| system(errno.into()))?;
        let stat = fstat(&fd).map_err(|errno| system(errno.into()))?;
        if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
            return Err(fail(ErrorKind::Directory));
        }
        let device: Arc<dyn Device> = Arc::new(Descriptor::new(Keeping::Own(fd)).map_err(system)?);
        if self.flags.contains(OFlags::APPEND) && device.is_seekable() {
            // Otherwise the system moves the position only at the first write.
            device.seek(io::SeekFrom::End(0)).map_err(system)?;
        }
        let access = self.flags & OFlags::ACCMODE;
        let read = (access != OFlags::WRONLY).then(|| Arc::clone(&device));
        let write = (access != OFlags::RDONLY).then_some(device);
        Ok(Handle::from_parts(name, read, write, None))
    }
}

impl Handle {
    /// Opens a file for reading: [`OpenOptions::read`].
    ///
    /// # Errors
    /// As [`OpenOptions::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        OpenOptions::read().open(path)
    }

    /// Creates or empties a file for writing: [`OpenOptions::write`].
    ///
    /// # Errors
    /// As [`OpenOptions::open`].
    pub fn create(path: impl AsRef<Path>) -> Result<Self, Error> {
        OpenOptions::write().open(path)
    }

    /// Opens a file for writing at its end: [`OpenOptions::append`].
    ///
    /// # Errors
    /// As [`OpenOptions::open`].
    pub fn append(path: impl AsRef<Path>) -> Result<Self, Error> {
        OpenOptions::append().open(path)
    }

    /// The process's controlling terminal.
    ///
    /// # Errors
    /// It has none.
    pub fn terminal() -> Result<Self, Error> {
        OpenOptions::update().only_existing().open("/dev/tty")
    }
}
