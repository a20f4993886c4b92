//! Editing in place: what is printed while a file is read replaces it.
//!
//! Output goes to a new file (`riverhawk_slurp::Replacement`), renamed over the old one at the end
//! of input. A full disk, an error, `exit` or `kill -9` before that leaves the old file unchanged.
//! Only unredirected `print` and `printf` (or to `/dev/stdout`) and `system` write into it: a
//! command behind a pipe may outlive the edit.
//!
//! A failed edit is reported at the end of the run; other files are still edited.

mod compare;
mod difference;
mod edit;
mod options;
mod output;
mod tally;

pub use difference::unified;
pub use options::{Colours, Edits, Effect, Emptying};

use crate::sink::Sink;
use output::NewContent;
use riverhawk_compress::Codec;
use tally::Tally;

/// What happens to a file that was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It is read.
    Reads,
    /// It is read but not edited: no regular file.
    OnlyReads,
    /// It cannot be edited, so it is skipped.
    Skips,
}

/// The options of editing, and the file being edited.
pub struct InPlace {
    edits: Edits,
    tally: Tally,
    /// Appended to the names of old files, if not empty.
    suffix: Vec<u8>,
    is_enabled: bool,
    /// The last values seen of [`InPlace::VARIABLES`].
    assigned: [Option<Vec<u8>>; 2],
    current: Option<Edit>,
}

struct Edit {
    name: Vec<u8>,
    content: NewContent,
    codec: Option<Codec>,
    /// Such as the header of a table.
    unprinted: u64,
    /// The original standard output.
    stdout: Sink,
}

impl InPlace {
    /// Edits all files; old ones are kept if there is a suffix.
    pub fn new(suffix: Vec<u8>, edits: Edits) -> InPlace {
        let (assigned, tally) = ([None, None], Tally::default());
        InPlace { edits, tally, suffix, is_enabled: true, assigned, current: None }
    }

    /// The variables that control editing.
    pub const VARIABLES: [&'static str; 2] = ["inplace::suffix", "inplace::enable"];

    /// Sets one of the [variables](Self::VARIABLES); false for any other variable.
    pub fn set(&mut self, variable: &str, value: &[u8]) -> bool {
        match variable {
            "inplace::suffix" => self.suffix = value.to_vec(),
            "inplace::enable" => self.is_enabled = !matches!(value, b"" | b"0"),
            _ => return false,
        }
        true
    }

    /// As [`InPlace::set`], if the value has changed since the last file.
    pub fn update(&mut self, variable: &str, value: Vec<u8>) {
        let Some(at) = Self::VARIABLES.iter().position(|name| *name == variable) else { return };
        if self.assigned[at].as_ref() != Some(&value) {
            self.set(variable, &value);
            self.assigned[at] = Some(value);
        }
    }

    /// Whether files opened from now on are edited.
    pub fn is_enabled(&self) -> bool {
        self.is_enabled
    }

    /// Whether a file is being edited.
    pub fn is_editing(&self) -> bool {
        self.current.is_some()
    }
}
