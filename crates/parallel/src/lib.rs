//! An awk program over pieces of its input.
//!
//! **What it is.** The data and rules of a run on several cores or machines. One machine *leads*:
//! it runs BEGIN, the first and last records, END, and pieces without a valid result. Others each
//! run the rules over a *piece*, whole records of one file, from the leader's variables. A [`Join`]
//! for each variable joins results in order.
//!
//! **What it is not.** It runs no program: the machine is in `riverhawk-vm`, and `riverhawk-engine`
//! distributes the pieces.
//!
//! **The rule of joining.** A result is joined only if it is, bit for bit, that of a serial run.
//! Otherwise (a fractional addend, a sum near 2^53, an error, `exit`, a warning) the leader runs
//! the piece.
//!
//! **Main nouns.**
//!
//! | | |
//! |---|---|
//! | [`Cut`], [`Boundaries`] | where records begin, so that input can be cut there |
//! | [`Share`], [`Plan`] | the variables that matter, and how they are joined |
//! | [`State`], [`Portable`] | values that can go to another thread (values themselves cannot) |
//! | [`PieceSource`], [`Before`], [`Results`] | the input of a piece, what it starts from, what it gives |
//! | [`Stream`], [`StreamCutter`] | input that is cut as it comes |
//! | [`Start`], [`FilePiece`], [`Parcel`] | what goes to other machines and comes back, as bytes ([`wire`]) |
//! | [`Noted`] | what a piece met on the way, which decides whether joining is exact |
//!
//! ```
//! use riverhawk_parallel::Noted;
//!
//! let mut noted = Noted::default();
//! noted.addend(1e15);
//! assert!(noted.sums_are_exact(0.0));
//! noted.addend(0.1);
//! assert!(!noted.sums_are_exact(0.0));
//! ```

#![forbid(unsafe_code)]

mod cut;
mod distant;
mod element_order;
mod not_joined;
mod noted;
mod plan;
mod portable;
mod results;
mod rows;
mod slot;
mod source;
mod strands;
mod stream_parts;
mod unpacked;
pub mod wire;

pub use cut::{Boundaries, Cut};
pub use distant::{
    FileForm, FilePiece, FilePlace, FileVersion, JoinResults, OutputPart, Parcel, RunPiece,
    Segment, Start, nanoseconds,
};
pub use element_order::ElementOrder;
pub use not_joined::NotJoined;
pub use noted::{EXACT_BELOW, Noted};
pub use plan::{Empty, Join, Lead, Plan, Share};
pub use portable::{Portable, PortableArray, Scalar, State};
pub use results::{FirstOutput, Firsts, NewKeys, PieceEnd, Results};
pub use slot::Slot;
pub use source::{Before, PieceInput, PieceOutput, PieceSource};
pub use stream_parts::{Stream, StreamCutter, StreamPart};
pub use unpacked::{Section, SectionEnd};
