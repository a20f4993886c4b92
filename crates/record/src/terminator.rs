//! What ended a record.

use riverhawk_stream::{Record as Range, Records};

/// The most fields a record may have: 2^28, whose ranges alone are 2 GiB.
pub const FIELD_LIMIT: usize = 1 << 28;

/// What ended the last record, noted for every record and looked at by few programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// Nothing: the input ended.
    None,
    /// One byte.
    Byte(u8),
    /// Two bytes, as at the end of header lines.
    Pair([u8; 2]),
    /// Carriage return and newline behind a row of CSV: RT is the newline.
    RowPair,
    /// A carriage return, the last byte of the input, behind a row of CSV: RT is nothing.
    RowReturn,
    /// What [`Runtime::rt_text`] holds.
    Text,
}

impl Terminator {
    /// What ended a record; a text of several bytes is kept in `text`.
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

    /// How lines of a file end, to judge by one of them, if it has an end.
    pub fn line_end(self) -> Option<&'static [u8]> {
        match self {
            Terminator::RowPair | Terminator::Pair([b'\r', b'\n']) => Some(b"\r\n"),
            Terminator::Byte(b'\n') => Some(b"\n"),
            _ => None,
        }
    }
}
