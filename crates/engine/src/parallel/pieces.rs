//! Cuts the files of the command line into pieces.

use riverhawk_awkio::filesystem::{OperandFiles, ReadAt};
use riverhawk_awkio::{Blocks, Limit, blocks_of, is_compressed};
use riverhawk_parallel::{
    Boundaries, FileForm, FileVersion, PieceInput, PieceSource, Section, SectionEnd, nanoseconds,
};
use riverhawk_system::fd::AsFd;
use riverhawk_system::names::OsStrExt;
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

#[derive(Clone, Debug)]
pub(super) struct Operand {
    /// `None` for the standard input without operands.
    pub number: Option<f64>,
    pub name: Arc<[u8]>,
    /// Of its text: the greatest number if it is compressed.
    pub length: u64,
    pub version: FileVersion,
    pub form: FileForm,
    /// How it can be cut if it is compressed.
    pub blocks: Option<Blocks>,
    /// Where it continues, if it is the standard input.
    pub stdin_at: Option<u64>,
}

/// What begins with a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceStart {
    /// More of its file came before it.
    Nothing,
    /// An operand, with FNR 0.
    Operand,
    /// The standard input without operands: FNR continues from the program's assignment.
    Unnamed,
}

impl PieceStart {
    /// Of an operand with this number.
    pub fn of(operand: Option<f64>) -> PieceStart {
        match operand {
            Some(_) => PieceStart::Operand,
            None => PieceStart::Unnamed,
        }
    }
}

impl Operand {
    pub fn begins(&self) -> PieceStart {
        PieceStart::of(self.number)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub operand: usize,
    pub input: PieceInput,
    pub start: u64,
    pub end: u64,
    pub begins: PieceStart,
    /// Whether it certainly ends at a record.
    pub is_proved: bool,
}

impl Piece {
    pub fn of_memory(bytes: Arc<[u8]>) -> Piece {
        let end = bytes.len() as u64;
        Piece {
            operand: 0,
            input: PieceInput::Memory(bytes),
            start: 0,
            end,
            begins: PieceStart::Nothing,
            is_proved: true,
        }
    }

    /// All of its file, of so many bytes, that follows it.
    pub fn rest(&self, length: u64) -> Piece {
        let begins = PieceStart::Nothing;
        match self.input.section().until {
            Some(SectionEnd { block, extra }) => {
                let input = self.input.of_section(Section { from: block, until: None });
                Piece { input, start: extra, end: length, begins, ..self.clone() }
            }
            None => Piece { start: self.end, end: length, begins, ..self.clone() },
        }
    }

    /// All of it and of what follows in its file.
    pub fn onwards(&self) -> Piece {
        let section = Section { until: None, ..self.input.section() };
        Piece { input: self.input.of_section(section), end: u64::MAX, ..self.clone() }
    }

    /// Reads it until `cancelled`, and adds what is read to `progress`.
    pub fn source(&self, cancelled: Arc<AtomicBool>, progress: Arc<AtomicU64>) -> PieceSource {
        PieceSource {
            input: self.input.clone(),
            start: self.start,
            end: self.end,
            cancelled,
            progress,
        }
    }
}

/// Regular files without an assignment between them. None is empty unless it is the only one.
#[derive(Debug)]
pub(super) struct Batch {
    pub operands: Vec<Operand>,
    files: InputFiles,
}

/// How files are opened.
#[derive(Clone, Debug, Default)]
pub(super) struct InputFiles {
    /// Those that are not the system's.
    pub elsewhere: Option<Arc<dyn OperandFiles>>,
    /// How much may come out of compressed files; `None` where they are read as they are.
    pub decompress: Option<Limit>,
}

impl InputFiles {
    /// The file of this name as it is now.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(&self, name: &[u8]) -> io::Result<(PieceInput, FileVersion)> {
        let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
        if let Some(found) = self.open_elsewhere(name) {
            return found;
        }
        let file = File::open(OsStr::from_bytes(name))?;
        let version = version_of(&file.metadata()?);
        Ok((PieceInput::File(Arc::new(file)), version))
    }

