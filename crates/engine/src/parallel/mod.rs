//! Runs one program over one input on several threads, with the output of a serial run.
//!
//! - [`analysis`]: whether a program may be run in pieces, and how results are joined;
//! - [`remark`]: why a run was not in pieces, in one line;
//! - [`explain`]: the same for `--explain`;
//! - [`coordinator`]: the machine that begins, joins and ends;
//! - [`pieces`]: cuts the files of the command line;
//! - [`worker`]: the machine that runs pieces;
//! - [`turns`]: values passed from piece to piece: NR and FNR, and open ranges;
//! - [`stream`]: pipes, and files to be decoded, cut as they arrive;
//! - [`arrivals`]: streams read ahead by a task of the pool;
//! - [`distant`]: pieces on other machines, instead of the pool's workers;
//! - [`helpers`]: the tasks of the pool, which end with their run;
//! - [`crew`]: jobs on the pool's workers, with results in order.
//!
//! The coordinator runs BEGIN and the first records, so that `NR == 1` is settled. Workers run
//! pieces of a few megabytes, whose results are joined and printed in order. The coordinator runs
//! the last records, so that `$0`, NF and RT are right, and END. It runs a piece again if its
//! results cannot be used, and after several of these the rest of the input.

pub(crate) mod analysis;
mod arrivals;
mod coordinator;
mod crew;
pub(crate) mod distant;
pub(crate) mod explain;
mod helpers;
mod pieces;
pub(crate) mod remark;
mod stream;
mod turns;
mod worker;

pub(crate) use coordinator::{Jobs, PieceCounts, run};
