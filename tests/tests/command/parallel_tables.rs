//! `-j` over tables gives the bytes of a serial run: CSV cut at any row, quotes, headers, several
//! files, pipes, compressed; lines of TSV and JSON.

use riverhawk_tests::build;
use riverhawk_tests::scratch::Scratch;
use std::process::{Command, Stdio};

struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.below(from.len())]
    }
}

type Ran = (String, String, Option<i32>);

fn rhawk(scratch: &Scratch, options: &[&str], program: &str, operands: &[&str]) -> Ran {
    let mut command = Command::new(build::rhawk());
    command.current_dir(scratch.path()).env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
    let output =
        command.args(options).arg(program).args(operands).output().expect("rhawk can be started");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output.stdout), text(output.stderr), output.status.code())
}

/// Threads and bytes in a piece.
const CUTS: [[&str; 2]; 4] = [
    ["-j2", "--piece-size=1"],
    ["-j3", "--piece-size=7"],
    ["-j2", "--piece-size=64"],
    ["-j3", "--piece-size=1000"],
];

fn pieces(scratch: &Scratch, options: &[&str], program: &str, operands: &[&str]) -> u64 {
    let (_, said, _) = rhawk(scratch, &[options, &["--stats"]].concat(), program, operands);
    let counted = said.lines().find_map(|line| line.strip_prefix("pieces run by other threads"));
    counted.and_then(|count| count.trim().parse().ok()).unwrap_or_default()
}

/// Returns how many pieces went to other threads when they had 64 bytes.
#[track_caller]
fn same_in_pieces(scratch: &Scratch, options: &[&str], program: &str, operands: &[&str]) -> u64 {
    let serial = rhawk(scratch, options, program, operands);
    for cut in CUTS {
        let options = [options, &cut[..]].concat();
        assert_eq!(
            rhawk(scratch, &options, program, operands),
            serial,
            "{program} {operands:?} under {options:?}"
        );
    }
    pieces(scratch, &[options, &CUTS[2][..]].concat(), program, operands)
}

/// Fields as in a file, some of them damaged.
const FIELDS: [&str; 14] = [
    "1",
    "42",
    "",
    "plain",
    "\"quoted\"",
    "\"a, b\"",
    "\"two\nlines\"",
    "\"say \"\"hi\"\"\"",
    "\"\"",
    "\"\"\"\"",
    "5\" pipe",
    " \"blank first\"",
    "\"ab\"cd",
    "\"\r\n,\n\"",
];

fn rows(dice: &mut Dice, kinds: usize) -> String {
    let mut text = String::new();
    for _ in 0..dice.below(150) {
        for column in 0..1 + dice.below(4) {
            text += if column > 0 { "," } else { "" };
            text += dice.pick(&FIELDS[..kinds]);
        }
        text += if dice.below(9) == 0 { "\r\n" } else { "\n" };
    }
    match dice.below(5) {
        0 => drop(text.pop()),
        1 => text += "\"never closed\n1,2\n",
        _ => {}
    }
    text
}

const PROGRAMS: [&str; 9] = [
    "{ print NR \": \" $2 \"|\" RT; n += NF } END { print n, NR, $0, RT }",
    "{ count[$1]++; for (i = 1; i <= NF; i++) n += length($i) } END { for (k in count) print k, count[k]; print n, NF }",
    "$1 == 42, $2 == \"plain\" { print FNR, FILENAME, $0 }",
    "{ $2 = $2 \"!\"; print; print $1, $3 }",
    "$1 == \"quoted\" { last = $0 } { k = split($0, p); s += k } END { print last, s }",
    "NF > 3 { exit 3 } { print } END { print NR }",
    "$3 == \"\" { print log(-1) } { print $1 }",
    "/hi/ { nextfile } { n++; print FILENAME } END { print n }",
    "$1 > m { m = $1; line = $0 } END { print m, line }",
];

