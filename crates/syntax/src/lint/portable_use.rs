//! Uses of what awks do differently: gawk's variables, formats, characters beyond ASCII, unusual
//! arguments of functions.

use super::Linter;
use crate::ast::{Builtin, DirectiveKind, ExprId, ExprKind, Special, StmtKind, VariablePlace};

const VARIABLES: [&str; 8] =
    ["IGNORECASE", "FPAT", "FIELDWIDTHS", "RT", "ERRNO", "PROCINFO", "SYMTAB", "FUNCTAB"];

impl Linter<'_> {
    pub(super) fn portable_use(&mut self) {
        let program = self.program;
        let mut named = [false; VARIABLES.len()];
        for (id, expr) in self.exprs() {
            let place = match &expr.kind {
                ExprKind::Var(place) => Some(*place),
                ExprKind::Element { array, .. } | ExprKind::In { array, .. } => Some(array.place),
                _ => None,
            };
            let name = match place {
                Some(VariablePlace::Special(special)) => Special::name(special),
                Some(VariablePlace::Global(global)) => &program.globals[global.index()].name,
                Some(VariablePlace::Param(_)) | None => "",
            };
            if let Some(at) = VARIABLES.iter().position(|variable| *variable == name)
                && !std::mem::replace(&mut named[at], true)
            {
                self.lacking(VARIABLES[at], expr.span);
            }
            self.portable_use_of(id);
        }
        for (rules, word) in [(&program.begin_file, "BEGINFILE"), (&program.end_file, "ENDFILE")] {
            if let Some(rule) = rules.first() {
                self.lacking(word, rule.span);
            }
        }
        for directive in &program.directives {
            let word = match directive.kind {
                DirectiveKind::Include(_) => "@include",
                DirectiveKind::Load => "@load",
                DirectiveKind::Namespace(_) => "@namespace",
            };
            self.lacking(word, directive.span);
        }
        for stmt in &program.stmts {
            if let StmtKind::Printf { args, .. } = &stmt.kind {
                self.portable_format(args);
            }
        }
    }

    fn portable_use_of(&mut self, id: ExprId) {
        let program = self.program;
        let span = program[id].span;
        match &program[id].kind {
            ExprKind::Builtin { builtin: Builtin::Sprintf, args } => self.portable_format(args),
            ExprKind::Builtin { builtin, args } => {
                let beyond_ascii = args.iter().any(|&arg| match &program[arg].kind {
                    ExprKind::String(text) => !text.is_ascii(),
                    _ => false,
                });
                match builtin {
                    Builtin::Length | Builtin::Substr | Builtin::Index | Builtin::Match
                        if beyond_ascii =>
                    {
                        self.lacking("counting characters beyond ASCII", span);
                    }
                    Builtin::Toupper | Builtin::Tolower if beyond_ascii => {
                        self.lacking("the case of characters beyond ASCII", span);
                    }
                    Builtin::Substr
                        if args.get(1).is_some_and(|&start| self.is_below_zero(start)) =>
                    {
                        self.lacking("substr from before the first character", span);
                    }
                    Builtin::Index
                        if args.get(1).is_some_and(|&sought| self.is_empty_text(sought)) =>
                    {
                        self.lacking("index of the empty text", span);
                    }
                    _ => {}
                }
            }
            ExprKind::Cond { cond, yes, no } => {
                let between = |from: ExprId, to: ExprId| {
                    let (start, end) = (program[from].span.end, program[to].span.start);
                    self.text(crate::ast::Span { start, end }).contains(&b'\n')
                };
                if between(*cond, *yes) || between(*yes, *no) {
                    self.lacking("a new line after ? or :", span);
                }
            }
            ExprKind::Regex(text) => {
                if text.windows(2).any(|pair| pair == b"\\y") {
                    self.lacking("the regexp operator \\y", span);
                }
                for (mark, name) in [
                    (b"[=", "an equivalence class in a regexp"),
                    (b"[.", "a collating element in a regexp"),
                ] {
                    let is_inside = |at: usize| text[..at].contains(&b'[');
                    if (0..text.len()).any(|at| text[at..].starts_with(mark) && is_inside(at)) {
                        self.lacking(name, span);
                    }
                }
            }
            _ => {}
        }
    }

    fn is_below_zero(&self, id: ExprId) -> bool {
        match self.program[id].kind {
            ExprKind::Minus(inner) => {
                matches!(self.program[inner].kind, ExprKind::Number(number) if number > 0.0)
            }
            ExprKind::Group(inner) => self.is_below_zero(inner),
            _ => false,
        }
    }

    fn is_empty_text(&self, id: ExprId) -> bool {
        matches!(&self.program[id].kind, ExprKind::String(text) if text.is_empty())
    }

    fn portable_format(&mut self, args: &[ExprId]) {
        let program = self.program;
        let Some(&format_id) = args.first() else { return };
        let ExprKind::String(format) = &program[format_id].kind else { return };
        let span = program[format_id].span;
        let mut value_at = 0;
        let mut rest = &format[..];
        while let Some(percent) = rest.iter().position(|&byte| byte == b'%') {
            let conversion = &rest[percent + 1..];
            let length =
                conversion.iter().take_while(|byte| b"0123456789$ +-#'.*".contains(byte)).count();
            let (flags, letter) = (&conversion[..length], conversion.get(length));
            rest = &conversion[(length + 1).min(conversion.len())..];
            if flags.contains(&b'$') {
                self.lacking("%2$s, the number of an argument in a format", span);
            }
            if flags.contains(&b'\'') {
                self.lacking("the flag ' in a format", span);
            }
            if flags.contains(&b'*') {
                self.lacking("* in a format", span);
            }
            value_at += flags.iter().filter(|&&byte| byte == b'*').count();
            match letter {
                Some(b'%') if length > 0 => self.lacking("a width before %%", span),
                Some(b'%') => {}
                Some(letter) => {
                    if b"aA".contains(letter) {
                        self.lacking("%a", span);
                    }
                    value_at += 1;
                    let value = args.get(value_at).map(|&value| &program[value]);
                    if let (b'c', Some(value)) = (letter, value)
                        && matches!(value.kind, ExprKind::Number(number) if number > 127.0)
                    {
                        self.lacking("%c of a number over 127", value.span);
                    }
                }
                None => {}
            }
        }
    }
}
