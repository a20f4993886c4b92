//! Options of the command, in a program and a run.

use super::{printed, program};
use riverhawk::filesystem::MemoryFiles;
use riverhawk::{
    Dialect, Display, EndCause, JsonForm, Limits, Lint, Program, Run, Strictness, TableFormat,
};
use std::io::Write;
use std::time::{Duration, UNIX_EPOCH};

fn of_posix(text: &str) -> Program {
    Program::builder().source("main", text).dialect(Dialect::Posix).compile().unwrap()
}

#[test]
fn tables_are_read_and_written() {
    let csv = "name,price\n\"tea, green\",3\nmilk,1\n";
    let read = || Run::new().input_format(TableFormat::CSV).header().input(csv);
    assert_eq!(printed("{ print @\"name\" }", read()), "tea, green\nmilk\n");
    let tsv = read().output_format(TableFormat::Tsv).keep_header();
    assert_eq!(printed("{ $2 *= 2 } 1", tsv), "name\tprice\ntea, green\t6\nmilk\t2\n");
    let lines = read().output_format(TableFormat::Json(JsonForm::Lines));
    assert_eq!(
        printed("1", lines),
        "{\"name\":\"tea, green\",\"price\":3}\n{\"name\":\"milk\",\"price\":1}\n"
    );
    let markdown = printed("1", read().output_format(Display::Markdown));
    assert!(markdown.starts_with("| name | price |\n"), "{markdown}");
    let semicolons = Run::new().input_format(TableFormat::Csv { separator: b';' }).input("a;b\n");
    assert_eq!(printed("{ print $2 }", semicolons), "b\n");
    let json =
        Run::new().input_format(TableFormat::Json(JsonForm::Values)).input("[{\"n\": 1}, 2]");
    assert_eq!(printed("{ print @\"n\" \"-\" }", json), "1-\n-\n");
}

#[test]
fn a_row_that_is_not_as_it_should_be_is_refused_if_asked() {
    let run = || Run::new().input_format(TableFormat::CSV).input("a,b\nc\n");
    assert_eq!(printed("{ print NF }", run()), "2\n1\n");
    assert!(program("1").run(run().strictness(Strictness::Refuses)).is_err());
}

#[test]
fn separators_and_encodings_are_variables() {
    let run = Run::new().variable("FS", ":").variable("RS", ";").variable("OFS", "-");
    assert_eq!(printed("{ $1 = $1 } 1", run.input("a:b;c:d;")), "a-b\nc-d\n");
    let latin = Run::new().variable("ENCODING", "latin1").input(&b"\xe9t\xe9\n"[..]);
    assert_eq!(printed("{ print length($0), $0 }", latin), "3 \u{e9}t\u{e9}\n");
    let out = program("1").run(Run::new().output_encoding("latin1").input("\u{e9}\n")).unwrap();
    assert_eq!(out.stdout, b"\xe9\n");
    let marked = || Run::new().input("\u{feff}a\n");
    assert_eq!(printed("{ print length($0) }", marked()), "2\n");
    assert_eq!(printed("{ print length($0) }", marked().strip_bom()), "1\n");
}

#[cfg(feature = "compress")]
#[test]
fn compressed_input_and_output() {
    let directory = tempfile::tempdir().unwrap();
    let name = directory.path().join("lines.gz").into_os_string().into_string().unwrap();
    let write = "BEGIN { for (i = 0; i < 100000; i++) print \"one line\" > name }";
    let writing = riverhawk::Permissions::none().write(directory.path());
    program(write)
        .run(Run::new().compress_output().permissions(writing).variable("name", name.as_str()))
        .unwrap();
    let read = || Run::new().operands([name.as_str()]);
    assert_eq!(printed("END { print NR }", read()), "100000\n");
    let raw = std::fs::read(&name).unwrap();
    assert!(raw.starts_with(&[0x1f, 0x8b]));
    let kept = program("BEGIN { RS = \"never\" } { printf \"%s\", $0 }");
    assert_eq!(kept.run(read().no_decompress()).unwrap().stdout, raw);
    let limits = Limits::none().decompressed(200_000);
    let error = program("1").run(read().limits(limits)).unwrap_err();
    assert!(error.to_string().contains("over the limit for decompression"), "{error}");
    // From memory, too, and whatever comes first.
    let memory = || Run::new().input(raw.clone());
    assert_eq!(printed("END { print NR }", memory()), "100000\n");
    assert!(program("1").run(memory().limits(limits)).is_err());
}

