//! What is promised to programs that embed the engine.

mod options;

use riverhawk::filesystem::{FileSystem, InputStream, MemoryFiles, RootedFiles};
use riverhawk::{
    Call, Cancel, EndCause, Limits, Permissions, Program, Progress, Run, StopCause, Value,
};
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

fn program(text: &str) -> Program {
    Program::compile(text).unwrap_or_else(|error| panic!("{error}"))
}

fn printed(text: &str, run: Run) -> String {
    program(text).run(run).unwrap_or_else(|error| panic!("{error}")).text().into_owned()
}

#[test]
fn a_program_runs_in_many_threads_at_once_and_often() {
    let sum = program("function f(x) { return x * 2 } { n += f($1) } END { print n }");
    let input: String = (0..20_000).map(|number| format!("{number}\n")).collect();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let outcome = sum.run(Run::new().input(input.as_str())).unwrap();
                    assert_eq!(outcome.text(), "399980000\n");
                    assert_eq!(outcome.records, 20_000);
                }
            });
        }
    });
}

#[test]
fn machine_code_of_one_run_serves_others_of_other_kinds() {
    let hot = program(
        "function f(x) { return x + 1 }
        { for (i = 0; i < count; i++) { s = f(s); t = (i % 2 ? $1 : i) t; t = substr(t, 1, 3) } }
        END { print s, t }",
    );
    let run = |first: &str, count: i32| {
        Run::new().input(first).variable("s", first.trim_end()).variable("count", count)
    };
    for _ in 0..3 {
        assert_eq!(hot.run(run("7\n", 60_000)).unwrap().text(), "60007 759\n");
        assert_eq!(hot.run(run("3x\n", 60_000)).unwrap().text(), "60003 3x5\n");
        assert_eq!(hot.run(run("abc\n", 60_001)).unwrap().text(), "60001 600\n");
        let limits = Limits::none().steps(50_000);
        let error = hot.run(run("7\n", 60_000).limits(limits)).unwrap_err();
        assert_eq!(error.cause(), Some(EndCause::Steps));
    }
    thread::scope(|scope| {
        for limited in [false, true, false, true] {
            let hot = &hot;
            scope.spawn(move || {
                let cancel = Cancel::new();
                if limited {
                    cancel.cancel();
                }
                let ended = hot.run(run("7\n", 200_000).cancel(&cancel));
                assert_eq!(ended.is_err(), limited);
            });
        }
    });
}

#[test]
fn a_sleep_ends_with_the_time_limit() {
    let sleeping = program("@load \"time\"\nBEGIN { print 1; sleep(1000); print 2 }");
    let limits = Limits::none().time(Duration::from_millis(50));
    let begun = Instant::now();
    let error = sleeping.run(Run::new().limits(limits)).unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert_eq!((error.cause(), error.outcome().text().as_ref()), (Some(EndCause::Time), "1\n"));
}

#[test]
fn two_runs_never_see_each_other() {
    let count = program("BEGIN { srand(); srand(7); print rand(), ++n, ENVIRON[\"A\"] }");
    let first = count.run(Run::new().environment([("A", "x")])).unwrap();
    let second = count.run(Run::new()).unwrap();
    assert!(first.text().trim_end().ends_with("1 x"), "{}", first.text());
    assert!(second.text().trim_end().ends_with(" 1"), "{}", second.text());
    assert_eq!(first.text().split(' ').next(), second.text().split(' ').next());
}

#[test]
fn an_error_says_where_and_keeps_what_was_printed() {
    let program = Program::builder()
        .source("rules.awk", "{ print $1 }\nNR == 2 { x = 1 / ($1 - $1) }\n")
        .compile()
        .unwrap();
    let error = program.run(Run::new().input("tea\nmilk\nbread\n")).unwrap_err();
    assert!(error.message().contains("division by zero"), "{}", error.message());
    let location = error.location().unwrap();
    assert_eq!((location.source.as_str(), location.line), ("rules.awk", 2));
    assert_eq!(error.record(), Some((&b"-"[..], 2)));
    assert!(error.to_string().contains("rules.awk:2:"), "{error}");
    assert_eq!(error.into_outcome().stdout, b"tea\nmilk\n");
}

#[test]
fn a_text_that_does_not_compile_is_data_and_a_drawing() {
    let error = Program::compile("{ print $1 + }\n}").unwrap_err();
    assert!(!error.diagnostics().is_empty());
    let location = error.diagnostics()[0].location.as_ref().unwrap();
    assert_eq!((location.line, location.column), (1, 14));
    assert!(error.to_string().contains('^'), "{error}");
}

