//! `-j` gives the bytes of a serial run: random programs over random data, cut everywhere, and
//! cases that the order of additions, an error or `exit` decides.

use riverhawk_tests::build;
use riverhawk_tests::scratch::Scratch;
use std::process::{Command, Stdio};

struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[(self.next() % from.len() as u64) as usize]
    }

    fn once_in(&mut self, times: u64) -> bool {
        self.next().is_multiple_of(times)
    }
}

#[derive(Debug, PartialEq)]
struct Ran {
    stdout: String,
    stderr: String,
    status: Option<i32>,
}

fn rhawk(scratch: &Scratch, options: &[&str], program: &str, operands: &[&str]) -> Ran {
    let mut command = Command::new(build::rhawk());
    command.current_dir(scratch.path()).env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
    let output =
        command.args(options).arg(program).args(operands).output().expect("rhawk can be started");
    Ran {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        status: output.status.code(),
    }
}

/// Threads and bytes in a piece.
const CUTS: [[&str; 2]; 5] = [
    ["-j2", "--piece-size=1"],
    ["-j3", "--piece-size=7"],
    ["-j2", "--piece-size=64"],
    ["-j3", "--piece-size=200"],
    ["-j2", "--piece-size=1000"],
];

/// Returns how many pieces went to other threads under the last cut.
#[track_caller]
fn same_in_pieces(scratch: &Scratch, options: &[&str], program: &str, operands: &[&str]) -> u64 {
    let serial = rhawk(scratch, options, program, operands);
    for cut in CUTS {
        let options = [options, &cut[..]].concat();
        assert_eq!(
            rhawk(scratch, &options, program, operands),
            serial,
            "{program} {operands:?} under {cut:?}"
        );
    }
    pieces(scratch, &[options, &CUTS[3][..]].concat(), program, operands).0
}

/// Pieces run by other threads, and those run again by the first.
fn pieces(scratch: &Scratch, options: &[&str], program: &str, operands: &[&str]) -> (u64, u64) {
    let ran = rhawk(scratch, &[options, &["--stats"]].concat(), program, operands);
    let counter = |name: &str| {
        let line = ran.stderr.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.trim().parse().ok()).unwrap_or_default()
    };
    (counter("pieces run by other threads"), counter("pieces run again by the first"))
}

#[test]
fn what_the_first_record_does_to_the_input_counts_for_all_that_follows() {
    let scratch = Scratch::new().expect("a directory");
    let text: String = (0..400).map(|n| ["a\n", "bb\n", "\n", "\n\n"][n * n % 7 % 4]).collect();
    std::fs::write(scratch.path().join("text"), text).expect("a file");
    std::fs::write(scratch.path().join("more"), "x\ny\n".repeat(50)).expect("a file");
    for program in [
        "{ print NR \":\" $0; if (NR == 1) RS = \"\" }",
        "{ print NR \":\" $0; if (NR == 1) RS = \"b\" }",
        "function f() { RS = \";\" } { print NR, \"[\" $0 \"]\"; if (NR < 2) f() }",
        "NR <= 1 { if (NR == 1) RS = \"b\" } { print NR, $0 }",
        "NR == 1 { getline RS } { print NR, $0 }",
        "NR == 1 { while ((getline x) > 0 && n++ < 30); print n, x } { print NR, $0 }",
        "NR == 1 { ARGV[2] = \"text\" } { print FILENAME, $0 }",
        "NR == 1 { delete ARGV[2] } { print FILENAME, $0 }",
        "NR == 1 { ARGC = 2 } { print FILENAME, $0 }",
        "NR == 1 { FILENAME = \"f\" } { print FILENAME, $0 }",
        // What a range assigns at its beginning holds while it is open.
        "x=/a/,y=/bb/ { print x y $0 }",
    ] {
        same_in_pieces(&scratch, &[], program, &["text", "more"]);
    }
}

