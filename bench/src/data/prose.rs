//! Words in sentences: lines, paragraphs, and records between unusual separators.

use crate::prng::Prng;
use std::io::{self, Write};

const VOCABULARY: u64 = 20_000;
const CONSONANTS: &[u8] = b"bcdfghklmnprstvw";
const VOWELS: &[u8] = b"aeiou";

/// The word of this rank: pronounceable and unique, short for low ranks.
fn word(rank: u64, out: &mut Vec<u8>) {
    let mut left = rank;
    loop {
        out.push(CONSONANTS[(left % 16) as usize]);
        left /= 16;
        out.push(VOWELS[(left % 5) as usize]);
        left /= 5;
        if left == 0 {
            return;
        }
        left -= 1;
    }
}

/// 6 to 18 words, with capital, commas and full stop.
fn sentence(prng: &mut Prng, out: &mut Vec<u8>) {
    let words = prng.between(6, 18);
    let start_at = out.len();
    for number in 0..words {
        if number > 0 {
            out.extend_from_slice(if prng.below(12) == 0 { b", " } else { b" " });
        }
        word(prng.skewed(VOCABULARY), out);
    }
    out[start_at].make_ascii_uppercase();
    out.push(b'.');
}

pub fn lines(out: &mut dyn Write, prng: &mut Prng, lines: u64) -> io::Result<()> {
    let mut text = Vec::new();
    for _ in 0..lines {
        text.clear();
        sentence(prng, &mut text);
        text.push(b'\n');
        out.write_all(&text)?;
    }
    Ok(())
}

/// Two to six sentences, one per line, then one empty line, or (one time in ten) three.
pub fn paragraphs(out: &mut dyn Write, prng: &mut Prng, paragraphs: u64) -> io::Result<()> {
    let mut text = Vec::new();
    for _ in 0..paragraphs {
        text.clear();
        for _ in 0..prng.between(2, 6) {
            sentence(prng, &mut text);
            text.push(b'\n');
        }
        text.extend_from_slice(if prng.below(10) == 0 { b"\n\n\n" } else { b"\n" });
        out.write_all(&text)?;
    }
    Ok(())
}

/// A sentence, then `---` number `---`, and so on; single hyphens mislead a naive scan.
pub fn marked(out: &mut dyn Write, prng: &mut Prng, records: u64) -> io::Result<()> {
    let mut text = Vec::new();
    for _ in 0..records {
        text.clear();
        sentence(prng, &mut text);
        if prng.below(4) == 0 {
            text.extend_from_slice(b" -- ");
            word(prng.skewed(VOCABULARY), &mut text);
        }
        write!(text, "\n---{}---\n", prng.below(10_000))?;
        out.write_all(&text)?;
    }
    Ok(())
}

/// `name=number;` without any newline.
pub fn semicolons(out: &mut dyn Write, prng: &mut Prng, records: u64) -> io::Result<()> {
    let mut text = Vec::new();
    for _ in 0..records {
        text.clear();
        word(prng.skewed(VOCABULARY), &mut text);
        write!(text, "={};", prng.below(1_000))?;
        out.write_all(&text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_ranks_share_a_word() {
        let mut seen = HashSet::new();
        for rank in 0..VOCABULARY {
            let mut spelled = Vec::new();
            word(rank, &mut spelled);
            assert!(seen.insert(spelled), "rank {rank} repeats a word");
        }
    }
}
