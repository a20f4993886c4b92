//! What a program may do.

use riverhawk_engine::{Access, Allowed, Paths, Wording};
use std::path::PathBuf;

/// What a program may do besides reading the input that it is given and printing.
///
/// Operands of a [`Run`](crate::Run) may always be read. Where the run has a
/// [`FileSystem`](crate::filesystem::FileSystem), that decides instead, and these say nothing.
///
/// ```
/// use riverhawk::{Permissions, Program, Run};
///
/// let program = Program::compile("BEGIN { while ((getline l < \"/etc/passwd\") > 0) n++; print n }")?;
/// let refused = program.run(Run::new()).unwrap_err();
/// assert_eq!(refused.message(), "the run has no permission for reading \"/etc/passwd\"");
/// assert!(program.run(Run::new().permissions(Permissions::none().read("/etc"))).is_ok());
/// # Ok::<(), riverhawk::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions(Granted);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Granted {
    Some(Allowed),
    All,
}

impl Default for Granted {
    fn default() -> Granted {
        Granted::Some(Allowed::default())
    }
}

impl Permissions {
    /// Nothing else: the default.
    ///
    /// ```
    /// use riverhawk::{Permissions, Program, Run};
    ///
    /// let program = Program::compile("BEGIN { system(\"date\") }")?;
    /// let error = program.run(Run::new().permissions(Permissions::none())).unwrap_err();
    /// assert!(error.message().contains("no permission"), "{error}");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn none() -> Permissions {
        Permissions::default()
    }

    /// Everything that the process may do: for programs that are trusted as it is.
    ///
    /// ```
    /// use riverhawk::{Permissions, Program, Run};
    ///
    /// let program = Program::compile("BEGIN { \"echo two\" | getline x; print x }")?;
    /// assert_eq!(program.run(Run::new().permissions(Permissions::all()))?.text(), "two\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn all() -> Permissions {
        Permissions(Granted::All)
    }

    /// Files at or below this path may be read. It is looked up now; a path that does not exist
    /// permits nothing.
    ///
    /// ```
    /// use riverhawk::{Permissions, Program, Run};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// std::fs::write(folder.join("rules"), "tea 3\n")?;
    /// let program = Program::compile("BEGIN { getline < file; print $2 }")?;
    /// let run = Run::new()
    ///     .variable("file", folder.join("rules").display().to_string())
    ///     .permissions(Permissions::none().read(folder));
    /// assert_eq!(program.run(run)?.text(), "3\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn read(self, path: impl Into<PathBuf>) -> Permissions {
        self.with(|allowed| add(&mut allowed.read, path.into()))
    }

    /// Files at or below this path may be written. As [`Permissions::read`].
    ///
    /// ```
    /// use riverhawk::{Permissions, Program, Run};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// let program = Program::compile("{ print $2 > (folder \"/\" $1) }")?;
    /// let run = Run::new()
    ///     .input("tea 3\n")
    ///     .variable("folder", folder.display().to_string())
    ///     .permissions(Permissions::none().write(folder));
    /// program.run(run)?;
    /// assert_eq!(std::fs::read(folder.join("tea"))?, b"3\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn write(self, path: impl Into<PathBuf>) -> Permissions {
        self.with(|allowed| add(&mut allowed.write, path.into()))
    }

    /// Commands may be started, which then do whatever the process may do.
    ///
    /// ```
    /// use riverhawk::{Permissions, Program, Run};
    ///
    /// let program = Program::compile("{ print | \"sort -n\" }")?;
    /// let run = Run::new().input("10\n9\n").permissions(Permissions::none().commands());
    /// assert_eq!(program.run(run)?.text(), "9\n10\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn commands(self) -> Permissions {
        self.with(|allowed| allowed.commands = Access::Granted)
    }

    /// Connections may be made.
    ///
    /// ```
    /// use riverhawk::{Permissions, Program, Run};
    /// use std::io::Write;
    ///
    /// let server = std::net::TcpListener::bind("127.0.0.1:0")?;
    /// let port = server.local_addr()?.port().to_string();
    /// let answer = std::thread::spawn(move || server.accept()?.0.write_all(b"hello\n"));
    /// let program = Program::compile(
    ///     "BEGIN { \"/inet/tcp/0/127.0.0.1/\" port |& getline line; print line }",
    /// )?;
    /// let run = Run::new().variable("port", port).permissions(Permissions::none().network());
    /// assert_eq!(program.run(run)?.text(), "hello\n");
    /// # answer.join().unwrap()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn network(self) -> Permissions {
        self.with(|allowed| allowed.network = Access::Granted)
    }

    fn with(mut self, change: impl FnOnce(&mut Allowed)) -> Permissions {
        if let Granted::Some(allowed) = &mut self.0 {
            change(allowed);
        }
        self
    }

    pub(crate) fn into_engine(self) -> riverhawk_engine::Permissions {
        match self.0 {
            Granted::All => riverhawk_engine::Permissions::default(),
            Granted::Some(allowed) => riverhawk_engine::Permissions {
                sandbox: true,
                allowed: Some(Allowed { wording: Wording::Embedded, ..allowed }),
            },
        }
    }
}

fn add(paths: &mut Paths, path: PathBuf) {
    if let (Paths::Under(paths), Ok(path)) = (paths, path.canonicalize()) {
        paths.push(path);
    }
}
