//! The crates depend on each other as ARCHITECTURE.md says, and on nothing else in the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A crate and what it uses, or may use.
type Arrows = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The table under "Rooms and arrows": second column the crate, fourth what it may use.
fn allowed() -> Arrows {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, section) = page.split_once("## Rooms and arrows").expect("the section");
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| {
        let cells: Vec<&str> = line.trim().strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
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

/// What the manifests say, development dependencies left out.
fn actual() -> Arrows {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version=1", "--offline", "--manifest-path"])
        .arg(root().join("Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let of_workspace = |name: &Value| name.as_str().unwrap().strip_prefix("riverhawk-").map(str::to_owned);
    let mut arrows = Arrows::new();
    for package in metadata["packages"].as_array().unwrap() {
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let uses = dependencies
            .filter(|dependency| dependency["kind"] != "dev")
            .filter_map(|dependency| of_workspace(&dependency["name"]));
        arrows.insert(of_workspace(&package["name"]).expect("packages are called riverhawk-..."), uses.collect());
    }
    arrows
}

#[test]
fn every_crate_has_a_row_and_every_row_a_crate() {
    let names = |arrows: Arrows| arrows.into_keys().collect::<BTreeSet<String>>();
    assert_eq!(names(actual()), names(allowed()));
}

#[test]
fn no_crate_uses_another_that_its_row_does_not_allow() {
    let allowed = allowed();
    for (name, uses) in actual() {
        for used in uses {
            assert!(
                allowed[&name].contains(&used),
                "`{name}` uses `{used}`, which its row in ARCHITECTURE.md does not allow"
            );
        }
    }
}

#[test]
fn arrows_only_go_down() {
    let allowed = allowed();
    // Depth-first over what is allowed: a crate that could reach itself would be a circle.
    for start in allowed.keys() {
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<&String> = allowed[start].iter().collect();
        while let Some(name) = waiting.pop() {
            assert_ne!(name, start, "`{start}` can reach itself");
            if seen.insert(name) {
                waiting.extend(allowed.get(name).unwrap_or_else(|| panic!("`{name}` has no row")));
            }
        }
    }
}
