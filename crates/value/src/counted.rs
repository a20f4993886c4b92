//! A counted number of any precision, and its text.

use crate::format::{self, Format};
use crate::heap::HeapStr;
use riverhawk_precise::Number;
use std::cell::RefCell;
use std::rc::Rc;

/// A counted number, and how it is spelled, once that was asked for twice.
#[derive(Clone, Debug)]
pub struct PreciseRef(Rc<Counted>);

#[derive(Debug)]
struct Counted {
    number: Number,
    spelled: RefCell<Spelled>,
}

/// The cached text of a number, kept from the second time on that it is asked for: most numbers are
/// written once.
#[derive(Debug)]
struct Spelled {
    /// By which format and rounding; 0 if it was never asked for.
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

    /// The text, if it is kept or is from now on; the second time that it is asked for.
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

    /// Whether it is not zero.
    #[cold]
    #[inline(never)]
    pub(crate) fn is_true(&self) -> bool {
        !self.0.number.is_zero()
    }
}

impl Default for PreciseRef {
    /// Zero.
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
