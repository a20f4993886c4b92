//! Lines that a person edits on a terminal, by `rustyline`.

use rustyline::DefaultEditor;
use rustyline::history::{History, SearchDirection};

pub(crate) struct LineEditor(DefaultEditor);

impl LineEditor {
    /// `None` on a terminal that cannot be edited on.
    pub(crate) fn new() -> Option<LineEditor> {
        DefaultEditor::new().ok().map(LineEditor)
    }

    /// `None` at the end.
    pub(crate) fn read(&mut self, prompt: &str) -> Option<String> {
        self.0.readline(prompt).ok()
    }

    /// A full history loses its oldest line.
    pub(crate) fn remember(&mut self, line: &str) {
        let _ = self.0.add_history_entry(line);
    }

    pub(crate) fn remember_at_most(&mut self, lines: usize) {
        // A history in memory can have any length.
        let _ = self.0.history_mut().set_max_len(lines);
    }

    pub(crate) fn remembered(&self) -> Vec<String> {
        let history = self.0.history();
        let line = |at| history.get(at, SearchDirection::Forward).ok().flatten();
        (0..history.len()).filter_map(line).map(|line| line.entry.into_owned()).collect()
    }
}