#[test]
fn variables_go_in_and_come_out_with_their_types() {
    let run = Run::new()
        .variable("text", "3x\\n")
        .variable("number", 0.1)
        .variable("price", [("tea", 3), ("milk", 1)].into_iter().collect::<Value>())
        .input("5 07\n")
        .keep_variables();
    let text = "
        { input = $2; sum = number + price[\"tea\"]; n[$1][\"x\"] = text }
        END { big = 2 ^ 40; unset = never }";
    let outcome = program(text).run(run).unwrap();
    let variable = |name: &str| outcome.variable(name).unwrap();
    assert_eq!(variable("text"), &Value::Text(b"3x\\n".to_vec()));
    assert_eq!(variable("input"), &Value::Input(b"07".to_vec()));
    assert_eq!(variable("sum"), &Value::Number(3.1));
    assert_eq!(variable("big"), &Value::Number(1099511627776.0));
    assert_eq!(variable("n").get("5").unwrap().get("x"), Some(&Value::from("3x\\n")));
    assert_eq!(variable("NR"), &Value::Number(1.0));
    assert_eq!(variable("unset"), &Value::Unset);
    assert_eq!(outcome.variable("other"), None);
}

#[test]
fn a_variable_of_the_wrong_kind_is_refused() {
    let array = || [("a", 1)].into_iter().collect::<Value>();
    for (text, run) in [
        ("{ x[1] = 1 }", Run::new().variable("x", 1)),
        ("{ x = 1 }", Run::new().variable("x", array())),
        ("function x() { }", Run::new().variable("x", 1)),
        ("{ }", Run::new().variable("NR", array())),
    ] {
        let error = program(text).run(run).unwrap_err();
        assert!(error.message().starts_with("cannot set "), "{text}: {}", error.message());
    }
}

#[test]
fn nothing_is_permitted_unless_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "secret\n").unwrap();
    let path = secret.to_str().unwrap();
    for text in [
        format!("BEGIN {{ getline x < \"{path}\"; print x }}"),
        format!("BEGIN {{ print \"x\" > \"{path}\" }}"),
        format!("BEGIN {{ print \"x\" >> \"{path}\" }}"),
        format!("BEGIN {{ system(\"cat {path}\") }}"),
        format!("BEGIN {{ print \"x\" | \"cat >{path}\" }}"),
        format!("BEGIN {{ \"cat {path}\" | getline x; print x }}"),
        format!("BEGIN {{ \"cat {path}\" |& getline x; print x }}"),
        format!("BEGIN {{ ARGV[1] = \"{path}\"; ARGC = 2 }} {{ print }}"),
        format!("BEGIN {{ print file::slurp(\"{path}\") }}"),
        format!("BEGIN {{ file::spew(\"{path}\", 1) }}"),
        format!("BEGIN {{ file::dir(\"{}\", a) }}", folder.path().display()),
        "BEGIN { \"/inet/tcp/0/localhost/9\" |& getline x }".to_owned(),
    ] {
        let error = program(&text).run(Run::new()).unwrap_err();
        assert!(
            error.message().starts_with("the run has no permission for"),
            "{text}: {}",
            error.message()
        );
        assert_eq!(error.outcome().stdout, b"");
    }
    assert_eq!(std::fs::read(&secret).unwrap(), b"secret\n");
    let read = format!("BEGIN {{ getline x < \"{path}\"; print x }}");
    assert_eq!(
        printed(&read, Run::new().permissions(Permissions::none().read(folder.path()))),
        "secret\n"
    );
    assert_eq!(printed("{ print }", Run::new().operands([path])), "secret\n");
    let commands = Permissions::none().commands();
    assert_eq!(printed("BEGIN { system(\"echo x\") }", Run::new().permissions(commands)), "x\n");
}

#[test]
fn a_time_zone_is_no_way_to_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("zone");
    let mut table = b"TZif".to_vec();
    table.extend([0; 35]);
    table.extend(b"\x01\0\0\0\x04\0\0\x7e\x90\0\0JST\0");
    std::fs::write(&path, table).unwrap();
    let zone = |name: &str, run: Run| {
        let text = format!("BEGIN {{ ENVIRON[\"TZ\"] = \"{name}\"; print strftime(\"%z\", 0) }}");
        printed(&text, run)
    };
    let path = path.to_str().unwrap();
    assert_eq!(zone(path, Run::new().permissions(Permissions::all())), "+0900\n");
    assert_eq!(zone(path, Run::new()), "+0000\n");
    assert_eq!(zone(path, Run::new().file_system(MemoryFiles::new())), "+0000\n");
    // Endless.
    assert_eq!(zone("/dev/zero", Run::new()), "+0000\n");
}

