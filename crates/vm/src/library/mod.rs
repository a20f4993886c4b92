//! The library: gawk's functions beyond POSIX, and our own in namespaces. The table of them is
//! `riverhawk_syntax::library`; each has one line in `Runtime::call_library`, and its work in one
//! of the modules here.
//!
//! What goes wrong in the world (a missing file, text that has no place in an encoding) is no error
//! of the program: the call says so by its value, and ERRNO says why. What is wrong in the program
//! (a name that no encoding has) is a [`Fault`].
//!
//! [`Fault`]: riverhawk_awkio::fault::Fault

mod call;

mod bits;
mod coding;
mod directory_tree;
mod embedded;
mod extensions;
mod file;
mod gensub;
mod json;
mod matches;
mod messages;
mod patsplit;
mod processes;
mod rwarray;
pub(crate) mod sort;
mod stat;
mod text;
mod time;
mod types;

pub(crate) use coding::KnownEncodings;
pub(crate) use time::{Clock, Surroundings};

use riverhawk_text::Replacer;
use riverhawk_value::Value;

/// What the library keeps from one call to the next.
#[derive(Default)]
pub struct Kept {
    /// The arguments of the call that is being made; no more than their allocation is kept.
    pub arguments: Vec<Value>,
    /// The replacement that was made last.
    replacer: Option<Replacer>,
    /// What `text::encode`, `text::decode` and ENCODING know by name.
    pub(crate) encodings: KnownEncodings,
    /// Time zones.
    pub(crate) clock: time::Clock,
    /// Where messages are translated from, by domain.
    domains: std::collections::HashMap<Vec<u8>, Vec<u8>>,
}

/// Why a call failed, in the words that ERRNO has for it.
#[derive(Debug, PartialEq, Eq)]
struct Failure {
    reason: String,
    /// The system's number for it, 0 when it has none.
    number: i32,
}

impl Failure {
    /// What the system says.
    fn of(error: &std::io::Error) -> Failure {
        Failure {
            reason: riverhawk_awkio::Reason(error).to_string(),
            number: error.raw_os_error().unwrap_or(0),
        }
    }

    /// What somebody else says.
    fn new(reason: impl std::fmt::Display) -> Failure {
        Failure { reason: reason.to_string(), number: 0 }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::of(&error)
    }
}
