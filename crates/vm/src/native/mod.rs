//! The contract between the interpreter and machine code: how that is entered, what it may do, and
//! how it is left.
//!
//! Machine code runs in the interpreter's frames: its registers and the globals are the same slots,
//! and it may keep numbers in the processor's registers as long as nothing else looks at the slots.
//!
//! **Entering.** Code is a function of the [`Context`] and of the running frame's first register.
//! It begins with guards of its own, so entering it in a wrong state only costs time.
//!
//! **Working.** Everything that is not worth code of its own is done by a [`Helper`]. The first of
//! them performs any few operations by the interpreter's loop. Helpers never enter machine code,
//! and never move the stack.
//!
//! **Leaving.** Every side exit is the same, whether a guard failed, the program says `exit` or
//! `next`, recursion is too deep for the machine's stack, or only the interpreter knows an
//! operation: all values go back to their slots, [`Context`] says at which operation of which frame
//! the interpreter goes on, and each caller pushes the frame that the interpreter would have had. A
//! fault is located when all frames are back, so that its backtrace is the interpreter's.

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
    std::mem::offset_of!(crate::machine::Machine, rt.current.specials.ignore_case);

/// Where a machine has the byte that says whether texts are ordered otherwise than by their bytes.
pub const COMPARES_OTHERWISE_AT: usize =
    std::mem::offset_of!(crate::machine::Machine, rt.current.specials.compares_otherwise);
