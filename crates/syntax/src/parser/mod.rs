//! The parser: recursive descent for statements, precedence climbing for expressions. Names are
//! resolved on the way.
//!
//! It accepts gawk's grammar, which is LALR(1) with conflicts settled by precedence. Recursion is
//! bounded by [`MAX_DEPTH`], on stack segments that grow on demand.

mod arithmetic;
mod calls;
mod column;
mod directives;
mod expressions;
mod host;
mod library;
mod operands;
mod print;
mod recovery;
mod rules;
mod statements;
mod switch;

use crate::Wanted;
use crate::ast::{Expr, ExprId, ExprKind, Program, Span, Stmt, StmtId, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::host::HostDeclaration;
use crate::lexer::Lexer;
use crate::recursion::deep;
use crate::resolve::{Names, resolve, resolve_partly};
use crate::source::SourceMap;
use crate::token::{Token, TokenKind};

/// Maximum nesting of expressions and statements. One open parenthesis takes 1.4 kB of stack in a
/// release build, so the bound is 570 MB. Generated programs do nest deeply. The stack of WebAssembly
/// does not grow: under Node 20 some 2,000 levels fit in it.
const MAX_DEPTH: u32 = if cfg!(target_family = "wasm") { 500 } else { 400_000 };

/// How much the parser gave up on. The diagnostic is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Abandon {
    Statement,
    /// The whole rule or function: its block has no end, or the text makes no sense.
    Rule,
}

type Outcome<T> = Result<T, Abandon>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    Main,
    Special(TokenKind),
    Function,
}

pub(crate) struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token,
    previous_end: u32,
    program: Program,
    names: Names,
    body: Body,
    loops: u32,
    switches: u32,
    /// Open parentheses in a `print` before its redirection. With zero, `>` and `|` redirect.
    print_parens: Option<u32>,
    /// The parenthesis that may open the whole list of a `print`, and the list if it did.
    print_list: Option<(u32, Option<Vec<ExprId>>)>,
    depth: u32,
    wanted: Vec<Wanted>,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(
        source: &'a SourceMap,
        dialect: Dialect,
        host_functions: &[HostDeclaration],
    ) -> Parser<'a> {
        let mut lexer = Lexer::new(source, dialect);
        let token = lexer.next();
        let mut program = Program { dialect, ..Program::default() };
        let names = Names::new(&mut lexer.words, &mut program);
        let mut parser = Parser {
            lexer,
            token,
            previous_end: 0,
            program,
            names,
            body: Body::Main,
            loops: 0,
            switches: 0,
            print_parens: None,
            print_list: None,
            depth: 0,
            wanted: Vec::new(),
        };
        parser.declare(host_functions);
        parser
    }

    pub(crate) fn program(mut self) -> (Program, Vec<Diagnostic>, Vec<Wanted>) {
        let mut diagnostics = self.whole_text();
        // Errors of the resolver mostly follow from those of the parser.
        if !self.lexer.has_errors() {
            self.resolve(&mut diagnostics);
        }
        (self.program, diagnostics, self.wanted)
    }

    /// As [`program`](Self::program), resolved as far as possible after errors.
    pub(crate) fn partial_program(mut self) -> (Program, Vec<Diagnostic>, Vec<Wanted>) {
        let mut diagnostics = self.whole_text();
        match self.lexer.has_errors() {
            false => self.resolve(&mut diagnostics),
            true => resolve_partly(&mut self.program, &mut self.names, &self.lexer),
        }
        (self.program, diagnostics, self.wanted)
    }

    fn resolve(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        resolve(&mut self.program, &mut self.names, &self.lexer, diagnostics);
    }

    fn whole_text(&mut self) -> Vec<Diagnostic> {
        self.items();
        self.library();
        self.program.comments = std::mem::take(&mut self.lexer.comments);
        std::mem::take(&mut self.lexer.diagnostics)
    }

    fn bump(&mut self) {
        self.previous_end = self.token.span.end;
        self.token = self.lexer.next();
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind) -> Outcome<()> {
        if self.eat(kind) { Ok(()) } else { Err(self.unexpected(kind.describe())) }
    }

    fn open_paren(&mut self) -> Outcome<Span> {
        let span = self.token.span;
        self.expect(TokenKind::LeftParen)?;
        if let Some(parens) = &mut self.print_parens {
            *parens += 1;
        }
        Ok(span)
    }

    fn close_paren(&mut self, open: Span) -> Outcome<()> {
        if !self.at(TokenKind::RightParen) {
            return Err(self.unclosed("`)`", open));
        }
        self.bump();
        if let Some(parens) = &mut self.print_parens {
            *parens = parens.saturating_sub(1);
        }
        Ok(())
    }

    fn skip_newlines(&mut self) {
        while self.at(TokenKind::Newline) {
            self.bump();
        }
    }

    fn span_from(&self, start: u32) -> Span {
        Span { start, end: self.previous_end.max(start) }
    }

    fn expr(&mut self, kind: ExprKind, start: u32) -> ExprId {
        let id = ExprId(self.program.exprs.len() as u32);
        self.program.exprs.push(Expr { kind, span: self.span_from(start) });
        id
    }

    fn stmt(&mut self, kind: StmtKind, start: u32) -> StmtId {
        let id = StmtId(self.program.stmts.len() as u32);
        self.program.stmts.push(Stmt { kind, span: self.span_from(start) });
        id
    }

    fn start_of(&self, id: ExprId) -> u32 {
        self.program[id].span.start
    }

    fn nested<T>(&mut self, level: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.depth >= MAX_DEPTH {
            self.error(Diagnostic::error(
                self.token.span,
                format!("nested too deeply: more than {MAX_DEPTH} levels"),
                "one level too many",
            ));
            return Err(Abandon::Rule);
        }
        self.depth += 1;
        let outcome = deep(|| level(self));
        self.depth -= 1;
        outcome
    }
}
