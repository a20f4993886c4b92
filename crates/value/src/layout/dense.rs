//! The memory layout of an array's dense part, so that machine code reaches elements at small
//! integers without a call.
//!
//! The standard library does not promise the order of a vector's words, nor the offset of a counted
//! value, so both are found at run time in a sample array. If that fails, machine code makes calls.

use crate::array::places::{Packed, Places};
use crate::array::{Array, MAX_HOLES, MIN_DENSE, new_array};
use crate::layout;
use crate::value::Value;
use std::mem::{offset_of, size_of};
use std::rc::Rc;
use std::sync::LazyLock;

/// Offsets in bytes from the address that a [`Value::Array`] holds at [`layout::NUMBER_AT`]. The
/// places are in one of two vectors, the other being empty: numbers of eight bytes, or [`Value`]s.
///
/// An element may be read and written, and a hole may become an element if [`DenseLayout::holes`]
/// is decremented. The vector with capacity may be lengthened within it if
/// [`DenseLayout::integers`] is 0 and the array is not [`DenseLayout::by_arrival`], as
/// [`Array::place`] does:
///
/// - by one element, if there are at most [`DenseLayout::MAX_HOLES`] holes, or at most four fifths
///   are holes;
/// - by a hole and an element, if there are at least [`DenseLayout::MIN_DENSE`] places, and
///   afterwards at most four fifths of those before the new element are holes.
///
/// At most one of the vectors has capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DenseLayout {
    /// The numbers.
    pub numbers: VectorLayout,
    /// The values.
    pub values: VectorLayout,
    /// The first place's key: a word, the bits of the double 2^52 + key. A key's place is the
    /// difference of the bits.
    pub origin: i32,
    /// Number of holes: a word.
    pub holes: i32,
    /// Number of integer keys in the table: a word.
    pub integers: i32,
    /// Whether all new keys join the entries: a byte, 0 or 1.
    pub by_arrival: i32,
    /// The first byte of a hole among the values.
    pub hole: u8,
}

/// Offsets of a vector's words, counted as in [`DenseLayout`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorLayout {
    /// The address of place 0: a word.
    pub start: i32,
    /// Number of places: a word.
    pub length: i32,
    /// Capacity in places: a word.
    pub capacity: i32,
}

impl VectorLayout {
    fn moved(self, by: i32) -> VectorLayout {
        VectorLayout {
            start: self.start + by,
            length: self.length + by,
            capacity: self.capacity + by,
        }
    }
}

impl DenseLayout {
    /// Holes that are always allowed.
    pub const MAX_HOLES: usize = MAX_HOLES;

    /// Length from which the dense part may get holes at its end.
    pub const MIN_DENSE: usize = MIN_DENSE;

    /// Bytes of a place among the numbers.
    pub const NUMBER: usize = size_of::<Packed>();

    /// A hole among the numbers. Like [`DenseLayout::UNINIT`] a NaN that arithmetic never gives; as
    /// integers, the bits of every number are below both.
    pub const HOLE: u64 = Packed::HOLE.bits();

    /// An unassigned element among the numbers.
    pub const UNINIT: u64 = Packed::UNINIT.bits();

    /// The layout, if it can be found.
    pub fn get() -> Option<&'static DenseLayout> {
        static LAYOUT: LazyLock<Option<DenseLayout>> = LazyLock::new(find);
        LAYOUT.as_ref()
    }
}

type Words = [usize; 3];

const _: () = assert!(size_of::<Packed>() == 8 && size_of::<Option<Value>>() == layout::SIZE);

fn find() -> Option<DenseLayout> {
    let array = new_array();
    let numbers = find_words(Packed::HOLE)?;
    let values = find_words(None::<Value>)?;
    let held = Value::Array(Rc::clone(&array));
    let inner = array.as_ptr().addr();
    // SAFETY: an array's value is a tag and, here, the address of the counted array; no other word
    // is read.
    let address =
        unsafe { std::ptr::from_ref(&held).byte_add(layout::NUMBER_AT).cast::<usize>().read() };
    let distance =
        i32::try_from(inner.checked_sub(address)?).ok().filter(|&distance| distance < 128)?;
    let none: Option<Value> = None;
    // SAFETY: an optional value is as large as a value, so its discriminant is in the tag's byte.
    let hole = unsafe { std::ptr::from_ref(&none).cast::<u8>().read() };
    let dense = distance + offset_of!(Array, dense) as i32;
    Some(DenseLayout {
        numbers: numbers.moved(dense + offset_of!(Places, numbers) as i32),
        values: values.moved(dense + offset_of!(Places, values) as i32),
        origin: dense + offset_of!(Places, origin) as i32,
        holes: dense + offset_of!(Places, holes) as i32,
        integers: distance + offset_of!(Array, table_integers) as i32,
        by_arrival: distance + offset_of!(Array, by_arrival) as i32,
        hole: Some(hole).filter(|&hole| hole >= layout::tag::COUNT)?,
    })
}

