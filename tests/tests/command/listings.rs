//! Perf maps, jitdumps, and the log of inlining.

use riverhawk_tests::build;
use riverhawk_tests::scratch::Scratch;
use std::fs;
use std::process::{Command, Stdio};

const PROGRAM: &str = "function area(x, y) { return x * y + 1 }
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
BEGIN {
    for (i = 0; i < 3000; i++) total += area(i, 2)
    total += fib(12)
    print PROCINFO[\"pid\"]
    while ((getline line < \"/proc/self/maps\") > 0) print line
}";

/// The number of the process, and its anonymous executable mappings: start and end.
fn run(
    scratch: &Scratch,
    options: &[&str],
    environment: &[(&str, &str)],
) -> (u32, Vec<(u64, u64)>) {
    let output = Command::new(build::rhawk())
        .current_dir(scratch.path())
        .stdin(Stdio::null())
        .envs(environment.iter().copied())
        .args(["--spesh-nodelay", "--spesh-blocking", "--no-inline"])
        .args(options)
        .arg(PROGRAM)
        .output()
        .expect("rhawk can be started");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut lines = text.lines();
    let pid = lines.next().and_then(|pid| pid.parse().ok()).expect("a number");
    let mappings = lines
        .filter(|line| line.contains(" r-xp 00000000 00:00 0") && !line.contains('['))
        .map(|line| {
            let (start, rest) = line.split_once('-').expect("a range");
            let end = rest.split(' ').next().expect("an end");
            let number = |digits: &str| u64::from_str_radix(digits, 16).expect("an address");
            (number(start), number(end))
        });
    (pid, mappings.collect())
}

#[track_caller]
fn names_functions_where_their_code_is(symbols: &[(u64, u64, String)], mappings: &[(u64, u64)]) {
    for expected in [
        "awk area",
        "awk area (entered)",
        "awk fib",
        "awk fib (leaves)",
        "awk BEGIN loop at cmd. line:4",
    ] {
        assert!(symbols.iter().any(|(.., name)| name == expected), "{expected} in {symbols:?}");
    }
    let lies_in = |start: u64, size: u64| {
        mappings.iter().any(|&(from, to)| start >= from && start + size <= to)
    };
    // Withdrawn code is no longer mapped.
    let found = symbols.iter().filter(|(start, size, _)| lies_in(*start, *size)).count();
    assert!(found * 10 >= symbols.len() * 8, "{found} of {symbols:?} in {mappings:x?}");
    for pair in symbols.windows(2) {
        assert!(pair[0].0 != pair[1].0 && pair[0].1 > 0, "{pair:?}");
    }
}

#[test]
fn a_perf_map_names_functions_at_the_addresses_of_their_code() {
    let scratch = Scratch::new().expect("a directory");
    for (options, environment) in
        [(&["--perf-map"][..], &[][..]), (&[], &[("RHAWK_PERF_MAP", "1")])]
    {
        let (pid, mappings) = run(&scratch, options, environment);
        let path = format!("/tmp/perf-{pid}.map");
        let map = fs::read_to_string(&path).expect("a map");
        fs::remove_file(path).expect("the map");
        let symbol = |line: &str| {
            let mut parts = line.splitn(3, ' ');
            let mut number =
                || u64::from_str_radix(parts.next().unwrap_or_default(), 16).expect("a number");
            (number(), number(), parts.next().expect("a name").to_owned())
        };
        let symbols: Vec<_> = map.lines().map(symbol).collect();
        names_functions_where_their_code_is(&symbols, &mappings);
    }
}

type Function = (u64, Vec<u8>, String);

type Line = (u64, u32, String);

fn read_dump(bytes: &[u8]) -> (Vec<Function>, Vec<Line>) {
    let word = |at: usize| u32::from_ne_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let long = |at: usize| u64::from_ne_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    let text = |at: usize| {
        let end = at + bytes[at..].iter().position(|&byte| byte == 0).expect("an end");
        (String::from_utf8_lossy(&bytes[at..end]).into_owned(), end + 1)
    };
    assert_eq!((word(0), word(4), word(8)), (0x4A69_5444, 1, 40));
    let (mut functions, mut lines) = (Vec::new(), Vec::new());
    let mut at = 40;
    while at < bytes.len() {
        let (id, size) = (word(at), word(at + 4) as usize);
        match id {
            0 => {
                let (name, code_at) = text(at + 56);
                assert_eq!(long(at + 24), long(at + 32));
                assert_eq!(code_at + long(at + 40) as usize, at + size);
                functions.push((long(at + 32), bytes[code_at..at + size].to_vec(), name));
            }
            2 => {
                let mut entry = at + 32;
                for _ in 0..long(at + 24) {
                    let (file, next) = text(entry + 16);
                    lines.push((long(entry), word(entry + 8), file));
                    entry = next;
                }
                assert_eq!(entry, at + size);
            }
            3 => {}
            other => panic!("a record of kind {other}"),
        }
        at += size;
    }
    (functions, lines)
}

#[test]
fn a_jitdump_has_the_code_of_functions_and_the_lines_that_it_comes_from() {
    let scratch = Scratch::new().expect("a directory");
    let (pid, mappings) = run(&scratch, &["--jitdump"], &[]);
    let bytes = fs::read(scratch.path().join(format!("jit-{pid}.dump"))).expect("a dump");
    assert_eq!(u32::from_ne_bytes(bytes[20..24].try_into().expect("four bytes")), pid);
    let (functions, lines) = read_dump(&bytes);
    let symbols: Vec<_> =
        functions.iter().map(|(at, code, name)| (*at, code.len() as u64, name.clone())).collect();
    names_functions_where_their_code_is(&symbols, &mappings);
    let (start, code, _) = functions.iter().find(|(.., name)| name == "awk fib").expect("fib");
    assert_eq!(code[0], 0x55, "a function begins by pushing the frame pointer");
    let of_fib = |(at, line, file): &&Line| {
        (*start..*start + code.len() as u64).contains(at) && *line == 2 && file == "cmd. line"
    };
    assert!(lines.iter().any(|line| of_fib(&line)), "{lines:?}");
}

#[test]
fn every_line_of_the_inline_log_has_the_place_of_a_call_and_every_refusal_a_reason() {
    let scratch = Scratch::new().expect("a directory");
    let program = "function sq(x) { return x * x }
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
function even(n) { return n ? odd(n - 1) : 1 }
function odd(n) { return n ? even(n - 1) : 0 }
function loud(x) { print x > \"/dev/null\"; return x }
BEGIN { f = \"sq\"
    for (i = 0; i < 50; i++) s += sq(i)
    for (i = 0; i < 50; i++) s += fib(5)
    for (i = 0; i < 50; i++) s += even(i)
    for (i = 0; i < 50; i++) s += loud(i)
    for (i = 0; i < 50; i++) s += @f(i)
    print s }";
    let output = Command::new(build::rhawk())
        .current_dir(scratch.path())
        .args(["--spesh-nodelay", "--spesh-blocking", "--inline-log=log", program])
        .output()
        .expect("rhawk can be started");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "82350\n");
    let log = fs::read_to_string(scratch.path().join("log")).expect("a log");
    for line in log.lines() {
        let rest = line.strip_prefix("cmd. line:").unwrap_or_else(|| panic!("a place in {line}"));
        let (place, rest) = rest.split_once(": ").expect("a place");
        assert!(
            place.split(':').all(|number| number.parse::<u32>().is_ok_and(|number| number > 0)),
            "{line}"
        );
        let reason = rest.split_once(": ").map(|(_, reason)| reason);
        assert_eq!(
            rest.starts_with("Can NOT inline "),
            reason.is_some_and(|reason| !reason.is_empty()),
            "{line}"
        );
    }
    for part in [
        "cmd. line:7:35: Can inline sq into BEGIN\n",
        "cmd. line:8:35: Can NOT inline fib into BEGIN: it calls itself\n",
        "Can NOT inline fib into fib: it calls itself\n",
        "cmd. line:10:35: Can inline loud into BEGIN\n",
        "cmd. line:11:35: Can NOT inline a function into BEGIN: it is called by its name\n",
        "calls itself by way of others\n",
    ] {
        assert!(log.contains(part), "{part} is not in\n{log}");
    }
}
