//! Watches an interpreter, and plans what to specialise.
//!
//! An interpreter decides again and again what a compiler would decide once: whether `a + b` must
//! convert a text, whether `==` compares numbers or strings, whether an argument was passed. Most
//! of these decisions are nearly always the same. The interpreter [logs](LogEntry) the types it
//! sees, a thread adds them up to [statistics](FrameStatistics), and a [planner] chooses which
//! [static frames](RegisteredFrame) to specialise for which [callsites](Callsite) and
//! [types](TypeTuple). A [`Producer`] makes the specialisations.
//!
//! This crate makes no machine code. It logs types and never values, so watching keeps nothing
//! alive. It never pauses the program, and changes nothing but its speed.
//!
//! - [`Specialiser`]: registers frames and hands out loggers; an [`Executor`] does its work.
//! - [`Logger`]: the writing side, one for each thread; a push is a comparison and a store of 24
//!   bytes.
//! - [`FrameStatistics`]: by frame, callsite, type tuple, offset.
//! - [`planner::plan`]: from statistics to a [`SpecialisationPlan`], a pure function.
//! - [`thresholds`]: every number that decides something.
//! - [`SpecialiserOptions`]: dumps, and repeatable runs.
//! - [`ir`]: typed instructions made from bytecode, for the types of one entry.
//!
//! # Example
//!
//! ```
//! use riverhawk_spesh::*;
//!
//! struct Tell;
//! impl Producer for Tell {
//!     fn produce(&mut self, planned: &Planned, evidence: &Evidence<'_>) -> Production {
//!         println!("{} for {:?}", evidence.frame().facts().name, planned.key.types);
//!         Production::Done
//!     }
//! }
//!
//! # fn main() -> std::io::Result<()> {
//! let options = SpecialiserOptions { blocking: true, ..SpecialiserOptions::default() };
//! let specialiser = Specialiser::new(&options, Tell)?;
//! let double = specialiser.register(FrameFacts {
//!     name: "double".into(),
//!     place: "prog.awk:1".into(),
//!     bytecode_bytes: 48,
//!     parameters: vec!["x".into()],
//!     is_called: true,
//!     gains_from_types: true,
//! });
//!
//! // What an interpreter does at each call.
//! let mut logger = specialiser.logger(ThreadKind::Main);
//! let callsite = Callsite::intern(&[ArgumentShape::Scalar]);
//! for _ in 0..200 {
//!     let correlation = logger.enter(&double, callsite);
//!     logger.argument(correlation, 0, Type::Num, None);
//!     logger.leave(correlation, CorrelationId::NONE, 0, Some(Type::Num));
//! }
//! logger.send_now();
//!
//! let counters = specialiser.finish()?;
//! assert_eq!((counters.planned_observed, counters.produced), (1, 1));
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

pub mod callsite;
pub mod candidate;
mod counters;
pub mod dump;
mod executor;
mod frame;
mod frame_id;
pub mod ir;
mod log;
mod options;
mod outcome;
pub mod planner;
mod producer;
mod specialiser;
pub mod statistics;
pub mod thresholds;
mod tuple;
mod types;
mod worker;

pub use callsite::{ArgumentShape, Callsite};
pub use candidate::{CandidateCounters, CandidateVerdict};
pub use counters::Counters;
pub use executor::{Executor, OwnThread, Work};
pub use frame::{FrameFacts, Produced, RegisteredFrame};
pub use frame_id::FrameId;
pub use log::{CorrelationId, LogEntry, Logger, ThreadKind};
pub use options::SpecialiserOptions;
pub use outcome::OperatorOutcome;
pub use planner::{Planned, PlannedKind, SpecialisationPlan};
pub use producer::{Evidence, NoProducer, Producer, Production};
pub use specialiser::Specialiser;
pub use statistics::{CallsiteStatistics, FrameStatistics, OffsetStatistics, TupleStatistics};
pub use thresholds::Thresholds;
pub use tuple::{GuardedTypes, SpecialisationKey, TypeTuple};
pub use types::{Tag, Type, TypeClass};
