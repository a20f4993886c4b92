//! Input files, generated once per scale from fixed seeds.

mod json;
mod keyed;
mod log;
mod prose;
mod table;
mod text;

use crate::prng::Prng;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Increased when a generator changes, so that files are made again.
const GENERATION: u32 = 1;

type Generator = fn(&mut dyn Write, &mut Prng, u64) -> io::Result<()>;

#[derive(Clone, Copy, Debug)]
pub struct Dataset {
    /// File name in the data folder; `@lines60@` in programs.
    pub name: &'static str,
    pub about: &'static str,
    /// Lines or records at scale 1.
    pub units: u64,
    seed: u64,
    generate: Generator,
}

impl PartialEq for Dataset {
    /// By name: function pointers have no dependable identity.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

macro_rules! datasets {
    ($($constant:ident = $name:literal, $units:literal, $seed:literal, $generate:path, $about:literal;)*) => {
        $(#[doc = $about]
        pub const $constant: Dataset =
            Dataset { name: $name, about: $about, units: $units, seed: $seed, generate: $generate };)*
        pub const ALL: &[Dataset] = &[$($constant),*];
    };
}

datasets! {
    LINES60 = "lines60", 1_000_000, 1, text::lines60, "lines of exactly 60 ASCII characters, 61 MB";
    MIXED = "mixed", 1_000_000, 2, text::mixed, "lines of 60 characters of Latin, Cyrillic, CJK and emoji, about 120 MB";
    SHORT8 = "short8", 12_500_000, 3, text::short8, "lines of 8 bytes with the newline, 100 MB";
    TABLE = "table", 1_000_000, 4, table::whitespace, "8 columns of integers and decimals between blanks";
    CSV = "csv", 1_000_000, 5, table::csv, "8 columns between commas, no quotes";
    TSV = "tsv", 1_000_000, 6, table::tsv, "8 columns between tabs, some of them empty or with blanks inside";
    LOG = "log", 300_000, 7, log::access, "a web server's access log, 50 MB";
    WORDS = "words", 500_000, 8, prose::lines, "prose-like lines over 20,000 words, their frequencies as in real text";
    PARAGRAPHS = "paragraphs", 150_000, 9, prose::paragraphs, "the same prose in paragraphs with blank lines between";
    KEYS1K = "keys1k", 1_000_000, 10, keyed::thousand, "a key out of 1,000 and a number on each line";
    KEYS1M = "keys1m", 2_000_000, 11, keyed::million, "a key out of 1,000,000 and a number on each line";
    HEADERS = "headers", 100_000, 12, log::headers, "blocks of HTTP response headers with CRLF";
    USERS = "users", 100_000, 13, keyed::users, "an id, a name and a city on each line: the small side of a join";
    EVENTS = "events", 1_000_000, 14, keyed::events, "a user's id and an amount on each line: the large side of a join";
    MARKED = "marked", 400_000, 15, prose::marked, "records between markers such as ---17---, for a regular expression as RS";
    QUOTED = "quoted", 1_000_000, 17, table::quoted, "7 columns of CSV with a header, three of them in quotes with commas and quotes inside, 55 MB";
    JSONLINES = "jsonlines", 500_000, 18, json::lines, "a JSON object on each line: numbers, strings, an object and an array inside, 60 MB";
    SEMICOLONS = "semicolons", 2_000_000, 16, prose::semicolons, "short records that end in a semicolon, no newline";
}

/// For one scale.
pub struct DataFolder {
    folder: PathBuf,
    scale: f64,
}

impl DataFolder {
    /// `folder` need not exist. `scale` 1 means the sizes in the table above.
    pub fn new(folder: PathBuf, scale: f64) -> Self {
        DataFolder { folder, scale }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn path(&self, dataset: &Dataset) -> PathBuf {
        self.folder.join(dataset.name)
    }

    pub fn scaled(&self, count: u64) -> u64 {
        ((count as f64 * self.scale).round() as u64).max(1)
    }

    /// Makes the file unless it exists at this scale and generation; gives whether it was made.
    pub fn ensure(&self, dataset: &Dataset) -> io::Result<bool> {
        let stamp = format!("generation {GENERATION} scale {}\n", self.scale);
        let stamp_path = self.folder.join(format!("{}.stamp", dataset.name));
        if fs::read_to_string(&stamp_path).is_ok_and(|found| found == stamp)
            && self.path(dataset).exists()
        {
            return Ok(false);
        }
        fs::create_dir_all(&self.folder)?;
        // Renamed when complete: an interrupted run leaves no short file.
        let unfinished = self.folder.join(format!("{}.unfinished", dataset.name));
        // In large pieces, as a copied file: written 8 KiB at a time it is in single pages of the
        // page cache, and reading 61 MB took 8 to 12 ms instead of 2 to 3.
        let mut out = BufWriter::with_capacity(1 << 23, File::create(&unfinished)?);
        (dataset.generate)(&mut out, &mut Prng::new(dataset.seed), self.scaled(dataset.units))?;
        out.into_inner()?;
        fs::rename(&unfinished, self.path(dataset))?;
        fs::write(stamp_path, stamp)?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn made(dataset: &Dataset, units: u64) -> Vec<u8> {
        let mut out = Vec::new();
        (dataset.generate)(&mut out, &mut Prng::new(dataset.seed), units)
            .expect("a Vec takes everything");
        out
    }

    #[test]
    fn names_and_seeds_are_unique() {
        for (at, one) in ALL.iter().enumerate() {
            for other in &ALL[at + 1..] {
                assert_ne!(one.name, other.name);
                assert_ne!(one.seed, other.seed);
            }
        }
    }

    #[test]
    fn every_generator_repeats_itself_and_writes_valid_utf8() {
        for dataset in ALL {
            let once = made(dataset, 50);
            assert_eq!(once, made(dataset, 50), "{}", dataset.name);
            assert!(std::str::from_utf8(&once).is_ok(), "{}", dataset.name);
        }
    }

    #[test]
    fn lines60_and_short8_have_the_promised_width() {
        let lines = made(&LINES60, 200);
        assert_eq!(lines.len(), 200 * 61);
        assert!(
            lines.split_inclusive(|&b| b == b'\n').all(|line| line.len() == 61 && line.is_ascii())
        );
        let short = made(&SHORT8, 200);
        assert_eq!(short.len(), 200 * 8);
        assert!(short.split_inclusive(|&b| b == b'\n').all(|line| line.len() == 8));
    }

    #[test]
    fn mixed_lines_have_60_characters_in_four_widths() {
        let text = String::from_utf8(made(&MIXED, 200)).expect("valid UTF-8");
        assert!(text.lines().all(|line| line.chars().count() == 60));
        for width in 1..=4 {
            assert!(text.chars().any(|c| c.len_utf8() == width), "no character of {width} bytes");
        }
    }

    #[test]
    fn a_file_is_made_once_per_scale() {
        let folder =
            std::env::temp_dir().join(format!("riverhawk-bench-data-{}", std::process::id()));
        let small = DataFolder::new(folder.clone(), 0.000_1);
        assert!(small.ensure(&USERS).expect("made"));
        assert!(!small.ensure(&USERS).expect("kept"));
        let larger = DataFolder::new(folder.clone(), 0.000_2);
        assert!(larger.ensure(&USERS).expect("made anew"));
        let lines = fs::read_to_string(larger.path(&USERS)).expect("readable").lines().count();
        assert_eq!(lines, 20);
        fs::remove_dir_all(folder).expect("removed");
    }
}
