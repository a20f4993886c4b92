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
    pub fn none() -> Permissions {
        Permissions::default()
    }

    /// Everything that the process may do: for programs that are trusted as it is.
    pub fn all() -> Permissions {
        Permissions(Granted::All)
    }

    /// Files at or below this path may be read. It is looked up now; a path that does not exist
    /// permits nothing.
    #[must_use]
    pub fn read(self, path: impl Into<PathBuf>) -> Permissions {
        self.with(|allowed| add(&mut allowed.read, path.into()))
    }

    /// Files at or below this path may be written. As [`Permissions::read`].
    #[must_use]
    pub fn write(self, path: impl Into<PathBuf>) -> Permissions {
        self.with(|allowed| add(&mut allowed.write, path.into()))
    }

    /// Commands may be started, which then do whatever the process may do.
    #[must_use]
    pub fn commands(self) -> Permissions {
        self.with(|allowed| allowed.commands = Access::Granted)
    }

    /// Connections may be made.
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
