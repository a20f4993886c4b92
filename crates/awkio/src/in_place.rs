//! Editing in place: what is printed while a file of the main input is read takes the file's place.
//!
//! The output goes into a new file beside the old one (`riverhawk_slurp::Replacement`), which gets
//! the old one's name in one step when the input has been read to its end. Until then the old file
//! is untouched, so a full disk, an error, `exit` and `kill -9` leave it as it was. Only
//! `print` and `printf` without a redirection (or to `/dev/stdout`) are meant, and the commands of
//! `system`. What a pipe leads to may end long after the file has been replaced, or work for
//! several files: such commands write where they always do.
//!
//! Each file is a transaction of its own: what goes wrong with one is noted, and told at the end of
//! the run; the others are edited.

mod compare;
mod difference;
mod edit;
mod options;
mod output;
mod tally;

pub use options::{Colours, Edits, Effect, Emptying};

use crate::sink::Sink;
use output::NewContent;
use riverhawk_compress::Codec;
use tally::Tally;

/// What follows from the beginning of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It is read.
    Reads,
    /// It is read and not edited, since it is no regular file.
    OnlyReads,
    /// It cannot be edited, so it is passed over.
    Skips,
}

/// How files are edited, and the one that is being read.
pub struct InPlace {
    edits: Edits,
    tally: Tally,
    /// The old files are kept under their names and this, unless it is empty.
    suffix: Vec<u8>,
    /// Files opened from now on are edited.
    is_enabled: bool,
    /// What the program itself was last seen to have assigned to the two.
    assigned: [Option<Vec<u8>>; 2],
    current: Option<Edit>,
}

/// A file that is being read and will be replaced.
struct Edit {
    name: Vec<u8>,
    content: NewContent,
    codec: Option<Codec>,
    /// Bytes written that the program did not print: the header of a table.
    unprinted: u64,
    /// The standard output that there was.
    stdout: Sink,
}

impl InPlace {
    /// Edits all files, and keeps the old ones if there is a suffix.
    pub fn new(suffix: Vec<u8>, edits: Edits) -> InPlace {
        let (assigned, tally) = ([None, None], Tally::default());
        InPlace { edits, tally, suffix, is_enabled: true, assigned, current: None }
    }

    /// The variables that say what is edited, and how.
    pub const VARIABLES: [&'static str; 2] = ["inplace::suffix", "inplace::enable"];

    /// Takes the value of one of the [variables](Self::VARIABLES); false of any other variable.
    pub fn set(&mut self, variable: &str, value: &[u8]) -> bool {
        match variable {
            "inplace::suffix" => self.suffix = value.to_vec(),
            "inplace::enable" => self.is_enabled = !matches!(value, b"" | b"0"),
            _ => return false,
        }
        true
    }

    /// As [`InPlace::set`], if the program has assigned the variable since the last file: what it
    /// holds is not what it held then.
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
