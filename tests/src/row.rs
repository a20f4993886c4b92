//! The rows of the corpus.

use crate::escape::{self, Word};
use std::path::PathBuf;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Result {
    pub stdout: Vec<u8>,
    /// The exit status; 256 + n for death by signal n.
    pub status: i32,
}

#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Unique within its topic; letters, digits and `_ . + -`.
    pub name: String,
    pub topic: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// Written as `== name` with keys.
    pub long: bool,
    /// Words for the command line, as in the file.
    pub args: String,
    pub program: Option<Vec<u8>>,
    /// Standard input; none is `/dev/null`.
    pub input: Option<Vec<u8>>,
    /// Files that exist when the program starts.
    pub files: Vec<(String, Vec<u8>)>,
    /// `LC_ALL`, where it is not `en_US.UTF-8`.
    pub locale: Option<String>,
    pub env: String,
    pub expected: Option<Result>,
    /// Words that standard error must contain; `*` is anything, `?` anything but nothing.
    pub stderr: Vec<String>,
    /// Files that must exist afterwards, with this content once recorded.
    pub creates: Vec<(String, Option<Vec<u8>>)>,
    /// Awks that gave something else when recorded.
    pub differs: Vec<String>,
    /// The only configurations to run; empty for all.
    pub configs: Vec<String>,
    pub because: Option<String>,
    pub gawk: Option<Result>,
}

impl Row {
    /// Whether only rhawk has this: no other awk runs it.
    pub fn is_ours_alone(&self) -> bool {
        self.differs.iter().any(|awk| awk == "gawk")
    }

    pub fn id(&self) -> String {
        format!("{}/{}", self.topic, self.name)
    }

    pub fn lc_all(&self) -> String {
        let bracketed = self.arg_words().into_iter().find_map(locale_of);
        self.locale.clone().or(bracketed).unwrap_or_else(|| "en_US.UTF-8".to_owned())
    }

    pub fn command_line(&self) -> Vec<Vec<u8>> {
        let mut out = Vec::new();
        let mut placed = false;
        for word in self.arg_words() {
            if !word.quoted && word.bytes == b"%" {
                out.extend(self.program.clone());
                placed = true;
            } else if locale_of(word.clone()).is_none() {
                out.push(word.bytes);
            }
        }
        if !placed {
            out.extend(self.program.clone());
        }
        out
    }

    pub fn has_operands(&self) -> bool {
        self.program.is_none() || self.arg_words().iter().any(|w| !w.quoted && w.bytes == b"%")
    }

    /// The parser has checked that the words are well formed.
    fn arg_words(&self) -> Vec<Word> {
        escape::words(&self.args).unwrap_or_default()
    }
}

/// `@C` in brackets is a locale, unless quoted.
fn locale_of(word: Word) -> Option<String> {
    match word.bytes.strip_prefix(b"@") {
        Some(name) if !word.quoted => Some(String::from_utf8_lossy(name).into_owned()),
        _ => None,
    }
}

#[derive(Clone, Debug)]
pub enum Item {
    /// A comment or an empty line, kept as it is.
    Text(String),
    Row(Box<Row>),
}

#[derive(Clone, Debug)]
pub struct File {
    pub path: PathBuf,
    pub items: Vec<Item>,
}

impl File {
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.items.iter().filter_map(|item| match item {
            Item::Row(row) => Some(&**row),
            Item::Text(_) => None,
        })
    }
}
