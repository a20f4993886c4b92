//! Warnings that need the text, not the tree: escapes, letters after a regex, gawk's words,
//! directives, a missing last newline.

use super::{Linter, unknown_escape_message, unknown_escapes};
use crate::ast::{
    BinaryOp, DirectiveKind, ExprId, ExprKind, RedirectKind, RuleAction, Span, Special, StmtKind,
    VariablePlace,
};
use crate::diagnostic::Fix;
use crate::source::SourcePiece;

impl Linter<'_> {
    /// Warns of meaningless escapes in regular expressions and in strings used as such; of each
    /// letter once, as gawk does.
    pub(super) fn regexp_escapes(&mut self) {
        let program = self.program;
        let mut reported = [false; 256];
        let constants = self.exprs().filter_map(|(_, expr)| match &expr.kind {
            ExprKind::Regex(text) | ExprKind::TypedRegex(text) => Some((expr.span, &text[..])),
            _ => None,
        });
        let patterns: Vec<(Span, &[u8])> = constants.collect();
        for (span, pattern) in patterns {
            for escaped in unknown_escapes(pattern, program.dialect) {
                if !std::mem::replace(&mut reported[usize::from(escaped)], true) {
                    let shown = char::from(escaped);
                    self.warn(
                        span,
                        unknown_escape_message(escaped),
                        format!("the backslash before `{shown}` does nothing"),
                    );
                }
            }
        }
    }

    pub(super) fn wording(&mut self) {
        for (_, expr) in self.exprs() {
            match &expr.kind {
                ExprKind::Regex(_) | ExprKind::TypedRegex(_) => self.letter_after(expr.span),
                ExprKind::String(_) => self.long_hexadecimal(expr.span),
                ExprKind::Var(VariablePlace::Global(global))
                    if self.program.globals[global.index()].name == "goto" =>
                {
                    self.warn_once(expr.span, "`goto' considered harmful!");
                }
                _ => {}
            }
        }
        for action in &self.program.end {
            self.getline_in_end(action);
        }
        for (at, piece) in self.source.pieces().iter().enumerate() {
            let end = Span {
                start: piece.base + piece.text.len() as u32,
                end: piece.base + piece.text.len() as u32,
            };
            if !piece.is_command_line() && piece.text.last() != Some(&b'\n') {
                let message = "source file does not end in newline";
                // Behind a backslash or in a comment a newline would be part of it.
                match piece.text.ends_with(b"\\") || piece.text.is_empty() {
                    true => self.warn(end, message, ""),
                    false => {
                        let fix = Fix::safe("add the newline", end, "\n");
                        self.warn_with(end, message, "", fix);
                    }
                }
            }
            let is_all = at == 0 && self.source.pieces().len() == 1;
            if is_all && piece.text.is_empty() && !piece.is_command_line() {
                self.warn(end, "no program text at all!", "");
            }
        }
        for directive in &self.program.directives {
            let name = String::from_utf8_lossy(self.quoted_name(directive.span)).into_owned();
            match directive.kind {
                DirectiveKind::Include(None) => {
                    let message = format!("already included source file `{name}'");
                    let fix = Fix::safe("remove it", directive.span, "");
                    self.warn_with(directive.span, message, "read once is enough", fix);
                }
                DirectiveKind::Load => {
                    let before = self
                        .program
                        .directives
                        .iter()
                        .take_while(|other| other.span != directive.span);
                    let again = before
                        .filter(|other| other.kind == DirectiveKind::Load)
                        .any(|other| self.quoted_name(other.span) == name.as_bytes());
                    if again {
                        let message = format!("already loaded shared library `{name}'");
                        let fix = Fix::safe("remove it", directive.span, "");
                        self.warn_with(directive.span, message, "loaded once is enough", fix);
                    }
                }
                _ => {}
            }
        }
    }

    fn quoted_name(&self, span: Span) -> &[u8] {
        self.text(span).split(|&byte| byte == b'"').nth(1).unwrap_or_default()
    }

    /// Warns of `/abc/i`: the letter is a modifier in tawk, but a variable here.
    fn letter_after(&mut self, span: Span) {
        let next = self.text(Span { start: span.end, end: span.end + 1 });
        if let [letter @ (b'i' | b's')] = next {
            let message =
                format!("tawk regex modifier `/.../{}' doesn't work in gawk", char::from(*letter));
            let at = Span { start: span.end, end: span.end + 1 };
            self.warn(at, message, "a variable; to ignore case, set IGNORECASE or use tolower()");
        }
    }

    /// Warns of `"\x414"`, in which only only two digits are used.
    fn long_hexadecimal(&mut self, span: Span) {
        let text = self.text(span);
        let extensions = self.program.dialect.has_extensions();
        let mut at = 0;
        while let Some(backslash) =
            text[at..].iter().position(|&byte| byte == b'\\').map(|found| at + found)
        {
            at = backslash + 2;
            let letter = match text.get(backslash + 1) {
                Some(&letter @ (b'x' | b'u')) => char::from(letter),
                _ => continue,
            };
            let place = |length: usize| {
                let start = span.start + backslash as u32;
                Span { start, end: start + 2 + length as u32 }
            };
            if extensions || self.program.dialect == crate::Dialect::Posix {
                self.warn_once(place(0), &format!("POSIX does not allow `\\{letter}' escapes"));
            }
            if letter == 'u' {
                continue;
            }
            let digits = text[at..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
            if digits > 2 && extensions {
                let shown = String::from_utf8_lossy(&text[at..at + 3]).into_owned();
                let message = format!(
                    "hex escape \\x{shown} of {} characters probably not interpreted the way you expect",
                    shown.len()
                );
                self.warn(place(digits), message, "only two digits are used");
            }
        }
    }

    pub(super) fn warn_once(&mut self, span: Span, message: &str) {
        if !self.found.iter().any(|found| found.message == message) {
            self.warn(span, message, "");
        }
    }

    fn getline_in_end(&mut self, action: &RuleAction) {
        let program = self.program;
        let inside = |span: Span| action.span.start <= span.start && span.end <= action.span.end;
        for (_, expr) in self.exprs() {
            if let ExprKind::Getline { from: crate::ast::GetlineFrom::Main, .. } = expr.kind
                && inside(expr.span)
                && !program
                    .functions
                    .iter()
                    .any(|f| f.span.start <= expr.span.start && expr.span.end <= f.span.end)
            {
                self.warn(
                    expr.span,
                    "non-redirected `getline' undefined inside END action",
                    "there is no more input",
                );
            }
        }
    }

    pub(super) fn words_of_gawk(&mut self) {
        let program = self.program;
        let mut found: Vec<(Span, &str)> = Vec::new();
        found.extend(program.begin_file.iter().map(|action| (action.span, "BEGINFILE")));
        found.extend(program.end_file.iter().map(|action| (action.span, "ENDFILE")));
        for directive in &program.directives {
            let word = match directive.kind {
                DirectiveKind::Include(_) => "include",
                DirectiveKind::Load => "load",
                DirectiveKind::Namespace(_) => "namespace",
            };
            // Directives that come from options are not in the program's text.
            let is_written = match directive.kind {
                DirectiveKind::Namespace(_) => true,
                _ => self
                    .source
                    .piece_at(directive.span.start)
                    .is_none_or(|piece| !is_made(piece, directive.span)),
            };
            if is_written {
                found.push((directive.span, word));
            }
        }
        for stmt in &program.stmts {
            if let StmtKind::Switch { cases, .. } = &stmt.kind {
                found.extend(cases.iter().map(|case| match case.label {
                    Some(label) => (program[label].span, "case"),
                    None => (stmt.span, "default"),
                }));
            }
        }
        let mut named = Vec::new();
        for (span, word) in found {
            if !named.contains(&word) {
                named.push(word);
                self.warn(span, format!("`{word}' is a gawk extension"), "");
            }
        }
        for table in ["SYMTAB", "FUNCTAB"] {
            if let Some(span) = self.first_mention(table) {
                self.warn(span, format!("{table} is a gawk extension"), "");
            }
        }
    }

    fn first_mention(&self, global: &str) -> Option<Span> {
        let is_it = |place: &VariablePlace| match place {
            VariablePlace::Global(id) => self.program.globals[id.index()].name == global,
            _ => false,
        };
        let mentioned = self.exprs().find(|(_, expr)| match &expr.kind {
            ExprKind::Var(place) => is_it(place),
            ExprKind::Element { array, .. } | ExprKind::In { array, .. } => is_it(&array.place),
            _ => false,
        });
        mentioned.map(|(_, expr)| expr.span)
    }

    /// Warns of what the awk of 1979 lacked: some escapes, `^`, regular expressions in FS.
    pub(super) fn old_wording(&mut self) {
        let program = self.program;
        for (_, expr) in self.exprs() {
            match &expr.kind {
                ExprKind::String(_) => {
                    let text = self.text(expr.span);
                    for pair in text
                        .windows(2)
                        .filter(|pair| pair[0] == b'\\' && b"abfr".contains(&pair[1]))
                    {
                        let letter = char::from(pair[1]);
                        let message =
                            format!("old awk does not support the `\\{letter}' escape sequence");
                        self.warn(expr.span, message, "");
                    }
                }
                ExprKind::Binary(BinaryOp::Pow, ..) => {
                    self.warn(expr.span, "operator `^' is not supported in old awk", "")
                }
                ExprKind::Assign { op: Some(BinaryOp::Pow), .. } => {
                    self.warn(expr.span, "operator `^=' is not supported in old awk", "");
                }
                ExprKind::Assign { op: None, target, value } => {
                    let is_fs = matches!(
                        program[*target].kind,
                        ExprKind::Var(VariablePlace::Special(Special::Fs))
                    );
                    if let (true, ExprKind::String(text)) = (is_fs, &program[*value].kind)
                        && text.len() > 1
                    {
                        self.warn(
                            expr.span,
                            "old awk does not support regexps as value of `FS'",
                            "",
                        );
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether this joins constants, as in `print > "a" "b"`; gawk joins them when it parses.
    pub(super) fn is_constant_text(&self, id: ExprId) -> bool {
        match &self.program[id].kind {
            ExprKind::String(_) => true,
            ExprKind::Binary(BinaryOp::Concat, a, b) => {
                self.is_constant_text(*a) && self.is_constant_text(*b)
            }
            _ => false,
        }
    }
}

fn is_made(piece: &SourcePiece, directive: Span) -> bool {
    piece.is_command_line() && piece.text.len() == (directive.end - directive.start) as usize
}

pub(super) fn is_to_file(kind: RedirectKind) -> bool {
    matches!(kind, RedirectKind::Truncate | RedirectKind::Append)
}
