//! Compressed input: `rhawk file.gz`, `gzip -dc file.gz | rhawk`, the same with gawk, and the
//! decompressor alone.
//!
//! ```text
//! cargo run --release -p riverhawk-bench --bin compressed -- [--rhawk FILE] [--data FOLDER] [--scale F] [--rounds N] [--json FILE]
//!     [gzip] [zstd] [bzip2] [xz] [lz4]
//! ```
//!
//! Times are wall times, since a pipeline's processes run in parallel as rhawk's threads do: the
//! best of the rounds, in which the contestants alternate. All must print the same. Formats without
//! an installed tool are left out, and so is gawk.

#![forbid(unsafe_code)]

// Both are modules of the main benchmark, which uses all of them.
#[allow(dead_code)]
#[path = "../../data/mod.rs"]
mod data;
#[path = "../../prng.rs"]
mod prng;

use data::{DataFolder, Dataset, LOG};
use serde::Serialize;
use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

struct Format {
    tool: &'static str,
    ending: &'static str,
    /// Maximum ratio to the tool's pipeline into rhawk.
    of_pipeline: Option<f64>,
    /// Maximum ratio to the tool writing to /dev/null, for the program with little other work.
    of_tool: Option<f64>,
}

const FORMATS: [Format; 5] = [
    Format { tool: "gzip", ending: "gz", of_pipeline: Some(1.0), of_tool: None },
    Format { tool: "zstd", ending: "zst", of_pipeline: None, of_tool: Some(1.2) },
    Format { tool: "bzip2", ending: "bz2", of_pipeline: None, of_tool: None },
    Format { tool: "xz", ending: "xz", of_pipeline: None, of_tool: None },
    Format { tool: "lz4", ending: "lz4", of_pipeline: None, of_tool: None },
];

/// Little work for each record, and some.
const PROGRAMS: [(&str, &str); 2] = [
    ("lines", "END { print NR }"),
    (
        "by-key",
        "{ bytes[$9] += $10 } END { for (key in bytes) n += bytes[key]; printf \"%d %d\\n\", length(bytes), n }",
    ),
];

#[derive(Serialize)]
struct Row {
    name: String,
    ours: f64,
    /// Each other contestant, its milliseconds, and the goal as a part of these.
    others: Vec<(String, f64, Option<f64>)>,
}

struct Options {
    rhawk: PathBuf,
    data: PathBuf,
    scale: f64,
    rounds: u32,
    json: Option<PathBuf>,
    /// Formats to measure; all if empty.
    tools: Vec<String>,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("compressed: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let folder = DataFolder::new(options.data.clone(), options.scale);
    folder.ensure(&LOG)?;
    let mut rows = Vec::new();
    let wants =
        |tool: &str| options.tools.is_empty() || options.tools.iter().any(|given| given == tool);
    for format in FORMATS.iter().filter(|format| wants(format.tool) && is_installed(format.tool)) {
        let file = compressed(&folder, &LOG, format)?;
        for (name, program) in PROGRAMS {
            rows.push(measure(&options, format, &file, name, program)?);
        }
    }
    print!("{}", table(&rows));
    if let Some(path) = &options.json {
        std::fs::write(path, serde_json::to_string_pretty(&rows)? + "\n")?;
    }
    Ok(())
}

fn measure(
    options: &Options,
    format: &Format,
    file: &Path,
    name: &str,
    program: &str,
) -> Result<Row, Box<dyn Error>> {
    let (rhawk, tool) = (options.rhawk.to_string_lossy(), format.tool);
    // Program and file are operands of the shell, so that nothing needs quoting.
    let mut ways = vec![
        (format!("{rhawk} file"), "exec \"$0\" \"$1\" \"$2\"".to_string(), None),
        (
            format!("{tool} -dc file | rhawk"),
            format!("{tool} -dc \"$2\" | \"$0\" \"$1\""),
            format.of_pipeline,
        ),
    ];
    if is_installed("gawk") {
        ways.push((
            format!("{tool} -dc file | gawk"),
            format!("{tool} -dc \"$2\" | gawk \"$1\""),
            None,
        ));
    }
    let alone = format!("exec {tool} -dc \"$2\" >/dev/null");
    let alone_at = ways.len();
    let of_tool = format.of_tool.filter(|_| name == PROGRAMS[0].0);
    ways.push((format!("{tool} -dc file >/dev/null"), alone, of_tool));
    let mut best = vec![Duration::MAX; ways.len()];
    let mut answer: Option<Vec<u8>> = None;
    for round in 0..options.rounds as usize {
        for place in 0..ways.len() {
            let at = (place + round) % ways.len();
            let mut shell = Command::new("sh");
            shell
                .arg("-c")
                .arg(&ways[at].1)
                .arg(&options.rhawk)
                .arg(program)
                .arg(file)
                .env("LC_ALL", "C.UTF-8");
            let start = Instant::now();
            let output = shell.stdin(Stdio::null()).output()?;
            best[at] = best[at].min(start.elapsed());
            if !output.status.success() {
                return Err(
                    format!("{}: {}", ways[at].0, String::from_utf8_lossy(&output.stderr)).into()
                );
            }
            if at != alone_at
                && *answer.get_or_insert_with(|| output.stdout.clone()) != output.stdout
            {
                return Err(format!("{name}: {} prints something else", ways[at].0).into());
            }
        }
    }
    let milliseconds = |at: usize| best[at].as_secs_f64() * 1e3;
    let others = ways
        .into_iter()
        .enumerate()
        .skip(1)
        .map(|(at, (who, _, goal))| (who, milliseconds(at), goal));
    Ok(Row { name: format!("{tool}-{name}"), ours: milliseconds(0), others: others.collect() })
}

fn is_installed(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(tool).is_file())
}

