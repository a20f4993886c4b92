//! What machine code and the interpreter pass to each other.

use crate::frames::Frame;
use crate::profile::Recorder;
use riverhawk_awkio::fault::Fault;
use riverhawk_text::Unit;
use riverhawk_value::Value;

/// The part of a run that machine code sees. It uses the fields up to `guard` by the offsets below;
/// helpers use the rest.
#[repr(C)]
pub struct Context {
    pub(super) machine: *mut (),
    pub(super) statics: *mut Value,
    room: *mut Value,
    /// Machine code leaves when the stack pointer is below this.
    stack_limit: usize,
    /// The first register of the frame that was left.
    pub(super) base: *mut Value,
    pub(super) number: f64,
    pub(super) candidate: u64,
    /// The failed guard, or [`NO_GUARD`].
    pub(super) guard: u32,
    /// The operation that is next, or that failed.
    pub(super) at: u32,
    /// A [`Leaving`].
    pub(super) leaving: u32,
    /// The text that a helper found; see [`Helper::ViewPiece`](super::Helper::ViewPiece).
    pub(super) text: *const u8,
    pub(super) text_size: usize,
    /// The flag of texts whose characters are bytes; 0 if no text may be cut by bytes.
    cut_by_bytes: u8,
    steps: *mut u64,
    /// Not zero when memory has run out or the run must end.
    ran_out: *const u8,
    profile: Profile,
    pub(super) calls: Vec<Frame>,
    pub(super) fault: Option<Fault>,
}

/// The part of a profile that machine code sees; null without a profile.
#[repr(C)]
struct Profile {
    due: *const u8,
    stack: *mut u32,
    called: *mut u64,
    inlined: *mut u64,
    depth: u32,
    site: u32,
}

/// Why machine code was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Leaving {
    /// A failed guard.
    Guard = 0,
    /// An operation that ends the phase or record, or calls back.
    Operation = 1,
    /// A call without machine code for its arguments.
    Call = 2,
    /// A return from a function that was entered at a loop header.
    Return = 3,
    /// An operand for the interpreter, such as a zero divisor.
    Operand = 4,
    /// Globals were assigned from outside.
    Assigned = 5,
    /// No room for another call.
    Depth = 6,
    /// An operation failed.
    Error = 7,
}

impl Leaving {
    /// All of them, in order.
    pub const ALL: [Leaving; 8] = [
        Leaving::Guard,
        Leaving::Operation,
        Leaving::Call,
        Leaving::Return,
        Leaving::Operand,
        Leaving::Assigned,
        Leaving::Depth,
        Leaving::Error,
    ];
}

/// No guard failed.
pub const NO_GUARD: u32 = u32::MAX;

impl Context {
    // Offsets in bytes:

    /// Pointer to globals and constants.
    pub const STATICS_AT: usize = std::mem::offset_of!(Context, statics);
    /// End of the registers.
    pub const ROOM_AT: usize = std::mem::offset_of!(Context, room);
    /// Limit of the stack.
    pub const STACK_LIMIT_AT: usize = std::mem::offset_of!(Context, stack_limit);
    /// First register of the left frame.
    pub const BASE_AT: usize = std::mem::offset_of!(Context, base);
    /// The returned number.
    pub const NUMBER_AT: usize = std::mem::offset_of!(Context, number);
    /// The left candidate.
    pub const CANDIDATE_AT: usize = std::mem::offset_of!(Context, candidate);
    /// The failed guard.
    pub const GUARD_AT: usize = std::mem::offset_of!(Context, guard);
    /// The operation.
    pub const AT_AT: usize = std::mem::offset_of!(Context, at);

