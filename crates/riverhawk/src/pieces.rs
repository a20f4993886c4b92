//! Pieces of the input, run on other machines, with the result of one run.
//!
//! A run with a [`Cluster`] leads: it runs `BEGIN`, the first and the last records and `END`, cuts
//! the files between at records, and joins what comes back in order. The cluster brings bytes to
//! machines that have the same program and can open the same files by the same names, as the system's
//! or as [`OperandFiles`]. There,
//! [`Program::piece_worker`] makes a [`PieceWorker`] of the *start*, which runs a *piece* and gives a
//! *parcel*: what the piece printed, and what it adds to the variables. Parcels of pieces that follow
//! each other can be joined anywhere, in any tree. A piece whose result might not be that of a serial
//! run (an error, `exit`, a warning, fractions in a sum) says so in its parcel, and the leading run
//! runs it, in its turn.
//!
//! Starts, pieces and parcels are of one version of Riverhawk; another one says so and names both.
//!
//! ```
//! use riverhawk::pieces::{Cluster, PieceError, SerialRest};
//! use riverhawk::{Program, Run};
//!
//! /// Machines that are function calls.
//! struct Calls(Program);
//!
//! impl Cluster for Calls {
//!     fn count(&self, start: &[u8], pieces: &[Vec<u8>]) -> Result<Vec<u64>, String> {
//!         let mut worker = self.0.piece_worker(start).map_err(|error| error.to_string())?;
//!         let counts = pieces.iter().map(|piece| worker.count(piece));
//!         counts.collect::<Result<_, PieceError>>().map_err(|error| error.to_string())
//!     }
//!
//!     fn run(&self, start: &[u8], pieces: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, String> {
//!         assert_eq!(pieces.len(), 3);
//!         let mut worker = self.0.piece_worker(start).map_err(|error| error.to_string())?;
//!         let parcels = pieces.iter().map(|piece| worker.run(piece));
//!         let parcels = parcels.collect::<Result<Vec<_>, PieceError>>();
//!         let joined = parcels.and_then(|parcels| worker.join(&parcels));
//!         Ok(vec![joined.map_err(|error| error.to_string())?])
//!     }
//!
//!     fn insert(&self, _: &[u8]) -> Result<(), String> {
//!         Ok(()) // No output was kept elsewhere.
//!     }
//! }
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("words").to_string_lossy().into_owned();
//! std::fs::write(&path, "tea\nmilk\ntea\n".repeat(30_000))?;
//! let count = Program::compile("{ n[$1]++ } END { for (k in n) print k, n[k] }")?;
//! let run = Run::new()
//!     .operands([path])
//!     .piece_size(100_000)
//!     .cluster(Calls(count.clone()), SerialRest::Refused);
//! assert_eq!(count.run(run)?.text(), "tea 60000\nmilk 30000\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::program::Program;
use crate::run::Run;
use crate::unwinding::Caught;
use riverhawk_engine::Renderer;
pub use riverhawk_engine::cluster::{Cluster, PieceNeeds, SerialRest};
use riverhawk_engine::cluster::{ClusterRun, Message, Parcel, PieceWorker as EngineWorker, Start};
use riverhawk_engine::filesystem::OperandFiles;
use std::fmt;
use std::sync::Arc;

/// Why a piece was not run, counted or joined: a start, piece or parcel of another version or
/// program, or a file that is not there, or not as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceError(String);

impl fmt::Display for PieceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PieceError {}

fn read<T: Message>(bytes: &[u8]) -> Result<T, PieceError> {
    T::from_bytes(bytes).map_err(|error| PieceError(error.to_string()))
}

/// Runs pieces that begin with one start. It stays on its thread.
#[derive(Debug)]
pub struct PieceWorker(EngineWorker);

impl PieceWorker {
    /// The number of a piece's records.
    ///
    /// # Errors
    /// The piece is damaged or of another version; its file cannot be read or has changed.
    pub fn count(&mut self, piece: &[u8]) -> Result<u64, PieceError> {
        self.0.count(&read(piece)?).map_err(PieceError)
    }

    /// Runs a piece, and returns its parcel.
    ///
    /// # Errors
    /// As [`PieceWorker::count`]. An error of the program is in the parcel.
    pub fn run(&mut self, piece: &[u8]) -> Result<Vec<u8>, PieceError> {
        let parcel = self.0.run(&read(piece)?).map_err(PieceError)?;
        Ok(parcel.to_bytes())
    }

    /// Splits a parcel into so many, for arrays that are too large to be joined in one place: each has a
    /// part of the keys, and is joined with those of the same number of other parcels. [`unite`] makes a
    /// parcel of them again.
    ///
    /// # Errors
    /// The parcel is damaged or of another version.
    pub fn split(&self, parcel: &[u8], strands: usize) -> Result<Vec<Vec<u8>>, PieceError> {
        Ok(self.0.split(read(parcel)?, strands).iter().map(Message::to_bytes).collect())
    }

