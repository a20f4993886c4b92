//! How to write a file.

use crate::attributes::Keep;
use crate::lines::Separator;
use crate::lock::{Lock, Locking};
use crate::reporting::{Reporting, reporting_options};
use crate::text_form::TextForm;
use crate::writing::Durability;
use std::num::NonZeroUsize;
use std::time::Duration;

/// How to write. Every option holds for every function, edits included.
///
/// By default [`write`](Self::write) and [`append`](Self::append) create the file and change it in
/// place; the others want it to exist and replace it atomically.
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
    /// None: the function's default; so with `method`.
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

    /// Whether bytes go as they are, or are UTF-8 to be encoded (and, for edits, decoded).
    #[must_use]
    pub fn form(mut self, form: TextForm) -> Self {
        self.form = form;
        self
    }

    /// Writes (and, for edits, reads) at most so many bytes in one system call.
    #[must_use]
    pub fn block_size(mut self, bytes: NonZeroUsize) -> Self {
        self.block_size = Some(bytes);
        self
    }

    /// The permissions of a created file, less the umask; 0o666 without this. A file changed in
    /// place keeps its own; one that replaces another gets these if given, else the other's.
    #[must_use]
    pub fn perms(mut self, perms: u32) -> Self {
        self.perms = Some(perms & 0o7777);
        self
    }

    /// Creates the file, and fails with
    /// [`ErrorKind::AlreadyExists`](crate::ErrorKind::AlreadyExists) if the path exists, even as a
    /// dangling link; decided by the step that creates it.
    #[must_use]
    pub fn no_clobber(mut self) -> Self {
        self.no_clobber = true;
        self
    }

    /// Creates a file that does not exist; for edits it then counts as empty.
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

    /// Replaces the file as a whole by a new one.
    #[must_use]
    pub fn atomic(mut self) -> Self {
        self.method = Some(WriteMethod::Atomic);
        self
    }

    /// Overwrites the file and cuts it to its new length: faster, and keeps inode and hard links.
    #[must_use]
    pub fn in_place(mut self) -> Self {
        self.method = Some(WriteMethod::InPlace);
        self
    }

    /// What a file that replaces another atomically keeps of it.
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

    /// Writes also when an edit has changed nothing. Without this the file is left alone, for the
    /// price of a copy.
    #[must_use]
    pub fn write_unchanged(mut self) -> Self {
        self.skip_unchanged = false;
        self
    }

    /// Takes this lock, for edits from before reading until after writing.
    ///
    /// Atomic writes lock the file that is about to be replaced; whoever waited for it then locks
    /// the new one. A file that does not exist is not locked.
    #[must_use]
    pub fn lock(mut self, lock: Lock) -> Self {
        self.locking.lock = lock;
        self
    }

    /// Gives up on the lock after this time; zero tries once. Without it, waits for ever.
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

    /// Lets [`edit_lines`](Self::edit_lines) hand out lines without their separators and put them
    /// back afterwards.
    #[must_use]
    pub fn chomp(mut self) -> Self {
        self.chomp = true;
        self
    }

    reporting_options!();
}
