//! As one writes it at first: lines of `BufRead`, the standard library's maps, `regex`, `csv`.

use regex::Regex;
use std::collections::HashMap;
use std::error::Error;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write, stdout};
use std::path::{Path, PathBuf};

fn lines(path: &Path) -> io::Result<impl Iterator<Item = io::Result<String>>> {
    Ok(BufReader::new(File::open(path)?).lines())
}

fn invalid(error: impl Into<Box<dyn Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

fn missing() -> io::Error {
    invalid("a field is missing")
}

fn print(counts: &HashMap<String, impl Display>) -> io::Result<()> {
    let mut out = BufWriter::new(stdout().lock());
    for (key, count) in counts {
        writeln!(out, "{key} {count}")?;
    }
    out.flush()
}

pub fn words(files: &[PathBuf]) -> io::Result<()> {
    let mut counts: HashMap<String, u64> = HashMap::new();
    for line in lines(&files[0])? {
        for word in line?.split_whitespace() {
            *counts.entry(word.to_string()).or_default() += 1;
        }
    }
    print(&counts)
}

pub fn folded(files: &[PathBuf]) -> io::Result<()> {
    let others = Regex::new("[^a-z]+").map_err(invalid)?;
    let mut counts: HashMap<String, u64> = HashMap::new();
    for line in lines(&files[0])? {
        for word in others.split(&line?.to_lowercase()).filter(|word| !word.is_empty()) {
            *counts.entry(word.to_string()).or_default() += 1;
        }
    }
    print(&counts)
}

pub fn count(files: &[PathBuf]) -> io::Result<()> {
    let mut counts: HashMap<String, u64> = HashMap::new();
    for line in lines(&files[0])? {
        let line = line?;
        let key = line.split_whitespace().next().unwrap_or("");
        *counts.entry(key.to_string()).or_default() += 1;
    }
    print(&counts)
}

pub fn sums(files: &[PathBuf]) -> io::Result<()> {
    let mut sums: HashMap<String, f64> = HashMap::new();
    for line in lines(&files[0])? {
        let line = line?;
        let mut fields = line.split_whitespace();
        let key = fields.next().ok_or_else(missing)?;
        let value: f64 = fields.next().ok_or_else(missing)?.parse().map_err(invalid)?;
        *sums.entry(key.to_string()).or_default() += value;
    }
    print(&sums)
}

pub fn column(files: &[PathBuf]) -> io::Result<()> {
    let mut sum = 0.0;
    for line in lines(&files[0])? {
        let line = line?;
        let field = line.split_whitespace().nth(3).ok_or_else(missing)?;
        sum += field.parse::<f64>().map_err(invalid)?;
    }
    println!("{sum:.2}");
    Ok(())
}

pub fn gsub(files: &[PathBuf]) -> io::Result<()> {
    let vowels = Regex::new("[aeiou]+").map_err(invalid)?;
    let mut out = BufWriter::new(stdout().lock());
    for line in lines(&files[0])? {
        writeln!(out, "{}", vowels.replace_all(&line?, "<$0>"))?;
    }
    out.flush()
}

pub fn join(files: &[PathBuf]) -> io::Result<()> {
    let mut cities: HashMap<String, String> = HashMap::new();
    for line in lines(&files[0])? {
        let line = line?;
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [id, _, city] = fields[..] else { return Err(missing()) };
        cities.insert(id.to_string(), city.to_string());
    }
    let mut out = BufWriter::new(stdout().lock());
    for line in lines(&files[1])? {
        let line = line?;
        let (id, amount) = line.split_once(' ').ok_or_else(missing)?;
        if let Some(city) = cities.get(id) {
            writeln!(out, "{id} {city} {amount}")?;
        }
    }
    out.flush()
}

pub fn csv(files: &[PathBuf]) -> io::Result<()> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).from_path(&files[0]).map_err(invalid)?;
    let mut out = BufWriter::new(stdout().lock());
    for row in reader.records() {
        let row = row.map_err(invalid)?;
        if row[2].contains('a') {
            writeln!(out, "{} {}", &row[1], &row[4])?;
        }
    }
    out.flush()
}

pub fn heads(files: &[PathBuf]) -> io::Result<()> {
    let mut sizes: HashMap<String, (u64, u64)> = HashMap::new();
    for line in lines(&files[0])? {
        let line = line?;
        let line = line.trim_end_matches('\r');
        let Some((name, value)) = line.split_once(':') else { continue };
        let value = value.trim_start_matches([' ', '\t']);
        let (count, size) = sizes.entry(name.to_string()).or_default();
        *count += 1;
        *size += value.chars().count() as u64;
    }
    let mut out = BufWriter::new(stdout().lock());
    for (name, (count, size)) in &sizes {
        writeln!(out, "{name} {count} {size}")?;
    }
    out.flush()
}
