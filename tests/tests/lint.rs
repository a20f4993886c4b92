//! `--lint` against gawk's, and the table of what other awks lack against those awks.

use riverhawk_syntax::lint::FEATURES;
use riverhawk_tests::build::rhawk;
use std::process::{Command, Stdio};

/// Standard output and the warnings of standard error, without their places.
fn run(awk: &[&str], args: &[&str]) -> Option<(String, Vec<String>, Option<i32>)> {
    let output = Command::new(awk[0])
        .args(&awk[1..])
        .args(args)
        .env("LC_ALL", "en_US.UTF-8")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    let warnings = err.lines().filter_map(|line| line.split_once("warning: ")).map(|(_, text)| text.trim().to_owned());
    Some((String::from_utf8_lossy(&output.stdout).into_owned(), warnings.collect(), output.status.code()))
}

/// Programs whose warnings, as a set, are gawk's.
const LIKE_GAWK: &[&str] = &[
    "BEGIN { if (x = 1) y = 2; while (y = 0) z = 1; do break; while (w = 5) }",
    "BEGIN { y = 1; x = /re/; z = x == /re/; y = f(/re/); v = /re/ ~ x } function f(a) { return a }",
    "BEGIN { x[1] = 1; y = 2; x[1] == 1\n x[1] == y\n \"a\" \"b\"\n y ~ y\n !y\n y && y\n -y\n $1 = 1; $1\n y\n 1\n \"a\"\n x[1]\n y + 1\n 1 in x\n y++ \n}",
    "BEGIN { y = sub(/a/, \"b\", \"abc\"); d = \"/dev/\"; print 1 > d \"null\"; print 011, 0x11 }",
    "BEGIN { n = length; s = \"a\\\nb\" }",
    "function f(a, x) { return g(1) + a } function unused(y) { } BEGIN { f(1); x = 2; a = 3 } function g(z) { return z }",
    "BEGIN { $0 = 1; x = //; y = /* x */ 1 }",
    "BEGIN { x = gensub(/a/, \"b\", 1, \"a\"); y = gensub(/a/, \"b\", 1, \"a\"); a[1][2] = 3; z = systime() }",
    "BEGIN { x = 2; x **= 2; switch (x) { case 1: print 1 } }",
    "BEGIN { x = match(\"a\", /b/, d); close(\"x\", \"to\") }",
    "BEGIN { print x \"\"; y = x + 1; print f() } function f(a) { return a \"\" }",
    "{ print $1, $NF } END { print x }",
    "BEGIN { delete(a) }",
];

/// gawk's only because of how it reads, or of what it finds in a run that ours does not look for.
const ONLY_GAWK: &[&str] = &[
    "`case' is a gawk extension",
    "close: `x' is not an open file, pipe or co-process",
    "no explicit close of file",
    "reference to uninitialized field",
    "reference to uninitialized element",
    "POSIX does not allow operator `**'",
];

#[test]
fn warnings_are_gawks() {
    let rhawk = rhawk();
    let rhawk = rhawk.to_str().expect("a path");
    for program in LIKE_GAWK {
        let Some((out, mut theirs, status)) = run(&["gawk"], &["--lint", program]) else { return };
        let (ours_out, mut ours, ours_status) = run(&[rhawk], &["--lint", program]).expect("rhawk");
        theirs.retain(|warning| !ONLY_GAWK.iter().any(|only| warning.starts_with(only)));
        for warnings in [&mut theirs, &mut ours] {
            warnings.sort();
            warnings.dedup();
        }
        assert_eq!(ours, theirs, "{program}");
        assert_eq!((ours_out, ours_status), (out, status), "{program}");
    }
}

#[test]
fn fatal_ends_with_the_first_finding_and_no_ext_leaves_extensions_out() {
    let rhawk = rhawk();
    let rhawk = rhawk.to_str().expect("a path");
    let ours = |args: &[&str]| run(&[rhawk], args).expect("rhawk");
    assert_eq!(ours(&["--lint=fatal", "BEGIN { print 1; x }"]), (String::new(), Vec::new(), Some(2)));
    assert_eq!(ours(&["-Lfatal", "BEGIN { print 1; print x }"]), ("1\n".to_owned(), Vec::new(), Some(2)));
    assert_eq!(ours(&["--lint=fatal", "BEGIN { print 1 }"]), ("1\n".to_owned(), Vec::new(), Some(0)));
    assert!(ours(&["--lint=no-ext", "BEGIN { x = systime() }"]).1.is_empty());
    assert_eq!(ours(&["--lint=no-ext", "BEGIN { systime(); 1 }"]).1, ["statement has no effect"]);
    assert_eq!(ours(&["--lint=invalid", "BEGIN { 1 }"]).1, ["statement has no effect"]);
    assert_eq!(ours(&["--lint=nonsense", "BEGIN { }"]).2, Some(1));
    assert_eq!(ours(&["-t", "BEGIN { if (1 in x) y = toupper(1) }"]).1.len(), 2);
    let portable = ours(&["--lint=portable", "BEGIN { x = gensub(/a/, \"b\", 1, \"a\"); y = text::width(x); 1 }"]).1;
    assert_eq!(
        portable,
        ["`gensub' is not portable: mawk, onetrue-awk lack it", "`text::width' is only here: no other awk has it"]
    );
}

#[test]
fn other_awks_lack_what_the_table_says() {
    let awks: [(&str, &[&str]); 4] = [
        ("gawk", &["gawk"]),
        ("mawk", &["mawk"]),
        ("onetrue-awk", &["original-awk"]),
        ("busybox", &["busybox", "awk"]),
    ];
    for (name, awk) in awks {
        for feature in FEATURES {
            let Some((out, _, status)) = run(awk, &[feature.probe]) else { break };
            let has = status == Some(0) && out.trim_end() == feature.prints;
            assert_eq!(has, !feature.lacking.contains(&name), "{name}: {}: {out}", feature.name);
        }
    }
}
