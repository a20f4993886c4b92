//! Runs the same random programs with gawk and rhawk: `differ [--minutes N] [--seed N] [--awk
//! COMMAND]
//! [--oracle COMMAND]`.
//!
//! Most programs are small cases, forty to a process; one in forty is a whole program with rules,
//! functions, separators and reading. If output, status or complaints differ, the program is
//! minimised and printed with both answers. The seed decides the programs. Exit status 1 when
//! anything differed.
//!
//! `--tiers yes` compares rhawk's interpreter with its machine code, made from the first
//! observation; `--pieces yes` one thread with several that get a few bytes each, and small
//! windows. Standard error counts then, and the input is repeated.
//!
//! Not generated: the clock, the order of `for (k in a)`, deliberate errors, stated divergences
//! (`docs/divergences.md`).

mod bytes;
mod calls;
mod complaints;
mod constants;
mod dialect;
mod dice;
mod expressions;
mod extended_calls;
mod extended_statements;
mod formats;
mod inputs;
mod judge;
mod minimise;
mod patterns;
mod prelude;
mod programs;
mod rival;
mod rules;
mod statements;
mod streams;
mod switches;
mod tree;

use dialect::Dialect;
use dice::Dice;
use judge::{Judge, Pair};
use programs::{Batch, Case};
use rival::Rival;
use riverhawk_tests::Awk;
use std::io;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use switches::Switches;

const USAGE: &str = "usage: differ [--minutes N] [--seed N] [--most N] [--awk COMMAND] [--oracle COMMAND]
              [--witness COMMAND]... [--dialect NAME] [--switches no] [--tiers yes] [--pieces yes] [--show yes]
  --minutes   how long (1)
  --seed      where to start (1)
  --most      disagreements after which to stop (20)
  --awk       what to test; rhawk of this workspace if not given
  --oracle    what to compare with (gawk)
  --witness   an awk that must agree with the oracle, or its answer proves nothing
  --dialect   shared, gawk, posix, traditional or own (all but the last in turn)
  --switches  run with -n, -b and -M now and then (yes)
  --tiers     compare machine code with the interpreter (no)
  --pieces    compare several threads and small windows with one thread (no)
  --show      print the programs of the seed and ask nobody (no)";

const BATCH: usize = 40;

struct Settings {
    minutes: f64,
    seed: u64,
    most: usize,
    awk: Option<String>,
    oracle: String,
    witnesses: Vec<String>,
    rival: Rival,
    dialect: Option<Dialect>,
    switches: bool,
    show: bool,
}

