//! Associative arrays: a dense part for the integers 0, 1, 2 ... and a hash table for every other key.
//!
//! **Order.** `for (k in a)` visits the dense integers in ascending order, then the other keys in the order in which they came
//! in; so the order is the same from run to run although the hash is seeded afresh. The table holds indexes into a vector of
//! entries in order of arrival; deleted entries leave holes that are squeezed out when they are half of all. A dense part that is
//! four fifths holes and still growing loses those at its front, so that it begins at another key than 0, or becomes part of the table; and
//! integers in the table that are a quarter of all up to their
//! greatest move to the dense part, so memory follows the number of elements in either case. A sieve, whose first keys are the even
//! numbers, so is dense all the same: 0.1 s instead of 1.2 s up to a million.
//!
//! **Keys.** A key is text, and text that is spelled like an integer ("12", "-3", not "012" or "1.0") is the same key as the
//! number; such keys are kept as integers.

use crate::heap::HeapStr;
use crate::number;
use crate::small::SmallStr;
use crate::value::{NumberFormat, Value};
use foldhash::fast::RandomState;
use std::cell::RefCell;
use std::hash::BuildHasher;
use std::rc::Rc;

#[allow(unsafe_code)]
mod dense;
mod index;
mod nested;
mod places;
mod visit;
pub use dense::{DenseLayout, VectorLayout};
use index::Index;
use places::Places;
pub use places::{Packed, Place};
use visit::Visit;

/// An array that several variables may name.
pub type ArrayRef = Rc<RefCell<Array>>;

/// A new empty array.
pub fn new_array() -> ArrayRef {
    Rc::new(RefCell::new(Array::default()))
}

/// A key as it is stored.
#[derive(Clone, Debug)]
enum Key {
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

    /// The key that this value is; a number that is no integer is spelled by CONVFMT into `scratch`.
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

/// Integers from here on are kept as text, however they come: one with 16 digits may be beyond 2^53, where doubles have gaps.
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
    fn to_value(&self) -> Value {
        match self {
            // gawk's integer keys compare as numbers when a for-in hands them out; other awks' do not.
            Key::Int(integer) => integer_text(*integer),
            Key::Small(small) => Value::Small(*small),
            Key::Heap(heap) => Value::Str(heap.clone()),
        }
    }

    fn probe(&self) -> Probe<'_> {
        match self {
            Key::Int(integer) => Probe::Int(*integer),
            Key::Small(small) => Probe::Text(small.as_bytes()),
            Key::Heap(heap) => Probe::Text(heap.as_bytes()),
        }
    }

    #[inline]
    fn is(&self, probe: Probe<'_>) -> bool {
        match (self, probe) {
            (Key::Int(a), Probe::Int(b)) => *a == b,
            (Key::Small(a), Probe::Text(b)) => a.is(b),
            (Key::Heap(a), Probe::Text(b)) => a.as_bytes() == b,
            _ => false,
        }
    }
}

fn integer_text(integer: i64) -> Value {
    if integer == 0 {
        // Text all the same: `if (k)` holds for the key "0" in every awk.
        return Value::from_text(b"0");
    }
    match SmallStr::of_integer(integer) {
        Some(text) => Value::SmallInput(text),
        None => Value::from_input(itoa::Buffer::new().format(integer).as_bytes()),
    }
}

/// So many entries are looked through without a table: most arrays in arrays are that small.
const SCANNED: usize = 4;

#[derive(Clone, Debug)]
struct Entry {
    key: Key,
    /// `None` is a hole left by a deletion.
    value: Option<Value>,
}

/// Where an element is.
enum Found {
    /// In the dense part, unless there is a hole.
    Place(usize),
    /// Among the entries.
    Entry(usize),
}

/// An associative array.
#[derive(Clone, Debug, Default)]
pub struct Array {
    dense: Places,
    entries: Vec<Entry>,
    entry_holes: usize,
    /// Indexes into `entries`, of those that are no holes; of none while there are at most [`SCANNED`] entries.
    table: Index,
    /// How many integer keys the table holds: while there are none, an integer beyond the dense part needs no look.
    table_integers: usize,
    /// No integer key of the table is greater, once it holds one.
    table_greatest: i64,
    state: RandomState,
    /// Where a loop is among the entries.
    visit: Visit,
    /// New keys join the entries whatever they are, so that these are in order of arrival.
    by_arrival: bool,
    /// Nothing has emptied it since [`Array::await_clearing`].
    awaits_clearing: bool,
}

