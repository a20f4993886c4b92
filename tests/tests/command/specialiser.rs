//! The specialiser from outside: its log, its options, and that a short program has nothing of it.

use riverhawk_tests::build;
use riverhawk_tests::scratch::Scratch;
use std::fs;
use std::process::{Command, Output, Stdio};

const AREAS: &str =
    "function area(width, height, unit) { if (unit) return width * height * unit; return width * height }
BEGIN { for (i = 0; i < 60000; i++) total += area(i, 2); print total }";

fn rhawk(scratch: &Scratch, environment: &[(&str, &str)], args: &[&str]) -> Output {
    let mut command = Command::new(build::rhawk());
    command.current_dir(scratch.path()).env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
    command.envs(environment.iter().copied()).args(args).output().expect("rhawk can be started")
}

#[track_caller]
fn printed(scratch: &Scratch, args: &[&str]) -> String {
    let output = rhawk(scratch, &[], args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[track_caller]
fn log_of(scratch: &Scratch, options: &[&str], program: &str, operands: &[&str]) -> String {
    let args: Vec<&str> = [&["--spesh-log=log"], options, &[program], operands].concat();
    printed(scratch, &args);
    let log = fs::read_to_string(scratch.path().join("log")).expect("a log");
    fs::remove_file(scratch.path().join("log")).expect("the log");
    log
}

#[test]
fn the_log_shows_what_was_seen_and_what_is_planned_and_where_that_stands_in_the_program() {
    let scratch = Scratch::new().expect("a directory");
    let log = log_of(&scratch, &["--spesh-blocking", "--spesh-limit=0"], AREAS, &[]);
    for part in [
        "Statistics of 'BEGIN' (frame 1, cmd. line:2)\n    Total hits: 1\n",
        "Observed type specialisation of 'area' (frame 2, cmd. line:1)\n    Callsite: 2 arguments: scalar, scalar\n    \
         Types: (num, num)\n    Omitted: unit\n    Received 1000 hits (100 % of the 1000 callsite hits)\n",
        "Certain specialisation of 'BEGIN' (frame 1, cmd. line:2)\n    Callsite: no arguments\n",
        "x call of 'area' (frame 2, cmd. line:1)\n",
        "1000 x types (num, num) to 'area' (frame 2, cmd. line:1)\n",
        "x num-num\n",
    ] {
        assert!(log.contains(part), "{part} is not in\n{log}");
    }
    assert!(
        log.find("of 'area'") < log.find("Certain specialisation of 'BEGIN'"),
        "callees come first"
    );
}

#[test]
fn two_runs_that_wait_for_the_specialiser_log_the_same() {
    let scratch = Scratch::new().expect("a directory");
    let lines: String =
        (0..3000).map(|n| format!("{n} word{} {}\n", n % 7, f64::from(n) / 8.0)).collect();
    fs::write(scratch.path().join("data"), lines).expect("data");
    let programs = [
        (AREAS, &[][..]),
        (
            "{ count[$2]++; sum += $1 * $3 } END { for (word in count) print word, count[word]; print sum }",
            &["data"],
        ),
        (
            "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) } BEGIN { print fib(22) }",
            &[],
        ),
        (
            "function by(a, b, c, d) { return b - d } { a[NR] = $3 } END { asort(a, b, \"by\"); print b[1], b[NR] }",
            &["data"],
        ),
        (
            "{ x = $1 % 3 ? $2 : $1; if (x ~ /word[13]/) next; y = y x } END { print length(y) }",
            &["data"],
        ),
    ];
    for options in [&["--spesh-blocking"][..], &["--spesh-blocking", "--spesh-nodelay"]] {
        for (program, operands) in &programs {
            let first = log_of(&scratch, options, program, operands);
            assert_eq!(
                first,
                log_of(&scratch, options, program, operands),
                "{options:?}: {program}"
            );
            assert!(options.len() == 1 || first.contains("---- Plan: "), "{program}: {first}");
        }
    }
}

#[test]
fn types_of_records_elements_and_results_are_seen_where_they_are_read() {
    let scratch = Scratch::new().expect("a directory");
    fs::write(scratch.path().join("data"), "1 x\n2 y\n3 4\n".repeat(20)).expect("data");
    let program = "{ a[$2] = $1; s = s + a[$2]; t = t $2 }";
    let log = log_of(
        &scratch,
        &["--spesh-blocking", "--spesh-nodelay", "--spesh-limit=0"],
        program,
        &["data"],
    );
    for part in [
        "x type strnum (numeric)\n",
        "x type strnum (text)\n",
        "x strnum as num\n",
        "x strnum as str\n",
    ] {
        assert!(log.contains(part), "{part} is not in\n{log}");
    }
}

#[test]
fn a_log_that_cannot_be_written_is_an_error_before_the_program_runs() {
    let scratch = Scratch::new().expect("a directory");
    let output = rhawk(&scratch, &[], &["--spesh-log=no/such/log", "BEGIN { print 1 }"]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.starts_with("rhawk: ") && message.contains("no/such/log"), "{message}");
}

#[test]
fn environment_variables_stand_for_the_options() {
    let scratch = Scratch::new().expect("a directory");
    let environment =
        [("RHAWK_SPESH_LOG", "log"), ("RHAWK_SPESH_NODELAY", "1"), ("RHAWK_SPESH_BLOCKING", "1")];
    let program = "BEGIN { for (i = 0; i < 9; i++) n += i; print n }";
    let output = rhawk(&scratch, &environment, &[program]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "36\n");
    let log = fs::read_to_string(scratch.path().join("log")).expect("a log");
    assert!(log.contains("specialisation of 'BEGIN'"), "{log}");

    let output = rhawk(&scratch, &[("RHAWK_SPESH_LIMIT", "few")], &[program]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("RHAWK_SPESH_LIMIT in the environment"),
        "{output:?}"
    );
    let output = rhawk(&scratch, &[("RHAWK_NO_JIT", ""), ("RHAWK_SPESH_LIMIT", "")], &[program]);
    assert!(output.status.success(), "an empty variable is none: {output:?}");
}

fn threads_after(scratch: &Scratch, options: &[&str], turns: u32) -> String {
    let program = format!(
        "BEGIN {{ for (i = 0; i < {turns}; i++) n += i
            while ((getline line < \"/proc/self/status\") > 0) if (line ~ /^Threads:/) {{ sub(/.*[ \\t]/, \"\", line); print line }} }}"
    );
    printed(scratch, &[options, &[&program]].concat())
}

#[test]
fn a_program_that_ends_soon_has_no_thread_but_its_own() {
    if !std::path::Path::new("/proc/self/status").exists() {
        return;
    }
    let scratch = Scratch::new().expect("a directory");
    assert_eq!(threads_after(&scratch, &["--spesh-limit=0"], 1000), "1\n");
    // The specialiser's worker. Nothing waits for it, so the pool needs no supervisor.
    let options = ["--spesh-limit=0", "--spesh-blocking"];
    assert_eq!(threads_after(&scratch, &options, 3_000_000), "2\n");
    let log = scratch.path().join("pool.log");
    let log_option = format!("--pool-log={}", log.display());
    threads_after(&scratch, &["--spesh-limit=0", "--spesh-blocking", &log_option], 3_000_000);
    let log = std::fs::read_to_string(log).expect("the pool's log");
    for workers in ["general: 0 workers", "timer: 0 workers", "affinity: 1 workers"] {
        assert!(log.contains(workers), "{workers}: {log}");
    }
    assert_eq!(threads_after(&scratch, &["--no-jit"], 3_000_000), "1\n");
}

#[track_caller]
fn counted(scratch: &Scratch, what: &str, program: &[&str]) -> u64 {
    let output = rhawk(scratch, &[], &[&["--spesh-blocking", "--stats"], program].concat());
    let stats = String::from_utf8(output.stderr).expect("text");
    let line = stats.lines().find(|line| line.starts_with(what)).expect("a count");
    line.rsplit(' ').next().expect("a word").parse().expect("a number")
}

#[track_caller]
fn observations(scratch: &Scratch, program: &str) -> u64 {
    counted(scratch, "observations dealt with", &[program])
}

fn pages(lines: u32) -> String {
    let mut state = 1u32;
    let mut next = |most: u32| {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345) % (1 << 31);
        (state >> 16) % most
    };
    let mut pages = String::new();
    for line in 0..lines {
        if line % 50 == 0 {
            pages.push_str("# a comment\n");
            continue;
        }
        let words = (0..5 + next(6))
            .map(|_| (0..4).map(|_| char::from(b'a' + next(13) as u8)).collect::<String>());
        pages.push_str(&words.collect::<Vec<_>>().join(" "));
        pages.push('\n');
    }
    pages
}

#[test]
fn functions_whose_loops_are_hot_before_the_record_loop_is_have_code_for_its_calls() {
    let scratch = Scratch::new().expect("a directory");
    fs::write(scratch.path().join("pages"), pages(40_000)).expect("pages");
    let program = "function clean(word) { gsub(/[^a-z]/, \"\", word); return word }
        function score(text, i, n, sum) { n = length(text); for (i = 1; i <= n; i++) sum += i * i % 7; return sum }
        /^#/ { next }
        { for (i = 1; i <= NF; i++) { word = clean(tolower($i)); if (word != \"\") { count[word]++; total += score(word) } } }
        END { for (word in count) words++; print words, total }";
    let left = counted(&scratch, "machine code left: a call of what has none", &[program, "pages"]);
    assert!(left < 100, "{left}");
}

#[test]
fn a_loop_that_gains_nothing_is_not_watched_however_long_it_runs() {
    let scratch = Scratch::new().expect("a directory");
    let formats = "for (i = 0; i < 60000; i++) n += length(sprintf(\"%d %s\", i, \"abc\"))";
    assert_eq!(observations(&scratch, &format!("BEGIN {{ {formats} }}")), 0);
    // The loop after it is logged and specialised nevertheless.
    let seen = observations(
        &scratch,
        &format!("BEGIN {{ {formats}; for (i = 0; i < 60000; i++) n += i }}"),
    );
    assert!((256..10_000).contains(&seen), "{seen}");
}

#[test]
fn a_phase_is_not_taken_up_again_by_a_function_that_built_ins_call_back() {
    let scratch = Scratch::new().expect("a directory");
    let program = "function by(i, v, j, w) { return v - w }
        BEGIN { for (i = 0; i < 60000; i++) a[i] = (i * 7919) % 100003; asort(a, b, \"by\") }";
    // Some 800,000 comparisons; a function is logged for its first thousand calls.
    let seen = observations(&scratch, program);
    assert!(seen < 60_000, "{seen}");
}

#[test]
fn pieces_of_the_input_share_what_is_learnt() {
    let scratch = Scratch::new().expect("a directory");
    fs::write(scratch.path().join("data"), "12 a b\n7 c d\n".repeat(40_000)).expect("data");
    let program = "function double(x) { x = 2 * x; return x } { count[$2]++; n += double($1) } END { print n, count[\"a\"] }";
    let log =
        log_of(&scratch, &["-j2", "--piece-size=20000", "--spesh-nodelay"], program, &["data"]);
    // The first thread runs other bytecode than the others: each specialisation is made at most
    // once for each, unless it deoptimised too often.
    for frame in ["Observed type specialisation of 'double'", "Certain specialisation of 'main'"] {
        let items = log
            .split("\n\n")
            .filter(|item| item.contains(frame) && item.lines().last() == Some("    Produced"));
        let made = items.count();
        assert!((1..=2).contains(&made), "{frame}: {made} times\n{log}");
    }
    // One piece after the other, not nested.
    assert!(log.contains("maximum depth: 2") && !log.contains("maximum depth: 3"), "{log}");
}

#[test]
fn warnings_from_machine_code_are_about_the_operation_that_gave_them() {
    let scratch = Scratch::new().expect("a directory");
    let program = "function one(s) { return gensub(/a/, \"b\", -1, s) }
function two(s) { return one(s) gensub(/q/, \"b\", -2, s) }
BEGIN {
    for (i = 0; i < 300; i++) {
        x = two(\"za\")
        if (i % 97 == 96) fflush(\"nowhere\")
        if (i == 200) x = log(-1)
    }
    print x
}";
    let told = |options: &[&str]| {
        let output = rhawk(&scratch, &[], &[options, &[program]].concat());
        assert!(output.status.success());
        String::from_utf8(output.stderr).expect("text")
    };
    let expected = told(&["--no-jit"]);
    assert!(expected.contains("cmd. line:1:26: warning: gensub"), "{expected}");
    for options in [
        &["--spesh-nodelay", "--spesh-blocking"][..],
        &["--spesh-nodelay", "--spesh-blocking", "--no-inline"],
    ] {
        assert_eq!(told(options), expected, "{options:?}");
    }
}

#[test]
fn each_rewrite_of_the_program_can_be_left_out() {
    let scratch = Scratch::new().expect("a directory");
    let dumped = |options: &[&str], program: &str| {
        printed(&scratch, &[&["--dump=bytecode"], options, &[program]].concat())
    };
    for (switch, program) in [
        ("--no-pass=forms", "{ c = c + length($0) } END { print c }"),
        ("--no-pass=locals", "{ k = $1; n[k]++ } END { for (key in n) print key }"),
        ("--no-inline", "function f(s) { return length(s) } { c += f($0) } END { print c }"),
    ] {
        assert_ne!(dumped(&[switch], program), dumped(&[], program), "{switch}");
    }
}
