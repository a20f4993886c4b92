//! Warnings of escapes that regular expressions do not have, in strings that serve as such: of each
//! letter once, when the first is reached. What regular expressions of the program's text have was
//! told of when it was compiled.

mod warn;

use riverhawk_bytecode::Unit as Program;
use riverhawk_syntax::Dialect;
use riverhawk_syntax::lint::unknown_escapes;

/// What has been told, and what is to be.
#[derive(Clone, Default)]
pub(crate) struct UnknownEscapes {
    dialect: Dialect,
    told: Vec<u8>,
    untold: Vec<u8>,
}

impl UnknownEscapes {
    /// Those of a program's constants are known.
    pub fn of(program: &Program) -> UnknownEscapes {
        let dialect = program.dialect;
        let told = program
            .regexes
            .iter()
            .flat_map(|constant| unknown_escapes(&constant.pattern, dialect))
            .collect();
        UnknownEscapes { dialect, told, untold: Vec::new() }
    }

    /// A pattern was computed.
    #[inline]
    pub fn look_at(&mut self, pattern: &[u8]) {
        if pattern.contains(&b'\\') {
            self.look_closely(pattern);
        }
    }

    /// A text was given as what separates: of one character it is no pattern.
    #[inline]
    pub fn look_at_separator(&mut self, text: &[u8]) {
        if text.len() > 1 {
            self.look_at(text);
        }
    }

    #[cold]
    fn look_closely(&mut self, pattern: &[u8]) {
        for letter in unknown_escapes(pattern, self.dialect) {
            if !self.told.contains(&letter) {
                self.told.push(letter);
                self.untold.push(letter);
            }
        }
    }
}
