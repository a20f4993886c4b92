//! The codes of messages.

use std::collections::HashMap;

use riverhawk_syntax::code::MessageCode;

/// The codes of messages. Finding one takes a search through all, so they are kept.
#[derive(Default)]
pub(crate) struct Codes {
    known: HashMap<String, Option<MessageCode>>,
}

impl Codes {
    pub(crate) fn of(&mut self, message: &str) -> Option<MessageCode> {
        if let Some(known) = self.known.get(message) {
            return *known;
        }
        let code = MessageCode::of(message);
        self.known.insert(message.to_owned(), code);
        code
    }
}
