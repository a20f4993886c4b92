//! One row: checks all answers, then runs the peers that were right in alternating rounds, so that
//! disturbances affect all.

use crate::answer::Answer;
use crate::data::DataFolder;
use crate::invocation::{self, Invocation};
use crate::measure::{self, Ending, Sample, Sinks};
use crate::peers::Peer;
use crate::results::{Entry, RowResult, Status, Times};
use crate::rows::{Row, Unit};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Wall time after which a peer is not run again in a row: the fastest sets the bar.
const ENOUGH: Duration = Duration::from_secs(6);

/// The minimum time limit.
const PATIENCE: Duration = Duration::from_secs(10);

/// The time limit as a multiple of the reference's time.
const PATIENCE_FACTOR: u32 = 20;

struct Entrant<'a> {
    peer: &'a Peer,
    invocation: Invocation,
    status: Status,
    detail: String,
    samples: Vec<Sample>,
    spent: Duration,
}

/// For outputs.
struct Scratch {
    out: PathBuf,
    err: PathBuf,
}

pub fn run(row: &Row, peers: &[Peer], data: &DataFolder, rounds: u32) -> io::Result<RowResult> {
    let scratch =
        Scratch { out: data.folder().join("answer.out"), err: data.folder().join("answer.err") };
    let mut entrants = Vec::new();
    for peer in peers.iter().filter(|peer| peer.known.runs_in(row)) {
        if let Some(invocation) = invocation::build(row, peer, data)? {
            let (status, detail) = (Status::Ok, String::new());
            entrants.push(Entrant {
                peer,
                invocation,
                status,
                detail,
                samples: Vec::new(),
                spent: Duration::ZERO,
            });
        }
    }
    check(row, &mut entrants, &scratch)?;
    for round in 0..rounds as usize {
        for place in 0..entrants.len() {
            // Each round starts with another one, so that neighbours change.
            let at = (place + round) % entrants.len();
            let entrant = &mut entrants[at];
            if entrant.status == Status::Ok && entrant.spent < ENOUGH {
                entrant.measure(row.repeat, &scratch)?;
            }
        }
    }
    for path in [&scratch.out, &scratch.err] {
        let _ = fs::remove_file(path);
    }
    Ok(RowResult {
        name: row.name.into(),
        about: row.about.into(),
        target: row.target.factor,
        against: row.target.against_name().into(),
        streaming: row.streaming,
        entries: entrants.into_iter().map(Entrant::into_entry).collect(),
    })
}

/// Compares all answers with the reference: gawk in the row's locale, or else the row's first case;
/// the first answer if there is no reference.
fn check(row: &Row, entrants: &mut [Entrant], scratch: &Scratch) -> io::Result<()> {
    let reference_name = match (row.by_case, row.unit) {
        (true, _) => row.cases.first().map_or("rhawk", |case| case.peer),
        (false, Unit::Bytes) => "gawk-c",
        (false, Unit::Characters) => "gawk",
    };
    let mut order: Vec<usize> = (0..entrants.len()).collect();
    order.sort_by_key(|&at| entrants[at].peer.known.name != reference_name);
    let mut reference: Option<Answer> = None;
    let mut limit = PATIENCE * PATIENCE_FACTOR;
    for at in order {
        let entrant = &mut entrants[at];
        let sinks = Sinks { out: Some(&scratch.out), err: Some(&scratch.err) };
        let begun = Instant::now();
        match measure::run(&entrant.invocation, sinks, limit)? {
            Ending::Done(_) => {
                let answer = Answer::of_file(&scratch.out, row.order)?;
                match &reference {
                    Some(right) if *right != answer => {
                        entrant.status = Status::Wrong;
                        entrant.detail = answer.difference(right);
                    }
                    Some(_) => {}
                    None => {
                        reference = Some(answer);
                        limit = PATIENCE.max(begun.elapsed() * PATIENCE_FACTOR);
                    }
                }
            }
            ending => entrant.fail(ending, scratch),
        }
    }
    Ok(())
}

impl Entrant<'_> {
    /// Records the time per run.
    fn measure(&mut self, repeat: u32, scratch: &Scratch) -> io::Result<()> {
        let sinks =
            Sinks { out: self.invocation.needs_file.then_some(scratch.out.as_path()), err: None };
        let (mut cpu, mut wall, mut peak_kib, mut runs) = (Duration::ZERO, Duration::ZERO, 0, 0);
        // Interpreters that take 0.2 s to start are stopped early.
        while runs < repeat && (runs == 0 || wall < ENOUGH / 4) {
            match measure::run(&self.invocation, sinks, PATIENCE * PATIENCE_FACTOR)? {
                Ending::Done(sample) => {
                    cpu += sample.cpu;
                    wall += sample.wall;
                    peak_kib = peak_kib.max(sample.peak_kib);
                    runs += 1;
                }
                ending => {
                    self.fail(ending, scratch);
                    return Ok(());
                }
            }
        }
        self.spent += wall;
        self.samples.push(Sample { cpu: cpu / runs, wall: wall / runs, peak_kib });
        Ok(())
    }

    fn fail(&mut self, ending: Ending, scratch: &Scratch) {
        let said = fs::read(&scratch.err).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let said = said.lines().next().unwrap_or_default();
        (self.status, self.detail) = match ending {
            Ending::TooSlow => (Status::Slow, "no end within the limit".into()),
            Ending::Failed(Some(code)) => (Status::Failed, format!("status {code}: {said}")),
            _ => (Status::Failed, format!("ended by a signal: {said}")),
        };
    }

    fn into_entry(self) -> Entry {
        let times =
            (self.status == Status::Ok && !self.samples.is_empty()).then(|| summary(&self.samples));
        Entry { peer: self.peer.known.name.into(), status: self.status, detail: self.detail, times }
    }
}

fn summary(samples: &[Sample]) -> Times {
    let sorted = |of: fn(&Sample) -> Duration| {
        let mut seconds: Vec<f64> =
            samples.iter().map(|sample| whole_microseconds(of(sample))).collect();
        seconds.sort_by(f64::total_cmp);
        seconds
    };
    let (cpu, wall) = (sorted(|sample| sample.cpu), sorted(|sample| sample.wall));
    Times {
        cpu_min: cpu[0],
        cpu_median: median(&cpu),
        wall_min: wall[0],
        wall_median: median(&wall),
        peak_kib: samples.iter().map(|sample| sample.peak_kib).max().unwrap_or(0),
        rounds: samples.len() as u32,
    }
}

/// Seconds without insignificant digits.
fn whole_microseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

/// Of sorted values; the mean of the middle two if their number is even.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_the_mean_of_both() {
        assert_eq!(median(&[1.0, 2.0, 9.0]), 2.0);
        assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), 3.0);
    }

    #[test]
    fn a_summary_keeps_the_best_time_and_the_worst_memory() {
        let sample = |ms, peak_kib| Sample {
            cpu: Duration::from_millis(ms),
            wall: Duration::from_millis(2 * ms),
            peak_kib,
        };
        let times = summary(&[sample(30, 10), sample(10, 40), sample(20, 20)]);
        assert_eq!((times.cpu_min, times.cpu_median, times.wall_min), (0.01, 0.02, 0.02));
        assert_eq!((times.peak_kib, times.rounds), (40, 3));
    }
}
