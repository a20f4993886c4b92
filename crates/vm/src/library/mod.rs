//! The library: gawk's functions beyond POSIX, and our own. The table of them is
//! `riverhawk_syntax::library`; `Runtime::call_library` dispatches.
//!
//! A failure outside the program (a missing file, text that an encoding lacks) is a result, with
//! the reason in ERRNO. A mistake of the program (an unknown encoding) is a [`Fault`].
//!
//! [`Fault`]: riverhawk_awkio::fault::Fault

mod call;

mod assert;
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

#[derive(Default)]
pub struct Kept {
    pub arguments: Vec<Value>,
    replacer: Option<Replacer>,
    pub(crate) encodings: KnownEncodings,
    pub(crate) clock: time::Clock,
    domains: std::collections::HashMap<Vec<u8>, Vec<u8>>,
}

#[derive(Debug, PartialEq, Eq)]
struct Failure {
    reason: String,
    number: i32,
}

impl Failure {
    fn of(error: &std::io::Error) -> Failure {
        Failure {
            reason: riverhawk_awkio::Reason(error).to_string(),
            number: riverhawk_system::errors::number(error),
        }
    }

    fn new(reason: impl std::fmt::Display) -> Failure {
        Failure { reason: reason.to_string(), number: 0 }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::of(&error)
    }
}
