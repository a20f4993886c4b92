//! Reads the program: files, standard input and texts from the command line.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use riverhawk::engine::{IncludePath, Source};

use crate::direct::StandardInput;

#[derive(Debug, PartialEq, Eq)]
pub enum ProgramText {
    /// `-f`; `-` is standard input.
    File(OsString),
    /// `-e`, or the first operand.
    Text(OsString),
    /// From `-i` and `-l`.
    Directive(OsString),
}

/// A piece that was read.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub source: Source,
    /// Where it is from, if it can be written back.
    pub file: Option<PathBuf>,
}

#[derive(Debug)]
pub(crate) struct Unreadable {
    pub message: String,
    /// As in gawk, 2 when the file cannot be opened, 1 when it cannot be read (a directory).
    pub status: u8,
}

/// Unlike in gawk, messages number the texts when there are several `-e`.
pub(crate) fn read_all(
    pieces: Vec<ProgramText>,
    path: &IncludePath,
) -> Result<Vec<Text>, Unreadable> {
    let is_text = |piece: &ProgramText| matches!(piece, ProgramText::Text(_));
    let several = pieces.iter().filter(|piece| is_text(piece)).count() > 1;
    let mut number = 0;
    let name = |piece: &ProgramText| {
        number += usize::from(is_text(piece));
        if several {
            format!("{} (-e {number})", Source::COMMAND_LINE)
        } else {
            Source::COMMAND_LINE.to_owned()
        }
    };
    let names: Vec<String> = pieces.iter().map(name).collect();
    pieces.into_iter().zip(names).map(|(piece, name)| read(piece, name, path)).collect()
}

/// Reads a file, a text under this name, or standard input to its end. As in gawk, files are
/// searched in the path's folders, then with `.awk`, in every dialect.
fn read(piece: ProgramText, text_name: String, path: &IncludePath) -> Result<Text, Unreadable> {
    match piece {
        ProgramText::Text(text) => {
            Ok(Text { source: Source::new(text_name, text.into_encoded_bytes()), file: None })
        }
        ProgramText::Directive(text) => {
            Ok(Text { source: Source::option(text.into_encoded_bytes()), file: None })
        }
        ProgramText::File(name) => {
            let mut text = Vec::new();
            let is_stdin = name == "-" || name == "/dev/stdin";
            let found = if is_stdin { None } else { path.find(&name) };
            let found = found.map(OsString::from);
            let name = found.unwrap_or(name);
            let unreadable = |verb: &str, error: io::Error, status| {
                let name = name.to_string_lossy();
                Unreadable {
                    message: format!("cannot {verb} program file '{name}': {}", describe(&error)),
                    status,
                }
            };
            let read = if is_stdin {
                StandardInput.read_to_end(&mut text)
            } else {
                let file = File::open(&name);
                file.map_err(|error| unreadable("open", error, 2))?.read_to_end(&mut text)
            };
            read.map_err(|error| unreadable("read", error, 1))?;
            let source = Source::new(name.to_string_lossy(), text);
            Ok(Text { source, file: (!is_stdin).then(|| PathBuf::from(name)) })
        }
    }
}

pub(crate) use riverhawk::engine::system::errors::words as describe;
