//! Syntax errors: their messages, and how parsing goes on. It skips the rest of the statement, or
//! of the rule if its braces cannot be trusted.

use super::{Abandon, Parser};
use crate::ast::{Span, StmtId, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::token::TokenKind;

const COMPARISON_IN_PRINT: &str =
    "`>` in a print redirects its output: put a comparison in parentheses";

impl Parser<'_> {
    pub(super) fn error(&mut self, found: Diagnostic) -> Abandon {
        self.lexer.report(found);
        Abandon::Statement
    }

    pub(super) fn unexpected(&mut self, expected: &str) -> Abandon {
        let found = self.unexpected_diagnostic(expected);
        self.error(found)
    }

    pub(super) fn unexpected_diagnostic(&self, expected: &str) -> Diagnostic {
        let token = self.token;
        let message = format!("expected {expected}, found {}", self.shown());
        let found = Diagnostic::error(token.span, message, format!("expected {expected}"));
        let help = match token.kind {
            TokenKind::Else if expected == "an expression" || expected == "a statement" => {
                "this `else` belongs to no `if`: between them there may be one statement and one `;`"
            }
            TokenKind::Newline => {
                "a line may end after `,` `{` `&&` `||` `?` `:` `else` `do`; elsewhere end it with `\\`"
            }
            TokenKind::RightParen if expected == "an expression" => {
                "something is missing before the `)`, or the `)` is one too many"
            }
            TokenKind::Function => {
                "functions are defined outside rules and other functions; a `}` may be missing before this"
            }
            TokenKind::Begin | TokenKind::End => {
                "`BEGIN` and `END` must be outside other rules; a `}` may be missing before this"
            }
            TokenKind::Pipe => {
                "the logical operator is `||`; a command is read with `command | getline`"
            }
            TokenKind::Assign if expected == "an expression" => "to compare, write `==`",
            TokenKind::At => {
                "a column is `@\"name\"`, a call of the function that a variable names `@name()`"
            }
            _ => return found,
        };
        found.with_help(help)
    }

    /// Why a word of a `switch` was taken for a plain name.
    pub(super) fn shadowed(&self, keywords: &[&str]) -> Option<String> {
        let mut words = self.lexer.shadowed_words().iter().map(|&word| self.lexer.words.text(word));
        let word = words.find(|word| keywords.contains(word))?;
        Some(format!(
            "`{word}` is a parameter here: give it another name to use `switch` in this function"
        ))
    }

    fn shown(&self) -> String {
        match self.token.kind {
            TokenKind::Name | TokenKind::Builtin | TokenKind::Qualified | TokenKind::Number => {
                format!("`{}`", String::from_utf8_lossy(self.lexer.slice(self.token.span)))
            }
            kind => kind.describe().to_string(),
        }
    }

    pub(super) fn unclosed(&mut self, expected: &str, open: Span) -> Abandon {
        let at_end =
            matches!(self.token.kind, TokenKind::Newline | TokenKind::Eof | TokenKind::RightBrace);
        let opening = String::from_utf8_lossy(self.lexer.slice(open)).into_owned();
        let found = if at_end {
            let message = format!("expected {expected}, found {}", self.shown());
            Diagnostic::error(open, message, format!("this `{opening}` is not closed"))
                .with_related(self.token.span, format!("expected {expected} before this"))
        } else {
            self.unexpected_diagnostic(expected)
                .with_related(open, format!("to close this `{opening}`"))
        };
        let redirects = self.at(TokenKind::Greater) && self.print_parens.is_some();
        self.error(if redirects { found.with_help(COMPARISON_IN_PRINT) } else { found })
    }

    pub(super) fn unclosed_block(&mut self, open: Span) -> Abandon {
        if self.is_assigned() {
            let word = String::from_utf8_lossy(self.lexer.slice(self.token.span)).into_owned();
            let message = format!("`{word}` is a keyword, not a variable");
            self.error(Diagnostic::error(self.token.span, message, "choose another name"));
            return Abandon::Rule;
        }
        let found = match self.token.kind {
            TokenKind::Eof => Diagnostic::error(
                open,
                "expected `}`, found the end of the program",
                "this `{` is never closed",
            )
            .with_related(self.token.span, "the program ends here"),
            _ => {
                let message = format!("expected `}}`, found {}", self.shown());
                Diagnostic::error(open, message, "this `{` is not closed").with_related(
                    self.token.span,
                    format!("{} cannot stand inside a block", self.shown()),
                )
            }
        };
        self.error(found.with_help("add the missing `}`"));
        Abandon::Rule
    }

    /// Whether a reserved word is used as a variable: `func = 1`, `BEGIN++`.
    fn is_assigned(&mut self) -> bool {
        let mark = self.lexer.mark();
        let next = self.lexer.next();
        self.lexer.rewind(mark);
        let operator = self.lexer.slice(next.span);
        matches!(operator, b"=" | b"+=" | b"-=" | b"*=" | b"%=" | b"^=" | b"++" | b"--")
    }

    pub(super) fn chained_comparison(&mut self) -> Abandon {
        let message =
            format!("comparisons cannot be chained: found {} after a comparison", self.shown());
        let found =
            Diagnostic::error(self.token.span, message, "expected the end of the expression")
                .with_help("write `a < b && b < c`, or put one comparison in parentheses");
        self.error(found)
    }

    pub(super) fn unexpected_after_pipe(&mut self) -> Abandon {
        let found = self.unexpected_diagnostic("`getline` after `|`");
        self.error(found.with_help(
            "only `print` and `printf` write to a command; the logical operator is `||`",
        ))
    }

    pub(super) fn after_print_list(&mut self) -> Abandon {
        let found = self.unexpected_diagnostic("the end of the statement or a redirection");
        self.error(found.with_help(
            "a list in parentheses is the whole list of a print: remove the parentheses or add another pair",
        ))
    }

    pub(super) fn bad_for_separator(&mut self, init: Option<StmtId>) -> Abandon {
        let found = self.unexpected_diagnostic("`;` between the parts of `for`");
        let is_list_in = self.at(TokenKind::RightParen)
            && init.is_some_and(|init| match self.program[init].kind {
                StmtKind::Expr(expr) => {
                    matches!(self.program[expr].kind, crate::ast::ExprKind::In { .. })
                }
                _ => false,
            });
        self.error(if is_list_in {
            found.with_help(
                "`for (k in a)` takes one variable without parentheses; split(k, part, SUBSEP) gives its subscripts",
            )
        } else {
            found
        })
    }

    pub(super) fn unexpected_after_statement(&mut self) -> Abandon {
        let found = self.unexpected_diagnostic("`;`, `}` or the end of the line");
        let shadowed = match self.token.kind {
            TokenKind::LeftBrace => self.shadowed(&["switch"]),
            TokenKind::Colon => self.shadowed(&["case", "default"]),
            _ => None,
        };
        if let Some(help) = shadowed {
            return self.error(found.with_help(help));
        }
        let help = match self.token.kind {
            TokenKind::Else => "a `;` or a new line is needed before `else`",
            TokenKind::While => "a `;` or a new line is needed before the `while` of `do`",
            TokenKind::LeftBrace => {
                "`{` cannot follow a statement; `elif` and `elsif` are written `else if`, and patterns go outside braces"
            }
            TokenKind::Greater | TokenKind::Question | TokenKind::Less | TokenKind::Equal => {
                COMPARISON_IN_PRINT
            }
            kind if starts_statement(kind) => {
                "statements on one line are separated by `;`; `elif` is written `else if`"
            }
            TokenKind::Comma => "several statements are separated by `;`",
            TokenKind::Colon => "there is no `?` for this `:`",
            TokenKind::RightParen => "this `)` closes nothing",
            TokenKind::RightBracket => "this `]` closes nothing",
            _ => return self.error(found),
        };
        self.error(found.with_help(help))
    }

    pub(super) fn unexpected_after_pattern(&mut self) -> Abandon {
        let found = self.unexpected_diagnostic("`{`, `;` or the end of the line after a pattern");
        let is_extra_brace = self.at(TokenKind::RightBrace);
        self.error(if is_extra_brace { found.with_help("this `}` closes nothing") } else { found })
    }

    pub(super) fn statement_outside_braces(&mut self) -> Abandon {
        let found = self.unexpected_diagnostic("a pattern or `{`");
        self.error(found.with_help("statements must be in braces: `{ print }`, `BEGIN { x = 1 }`"))
    }

    pub(super) fn misplaced_at(&mut self) -> Abandon {
        if !self.at_directive() {
            return self.unexpected("an expression");
        }
        let message =
            "`@include`, `@load` and `@namespace` are allowed only outside rules and functions";
        self.error(Diagnostic::error(self.token.span, message, "inside one here"))
    }

    /// Skips to the next line, past the next `;`, or to a brace. Lines and semicolons in brackets
    /// do not count.
    pub(super) fn skip_statement(&mut self) -> Result<(), Abandon> {
        if self.lexer.has_too_many_errors() {
            return Err(Abandon::Rule);
        }
        self.print_parens = None;
        self.print_list = None;
        self.lexer.quiet = true;
        while !matches!(
            self.token.kind,
            TokenKind::Newline
                | TokenKind::Semicolon
                | TokenKind::LeftBrace
                | TokenKind::RightBrace
                | TokenKind::Eof
        ) {
            self.bump();
        }
        self.lexer.quiet = false;
        self.eat(TokenKind::Semicolon);
        Ok(())
    }

    /// Skips to a line that seems to start another rule, or past the block that ends this one.
    pub(super) fn skip_rule(&mut self, start: Span) {
        self.lexer.quiet = true;
        // Without progress, skips a token; otherwise the same error would repeat for ever.
        if self.token.span == start {
            self.bump();
        }
        let mut depth = 0usize;
        loop {
            match self.token.kind {
                TokenKind::Eof => break,
                TokenKind::Begin
                | TokenKind::End
                | TokenKind::BeginFile
                | TokenKind::EndFile
                | TokenKind::Function => {
                    break;
                }
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        self.bump();
                        self.eat(TokenKind::Semicolon);
                        break;
                    }
                }
                TokenKind::Newline | TokenKind::Semicolon if depth == 0 => {
                    self.bump();
                    break;
                }
                _ => {}
            }
            self.bump();
        }
        self.lexer.quiet = false;
    }
}

pub(super) fn starts_statement(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        Print
            | Printf
            | If
            | For
            | Do
            | Next
            | NextFile
            | Exit
            | Return
            | Break
            | Continue
            | Delete
    )
}
