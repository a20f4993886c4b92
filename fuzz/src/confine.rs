//! Which programs may run inside the fuzzer, and how they are bounded.
//!
//! A program with effects outside the process is refused by its tree: commands, files, operands,
//! the clock. The others may loop forever, so code that burns fuel is inserted into each loop's
//! condition and each function's body, at the tree's spans. That the result parses is therefore a
//! test of the spans.

use riverhawk_syntax::ast::{
    Builtin, ExprId, ExprKind, GetlineFrom, GlobalId, Name, Program, RedirectKind, Redirection,
    StmtKind, VariablePlace,
};
use riverhawk_syntax::{extension::Extension, parse, source::SourceMap};

/// Counted down by loops and calls; set with `-v`.
pub const FUEL: &str = "fuel_";

/// Readable: nothing, and standard input.
const MAY_READ: [&[u8]; 3] = [b"/dev/null", b"/dev/stdin", b"-"];

/// Writable. Not `-`, which for output is a file of that name.
const MAY_WRITE: [&[u8]; 2] = [b"/dev/null", b"/dev/stdout"];

/// Larger numbers make fields, widths and repetitions that only cost time.
const LARGEST: f64 = 100_000.0;

/// Bounds the program's loops by [`FUEL`]; `None` if it does not parse or has effects outside the
/// process.
pub fn confine(text: &[u8]) -> Option<Vec<u8>> {
    if text.windows(FUEL.len()).any(|window| window == FUEL.as_bytes()) {
        return None;
    }
    let mut source = SourceMap::new();
    source.add("program", text.to_vec()).ok()?;
    let program = parse(&source).program?;
    is_harmless(&program).then(|| bound(text, &program))
}

fn is_harmless(program: &Program) -> bool {
    let statements = program.stmts.iter().all(|statement| match &statement.kind {
        StmtKind::Print { to: Some(Redirection { kind, target }), .. }
        | StmtKind::Printf { to: Some(Redirection { kind, target }), .. } => {
            matches!(kind, RedirectKind::Truncate | RedirectKind::Append)
                && is_one_of(&MAY_WRITE, program, *target)
        }
        StmtKind::ForIn { array, .. } | StmtKind::Delete { array, .. } => !is_operands(array.place),
        _ => true,
    });
    let expressions = program.exprs.iter().all(|expression| match &expression.kind {
        ExprKind::Number(number) => !matches!(number.abs(), n if n > LARGEST),
        ExprKind::Var(place) => !is_operands(*place),
        ExprKind::Element { array: Name { place, .. }, .. }
        | ExprKind::In { array: Name { place, .. }, .. } => !is_operands(*place),
        ExprKind::Getline { from: GetlineFrom::File(name), .. } => {
            is_one_of(&MAY_READ, program, *name)
        }
        ExprKind::Getline { from: GetlineFrom::Command(_) | GetlineFrom::Coprocess(_), .. } => {
            false
        }
        ExprKind::Builtin { builtin: Builtin::System, .. } => false,
        ExprKind::Library { function, .. } if function.namespace() == Some("file") => false,
        // Extensions access files, folders, processes and clocks; characters, patterns and numbers
        // are harmless.
        ExprKind::Library { function, .. } => Extension::of(*function).is_none_or(|of| {
            matches!(of, Extension::Ordchr | Extension::Fnmatch | Extension::Intdiv)
        }),
        // Two runs must see the same time.
        ExprKind::Builtin { builtin: Builtin::Srand, args } => !args.is_empty(),
        _ => true,
    });
    // Through SYMTAB a program can access its operands under computed names.
    let reaches_by_name = program.globals.iter().any(|global| global.name == "SYMTAB");
    statements && expressions && !reaches_by_name
}

fn is_one_of(names: &[&[u8]], program: &Program, name: ExprId) -> bool {
    matches!(&program[name].kind, ExprKind::String(text) if names.contains(&text.as_slice()))
}

/// `ARGV` and `ARGC` name input files.
fn is_operands(place: VariablePlace) -> bool {
    matches!(place, VariablePlace::Global(GlobalId::ARGV | GlobalId::ARGC))
}

