//! lcov's files (`man geninfo`), written and read.
//!
//! The format has lines, not statements, so these and what branches mean stand in comments, which
//! lcov and what reads its files skip.

use super::{BranchPlace, Coverage, CoveredShare, FileCoverage, FunctionPlace, Stretch};
use std::fmt::Write;

const MARK: &str = "# coverage by rhawk, version 1";

pub(super) fn write(coverage: &Coverage) -> String {
    let mut out = format!("{MARK}\n");
    for (name, file) in &coverage.files {
        let _ = writeln!(out, "TN:\nSF:{name}\n#text:{:016x}", file.hash);
        write_functions(&mut out, file);
        for (stretch, count) in &file.statements {
            let Stretch { start, end, line } = stretch;
            let _ = writeln!(out, "#statement:{start},{end},{line},{count}");
        }
        write_branches(&mut out, file);
        let lines = file.lines();
        for (line, count) in &lines {
            let _ = writeln!(out, "DA:{line},{count}");
        }
        let CoveredShare { covered, total } = CoveredShare::of(lines.values());
        let _ = writeln!(out, "LF:{total}\nLH:{covered}\nend_of_record");
    }
    out
}

fn write_functions(out: &mut String, file: &FileCoverage) {
    for FunctionPlace { line, name } in file.functions.keys() {
        let _ = writeln!(out, "FN:{line},{name}");
    }
    for (FunctionPlace { name, .. }, count) in &file.functions {
        let _ = writeln!(out, "FNDA:{count},{name}");
    }
    let CoveredShare { covered, total } = file.functions();
    let _ = writeln!(out, "FNF:{total}\nFNH:{covered}");
}

fn write_branches(out: &mut String, file: &FileCoverage) {
    for (BranchPlace { start, line, number, meaning }, count) in &file.branches {
        let _ = writeln!(out, "#branch:{start},{line},{number},{count},{meaning}");
    }
    for (BranchPlace { start, line, number, .. }, count) in &file.branches {
        let _ = writeln!(out, "BRDA:{line},{start},{number},{count}");
    }
    let CoveredShare { covered, total } = file.branches();
    let _ = writeln!(out, "BRF:{total}\nBRH:{covered}");
}

pub(super) fn read(text: &str) -> Result<Coverage, String> {
    let mut lines = (1..).zip(text.lines());
    if lines.next().map(|(_, line)| line) != Some(MARK) {
        return Err(format!("it does not begin with \"{MARK}\""));
    }
    let mut coverage = Coverage::default();
    let mut name = None;
    for (number, line) in lines {
        let Some((word, value)) = line.split_once(':') else { continue };
        if word == "TN" {
            continue;
        }
        if word == "SF" {
            name = Some(value);
            coverage.files.entry(value.to_owned()).or_default();
            continue;
        }
        let file = name.and_then(|name| coverage.files.get_mut(name));
        file.and_then(|file| file.take(word, value))
            .ok_or_else(|| format!("line {number} is damaged"))?;
    }
    Ok(coverage)
}

impl FileCoverage {
    /// `None` if it cannot be read.
    fn take(&mut self, word: &str, value: &str) -> Option<()> {
        match word {
            "#text" => self.hash = u64::from_str_radix(value, 16).ok()?,
            "FN" => {
                let (line, name) = value.split_once(',')?;
                let place = FunctionPlace { line: line.parse().ok()?, name: name.to_owned() };
                self.functions.insert(place, 0);
            }
            "FNDA" => {
                let (count, name) = value.split_once(',')?;
                let mut functions = self.functions.iter_mut();
                let (_, known) = functions.find(|(place, _)| place.name == name)?;
                *known = count.parse().ok()?;
            }
            "#statement" => {
                let numbers: Vec<usize> =
                    value.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
                let [start, end, line, count] = numbers[..] else { return None };
                self.statements.insert(Stretch { start, end, line }, count as u64);
            }
            "#branch" => {
                let parts: Vec<&str> = value.splitn(5, ',').collect();
                let [start, line, number, count, meaning] = parts[..] else { return None };
                let place = BranchPlace {
                    start: start.parse().ok()?,
                    line: line.parse().ok()?,
                    number: number.parse().ok()?,
                    meaning: meaning.to_owned(),
                };
                self.branches.insert(place, count.parse().ok()?);
            }
            _ => {}
        }
        Some(())
    }
}
