//! Writing: whole files, appending, handles.

use crate::atomic::DEFAULT_PERMISSIONS;
use crate::attributes::permissions;
use crate::close::close;
use crate::error::{ErrorKind, Failure, Operation, Result, Step, during};
use crate::lock::Lock;
use crate::open::{is_regular, open, stat_open};
use crate::spew::{IfMissing, Spew, WriteMethod};
use crate::target::{follow_links, sync_directory_of};
use crate::text_form::{HEAD_LENGTH, Head};
use crate::writing::{Durability, FileWriter, sync, truncate_to, write_all};
use riverhawk_system::fd::{AsFd, BorrowedFd, OwnedFd};
use riverhawk_system::fs::{Mode, OFlags};
use riverhawk_system::io::{pread, retry_on_intr};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::Path;

impl Spew {
    /// Replaces the content of the file at `path`.
    ///
    /// A failure in place leaves the beginning of the new content before the rest of the old.
    ///
    /// # Errors
    /// The file cannot be opened, created, locked, written, truncated, synced or closed, or the
    /// text not encoded.
    pub fn write(&self, path: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> Result<()> {
        let (path, contents) = (path.as_ref(), contents.as_ref());
        self.reporting.finish(Operation::Write, path, self.write_whole(path, contents))
    }

    /// As [`write`](Self::write), with contents that `produce` writes through a buffer. Its failure
    /// or panic undoes an atomic write.
    ///
    /// # Errors
    /// As [`write`](Self::write), or the error of `produce`.
    pub fn write_with(
        &self,
        path: impl AsRef<Path>,
        produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        let path = path.as_ref();
        self.reporting.finish(Operation::Write, path, self.write_produced(path, produce))
    }

    /// Appends `contents`, in one system call where possible, so that lines of several writers do
    /// not mix. Atomically, the file is read and replaced.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn append(&self, path: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> Result<()> {
        let (path, contents) = (path.as_ref(), contents.as_ref());
        self.reporting.finish(Operation::Append, path, self.append_to(path, contents))
    }

    /// Encodes and writes `contents` to `writer`, called `name` in errors, and flushes it. Options
    /// about opening have no effect.
    ///
    /// # Errors
    /// The text cannot be encoded, or the writer fails to write or flush.
    pub fn write_to(
        &self,
        name: impl AsRef<Path>,
        mut writer: impl Write,
        contents: impl AsRef<[u8]>,
    ) -> Result<()> {
        let result = self.form.encode(contents.as_ref(), Head::New).and_then(|bytes| {
            let step = during(Step::Write);
            let block_size = self.block_size.map_or(usize::MAX, NonZeroUsize::get);
            bytes
                .chunks(block_size)
                .try_for_each(|block| writer.write_all(block))
                .map_err(&step)?;
            writer.flush().map_err(step)
        });
        self.reporting.finish(Operation::Write, name.as_ref(), result)
    }

    fn write_whole(&self, path: &Path, text: &[u8]) -> Result<(), Failure> {
        let bytes = self.form.encode(text, Head::New)?;
        let missing = self.missing.unwrap_or(IfMissing::Create);
        if self.method == Some(WriteMethod::Atomic) {
            let _lock = self.lock_what_exists(path)?;
            return self.replace(path, missing, |file| write_all(file, &bytes, self.block_size));
        }
        let file = self.open_to_write(path, missing, OFlags::empty())?;
        write_all(file.as_fd(), &bytes, self.block_size)?;
        truncate_to(file.as_fd(), bytes.len() as u64)?;
        self.finish_file(path, file)
    }

    fn write_produced(
        &self,
        path: &Path,
        produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if !self.form.is_verbatim() {
            let mut text = Vec::new();
            produce(&mut text).map_err(during(Step::Write))?;
            return self.write_whole(path, &text);
        }
        let missing = self.missing.unwrap_or(IfMissing::Create);
        if self.method == Some(WriteMethod::Atomic) {
            let _lock = self.lock_what_exists(path)?;
            return self.replace(path, missing, |file| {
                FileWriter::new(file, self.block_size).run(produce).map(drop)
            });
        }
        let file = self.open_to_write(path, missing, OFlags::empty())?;
        let length = FileWriter::new(file.as_fd(), self.block_size).run(produce)?;
        truncate_to(file.as_fd(), length)?;
        self.finish_file(path, file)
    }

    fn append_to(&self, path: &Path, text: &[u8]) -> Result<(), Failure> {
        let missing = self.missing.unwrap_or(IfMissing::Create);
        if self.method == Some(WriteMethod::Atomic) {
            return self
                .rewrite(path, missing, WriteMethod::Atomic, |old| Ok(Some([old, text].concat())))
                .map(drop);
        }
        if self.form.is_verbatim() {
            let file = self.open_to_write(path, missing, OFlags::APPEND)?;
            write_all(file.as_fd(), text, self.block_size)?;
            return self.finish_file(path, file);
        }
        // The file's beginning determines byte order and mark. This finds unencodable text before
        // the file is created.
        self.form.encode_more(text, Head::New)?;
        let file = self.open_to_write(path, missing, OFlags::APPEND | OFlags::RDWR)?;
        let bytes = match self.head_of(file.as_fd())? {
            Head::New => self.form.encode(text, Head::New)?,
            head => self.form.encode_more(text, head)?,
        };
        write_all(file.as_fd(), &bytes, self.block_size)?;
        self.finish_file(path, file)
    }

    /// The beginning of the open file; files that are not regular begin now.
    fn head_of(&self, file: BorrowedFd<'_>) -> Result<Head, Failure> {
        if !is_regular(&stat_open(file)?) {
            return Ok(Head::New);
        }
        let mut bytes = [0; HEAD_LENGTH];
        let length =
            retry_on_intr(|| pread(file, &mut bytes[..], 0)).map_err(during(Step::Read))?;
        Ok(self.form.head(&bytes[..length]))
    }

    /// Never with `O_TRUNC`, which would empty the file before it is locked.
    pub(crate) fn open_to_write(
        &self,
        path: &Path,
        missing: IfMissing,
        flags: OFlags,
    ) -> Result<OwnedFd, Failure> {
        let mut flags = flags;
        if !flags.contains(OFlags::RDWR) {
            flags |= OFlags::WRONLY;
        }
        flags.set(OFlags::CREATE, missing == IfMissing::Create || self.no_clobber);
        flags.set(OFlags::EXCL, self.no_clobber);
        open(path, flags, permissions(self.perms, DEFAULT_PERMISSIONS)?, self.locking)
    }

    pub(crate) fn finish_file(&self, path: &Path, file: OwnedFd) -> Result<(), Failure> {
        if self.durability != Durability::None {
            sync(&file)?;
        }
        close(file)?;
        if self.durability == Durability::FileAndDirectory {
            sync_directory_of(&follow_links(path)?)?;
        }
        Ok(())
    }

    /// The lock of an atomic write; `None` without a lock or file.
    fn lock_what_exists(&self, path: &Path) -> Result<Option<OwnedFd>, Failure> {
        if self.locking.lock == Lock::None || self.no_clobber {
            return Ok(None);
        }
        // Network file systems give exclusive locks only to writers.
        match open(path, OFlags::WRONLY, Mode::empty(), self.locking) {
            Err(failure) if failure.kind == ErrorKind::NotFound => Ok(None),
            file => file.map(Some),
        }
    }
}
