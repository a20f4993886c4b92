//! `asort` and `asorti`: the orders that have names, and the sort itself.
//!
//! Every order is total, so results do not depend on where the elements came from: what is equal is told apart by the value's
//! text or by the key. The order of a program's own comparison need not make sense, so those sort by [`merge_sort`], which asks
//! about the same pairs in the same order as gawk under glibc and ends whatever the answers are.

use crate::fault::{Fallible, Fault};
use crate::runtime::Runtime;
use riverhawk_bytecode::FrameId;
use riverhawk_value::{Array, ArrayRef, KeyIter, Value};
use std::cmp::Ordering;
use std::rc::Rc;

/// What elements are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// The key as text.
    IndexText,
    /// The key as a number.
    IndexNumber,
    /// The value as text; arrays last.
    ValueText,
    /// The value as a number; arrays last.
    ValueNumber,
    /// Numbers, then texts, then arrays.
    ValueType,
}

/// An order of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// As they come.
    Unsorted,
    /// By a rule.
    Rule {
        /// Which.
        by: By,
        /// The last first.
        descending: bool,
    },
    /// As a function of the program says.
    Function(FrameId),
}

impl Order {
    /// What `asorti` does by itself.
    pub(crate) const INDEX_TEXT: Order = Order::Rule { by: By::IndexText, descending: false };
    /// What `asort` does by itself.
    pub(crate) const VALUE_TYPE: Order = Order::Rule { by: By::ValueType, descending: false };

    /// The order of this name that is not a function's.
    pub(crate) fn predefined(name: &[u8]) -> Option<Order> {
        let rule = |by, descending| Some(Order::Rule { by, descending });
        match name {
            b"@unsorted" => Some(Order::Unsorted),
            b"@ind_str_asc" => rule(By::IndexText, false),
            b"@ind_str_desc" => rule(By::IndexText, true),
            b"@ind_num_asc" => rule(By::IndexNumber, false),
            b"@ind_num_desc" => rule(By::IndexNumber, true),
            b"@val_str_asc" => rule(By::ValueText, false),
            b"@val_str_desc" => rule(By::ValueText, true),
            b"@val_num_asc" => rule(By::ValueNumber, false),
            b"@val_num_desc" => rule(By::ValueNumber, true),
            b"@val_type_asc" => rule(By::ValueType, false),
            b"@val_type_desc" => rule(By::ValueType, true),
            _ => None,
        }
    }
}

/// The elements of an array at one moment.
pub(crate) struct Entries {
    pairs: Vec<(Value, Value)>,
}

impl Entries {
    /// Those of this array.
    pub(crate) fn of(array: &Array) -> Entries {
        Entries { pairs: array.pairs() }
    }

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The key of one.
    pub(crate) fn key(&self, at: u32) -> &Value {
        &self.pairs[at as usize].0
    }

    /// The value of one.
    pub(crate) fn value(&self, at: u32) -> &Value {
        &self.pairs[at as usize].1
    }

    /// The keys in this order.
    pub(crate) fn keys(mut self, sorted: &[u32]) -> KeyIter {
        KeyIter::of(sorted.iter().map(|&at| std::mem::take(&mut self.pairs[at as usize].0)).collect())
    }

    /// Keys or values in this order become the array `into`, from 1; how many. Arrays among them are copied unless they only move.
    pub(crate) fn store(&self, sorted: &[u32], keys: bool, source: &ArrayRef, into: &ArrayRef) -> Value {
        let moves = Rc::ptr_eq(source, into);
        let stored = sorted.iter().map(|&at| match self.value(at) {
            // A key that is spelled like an integer is a string all the same.
            _ if keys => Value::from_text(self.key(at).bytes(b"").unwrap_or_default()),
            Value::Array(array) if !moves => Value::Array(array.borrow().deep_copy()),
            value => value.clone(),
        });
        let stored: Vec<Value> = stored.collect();
        into.borrow_mut().fill(stored.into_iter());
        Value::Num(sorted.len() as f64)
    }
}

/// What decides about one element, from left to right. What an order does not look at is the same for all.
struct SortKey {
    kind: u8,
    number: f64,
    /// Ranges of the text of all: the value's or none, then the key's.
    texts: [(usize, usize); 2],
}

impl Runtime {
    /// The order that a value names: one of gawk's, or a function of the program.
    pub(crate) fn order_named(&self, how: &Value) -> Fallible<Order> {
        let name = self.text_of(how);
        if let Some(order) = Order::predefined(&name) {
            return Ok(order);
        }
        let mut functions = self.program.functions.iter();
        match functions.position(|function| function.defined && !function.builtin && function.name.as_bytes() == name) {
            Some(at) => Ok(Order::Function(FrameId(at as u32))),
            None => {
                let name = String::from_utf8_lossy(&name);
                Err(Fault::new(format!("sort comparison function `{name}' is not defined")))
            }
        }
    }

