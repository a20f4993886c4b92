//! Rows of a program and its tree, without the line breaks and the list of globals.
//!
//! Every row was checked against gawk 5.2.1. It accepts the program. For a value its bytecode
//! (`gawk -D`, `dump`) is that of the tree written with every operand in parentheses, or both print
//! the same where gawk folds constants. A test below repeats the first check where gawk is
//! installed.

use crate::rows;
use std::process::Command;

use riverhawk_syntax::{dump, parse, source::SourceMap};

/// The tree of a program on one line, or its errors.
fn tree(program: &str) -> String {
    let mut source = SourceMap::new();
    source.add("cmd. line", program.as_bytes().to_vec()).unwrap();
    let parsed = parse(&source);
    match &parsed.program {
        Some(program) => {
            let text = dump(program);
            let items = &text[..text.rfind("(globals").unwrap()];
            items.lines().map(str::trim).collect::<Vec<_>>().join(" ")
        }
        None => format!("{:?}", parsed.diagnostics),
    }
}

/// Checks every row and reports all differences together.
fn check(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .map(|(program, expected)| (program, expected, tree(program)))
        .filter(|(_, expected, found)| *expected != found)
        .map(|(program, expected, found)| {
            format!("{program}\n  expected {expected}\n  found    {found}")
        })
        .collect();
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Rows of expressions, each as `z = ...` in a BEGIN action, with a function `f`.
fn check_values(rows: &[(&str, &str)]) {
    let function =
        |value: &str| if value.contains("f(") { " function f(p, q) { return p }" } else { "" };
    let programs: Vec<String> = rows
        .iter()
        .map(|(value, _)| format!("BEGIN {{ z = {value} }}{}", function(value)))
        .collect();
    let trees: Vec<String> = rows
        .iter()
        .map(|(value, tree)| {
            let function = if function(value).is_empty() {
                ""
            } else {
                " (function f (p:scalar q) (return p))"
            };
            format!("(begin (= z {tree})){function}")
        })
        .collect();
    check(
        &programs
            .iter()
            .zip(&trees)
            .map(|(program, tree)| (&**program, &**tree))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn arithmetic_binds_as_in_gawk() {
    check_values(rows::ARITHMETIC);
}

#[test]
fn concatenation_binds_as_in_gawk() {
    check_values(rows::CONCATENATION);
}

#[test]
fn logic_comparison_and_matching_bind_as_in_gawk() {
    check_values(rows::LOGIC);
}

#[test]
fn assignments_stand_where_gawk_lets_them() {
    check_values(rows::ASSIGNMENTS);
}

#[test]
fn fields_and_increments_bind_as_in_gawk() {
    check_values(rows::FIELDS);
}

#[test]
fn getline_takes_what_it_takes_in_gawk() {
    check_values(rows::GETLINE);
}

#[test]
fn a_slash_is_division_after_an_operand_and_a_regex_elsewhere() {
    check_values(rows::SLASHES);
}

#[test]
fn constants_have_the_values_gawk_gives_them() {
    check_values(rows::CONSTANTS);
}

#[test]
fn calls_and_built_ins_take_their_arguments() {
    check(rows::CALLS);
}

/// Rows that gawk does not accept: only rhawk has these functions.
#[test]
fn library_functions_are_called_by_their_qualified_names() {
    check(&[
        ("BEGIN { x = file::slurp(y) }", "(begin (= x (file::slurp y)))"),
        ("BEGIN { file::lines (\"f\" 1, a) }", "(begin (file::lines (cat \"f\" 1) a))"),
        ("text::width($0) > 2", "(rule (> (text::width ($ 0)) 2) (default))"),
        (
            "BEGIN { print text::graphemes(x) text::replace(a,\n b, c) }",
            "(begin (print (cat (text::graphemes x) (text::replace a b c))))",
        ),
        (
            "BEGIN { x = y ? text::width(a):text::width(b) }",
            "(begin (= x (? y (text::width a) (text::width b))))",
        ),
    ]);
}

#[test]
fn prints_know_their_list_from_their_redirection() {
    check(rows::PRINTS);
}

#[test]
fn statements_end_where_gawk_ends_them() {
    check(rows::STATEMENTS);
}

#[test]
fn rules_and_functions_follow_each_other_as_in_gawk() {
    check(rows::RULES);
}

#[test]
fn gawk_accepts_every_row() {
    let version = Command::new("gawk").arg("--version").output();
    if !version.is_ok_and(|version| version.stdout.starts_with(b"GNU Awk 5.3")) {
        eprintln!("gawk 5.3 is not here: nothing to compare with");
        return;
    }
    let values = [
        rows::ARITHMETIC,
        rows::CONCATENATION,
        rows::LOGIC,
        rows::ASSIGNMENTS,
        rows::FIELDS,
        rows::GETLINE,
        rows::SLASHES,
        rows::CONSTANTS,
    ];
    let values = values
        .iter()
        .flat_map(|rows| rows.iter())
        .map(|(value, _)| format!("BEGIN {{ z = {value} }}"));
    let programs = [rows::CALLS, rows::PRINTS, rows::STATEMENTS, rows::RULES];
    let programs =
        programs.iter().flat_map(|rows| rows.iter()).map(|(program, _)| program.to_string());
    let refused: Vec<String> = values
        .chain(programs)
        .filter(|program| {
            // gawk's pretty-printer parses without running; calls need no definition.
            let output = Command::new("gawk")
                .env("LC_ALL", "C.UTF-8")
                .args(["-o/dev/null", "--", program])
                .output()
                .unwrap();
            !output.status.success()
        })
        .collect();
    assert_eq!(refused, [""; 0]);
}

#[test]
fn a_program_with_errors_keeps_what_has_none() {
    let mut source = SourceMap::new();
    let text = "function f(a, b) { a[1] = 2; b = ( }\nBEGIN { x = ; y = 1; f(z) }\nEND { print y }\nfunction g(\n";
    source.add("test", text.into()).expect("short");
    let parsed = riverhawk_syntax::parse_partly(&source);
    let errors = riverhawk_syntax::parse(&source).diagnostics;
    assert_eq!(parsed.diagnostics, errors, "the same messages as the command's");
    let program = parsed.program.expect("always there");
    let f = &program.functions[0];
    assert!(f.defined && f.params[0].usage.array && f.name == "f");
    assert!(program.globals.iter().any(|global| global.name == "z" && global.usage.array));
    assert_eq!((program.begin.len(), program.end.len()), (1, 1));
}
