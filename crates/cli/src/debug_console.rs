//! Where the debugger's commands come from: a terminal with line editing, or any other standard input; a file of commands first.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::{self, BufRead, IsTerminal, Write};

use riverhawk_engine::Console;
use rustyline::DefaultEditor;

use crate::program_text::describe;

/// The debugger's user.
pub(crate) struct DebugConsole {
    /// Commands of the file.
    first: VecDeque<String>,
    /// None where the standard input is no terminal.
    editor: Option<DefaultEditor>,
}

impl DebugConsole {
    /// The user, whose first commands are those of a file.
    pub fn new(file: Option<&OsStr>) -> Result<DebugConsole, String> {
        let text = file.map(std::fs::read_to_string).transpose().map_err(|error| {
            let name = file.unwrap_or_default().to_string_lossy();
            format!("cannot read the debugger's commands '{name}': {}", describe(&error))
        })?;
        let first = text.iter().flat_map(|text| text.lines()).map(str::to_owned).collect();
        // A terminal that cannot be edited on is read as it is.
        let editor = if io::stdin().is_terminal() { DefaultEditor::new().ok() } else { None };
        Ok(DebugConsole { first, editor })
    }
}

impl Console for DebugConsole {
    fn read(&mut self, prompt: &str) -> Option<String> {
        if let Some(line) = self.first.pop_front() {
            return Some(line);
        }
        if let Some(editor) = &mut self.editor {
            let line = editor.readline(prompt).ok()?;
            // A history that is full loses its oldest line: nothing to tell.
            let _ = editor.add_history_entry(&line);
            return Some(line);
        }
        let mut line = String::new();
        match io::stdin().lock().read_line(&mut line) {
            Ok(1..) => Some(line),
            Ok(0) | Err(_) => None,
        }
    }

    fn is_terminal(&self) -> bool {
        self.editor.is_some() && self.first.is_empty()
    }

    fn say(&mut self, text: &str) {
        // If nobody is listening any more, the commands will end too.
        let mut out = io::stdout().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
}
