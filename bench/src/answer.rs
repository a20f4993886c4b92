//! A peer's answer, comparable without keeping outputs of up to 100 MB.

use crate::rows::Order;
use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// The fingerprint of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    lines: u64,
    bytes: u64,
    hash: u64,
    /// The first line, shown when answers differ. Not compared, since orders may differ.
    sample: Sample,
}

/// Equal to every other: see `Answer::sample`.
#[derive(Clone, Debug, Eq)]
struct Sample(String);

impl PartialEq for Sample {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

const SAMPLE_BYTES: usize = 60;

impl Answer {
    /// The output in `path`.
    pub fn of_file(path: &Path, order: Order) -> io::Result<Answer> {
        Self::of(BufReader::with_capacity(1 << 16, File::open(path)?), order)
    }

    fn of(mut output: impl BufRead, order: Order) -> io::Result<Answer> {
        let mut answer = Answer { lines: 0, bytes: 0, hash: 0, sample: Sample(String::new()) };
        let mut line = Vec::new();
        while output.read_until(b'\n', &mut line)? > 0 {
            if answer.lines == 0 {
                let shown = &line[..line.len().min(SAMPLE_BYTES)];
                answer.sample = Sample(String::from_utf8_lossy(shown).trim_end().to_string());
            }
            let mut hasher = DefaultHasher::new();
            hasher.write(&line);
            // A sum ignores the order; with the factor, each line's position counts.
            let before = if order == Order::Exact {
                answer.hash.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            } else {
                answer.hash
            };
            answer.hash = before.wrapping_add(hasher.finish());
            answer.lines += 1;
            answer.bytes += line.len() as u64;
            line.clear();
        }
        Ok(answer)
    }

    pub fn difference(&self, right: &Answer) -> String {
        if self.lines != right.lines {
            return format!("{} lines for {}", self.lines, right.lines);
        }
        if self.lines == 1 {
            return format!("{:?} for {:?}", self.sample.0, right.sample.0);
        }
        if self.bytes != right.bytes {
            return format!("{} bytes for {}", self.bytes, right.bytes);
        }
        "same size, other content".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str, order: Order) -> Answer {
        Answer::of(text.as_bytes(), order).expect("memory can be read")
    }

    #[test]
    fn exact_answers_differ_by_order_and_by_a_missing_newline() {
        assert_eq!(answer("a\nb\n", Order::Exact), answer("a\nb\n", Order::Exact));
        assert_ne!(answer("a\nb\n", Order::Exact), answer("b\na\n", Order::Exact));
        assert_ne!(answer("a\nb", Order::Exact), answer("a\nb\n", Order::Exact));
    }

    #[test]
    fn any_order_compares_lines_as_a_multiset() {
        assert_eq!(answer("a\nb\nb\n", Order::Any), answer("b\na\nb\n", Order::Any));
        assert_ne!(answer("a\nb\nb\n", Order::Any), answer("a\na\nb\n", Order::Any));
    }

    #[test]
    fn the_difference_names_what_a_person_would_look_at() {
        let right = answer("12\n", Order::Exact);
        assert_eq!(answer("13\n", Order::Exact).difference(&right), "\"13\" for \"12\"");
        assert_eq!(answer("13\n14\n", Order::Exact).difference(&right), "2 lines for 1");
    }
}
