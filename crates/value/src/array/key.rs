//! Keys.

use crate::heap::HeapStr;
use crate::number;
use crate::small::SmallStr;
use crate::value::{NumberFormat, Value};

#[derive(Clone, Debug)]
pub(super) enum Key {
    Int(i64),
    Small(SmallStr),
    Heap(HeapStr),
}

/// A key to look up.
#[derive(Clone, Copy, Debug)]
pub enum Probe<'a> {
    /// Spelled like an integer.
    Int(i64),
    /// Any other text.
    Text(&'a [u8]),
}

impl<'a> Probe<'a> {
    /// The key of a text.
    #[inline]
    pub fn from_text(text: &'a [u8]) -> Probe<'a> {
        match canonical_integer(text) {
            Some(integer) => Probe::Int(integer),
            None => Probe::Text(text),
        }
    }

    /// The key of an integer; `None` for one that is kept as text.
    #[inline]
    pub fn from_integer(integer: i64) -> Option<Probe<'a>> {
        (integer.unsigned_abs() < INTEGER_KEYS).then_some(Probe::Int(integer))
    }

    /// The key of a value; a number that is no integer is written by CONVFMT into `scratch`.
    #[inline]
    pub fn from_value(
        value: &'a Value,
        record: &'a [u8],
        convfmt: &NumberFormat,
        scratch: &'a mut Vec<u8>,
    ) -> Probe<'a> {
        if let Value::Num(number) = value {
            let integer = *number as i64;
            if integer as f64 == *number && integer.unsigned_abs() < INTEGER_KEYS {
                return Probe::Int(integer);
            }
        }
        Probe::from_text(value.text(record, convfmt, scratch))
    }
}

/// Larger integers are kept as text: one with 16 digits may exceed 2^53.
const INTEGER_KEYS: u64 = 1_000_000_000_000_000;

/// The integer below [`INTEGER_KEYS`] that awk would print as `text`.
#[inline]
fn canonical_integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    match digits {
        [b'0'] if !negative => return Some(0),
        [b'1'..=b'9', ..] if digits.len() <= 15 => {}
        _ => return None,
    }
    let mut integer = 0i64;
    for &digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        integer = integer * 10 + i64::from(digit);
    }
    Some(if negative { -integer } else { integer })
}

impl Key {
    pub(super) fn to_value(&self) -> Value {
        match self {
            Key::Int(integer) => integer_text(*integer),
            Key::Small(small) => Value::Small(*small),
            Key::Heap(heap) => Value::Str(heap.clone()),
        }
    }

    pub(super) fn probe(&self) -> Probe<'_> {
        match self {
            Key::Int(integer) => Probe::Int(*integer),
            Key::Small(small) => Probe::Text(small.as_bytes()),
            Key::Heap(heap) => Probe::Text(heap.as_bytes()),
        }
    }

    #[inline]
    pub(super) fn is(&self, probe: Probe<'_>) -> bool {
        match (self, probe) {
            (Key::Int(a), Probe::Int(b)) => *a == b,
            (Key::Small(a), Probe::Text(b)) => a.is(b),
            (Key::Heap(a), Probe::Text(b)) => a.as_bytes() == b,
            _ => false,
        }
    }
}

fn integer_text(integer: i64) -> Value {
    match SmallStr::of_integer(integer) {
        Some(text) => Value::Small(text),
        None => Value::from_text(itoa::Buffer::new().format(integer).as_bytes()),
    }
}

/// A snapshot of an array's keys.
#[derive(Clone, Debug)]
pub struct KeyIter {
    pub(super) keys: Keys,
}

#[derive(Clone, Debug)]
pub(super) enum Keys {
    Plain(std::vec::IntoIter<Key>),
    Ordered(std::vec::IntoIter<Value>),
}

impl KeyIter {
    /// No keys.
    pub fn none() -> KeyIter {
        KeyIter::of(Vec::new())
    }

    /// These keys, in this order.
    pub fn of(keys: Vec<Value>) -> KeyIter {
        KeyIter { keys: Keys::Ordered(keys.into_iter()) }
    }
}

impl Iterator for KeyIter {
    type Item = Value;
    fn next(&mut self) -> Option<Value> {
        match &mut self.keys {
            Keys::Plain(keys) => keys.next().map(|key| key.to_value()),
            Keys::Ordered(keys) => keys.next(),
        }
    }
}

/// The text of several subscripts: each by CONVFMT, joined by SUBSEP.
pub fn join_subscripts<'a>(
    subscripts: impl Iterator<Item = &'a Value>,
    record: &[u8],
    convfmt: &NumberFormat,
    subsep: &[u8],
    out: &mut Vec<u8>,
) {
    out.clear();
    for (at, subscript) in subscripts.enumerate() {
        if at > 0 {
            riverhawk_memory::append(out, subsep);
        }
        match subscript {
            Value::Num(n) => number::number_to_text(*n, convfmt, out),
            other => match other.bytes(record) {
                Some(bytes) => riverhawk_memory::append(out, bytes),
                None => other.append_precise(convfmt, out),
            },
        }
    }
}
