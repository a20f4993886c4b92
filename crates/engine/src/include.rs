//! Finds included files, and reads each once.

use riverhawk_system::names::{self, OsStrExt};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use riverhawk_awkio::Reason;
use riverhawk_awkio::filesystem::{FileSystem, InputStream};
use riverhawk_syntax::source::{Included, SourceMap};

/// Tried if a name is not found.
const SUFFIX: &str = ".awk";

/// gawk's library for editing in place, which is built in here.
pub(crate) const IN_PLACE: [&[u8]; 2] = [b"inplace", b"inplace.awk"];

/// Where program files are searched.
#[derive(Clone, Debug)]
pub struct IncludePath {
    folders: Vec<PathBuf>,
}

impl Default for IncludePath {
    fn default() -> IncludePath {
        IncludePath::new(OsStr::new(IncludePath::DEFAULT))
    }
}

impl IncludePath {
    /// The default of `AWKPATH`, as in gawk.
    pub const DEFAULT: &str = if cfg!(windows) { "." } else { ".:/usr/share/awk" };

    /// Folders separated by colons, on Windows by semicolons, as in `AWKPATH`. An empty one is the working directory.
    pub fn new(path: &OsStr) -> IncludePath {
        let folder = |name: &[u8]| match name {
            [] => PathBuf::from("."),
            name => PathBuf::from(OsStr::from_bytes(name)),
        };
        IncludePath {
            folders: path
                .as_bytes()
                .split(|&byte| byte == names::PATH_SEPARATOR)
                .map(folder)
                .collect(),
        }
    }

    /// The file with a name. A name with a slash is a path; others are searched in the folders in
    /// order, then again with `.awk`.
    pub fn find(&self, name: &OsStr) -> Option<PathBuf> {
        let mut with_suffix = OsString::from(name);
        with_suffix.push(SUFFIX);
        self.find_exactly(name).or_else(|| self.find_exactly(&with_suffix))
    }

    fn find_exactly(&self, name: &OsStr) -> Option<PathBuf> {
        if names::has_folder(name.as_bytes()) {
            return Some(PathBuf::from(name)).filter(|path| path.exists());
        }
        let places = self.folders.iter().map(|folder| match folder.as_os_str().as_bytes() {
            b"." => PathBuf::from(name),
            _ => folder.join(name),
        });
        places.into_iter().find(|path| path.exists())
    }
}

/// Whether it is a suffix for edited files, as in `sed -i.bak`.
fn is_suffix(name: &[u8]) -> bool {
    name == b"~" || name.starts_with(b".") && name.len() > 1 && !names::has_folder(name)
}

pub(crate) struct Includer<'p> {
    path: &'p IncludePath,
    from: Option<&'p dyn FileSystem>,
    /// Pieces from files, by canonical path.
    files: Vec<(PathBuf, usize)>,
}