    /// Address of the machine.
    pub const MACHINE_AT: usize = std::mem::offset_of!(Context, machine);
    /// Address of a found text.
    pub const TEXT_AT: usize = std::mem::offset_of!(Context, text);
    /// Size of that text.
    pub const TEXT_SIZE_AT: usize = std::mem::offset_of!(Context, text_size);
    /// Mask of texts' flags: a bit remains if characters are bytes.
    pub const CUT_BY_BYTES_AT: usize = std::mem::offset_of!(Context, cut_by_bytes);
    /// Pointer to the number of steps left.
    pub const STEPS_AT: usize = std::mem::offset_of!(Context, steps);
    /// Pointer to a byte set when memory has run out or the run must end.
    pub const RAN_OUT_AT: usize = std::mem::offset_of!(Context, ran_out);
    /// The [`Leaving`].
    pub const LEAVING_AT: usize = std::mem::offset_of!(Context, leaving);
    /// Pointer to a byte set when a sample is due.
    pub const PROFILE_DUE_AT: usize = std::mem::offset_of!(Context, profile.due);
    /// Pointer to the stack of sites, of 32 bits each.
    pub const PROFILE_STACK_AT: usize = std::mem::offset_of!(Context, profile.stack);
    /// Pointer to the counts of called entries by site.
    pub const PROFILE_CALLED_AT: usize = std::mem::offset_of!(Context, profile.called);
    /// Pointer to the counts of inlined entries by site.
    pub const PROFILE_INLINED_AT: usize = std::mem::offset_of!(Context, profile.inlined);
    /// Depth of the stack of sites.
    pub const PROFILE_DEPTH_AT: usize = std::mem::offset_of!(Context, profile.depth);
    /// Site of a call.
    pub const PROFILE_SITE_AT: usize = std::mem::offset_of!(Context, profile.site);
    /// Makes an index of a depth.
    pub const PROFILE_MASK: u32 = crate::profile::STACK as u32 - 1;

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
            leaving: Leaving::Guard as u32,
            text: std::ptr::null(),
            text_size: 0,
            cut_by_bytes: 0,
            steps: std::ptr::null_mut(),
            ran_out: std::ptr::null(),
            profile: Profile {
                due: std::ptr::null(),
                stack: std::ptr::null_mut(),
                called: std::ptr::null_mut(),
                inlined: std::ptr::null_mut(),
                depth: 0,
                site: 0,
            },
            calls: Vec::new(),
            fault: None,
        }
    }

    pub(super) fn found(&mut self, text: &[u8]) {
        (self.text, self.text_size) = (text.as_ptr(), text.len());
    }

    /// Under graphemes not even ASCII may be cut by bytes, because of CR LF.
    pub(super) fn set_unit(&mut self, unit: Unit) {
        self.cut_by_bytes =
            if unit == Unit::Grapheme { 0 } else { riverhawk_value::layout::heap::IS_ASCII };
    }

    pub(super) fn limit_by(&mut self, steps: *mut u64) {
        self.steps = steps;
        self.ran_out = riverhawk_memory::ran_out_at();
    }

    pub(super) fn prepare(
        &mut self,
        machine: *mut (),
        statics: *mut Value,
        room: *mut Value,
        stack_limit: usize,
    ) {
        (self.machine, self.statics, self.room, self.stack_limit) =
            (machine, statics, room, stack_limit);
        self.guard = NO_GUARD;
    }

    pub(super) fn show(&mut self, recorder: &mut Recorder, site: u32) {
        let due = recorder.due();
        let [_, called, inlined] = &mut recorder.entries;
        self.profile = Profile {
            due,
            stack: recorder.stack.as_mut_ptr(),
            called: called.as_mut_ptr(),
            inlined: inlined.as_mut_ptr(),
            depth: recorder.depth,
            site,
        };
    }

    pub(super) fn profile_depth(&self) -> u32 {
        self.profile.depth
    }
}

/// How machine code returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Status {
    /// The number is in the context.
    ReturnedNumber = 0,
    /// The value is in the first register.
    ReturnedValue = 1,
    /// The interpreter continues at the context's operation.
    Left = 2,
    /// The context's operation failed.
    Failed = 3,
}

/// An entry to machine code, offered to the interpreter.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    code: unsafe extern "C" fn(*mut Context, *mut Value) -> u32,
}

impl Entry {
    /// An entry.
    ///
    /// # Safety
    /// `code` keeps this module's contract, returns a [`Status`], was made for the program and
    /// operation where it is offered, and lives while it is offered or runs.
    pub unsafe fn new(code: unsafe extern "C" fn(*mut Context, *mut Value) -> u32) -> Entry {
        Entry { code }
    }

    /// Its address.
    pub fn address(self) -> usize {
        self.code as usize
    }

    /// # Safety
    /// The context is prepared; `base` is the first register of a frame for which it was offered.
    pub(super) unsafe fn run(self, context: *mut Context, base: *mut Value) -> u32 {
        // SAFETY: by the contracts here and of `new`.
        unsafe { (self.code)(context, base) }
    }
}
