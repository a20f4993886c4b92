//! Variables without a value.

use std::cell::{Cell, OnceCell};

/// A variable without a value, shared by its names: its first use as an array `A` makes all of them
/// that array.
#[derive(Debug)]
pub struct Untyped<A> {
    array: OnceCell<A>,
    is_scalar: Cell<bool>,
}

impl<A> Default for Untyped<A> {
    fn default() -> Untyped<A> {
        Untyped { array: OnceCell::new(), is_scalar: Cell::new(false) }
    }
}

impl<A> Untyped<A> {
    /// The array that it has become.
    #[inline]
    pub fn get(&self) -> Option<&A> {
        self.array.get()
    }

    /// The array, made by `make` if there is none.
    pub fn get_or_init(&self, make: impl FnOnce() -> A) -> &A {
        self.array.get_or_init(make)
    }

    /// Notes a use as a scalar.
    pub fn note_scalar(&self) {
        self.is_scalar.set(true);
    }

    /// Whether a use as a scalar was noted.
    pub fn is_scalar(&self) -> bool {
        self.is_scalar.get()
    }
}
