//! A text that is put together from many short parts.

use crate::growth::append;
use std::ops::Range;

/// What is stored at once.
pub const PART: usize = 16;

/// Appends parts to a text, whose end it keeps in a register: the text has its length again when
/// this is dropped.
pub struct Appender<'v> {
    text: &'v mut Vec<u8>,
    /// Behind what is written, within the text's capacity.
    at: *mut u8,
    room: usize,
}

impl<'v> Appender<'v> {
    /// Behind what is there.
    #[inline]
    pub fn new(text: &'v mut Vec<u8>) -> Appender<'v> {
        let (at, room) = end_of(text);
        Appender { text, at, room }
    }

    /// Appends a part of `from`: a short one is stored with what follows it, as a copy of known
    /// length needs no call. Without the memory nothing is appended, and memory has run out.
    ///
    /// # Panics
    /// If the part is not inside it.
    #[inline(always)]
    pub fn put(&mut self, from: &[u8], part: Range<usize>) {
        let len = part.len();
        if let Some(chunk) = from[part.start..].first_chunk::<PART>()
            && len <= PART
            && self.room >= PART
        {
            // SAFETY: there is room, and as many bytes.
            unsafe { self.write(chunk, len) };
        } else {
            self.put_by(|text| append(text, &from[part]));
        }
    }

    /// Appends the first `len` of these bytes.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    pub fn put_start<const N: usize>(&mut self, bytes: &[u8; N], len: usize) {
        if len > N || self.room < N {
            return self.put_by(|text| append(text, &bytes[..len]));
        }
        // SAFETY: there is room, and as many bytes.
        unsafe { self.write(bytes, len) }
    }

    /// # Safety
    /// There is room for all of them, and `len` is at most `N`.
    #[inline(always)]
    unsafe fn write<const N: usize>(&mut self, bytes: &[u8; N], len: usize) {
        // SAFETY: by the contract.
        unsafe {
            self.at.cast::<[u8; N]>().write(*bytes);
            self.at = self.at.add(len);
        }
        self.room -= len;
    }

    /// Bytes of the text.
    #[inline(always)]
    #[must_use]
    pub fn text_len(&self) -> usize {
        self.text.capacity() - self.room
    }

    /// Appends a byte.
    #[inline(always)]
    pub fn push(&mut self, byte: u8) {
        self.put_start(&[byte], 1);
    }

    /// Appends by a function. It is given neither this nor its place, so that all can be in
    /// registers.
    #[inline(always)]
    pub fn put_by(&mut self, put: impl FnOnce(&mut Vec<u8>)) {
        self.settle();
        (self.at, self.room) = put_slowly(self.text, put);
    }

    #[inline(always)]
    fn settle(&mut self) {
        // SAFETY: all but the room is written.
        unsafe { self.text.set_len(self.text.capacity() - self.room) };
    }
}

#[inline(always)]
fn end_of(text: &mut Vec<u8>) -> (*mut u8, usize) {
    let room = text.spare_capacity_mut();
    (room.as_mut_ptr().cast(), room.len())
}

#[inline(never)]
fn put_slowly(text: &mut Vec<u8>, put: impl FnOnce(&mut Vec<u8>)) -> (*mut u8, usize) {
    put(text);
    end_of(text)
}

impl Drop for Appender<'_> {
    #[inline]
    fn drop(&mut self) {
        self.settle();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_every_length_are_put_one_behind_the_other() {
        let bytes: Vec<u8> = (0..=99).collect();
        for room in [0, 15, 16, 400] {
            let mut text = Vec::with_capacity(3 + room);
            text.extend_from_slice(b"abc");
            let mut expected = text.clone();
            let mut appender = Appender::new(&mut text);
            for start in 0..=bytes.len() {
                for end in [start, start + 1, start + 15, start + 16, start + 17, 100] {
                    let part = start..end.min(100);
                    appender.put(&bytes, part.clone());
                    expected.extend_from_slice(&bytes[part]);
                }
            }
            for byte in 0..=99 {
                appender.push(byte);
                expected.push(byte);
                assert_eq!(appender.text_len(), expected.len());
            }
            appender.put_start(b"abcdefgh", 3);
            expected.extend_from_slice(b"abc");
            drop(appender);
            assert_eq!(text, expected);
        }
    }
}