#[test]
fn nothing_can_be_included_unless_there_are_files_for_it() {
    assert!(Program::compile("@include \"/etc/passwd\"").is_err());
    let files = MemoryFiles::new();
    files.insert("lib.awk", "function twice(x) { return 2 * x }");
    let included = Program::builder()
        .source("main", "@include \"lib\"\nBEGIN { print twice(21) }")
        .includes(files)
        .compile()
        .unwrap();
    assert_eq!(included.run(Run::new()).unwrap().text(), "42\n");
}

#[test]
fn files_are_the_embedders() {
    let files = MemoryFiles::new();
    files.insert("in", "b 2\na 1\n");
    let text = "
        { print $2 > $1 ; close($1) }
        END {
            while ((getline line < \"in\") > 0) n++
            file::append(\"log\", n \" lines\\n\")
            print file::slurp(\"log\") file::lines(\"in\", l) l[2]
            if ((getline x < \"/etc/passwd\") < 0) print \"none: \" ERRNO
        }";
    let run = Run::new().file_system(files.clone()).operands(["in"]);
    assert_eq!(printed(text, run), "2 lines\n2a 1\nnone: entity not found\n");
    assert_eq!(files.get("a"), Some(b"1\n".to_vec()));
    assert_eq!(files.get("b"), Some(b"2\n".to_vec()));
    let run = || Run::new().file_system(files.clone());
    for text in
        ["BEGIN { file::dir(\".\", a) }", "BEGIN { system(\"true\") }", "BEGIN { print | \"cat\" }"]
    {
        assert!(program(text).run(run()).is_err(), "{text}");
    }
}

#[test]
fn no_extension_leads_past_the_embedders_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("systems");
    std::fs::write(&path, "systems\n").unwrap();
    let name = path.to_str().unwrap();
    for text in [
        "@include \"inplace\"\n{ print \"changed\" }",
        "@load \"inplace\"\nBEGINFILE { inplace::begin(FILENAME, \"\") } { print \"changed\" }",
        "@load \"revoutput\"\nBEGIN { REVOUT = 1 } { print \"changed\" > FILENAME }",
        "@load \"readdir\"\nBEGIN { while ((getline x < \"/etc\") > 0) print x }",
        "@load \"fork\"\nBEGIN { print fork() }",
        "@load \"filefuncs\"\nBEGIN { print chdir(\"/\") stat(\"/etc\", a) a[\"size\"] }",
        "@load \"rwarray\"\nBEGIN { a[1] = 1; print writea(\"leak\", a) }",
        "@load \"readfile\"\nBEGIN { print readfile(\"/etc/hostname\") }",
        "BEGIN { print file::edit(\"x\", \"f\") } function f(t) { return t }",
    ] {
        let Ok(program) = Program::compile(text) else { continue };
        let files = MemoryFiles::new();
        files.insert(name, "embedders\n");
        for run in [Run::new(), Run::new().file_system(files.clone())] {
            let printed = match program.run(run.operands([name])) {
                Ok(outcome) => outcome.stdout,
                Err(error) => error.into_outcome().stdout,
            };
            let printed = String::from_utf8_lossy(&printed);
            assert!(["", "embedders\n", "changed\n"].contains(&&*printed), "{text}: {printed}");
            assert_eq!(std::fs::read(&path).unwrap(), b"systems\n", "{text}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_directory_can_be_the_root() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("in"), "x\n").unwrap();
    let run = Run::new().file_system(RootedFiles::new(folder.path()).unwrap()).operands(["/in"]);
    assert_eq!(printed("{ print $1 \"y\" > \"/out\" }", run), "");
    assert_eq!(std::fs::read(folder.path().join("out")).unwrap(), b"xy\n");
}

#[test]
fn any_reader_and_any_writer_will_do() {
    struct Drip(u8);
    impl Read for Drip {
        fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            match self.0 {
                1..=4 => {
                    block[0] = b"ab\n\n"[usize::from(self.0) - 1];
                    Ok(1)
                }
                5 => Err(io::ErrorKind::Interrupted.into()),
                _ => Ok(0),
            }
        }
    }
    let (mut reader, writer) = io::pipe().unwrap();
    let run = Run::new().stdin(Drip(0)).stdout(writer);
    let outcome = program("{ print NR \": \" $0 }").run(run).unwrap();
    assert_eq!(outcome.stdout, b"");
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "1: ab\n2: \n");
    assert_eq!(printed("{ s = s $0 } END { print s }", Run::new().lines(["a", "b"])), "ab\n");
}

#[test]
fn a_writer_that_fails_is_an_error_and_a_reader_too() {
    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }
    let error = program("BEGIN { print 1 }").run(Run::new().stdout(Broken)).unwrap_err();
    assert!(error.message().contains("standard output"), "{}", error.message());
    assert!(program("{ print }").run(Run::new().stdin(Broken)).is_err());
}

#[test]
fn commands_print_into_the_run() {
    let commands = || Run::new().permissions(Permissions::all());
    let text = "BEGIN { print 1; system(\"echo 2; echo oh >&2\"); print 3 | \"cat\"; close(\"cat\"); print 4 }";
    let outcome = program(text).run(commands()).unwrap();
    assert_eq!(
        (outcome.text().as_ref(), outcome.stderr.as_slice()),
        ("1\n2\n3\n4\n", &b"oh\n"[..])
    );
}

#[test]
fn records_are_pulled_and_an_iterator_that_is_dropped_ends_its_run() {
    let endless = program("BEGIN { for (;;) print ++n }");
    let lines: Vec<Vec<u8>> = endless.records(Run::new()).take(3).map(Result::unwrap).collect();
    assert_eq!(lines, [b"1", b"2", b"3"]);
    let silent = program("BEGIN { print 1; fflush(); for (;;) n++ }");
    let begun = Instant::now();
    assert_eq!(silent.records(Run::new()).next().unwrap().unwrap(), b"1");
    assert!(begun.elapsed() < Duration::from_secs(5));
    let mut failing =
        program("BEGIN { printf \"no newline\"; exit 1 + getline < \"x\" }").records(Run::new());
    assert_eq!(failing.next().unwrap().unwrap(), b"no newline");
    assert!(failing.next().unwrap().is_err());
    assert!(failing.next().is_none());
}

#[test]
fn a_run_is_cancelled_from_another_thread() {
    let cancel = Cancel::new();
    let hot = program("BEGIN { for (;;) n += 2 }");
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            cancel.cancel();
        });
        let error = hot.run(Run::new().cancel(&cancel)).unwrap_err();
        assert_eq!(error.stopped(), Some(StopCause::Cancelled));
    });
    let limits = Limits::none().time(Duration::from_millis(50));
    let error = hot.run(Run::new().limits(limits)).unwrap_err();
    assert!(matches!(error.stopped(), Some(StopCause::Time(_))));
    // The program itself is as it was.
    assert!(program("BEGIN { print 1 }").run(Run::new()).is_ok());
}

#[test]
fn limits_are_errors_that_name_themselves() {
    let limited = |text: &str, limits: Limits| {
        program(text).run(Run::new().input("abcdefgh\n").limits(limits)).unwrap_err()
    };
    let output = Limits::none().output(10);
    let error = limited("BEGIN { for (;;) print \"x\" }", output);
    assert!(error.message().contains("10"), "{}", error.message());
    assert_eq!(error.outcome().stdout.len(), 10);
    assert_eq!(error.cause(), Some(EndCause::Output));
    assert_eq!(
        limited("BEGIN { print \"a longer line\" }", output).cause(),
        Some(EndCause::Output)
    );
    let record = Limits::none().record(4);
    for text in ["{ print }", "BEGIN { getline line < \"-\" }"] {
        let error = limited(text, record);
        assert!(error.message().contains('4'), "{error}");
        assert_eq!(error.cause(), Some(EndCause::RecordLength), "{error}");
    }
    let time = Limits::none().time(Duration::from_millis(5));
    let endless = limited("BEGIN { for (;;) n++ }", time);
    assert_eq!(endless.message(), "the time limit of 5ms is reached");
    let steps = Limits::none().steps(1000);
    let error = limited("BEGIN { print 1; for (;;) n++ }", steps);
    assert_eq!(error.cause(), Some(EndCause::Steps));
    assert_eq!((error.location().unwrap().line, error.outcome().text().as_ref()), (1, "1\n"));
    let depth = Limits::none().call_depth(50);
    let error = limited("function f(n) { return f(n + 1) } BEGIN { f(0) }", depth);
    assert_eq!(error.cause(), Some(EndCause::Calls));
    let records = Limits::none().records(0);
    assert_eq!(limited("{ print }", records).cause(), Some(EndCause::Records));
}

#[test]
fn functions_of_the_embedder_are_called_and_their_errors_have_a_place() {
    let nested = program("{ print $1 + 1 }");
    let calling = Program::builder()
        .source("main.awk", "{ print plus_one($1) }\n$1 == 3 { fail($1) }\n$1 == 4 { panic() }")
        .function("plus_one", 1..=1, move |call: &mut Call<'_>| {
            let outcome = nested.run(Run::new().input(&*call.text(0)))?;
            Ok(outcome.text().trim_end().into())
        })
        .function("fail", 1..=1, |call: &mut Call<'_>| {
            Err(format!("{} is too much", call.number(0)).into())
        })
        .function("panic", 0..=0, |_: &mut Call<'_>| panic!("a bug"))
        .compile()
        .unwrap();
    assert_eq!(calling.run(Run::new().input("1\n2\n")).unwrap().text(), "2\n3\n");
    let error = calling.run(Run::new().input("3\n1\n")).unwrap_err();
    assert_eq!(error.message(), "fail: 3 is too much");
    assert_eq!(error.location().unwrap().to_string(), "main.awk:2:11");
    assert_eq!(error.outcome().text(), "4\n");
    let error = calling.run(Run::new().input("4\n")).unwrap_err();
    assert!(error.message().contains("a bug"), "{}", error.message());
    let wrong = Program::builder()
        .source("main", "BEGIN { f(1, 2) }")
        .function("f", 1..=1, |_: &mut Call<'_>| Ok(().into()))
        .compile();
    assert!(wrong.is_err());
}

/// Reads lines, then panics.
struct Panics(usize);

impl Read for Panics {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(1).expect("no reader left");
        bytes[..8].copy_from_slice(b"a\na\na\na\n");
        Ok(8)
    }
}

