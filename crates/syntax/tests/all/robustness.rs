//! Depth, size and garbage: no program makes the parser overflow its stack or panic.

use proptest::prelude::*;
use riverhawk_syntax::diagnostic::Severity;
use riverhawk_syntax::{MAX_ERRORS, Parsed, dump, parse, source::SourceMap};

/// Levels of nesting that must parse.
const DEEP: usize = 100_000;

fn parsed(program: &[u8]) -> Parsed {
    let mut source = SourceMap::new();
    source.add("cmd. line", program.to_vec()).unwrap();
    parse(&source)
}

#[test]
fn a_hundred_thousand_levels_of_anything_parse_and_print() {
    let nested =
        |open: &str, middle: &str, close: &str| open.repeat(DEEP) + middle + &close.repeat(DEEP);
    for expression in [
        nested("(", "1", ")"),
        nested("- ", "1", ""),
        nested("!", "1", ""),
        nested("$", "1", ""),
        nested("a = ", "1", ""),
        nested("a += ", "1", ""),
        nested("1 ? 1 : ", "1", ""),
        nested("1 ? ", "1", " : 1"),
        nested("1 ^ ", "1", ""),
        nested("a[", "1", "]"),
        nested("length(", "1", ")"),
        nested("f(", "1", ")"),
        nested("getline < ", "1", ""),
        nested("a ", "1", ""),
        nested("1 + ", "1", ""),
        nested("1 * ", "1", ""),
        nested("1 || ", "1", ""),
        nested("1 && ", "1", ""),
        nested("1 ~ ", "1", ""),
        nested("", "1", " in a"),
        nested("", "\"c\"", " | getline"),
        nested("1 < (", "1", ")"),
        nested("(1, ", "1", ") in a"),
    ] {
        let program = format!("BEGIN {{ x = {expression} }}\nfunction f(p) {{ }}");
        let shown = &program[..40];
        let parsed = parsed(program.as_bytes());
        assert!(parsed.program.is_some(), "{shown}: {:?}", parsed.diagnostics.first());
        assert!(dump(&parsed.program.unwrap()).len() > 2 * DEEP, "{shown}");
    }
    for statement in [
        nested("{", "", "}"),
        nested("if (1) ", "x", ""),
        nested("if (1) x; else ", "x", ""),
        nested("while (1) ", "x", ""),
        nested("for (;;) ", "x", ""),
        nested("for (k in a) ", "x", ""),
        nested("do ", "x;", " while (1)"),
        nested("x;", "x", ""),
        nested("print 1, 2;", "x", ""),
    ] {
        let program = format!("BEGIN {{ {statement} }}");
        let parsed = parsed(program.as_bytes());
        assert!(parsed.program.is_some(), "{}: {:?}", &program[..40], parsed.diagnostics.first());
        assert!(dump(&parsed.program.unwrap()).len() > 2 * DEEP, "{}", &program[..40]);
    }
}

#[test]
fn deeper_than_the_limit_is_a_clear_error() {
    for open in ["(", "{", "- ", "a[", "if (1) "] {
        let found = parsed(format!("BEGIN {{ {}", open.repeat(1_000_000)).as_bytes());
        assert!(found.program.is_none());
        let message = &found.diagnostics[0].message;
        assert!(
            message.starts_with("nested too deeply: more than 400000 levels"),
            "{open}: {message}"
        );
    }
}

#[test]
fn unclosed_nests_end_in_an_error_and_not_in_a_crash() {
    for open in ["(", "{", "a[", "f(", "if (", "print (", "{ if (x) {"] {
        let found = parsed(format!("BEGIN {{ {}", open.repeat(DEEP)).as_bytes());
        assert!(found.program.is_none() && !found.diagnostics.is_empty(), "{open}");
    }
}

#[test]
fn a_long_parameter_list_ends_at_its_limit() {
    let list = |count: usize| (0..count).map(|at| format!("p{at}")).collect::<Vec<_>>().join(",");
    assert!(parsed(format!("function f({}) {{ }}", list(65_535)).as_bytes()).program.is_some());
    let found = parsed(format!("function f({}) {{ }}", list(65_536)).as_bytes());
    assert_eq!(found.diagnostics[0].message, "function `f' has more than 65535 parameters");
}

