//! The text of a program: pieces (`-f`, `-e`, the operand) that share one sequence of offsets.

use crate::ast::Span;
use crate::written::{WRITTEN, mentions};
use std::collections::HashMap;

/// One piece of program text.
#[derive(Clone, Debug)]
pub struct SourcePiece {
    /// The name in messages: the file's, or `cmd. line`.
    pub name: String,
    /// Its bytes; need not be valid UTF-8.
    pub text: Vec<u8>,
    /// Offset of its first byte in the whole text.
    pub base: u32,
    /// Whether it is read only where another piece includes it.
    pub included: bool,
    /// Whether it is the directive of an option, such as `@include "lib"` for `-i lib`. Every
    /// dialect allows these.
    pub is_option: bool,
    /// Whether it is part of the library written in awk.
    pub is_library: bool,
}

/// The file of an `@include`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Included {
    /// The piece with this number.
    Piece(usize),
    /// No file, and why.
    Refused(String),
    /// A file that is already in the program by `-f`.
    ProgramFile,
}

impl SourcePiece {
    /// gawk's name of program text from the command line.
    pub const COMMAND_LINE: &'static str = "cmd. line";

    /// Whether it is from the command line.
    pub fn is_command_line(&self) -> bool {
        SourcePiece::is_from_command_line(&self.name)
    }

    /// Whether this is a name of text from the command line.
    pub fn is_from_command_line(name: &str) -> bool {
        name.strip_prefix(SourcePiece::COMMAND_LINE)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(" (-e "))
    }
}

/// All pieces. The offsets of a [`Span`] count through them, with one more for a newline between
/// two.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    pieces: Vec<SourcePiece>,
    /// By their name in the program.
    includes: HashMap<Vec<u8>, Included>,
}

/// A position in a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location<'a> {
    /// The piece's name.
    pub name: &'a str,
    /// Line in the piece, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl SourceMap {
    /// No pieces yet.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// The lines of the comment directly above the line of an offset, without their marks.
    pub fn comment_above(&self, offset: u32) -> Option<String> {
        let piece = self.piece_at(offset)?;
        let before = &piece.text[..((offset - piece.base) as usize).min(piece.text.len())];
        let mut lines = before.split(|&byte| byte == b'\n').rev();
        lines.next();
        let mut found = Vec::new();
        for line in lines {
            let line = String::from_utf8_lossy(line.trim_ascii()).into_owned();
            let Some(comment) = line.strip_prefix('#') else { break };
            if comment.starts_with('!') {
                break;
            }
            let comment = comment.trim_start_matches('#');
            found.push(comment.strip_prefix(' ').unwrap_or(comment).to_owned());
        }
        found.reverse();
        let text = found.join("\n");
        (!text.trim().is_empty()).then_some(text)
    }

    /// Adds a piece.
    ///
    /// # Errors
    /// All pieces together exceed 4 GiB.
    pub fn add(&mut self, name: impl Into<String>, text: Vec<u8>) -> Result<(), String> {
        let base = match self.pieces.last() {
            Some(last) => u64::from(last.base) + last.text.len() as u64 + 1,
            None => 0,
        };
        let name = name.into();
        let end = base + text.len() as u64 + 1;
        if end > u64::from(u32::MAX) {
            return Err(format!("{name}: program text is longer than 4 GiB"));
        }
        self.pieces.push(SourcePiece {
            name,
            text,
            base: base as u32,
            included: false,
            is_option: false,
            is_library: false,
        });
        Ok(())
    }

    /// Adds the directive of an option. Fails as [`add`](Self::add).
    pub fn add_option(
        &mut self,
        name: impl Into<String>,
        directive: Vec<u8>,
    ) -> Result<(), String> {
        self.add(name, directive)?;
        if let Some(piece) = self.pieces.last_mut() {
            piece.is_option = true;
        }
        Ok(())
    }

    /// Adds the text of the file included as `named`. Fails as [`add`](Self::add).
    pub fn include(
        &mut self,
        named: &[u8],
        name: impl Into<String>,
        text: Vec<u8>,
    ) -> Result<(), String> {
        self.add(name, text)?;
        if let Some(piece) = self.pieces.last_mut() {
            piece.included = true;
        }
        self.answer(named, Included::Piece(self.pieces.len() - 1));
        Ok(())
    }

    /// Adds the library's texts for the namespaces that the program mentions. Fails as
    /// [`add`](Self::add).
    pub fn add_library(&mut self) -> Result<(), String> {
        for written in WRITTEN {
            let is_there = self.included(&written.key()).is_some();
            // Library texts mention one another.
            if is_there || !self.pieces.iter().any(|piece| mentions(&piece.text, written.name)) {
                continue;
            }
            self.include(&written.key(), written.file_name(), written.text.into())?;
            if let Some(piece) = self.pieces.last_mut() {
                piece.is_library = true;
            }
        }
        Ok(())
    }

    /// Whether a span is in the library.
    pub fn is_in_library(&self, span: Span) -> bool {
        self.piece_at(span.start).is_some_and(|piece| piece.is_library)
    }

    /// Records what file `named` is, or why there is none.
    pub fn answer(&mut self, named: &[u8], found: Included) {
        self.includes.insert(named.to_vec(), found);
    }

    /// The file included as `named`.
    pub fn included(&self, named: &[u8]) -> Option<&Included> {
        self.includes.get(named)
    }

    /// The pieces in order.
    pub fn pieces(&self) -> &[SourcePiece] {
        &self.pieces
    }

    /// The piece that holds this offset.
    pub fn piece_at(&self, offset: u32) -> Option<&SourcePiece> {
        let after = self.pieces.partition_point(|piece| piece.base <= offset);
        self.pieces.get(after.checked_sub(1)?)
    }

    /// The text of a span, within one piece.
    pub fn slice(&self, span: Span) -> &[u8] {
        let Some(piece) = self.piece_at(span.start) else { return &[] };
        let end = (span.end.saturating_sub(piece.base) as usize).min(piece.text.len());
        &piece.text[((span.start - piece.base) as usize).min(end)..end]
    }

    /// Where a span starts.
    pub fn locate(&self, span: Span) -> Option<Location<'_>> {
        let piece = self.piece_at(span.start)?;
        let at = ((span.start - piece.base) as usize).min(piece.text.len());
        let before = &piece.text[..at];
        let line_start =
            before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = before[line_start..].iter().filter(|&&byte| byte & 0xC0 != 0x80).count() + 1;
        Some(Location { name: &piece.name, line, column })
    }
}
