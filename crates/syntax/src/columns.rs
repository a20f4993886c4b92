//! Which columns of a table a program makes, deletes and prints, as far as its text shows it. The
//! header of the output is derived from this before the first record.

use crate::ast::{
    ExprId, ExprKind, Name, Program, RedirectKind, Redirection, RuleAction, Span, StmtKind,
    VariablePlace,
};
use crate::deep;

/// What a program does with columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnUses {
    /// Columns assigned by `=`; missing ones are made.
    pub assigned: Vec<String>,
    /// Columns changed by `+=`, `++` and the like, which never make one.
    pub changed: Vec<String>,
    /// Columns that are deleted.
    pub deleted: Vec<String>,
    /// What each `print` to the standard output writes while records are read: the prints of rules,
    /// or if there are none, of functions.
    pub printed: Vec<Printed>,
    /// The same for END, or if there is none for BEGIN; empty if something is printed while records
    /// are read.
    pub printed_at_end: Vec<Printed>,
    /// What is printed to files while records are read.
    pub redirected: Vec<Printed>,
    /// Whether rows are printed to files only.
    pub only_redirects: bool,
}

/// What a `print` writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Printed {
    /// The record.
    Record,
    /// A row of these cells.
    Row(Vec<Cell>),
}

/// An argument of `print`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// `@"name"`
    Column(String),
    /// `$n`
    Field(usize),
    /// Another expression, by the name that it gets: `toupper(@"a") " " n` becomes `toupper(a) n`.
    Value(String),
}

impl ColumnUses {
    /// What a program does with columns.
    pub fn of(program: &Program) -> ColumnUses {
        let uses = Uses(program);
        let mut assigned: Vec<(Span, String)> = Vec::new();
        let mut changed = Vec::new();
        for expr in &program.exprs {
            match expr.kind {
                ExprKind::Assign { op: None, target, .. } => {
                    assigned
                        .extend(uses.column(target).map(|column| (expr.span, column.to_string())));
                }
                ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } => {
                    changed.extend(uses.column(target).map(str::to_string));
                }
                _ => {}
            }
        }
        assigned.sort_by_key(|(span, _)| span.start);
        let deleted = program.stmts.iter().filter_map(|stmt| match stmt.kind {
            StmtKind::DeleteField { field } => uses.column(field).map(str::to_string),
            _ => None,
        });
        let [rules, functions, end, begin] = uses.printed();
        let redirected = uses.redirected();
        let writes_no_rows = rules.is_empty() && functions.is_empty() && !uses.formats_records();
        let is_quiet = writes_no_rows && redirected.is_empty();
        ColumnUses {
            only_redirects: writes_no_rows && !redirected.is_empty(),
            redirected,
            assigned: unique(assigned.into_iter().map(|(_, name)| name)),
            changed: unique(changed.into_iter()),
            deleted: unique(deleted),
            printed_at_end: match is_quiet {
                true if end.is_empty() => begin,
                true => end,
                false => Vec::new(),
            },
            printed: if rules.is_empty() { functions } else { rules },
        }
    }
}

impl Printed {
    /// What a `print` with these arguments writes.
    pub fn of(program: &Program, args: &[ExprId]) -> Printed {
        Uses(program).row(args)
    }

    /// Whether it contains the record or a column.
    pub fn has_column(&self) -> bool {
        match self {
            Printed::Record => true,
            Printed::Row(cells) => {
                cells.iter().any(|cell| matches!(cell, Cell::Column(_) | Cell::Field(1..)))
            }
        }
    }
}

fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

const LONGEST_NAME: usize = 60;

/// Bytes of an expression used for its name. Its tree may be 100,000 levels deep.
const ENOUGH: usize = 1000;

struct Uses<'p>(&'p Program);