/// From so many integers on it is worth looking whether they are dense: 1 KiB.
const LEAST_DENSE: usize = 64;

/// So many holes are cheap enough to keep in either part: 1 KiB at most in the dense one.
const MOST_HOLES: usize = 64;

impl Array {
    /// Number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.dense.elements() + self.entries.len() - self.entry_holes
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Deletes every element.
    pub fn clear(&mut self) {
        self.awaits_clearing = false;
        self.empty_dense();
        self.entries.clear();
        self.entry_holes = 0;
        self.table.clear();
        self.table_integers = 0;
        self.table_greatest = 0;
    }

    #[inline]
    fn hash(&self, probe: Probe<'_>) -> u32 {
        let hash = match probe {
            Probe::Int(integer) => self.state.hash_one(integer),
            Probe::Text(text) => self.state.hash_one(text),
        };
        (hash >> 32) as u32
    }

    /// Where the entry with this key is.
    #[inline]
    fn find(&self, probe: Probe<'_>) -> Option<usize> {
        let is = |at: usize| self.entries.get(at).is_some_and(|entry| entry.value.is_some() && entry.key.is(probe));
        if self.entries.len() <= SCANNED {
            return (0..self.entries.len()).find(|&at| is(at));
        }
        if let Some(at) = self.visit.find(is) {
            return Some(at);
        }
        let at = self.table.find(self.hash(probe), |at| self.entries[at as usize].key.is(probe))?;
        self.visit.moved(at);
        Some(at)
    }

    /// A copy of the element, if there is one.
    #[inline]
    pub fn get(&self, probe: Probe<'_>) -> Option<Value> {
        match self.look_up(probe)? {
            Found::Place(at) => self.dense.get(at),
            Found::Entry(at) => self.entries[at].value.clone(),
        }
    }

    /// Where the element is, if there is one: a place of the dense part may be a hole.
    #[inline(always)]
    fn look_up(&self, probe: Probe<'_>) -> Option<Found> {
        if let Probe::Int(integer) = probe {
            let at = self.dense.at(integer);
            if at < self.dense.len() {
                return Some(Found::Place(at));
            }
            if self.table_integers == 0 {
                return None;
            }
        }
        self.find(probe).map(Found::Entry)
    }

    /// Whether there is such an element.
    #[inline]
    pub fn contains(&self, probe: Probe<'_>) -> bool {
        match self.look_up(probe) {
            Some(Found::Place(at)) => self.dense.holds(at),
            found => found.is_some(),
        }
    }