    /// `None` for names that are the system's.
    fn open_elsewhere(&self, path: &[u8]) -> Option<io::Result<(PieceInput, FileVersion)>> {
        let found = self.elsewhere.as_ref()?.open(path)?;
        Some(found.map(|file| {
            let version = FileVersion { length: file.length, modified: file.version };
            (PieceInput::Elsewhere(file), version)
        }))
    }

    pub fn text(&self, file: PieceInput, form: FileForm) -> PieceInput {
        match (form, self.decompress) {
            (FileForm::Compressed, Some(limit)) => file.unpacked(limit),
            _ => file,
        }
    }

    /// What the name is, if it can be a part of a batch.
    fn look_at(&self, name: &[u8]) -> Option<(FileVersion, FileForm, Option<Blocks>)> {
        let path = name.split(|&byte| byte == 0).next().unwrap_or_default();
        let (file, version) = match self.open_elsewhere(path) {
            Some(found) => found.ok()?,
            None => {
                let path = OsStr::from_bytes(path);
                let version = version_of(&std::fs::metadata(path).ok().filter(Metadata::is_file)?);
                if self.decompress.is_none() {
                    return Some((version, FileForm::Plain, None));
                }
                (PieceInput::File(Arc::new(File::open(path).ok()?)), version)
            }
        };
        let is_compressed = self.decompress.is_some() && is_compressed(&file).ok()?;
        if !is_compressed {
            return Some((version, FileForm::Plain, None));
        }
        // Frames of zstd are found by many small reads, which take too long elsewhere.
        let is_near = matches!(file, PieceInput::File(_));
        let blocks = blocks_of(&file).ok()?.filter(|blocks| is_near || *blocks == Blocks::Bgzip);
        Some((version, FileForm::Compressed, blocks))
    }
}

impl Batch {
    /// The first files that can be cut together: regular files up to one of length 0. That one is a
    /// batch of its own, since some system files have length 0 and are not empty.
    pub fn of_files(names: Vec<(f64, Vec<u8>)>, files: InputFiles) -> Batch {
        let mut operands = Vec::new();
        for (number, name) in names {
            let Some((version, form, blocks)) = files.look_at(&name) else { break };
            let length = match form {
                FileForm::Plain => version.length,
                FileForm::Compressed => u64::MAX,
            };
            if length == 0 && !operands.is_empty() {
                break;
            }
            operands.push(Operand {
                number: Some(number),
                name: name.into(),
                length,
                version,
                form,
                blocks,
                stdin_at: None,
            });
            if length == 0 {
                break;
            }
        }
        Batch { operands, files }
    }

    /// The standard input, if it is a regular file and not at its end.
    pub fn of_stdin(operand: Option<(f64, Vec<u8>)>) -> Batch {
        let (number, name) =
            operand.map_or((None, b"-".to_vec()), |(number, name)| (Some(number), name));
        let at = || -> io::Result<Option<(u64, u64)>> {
            let mut file = stdin()?;
            let metadata = file.metadata()?;
            let at = io::Seek::stream_position(&mut file)?;
            Ok((metadata.is_file() && metadata.len() > at).then_some((at, metadata.len())))
        };
        // A pipe has no position.
        let files = InputFiles::default();
        let Some((at, length)) = at().ok().flatten() else {
            return Batch { operands: Vec::new(), files };
        };
        Batch {
            operands: vec![Operand {
                number,
                name: name.into(),
                length,
                version: FileVersion { length, ..FileVersion::default() },
                form: FileForm::Plain,
                blocks: None,
                stdin_at: Some(at),
            }],
            files,
        }
    }

    /// In bytes as they are stored.
    pub fn length(&self) -> u64 {
        let length =
            |operand: &Operand| operand.version.length - operand.stdin_at.unwrap_or_default();
        self.operands.iter().map(length).sum()
    }

