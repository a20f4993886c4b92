//! The dense part of an array: places at consecutive integers, each an element or a hole.
//!
//! While all elements are numbers a place is a word: the number, or one of two NaNs for "hole" and
//! "unassigned". The first element of another kind makes all places values of 16 bytes,
//! permanently.
//!
//! Arithmetic never gives those NaNs: their payload is neither zero nor an operand's. A number from
//! elsewhere with these bits is stored as another NaN.

use super::origin::Origin;
use crate::value::Value;
use riverhawk_memory as memory;

/// A place of a packed dense part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Packed(u64);

impl Packed {
    pub(crate) const HOLE: Packed = Packed(u64::MAX);

    /// An unassigned element. As unsigned integers, the bits of every number are below this.
    pub(crate) const UNINIT: Packed = Packed(u64::MAX - 1);

    #[inline(always)]
    fn of(number: f64) -> Packed {
        let bits = number.to_bits();
        if bits >= Packed::UNINIT.0 { Packed(bits & !(1 << 50)) } else { Packed(bits) }
    }

    #[inline]
    fn of_value(value: &Value) -> Option<Packed> {
        match value {
            Value::Num(number) => Some(Packed::of(*number)),
            Value::Uninit => Some(Packed::UNINIT),
            _ => None,
        }
    }

    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// As a value of 16 bytes.
    #[inline(always)]
    pub fn value(self) -> Value {
        if self.0 < Packed::UNINIT.0 { Value::Num(f64::from_bits(self.0)) } else { Value::Uninit }
    }

    /// The number.
    #[inline(always)]
    pub fn number(self) -> f64 {
        if self.0 < Packed::UNINIT.0 { f64::from_bits(self.0) } else { 0.0 }
    }

    /// Assigns a number.
    #[inline(always)]
    pub fn set(&mut self, number: f64) {
        *self = Packed::of(number);
    }
}

/// A reference to an element.
#[derive(Debug)]
pub enum Place<'a> {
    /// In a packed dense part.
    Packed(&'a mut Packed),
    /// Any other.
    Value(&'a mut Value),
}

impl Place<'_> {
    /// Whether it is an array, possibly not yet known under this name.
    #[inline(always)]
    pub fn is_array(&self) -> bool {
        matches!(self, Place::Value(value) if value.is_array())
    }

    /// The element as a number.
    #[inline(always)]
    pub fn number(&self) -> f64 {
        match self {
            Place::Packed(packed) => packed.number(),
            Place::Value(Value::Num(number)) => *number,
            Place::Value(value) => value.number(b""),
        }
    }

    /// Assigns a number.
    #[inline(always)]
    pub fn set_number(&mut self, number: f64) {
        match self {
            Place::Packed(packed) => packed.set(number),
            Place::Value(Value::Num(old)) => *old = number,
            Place::Value(value) => **value = Value::Num(number),
        }
    }

    /// A copy of the element.
    #[inline(always)]
    pub fn to_value(&self) -> Value {
        match self {
            Place::Packed(packed) => packed.value(),
            Place::Value(value) => Value::clone(value),
        }
    }

    /// Takes the element, which is unassigned afterwards.
    #[inline]
    pub fn take(self) -> Value {
        match self {
            Place::Packed(packed) => std::mem::replace(packed, Packed::UNINIT).value(),
            Place::Value(value) => std::mem::take(value),
        }
    }
}

/// Returned when memory has run out: the run ends before it is used.
#[cold]
pub(super) fn no_place<'a>() -> &'a mut Value {
    Box::leak(Box::default())
}

/// The dense part. Place k has the key `origin + k`.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// The places, while all are numbers.
    pub(crate) numbers: Vec<Packed>,
    /// The places otherwise; `None` is a hole. Only one of the vectors has capacity.
    pub(crate) values: Vec<Option<Value>>,
    /// The first place's key: 0 until places are dropped at the front.
    pub(crate) origin: Origin,
    pub(crate) holes: usize,
}

impl Places {
    pub(super) fn copy_from(&mut self, other: &Places) -> bool {
        let is_there = memory::grow_exactly(&mut self.numbers, other.numbers.len())
            && memory::grow_exactly(&mut self.values, other.values.capacity());
        if is_there {
            self.numbers.extend_from_slice(&other.numbers);
            self.values.extend_from_slice(&other.values);
            (self.origin, self.holes) = (other.origin, other.holes);
        }
        is_there
    }

    #[inline(always)]
    pub(super) fn is_packed(&self) -> bool {
        self.values.capacity() == 0
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        // One of them is empty.
        self.numbers.len() + self.values.len()
    }