#[test]
fn a_megabyte_on_one_line_with_errors_takes_no_quadratic_time() {
    let program = format!("BEGIN {{ {} }}", "x = = 1; ".repeat(120_000));
    assert_eq!(parsed(program.as_bytes()).diagnostics.len(), 1);
    let program = format!("BEGIN {{ {} }}", "\"\\q\" ".repeat(200_000));
    // One warning for an escape without a meaning.
    assert_eq!(parsed(program.as_bytes()).diagnostics.len(), 1);
}

/// Random sequences of these get past the lexer.
fn fragment() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        &[
            "BEGIN",
            "END",
            "function",
            "f(",
            "f",
            "a",
            "a[",
            "]",
            "(",
            ")",
            "{",
            "}",
            ";",
            "\n",
            ",",
            "$",
            "NF",
            "1",
            "0x1f",
            "1e",
            "\"s\"",
            "\"\\q\"",
            "\"",
            "/re/",
            "/",
            "/[/]/",
            "/=",
            "=",
            "==",
            "+=",
            "+",
            "-",
            "++",
            "--",
            "!",
            "~",
            "!~",
            "<",
            ">",
            ">>",
            "|",
            "||",
            "&&",
            "&",
            "?",
            ":",
            "in",
            "getline",
            "print",
            "printf",
            "if",
            "else",
            "while",
            "for",
            "do",
            "break",
            "continue",
            "next",
            "exit",
            "return",
            "delete",
            "length",
            "substr(",
            "split(",
            "gsub(",
            "#",
            "\\\n",
            "\\",
            "\r\n",
            "@",
            "'",
            "é",
            "\0",
            "::",
            "switch",
            "gensub(",
            " ",
            "file::slurp(",
            "text::graphemes(",
            "file::x",
            "awk::",
        ][..],
    )
}

fn check_sane(program: &[u8]) -> Result<(), TestCaseError> {
    let found = parsed(program);
    let errors = found.diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
    prop_assert_eq!(found.program.is_none(), errors > 0);
    for diagnostic in &found.diagnostics {
        prop_assert!(diagnostic.span.start <= diagnostic.span.end);
        prop_assert!(diagnostic.span.end as usize <= program.len() + 1);
        prop_assert!(!diagnostic.message.is_empty() && !diagnostic.message.contains('\n'));
    }
    if let Some(program) = &found.program {
        dump(program);
    }
    prop_assert!(errors <= MAX_ERRORS);
    Ok(())
}

proptest! {
    #[test]
    fn any_bytes_give_a_program_or_errors(program in prop::collection::vec(any::<u8>(), 0..200)) {
        check_sane(&program)?;
    }

    #[test]
    fn any_sequence_of_fragments_gives_a_program_or_errors(parts in prop::collection::vec(fragment(), 0..60), gap in any::<bool>()) {
        check_sane(parts.join(if gap { " " } else { "" }).as_bytes())?;
    }

    #[test]
    fn any_prefix_of_a_program_gives_a_program_or_errors(cut in 0..PROGRAM.len()) {
        check_sane(&PROGRAM.as_bytes()[..cut])?;
    }
}

/// A bit of everything.
const PROGRAM: &str = r#"#!/usr/bin/rhawk -f
# a bit of everything
function fill(a, n,   i) {
    for (i = 1; i <= n; i++) a[i] = i ^ 2 % 7
    return n > 0 ? n : -n
}
BEGIN { FS = ":"; x["a", 1]; "date" | getline now; close("date") }
BEGIN { while ((getline line < "/dev/null") > 0) print line > "/dev/stderr" }
/^[^#\/]+[]/]x/ && $1 !~ "a\tb\"" , /end/ { count[$1]++; next }
!seen[$0]++ { if (NF) print $NF, $(NF-1); else printf("%s\n", $0) | "sort -n"; }
($1, $2) in pair { delete pair[$1, $2]; do i--; while (i > 0 && !(i in count)) }
END { for (k in count) { if (k == "q") continue; print k, count[k] } exit fill(sq, 3) \
      + 1 }
"#;

#[test]
fn the_bit_of_everything_parses() {
    assert!(parsed(PROGRAM.as_bytes()).program.is_some());
}
