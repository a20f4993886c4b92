//! Pieces on other machines: what travels to them and back.
//!
//! A [`Start`] and a [`FilePiece`] are all that a machine with the program needs to run the piece,
//! and a [`Parcel`] is what comes of it. Parcels are joined, neighbours with neighbours, in
//! whatever tree: what two make together exactly becomes one [`Segment`], and what the leader has
//! to look at stays a segment of its own.

use crate::element_order::ElementOrder;
use crate::portable::State;
use crate::results::{PieceEnd, Results};
use crate::unpacked::{Section, SectionEnd};
use crate::wire::{Message, Wire, WireError, WireReader, wire_enum, wire_struct};
use riverhawk_awkio::Limit;
use riverhawk_record::table::Tables;
use std::time::{Duration, SystemTime};

/// What all pieces start from.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// Of the program and how it is compiled: another program is refused.
    pub fingerprint: u64,
    /// The leader's variables.
    pub state: State,
    /// The first word of messages.
    pub program_name: Vec<u8>,
    /// ENVIRON, and TZ for dates.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// What ENVIRON holds for unset variables.
    pub assumed: Vec<(Vec<u8>, Vec<u8>)>,
    /// The time of day for the program; the machine's if `None`.
    pub clock: Option<SystemTime>,
    /// Tables in input and output.
    pub tables: Tables,
    /// Whether sums are kept exactly, and rounded once, before END.
    pub relaxed_sums: bool,
    /// Whether variables are looked at after END.
    pub keeps_variables: bool,
    /// How much may come out of compressed files.
    pub decompress: Option<Limit>,
    /// Bytes of the window of input.
    pub window_size: usize,
}

/// Recognises a file: another one has another length, or was modified at another time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileVersion {
    /// In bytes.
    pub length: u64,
    /// In nanoseconds since 1970; of a file that is not the system's, its version.
    pub modified: i64,
}

/// Whether a piece begins its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePlace {
    /// At its beginning.
    Beginning,
    /// After other pieces.
    Middle,
}

/// How a file holds its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileForm {
    /// As it is.
    Plain,
    /// Compressed: places are those of the text of a section, which is read from its beginning.
    Compressed,
}

/// A part of a file, whole records.
#[derive(Clone, Debug, PartialEq)]
pub struct FilePiece {
    /// Its place among all pieces, from 0.
    pub number: u64,
    /// The operand that names the file.
    pub operand: u64,
    /// FILENAME, the path.
    pub name: Vec<u8>,
    /// The file as it was when it was cut.
    pub version: FileVersion,
    /// How its text is held.
    pub form: FileForm,
    /// The part of a compressed file to which its places belong.
    pub section: Section,
    /// Its first byte.
    pub start: u64,
    /// The byte after its last.
    pub end: u64,
    /// Where it is in its file.
    pub place: FilePlace,
    /// Whether its file is the last of all.
    pub is_last_file: bool,
    /// Whether it certainly ends at a record; otherwise running it finds that out.
    pub is_proved: bool,
    /// NR and FNR before it.
    pub counted: (f64, f64),
    /// The ranges supposed to be open before it.
    pub ranges: Vec<bool>,
}

/// What was printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputPart {
    /// It itself.
    Text(Vec<u8>),
    /// It is kept elsewhere, under this name.
    Elsewhere(Vec<u8>),
}

/// A piece that was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunPiece {
    /// Its place among all pieces.
    pub number: u64,
    /// The operand that names its file.
    pub operand: u64,
    /// Where it is in its file.
    pub place: FilePlace,
    /// Records read.
    pub records: u64,
}

/// Consecutive pieces with results in common.
#[derive(Debug)]
pub struct Segment {
    /// At least one; all of one file, or from the beginning of a file on.
    pub pieces: Vec<RunPiece>,
    /// Their results; the output is in `printed`.
    pub results: Results,
    /// What they printed.
    pub printed: Vec<OutputPart>,
    /// In a strand the places of its elements, by share of the plan.
    pub places: Vec<Option<ElementOrder>>,
}

