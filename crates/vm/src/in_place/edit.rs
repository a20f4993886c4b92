//! The edit of one file: begun, finished, abandoned.

use super::compare::{Written, codec_of, is_unchanged};
use super::output::NewContent;
use super::tally::Tally;
use super::{Begun, Edit, Effect, Emptying, compare, difference};
use crate::fault::{Fallible, Fault, FaultKind};
use crate::io::{FileName, Reason, Sink};
use crate::runtime::Runtime;
use riverhawk_compress::Codec;
use riverhawk_value::Value;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

impl Runtime {
    /// Takes over `inplace::suffix` and `inplace::enable` where the program has assigned them since
    /// the last file.
    fn take_settings(&mut self) {
        if self.in_place.is_none() {
            return;
        }
        for (at, variable) in ["inplace::suffix", "inplace::enable"].into_iter().enumerate() {
            let Some(slot) = self.program.globals.iter().position(|global| global.name == variable)
            else {
                continue;
            };
            if matches!(self.statics[slot], Value::Uninit) || self.statics[slot].is_array() {
                continue;
            }
            let text = self.text_of(&self.statics[slot]);
            let Some(in_place) = &mut self.in_place else { return };
            if in_place.assigned[at].as_ref() == Some(&text) {
                continue;
            }
            in_place.set(variable, &text);
            in_place.assigned[at] = Some(text);
        }
    }

    /// Whether the next file is to be edited.
    pub(crate) fn is_editing(&mut self) -> bool {
        self.take_settings();
        self.in_place.as_ref().is_some_and(|in_place| in_place.is_enabled)
    }

    /// A file of the main input has been opened.
    pub(crate) fn begin_edit(&mut self, name: &[u8]) -> Fallible<Begun> {
        if !self.is_editing() {
            return Ok(Begun::Reads);
        }
        self.allow_edit(name)?;
        let path = Path::new(OsStr::from_bytes(name));
        let is_regular = path.metadata().is_ok_and(|metadata| metadata.is_file());
        if !matches!(FileName::for_reading(name), FileName::Path(_)) || !is_regular {
            let message = format!(
                "{} is no regular file: not edited in place",
                String::from_utf8_lossy(name)
            );
            return self.warn(&message).map(|()| Begun::Reads);
        }
        let (content, sink, codec) = match self.begin_content(name, path) {
            Ok(begun) => begun,
            Err(message) => {
                self.note_failed_edit(message);
                return Ok(Begun::Skips);
            }
        };
        // What was printed before comes out before, whatever commands print now.
        self.io.outputs.flush_stdout()?;
        // Commands know nothing of compression or encodings.
        let takes_bytes = codec.is_none() && self.io.outputs.coding().is_none();
        let file = takes_bytes.then(|| content.writer()).transpose();
        self.io.environment.lend_output(file.map_err(Fault::operand)?);
        let stdout = self.io.outputs.replace_stdout(sink);
        // Each file has a header of its own.
        self.columns.begin_output();
        if let Some(in_place) = &mut self.in_place {
            in_place.current =
                Some(Edit { name: name.to_vec(), content, codec, unprinted: 0, stdout });
        }
        Ok(Begun::Reads)
    }

    fn begin_content(
        &self,
        name: &[u8],
        path: &Path,
    ) -> Result<(NewContent, Sink, Option<Codec>), String> {
        let in_words =
            |error: io::Error| format!("cannot edit {}: {}", path.display(), Reason(&error));
        let effect =
            self.in_place.as_ref().map_or(Effect::Replace, |in_place| in_place.edits.effect);
        let content = NewContent::begin(path, effect)?;
        let codec = match self.io.inputs.reading().decompress {
            Some(_) => codec_of(File::open(path).map_err(in_words)?).map_err(in_words)?,
            None => None,
        };
        let mut sink =
            self.io.outputs.sink_for(content.writer()?, name, codec).map_err(in_words)?;
        sink.keep_failure();
        Ok((content, sink, codec))
    }

