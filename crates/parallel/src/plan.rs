//! How what the pieces give becomes what a serial run would have.
//!
//! | join | what the rules do with the variable | a piece starts from | its result is joined by |
//! |---|---|---|---|
//! | constant | only read it | the leader's value | nothing |
//! | last | assign it before they read it, or never read it | a value that no program can make | replacing, if the piece assigned it |
//! | contents | empty or fill the array before they look into it | what the last piece left | replacing, if the piece emptied it |
//! | sum | only add to it and take from it | nothing | adding, if every sum was exact |
//! | best | replace it by what is greater (or less) | minus (plus) infinity; elements: nothing | comparing, if all were finite numbers |
//! | first | assign it while it is empty; elements: while there is no such key | nothing | keeping what is there |
//! | concatenation | only append to it | nothing | appending |
//! | follow | assign it whenever they replace a greatest or least | a value that no program can make | taking it with what it follows |
//! | keys | read elements, which makes those that are missing | the leader's elements | making the keys |
//!
//! Each is meant for a variable or for every element of an array by its key; new keys come in the
//! order in which the pieces met them, so `for (k in a)` in `END` goes round as after a serial run.

use crate::slot::Slot;
use riverhawk_syntax::ast::GlobalId;

/// How the results of pieces are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// It does not change.
    Constant,
    /// The last assignment holds; of an array: for each key.
    Last,
    /// Of an array: what the last piece that emptied it left in it.
    Contents,
    /// The sum.
    Sum,
    /// The greatest or least.
    Best {
        /// The greatest rather than the least.
        greatest: bool,
        /// Of equals the last rather than the first.
        or_equal: bool,
        /// What counts as having no value yet.
        vacant: Empty,
    },
    /// The first; of an array: for each key.
    First,
    /// One after the other.
    Concatenation,
    /// Of an array: all keys that were looked at.
    Keys,
    /// Assigned together with this global, which takes the greatest or least: taken with it.
    Follow(GlobalId),
}

/// When a variable that takes the greatest or least takes anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// Never: unassigned, it counts as zero.
    Never,
    /// While it is the empty text.
    Text,
    /// While there is no such element.
    Missing,
}

/// A variable that the rules look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Which.
    pub slot: Slot,
    /// It is an array.
    pub array: bool,
    /// How results are joined.
    pub join: Join,
    /// Somebody looks at it after the records: otherwise its results need not travel.
    pub wanted: bool,
}

impl Share {
    /// What it follows, if it follows another.
    pub fn follows(&self) -> Option<Slot> {
        match self.join {
            Join::Follow(best) => Some(Slot::Global(best)),
            _ => None,
        }
    }
}

/// What is known about a program that may be run in pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The variables that the rules look at.
    pub shares: Vec<Share>,
    /// The rules look at NR or FNR, so a piece must know how many records came before it.
    pub counts_records: bool,
    /// Sums are joined even if their last bits may come out otherwise.
    pub relaxed_sums: bool,
    /// Variables of the program: those of its range patterns come behind them.
    pub globals: usize,
    /// Range patterns.
    pub ranges: usize,
}

impl Plan {
    /// Where the machine keeps which ranges are open.
    pub fn range_flags(&self) -> std::ops::Range<usize> {
        self.globals..self.globals + self.ranges
    }
}