    /// Joins parcels of pieces that follow each other, in this order.
    ///
    /// # Errors
    /// A parcel is damaged or of another version.
    pub fn join(&mut self, parcels: &[impl AsRef<[u8]>]) -> Result<Vec<u8>, PieceError> {
        let parcels = parcels.iter().map(|parcel| read(parcel.as_ref()));
        Ok(self.0.join(parcels.collect::<Result<_, _>>()?).to_bytes())
    }
}

/// The parcel of one piece without what the piece printed, which is kept elsewhere under this name,
/// for [`Cluster::insert`]; and what it printed, if anything.
///
/// # Errors
/// The parcel is damaged or of another version.
pub fn take_printed(
    parcel: &[u8],
    name: impl Into<Vec<u8>>,
) -> Result<(Vec<u8>, Option<Vec<u8>>), PieceError> {
    let mut parcel: Parcel = read(parcel)?;
    let printed = parcel.take_printed(name.into());
    Ok((parcel.to_bytes(), printed))
}

/// The parcel of all that [`PieceWorker::split`] has made of one, or of several that were then joined.
///
/// # Errors
/// They are damaged, of another version, or not all of one parcel.
pub fn unite(strands: &[impl AsRef<[u8]>]) -> Result<Vec<u8>, PieceError> {
    let strands = strands.iter().map(|strand| read(strand.as_ref()));
    let united = Parcel::unite(strands.collect::<Result<_, _>>()?);
    united.map(|parcel| parcel.to_bytes()).map_err(|error| PieceError(error.to_string()))
}

/// Why the leading run has to run the one piece of this parcel: the error or warning, or other
/// reasons; `None` if its result can be joined.
///
/// # Errors
/// The parcel is damaged or of another version.
pub fn complaint(parcel: &[u8]) -> Result<Option<String>, PieceError> {
    Ok(read::<Parcel>(parcel)?.complaint())
}

/// A parcel that stands for the one of this piece, of which only the number of records (0 where they
/// are not counted) and the name of its output are known yet.
///
/// # Errors
/// The piece is damaged or of another version.
pub fn deferred(
    piece: &[u8],
    records: u64,
    name: impl Into<Vec<u8>>,
) -> Result<Vec<u8>, PieceError> {
    Ok(Parcel::deferred(&read(piece)?, records, name.into()).to_bytes())
}

impl Program {
    /// What runs pieces that begin with this start, which a [`Cluster`] gets.
    ///
    /// # Errors
    /// The start is damaged, of another version, or of another program.
    pub fn piece_worker(&self, start: &[u8]) -> Result<PieceWorker, PieceError> {
        self.worker(start, None)
    }

    /// As [`Program::piece_worker`], with the files of [`Run::operand_files`].
    ///
    /// # Errors
    /// As there.
    pub fn piece_worker_with(
        &self,
        start: &[u8],
        files: impl OperandFiles + 'static,
    ) -> Result<PieceWorker, PieceError> {
        self.worker(start, Some(Arc::new(Caught(files))))
    }

    fn worker(
        &self,
        start: &[u8],
        files: Option<Arc<dyn OperandFiles>>,
    ) -> Result<PieceWorker, PieceError> {
        let start: Start = read(start)?;
        let functions = self.0.functions.clone().into();
        let worker = self.0.compiled.piece_worker(start, functions, files);
        worker.map(PieceWorker).map_err(PieceError)
    }

    /// What running the program in pieces takes.
    ///
    /// ```
    /// use riverhawk::Program;
    ///
    /// let needs = Program::compile("{ n++ } END { print n }")?.piece_needs().unwrap();
    /// assert!(needs.joins && !needs.counts_records);
    /// let reason = Program::compile("{ print last; last = $1 }")?.piece_needs().unwrap_err();
    /// assert!(reason.contains("its value comes from other records"));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    ///
    /// # Errors
    /// Why it cannot, with the place.
    pub fn piece_needs(&self) -> Result<PieceNeeds, String> {
        self.0.compiled.piece_needs().map_err(|remark| {
            let place =
                remark.span.and_then(|span| crate::Location::of(span, self.0.compiled.sources()));
            match place {
                Some(at) => format!("{}:{}:{}: {}", at.source, at.line, at.column, remark.message),
                None => remark.message,
            }
        })
    }

    /// Which rules can run in pieces, how variables are joined, and what prevents it, as text.
    ///
    /// ```
    /// use riverhawk::Program;
    ///
    /// let text = Program::compile("{ n[$1] += $2 } END { print n[\"tea\"] }")?.explain();
    /// assert!(text.contains("n"), "{text}");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn explain(&self) -> String {
        self.0.compiled.explain(&Renderer::plain("riverhawk"))
    }
}

impl Run {
    /// Pieces are run by this cluster instead of threads, if the program can run in pieces; only
    /// files that are operands are cut.
    #[must_use]
    pub fn cluster(self, cluster: impl Cluster + 'static, serial_rest: SerialRest) -> Run {
        self.with_cluster(ClusterRun { cluster: Arc::new(cluster), serial_rest })
    }
}
