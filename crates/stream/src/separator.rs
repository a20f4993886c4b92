//! What ends a record.

/// A rule that finds the end of a record, for separators that this crate does not know: a regular
/// expression.
///
/// # Contract
/// `text` begins with the record's first byte and holds everything that has been read so far. No
/// separator begins before `search_from`, which is 0 or what this separator last answered as
/// `resume_from` for the same record: nothing need be scanned twice.
///
/// The answer must not depend on how the input happened to be cut: a match that touches the end of
/// `text` and could be longer, or could be part of an earlier or longer one, is [`Found::NotYet`]
/// unless the input ends there. A separator or the record before it has at least one byte; where both are
/// empty, that is no match.
///
/// Separators are `Send` because a reader is: keep shared patterns behind an `Arc`.
pub trait Separator: Send {
    /// What [`find`](Separator::find) is asked about next is a record that it has not been asked
    /// about. Most separators need not know.
    fn begin_record(&mut self, _place: Place) {}

    /// Where the record ends.
    fn find(&mut self, text: &[u8], search_from: usize, input: Input) -> Found;
}

/// What follows the text that a [`Separator`] is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// More may come.
    Continues,
    /// Nothing: the text is all that is left.
    Ends,
}

/// Where a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// At the beginning of the stream.
    First,
    /// Behind another.
    Later,
}

/// What a [`Separator`] answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// The record is `text[..start]`, the separator `text[start..end]`.
    At {
        /// Where the separator begins.
        start: usize,
        /// Where it ends; at least `start`, more than 0, at most `text.len()`.
        end: usize,
    },
    /// The first bytes belong to no record: it begins behind them, and is asked about again, from
    /// 0.
    Lead {
        /// How many; more than 0, at most `text.len()`.
        bytes: usize,
    },
    /// There is no separator, or it takes more text to decide.
    NotYet {
        /// No separator begins before this index, whatever follows.
        resume_from: usize,
    },
}
