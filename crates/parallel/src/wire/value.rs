//! Values. An array has the text of all keys and elements at once, and then their lengths.

use super::{Wire, WireError, WireReader, wire_enum, wire_struct};
use crate::noted::Noted;
use crate::portable::{Element, Key, Portable, PortableArray, State};
use crate::results::{PieceEnd, Results};
use riverhawk_syntax::ast::Special;
use riverhawk_value::Truth;
use std::ops::Range;

wire_enum!(Truth { Zero, One, False, True, Null });
wire_enum!(PieceEnd { Whole, FileSkipped, Abandoned });
wire_struct!(State { globals, specials, mode, columns });
wire_struct!(Noted { addends, fractions, unordered, failed });
wire_struct!(Results { end, records, output, noted, values, ranges, ranges_met, complaint });

impl Wire for Special {
    fn write(&self, out: &mut Vec<u8>) {
        Special::ALL.iter().position(|special| special == self).unwrap_or_default().write(out);
    }

    fn read(from: &mut WireReader<'_>) -> Result<Special, WireError> {
        Special::ALL.get(usize::read(from)?).copied().ok_or(WireError::Damaged)
    }
}

impl Wire for Portable {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Portable::Uninit => out.push(0),
            Portable::Unassigned => out.push(1),
            Portable::NoField => out.push(2),
            Portable::Num(number) => {
                out.push(3);
                number.write(out);
            }
            Portable::Truth(truth) => {
                out.push(4);
                truth.write(out);
            }
            Portable::Text(text) => {
                out.push(5);
                text.write(out);
            }
            Portable::Input(text) => {
                out.push(6);
                text.write(out);
            }
            Portable::Array(array) => {
                out.push(7);
                array.write(out);
            }
        }
    }

    fn read(from: &mut WireReader<'_>) -> Result<Portable, WireError> {
        Ok(match u8::read(from)? {
            0 => Portable::Uninit,
            1 => Portable::Unassigned,
            2 => Portable::NoField,
            3 => Portable::Num(f64::read(from)?),
            4 => Portable::Truth(Truth::read(from)?),
            5 => Portable::Text(Wire::read(from)?),
            6 => Portable::Input(Wire::read(from)?),
            7 => Portable::Array(PortableArray::read(from)?),
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
    match element {
        Element::Uninit => out.push(0),
        Element::Unassigned => out.push(1),
        Element::NoField => out.push(2),
        Element::Num(number) => {
            out.push(3);
            number.write(out);
        }
        Element::Truth(truth) => {
            out.push(4);
            truth.write(out);
        }
        Element::Text(range) => {
            out.push(5);
            range.len().write(out);
        }
        Element::Input(range) => {
            out.push(6);
            range.len().write(out);
        }
    }
}

fn read_element(from: &mut WireReader<'_>, ranges: &mut Ranges) -> Result<Element, WireError> {
    Ok(match u8::read(from)? {
        0 => Element::Uninit,
        1 => Element::Unassigned,
        2 => Element::NoField,
        3 => Element::Num(f64::read(from)?),
        4 => Element::Truth(Truth::read(from)?),
        5 => Element::Text(ranges.next(usize::read(from)?)?),
        6 => Element::Input(ranges.next(usize::read(from)?)?),
        _ => return Err(WireError::Damaged),
    })
}
