//! A run's regular expressions, each compiled once.

pub mod error;

pub use error::PatternError;

use crate::ahead::LookAhead;
use crate::splitter::{Newlines, Splitter};
use crate::unknown_escapes::UnknownEscapes;
use riverhawk_bytecode::{RegexConstant, RegexSpelling, Unit as Program};
use riverhawk_memory as memory;
use riverhawk_regex::{Options, Regex};
use riverhawk_simd::Occurrences;
use riverhawk_syntax::Dialect;
use riverhawk_syntax::ast::Span;
use riverhawk_text::Unit;
use std::collections::HashMap;
use std::rc::Rc;

/// An invalid constant pattern.
#[derive(Clone, Debug)]
pub struct InvalidConstant {
    /// The error.
    pub error: PatternError,
    /// Its place in the program.
    pub span: Span,
    /// How the program spells it.
    pub spelling: RegexSpelling,
}

/// Stands for a regular expression that is no constant.
pub const NO_CONSTANT: u32 = u32::MAX;

/// At this number all are dropped.
const DYNAMIC_LIMIT: usize = 512;

/// Saves a look-up.
struct Recent<T> {
    text: Vec<u8>,
    meaning: T,
}

/// All patterns of a run.
pub struct Patterns {
    options: Options,
    unit: Unit,
    constants: Vec<Constant>,
    dynamic: Dynamic,
    /// For the other IGNORECASE.
    other_case: Option<(Vec<Constant>, Dynamic)>,
    /// Escapes to warn about.
    pub escapes: UnknownEscapes,
}

#[derive(Default)]
struct Dynamic {
    regexes: HashMap<Vec<u8>, Rc<Regex>>,
    recent: Option<Recent<Rc<Regex>>>,
    splitters: HashMap<Vec<u8>, Splitter>,
    recent_splitter: Option<Recent<Splitter>>,
}

enum Constant {
    Ready {
        regex: Rc<Regex>,
        is_literal: bool,
        ahead: Option<Option<LookAhead>>,
    },
    /// An invalid string: an error when used.
    Broken(PatternError),
}

const LONG: usize = 64 << 10;

/// Memory for parsing, as a multiple of the pattern's size.
const ROOM_TO_PARSE: usize = 64;

impl Patterns {
    /// The unit of characters.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Compiles the constant patterns of a program.
    ///
    /// # Errors
    /// An invalid pattern between slashes.
    pub fn new(program: &Program, unit: Unit) -> Result<Patterns, InvalidConstant> {
        let options = Options {
            bytes: unit == Unit::Byte,
            posix: !program.dialect.has_extensions(),
            strict: program.dialect == Dialect::Posix,
            ..Options::default()
        };
        let constants = constants(program, &options)?;
        let escapes = UnknownEscapes::of(program);
        Ok(Patterns {
            options,
            unit,
            constants,
            dynamic: Dynamic::default(),
            other_case: None,
            escapes,
        })
    }

    /// Makes case count if it does not, or not if it does. Compiles patterns again where necessary.
    pub fn switch_case(&mut self, program: &Program) {
        self.options.ignore_case = !self.options.ignore_case;
        let other = self.other_case.take().unwrap_or_else(|| {
            let folded = program
                .regexes
                .iter()
                .map(|constant| Constant::of(&constant.pattern, &self.options));
            (folded.collect(), Dynamic::default())
        });
        let constants = std::mem::replace(&mut self.constants, other.0);
        let dynamic = std::mem::replace(&mut self.dynamic, other.1);
        self.other_case = Some((constants, dynamic));
    }

    /// The options for compiling.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// A constant pattern.
    #[inline]
    pub fn constant(&self, at: usize) -> Result<&Rc<Regex>, PatternError> {
        match &self.constants[at] {
            Constant::Ready { regex, .. } => Ok(regex),
            Constant::Broken(error) => Err(error.clone()),
        }
    }

    /// A constant by number, one read from a file by its text.
    #[inline]
    pub fn of_value(&mut self, number: u32, text: &[u8]) -> Result<Rc<Regex>, PatternError> {
        if number == NO_CONSTANT {
            self.dynamic(text)
        } else {
            self.constant(number as usize).cloned()
        }
    }

