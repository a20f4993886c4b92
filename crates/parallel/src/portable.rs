//! Values that can cross threads, unlike the machine's with their non-atomic counts.

use riverhawk_memory::{self as memory, Growing};
use riverhawk_precise::ExactSum;
use riverhawk_record::table::FileColumns;
use riverhawk_syntax::ast::Special;
use riverhawk_value::{Array, Probe, Truth, Value};
use std::ops::Range;

/// A value in a form that can cross threads.
#[derive(Clone, Debug, PartialEq)]
pub enum Portable {
    /// Any but an array.
    Scalar(Scalar<Box<[u8]>>),
    /// An array.
    Array(PortableArray),
}

/// A scalar, whose text is in a `T`.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<T> {
    /// Never assigned.
    Uninit,
    /// Used as a scalar, but unassigned.
    Unassigned,
    /// A field that the record lacks.
    NoField,
    /// A number.
    Num(f64),
    /// An exact sum.
    Sum(Box<ExactSum>),
    /// A truth value.
    Truth(Truth),
    /// Text.
    Text(T),
    /// Input text.
    Input(T),
}

/// An element of a [`PortableArray`], in whose text it has a range.
pub(crate) type Element = Scalar<Range<usize>>;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Key {
    Int(i64),
    Text(Range<usize>),
}

/// An array with one allocation for all text, in the order of `for (k in a)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PortableArray {
    pub(crate) text: Vec<u8>,
    /// Of the dense part.
    pub(crate) first: i64,
    pub(crate) dense: Vec<Option<Element>>,
    pub(crate) arrivals: Vec<(Key, Element)>,
}

/// The leader's variables, from which pieces start.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// By number, with the flags of ranges; `None` if unused by rules.
    pub globals: Vec<Option<Portable>>,
    /// Special variables, by number.
    pub specials: Vec<Portable>,
    /// Which of FS, FIELDWIDTHS and FPAT is in force.
    pub mode: Option<Special>,
    /// What is known of the current file's columns.
    pub columns: FileColumns,
}

impl<T> Scalar<T> {
    /// Copies a value that is no view; `None` for others than scalars.
    fn of(value: &Value, store: impl FnOnce(&[u8]) -> T) -> Option<Scalar<T>> {
        Some(match value {
            Value::Uninit => Scalar::Uninit,
            Value::Unassigned => Scalar::Unassigned,
            Value::NoField => Scalar::NoField,
            Value::Num(number) => Scalar::Num(*number),
            Value::Sum(sum) => Scalar::Sum(sum.clone()),
            Value::Bool(truth) => Scalar::Truth(*truth),
            Value::Small(_) | Value::Str(_) => Scalar::Text(store(value.bytes(b"")?)),
            Value::SmallInput(_) | Value::Input(_) => Scalar::Input(store(value.bytes(b"")?)),
            _ => return None,
        })
    }

    fn to_value<'t>(&'t self, bytes: impl FnOnce(&'t T) -> &'t [u8]) -> Value {
        match self {
            Scalar::Uninit => Value::Uninit,
            Scalar::Unassigned => Value::Unassigned,
            Scalar::NoField => Value::NoField,
            Scalar::Num(number) => Value::Num(*number),
            Scalar::Sum(sum) => Value::Sum(sum.clone()),
            Scalar::Truth(truth) => Value::Bool(*truth),
            Scalar::Text(text) => Value::from_text(bytes(text)),
            Scalar::Input(text) => Value::from_input(bytes(text)),
        }
    }
}

impl Portable {
    /// Copies a value that is no view; `None` for nested arrays.
    pub fn of(value: &Value) -> Option<Portable> {
        Some(match value {
            Value::Keys(_) => Portable::Scalar(Scalar::Uninit),
            Value::Array(array) => Portable::Array(PortableArray::of(&array.borrow(), 0)?),
            Value::Untyped(cell) => match cell.get() {
                Some(array) => Portable::Array(PortableArray::of(&array.borrow(), 0)?),
                None => Portable::Scalar(Scalar::Uninit),
            },
            scalar => Portable::Scalar(Scalar::of(scalar, |text| text.into())?),
        })
    }

    /// A value for this thread.
    pub fn to_value(&self) -> Value {
        match self {
            Portable::Scalar(scalar) => scalar.to_value(|text| text),
            Portable::Array(array) => {
                Value::Array(std::rc::Rc::new(std::cell::RefCell::new(array.to_array())))
            }
        }
    }
}

impl PortableArray {
    /// Number of elements, holes included.
    pub(crate) fn len(&self) -> usize {
        self.dense.len() + self.arrivals.len()
    }

