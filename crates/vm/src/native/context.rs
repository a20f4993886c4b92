//! What machine code sees of a run.

use crate::fault::Fault;
use crate::frames::Frame;
use crate::machine::Machine;
use riverhawk_value::Value;

/// What machine code sees of a run: it reads and writes the fields up to `guard`, by the offsets below. The rest is for helpers.
#[repr(C)]
pub struct Context {
    pub(super) machine: *mut Machine,
    /// Globals and constants.
    pub(super) statics: *mut Value,
    /// Behind the last register that there is room for.
    room: *mut Value,
    /// A machine stack pointer below this leaves.
    stack_limit: usize,
    /// Of the frame that is left, the first register.
    pub(super) base: *mut Value,
    /// The number that a function returned.
    pub(super) number: f64,
    /// The candidate whose guard failed.
    pub(super) candidate: u64,
    /// The guard that failed, or [`NO_GUARD`].
    pub(super) guard: u32,
    /// The operation at which the interpreter goes on, or which failed.
    pub(super) at: u32,
    /// Calls that are left, innermost first.
    pub(super) calls: Vec<Frame>,
    /// What failed.
    pub(super) fault: Option<Fault>,
}

/// Leaving for another reason than a guard.
pub const NO_GUARD: u32 = u32::MAX;

impl Context {
    /// Where the pointer to globals and constants is.
    pub const STATICS_AT: usize = std::mem::offset_of!(Context, statics);
    /// Where the end of the registers is: a function whose registers do not fit below it leaves at its first operation.
    pub const ROOM_AT: usize = std::mem::offset_of!(Context, room);
    /// Where the machine stack's limit is: a function that starts below it leaves at its first operation.
    pub const STACK_LIMIT_AT: usize = std::mem::offset_of!(Context, stack_limit);
    /// Where leaving code puts its frame's first register.
    pub const BASE_AT: usize = std::mem::offset_of!(Context, base);
    /// Where a function entered by the interpreter puts its number.
    pub const NUMBER_AT: usize = std::mem::offset_of!(Context, number);
    /// Where leaving code puts its candidate's number.
    pub const CANDIDATE_AT: usize = std::mem::offset_of!(Context, candidate);
    /// Where leaving code puts the number of the guard that failed.
    pub const GUARD_AT: usize = std::mem::offset_of!(Context, guard);
    /// Where leaving code puts the operation.
    pub const AT_AT: usize = std::mem::offset_of!(Context, at);

    pub(super) fn new() -> Context {
        Context {
            machine: std::ptr::null_mut(),
            statics: std::ptr::null_mut(),
            room: std::ptr::null_mut(),
            stack_limit: 0,
            base: std::ptr::null_mut(),
            number: 0.0,
            candidate: 0,
            guard: NO_GUARD,
            at: 0,
            calls: Vec::new(),
            fault: None,
        }
    }

    /// Makes ready for an entry.
    pub(super) fn prepare(&mut self, machine: *mut Machine, statics: *mut Value, room: *mut Value, stack_limit: usize) {
        (self.machine, self.statics, self.room, self.stack_limit) = (machine, statics, room, stack_limit);
        self.guard = NO_GUARD;
    }
}

/// How machine code came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Status {
    /// The function ended with the number in the context.
    ReturnedNumber = 0,
    /// The function ended, and its value is in its first register.
    ReturnedValue = 1,
    /// The interpreter goes on where the context says.
    Left = 2,
    /// The operation that the context names has failed.
    Failed = 3,
}

/// Where the interpreter may go on in machine code.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    code: unsafe extern "C" fn(*mut Context, *mut Value) -> u32,
}

impl Entry {
    /// An entry into machine code.
    ///
    /// # Safety
    /// `code` keeps the contract of this module, answers with a [`Status`], was made for the program and the operation at which it is
    /// offered, and lives for as long as it is offered or runs.
    pub unsafe fn new(code: unsafe extern "C" fn(*mut Context, *mut Value) -> u32) -> Entry {
        Entry { code }
    }

    /// Where it begins.
    pub fn address(self) -> usize {
        self.code as usize
    }

    /// Runs it.
    ///
    /// # Safety
    /// The context is prepared, and `base` the first register of a frame for which the entry was offered.
    pub(super) unsafe fn run(self, context: *mut Context, base: *mut Value) -> u32 {
        // SAFETY: by the contracts here and of `new`.
        unsafe { (self.code)(context, base) }
    }
}
