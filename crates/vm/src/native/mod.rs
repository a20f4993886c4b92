//! The contract between the interpreter and machine code.
//!
//! Machine code works in the interpreter's frames: registers and globals are the same slots. It may
//! keep numbers in processor registers while nothing else reads the slots.
//!
//! **Entering.** Code is a function of the [`Context`] and of the running frame's first register.
//! It begins with guards, so entering it in a wrong state only costs time.
//!
//! **Working.** A [`Helper`] performs what has no code of its own. Helpers never enter machine code
//! and never move the stack.
//!
//! **Leaving.** All side exits are alike: values are stored to their slots, the [`Context`] gets
//! the operation and frame where the interpreter continues, and each caller pushes the frame that
//! the interpreter would have. A fault is located after that, so its backtrace is the
//! interpreter's.

mod context;
mod enter;
mod few;
mod helpers;
mod views;

pub use context::{Context, Entry, Leaving, NO_GUARD, Status};
pub use enter::{MAX_PARAMETERS, MIN_CALL};
pub use helpers::{Helper, Kind, Performed};

/// Offsets in a machine of parts of the current record.
pub mod record_at {
    use riverhawk_record::Record;

    const RECORD: usize = std::mem::offset_of!(crate::machine::Machine, rt.current.record);

    /// Of the text's address.
    pub const TEXT: usize = RECORD + Record::TEXT_AT;
    /// Of the text's size in bytes.
    pub const SIZE: usize = RECORD + Record::SIZE_AT;
    /// Of how far from the text's address on there are bytes.
    pub const REACH: usize = RECORD + Record::REACH_AT;
    /// Of the text's [`Ascii`](riverhawk_value::Ascii).
    pub const ASCII: usize = RECORD + Record::ASCII_AT;
    /// Of the [`TextKind`](riverhawk_value::TextKind) of `$0`.
    pub const KIND: usize = RECORD + Record::KIND_AT;
    /// Of a byte, zero if the text is `$0`.
    pub const STALE: usize = RECORD + Record::STALE_AT;
    /// Of a byte, zero if `$0` and its fields are what the text says.
    pub const TOUCHED: usize = RECORD + Record::TOUCHED_AT;
}

/// Offset in a machine of the byte for IGNORECASE.
pub const IGNORE_CASE_AT: usize =
    std::mem::offset_of!(crate::machine::Machine, rt.current.specials.ignore_case);

/// Offset in a machine of a byte, not zero if texts are not ordered by bytes.
pub const COMPARES_OTHERWISE_AT: usize =
    std::mem::offset_of!(crate::machine::Machine, rt.current.specials.compares_otherwise);
