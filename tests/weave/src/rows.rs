//! The corpus.

use crate::binaries::{MEMORY, numbers};
use crate::copy::Copy;
use riverhawk_tests::suite::{TIME_LIMIT, on_threads};
use riverhawk_tests::{Awk, Config, Row, load, run, verdict};
use std::collections::BTreeSet;

/// Rows that run before the results are checked.
const AT_ONCE: usize = 8;

struct Run {
    row: Row,
    config: Config,
    reached: BTreeSet<u32>,
}

/// Rows that pass without a change; those that have noticed something come first.
pub struct Rows {
    awk: Awk,
    runs: Vec<Run>,
}

impl Rows {
    pub fn build(copy: &Copy, configs: &[Config]) -> Result<Rows, String> {
        eprintln!("mutants: running the corpus without a change");
        let built = copy
            .cargo("build")
            .args(["-p", "riverhawk-cli"])
            .status()
            .map_err(|error| format!("cargo: {error}"))?;
        if !built.success() {
            return Err("rhawk does not compile; try `cargo check` in the copy".to_owned());
        }
        let limits = format!("ulimit -t 10; ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
        let rhawk = copy.built("rhawk").to_string_lossy().into_owned();
        let awk = Awk { program: "sh".into(), leading: vec!["-c".to_owned(), limits, rhawk] };
        let files = load::load(&[])?;
        let rows: Vec<&Row> = files.iter().flat_map(|file| file.rows()).collect();
        let runs: Vec<(usize, &Row, Config)> = configs
            .iter()
            .flat_map(|&config| rows.iter().map(move |&row| (row, config)))
            .filter(|(row, config)| config.applies_to(row))
            .enumerate()
            .map(|(at, (row, config))| (at, row, config))
            .collect();
        let traces = copy.beside("traces");
        let _ = std::fs::remove_dir_all(&traces);
        std::fs::create_dir_all(&traces)
            .map_err(|error| format!("{}: {error}", traces.display()))?;
        let watched = on_threads(&runs, |(at, row, config)| {
            let trace = traces.join(at.to_string());
            let passes = !fails(&awk, row, *config, "RIVERHAWK_REACHED", &trace.to_string_lossy());
            passes.then(|| Run { row: (*row).clone(), config: *config, reached: numbers(&trace) })
        });
        let all = runs.len();
        let runs: Vec<Run> = watched.into_iter().flatten().collect();
        eprintln!(
            "mutants: {} of {all} runs of rows fail without a change, and are left out",
            all - runs.len()
        );
        Ok(Rows { awk, runs })
    }

    pub fn reach(&self, number: u32) -> bool {
        self.runs.iter().any(|run| run.reached.contains(&number))
    }

    /// Runs a failing row twice in case the machine is busy, then moves it to the front. Of more
    /// rows than `most` some are skipped.
    pub fn notice(&mut self, number: u32, most: usize) -> bool {
        let reaching: Vec<usize> =
            (0..self.runs.len()).filter(|&at| self.runs[at].reached.contains(&number)).collect();
        let asked: Vec<usize> =
            reaching.iter().copied().step_by(reaching.len().div_ceil(most).max(1)).collect();
        let value = number.to_string();
        let fails = |at: &usize| {
            let run = &self.runs[*at];
            fails(&self.awk, &run.row, run.config, "RIVERHAWK_MUTANT", &value)
        };
        let failed = asked.chunks(AT_ONCE).find_map(|some| {
            let failed = on_threads(some, |at| fails(at).then_some(*at));
            failed.into_iter().flatten().find(fails)
        });
        if let Some(at) = failed {
            self.runs[..=at].rotate_right(1);
        }
        failed.is_some()
    }
}

fn fails(awk: &Awk, row: &Row, config: Config, name: &str, value: &str) -> bool {
    let row = Row { env: format!("{} {name}={value}", row.env), ..row.clone() };
    run::run(awk, &row, config, TIME_LIMIT)
        .map_or(true, |outcome| verdict::complaint(&row, &outcome).is_some())
}
