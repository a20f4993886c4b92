//! What ends a record.

use crate::paragraph::Paragraph;
use crate::strings::{StringSet, StringSetError};
use riverhawk_simd::Quoting;
use std::fmt;

/// A rule that finds the end of a record, for separators that this crate does not know: a regular
/// expression.
///
/// # Contract
/// `text` begins with the record's first byte and holds everything that has been read so far. No
/// separator begins before `search_from`, which is 0 or what this separator last answered as
/// `resume_from` for the same record: nothing need be scanned twice. With `at_end` nothing will
/// follow.
///
/// The answer must not depend on how the input happened to be cut: a match that touches the end of
/// `text` and could be longer, or could be part of an earlier or longer one, is [`Found::NotYet`]
/// unless `at_end`. A separator or the record before it has at least one byte; where both are
/// empty, that is no match.
///
/// Separators are `Send` because a reader is: keep shared patterns behind an `Arc`.
pub trait Separator: Send {
    /// What [`find`](Separator::find) is asked about next is a record that it has not been asked
    /// about. Most separators need not know.
    fn begin_record(&mut self, _place: Place) {}

    /// Where the record ends.
    fn find(&mut self, text: &[u8], search_from: usize, at_end: bool) -> Found;
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

/// How a reader tells records apart.
pub enum RecordSeparator {
    /// One byte, the fastest.
    Byte(u8),
    /// The earliest of several strings, the longest where several begin; see
    /// [`RecordSeparator::strings`].
    Strings(StringSet),
    /// awk's `RS=""`: one or more blank lines; newlines before the first record are skipped, those
    /// after the last one belong to its separator.
    Paragraph(Paragraph),
    /// Rows of a table: lines, where a newline inside quotes (if there are any) is text, and a
    /// carriage return before the newline belongs to the separator. Quotes count where
    /// [`Quoting`] says; a last row whose quote is never closed goes to the end.
    Rows(Option<Quoting>),
    /// Any other rule.
    Custom(Box<dyn Separator>),
}

impl RecordSeparator {
    /// Records end with a newline; a carriage return before it stays in the record.
    pub const NEWLINE: Self = Self::Byte(b'\n');

    /// Records end with any of these strings. One string of one byte becomes
    /// [`RecordSeparator::Byte`].
    ///
    /// ```
    /// use riverhawk_stream::RecordSeparator;
    /// let lines_of_any_system = RecordSeparator::strings(["\n", "\r\n"])?;
    /// # Ok::<(), riverhawk_stream::StringSetError>(())
    /// ```
    ///
    /// # Errors
    /// No strings, an empty one, too many or too long ones.
    pub fn strings<S: AsRef<[u8]>>(
        strings: impl IntoIterator<Item = S>,
    ) -> Result<Self, StringSetError> {
        let set = StringSet::new(strings)?;
        Ok(set.single_byte().map_or(Self::Strings(set), Self::Byte))
    }

    /// Records are paragraphs.
    pub fn paragraph() -> Self {
        Self::Paragraph(Paragraph::default())
    }

    /// Records end where `separator` says.
    pub fn custom(separator: impl Separator + 'static) -> Self {
        Self::Custom(Box::new(separator))
    }
}

impl fmt::Debug for RecordSeparator {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(byte) => write!(out, "Byte({byte:#04x})"),
            Self::Strings(_) => out.write_str("Strings"),
            Self::Paragraph(_) => out.write_str("Paragraph"),
            Self::Rows(quoting) => write!(out, "Rows({quoting:?})"),
            Self::Custom(_) => out.write_str("Custom"),
        }
    }
}
