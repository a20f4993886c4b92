//! `--check`, `--fix`, `--format` with them, and comments that allow warnings.

use riverhawk_tests::shell::Shell;

const UGLY: &str = "func f(a) { if (a = 1) print length; return \"\\q\\w\\q\" }\nBEGIN { f(2); x = 2 ** 3; print x > d \"x\" }";

#[test]
fn checking_runs_nothing_and_its_status_says_whether_something_was_found() {
    let shell = Shell::new().with_file("a.awk", "BEGIN { system(\"touch ran\"); 1 }\n");
    let ran = shell.run("\"$RHAWK\" --check --message-format=short -f a.awk");
    assert_eq!(
        (&*ran.stdout, &*ran.stderr, ran.status),
        ("a.awk:1:30: warning: statement has no effect\n", "", 1)
    );
    assert!(!shell.dir().join("ran").exists());
    shell.run("\"$RHAWK\" --check 'BEGIN { print systime() }'").assert_prints("");
    assert_eq!(shell.run("\"$RHAWK\" --check --lint 'BEGIN { print systime() }'").status, 1);
    assert_eq!(shell.run("\"$RHAWK\" --check --lint=fatal 'BEGIN { 1 }'").status, 2);
    assert_eq!(shell.run("\"$RHAWK\" --check 'BEGIN {'").status, 1);
    let closed = shell.run("\"$RHAWK\" --check 'BEGIN { 1 }' > /dev/full");
    assert!(closed.stderr.contains("cannot write to standard output"), "{closed:?}");
}

