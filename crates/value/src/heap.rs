//! Longer strings: one allocation with a header and the bytes. The count is not atomic, as values
//! never cross threads.
//!
//! A handle is one pointer, so that a value fits in 16 bytes. The invariant of the unsafe code:
//! `header` points to a live allocation of `layout(capacity)`, the first `len` bytes of the data
//! are initialised, and bytes are written only while the count is one.
//!
//! When memory runs out (`riverhawk_memory`) the text is empty, and the run ends before it is used.

use crate::ascii::Ascii;
use riverhawk_memory::{self as memory, REFUSABLE_SIZE as REFUSABLE};
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error, realloc};
use std::cell::Cell;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr::NonNull;

const ASCII_YES: u8 = 1;
const ASCII_NO: u8 = 2;
const CHARS_KNOWN: u8 = 4;
const NUMBER_YES: u8 = 8;
const NUMBER_NO: u8 = 16;

#[repr(C)]
struct Header {
    count: Cell<usize>,
    len: usize,
    capacity: Capacity,
    facts: Cell<u8>,
    /// With `CHARS_KNOWN` the number of characters, with `NUMBER_YES` the bits of the number; never
    /// both, since hardly any text needs both, and arrays have millions of headers.
    noted: Cell<u64>,
}

/// 48 bits, as many as an address has, to leave room for the facts.
#[derive(Clone, Copy)]
#[repr(C, packed(2))]
struct Capacity {
    low: u32,
    high: u16,
}

impl Capacity {
    fn of(bytes: usize) -> Capacity {
        let bytes = bytes as u64;
        debug_assert!(bytes >> 48 == 0, "a text as large was allocated");
        Capacity { low: bytes as u32, high: (bytes >> 32) as u16 }
    }

    fn bytes(self) -> usize {
        (u64::from(self.low) | u64::from(self.high) << 32) as usize
    }
}

/// Offsets in a text's allocation, in bytes, for machine code.
pub mod at {
    use super::Header;
    use std::mem::offset_of;

    /// Length in bytes: 64 bits.
    pub const LENGTH: usize = offset_of!(Header, len);
    /// Number of characters, if known: 64 bits.
    pub const CHARS: usize = offset_of!(Header, noted);
    /// The facts: a byte.
    pub const FACTS: usize = offset_of!(Header, facts);
    /// The text.
    pub const BYTES: usize = super::HEADER_SIZE;
    /// Fact: every byte is ASCII.
    pub const IS_ASCII: u8 = super::ASCII_YES;
    /// Fact: the number of characters is known.
    pub const CHARS_ARE_KNOWN: u8 = super::CHARS_KNOWN;
}

/// A counted string on the heap.
pub struct HeapStr {
    header: NonNull<Header>,
}

const HEADER_SIZE: usize = size_of::<Header>();

fn layout(capacity: usize) -> Layout {
    let size = HEADER_SIZE.checked_add(capacity).expect("a string's size fits the address space");
    Layout::from_size_align(size, align_of::<Header>())
        .expect("a string's size fits the address space")
}

/// Copies few bytes as [`memory::append_within`] does, without a call.
///
/// # Safety
/// `to` must be valid for writes of as many bytes, which do not overlap the text.
#[inline]
unsafe fn copy(text: &[u8], to: *mut u8) {
    /// The first and the last `N` bytes, which overlap.
    #[inline(always)]
    unsafe fn ends<const N: usize>(text: &[u8], to: *mut u8) {
        if let (Some(first), Some(last)) = (text.first_chunk::<N>(), text.last_chunk::<N>()) {
            // SAFETY: both are inside what is writable by the caller's contract.
            unsafe {
                to.cast::<[u8; N]>().write_unaligned(*first);
                to.add(text.len() - N).cast::<[u8; N]>().write_unaligned(*last);
            }
        }
    }
    // SAFETY: by the contract.
    unsafe {
        match text.len() {
            0 => {}
            1 => to.write(text[0]),
            2..4 => ends::<2>(text, to),
            4..8 => ends::<4>(text, to),
            8..16 => ends::<8>(text, to),
            16..=32 => ends::<16>(text, to),
            length => std::ptr::copy_nonoverlapping(text.as_ptr(), to, length),
        }
    }
}

