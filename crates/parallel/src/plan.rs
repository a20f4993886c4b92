//! How results of pieces become those of a serial run.
//!
//! | join | what the rules do with the variable | a piece starts from | its result is joined by |
//! |---|---|---|---|
//! | constant | only read it | the leader's value | nothing |
//! | last | assign it before they read it, or never read it | a value that no program can make | replacing, if the piece assigned it |
//! | contents | empty or fill the array before they look into it | what the last piece left | replacing, if the piece emptied it |
//! | sum | only add to it and take from it | nothing | adding, if every sum was exact or is kept exactly |
//! | distinct | print what they print while a key is new: `!a[k]++` | nothing | adding, without what is printed for keys that are there |
//! | best | replace it by what is greater (or less) | minus (plus) infinity; elements: nothing | comparing, if all were finite numbers |
//! | first | assign it while it is empty; elements: while there is no such key | nothing | keeping what is there |
//! | concatenation | only append to it | nothing | appending |
//! | follow | assign it whenever they replace a greatest or least | a value that no program can make | taking it with what it follows |
//! | keys | read elements, which makes those that are missing | the leader's elements | making the keys |
//!
//! For a variable, or for each element by key; new keys come in the order of the pieces, so `for (k
//! in a)` in `END` is serial.

use crate::slot::Slot;
use riverhawk_syntax::ast::GlobalId;

/// How results of pieces are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// Not changed.
    Constant,
    /// The last assignment; in an array, for each key.
    Last,
    /// An array since it was last emptied.
    Contents,
    /// The sum.
    Sum,
    /// The sum of each element, all of which are counts. What a piece prints for its first of a key is
    /// dropped if the key has been counted.
    Distinct,
    /// The maximum or minimum.
    Best {
        /// Maximum, otherwise minimum.
        greatest: bool,
        /// Of equals the last.
        or_equal: bool,
        /// What counts as no value.
        vacant: Empty,
    },
    /// The first; in an array, for each key.
    First,
    /// Concatenated in order.
    Concatenation,
    /// All keys of an array that were read.
    Keys,
    /// Taken together with the maximum or minimum in this global.
    Follow(GlobalId),
}

/// When a maximum or minimum accepts any value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// Never: unassigned counts as zero.
    Never,
    /// While it is the empty text.
    Text,
    /// While the element is missing.
    Missing,
}

/// A variable used by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Its place.
    pub slot: Slot,
    /// Whether it is an array.
    pub array: bool,
    /// How its results are joined.
    pub join: Join,
    /// Whether it is read after the records.
    pub wanted: bool,
}

impl Share {
    /// The variable that it follows, if any.
    pub fn follows(&self) -> Option<Slot> {
        match self.join {
            Join::Follow(best) => Some(Slot::Global(best)),
            _ => None,
        }
    }
}

/// What is run before the pieces, so that they start from what it leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lead {
    /// At least one record: `NR` is greater than 1 in every piece.
    #[default]
    FirstRecord,
    /// The first file that has records: `NR` is greater than `FNR` in every piece.
    FirstFile,
}

/// A program that can run in pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The variables used by the rules.
    pub shares: Vec<Share>,
    /// What comes before the pieces.
    pub lead: Lead,
    /// Whether the rules read NR or FNR.
    pub counts_records: bool,
    /// Whether sums are kept exactly, and rounded once, before END.
    pub relaxed_sums: bool,
    /// Whether END may read the last record, NF or RT.
    pub end_reads_record: bool,
    /// Number of globals; the flags of range patterns follow them.
    pub globals: usize,
    /// Range patterns.
    pub ranges: usize,
}

impl Plan {
    /// Whether pieces print what is dropped when they are joined.
    pub fn drops_output(&self) -> bool {
        self.shares.iter().any(|share| share.join == Join::Distinct)
    }

    /// The slots of the machine's flags for open ranges.
    pub fn range_flags(&self) -> std::ops::Range<usize> {
        self.globals..self.globals + self.ranges
    }
}
