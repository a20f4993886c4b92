//! Keys: as they are stored, as they are asked for, and as a loop hands them out.

use crate::heap::HeapStr;
use crate::number;
use crate::small::SmallStr;
use crate::value::{NumberFormat, Value};

/// A key as it is stored.
#[derive(Clone, Debug)]
pub(super) enum Key {
    Int(i64),
    Small(SmallStr),
    Heap(HeapStr),
}

/// A key as it is asked for.
#[derive(Clone, Copy, Debug)]
pub enum Probe<'a> {
    /// Spelled like an integer.
    Int(i64),
    /// Any other text.
    Text(&'a [u8]),
}

impl<'a> Probe<'a> {
    /// The key that this text is.
    #[inline]
    pub fn from_text(text: &'a [u8]) -> Probe<'a> {
        match canonical_integer(text) {
            Some(integer) => Probe::Int(integer),
            None => Probe::Text(text),
        }
    }

    /// The key that this value is; a number that is no integer is spelled by CONVFMT into
    /// `scratch`.
    #[inline]
    pub fn from_value(
        value: &'a Value,
        record: &'a [u8],
        convfmt: &NumberFormat,
        scratch: &'a mut Vec<u8>,
    ) -> Probe<'a> {
        if let Value::Num(number) = value {
            let integer = *number as i64;
            // Negative zero is spelled "0" too.
            if integer as f64 == *number && integer.unsigned_abs() < INTEGER_KEYS {
                return Probe::Int(integer);
            }
        }
        Probe::from_text(value.text(record, convfmt, scratch))
    }
}

/// Integers from here on are kept as text, however they come: one with 16 digits may be beyond
/// 2^53, where doubles have gaps.
const INTEGER_KEYS: u64 = 1_000_000_000_000_000;

/// The integer that `text` spells exactly as awk would print it, below [`INTEGER_KEYS`].
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

/// The keys of an array at one moment; what happens to the array later does not change them.
#[derive(Clone, Debug)]
pub struct KeyIter {
    pub(super) keys: Keys,
}

#[derive(Clone, Debug)]
pub(super) enum Keys {
    Plain(std::vec::IntoIter<Key>),
    /// In an order of their own.
    Ordered(std::vec::IntoIter<Value>),
}

impl KeyIter {
    /// No keys at all.
    pub fn none() -> KeyIter {
        KeyIter::of(Vec::new())
    }

    /// Keys in an order of their own.
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

/// The text of several subscripts: each by CONVFMT (integers as integers), joined by SUBSEP.
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