impl HeapStr {
    /// An empty string with room for `capacity` bytes, unless memory has run out.
    pub fn with_capacity(capacity: usize) -> HeapStr {
        if capacity >= REFUSABLE {
            return HeapStr::of_large_capacity(capacity);
        }
        let layout = layout(capacity);
        // SAFETY: the layout holds a header, so its size is not zero.
        let pointer = unsafe { alloc(layout) };
        if pointer.is_null() {
            handle_alloc_error(layout);
        }
        // SAFETY: this layout.
        unsafe { HeapStr::at(pointer, capacity) }
    }

    #[cold]
    fn of_large_capacity(capacity: usize) -> HeapStr {
        let size = capacity
            .checked_add(HEADER_SIZE)
            .and_then(|size| Layout::from_size_align(size, align_of::<Header>()).ok());
        let pointer = match size {
            // SAFETY: the layout is not of size zero.
            Some(layout) => memory::refusable(|| unsafe { alloc(layout) }),
            None => std::ptr::null_mut(),
        };
        if pointer.is_null() {
            memory::run_out(capacity);
            return HeapStr::with_capacity(0);
        }
        // SAFETY: this layout.
        unsafe { HeapStr::at(pointer, capacity) }
    }

    /// An empty string.
    ///
    /// # Safety
    /// `pointer` is an allocation with `layout(capacity)` that has no other owner.
    #[inline]
    unsafe fn at(pointer: *mut u8, capacity: usize) -> HeapStr {
        // SAFETY: by the contract.
        unsafe {
            let header = NonNull::new_unchecked(pointer.cast::<Header>());
            header.write(Header {
                count: Cell::new(1),
                len: 0,
                capacity: Capacity::of(capacity),
                facts: Cell::new(0),
                noted: Cell::new(0),
            });
            HeapStr { header }
        }
    }

    /// A copy of `text`.
    #[inline]
    pub fn new(text: &[u8]) -> HeapStr {
        let mut string = HeapStr::with_capacity(text.len());
        if text.len() >= REFUSABLE {
            string.append_long(text);
        } else {
            // SAFETY: unique, and there is room.
            unsafe { string.append_unchecked(text) };
        }
        string
    }

    /// The parts one behind the other, with no room to spare.
    pub fn concat<const N: usize>(parts: [&[u8]; N]) -> HeapStr {
        let length = parts.iter().fold(0, |sum: usize, part| sum.saturating_add(part.len()));
        let mut string = HeapStr::with_capacity(length);
        if length >= REFUSABLE {
            parts.into_iter().for_each(|part| string.append_long(part));
        } else {
            // SAFETY: unique, and there is room for all.
            parts.into_iter().for_each(|part| unsafe { string.append_unchecked(part) });
        }
        string
    }

    /// Adds `text` to a new string, unless memory ran out, before or in the middle.
    #[cold]
    fn append_long(&mut self, text: &[u8]) {
        if self.capacity() - self.len() < text.len() {
            return;
        }
        for piece in memory::long_copy(text) {
            // SAFETY: a new string has one handle, and there is room.
            unsafe { self.append_unchecked(piece) };
        }
    }

    #[inline]
    fn header(&self) -> &Header {
        // SAFETY: the allocation lives as long as any handle.
        unsafe { self.header.as_ref() }
    }

    #[inline]
    fn data(&self) -> *mut u8 {
        // SAFETY: the data follow the header in the same allocation.
        unsafe { self.header.as_ptr().cast::<u8>().add(HEADER_SIZE) }
    }

    /// Adds `text` at the end.
    ///
    /// # Safety
    /// The handle is the only one, and `capacity - len >= text.len()`.
    #[inline]
    unsafe fn append_unchecked(&mut self, text: &[u8]) {
        if text.len() > memory::COPIED_AT_ONCE {
            // SAFETY: by the contract.
            return memory::long_copy(text)
                .for_each(|piece| unsafe { self.append_unchecked(piece) });
        }
        // SAFETY: by the contract there is room and no other handle; `text` cannot overlap unique
        // memory.
        unsafe {
            let len = self.header.as_ref().len;
            copy(text, self.data().add(len));
            self.header.as_mut().len = len + text.len();
        }
    }

