//! What evaluating an expression can change, for every node.

use riverhawk_syntax::ast::{Builtin, Expr, ExprId, ExprKind, Program, VariablePlace};
use riverhawk_syntax::deep;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Some variable, field or special may be assigned.
    pub assigns: bool,
    /// The record or its fields may change, which invalidates views.
    pub record: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldForm {
    /// A view is enough.
    View,
    /// The value outlives the record, or a change of it.
    Owned,
}

impl Facts {
    /// The form for a field that is kept while these expressions are evaluated.
    pub(crate) fn field_form(self) -> FieldForm {
        if self.record { FieldForm::Owned } else { FieldForm::View }
    }

    pub(crate) const NONE: Facts = Facts { assigns: false, record: false };
    pub(crate) const ALL: Facts = Facts { assigns: true, record: true };

    pub(crate) fn or(self, other: Facts) -> Facts {
        Facts { assigns: self.assigns || other.assigns, record: self.record || other.record }
    }
}

/// Whether evaluating it changes nothing and makes no elements, and each part is accepted. Elements
/// are made when they are read; who accepts one knows that it exists.
pub(crate) fn changes_nothing(
    program: &Program,
    id: ExprId,
    accepts: &mut impl FnMut(&Expr) -> bool,
) -> bool {
    let expr = &program[id];
    if !accepts(expr) {
        return false;
    }
    let mut all =
        |ids: &[ExprId]| ids.iter().all(|&id| deep(|| changes_nothing(program, id, accepts)));
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::String(_) | ExprKind::Var(_) | ExprKind::Element { .. } => {
            true
        }
        &ExprKind::Field(index) if matches!(program[index].kind, ExprKind::Number(_)) => true,
        &ExprKind::Field(a)
        | &ExprKind::Group(a)
        | &ExprKind::Not(a)
        | &ExprKind::Minus(a)
        | &ExprKind::Plus(a) => all(&[a]),
        &ExprKind::And(a, b) | &ExprKind::Or(a, b) | &ExprKind::Binary(_, a, b) => all(&[a, b]),
        &ExprKind::Match { text, regex, .. } => {
            matches!(program[regex].kind, ExprKind::Regex(_)) && all(&[text])
        }
        &ExprKind::Cond { cond, yes, no } => all(&[cond, yes, no]),
        ExprKind::Builtin {
            builtin:
                Builtin::Length
                | Builtin::Substr
                | Builtin::Index
                | Builtin::Sprintf
                | Builtin::Tolower
                | Builtin::Toupper
                | Builtin::Int,
            args,
        } => all(args),
        _ => false,
    }
}

/// By expression id.
pub(crate) fn facts(program: &Program) -> Vec<Facts> {
    let mut known = Known { program, facts: vec![None; program.exprs.len()] };
    (0..program.exprs.len()).map(|at| known.of(ExprId(at as u32))).collect()
}

struct Known<'a> {
    program: &'a Program,
    facts: Vec<Option<Facts>>,
}

impl Known<'_> {
    /// Parsers make children before parents, so this calls itself for what was put into an
    /// expression later.
    fn of(&mut self, id: ExprId) -> Facts {
        if let Some(known) = self.facts[id.index()] {
            return known;
        }
        let found = self.find(id);
        self.facts[id.index()] = Some(found);
        found
    }

    fn of_all(&mut self, ids: &[ExprId]) -> Facts {
        ids.iter().fold(Facts::NONE, |sum, &id| sum.or(self.of(id)))
    }

    fn find(&mut self, id: ExprId) -> Facts {
        let program = self.program;
        match &program[id].kind {
            ExprKind::Number(_)
            | ExprKind::String(_)
            | ExprKind::Regex(_)
            | ExprKind::TypedRegex(_)
            | ExprKind::Var(_) => Facts::NONE,
            ExprKind::Element { subscripts, array } | ExprKind::In { subscripts, array } => {
                self.of_all(subscripts).or(array.element.map_or(Facts::NONE, |id| self.of(id)))
            }
            ExprKind::Field(inner)
            | ExprKind::Group(inner)
            | ExprKind::Not(inner)
            | ExprKind::Minus(inner)
            | ExprKind::Plus(inner) => self.of(*inner),
            ExprKind::Assign { target, value, .. } => {
                self.of(*target).or(self.of(*value)).or(target_facts(program, *target))
            }
            ExprKind::Step { target, .. } => self.of(*target).or(target_facts(program, *target)),
            ExprKind::Cond { cond, yes, no } => self.of(*cond).or(self.of(*yes)).or(self.of(*no)),
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Binary(_, a, b) => {
                self.of(*a).or(self.of(*b))
            }
            ExprKind::Match { text, regex, .. } => self.of(*text).or(self.of(*regex)),
            ExprKind::Call { .. }
            | ExprKind::IndirectCall { .. }
            | ExprKind::CannotWork { .. }
            | ExprKind::Getline { .. } => Facts::ALL,
            ExprKind::Library { function, .. }
                if function.calls_back() || function.reaches_variables() =>
            {
                Facts::ALL
            }
            // Errors set ERRNO, but specials are read at once, never later.
            ExprKind::Library { function, args } => self
                .of_all(args)
                .or(Facts { assigns: function.fills_arrays(args.len()), record: false }),
            ExprKind::Host { function, args } => {
                let takes_arrays = program.host_functions[function.index()].takes_arrays();
                self.of_all(args).or(Facts { assigns: takes_arrays, record: false })
            }
            ExprKind::Builtin { builtin, args } => {
                self.of_all(args).or(builtin_facts(program, *builtin, args))
            }
        }
    }
}

