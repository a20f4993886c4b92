//! As fast as it gets without unsafe code: one reused buffer, bytes, hashbrown with foldhash and
//! boxed keys, memchr, no text made for a record.

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use memchr::{memchr, memchr_iter};
use std::fs::File;
use std::io::{self, BufWriter, Read, Write, stdout};
use std::path::{Path, PathBuf};

const BLOCK: usize = 256 << 10;

type Counts<T> = HashMap<Box<[u8]>, T, RandomState>;

/// Calls `each` with every line, without its end.
fn lines(path: &Path, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut block = vec![0; BLOCK];
    let mut filled = 0;
    loop {
        if filled == block.len() {
            block.resize(2 * filled, 0);
        }
        let read = file.read(&mut block[filled..])?;
        if read == 0 {
            break;
        }
        let searched = filled;
        filled += read;
        let mut start = 0;
        for end in memchr_iter(b'\n', &block[searched..filled]) {
            each(&block[start..searched + end])?;
            start = searched + end + 1;
        }
        block.copy_within(start..filled, 0);
        filled -= start;
    }
    if filled > 0 { each(&block[..filled]) } else { Ok(()) }
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The next field and what follows it; the field is empty at the end.
fn field(text: &[u8]) -> (&[u8], &[u8]) {
    let start = text.iter().position(|&byte| !is_blank(byte)).unwrap_or(text.len());
    let text = &text[start..];
    text.split_at(text.iter().position(|&byte| is_blank(byte)).unwrap_or(text.len()))
}

fn add<T: Default>(counts: &mut Counts<T>, key: &[u8], change: impl FnOnce(&mut T)) {
    match counts.get_mut(key) {
        Some(count) => change(count),
        None => change(counts.entry(key.into()).or_default()),
    }
}

fn print<T>(
    counts: &Counts<T>,
    write: impl Fn(&mut dyn Write, &T) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BLOCK, stdout().lock());
    for (key, count) in counts {
        out.write_all(key)?;
        write(&mut out, count)?;
    }
    out.flush()
}

fn number(text: &[u8]) -> f64 {
    if text.len() < 16 && text.iter().all(u8::is_ascii_digit) {
        let digits = text.iter().map(|digit| u64::from(digit - b'0'));
        return digits.fold(0, |number, digit| 10 * number + digit) as f64;
    }
    std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).unwrap_or(0.0)
}

pub fn words(files: &[PathBuf]) -> io::Result<()> {
    let mut counts: Counts<u64> = Counts::default();
    lines(&files[0], |line| {
        for word in line.split(|&byte| is_blank(byte)).filter(|word| !word.is_empty()) {
            add(&mut counts, word, |count| *count += 1);
        }
        Ok(())
    })?;
    print(&counts, |out, count| writeln!(out, " {count}"))
}

pub fn folded(files: &[PathBuf]) -> io::Result<()> {
    let mut counts: Counts<u64> = Counts::default();
    let mut lower = Vec::new();
    lines(&files[0], |line| {
        lower.clear();
        lower.extend(line.iter().map(u8::to_ascii_lowercase));
        for word in lower.split(|byte| !byte.is_ascii_lowercase()).filter(|word| !word.is_empty()) {
            add(&mut counts, word, |count| *count += 1);
        }
        Ok(())
    })?;
    print(&counts, |out, count| writeln!(out, " {count}"))
}

pub fn count(files: &[PathBuf]) -> io::Result<()> {
    let mut counts: Counts<u64> = Counts::default();
    lines(&files[0], |line| {
        add(&mut counts, field(line).0, |count| *count += 1);
        Ok(())
    })?;
    print(&counts, |out, count| writeln!(out, " {count}"))
}

pub fn sums(files: &[PathBuf]) -> io::Result<()> {
    let mut sums: Counts<f64> = Counts::default();
    lines(&files[0], |line| {
        let (key, rest) = field(line);
        let value = number(field(rest).0);
        add(&mut sums, key, |sum| *sum += value);
        Ok(())
    })?;
    print(&sums, |out, sum| writeln!(out, " {sum}"))
}

pub fn column(files: &[PathBuf]) -> io::Result<()> {
    let mut sum = 0.0;
    lines(&files[0], |line| {
        let mut rest = line;
        for _ in 0..3 {
            rest = field(rest).1;
        }
        sum += number(field(rest).0);
        Ok(())
    })?;
    println!("{sum:.2}");
    Ok(())
}

pub fn gsub(files: &[PathBuf]) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BLOCK, stdout().lock());
    let mut changed = Vec::new();
    let mut is_vowel = [false; 256];
    b"aeiou".iter().for_each(|&vowel| is_vowel[usize::from(vowel)] = true);
    lines(&files[0], |line| {
        changed.clear();
        let mut inside = false;
        for &byte in line {
            if is_vowel[usize::from(byte)] != inside {
                changed.push(if inside { b'>' } else { b'<' });
                inside = !inside;
            }
            changed.push(byte);
        }
        if inside {
            changed.push(b'>');
        }
        changed.push(b'\n');
        out.write_all(&changed)
    })?;
    out.flush()
}

pub fn join(files: &[PathBuf]) -> io::Result<()> {
    let mut cities: Counts<Box<[u8]>> = Counts::default();
    lines(&files[0], |line| {
        let (id, rest) = field(line);
        let (_, rest) = field(rest);
        cities.insert(id.into(), field(rest).0.into());
        Ok(())
    })?;
    let mut out = BufWriter::with_capacity(BLOCK, stdout().lock());
    lines(&files[1], |line| {
        let (id, rest) = field(line);
        if let Some(city) = cities.get(id) {
            for part in [id, b" ", city, b" ", field(rest).0, b"\n"] {
                out.write_all(part)?;
            }
        }
        Ok(())
    })?;
    out.flush()
}

pub fn csv(files: &[PathBuf]) -> io::Result<()> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).buffer_capacity(BLOCK).from_path(&files[0])?;
    let mut out = BufWriter::with_capacity(BLOCK, stdout().lock());
    let mut row = csv::ByteRecord::new();
    while reader.read_byte_record(&mut row)? {
        if memchr(b'a', &row[2]).is_some() {
            for part in [&row[1], b" ", &row[4], b"\n"] {
                out.write_all(part)?;
            }
        }
    }
    out.flush()
}

pub fn heads(files: &[PathBuf]) -> io::Result<()> {
    let mut sizes: Counts<(u64, u64)> = Counts::default();
    lines(&files[0], |line| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let Some(colon) = memchr(b':', line) else { return Ok(()) };
        let value = &line[colon + 1..];
        let start = value.iter().position(|&byte| !is_blank(byte)).unwrap_or(value.len());
        add(&mut sizes, &line[..colon], |(count, size)| {
            *count += 1;
            // Bytes that begin a character.
            *size += value[start..].iter().filter(|&&byte| byte as i8 >= -0x40).count() as u64;
        });
        Ok(())
    })?;
    print(&sizes, |out, (count, size)| writeln!(out, " {count} {size}"))
}
