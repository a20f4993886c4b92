//! Random patterns and texts, compared with an installed gawk from 5.3 on.
//!
//! `RIVERHAWK_GAWK_CASES` sets the number of cases per series (default 400), `RIVERHAWK_GAWK_SEED`
//! the seed.

use crate::rows;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use riverhawk_regex::Regex;

/// gawk's time limit for one series.
const PATIENCE: Duration = Duration::from_secs(5);

const LATE: &[u8] = b"#late";

/// Group nesting.
const DEPTH: usize = 2;

/// Deterministic (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn pattern(&mut self, atoms: &[&str], depth: usize) -> String {
        let mut out = String::new();
        for branch in 0..1 + self.below(2) + self.below(2) {
            if branch > 0 {
                out.push('|');
            }
            for _ in 0..1 + self.below(3) {
                if depth > 0 && self.below(3) == 0 {
                    out.push('(');
                    out.push_str(&self.pattern(atoms, depth - 1));
                    out.push(')');
                } else {
                    out.push_str(self.pick(atoms));
                }
                if self.below(3) == 0 {
                    // Intervals only outside groups: inside, gawk's time explodes.
                    let repeats: &[&str] = if depth == DEPTH {
                        &["*", "+", "?", "{2}", "{1,2}"]
                    } else {
                        &["*", "+", "?"]
                    };
                    out.push_str(self.pick(repeats));
                }
            }
        }
        out
    }

    fn text(&mut self, units: &[&str]) -> String {
        (0..self.below(9)).map(|_| self.pick(units)).collect()
    }
}

/// Mode, atoms of patterns, units of texts. No invalid bytes, after which gawk's offsets are wrong.
const SERIES: &[(&str, &[&str], &[&str])] = &[
    ("u", &["a", "b", "c", "a", "b", ".", "[ab]", "[^a]"], &["a", "b", "c"]),
    (
        "u",
        &[
            "a",
            "é",
            "日",
            ".",
            "[aé]",
            "[^é]",
            "[[:alpha:]]",
            "[[:space:]]",
            r"\w",
            r"\W",
            r"\s",
            "[à-ü]",
            "_",
            " ",
        ],
        &["a", "é", "日", " ", "_", "1", "ü", "-"],
    ),
    ("u", &["a", "b", "^", "$", r"\y", r"\<", r"\>", r"\B", " ", "."], &["a", "b", " "]),
    (
        "ui",
        &["a", "B", "é", "É", "[a-c]", "[[:upper:]]", "[^a]", "ſ", "Σ"],
        &["a", "A", "b", "é", "É", "s", "σ", "ς"],
    ),
    (
        "c",
        &["a", "b", "é", ".", "[a-c]", r"\w", r"\W", r"\y", r"[^é]", r"\303"],
        &["a", "b", "é", " "],
    ),
    (
        "u",
        &["*", "+", "{", "}", "{1", "a", ")", "-", "[*]", r"\*", r"\52", "]", "^", "{1,x}"],
        &["a", "*", "+", "{", "1", ")"],
    ),
];

/// gawk's answers for rows of one locale, if installed. Its matcher is exponential on some patterns
/// (`((a{,2}|b)+|)c`): unanswered rows after [`PATIENCE`] are left out.
fn ask_gawk(locale: &str, rows: &str) -> Option<Vec<u8>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/gawk/answer.awk");
    let mut child = Command::new("gawk")
        .args(["-f", script])
        .env("LC_ALL", locale)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let (mut stdin, mut stdout) = (child.stdin.take()?, child.stdout.take()?);
    let rows = rows.to_owned();
    std::thread::spawn(move || stdin.write_all(rows.as_bytes()));
    let (done, answers) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut out = Vec::new();
        let complete = stdout.read_to_end(&mut out).is_ok();
        let _ = done.send(());
        complete.then_some(out)
    });
    let late = answers.recv_timeout(PATIENCE).is_err();
    if late {
        child.kill().ok()?;
    }
    child.wait().ok()?;
    let mut out = reader.join().ok()??;
    if late {
        out.truncate(out.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1));
        out.extend_from_slice(LATE);
    }
    Some(out)
}