    #[inline(always)]
    pub(super) fn elements(&self) -> usize {
        self.len() - self.holes
    }

    #[inline(always)]
    pub(super) fn at(&self, key: i64) -> usize {
        self.origin.place(key)
    }

    #[inline]
    pub(super) fn holds(&self, at: usize) -> bool {
        match self.numbers.get(at) {
            Some(packed) => *packed != Packed::HOLE,
            None => self.values.get(at).is_some_and(Option::is_some),
        }
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<Value> {
        match self.numbers.get(at) {
            Some(packed) => (*packed != Packed::HOLE).then(|| packed.value()),
            None => self.values.get(at)?.clone(),
        }
    }

    #[inline(always)]
    pub(super) fn place(&mut self, at: usize) -> Place<'_> {
        if self.is_packed() { Place::Packed(self.packed(at)) } else { Place::Value(self.value(at)) }
    }

    #[inline(always)]
    pub(super) fn packed(&mut self, at: usize) -> &mut Packed {
        let packed = &mut self.numbers[at];
        if *packed == Packed::HOLE {
            self.holes -= 1;
            *packed = Packed::UNINIT;
        }
        packed
    }

    #[inline]
    pub(super) fn value(&mut self, at: usize) -> &mut Value {
        if self.is_packed() && !self.unpack() {
            return no_place();
        }
        let slot = &mut self.values[at];
        if slot.is_none() {
            self.holes -= 1;
        }
        slot.get_or_insert_with(Value::default)
    }

    pub(super) fn set(&mut self, at: usize, value: Value) {
        match (self.place(at), Packed::of_value(&value)) {
            (Place::Packed(place), Some(packed)) => *place = packed,
            (Place::Value(place), _) => *place = value,
            (Place::Packed(_), None) => *self.value(at) = value,
        }
    }

    pub(super) fn remove(&mut self, at: usize) -> bool {
        let was_there = match self.numbers.get_mut(at) {
            Some(packed) => std::mem::replace(packed, Packed::HOLE) != Packed::HOLE,
            None => self.values[at].take().is_some(),
        };
        self.holes += usize::from(was_there);
        was_there
    }

    #[cold]
    pub(super) fn unpack(&mut self) -> bool {
        if !memory::grow_exactly(&mut self.values, self.numbers.capacity().max(4)) {
            return false;
        }
        let numbers = std::mem::take(&mut self.numbers);
        self.values.extend(
            numbers.into_iter().map(|packed| (packed != Packed::HOLE).then(|| packed.value())),
        );
        true
    }

    #[inline]
    pub(super) fn lengthen(&mut self, length: usize) -> bool {
        let more = length - self.len();
        let is_there = if self.is_packed() {
            memory::grow(&mut self.numbers, more)
        } else {
            memory::grow(&mut self.values, more)
        };
        if !is_there {
            return false;
        }
        self.holes += more;
        if self.is_packed() {
            self.numbers.resize(length, Packed::HOLE);
        } else {
            self.values.resize(length, None);
        }
        true
    }

    #[inline(always)]
    pub(super) fn push_number(&mut self, number: f64) {
        memory::push(&mut self.numbers, Packed::of(number));
    }

    #[inline]
    pub(super) fn push(&mut self, element: Option<Value>) -> bool {
        let packed = match &element {
            Some(value) => Packed::of_value(value),
            None => Some(Packed::HOLE),
        };
        let is_hole = element.is_none();
        let is_there = match packed {
            Some(packed) if self.is_packed() => memory::push(&mut self.numbers, packed),
            None if self.is_packed() && !self.unpack() => false,
            _ => memory::push(&mut self.values, element),
        };
        self.holes += usize::from(is_hole && is_there);
        is_there
    }

    pub(super) fn trim(&mut self) {
        while self.numbers.last() == Some(&Packed::HOLE) {
            self.numbers.pop();
            self.holes -= 1;
        }
        while let Some(None) = self.values.last() {
            self.values.pop();
            self.holes -= 1;
        }
    }

    pub(super) fn drop_front(&mut self) {
        let holes = (0..self.len()).take_while(|&at| !self.holds(at)).count();
        if self.is_packed() {
            self.numbers.drain(..holes);
        } else {
            self.values.drain(..holes);
        }
        self.origin.advance(holes);
        self.holes -= holes;
    }

