//! Keys.

use super::short::{ShortKey, canonical_integer};
use crate::heap::HeapStr;
use crate::small::SmallStr;
use crate::value::{NumberFormat, Value};

#[derive(Clone, Debug)]
#[repr(u8)]
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
    /// Another short text, ready to be looked up.
    Short(ShortKey),
    /// Any other text.
    Text(&'a [u8]),
}

impl<'a> Probe<'a> {
    /// The key of a text.
    #[inline]
    pub fn from_text(text: &'a [u8]) -> Probe<'a> {
        match ShortKey::new(text) {
            Some(short) => Probe::of_short(short),
            None => Probe::of_long(text),
        }
    }

    #[inline(always)]
    pub(super) fn of_short(short: ShortKey) -> Probe<'a> {
        match short.may_be_integer() {
            true => short.integer().map_or(Probe::Short(short), Probe::Int),
            false => Probe::Short(short),
        }
    }

    #[inline(never)]
    fn of_long(text: &'a [u8]) -> Probe<'a> {
        canonical_integer(text).map_or(Probe::Text(text), Probe::Int)
    }

    /// Short texts as [`Probe::Short`].
    #[inline(always)]
    pub(super) fn prepared(self) -> Probe<'a> {
        match self {
            Probe::Text(text) => ShortKey::new(text).map_or(self, Probe::Short),
            probe => probe,
        }
    }

    /// The key of an integer; `None` for one that is kept as text.
    #[inline]
    pub fn from_integer(integer: i64) -> Option<Probe<'a>> {
        (integer.unsigned_abs() < INTEGER_KEYS).then_some(Probe::Int(integer))
    }

    /// The key of a value; a number that is no integer is written by CONVFMT into `scratch`.
    #[inline(always)]
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
        Probe::from_other(value, record, convfmt, scratch)
    }

    /// Out of line, so that what takes integers stays small.
    #[inline(never)]
    fn from_other(
        value: &'a Value,
        record: &'a [u8],
        convfmt: &NumberFormat,
        scratch: &'a mut Vec<u8>,
    ) -> Probe<'a> {
        match (ShortKey::of_text(value, record), value) {
            (Some(short), _) => return Probe::of_short(short),
            (None, Value::View(view)) => return Probe::of_long(view.of(record)),
            _ => {}
        }
        Probe::from_text(value.text(record, convfmt, scratch))
    }
}

/// Larger integers are kept as text: one with 16 digits may exceed 2^53.
const INTEGER_KEYS: u64 = 1_000_000_000_000_000;

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
            Key::Small(small) => Probe::Short(ShortKey::of_halves(small.halves())),
            Key::Heap(heap) => Probe::Text(heap.as_bytes()),
        }
    }

    #[inline(always)]
    pub(super) fn is_integer(&self, integer: i64) -> bool {
        matches!(self, Key::Int(own) if *own == integer)
    }

    #[inline(always)]
    pub(super) fn is_short(&self, short: ShortKey) -> bool {
        self.small_halves().map(ShortKey::of_halves) == Some(short)
    }

    #[inline(always)]
    pub(super) fn is_long(&self, text: &[u8]) -> bool {
        matches!(self, Key::Heap(own) if own.as_bytes() == text)
    }
}

fn integer_text(integer: i64) -> Value {
    match SmallStr::of_integer(integer) {
        Some(text) => Value::Small(text),
        None => Value::from_text(itoa::Buffer::new().format(integer).as_bytes()),
    }
}

/// A snapshot of an array's keys. All are written as text at once: the copy of a text that was just
/// written would wait until it is in the cache.
#[derive(Clone, Debug)]
pub struct KeyIter {
    keys: std::vec::IntoIter<Value>,
}

impl KeyIter {
    /// No keys.
    pub fn none() -> KeyIter {
        KeyIter::of(Vec::new())
    }

    /// These keys, in this order.
    pub fn of(keys: Vec<Value>) -> KeyIter {
        KeyIter { keys: keys.into_iter() }
    }
}

impl Iterator for KeyIter {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        self.keys.next()
    }
}