    /// The text of an operand.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(&self, operand: &Operand) -> io::Result<PieceInput> {
        if operand.stdin_at.is_some() {
            return stdin().map(Arc::new).map(PieceInput::File);
        }
        let (file, _) = self.files.open(&operand.name)?;
        Ok(self.files.text(file, operand.form))
    }

    /// All of an operand that is a file.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn whole(&self, at: usize) -> io::Result<Piece> {
        let operand = &self.operands[at];
        Ok(Piece {
            operand: at,
            input: self.open(operand)?,
            start: 0,
            end: u64::MAX,
            begins: operand.begins(),
            is_proved: true,
        })
    }

    pub fn files(&self) -> &InputFiles {
        &self.files
    }
}

/// Whether all of a text can be read from a place on.
fn is_readable(text: &PieceInput, mut at: u64) -> bool {
    let mut block = vec![0; 64 * 1024];
    loop {
        match text.read_at(&mut block, at) {
            Ok(0) => return true,
            Ok(count) => at += count as u64,
            Err(_) => return false,
        }
    }
}

/// Of a file, so that a later change can be noticed.
pub(super) fn version_of(file: &Metadata) -> FileVersion {
    let modified = file.modified().map(nanoseconds).unwrap_or_default();
    FileVersion { length: file.len(), modified }
}

fn stdin() -> io::Result<File> {
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

/// Whether END may read the last record, which the coordinator then has to run. It reads the end of a
/// file, but all of a compressed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LastRecord {
    Read,
    Unread,
}

#[derive(Debug)]
pub(super) struct Cutter<'b> {
    batch: &'b Batch,
    boundaries: &'b Boundaries,
    size: u64,
    operand: usize,
    file: Option<PieceInput>,
    at: u64,
    begins_file: bool,
    /// The rest of the last file is the coordinator's.
    all_cut: bool,
    last_record: LastRecord,
    /// Whether ends of pieces may be assumed: all assumed so far were right.
    supposes: bool,
}

