//! The list of variables at the end of a run.

use crate::run::run_with;
use riverhawk_vm::config::{Assignment, CommandLine, MachineConfig, Reports};

/// Without the sizes of PROCINFO and the environment, which depend on the machine.
fn listed(program: &str) -> Vec<String> {
    let assignments =
        [b"only=7".as_slice(), b"words=x y"].map(|text| Assignment::parse(text).unwrap()).to_vec();
    let config = MachineConfig {
        command_line: CommandLine { assignments, ..CommandLine::default() },
        reports: Reports { dump_variables: true, ..Reports::default() },
        ..MachineConfig::default()
    };
    let ran = run_with(program, "12\n", config);
    assert!(ran.errors.is_empty(), "{:?}", ran.errors);
    ran.variables.lines().map(str::to_owned).collect()
}

fn own(program: &str) -> Vec<String> {
    listed(program)
        .into_iter()
        .filter(|line| !line.starts_with(|first: char| first.is_ascii_uppercase()))
        .collect()
}

#[test]
fn every_kind_of_value_is_described() {
    let program = r#"
        function f(p) { p[1] }
        function g(q) { return q }
        BEGIN {
            n = 1.5; i = 3; big = 2^60; s = "a\"b\\c\a\b\t\n\v\f\r\001é~"
            a[1]; a[2]; r = @/x+/
            f(made); u = unset; g(passed); h(nothing)
            w = ("x" > "y")
        }
        function h(q) { }
        /a/,/b/ { }
    "#;
    let want = [
        "a: array, 2 elements",
        "big: 1.152921504606847e+18",
        "i: 3",
        "made: array, 1 elements",
        "n: 1.5",
        "nothing: untyped variable",
        "only: 7",
        "passed: uninitialized scalar",
        "r: @/x+/",
        r#"s: "a\"b\\c\a\b\t\n\v\f\r\001\303\251~""#,
        "u: uninitialized scalar",
        "unset: uninitialized scalar",
        "w: 0",
        r#"words: "x y""#,
    ];
    assert_eq!(own(program), want);
}

#[test]
fn what_the_engine_keeps_is_listed_among_them() {
    let lines = listed(r#"function f() { } { x = NR; SYMTAB["x"] = 2 }"#);
    let mut sorted = lines.clone();
    sorted.sort();
    assert_eq!(lines, sorted);
    for line in [
        "NR: 1",
        "NF: 1",
        r#"FS: " ""#,
        r#"RS: "\n""#,
        r#"OFMT: "%.6g""#,
        "only: 7",
        "x: 2",
        "RLENGTH: 0",
    ] {
        assert_eq!(lines.iter().filter(|listed| *listed == line).count(), 1, "{line} in {lines:?}");
    }
    assert!(!lines.iter().any(|line| line.starts_with("ENCODING")), "it has no value");
    // SYMTAB does not contain itself and FUNCTAB.
    assert!(lines.contains(&format!("SYMTAB: array, {} elements", lines.len() - 2)), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("PROCINFO: array, ")).count(), 1);
    let size = |program: &str| -> usize {
        let line =
            listed(program).into_iter().find(|line| line.starts_with("FUNCTAB")).expect("a line");
        line.split(' ').nth(2).expect("a size").parse().expect("a number")
    };
    assert_eq!(size("function f() { } function g() { } BEGIN { }"), size("BEGIN { }") + 2);
}
