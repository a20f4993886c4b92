//! Lines for the reading rows: fixed width in ASCII or many scripts, and very short ones.

use crate::prng::Prng;
use std::io::{self, Write};

const ASCII_WORDS: &[&str] = &[
    "the", "river", "hawk", "reads", "a", "line", "of", "text", "and", "counts", "the", "words",
    "in", "it", "order", "42", "total", "is", "1987", "warning", "the", "value", "at", "offset",
    "0x7f", "user", "login", "from", "host",
];

/// In one line of a thousand, for the rare replacement and the rare filter.
const RARE: &str = "needle";

/// Lines of 60 characters, words between single blanks, cut at the 60th.
pub fn lines60(out: &mut dyn Write, prng: &mut Prng, lines: u64) -> io::Result<()> {
    let mut line = String::with_capacity(80);
    for number in 0..lines {
        line.clear();
        if number % 1_000 == 500 {
            line.push_str(RARE);
        }
        while line.len() < 60 {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(prng.pick(ASCII_WORDS));
        }
        line.truncate(60);
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

const SCRIPTS: &[&[&str]] = &[
    &[
        "river",
        "hawk",
        "über",
        "straße",
        "café",
        "naïve",
        "mañana",
        "smörgåsbord",
        "line",
        "text",
        "déjà",
        "vu",
    ],
    &["река", "ястреб", "строка", "слово", "быстро", "читает", "поток", "число"],
    &["河流", "鷹", "文字列", "速い", "読む", "データ", "行", "漢字", "강", "매"],
    &["🦅", "🌊", "🚀", "😀", "👍🏽", "🎉", "🇫🇷"],
];

/// Lines of 60 characters; half the words Latin, a quarter Cyrillic, a fifth CJK, the rest emoji.
pub fn mixed(out: &mut dyn Write, prng: &mut Prng, lines: u64) -> io::Result<()> {
    let mut line = String::with_capacity(300);
    for _ in 0..lines {
        line.clear();
        let mut left = 60;
        while left > 0 {
            let script = match prng.below(20) {
                0..=9 => 0,
                10..=14 => 1,
                15..=18 => 2,
                _ => 3,
            };
            for character in prng.pick(SCRIPTS[script]).chars().chain([' ']).take(left) {
                line.push(character);
                left -= 1;
            }
        }
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

/// Lines of seven digits: almost only the cost of records.
pub fn short8(out: &mut dyn Write, prng: &mut Prng, lines: u64) -> io::Result<()> {
    for _ in 0..lines {
        let mut line = *b"0000000\n";
        let mut number = prng.below(10_000_000);
        for digit in line[..7].iter_mut().rev() {
            *digit = b'0' + (number % 10) as u8;
            number /= 10;
        }
        out.write_all(&line)?;
    }
    Ok(())
}
