//! A cache of the numbers that texts were read as.
//!
//! A text on the heap is identified by its address, and held while it is in the cache, so that it
//! cannot change. A small one is identified by its bytes. Each has one slot, by a hash.

use crate::heap::HeapStr;
use crate::number::{self, NumberSyntax};
use crate::small::SmallStr;
use riverhawk_precise::{Context, Number};
use std::cell::RefCell;

/// How many texts are remembered, of each kind.
const PLACES: usize = 64;

/// Longer texts are not held: what a program has freed is to be free.
const LONGEST: usize = 1 << 16;

/// A text, what floats were rounded to and how numbers were written when it was read, and what it
/// was read as.
struct Known<Text> {
    text: Text,
    context: Context,
    syntax: NumberSyntax,
    number: Number,
}

type Memory<Text> = [Option<Known<Text>>; PLACES];

thread_local! {
    static LONG: RefCell<Memory<HeapStr>> = const { RefCell::new([const { None }; PLACES]) };
    static SMALL: RefCell<Memory<SmallStr>> = const { RefCell::new([const { None }; PLACES]) };
}

/// As [`number::precise_number`].
pub(super) fn number_of_text(text: &HeapStr) -> Number {
    let bytes = text.as_bytes();
    if bytes.len() > LONGEST {
        return number::precise_number(bytes);
    }
    LONG.with_borrow_mut(|memory| {
        let place = &mut memory[hash(text.address() as u64)];
        recall(place, |known| known.is_same(text), || text.clone(), bytes)
    })
}

/// As [`number::precise_number`].
pub(super) fn number_of_small(text: SmallStr) -> Number {
    let bytes = text.as_bytes();
    // Digits alone are read faster than they are found.
    if bytes.iter().all(u8::is_ascii_digit) {
        return number::precise_number(bytes);
    }
    let ends = bytes.iter().fold(0, |all: u64, &byte| all.rotate_left(8) ^ u64::from(byte));
    SMALL.with_borrow_mut(|memory| {
        recall(&mut memory[hash(ends)], |known| *known == text, || text, bytes)
    })
}

/// What the text was read as, or is now.
fn recall<Text>(
    place: &mut Option<Known<Text>>,
    is_it: impl Fn(&Text) -> bool,
    text: impl FnOnce() -> Text,
    bytes: &[u8],
) -> Number {
    let (context, syntax) = (Context::current(), NumberSyntax::get());
    if let Some(known) = place
        && is_it(&known.text)
        && known.context == context
        && known.syntax == syntax
    {
        return known.number.clone();
    }
    let number = number::precise_number(bytes);
    *place = Some(Known { text: text(), context, syntax, number: number.clone() });
    number
}

/// One of the places. Addresses differ in their middle bits, small texts in their last bytes.
fn hash(bits: u64) -> usize {
    (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize % PLACES
}
