//! Notes of a program compiled for a piece of a parallel run; nothing else changes.

use riverhawk_bytecode::dump::dump;
use riverhawk_compile::{Mode, Notes, compile, compile_with_notes};
use riverhawk_syntax::ast::{BinaryOp, ExprId, ExprKind, GlobalId, Program};

fn parsed(text: &str) -> Program {
    let mut sources = riverhawk_syntax::source::SourceMap::new();
    sources.add("row", text.as_bytes().to_vec()).expect("a short program");
    riverhawk_syntax::parse(&sources).program.expect("no syntax errors")
}

/// Operation names of a program with these notes.
fn operations(text: &str, notes: impl FnOnce(&Program) -> Notes) -> Vec<&'static str> {
    let program = parsed(text);
    let notes = notes(&program);
    let unit = compile_with_notes(&program, Mode::default(), &notes).expect("it is small enough");
    riverhawk_bytecode::verify(&unit).expect("valid");
    unit.code.iter().map(|op| op.name()).collect()
}

/// Every sum and comparison.
fn checked(program: &Program) -> Notes {
    let mut notes = Notes::default();
    for expr in &program.exprs {
        match expr.kind {
            ExprKind::Assign { op: Some(_), value, .. } => drop(notes.addends.insert(value)),
            ExprKind::Binary(BinaryOp::Gt, left, _) => drop(notes.comparands.insert(left)),
            _ => {}
        }
    }
    notes
}

#[test]
fn addends_and_comparands_are_noted_in_every_kind_of_target() {
    let rows: [(&str, &[&str]); 6] = [
        ("{ s += $1 }", &["Field", "NoteAdd"]),
        ("{ s -= $1 }", &["Field", "Addend", "Sub"]),
        ("{ s += length }", &["NoteRecordLength"]),
        ("{ a[$1] += $2 }", &["Field", "Addend", "Field", "UpdateElement"]),
        ("{ a[$1] -= $2 }", &["Field", "Addend", "Field", "UpdateElement"]),
        ("$1 > m { m = $1 }", &["Field", "Comparand", "JumpNotLess", "OwnField"]),
    ];
    for (text, expected) in rows {
        let all = operations(text, checked);
        assert_eq!(all[1..all.len() - 2], *expected, "{text}");
    }
}

#[test]
fn what_is_printed_for_new_keys_is_marked() {
    let rows: [(&str, &[&str]); 2] = [
        (
            "!a[$1]++",
            &["Field", "StepElement", "JumpTrue", "BeginFirst", "PrintRecord", "EndFirst"],
        ),
        (
            "{ if (!a[$1]++) print $1; print }",
            &[
                "Field",
                "StepElement",
                "JumpTrue",
                "BeginFirst",
                "Field",
                "Print",
                "EndFirst",
                "PrintRecord",
            ],
        ),
    ];
    for (text, expected) in rows {
        let all = operations(text, |program| {
            let is_not = |(at, expr): (usize, &riverhawk_syntax::ast::Expr)| {
                matches!(expr.kind, ExprKind::Not(_)).then_some(ExprId(at as u32))
            };
            let conditions = program.exprs.iter().enumerate().filter_map(is_not);
            let firsts = conditions.map(|cond| (cond, GlobalId(0))).collect();
            Notes { firsts, ..Notes::default() }
        });
        assert_eq!(all[1..all.len() - 2], *expected, "{text}");
    }
}

#[test]
fn sums_are_added_to_exactly_in_every_kind_of_target() {
    let rows: [(&str, &[&str]); 6] = [
        ("{ s += $1 }", &["Field", "AddExactly"]),
        ("{ s -= $1 }", &["Field", "Neg", "AddExactly"]),
        ("{ s += length }", &["LengthField", "AddExactly"]),
        ("{ a[$1] += $2 }", &["Field", "Field", "AddExactlyToElement"]),
        ("{ a[$1]--; s++ }", &["Field", "AddExactlyToElement", "AddExactly"]),
        ("{ t = s += $1 }", &["Field", "Add", "Move"]),
    ];
    for (text, expected) in rows {
        let all = operations(text, |program| {
            let mut notes = Notes::default();
            for (at, expr) in program.exprs.iter().enumerate() {
                match expr.kind {
                    ExprKind::Assign { op: Some(_), value, .. } => drop(notes.sums.insert(value)),
                    ExprKind::Step { .. } => drop(notes.sums.insert(ExprId(at as u32))),
                    _ => {}
                }
            }
            notes
        });
        assert_eq!(all[1..all.len() - 2], *expected, "{text}");
    }
}

#[test]
fn without_notes_it_is_the_program_as_always() {
    let program = parsed("{ s += $1; a[$2] -= 3 } $1 > m { m = $1 } { n += length }");
    let (plain, noted) = (
        compile(&program).expect("small"),
        compile_with_notes(&program, Mode::default(), &Notes::default()).expect("small"),
    );
    assert_eq!(dump(&plain), dump(&noted));
}
