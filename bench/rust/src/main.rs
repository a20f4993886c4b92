//! rhawk beside plain and tuned Rust on nine tasks.
//!
//! `cargo run --release -- RHAWK DATA [ROUNDS]` compares the answers, lets the three take turns,
//! and prints a table of CPU time, the best of the rounds, and of instructions where valgrind
//! is found. DATA is what `bench --make-data` made.

mod plain;
mod tasks;
mod tuned;

use std::env::{args_os, current_exe};
use std::error::Error;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tasks::Task;
use wait4::Wait4;

const USAGE: &str = "usage: riverhawk-bench-rust RHAWK DATA [ROUNDS]";

const ROUNDS: usize = 7;

/// The three that take part, in the table's order.
const PEERS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<OsString> = args_os().skip(1).collect();
    match words.first().and_then(|word| word.to_str()) {
        Some("plain" | "tuned") => solve(&words),
        _ => compare(&words),
    }
}

/// One task by one peer: what [`compare`] starts.
fn solve(words: &[OsString]) -> Result<(), Box<dyn Error>> {
    let [peer, name, files @ ..] = words else { return Err(USAGE.into()) };
    let task = tasks::ALL.iter().find(|task| *name == *task.name).ok_or("no such task")?;
    let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    let solution = if peer == "plain" { task.plain } else { task.tuned };
    Ok(solution(&files)?)
}

fn compare(words: &[OsString]) -> Result<(), Box<dyn Error>> {
    let [rhawk, data, rest @ ..] = words else { return Err(USAGE.into()) };
    let rounds = match rest {
        [] => ROUNDS,
        [rounds, ..] => rounds.to_str().ok_or(USAGE)?.parse()?,
    };
    println!(
        "| task | rhawk | plain Rust | tuned Rust | rhawk / tuned | instructions: rhawk | tuned | ratio |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    for task in tasks::ALL {
        let ways = ways(task, rhawk, data)?;
        let answers = ways.iter().map(|way| answer(way)).collect::<Result<Vec<_>, _>>()?;
        if answers.iter().any(|answer| *answer != answers[0]) {
            return Err(format!("{}: the answers differ", task.name).into());
        }
        let mut best = [f64::INFINITY; PEERS];
        for round in 0..rounds {
            for turn in 0..PEERS {
                let at = (round + turn) % PEERS;
                best[at] = best[at].min(cpu_seconds(&ways[at])?);
            }
        }
        let [own, plain, tuned] = best;
        print!("| {} | {own:.3} | {plain:.3} | {tuned:.3} | {:.1} |", task.about, own / tuned);
        match (instructions(&ways[0]), instructions(&ways[2])) {
            (Some(own), Some(tuned)) => {
                println!(" {own:.0} M | {tuned:.0} M | {:.1} |", own / tuned)
            }
            _ => println!(" | | |"),
        }
    }
    Ok(())
}

/// Program and arguments.
type Way = Vec<OsString>;

fn ways(task: &Task, rhawk: &OsString, data: &OsString) -> io::Result<[Way; PEERS]> {
    let files: Vec<OsString> =
        task.files.iter().map(|file| PathBuf::from(data).join(file).into()).collect();
    let own = [rhawk.clone()].into_iter().chain(task.flags.iter().map(OsString::from));
    let own = own.chain([task.program().into()]).chain(files.iter().cloned()).collect();
    let this = current_exe()?;
    let rust = |peer: &str| {
        [this.clone().into(), peer.into(), task.name.into()]
            .into_iter()
            .chain(files.clone())
            .collect()
    };
    Ok([own, rust("plain"), rust("tuned")])
}

fn command(way: &Way) -> Command {
    let mut command = Command::new(&way[0]);
    command.args(&way[1..]);
    command
}

/// The lines in their order: that of a map's keys is nobody's promise.
fn answer(way: &Way) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let output = command(way).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{way:?}: {}", output.status).into());
    }
    let mut lines: Vec<Vec<u8>> =
        output.stdout.split(|&byte| byte == b'\n').map(Vec::from).collect();
    lines.sort_unstable();
    Ok(lines)
}

/// User and system: the kernel divides them by sampling, and only their sum is exact.
fn cpu_seconds(way: &Way) -> io::Result<f64> {
    let child = command(way).stdout(Stdio::null()).spawn()?;
    let used = child.wait4()?.rusage;
    Ok((used.utime + used.stime).as_secs_f64())
}

/// In millions, by valgrind.
fn instructions(way: &Way) -> Option<f64> {
    let tool = ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"];
    let output =
        Command::new("valgrind").args(tool).args(way).stdout(Stdio::null()).output().ok()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let count = said.lines().find_map(|line| line.split_once("refs:"))?.1.trim().replace(',', "");
    count.parse::<f64>().ok().map(|count| count / 1e6)
}
