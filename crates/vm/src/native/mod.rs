//! Machine code in the interpreter's place: how it is entered, what it may do, and how it is left.
//!
//! Machine code runs in the interpreter's frames: its registers and the globals are the same slots,
//! and it may keep numbers in the processor's registers as long as nobody else looks at the slots.
//! It is made by somebody else; here is only the contract.
//!
//! **Entering.** Code is a function of the [`Context`] and of the running frame's first register.
//! It begins with guards of its own, so entering it in a wrong state costs time and nothing else.
//!
//! **Working.** For everything that is not worth code of its own it calls a [`Helper`]. The first
//! of them performs any few operations just as the interpreter does, because it is the interpreter.
//! Helpers never enter machine code, and never move the stack.
//!
//! **Leaving.** Whatever happens, there is one way out: all values go back to their slots,
//! [`Context`] says at which operation of which frame the interpreter goes on, and every caller on
//! the way out puts down the frame that the interpreter would have had. Failing guards, `exit`,
//! `next`, recursion too deep for the machine's stack, and operations that only the interpreter
//! knows: all the same. A fault takes the same way, and is located when all frames are back, so
//! that its backtrace is the interpreter's.

mod context;
mod enter;
mod few;
mod helpers;
mod views;

pub use context::{Context, Entry, Leaving, NO_GUARD, Status};
pub use enter::{MAX_PARAMETERS, MIN_CALL};
pub use helpers::{Helper, Kind, Performed};

/// Where the byte is that says whether memory has run out.
pub fn ran_out_at() -> *const u8 {
    riverhawk_memory::ran_out_at()
}

/// Where, counted from the machine, the byte is that says whether IGNORECASE is true.
pub const IGNORE_CASE_AT: usize =
    std::mem::offset_of!(crate::machine::Machine, rt.specials.ignore_case);

/// Where a machine has the byte that says whether texts are in another order than that of their
/// bytes.
pub const COMPARES_OTHERWISE_AT: usize =
    std::mem::offset_of!(crate::machine::Machine, rt.specials.compares_otherwise);