#[test]
fn numbers_are_read_as_asked() {
    let run = || Run::new().input("0x10 1,5\n");
    assert_eq!(printed("{ print $1 + 1 }", run()), "1\n");
    assert_eq!(printed("{ print $1 + 1 }", run().non_decimal_data()), "17\n");
    let german = || run().environment([("LC_ALL", "de_DE.UTF-8")]);
    assert_eq!(printed("{ print $2 + 1 }", german()), "2\n");
    assert_eq!(printed("{ print $2 + 1 }", german().use_lc_numeric()), "2,5\n");
    assert_eq!(of_posix("{ print $2 + 1 }").run(german()).unwrap().text(), "2,5\n");
    assert_eq!(of_posix("{ print $1 + 1 }").run(run()).unwrap().text(), "17\n");
}

#[test]
fn integers_and_characters_are_what_the_program_was_compiled_for() {
    let text = "{ print $1 + 1, length($2) }";
    let run = || Run::new().input("9007199254740993 e\u{301}\n");
    let with = |change: fn(riverhawk::Builder) -> riverhawk::Builder| {
        let builder = change(Program::builder().source("main", text));
        builder.compile().unwrap().run(run()).unwrap().text().into_owned()
    };
    assert_eq!(with(|builder| builder), "9007199254740992 2\n");
    assert_eq!(with(|builder| builder.exact_integers().graphemes()), "9007199254740994 1\n");
    assert_eq!(with(|builder| builder.bignum().characters_as_bytes()), "9007199254740994 3\n");
    let posix = |builder: riverhawk::Builder| builder.dialect(Dialect::Posix);
    assert!(
        posix(Program::builder().source("main", "{ print length($2) }").characters_as_bytes())
            .compile()
            .is_ok_and(|program| program.run(run()).unwrap().text() == "2\n")
    );
}

#[test]
fn what_only_a_run_can_warn_of_goes_to_its_standard_error() {
    let lint = Lint { suspicious: true, ..Lint::default() };
    let linted = Program::builder().source("rules.awk", "BEGIN { print substr(\"a\", 0) }");
    let outcome = linted.lint(lint).compile().unwrap().run(Run::new()).unwrap();
    let warning = String::from_utf8(outcome.stderr).unwrap();
    assert!(warning.contains("rules.awk:1:"), "{warning}");
}

#[test]
fn names_that_look_like_assignments_can_be_files() {
    let files = MemoryFiles::new();
    files.insert("x=1", "found\n");
    let run = || Run::new().file_system(files.clone()).operands(["x=1"]).input("stdin\n");
    assert_eq!(printed("{ print x, $0 }", run()), "1 stdin\n");
    assert_eq!(printed("{ print x, $0 }", run().only_files()), " found\n");
}

