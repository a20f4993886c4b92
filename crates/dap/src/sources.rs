//! The files of a program, as editors name them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use riverhawk_tools::debugger::places::Places;
use serde_json::{Value, json};

use crate::protocol::Source;

/// A program's files. What is no file has a reference: its number, from 1.
#[derive(Clone)]
pub(crate) struct Sources {
    pub places: Arc<Places>,
    paths: Arc<[Option<PathBuf>]>,
}

impl Sources {
    /// Names are relative to the current folder.
    pub(crate) fn new(places: Places) -> Sources {
        let path = |piece: usize| match places.is_library(piece) {
            true => None,
            false => {
                Path::new(places.file_name(piece)).canonicalize().ok().filter(|it| it.is_file())
            }
        };
        let paths = (0..places.file_count()).map(path).collect();
        Sources { places: Arc::new(places), paths }
    }

    /// The number of a file.
    pub(crate) fn piece(&self, source: &Source) -> Option<usize> {
        if let Some(reference @ 1..) = source.source_reference {
            return Some(reference - 1).filter(|&piece| piece < self.paths.len());
        }
        let path = Path::new(source.path.as_deref()?).canonicalize().ok()?;
        self.paths.iter().position(|known| known.as_ref() == Some(&path))
    }

    /// As the protocol has it.
    pub(crate) fn source(&self, piece: usize) -> Value {
        match self.paths.get(piece) {
            Some(Some(path)) => json!({
                "name": path.file_name().unwrap_or_default().to_string_lossy(),
                "path": path.to_string_lossy(),
            }),
            _ => {
                let name = self.places.file_name(piece);
                let mut source = json!({"name": name, "sourceReference": piece + 1});
                if self.places.is_library(piece) {
                    source["presentationHint"] = "deemphasize".into();
                    source["origin"] = "library of rhawk".into();
                }
                source
            }
        }
    }

    pub(crate) fn all(&self) -> Vec<Value> {
        (0..self.paths.len()).map(|piece| self.source(piece)).collect()
    }
}
