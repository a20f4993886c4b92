//! Records gawk's answers to the rows of the corpus, and where other awks differ.
//!
//! `record [--check] [FILE]...` rewrites the files, or all of the corpus, in canonical form. With
//! `--check` it only prints each row whose record has changed, and ends with status 1 if there is
//! one.
//!
//! A row with `because` keeps its own expectation, and gawk's becomes `gawk-says`. A row that names
//! gawk as different is rhawk's alone: no other awk runs it.

use riverhawk_tests::oracle::{self, REFERENCES, Reference};
use riverhawk_tests::row::{Item, Row};
use riverhawk_tests::{Awk, Config, load, render, run, suite};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

const PEERS: &[Reference] = REFERENCES.split_at(1).1;

const PEER_LIMIT: Duration = Duration::from_secs(5);

fn main() -> ExitCode {
    let (flags, paths): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|a| a.starts_with('-'));
    let check = flags.iter().any(|f| f == "--check");
    if flags.iter().any(|f| f != "--check") {
        eprintln!("usage: record [--check] [FILE]...");
        return ExitCode::from(1);
    }
    match record(&paths.into_iter().map(PathBuf::from).collect::<Vec<_>>(), check) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("record: {message}");
            ExitCode::from(2)
        }
    }
}

/// Returns false if `check` found a change.
fn record(paths: &[PathBuf], check: bool) -> Result<bool, String> {
    let gawk = oracle::gawk().ok_or("gawk is what expectations come from")?;
    gawk.knows_the_locale()?;
    let peers: Vec<(&str, Awk)> =
        PEERS.iter().filter_map(|peer| Some((peer.name, peer.find()?))).collect();
    let mut unchanged = true;
    let (mut rows, mut differing) = (0, 0);
    for mut file in load::load(paths)? {
        let before: Vec<Row> = file.rows().cloned().collect();
        let after = suite::on_threads(&before, |row| recorded(row, &gawk, &peers));
        rows += after.len();
        let mut after = after.into_iter();
        for item in &mut file.items {
            if let Item::Row(row) = item {
                let new = after.next().ok_or("a row was lost")??;
                differing += usize::from(!new.differs.is_empty());
                let changed = format!("{new:?}") != format!("{row:?}");
                if changed && (check || row.expected.is_some()) {
                    println!("{}: changed", new.id());
                }
                unchanged &= !changed;
                **row = new;
            }
        }
        if !check {
            std::fs::write(&file.path, render::render(&file.items))
                .map_err(|e| format!("{}: {e}", file.path.display()))?;
        }
    }
    println!("record: {rows} rows, {differing} with an awk that differs from gawk");
    Ok(unchanged || !check)
}

fn recorded(row: &Row, gawk: &Awk, peers: &[(&str, Awk)]) -> Result<Row, String> {
    if row.is_ours_alone() {
        return Ok(row.clone());
    }
    let run = |awk: &Awk, limit| {
        run::run(awk, row, Config::Default, limit).map_err(|e| format!("{}: {e}", row.id()))
    };
    let oracle = run(gawk, suite::TIME_LIMIT)?;
    if oracle.timed_out && row.because.is_none() {
        println!("{}: gawk did not end: only a row with `because` can stand", row.id());
        return Ok(row.clone());
    }
    let mut new = row.clone();
    if row.because.is_some() {
        new.gawk = Some(oracle.produced.clone());
    } else {
        new.expected = Some(oracle.produced.clone());
        for ((name, content), found) in new.creates.iter_mut().zip(&oracle.created) {
            *content = Some(
                found
                    .clone()
                    .ok_or_else(|| format!("{}: gawk does not create {name}", row.id()))?,
            );
        }
        match (oracle.stderr.is_empty(), oracle.produced.status) {
            (true, _) => new.stderr.retain(|w| w == "*"),
            // gawk warns where others do not; a failure needs a message.
            (false, 0) if new.stderr.is_empty() => new.stderr.push("*".to_owned()),
            (false, _) if new.stderr.is_empty() => new.stderr.push("?".to_owned()),
            _ => {}
        }
    }
    for (name, awk) in peers {
        let theirs = run(awk, PEER_LIMIT)?;
        let same = !theirs.timed_out
            && theirs.produced == oracle.produced
            && theirs.created == oracle.created;
        new.differs.retain(|n| n != name);
        if !same {
            new.differs.push((*name).to_owned());
        }
    }
    let order = |name: &String| PEERS.iter().position(|peer| peer.name == *name);
    new.differs.sort_by_key(order);
    Ok(new)
}
