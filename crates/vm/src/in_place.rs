//! Editing in place: what is printed while a file of the main input is read takes the file's place.
//!
//! The output goes into a new file beside the old one (`riverhawk_slurp::Replacement`), which gets the old one's name in one step when the
//! input has been read to its end. Until then the old file is untouched, so a full disk, an error, `exit` and `kill -9` leave it as it was. Only
//! `print` and `printf` without a redirection (or to `/dev/stdout`) are meant, and the commands of `system`. What a pipe leads to may end long
//! after the file has been replaced, or work for several files: such commands write where they always do.

use crate::fault::{Fallible, Fault};
use crate::io::{FileName, Reading, Reason, Sink};
use crate::runtime::Runtime;
use riverhawk_compress::{Codec, Sniffed};
use riverhawk_slurp::{Replacement, Spew};
use riverhawk_stream::{FdSource, Room, Source};
use riverhawk_value::Value;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// How files are edited, and the one that is being read.
pub struct InPlace {
    /// The old files are kept under their names and this, unless it is empty.
    suffix: Vec<u8>,
    /// Files opened from now on are edited.
    is_enabled: bool,
    /// What the program itself was last seen to have assigned to the two.
    assigned: [Option<Vec<u8>>; 2],
    current: Option<Edit>,
}

/// A file that is being read and will be replaced.
struct Edit {
    name: Vec<u8>,
    replacement: Replacement,
    codec: Option<Codec>,
    /// The standard output that there was.
    stdout: Sink,
}

impl InPlace {
    /// Edits all files, and keeps the old ones if there is a suffix.
    pub fn new(suffix: Vec<u8>) -> InPlace {
        InPlace { suffix, is_enabled: true, assigned: [None, None], current: None }
    }

    /// Takes the value of `inplace::suffix` or `inplace::enable`; false of any other variable.
    pub fn set(&mut self, variable: &str, value: &[u8]) -> bool {
        match variable {
            "inplace::suffix" => self.suffix = value.to_vec(),
            "inplace::enable" => self.is_enabled = !matches!(value, b"" | b"0"),
            _ => return false,
        }
        true
    }
}

