//! Which mutants are drawn.

use crate::Asked;
use crate::listing::{self, Mutant};
use crate::sites::Sites;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The parts of `vm`, with the related files of other crates.
const PARTS: [(&str, &[&str]); 6] = [
    (
        "records",
        &[
            "record/src/record.rs",
            "vm/src/main_input.rs",
            "record/src/record_rule.rs",
            "vm/src/file_rules.rs",
            "vm/src/ahead.rs",
            "record/src/ahead.rs",
        ],
    ),
    (
        "fields",
        &[
            "record/src/splitter.rs",
            "vm/src/splitting.rs",
            "vm/src/field_mode.rs",
            "record/src/widths.rs",
            "record/src/table/fields.rs",
        ],
    ),
    ("getline", &["vm/src/getline.rs", "awkio/src/input.rs", "awkio/src/reader.rs"]),
    (
        "comparison",
        &[
            "builtins/src/arithmetic.rs",
            "vm/src/interpret/",
            "builtins/src/collation.rs",
            "vm/src/ignore_case.rs",
            "value/src/value.rs",
        ],
    ),
    (
        "assignment",
        &[
            "vm/src/variables.rs",
            "vm/src/named.rs",
            "vm/src/specials.rs",
            "vm/src/arguments.rs",
            "vm/src/runtime.rs",
        ],
    ),
    ("printf", &["vm/src/printing.rs", "value/src/format/"]),
];

/// A name of the command line with the mutants drawn for it.
pub struct Part {
    pub name: String,
    pub mutants: Vec<Mutant>,
    /// Mutants in constants, where no run-time choice is possible.
    pub passed_over: usize,
}

fn prefixes(name: &str) -> Vec<String> {
    match PARTS.iter().find(|(part, _)| *part == name) {
        Some((_, files)) => files.iter().map(|file| (*file).to_owned()).collect(),
        None => vec![format!("{name}/src/")],
    }
}

/// Draws for each name the mutants whose keys come first in an order that only the seed decides:
/// when code changes, the others stay drawn. Also returns all candidates.
pub fn parts(tree: &Path, asked: &Asked) -> Result<(Vec<Mutant>, Vec<Part>), String> {
    let all: Vec<_> = asked.names.iter().map(|name| (name, prefixes(name))).collect();
    let crates: BTreeSet<_> =
        all.iter().flat_map(|(_, files)| files).filter_map(|file| file.split('/').next()).collect();
    let crates: Vec<String> = crates.into_iter().map(str::to_owned).collect();
    let (listed, sources) = listing::list(tree, &crates)?;
    let sites = sources.iter().map(|(file, source)| Ok((file.as_str(), Sites::of(source)?)));
    let sites: BTreeMap<&str, Sites> = sites.collect::<Result<_, String>>()?;
    let draw = |(name, prefixes): (&String, Vec<String>)| {
        let belongs = |mutant: &&Mutant| {
            let file = mutant.file.strip_prefix("crates/").unwrap_or(&mutant.file);
            prefixes.iter().any(|prefix| file.starts_with(prefix))
        };
        let mut candidates: Vec<&Mutant> = listed.iter().filter(belongs).collect();
        candidates.sort_by_key(|mutant| shuffled(&mutant.key, asked.seed));
        let mut part = Part { name: name.clone(), mutants: Vec::new(), passed_over: 0 };
        for mutant in candidates {
            if part.mutants.len() == asked.count {
                break;
            }
            match sites[mutant.file.as_str()].site(mutant) {
                Some(_) => part.mutants.push(mutant.clone()),
                None => part.passed_over += 1,
            }
        }
        if part.mutants.is_empty() {
            Err(format!("{name}: no mutants; is it a crate or a part?"))
        } else {
            Ok(part)
        }
    };
    let parts = all.into_iter().map(draw).collect::<Result<_, String>>()?;
    Ok((listed, parts))
}

pub fn union(parts: &[Part]) -> Vec<Mutant> {
    let mutants = parts.iter().flat_map(|part| &part.mutants);
    let by_place: BTreeMap<_, _> =
        mutants.map(|mutant| ((&mutant.file, mutant.span.start, &mutant.key), mutant)).collect();
    by_place.into_values().cloned().collect()
}

/// FNV-1a, then the finalizer of splitmix64.
fn shuffled(key: &str, seed: u64) -> u64 {
    let hash = key.bytes().fold(0xcbf2_9ce4_8422_2325 ^ seed, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
