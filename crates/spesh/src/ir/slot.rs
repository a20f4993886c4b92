//! The slots of a frame.

use riverhawk_bytecode::{Dst, Src};
use std::fmt;

/// A register of the running frame, or a static slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// A register.
    Register(u16),
    /// A global, or a constant, which are numbered after the globals.
    Static(u16),
}

impl Slot {
    pub(crate) fn move_register(&mut self, by: u16) {
        if let Slot::Register(number) = self {
            *number += by;
        }
    }
}

impl From<Src> for Slot {
    fn from(operand: Src) -> Slot {
        let number = operand.number() as u16;
        if operand.is_static() { Slot::Static(number) } else { Slot::Register(number) }
    }
}

impl From<Dst> for Slot {
    fn from(operand: Dst) -> Slot {
        operand.src().into()
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slot::Register(number) => write!(f, "r{number}"),
            Slot::Static(number) => write!(f, "s{number}"),
        }
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
