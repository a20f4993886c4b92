//! How records end.

use crate::paragraph::Paragraph;
use crate::separator::Separator;
use crate::strings::{StringSet, StringSetError};
use riverhawk_simd::Quoting;
use std::fmt;

/// How a reader separates records.
pub enum RecordSeparator {
    /// One byte, the fastest.
    Byte(u8),
    /// Several strings, see [`RecordSeparator::strings`].
    Strings(StringSet),
    /// Blank lines, as awk's `RS=""`; newlines before the first record are skipped, those after the
    /// last are its separator.
    Paragraph(Paragraph),
    /// Rows of a table: lines with newlines in quotes; a CR before the newline belongs to the
    /// separator. An unclosed quote extends to the end.
    Rows(Option<Quoting>),
    /// Any other rule.
    Custom(Box<dyn Separator>),
}

impl RecordSeparator {
    /// A newline; a CR before it stays in the record.
    pub const NEWLINE: Self = Self::Byte(b'\n');

    /// Records end where the first of these strings ends; of several that end there, the one
    /// listed first is the separator. CRLF counts as one character: `{LF, CRLF}` in any order
    /// strips it, and it is one separator even if CR is one too.
    ///
    /// ```
    /// use riverhawk_stream::RecordSeparator;
    /// let lines_of_any_system = RecordSeparator::strings(["\n", "\r\n"])?;
    /// # Ok::<(), riverhawk_stream::StringSetError>(())
    /// ```
    ///
    /// # Errors
    /// No strings, or empty, too many or too long ones.
    pub fn strings<S: AsRef<[u8]>>(
        strings: impl IntoIterator<Item = S>,
    ) -> Result<Self, StringSetError> {
        let set = StringSet::new(strings)?;
        Ok(set.single_byte().map_or(Self::Strings(set), Self::Byte))
    }

    /// Separates paragraphs.
    pub fn paragraph() -> Self {
        Self::Paragraph(Paragraph::default())
    }

    /// Separates by a rule.
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
