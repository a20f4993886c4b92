//! Starting children.

use super::child::Child;
use super::ended::Ended;
use crate::device::Device;
use crate::error::{Action, Error, ErrorKind, Name};
use crate::handle::Handle;
use crate::system;
use riverhawk_system::names::{OsStrExt, OsStringExt};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// The other end of a child's standard stream.
#[derive(Debug, Default)]
#[non_exhaustive]
pub enum Redirect {
    /// The parent's stream.
    #[default]
    Inherit,
    /// `/dev/null`.
    Null,
    /// A new handle.
    Piped,
    /// For standard error: the same as standard output, in the order of writing.
    Merged,
    /// This handle, which is consumed: a file, a pipe from another child. Data bypasses this
    /// process.
    To(Handle),
}

/// A child process to start.
///
/// It inherits only the streams left as [`Redirect::Inherit`]. Its signal mask is empty and SIGPIPE
/// has its default effect.
///
/// ```
/// use riverhawk_handle::{Redirect, Spawn};
///
/// // A pipeline of two, then both directions of one.
/// let first = Spawn::argv(["printf", "b\\na\\n"]).read()?;
/// let sort = Spawn::argv(["sort"]).stdin(Redirect::To(first)).read()?;
/// assert_eq!(sort.read_text()?, "a\nb\n");
/// sort.close()?;
///
/// let upper = Spawn::shell("tr a-z A-Z").coprocess()?;
/// upper.print("hello")?;
/// upper.close_writing()?; // tr sees the end of its input
/// assert_eq!(upper.read_line()?.as_deref(), Some("HELLO"));
/// assert!(upper.close()?.is_some_and(|ended| ended.is_success()));
/// # Ok::<(), riverhawk_handle::Error>(())
/// ```
#[cfg_attr(target_family = "wasm", allow(dead_code))] // No child is started from it.
pub struct Spawn {
    pub(super) name: Name,
    pub(super) program: OsString,
    /// Of a shell: the command line alone.
    pub(super) arguments: Vec<OsString>,
    pub(super) is_shell: bool,
    pub(super) stdin: Redirect,
    pub(super) stdout: Redirect,
    pub(super) stderr: Redirect,
    pub(super) environment: Vec<(OsString, Option<OsString>)>,
    pub(super) clears_environment: bool,
    pub(super) directory: Option<PathBuf>,
    pub(super) is_on_pty: bool,
}

/// A started child and handles to its [`Redirect::Piped`] streams.
#[derive(Debug)]
pub struct Process {
    /// Its standard input.
    pub stdin: Option<Handle>,
    /// Its standard output; on a pseudo-terminal also its input.
    pub stdout: Option<Handle>,
    /// Its standard error.
    pub stderr: Option<Handle>,
    /// The process.
    pub child: Child,
}

impl Process {
    /// Closes its input, and waits until it has ended. Its output can still be read.
    ///
    /// # Errors
    /// Those of the last flush and of waiting.
    pub fn finish(&self) -> Result<Ended, Error> {
        let written = self.stdin.as_ref().map_or(Ok(None), Handle::close);
        let ended = self.child.wait();
        written?;
        ended
    }
}

impl Spawn {
    fn new(name: Name, program: OsString, arguments: Vec<OsString>, is_shell: bool) -> Self {
        Self {
            name,
            program,
            arguments,
            is_shell,
            stdin: Redirect::Inherit,
            stdout: Redirect::Inherit,
            stderr: Redirect::Inherit,
            environment: Vec::new(),
            clears_environment: false,
            directory: None,
            is_on_pty: false,
        }
    }

    /// A command line for `/bin/sh -c`, or on Windows for `cmd.exe /C`.
    pub fn shell(command: impl AsRef<[u8]>) -> Self {
        let command = command.as_ref();
        let line = vec![OsString::from_vec(command.to_vec())];
        Self::new(Name::Command(command.into()), system::shell(), line, true)
    }

    /// A program, found by `PATH`, with arguments, without a shell.
    pub fn argv<S: AsRef<OsStr>>(argv: impl IntoIterator<Item = S>) -> Self {
        let mut argv = argv.into_iter().map(|argument| argument.as_ref().to_owned());
        let program = argv.next().unwrap_or_default();
        let arguments: Vec<_> = argv.collect();
        let mut name = program.as_bytes().to_vec();
        for argument in &arguments {
            name.push(b' ');
            name.extend_from_slice(argument.as_bytes());
        }
        Self::new(Name::Command(name.into()), program, arguments, false)
    }

    /// Sets the child's standard input.
    #[must_use]
    pub fn stdin(mut self, redirect: Redirect) -> Self {
        self.stdin = redirect;
        self
    }

    /// Sets the child's standard output.
    #[must_use]
    pub fn stdout(mut self, redirect: Redirect) -> Self {
        self.stdout = redirect;
        self
    }