impl Uses<'_> {
    fn column(&self, id: ExprId) -> Option<&str> {
        match self.0[id].kind {
            ExprKind::Group(inner) => self.column(inner),
            ExprKind::Field(index) => match self.0[index].kind {
                ExprKind::Var(VariablePlace::Global(global)) => {
                    self.0.globals[global.index()].column()
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Where a statement is: rule, function, END or BEGIN; none in rules for files.
    fn part(&self, span: Span) -> Option<usize> {
        let among = |actions: &[RuleAction]| actions.iter().any(|action| holds(action.span, span));
        let Program { begin, end, begin_file, end_file, functions, .. } = self.0;
        if among(begin_file) || among(end_file) {
            return None;
        }
        let parts =
            [functions.iter().any(|function| holds(function.span, span)), among(end), among(begin)];
        Some(parts.iter().position(|&holds| holds).map_or(0, |part| part + 1))
    }

    fn printed(&self) -> [Vec<Printed>; 4] {
        let mut found: [Vec<(u32, Printed)>; 4] = Default::default();
        for stmt in &self.0.stmts {
            if let StmtKind::Print { args, to: None } = &stmt.kind
                && let Some(part) = self.part(stmt.span)
            {
                found[part].push((stmt.span.start, self.row(args)));
            }
        }
        // A pattern alone prints the record.
        let patterns = self.0.rules.iter().filter(|rule| rule.action.is_none());
        found[0].extend(patterns.map(|rule| (rule.span.start, Printed::Record)));
        found.map(|mut part| {
            part.sort_by_key(|&(start, _)| start);
            part.into_iter().map(|(_, printed)| printed).collect()
        })
    }

    fn redirected(&self) -> Vec<Printed> {
        let to_file =
            |to: &Redirection| matches!(to.kind, RedirectKind::Truncate | RedirectKind::Append);
        let found = self.0.stmts.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Print { args, to: Some(to) }
                if to_file(to) && matches!(self.part(stmt.span), Some(0 | 1)) =>
            {
                Some(self.row(args))
            }
            _ => None,
        });
        found.collect()
    }

    fn formats_records(&self) -> bool {
        self.0.stmts.iter().any(|stmt| {
            matches!(stmt.kind, StmtKind::Printf { to: None, .. })
                && matches!(self.part(stmt.span), Some(0 | 1))
        })
    }

    fn row(&self, args: &[ExprId]) -> Printed {
        match self.cells(args).as_slice() {
            [] | [Cell::Field(0)] => Printed::Record,
            cells => Printed::Row(cells.to_vec()),
        }
    }

    fn cells(&self, args: &[ExprId]) -> Vec<Cell> {
        args.iter()
            .map(|&id| match (self.column(id), &self.0[id].kind) {
                (Some(column), _) => Cell::Column(column.to_string()),
                (None, ExprKind::Field(index)) => match self.0[*index].kind {
                    ExprKind::Number(n) if n >= 0.0 && n.fract() == 0.0 => Cell::Field(n as usize),
                    _ => Cell::Value(self.name(id)),
                },
                _ => Cell::Value(self.name(id)),
            })
            .collect()
    }

    /// The name of an expression: about its text, in one line of bounded length.
    fn name(&self, id: ExprId) -> String {
        let mut name = String::new();
        self.write(id, &mut name);
        let mut name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = name.char_indices().nth(LONGEST_NAME) {
            name.truncate(end);
            name.push('…');
        }
        name
    }

    fn write(&self, id: ExprId, out: &mut String) {
        if out.len() > ENOUGH {
            return;
        }
        if let Some(column) = self.column(id) {
            return out.push_str(column);
        }
        deep(|| match &self.0[id].kind {
            ExprKind::Number(n) => out.push_str(&n.to_string()),
            ExprKind::String(text) => out.push_str(&String::from_utf8_lossy(text)),
            ExprKind::Regex(regex) | ExprKind::TypedRegex(regex) => {
                out.push_str(&format!("/{}/", String::from_utf8_lossy(regex)));
            }
            ExprKind::Var(place) => out.push_str(self.place(*place)),
            ExprKind::Element { array, subscripts } => {
                self.array(array, out);
                self.list("[", subscripts, "]", out);
            }
            ExprKind::In { array, subscripts } => {
                self.list("", subscripts, " in ", out);
                self.array(array, out);
            }
            ExprKind::Field(index) => self.list("$", &[*index], "", out),
            ExprKind::Group(inner) => self.list("(", &[*inner], ")", out),
            ExprKind::Not(inner) => self.list("!", &[*inner], "", out),
            ExprKind::Minus(inner) => self.list("-", &[*inner], "", out),
            ExprKind::Plus(inner) => self.list("+", &[*inner], "", out),
            ExprKind::Binary(op, left, right) => self.infix(*left, op.symbol(), *right, out),
            ExprKind::And(left, right) => self.infix(*left, "&&", *right, out),
            ExprKind::Or(left, right) => self.infix(*left, "||", *right, out),
            ExprKind::Match { negated, text, regex } => {
                self.infix(*text, if *negated { "!~" } else { "~" }, *regex, out);
            }
            ExprKind::Cond { cond, yes, no } => {
                self.infix(*cond, "?", *yes, out);
                self.list(" : ", &[*no], "", out);
            }
            ExprKind::Builtin { builtin, args } => self.call(builtin.name(), args, out),
            ExprKind::Library { function, args } => self.call(function.name(), args, out),
            ExprKind::CannotWork { function, args, .. } => self.call(function, args, out),
            ExprKind::Call { function, args } => {
                self.call(&self.0.functions[function.index()].name, args, out)
            }
            ExprKind::Host { function, args } => {
                self.call(self.0.host_functions[function.index()].name(), args, out)
            }
            ExprKind::IndirectCall { name, args } => {
                self.list("@", &[*name], "", out);
                self.call("", args, out);
            }
            ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } => {
                self.write(*target, out)
            }
            ExprKind::Getline { .. } => out.push_str("getline"),
        });
    }

    fn call(&self, name: &str, args: &[ExprId], out: &mut String) {
        out.push_str(name);
        self.list("(", args, ")", out);
    }

    fn list(&self, open: &str, ids: &[ExprId], close: &str, out: &mut String) {
        out.push_str(open);
        for (at, &id) in ids.iter().enumerate() {
            if at > 0 {
                out.push_str(", ");
            }
            self.write(id, out);
        }
        out.push_str(close);
    }

    fn infix(&self, left: ExprId, operator: &str, right: ExprId, out: &mut String) {
        self.write(left, out);
        out.push_str(&format!(" {operator} "));
        self.write(right, out);
    }

    fn array(&self, array: &Name, out: &mut String) {
        match array.element {
            Some(element) => self.write(element, out),
            None => out.push_str(self.place(array.place)),
        }
    }

    fn place(&self, place: VariablePlace) -> &str {
        match place {
            VariablePlace::Global(global) => &self.0.globals[global.index()].name,
            VariablePlace::Special(special) => special.name(),
            VariablePlace::Param(_) => "value",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(text: &str) -> ColumnUses {
        let mut sources = crate::source::SourceMap::new();
        sources.add("x.awk", text.as_bytes().to_vec()).expect("a small program");
        ColumnUses::of(&crate::parse(&sources).program.expect("a program"))
    }

    #[test]
    fn columns_are_made_by_plain_assignment_and_left_out_by_delete() {
        let uses = uses(
            "{ @\"b\" = @\"a\" = 1; @\"c\"++; @\"d\" += 1; sub(/x/, \"\", @\"e\"); delete @\"f\" } { @\"b\" = 2 }",
        );
        assert_eq!(
            (uses.assigned, uses.deleted),
            (vec!["b".to_string(), "a".into()], vec!["f".to_string()])
        );
        assert_eq!(uses.changed, ["c".to_string(), "d".into()]);
    }

    #[test]
    fn rules_print_before_functions_and_those_before_end_and_begin() {
        let of = |text: &str| {
            let ColumnUses { printed, printed_at_end, .. } = uses(text);
            (printed, printed_at_end)
        };
        let row = Printed::Row(vec![Cell::Column("a".into()), Cell::Field(3)]);
        let rules = "$1 > 2 { print $0 } NR == 1 { print > \"x\"; print @\"a\", $3 }";
        let others =
            "function f(x) { print x } BEGIN { print 1 } END { print k } ENDFILE { print 7 }";
        assert_eq!(of(&format!("{others} {rules}")), (vec![Printed::Record, row], vec![]));
        let value = |name: &str| vec![Printed::Row(vec![Cell::Value(name.into())])];
        assert_eq!(of(others), (value("value"), vec![]));
        assert_eq!(of("BEGIN { print 1 } END { print k } { n++ }"), (vec![], value("k")));
        assert_eq!(of("{ printf \"x\" } END { print k }"), (vec![], vec![]));
        assert_eq!(of("NR > 1"), (vec![Printed::Record], vec![]));
        assert_eq!(of("{ print > $1 } END { print k }"), (vec![], vec![]));
    }

    #[test]
    fn rows_may_go_to_files_alone() {
        let of = |text: &str| {
            let ColumnUses { redirected, only_redirects, .. } = uses(text);
            (redirected, only_redirects)
        };
        let row = Printed::Row(vec![Cell::Column("a".into())]);
        assert_eq!(of("{ print > $1; print @\"a\" >> \"f\" }"), (vec![Printed::Record, row], true));
        assert_eq!(of("{ print > $1 } 1"), (vec![Printed::Record], false));
        assert_eq!(of("{ print > $1; printf \"x\" }"), (vec![Printed::Record], false));
        assert_eq!(of("{ print | \"sort\" } END { print > \"f\" }"), (vec![], false));
        let has_column = |text: &str| uses(text).redirected[0].has_column();
        assert!(
            has_column("{ print > 1 }")
                && has_column("{ print 1, $2 > 1 }")
                && has_column("{ print @\"a\" > 1 }")
        );
        assert!(!has_column("{ print \"at \" $1, NR > 1 }") && !has_column("{ print 1, $0 > 1 }"));
    }

    #[test]
    fn values_are_called_what_they_are_written_as() {
        let uses =
            uses("{ print toupper(@\"a\") \" \" n, @\"a\" * (2 + x[$1]), \"total\", $NF, -1 }");
        let names = ["toupper(a) n", "a * (2 + x[$1])", "total", "$NF", "-1"];
        assert_eq!(
            uses.printed,
            [Printed::Row(names.map(|name| Cell::Value(name.into())).to_vec())]
        );
    }
}
