//! Which integers are in the dense part, and when they enter or leave it.

use super::key::Key;
use super::{Array, MAX_HOLES, MIN_DENSE, Probe};
use crate::value::Value;
use riverhawk_memory as memory;

impl Array {
    #[inline]
    pub(super) fn expect_values(&mut self, integer: i64) {
        if self.dense.len() == 0
            && self.dense.is_packed()
            && self.dense.at(integer) <= 1
            && !self.by_arrival
        {
            self.dense.unpack();
        }
    }

    #[inline]
    pub(super) fn dense_place(&mut self, integer: i64) -> Option<usize> {
        let at = self.dense.at(integer);
        if at < self.dense.len() {
            return Some(at);
        }
        if let Some(at) = self.extend_dense(integer) {
            return Some(at);
        }
        if self.table_integers >= MIN_DENSE
            && self.table_integers.is_power_of_two()
            && self.adopt_integers()
        {
            return self.dense_place(integer);
        }
        None
    }

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
        if gap > 0 && !self.dense.lengthen(at) {
            return None;
        }
        self.dense.push(Some(Value::Uninit)).then_some(at)
    }

    #[inline]
    pub(super) fn has_many_holes(&self) -> bool {
        self.dense.holes > MAX_HOLES && self.dense.holes * 5 > self.dense.len() * 4
    }

    /// Whether the dense part may grow past missing keys: none is in the table, and a fifth stays
    /// elements.
    #[inline]
    fn may_skip(&self, gap: usize) -> bool {
        let length = self.dense.len();
        length >= MIN_DENSE
            && gap <= length
            && self.table_integers == 0
            && (self.dense.holes + gap) * 5 <= (length + gap) * 4
    }

    /// Moves the table's integers to the dense part if a quarter of it would then be elements;
    /// returns whether it did. It moves back only below a fifth. An element takes some 52 bytes in
    /// the table, a place 8 or 16.
    #[inline(never)]
    fn adopt_integers(&mut self) -> bool {
        let length = self
            .dense
            .len()
            .max(usize::try_from(self.table_max).map_or(0, |greatest| greatest.saturating_add(1)));
        let elements = self.table_integers + self.dense.elements();
        // With a first key other than 0 the number of moving integers is unknown.
        if self.by_arrival
            || self.dense.origin.first() > 0
            || self.table_max <= 0
            || elements.saturating_mul(4) < length
        {
            return false;
        }
        if !self.dense.lengthen(length) {
            return false;
        }
        for entry in &mut self.entries {
            if let Key::Int(integer) = entry.key
                && let Some(at) = usize::try_from(integer).ok().filter(|&at| at < length)
                && let Some(value) = entry.value.take()
            {
                self.dense.set(at, value);
                self.table_integers -= 1;
            }
        }
        self.table_max = 0;
        self.dense.trim();
        self.squeeze();
        true
    }

    #[cold]
    fn spill_dense(&mut self) {
        let dense = std::mem::take(&mut self.dense);
        for (key, slot) in (dense.origin.first()..).zip(dense.slots()) {
            if let Some(value) = slot {
                *self.table_entry(Probe::Int(key)) = value;
            }
            if memory::ran_out() {
                return;
            }
        }
    }

    /// Assigns a number that has or gets a place in a packed part; returns whether it did.
    #[inline(always)]
    pub(super) fn set_number(&mut self, integer: i64, number: f64) -> bool {
        let (at, length) = (self.dense.at(integer), self.dense.numbers.len());
        if at < length {
            self.dense.packed(at).set(number);
            return true;
        }
        // As `extend_dense`, without a gap: half of the instructions for a growing array.
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
}
