//! A text that the editor has open.

use lsp_types::{TextDocumentContentChangeEvent, Uri};

use crate::position::{Encoding, Lines};

/// What language a text is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// A program.
    Awk,
    /// A script for a shell, with programs in quotes.
    Shell,
    /// A makefile, whose recipes are such scripts.
    Make,
    /// YAML, whose values may be such scripts.
    Yaml,
}

impl Language {
    /// By the editor's name of it, else by that of the file.
    pub fn of(named: &str, uri: &Uri) -> Language {
        let ending = |ending: &str| uri.as_str().ends_with(ending);
        match named {
            "awk" | "gawk" | "rhawk" => Language::Awk,
            "shellscript" | "sh" | "bash" | "zsh" | "ksh" | "dash" | "shell" => Language::Shell,
            "makefile" | "make" => Language::Make,
            "yaml" | "github-actions-workflow" | "dockercompose" => Language::Yaml,
            _ if ending(".sh") || ending(".bash") || ending(".zsh") || ending(".ksh") => {
                Language::Shell
            }
            _ if ending("akefile") || ending(".mk") => Language::Make,
            _ if ending(".yml") || ending(".yaml") => Language::Yaml,
            _ => Language::Awk,
        }
    }
}

/// An open text, as the editor has it.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The editor's spelling of its address.
    pub uri: Uri,
    /// The editor's number of this state.
    pub version: i32,
    /// Its language.
    pub language: Language,
    /// All of it.
    pub text: String,
    /// Its lines.
    pub lines: Lines,
}

impl Document {
    /// A text that was opened.
    pub fn new(uri: Uri, version: i32, language: Language, text: String) -> Document {
        let lines = Lines::of(text.as_bytes());
        Document { uri, version, language, text, lines }
    }

    /// Makes the editor's changes, in order. Each counts positions in what the last one left.
    pub fn apply(&mut self, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) {
        for change in changes {
            match change.range {
                None => self.text = change.text,
                Some(range) => {
                    let offset = |position| {
                        let at = self.lines.offset(self.text.as_bytes(), position, encoding);
                        // Inside a character: its first byte.
                        (0..=at).rfind(|&at| self.text.is_char_boundary(at)).unwrap_or(0)
                    };
                    let (start, end) = (offset(range.start), offset(range.end));
                    self.text.replace_range(start.min(end)..end.max(start), &change.text);
                }
            }
            self.lines = Lines::of(self.text.as_bytes());
        }
    }
}
