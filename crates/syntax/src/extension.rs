//! gawk's extensions that are built in. `@load "name"` adds their functions.

use crate::library::LibraryFn;

macro_rules! extensions {
    ($($(#[$doc:meta])* $variant:ident $name:literal { $($function:ident),* })*) => {
        /// An extension.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Extension { $($(#[$doc])* $variant),* }

        impl Extension {
            /// All of them.
            pub const ALL: &'static [Extension] = &[$(Extension::$variant),*];

            /// The name that `@load` takes.
            pub fn name(self) -> &'static str {
                match self { $(Extension::$variant => $name),* }
            }

            /// Its functions.
            pub fn functions(self) -> &'static [LibraryFn] {
                match self { $(Extension::$variant => &[$(LibraryFn::$function),*]),* }
            }
        }
    };
}

extensions! {
    /// What the system knows of files.
    Filefuncs "filefuncs" { Chdir, Stat, Fts, Statvfs }
    /// Shell patterns.
    Fnmatch "fnmatch" { Fnmatch }
    /// Child processes.
    Fork "fork" { Fork, Waitpid, Wait }
    /// Division with a remainder.
    Intdiv "intdiv" { Intdiv }
    /// Characters and their numbers.
    Ordchr "ordchr" { Ord, Chr }
    /// Directories as input.
    Readdir "readdir" {}
    /// Whole files.
    Readfile "readfile" { Readfile }
    /// Files that are written backwards.
    Revoutput "revoutput" {}
    /// A two-way stream that reverses what it gets.
    Revtwoway "revtwoway" {}
    /// Arrays in files.
    Rwarray "rwarray" { Writea, Reada, Writeall, Readall }
    /// Clocks.
    Time "time" { Gettimeofday, Sleep, Strptime }
}

/// gawk's extensions that are not built in, and their replacements.
pub(crate) const OTHERS: &[(&str, &str)] =
    &[("inplace", "`-i inplace` or `--in-place` on the command line edits files in place")];

impl Extension {
    /// The extension of this name.
    pub fn from_name(name: &str) -> Option<Extension> {
        Extension::ALL.iter().copied().find(|extension| extension.name() == name)
    }

    /// The extension of a function.
    pub fn of(function: LibraryFn) -> Option<Extension> {
        Extension::ALL.iter().copied().find(|extension| extension.functions().contains(&function))
    }
}
