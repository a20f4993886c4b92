//! Time per line compared with `regex-automata` alone, over a generated access log.
//!
//! `cargo run --release -p riverhawk-regex --example lines [megabytes]` prints nanoseconds per
//! line, best of three, and ratios: below 1 this crate is faster. The library's column for all
//! matches omits the longest-match rule.

use std::hint::black_box;
use std::time::Instant;

use regex_automata::meta;
use regex_automata::util::syntax;
use riverhawk_regex::{Options, Regex};

const TEST: &[&str] = &[
    "Googlebot",
    "xyzzy[0-9]+",
    r"^[0-9]+\.[0-9]+\.1",
    r"GET /.*\.html",
    "404|500|503",
    "[A-Z][a-z]+bot/",
    r"\.(png|html|php)",
    r"[0-9]\)\x22$",
    r"[[:alpha:]]+/[[:digit:]]+\.[[:digit:]]+\x22$",
    "[0-9]+",
    "[[:upper:]]{4}",
];

const ALL: &[&str] = &[
    "[0-9]+",
    r"[ \t]+",
    "[a-z]+",
    "[^ ]+",
    "/",
    "http|html",
    "(GET|POST) [^ ]*",
    r"[0-9]+\.[0-9]+",
    "[[:alpha:]]+",
    r"\<[a-z]",
    "bot",
    "o*",
];

const GROUPS: &[&str] = &[
    r"^([^ ]+) ",
    r"(GET|POST) ([^ ]*) HTTP/([0-9.]+)",
    r#""([A-Z]+) ([^" ]+)[^"]*" ([0-9]+) ([0-9]+)"#,
];

fn main() {
    let megabytes: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(50);
    let log = log(megabytes << 20);
    let lines: Vec<&[u8]> =
        log.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
    println!("{} lines, mean {} bytes", lines.len(), log.len() / lines.len());
    println!("{:<12} {:<48} {:>9} {:>9} {:>6}", "", "pattern", "ours", "library", "ratio");
    for pattern in TEST {
        let (ours, theirs) = pair(pattern);
        row(
            "is_match",
            pattern,
            &lines,
            |line| usize::from(ours.is_match(line)),
            |line| usize::from(theirs.is_match(line)),
        );
    }
    for pattern in ALL {
        let (ours, theirs) = pair(pattern);
        row(
            "all",
            pattern,
            &lines,
            |line| ours.matches(line).count(),
            |line| theirs.find_iter(line).count(),
        );
    }
    for pattern in GROUPS {
        let (ours, theirs) = pair(pattern);
        let (mut groups, mut captures) = (Vec::new(), theirs.create_captures());
        row(
            "captures",
            pattern,
            &lines,
            |line| usize::from(ours.captures(line, &mut groups)),
            |line| {
                theirs.captures(line, &mut captures);
                usize::from(captures.is_match())
            },
        );
    }
}

fn pair(pattern: &str) -> (Regex, meta::Regex) {
    let ours =
        Regex::new(pattern.as_bytes(), &Options::default()).expect("pattern of this program");
    let rust = pattern.replace(r"\<", r"\b{start}");
    let theirs = meta::Builder::new()
        .configure(meta::Config::new().utf8_empty(false))
        .syntax(syntax::Config::new().utf8(false))
        .build(&rust)
        .expect("pattern of this program");
    (ours, theirs)
}

fn row(
    what: &str,
    pattern: &str,
    lines: &[&[u8]],
    mut ours: impl FnMut(&[u8]) -> usize,
    mut theirs: impl FnMut(&[u8]) -> usize,
) {
    let mut best = [f64::MAX; 2];
    let mut counts = [0; 2];
    for _ in 0..3 {
        let begin = Instant::now();
        counts[0] = lines.iter().map(|line| ours(black_box(line))).sum();
        best[0] = best[0].min(begin.elapsed().as_nanos() as f64 / lines.len() as f64);
        let begin = Instant::now();
        counts[1] = lines.iter().map(|line| theirs(black_box(line))).sum();
        best[1] = best[1].min(begin.elapsed().as_nanos() as f64 / lines.len() as f64);
    }
    let note = if counts[0] == counts[1] { "" } else { "  (counts differ)" };
    println!(
        "{what:<12} {pattern:<48} {:>9.0} {:>9.0} {:>6.2}{note}",
        best[0],
        best[1],
        best[0] / best[1]
    );
}

fn log(size: usize) -> Vec<u8> {
    let agents = [
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0",
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "curl/7.88.1",
        "Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0 (build 7)",
    ];
    let paths = [
        "/index.html",
        "/img/logo.png",
        "/api/v1/items",
        "/wiki/Main_Page",
        "/style.css",
        "/login.php",
    ];
    let mut out = Vec::with_capacity(size + 256);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % bound
    };
    while out.len() < size {
        let line = format!(
            "{}.{}.{}.{} - - [{:02}/Nov/2026:{:02}:{:02}:{:02} +0000] \"{} {}?id={} HTTP/1.1\" {} {} \"http://example.org/{}\" \"{}\"\n",
            next(223) + 1,
            next(256),
            next(256),
            next(256),
            next(28) + 1,
            next(24),
            next(60),
            next(60),
            if next(5) == 0 { "POST" } else { "GET" },
            paths[next(6) as usize],
            next(100_000),
            [200, 200, 200, 304, 404, 500][next(6) as usize],
            next(50_000),
            next(1_000),
            agents[next(4) as usize],
        );
        out.extend_from_slice(line.as_bytes());
    }
    out
}
