//! A crate's sources, without comments, texts and tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module's path in its crate: empty for `lib.rs`.
pub type Module = Vec<String>;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn crates() -> impl Iterator<Item = (String, PathBuf)> {
    let folders = fs::read_dir(root().join("crates")).unwrap();
    folders.map(|entry| {
        let folder = entry.unwrap().path();
        (folder.file_name().unwrap().to_str().unwrap().to_owned(), folder)
    })
}

pub fn read(folder: &Path) -> BTreeMap<Module, String> {
    let mut sources = BTreeMap::new();
    read_folder(&folder.join("src"), &mut Vec::new(), &mut sources);
    let of_tests: BTreeSet<Module> =
        sources.iter().flat_map(|(module, source)| test_modules(module, source)).collect();
    sources.retain(|module: &Module, _| !of_tests.iter().any(|test| module.starts_with(test)));
    sources
}

fn read_folder(folder: &Path, module: &mut Module, sources: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            module.push(name);
            read_folder(&path, module, sources);
            module.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let mut file = module.clone();
            if !["lib", "main", "mod"].contains(&name.as_str()) {
                file.push(name);
            }
            let source = code_of(&fs::read_to_string(&path).unwrap());
            sources.entry(file).or_default().push_str(&source);
        }
    }
}

/// Without comments, texts and the module of tests.
fn code_of(source: &str) -> String {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or(source);
    let mut code = String::new();
    for line in source.lines() {
        let line = line.split("//").next().unwrap_or(line);
        // Every second part is between quotes; escaped quotes disturb no path.
        code.extend(line.split('"').step_by(2));
        code.push('\n');
    }
    code
}

fn test_modules<'a>(module: &'a Module, source: &'a str) -> impl Iterator<Item = Module> + 'a {
    let after = source.split("#[cfg(test)]\n").skip(1);
    let named = after.filter_map(|rest| rest.strip_prefix("mod ")?.split(';').next());
    named.map(|name| [&module[..], &[name.to_owned()]].concat())
}
