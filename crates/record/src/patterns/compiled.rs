//! The constant patterns of a program, which its runs share.

use super::error::PatternError;
use crate::unknown_escapes::UnknownEscapes;
use riverhawk_bytecode::{RegexConstant, RegexSpelling, Unit as Program};
use riverhawk_regex::{CompiledRegex, EdgeBytes, Options};
use riverhawk_syntax::Dialect;
use riverhawk_syntax::ast::Span;
use riverhawk_text::Unit;
use std::sync::{Arc, OnceLock};

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

/// The constant patterns of a program, compiled once for all runs and threads.
pub struct CompiledPatterns {
    pub(super) options: Options,
    pub(super) unit: Unit,
    exact: Vec<CompiledConstant>,
    /// For a run that sets IGNORECASE.
    folded: OnceLock<Vec<CompiledConstant>>,
    pub(super) escapes: UnknownEscapes,
}

/// A string may be invalid: an error when used.
pub(super) enum CompiledConstant {
    Valid(Arc<CompiledRegex>),
    Invalid { pattern: Box<[u8]>, error: PatternError },
}

impl CompiledPatterns {
    /// Compiles the constant patterns of a program.
    ///
    /// # Errors
    /// An invalid pattern between slashes.
    pub fn new(program: &Program, unit: Unit) -> Result<CompiledPatterns, InvalidConstant> {
        let options = Options {
            bytes: unit == Unit::Byte,
            posix: !program.dialect.has_extensions(),
            strict: program.dialect == Dialect::Posix,
            ..Options::default()
        };
        let exact = constants(program, &options)?;
        let (folded, escapes) = (OnceLock::new(), UnknownEscapes::of(program));
        Ok(CompiledPatterns { options, unit, exact, folded, escapes })
    }

    /// The constants that are bytes at an edge, unless IGNORECASE is set.
    #[must_use]
    pub fn edges(&self) -> Vec<Option<EdgeBytes>> {
        self.exact.iter().map(CompiledConstant::edge_bytes).collect()
    }

    pub(super) fn constants(&self, ignore_case: bool) -> &[CompiledConstant] {
        if ignore_case { self.folded.get_or_init(|| self.fold()) } else { &self.exact }
    }

    fn fold(&self) -> Vec<CompiledConstant> {
        let options = Options { ignore_case: true, ..self.options };
        let patterns = self.exact.iter().map(CompiledConstant::pattern);
        patterns.map(|pattern| CompiledConstant::of(pattern, &options)).collect()
    }
}

fn constants(
    program: &Program,
    options: &Options,
) -> Result<Vec<CompiledConstant>, InvalidConstant> {
    let mut constants = Vec::with_capacity(program.regexes.len());
    for &RegexConstant { ref pattern, spelling, span } in &program.regexes {
        match CompiledConstant::of(pattern, options) {
            CompiledConstant::Invalid { error, .. } if spelling != RegexSpelling::Text => {
                return Err(InvalidConstant { error, span, spelling });
            }
            compiled => constants.push(compiled),
        }
    }
    Ok(constants)
}

impl CompiledConstant {
    fn of(pattern: &[u8], options: &Options) -> CompiledConstant {
        match CompiledRegex::new(pattern, options) {
            Ok(regex) => CompiledConstant::Valid(Arc::new(regex)),
            Err(error) => CompiledConstant::Invalid {
                pattern: pattern.into(),
                error: PatternError::new(pattern, &error),
            },
        }
    }

    fn pattern(&self) -> &[u8] {
        match self {
            CompiledConstant::Valid(regex) => regex.pattern(),
            CompiledConstant::Invalid { pattern, .. } => pattern,
        }
    }

    fn edge_bytes(&self) -> Option<EdgeBytes> {
        match self {
            CompiledConstant::Valid(regex) => regex.edge_bytes(),
            CompiledConstant::Invalid { .. } => None,
        }
    }

    pub(super) fn is_literal(&self) -> bool {
        matches!(self, CompiledConstant::Valid(regex) if regex.literal().is_some())
    }
}
