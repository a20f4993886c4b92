//! Associative arrays: a dense part for the integers 0, 1, 2 ... and a hash table for other keys.
//!
//! **Order.** `for (k in a)` visits the dense integers in ascending order, then the other keys in
//! order of arrival, so it does not depend on the hash's random seed. The table indexes a vector of
//! entries.
//!
//! **Memory** follows the number of elements. Holes among the entries are removed when they are
//! half of all. A dense part with four fifths holes drops those at its front or moves to the table;
//! integers in the table move to the dense part when they are a quarter of all up to their maximum.
//!
//! **Keys.** Text spelled like an integer ("12", "-3", not "012" or "1.0") is the same key as the
//! number, and is kept as an integer.

use crate::heap::HeapStr;
use crate::value::{NumberFormat, Value};
use foldhash::fast::RandomState;
use riverhawk_memory as memory;
use std::cell::RefCell;
use std::hash::{BuildHasher, Hasher};
use std::rc::Rc;

mod arrivals;
#[allow(unsafe_code)]
mod dense;
mod density;
#[allow(unsafe_code)]
mod halves;
mod index;
mod key;
mod nested;
pub(crate) mod origin;
pub(crate) mod places;
mod short;
mod visit;
use index::Index;
use key::Key;
pub use key::{KeyIter, Probe};
use places::Places;
pub use places::{Packed, Place};
pub use short::ShortKey;
use visit::Visit;

/// An array that several variables may name.
pub type ArrayRef = Rc<RefCell<Array>>;

/// A new empty array.
pub fn new_array() -> ArrayRef {
    Rc::new(RefCell::new(Array::default()))
}

/// Up to this many entries are searched without a table: most nested arrays are that small.
const SCANNED: usize = 4;

/// From so many entries on lookups are guessed ([`visit`]): fewer are in the cache.
const VISITED: usize = 1024;

/// As [`VISITED`], for short keys, which are found almost as fast as they are compared.
const SHORT_VISITED: usize = 1 << 17;

#[derive(Clone, Debug)]
struct Entry {
    key: Key,
    value: Option<Value>,
}

enum Found {
    Place(usize),
    /// Index of an entry.
    Entry(usize),
}

/// An associative array.
#[derive(Debug, Default)]
pub struct Array {
    pub(crate) dense: Places,
    entries: Vec<Entry>,
    entry_holes: usize,
    /// Indexes of the `entries` that are not holes; empty up to [`SCANNED`] entries.
    table: Index,
    /// Integer keys in the table: if 0, it need not be searched for an integer.
    pub(crate) table_integers: usize,
    /// An upper bound of the table's integer keys.
    table_max: i64,
    state: RandomState,
    visit: Visit,
    /// Integer keys join the entries too, so that all are in order of arrival.
    pub(crate) by_arrival: bool,
    /// Not emptied since [`Array::await_clearing`].
    awaits_clearing: bool,
    /// Whether additions by [`Array::add`] are exact.
    pub(crate) keeps_sums: bool,
}

/// Holes that either part may always keep: 1 KiB at most in the dense one.
pub(crate) const MAX_HOLES: usize = 64;

