//! How the dense part of an array lies in memory: for machine code, which reaches elements under small integers itself.
//!
//! The standard library promises neither where a vector keeps its three words nor where what is counted stands behind its counts, so
//! both are looked up once, in an array made for it. Where they are not found, there is no layout, and machine code asks for each
//! element as it does for one under a text.

use super::{Array, ArrayRef, LEAST_DENSE, MOST_HOLES, new_array};
use crate::layout;
use crate::value::Value;
use std::mem::{offset_of, size_of};
use std::rc::Rc;
use std::sync::LazyLock;

/// Where the dense part of an array is: bytes from the address that a [`Value::Array`] holds at [`layout::NUMBER_AT`]. Element k
/// is a [`Value`], or [`DenseLayout::hole`] in place of its tag.
///
/// An element in place may be read and written, and a hole may become an element if [`DenseLayout::holes`] is lessened by one. The
/// dense part may be lengthened within its capacity if there are no [`DenseLayout::integers`] and the array is not
/// [`DenseLayout::by_arrival`], as [`Array::entry`] does:
///
/// - by one element, if it has no more holes than [`DenseLayout::MOST_HOLES`], or no more than two thirds are holes;
/// - by a hole and an element, if it has [`DenseLayout::LEAST_DENSE`] places already, and afterwards no more than two thirds of those
///   before the new element are holes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DenseLayout {
    /// The address of element 0: a word.
    pub start: i32,
    /// How many elements and holes there are: a word.
    pub length: i32,
    /// For how many there is room: a word.
    pub capacity: i32,
    /// The key of element 0: a word, the bits of 2^52 and that many more as a double. What a key's bits are so many more than is its
    /// place.
    pub origin: i32,
    /// How many holes there are: a word.
    pub holes: i32,
    /// How many integers are keys of the table: a word.
    pub integers: i32,
    /// Whether new keys join the entries whatever they are: a byte, 0 or 1.
    pub by_arrival: i32,
    /// The first byte of a hole.
    pub hole: u8,
}

impl DenseLayout {
    /// So many holes are never too many.
    pub const MOST_HOLES: usize = MOST_HOLES;

    /// So long a dense part may get holes at its end.
    pub const LEAST_DENSE: usize = LEAST_DENSE;

    /// The layout, if it can be found.
    pub fn get() -> Option<&'static DenseLayout> {
        static LAYOUT: LazyLock<Option<DenseLayout>> = LazyLock::new(find);
        LAYOUT.as_ref()
    }
}

/// The first key of a dense part, kept so that machine code finds a place by one subtraction: see [`DenseLayout::origin`].
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Origin(u64);

/// The bits of 2^52. From there to 2^53 doubles are the integers, one after the other.
pub(super) const ORIGIN: u64 = ((1u64 << 52) as f64).to_bits();

impl Default for Origin {
    fn default() -> Origin {
        Origin(ORIGIN)
    }
}

impl Origin {
    /// The first key.
    #[inline(always)]
    pub(super) fn first(self) -> i64 {
        (self.0 - ORIGIN) as i64
    }

    /// The place of a key; one that no vector has if it lies before the first.
    #[inline(always)]
    pub(super) fn place(self, key: i64) -> usize {
        key.wrapping_sub(self.first()) as usize
    }

    /// So many keys more are before the first.
    pub(super) fn advance(&mut self, places: usize) {
        self.0 += places as u64;
    }
}

/// A vector's words.
type Words = [usize; 3];
type Dense = Vec<Option<Value>>;

const _: () = assert!(size_of::<Words>() == size_of::<Dense>() && size_of::<Option<Value>>() == layout::SIZE);

fn find() -> Option<DenseLayout> {
    let array = new_array();
    let (start, length, capacity) = find_words(&array)?;
    let held = Value::Array(Rc::clone(&array));
    let inner = array.as_ptr().addr();
    // SAFETY: an array's value is a tag and, at this place, the address of what is counted; no other words of it are read.
    let address = unsafe { std::ptr::from_ref(&held).byte_add(layout::NUMBER_AT).cast::<usize>().read() };
    let distance = i32::try_from(inner.checked_sub(address)?).ok().filter(|&distance| distance < 128)?;
    let none: Option<Value> = None;
    // SAFETY: an optional value is as large as a value, so what tells them apart stands in the byte of the tag.
    let hole = unsafe { std::ptr::from_ref(&none).cast::<u8>().read() };
    let dense = distance + offset_of!(Array, dense) as i32;
    Some(DenseLayout {
        start: dense + start,
        length: dense + length,
        capacity: dense + capacity,
        origin: distance + offset_of!(Array, dense_origin) as i32,
        holes: distance + offset_of!(Array, dense_holes) as i32,
        integers: distance + offset_of!(Array, table_integers) as i32,
        by_arrival: distance + offset_of!(Array, by_arrival) as i32,
        hole: Some(hole).filter(|&hole| hole >= layout::tag::COUNT)?,
    })
}