#[test]
fn rows_in_quotes_and_out_of_them_are_those_of_a_serial_run() {
    let scratch = Scratch::new().expect("a directory");
    let mut in_pieces = 0;
    for seed in 0..80 {
        let mut dice = Dice(seed);
        // Some files have no quotes: nothing shows where rows begin.
        for name in ["one", "two"] {
            let kinds = [4, 8, FIELDS.len()][dice.below(3)];
            let text = rows(&mut dice, kinds);
            scratch.file(name, text.as_bytes()).expect("a file");
        }
        let options: &[&str] = match dice.below(6) {
            0 => &["--csv", "--output-csv"],
            1 => &["--csv", "--output-jsonl"],
            2 => &["--csv-separator=;"],
            3 => &["--csv", "--edit"],
            _ => &["--csv"],
        };
        let operands: &[&str] = if dice.below(2) == 0 { &["one"] } else { &["one", "two", "one"] };
        let program = PROGRAMS[dice.below(PROGRAMS.len())];
        in_pieces += u32::from(same_in_pieces(&scratch, options, program, operands) > 0);
    }
    assert!(in_pieces >= 30, "only {in_pieces} of 80 ran in pieces");
}

#[test]
fn an_edit_that_changes_nothing_is_a_copy() {
    let scratch = Scratch::new().expect("a directory");
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let kinds = [4, 8, FIELDS.len()][dice.below(3)];
        let text = ["", "\u{FEFF}"][dice.below(2)].to_string() + &rows(&mut dice, kinds);
        // A carriage return alone in the last line is not a row, and lost.
        if text.ends_with("\n\r") || text.ends_with("\u{FEFF}\r") {
            continue;
        }
        scratch.file("table", text.as_bytes()).expect("a file");
        for options in [["--csv", "--edit"], ["--tsv", "--edit"]] {
            for cut in [&["--window-size=1"][..], &["-j2", "--piece-size=7"], &["--no-jit"]] {
                let program =
                    dice.pick(&["1", "{ print $0 }", "{ $0 = $0; print }", "{ n += NF; print }"]);
                let (stdout, _, status) =
                    rhawk(&scratch, &[&options[..], cut].concat(), program, &["table"]);
                assert_eq!(
                    (stdout.as_str(), status),
                    (text.as_str(), Some(0)),
                    "{seed} {options:?} {cut:?} {program}"
                );
            }
        }
    }
}

#[test]
fn a_long_field_in_quotes_is_not_taken_for_rows() {
    let scratch = Scratch::new().expect("a directory");
    let row = |n: usize| format!("{n},\"a, {n}\",x\n");
    let long: String = (0..30_000).map(|n| format!("{n}, no row\n")).collect();
    let head: String = (0..9000).map(row).collect();
    let unquoted: String = (0..40_000).map(|n| format!("{n},b,x\n")).collect();
    let program =
        "{ print NR \": \" $1, length($2); c[$3]++ } END { print $0; for (k in c) print k, c[k] }";
    for (name, text) in [
        ("quoted", format!("{head}1,\"{long}\",y\n{head}")),
        ("plain", unquoted.clone()),
        ("both", format!("{unquoted}1,\"{long}\",y\n{unquoted}2,\"{long}\",z\n{unquoted}")),
        ("open", format!("{unquoted}1,\"{long}\",y\n{unquoted}2,\"{long}")),
        ("only", format!("1,\"{long}{long}\"")),
    ] {
        scratch.file(name, text.as_bytes()).expect("a file");
        let serial = rhawk(&scratch, &["--csv"], program, &[name, name]);
        for cut in [
            ["-j2", "--piece-size=3000"],
            ["-j2", "--piece-size=70000"],
            ["-j3", "--piece-size=200000"],
        ] {
            let options = [&["--csv"], &cut[..]].concat();
            assert_eq!(
                rhawk(&scratch, &options, program, &[name, name]),
                serial,
                "{name} under {cut:?}"
            );
        }
        let count = pieces(&scratch, &["--csv", "-j2", "--piece-size=70000"], program, &[name]);
        assert!(count > 2 || name == "only", "{name}: {count} pieces");
    }
    // A warning in a piece whose end is a guess: it is run again, in its place.
    let program = "$1 == 20000 { print log(-1) } { n++ } END { print n, NR }";
    let serial = rhawk(&scratch, &["--csv"], program, &["both"]);
    assert_eq!(
        rhawk(&scratch, &["--csv", "-j2", "--piece-size=70000"], program, &["both"]),
        serial
    );
}