    /// Appends what `change` makes of the bytes of `text`, 16 at once. The last 16 overlap those
    /// before them, so that none are changed one by one.
    ///
    /// # Safety
    /// As [`HeapStr::append_unchecked`].
    #[inline(always)]
    unsafe fn append_changed(&mut self, text: &[u8], change: impl Fn(&[u8; 16]) -> [u8; 16]) {
        for text in memory::long_copy(text) {
            let store = |bytes: [u8; 16], at: usize| {
                // SAFETY: there is room for the text, which has these bytes at this place.
                unsafe {
                    self.data().add(self.len() + at).cast::<[u8; 16]>().write_unaligned(bytes)
                }
            };
            let (chunks, rest) = text.as_chunks();
            for (at, chunk) in chunks.iter().enumerate() {
                store(change(chunk), 16 * at);
            }
            let length = text.len();
            match text.last_chunk() {
                Some(last) if !rest.is_empty() => store(change(last), length - 16),
                Some(_) => {}
                None => {
                    let mut bytes = [0; 16];
                    bytes[..length].copy_from_slice(text);
                    // SAFETY: there is room for the text.
                    unsafe { copy(&change(&bytes)[..length], self.data().add(self.len())) };
                }
            }
            // SAFETY: the only handle, and so many bytes are initialised.
            unsafe { self.header.as_mut().len += length };
        }
    }

