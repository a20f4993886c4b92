//! What variables hold, as far as the text shows it.

use std::collections::HashMap;

use riverhawk_syntax::ast::{BinaryOp, Builtin, ExprId, ExprKind, Program as Tree, Usage};

use crate::occurrences::Symbol;
use crate::program::Program;

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Array,
    Number,
    Text,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Array => "array",
            Kind::Number => "number",
            Kind::Text => "text",
        }
    }
}

/// The kinds of a program's variables.
pub(super) struct Kinds {
    /// `None` for what is assigned values of several kinds, or of one that is not known.
    assigned: HashMap<Symbol, Option<Kind>>,
}

impl Kinds {
    pub(super) fn of(program: &Program) -> Kinds {
        let tree = &program.tree;
        let mut kinds = Kinds { assigned: HashMap::new() };
        for expr in &tree.exprs[..tree.exprs.len() - tree.synthesized] {
            match &expr.kind {
                ExprKind::Assign { op, target, value } => {
                    let kind =
                        if op.is_some() { Some(Kind::Number) } else { value_kind(tree, *value) };
                    kinds.note(program, *target, kind);
                }
                ExprKind::Step { target, .. } => kinds.note(program, *target, Some(Kind::Number)),
                ExprKind::Getline { target: Some(target), .. } => {
                    kinds.note(program, *target, None)
                }
                ExprKind::Builtin { builtin: Builtin::Sub | Builtin::Gsub, args } => {
                    if let Some(target) = args.get(2) {
                        kinds.note(program, *target, Some(Kind::Text));
                    }
                }
                ExprKind::Call { function, args } => {
                    let function = &tree.functions[function.index()];
                    for (at, arg) in args.iter().enumerate() {
                        let param = Symbol::Param((&*function.name).into(), at as u16);
                        kinds.merge(param, value_kind(tree, *arg));
                    }
                }
                _ => {}
            }
        }
        for stmt in &tree.stmts {
            if let riverhawk_syntax::ast::StmtKind::ForIn { target, .. } = stmt.kind {
                kinds.note(program, target, Some(Kind::Text));
            }
        }
        kinds
    }

    fn note(&mut self, program: &Program, target: ExprId, kind: Option<Kind>) {
        let expr = &program.tree[target];
        if let (ExprKind::Var(_), Some(found)) =
            (&expr.kind, program.occurrence_at(expr.span.start))
        {
            self.merge(found.symbol.clone(), kind);
        }
    }

    fn merge(&mut self, symbol: Symbol, kind: Option<Kind>) {
        self.assigned
            .entry(symbol)
            .and_modify(|known| *known = known.filter(|known| Some(*known) == kind))
            .or_insert(kind);
    }

    /// The kind of a variable or parameter.
    pub(super) fn get(&self, program: &Program, symbol: &Symbol) -> Option<Kind> {
        let usage = match symbol {
            Symbol::Global(name) => {
                program.tree.globals.iter().find(|global| *global.name == **name)?.usage
            }
            Symbol::Param(function, at) => {
                let mut functions = program.tree.functions.iter();
                let function = functions.find(|other| *other.name == **function)?;
                function.params.get(usize::from(*at))?.usage
            }
            _ => return None,
        };
        match usage {
            Usage { array: true, scalar: false } => Some(Kind::Array),
            Usage { array: false, .. } => self.assigned.get(symbol).copied().flatten(),
            Usage { array: true, scalar: true } => None,
        }
    }
}

fn value_kind(tree: &Tree, id: ExprId) -> Option<Kind> {
    match &tree[id].kind {
        ExprKind::Number(_)
        | ExprKind::In { .. }
        | ExprKind::Step { .. }
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Not(_)
        | ExprKind::Minus(_)
        | ExprKind::Plus(_)
        | ExprKind::Match { .. }
        | ExprKind::Regex(_)
        | ExprKind::Getline { .. }
        | ExprKind::Assign { op: Some(_), .. } => Some(Kind::Number),
        ExprKind::String(_) | ExprKind::Binary(BinaryOp::Concat, ..) => Some(Kind::Text),
        ExprKind::Binary(..) => Some(Kind::Number),
        ExprKind::Group(inner) | ExprKind::Assign { op: None, value: inner, .. } => {
            value_kind(tree, *inner)
        }
        ExprKind::Cond { yes, no, .. } => {
            let kind = value_kind(tree, *yes)?;
            (value_kind(tree, *no) == Some(kind)).then_some(kind)
        }
        ExprKind::Builtin { builtin, .. } => Some(match builtin {
            Builtin::Substr | Builtin::Sprintf | Builtin::Tolower | Builtin::Toupper => Kind::Text,
            _ => Kind::Number,
        }),
        _ => None,
    }
}
