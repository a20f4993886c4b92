//! Asks gawk and rhawk the same random programs: `differ [--minutes N] [--seed N] [--awk COMMAND] [--oracle COMMAND]`.
//!
//! Programs come in two shapes. Most are small cases, forty to a process; one in forty is a whole program with rules, functions,
//! separators and reading. Where the two awks print or end differently, the program is made small and printed with both answers.
//! The same seed asks the same programs. Exit status 1 when anything differed.
//!
//! With `--tiers yes` rhawk is compared with itself: its interpreter with its machine code, made at once of whatever was seen once. Then
//! standard error counts, too, and the input is repeated, so that the record loop goes round.
//!
//! What it does not generate: commands, files, the clock, the order of `for (k in a)`, errors on purpose, and what
//! `docs/divergences.md` says rhawk does otherwise.

mod constants;
mod dice;
mod expressions;
mod judge;
mod minimise;
mod programs;
mod statements;
mod tree;

use dice::Dice;
use judge::{Judge, Pair};
use programs::{Batch, Case};
use riverhawk_tests::Tier;
use std::io;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: differ [--minutes N] [--seed N] [--most N] [--awk COMMAND] [--oracle COMMAND] [--tiers yes]
  --minutes   how long (1)
  --seed      where to start (1)
  --most      disagreements after which to stop (20)
  --awk       what to test; rhawk of this workspace if not given
  --oracle    what to compare with (gawk)
  --tiers     compare machine code with the interpreter (no)";

/// Small cases in one process: enough that starting it is a small part of the time.
const BATCH: usize = 40;

struct Settings {
    minutes: f64,
    seed: u64,
    most: usize,
    awk: Option<String>,
    oracle: String,
    tiers: bool,
}

fn settings() -> Option<Settings> {
    let mut settings = Settings { minutes: 1.0, seed: 1, most: 20, awk: None, oracle: "gawk".to_owned(), tiers: false };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let value = args.next()?;
        match arg.as_str() {
            "--minutes" => settings.minutes = value.parse().ok()?,
            "--seed" => settings.seed = value.parse().ok()?,
            "--most" => settings.most = value.parse().ok()?,
            "--awk" => settings.awk = Some(value),
            "--oracle" => settings.oracle = value,
            "--tiers" => settings.tiers = value == "yes",
            _ => return None,
        }
    }
    Some(settings)
}

fn main() -> ExitCode {
    let Some(settings) = settings() else {
        eprintln!("{USAGE}");
        return ExitCode::from(1);
    };
    match search(&settings) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            eprintln!("differ: {error}");
            ExitCode::from(2)
        }
    }
}

/// Number of disagreements.
fn search(settings: &Settings) -> io::Result<usize> {
    let ours = settings.awk.clone().unwrap_or_else(|| riverhawk_tests::build::rhawk().display().to_string());
    let mut judge = if settings.tiers {
        let with = |options: &[&str]| format!("{ours} {}", options.join(" "));
        Judge::of_tiers(with(Tier::Interpreter.options()), with(Tier::Eager.options()))?
    } else {
        Judge::new(settings.oracle.clone(), ours)?
    };
    let end = Instant::now() + Duration::from_secs_f64(settings.minutes * 60.0);
    let (mut programs, mut found, mut seed) = (0, 0, settings.seed);
    while Instant::now() < end && found < settings.most {
        let dice = &mut Dice::new(seed);
        let batch = Batch::new(dice, BATCH);
        let mut suspects = suspects(&mut judge, &batch)?;
        programs += BATCH + 1;
        let whole = programs::whole(dice);
        let pair = judge.ask(&whole)?;
        if !pair.agree() {
            suspects.push((whole, pair));
        }
        for (case, pair) in suspects {
            found += 1;
            let (case, pair) = minimise::minimise(&mut judge, case, pair)?;
            report(found, seed, &case, &pair);
        }
        seed += 1;
    }
    println!("{programs} programs, {} processes, {found} disagreements, next seed {seed}", judge.runs);
    Ok(found)
}

/// The cases of a batch that disagree; the whole batch when only that does.
fn suspects(judge: &mut Judge, batch: &Batch) -> io::Result<Vec<(Case, Pair)>> {
    let together = batch.together();
    let pair = judge.ask(&together)?;
    let mut suspects = Vec::new();
    // After an error the rest of the batch was not run.
    if pair.agree() && pair.ended_well() {
        return Ok(suspects);
    }
    for case in batch.single() {
        let pair = judge.ask(&case)?;
        if !pair.agree() {
            suspects.push((case, pair));
        }
    }
    if suspects.is_empty() && !pair.agree() {
        suspects.push((together, pair));
    }
    Ok(suspects)
}

fn report(number: usize, seed: u64, case: &Case, pair: &Pair) {
    println!("== {number} (seed {seed}{})", if case.bytes { ", C locale" } else { "" });
    println!("{}", case.text().trim_end());
    for line in &case.input {
        println!("< {}", line.escape_debug());
    }
    for (name, ran) in [("oracle", &pair.oracle), ("rhawk", &pair.ours)] {
        println!("{name}: status {}, {}", ran.status, ran.stdout.escape_ascii());
        if !ran.stderr.is_empty() {
            println!("  {}", String::from_utf8_lossy(&ran.stderr).lines().next().unwrap_or_default());
        }
    }
    println!();
}