    /// The text.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        // SAFETY: the first `len` bytes are initialised, and not written while shared.
        unsafe { std::slice::from_raw_parts(self.data(), self.header().len) }
    }

    /// Length in bytes.
    #[inline]
    pub fn len(&self) -> usize {
        self.header().len
    }

    /// Whether there is no byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether this is the only handle.
    #[inline]
    pub fn is_unique(&self) -> bool {
        self.header().count.get() == 1
    }

    /// Becomes a copy of `text` without a new allocation; `None` when shared, or the allocation is
    /// too small or wastefully large.
    #[inline]
    pub fn refill(self, text: &[u8]) -> Option<HeapStr> {
        self.refill_pair(text, b"")
    }

    /// Becomes a copy of `text` in place; false, and unchanged, where [`HeapStr::refill`] gives
    /// `None`.
    #[inline]
    pub fn overwrite(&mut self, text: &[u8], ascii: Ascii) -> bool {
        let suits = self.suits(text.len());
        if suits {
            self.empty(ascii);
            // SAFETY: unique, and there is room.
            unsafe { self.append_unchecked(text) };
        }
        suits
    }

    /// As [`HeapStr::overwrite`], by what `change` makes of the bytes: each by itself, wherever it
    /// stands among the 16.
    #[inline(always)]
    pub fn overwrite_changed(
        &mut self,
        text: &[u8],
        ascii: Ascii,
        change: impl Fn(&[u8; 16]) -> [u8; 16],
    ) -> bool {
        let suits = self.suits(text.len());
        if suits {
            self.empty(ascii);
            // SAFETY: unique, and there is room.
            unsafe { self.append_changed(text, change) };
        }
        suits
    }

    /// Whether it is the only handle of an allocation that is neither too small nor wastefully large
    /// for another text.
    #[inline(always)]
    fn suits(&self, length: usize) -> bool {
        self.is_unique() && self.capacity() >= length && self.capacity() / 4 <= length + 16
    }

    /// Empties what no other handle shares.
    #[inline(always)]
    fn empty(&mut self, ascii: Ascii) {
        self.header().facts.set(if ascii == Ascii::Certain { ASCII_YES } else { 0 });
        // SAFETY: the only handle.
        unsafe { self.header.as_mut().len = 0 };
    }

    /// Keeps a range of the text in place; false, and unchanged, when shared or mostly dropped.
    ///
    /// # Panics
    /// If the range is not inside the text.
    #[inline]
    pub fn cut(&mut self, start: usize, end: usize) -> bool {
        let length = self.as_bytes()[start..end].len();
        if !self.is_unique() || self.capacity() / 4 > length + 16 {
            return false;
        }
        // A part of ASCII text is ASCII; of other facts nothing is known.
        let facts = &self.header().facts;
        facts.set(facts.get() & ASCII_YES);
        // SAFETY: unique; both ranges are inside the text.
        unsafe {
            if start > 0 {
                std::ptr::copy(self.data().add(start), self.data(), length);
            }
            self.header.as_mut().len = length;
        }
        true
    }

    /// Replaces a range of the text by `with`, in place; false, and unchanged, when shared, without
    /// room, wastefully large or long.
    ///
    /// # Panics
    /// If the range is not inside the text.
    pub fn splice(&mut self, range: Range<usize>, with: &[u8]) -> bool {
        let rest = self.as_bytes()[range.end..].len();
        let kept = self.as_bytes()[..range.end][..range.start].len();
        let (capacity, length) = (self.capacity(), kept.saturating_add(with.len() + rest));
        if !self.is_unique()
            || capacity < length
            || capacity / 4 > length + 16
            || length > memory::COPIED_AT_ONCE
        {
            return false;
        }
        self.header().facts.set(self.facts_with(with));
        // SAFETY: unique, and there is room; the ranges are inside the text, and `with` cannot
        // overlap unique memory.
        unsafe {
            let to = self.data().add(kept);
            std::ptr::copy(self.data().add(range.end), to.add(with.len()), rest);
            copy(with, to);
            self.header.as_mut().len = length;
        }
        true
    }

    /// As [`HeapStr::refill`], with `left` and `right` joined.
    #[inline]
    pub fn refill_pair(mut self, left: &[u8], right: &[u8]) -> Option<HeapStr> {
        if !self.suits(left.len().checked_add(right.len())?) {
            return None;
        }
        self.empty(Ascii::Unknown);
        // SAFETY: unique, and there is room for both.
        unsafe {
            self.append_unchecked(left);
            self.append_unchecked(right);
        }
        Some(self)
    }

    /// Appends `text`, in place or in an allocation of at least twice the length, so that building
    /// a string takes linear time.
    pub fn push(&mut self, text: &[u8]) {
        let len = self.len();
        let needed = len.saturating_add(text.len());
        if !self.is_unique() {
            let mut grown = HeapStr::with_capacity(needed.saturating_mul(2));
            // Twice the length may be refused where the length itself is not.
            if grown.capacity() < needed {
                return;
            }
            // SAFETY: unique, and there is room for both.
            unsafe {
                grown.append_unchecked(self.as_bytes());
                grown.append_unchecked(text);
            }
            grown.header().facts.set(self.facts_with(text));
            *self = grown;
            return;
        }
        if self.capacity() < needed && !self.grow(needed) {
            return;
        }
        self.header().facts.set(self.facts_with(text));
        // SAFETY: unique, and there is room now.
        unsafe { self.append_unchecked(text) };
    }

    /// What is known of both together. Keeping that it is ASCII makes length and substr of a growing
    /// string cheap.
    #[inline]
    fn facts_with(&self, text: &[u8]) -> u8 {
        self.header().facts.get() & if text.is_ascii() { ASCII_YES } else { 0 }
    }

    /// Puts `text` before what is there, in place or in an allocation of at least twice the length;
    /// false, and unchanged, when shared or long.
    pub fn prepend(&mut self, text: &[u8]) -> bool {
        let len = self.len();
        if !self.is_unique() || len > memory::COPIED_AT_ONCE || text.len() > memory::COPIED_AT_ONCE
        {
            return false;
        }
        let needed = len + text.len();
        if self.capacity() < needed && !self.grow(needed) {
            return true;
        }
        self.header().facts.set(self.facts_with(text));
        // SAFETY: unique, and there is room; `text` cannot overlap unique memory.
        unsafe {
            std::ptr::copy(self.data(), self.data().add(text.len()), len);
            copy(text, self.data());
            self.header.as_mut().len = needed;
        }
        true
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, needed: usize) -> bool {
        if needed < REFUSABLE {
            let new = layout(needed * 2);
            // SAFETY: unique; allocated with this layout; the new size is not zero.
            let pointer = unsafe {
                realloc(self.header.as_ptr().cast(), layout(self.capacity()), new.size())
            };
            let Some(header) = NonNull::new(pointer.cast::<Header>()) else {
                handle_alloc_error(new)
            };
            self.header = header;
            // SAFETY: realloc kept the header; unique.
            unsafe { self.header.as_mut().capacity = Capacity::of(needed * 2) };
            return true;
        }
        let is_there =
            self.resize(needed.saturating_mul(2)) || self.resize(needed.saturating_add(needed / 8));
        if !is_there {
            memory::run_out(needed);
        }
        is_there
    }

    fn resize(&mut self, capacity: usize) -> bool {
        let Some(size) =
            capacity.checked_add(HEADER_SIZE).filter(|size| isize::try_from(size + 8).is_ok())
        else {
            return false;
        };
        let old = layout(self.capacity());
        // SAFETY: unique; allocated with this layout; the new size is not zero and fits an `isize`.
        let pointer =
            memory::refusable(|| unsafe { realloc(self.header.as_ptr().cast(), old, size) })
                .cast::<Header>();
        let Some(header) = NonNull::new(pointer) else { return false };
        self.header = header;
        // SAFETY: realloc kept the header; unique.
        unsafe { self.header.as_mut().capacity = Capacity::of(capacity) };
        true
    }

    /// Bytes it can hold without another allocation.
    pub fn capacity(&self) -> usize {
        self.header().capacity.bytes()
    }

    /// Bytes allocated.
    pub fn footprint(&self) -> usize {
        HEADER_SIZE + self.capacity()
    }

    /// The string without its text, for reuse; `None` when shared.
    pub fn emptied(mut self) -> Option<HeapStr> {
        if !self.is_unique() {
            return None;
        }
        self.header().facts.set(0);
        // SAFETY: unique.
        unsafe { self.header.as_mut().len = 0 };
        Some(self)
    }

    /// Makes room for `more` bytes after the text: exactly that if empty, otherwise at least
    /// doubling. False, and unchanged, if refused or shared.
    pub fn try_reserve(&mut self, more: usize) -> bool {
        let (len, old) = (self.len(), self.capacity());
        if !self.is_unique() {
            return false;
        }
        if old - len >= more {
            return true;
        }
        let Some(capacity) = len.checked_add(if len == 0 { more } else { more.max(len) }) else {
            return false;
        };
        self.resize(capacity)
    }

    /// Lets `fill` write into the room after the text, and appends the prefix that it returns.
    /// Returns how many bytes; 0 when the string is shared.
    ///
    /// # Errors
    /// Those of `fill`; the text is then unchanged.
    ///
    /// # Panics
    /// If `fill` returns anything but a prefix of its argument.
    pub fn fill_with<E>(
        &mut self,
        fill: impl for<'a> FnOnce(&'a mut [MaybeUninit<u8>]) -> Result<&'a mut [u8], E>,
    ) -> Result<usize, E> {
        if !self.is_unique() {
            return Ok(0);
        }
        let (len, capacity) = (self.len(), self.capacity());
        // SAFETY: unique and borrowed mutably; the room is inside the allocation.
        let room = unsafe {
            std::slice::from_raw_parts_mut(
                self.data().add(len).cast::<MaybeUninit<u8>>(),
                capacity - len,
            )
        };
        let start = room.as_ptr().cast::<u8>();
        let filled = fill(room)?;
        assert!(
            filled.is_empty() || filled.as_ptr() == start && filled.len() <= capacity - len,
            "the beginning of the room"
        );
        let count = filled.len();
        self.header().facts.set(0);
        // SAFETY: `fill` returned this part of the room as `&[u8]`, so it is initialised.
        unsafe { self.header.as_mut().len = len + count };
        Ok(count)
    }

    /// Number of characters, cached; `count` is not called for ASCII.
    pub fn chars(&self, count: impl FnOnce(&[u8]) -> usize) -> usize {
        if self.is_ascii() {
            return self.len();
        }
        self.units(count)
    }

    /// Number of units, cached until the number is; `count` is called for ASCII too.
    pub fn units(&self, count: impl FnOnce(&[u8]) -> usize) -> usize {
        let header = self.header();
        if header.facts.get() & CHARS_KNOWN != 0 {
            return header.noted.get() as usize;
        }
        let units = count(self.as_bytes());
        self.note(CHARS_KNOWN, units as u64);
        units
    }

    /// Notes `value` as `fact`, in the place of what was noted before.
    fn note(&self, fact: u8, value: u64) {
        let header = self.header();
        header.noted.set(value);
        header.facts.set(header.facts.get() & !(CHARS_KNOWN | NUMBER_YES) | fact);
    }

    /// Whether every byte is known to be ASCII; does not look at them.
    #[inline]
    pub fn is_known_ascii(&self) -> bool {
        self.header().facts.get() & ASCII_YES != 0
    }

    #[inline]
    pub(crate) fn address(&self) -> usize {
        self.header.as_ptr() as usize
    }

    #[inline]
    pub(crate) fn is_same(&self, other: &HeapStr) -> bool {
        self.header == other.header
    }

    /// Notes that every byte is ASCII.
    #[inline]
    pub fn note_ascii(&self) {
        debug_assert!(self.as_bytes().is_ascii());
        let facts = &self.header().facts;
        facts.set(facts.get() | ASCII_YES);
    }

    /// Whether every byte is ASCII; computed once.
    #[inline]
    pub fn is_ascii(&self) -> bool {
        let header = self.header();
        let facts = header.facts.get();
        if facts & (ASCII_YES | ASCII_NO) == 0 {
            let ascii = self.as_bytes().is_ascii();
            header.facts.set(facts | if ascii { ASCII_YES } else { ASCII_NO });
            return ascii;
        }
        facts & ASCII_YES != 0
    }

    /// The number the text looks like, cached until the number of units is.
    #[inline]
    pub fn looks_numeric(&self, parse: impl FnOnce(&[u8]) -> Option<f64>) -> Option<f64> {
        let header = self.header();
        let facts = header.facts.get();
        if facts & NUMBER_YES != 0 {
            return Some(f64::from_bits(header.noted.get()));
        }
        if facts & NUMBER_NO != 0 {
            return None;
        }
        let number = parse(self.as_bytes());
        match number {
            Some(number) => self.note(NUMBER_YES, number.to_bits()),
            None => header.facts.set(facts | NUMBER_NO),
        }
        number
    }
}