    /// The element, made (unassigned) when there is none: what a reference to `a[k]` does.
    #[inline]
    pub fn place(&mut self, probe: Probe<'_>) -> Place<'_> {
        if let Probe::Int(integer) = probe {
            let at = self.dense.at(integer);
            if at < self.dense.numbers.len() {
                return Place::Packed(self.dense.packed(at));
            }
            if let Some(at) = self.dense_place(integer) {
                return self.dense.place(at);
            }
        }
        Place::Value(self.table_entry(probe))
    }

    /// A copy of the element, made (unassigned) when there is none.
    #[inline]
    pub fn mention(&mut self, probe: Probe<'_>) -> Value {
        if let Probe::Int(integer) = probe
            && let Some(number) = self.dense.number(self.dense.at(integer))
        {
            return Value::Num(number);
        }
        self.place(probe).to_value()
    }

    /// As [`Array::place`], for what may become anything: a dense part of numbers then is one of values. For numbers there is [`Array::place`].
    #[inline]
    pub fn entry(&mut self, probe: Probe<'_>) -> &mut Value {
        if let Probe::Int(integer) = probe {
            self.expect_values(integer);
            if let Some(at) = self.dense_place(integer) {
                return self.dense.value(at);
            }
        }
        self.table_entry(probe)
    }

    /// What will become the first element of the dense part is no number.
    #[inline]
    fn expect_values(&mut self, integer: i64) {
        if self.dense.len() == 0 && self.dense.is_packed() && self.dense.at(integer) <= 1 && !self.by_arrival {
            self.dense.unpack();
        }
    }

    /// The place of a key in the dense part, made when it may be part of it.
    #[inline]
    fn dense_place(&mut self, integer: i64) -> Option<usize> {
        let at = self.dense.at(integer);
        if at < self.dense.len() {
            return Some(at);
        }
        if let Some(at) = self.extend_dense(integer) {
            return Some(at);
        }
        if self.table_integers >= LEAST_DENSE && self.table_integers.is_power_of_two() && self.adopt_integers() {
            return self.dense_place(integer);
        }
        None
    }

    /// Lengthens the dense part by one when the key is the next integer (or 1 as the first of all) and the table does not hold
    /// it already.
    fn extend_dense(&mut self, integer: i64) -> Option<usize> {
        let at = self.dense.at(integer);
        let starts_at_one = at == 1 && self.dense.len() == 0 && self.dense.origin.first() == 0;
        let gap = at.wrapping_sub(self.dense.len());
        if (gap != 0 && !starts_at_one && !self.may_skip(gap)) || self.by_arrival {
            return None;
        }
        if self.has_many_holes() {
            self.dense.drop_front();
            if self.has_many_holes() {
                self.spill_dense();
                return None;
            }
            return self.extend_dense(integer);
        }
        if self.table_integers > 0 {
            if self.find(Probe::Int(integer)).is_some() {
                return None;
            }
            if starts_at_one && self.find(Probe::Int(0)).is_some() {
                return None;
            }
        }
        if gap > 0 {
            self.dense.lengthen(at);
        }
        self.dense.push(Some(Value::Uninit));
        Some(at)
    }

    #[inline]
    fn has_many_holes(&self) -> bool {
        self.dense.holes > MOST_HOLES && self.dense.holes * 5 > self.dense.len() * 4
    }

    /// Whether the dense part may be lengthened past so many keys that are not there: it is of some size, no such key is in the table,
    /// and still a fifth of it is elements.
    #[inline]
    fn may_skip(&self, gap: usize) -> bool {
        let length = self.dense.len();
        length >= LEAST_DENSE
            && gap <= length
            && self.table_integers == 0
            && (self.dense.holes + gap) * 5 <= (length + gap) * 4
    }

    /// Moves the integers of the table to the dense part, if with them at least a quarter of that are elements; whether it has.
    /// That is more than a fifth, below which it would go back.
    ///
    /// An element and its key take some 52 bytes in the table, a place of the dense part 8, or 16 where there are not only numbers. Half a
    /// million counts under integers up to a million, in no order: 58 ms instead of 98 with two fifths, most of it misses of the cache.
    #[inline(never)]
    fn adopt_integers(&mut self) -> bool {
        let length =
            self.dense.len().max(usize::try_from(self.table_greatest).map_or(0, |greatest| greatest.saturating_add(1)));
        let elements = self.table_integers + self.dense.elements();
        // Behind a first key other than 0 there is no telling how many of the integers would move.
        if self.by_arrival
            || self.dense.origin.first() > 0
            || self.table_greatest <= 0
            || elements.saturating_mul(4) < length
        {
            return false;
        }
        self.dense.lengthen(length);
        for entry in &mut self.entries {
            if let Key::Int(integer) = entry.key
                && let Some(at) = usize::try_from(integer).ok().filter(|&at| at < length)
                && let Some(value) = entry.value.take()
            {
                self.dense.set(at, value);
                self.table_integers -= 1;
            }
        }
        self.table_greatest = 0;
        self.dense.trim();
        self.squeeze();
        true
    }

    /// Moves the elements of the dense part to the table.
    #[cold]
    fn spill_dense(&mut self) {
        let dense = std::mem::take(&mut self.dense);
        for (key, slot) in (dense.origin.first()..).zip(dense.slots()) {
            if let Some(value) = slot {
                *self.table_entry(Probe::Int(key)) = value;
            }
        }
    }

    #[inline]
    fn table_entry(&mut self, probe: Probe<'_>) -> &mut Value {
        let at = match self.find(probe) {
            Some(at) => at,
            None => self.add_entry(probe),
        };
        self.entries[at].value.get_or_insert_with(Value::default)
    }

    /// Makes an entry for a key that has none.
    #[inline(never)]
    fn add_entry(&mut self, probe: Probe<'_>) -> usize {
        let key = match probe {
            Probe::Int(integer) => {
                self.table_integers += 1;
                self.table_greatest = self.table_greatest.max(integer);
                Key::Int(integer)
            }
            Probe::Text(text) => match SmallStr::new(text) {
                Some(small) => Key::Small(small),
                None => Key::Heap(HeapStr::new(text)),
            },
        };
        let at = self.entries.len();
        self.entries.push(Entry { key, value: Some(Value::Uninit) });
        match at {
            0..SCANNED => {}
            SCANNED => self.index_entries(),
            _ => self.table.insert(self.hash(probe), at as u32),
        }
        at
    }

    /// Puts all entries into the table, which is empty.
    fn index_entries(&mut self) {
        for at in 0..self.entries.len() {
            if self.entries[at].value.is_some() {
                self.table.insert(self.hash(self.entries[at].key.probe()), at as u32);
            }
        }
    }

    /// Assigns an element.
    #[inline]
    pub fn set(&mut self, probe: Probe<'_>, value: Value) {
        match value {
            Value::Num(number) => self.place(probe).set_number(number),
            Value::Uninit => drop(self.place(probe).take()),
            value => *self.entry(probe) = value,
        }
    }

    /// Assigns an element unless it is an array; whether it has.
    #[inline]
    pub fn set_scalar(&mut self, probe: Probe<'_>, value: Value) -> bool {
        if let Value::Num(number) = value {
            if let Probe::Int(integer) = probe
                && self.set_number(integer, number)
            {
                return true;
            }
            let mut place = self.place(probe);
            let is_scalar = !place.is_array();
            if is_scalar {
                place.set_number(number);
            }
            return is_scalar;
        }
        let element = self.entry(probe);
        let is_scalar = element.is_plain() || !element.is_array();
        if is_scalar {
            *element = value;
        }
        is_scalar
    }

    /// Assigns a number that has or gets its place in a dense part of numbers, if that is easily said; whether it has.
    #[inline(always)]
    fn set_number(&mut self, integer: i64, number: f64) -> bool {
        let (at, length) = (self.dense.at(integer), self.dense.numbers.len());
        if at < length {
            self.dense.packed(at).set(number);
            return true;
        }
        // As `extend_dense` does it without a gap: half of the instructions of an array that grows.
        let is_next = at == length
            && self.dense.is_packed()
            && self.table_integers == 0
            && !self.by_arrival
            && !self.has_many_holes();
        if is_next {
            self.dense.push_number(number);
        }
        is_next
    }

    /// Deletes an element; whether it was there.
    pub fn remove(&mut self, probe: Probe<'_>) -> bool {
        if let Probe::Int(integer) = probe
            && self.dense.at(integer) < self.dense.len()
        {
            let was_there = self.dense.remove(self.dense.at(integer));
            self.dense.trim();
            return was_there;
        }
        let entries = &self.entries;
        let found = if entries.len() <= SCANNED {
            self.find(probe)
        } else {
            self.table.remove(self.hash(probe), |at| entries[at as usize].key.is(probe))
        };
        let Some(at) = found else { return false };
        self.entries[at].value = None;
        self.entry_holes += 1;
        if matches!(probe, Probe::Int(_)) {
            self.table_integers -= 1;
        }
        if self.entry_holes > MOST_HOLES && self.entry_holes * 2 > self.entries.len() {
            self.squeeze();
        }
        true
    }

    /// Drops the holes among the entries.
    fn squeeze(&mut self) {
        let mut kept = 0;
        let places = self.entries.iter().map(|entry| {
            let place = entry.value.as_ref().map(|_| kept);
            kept += u32::from(place.is_some());
            place
        });
        let places: Vec<Option<u32>> = places.collect();
        self.entries.retain(|entry| entry.value.is_some());
        if self.entries.len() > SCANNED {
            self.table.renumber(|at| places[at]);
        } else {
            self.table.clear();
        }
        self.entry_holes = 0;
    }

    /// Replaces the contents by `values` at the keys 1, 2, 3 ... (what `split` does).
    pub fn fill(&mut self, values: impl Iterator<Item = Value>) {
        self.clear();
        let mut values = values.peekable();
        if values.peek().is_some_and(|first| !matches!(first, Value::Num(_))) && self.dense.is_packed() {
            self.dense.unpack();
        }
        self.dense.push(None);
        if self.dense.is_packed() {
            values.for_each(|value| self.dense.push(Some(value)));
        } else {
            self.dense.values.extend(values.map(Some));
        }
        self.dense.trim();
    }

    /// An empty array whose elements lie in the order in which they came, also those with integers as keys: what one piece of a
    /// parallel run collects, to be put into another array in the order in which a serial run would have met it.
    pub fn by_arrival() -> Array {
        let mut array = Array::default();
        array.by_arrival = true;
        array
    }

    /// Starts to wait for the array to be emptied (or filled anew, which empties it first).
    pub fn await_clearing(&mut self) {
        self.awaits_clearing = true;
    }

    /// Whether it has been emptied since [`Array::await_clearing`].
    pub fn was_cleared(&self) -> bool {
        !self.awaits_clearing
    }

    /// The key of the first element of the dense part.
    pub fn dense_first(&self) -> i64 {
        self.dense.origin.first()
    }

    /// The dense part: element k is the value of the key that many behind the first.
    pub fn dense(&self) -> impl ExactSizeIterator<Item = Option<Value>> {
        self.dense.slots()
    }

    /// Number of entries behind the dense part, holes included: what [`Array::arrivals`] and [`Array::forget_arrivals`] count from.
    pub fn arrived(&self) -> usize {
        self.entries.len()
    }

    /// The elements behind the dense part in order of arrival, without the first `from` entries.
    pub fn arrivals(&self, from: usize) -> impl Iterator<Item = (Probe<'_>, &Value)> {
        self.entries[from.min(self.entries.len())..]
            .iter()
            .filter_map(|entry| entry.value.as_ref().map(|value| (entry.key.probe(), value)))
    }

    /// Deletes all entries that came after the first `from`.
    pub fn forget_arrivals(&mut self, from: usize) {
        while self.entries.len() > from {
            let at = (self.entries.len() - 1) as u32;
            let Some(entry) = self.entries.pop() else { return };
            if at as usize == SCANNED {
                self.table.clear();
            }
            if entry.value.is_none() {
                self.entry_holes -= 1;
                continue;
            }
            self.table.remove(self.hash(entry.key.probe()), |other| other == at);
            self.table_integers -= usize::from(matches!(entry.key, Key::Int(_)));
        }
    }

    /// An array with exactly this dense part (its first key, and the values from there on) and these entries in order of arrival; a key among
    /// the entries that stands twice, or in the dense part, is one element.
    pub fn assemble<'k>(
        first: i64,
        dense: impl Iterator<Item = Option<Value>>,
        entries: impl Iterator<Item = (Probe<'k>, Value)>,
    ) -> Array {
        let mut array = Array::by_arrival();
        dense.for_each(|slot| array.dense.push(slot));
        array.dense.origin.advance(usize::try_from(first).unwrap_or(0));
        array.dense.trim();
        for (probe, value) in entries {
            array.set(probe, value);
        }
        array.by_arrival = false;
        array
    }

    /// Keys and values as they are now, in the order of `for (k in a)`.
    pub fn pairs(&self) -> Vec<(Value, Value)> {
        let first = self.dense.origin.first();
        let dense = (first..).zip(self.dense.slots()).filter_map(|(at, slot)| Some((Key::Int(at).to_value(), slot?)));
        let others = self.entries.iter().filter_map(|entry| Some((entry.key.to_value(), entry.value.clone()?)));
        dense.chain(others).collect()
    }

    /// Some element, if there is one: the last that arrived, where that is known.
    pub fn some_element(&self) -> Option<Value> {
        let entry = self.entries.iter().rev().find_map(|entry| entry.value.clone());
        entry.or_else(|| self.dense.slots().rev().flatten().next())
    }

    /// The keys as they are now, in the order of `for (k in a)`.
    pub fn keys(&self) -> KeyIter {
        self.visit.begin();
        let mut keys = Vec::with_capacity(self.len());
        keys.extend(self.dense.keys().map(Key::Int));
        keys.extend(self.entries.iter().filter(|entry| entry.value.is_some()).map(|entry| entry.key.clone()));
        KeyIter { keys: Keys::Plain(keys.into_iter()) }
    }
}

/// The keys of an array at one moment; what happens to the array later does not change them.
#[derive(Clone, Debug)]
pub struct KeyIter {
    keys: Keys,
}

#[derive(Clone, Debug)]
enum Keys {
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
            out.extend_from_slice(subsep);
        }
        match subscript {
            Value::Num(n) => number::number_to_text(*n, convfmt, out),
            other => match other.bytes(record) {
                Some(bytes) => out.extend_from_slice(bytes),
                None => other.append_precise(convfmt, out),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn listed(array: &Array) -> Vec<String> {
        array.keys().map(|key| String::from_utf8_lossy(key.bytes(b"").unwrap_or_default()).into_owned()).collect()
    }

    #[test]
    fn text_spelled_like_an_integer_is_the_integer_and_other_spellings_are_not() {
        assert!(matches!(Probe::from_text(b"12"), Probe::Int(12)));
        assert!(matches!(Probe::from_text(b"-3"), Probe::Int(-3)));
        assert!(matches!(Probe::from_text(b"0"), Probe::Int(0)));
        for other in [&b"012"[..], b"-0", b"+1", b"1.0", b" 1", b"", b"-", b"1234567890123456", b"1a"] {
            assert!(matches!(Probe::from_text(other), Probe::Text(_)), "{other:?}");
        }
    }

    #[test]
    fn an_array_by_arrival_keeps_integers_among_the_others_and_forgets_the_latest() {
        let mut array = Array::by_arrival();
        for key in ["2", "x", "1", "0", "a-key-that-is-longer-than-fourteen-bytes", "3"] {
            array.set(Probe::from_text(key.as_bytes()), Value::Num(1.0));
        }
        let all = ["2", "x", "1", "0", "a-key-that-is-longer-than-fourteen-bytes", "3"];
        assert_eq!(listed(&array), all);
        array.remove(Probe::Int(1));
        array.forget_arrivals(2);
        assert_eq!((listed(&array), array.len(), array.arrived()), (vec!["2".to_owned(), "x".to_owned()], 2, 2));
        // What was forgotten can come again, in a new place.
        array.set(Probe::Int(3), Value::Uninit);
        array.set(Probe::Int(2), Value::Uninit);
        assert_eq!(listed(&array), ["2", "x", "3"]);
        assert_eq!(array.arrivals(2).count(), 1);
    }

    #[test]
    fn emptying_and_filling_are_noticed_and_other_changes_are_not() {
        let mut array = Array::default();
        array.set(Probe::Int(1), Value::Uninit);
        array.await_clearing();
        array.set(Probe::Int(2), Value::Uninit);
        array.remove(Probe::Int(1));
        assert!(!array.was_cleared());
        array.fill([Value::Num(1.0)].into_iter());
        assert!(array.was_cleared());
        array.await_clearing();
        array.clear();
        assert!(array.was_cleared());
    }

    /// Found by the differential generator: from 10^15 on the number and its text were two keys.
    #[test]
    fn a_number_and_its_text_are_the_same_key_at_every_size() {
        let format = NumberFormat::parse(b"%.6g");
        for integer in [999_999_999_999_999u64, 1_000_000_000_000_000, 1 << 53, 1 << 63] {
            for number in [integer as f64, -(integer as f64)] {
                let (value, mut scratch) = (Value::Num(number), Vec::new());
                let mut array = Array::default();
                array.set(Probe::from_value(&value, b"", &format, &mut scratch), Value::Num(1.0));
                assert!(array.contains(Probe::from_text(format!("{number:.0}").as_bytes())), "{number}");
            }
        }
    }

    #[test]
    fn keys_come_dense_integers_first_and_then_in_order_of_arrival() {
        let mut array = Array::default();
        for key in ["z", "2", "1", "b", "3", "-5", "a"] {
            array.set(Probe::from_text(key.as_bytes()), Value::Num(0.0));
        }
        // 2 came before the dense part had a 1 to stand on, so it is in the table, and 3 follows it there.
        assert_eq!(listed(&array), ["1", "z", "2", "b", "3", "-5", "a"]);
    }

    #[test]
    fn a_fill_is_one_to_n_and_replaces_what_was_there() {
        let mut array = Array::default();
        array.set(Probe::Text(b"x"), Value::Num(1.0));
        array.fill((1..=3).map(|n| Value::Num(f64::from(n))));
        assert_eq!(listed(&array), ["1", "2", "3"]);
        array.fill(std::iter::empty());
        assert!(array.is_empty());
        assert!(!array.contains(Probe::Int(0)));
    }

    #[test]
    fn a_queue_holds_memory_for_what_is_in_it_and_not_for_what_has_been() {
        let mut array = Array::default();
        let last = if cfg!(miri) { 2_000 } else { 100_000 };
        for at in 1..=last {
            array.set(Probe::Int(at), Value::Num(at as f64));
            array.remove(Probe::Int(at - 10));
            assert_eq!(array.len() as i64, at.min(10));
        }
        assert!(array.dense.len() + array.entries.len() < 300, "{} + {}", array.dense.len(), array.entries.len());
        assert_eq!(listed(&array), (last - 9..=last).map(|at| at.to_string()).collect::<Vec<_>>());
        assert_eq!(array.get(Probe::Int(last - 5)).map(|value| value.number(b"")), Some(last as f64 - 5.0));
        assert!(!array.contains(Probe::Int(5)));
    }

    #[test]
    fn integers_that_come_out_of_order_are_dense_when_there_are_enough_of_them() {
        let mut array = Array::default();
        array.set(Probe::Text(b"word"), Value::EMPTY);
        for at in (4..2_000).step_by(2).chain((9..2_000).step_by(6)) {
            array.set(Probe::Int(at), Value::Num(at as f64));
        }
        assert!(array.entries.len() < 70, "{}", array.entries.len());
        let mut expected: Vec<i64> = (4..2_000).filter(|at| at % 2 == 0 || (at % 6 == 3 && *at >= 9)).collect();
        assert_eq!(array.len(), expected.len() + 1);
        let last = expected.len();
        expected.extend([0]);
        let keys = listed(&array);
        assert_eq!(keys[last], "word");
        assert_eq!(keys[..last], expected[..last].iter().map(ToString::to_string).collect::<Vec<_>>());
        // Far apart, they are not.
        let mut sparse = Array::default();
        for at in 0..1_000 {
            sparse.set(Probe::Int(at * 7), Value::Num(at as f64));
        }
        assert!(sparse.dense.len() < 200, "{}", sparse.dense.len());
    }

    #[test]
    fn a_key_longer_than_a_value_is_found_again() {
        let mut array = Array::default();
        for word in ["a key that needs an allocation", "a key that needs another allocation", ""] {
            array.set(Probe::from_text(word.as_bytes()), Value::from_text(word.as_bytes()));
        }
        for word in ["a key that needs an allocation", "a key that needs another allocation", ""] {
            assert_eq!(
                array.get(Probe::from_text(word.as_bytes())).as_ref().and_then(|value| value.bytes(b"")),
                Some(word.as_bytes())
            );
            assert!(array.remove(Probe::from_text(word.as_bytes())));
            assert!(!array.remove(Probe::from_text(word.as_bytes())));
        }
        assert!(array.is_empty());
    }

    #[test]
    fn keys_taken_before_a_change_are_not_changed_by_it() {
        let mut array = Array::default();
        array.fill((0..3).map(|n| Value::Num(f64::from(n))));
        array.set(Probe::Text(b"word"), Value::EMPTY);
        let keys = array.keys();
        array.clear();
        array.set(Probe::Text(b"new"), Value::EMPTY);
        let spelled: Vec<Vec<u8>> = keys.map(|key| key.bytes(b"").unwrap_or_default().to_vec()).collect();
        assert_eq!(spelled, [&b"1"[..], b"2", b"3", b"word"]);
    }

    #[test]
    fn a_number_is_the_key_that_its_spelling_is() {
        let convfmt = NumberFormat::parse(b"%.3g");
        let spelled = |number: f64| {
            let mut scratch = Vec::new();
            match Probe::from_value(&Value::Num(number), b"", &convfmt, &mut scratch) {
                Probe::Int(integer) => integer.to_string(),
                Probe::Text(text) => String::from_utf8_lossy(text).into_owned(),
            }
        };
        for (number, expected) in [
            (1.0, "1"),
            (-7.0, "-7"),
            (-0.0, "0"),
            (0.1, "0.1"),
            (2.0f64.sqrt(), "1.41"),
            (1e15, "1000000000000000"),
            (9_007_199_254_740_994.0, "9007199254740994"),
            (-1e18, "-1000000000000000000"),
            (f64::INFINITY, "+inf"),
        ] {
            assert_eq!(spelled(number), expected);
        }
    }

    proptest! {
        #[test]
        fn integers_in_any_order_behave_as_a_map(
            steps in proptest::collection::vec((0i64..60, 1i64..5, 1i64..120, any::<bool>()), 0..40),
        ) {
            let mut array = Array::default();
            let mut model = BTreeMap::new();
            for (from, stride, count, deletes) in steps {
                for at in (0..count).map(|n| from * 3 - 20 + n * stride) {
                    if deletes {
                        prop_assert_eq!(array.remove(Probe::Int(at)), model.remove(&at).is_some());
                    } else {
                        array.set(Probe::Int(at), Value::Num(at as f64));
                        model.insert(at, at as f64);
                    }
                }
                prop_assert_eq!(array.len(), model.len());
                prop_assert_eq!(array.dense.holes, array.dense.slots().filter(Option::is_none).count());
            }
            for at in -30..800 {
                prop_assert_eq!(array.get(Probe::Int(at)).map(|value| value.number(b"")), model.get(&at).copied());
            }
            let mut keys: Vec<i64> = array.keys().map(|key| key.number(b"") as i64).collect();
            keys.sort_unstable();
            prop_assert_eq!(keys, model.into_keys().collect::<Vec<_>>());
        }

        #[test]
        fn a_sliding_range_of_integers_behaves_as_a_map(steps in proptest::collection::vec((-1i64..4, 0i64..400), 0..300)) {
            let mut array = Array::default();
            let mut model = BTreeMap::new();
            let mut head = 0;
            for (advance, back) in steps {
                for _ in 0..advance.max(0) * 20 {
                    head += 1;
                    array.set(Probe::Int(head), Value::Num(head as f64));
                    model.insert(head, head as f64);
                }
                for gone in (head - back).max(0)..=(head - back / 2) {
                    prop_assert_eq!(array.remove(Probe::Int(gone)), model.remove(&gone).is_some());
                }
                prop_assert_eq!(array.len(), model.len());
                for probed in head - 200..head + 3 {
                    prop_assert_eq!(array.get(Probe::Int(probed)).map(|v| v.number(b"")), model.get(&probed).copied());
                }
            }
            let mut keys: Vec<i64> = array.keys().map(|key| key.number(b"") as i64).collect();
            keys.sort_unstable();
            prop_assert_eq!(keys, model.into_keys().collect::<Vec<_>>());
        }

        #[test]
        fn behaves_as_a_map_from_spellings(operations in proptest::collection::vec((0..5u8, -2i64..12, any::<bool>()), 0..300)) {
            let mut array = Array::default();
            let mut model: BTreeMap<String, f64> = BTreeMap::new();
            for (step, (operation, key, word)) in operations.into_iter().enumerate() {
                let spelling = if word { format!("key number {key}") } else { key.to_string() };
                let probe = Probe::from_text(spelling.as_bytes());
                match operation {
                    0 => {
                        array.set(probe, Value::Num(step as f64));
                        model.insert(spelling.clone(), step as f64);
                    }
                    1 => prop_assert_eq!(array.remove(probe), model.remove(&spelling).is_some()),
                    2 => {
                        // A for-in that asks for each key it gets, and deletes some.
                        for key in array.keys() {
                            let spelled = key.bytes(b"").unwrap_or_default();
                            let name = String::from_utf8_lossy(spelled).into_owned();
                            let probe = Probe::from_text(spelled);
                            prop_assert_eq!(array.get(probe).map(|value| value.number(b"")), model.get(&name).copied());
                            if name.ends_with('7') {
                                prop_assert!(array.remove(probe));
                                prop_assert!(!array.contains(probe));
                                model.remove(&name);
                            }
                        }
                    }
                    3 => drop(array.keys()),
                    _ => prop_assert_eq!(array.get(probe).map(|value| value.number(b"")), model.get(&spelling).copied()),
                }
                prop_assert_eq!(array.len(), model.len());
            }
            let mut keys = listed(&array);
            keys.sort();
            prop_assert_eq!(keys, model.keys().cloned().collect::<Vec<_>>());
        }
    }
}
