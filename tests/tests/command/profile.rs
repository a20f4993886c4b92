//! `--profile=FORMAT:FILE`: entries are counted exactly in every tier, and each form can be read.

use riverhawk_tests::build;
use riverhawk_tests::scratch::Scratch;
use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Output, Stdio};

const MODES: [&[&str]; 6] = [
    &[],
    &["--no-jit"],
    &["--spesh-nodelay", "--spesh-blocking"],
    &["--spesh-nodelay", "--spesh-blocking", "--no-inline"],
    &["--spesh-nodelay", "--spesh-blocking", "--no-osr"],
    &["--spesh-nodelay"],
];

const EAGER: &[&str] = &["--spesh-nodelay", "--spesh-blocking"];

fn rhawk(scratch: &Scratch, args: &[&str]) -> Output {
    let mut command = Command::new(build::rhawk());
    command.current_dir(scratch.path()).env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
    command.args(args).output().expect("rhawk can be started")
}

/// The output of a run, and the file `out` after it.
#[track_caller]
fn profiled(scratch: &Scratch, format: &str, options: &[&str], rest: &[&str]) -> (String, String) {
    let profile = format!("--profile={format}:out");
    let args: Vec<&str> = [&[profile.as_str()], options, rest].concat();
    let output = rhawk(scratch, &args);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    let text = fs::read_to_string(scratch.path().join("out")).expect("a profile");
    (String::from_utf8(output.stdout).expect("text"), text)
}

/// callgrind's format: how often and from which line a function calls another, and each function's
/// own time.
#[derive(Debug, Default, PartialEq)]
struct Callgrind {
    calls: BTreeMap<(String, String, u32), u64>,
    own: BTreeMap<String, u64>,
    below: BTreeMap<String, u64>,
    summary: u64,
}

fn callgrind(text: &str) -> Callgrind {
    let mut read = Callgrind::default();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut name = |text: &str| {
        let (number, name) = text.split_once(')').expect("a number");
        if let Some(name) = name.strip_prefix(' ') {
            names.insert(number.to_owned(), name.to_owned());
        }
        names[number].clone()
    };
    let (mut function, mut called) = (String::new(), None);
    for line in text.lines() {
        if let Some(summary) = line.strip_prefix("summary: ") {
            read.summary = summary.parse().expect("a number");
        } else if let Some(id) = line.strip_prefix("fn=") {
            function = name(id);
        } else if let Some(id) = line.strip_prefix("cfn=") {
            called = Some((name(id), 0));
        } else if let Some(count) = line.strip_prefix("calls=") {
            let count =
                count.split(' ').next().and_then(|count| count.parse().ok()).expect("a count");
            called = called.map(|(callee, _)| (callee, count));
        } else if line.starts_with(|first: char| first.is_ascii_digit()) {
            let (line, cost) = line.split_once(' ').expect("a line and a cost");
            let cost: u64 = cost.parse().expect("a cost");
            match called.take() {
                Some((callee, count)) => {
                    *read.below.entry(callee.clone()).or_default() += cost;
                    *read
                        .calls
                        .entry((function.clone(), callee, line.parse().expect("a line")))
                        .or_default() += count;
                }
                None => *read.own.entry(function.clone()).or_default() += cost,
            }
        }
    }
    read
}