/// What came of consecutive pieces.
#[derive(Debug, Default)]
pub struct Parcel {
    /// In order.
    pub segments: Vec<Segment>,
}

impl Segment {
    /// Of one piece.
    pub fn new(piece: &FilePiece, mut results: Results) -> Segment {
        let output = std::mem::take(&mut results.output);
        // The leader must see the record of END.
        if piece.is_last_file && results.end == PieceEnd::FileSkipped {
            results.end = PieceEnd::Abandoned;
        }
        let run = RunPiece {
            number: piece.number,
            operand: piece.operand,
            place: piece.place,
            records: results.records,
        };
        let printed = if output.is_empty() { Vec::new() } else { vec![OutputPart::Text(output)] };
        Segment { pieces: vec![run], results, printed, places: Vec::new() }
    }

    fn first(&self) -> RunPiece {
        self.pieces[0]
    }

    fn is_one_file(&self) -> bool {
        self.pieces.iter().skip(1).all(|piece| piece.place == FilePlace::Middle)
    }

    /// Whether `later` belongs to what `nextfile` skipped.
    fn skips(&self, later: &Segment) -> bool {
        self.results.end == PieceEnd::FileSkipped
            // With a wrong guess of the open ranges it may not be so.
            && self.results.ranges.0.is_empty()
            && later.first().place == FilePlace::Middle
            && later.is_one_file()
    }

    fn can_join(&self, later: &Segment) -> bool {
        let starts_within = self.first().place == FilePlace::Middle;
        let follows = match later.first().place {
            // What skips the rest of its file must find it as segments of their own.
            FilePlace::Beginning => !starts_within,
            FilePlace::Middle => {
                self.results.end == PieceEnd::Whole && (later.is_one_file() || !starts_within)
            }
        };
        follows && later.results.end != PieceEnd::Abandoned
    }
}

/// What joins the results of two segments.
pub trait JoinResults {
    /// The results of both, if they are exactly what a serial run makes of them. The output is
    /// not of its concern.
    fn join_results(&mut self, earlier: &Results, later: &Results) -> Option<Results>;
}

impl Parcel {
    /// Of one piece.
    pub fn new(piece: &FilePiece, results: Results) -> Parcel {
        Parcel { segments: vec![Segment::new(piece, results)] }
    }

    /// Appends a parcel whose pieces follow.
    pub fn join(&mut self, later: Parcel, joiner: &mut impl JoinResults) {
        for segment in later.segments {
            let Some(last) = self.segments.last_mut() else {
                self.segments.push(segment);
                continue;
            };
            if last.skips(&segment) {
                continue;
            }
            let is_exact = last.results.end != PieceEnd::Abandoned && last.can_join(&segment);
            match is_exact.then(|| joiner.join_results(&last.results, &segment.results)).flatten() {
                Some(results) => {
                    last.places = last.joined_places(&segment, &results);
                    last.results = results;
                    last.pieces.extend(segment.pieces);
                    for printed in segment.printed {
                        match (last.printed.last_mut(), printed) {
                            (Some(OutputPart::Text(text)), OutputPart::Text(more)) => {
                                text.extend_from_slice(&more);
                            }
                            (_, printed) => last.printed.push(printed),
                        }
                    }
                }
                None => self.segments.push(segment),
            }
        }
    }

    /// Stands for the results of a piece that is run later, if no variable of it matters: what it
    /// prints is kept elsewhere under this name. It has so many records, or 0 where they are not
    /// counted.
    pub fn deferred(piece: &FilePiece, records: u64, name: Vec<u8>) -> Parcel {
        let ranges = (piece.ranges.clone(), piece.ranges.clone());
        let results = Results { records, ranges, ..Results::of_nothing() };
        let mut parcel = Parcel::new(piece, results);
        parcel.segments[0].printed = vec![OutputPart::Elsewhere(name)];
        parcel
    }

