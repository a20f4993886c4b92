//! Programs that exhaust the memory (`ulimit -v`, `--memory-limit`): an error, status 2, and the
//! output before it. And programs, arrays and data nested too deep for the stack.

use riverhawk_tests::shell::Shell;

fn scarce(before: &str, options: &str, program: &str) {
    let script = format!(r#"{before} (ulimit -v 200000; "$RHAWK" {options} '{program}')"#);
    let ran = Shell::new().run(&script);
    ran.assert_says(&["out of memory"], 2);
    assert!(ran.stdout.starts_with("before\n"), "{program}: {:?}", ran.stdout);
}

fn scarce_everywhere(program: &str) {
    for options in ["--no-jit", "--spesh-nodelay --spesh-blocking"] {
        scarce("", options, program);
    }
}

#[test]
fn arrays_that_grow() {
    scarce_everywhere(r#"BEGIN { print "before"; for (;;) a[n++] = n }"#);
    scarce_everywhere(
        r#"BEGIN { print "before"; for (;;) a[n++] = n "and a text that takes an allocation" }"#,
    );
    scarce_everywhere(r#"BEGIN { print "before"; for (;;) a["key " n++] }"#);
    scarce_everywhere(r#"BEGIN { print "before"; for (;;) a[i++][j++] = 1 }"#);
    scarce_everywhere(r#"function f(b, n) { for (;;) b[n++ "k"] } BEGIN { print "before"; f(x) }"#);
}

#[test]
fn texts_that_grow() {
    scarce_everywhere(r#"BEGIN { print "before"; s = "x"; for (;;) s = s s }"#);
    scarce_everywhere(
        r#"BEGIN { print "before"; s = "x"; for (;;) s = s "a text that is not so short any more" }"#,
    );
    scarce_everywhere(
        r#"function f(s) { return s s } BEGIN { print "before"; s = "x"; for (;;) s = f(s) }"#,
    );
    // A text that grows by doubling: the first refusal is of one of many small copies.
    scarce_everywhere(
        r#"BEGIN { print "before"; for (;;) { s = s sprintf("%s,", i++); a[i] = s } }"#,
    );
    let long = r#"BEGIN { print "before"; s = sprintf("%40000000s", "x"); "#;
    for rest in [
        r#"for (;;) a[n++] = substr(s, 2) }"#,
        r#"for (;;) a[n++] = toupper(s) }"#,
        r#"gsub(/ /, "several", s) }"#,
        r#"s = gensub(/ /, "several", "g", s) }"#,
        r#"n = split(s, a, "") }"#,
        r#"if (s s s s s == "") print "wrong" }"#,
        r#"$1 = $2 = $3 = $4 = s; print length($0) }"#,
        r#"a[s, s, s, s, s] }"#,
    ] {
        scarce("", "", &format!("{long}{rest}"));
    }
}

#[test]
fn widths_and_fields() {
    scarce("", "", r#"BEGIN { print "before"; s = sprintf("%1000000000d", 1); print length(s) }"#);
    scarce("", "", r#"BEGIN { print "before"; printf("%.1000000000d", 1) }"#);
    scarce("", "", r#"BEGIN { OFMT = "%.2000000000f"; print "before"; print 0.5 }"#);
    scarce("", "", r#"BEGIN { print "before"; NF = 100000000; print length($0) }"#);
    scarce("", "", r#"BEGIN { print "before"; $100000000 = 1; print length($0) }"#);
}

#[test]
fn long_records() {
    let input = r#"head -c 1000000000 /dev/zero |"#;
    scarce(input, "", r#"BEGIN { print "before" } { print length($0) }"#);
    scarce(input, "", r#"BEGIN { RS = "ab+"; print "before" } { print length($0) }"#);
    scarce(input, "", r#"BEGIN { RS = ""; print "before" } { print length($0) }"#);
    scarce(input, "--csv", r#"BEGIN { print "before" } { print length($0) }"#);
    scarce(input, "", r#"BEGIN { print "before"; getline x; print length(x) }"#);
    scarce(input, "", r#"BEGIN { print "before"; getline x < "/dev/stdin"; print length(x) }"#);
    scarce("yes abcdefghijklmnopqrstuvwxyz |", "", r#"BEGIN { print "before" } { a[NR] = $0 }"#);
}

#[test]
fn sorting_and_visiting() {
    let many = r#"BEGIN { print "before"; while (n < 3000000) a[n++ "k"]; "#;
    scarce("", "", &format!("{many} asorti(a, b) }}"));
    scarce(
        "",
        "",
        &format!(r#"{many} PROCINFO["sorted_in"] = "@ind_str_asc"; for (k in a) m++ }}"#),
    );
    scarce("", "", r#"BEGIN { print "before"; while (n < 4000000) a[n++] = -n; asort(a, b) }"#);
}

#[test]
fn numbers_patterns_and_calls() {
    scarce("", "-M", r#"BEGIN { print "before"; x = 2 ^ (10 ^ 9); print x > 1 }"#);
    let pattern = r#"BEGIN { print "before"; for (i = 0; i < 2000000; i++) r = r "|w" i "x*"; print "q" ~ r }"#;
    scarce("", "", pattern);
    scarce_everywhere(r#"function f(n) { return f(n + 1) + 1 } BEGIN { print "before"; f(0) }"#);
    scarce_everywhere(
        r#"function f(n, b) { b[1] = 1; return f(n + 1) + 1 } BEGIN { print "before"; f(0) }"#,
    );
}

#[test]
fn a_limit_of_the_run_names_who_holds_most() {
    let says = |program: &str, words: &[&str]| {
        let ran = Shell::new().run(&format!(r#""$RHAWK" --memory-limit=64M '{program}'"#));
        ran.assert_says(&[&["cmd. line:1:", "the limit of 64 MiB is reached"], words].concat(), 2);
        assert_eq!(ran.stdout, "before\n");
    };
    says(
        r#"BEGIN { print "before"; for (;;) seen[n++ " "] }"#,
        &["array `seen' holds", "elements (about"],
    );
    says(
        r#"function f(mine, n) { for (;;) mine[n++ "k"] } BEGIN { print "before"; f(x) }"#,
        &["array `"],
    );
    says(
        r#"BEGIN { print "before"; for (;;) text = text "more of it" }"#,
        &["the text of `text' takes"],
    );
    says(
        r#"function f(n) { return f(n + 1) + 1 } BEGIN { print "before"; f(0) }"#,
        &["nested calls take"],
    );
    // Freed memory no longer counts.
    let program = r#"BEGIN { for (i = 0; i < 40; i++) { s = sprintf("%1000000s", i); split(s, a, "") } print length(s) }"#;
    Shell::new()
        .run(&format!(r#""$RHAWK" --memory-limit=64m '{program}'"#))
        .assert_prints("1000000\n");
    Shell::new()
        .run(r#""$RHAWK" --memory-limit=0 1"#)
        .assert_says(&["--memory-limit needs a number of bytes"], 1);
    Shell::new().run(r#""$RHAWK" --memory-limit=9x 1"#).assert_says(&["not '9x'"], 1);
}

#[test]
fn arrays_nested_deep() {
    let made = r#"function f(a, n) { if (n) { a["x"]["y"] = 1; f(a["x"], n - 1) } } BEGIN { f(a, 200000); "#;
    let run = |options: &str, rest: &str| {
        Shell::new()
            .run(&format!(r#""$RHAWK" {options} '{made} {rest}'"#))
            .assert_prints("1 done\n");
    };
    run("", r#"print length(a), "done"; delete a }"#);
    run("--no-jit", r#"n = length(a); split("", a); print n, "done" }"#);
    run("", r#"n = asort(a, b); delete a; print n, "done" }"#);
    run("-d/dev/null", r#"n = length(a); print n, "done" }"#);
    run(
        "-l rwarray",
        r#"writea("nested", a); delete a; reada("nested", b); print length(b), "done"; delete b }"#,
    );
}

#[test]
fn programs_nested_deep() {
    let deep = |before: &str, open: &str, middle: &str, close: &str, after: &str| {
        let (open, close) = (open.repeat(100_000), close.repeat(100_000));
        let program = format!("{before}{open}{middle}{close}{after}");
        Shell::new().with_file("deep.awk", program).run(r#""$RHAWK" -f deep.awk"#)
    };
    deep("BEGIN { print ", "(", "1", ")", "}").assert_prints("1\n");
    deep("BEGIN { print ", "1 ? ", "1", " : 2", "}").assert_prints("1\n");
    deep("BEGIN ", "{", "print 1", "}", "").assert_prints("1\n");
    deep("BEGIN { ", "if (0) ; else ", "print 1", "", "}").assert_prints("1\n");
    deep("BEGIN { x = ", "y = ", "1", "", "; print x }").assert_prints("1\n");
    deep("BEGIN { print ", "- ", "1", "", "}").assert_says(&["too many registers"], 1);
    deep("BEGIN { print ", "a[", "1", "]", "}").assert_says(&["too many registers"], 1);
    deep("BEGIN { print \"x\" ~ /", "(", "x", ")", "/ }").assert_says(&["nested groups"], 1);
}

#[test]
fn data_nested_deep() {
    let input = r#""$RHAWK" 'BEGIN { for (i = 0; i < 1000000; i++) printf "["; print "" }' |"#;
    Shell::new()
        .run(&format!(r#"{input} "$RHAWK" --jsonl '{{ print NF }}'"#))
        .assert_says(&["brackets nested more than"], 2);
}