#[test]
fn the_first_file_is_over_before_others_are_cut() {
    let scratch = Scratch::new().expect("a directory");
    let write = |name: &str, text: String| {
        std::fs::write(scratch.path().join(name), text).expect("a file");
    };
    write("towns", (0..60).map(|n| format!("k{n} town{n}\n")).collect());
    write("sales", (0..400).map(|n| format!("k{} {n}\n", n * n % 97)).collect());
    write("more", (0..90).map(|n| format!("k{} {n}\n", n * 7 % 80)).collect());
    write("empty", String::new());
    let programs = [
        "NR == FNR { town[$1] = $2; next } $1 in town { print NR, FNR, town[$1], $2; n++ } END { print n }",
        "FNR == NR { old[$1]; next } !($1 in old)",
        "NR == FNR { sum += NF; next } { print $2 / sum }",
        "NR == FNR { print prev; prev = $1; if (NR == 9) nextfile } FNR < NR { print FILENAME, prev, town[$1]; s += $2 } END { print s, NR, length(town) }",
        "{ if (NR > FNR) { print ($1 in town) ? $1 : \"-\" } else { town[$1]; FS = \"k\" } }",
        "NR == FNR { if ($1 == \"k7\" && $2 == 7) exit 3; town[$1]; next } $1 in town",
    ];
    for program in programs {
        let mut elsewhere = 0;
        for operands in [
            &["towns", "sales"][..],
            &["sales", "more", "towns"],
            &["empty", "towns", "sales"],
            &["empty", "empty"],
            &["sales"],
            &["NR=-3", "empty", "more", "x=1", "sales", "more"],
            &["NR=5", "towns", "sales"],
            &["missing", "towns", "sales"],
        ] {
            elsewhere += same_in_pieces(&scratch, &[], program, operands);
        }
        assert!(elsewhere > 20, "{program}");
    }
    // Where each file has a header, and in a stream.
    let program = "NR == FNR { t[@\"k\"]; next } @\"k\" in t { print NR, @\"n\" }";
    for name in ["towns", "sales"] {
        let text = std::fs::read_to_string(scratch.path().join(name)).expect("the file");
        write(&format!("{name}.h"), format!("k n\n{text}"));
    }
    assert!(same_in_pieces(&scratch, &["-H"], program, &["towns.h", "sales.h"]) > 10);
    let mut command = Command::new("sh");
    command.current_dir(scratch.path()).env("RHAWK", build::rhawk()).args([
        "-c",
        r#"cat towns | "$RHAWK" --stats -j3 --piece-size=64 'NR == FNR { t[$1]; next } $1 in t { n++ } END { print n, NR }' - sales more"#,
    ]);
    let output = command.output().expect("a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().find_map(|line| line.strip_prefix("pieces run by other threads"));
    let elsewhere = line.and_then(|rest| rest.trim().parse().ok()).unwrap_or(0);
    assert!(elsewhere > 20, "{said}");
    let serial = rhawk(
        &scratch,
        &[],
        "NR == FNR { t[$1]; next } $1 in t { n++ } END { print n, NR }",
        &["towns", "sales", "more"],
    );
    assert_eq!(String::from_utf8_lossy(&output.stdout), serial.stdout);
}

#[test]
fn loops_in_end_have_the_order_that_procinfo_sets() {
    let scratch = Scratch::new().expect("a directory");
    let text: String = (0..400).map(|n| format!("k{} {n}\n", n * n % 97)).collect();
    std::fs::write(scratch.path().join("sales"), text).expect("a file");
    let orders = [
        ("BEGIN", "@val_num_desc"),
        ("BEGIN", "@ind_str_asc"),
        ("NR == 1", "longer"),
        ("END", "@val_num_asc"),
    ];
    for (when, order) in orders {
        let program = format!(
            "{when} {{ PROCINFO[\"sorted_in\"] = \"{order}\" }} {{ n[$1] += $2 }}
            END {{ for (k in n) print k, n[k] }}
            function longer(i, x, j, y) {{ return length(j) - length(i) || x - y }}"
        );
        assert!(same_in_pieces(&scratch, &[], &program, &["sales"]) > 10, "{program}");
    }
}

#[test]
fn what_is_printed_once_for_each_key_is_printed_by_the_first_of_all() {
    let scratch = Scratch::new().expect("a directory");
    let text = |from: u64, to: u64| -> String {
        (from..to).map(|n| format!("k{} {} {n}\n", n * n % 97, n % 5)).collect()
    };
    std::fs::write(scratch.path().join("one"), text(0, 500)).expect("a file");
    std::fs::write(scratch.path().join("two"), text(300, 900)).expect("a file");
    for program in [
        "!seen[$1]++",
        "{ print NR; if (!seen[$1]++) print $2, FNR; if (NR % 3 == 0) print FILENAME }",
        "!seen[$1]++ { print } !seen[$2]++ { print \"second\", $2 } !other[$1, $2]++ { print NR }",
        "BEGIN { seen[\"k1\"]; seen[\"k4\"] = 2; seen[\"k9\"] = 0; seen[\"k16\"] = \"x\"; seen[\"k25\"] = \"3\" }
         ++seen[$1] == 1; END { for (k in seen) print k, seen[k]; print length(seen) }",
        "BEGIN { ORS = \"\" } !seen[$1]++ { printf \"\"; print \"[\" $1 \"]\" } END { print seen[\"k1\"] }",
        "/k3/, /k9/ { if (!seen[$1]++) print $1 } NR % 100 == 0 { $2 = \"x\"; print }",
        "$3 > 250 { nextfile } !seen[$1]++",
    ] {
        for options in [&[][..], &["--exact-integers"], &["--relaxed-sums"]] {
            let elsewhere = same_in_pieces(&scratch, options, program, &["one", "u=1", "two"]);
            assert!(elsewhere >= 10, "{program} {options:?}: {elsewhere}");
        }
    }
    // An error in what would be dropped, and counts that are none.
    for program in [
        "!seen[$2]++ { print 1 / ($3 % 400) }",
        "BEGIN { seen[\"k1\"] = -1 } !seen[$1]++",
        "BEGIN { seen[\"k1\"] = 0.5 } !seen[$1]++ ; END { print seen[\"k1\"] }",
        "BEGIN { seen[\"k1\"] = 9007199254740992 } !seen[$1]++ ; END { print seen[\"k1\"] }",
        "!seen[$1]++ { print } $3 == 333 { exit 4 }",
    ] {
        same_in_pieces(&scratch, &[], program, &["one", "two"]);
    }
    // A table may begin or end with what is dropped.
    for options in [&["--csv", "-F "][..], &["--output-csv"], &["--output-jsonl"]] {
        same_in_pieces(&scratch, options, "!seen[$1]++", &["one", "two"]);
    }
}

/// Numbers that sums survive in any order, and some that they do not.
const WHOLE: [&str; 8] = ["0", "1", "7", "-3", "42", "1000", "+5", "12"];
const ODD: [&str; 12] = [
    "0.5",
    "9007199254740993",
    "1e300",
    "-0",
    "+nan",
    "+inf",
    "-inf",
    "abc",
    "",
    "0x10",
    "1e15",
    "4503599627370495",
];
const KEYS: [&str; 12] =
    ["1", "2", "3", "4", "10", "a", "b", "a-longer-key-of-text", "é", "0", "-1", "01"];

fn data(dice: &mut Dice, odd: bool) -> String {
    let mut text = String::new();
    for _ in 0..dice.next() % 120 {
        let number = if odd && dice.once_in(6) { dice.pick(&ODD) } else { dice.pick(&WHOLE) };
        let (key, other) = (dice.pick(&KEYS), dice.pick(&WHOLE));
        text += &format!("{key} {number} {other}\n");
        if dice.once_in(15) {
            text.push('\n');
        }
    }
    if dice.once_in(3) {
        text.pop();
    }
    text
}

/// Rules over variables each of which has one kind of accumulation; `END` prints them all.
const RULES: [&str; 62] = [
    "$2 > m3 { m3 = $2; line3 = $0; at3 = NR }",
    "{ if (m4 == \"\" || $3 <= m4) { line4 = $1; m4 = $3 } }",
    "NR == 1 || $3 > m5 { m5 = $3; line5 = $0 }",
    "{ m6 = -1; for (i = 1; i <= NF; i++) if ($i > m6) { m6 = $i; at6 = i } print m6, at6 ? \"\" : \"none\"; at6 = 0 }",
    "{ s += $2 }",
    "{ s += length }",
    "{ s -= $3; s++ }",
    "$3 > 5 { s += $2 * 2 }",
    "{ c[$1]++ }",
    "{ c[$1] += $2 }",
    "{ c[$3]--; c[$1, $3] -= 2 }",
    "{ c[NF] }",
    "$2 > m { m = $2 }",
    "{ if (m < $2) m = $2 }",
    "{ if (l == \"\" || $3 < l) l = $3 }",
    "NR == 1 || $3 <= l2 { l2 = $3 }",
    "{ if ($2 > e[$1]) e[$1] = $2 }",
    "{ if (!($1 in g) || $3 <= g[$1]) g[$1] = $3 }",
    "!($1 in f) { f[$1] = $0 }",
    "f1 == \"\" { f1 = $1 }",
    "{ last = $1 \"/\" $2 }",
    "/a/ { lasta = NR }",
    "{ w[$1] = $2 }",
    "!o1[$0]++",
    "$2 > 5 && !o1[$1]++ { print NR, $2 }",
    "{ for (i = 1; i <= NF; i++) if (o2[$i]++ == 0) printf \"%s \", $i }",
    "++o2[$3 / 7] == 1 { print 1 / $3; print }",
    "!o3[$1, NR % 7]++",
    "{ once($3) }",
    "{ t = t $1 }",
    "{ u[$3] = u[$3] $1 \",\" }",
    "{ n = split($0, p, / /); for (i = n; i > 0; i--) c[p[i]]++ }",
    "{ delete q; for (i = 1; i <= NF; i++) q[$i]++; for (k in q) v[k] += q[k] }",
    "{ if (match($0, /[0-9]+/)) s += RLENGTH; else last = \"none\" }",
    "$1 == \"1\", $1 == \"2\"",
    "$3 == 7, $3 == 12 { s += $2; print NR \": \" $0 }",
    "NF == 0, $1 == \"b\" { c[$1]++; next }",
    "$1 ~ /[0-9]/, $1 ~ /[13]/ { $2 = \"in\"; for (i = 1; i <= NF; i++) y = y $i }",
    "{ print text::width($0), toupper(gensub(/([a-z])/, \"<\\\\1>\", \"g\")); s += strtonum($2) }",
    "{ n = patsplit($0, p, /[0-9]+/); for (i = 1; i <= n; i++) c[p[i]]++; c[and(n, 3)]++ }",
    "{ delete q; for (i = 1; i <= NF; i++) q[i] = $i; n = asort(q); y = q[n]; last = text::graphemes($1, p) }",
    "{ switch ($1) { case /[a-z]/: s++; break; case 1: t = t $2; default: x = NR } }",
    "{ print NR, FNR, $1 }",
    "{ print FILENAME \": \" $0 }",
    "$2 == 42",
    "{ $2 = \"x\"; print; print NF }",
    "{ gsub(/[a-z]/, \"<&>\"); print }",
    "{ sub(/1/, \"one\", $1); y = $1 }",
    "{ printf \"%s|%5d\\n\", $1, $2 }",
    "$3 == 7 { next }",
    "NR == 1 { header = $0; next }",
    "NR > 1 { print header }",
    "{ print table[$1] }",
    "$1 in known { print known[$1]; s += $3 }",
    "{ s += double($3) }",
    "{ count($1) }",
    "{ x = 1; while (x < 5) x += x; s += x }",
    "NF == 0 { blank++ }",
    "{ z = $1; z = z z; if (z > 5) big++ }",
    "{ do { d = d1++ } while (d1 < 3); d1 = 0 }",
    "END { print \"end\", $0, NF, NR, FNR, FILENAME }",
    "{ k1 = $1; if (k1 == \"a\") k2 = NR }",
];

/// Rules that keep a program in one piece, or may end it in the middle.
const SPOILERS: [&str; 14] = [
    "{ print s }",
    "!seen[$0]++ { print; x = $1 }",
    "{ r = r + rand() }",
    "$1 == \"b\" { exit NR % 7 }",
    "$2 == 1000 { nextfile }",
    "{ s += 1 / $3 }",
    "{ print log($3) }",
    "$1 == \"1\", $1 == \"2\" { while (x < $3) x++; print x; x = 0 }",
    "{ OFS = $1; $1 = $1; print }",
    "{ prev = $1; print before; before = prev }",
    "$3 == 12 { m = $1 }",
    "{ while ((getline line) > 0 && line != \"\") s++ }",
    "{ c[$1] = c[$1] + m }",
    "{ print > \"/dev/stdout\" }",
];

const END: &str = r#"
function double(x) { return x * 2 }
function count(key) { c[key]++ }
function once(key) { if (!o1[key]++) print "once", key }
BEGIN { known["a"] = "A"; known[3] = "three"; table["b"] = "B"; if (start) { o1["a"]; o1[3] = 2; o1[7] = "x"; o2["1"] = "1"; o2[0] = 0; s = 5; c["b"] = 1; m = 3; line4 = "before" } }
END {
    print s, m, l, l2, f1, last, lasta, t, y, n, i, header, x, blank, big, d, d1, k1, k2, RSTART, RLENGTH
    print line3, at3, line4, m5, line5
    for (k in c) print "c", k, c[k]
    for (k in e) print "e", k, e[k]
    for (k in f) print "f", k, f[k]
    for (k in g) print "g", k, g[k]
    for (k in w) print "w", k, w[k]
    for (k in u) print "u", k, u[k]
    for (k in v) print "v", k, v[k]
    for (k in table) print "table", k, table[k]
    for (k in p) print "p", k, p[k]
    for (k in q) print "q", k, q[k]
    for (k in o1) print "o1", k, o1[k]
    for (k in o2) print "o2", k, o2[k]
}"#;

fn program(dice: &mut Dice, spoiled: bool) -> String {
    let mut text = String::new();
    for _ in 0..1 + dice.next() % 4 {
        text += dice.pick(&RULES);
        text.push('\n');
    }
    if spoiled {
        text += dice.pick(&SPOILERS);
    }
    text + END
}

#[test]
fn random_programs_give_the_bytes_of_a_serial_run() {
    let scratch = Scratch::new().expect("a directory");
    let mut in_pieces = 0;
    for seed in 0..150 {
        let mut dice = Dice(seed);
        for name in ["one", "two", "three"] {
            let odd = dice.once_in(3);
            scratch.file(name, data(&mut dice, odd).as_bytes()).expect("a file");
        }
        let spoiled = dice.once_in(4);
        let program = program(&mut dice, spoiled);
        let operands: &[&str] = match dice.next() % 4 {
            0 => &["one"],
            1 => &["one", "two", "three"],
            2 => &["one", "start=1", "two", "FS=[ -]", "three"],
            _ => &["two", "one", "one"],
        };
        let options: &[&str] = match dice.next() % 5 {
            0 => &["-vstart=1"],
            1 => &["-vRS="],
            2 => &["-vRS= "],
            3 => &["-vRS=a ", "-b"],
            _ => &[],
        };
        in_pieces += u32::from(same_in_pieces(&scratch, options, &program, operands) > 0);
    }
    assert!(in_pieces >= 60, "only {in_pieces} of 150 ran in pieces");
}

fn lines(scratch: &Scratch, lines: &[&str]) {
    scratch.file("data", format!("{}\n", lines.join("\n")).as_bytes()).expect("a file");
}

#[test]
fn sums_whose_order_matters_are_those_of_a_serial_run() {
    let scratch = Scratch::new().expect("a directory");
    let program =
        r#"{ s += $1; a[NR % 3] += $1; d -= $1 } END { printf "%.17g %.17g %.17g\n", s, a[1], d }"#;
    for odd in [
        "0.1",
        "1e16",
        "9007199254740993",
        "4503599627370496",
        "2251799813685247.5",
        "2251799813685248",
        "+nan",
        "+inf",
        "-inf",
        "-0",
        "x",
    ] {
        let mut data = vec!["1"; 300];
        data[150] = odd;
        data[151] = "0.7";
        lines(&scratch, &data);
        same_in_pieces(&scratch, &[], program, &["data"]);
        data[2] = odd;
        lines(&scratch, &data);
        same_in_pieces(&scratch, &[], program, &["data"]);
    }
    lines(&scratch, &["-0"; 300]);
    same_in_pieces(
        &scratch,
        &[],
        "BEGIN { s = -0 } { s += $1 } END { printf \"%g\\n\", s }",
        &["data"],
    );
    // Up and down near the limit, and past it.
    lines(&scratch, &["9007199254740991", "1", "-9007199254740991", "3"].repeat(50));
    same_in_pieces(&scratch, &[], program, &["data"]);
}

#[test]
fn fractions_are_summed_in_pieces_only_when_that_is_allowed() {
    let scratch = Scratch::new().expect("a directory");
    lines(&scratch, &["0.25"; 1000]);
    let program = "{ s += $1 } END { print s }";
    assert_eq!(pieces(&scratch, &["-j2", "--piece-size=100"], program, &["data"]).0, 0);
    assert!(
        pieces(&scratch, &["-j2", "--piece-size=100", "--relaxed-sums"], program, &["data"]).0 > 10
    );
    // Quarters are exact in any order.
    assert_eq!(
        rhawk(&scratch, &["-j2", "--piece-size=100", "--relaxed-sums"], program, &["data"]).stdout,
        "250\n"
    );
}

/// Pieces that cannot be joined are run again; after a few, the rest is one piece.
#[test]
fn pieces_that_cannot_be_joined_are_run_again_in_their_place() {
    let scratch = Scratch::new().expect("a directory");
    let mut data = vec!["1"; 1000];
    data[500] = "warn";
    lines(&scratch, &data);
    let program = "/warn/ { print log(-1) } { n++; print $1 } END { print n }";
    same_in_pieces(&scratch, &[], program, &["data"]);
    let (joined, again) = pieces(&scratch, &["-j2", "--piece-size=100"], program, &["data"]);
    assert!(joined >= 15 && again == 1, "{joined} joined, {again} run again");
}

#[test]
fn an_error_in_the_middle_names_the_record_and_leaves_the_output_of_a_serial_run() {
    let scratch = Scratch::new().expect("a directory");
    let mut data = vec!["3"; 1000];
    data[700] = "0";
    lines(&scratch, &data);
    let program = "function half(x) { return 12 / x } { n++; print NR, half($1) } END { print n }";
    let ran = rhawk(&scratch, &["-j2", "--piece-size=100"], program, &["data"]);
    assert!(ran.stderr.contains("data, record 701"), "{}", ran.stderr);
    assert_eq!((ran.status, ran.stdout.lines().count()), (Some(2), 700));
    same_in_pieces(&scratch, &[], program, &["data"]);
    same_in_pieces(
        &scratch,
        &[],
        "$1 == 0 { exit 3 } { print } END { print NR, $0; exit }",
        &["data", "data"],
    );
    same_in_pieces(&scratch, &[], "{ n++ } END { print n }", &["data", "no-such-file", "data"]);
    same_in_pieces(&scratch, &[], "{ n++ } END { print n }", &["data", ".", "data"]);
}

#[test]
fn a_loop_that_a_serial_run_never_comes_to_does_not_keep_the_program() {
    let scratch = Scratch::new().expect("a directory");
    let mut data = vec!["1"; 300];
    data[100] = "stop";
    data[120] = "hang";
    lines(&scratch, &data);
    let program = "/stop/ { exit 4 } /hang/ { while (1) x = 1 } { print } END { print NR }";
    let ran = rhawk(&scratch, &["-j3", "--piece-size=20"], program, &["data"]);
    assert_eq!((ran.status, ran.stdout.lines().count()), (Some(4), 101));
}

#[test]
fn files_that_seem_empty_are_read_in_their_place() {
    let scratch = Scratch::new().expect("a directory");
    lines(&scratch, &["line"; 1000]);
    scratch.file("empty", b"").expect("a file");
    let program = "FNR == 1 { print FILENAME } { n++ } END { print n, $0, FILENAME }";
    let count = same_in_pieces(
        &scratch,
        &[],
        program,
        &["data", "empty", "/proc/sys/kernel/ostype", "data", "empty"],
    );
    assert!(count > 0);
}

/// Filled by a function, by `split` and by `match`, and read in END.
#[test]
fn arrays_that_each_record_fills_anew_are_those_of_the_last_record_that_did() {
    let scratch = Scratch::new().expect("a directory");
    lines(&scratch, &["a 1 x", "b 2", "c", "d 4 y z", "e"].repeat(100));
    let program = r#"
        function pieces(text, into) { return split(text, into, " ") }
        NF > 1 { n = pieces($0, p); if (n > 2) last = p[3] }
        NF == 2 { match($0, /([a-z]) ([0-9])/, m); print m[1], m[2] }
        NF == 4 { delete d; for (i = NF; i > 0; i--) d[$i] = i; d["end"] }
        END { for (k in p) print "p", k, p[k]; for (k in m) print "m", k, m[k]; for (k in d) print "d", k, d[k]; print last }"#;
    assert!(same_in_pieces(&scratch, &[], program, &["data"]) > 0);
}

#[test]
fn standard_input_that_is_a_file_is_read_in_pieces_and_to_its_end() {
    let scratch = Scratch::new().expect("a directory");
    lines(&scratch, &["line"; 500]);
    let script = r#"{ head -c 5 >/dev/null; "$0" "$@" 'NR == 1 { print FILENAME "." } { n++ } END { print n, NR, $0 }' - x=1; cat; } < data"#;
    let run = |options: &[&str]| {
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(build::rhawk()).args(options).current_dir(scratch.path());
        String::from_utf8_lossy(&command.output().expect("sh").stdout).into_owned()
    };
    assert_eq!(run(&[]), "-.\n499 499 line\n");
    for cut in CUTS {
        assert_eq!(run(&cut), run(&[]), "{cut:?}");
    }
}

/// A character that the output's encoding lacks: which record the message names depends on the
/// buffer.
#[test]
fn what_cannot_be_encoded_is_an_error_at_a_record() {
    let scratch = Scratch::new().expect("a directory");
    let mut data = vec!["é"; 60_000];
    data[30_000] = "€";
    lines(&scratch, &data);
    for cut in [&["-j1"][..], &["-j2", "--piece-size=10000"], &["-j3", "--piece-size=50000"]] {
        let options = [&["--output-encoding=latin1"], cut].concat();
        let ran = rhawk(&scratch, &options, "{ print NR, $0 }", &["data"]);
        assert!(
            ran.status == Some(2) && ran.stderr.contains("data, record "),
            "{cut:?}: {}",
            ran.stderr
        );
        assert!(ran.stderr.contains("U+20AC"), "{cut:?}: {}", ran.stderr);
    }
    // Output that fits into the buffer is encoded at the end.
    lines(&scratch, &data[29_900..30_100]);
    same_in_pieces(&scratch, &["--output-encoding=latin1"], "{ print NR, $0 }", &["data"]);
    lines(&scratch, &["é"; 300]);
    assert!(
        same_in_pieces(&scratch, &["--output-encoding=latin1"], "{ print NR, $0 }", &["data"]) > 0
    );
}

/// Short ranges and long ones, some over many pieces, and two that depend on each other.
#[test]
fn ranges_open_and_close_as_in_a_serial_run() {
    let scratch = Scratch::new().expect("a directory");
    let mut data: Vec<String> =
        (0..3000).map(|line| format!("{line} {}", line * 7919 % 100)).collect();
    data[1500] += " long";
    data[2600] += " end";
    lines(&scratch, &data.iter().map(String::as_str).collect::<Vec<_>>());
    for program in [
        "/long/, /end/",
        "/long/, /never/ { n++ } END { print n }",
        "$2 == 1, $2 == 50 { print NR, $0 }",
        "$2 == 1, $2 == 50 { s += $1; next } /long/, /end/ { print } END { print s }",
        "$2 == 7, $2 == 7",
        "NR == 1000, NR == 2000 { n++; last = $0 } END { print n, last }",
        "FNR == 100, FNR == 200 { print FILENAME, $0 }",
        "$2 == 3, $2 == 4 { if ($2 == 90) exit 3; print }",
        "/long/, /end/ { nextfile } { n++ } END { print n }",
    ] {
        let count = same_in_pieces(&scratch, &[], program, &["data", "data"]);
        assert!(count > 0 || program.contains("nextfile") || program.contains("exit"), "{program}");
    }
    let (joined, again) =
        pieces(&scratch, &["-j2", "--piece-size=500"], "$2 == 1, $2 == 50", &["data"]);
    assert!(joined > 30 && again == 0, "{joined} joined, {again} run again");
}

#[test]
fn records_that_a_regular_expression_separates_are_read_in_pieces() {
    let scratch = Scratch::new().expect("a directory");
    let mut text = String::new();
    for line in 0..2000 {
        text += &format!("{line} {} x", line % 7);
        text += ["\r\n", "\n", "\n\n\n", "; ", ",", "aba", "ababa\n", "--\n"][line % 8];
    }
    for text in [text.as_str(), text.trim_end()] {
        scratch.file("data", text.as_bytes()).expect("a file");
        let program = "{ print NR \": \" $0 \"|\" RT; n += NF } END { print NR, NF, $0, RT, n }";
        for separator in ["\\r?\\n", "[,;\\n]", "\\n+", "aba", "\\n\\n+|,", "-*\\n", "0[0-3]?"] {
            let options = ["-v", &format!("RS={separator}")];
            assert!(same_in_pieces(&scratch, &options, program, &["data"]) > 0, "{separator}");
        }
        // A separator that may span everything, or looks back, is not cut.
        for separator in ["^x|\\n", "(.|\\n)x"] {
            let options = ["-v", &format!("RS={separator}")];
            assert_eq!(same_in_pieces(&scratch, &options, program, &["data"]), 0, "{separator}");
        }
    }
}

/// The program over a command's output, through a pipe, a named one, and an encoding.
fn piped(scratch: &Scratch, options: &[&str], writer: &str, program: &str) -> Ran {
    let script = format!("{{ {writer}; }} | \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(build::rhawk()).args(options).arg(program);
    let output = command.current_dir(scratch.path()).env("LC_ALL", "C.UTF-8").output().expect("sh");
    Ran {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        status: output.status.code(),
    }
}

#[test]
fn a_pipe_is_read_in_pieces_as_it_comes() {
    let scratch = Scratch::new().expect("a directory");
    let data: Vec<String> = (0..4000).map(|line| format!("{} {line}", line * 7919 % 100)).collect();
    lines(&scratch, &data.iter().map(String::as_str).collect::<Vec<_>>());
    for program in [
        "{ print NR, FNR, FILENAME, $0 }",
        "{ c[$1]++; s += $2 } END { print NR, $0, NF, s; for (k in c) print k, c[k] }",
        "$1 == 3, $1 == 50 { print NR } END { print $0 }",
        "$2 == 1234 { exit 5 } { print } END { print NR }",
        "$2 == 1234 { nextfile } { print } END { print NR }",
        "$2 == 1234 { print log(-1) } { s += $2; print } END { print s }",
        "$2 > 3000 { s += 0.5 } { s += $2 } END { print s }",
        "$2 == 3500 { print 1 / ($2 - 3500) } { print }",
        "BEGIN { RS = \"\" } { print NF } END { print NR, RT }",
        "BEGIN { RS = \"9+\\n\" } { print NR, $1, RT }",
    ] {
        for writer in [
            "cat data",
            "cat data data",
            "head -c 30007 data",
            "true",
            "head -1 data; sleep 0.1; cat data",
        ] {
            let serial = piped(&scratch, &[], writer, program);
            for cut in [["-j2", "--piece-size=100"], ["-j3", "--piece-size=5000"]] {
                assert_eq!(
                    piped(&scratch, &cut, writer, program),
                    serial,
                    "{program} from {writer} under {cut:?}"
                );
            }
        }
    }
    let stats = piped(
        &scratch,
        &["-j2", "--piece-size=1000", "--stats"],
        "cat data",
        "{ s += $2 } END { print s }",
    );
    let joined =
        stats.stderr.lines().find_map(|line| line.strip_prefix("pieces run by other threads"));
    let joined: u64 = joined.and_then(|count| count.trim().parse().ok()).expect("a count");
    assert!(joined > 10, "{joined} pieces of a pipe went to other threads");
}

#[test]
fn a_named_pipe_and_a_file_in_another_encoding_are_read_in_pieces() {
    let scratch = Scratch::new().expect("a directory");
    let utf16: Vec<u8> = (0..2000)
        .flat_map(|line| format!("{line} é{}\n", line % 9).encode_utf16().collect::<Vec<u16>>())
        .flat_map(u16::to_le_bytes)
        .collect();
    scratch.file("wide", &utf16).expect("a file");
    let program =
        "{ print NR, FILENAME, $0; c[$2]++ } END { print $0; for (k in c) print k, c[k] }";
    let count = same_in_pieces(&scratch, &["-v", "ENCODING=utf-16le"], program, &["wide", "wide"]);
    assert!(count > 0);
    lines(&scratch, &["1 a", "2 b", "3 c"].repeat(500));
    let script = r#"rm -f pipe; mkfifo pipe; cat data > pipe & "$0" "$@" data pipe data; wait"#;
    let run = |options: &[&str]| {
        let mut command = Command::new("sh");
        command
            .args(["-c", script])
            .arg(build::rhawk())
            .args(options)
            .arg(program)
            .current_dir(scratch.path());
        String::from_utf8_lossy(&command.output().expect("sh").stdout).into_owned()
    };
    let serial = run(&[]);
    assert!(serial.contains("pipe 3 c"), "{serial}");
    for cut in CUTS {
        assert_eq!(run(&cut), serial, "{cut:?}");
    }
}

/// A slow writer's lines are answered before more arrive.
#[test]
fn a_record_that_has_come_through_a_pipe_does_not_wait_for_others() {
    use std::io::{BufRead, BufReader, Write};
    let mut command = Command::new(build::rhawk());
    command.args(["-j2", "{ print NR \": \" $0 }"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("rhawk can be started");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    for number in 1..=5 {
        writeln!(input, "line").expect("a reader");
        let mut answer = String::new();
        output.read_line(&mut answer).expect("a line");
        assert_eq!(answer, format!("{number}: line\n"));
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn output_to_a_full_device_is_an_error_in_pieces_too() {
    let scratch = Scratch::new().expect("a directory");
    lines(&scratch, &["some text"; 20_000]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let mut command = Command::new(build::rhawk());
    command
        .args(["-j2", "--piece-size=1000", "{ print }", "data"])
        .current_dir(scratch.path())
        .stdout(full);
    let output = command.output().expect("rhawk can be started");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("standard output") && output.status.code() == Some(2), "{stderr}");
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    let scratch = Scratch::new().expect("a directory");
    lines(&scratch, &["some text"; 20_000]);
    let script = r#"("$0" -j2 --piece-size=1000 '{ print }' data data data; echo "status $?" >&2) | head -1"#;
    let mut command = Command::new("sh");
    let output = command
        .args(["-c", script])
        .arg(build::rhawk())
        .current_dir(scratch.path())
        .output()
        .expect("sh");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "some text\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "status 141\n");
}

#[test]
fn progress_says_nothing_when_standard_error_is_no_terminal() {
    let scratch = Scratch::new().expect("a directory");
    lines(&scratch, &["1"; 100]);
    for options in [&["--progress"][..], &["--progress", "-j2", "--piece-size=10"]] {
        let ran = rhawk(&scratch, options, "{ s += $1 } END { print s }", &["data"]);
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("100\n", ""));
    }
}

#[test]
fn explaining_names_every_kind_of_joining_and_runs_nothing() {
    let scratch = Scratch::new().expect("a directory");
    let program = r#"BEGIN { print "not run" } { n++; c[$1] += NR; t = t $1; w[$1] = $2; print name[$1], tab } $1 > m { m = $1 }
!($2 in f) { f[$2] = $1 } { k = split($0, p); if (p[1] < l) l = p[1] } END { print n }"#;
    let said = rhawk(&scratch, &["--explain", "-j2"], program, &["no-such-file"]);
    assert_eq!((said.status, said.stderr.as_str()), (Some(0), ""));
    let expected = [
        "cmd. line:1:27: this rule can run in pieces",
        "    prints: in the order of the records",
        "    n: sums are added, while all are whole numbers (fractions: see --relaxed-sums)",
        "    t: text is joined in order",
        "    w: the last value assigned is kept",
        "    name: lookups, which create elements",
        "    tab: only read",
        "    m: the maximum is kept",
        "cmd. line:2:1: this rule can run in pieces",
        "    f: the first value assigned is kept",
        "    p: emptied by each record that reads it",
    ];
    for line in expected {
        assert!(said.stdout.lines().any(|said| said == line), "{line} is not in\n{}", said.stdout);
    }
    let none = rhawk(&scratch, &["--explain"], "BEGIN { x = 1 }", &[]);
    assert_eq!(none.stdout, "the program reads no records\n");
    let counts = rhawk(&scratch, &["--explain"], "END { print NR }", &[]);
    assert_eq!(counts.stdout, "the program can run in pieces: it only counts records\n");
    let numbered = rhawk(&scratch, &["--explain"], "{ print NR }", &[]).stdout;
    assert!(
        numbered.ends_with("the records of each are counted first, for NR and FNR\n"),
        "{numbered}"
    );
}
