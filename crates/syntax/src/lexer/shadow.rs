//! Where words that only gawk reserves are plain names: as a parameter in the whole function, and
//! as functions in every namespace but `awk`.

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
    /// Sets what the next tokens are in. Call it before the next token is read.
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
        if Words::kind(number) == TokenKind::Name {
            return false;
        }
        match self.shadow.within {
            Within::Parameters if Dialect::adds(text) => {
                self.shadow.parameters.push(number);
                return true;
            }
            Within::Parameters => return false,
            Within::Body if self.shadow.parameters.contains(&number) => return true,
            Within::Body | Within::Nothing => {}
        }
        // In a namespace, gawk's functions are called by `awk::`.
        self.namespace.is_some() && Dialect::adds_function(text)
    }
}
