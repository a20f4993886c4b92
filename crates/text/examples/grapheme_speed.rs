//! Times of counting graphemes line by line, with this crate and others.
//!
//! `cargo run --release -p riverhawk-text --example grapheme_speed`
//!
//! Milliseconds for the whole text, the minimum of many runs; the counters take turns.

use bstr::ByteSlice;
use icu_segmenter::GraphemeClusterSegmenter;
use riverhawk_text::{Unit, length};
use std::hint::black_box;
use std::time::{Duration, Instant};
use unicode_segmentation::UnicodeSegmentation;

/// Lines of a text of 61 MB.
const LINES: usize = 1_000_000;

struct Counter {
    name: &'static str,
    count: fn(&str) -> usize,
    runs: usize,
}

const COUNTERS: [Counter; 6] = [
    Counter {
        name: "code points (length)",
        count: |line| length(line.as_bytes(), Unit::CodePoint),
        runs: 25,
    },
    Counter {
        name: "graphemes (length)",
        count: |line| length(line.as_bytes(), Unit::Grapheme),
        runs: 25,
    },
    Counter {
        name: "graphemes (iterator)",
        count: |line| riverhawk_text::graphemes(line.as_bytes()).fold(0, |n, _| n + 1),
        runs: 5,
    },
    Counter {
        name: "icu_segmenter",
        count: |line| GraphemeClusterSegmenter::new().segment_str(line).count() - 1,
        runs: 3,
    },
    Counter { name: "bstr", count: |line| line.as_bytes().graphemes().count(), runs: 2 },
    Counter { name: "unicode-segmentation", count: |line| line.graphemes(true).count(), runs: 2 },
];

fn main() {
    let ascii =
        lines(|n| format!("{n:07} the quick brown fox jumps over the lazy dog, again and.."));
    let one_mark = lines(|n| match n % 1000 {
        0 => format!("{n:07} the quick bro\u{308}wn fox jumps over the lazy dog, again and"),
        _ => format!("{n:07} the quick brown fox jumps over the lazy dog, again and.."),
    });
    let scripts = [
        "Füße und Äpfel, ça va très bien, señor, até amanhã, żółć",
        "Съешь же ещё этих мягких булок",
        "漢字かな交じり文をカタカナで、東京。",
        "다람쥐 헌 쳇바퀴에 타고파",
        "ऋषियों को सताने वाले दुष्ट राक्षसों",
        "نص حكيم له سر قاطع وذو شأن عظيم",
        "👩‍🚀🇫🇷👍🏽❤️😀 ok 1️⃣",
        "e\u{301}te\u{301} nai\u{308}f co\u{302}te\u{301}",
    ];
    let mixed = lines(|n| scripts[n % scripts.len()].to_owned());
    for (name, text) in
        [("ASCII", &ascii), ("one mark in a thousand lines", &one_mark), ("mixed scripts", &mixed)]
    {
        println!("{name}, {} MB:", text.iter().map(String::len).sum::<usize>() / 1_000_000);
        measure(text);
    }
}

fn lines(line: impl Fn(usize) -> String) -> Vec<String> {
    (0..LINES).map(line).collect()
}

fn measure(text: &[String]) {
    let mut best = [Duration::MAX; COUNTERS.len()];
    let mut sums = [0; COUNTERS.len()];
    for run in 0..25 {
        for (i, counter) in COUNTERS.iter().enumerate().filter(|(_, counter)| run < counter.runs) {
            let start = Instant::now();
            sums[i] = text.iter().map(|line| (counter.count)(black_box(line))).sum::<usize>();
            best[i] = best[i].min(start.elapsed());
        }
    }
    for (i, counter) in COUNTERS.iter().enumerate() {
        let (time, base) = (best[i].as_secs_f64() * 1e3, best[0].as_secs_f64() * 1e3);
        println!(
            "    {:24} {time:9.2} ms {:8.2}  ({} counted)",
            counter.name,
            time / base,
            sums[i]
        );
    }
}
