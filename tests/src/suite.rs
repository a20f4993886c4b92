//! Runs many rows under many configurations on a few threads, and reports.

use crate::row::Row;
use crate::run::{self, Awk, Config};
use crate::verdict;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

pub const TIME_LIMIT: Duration = Duration::from_secs(20);

const THREADS: usize = 2;

#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Parts of `topic/name`, one of which a row must contain; empty for all.
    pub filters: Vec<String>,
    pub configs: Vec<String>,
    pub verbose: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub rows_passed: usize,
    pub rows_failed: usize,
    pub runs: usize,
}

/// Results are in the order of the jobs.
pub fn on_threads<J: Sync, R: Send>(jobs: &[J], work: impl Fn(&J) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some((i, job)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, jobs.get(i)?)))
                {
                    let result = work(job);
                    results.lock().unwrap_or_else(|e| e.into_inner()).insert(i, result);
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(|e| e.into_inner()).into_values().collect()
}

#[derive(Clone, Copy, Debug)]
pub enum Matrix<'a> {
    Each(&'a [Config]),
    InTurn,
    /// As users run it, and under all that `InTurn` leaves out.
    Rest,
}

impl Matrix<'_> {
    fn of(self, number: usize, row: &Row) -> Vec<Config> {
        match self {
            Matrix::Each(configs) => configs.to_vec(),
            Matrix::InTurn if row.configs.is_empty() => Config::in_turn(number),
            Matrix::InTurn => Config::ALL.to_vec(),
            Matrix::Rest => Config::rest(number),
        }
    }
}

pub fn run_rows(awk: &Awk, rows: &[&Row], matrix: Matrix<'_>, selection: &Selection) -> Tally {
    let wanted = |row: &Row| {
        selection.filters.is_empty() || selection.filters.iter().any(|f| row.id().contains(f))
    };
    let rows: Vec<(usize, &Row)> =
        rows.iter().copied().enumerate().filter(|(_, row)| wanted(row)).collect();
    let is_selected =
        |c: &Config| selection.configs.is_empty() || selection.configs.contains(&c.name());
    let results = on_threads(&rows, |(number, row)| {
        let mut applied = matrix.of(*number, row);
        applied.retain(|config| is_selected(config) && config.applies_to(row));
        let failed: Vec<(Config, String)> =
            applied.iter().filter_map(|&c| Some((c, failure(awk, row, c)?))).collect();
        if !failed.is_empty() {
            println!("{}", paragraph(row, &failed, applied.len(), selection.verbose));
        }
        (applied.len(), failed.is_empty())
    });
    let tally = Tally {
        rows_passed: results.iter().filter(|(_, passed)| *passed).count(),
        rows_failed: results.iter().filter(|(_, passed)| !passed).count(),
        runs: results.iter().map(|(runs, _)| runs).sum(),
    };
    println!(
        "corpus: {} passed, {} failed; {} runs",
        tally.rows_passed, tally.rows_failed, tally.runs
    );
    tally
}

fn failure(awk: &Awk, row: &Row, config: Config) -> Option<String> {
    match run::run(awk, row, config, TIME_LIMIT) {
        Ok(outcome) => verdict::complaint(row, &outcome),
        Err(error) => Some(format!("  could not be run: {error}\n")),
    }
}

fn paragraph(row: &Row, failed: &[(Config, String)], applied: usize, verbose: bool) -> String {
    let names: Vec<String> = failed.iter().map(|(c, _)| c.name()).collect();
    let under = if names.len() == applied { "all".to_owned() } else { names.join(" ") };
    let program = row.program.as_deref().map(crate::escape::escaped).unwrap_or_default();
    let program: String = program.chars().take(200).collect();
    let mut out = format!("FAIL {} (line {}) [{under}]: {program}\n", row.id(), row.line);
    for (i, (config, text)) in failed.iter().enumerate() {
        if i > 0 && (!verbose || failed[..i].iter().any(|(_, earlier)| earlier == text)) {
            continue;
        }
        if verbose && failed.len() > 1 {
            out.push_str(&format!(" [{}]\n", config.name()));
        }
        out.push_str(text);
    }
    out.truncate(out.trim_end().len());
    out
}
