//! The debugger's input: a file of commands, then a terminal with line editing or any other
//! standard input.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, ErrorKind, IsTerminal, Write};

use riverhawk::engine::Console;

use crate::line_editor::LineEditor;
use crate::program_text::describe;

/// Typed lines for the next session in this folder, as gawk's `.gawk_history`.
const HISTORY: &str = ".rhawk_history";
/// The debugger's options, as commands that set them.
const OPTIONS: &str = ".rhawkrc";

pub(crate) struct DebugConsole {
    first: VecDeque<String>,
    editor: Option<LineEditor>,
    keeps_history: bool,
}

impl DebugConsole {
    /// Reads the commands in `file` first.
    pub fn new(file: Option<&OsStr>) -> Result<DebugConsole, String> {
        let text = file.map(std::fs::read_to_string).transpose().map_err(|error| {
            let name = file.unwrap_or_default().to_string_lossy();
            format!("cannot read the debugger's commands '{name}': {}", describe(&error))
        })?;
        let mut first: VecDeque<String> =
            text.iter().flat_map(|text| text.lines()).map(str::to_owned).collect();
        // A terminal that cannot be edited on is read directly.
        let mut editor = if io::stdin().is_terminal() { LineEditor::new() } else { None };
        if let Some(editor) = &mut editor {
            // An unreadable file counts as missing.
            let kept = fs::read_to_string(OPTIONS).unwrap_or_default();
            let options = kept.lines().filter(|line| line.starts_with("option "));
            options.rev().for_each(|line| first.push_front(line.to_owned()));
            for line in fs::read_to_string(HISTORY).unwrap_or_default().lines() {
                editor.remember(line);
            }
        }
        Ok(DebugConsole { first, editor, keeps_history: true })
    }
}

impl Drop for DebugConsole {
    fn drop(&mut self) {
        let Some(editor) = self.editor.as_ref().filter(|_| self.keeps_history) else { return };
        let text: String = editor.remembered().iter().map(|line| format!("{line}\n")).collect();
        if !text.is_empty() {
            keep(HISTORY, &text);
        }
    }
}

/// Removes the file if `text` is empty. Does nothing if the folder is not writable.
fn keep(file: &str, text: &str) {
    let kept = if text.is_empty() { fs::remove_file(file) } else { fs::write(file, text) };
    match kept {
        Err(error)
            if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) =>
        {
            let _ = writeln!(io::stderr(), "rhawk: cannot write '{file}': {}", describe(&error));
        }
        _ => {}
    }
}

impl Console for DebugConsole {
    fn read(&mut self, prompt: &str) -> Option<String> {
        if let Some(line) = self.first.pop_front() {
            return Some(line);
        }
        if let Some(editor) = &mut self.editor {
            let line = editor.read(prompt)?;
            editor.remember(&line);
            return Some(line);
        }
        let mut line = String::new();
        match io::stdin().lock().read_line(&mut line) {
            Ok(1..) => Some(line),
            Ok(0) | Err(_) => None,
        }
    }

    fn remember(&mut self, lines: usize, for_next: bool) {
        self.keeps_history = for_next;
        if let Some(editor) = &mut self.editor {
            editor.remember_at_most(lines);
        }
    }

    fn keep_options(&mut self, commands: &str) {
        if self.is_terminal() {
            keep(OPTIONS, commands);
        }
    }

    fn is_terminal(&self) -> bool {
        self.editor.is_some() && self.first.is_empty()
    }

    fn say(&mut self, text: &str) {
        // Without a reader, the commands will end too.
        let mut out = io::stdout().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
}
