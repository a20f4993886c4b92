//! The formatter: prints a program in gawk's layout, with its comments.
//!
//! The output has the same tree as the input: parentheses, constants and names stay as written.
//! Unlike gawk's printer it does not move functions to the end, or write `{ print }` after a
//! pattern without an action.
//!
//! A comment stays after the statement on whose line it ends, otherwise before what follows.
//! An included file is printed in place and its directive becomes a comment, as in gawk; or the
//! directive stays ([`Includes`]).

mod expressions;
mod items;
mod notes;
mod statements;
mod wrap;

use crate::ast::{FunctionDefinition, Program, Rule, RulePattern, Span};
use crate::source::SourceMap;
use crate::visit::Visit;
use notes::Notes;
use wrap::Break;

/// How a program is laid out.
#[derive(Default)]
pub struct Layout<'a> {
    /// Keep one empty line between statements.
    pub keep_blank_lines: bool,
    /// What becomes of `@include`.
    pub includes: Includes,
    /// Break longer lines where awk allows it, in columns; a tab has eight.
    pub width: Option<usize>,
    /// Print only the piece with this number.
    pub only: Option<usize>,
    /// The count of each place for the margin of a profile. Without it there is no margin.
    pub counts: Option<&'a dyn Fn(Visit) -> u64>,
}

/// How included files are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Includes {
    /// In place of the directive, which becomes a comment.
    #[default]
    Print,
    /// Not at all; the directive stays.
    Leave,
}

/// Prints a program, with a newline at the end unless it is empty. `source` is the text of
/// `program`.
///
/// ```
/// use riverhawk_syntax::{format::{Layout, format}, parse, source::SourceMap};
///
/// let mut source = SourceMap::new();
/// source.add("x.awk", b"NR>1{n+=$2 # cents\nif(n)print n}".to_vec()).unwrap();
/// let program = parse(&source).program.unwrap();
/// let text = format(&program, &source, &Layout::default());
/// assert_eq!(
///     String::from_utf8(text).unwrap(),
///     "NR > 1 {\n\tn += $2\t# cents\n\tif (n) {\n\t\tprint n\n\t}\n}\n"
/// );
/// ```
pub fn format(program: &Program, source: &SourceMap, layout: &Layout<'_>) -> Vec<u8> {
    let mut printer = Printer {
        program,
        source,
        layout,
        notes: Notes::new(program),
        out: Vec::new(),
        level: 0,
        written_to: 0,
        namespace: DEFAULT_NAMESPACE,
        breaks: Vec::new(),
        depth: 0,
    };
    printer.pieces();
    match layout.width {
        Some(width) => wrap::wrapped(&printer.out, &printer.breaks, width),
        None => printer.out,
    }
}

const DEFAULT_NAMESPACE: &str = "awk";

struct Printer<'a> {
    program: &'a Program,
    source: &'a SourceMap,
    layout: &'a Layout<'a>,
    notes: Notes,
    out: Vec<u8>,
    level: usize,
    written_to: u32,
    /// The current namespace of plain names.
    namespace: &'a str,
    /// Where a line may be broken.
    breaks: Vec<Break>,
    /// How many brackets are open.
    depth: usize,
}

impl<'a> Printer<'a> {
    fn rule(&mut self, number: usize, rule: &'a Rule) {
        self.hoist(rule);
        self.margin(Some(Visit::Rule(number as u32)));
        match rule.pattern {
            RulePattern::Always => {}
            RulePattern::Expr(pattern) => self.expr(pattern),
            RulePattern::Range(first, last) => {
                self.expr(first);
                self.text(", ");
                self.expr(last);
            }
        }
        let always = matches!(rule.pattern, RulePattern::Always);
        let matched = self.count(Visit::Match(number as u32)).filter(|_| !always);
        match &rule.action {
            None => self.times(matched),
            Some(body) => {
                self.text(if always { "{" } else { " {" });
                self.times(matched);
                self.body(body, rule.span);
            }
        }
    }

    /// Moves comments inside a pattern before it.
    fn hoist(&mut self, rule: &Rule) {
        let pattern_end = match rule.pattern {
            RulePattern::Always => return,
            RulePattern::Expr(pattern) | RulePattern::Range(_, pattern) => {
                self.program[pattern].span.end
            }
        };
        self.comments_before(pattern_end);
    }

    fn function(&mut self, number: usize, function: &'a FunctionDefinition) {
        // The source has the names as written; those of the tree include the namespace.
        let written = function.params.iter().filter(|param| !param.name.is_empty());
        let params: Vec<&[u8]> = written.map(|param| self.source.slice(param.span)).collect();
        self.margin(Some(Visit::Function(crate::ast::FunctionId(number as u32))));
        self.text("function ");
        self.slice(function.name_span);
        self.text("(");
        self.out.extend_from_slice(&params.join(&b", "[..]));
        self.text(")\n");
        self.margin(None);
        self.text("{");
        self.body(&function.body, function.span);
    }

    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn slice(&mut self, span: Span) {
        let text = self.source.slice(span);
        self.out.extend_from_slice(text);
    }

    fn count(&self, place: Visit) -> Option<u64> {
        let count = self.layout.counts?(place);
        (count > 0).then_some(count)
    }

    fn times(&mut self, times: Option<u64>) {
        if let Some(times) = times {
            self.text(&format!(" # {times}"));
        }
    }

    fn margin(&mut self, place: Option<Visit>) {
        self.margin_of(place.and_then(|place| self.count(place)));
    }

    fn margin_of(&mut self, count: Option<u64>) {
        let tabs = match (self.layout.counts.is_some(), count) {
            (false, _) => self.level,
            (true, None) => self.level + 1,
            (true, Some(count)) => {
                self.text(&format!("{count:6}  "));
                self.level
            }
        };
        self.out.extend(std::iter::repeat_n(b'\t', tabs.min(64)));
    }
}
