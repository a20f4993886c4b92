//! How records end.

use crate::paragraph::Paragraph;
use crate::separator::Separator;
use crate::strings::{StringSet, StringSetError};
use riverhawk_simd::Quoting;
use std::fmt;

/// How a reader tells records apart.
pub enum RecordSeparator {
    /// One byte, the fastest.
    Byte(u8),
    /// Several strings: the one that ends first, the longest of those that end together
    /// ([`RecordSeparator::strings`]).
    Strings(StringSet),
    /// awk's `RS=""`: blank lines; newlines before the first record are skipped, those behind the
    /// last belong to its separator.
    Paragraph(Paragraph),
    /// Rows of a table: lines, where a newline inside quotes is text and a carriage return before
    /// the newline belongs to the separator. A last row whose quote is not closed goes to the end.
    Rows(Option<Quoting>),
    /// Any other rule.
    Custom(Box<dyn Separator>),
}

impl RecordSeparator {
    /// Records end with a newline; a carriage return before it stays in the record.
    pub const NEWLINE: Self = Self::Byte(b'\n');

    /// Records end where the first of these strings ends; the longest of those that end together is
    /// the separator. CRLF is one separator even if CR is one too.
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
