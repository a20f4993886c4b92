//! Places for the counts of a run.

use super::{BranchPlace, Coverage, FileCoverage, FunctionPlace, Stretch};
use crate::hash::fnv_1a;
use riverhawk_syntax::Visit;
use riverhawk_syntax::ast::{ExprId, ExprKind, Program, RulePattern, Span, StmtId, StmtKind};
use riverhawk_syntax::source::{SourceMap, SourcePiece};
use std::collections::HashSet;

/// The coverage of a program by the counts of its visits. What is in the library and in functions
/// named `test_...` is left out.
pub fn gather(program: &Program, sources: &SourceMap, count: impl Fn(Visit) -> u64) -> Coverage {
    let mut gathered = Gathered { program, sources, coverage: Coverage::default() };
    gathered.functions(&count);
    gathered.rules(&count);
    gathered.statements(&count);
    gathered.conditions(&count);
    gathered.coverage
}

/// The first number of the branches of a statement or a pattern.
const WHOLE: usize = 0;
/// Of what a `?:` asks, which may begin at the same place.
const CHOICE: usize = 2;
/// Of an operand, likewise.
const OPERAND: usize = 4;

struct Gathered<'p> {
    program: &'p Program,
    sources: &'p SourceMap,
    coverage: Coverage,
}

/// The first line of what a case or a rule begins with, for people.
const LONGEST_MEANING: usize = 40;

