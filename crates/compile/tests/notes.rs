//! Notes of a program compiled for a piece of a parallel run; nothing else changes.

use riverhawk_bytecode::dump::dump;
use riverhawk_compile::{Mode, Notes, compile, compile_with_notes};
use riverhawk_syntax::ast::{BinaryOp, ExprKind, Program};

fn parsed(text: &str) -> Program {
    let mut sources = riverhawk_syntax::source::SourceMap::new();
    sources.add("row", text.as_bytes().to_vec()).expect("a short program");
    riverhawk_syntax::parse(&sources).program.expect("no syntax errors")
}

/// Operation names of a program with every sum and comparison noted.
fn operations(text: &str) -> Vec<&'static str> {
    let program = parsed(text);
    let mut notes = Notes::default();
    for expr in &program.exprs {
        match expr.kind {
            ExprKind::Assign { op: Some(_), value, .. } => drop(notes.addends.insert(value)),
            ExprKind::Binary(BinaryOp::Gt, left, _) => drop(notes.comparands.insert(left)),
            _ => {}
        }
    }
    let unit = compile_with_notes(&program, Mode::default(), &notes).expect("it is small enough");
    riverhawk_bytecode::verify(&unit).expect("valid");
    unit.code.iter().map(|op| op.name()).collect()
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
        let all = operations(text);
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
