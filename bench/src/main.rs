//! `bench`: rhawk and other installed awks, languages and tools, on generated data.
//!
//! `options` select rows and peers; `peers` finds installed ones; `data` makes the input. For each
//! of `rows`, `race` checks the answers and alternates the peers, whose processes `invocation`
//! describes and `measure` times. `report`, `chart` and `markdown` show the `results`. See
//! `bench/README.md`.

#![forbid(unsafe_code)]

mod answer;
mod chart;
mod data;
mod gains;
mod invocation;
mod machine;
mod markdown;
mod measure;
mod options;
mod peers;
mod prng;
mod race;
mod report;
mod results;
mod rows;
mod tiers;

use data::DataFolder;
use options::Options;
use peers::{Kind, Peer};
use results::{PeerVersion, Results};
use rows::Row;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use tiers::Measure;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let options = Options::parse(std::env::args_os().skip(1))?;
    if options.help {
        return print(options::HELP);
    }
    let rows = chosen_rows(&options)?;
    if let Some(name) =
        options.peers.iter().find(|name| !peers::KNOWN.iter().any(|known| known.name == **name))
    {
        return Err(format!("no peer is called {name}; --list shows them").into());
    }
    let results = match &options.from {
        Some(path) => {
            let mut results: Results = serde_json::from_slice(&fs::read(path)?)?;
            results.rows.retain(|row| options.wants_row(&row.name));
            results
        }
        None => {
            let peers = peers::find(&options.peers, rhawk(&options)?.as_deref());
            if options.list {
                return list(&rows, &peers);
            }
            if options.make_data {
                return make_data(&options, &rows).map(drop);
            }
            if options.compare_jit {
                return compare_tiers(&options, &rows, &peers);
            }
            if options.gains {
                let data = make_data_apart(&options, &rows)?;
                return print(&gains::table(&rows, &peers, &data, |row| {
                    eprintln!("bench: {row}")
                })?);
            }
            measured(&options, &rows, &peers)?
        }
    };
    if let Some(path) = &options.json {
        fs::write(path, serde_json::to_string_pretty(&results)? + "\n")?;
    }
    if let Some(path) = &options.svg {
        fs::write(path, chart::svg(&results))?;
    }
    if let Some(path) = &options.markdown {
        let page = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read?,
        };
        let page =
            markdown::page(&page, &results).map_err(|why| format!("{}: {why}", path.display()))?;
        fs::write(path, page)?;
    }
    print(&report::text(&results))
}

fn chosen_rows(options: &Options) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = rows::all();
    let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
    if let Some(unknown) = options.unknown_row(&names) {
        return Err(format!("no row is called {unknown}; --list shows them").into());
    }
    rows.retain(|row| options.wants_row(row.name));
    Ok(rows)
}

/// The given binary, the one built beside this program, or the one in PATH.
fn rhawk(options: &Options) -> Result<Option<PathBuf>, Box<dyn Error>> {
    if let Some(named) = &options.rhawk {
        return match fs::canonicalize(named) {
            Ok(path) => Ok(Some(path)),
            Err(error) => Err(format!("{}: {error}", named.display()).into()),
        };
    }
    let beside = std::env::current_exe()
        .ok()
        .map(|bench| bench.with_file_name("rhawk"))
        .filter(|path| path.is_file());
    let found = beside.or_else(|| peers::in_path("rhawk"));
    if found.is_none() {
        eprintln!(
            "bench: no rhawk here (cargo build --release -p riverhawk-cli makes one): the others run without it"
        );
    }
    Ok(found)
}

fn list(rows: &[Row], peers: &[Peer]) -> Result<(), Box<dyn Error>> {
    let mut text = String::from("rows:\n");
    for row in rows {
        text += &format!("  {:<20} {}\n", row.name, row.about);
    }
    text += "\npeers installed here:\n";
    for peer in peers {
        text += &format!("  {:<20} {} ({})\n", peer.known.name, peer.version, peer.path.display());
    }
    text += "\ndata:\n";
    for dataset in data::ALL {
        text += &format!("  {:<20} {}\n", dataset.name, dataset.about);
    }
    print(&text)
}

fn make_data(options: &Options, rows: &[Row]) -> Result<DataFolder, Box<dyn Error>> {
    let data = DataFolder::new(std::path::absolute(&options.data)?, options.scale);
    fs::create_dir_all(data.folder())?;
    for dataset in
        data::ALL.iter().filter(|dataset| rows.iter().any(|row| row.datasets().contains(dataset)))
    {
        if data.ensure(dataset)? {
            eprintln!("bench: made {}", data.path(dataset).display());
        }
    }
    Ok(data)
}

/// In another process: its memory (19 MiB) would be the minimum of every peer's peak.
fn make_data_apart(options: &Options, rows: &[Row]) -> Result<DataFolder, Box<dyn Error>> {
    let made = Command::new(std::env::current_exe()?)
        .arg("--make-data")
        .args(std::env::args_os().skip(1))
        .status()?;
    if !made.success() {
        return Err("the data could not be made".into());
    }
    make_data(options, rows)
}

fn compare_tiers(options: &Options, rows: &[Row], peers: &[Peer]) -> Result<(), Box<dyn Error>> {
    let data = make_data_apart(options, rows)?;
    pin(options);
    let what =
        if options.instructions { Measure::Instructions } else { Measure::Time(options.rounds) };
    print(&tiers::compare(rows, peers, &data, what, |row| eprintln!("bench: {row}"))?)
}

/// Whether everything runs on one core.
fn pin(options: &Options) -> bool {
    let pinned = options.pin && measure::pin_to_one_core();
    if options.pin && !pinned {
        eprintln!("bench: this system does not let itself be pinned; going on without");
    }
    pinned
}

fn measured(options: &Options, rows: &[Row], peers: &[Peer]) -> Result<Results, Box<dyn Error>> {
    let data = make_data_apart(options, rows)?;
    let pinned = pin(options);
    let mut measured = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        eprintln!("bench: {}/{} {}", at + 1, rows.len(), row.name);
        measured.push(race::run(row, peers, &data, options.rounds)?);
    }
    let took_part = |peer: &&Peer| {
        measured.iter().any(|row| row.entries.iter().any(|entry| entry.peer == peer.known.name))
    };
    let peers = peers.iter().filter(took_part).map(|peer| PeerVersion {
        name: peer.known.name.into(),
        version: peer.version.clone(),
        is_awk: peer.kind() == Kind::Awk,
        is_rhawk: peer.kind() == Kind::Rhawk,
    });
    Ok(Results {
        date: machine::now(),
        machine: machine::describe(),
        scale: options.scale,
        rounds: options.rounds,
        pinned,
        peers: peers.collect(),
        rows: measured,
    })
}

/// To stdout; a closed reader or a full disk is an error.
fn print(text: &str) -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}
