//! Host functions: declarations, and calls of them.

use riverhawk_syntax::{
    Dialect, Parsed, dump, host::HostDeclaration, parse_with, source::SourceMap,
};
use std::ops::RangeInclusive;

fn parsed(program: &str, functions: &[HostDeclaration]) -> Parsed {
    let mut source = SourceMap::new();
    source.add("cmd. line", program.as_bytes().to_vec()).expect("a short program");
    parse_with(&source, Dialect::Gawk, functions)
}

fn functions() -> [HostDeclaration; 3] {
    [
        HostDeclaration::new("geo::lookup", 1..=2),
        HostDeclaration::new("score", 2..=usize::MAX).with_array(1),
        HostDeclaration::new("now", 0..=0),
    ]
}

#[track_caller]
fn refused(program: &str, message: &str, label: &str) {
    let found = parsed(program, &functions()).diagnostics;
    let first = found.first().unwrap_or_else(|| panic!("{program} is accepted"));
    assert_eq!((first.message.as_str(), &*first.label), (message, label), "{program}");
}

#[test]
fn a_call_is_resolved_by_its_name_in_any_namespace() {
    for (program, call) in [
        ("BEGIN { print geo::lookup(x) }", "(host geo::lookup x)"),
        ("@namespace \"geo\"\nBEGIN { print lookup(1, 2) }", "(host geo::lookup 1 2)"),
        ("@namespace \"other\"\nBEGIN { print awk::now() }", "(host now)"),
        ("BEGIN { print score(1, a, 2, 3) }", "(host score 1 a 2 3)"),
        // A parameter hides it.
        ("function f(now) { return now } BEGIN { print f(1) }", "now"),
    ] {
        let tree = dump(&parsed(program, &functions()).program.expect(program));
        assert!(tree.contains(call), "{program}: {tree}");
    }
}

#[test]
fn an_argument_is_an_array_where_it_is_declared_and_a_scalar_elsewhere() {
    let tree = dump(&parsed("BEGIN { score(x, a) }", &functions()).program.expect("valid"));
    assert!(tree.contains("x:scalar a:array"), "{tree}");
    let program = "function f(p) { return score(1, p) } BEGIN { f(b) }";
    let tree = dump(&parsed(program, &functions()).program.expect("valid"));
    assert!(tree.contains("b:array"), "{tree}");
}

#[test]
fn a_wrong_number_of_arguments_is_an_error_at_the_call() {
    refused(
        "BEGIN { geo::lookup() }",
        "0 is invalid as number of arguments for geo::lookup",
        "takes 1 to 2 arguments",
    );
    refused(
        "BEGIN { now(1) }",
        "1 is invalid as number of arguments for now",
        "takes no arguments",
    );
    refused(
        "BEGIN { score(1) }",
        "1 is invalid as number of arguments for score",
        "takes 2 arguments or more",
    );
    let found = &parsed("BEGIN { x = 1\n  now(1) }", &functions()).diagnostics[0];
    assert_eq!((found.span.start, found.span.end), (16, 22));
    refused(
        "BEGIN { score(1, 2 + 3) }",
        "score: second argument is not an array",
        "expected the name of an array",
    );
}

#[test]
fn a_name_has_one_meaning() {
    refused(
        "function now() { }",
        "function name `now' previously defined",
        "a host function has this name",
    );
    let used =
        "function `now' called with space between name and `(', or used as a variable or an array";
    refused("BEGIN { print now (1) }", used, "used as a variable here");
}

#[test]
fn a_slip_in_a_name_is_noticed() {
    for (program, help) in [
        ("BEGIN { nwo() }", "there is a function `now`"),
        ("BEGIN { lookup(1) }", "there is a function `geo::lookup`"),
        ("BEGIN { geo::lokup(1) }", "there is a function `geo::lookup`"),
    ] {
        let found = parsed(program, &functions()).diagnostics;
        assert_eq!(found[0].help.as_deref(), Some(help), "{program}");
    }
}

#[test]
fn a_declaration_that_no_program_can_call_is_an_error() {
    let any = |name: &str| HostDeclaration::new(name, 0..=3);
    for (declared, message) in [
        (vec![any("while")], "host function `while': the name is taken"),
        (vec![any("length")], "host function `length': the name is taken"),
        (vec![any("gensub")], "host function `gensub': the name is taken"),
        (vec![any("NF")], "host function `NF': the name is taken"),
        (vec![any("ENVIRON")], "host function `ENVIRON': the name is taken"),
        (vec![any("file::find")], "host function `file::find': the name is taken"),
        (vec![any("math::tau")], "host function `math::tau': the name is taken"),
        (vec![any("awk::f")], "host function `awk::f': a qualified plain name"),
        (vec![any("")], "host function `': not a name"),
        (vec![any("a-b")], "host function `a-b': not a name"),
        (vec![any("a::b::c")], "host function `a::b::c': not a name"),
        (vec![any("while::f")], "using reserved identifier `while' as a namespace is not allowed"),
        (vec![any("f"), any("f")], "host function `f': declared twice"),
        (vec![any("f").with_array(3)], "host function `f': not an argument that can be an array"),
        (
            vec![HostDeclaration::new("f", 0..=usize::MAX).with_array(16)],
            "host function `f': not an argument that can be an array",
        ),
        (
            vec![HostDeclaration::new("f", RangeInclusive::new(2, 1))],
            "host function `f': no number of arguments is valid",
        ),
    ] {
        let found = parsed("BEGIN { }", &declared);
        assert!(found.program.is_none(), "{message}");
        assert_eq!(found.diagnostics[0].message, message);
    }
}

#[test]
fn an_indirect_call_may_reach_a_host_function() {
    let program = parsed("BEGIN { f = \"now\"; @f() }", &functions()).program.expect("valid");
    let body = program.functions.iter().find(|function| function.name == "now");
    assert!(body.is_some_and(|function| function.builtin && function.defined));
}
