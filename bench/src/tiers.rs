//! rhawk compared with itself without machine code: no row may be slower with it.
//!
//! Answers are compared once, then both alternate, and the best round of each counts.
//! `--instructions` counts by valgrind, for busy machines: including the compiling thread, without
//! the kernel.

use crate::data::DataFolder;
use crate::invocation::{self, Invocation};
use crate::measure::{self, Ending, Sinks};
use crate::peers::{self, Peer};
use crate::report::Table;
use crate::rows::Row;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs of one program differ by as much.
const SAME: f64 = 1.01;

/// More than any row needs.
const PATIENCE: Duration = Duration::from_secs(600);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// CPU seconds, the best of so many rounds.
    Time(u32),
    /// Nearly constant, apart from interaction of threads.
    Instructions,
}

/// The table of all rows with rhawk; `before` gets each row's name.
pub fn compare(
    rows: &[Row],
    peers: &[Peer],
    data: &DataFolder,
    what: Measure,
    before: impl Fn(&str),
) -> Result<String, Box<dyn Error>> {
    let unit = if what == Measure::Instructions { "million instructions" } else { "ms" };
    let mut table = Table::new(&["row", "--no-jit", unit, "ratio", ""]);
    let (mut slower, mut compared) = (Vec::new(), 0);
    for row in rows {
        let Some(with) = invocation::of_rhawk(row, peers, data)? else { continue };
        before(row.name);
        let mut without = with.clone();
        without.args.insert(0, "--no-jit".into());
        let ways = [without, with];
        same_answer(row.name, &ways, data.folder())?;
        let [without, with] = match what {
            Measure::Time(rounds) => best_times(&ways, rounds)?,
            Measure::Instructions => {
                [instructions(&ways[0], data.folder())?, instructions(&ways[1], data.folder())?]
            }
        };
        let ratio = with / without;
        compared += 1;
        if ratio > SAME {
            slower.push(row.name);
        }
        let verdict = if ratio > SAME { "SLOWER" } else { "" };
        table.add(vec![
            row.name.into(),
            shown(without),
            shown(with),
            format!("{ratio:.3}"),
            verdict.into(),
        ]);
    }
    let mut text = String::new();
    table.write(&mut text);
    text +=
        &format!("\n{} of {compared} rows are slower with machine code than without", slower.len());
    if !slower.is_empty() {
        text += &format!(": {}", slower.join(", "));
    }
    Ok(text + "\n")
}

fn shown(value: f64) -> String {
    format!("{value:.*}", if value < 10.0 { 2 } else { 1 })
}

fn same_answer(row: &str, ways: &[Invocation; 2], folder: &Path) -> Result<(), Box<dyn Error>> {
    let path = folder.join("answer.out");
    let mut answers = Vec::new();
    for way in ways {
        match measure::run(way, Sinks { out: Some(&path), err: None }, PATIENCE)? {
            Ending::Done(_) => answers.push(fs::read(&path)?),
            ending => return Err(format!("{row}: {ending:?}").into()),
        }
    }
    fs::remove_file(&path)?;
    if answers[0] == answers[1] {
        Ok(())
    } else {
        Err(format!("{row}: another answer with machine code").into())
    }
}

fn best_times(ways: &[Invocation; 2], rounds: u32) -> Result<[f64; 2], Box<dyn Error>> {
    let mut best = [f64::INFINITY; 2];
    for round in 0..rounds as usize {
        for place in 0..2 {
            let at = (place + round) % 2;
            match measure::run(&ways[at], Sinks { out: None, err: None }, PATIENCE)? {
                Ending::Done(sample) => best[at] = best[at].min(sample.cpu.as_secs_f64() * 1e3),
                ending => return Err(format!("{ending:?}").into()),
            }
        }
    }
    Ok(best)
}

/// In millions, by valgrind: the compiling thread's too, and not the kernel's.
pub fn instructions(way: &Invocation, folder: &Path) -> Result<f64, Box<dyn Error>> {
    let said: PathBuf = folder.join("valgrind.err");
    let valgrind = peers::in_path("valgrind")
        .ok_or("instructions are counted by valgrind, which is not here")?;
    let mut counted = way.clone();
    let tool =
        ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"].map(Into::into);
    counted.args.splice(0..0, tool.into_iter().chain([way.program.clone().into_os_string()]));
    counted.program = valgrind;
    let ending = measure::run(&counted, Sinks { out: None, err: Some(&said) }, PATIENCE)?;
    let text = fs::read_to_string(&said)?;
    fs::remove_file(&said)?;
    let Ending::Done(_) = ending else { return Err(format!("{ending:?}: {text}").into()) };
    count_in(&text).ok_or_else(|| format!("valgrind says no count: {text}").into())
}

/// In millions, from `==1234== I refs: 12,345,678`.
fn count_in(text: &str) -> Option<f64> {
    let digits = text.lines().find_map(|line| line.split_once("refs:"))?.1.trim().replace(',', "");
    Some(digits.parse::<f64>().ok()? / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_read_from_what_valgrind_says() {
        let said = "==7== Cachegrind, a profiler\n==7== \n==7== I   refs:      12,345,678\n";
        assert_eq!(count_in(said), Some(12.345678));
        assert_eq!(count_in("==7== no such tool\n"), None);
    }
}