/// A program, its operands, and some of its calls: caller, callee, line, count.
type Row =
    (&'static str, &'static [&'static str], &'static [(&'static str, &'static str, u32, u64)]);

const ROWS: &[Row] = &[
    (
        "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }\nBEGIN { print fib(15) }",
        &[],
        &[("BEGIN", "fib", 2, 1), ("fib", "fib", 1, 1972)],
    ),
    (
        "function sq(x) { return x * x }\nfunction pair(x) { return sq(x) + sq(x + 1) }
BEGIN { for (i = 0; i < 1000; i++) s += pair(i); print s }",
        &[],
        &[("BEGIN", "pair", 3, 1000), ("pair", "sq", 2, 2000)],
    ),
    (
        "function skip(x) { if (x % 3 == 0) next; return x }\n$1 % 2 { odd++ }\n{ s += skip($1) }\nEND { print s, odd }",
        &["numbers"],
        &[
            ("main", "$1 % 2", 2, 300),
            ("main", "{ s += skip($1) }", 3, 300),
            ("{ s += skip($1) }", "skip", 3, 300),
        ],
    ),
    (
        "function by(a, b, c, d) { seen++; return b - d }\nfunction two(x) { return 2 * x }
BEGIN { for (i = 0; i < 50; i++) a[i] = (i * 7) % 50; asort(a, b, \"by\"); f = \"two\"
for (i = 0; i < 40; i++) s += @f(i); print b[1], b[50], s, seen }",
        &[],
        &[("BEGIN", "two", 4, 40)],
    ),
    (
        "function deep(n) { return n ? deep(n - 1) + 1 : 0 }\nfunction leave() { exit 3 }
BEGIN { print deep(20000) }\n{ n++ }\nNR == 200 { leave() }\nEND { print n }",
        &["numbers"],
        &[("deep", "deep", 1, 20000), ("main", "{ n++ }", 4, 200), ("NR == 200", "leave", 5, 1)],
    ),
    (
        "function count(x) { n += x }\nBEGINFILE { count(1) }\nENDFILE { count(10) }\n{ count(100) }\nEND { print n }",
        &["numbers", "numbers"],
        &[
            ("BEGINFILE", "count", 2, 2),
            ("ENDFILE", "count", 3, 2),
            ("{ count(100) }", "count", 4, 600),
        ],
    ),
];

fn scratch() -> Scratch {
    let scratch = Scratch::new().expect("a directory");
    let numbers: String = (1..=300).map(|n| format!("{n}\n")).collect();
    fs::write(scratch.path().join("numbers"), numbers).expect("numbers");
    scratch
}

#[test]
fn entries_are_counted_exactly_however_they_ran() {
    let scratch = scratch();
    for (program, operands, expected) in ROWS {
        let mut first = None;
        for mode in MODES {
            let (plain, args) = (
                rhawk(&scratch, &[&[*program], *operands].concat()),
                [&[*program], *operands].concat(),
            );
            let (printed, text) = profiled(&scratch, "callgrind", mode, &args);
            assert_eq!(printed.as_bytes(), plain.stdout, "{mode:?}: {program}");
            let read = callgrind(&text);
            for (caller, callee, line, count) in *expected {
                let call = ((*caller).to_owned(), (*callee).to_owned(), *line);
                assert_eq!(
                    read.calls.get(&call),
                    Some(count),
                    "{mode:?}: {program}: {call:?} of {:?}",
                    read.calls
                );
            }
            let calls = first.get_or_insert_with(|| read.calls.clone());
            assert_eq!(*calls, read.calls, "{mode:?}: {program}");
        }
    }
}

#[test]
fn times_add_up_to_the_whole() {
    let scratch = scratch();
    for mode in MODES {
        let (_, text) = profiled(&scratch, "callgrind", mode, &[ROWS[1].0]);
        let read = callgrind(&text);
        assert_eq!(read.own.values().sum::<u64>(), read.summary, "{mode:?}");
        for (function, below) in &read.below {
            assert!(
                *below >= read.own[function] && *below <= read.summary,
                "{mode:?}: {function} {below} in {text}"
            );
        }
    }
}

/// The cells of a row: entries, and the shares that were interpreted, machine code, inlined.
fn row(text: &str, name: &str) -> Vec<String> {
    let ending = format!("  {name} (cmd. line:");
    let row = text
        .lines()
        .find(|line| line.contains(&ending))
        .unwrap_or_else(|| panic!("{name} in {text}"));
    let cells = row.split(&ending).next().unwrap_or_default();
    let cells: Vec<String> = cells
        .split("  ")
        .map(|cell| cell.trim().to_owned())
        .filter(|cell| !cell.is_empty())
        .collect();
    cells[cells.len() - 4..].to_vec()
}

#[test]
fn the_table_says_what_was_interpreted_what_was_machine_code_and_what_was_inlined() {
    let scratch = scratch();
    let (program, ..) = ROWS[1];
    let (_, text) = profiled(&scratch, "text", &["--no-jit"], &[program]);
    assert_eq!(row(&text, "sq"), ["2000", "100 %", "-", "-"]);
    assert_eq!(row(&text, "BEGIN"), ["1", "100 %", "-", "-"]);
    let (_, text) = profiled(&scratch, "text", EAGER, &[program]);
    let inlined = row(&text, "sq");
    assert_eq!(inlined[0], "2000");
    assert!(inlined[3].starts_with('9') || inlined[3].starts_with('>'), "{text}");
    assert!(
        text.contains("Loops entered as machine code on the way:\n           1  cmd. line:3:"),
        "{text}"
    );
    let (_, text) = profiled(&scratch, "text", &[EAGER, &["--no-inline"]].concat(), &[program]);
    assert_eq!(row(&text, "sq")[3], "-", "{text}");
    assert!(row(&text, "sq")[2].starts_with('9'), "{text}");
}

#[test]
fn guards_and_other_ways_out_of_machine_code_have_their_reason_and_their_place() {
    let scratch = scratch();
    let flips = "BEGIN { for (i = 0; i < 4000; i++) a[i] = i % 400 == 399 ? \"a\" : i
for (i = 0; i < 4000; i++) if (a[i] < 100) n++
print n }";
    let (_, text) = profiled(&scratch, "text", EAGER, &[flips]);
    assert!(text.contains("\nGuards of machine code that failed:\n"), "{text}");
    let guard =
        text.lines().skip_while(|line| !line.starts_with("Guards")).nth(1).expect("a guard");
    assert!(
        guard.ends_with(
            "  cmd. line:2:32 in BEGIN: the element is no number, as it was when it was observed"
        ),
        "{guard}"
    );
    let output = rhawk(&scratch, &[EAGER, &["--stats", flips]].concat());
    let stats = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stats.lines().any(|line| line.ends_with(
            " x guard at cmd. line:2:32: the element is no number, as it was when it was observed"
        )),
        "{stats}"
    );
    let long = "function long(n) { while (i++ < n) s += i; return s }\nBEGIN { print long(20000) }";
    let (_, text) = profiled(&scratch, "text", EAGER, &[long]);
    let reason = "the code was entered at a loop, and the function returns";
    let expected = format!(
        "\nMachine code left for the interpreter:\n           1  cmd. line:1:44 in long: {reason}\n"
    );
    assert!(text.contains(&expected), "{text}");
    let output = rhawk(&scratch, &[EAGER, &["--stats", long]].concat());
    let stats = String::from_utf8_lossy(&output.stderr).into_owned();
    let counter = |name: &str| -> u64 {
        let line = stats
            .lines()
            .find(|line| line.starts_with(name))
            .unwrap_or_else(|| panic!("{name} in {stats}"));
        line.split_whitespace().last().and_then(|count| count.parse().ok()).expect("a count")
    };
    assert_eq!(counter("machine code left: a return behind a loop"), 1);
    assert_eq!(counter("machine code left: an error"), 0);

    let fails = "function f(x) { return x / (5000 - x) }\nBEGIN { for (;; i++) s += f(i) }";
    let output = rhawk(&scratch, &[EAGER, &["--stats", fails]].concat());
    let stats = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stats.contains("machine code left: an unusual operand"), "{stats}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn callgrind_annotate_opens_it_with_inclusive_costs_and_a_tree_of_callers() {
    let installed = Command::new("callgrind_annotate").arg("--version").output();
    if !installed.is_ok_and(|output| output.status.success()) {
        return;
    }
    let scratch = scratch();
    let program = "function leaf(x) { for (j = 0; j < 300; j++) x += j; return x }\nfunction branch(x) { return leaf(x) + leaf(-x) }
BEGIN { for (i = 0; i < 20000; i++) s += branch(i); print s }";
    fs::write(scratch.path().join("p.awk"), program).expect("a program");
    profiled(&scratch, "callgrind", &[], &["-f", "p.awk"]);
    let output = Command::new("callgrind_annotate")
        .current_dir(scratch.path())
        .args(["--inclusive=yes", "--tree=caller", "--threshold=100", "out"])
        .output()
        .expect("it was started before");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success() && text.contains("Events shown:     ns"), "{text}");
    assert!(text.contains("(100.0%)  *  p.awk:BEGIN"), "{text}");
    assert!(
        text.contains("<  p.awk:branch (40,000x)") || text.contains("< p.awk:branch (40,000x)"),
        "{text}"
    );
    assert!(text.contains("< p.awk:BEGIN (20,000x)"), "{text}");
}

