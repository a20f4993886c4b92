//! Common slips: a hint with an error, a warning where a program is certainly wrong. Output and
//! status stay the same.

use riverhawk_tests::oracle;
use riverhawk_tests::shell::{Ran, Shell};

fn run(script: &str) -> Ran {
    let shell = Shell::new()
        .with_file("prog.awk", "{ print $1 }\n")
        .with_file("script", "{ print $1 }\n")
        .with_file("1", "")
        .with_file("in", "1 2\n3 0\n");
    shell.run(&format!("rhawk() {{ \"$RHAWK\" \"$@\"; }}\n{script}"))
}

fn help(script: &str) -> String {
    let stderr = run(script).stderr;
    stderr
        .lines()
        .find_map(|line| line.split_once("help: "))
        .map_or(String::new(), |(_, help)| help.to_owned())
}

#[test]
fn a_programs_file_in_the_place_of_the_program_is_seen() {
    let ran = run("rhawk prog.awk in");
    ran.assert_says(&["help: did you mean -f? rhawk -f prog.awk runs the program in the file"], 1);
    assert_eq!(ran.stderr.matches("error: ").count(), 1, "{ran:?}");
    // These are programs, which do nothing or something else.
    run("rhawk script in").assert_says(&["`script' is read as the program text"], 0);
    run("rhawk \"$PWD/script\" in; true").assert_says(&["did you mean -f? rhawk -f /"], 0);
    for script in [
        "rhawk 1 in",
        "rhawk -v script=1 script in",
        "rhawk script script=1 in",
        "rhawk -e script in",
        "rhawk -f script in",
        "rhawk --lint=off script in",
        "touch NF; rhawk NF in",
        "rhawk nosuch in",
        "mkdir d; rhawk d in",
    ] {
        assert_eq!(run(script).stderr, "", "{script}");
    }
}

#[test]
fn a_function_that_is_not_there_is_told_with_the_one_that_was_meant() {
    for (script, meant) in [
        ("rhawk '{ print toUpper($1) }' in", "there is a function `toupper`"),
        ("rhawk 'BEGIN { LENGTH(1) }'", "there is a function `length`"),
        (
            "rhawk 'function add(a, b) { return a + b } BEGIN { print ad(1, 2) }'",
            "there is a function `add`",
        ),
        (
            "rhawk 'function Add(a, b) { return a + b } BEGIN { print add(1, 2) }'",
            "there is a function `Add`",
        ),
        ("rhawk 'function util::add(a) { } BEGIN { add(1) }'", "there is a function `util::add`"),
        (
            "rhawk 'function util::add(a) { } BEGIN { util::ad(1) }'",
            "there is a function `util::add`",
        ),
        ("rhawk 'function add(a) { } BEGIN { util::add(1) }'", "there is a function `add`"),
        ("rhawk 'function u::one() { } BEGIN { u::xyzzy() }'", "the namespace `u` has one"),
        ("rhawk 'BEGIN { file::Slurp(1) }'", "there is a function `file::slurp`"),
        ("rhawk 'BEGIN { files::slurp(1) }'", "there is a function `file::slurp`"),
        ("rhawk 'BEGIN { slurp(1) }'", "there is a function `file::slurp`"),
        ("rhawk 'BEGIN { fiel::x(1) }'", "there is a namespace `file`"),
        ("rhawk 'BEGIN { sleep(1) }'", "`@load \"time\"` brings a function `sleep`"),
        (
            "rhawk --posix 'BEGIN { x = gensub(1, 2, 3) }'",
            "`gensub` is a function of gawk, which --posix (or POSIXLY_CORRECT in the environment) takes away",
        ),
        (
            "rhawk -c 'BEGIN { x = strftime() }'",
            "`strftime` is a function of gawk, which --traditional takes away",
        ),
        (
            "rhawk 'BEGIN { qqxz(1, 2) }'",
            "to concatenate a variable with an expression in parentheses, put a blank between them",
        ),
    ] {
        assert_eq!(help(script), meant, "{script}");
    }
    let nowhere = help("rhawk 'BEGIN { nosuch::nothing() }'");
    assert!(
        nowhere
            .starts_with("there is no namespace `nosuch`; built in are assert, file, json, text"),
        "{nowhere}"
    );
}

