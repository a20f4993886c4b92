//! Begins, finishes or abandons the edit of one file.

use super::compare::{Written, codec_of, is_unchanged};
use super::output::NewContent;
use super::{Begun, Edit, Effect, Emptying, InPlace, compare, difference};
use crate::error::{OutputError, Reason};
use crate::fault::{Fallible, Fault};
use crate::io::Io;
use crate::name::FileName;
use crate::sink::Sink;
use riverhawk_compress::Codec;
use riverhawk_system::names::OsStrExt;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::mem;
use std::path::Path;

impl InPlace {
    /// From now on the standard output goes to the file's replacement.
    ///
    /// # Errors
    /// A failed flush, or no descriptor for commands.
    pub fn begin(&mut self, name: &[u8], io: &mut Io) -> Fallible<Begun> {
        let path = Path::new(OsStr::from_bytes(name));
        let is_regular = path.metadata().is_ok_and(|metadata| metadata.is_file());
        if !matches!(FileName::for_reading(name), FileName::Path(_)) || !is_regular {
            return Ok(Begun::OnlyReads);
        }
        let (content, sink, codec) = match self.begin_content(name, path, io) {
            Ok(begun) => begun,
            Err(message) => {
                self.note_failure(message);
                return Ok(Begun::Skips);
            }
        };
        // Earlier output precedes that of commands.
        io.outputs.flush_stdout()?;
        // Commands write plain bytes: no compression, no encoding.
        let takes_bytes = codec.is_none() && io.outputs.coding().is_none();
        let file = takes_bytes.then(|| content.writer()).transpose();
        io.environment.lend_output(file.map_err(Fault::operand)?);
        let stdout = io.outputs.replace_stdout(sink);
        self.current = Some(Edit { name: name.to_vec(), content, codec, unprinted: 0, stdout });
        Ok(Begun::Reads)
    }

    fn begin_content(
        &self,
        name: &[u8],
        path: &Path,
        io: &Io,
    ) -> Result<(NewContent, Sink, Option<Codec>), String> {
        let in_words =
            |error: io::Error| format!("cannot edit {}: {}", path.display(), Reason(&error));
        let content = NewContent::begin(path, self.edits.effect)?;
        let codec = match io.inputs.reading().decompress {
            Some(_) => codec_of(File::open(path).map_err(in_words)?).map_err(in_words)?,
            None => None,
        };
        let mut sink = io.outputs.sink_for(content.writer()?, name, codec).map_err(in_words)?;
        sink.keep_failure();
        Ok((content, sink, codec))
    }

    /// Counts bytes not printed by the program.
    pub fn note_unprinted(&mut self, bytes: usize) {
        if let Some(edit) = &mut self.current {
            edit.unprinted += bytes as u64;
        }
    }

    /// Replaces the file being edited.
    ///
    /// # Errors
    /// The diff cannot be written.
    pub fn finish(&mut self, io: &mut Io) -> Result<(), Box<OutputError>> {
        let Some(edit) = self.current.take() else { return Ok(()) };
        let edits = self.edits;
        io.environment.lend_output(None);
        let Edit { name, content, codec, unprinted, stdout } = edit;
        let mut sink = io.outputs.replace_stdout(stdout);
        let closed = sink.close_contents().and_then(|()| sink.take_failure());
        let written = Written {
            text: sink.text_written(),
            unprinted,
            is_coded: codec.is_some() || io.outputs.coding().is_some(),
        };
        drop(sink);
        let path = Path::new(OsStr::from_bytes(&name));
        let shown = path.display();
        let reading = io.inputs.reading();
        let in_words = |error: io::Error| format!("cannot edit {shown}: {}", Reason(&error));
        let compared = closed
            .map_err(|error| error.to_string())
            .and_then(|()| is_unchanged(path, &content, codec, reading).map_err(in_words));
        let finished = compared.and_then(|is_same| {
            if is_same {
                return Ok(None);
            }
            if edits.empty == Emptying::Refuse && written.is_nothing(&content).map_err(in_words)? {
                return Err(format!(
                    "cannot edit {shown}: nothing was printed while it was read (--allow-empty permits an empty file)"
                ));
            }
            match edits.effect {
                Effect::Replace => {
                    let suffix = (!self.suffix.is_empty()).then(|| OsStr::from_bytes(&self.suffix));
                    content.commit(suffix).map(|()| Some(Vec::new()))
                }
                Effect::Show(colours) => {
                    let texts = compare::texts(path, &content, codec, reading).map_err(in_words)?;
                    Ok(Some(difference::unified(&name, &texts, colours)))
                }
            }
        });
        match finished {
            Err(message) => self.note_failure(format!("{message}; the file is unchanged")),
            Ok(None) => self.tally.unchanged += 1,
            Ok(Some(difference)) => {
                self.tally.edited += 1;
                let stdout = io.outputs.stdout();
                stdout.write(&difference)?;
                stdout.end_print()?;
            }
        }
        Ok(())
    }

    /// Leaves the file unchanged and restores the standard output.
    pub fn abandon(&mut self, io: &mut Io) {
        if let Some(edit) = self.current.take() {
            io.environment.lend_output(None);
            io.outputs.replace_stdout(edit.stdout);
        }
    }

    /// Records why a file could not be edited.
    pub fn note_failure(&mut self, message: String) {
        self.tally.failures.push(message);
    }

    /// Errors and the number of edited files, if there were errors.
    pub fn take_messages(&mut self) -> Vec<String> {
        mem::take(&mut self.tally).into_messages()
    }
}