fn target_facts(program: &Program, target: ExprId) -> Facts {
    match &program[target].kind {
        // Any variable, including specials.
        ExprKind::Element { array, .. } if is_symbol_table(program, array.place) => Facts::ALL,
        ExprKind::Var(VariablePlace::Global(_) | VariablePlace::Param(_))
        | ExprKind::Element { .. } => Facts { assigns: true, record: false },
        ExprKind::Group(inner) => target_facts(program, *inner),
        _ => Facts::ALL,
    }
}

fn is_symbol_table(program: &Program, place: VariablePlace) -> bool {
    matches!(place, VariablePlace::Global(id) if program.globals[id.index()].name == "SYMTAB")
}

fn builtin_facts(program: &Program, builtin: Builtin, args: &[ExprId]) -> Facts {
    match builtin {
        Builtin::Sub | Builtin::Gsub => match args.get(2) {
            Some(&target) => target_facts(program, target),
            None => Facts::ALL,
        },
        Builtin::Split | Builtin::Match => Facts { assigns: true, record: false },
        _ => Facts::NONE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_syntax::ast::StmtKind;

    fn facts_of(text: &str) -> Facts {
        let mut sources = riverhawk_syntax::source::SourceMap::new();
        let program = format!("function f(p) {{ return p }} BEGIN {{ {text} }}");
        sources.add("row", program.into_bytes()).expect("a short program");
        let parsed = riverhawk_syntax::parse(&sources);
        let program = parsed.program.unwrap_or_else(|| panic!("{text}: {:?}", parsed.diagnostics));
        let StmtKind::Expr(id) = program[program.begin[0].body[0]].kind else {
            panic!("{text} is no expression")
        };
        facts(&program)[id.index()]
    }

    #[test]
    fn what_evaluating_an_expression_can_change() {
        const VARIABLES: Facts = Facts { assigns: true, record: false };
        let table = [
            ("1 + x $2 a[3]", Facts::NONE),
            ("x ~ y && !(1 in a) || (x, y) in a", Facts::NONE),
            ("length(x) substr(x, 1) sprintf(\"%d\", x) toupper($1)", Facts::NONE),
            ("close(\"f\") system(\"true\") fflush()", Facts::NONE),
            ("x = 1", VARIABLES),
            ("a[x] += 1", VARIABLES),
            ("x++ + 1", VARIABLES),
            ("-(--a[1])", VARIABLES),
            ("split(x, a)", VARIABLES),
            ("file::slurp(x) text::width(y)", Facts::NONE),
            ("file::lines(x, a)", VARIABLES),
            ("patsplit(x, a)", VARIABLES),
            ("typeof(x) isarray(a) gensub(/x/, y, 1)", Facts::NONE),
            ("asort(a)", Facts::ALL),
            ("text::width(x = 1)", VARIABLES),
            ("match(x, /y/)", VARIABLES),
            ("sub(/x/, \"y\", x)", VARIABLES),
            ("gsub(/x/, \"y\", a[1])", VARIABLES),
            ("$(x++)", VARIABLES),
            ("a[x = 1]", VARIABLES),
            ("y ? 1 : x = 2", VARIABLES),
            ("length(x = $0)", VARIABLES),
            ("$1 = 2", Facts::ALL),
            ("$0 = x", Facts::ALL),
            ("$i++", Facts::ALL),
            ("NF = 3", Facts::ALL),
            ("FS = \":\"", Facts::ALL),
            ("x = NR++", Facts::ALL),
            ("sub(/x/, \"y\")", Facts::ALL),
            ("gsub(/x/, \"y\", $2)", Facts::ALL),
            ("getline", Facts::ALL),
            ("getline x", Facts::ALL),
            ("\"c\" | getline x", Facts::ALL),
            ("f(1)", Facts::ALL),
            ("1 + (2 * f(x))", Facts::ALL),
            ("x ($1 = 2)", Facts::ALL),
        ];
        for (text, expected) in table {
            assert_eq!(facts_of(text), expected, "{text}");
        }
    }

    #[test]
    fn what_two_expressions_can_change_is_what_either_can() {
        let variables = Facts { assigns: true, record: false };
        assert_eq!(Facts::NONE.or(variables), variables);
        assert_eq!(variables.or(Facts::ALL), Facts::ALL);
        assert_eq!(Facts::NONE.or(Facts::NONE), Facts::NONE);
    }
}
