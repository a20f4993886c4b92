//! One program, one input, several threads, and the bytes of a serial run.
//!
//! - [`analysis`]: whether a program may be run in pieces, and how results are joined; pure;
//! - [`remark`]: why a run was not in pieces, in a line;
//! - [`explain`]: the same for `--explain`;
//! - [`coordinator`]: the machine that begins, joins and ends;
//! - [`pieces`]: the files of the command line, cut;
//! - [`worker`]: the machine that runs pieces;
//! - [`turns`]: values passed from piece to piece: NR and FNR, and open ranges;
//! - [`stream`]: pipes, and files that have to be decoded, cut as they arrive;
//! - [`parcels`]: streams read ahead by a task of the pool;
//! - [`crew`]: jobs on the pool's workers, results in order.
//!
//! The coordinator runs BEGIN and the first records, so that `NR == 1` is settled. Workers run
//! pieces of a few megabytes, which are joined and printed in order. The coordinator runs the last
//! records, so that `$0`, NF and RT are those of a serial run, and END. It runs a piece again if
//! its results cannot be used, and after a few of those the rest of the input.

pub(crate) mod analysis;
mod coordinator;
mod crew;
pub(crate) mod explain;
mod parcels;
mod pieces;
pub(crate) mod remark;
mod stream;
mod turns;
mod worker;

pub(crate) use coordinator::{Jobs, PieceCounts, run};