impl<'p> Includer<'p> {
    pub fn new(
        path: &'p IncludePath,
        from: Option<&'p dyn FileSystem>,
        sources: &SourceMap,
    ) -> Includer<'p> {
        if from.is_some() {
            return Includer { path, from, files: Vec::new() };
        }
        let pieces = sources.pieces().iter().enumerate().filter(|(_, piece)| !piece.is_library);
        let files = pieces
            .filter_map(|(at, piece)| Some((fs::canonicalize(Path::new(&piece.name)).ok()?, at)));
        Includer { path, from, files: files.collect() }
    }

    /// Records that the sandbox forbids the file, whether it exists or not.
    pub fn refuse_in_sandbox(name: &[u8], sources: &mut SourceMap) {
        let shown = String::from_utf8_lossy(name);
        let why = format!(
            "@include of `{shown}' not allowed in sandbox mode: only the option -i includes files there"
        );
        sources.answer(name, Included::Refused(why));
    }

    pub fn include(&mut self, name: &[u8], sources: &mut SourceMap) {
        let shown = String::from_utf8_lossy(name).into_owned();
        let refused = |verb: &str, error: &io::Error, after: &str| {
            let text = Reason(error).to_string();
            Included::Refused(format!("cannot {verb} source file `{shown}'{after}: {text}"))
        };
        if IN_PLACE.contains(&name) {
            return match sources.include(name, shown, Vec::new()) {
                Ok(()) => {}
                Err(message) => sources.answer(name, Included::Refused(message)),
            };
        }
        if let Some(from) = self.from {
            return match read(from, name) {
                Ok((path, text)) => match sources.include(name, path, text) {
                    Ok(()) => {}
                    Err(message) => sources.answer(name, Included::Refused(message)),
                },
                Err(error) => sources.answer(name, refused("open", &error, " for reading")),
            };
        }
        let Some(path) = self.path.find(OsStr::from_bytes(name)) else {
            let why = "No such file or directory";
            let message = match is_suffix(name) {
                true => format!(
                    "cannot open source file `{shown}' for reading: {why}; to edit files in place and keep the old ones, use --in-place={shown}"
                ),
                false => format!("cannot open source file `{shown}' for reading: {why}"),
            };
            return sources.answer(name, Included::Refused(message));
        };
        let identity = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        if let Some((_, piece)) = self.files.iter().find(|(known, _)| *known == identity) {
            let is_included = sources.pieces()[*piece].included;
            return sources.answer(
                name,
                if is_included { Included::Piece(*piece) } else { Included::ProgramFile },
            );
        }
        match fs::read(&path) {
            Ok(text) => match sources.include(name, path.to_string_lossy(), text) {
                Ok(()) => self.files.push((identity, sources.pieces().len() - 1)),
                Err(message) => sources.answer(name, Included::Refused(message)),
            },
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
                sources.answer(name, refused("read", &error, ""));
            }
            Err(error) => sources.answer(name, refused("open", &error, " for reading")),
        }
    }
}

/// The text of an embedder's file, and the name it was found under.
fn read(from: &dyn FileSystem, name: &[u8]) -> io::Result<(String, Vec<u8>)> {
    let with_suffix = [name, SUFFIX.as_bytes()].concat();
    let (name, stream) = match from.open(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            (with_suffix.as_slice(), from.open(&with_suffix).map_err(|_| error)?)
        }
        opened => (name, opened?),
    };
    let mut text = Vec::new();
    match stream {
        InputStream::File(mut file) => file.read_to_end(&mut text)?,
        InputStream::Reader(mut reader) => reader.read_to_end(&mut text)?,
    };
    Ok((String::from_utf8_lossy(name).into_owned(), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_looked_for_in_each_folder_and_then_with_the_suffix() {
        let folder = std::env::temp_dir().join(format!("riverhawk-include-{}", std::process::id()));
        let (first, second) = (folder.join("first"), folder.join("second"));
        for folder in [&first, &second] {
            fs::create_dir_all(folder).expect("a folder");
        }
        fs::write(second.join("lib.awk"), "").expect("a file");
        fs::write(second.join("plain"), "").expect("a file");
        let joined = std::env::join_paths([&first, &second]).expect("no colon in them");
        let path = IncludePath::new(&joined);
        assert_eq!(path.find(OsStr::new("lib")), Some(second.join("lib.awk")));
        assert_eq!(path.find(OsStr::new("lib.awk")), Some(second.join("lib.awk")));
        assert_eq!(path.find(OsStr::new("plain")), Some(second.join("plain")));
        fs::write(first.join("plain"), "").expect("a file");
        assert_eq!(path.find(OsStr::new("plain")), Some(first.join("plain")));
        assert_eq!(path.find(OsStr::new("./plain")), None);
        assert_eq!(path.find(second.join("lib").as_os_str()), Some(second.join("lib.awk")));
        fs::remove_dir_all(&folder).expect("it is there");
    }
}
