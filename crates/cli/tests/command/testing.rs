//! `--test` and `--coverage`.

use std::fs;
use std::path::Path;

use crate::support::run_in;

const ORDERS: &str = "function price(s) { sub(/^\\$/, \"\", s); return s + 0 }
{ total[$1] += price($2) }
END { for (k in total) print k, total[k]; exit 3 }
function unused() { return 1 }
";

/// Standard output, standard error, status.
fn run(folder: &Path, args: &[&str]) -> (String, String, i32) {
    let output = run_in(folder, args, "");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// The report of one test after the program above.
fn verdict(test: &str) -> (String, i32) {
    let folder = folder_with(&[("orders.awk", ORDERS), ("a_test.awk", test), ("in", "milk 2\n")]);
    let (stdout, stderr, status) =
        run(folder.path(), &["-f", "orders.awk", "--test", "a_test.awk"]);
    assert_eq!(stderr, "", "{test}");
    (stdout, status)
}

#[test]
fn a_test_passes_if_everything_is_as_it_says() {
    for test in [
        "function test_a() { assert::equal(price(\"$3\"), 3) }",
        "@namespace \"shop\"\nfunction test_a() { assert::equal(awk::price(\"$3\"), 3) }",
        "function test_alone() { assert::equal(length(total), 0); assert::equal(NR, 0) }",
        "# input:\n# | tea $3\n# | tea 4\n# output:\n# | tea 7\n# status: 3\nfunction test_a() { assert::equal(total[\"tea\"], 7); assert::equal(NR, 2) }",
        "# input: in\n# status: 3\nfunction test_a() { assert::equal(FILENAME, \"in\"); assert::equal(total[\"milk\"], 2) }",
        "# input:\n# status: 3\nfunction test_empty() { assert::equal(NR, 0) }",
        "# fails: division by zero\nfunction test_a() { print 1 / 0 }",
        "# status: 4\nfunction test_a() { exit 4 }",
        "# output:\n# | a\n# |  b\nfunction test_a() { print \"a\"; system(\"echo ' b'\") }",
        "# skip: later\nfunction test_a() { assert::fail() }",
    ] {
        let (report, status) = verdict(test);
        assert_eq!(status, 0, "{test}\n{report}");
    }
}

#[test]
fn a_test_fails_at_what_is_not_as_it_says() {
    for (test, said) in [
        ("function test_a() { print \"x\"; assert::equal(price(1), 2) }", "got 1, want 2"),
        ("function test_a() { exit 4 }", "exit status 4, want 0"),
        ("# input:\nfunction test_a() { }", "exit status 3, want 0"),
        ("# fails: zero\nfunction test_a() { }", "the run did not fail; expected \"zero\""),
        ("# fails: zero\nfunction test_a() { assert::fail() }", "but not with \"zero\""),
        ("# output:\n# | a\nfunction test_a() { print \"b\" }", "-a\n+b\n"),
        ("# output: nosuch\nfunction test_a() { }", "cannot read 'nosuch'"),
        ("# input: nosuch\n# status: 3\nfunction test_a() { }", "nosuch"),
        ("# status: x\nfunction test_a() { }", "status: is no number from 0 to 255: x"),
        ("# | a\nfunction test_a() { }", "no input: or output: directly above"),
        (
            "function test_a() { print \"seen\"; print \"err\" > \"/dev/stderr\"; assert::fail() }",
            "printed:\n  seen\nstandard error:\n  err\n",
        ),
    ] {
        let (report, status) = verdict(test);
        assert_eq!(status, 1, "{test}\n{report}");
        assert!(report.contains(said), "{test}\n{report}");
    }
}

#[test]
fn folders_are_searched_and_the_order_does_not_depend_on_threads() {
    let slow = "function test_1() { for (i = 0; i < 100000; i++) s = s i }\nfunction test_2() { }";
    let folder = folder_with(&[
        ("t/b_test.awk", slow),
        ("t/a/test_a.awk", "function test_3() { }"),
        ("t/other.awk", "function test_no() { }"),
    ]);
    let expected = "t/a/test_a.awk\n  ok    test_3\nt/b_test.awk\n  ok    test_1\n  ok    test_2\n\n3 passed\n";
    for jobs in ["1", "3"] {
        let (report, _, status) = run(folder.path(), &["-j", jobs, "--test", "t"]);
        assert_eq!((report.as_str(), status), (expected, 0), "{jobs}");
    }
    let (report, _, _) = run(folder.path(), &["--test-only=_3", "--test", "t"]);
    assert_eq!(report, "t/a/test_a.awk\n  ok    test_3\n\n1 passed\n");
}

#[test]
fn what_cannot_be_run_has_a_status_of_its_own() {
    let folder = folder_with(&[("wrong_test.awk", "function test_a() {"), ("none.awk", "1")]);
    for args in [&["--test", "wrong_test.awk"][..], &["--test", "none.awk"], &["--test", "nosuch"]]
    {
        let (stdout, stderr, status) = run(folder.path(), args);
        assert_eq!((stdout.as_str(), status), ("", 2), "{args:?}");
        assert!(!stderr.is_empty());
    }
    let (_, stderr, status) = run(folder.path(), &["--test", "none.awk", "--test-only=a"]);
    assert!(stderr.contains("options come before the files") && status == 2, "{stderr}");
}

#[test]
fn reports_for_machines() {
    let tests = "function test_a() { }\nfunction test_b() { print \"<&>\"; assert::equal(1, 2, \"#1\") }\n# skip: later\nfunction test_c() { }\n";
    let folder = folder_with(&[("a_test.awk", tests)]);
    let (tap, _, status) = run(folder.path(), &["--test=tap", "a_test.awk"]);
    assert_eq!(status, 1);
    assert!(tap.starts_with("TAP version 14\n1..3\nok 1 - a_test.awk: test_a\nnot ok 2 - a_test.awk: test_b\n  ---\n  message: \"assertion failed: #1: got 1, want 2\"\n"), "{tap}");
    assert!(
        tap.ends_with("  stdout: |2-\n    <&>\n  ...\nok 3 - a_test.awk: test_c # SKIP later\n"),
        "{tap}"
    );
    let (junit, _, status) = run(folder.path(), &["--test=junit", "a_test.awk"]);
    assert_eq!(status, 1);
    for part in [
        "<testsuite name=\"a_test.awk\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\"",
        "<failure message=\"assertion failed: #1: got 1, want 2\">a_test.awk:2\n",
        "<system-out>&lt;&amp;&gt;\n</system-out>",
        "<skipped message=\"later\"/>",
    ] {
        assert!(junit.contains(part), "{part}: {junit}");
    }
}

#[test]
fn coverage_is_of_the_program_and_not_of_the_tests() {
    let test = "# input:\n# | tea 3\n# status: 3\nfunction test_a() { assert::true(1) }\n";
    let folder = folder_with(&[("orders.awk", ORDERS), ("a_test.awk", test)]);
    let args = ["-f", "orders.awk", "--coverage=text:table", "--test", "a_test.awk"];
    let (_, stderr, status) = run(folder.path(), &args);
    assert_eq!((stderr.as_str(), status), ("", 0));
    let table = fs::read_to_string(folder.path().join("table")).unwrap();
    let row = "orders.awk  6/7 85%         1/1 100%       1/2 50%        4";
    assert_eq!(table.lines().nth(1), Some(row), "{table}");
}

#[test]
fn runs_are_added_up_in_an_lcov_file_and_shown_in_pages() {
    let program = "/a/ { n++ }\n/b/ { m++ }\nEND { if (n) print n; else print m }\n";
    let folder = folder_with(&[("p.awk", program), ("a", "a\n"), ("b", "b\nb\n")]);
    let args = |input| ["--coverage=lcov:c", "--coverage=html:pages", "-f", "p.awk", input];
    assert_eq!(run(folder.path(), &args("a")), ("1\n".into(), String::new(), 0));
    let lcov = |line: &str| {
        fs::read_to_string(folder.path().join("c")).unwrap().lines().any(|found| found == line)
    };
    assert!(lcov("SF:p.awk") && lcov("DA:1,1") && lcov("BRDA:2,12,0,0") && lcov("BRH:3"));
    let page = || fs::read_to_string(folder.path().join("pages/p.awk.html")).unwrap();
    assert!(page().contains("<mark>m++</mark>"), "{}", page());
    assert_eq!(run(folder.path(), &args("b")), ("2\n".into(), String::new(), 0));
    assert!(lcov("DA:1,3") && lcov("BRDA:2,12,0,2") && lcov("BRH:6"));
    assert!(!page().contains("<mark>"), "{}", page());
    assert!(fs::read_to_string(folder.path().join("pages/index.html")).unwrap().contains("100%"));
}

#[test]
fn each_condition_of_an_expression_has_two_branches() {
    // Where an operand is false, the next of `&&` is not asked; a loop asks at its top and its end.
    let program = "{ x = $1 > 1 && !($2 || 0) ? \"a\" : \"b\"; print x, ($1 > 1 && $2 || $3) }
{ while (i < 2 && 1 || j++ < 1) i++ }
function f(a) { return a ? 1 : 2 }
";
    let folder = folder_with(&[("p.awk", program), ("in", "1 0 0\n2 1 0\n3 0 5\n")]);
    let args = ["--coverage=lcov:c", "--coverage=html:pages", "--coverage=text:table", "-f"];
    let (stdout, ..) = run(folder.path(), &[&args[..], &["p.awk", "in"]].concat());
    assert_eq!(stdout, "b 0\nb 1\na 1\n", "the program does as without");
    let lcov = fs::read_to_string(folder.path().join("c")).unwrap();
    let branches = lcov.lines().filter_map(|line| line.strip_prefix("#branch:6,1,"));
    assert_eq!(
        branches.collect::<Vec<_>>(),
        [
            "2,1,true: $1 > 1 && !($2 || 0)",
            "3,2,false: $1 > 1 && !($2 || 0)",
            "4,2,true: $1 > 1",
            "5,1,false: $1 > 1"
        ]
    );
    for branch in [
        "#branch:18,1,4,1,true: $2",
        "#branch:18,1,5,1,false: $2",
        "#branch:66,1,4,1,true: $3",
        "#branch:66,1,5,1,false: $3",
        "BRDA:2,81,4,2",
        "BRDA:2,81,5,4",
        "BRDA:2,95,4,1",
        "BRDA:2,95,5,3",
        "BRDA:3,133,2,0",
    ] {
        assert!(lcov.lines().any(|line| line == branch), "{branch}\n{lcov}");
    }
    let page = fs::read_to_string(folder.path().join("pages/p.awk.html")).unwrap();
    assert!(page.contains("<span class=\"note\">a: never true</span>"), "{page}");
    assert!(!page.contains("i &lt; 2: never"), "{page}");
    let table = fs::read_to_string(folder.path().join("table")).unwrap();
    assert!(table.contains("17/19 89%"), "{table}");
}

#[test]
fn pages_of_another_kind_are_not_replaced() {
    let folder = folder_with(&[("index.html", "<h1>mine</h1>"), ("p.awk", "BEGIN { }")]);
    let (_, stderr, status) = run(folder.path(), &["--coverage=html:.", "-f", "p.awk"]);
    assert!(stderr.contains("index.html in it is no page of coverage") && status == 2, "{stderr}");
    assert_eq!(fs::read_to_string(folder.path().join("index.html")).unwrap(), "<h1>mine</h1>");
    assert!(!folder.path().join("p.awk.html").exists());
}
