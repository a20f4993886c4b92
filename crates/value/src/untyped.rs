//! A variable that several names share before anything was assigned to it.

use crate::array::ArrayRef;
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// The shared cell behind [`Value::Untyped`](crate::Value::Untyped).
pub type UntypedRef = Rc<Untyped>;

/// A variable without a value: who uses it as an array first makes it one for all who hold it.
#[derive(Debug, Default)]
pub struct Untyped {
    array: OnceCell<ArrayRef>,
    is_scalar: Cell<bool>,
}

impl Untyped {
    /// The array that it has become.
    #[inline]
    pub fn get(&self) -> Option<&ArrayRef> {
        self.array.get()
    }

    /// The array that it is from now on.
    pub fn get_or_init(&self, make: impl FnOnce() -> ArrayRef) -> &ArrayRef {
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
