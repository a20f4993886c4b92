//! `--lint` compared with gawk's, and the table of what other awks lack compared with those awks.

use riverhawk_syntax::lint::FEATURES;
use riverhawk_tests::build::rhawk;
use riverhawk_tests::oracle;
use std::process::{Command, Stdio};

/// Standard output and the warnings of standard error, without their places.
fn run(awk: &[&str], args: &[&str]) -> Option<(String, Vec<String>, Option<i32>)> {
    let output = Command::new(awk[0])
        .args(&awk[1..])
        .args(args)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    let warnings = err
        .lines()
        .filter_map(|line| line.split_once("warning: "))
        .map(|(_, text)| text.trim().to_owned());
    Some((
        String::from_utf8_lossy(&output.stdout).into_owned(),
        warnings.collect(),
        output.status.code(),
    ))
}

/// Programs whose set of warnings is gawk's.
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
    "BEGIN { x = match(\"a\", /b/, d); y = match(\"a\", /c/, e); f = \"length\"; print @f(\"a\") @f(\"b\") }",
    // Strings used as regular expressions, when they are.
    "BEGIN { print \"a\"; if (0) print \"a\" ~ \"\\\\q\"; x = \"\\\\j\"; print \"a\" ~ x; print split(\"a\", p, \"\\\\,+\") }",
    "BEGIN { print x \"\"; y = x + 1; print f() } function f(a) { return a \"\" }",
    "{ print $1, $NF } END { print x }",
    "BEGIN { delete(a) }",
    // While it runs: elements, fields, variables.
    "BEGIN { print x[1]; x[\"\"] = 1; print x[\"\"]; delete x[\"q\"]; print length(x) }",
    "BEGIN { a[\"x\"][1] = 2; print a[\"x\"][3]; delete a[\"x\"][9] }",
    "BEGIN { x[3]++; ++x[4]; x[5] += 1; x[6] = x[6] \"a\"; x[u]++; sub(/a/, \"b\", x[7]); f(x[8]) } function f(a) { return 1 }",
    "BEGIN { x[1][2]++; x[1][3] = 3; print x[2][3] }",
    "BEGIN { a[1][2]; delete a[1][3]; delete a[4][5]; delete a[1][2] }",
    "BEGIN { for (k in u) print k; if (1 in v) print; print ENVIRON[\"nosuch\"], ARGV[9] }",
    "BEGIN { m++; --n; o += 1; p = p + 1; q = r++; s = s \"x\"; sub(/a/, \"b\", t); y = u; print y }",
    "function f(a) { a++; return a } function g(a) { a = a + 1; return a } function h(a) { return a } BEGIN { f(); g(u); print h(u) }",
    "BEGIN { if (u1 == 1) ; if (!u2) ; if (u3 ~ /x/) ; if (u4 && u5) ; u6 ? 1 : 2; print -u7, u8 \"\", substr(u9, 1) }",
    "BEGIN { print $0; print $1; print $(\"x\"), $\"2\", $\"\"; $9 = 1; print $7; NF = 3; print $2; $8++; sub(/a/, \"b\", $15) }",
    "BEGIN { print; print length; sub(/a/, \"b\") }",
    "END { print $1, $0; f() } function f() { print $2 }",
    "END { getline; while ((getline line) > 0) n++ }",
    "BEGIN { $0 = \"a b c\"; NF = 2; NF-- }",
    "BEGIN { print exp(1000), exp(\"a\"), log(\"x\"), log(-1), sqrt(\"q\"), sqrt(-1), sin(\"s\"), cos(\"c\"), int(\"i\"), atan2(\"a\", \"b\"), srand(\"s\") }",
    "BEGIN { n = \"3\"; print exp(n), int(n), length(12), index(12, 1), index(\"a\", 1), toupper(1), tolower(2), substr(123, 1, 2) }",
    "BEGIN { print substr(\"hello\", 0), substr(\"hello\", -1), substr(\"hello\", 1.5), substr(\"hello\", 1, 1.5), substr(\"hello\", 2, 0), substr(\"hello\", 2, -1), substr(\"hello\", 9), substr(\"\", 1), substr(\"hello\", 2, 20), substr(\"hello\", \"a\"), substr(\"hello\", 1, \"b\") }",
    "BEGIN { print substr(\"hello\", log(-1)), substr(\"hello\", 1, log(-1)), substr(\"hello\", 1e300), substr(\"hello\", 1, 1e300) }",
    "BEGIN { print strftime(\"\"), strftime(\"%Y\", \"x\"), strftime(1), strftime(\"%Y\", -1) }",
    "BEGIN { x = strftime(\"%Y\", 1e300) }",
    "BEGIN { PROCINFO[\"strftime\"] = 3; print strftime() }",
    "BEGIN { print mktime(\"2000 13 45 25 61 61\"), mktime(3), mktime(\"2000\"), mktime(\"a b c d e f\") }",
    "BEGIN { system(1); print lshift(\"a\", \"b\"), rshift(\"a\", 1), lshift(1, 64), or(\"x\", 3), compl(1.5), lshift(1.5, 1), rshift(5, 1.5) }",
    // Input that looks like a number: text for some functions, none for others.
    "BEGIN { $0 = \"123 4.5\"; print substr($1, 1, 1), substr(12, 1, 1), index($1, \"2\"), index(\"a\", $1), match($1, /2/) }",
    "BEGIN { $0 = \"123 4.5\"; print length($1), toupper($1), tolower($2), fflush($1), mktime($1), strftime($1) }",
    "BEGIN { print match(123, /2/), match(u, /2/), match(1 == 1, /1/, m); if (match(-1, /1/)) print }",
    "BEGIN { y = @/a/; print substr(y, y, y), length(y), toupper(y), tolower(y), index(y, y), match(y, /1/) }",
    "BEGIN { y = @/a/; print log(y), $y, and(y, 1), strftime(y), mktime(y), fflush(y); printf y }",
    "BEGIN { print substr(\"hello\", 4.5, 9), substr(\"hello\", 5.5, 2), substr(\"hello\", 0.5, 20), substr(\"hello\", 9.5, 1), substr(\"hello\", -3, 9) }",
    "BEGIN { print dcgettext(1), dcgettext(\"a\", 1), dcngettext(1, 2, \"c\"), dcngettext(\"a\", \"b\", u, 2), bindtextdomain(1, 2) }",
    "BEGIN { $0 = \"a b\"; print $$9, log($9), and($9, 1), atan2($9, $9), substr(\"abc\", $9, $9); y = $9; print int(y), exp(u) }",
    "BEGIN { $\"1\" = 3; $\"\" = 4; $u = 5; $$9 = 6; $(\"1\" 0) = 7 }",
    // Expressions without effect: alone, and in a list of statements.
    "function f() { return 1 } BEGIN { c + f()\n f() + 1\n d[f()]\n 1 && f()\n $f()\n c++ + 1\n -c++\n (c)\n (c) + 1\n !(1 in d)\n c ? 1 : 2\n c + (f() && 1) }",
    "BEGIN { +c\n -+c\n - -c\n !c\n substr(\"a\", 1) + 1\n sub(/a/, \"b\") == 1\n system(\"\") == 0\n rand() + 1\n length + 1 }",
    "BEGIN { NR\n NF\n FNR\n $NF\n NR + 1\n d[NR]\n NR in d\n NF == NF\n !NR\n 1 ~ NR }",
    "BEGIN { FS\n RS\n RSTART + 1\n SUBSEP\n $FS\n FILENAME \"\"\n ENVIRON[\"PATH\"]\n RLENGTH == 1 }",
    "BEGIN { if (0) c[j]\n if (0) ; else c\n while (0) c == 1\n for (;0;) $1\n for (c; 0; c) ;\n for (i in v) 1\n do c; while (0) }",
    "BEGIN { if (0) { c[j] } else { c; x = 1 }\n while (0) { x = 1; c }\n for (;0;) { $1; 1 }\n { { c } }\n switch (1) { case 1: c == 1; default: 2 } }",
    "function f() { c; if (0) c } NR == 1 { c; while (0) c } END { f(); 1 } BEGINFILE { 1 } ENDFILE { 2 }",
    "BEGIN { split(\"abc\", x, \"\"); print gensub(/a/, \"b\", \"x\", \"a\"), gensub(/a/, \"b\", 0, \"a\") }",
    "BEGIN { printf \"%d %s\\n\", 1, 2, 3; printf \"%5%%.3%%5.3%\\n\"; printf \"%ld %hd %Lf\\n\", 1, 2, 3; printf \"%z %d\\n\", 1; printf \"%5\"; printf \"%\" }",
    "BEGIN { printf \"%c\\n\", -1; printf \"%a\\n\", 1; printf 3; x = sprintf(4) }",
    "BEGIN { OFMT = \"%.2f\"; CONVFMT = \"%5.2f\"; CONVFMT = \"%.3g \"; x = 3.4567 \"\" }",
    "BEGIN { print \"a\" > \"/dev/null\"; print \"b\" >> \"/dev/null\"; getline x < \"/dev/null\" }",
    "BEGIN { print \"a\" | \"cat\"; \"cat\" | getline x; close(\"nosuch\"); close(\"cat\", \"from\") }",
    "BEGIN { \"echo 1\" | getline x; print \"x\" | \"cat 1>&2\"; getline y < \"/etc/hostname\" }",
    "BEGIN { print \"a\" | \"cat\"; close(\"cat\"); while ((\"echo a\" | getline x) > 0) print x; close(\"echo a\") }",
    // Variables that the engine keeps.
    "BEGIN { IGNORECASE = 1; IGNORECASE = 0; FIELDWIDTHS = \"1 2\"; FPAT = \"a\"; RS = \"ab\"; FS = \"\"; BINMODE = \"q\"; BINMODE = 2 }",
    "BEGIN { LINT = 0; print u; LINT = 1; print v; LINT = \"\"; print w }",
    "BEGIN { FS = \"\\t\"; FS = \" \"; FS = \"a\"; RS = \"\"; RS = \"\\n\"; RS = \"\\n+\" }",
    "BEGIN { print \"\\x414243\", \"\\x41\", \"\\q\" }",
    "BEGIN { print \"abc\" ~ /\\q/, \"abc\" ~ /a\\/b/, \"x\" ~ /\\</, \"x\" ~ /\\_/, \"abc\" ~ \"a\\\\jb\" }",
    "/abc/i { print } BEGIN { print \"ab\" ~ /b/s }",
    "BEGIN { goto = 1; print goto; goto x }",
    "BEGINFILE { nextfile } ENDFILE { } BEGIN { switch (3) { case 3: break; default: ; } }",
    "@namespace \"foo\"\nBEGIN { x = 1; print x }",
    "@load \"ordchr\"\n@load \"ordchr\"\nBEGIN { print ord(\"a\") }",
    "BEGIN { print SYMTAB[\"NR\"], FUNCTAB[\"f\"]; SYMTAB[\"x\"] = 3; x = 1 } function f() { return 1 }",
    "BEGIN { x = dcgettext(_\"abc\"); y = 1 in z; print \"a\" > \"/dev/stdout\" \"\" }",
];

