//! Files of a crate import each other without cycles.
//!
//! An import is a `use` or a path that begins with `crate`, `self`, `super` or a child module's
//! name. A re-exported item is imported from the file that defines it; re-exporting is no import.
//! Tests are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::sources::{self, Module};

/// Files that may import each other, because their types contain each other: a `Stream` has a
/// method for each adaptor, and an adaptor is a `Stream`; a value may be an array of values.
const KNOTS: [(&str, &[&str]); 2] = [("stream", &["algebra::"]), ("value", &["array", "value"])];

struct Crate {
    sources: BTreeMap<Module, String>,
    /// By module and name from `use`, the imported path.
    aliases: BTreeMap<Module, BTreeMap<String, Module>>,
}

impl Crate {
    fn read(folder: &Path) -> Crate {
        let mut read = Crate { sources: sources::read(folder), aliases: BTreeMap::new() };
        let modules: Vec<Module> = read.sources.keys().cloned().collect();
        for module in modules {
            let uses = imports(&read.sources[&module]);
            let named = uses
                .iter()
                .filter_map(|(path, name, _)| Some((name.clone(), read.absolute(&module, path)?)));
            let named = named.collect();
            read.aliases.insert(module, named);
        }
        read
    }

    /// A path from the crate's root, if it is within this crate.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Module> {
        let first = path.first()?;
        let supers = path.iter().take_while(|part| *part == "super").count();
        let (above, rest) = match first.as_str() {
            "crate" => (&[][..], &path[1..]),
            "self" => (&module[..], &path[1..]),
            "super" => (&module[..module.len().checked_sub(supers)?], &path[supers..]),
            child => {
                let is_child =
                    self.sources.contains_key(&[&module[..], &[child.to_owned()]].concat());
                is_child.then_some((&module[..], path))?
            }
        };
        Some([above, rest].concat())
    }

    fn definition(&self, path: &Module) -> Module {
        let mut path = path.clone();
        for _ in 0..8 {
            let length = (0..=path.len()).rev().find(|&n| self.sources.contains_key(&path[..n]));
            let (module, rest) = path.split_at(length.unwrap_or(0));
            let alias = rest.first().and_then(|name| self.aliases.get(module)?.get(name));
            match alias {
                Some(alias) if *alias != path => path = [&alias[..], &rest[1..]].concat(),
                _ => return module.to_vec(),
            }
        }
        path
    }

    fn arrows(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let arrows = self.sources.iter().map(|(module, source)| {
            let used = imports(source).into_iter().filter(|(.., handed_on)| !handed_on);
            let paths = used.map(|(path, ..)| path).chain(paths(source));
            let absolute = paths.filter_map(|path| self.absolute(module, &path));
            let files = absolute.map(|path| self.definition(&path)).filter(|file| file != module);
            (module, files.collect())
        });
        arrows.collect()
    }

    fn cycles(&self) -> Vec<String> {
        let arrows = self.arrows();
        let reaches_itself = |start: &&Module| {
            let (mut seen, mut waiting) = (BTreeSet::new(), vec![*start]);
            while let Some(module) = waiting.pop() {
                for next in &arrows[module] {
                    if next == *start {
                        return true;
                    }
                    let Some((next, _)) = arrows.get_key_value(next) else { continue };
                    if seen.insert(*next) {
                        waiting.push(next);
                    }
                }
            }
            false
        };
        arrows
            .keys()
            .copied()
            .filter(|module| reaches_itself(module))
            .map(|m| m.join("::"))
            .collect()
    }
}

/// Every import of a source: its path, its name, and whether it is re-exported.
fn imports(source: &str) -> Vec<(Module, String, bool)> {
    let mut found = Vec::new();
    for (at, _) in source.match_indices("use ") {
        let line = source[..at].rsplit('\n').next().unwrap_or_default().trim();
        if !(line.is_empty() || line.starts_with("pub")) {
            continue;
        }
        let tree = source[at + 4..].split(';').next().unwrap_or_default();
        let mut leaves = Vec::new();
        expand(tree.trim(), "", &mut leaves);
        for leaf in leaves {
            let (path, alias) = leaf.split_once(" as ").unwrap_or((&leaf, ""));
            let path: Module = path.split("::").map(|part| part.trim().to_owned()).collect();
            let name = if alias.is_empty() {
                path[path.len() - 1].clone()
            } else {
                alias.trim().to_owned()
            };
            found.push((path, name, !line.is_empty()));
        }
    }
    found
}

/// The leaves of a tree of imports, each with its whole path.
fn expand(tree: &str, before: &str, leaves: &mut Vec<String>) {
    let Some((head, rest)) = tree.split_once('{') else {
        leaves.push(format!("{before}{}", tree.trim().trim_end_matches("::self")));
        return;
    };
    let before = format!("{before}{}", head.trim());
    let (mut depth, mut start) = (0, 0);
    let body = &rest[..rest.rfind('}').unwrap_or(rest.len())];
    for (at, byte) in body.bytes().chain(*b",").enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' if depth == 0 => {
                let part = body[start..at].trim();
                if part == "self" {
                    leaves.push(before.trim_end_matches("::").to_owned());
                } else if !part.is_empty() {
                    expand(part, &before, leaves);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

fn paths(source: &str) -> impl Iterator<Item = Module> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let without_uses: String = source
        .split_inclusive(';')
        .filter(|statement| {
            let last =
                statement.trim().rsplit('\n').find(|line| line.contains("use ")).unwrap_or("");
            !last.trim_start_matches("pub ").trim_start().starts_with("use ")
        })
        .collect();
    let words: Vec<Module> = without_uses
        .split(|c| !is_part(c))
        .filter(|word| ["crate::", "super::", "self::"].iter().any(|start| word.starts_with(start)))
        .map(|word| word.trim_end_matches(':').split("::").map(str::to_owned).collect())
        .collect();
    words.into_iter()
}

#[test]
fn files_of_a_crate_import_each_other_in_one_direction() {
    for (name, folder) in sources::crates() {
        let mut cycles = Crate::read(&folder).cycles();
        for (_, knot) in KNOTS.iter().filter(|(knotted, _)| *knotted == name) {
            cycles.retain(|module| !knot.iter().any(|part| module.starts_with(part)));
        }
        assert!(cycles.is_empty(), "files of `{name}` that can reach themselves: {cycles:?}");
    }
}

#[test]
fn imports_are_found_in_every_form() {
    let source =
        "use crate::a::{self, b::C, d::{E as F, self}};\npub use super::g::H;\nuse std::io;";
    let found: Vec<_> = imports(source).into_iter().map(|(p, n, h)| (p.join("::"), n, h)).collect();
    let wanted = [
        ("crate::a", "a", false),
        ("crate::a::b::C", "C", false),
        ("crate::a::d::E", "F", false),
        ("crate::a::d", "d", false),
        ("super::g::H", "H", true),
        ("std::io", "io", false),
    ];
    assert_eq!(found, wanted.map(|(p, n, h)| (p.to_owned(), n.to_owned(), h)));
}
