//! `--lint`: doubtful constructs, extensions, and what other awks do differently, as far as the
//! text shows it. Messages are gawk's.
//!
//! What only a run shows, such as the use of variables without a value, is reported by the virtual
//! machine.

mod allow;
mod certain;
mod escapes;
mod extensions;
mod fix;
mod portable;
mod portable_use;
mod suspicious;
mod wording;

pub use allow::Allowances;
pub use escapes::{unknown_escape_message, unknown_escapes};
pub use fix::{Fixed, apply_safe};
pub use portable::{FEATURES, Feature};

use crate::ast::{ExprId, Program, Span};
use crate::diagnostic::{Diagnostic, Fix};
use crate::source::SourceMap;

/// What to look for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lint {
    /// Doubtful constructs, as found by `--lint`.
    pub suspicious: bool,
    /// gawk's extensions, unless `--lint=no-ext`.
    pub extensions: bool,
    /// What other awks lack, naming them (`--lint=portable`).
    pub portable: bool,
    /// What the awk of 1979 lacked (`--lint-old`).
    pub old: bool,
}

/// The findings about a program, in the order of its text.
///
/// ```
/// use riverhawk_syntax::{lint::{Lint, lint}, parse, source::SourceMap};
///
/// let mut source = SourceMap::new();
/// source.add("x.awk", b"{ if (x = 1) print }".to_vec()).unwrap();
/// let program = parse(&source).program.unwrap();
/// let all = Lint { suspicious: true, extensions: true, portable: false, old: false };
/// assert_eq!(lint(&program, &source, all)[0].message, "assignment used in conditional context");
/// ```
pub fn lint(program: &Program, source: &SourceMap, wanted: Lint) -> Vec<Diagnostic> {
    let mut linter = Linter { program, source, found: Vec::new() };
    if wanted.suspicious {
        linter.suspicious();
        linter.wording();
    }
    if wanted.extensions {
        linter.extensions();
        linter.words_of_gawk();
    }
    if wanted.portable {
        linter.portable();
        linter.portable_use();
    }
    if wanted.old {
        linter.old();
        linter.old_wording();
    }
    linter.finish()
}

/// Warnings that need no option, as in gawk: meaningless escapes in regular expressions.
pub fn always(program: &Program, source: &SourceMap) -> Vec<Diagnostic> {
    let mut linter = Linter { program, source, found: Vec::new() };
    linter.regexp_escapes();
    linter.finish()
}

/// Certain mistakes that gawk accepts. Reported unless warnings are off.
pub fn certain(program: &Program, source: &SourceMap) -> Vec<Diagnostic> {
    let mut linter = Linter { program, source, found: Vec::new() };
    linter.certain();
    linter.finish()
}

struct Linter<'a> {
    program: &'a Program,
    source: &'a SourceMap,
    found: Vec<Diagnostic>,
}

impl Lint {
    /// Everything that there is.
    pub const ALL: Lint = Lint { suspicious: true, extensions: true, portable: true, old: true };
}

/// All findings of [`always`], [`certain`] and [`lint`], each once, without those in the library
/// and those that comments allow. This is what an editor shows.
pub fn check(program: &Program, source: &SourceMap, wanted: Lint) -> Vec<Diagnostic> {
    let mut found = always(program, source);
    found.extend(certain(program, source));
    found.extend(lint(program, source, wanted));
    found.sort_by_key(|found| found.span.start);
    found.dedup_by(|a, b| a.message == b.message && a.span == b.span);
    found.retain(|found| !source.is_in_library(found.span));
    Allowances::of(program, source).retain(&mut found);
    found
}

impl<'a> Linter<'a> {
    fn finish(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(|found| found.span.start);
        self.found.dedup();
        self.found
    }

    fn warn(&mut self, span: Span, message: impl Into<String>, label: impl Into<Box<str>>) {
        self.found.push(Diagnostic::error(span, message, label).warning());
    }

    fn warn_with(&mut self, span: Span, message: impl Into<String>, label: &str, fix: Fix) {
        self.found.push(Diagnostic::error(span, message, label).warning().with_fix(fix));
    }

    /// The expressions in the text, without those that the resolver added.
    fn exprs(&self) -> impl Iterator<Item = (ExprId, &'a crate::ast::Expr)> + use<'a> {
        let in_text = self.program.exprs.len() - self.program.synthesized;
        let exprs = self.program.exprs.iter().enumerate().take(in_text);
        exprs.map(|(at, expr)| (ExprId(at as u32), expr))
    }

    fn text(&self, span: Span) -> &'a [u8] {
        self.source.slice(span)
    }
}