#[test]
fn a_comment_allows_a_warning_on_its_line_or_in_what_follows() {
    let shell = Shell::new();
    let lines = |program: &str, options: &str| {
        let shell = Shell::new().with_file("a.awk", program);
        let script = format!("\"$RHAWK\" {options} --message-format=short -f a.awk");
        let ran = shell.run(&script);
        (ran.stdout + &ran.stderr).lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    assert_eq!(lines("{ 1 } # rhawk: allow(RH0801)\n", "--check"), none);
    assert_eq!(lines("# rhawk: allow(RH0801) a reason\n\n# more\n{\n 1\n 2\n}\n", "--check"), none);
    assert_eq!(lines("BEGIN {\n # rhawk: allow(RH0801)\n 1\n 2\n}\n", "--check").len(), 1);
    assert_eq!(
        lines("{ 1 } # rhawk: allow(RH0801, RH0802)\n", "--check"),
        ["a.awk:1:30: warning: `allow(RH0802)' allows nothing"]
    );
    // A run's warnings, and the first warning that would be fatal.
    assert_eq!(lines("BEGIN { print x } # rhawk: allow(RH1401)\n", "--lint"), [""]);
    assert_eq!(lines("BEGIN { print x } # rhawk: allow(RH1401)\n", "--lint=fatal"), [""]);
    assert_eq!(lines("BEGIN { print x } # rhawk: allow(RH1402)\n", "--lint").len(), 2);
    // Without being asked.
    assert_eq!(lines("BEGIN { n =+ 1 } # rhawk: allow(RH0709)\n", ""), none);
    // An error cannot be allowed.
    shell.run("\"$RHAWK\" 'BEGIN { 1 + } # rhawk: allow(RH0201)'").assert_says(&["expected"], 1);
}

#[test]
fn fixes_change_files_and_not_what_the_program_does() {
    let shell = Shell::new().with_file("a.awk", UGLY);
    let before = shell.run("\"$RHAWK\" --dump=bytecode -f a.awk").stdout;
    let ran = shell.run("\"$RHAWK\" --fix --lint --message-format=short -f a.awk");
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(ran.stdout, "");
    assert_eq!(
        shell.content("a.awk"),
        "function f(a) { if (a = 1) print length(); return \"qwq\" }\nBEGIN { f(2); x = 2 ^ 3; print x > (d \"x\") }\n"
    );
    assert!(ran.stderr.starts_with("rhawk: note: a.awk: 8 fixes applied\n"), "{ran:?}");
    assert!(ran.stderr.contains("assignment used in conditional context"), "{ran:?}");
    assert_eq!(shell.run("\"$RHAWK\" --dump=bytecode -f a.awk").stdout, before);
    shell
        .run("\"$RHAWK\" --fix --lint 'func f() { return 1 } BEGIN { f() }'")
        .assert_prints("function f() { return 1 } BEGIN { f() }\n");
    // Dropping this backslash would make another character.
    assert_eq!(
        shell.run(r#""$RHAWK" --fix 'BEGIN { print "\x4\c" }'"#).stdout,
        "BEGIN { print \"\\x4\\c\" }\n"
    );
    let included = Shell::new()
        .with_file("lib.awk", "func g() { return 1 }\n")
        .with_file("a.awk", "@include \"lib.awk\"\nBEGIN { g(); print length }\n");
    included.run("\"$RHAWK\" --fix --lint -f a.awk");
    assert_eq!(included.content("lib.awk"), "func g() { return 1 }\n");
    assert!(included.content("a.awk").contains("length()"));
}

#[test]
fn the_layout_is_checked_and_changed() {
    let shell = Shell::new()
        .with_file("a.awk", "BEGIN{print 1}\n")
        .with_file("b.awk", "END {\n\tprint 2\n}\n");
    let ran = shell.run("\"$RHAWK\" --format --check -f a.awk -f b.awk");
    let diff = "--- a.awk\n+++ a.awk\n@@ -1 +1,3 @@\n-BEGIN{print 1}\n+BEGIN {\n+\tprint 1\n+}\n";
    assert_eq!((&*ran.stdout, ran.status), (diff, 1));
    shell.run("\"$RHAWK\" --format --fix -f a.awk -f b.awk").assert_prints("");
    assert_eq!(shell.content("a.awk"), "BEGIN {\n\tprint 1\n}\n");
    shell.run("\"$RHAWK\" --format --check -f a.awk -f b.awk").assert_prints("");
    shell
        .run("\"$RHAWK\" --format=40 'a && (b || c) { print substr(aaaaaa, 1, 2), toupper(b), d }'")
        .assert_prints("a && (b || c) {\n\tprint substr(aaaaaa, 1, 2),\n\t\t\ttoupper(b), d\n}\n");
}

#[test]
fn a_log_for_code_scanning_is_json_with_rules_places_and_fixes() {
    let shell = Shell::new().with_file("a b.awk", "BEGIN { print length }\n");
    let ran = shell.run("\"$RHAWK\" --check --message-format=sarif -f 'a b.awk'");
    assert_eq!((&*ran.stderr, ran.status), ("", 1));
    let query = "{ print @\"version\", @\"runs[0].columnKind\", @\"runs[0].tool.driver.rules[0].id\"; print @\"runs[0].results[0].ruleId\", @\"runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri\", @\"runs[0].results[0].locations[0].physicalLocation.region.startColumn\"; print @\"runs[0].results[0].fixes[0].artifactChanges[0].replacements[0].insertedContent.text\" }";
    let shell = shell.with_file("log", &ran.stdout).with_file("query", query);
    shell
        .run("\"$RHAWK\" --jsonl -f query log")
        .assert_prints("2.1.0 unicodeCodePoints RH0814\nRH0814 a%20b.awk 15\n()\n");
    let clean = shell.run("\"$RHAWK\" --check --message-format=sarif 1");
    assert!(clean.stdout.contains("\"results\":[]") && clean.status == 0, "{clean:?}");
    shell
        .run("\"$RHAWK\" --message-format=sarif 1")
        .assert_says(&["--message-format=sarif needs --check"], 1);
}

#[test]
fn github_reads_commands() {
    let shell = Shell::new().with_file("a,b.awk", "BEGIN { print 1 / 0 }\n");
    let ran = shell.run("\"$RHAWK\" --message-format=github -f a,b.awk");
    assert_eq!(
        ran.stderr,
        "::error file=a%2Cb.awk,line=1,col=15,endColumn=20,title=RH1101::division by zero in `/'\n"
    );
}
