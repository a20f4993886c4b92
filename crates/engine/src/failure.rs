//! Failed compilation.

use riverhawk_syntax::diagnostic::Diagnostic;
use riverhawk_syntax::source::SourceMap;

/// A program that does not compile.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its text.
    pub sources: SourceMap,
    /// All findings, at least one of them an error.
    pub diagnostics: Vec<Diagnostic>,
    /// The exit status: 1 for syntax errors, 2 if gawk calls all of them fatal.
    pub status: u8,
}
