//! The texts that programs are made of: the editor's, else the disk's.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::document::{Document, Language};
use crate::place::Place;

/// Files of a workspace that are looked at; more are left out.
const MAX_FILES: usize = 2_000;
/// Folders that are looked into, for a workspace such as a whole home.
const MAX_FOLDERS: usize = 5_000;
/// Larger files are no programs that a person edits.
const MAX_BYTES: u64 = 4 << 20;

/// Open texts and files.
#[derive(Default)]
pub(crate) struct Texts {
    pub open: HashMap<Place, Document>,
    /// What has been read; `None` for what could not be.
    read: HashMap<PathBuf, Option<Rc<[u8]>>>,
    /// The workspace's folders.
    pub folders: Vec<PathBuf>,
}

impl Texts {
    /// The text at a place.
    pub(crate) fn get(&mut self, place: &Place) -> Option<Rc<[u8]>> {
        if let Some(document) = self.open.get(place) {
            return Some(document.text.as_bytes().into());
        }
        let path = place.path()?;
        let read = || {
            let is_small = fs::metadata(path).ok()?;
            (is_small.is_file() && is_small.len() <= MAX_BYTES).then(|| fs::read(path).ok())?
        };
        self.read.entry(path.to_owned()).or_insert_with(|| read().map(Rc::from)).clone()
    }

    /// No text is open in these folders.
    pub(crate) fn in_folders(folders: Vec<PathBuf>) -> Texts {
        Texts { folders, ..Texts::default() }
    }

    /// Forgets what was read from a file that may have changed.
    pub(crate) fn forget(&mut self, place: &Place) {
        if let Some(path) = place.path() {
            self.read.remove(path);
        }
    }

    /// Forgets what was read of all files.
    pub(crate) fn forget_files(&mut self) {
        self.read.clear();
    }

    /// Whether it is no program, but may hold some.
    pub(crate) fn is_script(&self, place: &Place) -> bool {
        self.language(place) != Language::Awk
    }

    /// A file that is not open is read as a program.
    pub(crate) fn language(&self, place: &Place) -> Language {
        self.open.get(place).map_or(Language::Awk, |document| document.language)
    }

    /// The programs in the workspace's folders, by their names.
    pub(crate) fn workspace(&self) -> BTreeSet<Place> {
        let mut found = BTreeSet::new();
        let mut waiting = self.folders.clone();
        let mut folders = 0;
        while let Some(folder) = waiting.pop() {
            folders += 1;
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
                let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
                let is_built =
                    ["target", "node_modules"].iter().any(|name| entry.file_name() == *name);
                if kind.is_dir() && !is_hidden && !is_built {
                    waiting.push(path);
                } else if kind.is_file() && is_program(&path) {
                    found.insert(Place::File(path));
                }
            }
            if found.len() >= MAX_FILES || folders >= MAX_FOLDERS {
                break;
            }
        }
        found
    }
}

fn is_program(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ["awk", "gawk", "rhawk"].iter().any(|it| ending == *it))
}
