//! Warns once per letter about unknown escapes in dynamic regular expressions; the compiler does
//! for constants.

use riverhawk_bytecode::Unit as Program;
use riverhawk_syntax::Dialect;
use riverhawk_syntax::lint::unknown_escapes;

/// Reported and unreported unknown escapes.
#[derive(Clone, Default)]
pub struct UnknownEscapes {
    dialect: Dialect,
    reported: Vec<u8>,
    unreported: Vec<u8>,
}

impl UnknownEscapes {
    /// The compiler has reported those of constants.
    pub fn of(program: &Program) -> UnknownEscapes {
        let dialect = program.dialect;
        let reported = program
            .regexes
            .iter()
            .flat_map(|constant| unknown_escapes(&constant.pattern, dialect))
            .collect();
        UnknownEscapes { dialect, reported, unreported: Vec::new() }
    }

    /// Whether there are warnings to give.
    #[inline]
    pub fn has_unreported(&self) -> bool {
        !self.unreported.is_empty()
    }

    /// The letters to warn about.
    pub fn take_unreported(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.unreported)
    }

    /// Checks a computed pattern.
    #[inline]
    pub(crate) fn check(&mut self, pattern: &[u8]) {
        if pattern.contains(&b'\\') {
            self.check_escapes(pattern);
        }
    }

    /// Checks a separator; one character is no pattern.
    #[inline]
    pub fn look_at_separator(&mut self, text: &[u8]) {
        if text.len() > 1 {
            self.check(text);
        }
    }

    #[cold]
    fn check_escapes(&mut self, pattern: &[u8]) {
        for letter in unknown_escapes(pattern, self.dialect) {
            if !self.reported.contains(&letter) {
                self.reported.push(letter);
                self.unreported.push(letter);
            }
        }
    }
}
