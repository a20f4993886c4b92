//! The semantic tokens of the last answer about each text, for answers by what has changed.

use std::collections::HashMap;

use lsp_types::SemanticToken;

use crate::place::Place;

/// By text: the number of the answer, and its tokens.
#[derive(Default)]
pub(crate) struct LastTokens {
    answers: u64,
    of: HashMap<Place, (u64, Vec<SemanticToken>)>,
}

impl LastTokens {
    /// Gives the number of an answer that has these tokens.
    pub(crate) fn replace(&mut self, place: Place, tokens: Vec<SemanticToken>) -> u64 {
        self.answers += 1;
        self.of.insert(place, (self.answers, tokens));
        self.answers
    }

    /// Those of an answer, if it was the last about this text.
    pub(crate) fn take(&mut self, place: &Place, answer: &str) -> Option<Vec<SemanticToken>> {
        let (number, tokens) = self.of.remove(place)?;
        (number.to_string() == answer).then_some(tokens)
    }

    /// A text is not open any more.
    pub(crate) fn forget(&mut self, place: &Place) {
        self.of.remove(place);
    }
}