impl Runtime {
    /// Takes over `inplace::suffix` and `inplace::enable` where the program has assigned them since the last file.
    fn take_settings(&mut self) {
        if self.in_place.is_none() {
            return;
        }
        for (at, variable) in ["inplace::suffix", "inplace::enable"].into_iter().enumerate() {
            let Some(slot) = self.program.globals.iter().position(|global| global.name == variable) else { continue };
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

    /// A file of the main input has been opened.
    pub(crate) fn begin_edit(&mut self, name: &[u8]) -> Fallible<()> {
        self.take_settings();
        if !self.in_place.as_ref().is_some_and(|in_place| in_place.is_enabled) {
            return Ok(());
        }
        self.allow_edit()?;
        let path = Path::new(OsStr::from_bytes(name));
        let is_regular = path.metadata().is_ok_and(|metadata| metadata.is_file());
        if !matches!(FileName::for_reading(name), FileName::Path(_)) || !is_regular {
            return self.warn(&format!("{} is no regular file: not edited in place", String::from_utf8_lossy(name)));
        }
        let begun = self.begin_replacement(name, path);
        let (replacement, sink, codec) = begun.map_err(Fault::operand)?;
        // What was printed before comes out before, whatever commands print now.
        self.io.outputs.flush_stdout()?;
        let stdout = self.io.outputs.replace_stdout(sink);
        // Commands know nothing of compression or encodings.
        let takes_bytes = codec.is_none() && self.io.outputs.coding().is_none();
        let file = takes_bytes.then(|| replacement.writer()).transpose();
        self.io.environment.lend_output(file.map_err(|error| Fault::operand(error.to_string()))?);
        // Each file has a header of its own.
        self.columns.written = false;
        self.columns.json_header.clear();
        if let Some(in_place) = &mut self.in_place {
            in_place.current = Some(Edit { name: name.to_vec(), replacement, codec, stdout });
        }
        Ok(())
    }

    fn begin_replacement(&self, name: &[u8], path: &Path) -> Result<(Replacement, Sink, Option<Codec>), String> {
        let replacement = Spew::new().begin(path).map_err(|error| error.to_string())?;
        let in_words = |error: io::Error| format!("cannot edit {}: {}", path.display(), Reason(&error));
        let reading = self.io.inputs.reading();
        let codec = match reading.decompress {
            Some(_) => codec_of(File::open(path).map_err(in_words)?).map_err(in_words)?,
            None => None,
        };
        let writer = replacement.writer().map_err(|error| error.to_string())?;
        let sink = self.io.outputs.sink_for(writer, name, codec).map_err(in_words)?;
        Ok((replacement, sink, codec))
    }

    /// The file being edited has been read to its end, or as far as the program wanted: it is replaced.
    pub(crate) fn finish_edit(&mut self) -> Fallible<()> {
        let Some(in_place) = &mut self.in_place else { return Ok(()) };
        let Some(Edit { name, replacement, codec, stdout }) = in_place.current.take() else { return Ok(()) };
        let suffix = in_place.suffix.clone();
        self.io.environment.lend_output(None);
        let mut sink = self.io.outputs.replace_stdout(stdout);
        sink.close_contents()?;
        drop(sink);
        let path = Path::new(OsStr::from_bytes(&name));
        let failed = |error: String| Fault::operand(format!("{error}; the file is as it was"));
        let is_same = is_unchanged(path, &replacement, codec, self.io.inputs.reading());
        let is_same = is_same.map_err(|error| failed(format!("cannot edit {}: {}", path.display(), Reason(&error))))?;
        if is_same {
            return Ok(());
        }
        let suffix = (!suffix.is_empty()).then(|| OsStr::from_bytes(&suffix));
        replacement.commit(suffix).map_err(|error| failed(error.to_string()))
    }

    /// Whatever is being edited stays as it was; the standard output is what it was.
    pub(crate) fn abandon_edit(&mut self) {
        if let Some(edit) = self.in_place.as_mut().and_then(|in_place| in_place.current.take()) {
            self.io.environment.lend_output(None);
            self.io.outputs.replace_stdout(edit.stdout);
        }
    }
}

/// What a file is compressed with.
fn codec_of(file: File) -> io::Result<Option<Codec>> {
    let mut beginning = Vec::with_capacity(Codec::LONGEST_BEGINNING);
    let mut source = FdSource::new(file);
    while source.read(&mut Room::new(&mut beginning, Codec::LONGEST_BEGINNING))? > 0
        && beginning.len() < Codec::LONGEST_BEGINNING
    {}
    Ok(Codec::of_content(&beginning))
}

/// Whether what was written says the same as the old file. Compressed files are compared by what they stand for: the same text is
/// compressed otherwise by every tool.
fn is_unchanged(path: &Path, new: &Replacement, codec: Option<Codec>, reading: &Reading) -> io::Result<bool> {
    let (old, new) = (File::open(path)?, File::from(new.written()?));
    if codec.is_none() && old.metadata()?.len() != new.metadata()?.len() {
        return Ok(false);
    }
    let text = |file: File| -> Box<dyn Source> {
        let source = FdSource::new(OwnedFd::from(file));
        match reading.decompress.filter(|_| codec.is_some()) {
            Some(limit) => Box::new(Sniffed::new(source, limit)),
            None => Box::new(source),
        }
    };
    are_equal(text(old), text(new))
}

/// Bytes compared at once.
const AT_ONCE: usize = 64 * 1024;

fn are_equal(mut one: impl Source, mut other: impl Source) -> io::Result<bool> {
    let (mut left, mut right) = (Vec::with_capacity(AT_ONCE), Vec::with_capacity(AT_ONCE));
    loop {
        fill(&mut one, &mut left)?;
        fill(&mut other, &mut right)?;
        if left != right {
            return Ok(false);
        }
        if left.is_empty() {
            return Ok(true);
        }
    }
}

fn fill(source: &mut impl Source, block: &mut Vec<u8>) -> io::Result<()> {
    block.clear();
    while block.len() < AT_ONCE && source.read(&mut Room::new(block, AT_ONCE))? > 0 {}
    Ok(())
}
