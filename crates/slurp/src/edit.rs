//! Editing a file in memory, under one lock.

use crate::close::close;
use crate::error::{Failure, Operation, Result, Step, during};
use crate::lines::Lines;
use crate::lock::Lock;
use crate::open::{is_regular, open, stat_open};
use crate::reading::{Bounds, read_file};
use crate::spew::{IfMissing, Spew, WriteMethod};
use crate::target::not_regular;
use crate::writing::{truncate_to, write_all};
use riverhawk_system::fd::{AsFd, OwnedFd};
use riverhawk_system::fs::{Mode, OFlags, SeekFrom};
use riverhawk_system::io::Errno;
use std::path::Path;

impl Spew {
    /// Prepends `contents` to the file at `path`, by default atomically.
    ///
    /// # Errors
    /// As [`edit`](Self::edit).
    pub fn prepend(&self, path: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> Result<()> {
        let (path, contents) = (path.as_ref(), contents.as_ref());
        let result = self.rewrite(path, self.missing_in_edits(), self.method_of_edits(), |old| {
            let unchanged = contents.is_empty() && self.skip_unchanged;
            Ok((!unchanged).then(|| [contents, old].concat()))
        });
        self.reporting.finish(Operation::Prepend, path, result.map(drop))
    }

    /// Edits the text of the file at `path` with `change`, by default atomically; gives whether it
    /// was written. A panic of `change` leaves the file alone.
    ///
    /// # Errors
    /// The file does not exist (unless [`create`](Self::create) is set), is not a regular file, or
    /// cannot be read, decoded, encoded, replaced or written.
    pub fn edit(&self, path: impl AsRef<Path>, change: impl FnOnce(&mut Vec<u8>)) -> Result<bool> {
        let path = path.as_ref();
        let result = self.rewrite(path, self.missing_in_edits(), self.method_of_edits(), |old| {
            let mut new = old.to_vec();
            change(&mut new);
            let unchanged = self.skip_unchanged && new == old;
            Ok((!unchanged).then_some(new))
        });
        self.reporting.finish(Operation::Edit, path, result)
    }

    /// Edits each line of the file at `path` with `change`, in a reused buffer, by default
    /// atomically; gives whether they were written.
    ///
    /// Lines include their separators, so an emptied line is deleted; with [`chomp`](Self::chomp)
    /// they do not, and the separators stay.
    ///
    /// # Errors
    /// As [`edit`](Self::edit).
    pub fn edit_lines(
        &self,
        path: impl AsRef<Path>,
        mut change: impl FnMut(&mut Vec<u8>),
    ) -> Result<bool> {
        let path = path.as_ref();
        let result = self.rewrite(path, self.missing_in_edits(), self.method_of_edits(), |old| {
            let mut new = Vec::with_capacity(old.len());
            let mut lines = Lines::new(old, &self.separator);
            // Newlines before the first paragraph belong to no line.
            new.extend_from_slice(lines.before_first());
            let mut line = Vec::new();
            while let Some((text, separator)) = lines.next_parts() {
                line.clear();
                line.extend_from_slice(text);
                if self.chomp {
                    change(&mut line);
                    line.extend_from_slice(separator);
                } else {
                    line.extend_from_slice(separator);
                    change(&mut line);
                }
                new.extend_from_slice(&line);
            }
            let unchanged = self.skip_unchanged && new == old;
            Ok((!unchanged).then_some(new))
        });
        self.reporting.finish(Operation::EditLines, path, result)
    }

    fn missing_in_edits(&self) -> IfMissing {
        self.missing.unwrap_or(IfMissing::Fail)
    }

    fn method_of_edits(&self) -> WriteMethod {
        self.method.unwrap_or(WriteMethod::Atomic)
    }

    /// Reads `path`, makes the new text by `change` (`None` leaves the file alone), and writes it;
    /// gives whether it wrote.
    pub(crate) fn rewrite(
        &self,
        path: &Path,
        missing: IfMissing,
        method: WriteMethod,
        change: impl FnOnce(&[u8]) -> Result<Option<Vec<u8>>, Failure>,
    ) -> Result<bool, Failure> {
        let file = self.open_to_rewrite(path, missing, method)?;
        let mut text = Vec::new();
        if let Some(file) = &file {
            let stat = stat_open(file)?;
            if !is_regular(&stat) {
                return Err(not_regular(&stat));
            }
            read_file(
                file.as_fd(),
                &mut text,
                Bounds { block_size: self.block_size, ..Bounds::default() },
            )?;
        }
        let head = self.form.head(&text);
        self.form.decode(&mut text)?;
        let Some(new) = change(&text)? else {
            if file.is_none() {
                // In place, the open has created it.
                self.replace(path, missing, |_| Ok(()))?;
            }
            return Ok(false);
        };
        drop(text);
        let bytes = self.form.encode(&new, head)?;
        match file {
            Some(file) if method == WriteMethod::InPlace => {
                riverhawk_system::fs::seek(&file, SeekFrom::Start(0))
                    .map_err(during(Step::Write))?;
                write_all(file.as_fd(), &bytes, self.block_size)?;
                truncate_to(file.as_fd(), bytes.len() as u64)?;
                self.finish_file(path, file)?;
            }
            mut file => {
                // Windows does not replace a file that is open on every file system.
                if self.locking.lock == Lock::None {
                    file.take().map_or(Ok(()), close)?;
                }
                self.replace(path, missing, |new_file| {
                    write_all(new_file, &bytes, self.block_size)
                })?;
                // Releases the lock.
                file.map_or(Ok(()), close)?;
            }
        }
        Ok(true)
    }

    /// The file, open and locked; `None` if it does not exist and an atomic write may create it.
    fn open_to_rewrite(
        &self,
        path: &Path,
        missing: IfMissing,
        method: WriteMethod,
    ) -> Result<Option<OwnedFd>, Failure> {
        if method == WriteMethod::InPlace {
            return self.open_to_write(path, missing, OFlags::RDWR).map(Some);
        }
        if self.no_clobber {
            // Nothing to read; the rename decides.
            return if riverhawk_system::fs::lstat(path).is_ok() {
                Err(during(Step::Open)(Errno::EXIST))
            } else {
                Ok(None)
            };
        }
        // Network file systems give exclusive locks only to writers. `rewrite` refuses FIFOs,
        // without waiting.
        let access =
            if self.locking.lock == Lock::Exclusive { OFlags::RDWR } else { OFlags::RDONLY };
        match open(path, access | OFlags::NONBLOCK, Mode::empty(), self.locking) {
            Err(failure)
                if failure.kind == crate::ErrorKind::NotFound && missing == IfMissing::Create =>
            {
                Ok(None)
            }
            file => file.map(Some),
        }
    }
}