    /// So many bytes go into the file without the program having printed them.
    pub(crate) fn note_unprinted(&mut self, bytes: usize) {
        if let Some(edit) = self.in_place.as_mut().and_then(|in_place| in_place.current.as_mut()) {
            edit.unprinted += bytes as u64;
        }
    }

    /// The file being edited has been read to its end, or as far as the program wanted: it is
    /// replaced.
    pub(crate) fn finish_edit(&mut self) -> Fallible<()> {
        let Some(in_place) = &mut self.in_place else { return Ok(()) };
        let Some(edit) = in_place.current.take() else { return Ok(()) };
        let (suffix, edits) = (in_place.suffix.clone(), in_place.edits);
        self.io.environment.lend_output(None);
        let Edit { name, content, codec, unprinted, stdout } = edit;
        let mut sink = self.io.outputs.replace_stdout(stdout);
        let closed = sink.close_contents().and_then(|()| sink.take_failure());
        let written = Written {
            text: sink.text_written(),
            unprinted,
            is_coded: codec.is_some() || self.io.outputs.coding().is_some(),
        };
        drop(sink);
        let path = Path::new(OsStr::from_bytes(&name));
        let shown = path.display();
        let reading = self.io.inputs.reading();
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
                    "cannot edit {shown}: nothing was printed while it was read (--allow-empty lets it lose all it has)"
                ));
            }
            match edits.effect {
                Effect::Replace => {
                    let suffix = (!suffix.is_empty()).then(|| OsStr::from_bytes(&suffix));
                    content.commit(suffix).map(|()| Some(Vec::new()))
                }
                Effect::Show(colours) => {
                    let texts = compare::texts(path, &content, codec, reading).map_err(in_words)?;
                    Ok(Some(difference::unified(&name, &texts, colours)))
                }
            }
        });
        match finished {
            Err(message) => self.note_failed_edit(format!("{message}; the file is as it was")),
            Ok(None) => self.tally_edits(|tally| tally.unchanged += 1),
            Ok(Some(difference)) => {
                self.tally_edits(|tally| tally.edited += 1);
                let stdout = self.io.outputs.stdout();
                stdout.write(&difference)?;
                stdout.end_print()?;
            }
        }
        Ok(())
    }

    /// Whatever is being edited stays as it was; the standard output is what it was.
    pub(crate) fn abandon_edit(&mut self) {
        if let Some(edit) = self.in_place.as_mut().and_then(|in_place| in_place.current.take()) {
            self.io.environment.lend_output(None);
            self.io.outputs.replace_stdout(edit.stdout);
        }
    }

    /// Whether the file being read is edited.
    pub(crate) fn is_in_edit(&self) -> bool {
        self.in_place.as_ref().is_some_and(|in_place| in_place.current.is_some())
    }

    /// The file being edited cannot be read any further, or is not what it should be: it stays as
    /// it was, and the next one is edited. Anything else that goes wrong is handed back.
    pub(crate) fn fail_edit(&mut self, fault: Fault) -> Fallible<()> {
        if !self.is_in_edit()
            || !matches!(fault.kind(), FaultKind::Operand(_) | FaultKind::Read(..))
        {
            return Err(fault);
        }
        self.abandon_edit();
        self.note_failed_edit(format!("{}; the file is as it was", fault.message()));
        self.end_main()
    }

    /// An edit that cannot be, for this reason.
    pub(crate) fn note_failed_edit(&mut self, message: String) {
        self.tally_edits(|tally| tally.failures.push(message));
    }

    fn tally_edits(&mut self, count: impl FnOnce(&mut Tally)) {
        if let Some(in_place) = &mut self.in_place {
            count(&mut in_place.tally);
        }
    }

    /// What went wrong with files, and how many were edited; nothing if nothing did.
    pub(crate) fn failed_edits(&mut self) -> Vec<String> {
        self.in_place
            .as_mut()
            .map_or_else(Vec::new, |in_place| std::mem::take(&mut in_place.tally).into_messages())
    }
}