fn settings() -> Option<Settings> {
    let mut settings = Settings {
        minutes: 1.0,
        seed: 1,
        most: 20,
        awk: None,
        oracle: "gawk".to_owned(),
        witnesses: Vec::new(),
        rival: Rival::Oracle,
        dialect: None,
        switches: true,
        show: false,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let value = args.next()?;
        match arg.as_str() {
            "--minutes" => settings.minutes = value.parse().ok()?,
            "--seed" => settings.seed = value.parse().ok()?,
            "--most" => settings.most = value.parse().ok()?,
            "--awk" => settings.awk = Some(value),
            "--oracle" => settings.oracle = value,
            "--witness" => settings.witnesses.push(value),
            "--dialect" => settings.dialect = Some(Dialect::from_name(&value)?),
            "--switches" => settings.switches = value != "no",
            "--show" => settings.show = value == "yes",
            "--tiers" if value == "yes" => settings.rival = Rival::Tiers,
            "--pieces" if value == "yes" => settings.rival = Rival::Pieces,
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

fn search(settings: &Settings) -> io::Result<usize> {
    if settings.rival == Rival::Oracle && !settings.show {
        // Before rhawk is built, which takes minutes.
        Awk::new(&settings.oracle).knows_the_locale().map_err(io::Error::other)?;
    }
    let ours = match &settings.awk {
        Some(awk) => awk.clone(),
        None if settings.show => String::new(),
        None => riverhawk_tests::build::rhawk().display().to_string(),
    };
    let oracle = if settings.rival.is_same_awk() { ours.clone() } else { settings.oracle.clone() };
    let mut judge = Judge::new(settings.rival, &settings.witnesses)?;
    let end = Instant::now() + Duration::from_secs_f64(settings.minutes * 60.0);
    let (mut programs, mut found, mut seed) = (0, 0, settings.seed);
    while Instant::now() < end && found < settings.most {
        let dice = &mut Dice::new(seed);
        let (before, after) = settings.rival.options(seed);
        judge.oracle = format!("{oracle} {before}");
        judge.ours = format!("{ours} {after}");
        let dialect = settings.dialect.unwrap_or_else(|| Dialect::roll(dice, settings.rival));
        let switches =
            if settings.switches { Switches::of(seed, dialect) } else { Switches::default() };
        let batch = Batch::new(dice, BATCH, dialect, switches.of_small_cases());
        if settings.show {
            let whole = rules::whole(dice, dialect, switches);
            for case in [batch.together(0), whole] {
                println!("{}{}", prelude::of(dialect), bytes::readable(&case.text()));
                println!(
                    "{}",
                    case.input
                        .iter()
                        .map(|line| format!("< {}\n", bytes::readable(line)))
                        .collect::<String>()
                );
            }
            return Ok(0);
        }
        let mut suspects = suspects(&mut judge, &batch)?;
        programs += BATCH + 1;
        let whole = rules::whole(dice, dialect, switches);
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
    println!(
        "{programs} programs, {} processes, {found} disagreements, next seed {seed}",
        judge.runs
    );
    Ok(found)
}

fn suspects(judge: &mut Judge, batch: &Batch) -> io::Result<Vec<(Case, Pair)>> {
    let mut suspects = Vec::new();
    let mut start = 0;
    while start < BATCH {
        let together = batch.together(start);
        let pair = judge.ask(&together)?;
        let stopped_in = pair.agree().then(|| programs::last_begun(&pair.oracle.stdout)).flatten();
        if pair.agree() && pair.ended_well() && pair.is_witnessed() {
            break;
        } else if let Some(number) = stopped_in {
            // Both met an error: the rest is still to be compared.
            start = number + 1;
            continue;
        }
        for case in batch.single(start) {
            let pair = judge.ask(&case)?;
            if !pair.agree() {
                suspects.push((case, pair));
            }
        }
        if suspects.is_empty() && !pair.agree() {
            suspects.push((together, pair));
        }
        break;
    }
    Ok(suspects)
}

fn report(number: usize, seed: u64, case: &Case, pair: &Pair) {
    let switches: String = case.switches.options().map(|option| format!(" {option}")).collect();
    let (dialect, locale) = (case.dialect.name(), case.locale());
    println!(
        "== {number} (seed {seed}, {dialect}{switches}, {locale}) {}",
        case.operands.join(" ")
    );
    println!("{}", bytes::readable(case.text().trim_end()));
    for (at, line) in case.input.iter().enumerate() {
        let end = if case.unterminated && at + 1 == case.input.len() { " without end" } else { "" };
        println!("< {}{end}", bytes::readable(&line.escape_debug().to_string()));
    }
    for (name, ran) in [("oracle", &pair.oracle), ("rhawk", &pair.ours)] {
        println!("{name}: status {}, {}", ran.status, ran.stdout.escape_ascii());
        let name = ran
            .stderr
            .iter()
            .position(|&byte| byte == b':')
            .map_or(&b""[..], |at| &ran.stderr[..=at]);
        let said = ran
            .stderr
            .split(|&byte| byte == b'\n')
            .filter(|line| !name.is_empty() && line.starts_with(name));
        said.for_each(|line| println!("  {}", String::from_utf8_lossy(line)));
    }
    println!();
}
