//! The top level: rules, functions and directives, in the order of the text.

use super::{DEFAULT_NAMESPACE, Includes, Printer};
use crate::ast::{Directive, DirectiveKind, FunctionDefinition, Rule, RuleAction, Span};

/// What is printed at the top level. `@load` and `@namespace` are printed as lines, with the
/// comments.
#[derive(Clone, Copy)]
enum Item<'a> {
    Special(&'static str, &'a RuleAction),
    Rule(usize, &'a Rule),
    Function(usize, &'a FunctionDefinition),
    /// A file printed in place of its directive, with its piece the first time.
    Include(Span, Option<usize>),
}

impl Item<'_> {
    fn span(self) -> Span {
        match self {
            Item::Special(_, action) => action.span,
            Item::Rule(_, rule) => rule.span,
            Item::Function(_, function) => function.span,
            Item::Include(span, _) => span,
        }
    }
}

struct Reading<'a> {
    items: std::vec::IntoIter<Item<'a>>,
    end: u32,
    written_to: u32,
}

impl<'a> Printer<'a> {
    pub(super) fn pieces(&mut self) {
        let mut items = self.items();
        let source = self.source;
        for (number, piece) in source.pieces().iter().enumerate() {
            if piece.included || self.layout.only.is_some_and(|only| only != number) {
                continue;
            }
            let mut including: Vec<Reading<'a>> = vec![self.begin_piece(number, &mut items)];
            while let Some(mut reading) = including.pop() {
                self.go_to(reading.written_to);
                let Some(item) = reading.items.next() else {
                    self.between(self.written_to, reading.end, false);
                    continue;
                };
                let entered = self.whole_item(item, reading.end);
                reading.written_to = self.written_to;
                including.push(reading);
                if let Some(entered) = entered {
                    including.push(self.begin_piece(entered, &mut items));
                }
            }
        }
    }

