//! Values. An array has the text of all keys and elements at once, and then their lengths. An exact
//! sum is its words ([`ExactSum::words`]), a list of unsigned integers.

use super::{Wire, WireError, WireReader, wire_enum, wire_struct};
use crate::noted::Noted;
use crate::portable::{Element, Key, Portable, PortableArray, Scalar, State};
use crate::results::{PieceEnd, Results};
use riverhawk_precise::ExactSum;
use riverhawk_syntax::ast::Special;
use riverhawk_value::Truth;
use std::ops::Range;

wire_enum!(Truth { Zero, One, False, True, Null });
wire_enum!(PieceEnd { Whole, FileSkipped, Abandoned });
wire_struct!(State { globals, specials, mode, columns });
wire_struct!(Noted { addends, fractions, unordered, failed });
wire_struct!(Results {
    end,
    records,
    output,
    firsts,
    noted,
    values,
    ranges,
    ranges_met,
    complaint
});

impl Wire for Special {
    fn write(&self, out: &mut Vec<u8>) {
        Special::ALL.iter().position(|special| special == self).unwrap_or_default().write(out);
    }

    fn read(from: &mut WireReader<'_>) -> Result<Special, WireError> {
        Special::ALL.get(usize::read(from)?).copied().ok_or(WireError::Damaged)
    }
}

/// After the scalars' own.
const ARRAY: u8 = 8;

impl Wire for Portable {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Portable::Scalar(scalar) => scalar.write_by(out, Wire::write),
            Portable::Array(array) => {
                out.push(ARRAY);
                array.write(out);
            }
        }
    }

    fn read(from: &mut WireReader<'_>) -> Result<Portable, WireError> {
        Ok(match u8::read(from)? {
            ARRAY => Portable::Array(PortableArray::read(from)?),
            kind => Portable::Scalar(Scalar::read_by(kind, from, Wire::read)?),
        })
    }
}

impl<T> Scalar<T> {
    fn write_by(&self, out: &mut Vec<u8>, write_text: impl FnOnce(&T, &mut Vec<u8>)) {
        match self {
            Scalar::Uninit => out.push(0),
            Scalar::Unassigned => out.push(1),
            Scalar::NoField => out.push(2),
            Scalar::Num(number) => {
                out.push(3);
                number.write(out);
            }
            Scalar::Truth(truth) => {
                out.push(4);
                truth.write(out);
            }
            Scalar::Text(text) => {
                out.push(5);
                write_text(text, out);
            }
            Scalar::Input(text) => {
                out.push(6);
                write_text(text, out);
            }
            Scalar::Sum(sum) => {
                out.push(7);
                sum.words().write(out);
            }
        }
    }

    fn read_by<'b>(
        kind: u8,
        from: &mut WireReader<'b>,
        read_text: impl FnOnce(&mut WireReader<'b>) -> Result<T, WireError>,
    ) -> Result<Scalar<T>, WireError> {
        Ok(match kind {
            0 => Scalar::Uninit,
            1 => Scalar::Unassigned,
            2 => Scalar::NoField,
            3 => Scalar::Num(f64::read(from)?),
            4 => Scalar::Truth(Truth::read(from)?),
            5 => Scalar::Text(read_text(from)?),
            6 => Scalar::Input(read_text(from)?),
            7 => {
                let words: Vec<u64> = Vec::read(from)?;
                let sum = ExactSum::from_words(&words).ok_or(WireError::Damaged)?;
                Scalar::Sum(Box::new(sum))
            }
            _ => return Err(WireError::Damaged),
        })
    }
}

impl Wire for PortableArray {
    fn write(&self, out: &mut Vec<u8>) {
        self.text.write(out);
        self.first.write(out);
        self.dense.len().write(out);
        for slot in &self.dense {
            slot.is_some().write(out);
            if let Some(element) = slot {
                write_element(element, out);
            }
        }
        self.arrivals.len().write(out);
        for (key, element) in &self.arrivals {
            match key {
                Key::Int(integer) => {
                    out.push(0);
                    integer.write(out);
                }
                Key::Text(range) => {
                    out.push(1);
                    range.len().write(out);
                }
            }
            write_element(element, out);
        }
    }

    fn read(from: &mut WireReader<'_>) -> Result<PortableArray, WireError> {
        let text: Vec<u8> = Vec::read(from)?;
        let mut ranges = Ranges { at: 0, end: text.len() };
        let first = i64::read(from)?;
        let mut dense = Vec::new();
        let count = usize::read(from)?;
        // The keys of the dense part are integers.
        if i64::try_from(count).ok().and_then(|count| first.checked_add(count)).is_none() {
            return Err(WireError::Damaged);
        }
        for _ in 0..count {
            let slot = bool::read(from)?.then(|| read_element(from, &mut ranges)).transpose()?;
            dense.push(slot);
        }
        let mut arrivals = Vec::new();
        for _ in 0..usize::read(from)? {
            let key = match u8::read(from)? {
                0 => Key::Int(i64::read(from)?),
                1 => Key::Text(ranges.next(usize::read(from)?)?),
                _ => return Err(WireError::Damaged),
            };
            arrivals.push((key, read_element(from, &mut ranges)?));
        }
        if ranges.at != ranges.end {
            return Err(WireError::Damaged);
        }
        Ok(PortableArray { text, first, dense, arrivals })
    }
}

/// Where texts are, which follow each other.
struct Ranges {
    at: usize,
    end: usize,
}

impl Ranges {
    fn next(&mut self, length: usize) -> Result<Range<usize>, WireError> {
        if length > self.end - self.at {
            return Err(WireError::Damaged);
        }
        let start = self.at;
        self.at += length;
        Ok(start..self.at)
    }
}

fn write_element(element: &Element, out: &mut Vec<u8>) {
    element.write_by(out, |range, out| range.len().write(out));
}

fn read_element(from: &mut WireReader<'_>, ranges: &mut Ranges) -> Result<Element, WireError> {
    let kind = u8::read(from)?;
    Scalar::read_by(kind, from, |from| ranges.next(usize::read(from)?))
}
