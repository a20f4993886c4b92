//! Words that only gawk reserves as plain names: a parameter's in its whole function, and every
//! function's in a namespace other than `awk`.

use super::Lexer;
use crate::Dialect;
use crate::token::TokenKind;
use crate::words::Words;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Within {
    #[default]
    Nothing,
    Parameters,
    Body,
}

#[derive(Default)]
pub(super) struct Shadow {
    within: Within,
    parameters: Vec<u32>,
}

impl Lexer<'_> {
    /// Reading enters or leaves a function; called before the next token is read.
    pub(crate) fn enter_function(&mut self, within: Within) {
        self.shadow.within = within;
        if within != Within::Body {
            self.shadow.parameters.clear();
        }
    }

    pub(crate) fn shadowed_words(&self) -> &[u32] {
        &self.shadow.parameters
    }

    pub(super) fn is_shadowed(&mut self, number: u32, text: &str) -> bool {
        if Words::kind(number) == TokenKind::Name || !Dialect::adds(text) {
            return false;
        }
        match self.shadow.within {
            Within::Parameters => {
                self.shadow.parameters.push(number);
                return true;
            }
            Within::Body if self.shadow.parameters.contains(&number) => return true,
            Within::Body | Within::Nothing => {}
        }
        // There, gawk's functions are reached by `awk::`.
        self.namespace.is_some() && Dialect::adds_function(text)
    }
}
