//! Observed runs: profiles, variable dumps, traces.

use std::path::Path;

use crate::support::run_in;

/// Standard output, standard error, status.
fn run(args: &[&str], input: &str) -> (String, String, i32) {
    let output = run_in(Path::new("."), args, input);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

/// Recorded from gawk 5.2.1 with the same program and input.
#[test]
fn a_profile_counts_as_gawk_does() {
    let program = "BEGIN { x = 1; if (x) y = 1; else y = 2; for (i = 0; i < 3; i++) { y += i; if (i == 1) continue } }
/a/ { n++; f(n) }
/b/
NR == 1, NR == 3 { r++ }
{ while (k < 5) k++; do z++; while (z < 3); for (q in arr) q
  switch (k) { case 5: k; break; default: z } }
END { n; exit }
function f(a) { return a + 1 }
function unused(b) { b }";
    let expected = "\t# rhawk profile\n\n\tBEGIN {
     1  \tx = 1
     1  \tif (x) { # 1
     1  \t\ty = 1
\t\t} else {
\t\t\ty = 2
\t\t}
     3  \tfor (i = 0; i < 3; i++) {
     3  \t\ty += i
     3  \t\tif (i == 1) { # 1
     1  \t\t\tcontinue
\t\t\t}
\t\t}
\t}

     4  /a/ { # 2
     2  \tn++
     2  \tf(n)
\t}

     4  /b/ # 2

     4  NR == 1, NR == 3 { # 3
     3  \tr++
\t}

     4  {
     5  \twhile (k < 5) {
     5  \t\tk++
\t\t}
     6  \tdo {
     6  \t\tz++
\t\t} while (z < 3)
\t\tfor (q in arr) {
\t\t\tq
\t\t}
     4  \tswitch (k) {
     4  \tcase 5:
     4  \t\tk
     4  \t\tbreak
\t\tdefault:
\t\t\tz
\t\t}
\t}

\tEND {
     1  \tn
     1  \texit
\t}

     2  function f(a)
\t{
     2  \treturn a + 1
\t}

\tfunction unused(b)
\t{
\t\tb
\t}
";
    for form in ["-p/dev/stderr", "--profile=/dev/stderr"] {
        let (out, err, status) = run(&[form, program], "a\nb\nc\nab\n");
        assert_eq!((out.as_str(), err.as_str(), status), ("b\nab\n", expected, 0));
    }
}

/// Also in a chain of choices: the brace of the alternative is on the line of the choice before.
#[test]
fn a_profile_counts_what_was_chosen_instead_as_gawk_does() {
    let program = "{ if (NR == 1) a++; else if (NR < 4) a--; else { a += 2; a } }";
    let expected = "\t# rhawk profile\n
     4  {
     4  \tif (NR == 1) { # 1
     1  \t\ta++
     3  \t} else if (NR < 4) { # 2
     2  \t\ta--
     1  \t} else {
     1  \t\ta += 2
     1  \t\ta
\t\t}
\t}
";
    let (out, err, status) = run(&["-p-", program], "a\nb\nc\nab\n");
    assert_eq!((out.as_str(), err.as_str(), status), (expected, "", 0));
}

#[test]
fn a_profile_is_written_also_after_an_error_and_keeps_the_status() {
    let (_, err, status) = run(&["-p-", "BEGIN { x = 0; print 1 / x }"], "");
    assert!(err.contains("division by zero"), "{err}");
    assert_eq!(status, 2);
    let (out, _, status) = run(&["-p-", "BEGIN { exit 3 }"], "");
    assert_eq!(
        (out.as_str(), status),
        ("\t# rhawk profile\n\n\tBEGIN {\n     1  \texit 3\n\t}\n", 3)
    );
}

