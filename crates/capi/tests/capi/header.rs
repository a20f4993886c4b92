//! The header that is checked in is the one that cbindgen makes.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(folder().join(path)).unwrap()
}

#[test]
fn the_header_is_what_cbindgen_makes() {
    let cbindgen = std::env::var_os("CBINDGEN").unwrap_or_else(|| "cbindgen".into());
    let arguments = ["--quiet", "--lockfile", "../../Cargo.lock", "."];
    let made = Command::new(cbindgen).args(arguments).current_dir(folder()).output();
    let Ok(made) = made else {
        eprintln!("left out: no cbindgen (cargo install cbindgen)");
        return;
    };
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let made = String::from_utf8(made.stdout).unwrap();
    assert!(
        made == read("include/riverhawk.h"),
        "include/riverhawk.h is out of date: (cd crates/capi && cbindgen . -o include/riverhawk.h)"
    );
}

/// Names before a parenthesis.
fn functions(text: &str) -> BTreeSet<String> {
    let before = text.split('(').map(|part| {
        part.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default()
    });
    before.filter(|name| name.starts_with("rh_")).map(str::to_owned).collect()
}

fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Of the sources, without cbindgen.
fn entry_points() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in fs::read_dir(folder().join("src")).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let exported = text.split("#[unsafe(no_mangle)]").skip(1);
        found.extend(exported.map(|rest| {
            let rest = rest.split("fn ").nth(1).unwrap();
            rest.split(['(', '<']).next().unwrap().to_owned()
        }));
    }
    found
}

#[test]
fn the_header_has_every_entry_point() {
    let header = code(&read("include/riverhawk.h"));
    let mut declared = functions(&header);
    assert!(declared.remove("rh_text_of"));
    assert_eq!(declared, entry_points());
}

#[test]
fn the_tests_call_every_entry_point() {
    let called = ["entry_points.rs", "functions.rs", "panics.rs"]
        .map(|file| read(&format!("tests/capi/{file}")));
    let called = functions(&code(&called.concat()));
    let missing: Vec<String> = entry_points().difference(&called).cloned().collect();
    assert!(missing.is_empty(), "not called: {missing:?}");
}
