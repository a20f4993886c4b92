//! Runs whose pieces are run on other machines.
//!
//! The machine that leads runs the program as it does with threads: BEGIN, the first and the last
//! records, pieces without a valid result, END. What it gives away are bytes: a [`Start`], which all
//! pieces start from, and a [`FilePiece`] each. Another machine compiles the same program, makes a
//! [`PieceWorker`] of the start, and runs pieces, which gives a [`Parcel`] each; it joins parcels of
//! pieces that follow each other, and returns the bytes. [`riverhawk_parallel::wire`] has the form.
//!
//! What brings bytes there and back is a [`Cluster`]. Nothing here knows which it is.

pub use crate::parallel::distant::PieceWorker;
pub use riverhawk_parallel::wire::{Message, WireError};
pub use riverhawk_parallel::{FilePiece, FilePlace, FileVersion, OutputPart, Parcel, Start};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Rounds of pieces that started with a wrong guess of the open ranges. Each settles at least one
/// piece for good, and most of them all; the leader runs what is still wrong.
pub(crate) const MAX_ROUNDS: usize = 8;

/// Brings pieces to other machines, and results back. Every machine must be able to open the
/// operands by their names: as the system's, or with the same
/// [`OperandFiles`](crate::filesystem::OperandFiles).
pub trait Cluster: Send + Sync {
    /// The number of records of each piece ([`PieceWorker::count`]).
    ///
    /// # Errors
    /// Why it is not known; this ends the run.
    fn count(&self, start: &[u8], pieces: &[Vec<u8>]) -> Result<Vec<u64>, String>;

    /// Runs the pieces ([`PieceWorker::run`]) and returns their parcels in their order, joined as far as
    /// it likes ([`PieceWorker::join`]). They come into memory here: what they may weigh is for the cluster
    /// to limit, which sees them first.
    ///
    /// # Errors
    /// Why a piece was not run; this ends the run.
    fn run(&self, start: &[u8], pieces: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, String>;

    /// What [`Parcel::take_printed`] keeps elsewhere under this name belongs between what was written to
    /// the standard output before this call and what is written after it.
    ///
    /// # Errors
    /// Why it cannot; this ends the run.
    fn insert(&self, name: &[u8]) -> Result<(), String>;
}

/// What happens when the rest of the input cannot be run in pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SerialRest {
    /// The leading machine runs it.
    #[default]
    Allowed,
    /// The run ends with an error that says why.
    Refused,
}

/// A cluster for a run.
#[derive(Clone)]
pub struct ClusterRun {
    /// The other machines.
    pub cluster: Arc<dyn Cluster>,
    /// What happens when they cannot help.
    pub serial_rest: SerialRest,
}

impl fmt::Debug for ClusterRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterRun").field("serial_rest", &self.serial_rest).finish_non_exhaustive()
    }
}

/// What running a program in pieces takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceNeeds {
    /// Variables of the pieces are joined for END; otherwise each record stands alone.
    pub joins: bool,
    /// Records are counted first, for NR and FNR.
    pub counts_records: bool,
    /// Pieces start with a guess of the open ranges, and run again where it was wrong.
    pub guesses_ranges: bool,
}

impl PieceNeeds {
    /// How often a cluster is asked, at least and at most.
    pub fn rounds(&self) -> RangeInclusive<usize> {
        let least = 1 + usize::from(self.counts_records);
        let more = if self.guesses_ranges { MAX_ROUNDS } else { 0 };
        least..=least + more
    }
}
