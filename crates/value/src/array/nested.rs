//! Arrays among the elements of an array.

use super::{Array, ArrayRef};
use crate::value::Value;
use std::cell::RefCell;
use std::rc::Rc;

impl Array {
    /// Whether another array lies in this one, at any depth.
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

    /// The arrays among the elements.
    fn arrays(&self) -> impl Iterator<Item = &ArrayRef> {
        let values = self.dense.values.iter().chain(self.entries.iter().map(|entry| &entry.value));
        values.filter_map(|value| match value {
            Some(Value::Array(array)) => Some(array),
            _ => None,
        })
    }

    /// A copy that shares no array with this one: arrays among the elements are copied too.
    pub fn deep_copy(&self) -> ArrayRef {
        let mut copy = self.clone();
        let values = copy.dense.values.iter_mut().chain(copy.entries.iter_mut().map(|entry| &mut entry.value));
        for value in values.flatten() {
            if let Value::Array(array) = value {
                let inner = array.borrow().deep_copy();
                *array = inner;
            }
        }
        Rc::new(RefCell::new(copy))
    }
}
