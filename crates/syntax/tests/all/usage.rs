//! What the text proves about variables.

use riverhawk_syntax::{dump, parse, source::SourceMap};

/// The functions' headers and the list of globals, as the dump writes them.
fn usage(program: &str) -> String {
    let mut source = SourceMap::new();
    source.add("cmd. line", program.as_bytes().to_vec()).unwrap();
    let text = dump(&parse(&source).program.expect(program));
    let of_interest =
        text.lines().filter(|line| line.starts_with("(function") || line.starts_with("(globals"));
    let lines: Vec<&str> = of_interest
        .map(|line| match line.strip_prefix("(function ") {
            Some(rest) => &rest[..=rest.find(')').unwrap()],
            None => {
                line.trim_start_matches("(globals ARGC ARGV ENVIRON").trim().trim_end_matches(')')
            }
        })
        .collect();
    lines.join(" | ")
}

#[test]
fn globals_are_scalars_or_arrays_by_how_they_are_used() {
    for (program, expected) in [
        ("BEGIN { a = 1 }", "a:scalar"),
        ("BEGIN { print a }", "a:scalar"),
        ("BEGIN { a++ }", "a:scalar"),
        ("BEGIN { (a) }", "a:scalar"),
        ("BEGIN { a[1] }", "a:array"),
        ("BEGIN { 1 in a }", "a:array"),
        ("BEGIN { (1, 2) in a }", "a:array"),
        ("BEGIN { for (k in a) ; }", "k:scalar a:array"),
        ("BEGIN { delete a }", "a:array"),
        ("BEGIN { delete(a) }", "a:array"),
        ("BEGIN { delete a[1] }", "a:array"),
        ("BEGIN { split(\"x\", a) }", "a:array"),
        ("BEGIN { split(\"x\", a, \" \", b) }", "a:array b:array"),
        ("BEGIN { match(\"x\", /x/, a) }", "a:array"),
        ("BEGIN { file::lines(b, a) }", "b:scalar a:array"),
        ("BEGIN { text::graphemes(b, a) }", "b:scalar a:array"),
        ("BEGIN { text::graphemes(b) }", "b:scalar"),
        ("BEGIN { text::graphemes(a, a) }", "a:scalar:array"),
        ("BEGIN { length(a) }", "a"),
        ("BEGIN { length a }", "a:scalar"),
        ("BEGIN { length(a b) }", "a:scalar b:scalar"),
        ("BEGIN { getline a }", "a:scalar"),
        ("BEGIN { sub(/x/, \"y\", a) }", "a:scalar"),
        // gawk finds these conflicts at run time, so they must not be errors here.
        ("BEGIN { a[1] = 1; a = 2 }", "a:scalar:array"),
    ] {
        assert_eq!(usage(program), expected, "{program}");
    }
}

/// `a` gets `x` in one of its calls, so it must check for an array in all.
#[test]
fn a_scalar_parameter_that_is_given_an_array_somewhere_is_both() {
    for (program, expected) in [
        (
            "function f(a) { a + 1 } BEGIN { x[1]; f(x); y = 1; f(y) }",
            "f (a:scalar:array) | x:scalar:array y:scalar",
        ),
        (
            "function f(a) { g(a) } function g(b) { b + 1 } BEGIN { x[1]; f(x) }",
            "f (a:scalar:array) | g (b:scalar:array) | x:scalar:array",
        ),
        (
            "function g(b) { b + 1 } function f(a) { g(a) } BEGIN { x[1]; f(x) }",
            "g (b:scalar:array) | f (a:scalar:array) | x:scalar:array",
        ),
        ("function f(a) { a + 1 } BEGIN { x[1]; f(x[1]) }", "f (a:scalar) | x:array"),
        (
            "function f(a) { g(a) } function g(b) { } BEGIN { x[1]; f(x) }",
            "f (a) | g (b) | x:array",
        ),
    ] {
        assert_eq!(usage(program), expected, "{program}");
    }
}

#[test]
fn predefined_globals_and_specials_keep_their_places() {
    assert!(
        usage("BEGIN { ARGV[1] = NF; ENVIRON[\"x\"]; ARGC = 2 }")
            .starts_with("(globals ARGC:scalar ARGV:array ENVIRON:array")
    );
}

#[test]
fn what_a_function_does_with_a_parameter_it_does_with_what_is_passed() {
    for (program, expected) in [
        ("function f(a) { a[1] }", "f (a:array) | "),
        ("function f(a) { a = 1 }", "f (a:scalar) | "),
        ("function f(a) { }", "f (a) | "),
        ("function f(a) { a[1]; a = 1 }", "f (a:scalar:array) | "),
        ("BEGIN { f(x) } function f(a) { a[1] }", "f (a:array) | x:array"),
        ("BEGIN { f((x)) } function f(a) { a[1] }", "f (a:array) | x:scalar"),
        ("BEGIN { f(x) } function f(a) { }", "f (a) | x"),
        ("BEGIN { f(x + 1) } function f(a) { }", "f (a) | x:scalar"),
        (
            "function f(a) { g(a) } function g(b) { h(b) } function h(c) { c[1] }",
            "f (a:array) | g (b:array) | h (c:array) | ",
        ),
        (
            "function f(a) { return a ? g(a) : 0 } function g(b) { return f(b) }",
            "f (a:scalar) | g (b:scalar) | ",
        ),
        ("function f(a, n) { if (n) f(a, n - 1); else a[1] }", "f (a:array n:scalar) | "),
        (
            "function f(a, b, n) { if (n) f(b, a, n - 1); else a[1] }",
            "f (a:array b:array n:scalar) | ",
        ),
        ("function f(a) { g(a) } function g(b) { f(b) }", "f (a) | g (b) | "),
        (
            "BEGIN { f(x, y) } function f(a, b) { g(b); h(a) } function g(p) { p[1] } function h(q) { q++ }",
            "f (a:scalar b:array) | g (p:array) | h (q:scalar) | x:scalar y:array",
        ),
        ("BEGIN { f(x); x = 1 } function f(a) { a[1] }", "f (a:array) | x:scalar:array"),
    ] {
        assert_eq!(usage(program), expected, "{program}");
    }
}

#[test]
fn a_parameter_hides_the_global_of_its_name() {
    assert_eq!(usage("function f(x) { x[1] } BEGIN { x = 1 }"), "f (x:array) | x:scalar");
}

#[test]
fn extra_arguments_get_parameters_without_names() {
    assert_eq!(usage("function f(a) { } BEGIN { f(1, x, y = 2) }"), "f (a _ _) | x y:scalar");
}

#[test]
fn a_long_chain_of_calls_is_resolved_in_one_sweep() {
    let functions = 20_000;
    let chain: String =
        (0..functions).map(|at| format!("function f{at}(a) {{ f{}(a) }}\n", at + 1)).collect();
    let program = format!("BEGIN {{ f0(x) }}\n{chain}function f{functions}(a) {{ a[1] }}");
    assert!(usage(&program).ends_with(" | x:array"));
}