impl Clone for HeapStr {
    #[inline]
    fn clone(&self) -> HeapStr {
        let count = &self.header().count;
        count.set(count.get() + 1);
        HeapStr { header: self.header }
    }
}

impl Drop for HeapStr {
    #[inline]
    fn drop(&mut self) {
        let count = self.header().count.get() - 1;
        self.header().count.set(count);
        if count == 0 {
            let layout = layout(self.capacity());
            // SAFETY: the last handle; allocated with this layout.
            unsafe { dealloc(self.header.as_ptr().cast(), layout) };
        }
    }
}

impl std::fmt::Debug for HeapStr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(self.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_text_is_replaced_where_nobody_else_looks_and_it_fits() {
        let whole = b"a text that is long enough";
        for start in 0..=whole.len() {
            for end in start..=whole.len() {
                for with in [&b""[..], b"x", b"in the place of a part", "\u{e4}".as_bytes()] {
                    let mut text = HeapStr::with_capacity(40);
                    text.push(whole);
                    assert!(text.is_ascii());
                    let shared = text.clone();
                    assert!(!text.splice(start..end, with));
                    drop(shared);
                    let expected = [&whole[..start], with, &whole[end..]].concat();
                    let fits = expected.len() <= text.capacity();
                    assert_eq!(text.splice(start..end, with), fits);
                    if fits {
                        assert_eq!(text.as_bytes(), expected);
                        assert_eq!(text.is_ascii(), expected.is_ascii());
                    } else {
                        assert_eq!(text.as_bytes(), whole);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_put_before_a_text_leaves_other_holders_alone() {
        let mut text = HeapStr::new(b"end");
        let mut expected = b"end".to_vec();
        for length in (0..40).chain([300, 5_000]) {
            let before: Vec<u8> = (0..length).map(|at| b'a' + at as u8 % 26).collect();
            assert!(text.prepend(&before));
            expected.splice(0..0, before);
            assert_eq!(text.as_bytes(), expected);
        }
        let other = text.clone();
        assert!(!text.prepend(b"x"));
        assert_eq!((text.as_bytes(), other.as_bytes()), (&expected[..], &expected[..]));
        drop(other);
        text.note_ascii();
        assert!(text.prepend(b"x") && text.is_ascii());
        assert!(text.prepend("é".as_bytes()) && !text.is_ascii());
    }

    #[test]
    fn pieces_of_every_length_are_joined_byte_for_byte() {
        let bytes: Vec<u8> = (0..=99).collect();
        for left in 0..=bytes.len() {
            for right in [0, 1, 2, 3, 7, 8, 31, 32, 33, left] {
                let (left, right) = (&bytes[..left], &bytes[..right]);
                assert_eq!(HeapStr::concat([left, right]).as_bytes(), [left, right].concat());
            }
        }
    }

    #[test]
    fn a_shared_string_is_not_changed_by_a_push_through_the_other_handle() {
        let mut first = HeapStr::new(b"a text that is long enough");
        let second = first.clone();
        first.push(b"!");
        assert_eq!(first.as_bytes(), b"a text that is long enough!");
        assert_eq!(second.as_bytes(), b"a text that is long enough");
    }

    #[test]
    fn long_texts_are_copied_whole_and_grow_where_they_are() {
        let long: Vec<u8> = (0..5_000_000_u32).map(|at| (at % 251) as u8).collect();
        let mut text = HeapStr::new(&long);
        assert_eq!(text.as_bytes(), long);
        assert_eq!(HeapStr::concat([b"x", &long]).as_bytes()[1..], long);
        assert!(text.grow(6 << 20) && text.capacity() >= 6 << 20);
        assert_eq!(text.as_bytes(), long);
        let mut narrow = HeapStr::new(b"no room");
        narrow.append_long(&long);
        assert_eq!(narrow.as_bytes(), b"no room");
    }

    #[test]
    fn each_byte_is_changed_once_wherever_it_stands() {
        let next = |bytes: &[u8; 16]| bytes.map(|byte| byte.wrapping_add(1));
        let long = (1 << 21) + 5;
        for length in (0..70).chain([long - 5, long]) {
            let text: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            let changed: Vec<u8> = text.iter().map(|byte| byte.wrapping_add(1)).collect();
            let mut heap = HeapStr::with_capacity(length);
            assert!(heap.overwrite_changed(&text, Ascii::Unknown, next));
            assert!(heap.as_bytes() == changed, "{length}");
        }
        let mut text = HeapStr::new(b"a text that others hold");
        let other = text.clone();
        assert!(!text.overwrite_changed(b"x", Ascii::Certain, next));
        assert_eq!(other.as_bytes(), b"a text that others hold");
    }

    #[test]
    fn a_string_is_filled_again_only_where_nobody_else_looks_and_it_fits() {
        let pair = |text: HeapStr| {
            text.refill_pair(b"left, ", b"right").map(|text| text.as_bytes().to_vec())
        };
        assert_eq!(pair(HeapStr::new(b"eleven byte")), Some(b"left, right".to_vec()));
        assert_eq!(pair(HeapStr::new(b"ten bytes.")), None);
        assert_eq!(pair(HeapStr::with_capacity(4 * (11 + 16))), Some(b"left, right".to_vec()));
        assert_eq!(pair(HeapStr::with_capacity(4 * (11 + 17))), None, "most of it would be wasted");
        let text = HeapStr::new(b"a text that others hold");
        let other = text.clone();
        assert_eq!(pair(text), None);
        assert_eq!(other.as_bytes(), b"a text that others hold");

        let mut text = HeapStr::with_capacity(4 * (11 + 16));
        assert!(text.overwrite(b"left, right", Ascii::Certain) && text.is_known_ascii());
        assert!(!HeapStr::with_capacity(4 * (11 + 17)).overwrite(b"left, right", Ascii::Certain));
        assert!(!HeapStr::new(b"ten bytes.").overwrite(b"left, right", Ascii::Certain));
        let other = text.clone();
        assert!(!text.overwrite(b"x", Ascii::Certain) && other.as_bytes() == b"left, right");
    }

    #[test]
    fn what_is_known_about_a_string_follows_what_is_pushed() {
        for shared in [false, true] {
            for (push, stays_ascii) in [(&b" and more"[..], true), ("é".as_bytes(), false)] {
                let mut text = HeapStr::with_capacity(30);
                assert!(text.overwrite(b"ascii", Ascii::Certain));
                let other = shared.then(|| text.clone());
                text.push(push);
                assert_eq!(text.is_known_ascii(), stays_ascii, "{shared} {push:?}");
                drop(other);
            }
        }
        let number_of = |text: &[u8]| std::str::from_utf8(text).ok()?.parse().ok();
        let mut unknown = HeapStr::new(b"12");
        assert_eq!(unknown.looks_numeric(number_of), Some(12.0));
        let shared = unknown.clone();
        unknown.push(b"3");
        assert!(!unknown.is_known_ascii(), "that it is a number says nothing about it");
        assert_eq!(
            (shared.looks_numeric(number_of), unknown.looks_numeric(number_of)),
            (Some(12.0), Some(123.0))
        );
    }

    #[test]
    fn a_string_says_how_much_it_holds_and_where_and_what() {
        let text = HeapStr::with_capacity(100);
        assert_eq!(text.footprint(), HEADER_SIZE + 100);
        let (same, other) = (text.clone(), HeapStr::new(b"a \"text\""));
        assert!(text.address() == same.address() && text.address() != other.address());
        assert_eq!(format!("{other:?}"), r#""a \"text\"""#);
    }

    #[test]
    fn pushing_grows_geometrically() {
        let mut text = HeapStr::new(b"");
        let mut moves = 0;
        let mut capacity = 0;
        let pushes = if cfg!(miri) { 1_000 } else { 100_000 };
        for _ in 0..pushes {
            text.push(b"0123456789");
            if text.capacity() != capacity {
                capacity = text.capacity();
                moves += 1;
            }
        }
        assert_eq!(text.len(), 10 * pushes);
        assert!(moves <= 20, "{moves} reallocations for a million bytes");
    }

    #[test]
    fn the_number_and_the_number_of_units_take_turns() {
        let text = HeapStr::new(b"                  42");
        for _ in 0..2 {
            assert_eq!(text.units(|bytes| bytes.len()), 20);
            assert_eq!(text.units(|_| unreachable!("the count is cached")), 20);
            assert_eq!(text.looks_numeric(|_| Some(42.5)), Some(42.5));
            assert_eq!(text.looks_numeric(|_| unreachable!("the number is cached")), Some(42.5));
        }
        assert_eq!(HEADER_SIZE, 16 + 2 * size_of::<usize>());
    }

    #[test]
    fn a_capacity_of_more_than_32_bits_is_kept() {
        for bytes in [0, 1, u32::MAX as usize, 1 << 31] {
            assert_eq!(Capacity::of(bytes).bytes(), bytes);
        }
        #[cfg(target_pointer_width = "64")]
        assert_eq!(Capacity::of(0xabcd_1234_5678).bytes(), 0xabcd_1234_5678);
    }

    #[test]
    fn facts_are_asked_for_once_and_forgotten_by_a_push() {
        let mut text = HeapStr::new("grüße an alle Welt".as_bytes());
        assert_eq!(text.chars(|bytes| String::from_utf8_lossy(bytes).chars().count()), 18);
        assert_eq!(text.chars(|_| unreachable!("the count is cached")), 18);
        text.push(b"!");
        assert_eq!(text.chars(|_| 19), 19);

        let number = HeapStr::new(b"                  42");
        assert_eq!(number.looks_numeric(|_| Some(42.0)), Some(42.0));
        assert_eq!(number.looks_numeric(|_| unreachable!("the number is cached")), Some(42.0));
        let word = HeapStr::new(b"no number here at all");
        assert_eq!(word.looks_numeric(|_| None), None);
        assert_eq!(word.looks_numeric(|_| unreachable!("the answer is cached")), None);
    }

    #[test]
    fn ascii_stays_ascii_when_ascii_is_pushed() {
        let mut text = HeapStr::new(b"plain");
        assert!(text.is_ascii());
        text.push(b" text");
        assert_eq!(text.header().facts.get() & ASCII_YES, ASCII_YES);
        text.push("é".as_bytes());
        assert!(!text.is_ascii());
    }

    fn write(
        text: &[u8],
    ) -> impl for<'a> FnOnce(&'a mut [MaybeUninit<u8>]) -> Result<&'a mut [u8], ()> {
        |room| {
            let count = text.len().min(room.len());
            Ok(room[..count].write_copy_of_slice(&text[..count]))
        }
    }

    #[test]
    fn text_is_written_into_the_room_that_was_made_and_no_further() {
        let mut string = HeapStr::with_capacity(0);
        assert!(string.try_reserve(5));
        assert_eq!((string.capacity(), string.fill_with(write(b"abc"))), (5, Ok(3)));
        assert!(!string.is_known_ascii() && string.is_ascii());
        assert_eq!(string.fill_with(write("éé".as_bytes())), Ok(2));
        assert_eq!((string.as_bytes(), string.is_ascii()), ("abcé".as_bytes(), false));
        assert_eq!(string.fill_with(|_| Err::<&mut [u8], _>("failed")), Err("failed"));
        assert!(string.try_reserve(1) && string.capacity() >= 10);
        assert!(!string.try_reserve(usize::MAX) && !string.try_reserve(isize::MAX as usize));
        assert_eq!(string.as_bytes(), "abcé".as_bytes());
        let room = string.capacity();
        assert_eq!(
            string.emptied().map(|string| (string.len(), string.capacity())),
            Some((0, room))
        );
    }

    #[test]
    fn a_shared_string_is_neither_emptied_nor_filled() {
        let mut first = HeapStr::with_capacity(9);
        first.push(b"text");
        let second = first.clone();
        assert_eq!(first.fill_with(write(b"x")), Ok(0));
        assert!(!first.try_reserve(1));
        assert!(first.emptied().is_none());
        assert_eq!(second.as_bytes(), b"text");
    }

    #[test]
    #[should_panic(expected = "the beginning of the room")]
    fn what_was_not_written_into_the_room_is_not_taken() {
        let mut string = HeapStr::with_capacity(8);
        let _ = string.fill_with(|_| Ok::<_, ()>(Box::leak(Box::new([b'x']))));
    }
}