impl Write for Panics {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(1).expect("no writer left");
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl FileSystem for Panics {
    fn open(&self, name: &[u8]) -> io::Result<InputStream> {
        assert_eq!(name, b"a", "no files");
        Ok(InputStream::new(Panics(1)))
    }
}

#[test]
fn what_panics_outside_is_an_error_inside_machine_code_too() {
    let failed = |text: &str, run: Run| program(text).run(run).unwrap_err().to_string();
    let hot = "function f() { n++ } { for (i = 0; i < 10; i++) f() } END { print n }";
    let error = failed(hot, Run::new().stdin(Panics(20_000)));
    assert!(error.contains("no reader left"), "{error}");
    let printing = "BEGIN { for (;;) print ++n, \"and some more text\" }";
    let error = failed(printing, Run::new().stdout(Panics(50)));
    assert!(error.contains("no writer left"), "{error}");
    let error = failed("1", Run::new().lines((0..).map(|n| ["a", "b", "c"][n])));
    assert!(error.contains("out of bounds"), "{error}");
    let reads =
        "BEGIN { for (i = 0; i < 100000; i++) s = s i; if ((getline < name) < 0) print ERRNO }";
    let files = || Run::new().file_system(Panics(0));
    assert!(printed(reads, files().variable("name", "b")).contains("no files"));
    let opened = "BEGIN { while ((r = (getline < \"a\")) > 0) n++; print n, r, ERRNO }";
    assert!(printed(opened, files()).starts_with("4 -1 "), "{}", printed(opened, files()));
    let run = Run::new().stdin(Panics(9)).progress(Duration::ZERO, |_| panic!("on purpose"));
    let error = failed("1", run);
    assert!(error.contains("the progress callback panicked: on purpose"), "{error}");
}

#[test]
fn progress_is_reported_at_most_so_often() {
    let text = "some line of text\n".repeat(2_000_000);
    let length = text.len() as u64;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &text).unwrap();
    let name = [file.path().to_str().unwrap()];
    let told = |every: u64, run: Run| {
        let reports = Arc::new(std::sync::Mutex::new(Vec::new()));
        let kept = reports.clone();
        let tell = move |progress: Progress| kept.lock().unwrap().push(progress);
        let outcome = program("{ n++ } END { print n }")
            .run(run.progress(Duration::from_millis(every), tell));
        assert_eq!(outcome.unwrap().text(), "2000000\n");
        let reports = reports.lock().unwrap();
        reports.iter().map(|progress| (progress.bytes, progress.records)).collect::<Vec<_>>()
    };
    for jobs in [1, 3] {
        let reports = told(0, Run::new().jobs(jobs).operands(name));
        assert!(reports.len() > 5, "{reports:?}");
        assert!(reports.is_sorted() && reports[reports.len() - 1].0 == length, "{reports:?}");
        assert!(reports.iter().any(|&(bytes, records)| bytes < length && records > 0));
        assert!(told(3_600_000, Run::new().jobs(jobs).operands(name)).is_empty());
        let from_memory = told(0, Run::new().jobs(jobs).input(text.as_str()));
        assert!(from_memory.len() > 5, "{from_memory:?}");
        let cancel = Cancel::new();
        let cancelled = cancel.clone();
        let run = Run::new().jobs(jobs).operands(name).cancel(&cancel);
        let run = run.progress(Duration::ZERO, move |_| cancelled.cancel());
        let error = program("{ n++ } END { print n }").run(run).unwrap_err();
        assert_eq!(error.stopped(), Some(StopCause::Cancelled));
    }
}

