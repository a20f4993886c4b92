//! The results of a piece.

use crate::noted::Noted;
use crate::portable::Portable;
use crate::wire::{Wire, WireError, WireReader};
use riverhawk_syntax::ast::GlobalId;

/// How a piece ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceEnd {
    /// At its end.
    Whole,
    /// By `nextfile`: the rest of its file is not read.
    FileSkipped,
    /// By an error, a warning, `exit` or too much output.
    Abandoned,
}

/// What a piece printed for the first record of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstOutput {
    /// The array.
    pub array: GlobalId,
    /// Which of its elements, in order of arrival.
    pub element: u32,
    /// Where it begins in the output, which is shorter than 4 GiB.
    pub start: u32,
    /// Its end.
    pub end: u32,
}

/// In the order of the output. They stay on their machine: see [`Plan::drops_output`].
///
/// [`Plan::drops_output`]: crate::Plan::drops_output
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Firsts(pub Vec<FirstOutput>);

impl Wire for Firsts {
    fn write(&self, _: &mut Vec<u8>) {}

    fn read(_: &mut WireReader<'_>) -> Result<Firsts, WireError> {
        Ok(Firsts::default())
    }
}

/// The results of a piece.
#[derive(Debug)]
pub struct Results {
    /// How it ended.
    pub end: PieceEnd,
    /// Records read.
    pub records: u64,
    /// What was printed.
    pub output: Vec<u8>,
    /// Which of it belongs to new keys, in order.
    pub firsts: Firsts,
    /// What was noted about numbers.
    pub noted: Noted,
    /// By share of the plan; `None` if unchanged or not wanted.
    pub values: Vec<Option<Portable>>,
    /// Ranges assumed open before the piece, and open after it.
    pub ranges: (Vec<bool>, Vec<bool>),
    /// Whether every range opened or closed, so that its end is certain.
    pub ranges_met: bool,
    /// The error or warning of a piece that was abandoned.
    pub complaint: Option<String>,
}

/// Records of a piece that say how many keys there are.
const TELLING: u64 = 4096;

/// Joining a key takes about as long as running several records.
const RECORDS_FOR_EACH_KEY: u64 = 4;

/// How many records of the latest pieces print for keys that are new in their piece. With each piece
/// the earlier ones count half as much.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewKeys {
    keys: u64,
    records: u64,
}

impl NewKeys {
    /// With another piece, whether there are so many that joining them gains nothing, or an element
    /// for each record, as after `a[NR] = $0`.
    pub fn are_many_with(&mut self, piece: &Results) -> bool {
        self.keys = self.keys / 2 + piece.firsts.0.len() as u64;
        self.records = self.records / 2 + piece.records;
        let has_all = piece.elements() >= piece.records && piece.records > 0;
        self.records >= TELLING && (has_all || self.keys * RECORDS_FOR_EACH_KEY > self.records)
    }
}

impl Results {
    /// Elements of all arrays.
    fn elements(&self) -> u64 {
        let elements = self.values.iter().map(|value| match value {
            Some(Portable::Array(array)) => array.len(),
            _ => 0,
        });
        elements.sum::<usize>() as u64
    }

    /// Of pieces that did nothing.
    pub(crate) fn of_nothing() -> Results {
        Results {
            end: PieceEnd::Whole,
            records: 0,
            output: Vec::new(),
            firsts: Firsts::default(),
            noted: Noted::default(),
            values: Vec::new(),
            ranges: (Vec::new(), Vec::new()),
            ranges_met: true,
            complaint: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(records: u64, keys: usize) -> Results {
        let first = FirstOutput { array: GlobalId(0), element: 0, start: 0, end: 0 };
        Results { records, firsts: Firsts(vec![first; keys]), ..Results::of_nothing() }
    }

    #[test]
    fn many_keys_are_more_than_a_quarter_of_many_records() {
        let many = |records, keys| NewKeys::default().are_many_with(&piece(records, keys));
        assert!(many(8000, 2001) && many(TELLING, 4096));
        assert!(!many(8000, 2000) && !many(8000, 0) && !many(TELLING - 1, 4095));
    }

    #[test]
    fn an_element_for_each_record_is_many() {
        let with_elements = |records, elements: usize| {
            let array = riverhawk_value::new_array();
            for key in 0..elements {
                array.borrow_mut().set(riverhawk_value::Probe::Int(key as i64), 1.0.into());
            }
            let values = vec![None, Portable::of(&riverhawk_value::Value::Array(array))];
            NewKeys::default().are_many_with(&Results { values, ..piece(records, 0) })
        };
        assert!(with_elements(8000, 8000));
        assert!(!with_elements(8001, 8000) && !with_elements(TELLING - 1, 4096));
    }

    #[test]
    fn a_short_piece_after_long_ones_says_little() {
        let mut keys = NewKeys::default();
        assert!(!keys.are_many_with(&piece(100_000, 20_000)));
        assert!(!keys.are_many_with(&piece(5_000, 3_000)));
        assert!(keys.are_many_with(&piece(100_000, 40_000)));
    }
}