fn version() -> Option<(u32, u32)> {
    let said = Command::new("gawk").arg("--version").output().ok()?.stdout;
    let said = String::from_utf8_lossy(&said);
    let mut parts = said.strip_prefix("GNU Awk ")?.split(|c: char| !c.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_patterns_are_answered_as_gawk_answers_them() {
    match version() {
        Some(version) if version >= (5, 3) => {}
        Some((major, minor)) => {
            return eprintln!("gawk is {major}.{minor}, not 5.3 or later: nothing compared");
        }
        None => return eprintln!("gawk is not installed: nothing compared"),
    }
    let cases = number("RIVERHAWK_GAWK_CASES", 400) as usize;
    let mut wrong = Vec::new();
    let mut compared = 0;
    let mut other_groups = 0;
    for (series, (mode, atoms, units)) in SERIES.iter().enumerate() {
        let seed = number("RIVERHAWK_GAWK_SEED", 1).wrapping_mul(256) + series as u64 + 1;
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut rows = String::new();
        let mut asked = 0;
        while asked < cases {
            let (pattern, text) = (random.pattern(atoms, DEPTH), random.text(units));
            if Regex::new(pattern.as_bytes(), &rows::options(mode.as_bytes())).is_ok() {
                asked += 1;
                rows.push_str(&format!("{mode}\t{pattern}\t{text}\n"));
            }
        }
        let locale = if mode.starts_with('c') { "C" } else { "en_US.UTF-8" };
        let Some(answers) = ask_gawk(locale, &rows) else {
            eprintln!("gawk is not installed: nothing compared");
            return;
        };
        // Without the locale gawk counts bytes.
        if locale != "C"
            && ask_gawk(locale, "u\t.\té\n")
                .is_none_or(|answer| !answer.ends_with("\t0+1\t<é>\n".as_bytes()))
        {
            eprintln!("gawk has no UTF-8 here: nothing compared");
            continue;
        }
        let late = answers.ends_with(LATE);
        let mut answered = 0;
        for line in
            answers.split(|&byte| byte == b'\n').filter(|line| !line.is_empty() && *line != LATE)
        {
            let fields: Vec<&[u8]> = line.split(|&byte| byte == b'\t').collect();
            let (pattern, text) = (rows::decode(fields[1]), rows::decode(fields[2]));
            let regex = Regex::new(&pattern, &rows::options(mode.as_bytes())).unwrap();
            let got = rows::answer(&regex, &text);
            let want = String::from_utf8_lossy(fields[3]).into_owned();
            // Groups are compared in ASCII, without intervals, which gawk expands differently.
            let groups = !pattern.contains(&b'{') && text.is_ascii();
            // glibc loses assertions under an interval, and word edges in some repeated groups.
            let asserts = pattern.iter().any(|byte| b"^$".contains(byte)) || edges(&pattern);
            let repeats =
                pattern.windows(2).any(|pair| pair[0] == b')' && b"*+".contains(&pair[1]));
            let is_lost = (asserts && pattern.contains(&b'{')) || (edges(&pattern) && repeats);
            let same = is_lost || span(&got) == span(&want);
            if groups && got != want {
                other_groups += 1;
            }
            answered += 1;
            // With word edges gawk's gsub and match() differ in about 1 of 1,000 texts.
            let marked = is_lost
                || edges(&pattern)
                || rows::marked(&regex, &text) == rows::decode(fields[4]);
            if !same || !marked {
                wrong.push(format!(
                    "{}\tgot {got} {}",
                    String::from_utf8_lossy(line),
                    String::from_utf8_lossy(&rows::marked(&regex, &text))
                ));
            }
        }
        compared += answered;
        assert!(
            late || answered == asked,
            "gawk refused a pattern behind row {answered} of series {series}: {:?}",
            rows.lines().nth(answered)
        );
    }
    println!("{compared} cases compared");
    // glibc treats optional groups inside repeats differently in about 1 of 1,000 cases.
    assert!(other_groups * 200 <= compared, "{other_groups} of {compared} differ in their groups");
    let shown: Vec<&str> = wrong.iter().take(40).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of {compared} differ:\n{}", wrong.len(), shown.join("\n"));
}

/// Without groups.
fn span(answer: &str) -> &str {
    answer.split(' ').next().unwrap_or_default()
}

fn edges(pattern: &[u8]) -> bool {
    pattern.windows(2).any(|pair| pair[0] == b'\\' && b"y<>B".contains(&pair[1]))
}