impl<'p> Gathered<'p> {
    fn piece(&self, span: Span) -> Option<&'p SourcePiece> {
        let piece = self.sources.piece_at(span.start)?;
        let is_own = span != Span::default() && !piece.is_library && !piece.is_option;
        (is_own && !self.is_in_test(span)).then_some(piece)
    }

    fn is_in_test(&self, span: Span) -> bool {
        self.program.functions.iter().any(|function| {
            let name = function.name.rsplit("::").next().unwrap_or_default();
            name.starts_with("test_")
                && function.defined
                && (function.span.start..function.span.end).contains(&span.start)
        })
    }

    fn file(&mut self, piece: &SourcePiece) -> &mut FileCoverage {
        let name = piece.name.strip_prefix("./").unwrap_or(&piece.name);
        self.coverage.files.entry(name.to_owned()).or_insert_with(|| FileCoverage {
            text: Some(piece.text.clone()),
            hash: fnv_1a(&piece.text),
            ..FileCoverage::default()
        })
    }

    fn line(&self, span: Span) -> usize {
        self.sources.locate(span).map_or(0, |at| at.line)
    }

    fn functions(&mut self, count: &impl Fn(Visit) -> u64) {
        for (number, function) in (0..).zip(&self.program.functions) {
            if !function.defined || function.builtin {
                continue;
            }
            let Some(piece) = self.piece(function.name_span) else { continue };
            let line = self.line(function.name_span);
            let place = FunctionPlace { line, name: function.name.clone() };
            let entered = count(Visit::Function(riverhawk_syntax::ast::FunctionId(number)));
            self.file(piece).functions.insert(place, entered);
        }
    }

    /// A pattern is a statement with two branches.
    fn rules(&mut self, count: &impl Fn(Visit) -> u64) {
        let program = self.program;
        for (number, rule) in (0..).zip(&program.rules) {
            let span = match rule.pattern {
                RulePattern::Always => continue,
                RulePattern::Expr(pattern) => program[pattern].span,
                RulePattern::Range(first, last) => {
                    Span { start: program[first].span.start, end: program[last].span.end }
                }
            };
            let (tested, matched) = (count(Visit::Rule(number)), count(Visit::Match(number)));
            self.statement(span, span, tested);
            let others = tested.saturating_sub(matched);
            self.branches(span, WHOLE, [("match", matched), ("no match", others)]);
        }
    }

    fn statements(&mut self, count: &impl Fn(Visit) -> u64) {
        let program = self.program;
        let parts: HashSet<StmtId> = program
            .stmts
            .iter()
            .filter_map(|stmt| match stmt.kind {
                StmtKind::For { init, step, .. } => Some([init, step]),
                _ => None,
            })
            .flatten()
            .flatten()
            .collect();
        for number in 0..program.stmts.len() {
            let id = StmtId(number as u32);
            let stmt = &program[id];
            // The parts of a `for` are in its own stretch.
            if matches!(stmt.kind, StmtKind::Block(_)) || parts.contains(&id) {
                continue;
            }
            let ran = count(Visit::Statement(id));
            self.statement(stmt.span, self.head(id), ran);
            match &stmt.kind {
                StmtKind::If { .. } => {
                    let then = count(Visit::Then(id));
                    let others = ran.saturating_sub(then);
                    self.branches(stmt.span, WHOLE, [("then", then), ("else", others)]);
                }
                StmtKind::While { .. } | StmtKind::For { .. } | StmtKind::ForIn { .. } => {
                    self.branches(stmt.span, WHOLE, [("body", count(Visit::Turn(id)))]);
                }
                StmtKind::Switch { cases, .. } => {
                    for (number, case) in (0..).zip(cases) {
                        let label = self.label(case.span);
                        self.branches(
                            case.span,
                            WHOLE,
                            [(&*label, count(Visit::Case(id, number)))],
                        );
                    }
                }
                _ => {}
            }
        }
    }

    /// Conditions inside expressions, which have two branches each.
    fn conditions(&mut self, count: &impl Fn(Visit) -> u64) {
        let program = self.program;
        for expr in &program.exprs {
            match expr.kind {
                ExprKind::Cond { cond, .. } => self.condition(cond, CHOICE, count),
                ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                    let counts = |&id: &ExprId| !program.is_compound(id) && !self.is_constant(id);
                    for operand in [a, b].into_iter().filter(counts).collect::<Vec<_>>() {
                        self.condition(operand, OPERAND, count);
                    }
                }
                _ => {}
            }
        }
    }

    /// It cannot come out both ways.
    fn is_constant(&self, id: ExprId) -> bool {
        let kind = &self.program[self.program.peel(id)].kind;
        matches!(kind, ExprKind::Number(_) | ExprKind::String(_))
    }

    fn condition(&mut self, id: ExprId, first: usize, count: &impl Fn(Visit) -> u64) {
        let span = self.program[id].span;
        let label = self.shown(span);
        let [held, failed] = ["true", "false"].map(|outcome| format!("{outcome}: {label}"));
        let counts = [(&*held, count(Visit::Held(id))), (&*failed, count(Visit::Failed(id)))];
        self.branches(span, first, counts);
    }

    /// What of a statement is not nested in it.
    fn head(&self, id: StmtId) -> Span {
        let span = self.program[id].span;
        let body = match &self.program[id].kind {
            StmtKind::If { then: body, .. }
            | StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::ForIn { body, .. } => Some(self.program[*body].span.start),
            StmtKind::Switch { cases, .. } => cases.first().map(|case| case.span.start),
            _ => None,
        };
        let end = body.filter(|body| (span.start..span.end).contains(body)).unwrap_or(span.end);
        Span { start: span.start, end }
    }

    fn label(&self, span: Span) -> String {
        let text = self.shown(span);
        text.split(':').next().unwrap_or_default().trim_end().to_owned()
    }

    /// The start of a text, on one line.
    fn shown(&self, span: Span) -> String {
        let text = String::from_utf8_lossy(self.sources.slice(span));
        let line = text.lines().next().unwrap_or_default().trim();
        let is_cut = line.chars().count() > LONGEST_MEANING || text.contains('\n');
        let mut shown: String = line.chars().take(LONGEST_MEANING).collect();
        if is_cut {
            shown.push_str("...");
        }
        shown
    }

    fn statement(&mut self, whole: Span, head: Span, count: u64) {
        let Some(piece) = self.piece(whole) else { return };
        let line = self.line(whole);
        let text = self.sources.slice(head);
        let trimmed = text.trim_ascii_end();
        let trimmed = trimmed.strip_suffix(b"{").unwrap_or(trimmed).trim_ascii_end();
        let start = (head.start - piece.base) as usize;
        let stretch = Stretch { start, end: start + trimmed.len(), line };
        let known = self.file(piece).statements.entry(stretch).or_insert(0);
        *known += count;
    }

    fn branches<'m>(
        &mut self,
        span: Span,
        first: usize,
        ways: impl IntoIterator<Item = (&'m str, u64)>,
    ) {
        let Some(piece) = self.piece(span) else { return };
        let (start, line) = ((span.start - piece.base) as usize, self.line(span));
        let file = self.file(piece);
        for (number, (meaning, count)) in (first..).zip(ways) {
            let place = BranchPlace { start, line, number, meaning: meaning.to_owned() };
            file.branches.insert(place, count);
        }
    }
}