/// Two vectors with different numbers, so that no word is mistaken for another.
fn find_words<T: Clone>(element: T) -> Option<VectorLayout> {
    const { assert!(size_of::<Vec<T>>() == size_of::<Words>()) };
    let mut found = None;
    for (length, capacity) in [(3, 40), (5, 64)] {
        let mut vector: Vec<T> = Vec::with_capacity(capacity);
        vector.resize(length, element.clone());
        let values = [vector.as_ptr().addr(), vector.len(), vector.capacity()];
        if values[1] == values[2] {
            return None;
        }
        // SAFETY: the vector is these three words, all initialised.
        let words: Words = unsafe { std::ptr::from_ref(&vector).cast::<Words>().read() };
        let at = |value: usize| {
            Some(words.iter().position(|&word| word == value)? as i32 * size_of::<usize>() as i32)
        };
        let places = VectorLayout {
            start: at(values[0])?,
            length: at(values[1])?,
            capacity: at(values[2])?,
        };
        if found.is_some_and(|before| before != places) {
            return None;
        }
        found = Some(places);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Probe;
    use crate::array::origin::ORIGIN;

    struct Seen {
        base: usize,
        layout: DenseLayout,
    }

    impl Seen {
        fn of(value: &Value) -> Seen {
            // SAFETY: the value is an array.
            let base = unsafe {
                std::ptr::from_ref(value).byte_add(layout::NUMBER_AT).cast::<usize>().read()
            };
            Seen { base, layout: *DenseLayout::get().unwrap() }
        }

        fn word(&self, at: i32) -> usize {
            // SAFETY: a word of the array, by the layout.
            unsafe { std::ptr::with_exposed_provenance::<usize>(self.base + at as usize).read() }
        }

        fn tag(&self, element: usize) -> u8 {
            let start = self.word(self.layout.values.start);
            // SAFETY: the caller passes existing elements.
            unsafe {
                std::ptr::with_exposed_provenance::<u8>(start + element * layout::SIZE).read()
            }
        }

        fn number(&self, element: usize) -> u64 {
            let start = self.word(self.layout.numbers.start);
            // SAFETY: the caller passes existing elements.
            unsafe {
                std::ptr::with_exposed_provenance::<u64>(start + element * DenseLayout::NUMBER)
                    .read()
            }
        }
    }

    #[test]
    fn words_of_an_array_are_where_the_layout_says() {
        let array = new_array();
        let _ = array.as_ptr().expose_provenance();
        let value = Value::Array(Rc::clone(&array));
        let seen = Seen::of(&value);
        for key in [1, 2, 3, 4] {
            array.borrow_mut().set(Probe::Int(key), Value::Num(key as f64));
        }
        array.borrow_mut().set(Probe::Int(1000), Value::Num(1.0));
        array.borrow_mut().remove(Probe::Int(2));
        let _ = array.borrow().dense.numbers.as_ptr().expose_provenance();
        let layout = seen.layout;
        assert_eq!(seen.word(layout.origin) as u64, ORIGIN);
        assert_eq!((seen.word(layout.numbers.length), seen.word(layout.values.length)), (5, 0));
        assert_eq!(seen.word(layout.numbers.capacity), array.borrow().dense.numbers.capacity());
        assert_eq!((seen.word(layout.holes), seen.word(layout.integers)), (2, 1));
        let numbers: Vec<u64> = (0..5).map(|element| seen.number(element)).collect();
        let [one, three, four] = [1.0f64, 3.0, 4.0].map(f64::to_bits);
        assert_eq!(numbers, [DenseLayout::HOLE, one, DenseLayout::HOLE, three, four]);
        array.borrow_mut().set(Probe::Int(3), Value::EMPTY);
        let _ = array.borrow().dense.values.as_ptr().expose_provenance();
        assert_eq!((seen.word(layout.numbers.length), seen.word(layout.numbers.capacity)), (0, 0));
        assert_eq!((seen.word(layout.values.length), seen.word(layout.holes)), (5, 2));
        let tags: Vec<u8> = (0..5).map(|element| seen.tag(element)).collect();
        assert_eq!(
            tags,
            [layout.hole, layout::tag::NUM, layout.hole, layout::tag::SMALL, layout::tag::NUM]
        );
        // SAFETY: a byte of the array, by the layout.
        let by_arrival = |seen: &Seen| unsafe {
            std::ptr::with_exposed_provenance::<u8>(seen.base + seen.layout.by_arrival as usize)
                .read()
        };
        assert_eq!(by_arrival(&seen), 0);
        *array.borrow_mut() = Array::by_arrival();
        assert_eq!((by_arrival(&seen), seen.word(layout.values.length)), (1, 0));
    }
}
