//! One program, one input, several threads, and the bytes of a serial run.
//!
//! - [`analysis`]: whether a program may be run in pieces, and how results are joined; pure;
//! - [`remark`]: why a run was not in pieces, in a line;
//! - [`explain`]: the same in words, for `--explain`;
//! - [`coordinator`]: the machine that begins, joins and ends;
//! - [`pieces`]: the files of the command line, cut;
//! - [`worker`]: the machine that runs pieces;
//! - [`turns`]: what is known only one piece after the other: NR and FNR, and which ranges are
//!   open;
//! - [`stream`]: pipes, and files that have to be decoded, cut as they come;
//! - [`parcels`]: what a task of the pool reads of them for the coordinator;
//! - [`crew`]: jobs on the pool's workers, results in order.
//!
//! The coordinator runs BEGIN and the first records, so that `NR == 1` is settled. Then workers run
//! pieces of a few megabytes, which are joined and printed in turn. The coordinator runs the last
//! records, so that `$0`, NF and RT are those of a serial run, and END. A piece whose results
//! cannot be used it runs again in its place; after a few of those, it runs the rest of the input.

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
