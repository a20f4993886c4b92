//! Golden tests of messages.

use super::*;
use crate::{Backtrace, Frame, InputPosition};

fn sources(text: impl Into<Vec<u8>>) -> SourceMap {
    let mut sources = SourceMap::new();
    sources.add("prog.awk", text.into()).unwrap();
    sources
}

fn span_of(text: &str, part: &str) -> Span {
    let start = text.find(part).unwrap();
    Span { start: start as u32, end: (start + part.len()) as u32 }
}

fn error(text: impl Into<Vec<u8>>, span: Span, label: &str) -> String {
    Renderer::plain("rhawk")
        .diagnostic(&sources(text), &Diagnostic::error(span, "the message", label))
}

fn between(start: u32, end: u32) -> Span {
    Span { start, end }
}

#[test]
fn an_error_shows_place_line_caret_label_and_help() {
    let text = "BEGIN {\n    x = (1 + ;\n}\n";
    let diagnostic =
        Diagnostic::error(span_of(text, ";"), "unexpected ';'", "expected an expression")
            .with_help("an operand is missing after '+'")
            .with_related(span_of(text, "("), "the parenthesis was opened here");
    let expected = "\
prog.awk:2:14: error: unexpected ';'
  |
2 |     x = (1 + ;
  |              ^ expected an expression
  |
  = help: an operand is missing after '+'
prog.awk:2:9: note: the parenthesis was opened here
  |
2 |     x = (1 + ;
  |         -
";
    assert_eq!(Renderer::plain("rhawk").diagnostic(&sources(text), &diagnostic), expected);
}

#[test]
fn a_runtime_error_shows_input_and_calls() {
    let text = "function f(x) { return 1 / x }\n{ f($1) }\n";
    let call = span_of(text, "f($1)");
    let error = RuntimeError {
        message: "division by zero".into(),
        span: Some(span_of(text, "/")),
        backtrace: [Frame { function: "f".into(), call }].into_iter().collect(),
        input: Some(InputPosition { file: b"in\xff.txt".to_vec(), record: 17 }),
        help: Some("check it".into()),
        ..RuntimeError::default()
    };
    let expected = "\
prog.awk:1:26: error: division by zero
  |
1 | function f(x) { return 1 / x }
  |                          ^
  |
  = help: check it
  = input: in\u{fffd}.txt, record 17
backtrace, innermost call first:
  f(), called at prog.awk:2:3
";
    assert_eq!(Renderer::plain("rhawk").runtime_error(&sources(text), &error), expected);
}

#[test]
fn a_deep_backtrace_shows_both_ends() {
    let text = "function f() { f() }\nBEGIN { f() }\n";
    let inner = Frame { function: "f".into(), call: between(15, 18) };
    let outer = Frame { function: "f".into(), call: between(29, 32) };
    let backtrace: Backtrace = std::iter::repeat_n(inner, 999_999).chain([outer]).collect();
    let error = RuntimeError { backtrace, ..RuntimeError::new("too deep").at(between(15, 18)) };
    let drawn = Renderer::plain("rhawk").runtime_error(&sources(text), &error);
    let lines: Vec<&str> =
        drawn.lines().skip_while(|line| !line.starts_with("backtrace")).collect();
    assert_eq!(lines.len(), 1 + 10 + 1 + 5);
    assert_eq!(lines[1], "  f(), called at prog.awk:1:16");
    assert_eq!(lines[11], "  ... 999,985 more");
    assert_eq!(lines[16], "  f(), called at prog.awk:2:9");
}

#[test]
fn an_error_without_a_place_is_one_line() {
    assert_eq!(Renderer::plain("rhawk").message("no\nnews"), "rhawk: error: no\\nnews\n");
    let error = RuntimeError::new("cannot write to standard output: No space left on device");
    let drawn = Renderer::plain("rhawk").runtime_error(&SourceMap::new(), &error);
    assert_eq!(drawn, "rhawk: error: cannot write to standard output: No space left on device\n");
}

#[test]
fn an_error_at_the_end_of_the_text_points_after_the_last_of_it() {
    for text in ["BEGIN {\n  print 1\n\n\n", "BEGIN {\n  print 1"] {
        let end = text.len() as u32;
        let expected = "\
prog.awk:2:10: error: the message
  |
2 |   print 1
  |          ^ expected '}'
";
        assert_eq!(error(text, between(end, end), "expected '}'"), expected);
    }
}

#[test]
fn an_error_in_an_empty_text_has_a_place() {
    assert!(error("", between(0, 0), "").starts_with("prog.awk:1:1: error: the message\n"));
    assert!(error("", between(7, 9), "").starts_with("prog.awk:1:1: error: the message\n"));
}

#[test]
fn a_span_of_several_lines_is_marked_to_the_end_of_the_first() {
    let text = "BEGIN { x = \"abc\r\n def }\n";
    let expected = "\
prog.awk:1:13: error: the message
  |
1 | BEGIN { x = \"abc
  |             ^^^^ unterminated
";
    assert_eq!(error(text, between(12, 24), "unterminated"), expected);
}

#[test]
fn a_tab_is_as_wide_in_the_line_as_under_it() {
    let expected = "\
prog.awk:1:4: error: the message
  |
1 |     x    @
  |          ^
";
    assert_eq!(error("\tx\t@", between(3, 4), ""), expected);
}

#[test]
fn columns_count_characters_and_carets_stand_under_wide_ones() {
    let text = "{ 漢字 }";
    let expected = "\
prog.awk:1:4: error: the message
  |
1 | { 漢字 }
  |     ^^
";
    assert_eq!(error(text, span_of(text, "字"), ""), expected);
}

#[test]
fn bytes_that_are_not_utf8_are_shown_as_replacements() {
    let expected = "\
prog.awk:1:5: error: the message
  |
1 | \"\u{fffd}\u{fffd}\"@
  |     ^
";
    assert_eq!(error(*b"\"\xff\xfe\"@", between(4, 5), ""), expected);
    // A lone continuation byte is a valid position.
    assert!(
        error(*b"\"\x80\x81@", between(2, 3), "").ends_with("1 | \"\u{fffd}\u{fffd}@\n  |   ^\n")
    );
}

#[test]
fn control_characters_never_reach_the_terminal() {
    let text = "BEGIN { \"\x1b[2J\u{9b}\u{202e}\x07\" @ }";
    let span = span_of(text, "@");
    let diagnostic = Diagnostic::error(span, "bad \x1b[31m", "label \x07")
        .with_help("a\x08b")
        .with_related(span, "related \x1b");
    let mut map = SourceMap::new();
    map.add("na\x1bme", text.as_bytes().to_vec()).unwrap();
    let drawn = Renderer::plain("rhawk\x07").diagnostic(&map, &diagnostic);
    assert!(
        !drawn.chars().any(|character| plain_text::is_harmful(character) && character != '\n'),
        "{drawn:?}"
    );
    assert!(drawn.contains("1 | BEGIN { \"␛[2J\u{fffd}\u{fffd}␇\" @ }"), "{drawn}");
}

#[test]
fn of_a_line_of_ten_megabytes_only_the_surroundings_are_shown() {
    let half = "x = x + 1; ".repeat(500_000);
    let text = format!("BEGIN {{ {half}@ {half}}}");
    let drawn = error(&*text, span_of(&text, "@"), "here");
    assert!(drawn.starts_with("prog.awk:1:5500009: error: the message\n"), "{drawn}");
    assert!(drawn.len() < 600, "{} bytes", drawn.len());
    let lines: Vec<&str> = drawn.lines().collect();
    assert_eq!(lines[2].find('@'), lines[3].find('^'));
    assert!(lines[2].contains("1 | ...") && lines[2].ends_with("..."), "{}", lines[2]);
}

#[test]
fn a_long_span_in_a_long_line_is_cut_too() {
    let text = format!("{}{}", " ".repeat(300), "é".repeat(10_000));
    for start in [0, 299, 300, 302, 20_000, 20_299] {
        let drawn = error(&*text, between(start, 20_300), "long");
        assert!(drawn.len() < 1000, "{} bytes", drawn.len());
        assert!(drawn.contains('^') && !drawn.contains(char::REPLACEMENT_CHARACTER), "{drawn}");
    }
}

#[test]
fn colour_changes_nothing_but_colour() {
    let text = "{ print $1 @ 2 }";
    let diagnostic = Diagnostic::error(span_of(text, "@"), "unexpected '@'", "here");
    let coloured = Renderer::coloured("rhawk").diagnostic(&sources(text), &diagnostic);
    assert!(coloured.contains("\x1b["));
    let mut stripped = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once('\x1b') {
        stripped += before;
        rest = &after[after.find('m').unwrap() + 1..];
    }
    stripped += rest;
    assert_eq!(stripped, Renderer::plain("rhawk").diagnostic(&sources(text), &diagnostic));
}

#[test]
fn a_place_in_the_second_piece_has_that_pieces_name() {
    let mut map = sources("BEGIN { }\n");
    map.add("cmd. line", b"{ @ }".to_vec()).unwrap();
    let base = map.pieces()[1].base;
    let drawn = Renderer::plain("rhawk")
        .diagnostic(&map, &Diagnostic::error(between(base + 2, base + 3), "m", ""));
    assert!(drawn.starts_with("rhawk: cmd. line:1:3: error: m\n"), "{drawn}");
}

fn short(renderer: Renderer) -> Renderer {
    renderer.in_format(MessageFormat::Short)
}

#[test]
fn the_command_is_named_where_there_is_no_file_to_open() {
    for name in ["cmd. line", "cmd. line (-e 2)", "-"] {
        let mut map = SourceMap::new();
        map.add(name, b"{ @ }".to_vec()).unwrap();
        let drawn = short(Renderer::plain("rhawk"))
            .diagnostic(&map, &Diagnostic::error(between(2, 3), "m", ""));
        assert_eq!(drawn, format!("rhawk: {name}:1:3: error: m\n"));
    }
}

#[test]
fn the_short_form_is_a_line_for_each_place() {
    let text = "BEGIN {\n    x = (1 + ;\n}\n";
    let diagnostic =
        Diagnostic::error(span_of(text, ";"), "unexpected ';'", "expected an expression")
            .with_help("an operand is missing")
            .with_related(span_of(text, "("), "opened here");
    let expected = "prog.awk:2:14: error: unexpected ';'\nprog.awk:2:9: note: opened here\n";
    let renderer = short(Renderer::plain("rhawk"));
    assert_eq!(renderer.diagnostic(&sources(text), &diagnostic), expected);
    let error = RuntimeError {
        input: Some(InputPosition { file: b"in.txt".to_vec(), record: 17 }),
        ..RuntimeError::new("division by zero").at(span_of(text, "1"))
    };
    let expected = "prog.awk:2:10: error: division by zero (in.txt, record 17)\n";
    assert_eq!(renderer.runtime_error(&sources(text), &error), expected);
    assert_eq!(renderer.message_with_help("no program", "Usage\n"), "rhawk: error: no program\n");
}

#[test]
fn the_form_for_tools_has_everything_that_is_known() {
    let text = "BEGIN {\n    x = (1 + ;\n}\n";
    let renderer = Renderer::coloured("rhawk").in_format(MessageFormat::Json).for_width(20);
    let diagnostic =
        Diagnostic::error(span_of(text, ";"), "unexpected \"é\"", "expected an expression")
            .with_help("an operand\nis missing")
            .with_related(span_of(text, "("), "opened here");
    let expected = r#"{"program":"rhawk","severity":"error","message":"unexpected \"é\"","file":"prog.awk","line":2,"column":14,"end_line":2,"end_column":15,"label":"expected an expression","help":"an operand\nis missing","notes":[{"message":"opened here","file":"prog.awk","line":2,"column":9,"end_line":2,"end_column":10}]}"#;
    assert_eq!(
        renderer.diagnostic(&sources(text), &diagnostic),
        format!("{expected}\n").replace("\\\\", "\\")
    );
    let call = Frame { function: "f".into(), call: span_of(text, "x = (1 + ;\n}") };
    let error = RuntimeError {
        input: Some(InputPosition { file: b"in\xff.txt".to_vec(), record: 17 }),
        backtrace: std::iter::repeat_n(call, 17).collect(),
        ..RuntimeError::new("division by zero").at(span_of(text, "1"))
    };
    let drawn = renderer.runtime_error(&sources(text), &error);
    let start = "{\"program\":\"rhawk\",\"severity\":\"error\",\"message\":\"division by zero\",\"file\":\"prog.awk\",\"line\":2,\"column\":10,\
                 \"end_line\":2,\"end_column\":11,\"input\":{\"file\":\"in\u{fffd}.txt\",\"record\":17},\"calls\":[{\"function\":\"f\",\"file\":\"prog.awk\",\
                 \"line\":2,\"column\":5,\"end_line\":3,\"end_column\":2},";
    assert!(drawn.starts_with(start), "{drawn}");
    assert!(drawn.contains(",\"calls_left_out\":2,\"outermost_calls\":["), "{drawn}");
    assert_eq!(
        renderer.warning("w"),
        "{\"program\":\"rhawk\",\"severity\":\"warning\",\"message\":\"w\"}\n"
    );
    assert!(renderer.message_with_help("m", "Usage: x\ny\n").contains("\"help\":\"Usage: x\\ny\""));
}

/// The excerpt's lines, whose width is checked.
fn for_width(text: &str, span: Span, label: &str, columns: usize) -> Vec<String> {
    let renderer = Renderer::plain("rhawk").for_width(columns);
    let drawn = renderer.diagnostic(&sources(text), &Diagnostic::error(span, "m", label));
    let lines: Vec<String> = drawn.lines().skip(1).map(str::to_owned).collect();
    for line in &lines {
        let width = riverhawk_text::display_width(line.as_bytes());
        assert!(width <= columns.max(30), "{columns} columns, {width} needed: {line}");
    }
    lines
}

#[test]
fn a_line_that_is_longer_than_the_terminal_is_cut_around_the_caret() {
    let text = format!("BEGIN {{ {} @ {} }}", "x = x + 1;".repeat(12), "y = y + 1;".repeat(12));
    let at = span_of(&text, "@");
    for columns in [1, 30, 40, 79, 80, 100, 200, 272] {
        let lines = for_width(&text, at, "here it is", columns);
        assert_eq!(lines[1].find('@'), lines[2].find('^'), "{lines:?}");
        assert!(columns >= 272 || lines[1].contains("..."), "{lines:?}");
        assert!(lines[1].len() + 4 >= columns.min(text.len() + 4), "{lines:?}");
    }
    let whole = for_width(&text, at, "here it is", 280);
    assert!(whole[1].ends_with(&text), "{whole:?}");
    let first = for_width(&text, between(0, 5), "", 40);
    assert!(first[1].starts_with("1 | BEGIN") && first[1].ends_with("..."), "{first:?}");
    let last = for_width(&text, between(text.len() as u32 - 1, text.len() as u32), "", 40);
    assert!(last[1].starts_with("1 | ...") && last[1].ends_with('}'), "{last:?}");
}

#[test]
fn a_line_is_cut_by_columns_not_by_characters() {
    for filler in ["漢", "é", "\t", "e\u{301}", "\u{1}", "👩"] {
        let text = format!("{}@{}", filler.repeat(90), filler.repeat(90));
        let start = text.find('@').unwrap() as u32;
        for columns in [30, 41, 60, 80] {
            let lines = for_width(&text, between(start, start + 1), "label", columns);
            assert!(lines[1].contains('@') && lines[2].contains("^ label"), "{lines:?}");
            let wide = filler != "e\u{301}";
            assert_eq!(lines[1].contains("..."), wide || columns < 200, "{lines:?}");
        }
    }
    let text = format!("{}{}", "a".repeat(30), "b".repeat(300));
    let lines = for_width(&text, between(30, 330), "", 60);
    assert!(lines[2].contains("^^^^^^^^^^"), "{lines:?}");
}