#[test]
fn diagnostics_are_data_with_their_places_and_warnings_too() {
    let text = "BEGIN { x = 1 }\nfunction f(a, a) { }\n";
    let error = Program::builder().source("a.awk", "BEGIN { }\n").source("b.awk", text).compile();
    let error = error.unwrap_err();
    let found = &error.diagnostics()[0];
    let at = found.location.as_ref().unwrap();
    assert_eq!((at.source.as_str(), at.line, &text[at.bytes.clone()]), ("b.awk", 2, "a"));
    assert!(found.to_string().starts_with("b.awk:2:"), "{found}");
    assert!(error.to_string().contains(&found.to_string()), "{error}");

    let lint = riverhawk::Lint { suspicious: true, ..riverhawk::Lint::default() };
    let dubious = Program::builder().source("w.awk", "{ if (x = 1) print }").lint(lint);
    let dubious = dubious.compile().unwrap();
    let warning = &dubious.warnings()[0];
    assert_eq!(warning.severity, riverhawk::Severity::Warning);
    assert_eq!(warning.location.as_ref().unwrap().to_string(), "w.awk:1:7");

    let taken = |_: &mut Call<'_>| Ok(0.into());
    let error =
        Program::builder().source("c.awk", "{ }").function("length", 0..=1, taken).compile();
    let error = error.unwrap_err();
    assert_eq!(error.diagnostics()[0].location, None, "{error}");
}

