//! Programs in several pieces, with foreign line ends, or of unusual shape.

use riverhawk_syntax::{dump, parse, source::SourceMap};

fn tree_of(pieces: &[&[u8]]) -> Result<String, Vec<String>> {
    let mut source = SourceMap::new();
    for (number, piece) in pieces.iter().enumerate() {
        source.add(format!("p{number}"), piece.to_vec()).unwrap();
    }
    let parsed = parse(&source);
    parsed.program.as_ref().map(dump).ok_or_else(|| {
        let place = |found: &riverhawk_syntax::diagnostic::Diagnostic| {
            let at = source.locate(found.span).unwrap();
            format!("{}:{}:{} {}", at.name, at.line, at.column, found.message)
        };
        parsed.diagnostics.iter().map(place).collect()
    })
}

#[test]
fn crlf_line_ends_make_no_difference() {
    let program = "BEGIN { a = \"x\\\ny\" # c\n  if (a)\n    b\n  else\n    c; /a\\\nb/ }\n\nfunction f(d,\n e)\n\n{ return d \\\n e }\n1\n$1,\n$2\n";
    let unix = tree_of(&[program.as_bytes()]).unwrap();
    assert_eq!(tree_of(&[program.replace('\n', "\r\n").as_bytes()]).unwrap(), unix);
}

#[test]
fn pieces_are_one_program() {
    let together = tree_of(&[b"BEGIN { f(x) }\nfunction f(a) { a[1] }\n1\n2"]).unwrap();
    assert_eq!(
        tree_of(&[b"BEGIN { f(x) }", b"function f(a) { a[1] }", b"", b"1", b"2"]).unwrap(),
        together
    );
    assert_eq!(
        tree_of(&[b"# comment", b"BEGIN { f(x) };function f(a) { a[1] }", b"\n\n1", b"2 # end"])
            .unwrap(),
        together
    );
}

#[test]
fn no_rule_straddles_two_pieces() {
    assert_eq!(
        tree_of(&[b"BEGIN { a", b"b }"]).unwrap_err()[0],
        "p0:1:7 expected `}`, found the end of the program"
    );
    assert_eq!(
        tree_of(&[b"BEGIN", b"{ b }"]).unwrap_err()[0],
        "p0:1:1 BEGIN blocks must have an action part"
    );
}

#[test]
fn errors_in_every_piece_are_reported_with_its_name() {
    let found = tree_of(&[b"BEGIN { x = }", b"\n{ y = }", b"END { z }", b"w ="]).unwrap_err();
    let places: Vec<&str> =
        found.iter().map(|message| message.split(' ').next().unwrap()).collect();
    assert_eq!(places, ["p0:1:13", "p1:2:7", "p3:1:4"]);
}

#[test]
fn no_program_at_all_is_an_empty_program() {
    for pieces in [&[][..], &[&b""[..]], &[b"\n\n"], &[b"# x"], &[b"", b""]] {
        assert_eq!(tree_of(pieces).unwrap(), "(globals ARGC ARGV ENVIRON)\n");
    }
}

#[test]
fn strings_and_regexes_keep_bytes_that_are_not_utf8() {
    let tree = tree_of(&[b"BEGIN { a = \"x\xff\xfe\"; b = /\x80[\xff]/ }"]).unwrap();
    assert!(
        tree.contains(r#"(= a "x\xff\xfe")"#) && tree.contains(r"(= b /\x80[\xff]/)"),
        "{tree}"
    );
}