impl<'b> Cutter<'b> {
    pub fn new(
        batch: &'b Batch,
        boundaries: &'b Boundaries,
        size: u64,
        last_record: LastRecord,
    ) -> Cutter<'b> {
        Cutter {
            batch,
            boundaries,
            size,
            operand: 0,
            file: None,
            at: 0,
            begins_file: true,
            all_cut: false,
            last_record,
            supposes: true,
        }
    }

    pub fn go_to(&mut self, operand: usize, at: u64, file: Option<PieceInput>) {
        (self.operand, self.at, self.begins_file, self.file) = (operand, at, file.is_none(), file);
    }

    /// Returns to the beginning of a piece that did not end at a record, and stops assuming ends.
    pub fn return_to(&mut self, piece: &Piece) {
        let file = (piece.begins == PieceStart::Nothing).then(|| piece.onwards().input);
        self.go_to(piece.operand, piece.start, file);
        (self.all_cut, self.supposes) = (false, false);
    }

    pub fn is_proved(&self, piece: &Piece) -> bool {
        if piece.input.section().until.is_some() {
            return piece.is_proved || is_readable(&piece.input, piece.start);
        }
        piece.is_proved
            || self
                .boundaries
                .boundary(&piece.input, piece.start, piece.end - 1, piece.end + 1)
                .is_ok_and(|at| at == piece.end)
    }

    fn begins_with(&self, operand: &Operand) -> PieceStart {
        if self.begins_file { operand.begins() } else { PieceStart::Nothing }
    }

    pub fn operand(&self) -> usize {
        self.operand
    }

    /// The rest of the current file; `None` if nothing of it has been read.
    pub fn rest_of_file(&self) -> Option<Piece> {
        let input = self.file.clone().filter(|_| !self.begins_file)?;
        let end = self.batch.operands.get(self.operand)?.length;
        Some(Piece {
            operand: self.operand,
            input,
            start: self.at,
            end,
            begins: PieceStart::Nothing,
            is_proved: true,
        })
    }

    /// The next piece. `None` if only the last records of the last file are left, which are the
    /// coordinator's.
    ///
    /// # Errors
    /// A file cannot be opened or read.
    pub fn next(&mut self) -> io::Result<Option<Piece>> {
        let Some(operand) = self.batch.operands.get(self.operand) else { return Ok(None) };
        let file = match &self.file {
            Some(file) => file.clone(),
            None => self.file.insert(self.batch.open(operand)?).clone(),
        };
        let is_last = self.operand + 1 == self.batch.operands.len();
        if let Some(piece) = self.next_section(operand, &file, is_last)? {
            return Ok(Some(piece));
        }
        let coordinators = if is_last { self.size.min(COORDINATORS_PART) } else { 0 };
        let most = operand.length.saturating_sub(coordinators);
        let from = (self.at + self.size).min(most);
        let is_whole = operand.form == FileForm::Compressed;
        let (end, is_proved) = match (is_whole || self.at >= most, self.supposes) {
            (true, _) => (operand.length, true),
            (false, true) => {
                self.boundaries.likely_boundary(&file, self.at, from, operand.length)?
            }
            (false, false) => {
                (self.boundaries.boundary(&file, self.at, from, operand.length)?, true)
            }
        };
        let is_coordinators = !is_whole || self.last_record == LastRecord::Read;
        if is_last && is_coordinators && end >= operand.length {
            self.all_cut = true;
            return Ok(None);
        }
        let piece = Piece {
            operand: self.operand,
            start: self.at,
            end,
            input: file,
            begins: self.begins_with(operand),
            is_proved,
        };
        (self.at, self.begins_file) = (piece.end, false);
        if piece.end >= operand.length {
            self.go_to(self.operand + 1, 0, None);
        }
        Ok(Some(piece))
    }

    /// A piece of a compressed file whose blocks can be found; `None` if the rest of it is one.
    fn next_section(
        &mut self,
        operand: &Operand,
        file: &PieceInput,
        is_last: bool,
    ) -> io::Result<Option<Piece>> {
        let Some(blocks) = operand.blocks.filter(|_| self.supposes) else { return Ok(None) };
        let Section { from, .. } = file.section();
        let coordinators = if is_last { self.size.min(COORDINATORS_PART) } else { 0 };
        let most = operand.version.length.saturating_sub(coordinators);
        if from >= most {
            return Ok(None);
        }
        let mut wanted = from;
        let (text, until, input) = loop {
            wanted = (wanted + self.size).min(most);
            let Some(block) = file.find_block(blocks, wanted)? else { return Ok(None) };
            let text = file.of_section(Section { from: block, until: None });
            let Some(extra) = self.boundaries.first_after_context(&text)? else { return Ok(None) };
            let until = SectionEnd { block, extra };
            let input = file.of_section(Section { from, until: Some(until) });
            match input.read_at(&mut [0], self.at) {
                // The first records reach beyond that block.
                Ok(0) if wanted < most => {}
                Ok(count) if count > 0 => break (text, until, input),
                _ => return Ok(None),
            }
        };
        let piece = Piece {
            operand: self.operand,
            start: self.at,
            end: operand.length,
            input,
            begins: self.begins_with(operand),
            // Decoding up to the block shows whether it is one.
            is_proved: false,
        };
        (self.at, self.begins_file, self.file) = (until.extra, false, Some(text));
        Ok(Some(piece))
    }

    /// The last records of the batch; `None` if an earlier file could not be read.
    pub fn last_piece(&self) -> Option<Piece> {
        let operand = self.batch.operands.last().filter(|_| self.all_cut)?;
        let section = self.file.as_ref().map(PieceInput::section).unwrap_or_default();
        Some(Piece {
            operand: self.operand,
            input: self.batch.open(operand).ok()?.of_section(section),
            start: self.at,
            end: operand.length,
            begins: self.begins_with(operand),
            is_proved: true,
        })
    }
}

/// Bytes that the coordinator runs at both ends: enough for any header, and little compared with a
/// piece.
pub(super) const COORDINATORS_PART: u64 = 64 * 1024;
