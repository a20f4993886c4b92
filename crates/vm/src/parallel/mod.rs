//! The leader between the pieces, a piece, and joining; [`riverhawk_parallel`] has the rest.

mod join;
mod lead;
mod noted;
mod piece;

pub use join::Joiner;
pub use lead::{Compressed, NextInput};
