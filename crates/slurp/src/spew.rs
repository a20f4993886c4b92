//! Options for writing files.

use crate::attributes::Keep;
use crate::lines::Separator;
use crate::lock::{Lock, Locking};
use crate::reporting::{Reporting, reporting_options};
use crate::text_form::TextForm;
use crate::writing::Durability;
use std::num::NonZeroUsize;
use std::time::Duration;

/// How to write. Every option applies to every function, including edits.
///
/// By default [`write`](Self::write) and [`append`](Self::append) create the file or change it in
/// place; the others require it and replace it atomically.
///
/// ```
/// use riverhawk_slurp::{Durability, Spew};
/// # let path = std::env::temp_dir().join(format!("riverhawk-slurp-doc-spew-{}", std::process::id()));
/// Spew::new().atomic().sync(Durability::FileAndDirectory).perms(0o600).write(&path, "key = value\n")?;
/// # assert_eq!(std::fs::read(&path).unwrap(), b"key = value\n");
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), riverhawk_slurp::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Spew {
    pub(crate) form: TextForm,
    pub(crate) block_size: Option<NonZeroUsize>,
    pub(crate) perms: Option<u32>,
    pub(crate) no_clobber: bool,
    /// `None` is the function's default, also for `method`.
    pub(crate) missing: Option<IfMissing>,
    pub(crate) method: Option<WriteMethod>,
    pub(crate) keep: Keep,
    pub(crate) durability: Durability,
    pub(crate) skip_unchanged: bool,
    pub(crate) locking: Locking,
    pub(crate) separator: Separator,
    pub(crate) chomp: bool,
    pub(crate) reporting: Reporting,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IfMissing {
    Create,
    Fail,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteMethod {
    InPlace,
    Atomic,
}

impl Default for Spew {
    fn default() -> Self {
        Self {
            form: TextForm::binary(),
            block_size: None,
            perms: None,
            no_clobber: false,
            missing: None,
            method: None,
            keep: Keep::Must,
            durability: Durability::None,
            skip_unchanged: true,
            locking: Locking::default(),
            separator: Separator::NEWLINE,
            chomp: false,
            reporting: Reporting::default(),
        }
    }
}

impl Spew {
    /// The default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether to encode from UTF-8 (and, for edits, decode).
    #[must_use]
    pub fn form(mut self, form: TextForm) -> Self {
        self.form = form;
        self
    }

    /// Limits a system call to this size, for edits also when reading.
    #[must_use]
    pub fn block_size(mut self, bytes: NonZeroUsize) -> Self {
        self.block_size = Some(bytes);
        self
    }

    /// Permissions of a created file, less the umask; by default 0o666. A file changed in place
    /// keeps its own; one that replaces another gets these if given, else the other's. An error
    /// where files have no permissions.
    #[must_use]
    pub fn perms(mut self, perms: u32) -> Self {
        self.perms = Some(perms & 0o7777);
        self
    }

    /// Creates the file, and fails with
    /// [`ErrorKind::AlreadyExists`](crate::ErrorKind::AlreadyExists) if the path exists, even as a
    /// dangling link; decided atomically.
    #[must_use]
    pub fn no_clobber(mut self) -> Self {
        self.no_clobber = true;
        self
    }

    /// Creates a missing file, which counts as empty for edits.
    #[must_use]
    pub fn create(mut self) -> Self {
        self.missing = Some(IfMissing::Create);
        self
    }

    /// Fails if the file does not exist.
    #[must_use]
    pub fn only_existing(mut self) -> Self {
        self.missing = Some(IfMissing::Fail);
        self
    }

    /// Replaces the file by a new one.
    #[must_use]
    pub fn atomic(mut self) -> Self {
        self.method = Some(WriteMethod::Atomic);
        self
    }

    /// Overwrites the file and truncates it: faster, and keeps inode and hard links.
    #[must_use]
    pub fn in_place(mut self) -> Self {
        self.method = Some(WriteMethod::InPlace);
        self
    }

    /// What an atomic replacement keeps of the old file.
    #[must_use]
    pub fn keep(mut self, keep: Keep) -> Self {
        self.keep = keep;
        self
    }

    /// What must be on the disk before success is reported.
    #[must_use]
    pub fn sync(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// Writes even if an edit changed nothing. By default such a file is left alone, at the price
    /// of a copy.
    #[must_use]
    pub fn write_unchanged(mut self) -> Self {
        self.skip_unchanged = false;
        self
    }

    /// Takes a lock, for edits from before reading until after writing.
    ///
    /// Atomic writes lock the old file; a waiter then locks the new one. A missing file is not
    /// locked.
    #[must_use]
    pub fn lock(mut self, lock: Lock) -> Self {
        self.locking.lock = lock;
        self
    }

    /// Limits the wait for the lock; zero tries once. By default there is no limit.
    #[must_use]
    pub fn lock_timeout(mut self, timeout: Duration) -> Self {
        self.locking.timeout = Some(timeout);
        self
    }

    /// What ends a line, for [`edit_lines`](Self::edit_lines).
    #[must_use]
    pub fn separator(mut self, separator: impl Into<Separator>) -> Self {
        self.separator = separator.into();
        self
    }

    /// Makes [`edit_lines`](Self::edit_lines) remove separators from lines and restore them
    /// afterwards.
    #[must_use]
    pub fn chomp(mut self) -> Self {
        self.chomp = true;
        self
    }

    reporting_options!();
}
