//! Program text that does not compile.

use riverhawk_syntax::diagnostic::Diagnostic;
use riverhawk_syntax::source::SourceMap;

/// Program text that does not compile.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The text.
    pub sources: SourceMap,
    /// Everything found, at least one of them an error.
    pub diagnostics: Vec<Diagnostic>,
    /// The exit status: 1 for syntax errors, 2 when gawk calls all of them fatal.
    pub status: u8,
}
