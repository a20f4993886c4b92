//! Memory to read into, as `rustix` has it.

use std::mem::MaybeUninit;

/// Memory to read into.
pub trait Buffer {
    /// What is given after a read.
    type Output;

    /// All of the room.
    fn room(&mut self) -> &mut [MaybeUninit<u8>];

    /// # Safety
    /// The first `count` bytes of the room are initialised.
    unsafe fn filled(self, count: usize) -> Self::Output;
}

impl Buffer for &mut [u8] {
    type Output = usize;

    fn room(&mut self) -> &mut [MaybeUninit<u8>] {
        let (start, length) = (self.as_mut_ptr(), self.len());
        // SAFETY: the same memory; reads only write initialised bytes to it.
        unsafe { std::slice::from_raw_parts_mut(start.cast(), length) }
    }

    unsafe fn filled(self, count: usize) -> usize {
        count
    }
}

impl<const N: usize> Buffer for &mut [u8; N] {
    type Output = usize;

    fn room(&mut self) -> &mut [MaybeUninit<u8>] {
        let start = self.as_mut_ptr();
        // SAFETY: as for a slice.
        unsafe { std::slice::from_raw_parts_mut(start.cast(), N) }
    }

    unsafe fn filled(self, count: usize) -> usize {
        count
    }
}

impl<'a> Buffer for &'a mut [MaybeUninit<u8>] {
    type Output = (&'a mut [u8], &'a mut [MaybeUninit<u8>]);

    fn room(&mut self) -> &mut [MaybeUninit<u8>] {
        self
    }

    unsafe fn filled(self, count: usize) -> Self::Output {
        let (filled, rest) = self.split_at_mut(count);
        // SAFETY: the same memory, initialised by the caller's word.
        let filled =
            unsafe { std::slice::from_raw_parts_mut(filled.as_mut_ptr().cast(), filled.len()) };
        (filled, rest)
    }
}

/// The free room of a vector, which grows by what is read.
#[derive(Debug)]
pub struct SpareCapacity<'a>(&'a mut Vec<u8>);

/// Reads into the free room of `bytes`.
pub fn spare_capacity(bytes: &mut Vec<u8>) -> SpareCapacity<'_> {
    SpareCapacity(bytes)
}

impl Buffer for SpareCapacity<'_> {
    type Output = usize;

    fn room(&mut self) -> &mut [MaybeUninit<u8>] {
        self.0.spare_capacity_mut()
    }

    unsafe fn filled(self, count: usize) -> usize {
        // SAFETY: the caller's: that many bytes after the content are initialised.
        unsafe { self.0.set_len(self.0.len() + count) };
        count
    }
}
