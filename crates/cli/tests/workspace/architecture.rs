//! Dependencies between crates are exactly those in ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::sources::root;

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// From the table under "Crates and arrows": the crate in the second column, its uses in the
/// fourth.
fn drawn() -> Arrows {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, section) = page.split_once("## Crates and arrows").expect("the section");
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| {
        let cells: Vec<&str> =
            line.trim().strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
        let name = cells.get(1)?.strip_prefix('`')?.strip_suffix('`')?;
        let uses = cells
            .get(3)?
            .split(',')
            .map(|used| used.trim().trim_matches('`').to_owned())
            .filter(|used| used != "-")
            .collect();
        Some((name.to_owned(), uses))
    });
    rows.collect()
}

/// From the manifests, without development dependencies.
fn actual() -> Arrows {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version=1", "--offline", "--manifest-path"])
        .arg(root().join("Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    // The facade's package has the project's name.
    let of_workspace = |name: &Value| match name.as_str().unwrap() {
        "riverhawk" => Some("riverhawk".to_owned()),
        name => name.strip_prefix("riverhawk-").map(str::to_owned),
    };
    let mut arrows = Arrows::new();
    for package in metadata["packages"].as_array().unwrap() {
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let uses = dependencies
            .filter(|dependency| dependency["kind"] != "dev")
            .filter_map(|dependency| of_workspace(&dependency["name"]));
        arrows.insert(
            of_workspace(&package["name"]).expect("packages are called riverhawk-..."),
            uses.collect(),
        );
    }
    arrows
}

#[test]
fn every_crate_has_a_row_and_every_row_a_crate() {
    let names = |arrows: Arrows| arrows.into_keys().collect::<BTreeSet<String>>();
    assert_eq!(names(actual()), names(drawn()));
}

#[test]
fn every_crate_uses_what_its_row_says() {
    let actual = actual();
    for (name, drawn) in drawn() {
        assert_eq!(
            actual.get(&name),
            Some(&drawn),
            "what `{name}` uses, and its row in ARCHITECTURE.md"
        );
    }
}

#[test]
fn arrows_only_go_down() {
    let drawn = drawn();
    // Depth-first search for cycles.
    for start in drawn.keys() {
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<&String> = drawn[start].iter().collect();
        while let Some(name) = waiting.pop() {
            assert_ne!(name, start, "`{start}` can reach itself");
            if seen.insert(name) {
                waiting.extend(drawn.get(name).unwrap_or_else(|| panic!("`{name}` has no row")));
            }
        }
    }
}

/// Files that start threads, without tests. Concurrent work is a task of the pool; each other
/// thread has its reason.
const THREADS: [(&str, &str); 12] = [
    ("pool/src/config.rs", "the pool's own"),
    ("pool/src/pool.rs", "ends a pool that one of its tasks has dropped"),
    ("pool/src/threads.rs", "the pool's own, by the source that its builder was given"),
    ("spesh/src/executor.rs", "for a specialiser without a pool; the engine gives it the pool"),
    ("tools/src/profile/ticker.rs", "ticks more often than the pool's timers do"),
    ("dap/src/run.rs", "runs a program, while an editor's messages are read"),
    ("handle/src/dispatcher/events.rs", "waits for descriptors as long as the process lives"),
    ("awkio/src/relay.rs", "copies what a command prints, as long as the command lives"),
    ("riverhawk/src/records.rs", "runs a program whose output is pulled, for as long as it is"),
    ("python/src/interrupt.rs", "notices Ctrl-C while Python's main thread is in the engine"),
    ("python/src/stream.rs", "runs a program whose output Python pulls, for as long as it does"),
    ("awkio/src/timers.rs", "acts when nothing else answers; exists before the sandbox does"),
];

#[test]
fn threads_are_the_pools_or_have_a_reason() {
    let crates = root().join("crates");
    let mut folders = vec![crates.clone()];
    let mut found = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&crates).unwrap().to_str().unwrap().to_owned();
            let is_source = name.contains("/src") && name.ends_with(".rs");
            if path.is_dir() {
                folders.push(path);
            } else if is_source && !name.ends_with("tests.rs") && !name.ends_with("models.rs") {
                let text = fs::read_to_string(&path).unwrap();
                let text = text.split("\nmod tests {").next().unwrap();
                let starts = |line: &str| {
                    let code = line.trim_start();
                    !code.starts_with("//")
                        && [
                            "thread::spawn(",
                            "thread::Builder",
                            "builder.spawn(",
                            "Builder::new().name",
                        ]
                        .iter()
                        .any(|start| code.contains(start))
                };
                if text.lines().any(starts) {
                    found.insert(name);
                }
            }
        }
    }
    let known: BTreeSet<String> = THREADS.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(found, known);
}