    /// The numbers of the elements in an order that is no function's.
    pub(crate) fn sorted(&self, entries: &Entries, order: Order) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..entries.len() as u32).collect();
        let Order::Rule { by, descending } = order else { return numbers };
        let mut texts = Vec::new();
        let keys: Vec<SortKey> = numbers.iter().map(|&at| self.sort_key(entries, at, by, &mut texts)).collect();
        numbers.sort_by(|&a, &b| {
            let (a, b) = if descending { (b, a) } else { (a, b) };
            self.compare_keys(&keys[a as usize], &keys[b as usize], &texts)
        });
        numbers
    }

    fn sort_key(&self, entries: &Entries, at: u32, by: By, texts: &mut Vec<u8>) -> SortKey {
        let (key, value) = (entries.key(at), entries.value(at));
        let mut text = |value: Option<&Value>| {
            let start = texts.len();
            if let Some(value) = value {
                value.append_to(b"", &self.specials.convfmt, texts);
            }
            (start, texts.len())
        };
        let number = |value: &Value| value.number(b"");
        let is_array = value.is_array();
        let (kind, number, first) = match by {
            By::IndexText => (0, 0.0, None),
            By::IndexNumber => (0, number(key), None),
            By::ValueText | By::ValueNumber | By::ValueType if is_array => (2, 0.0, None),
            By::ValueText => (0, 0.0, Some(value)),
            By::ValueNumber => (0, number(value), Some(value)),
            By::ValueType if value.is_numeric(b"") => (0, number(value), None),
            By::ValueType => (1, 0.0, Some(value)),
        };
        SortKey { kind, number, texts: [text(first), text(Some(key))] }
    }

    fn compare_keys(&self, a: &SortKey, b: &SortKey, texts: &[u8]) -> Ordering {
        let text = |(start, end): (usize, usize)| &texts[start..end];
        let order = |at: usize| self.specials.order(text(a.texts[at]), text(b.texts[at]), self.unit);
        (a.kind.cmp(&b.kind))
            .then_with(|| compare_numbers(a.number, b.number))
            .then_with(|| order(0))
            .then_with(|| order(1))
    }
}

/// NaN is behind every other number.
fn compare_numbers(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// The numbers from 0 to `count` in the order that `in_order` says of two of them: whether the first may stay before the second.
/// Halves are sorted and merged, as glibc's `qsort` does.
pub(crate) fn merge_sort<E>(
    count: usize,
    in_order: &mut impl FnMut(u32, u32) -> Result<bool, E>,
) -> Result<Vec<u32>, E> {
    let mut numbers: Vec<u32> = (0..count as u32).collect();
    let mut merged = Vec::with_capacity(count);
    sort_part(&mut numbers, &mut merged, in_order)?;
    Ok(numbers)
}

fn sort_part<E>(
    part: &mut [u32],
    merged: &mut Vec<u32>,
    in_order: &mut impl FnMut(u32, u32) -> Result<bool, E>,
) -> Result<(), E> {
    if part.len() < 2 {
        return Ok(());
    }
    let middle = part.len() / 2;
    sort_part(&mut part[..middle], merged, in_order)?;
    sort_part(&mut part[middle..], merged, in_order)?;
    merged.clear();
    let (mut left, mut right) = (0, middle);
    while left < middle && right < part.len() {
        if in_order(part[left], part[right])? {
            merged.push(part[left]);
            left += 1;
        } else {
            merged.push(part[right]);
            right += 1;
        }
    }
    merged.extend_from_slice(&part[left..middle]);
    // What is left on the right is in its place.
    part[..merged.len()].copy_from_slice(merged);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_is_asked_about_the_pairs_that_gawk_asks_about() {
        let values = [4, 3, 2, 1, 0];
        let mut asked = Vec::new();
        let sorted = merge_sort::<()>(5, &mut |a, b| {
            asked.push((a + 1, b + 1));
            Ok(values[a as usize] <= values[b as usize])
        });
        assert_eq!(sorted, Ok(vec![4, 3, 2, 1, 0]));
        // As printed by gawk 5.2.1.
        assert_eq!(asked, [(1, 2), (4, 5), (3, 5), (3, 4), (2, 5), (2, 4), (2, 3)]);
    }

    #[test]
    fn a_comparison_that_makes_no_sense_ends_with_every_element_once() {
        for answers in [[true, true, true], [false, false, false], [true, false, true], [false, true, true]] {
            let mut turn = 0;
            let sorted = merge_sort::<()>(100, &mut |_, _| {
                turn += 1;
                Ok(answers[turn % 3])
            });
            let mut sorted = sorted.expect("no comparison failed");
            sorted.sort_unstable();
            assert_eq!(sorted, (0..100).collect::<Vec<u32>>());
        }
        assert_eq!(merge_sort::<&str>(2, &mut |_, _| Err("stop")), Err("stop"));
    }

    #[test]
    fn nan_is_behind_every_number_and_equal_to_itself() {
        let mut numbers = [f64::NAN, 1.0, f64::INFINITY, -f64::NAN, f64::NEG_INFINITY];
        numbers.sort_by(|a, b| compare_numbers(*a, *b));
        assert_eq!(numbers[..3], [f64::NEG_INFINITY, 1.0, f64::INFINITY]);
        assert!(numbers[3..].iter().all(|number| number.is_nan()));
    }
}