fn bound(text: &[u8], program: &Program) -> Vec<u8> {
    let mut insertions: Vec<(u32, String)> = Vec::new();
    for function in &program.functions {
        if let Some(first) = function.body.first() {
            insertions.push((program[*first].span.start, format!("if ({FUEL}-- <= 0) exit; ")));
        }
    }
    for statement in &program.stmts {
        match &statement.kind {
            StmtKind::While { cond, .. }
            | StmtKind::DoWhile { cond, .. }
            | StmtKind::For { cond: Some(cond), .. } => {
                let span = program[*cond].span;
                insertions.push((span.start, format!("({FUEL}-- > 0) && (")));
                insertions.push((span.end, ")".to_owned()));
            }
            StmtKind::For { cond: None, body, .. } => {
                let span = program[*body].span;
                insertions.push((span.start, format!("{{ if ({FUEL}-- <= 0) exit; ")));
                insertions.push((span.end, "\n}".to_owned()));
            }
            _ => {}
        }
    }
    insertions.sort_by_key(|(at, _)| *at);
    let mut bounded = Vec::with_capacity(text.len() + 40 * insertions.len());
    let mut copied = 0;
    for (at, insertion) in insertions {
        let at = at as usize;
        bounded.extend_from_slice(&text[copied..at]);
        bounded.extend_from_slice(insertion.as_bytes());
        copied = at;
    }
    bounded.extend_from_slice(&text[copied..]);
    bounded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_reach_out_of_the_process_are_refused() {
        for program in [
            "BEGIN { system(\"true\") }",
            "{ print | \"cat\" }",
            "{ print > \"file\" }",
            "{ print > \"-\" }",
            "{ print >> \"/dev/st\" \"dout\" }",
            "{ printf \"x\" > $1 }",
            "BEGIN { \"date\" | getline }",
            "BEGIN { while ((getline line < \"/etc/passwd\") > 0) n++ }",
            "BEGIN { ARGV[1] = \"/dev/zero\" }",
            "BEGIN { split(\"a b\", ARGV) }",
            "BEGIN { for (i in ARGV) n++ }",
            "BEGIN { ARGC = 3 }",
            "BEGIN { srand() }",
            "BEGIN { fuel_ = 1e9; for (;;) ; }",
            "BEGIN { $1000000000 = 1 }",
            "not a program (",
            "{ \"id\" |& getline }",
            "{ print |& \"/dev/null\" }",
            "{ file::spew(\"/tmp/x\", $0) }",
            "{ file::slurp($0) }",
            "@load \"readfile\"\n{ readfile($0) }",
            "@load \"time\"\nBEGIN { sleep(9) }",
            "@load \"fork\"\nBEGIN { for (;;) fork() }",
            "@load \"rwarray\"\nBEGIN { writeall(\"/tmp/x\") }",
            "@load \"filefuncs\"\nBEGIN { p[1] = \"/\"; fts(p, 16, t) }",
            "@include \"x\"\nBEGIN { }",
            "BEGIN { SYMTAB[\"ARGV\"][1] = \"/dev/zero\" }",
        ] {
            assert_eq!(confine(program.as_bytes()), None, "{program}");
        }
    }

    #[test]
    fn loops_and_calls_burn_fuel_and_the_rest_stays_as_it_is() {
        let confined =
            |program: &str| String::from_utf8(confine(program.as_bytes()).unwrap()).unwrap();
        assert_eq!(confined("{ print $1 > \"/dev/null\" }"), "{ print $1 > \"/dev/null\" }");
        assert_eq!(confined("{ while (x) x-- }"), "{ while ((fuel_-- > 0) && (x)) x-- }");
        assert_eq!(confined("{ do x; while (x) }"), "{ do x; while ((fuel_-- > 0) && (x)) }");
        assert_eq!(confined("{ for (;;) x++ }"), "{ for (;;) { if (fuel_-- <= 0) exit; x++\n} }");
        assert_eq!(
            confined("function f() { f() }"),
            "function f() { if (fuel_-- <= 0) exit; f() }"
        );
    }
}