#[test]
fn folded_stacks_and_the_flame_graph_name_who_called_whom() {
    let scratch = scratch();
    let program =
        "function leaf(x) { for (j = 0; j < 3000; j++) x += j; return x }\nfunction branch(x) { return leaf(x) }
BEGIN { for (i = 0; i < 3000; i++) s += branch(i); print s }";
    let (_, folded) = profiled(&scratch, "folded", &[], &[program]);
    let stacks: BTreeMap<&str, u64> = folded
        .lines()
        .map(|line| line.rsplit_once(' ').expect("a count"))
        .map(|(stack, count)| (stack, count.parse().expect("a count")))
        .collect();
    let all: u64 = stacks.values().sum();
    assert!(stacks["BEGIN;branch;leaf"] * 2 > all, "{folded}");
    let (_, svg) = profiled(&scratch, "svg", &[], &[program]);
    assert!(svg.starts_with("<?xml version=\"1.0\"") && svg.ends_with("</svg>\n"), "{svg}");
    for name in ["all", "BEGIN", "branch", "leaf"] {
        assert!(svg.contains(&format!("data-name=\"{name}\"><title>{name}: ")), "{name} in {svg}");
    }
}

#[test]
fn a_file_alone_is_gawks_profile_and_a_format_without_a_file_is_refused() {
    let scratch = scratch();
    let program = "BEGIN { print 1 }";
    for args in [["--profile=./text:x", program], ["--profile=plain", program]] {
        assert_eq!(rhawk(&scratch, &args).stdout, b"1\n");
        let file = scratch.path().join(args[0].trim_start_matches("--profile="));
        assert!(
            fs::read_to_string(file).expect("a profile").starts_with("\t# rhawk profile\n"),
            "{args:?}"
        );
    }
    assert!(
        String::from_utf8_lossy(&rhawk(&scratch, &["-ptext:-", program]).stdout)
            .contains("\nProfile of cmd. line: ")
    );
    let refused = rhawk(&scratch, &["--profile=svg:", program]);
    assert_eq!(refused.status.code(), Some(1));
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        message.contains("--profile=svg: needs the name of a file, as in --profile=svg:FILE"),
        "{message}"
    );
    let both = ["--profile=text:a", "--profile=svg:b", "--profile=c", program];
    assert_eq!(rhawk(&scratch, &both).stdout, b"1\n");
    let begins = |file: &str, with: &str| {
        let text = fs::read_to_string(scratch.path().join(file)).expect("a profile");
        assert!(text.starts_with(with), "{text}");
    };
    begins("a", "Profile of ");
    begins("b", "<?xml");
    begins("c", "\t# rhawk profile");
}

#[test]
fn a_profile_is_written_after_errors_and_in_a_sandbox_and_keeps_the_status() {
    let scratch = scratch();
    let program = "function f() { print 1 / 0 }\nBEGIN { f() }";
    let output = rhawk(&scratch, &["--sandbox", "--profile=callgrind:out", program]);
    assert_eq!(output.status.code(), Some(2));
    let read = callgrind(&fs::read_to_string(scratch.path().join("out")).expect("a profile"));
    assert_eq!(read.calls.get(&("BEGIN".to_owned(), "f".to_owned(), 2)), Some(&1));
    let output = rhawk(&scratch, &["--profile=text:/nowhere/to/be/found", "BEGIN { exit 1 }"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("cannot write '/nowhere/to/be/found'")
    );
}
