//! `rhawk -j` compared with `rhawk` on one thread, over a generated file, in wall time; the answers
//! must be equal.

use crate::{Options, Row};
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// With their names.
const PROGRAMS: [(&str, &str); 7] = [
    ("length sum", "{ n += length } END { print n }"),
    ("count by key", "{ count[$1]++ } END { for (key in count) print key, count[key] }"),
    ("regex filter", "/e[a-f]+[0-9]x/ { n++ } END { print n }"),
    ("column sum", "{ sum += $3 } END { print sum }"),
    ("range", "/zz0/, /zz1/ { n++ } END { print n }"),
    ("numbered filter", "$3 > 999000 { print NR, $0 }"),
    ("first of each key", "!seen[$1]++"),
];

/// The first rows have a goal.
const HELD_TO_GOAL: usize = 4;

pub(crate) fn rows(options: &Options) -> Result<Vec<Row>, Box<dyn Error>> {
    let data = data(&options.data, options.megabytes)?;
    let jobs = format!("-j{}", options.jobs);
    let mut rows = Vec::new();
    for (at, (name, program)) in PROGRAMS.iter().enumerate() {
        let mut best = [Duration::MAX; 3];
        let ways: [&[&str]; 3] = [&[], &["-j1"], &[&jobs]];
        let mut answer = None;
        for _ in 0..options.rounds {
            for (way, best) in ways.iter().zip(&mut best) {
                let (took, printed) = timed(options, way, program, &data)?;
                *best = took.min(*best);
                match &answer {
                    None => answer = Some(printed),
                    Some(answer) if *answer != printed => {
                        return Err(format!("{name}: {way:?} prints something else").into());
                    }
                    Some(_) => {}
                }
            }
        }
        let [serial, one, many] = best.map(|time| time.as_secs_f64() * 1e3);
        rows.push(Row {
            name: format!("{name}, {jobs}, {} MB", options.megabytes),
            value: many,
            peer: Some(serial),
            against: "one thread",
            unit: "ms",
            goal: if at < HELD_TO_GOAL { "1.8 times as fast on two cores" } else { "none" },
            reached: at >= HELD_TO_GOAL || serial / many >= 1.8,
        });
        if at < HELD_TO_GOAL {
            rows.push(Row {
                name: format!("{name}, -j1"),
                value: one,
                peer: Some(serial),
                against: "without -j",
                unit: "ms",
                goal: "at most 2 % more",
                reached: one <= serial * 1.02,
            });
        }
    }
    Ok(rows)
}

fn timed(
    options: &Options,
    way: &[&str],
    program: &str,
    data: &Path,
) -> Result<(Duration, Vec<u8>), Box<dyn Error>> {
    let mut command = Command::new(&options.rhawk);
    command.args(way).arg(program).arg(data).env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
    let start = Instant::now();
    let output = command.output()?;
    let took = start.elapsed();
    if !output.status.success() {
        return Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok((took, output.stdout))
}

/// Lines of a key (of 10,000), a word, a number and some text; about 60 bytes each. Made once.
pub(crate) fn data(folder: &Path, megabytes: u64) -> Result<PathBuf, Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join(format!("cores-{megabytes}.txt"));
    let wanted = megabytes * 1_000_000;
    if std::fs::metadata(&path).is_ok_and(|file| file.len() >= wanted) {
        // Fills the page cache.
        std::io::copy(&mut File::open(&path)?, &mut std::io::sink())?;
        return Ok(path);
    }
    let mut out = BufWriter::new(File::create(&path)?);
    let (mut written, mut seed) = (0, 1_u64);
    let mut random = || {
        // SplitMix64 (Steele, Lea and Flood 2014).
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    while written < wanted {
        let (word, number) = (random(), random() % 1_000_000);
        let line = format!(
            "key{:04} zz{:04x} {number} {word:016x} some text behind it\n",
            word % 10_000,
            number % 65_536
        );
        out.write_all(line.as_bytes())?;
        written += line.len() as u64;
    }
    out.flush()?;
    Ok(path)
}