#[test]
fn each_file_has_its_header_in_pieces_too() {
    let scratch = Scratch::new().expect("a directory");
    let one: String = (0..800).map(|n| format!("{n},\"n {}\",{}\n", n % 7, n % 11)).collect();
    let two: String = (0..800).map(|n| format!("\"k{}\n\",{n}\n", n % 5)).collect();
    scratch.file("one", format!("id,name,size\n{one}").as_bytes()).expect("a file");
    scratch.file("two", format!("\"name\",id\n{two}").as_bytes()).expect("a file");
    scratch.file("short", b"id,name\n").expect("a file");
    scratch.file("odd", format!("id,name,size\n{one}1,2\n{one}").as_bytes()).expect("a file");
    let program = "{ n[@\"name\"]++; s += @\"id\" } END { print s, NR, FNR, @\"name\"; for (k in n) print k, n[k] }";
    for options in
        [&["--csv", "-H"][..], &["--csv", "-H", "--keep-header"], &["--csv", "-H", "--strict"]]
    {
        for files in [
            &["one"][..],
            &["one", "two", "short", "one"],
            &["short", "two", "two"],
            &["odd", "one"],
        ] {
            let count = same_in_pieces(&scratch, options, program, files);
            assert!(count > 0 || files[0] == "short", "{options:?} {files:?}");
        }
    }
    for program in [
        "{ print NR, FILENAME, FIELDS[1], $FIELDS[\"name\"]; if (\"no\" in FIELDS) print \"no\" }",
        "{ @\"name\" = toupper(@\"name\"); print } END { for (k in FIELDS) print k, FIELDS[k] }",
        "@\"size\" == 10 { print FIELDS[\"nothing\"] @\"id\" } END { for (k in FIELDS) print k, FIELDS[k] }",
    ] {
        for options in [
            &["--csv", "-H"][..],
            &["--csv", "-H", "--output-csv"],
            &["--csv", "-H", "--output-jsonl"],
            &["--csv", "--edit"],
            &["--csv", "-H", "--output-table"],
            &["--csv", "-H", "--strict=warn"],
        ] {
            same_in_pieces(&scratch, options, program, &["one", "two", "one"]);
        }
    }
    assert!(
        same_in_pieces(&scratch, &["--csv", "-H", "--keep-header"], "@\"id\" % 2", &["one", "two"])
            > 0
    );
    // Columns that are made, left out and renamed.
    scratch
        .file("three", format!("size,id\r\n{}1,2", "3,4\r\n".repeat(500)).as_bytes())
        .expect("a file");
    for program in [
        "{ @\"new\" = @\"id\" * 2; delete @\"size\" } @\"id\" % 3 == 0",
        "BEGIN { FIELDS[\"id\"] = \"key\" } { @\"key\"++; print }",
        "{ print @\"id\", @\"id\" \"x\" }",
    ] {
        let files = &["three", "one", "three"];
        for (options, files) in [
            (["--csv", "--edit"], &["one", "one"][..]),
            (["--csv", "-H"], files),
            (["--csv", "--edit"], files),
        ] {
            assert!(
                same_in_pieces(&scratch, &options, program, files) > 0,
                "{program} {options:?}"
            );
        }
    }
    // Names of columns where fields are not rows.
    assert!(
        same_in_pieces(&scratch, &["-F,", "-H"], "{ s += @\"size\" } END { print s }", &["one"])
            > 0
    );
}