    /// Sets the child's standard error.
    #[must_use]
    pub fn stderr(mut self, redirect: Redirect) -> Self {
        self.stderr = redirect;
        self
    }

    /// Gives the child a pseudo-terminal, so that it prints line by line, for standard input,
    /// output and a [`Redirect::Merged`] error. [`Process::stdout`] is the handle for both
    /// directions.
    #[must_use]
    pub fn on_pty(mut self) -> Self {
        self.is_on_pty = true;
        self
    }

    /// Sets an environment variable for the child.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.environment.push((name.as_ref().to_owned(), Some(value.as_ref().to_owned())));
        self
    }

    /// Removes an environment variable for the child.
    #[must_use]
    pub fn env_remove(mut self, name: impl AsRef<OsStr>) -> Self {
        self.environment.push((name.as_ref().to_owned(), None));
        self
    }

    /// Empties the child's environment.
    #[must_use]
    pub fn env_clear(mut self) -> Self {
        self.clears_environment = true;
        self.environment.clear();
        self
    }

    /// Sets the child's working directory.
    #[must_use]
    pub fn current_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Starts it and gives its output. Closing the handle waits for it.
    ///
    /// # Errors
    /// As [`start`](Spawn::start).
    pub fn read(self) -> Result<Handle, Error> {
        let process = self.stdout(Redirect::Piped).start_parts()?;
        Ok(Handle::from_parts(process.name, process.stdout, None, Some(process.child)))
    }

    /// Starts it and gives its input. Closing the handle waits for it.
    ///
    /// # Errors
    /// As [`start`](Spawn::start).
    pub fn write(self) -> Result<Handle, Error> {
        let process = self.stdin(Redirect::Piped).start_parts()?;
        Ok(Handle::from_parts(process.name, None, process.stdin, Some(process.child)))
    }

    /// Starts it with one handle for input and output. Writes need a [`flush`](Handle::flush) or a
    /// full buffer. Closing the handle waits for the child;
    /// [`close_writing`](Handle::close_writing) ends its input.
    ///
    /// # Errors
    /// As [`start`](Spawn::start).
    pub fn coprocess(self) -> Result<Handle, Error> {
        let process = self.stdin(Redirect::Piped).stdout(Redirect::Piped).start_parts()?;
        Ok(Handle::from_parts(process.name, process.stdout, process.stdin, Some(process.child)))
    }

    /// Starts it and waits for it.
    ///
    /// # Errors
    /// As [`start`](Spawn::start), and as [`Child::wait`].
    pub fn run(self) -> Result<Ended, Error> {
        self.start()?.finish()
    }

    /// Starts it. A shell that cannot run its command exits with 126 or 127; a missing program is
    /// an error.
    ///
    /// # Errors
    /// [`ErrorKind::Missing`], [`ErrorKind::Permission`], [`ErrorKind::NulInName`],
    /// [`ErrorKind::EmptyName`] for an empty argument vector, [`ErrorKind::TooManyOpen`], or
    /// another system error.
    pub fn start(self) -> Result<Process, Error> {
        let parts = self.start_parts()?;
        let name = parts.name;
        let (stdin, stdout) = match (parts.stdin, parts.stdout) {
            (Some(stdin), Some(stdout)) if Arc::ptr_eq(&stdin, &stdout) => {
                (None, Some(Handle::over(name.clone(), stdin)))
            }
            (stdin, stdout) => (
                stdin.map(|device| Handle::from_parts(name.clone(), None, Some(device), None)),
                stdout.map(|device| Handle::from_parts(name.clone(), Some(device), None, None)),
            ),
        };
        let stderr = parts.stderr.map(|device| Handle::from_parts(name, Some(device), None, None));
        Ok(Process { stdin, stdout, stderr, child: parts.child })
    }

    fn start_parts(self) -> Result<Parts, Error> {
        let name = self.name.clone();
        let fail = |kind| Err(Error::of_kind(&name, Action::Open, kind));
        if self.program.is_empty() {
            return fail(ErrorKind::EmptyName);
        }
        if self.arguments.iter().chain([&self.program]).any(|word| word.as_bytes().contains(&0)) {
            return fail(ErrorKind::NulInName);
        }
        self.spawn().map_err(|source| Error::system(&name, Action::Open, source))
    }
}

/// A started child, and our ends of what it is connected to.
pub(super) struct Parts {
    pub(super) name: Name,
    pub(super) stdin: Option<Arc<dyn Device>>,
    pub(super) stdout: Option<Arc<dyn Device>>,
    pub(super) stderr: Option<Arc<dyn Device>>,
    pub(super) child: Child,
}

impl fmt::Debug for Spawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spawn").field("name", &self.name).finish_non_exhaustive()
    }
}
