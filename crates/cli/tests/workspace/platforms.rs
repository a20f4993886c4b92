//! The page about platforms and the script that tries them have the same targets.

use std::collections::BTreeSet;
use std::fs;

use crate::sources::root;

/// From `all=(...)` of the script.
fn tried() -> BTreeSet<String> {
    let script = fs::read_to_string(root().join("packaging/check-targets")).unwrap();
    let (_, list) = script.split_once("\nall=(").expect("the list of targets");
    let (list, _) = list.split_once(')').expect("its end");
    list.split_whitespace().map(str::to_owned).collect()
}

/// From the first column of the page's table, whose second column says whether it builds.
fn described() -> BTreeSet<String> {
    let page = fs::read_to_string(root().join("docs/platforms.md")).unwrap();
    let (_, table) = page.split_once("\n| target |").expect("the table");
    let rows = table.lines().skip(2).map_while(|line| line.strip_prefix("| "));
    rows.flat_map(|row| row.split('|').next().unwrap_or_default().split(','))
        .map(|target| target.trim().trim_matches('`').to_owned())
        .collect()
}

#[test]
fn the_page_describes_each_target_that_the_script_tries() {
    let described = described();
    let missing: Vec<_> = tried().difference(&described).cloned().collect();
    assert!(missing.is_empty(), "docs/platforms.md has no row for {missing:?}");
}

#[test]
fn the_script_tries_each_target_that_the_page_describes() {
    // These two have tests of their own.
    let elsewhere = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];
    let tried = tried();
    let described = described();
    let untried: Vec<_> = described
        .iter()
        .filter(|target| !tried.contains(*target) && !elsewhere.contains(&target.as_str()))
        .collect();
    assert!(untried.is_empty(), "packaging/check-targets does not try {untried:?}");
}