/// Number of integers from which density is checked: 1 KiB.
pub(crate) const MIN_DENSE: usize = 64;

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
        self.table_max = 0;
    }

    /// Of a probe that is [prepared](Probe::prepared).
    #[inline(always)]
    fn hash(&self, probe: Probe<'_>) -> u32 {
        let mut hasher = self.state.build_hasher();
        match probe {
            Probe::Int(integer) => hasher.write_i64(integer),
            Probe::Short(short) => hasher.write_u128(short.bits()),
            Probe::Text(text) => hasher.write(text),
        }
        (hasher.finish() >> 32) as u32
    }

    #[inline(always)]
    fn find(&self, probe: Probe<'_>) -> Option<usize> {
        match probe.prepared() {
            Probe::Int(integer) => self.find_integer(integer),
            Probe::Short(short) => self.find_short(short),
            Probe::Text(text) => self.find_long(text),
        }
    }

    #[inline(never)]
    fn find_integer(&self, integer: i64) -> Option<usize> {
        self.find_by(VISITED, || self.hash(Probe::Int(integer)), |key| key.is_integer(integer))
    }

    #[inline(never)]
    fn find_short(&self, short: ShortKey) -> Option<usize> {
        self.find_here(short)
    }

    /// As [`Array::find_short`], without a call.
    #[inline(always)]
    fn find_here(&self, short: ShortKey) -> Option<usize> {
        self.find_by(SHORT_VISITED, || self.hash(Probe::Short(short)), |key| key.is_short(short))
    }

    #[inline(never)]
    fn find_long(&self, text: &[u8]) -> Option<usize> {
        self.find_by(VISITED, || self.hash(Probe::Text(text)), |key| key.is_long(text))
    }

    #[inline(always)]
    fn find_by(
        &self,
        visited: usize,
        hash: impl Fn() -> u32,
        is: impl Fn(&Key) -> bool + Copy,
    ) -> Option<usize> {
        if self.looks_nearby(visited)
            && let Some(found) = self.find_nearby(is)
        {
            return found;
        }
        self.find_in_table(hash(), is)
    }

    #[inline(always)]
    fn looks_nearby(&self, visited: usize) -> bool {
        let entries = self.entries.len();
        entries <= SCANNED || entries >= visited && self.visit.guesses()
    }

    #[inline(always)]
    fn find_in_table(&self, hash: u32, is: impl Fn(&Key) -> bool) -> Option<usize> {
        let is_at = |at| self.entries.get(at as usize).is_some_and(|entry| is(&entry.key));
        let at = self.table.find(hash, is_at)?;
        if self.entries.len() >= VISITED {
            self.visit.moved(at);
        }
        Some(at)
    }

    /// The answer for few entries, or where the visit guesses one. Apart, as it would take the
    /// registers of the search in the table.
    #[inline(never)]
    fn find_nearby(&self, is: impl Fn(&Key) -> bool) -> Option<Option<usize>> {
        let is_at = |at: usize| {
            self.entries.get(at).is_some_and(|entry| is(&entry.key) && entry.value.is_some())
        };
        if self.entries.len() <= SCANNED {
            return Some((0..self.entries.len()).find(|&at| is_at(at)));
        }
        self.visit.find(is_at).map(Some)
    }

    /// A copy of the element, if there is one.
    #[inline]
    pub fn get(&self, probe: Probe<'_>) -> Option<Value> {
        match self.look_up(probe)? {
            Found::Place(at) => self.dense.get(at),
            Found::Entry(at) => self.entries[at].value.clone(),
        }
    }

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

    /// The element, made (unassigned) if missing, as a reference to `a[k]` does.
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

    /// As [`Array::place`], under the key that [`Probe::from_value`] makes; for texts.
    #[inline(never)]
    pub fn place_under(
        &mut self,
        key: &Value,
        record: &[u8],
        convfmt: &NumberFormat,
        scratch: &mut Vec<u8>,
    ) -> Place<'_> {
        // Of few entries none is known, and the key need not be loaded.
        if self.entries.len() > SCANNED
            && let Some(at) = self.known_at(key, record)
        {
            return Place::Value(self.entry_at(at));
        }
        self.place_under_any(key, record, convfmt, scratch)
    }

    /// As [`Array::place_under`], where most elements have been found already
    /// ([`Array::known`]): under an integer, nearby, under a long text.
    #[inline(never)]
    pub fn place_under_any(
        &mut self,
        key: &Value,
        record: &[u8],
        convfmt: &NumberFormat,
        scratch: &mut Vec<u8>,
    ) -> Place<'_> {
        if let Some(short) = ShortKey::of_text(key, record) {
            return match Probe::of_short(short) {
                Probe::Short(_) => Place::Value(match self.find_here(short) {
                    Some(at) => self.entry_at(at),
                    None => self.new_short(short),
                }),
                probe => self.place(probe),
            };
        }
        self.place(Probe::from_value(key, record, convfmt, scratch))
    }

    /// The element that most lookups are for: under a short text that lies where it belongs in a
    /// table. `None` says nothing. Without a loop or a call, as a function that has none, and asks
    /// elsewhere at its end, keeps no registers.
    #[inline(always)]
    pub fn known(&mut self, key: &Value, record: &[u8]) -> Option<&mut Value> {
        let at = self.known_at(key, record)?;
        Some(self.entry_at(at))
    }

    #[inline(always)]
    fn known_at(&self, key: &Value, record: &[u8]) -> Option<usize> {
        let short = ShortKey::loaded(key, record)?;
        if short.has_digits_first() || self.looks_nearby(SHORT_VISITED) {
            return None;
        }
        let at = self.table.first(self.hash(Probe::Short(short)))?;
        self.entries.get(at).is_some_and(|entry| entry.key.is_short(short)).then_some(at)
    }

    /// As [`Array::contains`], of the key that [`Probe::from_value`] makes.
    #[inline(never)]
    pub fn contains_value(
        &self,
        key: &Value,
        record: &[u8],
        convfmt: &NumberFormat,
        scratch: &mut Vec<u8>,
    ) -> bool {
        match ShortKey::of_text(key, record).map(Probe::of_short) {
            Some(Probe::Short(short)) => self.find_here(short).is_some(),
            Some(probe) => self.contains(probe),
            None => self.contains(Probe::from_value(key, record, convfmt, scratch)),
        }
    }

    #[inline(always)]
    fn entry_at(&mut self, at: usize) -> &mut Value {
        match &mut self.entries[at].value {
            Some(value) => value,
            None => places::no_place(),
        }
    }

    /// As [`Array::place`], for any value: a dense part of numbers becomes one of values.
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

    #[inline(always)]
    fn table_entry(&mut self, probe: Probe<'_>) -> &mut Value {
        match self.find(probe) {
            Some(at) => self.entry_at(at),
            None => self.new_entry(probe),
        }
    }

    #[inline(never)]
    fn new_short(&mut self, short: ShortKey) -> &mut Value {
        self.new_entry(Probe::Short(short))
    }

    #[inline(never)]
    fn new_entry(&mut self, probe: Probe<'_>) -> &mut Value {
        let added = self.add_entry(probe).and_then(|at| self.entries.get_mut(at));
        added.and_then(|entry| entry.value.as_mut()).unwrap_or_else(|| places::no_place())
    }

    fn add_entry(&mut self, probe: Probe<'_>) -> Option<usize> {
        if !memory::grow(&mut self.entries, 1) {
            return None;
        }
        let probe = probe.prepared();
        let key = match probe {
            Probe::Int(integer) => {
                self.table_integers += 1;
                self.table_max = self.table_max.max(integer);
                Key::Int(integer)
            }
            Probe::Short(short) => Key::Small(short.to_small()),
            Probe::Text(text) => Key::Heap(HeapStr::new(text)),
        };
        let at = self.entries.len();
        self.entries.push(Entry { key, value: Some(Value::Uninit) });
        let is_found = match at {
            0..SCANNED => true,
            SCANNED => self.index_entries(),
            _ => self.table.insert(self.hash(probe), at as u32),
        };
        if !is_found {
            self.entries.pop();
            self.table_integers -= usize::from(matches!(probe, Probe::Int(_)));
            return None;
        }
        Some(at)
    }

    fn index_entries(&mut self) -> bool {
        (0..self.entries.len()).all(|at| {
            self.entries[at].value.is_none()
                || self.table.insert(self.hash(self.entries[at].key.probe()), at as u32)
        })
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

    /// Assigns a number unless the element is an array; returns whether it did. A packed place stays one.
    #[inline]
    pub fn set_scalar_number(&mut self, probe: Probe<'_>, number: f64) -> bool {
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
        is_scalar
    }

    /// Deletes an element; returns whether it existed.
    pub fn remove(&mut self, probe: Probe<'_>) -> bool {
        if let Probe::Int(integer) = probe
            && self.dense.at(integer) < self.dense.len()
        {
            let was_there = self.dense.remove(self.dense.at(integer));
            self.dense.trim();
            return was_there;
        }
        let probe = probe.prepared();
        let entries = &self.entries;
        let is = |at: u32| {
            let key = &entries[at as usize].key;
            match probe {
                Probe::Int(integer) => key.is_integer(integer),
                Probe::Short(short) => key.is_short(short),
                Probe::Text(text) => key.is_long(text),
            }
        };
        let found = if entries.len() <= SCANNED {
            self.find(probe)
        } else {
            self.table.remove(self.hash(probe), is)
        };
        let Some(at) = found else { return false };
        self.entries[at].value = None;
        self.entry_holes += 1;
        if matches!(probe, Probe::Int(_)) {
            self.table_integers -= 1;
        }
        if self.entry_holes > MAX_HOLES && self.entry_holes * 2 > self.entries.len() {
            self.squeeze();
        }
        true
    }

    fn squeeze(&mut self) {
        let mut kept = 0;
        let places = self.entries.iter().map(|entry| {
            let place = entry.value.as_ref().map(|_| kept);
            kept += u32::from(place.is_some());
            place
        });
        let mut new_places: Vec<Option<u32>> = Vec::new();
        if !memory::grow_exactly(&mut new_places, self.entries.len()) {
            return;
        }
        new_places.extend(places);
        let places = new_places;
        self.entries.retain(|entry| entry.value.is_some());
        if self.entries.len() > SCANNED {
            self.table.renumber(|at| places[at]);
        } else {
            self.table.clear();
        }
        self.entry_holes = 0;
    }

    /// Replaces the contents by `values` at the keys 1, 2, 3 ..., as `split` does.
    pub fn fill(&mut self, values: impl Iterator<Item = Value>) {
        self.clear();
        let mut values = values.peekable();
        if values.peek().is_some_and(|first| !matches!(first, Value::Num(_)))
            && self.dense.is_packed()
        {
            self.dense.unpack();
        }
        self.dense.push(None);
        let (least, most) = values.size_hint();
        if !self.dense.is_packed() && most == Some(least) {
            memory::extend(&mut self.dense.values, values.map(Some));
        } else {
            values.map_while(|value| self.dense.push(Some(value)).then_some(())).for_each(drop);
        }
        self.dense.trim();
    }

    /// As [`Array::fill`], by parts of `text` as input.
    ///
    /// # Panics
    /// If one is not inside it.
    pub fn fill_parts(&mut self, text: &[u8], parts: &[(u32, u32)]) {
        self.clear();
        if parts.is_empty() || self.dense.is_packed() && !self.dense.unpack() {
            return;
        }
        if !memory::push(&mut self.dense.values, None) {
            return;
        }
        self.dense.holes = 1;
        // A thousand at a time, as long ones take memory of their own, which may run out.
        for parts in parts.chunks(1 << 10).take_while(|_| !memory::ran_out()) {
            if !memory::grow(&mut self.dense.values, parts.len()) {
                break;
            }
            self.dense.values.extend(parts.iter().map(|&(start, end)| {
                Some(Value::from_input_slice(text, start as usize, end as usize))
            }));
        }
        self.dense.trim();
    }

    /// Elements that are values of 16 bytes.
    pub(crate) fn all_values(&mut self) -> impl Iterator<Item = &mut Value> {
        let entries = self.entries.iter_mut().filter_map(|entry| entry.value.as_mut());
        self.dense.values.iter_mut().flatten().chain(entries)
    }

    /// From now on [`Array::was_cleared`] says whether the array was emptied. Refilling counts.
    pub fn await_clearing(&mut self) {
        self.awaits_clearing = true;
    }

    /// Whether it was emptied since [`Array::await_clearing`].
    pub fn was_cleared(&self) -> bool {
        !self.awaits_clearing
    }

    /// The key of the dense part's first element.
    pub fn dense_first(&self) -> i64 {
        self.dense.origin.first()
    }

    /// The dense part: index k has the key `dense_first() + k`.
    pub fn dense(&self) -> impl ExactSizeIterator<Item = Option<Value>> {
        self.dense.slots()
    }

    /// Keys and values in the order of `for (k in a)`.
    pub fn pairs(&self) -> Vec<(Value, Value)> {
        let first = self.dense.origin.first();
        let dense = (first..)
            .zip(self.dense.slots())
            .filter_map(|(at, slot)| Some((Key::Int(at).to_value(), slot?)));
        let others = self
            .entries
            .iter()
            .filter_map(|entry| Some((entry.key.to_value(), entry.value.clone()?)));
        let mut pairs = Vec::new();
        if memory::grow_exactly(&mut pairs, self.len()) {
            memory::extend(&mut pairs, dense.chain(others));
        }
        pairs
    }

    /// Any element; the last to arrive, where that is known.
    pub fn some_element(&self) -> Option<Value> {
        let entry = self.entries.iter().rev().find_map(|entry| entry.value.clone());
        entry.or_else(|| self.dense.slots().rev().flatten().next())
    }

    /// The keys in the order of `for (k in a)`.
    pub fn keys(&self) -> KeyIter {
        if self.entries.len() >= VISITED {
            self.visit.begin();
        }
        let mut keys = Vec::new();
        if memory::grow_exactly(&mut keys, self.len()) {
            keys.extend(self.dense.keys().map(|key| Key::Int(key).to_value()));
            let entries = self.entries.iter().filter(|entry| entry.value.is_some());
            keys.extend(entries.map(|entry| entry.key.to_value()));
        }
        KeyIter::of(keys)
    }
}

#[cfg(test)]
mod tests;
