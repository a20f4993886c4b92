//! What the command says and writes: messages in the form that was asked for, and results.

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};

use riverhawk::engine::{Diagnostic, MessageFormat, Outcome, Renderer, SourceMap, sarif_log};

use crate::destination::{self, Destination};
use crate::looks::Looks;
use crate::program_text::describe;
use crate::usage_error::UsageError;
use crate::{VERSION, help, manual, terminal};

/// For messages that go to this stream.
pub(crate) fn renderer(name: &str, looks: Looks, stream: &impl IsTerminal) -> Renderer {
    match terminal::colours(looks.color, stream) {
        true => Renderer::coloured(name),
        false => Renderer::plain(name),
    }
}

pub(crate) struct Messages {
    pub renderer: Renderer,
    to: MessagesTo,
}

/// Where messages go.
enum MessagesTo {
    StandardError,
    /// They are what was asked for.
    StandardOutput,
    /// They are kept; results of a log, which is written at the end.
    Log(RefCell<Vec<String>>),
}

impl Messages {
    pub(crate) fn new(name: &str, looks: Looks) -> Messages {
        let renderer = renderer(name, looks, &io::stderr()).in_format(looks.format);
        let renderer = match terminal::columns_of_stderr() {
            Some(columns) => renderer.for_width(columns),
            None => renderer,
        };
        Messages { renderer, to: MessagesTo::StandardError }
    }

    pub(crate) fn messages_are_output(&mut self) {
        self.to = match self.renderer.format() {
            MessageFormat::Sarif => MessagesTo::Log(RefCell::default()),
            _ => MessagesTo::StandardOutput,
        };
    }

    /// Keeps messages for [`Messages::kept`].
    #[cfg(feature = "dap")]
    pub(crate) fn keep(&mut self) {
        self.to = MessagesTo::Log(RefCell::default());
    }

    /// What was kept.
    #[cfg(feature = "dap")]
    pub(crate) fn kept(&self) -> String {
        match &self.to {
            MessagesTo::Log(kept) => kept.take().concat(),
            _ => String::new(),
        }
    }

    /// Writes what is written at the end. Gives the exit status.
    pub(crate) fn finish(&self, status: u8) -> u8 {
        match &self.to {
            MessagesTo::Log(results) => {
                self.print(sarif_log(&results.borrow(), VERSION)).max(status)
            }
            _ => status,
        }
    }

    /// Ignores a closed standard error.
    pub(crate) fn error(&self, text: &str) {
        match &self.to {
            MessagesTo::StandardError => {
                let _ = io::stderr().write_all(text.as_bytes());
            }
            MessagesTo::StandardOutput => {
                self.print(text);
            }
            MessagesTo::Log(results) => results.borrow_mut().push(text.to_owned()),
        }
    }

    pub(crate) fn diagnostics<'d>(
        &self,
        sources: &SourceMap,
        found: impl IntoIterator<Item = &'d Diagnostic>,
    ) {
        for found in found {
            self.error(&self.renderer.diagnostic(sources, found));
        }
    }

    /// Creates the file now; an error after a message.
    pub(crate) fn opened(&self, name: OsString) -> Result<Destination, ()> {
        let mut destination = Destination::new(name);
        destination.open().map_err(|error| self.cannot_write(destination.name(), &error))?;
        Ok(destination)
    }

    pub(crate) fn write(&self, destination: Destination, text: impl AsRef<[u8]>) -> u8 {
        let name = destination.name().to_owned();
        match destination.write(text.as_ref()) {
            Ok(()) => 0,
            Err(error) => {
                self.cannot_write(&name, &error);
                Outcome::FATAL
            }
        }
    }

    fn cannot_write(&self, name: &OsStr, error: &io::Error) {
        let message = format!("cannot write '{}': {}", name.to_string_lossy(), describe(error));
        self.error(&self.renderer.message(&message));
    }

    /// The exit status after an editor was served.
    pub(crate) fn served(&self, served: Result<(), String>) -> u8 {
        match served {
            Ok(()) => 0,
            Err(message) => {
                self.error(&self.renderer.message(&message));
                UsageError::STATUS
            }
        }
    }

    pub(crate) fn help_about(&self, topic: &str) -> u8 {
        let text = match topic {
            "all" => Ok(help::every_option()),
            topic => manual::about(topic),
        };
        match text {
            Ok(text) => self.print(text),
            Err(message) => {
                self.error(&self.renderer.message(&message));
                UsageError::STATUS
            }
        }
    }

    pub(crate) fn print(&self, text: impl AsRef<[u8]>) -> u8 {
        match destination::print(text.as_ref()) {
            Ok(()) => 0,
            Err(error) => {
                let message = format!("cannot write to standard output: {}", describe(&error));
                let _ = io::stderr().write_all(self.renderer.message(&message).as_bytes());
                Outcome::FATAL
            }
        }
    }
}