/// Compressed at the tool's default level. Regenerated if older than the data.
fn compressed(
    folder: &DataFolder,
    dataset: &Dataset,
    format: &Format,
) -> Result<PathBuf, Box<dyn Error>> {
    let plain = folder.path(dataset);
    let path = folder.folder().join(format!("{}.{}", dataset.name, format.ending));
    let modified = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    if modified(&path) < modified(&plain) {
        let (from, to) = (File::open(&plain)?, File::create(&path)?);
        let status = Command::new(format.tool).arg("-c").stdin(from).stdout(to).status()?;
        if !status.success() {
            return Err(format!("{} does not compress {}", format.tool, plain.display()).into());
        }
    }
    Ok(path)
}

fn options() -> Result<Options, lexopt::Error> {
    use lexopt::prelude::*;
    let beside = std::env::current_exe().ok().map(|bench| bench.with_file_name("rhawk"));
    let mut options = Options {
        rhawk: beside.unwrap_or_else(|| "rhawk".into()),
        data: Path::new(env!("CARGO_MANIFEST_DIR")).join("data"),
        scale: 1.0,
        rounds: 5,
        json: None,
        tools: Vec::new(),
    };
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("rhawk") => options.rhawk = arguments.value()?.into(),
            Long("data") => options.data = arguments.value()?.into(),
            Long("scale") => options.scale = arguments.value()?.parse()?,
            Long("rounds") => options.rounds = arguments.value()?.parse()?,
            Long("json") => options.json = Some(arguments.value()?.into()),
            Value(tool) if FORMATS.iter().any(|format| tool == format.tool) => {
                options.tools.push(tool.string()?)
            }
            other => return Err(other.unexpected()),
        }
    }
    Ok(options)
}

fn table(rows: &[Row]) -> String {
    let mut table = String::from(
        "| what | rhawk file | beside | ratio | goal | |\n|---|---:|---:|---:|---:|---|\n",
    );
    for Row { name, ours, others } in rows {
        for (who, theirs, goal) in others {
            let (goal, reached) = match goal {
                Some(goal) => {
                    (goal.to_string(), if ours / theirs <= *goal { "reached" } else { "missed" })
                }
                None => ("-".into(), ""),
            };
            let who = who.replace('|', "\\|");
            table += &format!(
                "| {name} | {ours:.0} ms | {theirs:.0} ms {who} | {:.2} | {goal} | {reached} |\n",
                ours / theirs
            );
        }
    }
    table
}
