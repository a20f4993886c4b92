//! Arrays in arrays.

use super::key::Key;
use super::{Array, ArrayRef, Entry};
use crate::value::Value;
use riverhawk_memory as memory;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

impl Array {
    /// Whether it contains another array, at any depth.
    pub fn holds(&self, other: &ArrayRef) -> bool {
        let mut inner: Vec<ArrayRef> = self.arrays().cloned().collect();
        while let Some(array) = inner.pop() {
            if Rc::ptr_eq(&array, other) {
                return true;
            }
            inner.extend(array.borrow().arrays().cloned());
        }
        false
    }

    /// Approximate bytes allocated, with nested arrays.
    pub fn footprint(&self) -> usize {
        let mut bytes = self.own_footprint();
        let mut inner: Vec<ArrayRef> = Vec::new();
        let note = |array: &Array, inner: &mut Vec<ArrayRef>| {
            // Without memory for the list some are not counted.
            array.arrays().all(|array| memory::push(inner, array.clone()));
        };
        note(self, &mut inner);
        while let Some(array) = inner.pop() {
            let array = array.borrow();
            bytes += array.own_footprint();
            note(&array, &mut inner);
        }
        bytes
    }

    fn own_footprint(&self) -> usize {
        let text = |value: &Option<Value>| match value {
            Some(Value::Str(text) | Value::Input(text)) => text.footprint(),
            _ => 0,
        };
        let key = |key: &Key| if let Key::Heap(text) = key { text.footprint() } else { 0 };
        size_of::<Array>()
            + self.dense.numbers.capacity() * size_of::<u64>()
            + self.dense.values.capacity() * size_of::<Value>()
            + self.entries.capacity() * size_of::<Entry>()
            + self.table.footprint()
            + self.dense.values.iter().map(text).sum::<usize>()
            + self.entries.iter().map(|entry| key(&entry.key) + text(&entry.value)).sum::<usize>()
    }

    fn arrays(&self) -> impl Iterator<Item = &ArrayRef> {
        let values = self.dense.values.iter().chain(self.entries.iter().map(|entry| &entry.value));
        values.filter_map(|value| match value {
            Some(Value::Array(array)) => Some(array),
            _ => None,
        })
    }

    /// A copy that shares no array with this one.
    pub fn deep_copy(&self) -> ArrayRef {
        let copy = Rc::new(RefCell::new(self.clone()));
        let mut copied = vec![copy.clone()];
        while let Some(array) = copied.pop() {
            let mut array = array.borrow_mut();
            let array = &mut *array;
            let values = array
                .dense
                .values
                .iter_mut()
                .chain(array.entries.iter_mut().map(|entry| &mut entry.value));
            for value in values.flatten() {
                if let Value::Array(inner) = value {
                    let new = Rc::new(RefCell::new(inner.borrow().clone()));
                    *inner = new.clone();
                    if !memory::push(&mut copied, new) {
                        return copy;
                    }
                }
            }
        }
        copy
    }
}

/// Nested arrays are shared. Empty if memory has run out.
impl Clone for Array {
    fn clone(&self) -> Array {
        let mut copy = Array::default();
        (copy.entry_holes, copy.table_integers, copy.table_max) =
            (self.entry_holes, self.table_integers, self.table_max);
        (copy.state, copy.visit) = (self.state.clone(), self.visit.clone());
        (copy.by_arrival, copy.awaits_clearing) = (self.by_arrival, self.awaits_clearing);
        let is_there = copy.dense.copy_from(&self.dense)
            && copy.table.copy_from(&self.table)
            && memory::grow_exactly(&mut copy.entries, self.entries.len());
        if !is_there {
            return Array::default();
        }
        copy.entries.extend_from_slice(&self.entries);
        copy
    }
}

/// Deeper arrays are dropped after the recursive drops, to bound the stack.
const MAX_DEPTH: usize = 100;

struct Remains {
    _values: Vec<Option<Value>>,
    _entries: Vec<Entry>,
}

thread_local! {
    /// Current depth of drops.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    static REMAINS: RefCell<Vec<Remains>> = const { RefCell::new(Vec::new()) };
}

impl Drop for Array {
    fn drop(&mut self) {
        if self.dense.values.is_empty() && self.entries.is_empty() {
            return;
        }
        let depth = DEPTH.get();
        if depth == MAX_DEPTH {
            let remains = Remains {
                _values: std::mem::take(&mut self.dense.values),
                _entries: std::mem::take(&mut self.entries),
            };
            // A thread that ends may have lost its list; then they are dropped here.
            let _ = REMAINS.try_with(|list| list.borrow_mut().push(remains));
            return;
        }
        DEPTH.set(depth + 1);
        self.empty_dense();
        drop(std::mem::take(&mut self.entries));
        if depth == 0 {
            while let Ok(Some(remains)) = REMAINS.try_with(|list| list.borrow_mut().pop()) {
                drop(remains);
            }
        }
        DEPTH.set(depth);
    }
}
