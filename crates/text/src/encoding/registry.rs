//! Encodings by name.

use super::{Ascii, Encoding, Latin1, Utf8, Utf8Clean8, Utf16, Utf16Be, Utf16Le, Whatwg};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// Encodings under their names and aliases, in any case.
///
/// ```
/// use riverhawk_text::encoding::{Encoding, Encodings};
/// let encodings = Encodings::new();
/// assert_eq!(encodings.get("UTF8").unwrap().name(), "utf-8");
/// assert_eq!(encodings.get("latin1").unwrap().name(), "iso-8859-1");
/// assert_eq!(encodings.get("Latin-9").unwrap().name(), "ISO-8859-15");
/// assert_eq!(encodings.get("cp1252").unwrap().name(), "windows-1252");
/// assert!(encodings.get("rot13").is_none());
/// ```
#[derive(Clone)]
pub struct Encodings {
    by_name: HashMap<String, Arc<dyn Encoding>>,
    all: Vec<Arc<dyn Encoding>>,
}

/// The standard's names that are not names of our own encodings, with more aliases.
const WHATWG: [(&str, &[&str]); 36] = [
    ("big5", &[]),
    ("euc-jp", &[]),
    ("euc-kr", &[]),
    ("gb18030", &[]),
    ("gbk", &["gb2312"]),
    ("ibm866", &[]),
    ("iso-2022-jp", &[]),
    ("iso-8859-2", &[]),
    ("iso-8859-3", &[]),
    ("iso-8859-4", &[]),
    ("iso-8859-5", &[]),
    ("iso-8859-6", &[]),
    ("iso-8859-7", &[]),
    ("iso-8859-8", &[]),
    ("iso-8859-8-i", &[]),
    ("iso-8859-10", &[]),
    ("iso-8859-13", &["latin7"]),
    ("iso-8859-14", &["latin8"]),
    ("iso-8859-15", &["latin9"]),
    ("iso-8859-16", &["latin10"]),
    ("koi8-r", &[]),
    ("koi8-u", &[]),
    ("macintosh", &[]),
    ("shift_jis", &["windows-932", "cp932"]),
    ("windows-874", &[]),
    ("windows-1250", &[]),
    ("windows-1251", &[]),
    ("windows-1252", &[]),
    ("windows-1253", &[]),
    ("windows-1254", &[]),
    ("windows-1255", &[]),
    ("windows-1256", &[]),
    ("windows-1257", &[]),
    ("windows-1258", &[]),
    ("x-mac-cyrillic", &[]),
    ("x-user-defined", &[]),
];

impl Encodings {
    /// The built-in set: `utf-8`, `utf-8-c8`, `utf-16`, `utf-16le`, `utf-16be`, `ascii`,
    /// `iso-8859-1`, and the WHATWG standard's under its names and labels, except `replacement`.
    /// `latin1`, `ascii` and `utf-16` mean the first seven.
    pub fn new() -> Encodings {
        let mut encodings = Encodings { by_name: HashMap::new(), all: Vec::new() };
        let own: [Arc<dyn Encoding>; 7] = [
            Arc::new(Utf8),
            Arc::new(Utf8Clean8),
            Arc::new(Utf16),
            Arc::new(Utf16Le),
            Arc::new(Utf16Be),
            Arc::new(Ascii),
            Arc::new(Latin1),
        ];
        for encoding in own {
            encodings.enter(encoding, &[]);
        }
        for (name, aliases) in WHATWG {
            if let Some(encoding) = Whatwg::for_label(name) {
                encodings.enter(Arc::new(encoding), aliases);
            }
        }
        encodings
    }

    fn enter(&mut self, encoding: Arc<dyn Encoding>, more: &[&str]) {
        let names = [encoding.name()]
            .into_iter()
            .chain(encoding.aliases().iter().copied())
            .chain(more.iter().copied());
        for name in names {
            self.by_name.insert(name.to_ascii_lowercase(), Arc::clone(&encoding));
        }
        self.all.push(encoding);
    }

    /// The encoding called `name`, in any case; `latin-9` and `latin_9` are `latin9`.
    pub fn get(&self, name: &str) -> Option<Arc<dyn Encoding>> {
        let mut name = name.trim().to_ascii_lowercase();
        if let Some(number) =
            name.strip_prefix("latin").and_then(|rest| rest.strip_prefix(['-', '_']))
        {
            name = format!("latin{number}");
        }
        if let Some(encoding) = self.by_name.get(&name) {
            return Some(Arc::clone(encoding));
        }
        let canonical = Whatwg::for_label(&name)?.table().name().to_ascii_lowercase();
        self.by_name.get(&canonical).map(Arc::clone)
    }

    /// Adds an encoding.
    ///
    /// # Errors
    /// If its name or an alias is empty or taken; then nothing has been added.
    pub fn add(&mut self, encoding: impl Encoding + 'static) -> Result<(), NameError> {
        let mut names: Vec<String> = Vec::new();
        for name in [encoding.name()].into_iter().chain(encoding.aliases().iter().copied()) {
            let lower = name.trim().to_ascii_lowercase();
            if lower.is_empty() {
                return Err(NameError::Empty { encoding: encoding.name().to_owned() });
            }
            if names.contains(&lower) {
                return Err(NameError::Taken {
                    name: name.to_owned(),
                    by: encoding.name().to_owned(),
                });
            }
            if let Some(other) = self.get(&lower) {
                return Err(NameError::Taken {
                    name: name.to_owned(),
                    by: other.name().to_owned(),
                });
            }
            names.push(lower);
        }
        let encoding: Arc<dyn Encoding> = Arc::new(encoding);
        for name in names {
            self.by_name.insert(name, Arc::clone(&encoding));
        }
        self.all.push(encoding);
        Ok(())
    }

    /// All encodings, the built-in ones first.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Encoding>> {
        self.all.iter()
    }
}

impl Default for Encodings {
    fn default() -> Self {
        Encodings::new()
    }
}

impl fmt::Debug for Encodings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.all.iter().map(|encoding| encoding.name())).finish()
    }
}

/// An encoding cannot be added under this name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// The name or alias is taken.
    Taken {
        /// The name or alias.
        name: String,
        /// The encoding that has it.
        by: String,
    },
    /// The name or an alias is empty.
    Empty {
        /// Name of the encoding.
        encoding: String,
    },
}

impl fmt::Display for NameError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameError::Taken { name, by } => {
                write!(out, "encoding name {name:?} is taken by {by:?}")
            }
            NameError::Empty { encoding } => write!(out, "encoding {encoding:?} has an empty name"),
        }
    }
}

impl std::error::Error for NameError {}
