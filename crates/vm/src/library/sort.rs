//! `asort` and `asorti`.
//!
//! Every order is total, so that results do not depend on the elements' original order: equal
//! elements are ordered by the text of the value or by key. As in gawk, in orders by value integer
//! keys ascend even if values descend.

use crate::current::CurrentRecord;
use crate::locale::Locale;
use crate::memory::while_memory_lasts;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_builtins::merge_sort::sort_distinct;
use riverhawk_bytecode::FrameId;
use riverhawk_bytecode::Unit as Program;
use riverhawk_memory as memory;
use riverhawk_value::{Array, ArrayRef, KeyIter, Probe, Value};
use std::cmp::Ordering;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SortOrder {
    IndexText,
    IndexNumber,
    ValueText,
    ValueNumber,
    /// Numbers, then texts, then arrays; in the other orders by value arrays are last.
    ValueType,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Unsorted,
    Rule { by: SortOrder, descending: bool },
    Function(FrameId),
}

impl Order {
    pub(crate) const INDEX_TEXT: Order =
        Order::Rule { by: SortOrder::IndexText, descending: false };
    pub(crate) const VALUE_TYPE: Order =
        Order::Rule { by: SortOrder::ValueType, descending: false };

    pub(crate) fn predefined(name: &[u8]) -> Option<Order> {
        let rule = |by, descending| Some(Order::Rule { by, descending });
        match name {
            b"@unsorted" => Some(Order::Unsorted),
            b"@ind_str_asc" => rule(SortOrder::IndexText, false),
            b"@ind_str_desc" => rule(SortOrder::IndexText, true),
            b"@ind_num_asc" => rule(SortOrder::IndexNumber, false),
            b"@ind_num_desc" => rule(SortOrder::IndexNumber, true),
            b"@val_str_asc" => rule(SortOrder::ValueText, false),
            b"@val_str_desc" => rule(SortOrder::ValueText, true),
            b"@val_num_asc" => rule(SortOrder::ValueNumber, false),
            b"@val_num_desc" => rule(SortOrder::ValueNumber, true),
            b"@val_type_asc" => rule(SortOrder::ValueType, false),
            b"@val_type_desc" => rule(SortOrder::ValueType, true),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    Keys,
    Values,
}

pub(crate) struct Entries {
    pairs: Vec<(Value, Value)>,
}

impl Entries {
    pub(crate) fn of(array: &Array) -> Entries {
        Entries { pairs: array.pairs() }
    }

    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(crate) fn key(&self, at: u32) -> &Value {
        &self.pairs[at as usize].0
    }

    pub(crate) fn value(&self, at: u32) -> &Value {
        &self.pairs[at as usize].1
    }

    pub(crate) fn keys(mut self, sorted: &[u32]) -> KeyIter {
        let mut keys = Vec::new();
        let taken = sorted.iter().map(|&at| std::mem::take(&mut self.pairs[at as usize].0));
        memory::extend(&mut keys, taken);
        KeyIter::of(keys)
    }

    pub(crate) fn store(
        &self,
        sorted: &[u32],
        what: Stored,
        source: &ArrayRef,
        into: &ArrayRef,
    ) -> Value {
        let moves = Rc::ptr_eq(source, into);
        let stored = sorted.iter().map(|&at| match self.value(at) {
            _ if what == Stored::Keys => self.key(at).clone(),
            Value::Array(array) if !moves => Value::Array(array.borrow().deep_copy()),
            value => value.to_owned(b""),
        });
        let mut values = Vec::new();
        memory::extend(&mut values, stored);
        into.borrow_mut().fill(values.into_iter());
        Value::Num(sorted.len() as f64)
    }
}

/// Two words decide most comparisons, so that texts are rarely read.
#[derive(Clone, Copy)]
struct SortKey {
    kind: u8,
    at: u32,
    rank: u64,
}

/// gawk keeps integers of 32 bits as such; longer ones are text.
fn integer_key(key: &Value) -> Option<i32> {
    match Probe::from_text(key.bytes_if_text(b"")) {
        Probe::Int(integer) => i32::try_from(integer).ok(),
        Probe::Short(_) | Probe::Text(_) => None,
    }
}

/// NaN is after all other numbers, and both zeros are equal.
fn rank_of_number(number: f64) -> u64 {
    if number.is_nan() {
        return u64::MAX;
    }
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn rank_of_text(text: &[u8]) -> u64 {
    let mut first = [0; 8];
    let length = text.len().min(8);
    first[..length].copy_from_slice(&text[..length]);
    u64::from_be_bytes(first)
}

impl CurrentRecord {
    pub(crate) fn order_named(&self, program: &Program, how: &Value) -> Fallible<Order> {
        let name = self.text_of(how);
        if let Some(order) = Order::predefined(&name) {
            return Ok(order);
        }
        let mut functions = program.functions.iter();
        match functions.position(|function| {
            function.defined && !function.builtin && function.name.as_bytes() == name
        }) {
            Some(at) => Ok(Order::Function(FrameId(at as u32))),
            None => {
                let name = String::from_utf8_lossy(&name);
                Err(Fault::new(format!("sort comparison function `{name}' is not defined")))
            }
        }
    }

    fn sort_key(&self, entries: &Entries, at: u32, by: SortOrder) -> SortKey {
        let (key, value) = (entries.key(at), entries.value(at));
        let text = |value: &Value| match self.specials.ignore_case {
            false => rank_of_text(value.text(b"", &self.specials.convfmt, &mut Vec::new())),
            true => 0,
        };
        let (kind, rank) = match by {
            SortOrder::IndexText => (0, text(key)),
            SortOrder::IndexNumber => (0, rank_of_number(key.number(b""))),
            SortOrder::ValueText | SortOrder::ValueNumber | SortOrder::ValueType
                if value.is_array() =>
            {
                (2, 0)
            }
            SortOrder::ValueText => (0, text(value)),
            SortOrder::ValueNumber | SortOrder::ValueType if matches!(value, Value::Uninit) => {
                (0, 0)
            }
            SortOrder::ValueNumber => (0, rank_of_number(value.number(b""))),
            SortOrder::ValueType if value.is_numeric(b"") => (0, rank_of_number(value.number(b""))),
            SortOrder::ValueType => (1, text(value)),
        };
        SortKey { kind, at, rank }
    }
}

impl Locale {
    pub(crate) fn sorted(
        &self,
        program: &Program,
        current: &CurrentRecord,
        entries: &Entries,
        order: Order,
    ) -> Vec<u32> {
        let numbers = 0..entries.len() as u32;
        let mut sorted = Vec::new();
        let Order::Rule { by, descending } = order else {
            if memory::grow_exactly(&mut sorted, entries.len()) {
                sorted.extend(numbers);
            }
            return sorted;
        };
        let mut keys: Vec<SortKey> = Vec::new();
        if !memory::grow_exactly(&mut keys, entries.len())
            || !memory::grow_exactly(&mut sorted, entries.len())
        {
            return sorted;
        }
        keys.extend(while_memory_lasts(numbers).map(|at| current.sort_key(entries, at, by)));
        sort_distinct(&mut keys, |a, b| {
            let (first, second) = if descending { (b, a) } else { (a, b) };
            let ranks = first.kind.cmp(&second.kind).then(first.rank.cmp(&second.rank));
            let order = ranks
                .then_with(|| self.compare_fully(program, current, entries, first, second, by));
            order.then_with(|| integer_key(entries.key(a.at)).cmp(&integer_key(entries.key(b.at))))
        });
        sorted.extend(keys.iter().map(|key| key.at));
        sorted
    }

    /// Orders elements of equal rank: in orders by value by their values' texts, then by key. In
    /// orders by value, integer keys are equal, and before all others.
    fn compare_fully(
        &self,
        program: &Program,
        current: &CurrentRecord,
        entries: &Entries,
        a: &SortKey,
        b: &SortKey,
        by: SortOrder,
    ) -> Ordering {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let mut texts = |a: &Value, b: &Value| {
            let convfmt = &current.specials.convfmt;
            current.specials.order(
                a.text(b"", convfmt, &mut first),
                b.text(b"", convfmt, &mut second),
                self.unit,
            )
        };
        let of_values = match (by, entries.value(a.at), entries.value(b.at)) {
            (SortOrder::IndexNumber, ..) if program.exact => {
                let (a, b) = (entries.key(a.at).exact(b""), entries.key(b.at).exact(b""));
                a.compare(&b).unwrap_or(Ordering::Equal)
            }
            (SortOrder::IndexText | SortOrder::IndexNumber, ..) | (_, Value::Array(_), _) => {
                Ordering::Equal
            }
            // As in gawk, elements without a value are first.
            (_, Value::Uninit, Value::Uninit) => Ordering::Equal,
            (_, Value::Uninit, _) => Ordering::Less,
            (_, _, Value::Uninit) => Ordering::Greater,
            (SortOrder::ValueNumber | SortOrder::ValueType, a, b)
                if program.precise && a.is_numeric(b"") && b.is_numeric(b"") =>
            {
                let convfmt = &current.specials.convfmt;
                let order = a.compare_precisely(b, b"", convfmt).unwrap_or(Ordering::Equal);
                order.then_with(|| texts(a, b))
            }
            (SortOrder::ValueNumber | SortOrder::ValueType, a, b)
                if program.exact && a.is_numeric(b"") && b.is_numeric(b"") =>
            {
                a.exact(b"")
                    .compare(&b.exact(b""))
                    .unwrap_or(Ordering::Equal)
                    .then_with(|| texts(a, b))
            }
            // Numbers of equal rank have equal texts.
            (SortOrder::ValueNumber | SortOrder::ValueType, Value::Num(_), Value::Num(_)) => {
                Ordering::Equal
            }
            (_, a, b) => texts(a, b),
        };
        if of_values != Ordering::Equal {
            return of_values;
        }
        let (a, b) = (entries.key(a.at), entries.key(b.at));
        let orders_keys = matches!(by, SortOrder::IndexText | SortOrder::IndexNumber);
        match (integer_key(a), integer_key(b)) {
            (Some(_), Some(_)) if !orders_keys => Ordering::Equal,
            (Some(_), None) if !orders_keys => Ordering::Less,
            (None, Some(_)) if !orders_keys => Ordering::Greater,
            _ => texts(a, b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_in_the_order_of_what_they_stand_for() {
        let numbers = [
            f64::NEG_INFINITY,
            -1e300,
            -1.5,
            -1e-300,
            0.0,
            1e-300,
            1.0,
            2.0,
            1e300,
            f64::INFINITY,
            f64::NAN,
        ];
        assert!(numbers.map(rank_of_number).is_sorted_by(|a, b| a < b));
        assert_eq!(rank_of_number(-0.0), rank_of_number(0.0));
        assert_eq!(rank_of_number(-f64::NAN), rank_of_number(f64::NAN));
        let texts = ["", "\u{1}", "a", "aa", "ab", "abcdefgh", "b", "é"];
        assert!(texts.map(|text| rank_of_text(text.as_bytes())).is_sorted_by(|a, b| a < b));
        assert_eq!(rank_of_text(b"abcdefgh1"), rank_of_text(b"abcdefgh2"));
    }
}
