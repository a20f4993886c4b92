//! The answers, a file for each family of requests.

pub(crate) mod actions;
pub(crate) mod calls;
mod columns;
pub(crate) mod completion;
pub(crate) mod definition;
pub(crate) mod formatting;
pub(crate) mod hints;
pub(crate) mod hover;
mod kinds;
pub(crate) mod lenses;
mod options;
pub(crate) mod outline;
pub(crate) mod rename;
pub(crate) mod selection;
pub(crate) mod signature;
pub(crate) mod tokens;

/// Why a request is refused, for a person.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub message: String,
}

impl Refusal {
    fn new<T>(message: impl Into<String>) -> Result<T, Refusal> {
        Err(Refusal { message: message.into() })
    }
}
