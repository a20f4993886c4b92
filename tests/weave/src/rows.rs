//! The corpus in its plain configuration.

use crate::binaries::{MEMORY, numbers};
use crate::copy::Copy;
use riverhawk_tests::suite::{TIME_LIMIT, on_threads};
use riverhawk_tests::{Awk, Config, Row, load, run, verdict};
use std::collections::BTreeSet;

/// Rows that are run before it is looked at whether one has failed.
const AT_ONCE: usize = 8;

/// The rows that pass without a change, with what they reach; those that have noticed something come first.
pub struct Rows {
    awk: Awk,
    rows: Vec<(Row, BTreeSet<u32>)>,
}

impl Rows {
    /// Builds rhawk, and runs it as it is.
    pub fn build(copy: &Copy) -> Result<Rows, String> {
        eprintln!("mutants: running the corpus without a change");
        let built =
            copy.cargo("build").args(["-p", "riverhawk-cli"]).status().map_err(|error| format!("cargo: {error}"))?;
        if !built.success() {
            return Err("rhawk does not compile; try `cargo check` in the copy".to_owned());
        }
        let limits = format!("ulimit -t 10; ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
        let rhawk = copy.built("rhawk").to_string_lossy().into_owned();
        let awk = Awk { program: "sh".into(), leading: vec!["-c".to_owned(), limits, rhawk] };
        let files = load::load(&[])?;
        let rows: Vec<(usize, &Row)> = files
            .iter()
            .flat_map(|file| file.rows())
            .filter(|row| Config::Default.applies_to(row))
            .enumerate()
            .collect();
        let traces = copy.beside("traces");
        let _ = std::fs::remove_dir_all(&traces);
        std::fs::create_dir_all(&traces).map_err(|error| format!("{}: {error}", traces.display()))?;
        let watched = on_threads(&rows, |(at, row)| {
            let trace = traces.join(at.to_string());
            let passes = !fails(&awk, row, "RIVERHAWK_REACHED", &trace.to_string_lossy());
            (passes, numbers(&trace))
        });
        let all = rows.len();
        let passed = rows.into_iter().zip(watched).filter(|(_, (passes, _))| *passes);
        let rows: Vec<_> = passed.map(|((_, row), (_, reached))| (row.clone(), reached)).collect();
        eprintln!("mutants: {} of {all} rows fail without a change, and are left out", all - rows.len());
        Ok(Rows { awk, rows })
    }

    pub fn reach(&self, number: u32) -> bool {
        self.rows.iter().any(|(_, reached)| reached.contains(&number))
    }

    /// Whether a row fails, twice in case the machine is busy. The row is the first to be asked from then on. Of more rows than `most`
    /// some are passed over.
    pub fn notice(&mut self, number: u32, most: usize) -> bool {
        let reaching: Vec<usize> = (0..self.rows.len()).filter(|&at| self.rows[at].1.contains(&number)).collect();
        let asked: Vec<usize> = reaching.iter().copied().step_by(reaching.len().div_ceil(most).max(1)).collect();
        let value = number.to_string();
        let fails = |at: &usize| fails(&self.awk, &self.rows[*at].0, "RIVERHAWK_MUTANT", &value);
        let failed = asked.chunks(AT_ONCE).find_map(|some| {
            let failed = on_threads(some, |at| fails(at).then_some(*at));
            failed.into_iter().flatten().find(fails)
        });
        if let Some(at) = failed {
            self.rows[..=at].rotate_right(1);
        }
        failed.is_some()
    }
}

fn fails(awk: &Awk, row: &Row, name: &str, value: &str) -> bool {
    let row = Row { env: format!("{} {name}={value}", row.env), ..row.clone() };
    run::run(awk, &row, Config::Default, TIME_LIMIT)
        .map_or(true, |outcome| verdict::complaint(&row, &outcome).is_some())
}
