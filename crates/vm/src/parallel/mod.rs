//! What a run over pieces of the input needs of the machine. Threads, and the question whether a
//! program may be run that way at all, are the caller's (`engine`).
//!
//! One machine *leads*: it runs BEGIN, the first records, the last ones, END, and whatever turns
//! out not to be provable. Others each run the rules over a *piece*, whole records of one file,
//! from the variables as the leader had them. What a piece gives is joined with what the leader
//! has, in the order of the pieces, by a [`Join`] for each variable.
//!
//! - [`Cut`], [`Boundaries`]: where records begin, so that input can be cut there;
//! - [`Share`], [`Plan`]: the variables that matter, and how they are joined;
//! - [`State`], [`Portable`]: values that can go to another thread (values themselves cannot);
//! - [`PieceSource`], [`Before`], [`PieceEnd`]: the input of a piece, what it starts from, and how
//!   it ended;
//! - [`Stream`], [`Parcels`]: input that is cut as it comes;
//! - [`Noted`]: what the machine noted on the way, which decides whether joining is exact.
//!
//! **The rule of joining.** A result is joined only if it is certain to be, bit for bit, what the
//! leader would have computed itself. Everything else (a fractional addend, a sum near 2^53, a
//! comparison with what is no number, an error, `exit`, a warning) makes the caller throw the
//! piece's results away and let the leader run that piece, so messages, output and errors are those
//! of a serial run.

mod cut;
mod join;
mod lead;
mod not_joined;
mod noted;
mod parcels;
mod piece;
mod portable;
mod results;
mod rows;
mod slot;

pub use cut::{Boundaries, Cut};
pub use join::{Empty, Join, Joiner, Plan, Share};
pub use lead::NextInput;
pub use not_joined::NotJoined;
pub use noted::Noted;
pub use parcels::{Parcel, Parcels, Stream};
pub use piece::{Before, PieceInput, PieceOutput, PieceSource};
pub use portable::{Portable, PortableArray, State};
pub use results::{PieceEnd, Results};
pub use slot::Slot;
