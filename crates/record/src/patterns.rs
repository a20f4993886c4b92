//! A run's regular expressions, each compiled once.

mod compiled;
pub mod error;

pub use compiled::{CompiledPatterns, InvalidConstant};
pub use error::PatternError;

use crate::ahead::LookAhead;
use crate::splitter::{Newlines, Splitter};
use crate::unknown_escapes::UnknownEscapes;
use compiled::CompiledConstant;
use riverhawk_bytecode::Unit as Program;
use riverhawk_memory as memory;
use riverhawk_regex::{Options, Regex};
use riverhawk_simd::Occurrences;
use riverhawk_text::Unit;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

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
    compiled: Arc<CompiledPatterns>,
    options: Options,
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

/// A constant pattern in this run; made when first used.
struct Constant {
    regex: OnceCell<Rc<Regex>>,
    splitter: OnceCell<Splitter>,
    is_literal: bool,
    ahead: Option<Option<LookAhead>>,
}

const LONG: usize = 64 << 10;

/// Memory for parsing, as a multiple of the pattern's size.
const ROOM_TO_PARSE: usize = 64;

impl Patterns {
    /// The patterns of a run, over the constants that its program shares with other runs.
    pub fn over(compiled: Arc<CompiledPatterns>) -> Patterns {
        Patterns {
            options: compiled.options,
            constants: Constant::all(&compiled, false),
            dynamic: Dynamic::default(),
            other_case: None,
            escapes: compiled.escapes.clone(),
            compiled,
        }
    }

    /// As [`Patterns::over`], for a program that is run once.
    ///
    /// # Errors
    /// An invalid pattern between slashes.
    pub fn new(program: &Program, unit: Unit) -> Result<Patterns, InvalidConstant> {
        Ok(Patterns::over(Arc::new(CompiledPatterns::new(program, unit)?)))
    }

    /// The unit of characters.
    pub fn unit(&self) -> Unit {
        self.compiled.unit
    }

    /// Makes case count if it does not, or not if it does.
    pub fn switch_case(&mut self) {
        let ignore_case = !self.options.ignore_case;
        self.options.ignore_case = ignore_case;
        let other = self
            .other_case
            .take()
            .unwrap_or_else(|| (Constant::all(&self.compiled, ignore_case), Dynamic::default()));
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
        match self.constants[at].regex.get() {
            Some(regex) => Ok(regex),
            None => self.first_use(at),
        }
    }

    /// The meaning of a constant pattern given to `split`.
    #[inline]
    pub fn constant_splitter(&self, at: usize) -> Result<&Splitter, PatternError> {
        let regex = self.constant(at)?;
        let splitter = || Splitter::of_typed(regex.clone(), self.unit());
        Ok(self.constants[at].splitter.get_or_init(splitter))
    }

    #[cold]
    fn first_use(&self, at: usize) -> Result<&Rc<Regex>, PatternError> {
        match &self.compiled.constants(self.options.ignore_case)[at] {
            CompiledConstant::Valid(regex) => {
                let regex = || Rc::new(Regex::over(regex.clone()));
                Ok(self.constants[at].regex.get_or_init(regex))
            }
            CompiledConstant::Invalid { error, .. } => Err(error.clone()),
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
        self.constants[at].is_literal
    }

    /// The look-ahead for a constant pattern, if there is one.
    #[inline]
    pub fn look_ahead(&mut self, at: usize) -> Option<&mut LookAhead> {
        if self.constants[at].ahead.is_none() {
            let ahead = self.constant(at).ok().and_then(|regex| LookAhead::of(regex));
            self.constants[at].ahead = Some(ahead);
        }
        self.constants[at].ahead.as_mut()?.as_mut()
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
                self.escapes.check(text);
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
                let splitter = Splitter::new(text, Newlines::Text, &self.options, self.unit())?;
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

impl Constant {
    fn all(compiled: &CompiledPatterns, ignore_case: bool) -> Vec<Constant> {
        let constants = compiled.constants(ignore_case).iter();
        let unused = |is_literal| Constant {
            regex: OnceCell::new(),
            splitter: OnceCell::new(),
            is_literal,
            ahead: None,
        };
        constants.map(|constant| unused(constant.is_literal())).collect()
    }
}

#[cfg(test)]
#[path = "patterns_tests.rs"]
mod tests;
