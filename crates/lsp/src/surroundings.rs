//! What the command knows and the server does not.

use std::ffi::OsStr;
use std::path::PathBuf;

/// What the server asks the command for.
pub trait Surroundings {
    /// The manual about a function, a variable or a keyword, in Markdown.
    fn manual(&self, _name: &str) -> Option<String> {
        None
    }

    /// The manual about an option of the command, such as `--csv` or `-F`, in Markdown.
    fn option(&self, _name: &str) -> Option<String> {
        None
    }

    /// The keys of an array that the engine fills, such as `PROCINFO`, with what each means.
    fn keys(&self, _array: &str) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The file that `@include` finds in the folders of `AWKPATH`.
    fn find_program_file(&self, _name: &OsStr) -> Option<PathBuf> {
        None
    }

    /// The version to report.
    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }
}