/// Our addition to gawk's warning: reading a name and then using it as an array is an error.
const ONLY_OURS: &str = ", which is an array elsewhere";

/// gawk's only because of how it reads, or of what a run shows.
const ONLY_GAWK: &[&str] = &[
    // A copy of an untyped value has no value here either; gawk's `typeof` reads it.
    "POSIX does not allow operator `**'",
];

#[test]
fn warnings_are_gawks() {
    if oracle::gawk().is_none() {
        return;
    }
    let rhawk = rhawk();
    let rhawk = rhawk.to_str().expect("a path");
    for program in LIKE_GAWK {
        let Some((out, mut theirs, status)) = run(&["gawk"], &["--lint", program]) else { return };
        let (ours_out, mut ours, ours_status) = run(&[rhawk], &["--lint", program]).expect("rhawk");
        ours.iter_mut().for_each(|warning| *warning = warning.replace(ONLY_OURS, ""));
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
    assert_eq!(
        ours(&["--lint=fatal", "BEGIN { print 1; x }"]),
        (String::new(), Vec::new(), Some(2))
    );
    assert_eq!(
        ours(&["-Lfatal", "BEGIN { print 1; print x }"]),
        ("1\n".to_owned(), Vec::new(), Some(2))
    );
    assert_eq!(
        ours(&["--lint=fatal", "BEGIN { print 1 }"]),
        ("1\n".to_owned(), Vec::new(), Some(0))
    );
    assert!(ours(&["--lint=no-ext", "BEGIN { x = systime() }"]).1.is_empty());
    assert_eq!(ours(&["--lint=no-ext", "BEGIN { systime(); 1 }"]).1, ["statement has no effect"]);
    assert_eq!(ours(&["--lint=invalid", "BEGIN { 1 }"]).1, ["statement has no effect"]);
    let nonsense = "`--lint=nonsense' is not a kind of warning: all are given";
    assert_eq!(ours(&["--lint=nonsense", "BEGIN { 1 }"]).1, [nonsense, "statement has no effect"]);
    assert_eq!(ours(&["-t", "BEGIN { if (1 in x) y = toupper(1) }"]).1.len(), 2);
    let portable = ours(&[
        "--lint=portable",
        "BEGIN { x = gensub(/a/, \"b\", 1, \"a\"); y = text::width(x); 1 }",
    ])
    .1;
    assert_eq!(
        portable,
        [
            "`gensub' is not portable: mawk, onetrue-awk lack it",
            "`text::width' is only here: no other awk has it"
        ]
    );
}

#[test]
fn what_print_compares_is_found_where_no_parentheses_are_around_it() {
    let rhawk = rhawk();
    let rhawk = rhawk.to_str().expect("a path");
    let lacking = |program: &str| {
        let (_, warnings, _) = run(&[rhawk], &["--lint=portable", program]).expect("rhawk");
        warnings.iter().filter(|warning| warning.starts_with("a comparison in print")).count()
    };
    let of = |statement: &str| format!("function f(x) {{ return x }} BEGIN {{ {statement} }}");
    let bare = [
        "print 1 == 1",
        "print 1 < 2",
        "print 2, 1 != 1",
        "print 1 == 1 ? 2 : 3",
        "printf \"%s\\n\", 1 == 1",
        "print (1) == 1",
    ];
    let safe = [
        "print (1 == 1)",
        "print (1 == 1, 2)",
        "print f(1 == 1)",
        "print 1 ~ 1",
        "x = 1 == 1; print x",
        "print 1 ? 2 : 3",
    ];
    for statement in bare {
        assert_eq!(lacking(&of(statement)), 1, "{statement}");
    }
    for statement in safe {
        assert_eq!(lacking(&of(statement)), 0, "{statement}");
    }
    for (statements, works) in [(&bare[..], false), (&safe[..], true)] {
        for statement in statements {
            let Some((_, _, status)) = run(&["original-awk"], &[&of(statement)]) else { return };
            assert_eq!(status == Some(0), works, "original-awk: {statement}");
        }
    }
}

#[test]
fn other_awks_lack_what_the_table_says() {
    let awks: [(&str, &str, &[&str]); 4] = [
        ("gawk", "gawk", &["gawk"]),
        ("mawk", "mawk", &["mawk"]),
        ("onetrue-awk", "original-awk", &["original-awk"]),
        ("busybox", "busybox", &["busybox", "awk"]),
    ];
    for (name, reference, awk) in awks {
        if oracle::peer(reference).is_none() {
            continue;
        }
        for feature in FEATURES {
            // The C library groups digits only in other locales, which may not be installed.
            if feature.probe.contains("%'") {
                continue;
            }
            let Some((out, _, status)) = run(awk, &[feature.probe]) else { break };
            let has = status == Some(0) && out.trim_end() == feature.prints;
            assert_eq!(has, !feature.lacking.contains(&name), "{name}: {}: {out}", feature.name);
        }
    }
}

/// The programs of the tables in `docs/lint.md` and their warnings.
fn documented() -> Vec<(String, String)> {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/lint.md"))
        .expect("the page");
    let rows = page.lines().filter_map(|line| {
        let line = line.replace("\\|", "\u{1}");
        let cells: Vec<String> =
            line.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect();
        let [_, warning, program, _] = &cells[..] else { return None };
        let program = program.strip_prefix('`')?.strip_suffix('`')?;
        let is_program = ["BEGIN", "END", "function", "func", "@", "/"]
            .iter()
            .any(|start| program.starts_with(start));
        is_program.then(|| (warning.clone(), program.to_owned()))
    });
    rows.collect()
}

#[test]
fn the_page_about_lint_tells_the_truth() {
    let rhawk = rhawk();
    let rhawk = rhawk.to_str().expect("a path");
    let rows = documented();
    assert!(rows.len() > 85, "{}", rows.len());
    let has_gawk = oracle::gawk().is_some();
    for (warning, program) in rows {
        for awk in [Some(rhawk), has_gawk.then_some("gawk")].into_iter().flatten() {
            let Some((_, warnings, _)) = run(&[awk], &["--lint", &program]) else { continue };
            assert!(
                warnings.iter().any(|found| found.starts_with(&warning)),
                "{awk}: {program}: {warnings:?}"
            );
        }
    }
}

#[test]
fn each_warning_has_a_code() {
    let mut missing = Vec::new();
    for program in LIKE_GAWK {
        let output = Command::new(rhawk())
            .args(["--lint", "--message-format=json", program])
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .output()
            .expect("rhawk can be run");
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        for line in messages.lines().filter(|line| line.contains("\"severity\":")) {
            if !line.contains("\"code\":\"RH") {
                missing.push(line.to_owned());
            }
        }
    }
    assert!(missing.is_empty(), "without a code:\n{}", missing.join("\n"));
}
