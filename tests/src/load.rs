//! Finds and reads the corpus files.

use crate::parse::parse;
use crate::row::File;
use std::path::{Path, PathBuf};

pub fn corpus_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// Reads the named files, or without names the whole corpus in order.
pub fn load(paths: &[PathBuf]) -> Result<Vec<File>, String> {
    let mut paths = paths.to_vec();
    if paths.is_empty() {
        let dir = corpus_dir();
        let entries = std::fs::read_dir(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        paths = entries
            .filter_map(|e| Some(e.ok()?.path()))
            .filter(|p| p.extension().is_some_and(|x| x == "awkt"))
            .collect();
        paths.sort();
    }
    paths.into_iter().map(read).collect()
}

fn read(path: PathBuf) -> Result<File, String> {
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let topic = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let items = parse(&topic, &text).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(File { path, items })
}
