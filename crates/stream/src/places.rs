//! Where separators were marked; kept from one reader of a thread to the next, since clearing them
//! anew is a third of the instructions of a run over 100 bytes.
#![allow(unsafe_code)] // Moving the places out of what is dropped.

use crate::chunk::ROOM;
use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

thread_local! {
    static SPARE: Cell<Option<Box<[u16; ROOM]>>> = const { Cell::new(None) };
}

/// Room for the places of one chunk, with those of some chunk in it.
#[derive(Debug)]
pub(crate) struct Places(ManuallyDrop<Box<[u16; ROOM]>>);

impl Places {
    pub(crate) fn new() -> Places {
        let spare = SPARE.try_with(Cell::take).ok().flatten();
        Places(ManuallyDrop::new(spare.unwrap_or_else(|| Box::new([0; ROOM]))))
    }
}

impl Drop for Places {
    fn drop(&mut self) {
        // SAFETY: dropped once, and not used afterwards.
        let places = unsafe { ManuallyDrop::take(&mut self.0) };
        // At the end of the thread nobody needs them.
        let _ = SPARE.try_with(|spare| spare.set(Some(places)));
    }
}

impl Deref for Places {
    type Target = [u16; ROOM];

    #[inline(always)]
    fn deref(&self) -> &[u16; ROOM] {
        &self.0
    }
}

impl DerefMut for Places {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u16; ROOM] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_reader_of_a_thread_has_the_places_of_the_last() {
        let mut places = Places::new();
        places[7] = 77;
        let address = places.as_ptr();
        let other = Places::new();
        assert_ne!(other.as_ptr(), address);
        drop(other);
        drop(places);
        let again = Places::new();
        assert_eq!((again.as_ptr(), again[7]), (address, 77));
        std::thread::spawn(move || drop(again)).join().unwrap();
    }
}