/// Where the words of the vector stand in it. Two vectors with different figures, so that no word is taken for another.
fn find_words(array: &ArrayRef) -> Option<(i32, i32, i32)> {
    let mut found = None;
    for (length, capacity) in [(3, 40), (5, 64)] {
        let mut dense: Dense = Vec::with_capacity(capacity);
        dense.resize(length, None);
        let values = [dense.as_ptr().addr(), dense.len(), dense.capacity()];
        if values[1] == values[2] {
            return None;
        }
        let mut array = array.borrow_mut();
        array.dense = dense;
        // SAFETY: the vector is these three words, all of them set.
        let words: Words = unsafe { std::ptr::from_ref(&array.dense).cast::<Words>().read() };
        let at = |value: usize| Some(words.iter().position(|&word| word == value)? as i32 * size_of::<usize>() as i32);
        let places = (at(values[0])?, at(values[1])?, at(values[2])?);
        if found.is_some_and(|before| before != places) {
            return None;
        }
        found = Some(places);
    }
    *array.borrow_mut() = Array::default();
    found
}

impl Array {
    /// Empties the dense part. Numbers and short texts need no clean-up: asking each took 24 instructions, a tenth of a program that fills
    /// a million elements.
    pub(super) fn empty_dense(&mut self) {
        for slot in &mut self.dense {
            if slot.as_ref().is_some_and(|value| !value.is_plain()) {
                *slot = None;
            }
        }
        // SAFETY: shorter than it is; what is left needs no clean-up.
        unsafe { self.dense.set_len(0) };
        self.dense_holes = 0;
        self.dense_origin = Origin::default();
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        self.empty_dense();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Probe;

    /// What machine code does, in Rust.
    struct Seen {
        base: usize,
        layout: DenseLayout,
    }

    impl Seen {
        fn of(value: &Value) -> Seen {
            // SAFETY: the value is an array.
            let base = unsafe { std::ptr::from_ref(value).byte_add(layout::NUMBER_AT).cast::<usize>().read() };
            Seen { base, layout: *DenseLayout::get().unwrap() }
        }

        fn word(&self, at: i32) -> usize {
            // SAFETY: a word of the array, by the layout.
            unsafe { std::ptr::with_exposed_provenance::<usize>(self.base + at as usize).read() }
        }

        fn tag(&self, element: usize) -> u8 {
            let start = self.word(self.layout.start);
            // SAFETY: the caller asks for elements that are there.
            unsafe { std::ptr::with_exposed_provenance::<u8>(start + element * layout::SIZE).read() }
        }
    }

    #[test]
    fn what_is_counted_is_let_go_with_the_array_and_when_it_is_emptied() {
        let inner = new_array();
        let array = new_array();
        let fill = || {
            for key in 0..9 {
                array.borrow_mut().set(Probe::Int(key), Value::Num(key as f64));
            }
            array.borrow_mut().set(Probe::Int(4), Value::Array(Rc::clone(&inner)));
            array.borrow_mut().remove(Probe::Int(6));
        };
        fill();
        assert_eq!(Rc::strong_count(&inner), 2);
        array.borrow_mut().clear();
        assert_eq!((Rc::strong_count(&inner), array.borrow().len()), (1, 0));
        fill();
        drop(array);
        assert_eq!(Rc::strong_count(&inner), 1);
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
        let _ = array.borrow().dense.as_ptr().expose_provenance();
        let layout = seen.layout;
        assert_eq!(seen.word(layout.origin) as u64, ORIGIN);
        assert_eq!(seen.word(layout.length), 5);
        assert_eq!(seen.word(layout.capacity), array.borrow().dense.capacity());
        assert_eq!((seen.word(layout.holes), seen.word(layout.integers)), (2, 1));
        let tags: Vec<u8> = (0..5).map(|element| seen.tag(element)).collect();
        assert_eq!(tags, [layout.hole, layout::tag::NUM, layout.hole, layout::tag::NUM, layout::tag::NUM]);
        // SAFETY: a byte of the array, by the layout.
        let by_arrival = |seen: &Seen| unsafe {
            std::ptr::with_exposed_provenance::<u8>(seen.base + seen.layout.by_arrival as usize).read()
        };
        assert_eq!(by_arrival(&seen), 0);
        *array.borrow_mut() = Array::by_arrival();
        assert_eq!((by_arrival(&seen), seen.word(layout.length)), (1, 0));
    }
}
