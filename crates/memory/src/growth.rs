//! Vectors that grow if there is memory for it.

use crate::allocator::{ran_out, refusable, run_out};
use crate::short::append_within;

/// Blocks of fewer bytes are not refused but taken from the reserve, so that fewer places have to
/// handle a failure.
pub const REFUSABLE_SIZE: usize = 64 << 10;

/// Reserves capacity for that many more elements, and for more, so that growing step by step takes
/// linear time; false, and memory has run out, if there is none.
#[inline]
pub fn grow<T>(vector: &mut Vec<T>, more: usize) -> bool {
    vector.capacity() - vector.len() >= more || grow_slowly(vector, more)
}

#[cold]
#[inline(never)]
fn grow_slowly<T>(vector: &mut Vec<T>, more: usize) -> bool {
    grow_by(vector, more, |vector| {
        // There may be memory for an eighth more where there is none for twice as much.
        vector.try_reserve(more).is_ok()
            || vector.try_reserve_exact(more.max(vector.len() / 8)).is_ok()
    })
}

/// Reserves capacity for exactly that many more elements; false, and memory has run out, if there is
/// none.
pub fn grow_exactly<T>(vector: &mut Vec<T>, more: usize) -> bool {
    grow_by(vector, more, |vector| vector.try_reserve_exact(more).is_ok())
}

fn grow_by<T>(vector: &mut Vec<T>, more: usize, reserve: impl Fn(&mut Vec<T>) -> bool) -> bool {
    let wanted = vector.len().saturating_add(more).saturating_mul(size_of::<T>());
    if wanted < REFUSABLE_SIZE {
        return reserve(vector);
    }
    // Once memory has run out, loops that go on to their end do not ask the system again.
    let has_grown = !ran_out() && refusable(|| reserve(vector));
    if !has_grown {
        run_out(wanted);
    }
    has_grown
}

/// Whether there are that many bytes, for an operation that cannot be refused any; if not, memory
/// has run out.
pub fn is_available(bytes: usize) -> bool {
    grow_exactly(&mut Vec::<u8>::new(), bytes)
}

/// Appends a text, or nothing if there is no memory for it; then memory has run out.
#[inline]
pub fn append(text: &mut Vec<u8>, more: &[u8]) {
    if !grow(text, more.len()) {
        return;
    }
    if more.len() <= COPIED_AT_ONCE {
        append_within(text, more);
    } else {
        long_copy(more).for_each(|piece| text.extend_from_slice(piece));
    }
}

/// Bytes that are copied without asking whether memory has run out: a millisecond's, when their
/// pages are new.
pub const COPIED_AT_ONCE: usize = 2 << 20;

/// The pieces of a text to copy. They end early once memory has run out, so that a run that is to
/// end does not wait for a copy.
pub fn long_copy(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.chunks(COPIED_AT_ONCE).take_while(|_| !ran_out())
}

/// Text whose length the input or the program decides.
pub trait Growing {
    /// As [`append`].
    fn extend_by(&mut self, more: &[u8]);
}

impl Growing for Vec<u8> {
    #[inline(always)]
    fn extend_by(&mut self, more: &[u8]) {
        append(self, more);
    }
}

/// Appends an element; false, and memory has run out, if there is none for it.
#[inline]
pub fn push<T>(vector: &mut Vec<T>, element: T) -> bool {
    // The same comparison as in `Vec::push`, so that the compiler drops that one.
    if vector.len() == vector.capacity() && !grow_slowly(vector, 1) {
        return false;
    }
    vector.push(element);
    true
}

/// Appends items until memory has run out, as which the end of a run counts. Nothing is appended
/// without memory for as many as there are at least.
#[inline]
pub fn extend<T>(vector: &mut Vec<T>, mut items: impl Iterator<Item = T>) {
    /// A millisecond's, when each takes memory of its own.
    const AT_ONCE: usize = 1 << 13;
    if !grow(vector, items.size_hint().0) {
        return;
    }
    loop {
        let most = items.size_hint().1.unwrap_or(usize::MAX);
        if !grow(vector, most.min(AT_ONCE)) {
            return;
        }
        let len = vector.len();
        vector.extend(items.by_ref().take(AT_ONCE));
        if vector.len() - len < AT_ONCE || ran_out() {
            return;
        }
    }
}

/// A vector of copies; empty, and memory has run out, if there is none for it.
pub fn copies<T: Clone>(element: T, count: usize) -> Vec<T> {
    let mut vector = Vec::new();
    if grow_exactly(&mut vector, count) {
        vector.resize(count, element);
    }
    vector
}