#[test]
fn records_end_with_the_handle_of_the_caller_and_without_it() {
    let endless = program("BEGIN { for (;;) print ++n }");
    let cancel = Cancel::new();
    let mut records = endless.records(Run::new().cancel(&cancel));
    assert_eq!(records.next().unwrap().unwrap(), b"1");
    drop(records);
    assert!(!cancel.is_cancelled());
    let silent = program("BEGIN { print \"begun\"; fflush(); for (;;) n++ }");
    let mut records = silent.records(Run::new().cancel(&cancel));
    assert_eq!(records.next().unwrap().unwrap(), b"begun");
    let begun = Instant::now();
    drop(records);
    assert!(begun.elapsed() < Duration::from_secs(20) && !cancel.is_cancelled());
    let mut records = silent.records(Run::new().cancel(&cancel));
    assert_eq!(records.next().unwrap().unwrap(), b"begun");
    cancel.cancel();
    assert_eq!(records.next().unwrap().unwrap_err().stopped(), Some(StopCause::Cancelled));
}

#[test]
fn pure_functions_are_called_in_pieces() {
    let threads = Arc::new(std::sync::Mutex::new(std::collections::HashSet::new()));
    let seen = threads.clone();
    let builder = Program::builder().source("main", "{ n += twice($1) } END { print n }");
    let twice = move |call: &mut Call<'_>| {
        seen.lock().unwrap().insert(thread::current().id());
        Ok((call.number(0) * 2.0).into())
    };
    let doubled = builder.pure_function("twice", 1..=1, twice).compile().unwrap();
    let text: String = (0..400_000).map(|number| format!("{number}\n")).collect();
    let outcome = doubled.run(Run::new().jobs(3).input(text)).unwrap();
    assert_eq!(outcome.text(), "159999600000\n");
    assert!(threads.lock().unwrap().len() > 1);
}

#[test]
fn commands_have_the_environment_of_the_run_alone() {
    let text = r#"BEGIN { system("echo \"$A $HOME$CARGO\"") }"#;
    let shown = Program::compile(text).unwrap();
    let run = Run::new().environment([("A", "a")]).permissions(Permissions::none().commands());
    assert_eq!(shown.run(run).unwrap().text(), "a \n");
}
