//! A cache of the numbers read from texts, one slot per hash. A heap text is identified by its
//! address, and held so that it cannot change; a small one by its bytes.

use crate::heap::HeapStr;
use crate::number::{self, NumberSyntax};
use crate::small::SmallStr;
use riverhawk_precise::{Context, Number};
use std::cell::RefCell;

const PLACES: usize = 64;

/// Longer texts are not held, so that their memory can be freed.
const LONGEST: usize = 1 << 16;

/// A text, the rounding and syntax at the time, and its number.
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

pub(super) fn number_of_small(text: SmallStr) -> Number {
    let bytes = text.as_bytes();
    // Reading digits is faster than a lookup.
    if bytes.iter().all(u8::is_ascii_digit) {
        return number::precise_number(bytes);
    }
    let ends = bytes.iter().fold(0, |all: u64, &byte| all.rotate_left(8) ^ u64::from(byte));
    SMALL.with_borrow_mut(|memory| {
        recall(&mut memory[hash(ends)], |known| *known == text, || text, bytes)
    })
}

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

/// Addresses differ in their middle bits, small texts in their last bytes.
fn hash(bits: u64) -> usize {
    (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize % PLACES
}
