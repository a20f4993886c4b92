//! What ends a record.

/// A rule for the end of a record, such as a regular expression.
///
/// # Contract
/// `text` is everything from the record's first byte on that has been read. No separator begins
/// before `search_from`, which is 0 or this separator's last `resume_from` for the record.
///
/// The answer must not depend on how the input was cut: a match that touches the end of `text` and
/// could be longer, or part of an earlier or longer one, is [`Found::NotYet`] unless the input ends
/// there. Record and separator together are not empty.
///
/// Keep shared patterns behind an `Arc`: readers are `Send`.
pub trait Separator: Send {
    /// The next question is about another record.
    fn begin_record(&mut self, _place: RecordPlace) {}

    /// Where the record ends.
    fn find(&mut self, text: &[u8], search_from: usize, input: Input) -> Found;
}

/// What follows the text that a [`Separator`] is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// More may come.
    Continues,
    /// Nothing: `text` is all that is left.
    Ends,
}

/// Where a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordPlace {
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
    /// The first bytes belong to no record, which begins behind them and is asked about from 0.
    Lead {
        /// How many; more than 0, at most `text.len()`.
        bytes: usize,
    },
    /// There is no separator, or it takes more text to decide.
    NotYet {
        /// No separator begins before this index.
        resume_from: usize,
    },
}