    fn items(&self) -> Vec<Vec<Item<'a>>> {
        let program = self.program;
        let special = |keyword, actions: &'a [RuleAction]| {
            actions.iter().map(move |action| Item::Special(keyword, action))
        };
        let begin =
            special("BEGIN", &program.begin).chain(special("BEGINFILE", &program.begin_file));
        let rules = program.rules.iter().enumerate().map(|(number, rule)| Item::Rule(number, rule));
        let end = special("END", &program.end).chain(special("ENDFILE", &program.end_file));
        let functions = program
            .functions
            .iter()
            .enumerate()
            .filter(|(_, function)| function.defined && !function.builtin);
        let functions = functions.map(|(number, function)| Item::Function(number, function));
        let prints_files = self.layout.includes == Includes::Print;
        let includes = program.directives.iter().filter_map(|directive| match directive.kind {
            DirectiveKind::Include(piece) if prints_files => {
                Some(Item::Include(directive.span, piece))
            }
            _ => None,
        });
        let mut items: Vec<Item<'a>> =
            begin.chain(rules).chain(end).chain(functions).chain(includes).collect();
        items.sort_by_key(|item| item.span().start);
        let mut by_piece: Vec<Vec<Item<'a>>> =
            self.source.pieces().iter().map(|_| Vec::new()).collect();
        for item in items {
            let after =
                self.source.pieces().partition_point(|piece| piece.base <= item.span().start);
            if let Some(of_piece) = after.checked_sub(1).and_then(|at| by_piece.get_mut(at)) {
                of_piece.push(item);
            }
        }
        by_piece
    }

    fn begin_piece(&mut self, number: usize, items: &mut [Vec<Item<'a>>]) -> Reading<'a> {
        let piece = &self.source.pieces()[number];
        Reading {
            items: std::mem::take(&mut items[number]).into_iter(),
            end: piece.base + piece.text.len() as u32,
            written_to: piece.base,
        }
    }

    fn go_to(&mut self, offset: u32) {
        self.written_to = offset;
        self.notes.go_to(offset);
    }

    /// Prints an item and what precedes it, in a piece that ends at `end`. Returns the piece to
    /// print next, if the item includes one.
    fn whole_item(&mut self, item: Item<'a>, end: u32) -> Option<usize> {
        let span = item.span();
        // Consecutive directives stay together.
        let is_next =
            matches!(item, Item::Include(..)) && self.last_line().starts_with(INCLUDED.as_bytes());
        if !(self.out.is_empty() || is_next) {
            self.text("\n");
        }
        self.between(self.written_to, span.start, true);
        if !matches!(item, Item::Include(..)) {
            self.restore_namespace(span.start);
        }
        self.item(item);
        self.written_to = self.written_to.max(span.end);
        self.behind(span.end, end);
        self.text("\n");
        match item {
            Item::Include(_, piece) => piece,
            _ => None,
        }
    }

    fn last_line(&self) -> &[u8] {
        let line = self.out.strip_suffix(b"\n").unwrap_or(&self.out);
        let start = line.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        line[start..].trim_ascii_start()
    }

    /// Prints comments and directives between items. One empty line is kept if something follows;
    /// as in gawk, one follows each `@namespace`.
    fn between(&mut self, from: u32, to: u32, follows: bool) {
        if let Some(namespace) = self.namespace_among(from, to) {
            self.namespace = namespace;
        }
        let (mut from, mut wrote, mut gap) = (from, false, false);
        loop {
            let note = self.notes.next_before(to);
            let mut start = from;
            let text = self
                .source
                .slice(Span { start, end: note.map_or(to, |note| note.start).max(start) });
            let mut lines = text.split(|&byte| byte == b'\n').peekable();
            while let Some(line) = lines.next() {
                let end = start + line.len() as u32;
                let comment = note.filter(|_| lines.peek().is_none());
                let directive = line.trim_ascii();
                let directive = directive.strip_suffix(b";").unwrap_or(directive).trim_ascii_end();
                if !directive.is_empty() || comment.is_some() {
                    if wrote && gap {
                        self.text("\n");
                    }
                    self.line_between(directive, comment);
                    (wrote, gap) = (true, self.namespace_ends_in(start, end));
                } else {
                    // The rest of a line that ends an item is not an empty line.
                    gap |= start > from && lines.peek().is_some();
                }
                start = end + 1;
            }
            let Some(note) = note else { break };
            from = from.max(note.end);
        }
        if wrote && gap && follows {
            self.text("\n");
        }
    }

    fn line_between(&mut self, directive: &[u8], comment: Option<Span>) {
        self.margin(None);
        self.out.extend_from_slice(directive);
        if let Some(comment) = comment {
            self.text(if directive.is_empty() { "" } else { "\t" });
            self.comment(comment);
        }
        self.text("\n");
    }

    fn namespace_ends_in(&self, from: u32, to: u32) -> bool {
        let is_there = |directive: &Directive| (from..=to).contains(&directive.span.end);
        let is_namespace =
            |directive: &&Directive| matches!(directive.kind, DirectiveKind::Namespace(_));
        self.program.directives.iter().filter(is_namespace).any(is_there)
    }

    fn namespace_among(&self, from: u32, to: u32) -> Option<&'a str> {
        let program = self.program;
        let before = |directive: &&Directive| (from..to).contains(&directive.span.start);
        let last =
            program.directives.iter().filter(before).filter_map(|directive| {
                match &directive.kind {
                    DirectiveKind::Namespace(name) => Some((directive.span.start, name.as_str())),
                    _ => None,
                }
            });
        last.max_by_key(|(start, _)| *start).map(|(_, name)| name)
    }

    fn restore_namespace(&mut self, offset: u32) {
        let base = self.source.piece_at(offset).map_or(0, |piece| piece.base);
        let namespace = self.namespace_among(base, offset).unwrap_or(DEFAULT_NAMESPACE);
        if namespace != self.namespace {
            self.margin(None);
            self.text(&format!("@namespace \"{namespace}\"\n\n"));
            self.namespace = namespace;
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
            Item::Include(span, _) => {
                self.margin(None);
                // A directive continued over two lines becomes one comment.
                let lines = self.source.slice(span).split(|&byte| byte == b'\n');
                let words: Vec<&[u8]> = lines
                    .map(|line| line.strip_suffix(b"\\").unwrap_or(line).trim_ascii())
                    .collect();
                self.text("# ");
                self.out.extend_from_slice(&words.join(&b' '));
            }
        }
    }
}

const INCLUDED: &str = "# @include";
