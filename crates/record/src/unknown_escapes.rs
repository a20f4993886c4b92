//! Warnings of escapes that regular expressions do not have, in strings that serve as such: of each
//! letter once, when the first is reached. Those in regular expressions of the program's text were
//! warned of when it was compiled.

use riverhawk_bytecode::Unit as Program;
use riverhawk_syntax::Dialect;
use riverhawk_syntax::lint::unknown_escapes;

/// The escapes that have been warned of, and those that are to be.
#[derive(Clone, Default)]
pub struct UnknownEscapes {
    dialect: Dialect,
    reported: Vec<u8>,
    unreported: Vec<u8>,
}

impl UnknownEscapes {
    /// Those of a program's constants are known.
    pub fn of(program: &Program) -> UnknownEscapes {
        let dialect = program.dialect;
        let reported = program
            .regexes
            .iter()
            .flat_map(|constant| unknown_escapes(&constant.pattern, dialect))
            .collect();
        UnknownEscapes { dialect, reported, unreported: Vec::new() }
    }

    /// Whether some are to be warned of.
    #[inline]
    pub fn has_unreported(&self) -> bool {
        !self.unreported.is_empty()
    }

    /// The letters that are to be warned of.
    pub fn take_unreported(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.unreported)
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
            if !self.reported.contains(&letter) {
                self.reported.push(letter);
                self.unreported.push(letter);
            }
        }
    }
}
