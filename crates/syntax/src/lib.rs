//! The awk language, from text to a resolved tree: lexer, parser, resolver, diagnostics, and a
//! printer of trees.
//!
//! Nothing here reads files, runs programs or draws messages. The grammar is gawk's with all its
//! oddities, so that programs keep their meaning.
//!
//! A [`source::SourceMap`] holds the pieces of a program's text. [`parse`] turns it into a
//! [`Parsed`], with either an [`ast::Program`] or [`diagnostic::Diagnostic`]s, and [`dump`](dump())
//! prints a tree.
//!
//! ```
//! use riverhawk_syntax::{dump, parse, source::SourceMap};
//!
//! let mut source = SourceMap::new();
//! source.add("cmd. line", b"{ print $1 - -1 }".to_vec()).unwrap();
//! let parsed = parse(&source);
//! assert!(dump(&parsed.program.unwrap()).contains("(- ($ 1) (neg 1))"));
//!
//! let mut source = SourceMap::new();
//! source.add("cmd. line", b"{ print (1 }".to_vec()).unwrap();
//! let parsed = parse(&source);
//! assert!(parsed.program.is_none());
//! assert_eq!(parsed.diagnostics[0].message, "expected `)`, found `}`");
//! ```
#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

pub mod ast;
pub mod code;
mod columns;
pub mod diagnostic;
mod dialect;
mod dump;
pub mod extension;
pub mod format;
pub mod host;
mod lexer;
pub mod library;
pub mod lint;
mod parser;
mod recursion;
mod resolve;
pub mod source;
mod suggest;
mod token;
mod translatable;
mod visit;
mod words;
pub mod written;

use ast::Program;
use diagnostic::{Diagnostic, Severity};
use host::HostDeclaration;
use source::SourceMap;

pub use columns::{Cell, ColumnUses, Printed};
pub use dialect::Dialect;
pub use dump::dump;
pub use recursion::deep;
pub use suggest::nearest;
pub use translatable::translatable;
pub use visit::Visit;
pub use words::{has_namespace, is_reserved, is_variable_name, keywords};

/// What [`parse`] found.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The program; `None` after an error.
    pub program: Option<Program>,
    /// Errors (at most [`MAX_ERRORS`]) and warnings in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Included files that are not in the source map. Each is also an error.
    pub wanted: Vec<Wanted>,
}

/// A file that a program includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its name in the program.
    pub name: Vec<u8>,
    /// The position.
    pub span: ast::Span,
}

impl Parsed {
    /// gawk's exit status: 1 for a syntax error, 2 if all errors are fatal in gawk's sense, 0
    /// without errors.
    pub fn exit_status(&self) -> u8 {
        let errors = || self.diagnostics.iter().filter(|found| found.severity == Severity::Error);
        match errors().next() {
            None => 0,
            Some(_) if errors().all(|error| error.fatal) => 2,
            Some(_) => 1,
        }
    }
}

/// Parsing ends after this many errors: more would hide the first.
pub const MAX_ERRORS: usize = 20;

/// Parses a program and resolves its names.
pub fn parse(source: &SourceMap) -> Parsed {
    parse_as(source, Dialect::Gawk)
}

/// As [`parse`], in a dialect.
pub fn parse_as(source: &SourceMap, dialect: Dialect) -> Parsed {
    parse_with(source, dialect, &[])
}

/// As [`parse_as`], for a program that may call these host functions.
pub fn parse_with(
    source: &SourceMap,
    dialect: Dialect,
    host_functions: &[HostDeclaration],
) -> Parsed {
    let parser = parser::Parser::new(source, dialect, host_functions);
    let (program, diagnostics, wanted) = parser.program();
    let diagnostics = first_errors(diagnostics);
    let failed = diagnostics.iter().any(|found| found.severity == Severity::Error);
    Parsed { program: (!failed).then_some(program), diagnostics, wanted }
}

/// As [`parse`], for editors: there is a program even after errors, without the statements and
/// rules that have one. It must not be compiled.
///
/// ```
/// use riverhawk_syntax::{parse_partly, source::SourceMap};
///
/// let mut source = SourceMap::new();
/// source.add("x.awk", b"function f(a) { return a + }\nBEGIN { f(1) }".to_vec()).unwrap();
/// let parsed = parse_partly(&source);
/// assert_eq!(parsed.diagnostics.len(), 1);
/// assert_eq!(parsed.program.unwrap().functions[0].params[0].name, "a");
/// ```
pub fn parse_partly(source: &SourceMap) -> Parsed {
    let parser = parser::Parser::new(source, Dialect::Gawk, &[]);
    let (program, diagnostics, wanted) = parser.partial_program();
    Parsed { program: Some(program), diagnostics: first_errors(diagnostics), wanted }
}

fn first_errors(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|found| found.span.start);
    let mut errors = 0;
    diagnostics.retain(|found| {
        errors += usize::from(found.severity == Severity::Error);
        found.severity != Severity::Error || errors <= MAX_ERRORS
    });
    diagnostics
}
