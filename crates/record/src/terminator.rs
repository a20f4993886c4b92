//! The terminator of a record.

use riverhawk_stream::{Record as Range, Records};

/// Maximum number of fields; their ranges take 2 GiB.
pub const FIELD_LIMIT: usize = 1 << 28;

/// The end of the last record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// The end of input.
    None,
    /// One byte.
    Byte(u8),
    /// Two bytes, such as CR LF.
    Pair([u8; 2]),
    /// CR LF after a CSV row: RT is the newline.
    RowPair,
    /// CR at the end of input after a CSV row: RT is empty.
    RowReturn,
    /// The text in `Runtime::rt_text`.
    Text,
}

impl Terminator {
    /// Copies several bytes to `text`.
    #[inline(always)]
    pub fn of(records: &Records, range: &Range, text: &mut Vec<u8>) -> Terminator {
        match records.terminator(range) {
            [_] if range.terminator_end - range.end == 2 => Terminator::RowPair,
            [] if range.terminator_end > range.end => Terminator::RowReturn,
            [] => Terminator::None,
            &[byte] => Terminator::Byte(byte),
            &[first, second] => Terminator::Pair([first, second]),
            longer => {
                text.clear();
                text.extend_from_slice(longer);
                Terminator::Text
            }
        }
    }

    /// The line end that this suggests for the file.
    pub fn line_end(self) -> Option<&'static [u8]> {
        match self {
            Terminator::RowPair | Terminator::Pair([b'\r', b'\n']) => Some(b"\r\n"),
            Terminator::Byte(b'\n') => Some(b"\n"),
            _ => None,
        }
    }
}