    /// Copies the dense part and the entries from `from` on; `None` for nested arrays.
    pub fn of(array: &Array, from: usize) -> Option<PortableArray> {
        let mut copy = PortableArray::default();
        let text = &mut copy.text;
        copy.first = array.dense_first();
        if !memory::grow_exactly(&mut copy.dense, array.dense().len()) {
            return None;
        }
        for slot in array.dense() {
            copy.dense.push(match slot {
                Some(value) => Some(element(&value, text)?),
                None => None,
            });
        }
        for (key, value) in array.arrivals(from) {
            let key = match key {
                Probe::Int(integer) => Key::Int(integer),
                Probe::Short(short) => Key::Text(store(short.to_small().as_bytes(), text)),
                Probe::Text(bytes) => Key::Text(store(bytes, text)),
            };
            if !memory::push(&mut copy.arrivals, (key, element(value, text)?)) {
                return None;
            }
        }
        Some(copy)
    }

    /// An identical array, order included.
    pub fn to_array(&self) -> Array {
        let dense = self.dense.iter().map(|slot| slot.as_ref().map(|element| self.value(element)));
        Array::assemble(
            self.first,
            dense,
            self.arrivals.iter().map(|(key, element)| (self.probe(key), self.value(element))),
        )
    }

    /// All elements become entries, so that later ones are recognised by position.
    pub fn to_array_by_arrival(&self) -> Array {
        let mut array = Array::by_arrival();
        for (key, value) in self.elements() {
            array.set(key, value);
        }
        array
    }

    /// All elements in the order of `for (k in a)`.
    pub fn elements(&self) -> impl Iterator<Item = (Probe<'_>, Value)> {
        let dense = (self.first..)
            .zip(&self.dense)
            .filter_map(|(at, slot)| Some((Probe::Int(at), self.value(slot.as_ref()?))));
        dense.chain(
            self.arrivals.iter().map(|(key, element)| (self.probe(key), self.value(element))),
        )
    }

    fn probe(&self, key: &Key) -> Probe<'_> {
        match key {
            Key::Int(integer) => Probe::Int(*integer),
            Key::Text(range) => Probe::Text(&self.text[range.clone()]),
        }
    }

    fn value(&self, element: &Element) -> Value {
        element.to_value(|range| &self.text[range.clone()])
    }
}

fn store(bytes: &[u8], text: &mut Vec<u8>) -> Range<usize> {
    let start = text.len();
    text.extend_by(bytes);
    // Shorter if out of memory: then it is not used.
    start..text.len()
}

fn element(value: &Value, text: &mut Vec<u8>) -> Option<Element> {
    Scalar::of(value, |bytes| store(bytes, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_value::new_array;

    fn listed(array: &Array) -> Vec<String> {
        array
            .keys()
            .map(|key| String::from_utf8_lossy(key.bytes(b"").unwrap_or_default()).into_owned())
            .collect()
    }

    #[test]
    fn scalars_come_back_as_they_were() {
        let long = b"longer than what fits into a value".as_slice();
        for value in [
            Value::Uninit,
            Value::Unassigned,
            Value::NoField,
            Value::Num(-0.0),
            Value::Sum(Box::new(ExactSum::from(0.1))),
            Value::from_text(b"10"),
            Value::from_input(b"10"),
            Value::from_text(long),
            Value::from_input(long),
        ] {
            let back = Portable::of(&value).expect("a scalar").to_value();
            assert_eq!(format!("{back:?}"), format!("{value:?}"));
        }
    }

    #[test]
    fn an_array_comes_back_with_its_order_and_its_holes() {
        let mut array = Array::default();
        for key in [&b"x"[..], b"1", b"2", b"3", b"9", b"4", b"y"] {
            array.set(Probe::from_text(key), Value::from_input(key));
        }
        array.remove(Probe::Int(2));
        let mut back = PortableArray::of(&array, 0).expect("no arrays inside").to_array();
        assert_eq!(listed(&back), listed(&array));
        // Later additions have the same order in both.
        for key in [&b"5"[..], b"2", b"z", b"6"] {
            array.set(Probe::from_text(key), Value::Uninit);
            back.set(Probe::from_text(key), Value::Uninit);
        }
        assert_eq!(listed(&back), listed(&array));
    }

    #[test]
    fn an_array_in_an_array_does_not_travel() {
        let mut array = Array::default();
        array.set(Probe::Int(1), Value::Array(new_array()));
        assert!(PortableArray::of(&array, 0).is_none());
    }
}
