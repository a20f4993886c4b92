//! Elements in order of arrival, as the pieces of a parallel run return them.

use super::key::Key;
use super::{Array, Probe, SCANNED};
use crate::value::Value;
use riverhawk_memory as memory;

impl Array {
    /// An empty array that keeps all elements, even those with integer keys, in order of arrival.
    /// So a piece's elements have the order of a serial run.
    pub fn by_arrival() -> Array {
        let mut array = Array::default();
        array.by_arrival = true;
        array
    }

    /// Number of entries outside the dense part, holes included: the counts of [`Array::arrivals`]
    /// and [`Array::forget_arrivals`].
    pub fn arrived(&self) -> usize {
        self.entries.len()
    }

    /// The elements outside the dense part in order of arrival, from entry `from`.
    pub fn arrivals(&self, from: usize) -> impl Iterator<Item = (Probe<'_>, &Value)> {
        self.entries[from.min(self.entries.len())..]
            .iter()
            .filter_map(|entry| entry.value.as_ref().map(|value| (entry.key.probe(), value)))
    }

    /// Deletes all entries from `from` on.
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

    /// An array of this dense part (first key and values) and these entries in order; duplicate
    /// keys are one element.
    pub fn assemble<'k>(
        first: i64,
        dense: impl Iterator<Item = Option<Value>>,
        entries: impl Iterator<Item = (Probe<'k>, Value)>,
    ) -> Array {
        let mut array = Array::by_arrival();
        dense.map_while(|slot| array.dense.push(slot).then_some(())).for_each(drop);
        array.dense.origin.advance(usize::try_from(first).unwrap_or(0));
        array.dense.trim();
        for (probe, value) in entries {
            array.set(probe, value);
            if memory::ran_out() {
                break;
            }
        }
        array.by_arrival = false;
        array
    }
}
