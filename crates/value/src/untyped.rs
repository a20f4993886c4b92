//! A variable that several names share before anything was assigned to it.

use std::cell::{Cell, OnceCell};

/// A variable without a value: the first use as an array `A` makes it one under all names.
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

    /// The array that it is from now on.
    pub fn get_or_init(&self, make: impl FnOnce() -> A) -> &A {
        self.array.get_or_init(make)
    }

    /// It was used as a scalar.
    pub fn note_scalar(&self) {
        self.is_scalar.set(true);
    }

    /// Whether it was used as a scalar, as far as that was noted.
    pub fn is_scalar(&self) -> bool {
        self.is_scalar.get()
    }
}
