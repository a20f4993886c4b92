//! What ends a record.

use crate::ends::Ends;

/// A rule for the end of records, such as a regular expression.
///
/// # Contract
/// `text` is all that was read from the record's first byte. No separator begins before
/// `search_from`, which is 0 or the last `resume_from`.
///
/// The answer must not depend on how input was split: a match at the end of `text` that could
/// become longer, or part of an earlier or longer one, is [`Found::NotYet`] unless the input ends.
/// Record and separator must not both be empty.
///
/// Share patterns by `Arc`: readers are `Send`.
pub trait Separator: Send {
    /// Another record begins.
    fn begin_record(&mut self, _place: RecordPlace) {}

    /// Finds the end of the record.
    fn find(&mut self, text: &[u8], search_from: usize, input: Input) -> Found;

    /// After [`Found::At`], adds the ends of further records, as many as are certain in spite of
    /// what follows. `text` begins with the next record and ends anywhere; searching ends of short
    /// records together is faster than one by one. [`begin_record`](Self::begin_record) comes
    /// before the next search.
    fn find_more(&mut self, _text: &[u8], _ends: &mut Ends) {}
}

/// What follows the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// More may come.
    Continues,
    /// Nothing.
    Ends,
}

/// The position of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordPlace {
    /// First in the stream.
    First,
    /// After another.
    Later,
}

/// The answer of a [`Separator`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// The record is `text[..start]`, the separator `text[start..end]`.
    At {
        /// The separator's start.
        start: usize,
        /// Its end; at least `start`, more than 0, at most `text.len()`.
        end: usize,
    },
    /// These bytes belong to no record, which begins after them.
    Lead {
        /// Their number; more than 0, at most `text.len()`.
        bytes: usize,
    },
    /// No separator, or more text is needed.
    NotYet {
        /// No separator begins before this index.
        resume_from: usize,
    },
}