#[test]
fn lines_of_tsv_and_json_are_read_in_pieces() {
    let scratch = Scratch::new().expect("a directory");
    let tsv: String = (0..900).map(|n| format!("{n}\ta\\tb {}\t\"{}\r\n", n % 7, n % 3)).collect();
    scratch.file("tsv", format!("id\tname\tmark\n{tsv}").as_bytes()).expect("a file");
    let json: String = (0..900)
        .map(|n| match n % 5 {
            0 => format!(
                "{{\"id\":{n},\"user\":{{\"name\":\"Ann {}\",\"tags\":[1,2]}},\"x\\ny\":null}}\n",
                n % 7
            ),
            1 => "[1,\"two\",{\"id\":3}]\n".into(),
            2 => "\n".into(),
            _ => format!("{{\"name\":\"10\",\"id\":{n}.0,\"more\":true}}\n"),
        })
        .collect();
    scratch.file("json", json.as_bytes()).expect("a file");
    scratch.file("broken", format!("{json}{{\"a\":}}\n{json}").as_bytes()).expect("a file");
    for options in [&["--tsv", "-H"][..], &["--tsv", "-H", "--output-csv", "--keep-header"]] {
        let program =
            "{ c[@\"name\"]++; print NR, @\"id\", $3; print } END { for (k in c) print k, c[k] }";
        assert!(same_in_pieces(&scratch, options, program, &["tsv", "tsv"]) > 0, "{options:?}");
    }
    for (program, in_pieces) in [
        ("{ print NR, @\"id\", @\"user.name\", $1, NF; s += @\"id\" } END { print s, $0 }", true),
        ("@\"id\" > 100 { @\"id\" += 1; @\"user.tags[0]\" = \"new\"; print }", true),
        (
            "{ for (i = 1; i <= NF; i++) print FIELDS[i] \"=\" $i } END { for (k in FIELDS) print k, FIELDS[k] }",
            true,
        ),
        ("\"id\" in FIELDS { n++ } END { print n, FIELDS[1] }", true),
        ("{ FIELDS[\"x\"] = NR } END { for (k in FIELDS) print k, FIELDS[k] }", false),
        ("{ seen[@\"name\"] = @\"id\" } END { for (k in seen) print k, seen[k] }", true),
    ] {
        for options in [&["--jsonl"][..], &["--jsonl", "--output-csv", "--keep-header"]] {
            let count = same_in_pieces(&scratch, options, program, &["json", "json"]);
            assert_eq!(count > 0, in_pieces, "{program} {options:?}: {count} pieces");
            same_in_pieces(&scratch, options, program, &["json", "broken"]);
        }
    }
}

/// Through a pipe, and compressed: rows are cut as they arrive.
#[test]
fn tables_that_come_as_they_come_are_read_in_pieces() {
    let scratch = Scratch::new().expect("a directory");
    let text: String = (0..3000)
        .map(|n| {
            format!("{n},\"n, {}{}\",{}\n", n % 7, if n % 10 == 0 { "\n" } else { "" }, n % 11)
        })
        .collect();
    scratch.file("data", format!("id,name,size\n{text}").as_bytes()).expect("a file");
    let write = "{ print > \"data.gz\"; print > \"data.zst\"; print > \"data.bz2\"; print > \"data.xz\"; print > \"data.lz4\" }";
    assert_eq!(rhawk(&scratch, &["--compress-output"], write, &["data"]).2, Some(0));
    let program = "{ c[@\"name\"] += @\"size\"; print NR, FNR, @\"id\" } END { print $0; for (k in c) print k, c[k] }";
    for file in ["data.gz", "data.zst", "data.bz2", "data.xz", "data.lz4"] {
        for files in [&[file][..], &["data", file, "data"]] {
            assert!(same_in_pieces(&scratch, &["--csv", "-H"], program, files) > 0, "{files:?}");
        }
        let lines = "{ n += length; c[$1]++ } END { print n, NR, $0 }";
        assert!(same_in_pieces(&scratch, &[], lines, &[file, file]) > 0, "{file}");
    }
    let piped = |options: &[&str]| {
        let mut command = Command::new("sh");
        command
            .args(["-c", "cat data | \"$0\" \"$@\""])
            .arg(build::rhawk())
            .args(options)
            .arg(program);
        let output =
            command.current_dir(scratch.path()).env("LC_ALL", "C.UTF-8").output().expect("sh");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for cut in [["-j2", "--piece-size=100"], ["-j3", "--piece-size=5000"]] {
        assert_eq!(
            piped(&[&["--csv", "-H"], &cut[..]].concat()),
            piped(&["--csv", "-H"]),
            "{cut:?}"
        );
    }
}
