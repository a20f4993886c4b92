//! The gain from several cores: the pool compared with rayon, and `rhawk -j` with `rhawk` on one
//! thread, each pair in the same run.
//!
//! ```text
//! cargo run --release -p riverhawk-bench --bin cores -- [--rhawk FILE] [--data FOLDER] [--megabytes N] [--jobs N]
//!     [--rounds N] [--json FILE] [--markdown FILE] [pool] [pieces] [ahead]
//! ```
//!
//! Times are wall times, the best of the rounds, in which the contestants alternate: disturbance
//! only adds.

#![forbid(unsafe_code)]

mod ahead;
mod pieces;
mod pool;

use serde::Serialize;
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    name: String,
    value: f64,
    /// In the same run, if there is one.
    peer: Option<f64>,
    /// The peer's name.
    against: &'static str,
    unit: &'static str,
    goal: &'static str,
    reached: bool,
}

struct Options {
    rhawk: PathBuf,
    data: PathBuf,
    megabytes: u64,
    jobs: usize,
    rounds: u32,
    json: Option<PathBuf>,
    markdown: Option<PathBuf>,
    words: Vec<String>,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cores: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let wants =
        |word: &str| options.words.is_empty() || options.words.iter().any(|given| given == word);
    let mut rows = Vec::new();
    if wants("pool") {
        rows.extend(pool::rows(options.rounds));
    }
    if wants("pieces") {
        rows.extend(pieces::rows(&options)?);
    }
    if wants("ahead") {
        rows.extend(ahead::rows(&pieces::data(&options.data, options.megabytes)?, options.rounds)?);
    }
    let table = markdown(&rows);
    print!("{table}");
    if let Some(path) = &options.json {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let all = serde_json::json!({ "cores": cores, "rounds": options.rounds, "rows": rows });
        std::fs::write(path, serde_json::to_string_pretty(&all)? + "\n")?;
    }
    if let Some(path) = &options.markdown {
        std::fs::write(path, table)?;
    }
    Ok(())
}

fn options() -> Result<Options, lexopt::Error> {
    use lexopt::prelude::*;
    let beside = std::env::current_exe().ok().map(|bench| bench.with_file_name("rhawk"));
    let mut options = Options {
        rhawk: beside.unwrap_or_else(|| "rhawk".into()),
        data: "data".into(),
        megabytes: 1000,
        jobs: 2,
        rounds: 5,
        json: None,
        markdown: None,
        words: Vec::new(),
    };
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("rhawk") => options.rhawk = arguments.value()?.into(),
            Long("data") => options.data = arguments.value()?.into(),
            Long("megabytes") => options.megabytes = arguments.value()?.parse()?,
            Long("jobs") => options.jobs = arguments.value()?.parse()?,
            Long("rounds") => options.rounds = arguments.value()?.parse()?,
            Long("json") => options.json = Some(arguments.value()?.into()),
            Long("markdown") => options.markdown = Some(arguments.value()?.into()),
            Value(word) if word == "pool" || word == "pieces" || word == "ahead" => {
                options.words.push(word.string()?)
            }
            other => return Err(other.unexpected()),
        }
    }
    Ok(options)
}

fn markdown(rows: &[Row]) -> String {
    let mut table =
        String::from("| what | ours | against | ratio | goal | |\n|---|---:|---:|---:|---|---|\n");
    for row in rows {
        let peer = row
            .peer
            .map_or("-".to_owned(), |peer| format!("{peer:.1} {} ({})", row.unit, row.against));
        let ratio = row.peer.map_or("-".to_owned(), |peer| format!("{:.2}", peer / row.value));
        let reached = if row.reached { "reached" } else { "missed" };
        let Row { name, value, unit, goal, .. } = row;
        let _ = writeln!(
            table,
            "| {name} | {value:.1} {unit} | {peer} | {ratio} | {goal} | {reached} |"
        );
    }
    table
}
