//! Compiles the woven files, without the mutants that the compiler refuses.

use crate::copy::Copy;
use crate::listing::Mutant;
use crate::weave::{self, Numbered, Woven};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::process::Stdio;

type Ranges = Vec<(u32, Range<usize>)>;

const SWITCH: &str = include_str!("../switch.rs");

pub fn crates(mutants: &[Mutant]) -> BTreeSet<&str> {
    mutants.iter().filter_map(|mutant| mutant.file.split('/').nth(1)).collect()
}

/// The root of a crate, which gets the function that returns the running mutant.
fn root(name: &str) -> String {
    format!("crates/{name}/src/lib.rs")
}

pub fn woven_files(mutants: &[Mutant]) -> BTreeSet<String> {
    let roots = crates(mutants).into_iter().map(root);
    mutants.iter().map(|mutant| mutant.file.clone()).chain(roots).collect()
}

/// Returns the mutants that do not compile. Mutants are numbered from 1.
pub fn until_it_compiles(
    copy: &Copy,
    tree: &Path,
    mutants: &mut Vec<Mutant>,
) -> Result<Vec<Mutant>, String> {
    for name in crates(mutants) {
        copy.write(&format!("crates/{name}/src/mutant_switch.rs"), SWITCH.as_bytes())?;
    }
    let originals = originals(tree, mutants)?;
    let mut unviable = Vec::new();
    loop {
        let woven = weave_all(copy, &originals, mutants)?;
        let errors = check(copy, mutants)?;
        if errors.is_empty() {
            return Ok(unviable);
        }
        let refused: BTreeSet<u32> =
            errors.iter().flat_map(|error| culprits(error, &woven)).collect();
        if refused.is_empty() {
            let said: String =
                errors.iter().filter_map(|error| error["rendered"].as_str()).collect();
            return Err(format!("it does not compile, and no mutant can be blamed:\n{said}"));
        }
        eprintln!("mutants: {} do not compile", refused.len());
        let mut number = 0;
        mutants.retain(|mutant| {
            number += 1;
            let stays = !refused.contains(&number);
            if !stays {
                unviable.push(mutant.clone());
            }
            stays
        });
    }
}

fn originals(tree: &Path, mutants: &[Mutant]) -> Result<BTreeMap<String, String>, String> {
    let roots: BTreeSet<String> = crates(mutants).into_iter().map(root).collect();
    let read = |file: String| {
        let mut text = std::fs::read_to_string(tree.join(&file))
            .map_err(|error| format!("{file}: {error}"))?;
        if roots.contains(&file) {
            text.push_str("\nmod mutant_switch;\npub(crate) use mutant_switch::mutant;\n");
        }
        Ok((file, text))
    };
    woven_files(mutants).into_iter().map(read).collect()
}

type AllWoven = BTreeMap<String, Woven>;

fn weave_all(
    copy: &Copy,
    originals: &BTreeMap<String, String>,
    mutants: &[Mutant],
) -> Result<AllWoven, String> {
    let mut all = BTreeMap::new();
    for (file, source) in originals {
        let own = (1..).zip(mutants).filter(|(_, mutant)| mutant.file == *file);
        let woven = weave::weave(source, &own.collect::<Vec<Numbered>>())?;
        copy.write(file, woven.text.as_bytes())?;
        all.insert(file.clone(), woven);
    }
    Ok(all)
}

fn check(copy: &Copy, mutants: &[Mutant]) -> Result<Vec<Value>, String> {
    let mut command = copy.cargo("check");
    command.args(["--message-format=json", "--keep-going"]);
    for name in crates(mutants) {
        command.args(["-p", &format!("riverhawk-{name}")]);
    }
    let output =
        command.stderr(Stdio::null()).output().map_err(|error| format!("cargo: {error}"))?;
    let messages = output
        .stdout
        .split(|&byte| byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let errors = messages
        .map(|message| message["message"].clone())
        .filter(|message| message["level"] == "error");
    let errors: Vec<Value> = errors.collect();
    if errors.is_empty() && !output.status.success() {
        return Err("cargo check fails without an error; try it in the copy".to_owned());
    }
    Ok(errors)
}

/// The mutants in whose own text an error is; else beside it; else around it.
fn culprits(error: &Value, woven: &AllWoven) -> BTreeSet<u32> {
    let spans = || error["spans"].as_array().into_iter().flatten();
    let primary = || spans().filter(|span| span["is_primary"] == true);
    let own = |span: &Value| touched(span, woven, |woven| &woven.own);
    let around = |span: &Value| touched(span, woven, |woven| &woven.around);
    let mut found: BTreeSet<u32> = primary().flat_map(own).collect();
    if found.is_empty() {
        found = spans().flat_map(own).collect();
    }
    if found.is_empty() {
        found = primary().flat_map(around).collect();
    }
    if found.is_empty() {
        found = spans().flat_map(around).collect();
    }
    found
}

fn touched(span: &Value, woven: &AllWoven, of: fn(&Woven) -> &Ranges) -> Vec<u32> {
    let byte = |field: &str| span[field].as_u64().unwrap_or(0) as usize;
    let (start, end) = (byte("byte_start"), byte("byte_end"));
    let ranges =
        span["file_name"].as_str().and_then(|file| woven.get(file)).into_iter().flat_map(of);
    ranges
        .filter(|(_, range)| range.start <= start && end <= range.end)
        .map(|(number, _)| *number)
        .collect()
}