    /// Why the leader has to run the only piece; `None` if it has not.
    pub fn complaint(&self) -> Option<String> {
        let [segment] = self.segments.as_slice() else { return None };
        let is_abandoned = segment.results.end == PieceEnd::Abandoned;
        let reason = segment.results.complaint.clone();
        is_abandoned.then(|| reason.unwrap_or_else(|| "it must be run in order".to_owned()))
    }

    /// Takes what was printed, which is then kept elsewhere under this name; `None` if nothing was.
    pub fn take_printed(&mut self, name: Vec<u8>) -> Option<Vec<u8>> {
        let [segment] = self.segments.as_mut_slice() else { return None };
        let [OutputPart::Text(text)] = segment.printed.as_mut_slice() else { return None };
        let text = std::mem::take(text);
        segment.printed = vec![OutputPart::Elsewhere(name)];
        Some(text)
    }
}

impl Message for Start {
    const KIND: u8 = 1;
}

impl Message for FilePiece {
    const KIND: u8 = 2;
}

impl Message for Parcel {
    const KIND: u8 = 3;
}

wire_struct!(Start {
    fingerprint,
    state,
    program_name,
    environment,
    assumed,
    clock,
    tables,
    relaxed_sums,
    keeps_variables,
    decompress,
    window_size,
});
wire_struct!(FileVersion { length, modified });
wire_enum!(FilePlace { Beginning, Middle });
wire_enum!(FileForm { Plain, Compressed });
wire_struct!(Section { from, until });
wire_struct!(SectionEnd { block, extra });
wire_struct!(FilePiece {
    number,
    operand,
    name,
    version,
    form,
    section,
    start,
    end,
    place,
    is_last_file,
    is_proved,
    counted,
    ranges,
});
wire_struct!(RunPiece { number, operand, place, records });
wire_struct!(Parcel { segments });

impl Wire for Segment {
    fn write(&self, out: &mut Vec<u8>) {
        self.pieces.write(out);
        self.results.write(out);
        self.printed.write(out);
        self.places.write(out);
    }

    fn read(from: &mut WireReader<'_>) -> Result<Segment, WireError> {
        let pieces: Vec<RunPiece> = Vec::read(from)?;
        if pieces.is_empty() {
            return Err(WireError::Damaged);
        }
        let results = Wire::read(from)?;
        Ok(Segment { pieces, results, printed: Wire::read(from)?, places: Wire::read(from)? })
    }
}

impl Wire for OutputPart {
    fn write(&self, out: &mut Vec<u8>) {
        let (kind, bytes) = match self {
            OutputPart::Text(text) => (0, text),
            OutputPart::Elsewhere(name) => (1, name),
        };
        out.push(kind);
        bytes.write(out);
    }

    fn read(from: &mut WireReader<'_>) -> Result<OutputPart, WireError> {
        match u8::read(from)? {
            0 => Ok(OutputPart::Text(Vec::read(from)?)),
            1 => Ok(OutputPart::Elsewhere(Vec::read(from)?)),
            _ => Err(WireError::Damaged),
        }
    }
}

/// In nanoseconds since 1970.
impl Wire for SystemTime {
    fn write(&self, out: &mut Vec<u8>) {
        nanoseconds(*self).write(out);
    }

    fn read(from: &mut WireReader<'_>) -> Result<SystemTime, WireError> {
        let since = i64::read(from)?;
        let length = Duration::from_nanos(since.unsigned_abs());
        let epoch = SystemTime::UNIX_EPOCH;
        let time = if since < 0 { epoch.checked_sub(length) } else { epoch.checked_add(length) };
        time.ok_or(WireError::Damaged)
    }
}

/// Since 1970, as far as 64 bits go: from 1677 to 2262.
pub fn nanoseconds(time: SystemTime) -> i64 {
    let length = |length: Duration| i64::try_from(length.as_nanos()).unwrap_or(i64::MAX);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => length(after),
        Err(before) => -length(before.duration()),
    }
}