#[test]
fn pieces_give_what_one_thread_gives() {
    let text: String = (0..400_000).map(|number| format!("{} {number}\n", number % 7)).collect();
    let count = program("{ n[$1]++; s += $2 } $2 % 99999 == 0 { print } END { print n[3], s, NR }");
    let alone = count.run(Run::new().input(text.as_str())).unwrap();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let name = || [file.path().to_str().unwrap().to_owned()];
    let ways: [fn(Run) -> Run; 4] = [
        |run| run,
        |run| run.no_jit(),
        |run| run.cancel(&riverhawk::Cancel::new()),
        |run| run.limits(Limits::none().steps(u64::MAX)),
    ];
    for way in ways {
        for _ in 0..2 {
            let run = |run: Run| count.run(way(run.jobs(3))).unwrap();
            assert_eq!(run(Run::new().input(text.as_str())), alone);
            assert_eq!(run(Run::new().stdin(std::io::Cursor::new(text.clone()))), alone);
            assert_eq!(run(Run::new().operands(name())), alone);
            assert_eq!(run(Run::new().operands(["-"]).input(text.as_str())), alone);
        }
    }
    // What comes after the first operand is read after it.
    let both = Run::new().jobs(3).input("3 1\n").operands([name()[0].as_str(), "-"]);
    let outcome = count.run(both).unwrap();
    assert_eq!(outcome.records, alone.records + 1);
    let failed = program("{ s += 1 / ($2 - 399990) }");
    let error = failed.run(Run::new().jobs(3).input(text.as_str())).unwrap_err();
    assert_eq!(error.record(), Some((&b"-"[..], 399_991)));
    assert_eq!(error.cause(), None::<EndCause>);
}

#[test]
fn pieces_ask_permission_first() {
    let reads = program("BEGIN { ARGV[1] = \"/etc/passwd\"; ARGC = 2 } { n++ }");
    let error = reads.run(Run::new().jobs(4)).unwrap_err();
    assert!(error.to_string().contains("/etc/passwd"), "{error}");
}

#[test]
fn a_run_with_a_clock_and_a_seed_can_be_repeated() {
    let text = "@load \"time\"
        BEGIN { srand(); print srand(), systime(), strftime(\"%F %T\"), strftime() }
        BEGIN { printf \"%.1f %.1f \", gettimeofday(), time::now() }
        BEGIN { print time::format(time::parse(\"12:30\", \"%H:%M\"), \"%F\") }";
    let time = UNIX_EPOCH + Duration::from_millis(1_000_000_000_500);
    let run = || Run::new().clock(time).environment([("TZ", "UTC")]);
    assert_eq!(
        printed(text, run()),
        "1000000000 1000000000 2001-09-09 01:46:40 Sun Sep  9 01:46:40 UTC 2001\n\
        1000000000.5 1000000000.5 2001-09-09\n"
    );
    let precise = Program::builder().source("main", "BEGIN { srand(); print srand() }").bignum();
    assert_eq!(precise.compile().unwrap().run(run()).unwrap().text(), "1000000000\n");
    let before = UNIX_EPOCH - Duration::from_secs(5);
    assert_eq!(printed("BEGIN { print systime() }", Run::new().clock(before)), "0\n");

    for bignum in [false, true] {
        let builder = Program::builder().source("main", "BEGIN { print rand(), rand(), srand() }");
        let builder = if bignum { builder.bignum() } else { builder };
        let draws = builder.compile().unwrap();
        let drawn = |run: Run| draws.run(run).unwrap().text().into_owned();
        let of_seven = drawn(Run::new().seed(7));
        assert!(of_seven.ends_with(" 7\n"), "{of_seven}");
        assert_eq!(drawn(Run::new().seed(7)), of_seven);
        assert_ne!(drawn(Run::new().seed(8)), of_seven);
        assert_eq!(drawn(Run::new().seed(1)), drawn(Run::new()));
    }
}

#[test]
fn pieces_have_the_clock_and_the_time_zone_of_the_run() {
    let input = "line\n".repeat(400_000);
    let hours = |begin: &str| {
        let text = format!(
            "{begin} {{ n[strftime(\"%H\", 0) \" \" systime()]++ }} END {{ for (k in n) print k, n[k] }}"
        );
        let run = Run::new().jobs(3).environment([("TZ", "Asia/Tokyo")]).input(input.as_str());
        printed(&text, run.clock(UNIX_EPOCH + Duration::from_secs(5)))
    };
    assert_eq!(hours(""), "09 5 400000\n");
    assert_eq!(hours("BEGIN { ENVIRON[\"TZ\"] = \"UTC\" }"), "00 5 400000\n");
}
