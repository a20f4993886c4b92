//! The formatter: a program in one layout, gawk's, with its comments.
//!
//! What is printed has the tree of what was read: no parenthesis is added or dropped, and constants, strings and names stand as they
//! were written. Bodies get braces, statements lines of their own. Where gawk's printer does otherwise (it moves functions to
//! the end, writes `{ print }` behind a lone pattern, and parentheses where it likes), the program is kept instead.
//!
//! A comment stays behind the statement on whose line it ends, or before what follows it.

mod expressions;
mod notes;
mod statements;

use crate::ast::{Action, Function, Pattern, Program, Rule, Span};
use crate::source::SourceMap;
use crate::visit::Visit;
use notes::Notes;

/// How a program is laid out.
#[derive(Default)]
pub struct Layout<'a> {
    /// One empty line between statements stays; otherwise bodies have none.
    pub keep_blank_lines: bool,
    /// How often a place was come by, for the margin of a profile; without it there is no margin.
    pub counts: Option<&'a dyn Fn(Visit) -> u64>,
}

/// A program as text in one layout, ending with a newline unless it is empty. `source` is what `program` was parsed from.
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
        notes: Notes::new(program, source),
        out: Vec::new(),
        level: 0,
        written_to: 0,
    };
    printer.items();
    printer.out
}

/// Something at the top level.
#[derive(Clone, Copy)]
enum Item<'a> {
    /// BEGIN, END and those for files.
    Special(&'static str, &'a Action),
    Rule(usize, &'a Rule),
    Function(usize, &'a Function),
}

impl Item<'_> {
    fn span(self) -> Span {
        match self {
            Item::Special(_, action) => action.span,
            Item::Rule(_, rule) => rule.span,
            Item::Function(_, function) => function.span,
        }
    }
}

/// The state of printing.
struct Printer<'a> {
    program: &'a Program,
    source: &'a SourceMap,
    layout: &'a Layout<'a>,
    notes: Notes<'a>,
    out: Vec<u8>,
    /// Levels of indentation.
    level: usize,
    /// Up to where the text has been printed.
    written_to: u32,
}

impl<'a> Printer<'a> {
    fn items(&mut self) {
        let program = self.program;
        let special = |keyword, actions: &'a [Action]| actions.iter().map(move |action| Item::Special(keyword, action));
        let begin = special("BEGIN", &program.begin).chain(special("BEGINFILE", &program.begin_file));
        let rules = program.rules.iter().enumerate().map(|(number, rule)| Item::Rule(number, rule));
        let end = special("END", &program.end).chain(special("ENDFILE", &program.end_file));
        let functions =
            program.functions.iter().enumerate().filter(|(_, function)| function.defined && !function.builtin);
        let functions = functions.map(|(number, function)| Item::Function(number, function));
        let mut items: Vec<Item<'a>> = begin.chain(rules).chain(end).chain(functions).collect();
        items.sort_by_key(|item| item.span().start);
        for item in items {
            let span = item.span();
            if !self.out.is_empty() {
                self.text("\n");
            }
            self.between(self.written_to, span.start);
            self.item(item);
            self.written_to = self.written_to.max(span.end);
            self.behind(span.end, u32::MAX);
            self.text("\n");
        }
        let end = self.source.pieces().last().map_or(0, |last| last.base + last.text.len() as u32);
        self.between(self.written_to, end);
    }

    /// What stands between items: comments, and the directives that begin with `@`, a line each.
    fn between(&mut self, from: u32, to: u32) {
        let (source, mut from) = (self.source, from);
        let mut pieces: Vec<(u32, u32)> = Vec::new();
        while let Some(note) = self.notes.next_before(to) {
            pieces.extend([(from, note.start), (note.start, note.end)]);
            from = from.max(note.end);
        }
        pieces.push((from, to));
        let mut wrote = false;
        for (start, end) in pieces {
            let text = source.slice(Span { start, end: end.max(start) });
            if wrote && notes::has_empty_line(text) {
                self.text("\n");
            }
            for line in text.split(|&byte| byte == b'\n') {
                let line = line.trim_ascii();
                let line = line.strip_suffix(b";").unwrap_or(line).trim_ascii_end();
                if !line.is_empty() {
                    self.margin(None);
                    self.out.extend_from_slice(line);
                    self.text("\n");
                    wrote = true;
                }
            }
        }
    }

    fn item(&mut self, item: Item<'a>) {
        match item {
            Item::Special(keyword, action) => {
                self.margin(None);
                self.text(keyword);
                self.text(" {");
                self.body(&action.body, action.span);
            }
            Item::Rule(number, rule) => self.rule(number, rule),
            Item::Function(number, function) => self.function(number, function),
        }
    }

    fn rule(&mut self, number: usize, rule: &'a Rule) {
        self.hoist(rule);
        self.margin(Some(Visit::Rule(number as u32)));
        match rule.pattern {
            Pattern::Always => {}
            Pattern::Expr(pattern) => self.expr(pattern),
            Pattern::Range(first, last) => {
                self.expr(first);
                self.text(", ");
                self.expr(last);
            }
        }
        let always = matches!(rule.pattern, Pattern::Always);
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

    /// Comments inside a pattern come before it.
    fn hoist(&mut self, rule: &Rule) {
        let pattern_end = match rule.pattern {
            Pattern::Always => return,
            Pattern::Expr(pattern) | Pattern::Range(_, pattern) => self.program[pattern].span.end,
        };
        self.comments_before(pattern_end);
    }

    fn function(&mut self, number: usize, function: &'a Function) {
        // As the source has them: in a namespace their names are longer.
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

    // Text.

    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// The source's own text.
    fn slice(&mut self, span: Span) {
        let text = self.source.slice(span);
        self.out.extend_from_slice(text);
    }

    /// How often a place was come by, in a profile and if it was.
    fn count(&self, place: Visit) -> Option<u64> {
        let count = self.layout.counts?(place);
        (count > 0).then_some(count)
    }

    /// ` # 3` behind the brace of what was chosen so often.
    fn times(&mut self, times: Option<u64>) {
        if let Some(times) = times {
            self.text(&format!(" # {times}"));
        }
    }

    /// The start of a line: the margin of a profile, and the indentation.
    fn margin(&mut self, place: Option<Visit>) {
        let tabs = match (self.layout.counts.is_some(), place.and_then(|place| self.count(place))) {
            (false, _) => self.level,
            (true, None) => self.level + 1,
            (true, Some(count)) => {
                self.text(&format!("{count:6}  "));
                self.level
            }
        };
        // Deeper statements are all indented alike, or the text of a deep tree would be quadratic in size.
        self.out.extend(std::iter::repeat_n(b'\t', tabs.min(64)));
    }
}