    /// Whether a constant pattern is a literal.
    #[inline]
    pub fn is_literal(&self, at: usize) -> bool {
        matches!(self.constants[at], Constant::Ready { is_literal: true, .. })
    }

    /// The look-ahead for a constant pattern, if there is one.
    #[inline]
    pub fn look_ahead(&mut self, at: usize) -> Option<&mut LookAhead> {
        match &mut self.constants[at] {
            Constant::Ready { regex, ahead, .. } => {
                ahead.get_or_insert_with(|| LookAhead::of(regex)).as_mut()
            }
            Constant::Broken(_) => None,
        }
    }

    /// The search for a constant pattern that is a literal.
    #[inline]
    pub fn literal(&mut self, at: usize) -> Option<&mut Occurrences> {
        match self.look_ahead(at) {
            Some(LookAhead::Literal(literal)) => Some(literal),
            _ => None,
        }
    }

    /// The pattern of a text.
    pub fn dynamic(&mut self, text: &[u8]) -> Result<Rc<Regex>, PatternError> {
        if let Some(recent) = &self.dynamic.recent
            && recent.text == text
        {
            return Ok(recent.meaning.clone());
        }
        let regex = match self.dynamic.regexes.get(text) {
            Some(regex) => regex.clone(),
            None => {
                if text.len() >= LONG && !memory::is_available(text.len() * ROOM_TO_PARSE) {
                    return Err(PatternError { message: "out of memory".to_owned() });
                }
                let regex = Regex::new(text, &self.options)
                    .map_err(|error| PatternError::new(text, &error))?;
                let regex = Rc::new(regex);
                self.escapes.look_at(text);
                if self.dynamic.regexes.len() >= DYNAMIC_LIMIT {
                    self.dynamic.regexes.clear();
                }
                self.dynamic.regexes.insert(text.to_vec(), regex.clone());
                regex
            }
        };
        self.dynamic.recent = Some(Recent { text: text.to_vec(), meaning: regex.clone() });
        Ok(regex)
    }

    /// The meaning of a separator given to `split`.
    pub fn splitter(&mut self, text: &[u8]) -> Result<Splitter, PatternError> {
        if let Some(recent) = &self.dynamic.recent_splitter
            && recent.text == text
        {
            return Ok(recent.meaning.clone());
        }
        let splitter = match self.dynamic.splitters.get(text) {
            Some(splitter) => splitter.clone(),
            None => {
                let splitter = Splitter::new(text, Newlines::Text, &self.options, self.unit)?;
                self.escapes.look_at_separator(text);
                if self.dynamic.splitters.len() >= DYNAMIC_LIMIT {
                    self.dynamic.splitters.clear();
                }
                self.dynamic.splitters.insert(text.to_vec(), splitter.clone());
                splitter
            }
        };
        self.dynamic.recent_splitter =
            Some(Recent { text: text.to_vec(), meaning: splitter.clone() });
        Ok(splitter)
    }
}

fn constants(program: &Program, options: &Options) -> Result<Vec<Constant>, InvalidConstant> {
    let mut constants = Vec::with_capacity(program.regexes.len());
    for &RegexConstant { ref pattern, spelling, span } in &program.regexes {
        match Constant::of(pattern, options) {
            Constant::Broken(error) if spelling != RegexSpelling::Text => {
                return Err(InvalidConstant { error, span, spelling });
            }
            made => constants.push(made),
        }
    }
    Ok(constants)
}

impl Constant {
    fn of(pattern: &[u8], options: &Options) -> Constant {
        match Regex::new(pattern, options) {
            Ok(regex) => {
                let is_literal = regex.literal().is_some();
                Constant::Ready { regex: Rc::new(regex), is_literal, ahead: None }
            }
            Err(error) => Constant::Broken(PatternError::new(pattern, &error)),
        }
    }
}

#[cfg(test)]
#[path = "patterns_tests.rs"]
mod tests;