#[test]
fn a_function_that_is_not_there_is_told_once() {
    for (script, status, level) in [
        ("rhawk 'BEGIN { print 1; f(); f() }'", 2, "error: "),
        ("rhawk '{ f($1) } END { f(2) }' in", 2, "error: "),
        ("rhawk 'BEGIN { print 1; if (0) f(); if (0) f() }'", 0, "warning: "),
        ("rhawk -j2 '{ if (NR == 9) f() }' in", 0, "warning: "),
        (
            "rhawk --spesh-nodelay --spesh-blocking 'BEGIN { while (n++ < 100) if (n > 90) f() }'",
            2,
            "error: ",
        ),
        ("rhawk --format 'BEGIN { f() }'", 0, "warning: "),
    ] {
        let ran = run(script);
        assert_eq!(ran.stderr.matches("function `f'").count(), 1, "{script}: {ran:?}");
        assert!(ran.stderr.contains(&format!("{level}function `f'")), "{script}: {ran:?}");
        assert_eq!(ran.status, status, "{script}");
    }
    // Each of several; one of them is reached.
    let ran = run("rhawk 'BEGIN { print \"a\"; if (0) f(); g(); h() }'");
    for name in ["f", "g", "h"] {
        assert_eq!(ran.stderr.matches(&format!("function `{name}'")).count(), 1, "{ran:?}");
    }
    assert_eq!((ran.stdout.as_str(), ran.status), ("a\n", 2));
    assert_eq!(run("rhawk --lint=off 'BEGIN { if (0) f() }'").stderr, "");
    // Before the run, as gawk does.
    run("rhawk --lint 'BEGIN { if (0) f() }'")
        .assert_says(&["warning: function `f' is called but not defined"], 0);
}

/// Programs with a warning, and its words.
const CERTAIN: &[(&str, &str)] = &[
    ("{ sum =+ $1 } END { print sum }", "`=+' assigns: it does not add to the variable"),
    (
        "{ a[1] =- 2; $2 =+ 1 } END { print a[1] }",
        "`=-' assigns: it does not take from the variable",
    ),
    ("$1 = 5 { print }", "assignment used as a pattern: it does not compare"),
    ("$2 = \"x\" { print }", "assignment used as a pattern"),
    ("NR = 1 { print }", "assignment used as a pattern"),
    ("$1 = -1, $1 == 3 { print }", "assignment used as a pattern"),
    ("found = 0 { print }", "assignment used as a pattern"),
    (
        "BEGIN { while ((getline l < \"no such file\")) if (n++ > 3) exit; print n }",
        "getline fails: No such file or directory",
    ),
    (
        "BEGIN { for (; getline < \"no such file\"; n++) if (n > 3) exit }",
        "-1, which is true, and the loop continues",
    ),
    ("BEGIN { do if (n++ > 3) exit 5; while ((getline l < \"nosuch\")) }", "help: compare it"),
];

/// Programs without one: they are meant, or may be.
const MEANT: &[&str] = &[
    "{ x = +$1; y=+$1; z = -1; w=-1; v = + 1; u =++n; print x y z w }",
    "{ sum =+$1; print sum }",
    "$1 = $1",
    "$2 = \"x\"",
    "NF = 1",
    "OFS = \"-\" { print $1, $2 }",
    "($1 = 5) { print }",
    "$1 = $2 { print }",
    "n = NR { print n }",
    "on = 1 { print }",
    "BEGIN { while ((getline l < \"in\") > 0) print l; close(\"in\"); while (getline l < \"in\") print l }",
    "BEGIN { if (getline l < \"nosuch\") print \"none\" }",
    "BEGIN { while ((\"echo a\" | getline l)) print l; r = getline x < \"nosuch\"; print r }",
];

#[test]
fn what_is_certainly_not_meant_is_said_and_nothing_else() {
    for tier in ["", "--no-jit", "--spesh-nodelay --spesh-blocking"] {
        for (program, words) in CERTAIN {
            let ran = run(&format!("rhawk {tier} '{program}' in"));
            assert_eq!(ran.stderr.matches(words).count(), 1, "{program}: {ran:?}");
            for silent in ["--lint=off", "-v LINT=0"] {
                let quiet = run(&format!("rhawk {tier} {silent} '{program}' in"));
                let said = (quiet.stderr.as_str(), &quiet.stdout, quiet.status);
                assert_eq!(said, ("", &ran.stdout, ran.status), "{silent} {program}");
            }
        }
    }
    for program in MEANT {
        assert_eq!(run(&format!("rhawk '{program}' in")).stderr, "", "{program}");
    }
}

#[test]
fn output_and_status_are_gawks() {
    if oracle::gawk().is_none() {
        return;
    }
    let programs = CERTAIN.iter().map(|(program, _)| *program).chain(MEANT.iter().copied());
    for program in
        programs.chain(["BEGIN { print 1; f() }", "BEGIN { if (0) f(); print 2 }", "script"])
    {
        let ours = run(&format!("rhawk '{program}' in"));
        let theirs = run(&format!("gawk '{program}' in"));
        assert_eq!((ours.stdout, ours.status), (theirs.stdout, theirs.status), "{program}");
    }
}