    pub(super) fn slots(
        &self,
    ) -> impl DoubleEndedIterator<Item = Option<Value>> + ExactSizeIterator {
        (0..self.len()).map(|at| self.get(at))
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = i64> {
        (self.origin.first()..)
            .zip(0..self.len())
            .filter(|&(_, at)| self.holds(at))
            .map(|(key, _)| key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn change() -> impl Strategy<Value = Option<Value>> {
        let odd = prop_oneof![
            Just(f64::NAN),
            Just(-f64::NAN),
            Just(-0.0),
            Just(f64::INFINITY),
            Just(f64::from_bits(u64::MAX))
        ];
        prop_oneof![
            8 => any::<u64>().prop_map(|bits| Some(Value::Num(f64::from_bits(bits)))),
            4 => odd.prop_map(|number| Some(Value::Num(number))),
            2 => Just(Some(Value::Uninit)),
            1 => Just(Some(Value::from_text(b"text"))),
            1 => Just(Some(Value::Unassigned)),
            4 => Just(None),
        ]
    }

    fn shown(value: &Option<Value>) -> String {
        match value {
            // NaNs of one sign are indistinguishable to a program.
            Some(Value::Num(number)) if number.is_nan() => {
                format!("NaN {}", number.is_sign_negative())
            }
            other => format!("{other:?}"),
        }
    }

    proptest! {
        #[test]
        fn places_hold_what_a_vector_of_values_holds(
            length in 1..40usize,
            changes in proptest::collection::vec((0..40usize, change()), 0..120),
            lengthened in 0..10usize,
        ) {
            let mut places = Places::default();
            let mut model: Vec<Option<Value>> = vec![None; length];
            places.lengthen(length);
            for (at, change) in changes {
                let at = at % length;
                match change {
                    Some(value) => {
                        places.set(at, value.clone());
                        model[at] = Some(value);
                    }
                    None => prop_assert_eq!(places.remove(at), model[at].take().is_some()),
                }
                prop_assert_eq!(places.holds(at), model[at].is_some());
            }
            model.resize(length + lengthened, None);
            places.lengthen(length + lengthened);
            places.push(Some(Value::Num(1.0)));
            model.push(Some(Value::Num(1.0)));
            prop_assert_eq!(places.holes, model.iter().filter(|slot| slot.is_none()).count());
            let there: Vec<i64> = (0..).zip(&model).filter(|(_, slot)| slot.is_some()).map(|(at, _)| at).collect();
            prop_assert_eq!(places.keys().collect::<Vec<_>>(), there);
            let all: Vec<String> = places.slots().map(|slot| shown(&slot)).collect();
            prop_assert_eq!(all, model.iter().map(shown).collect::<Vec<_>>());
            let (holes, front) = (places.holes, model.iter().take_while(|slot| slot.is_none()).count());
            places.drop_front();
            prop_assert_eq!((places.origin.first(), places.holes), (front as i64, holes - front));
        }

        #[test]
        fn whatever_is_assigned_as_a_number_is_one(bits in any::<u64>(), near in 0..4u64) {
            for bits in [bits, u64::MAX - near] {
                let mut packed = Packed::HOLE;
                packed.set(f64::from_bits(bits));
                let Value::Num(number) = packed.value() else { panic!("{bits:x} is no number") };
                prop_assert!(number.to_bits() == bits || f64::from_bits(bits).is_nan() && number.is_nan());
                prop_assert_eq!(number.is_sign_negative(), f64::from_bits(bits).is_sign_negative());
            }
        }
    }

    #[test]
    fn arithmetic_gives_no_hole() {
        let nothing = std::hint::black_box(0.0f64);
        let infinite = std::hint::black_box(f64::INFINITY);
        for nan in [
            nothing / nothing,
            infinite - infinite,
            nothing * infinite,
            (-1.0 - nothing).sqrt(),
            (-1.0 - nothing).ln(),
        ] {
            for nan in [nan, -nan, nan + 1.0, -nan * 2.0, nan / -nan] {
                assert!(nan.is_nan() && nan.to_bits() < Packed::UNINIT.bits());
            }
        }
    }

    #[test]
    fn numbers_take_eight_bytes_and_the_first_text_makes_it_sixteen_for_good() {
        let mut places = Places::default();
        for number in 0..100 {
            places.push(Some(Value::Num(f64::from(number))));
        }
        assert_eq!((places.numbers.len(), places.values.capacity()), (100, 0));
        places.place(7).set_number(7.5);
        assert!(places.is_packed());
        *places.value(8) = Value::from_text(b"text");
        assert_eq!((places.numbers.capacity(), places.values.len()), (0, 100));
        places.set(8, Value::Num(8.0));
        assert!(!places.is_packed());
        assert_eq!(places.get(7).map(|value| value.number(b"")), Some(7.5));
    }
}