/// As in gawk 5.3.2.
#[test]
fn numbers_of_any_precision_and_what_calls_left_open_are_listed_too() {
    let own = |args: &[&str]| {
        let (out, err, status) = run(args, "");
        assert_eq!((err.as_str(), status), ("", 0));
        out.lines()
            .filter(|line| line.starts_with(|first: char| first.is_lowercase()))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let large = own(&["-M", "-d-", "BEGIN { x = 2 ^ 70; y = 0.1; z = -3 }"]);
    assert_eq!(large, "x: 1180591620717411303424\ny: 0.10000000000000001\nz: -3");
    let program = "function f(p) { if (0) p[1] } function h(p) { q = p } function k(p) { p[1] } BEGIN { f(u); h(v); k(w) }";
    assert_eq!(
        own(&["-d-", program]),
        "q: uninitialized scalar\nu: untyped variable\nv: uninitialized scalar\nw: array, 1 elements"
    );
    // A built-in function called by name is listed once.
    let tables = |program: &str| run(&["-d-", program], "").0;
    let size = |out: &str| out.lines().find(|line| line.starts_with("FUNCTAB")).map(str::to_owned);
    assert_eq!(
        size(&tables("BEGIN { f = \"length\"; @f(\"x\") }")),
        size(&tables("BEGIN { f = \"length\" }"))
    );
}

#[test]
fn variables_that_only_rules_use_are_listed_with_their_last_values() {
    let program =
        "{ k = $1; m = substr($0, 2, 3); for (i = 1; i < 3; i++) n[k m]++ } NR > 1 { w = k }";
    let (out, _, status) = run(&["-d-", program], "a b\nlonger than fourteen\nabcdef 1\n");
    let own = |name: &str| out.lines().find(|line| line.starts_with(name)).map(str::to_owned);
    let found = ["k:", "m:", "i:", "n:", "w:"].map(|name| own(name).unwrap_or_default());
    let expected = ["k: \"abcdef\"", "m: \"bcd\"", "i: 3", "n: array, 3 elements", "w: \"abcdef\""];
    assert_eq!((status, found.each_ref().map(|line| &line[..])), (0, expected));
}

/// As in gawk 5.2.1, except for variables that only gawk has.
#[test]
fn variables_are_listed_as_gawk_lists_them() {
    let program = r#"function k(x) { } BEGIN { a = 0.1; b = "é\001\033\\\/\t\""; c = 1 / 3; e = 2 ^ 53 + 1; f = log(-1);
        if (0) { h[1]; k(l) } q[1]; delete q; r = @/a\/b"/; n = "10"; split("5", s); t = s[1]; u = 100000
        v = 1e6 + .5; w = 123456789012345678; exit 3 }
        1, 2"#;
    for form in ["-d-", "--dump-variables=-"] {
        let (out, _, status) = run(&[form, "-v", "z=9", "-v", "OFS=\\t", program], "");
        assert_eq!(status, 3);
        let own: Vec<&str> = out
            .lines()
            .filter(|line| line.starts_with(|first: char| first.is_lowercase() && first != 'z'))
            .collect();
        let expected = [
            "a: 0.10000000000000001",
            r#"b: "\303\251\001\033\\/\t\"""#,
            "c: 0.33333333333333331",
            "e: 9007199254740992",
            "f: -nan",
            "h: untyped variable",
            "l: untyped variable",
            "n: \"10\"",
            "q: array, 0 elements",
            r#"r: @/a\/b"/"#,
            "s: array, 1 elements",
            "t: \"5\"",
            "u: 100000",
            "v: 1000000.5",
            "w: 1.2345678901234568e+17",
        ];
        assert_eq!(own, expected);
        for line in [
            "NR: 0",
            "FS: \" \"",
            "z: 9",
            "OFS: \"\\t\"",
            "SUBSEP: \"\\034\"",
            "RLENGTH: 0",
            "ARGC: 1",
            "FILENAME: \"\"",
        ] {
            assert!(out.lines().any(|found| found == line), "{line}\n{out}");
        }
    }
    let plain = run(&["-c", "-d-", "BEGIN { x = 1 }"], "").0;
    assert!(
        plain.contains("x: 1") && !plain.contains("ERRNO") && !plain.contains("SYMTAB"),
        "{plain}"
    );
}

/// Mentioned or not; SYMTAB has all but itself and FUNCTAB.
#[test]
fn a_dump_has_the_arrays_that_every_program_has() {
    for program in [
        "BEGIN { x = 1 }",
        "BEGIN { x = length(SYMTAB) + length(FUNCTAB) + length(PROCINFO) + length(ENVIRON) }",
    ] {
        let (out, ..) = run(&["-d-", program], "");
        let size = |name: &str| {
            let line = out
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(": array, "))
                .expect(name);
            line.strip_suffix(" elements").unwrap().parse::<usize>().unwrap()
        };
        assert_eq!(size("SYMTAB") + 2, out.lines().count(), "{out}");
        assert!(size("FUNCTAB") >= 42 && size("PROCINFO") >= 15 && size("ENVIRON") >= 2, "{out}");
        assert!(!out.contains("ENCODING"), "{out}");
    }
    assert!(
        run(&["-d-", "BEGIN { ENCODING = \"UTF-8\" }"], "").0.contains("ENCODING: \"UTF-8\"\n")
    );
}

#[test]
fn a_trace_names_each_statement_before_it_runs() {
    let program = "function f() {\n return 1 }\n/x/ { n = f(); if (n)\n print }";
    let (out, err, status) = run(&["--trace", program], "x\ny\n");
    assert_eq!((out.as_str(), status), ("x\n", 0));
    let lines: Vec<&str> = err.lines().collect();
    let expected = [
        "+ cmd. line:3: /x/ { n = f(); if (n)",
        "+ cmd. line:3: n = f()",
        "+ cmd. line:1: f",
        "+ cmd. line:2: return 1",
        "+ cmd. line:3: if (n)",
        "+ cmd. line:4: print",
        "+ cmd. line:3: /x/ { n = f(); if (n)",
    ];
    assert_eq!(lines, expected);
}
