//! Elements in the order in which they came: what the pieces of a parallel run bring home.

use super::key::Key;
use super::{Array, Probe, SCANNED};
use crate::value::Value;
use riverhawk_memory as memory;

impl Array {
    /// An empty array whose elements lie in the order in which they came, also those with integers
    /// as keys: what one piece of a parallel run collects, to be put into another array in the
    /// order in which a serial run would have met it.
    pub fn by_arrival() -> Array {
        let mut array = Array::default();
        array.by_arrival = true;
        array
    }

    /// Number of entries behind the dense part, holes included: what [`Array::arrivals`] and
    /// [`Array::forget_arrivals`] count from.
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

    /// An array with exactly this dense part (its first key, and the values from there on) and
    /// these entries in order of arrival; a key among the entries that stands twice, or in the
    /// dense part, is one element.
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
