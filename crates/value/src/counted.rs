//! A counted number of any precision, and its text.

use crate::format::{self, Format};
use crate::heap::HeapStr;
use riverhawk_precise::Number;
use std::cell::RefCell;
use std::rc::Rc;

/// A counted number and its cached text.
#[derive(Clone, Debug)]
pub struct PreciseRef(Rc<Counted>);

#[derive(Debug)]
struct Counted {
    number: Number,
    spelled: RefCell<Spelled>,
}

/// Cached from the second use on: most numbers are written once.
#[derive(Debug)]
struct Spelled {
    /// Format and rounding of the last use; 0 if none.
    by: u32,
    text: Option<HeapStr>,
}

impl PreciseRef {
    pub(crate) fn new(number: Number) -> PreciseRef {
        PreciseRef(Rc::new(Counted {
            number,
            spelled: RefCell::new(Spelled { by: 0, text: None }),
        }))
    }

    /// The cached text; `None` on the first use.
    #[cold]
    #[inline(never)]
    pub fn kept_text(&self, format: &Format) -> Option<HeapStr> {
        let by = format::spelled_by(&self.0.number, format)?;
        let mut spelled = self.0.spelled.borrow_mut();
        if spelled.by != by {
            *spelled = Spelled { by, text: None };
        } else if spelled.text.is_none() {
            let mut text = Vec::new();
            format::precise_to_text(&self.0.number, format, &mut text);
            spelled.text = Some(HeapStr::new(&text));
        }
        spelled.text.clone()
    }

    /// Appends the text.
    #[cold]
    #[inline(never)]
    pub(crate) fn append_to(&self, format: &Format, out: &mut Vec<u8>) {
        match self.kept_text(format) {
            Some(text) => out.extend_from_slice(text.as_bytes()),
            None => format::precise_to_text(&self.0.number, format, out),
        }
    }
}

impl PreciseRef {
    /// The nearest double.
    #[cold]
    #[inline(never)]
    pub(crate) fn nearest_double(&self) -> f64 {
        self.0.number.to_f64()
    }

    /// Whether it is nonzero.
    #[cold]
    #[inline(never)]
    pub(crate) fn is_true(&self) -> bool {
        !self.0.number.is_zero()
    }
}

impl Default for PreciseRef {
    fn default() -> PreciseRef {
        PreciseRef::new(Number::ZERO)
    }
}

impl std::ops::Deref for PreciseRef {
    type Target = Number;

    fn deref(&self) -> &Number {
        &self.0.number
    }
}
