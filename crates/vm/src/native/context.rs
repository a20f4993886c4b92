//! What machine code sees of a run.

use crate::frames::Frame;
use crate::profile::Recorder;
use riverhawk_awkio::fault::Fault;
use riverhawk_text::Unit;
use riverhawk_value::Value;

/// What machine code sees of a run. It reads and writes the fields up to `guard`, by the offsets
/// below; the rest is for helpers.
#[repr(C)]
pub struct Context {
    /// The `Machine`, for helpers.
    pub(super) machine: *mut (),
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
    /// Why the code was left: a [`Leaving`].
    pub(super) leaving: u32,
    /// The text that a helper found, and its bytes: see
    /// [`Helper::ViewPiece`](super::Helper::ViewPiece).
    pub(super) text: *const u8,
    pub(super) text_size: usize,
    /// The bits among the flags of a text that say that its characters are its bytes; 0 where none
    /// does.
    cut_by_bytes: u8,
    /// The byte that is not zero when the run is to end.
    stopped: *const u8,
    /// For a profiled run: the byte that says that a sample is due, the stack of sites and its
    /// depth, the site of the call that is being made, and how often each site was entered, by
    /// calls and inlined.
    profile: Profile,
    /// Calls that are left, innermost first.
    pub(super) calls: Vec<Frame>,
    /// What failed.
    pub(super) fault: Option<Fault>,
}

/// What machine code sees of a profile; null in a run that is not profiled.
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
    /// A guard failed.
    Guard = 0,
    /// An operation that only the interpreter can perform: it ends the phase or the record, or
    /// calls functions of the program back.
    Operation = 1,
    /// A call of a function that has no machine code for such arguments.
    Call = 2,
    /// A return from a function whose code was entered at a loop header.
    Return = 3,
    /// An operand that the interpreter handles otherwise: a divisor of zero, the root of a negative
    /// number.
    Operand = 4,
    /// Globals were assigned from outside, by an operand of the command line.
    Assigned = 5,
    /// The machine's stack, or the registers, had no room for another call.
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

/// Leaving for another reason than a guard.
pub const NO_GUARD: u32 = u32::MAX;

impl Context {
    /// Where the pointer to globals and constants is.
    pub const STATICS_AT: usize = std::mem::offset_of!(Context, statics);
    /// Where the end of the registers is: a function whose registers do not fit below it leaves at
    /// once.
    pub const ROOM_AT: usize = std::mem::offset_of!(Context, room);
    /// Where the machine stack's limit is: a function that starts below it leaves at once.
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

    /// Where the machine's address is.
    pub const MACHINE_AT: usize = std::mem::offset_of!(Context, machine);
    /// Where helpers put the address of a text.
    pub const TEXT_AT: usize = std::mem::offset_of!(Context, text);
    /// Where they put how many bytes it has: 64 bits.
    pub const TEXT_SIZE_AT: usize = std::mem::offset_of!(Context, text_size);
    /// Where the mask for the flags of a text is, a byte: a bit that is left says that characters
    /// are bytes.
    pub const CUT_BY_BYTES_AT: usize = std::mem::offset_of!(Context, cut_by_bytes);
    /// Where the address of the byte is that is not zero when the run is to end.
    pub const STOPPED_AT: usize = std::mem::offset_of!(Context, stopped);
    /// Where leaving code says why: a [`Leaving`].
    pub const LEAVING_AT: usize = std::mem::offset_of!(Context, leaving);
    /// Where the address of the byte is that says whether a sample is due.
    pub const PROFILE_DUE_AT: usize = std::mem::offset_of!(Context, profile.due);
    /// Where the address of the stack of sites is, of [`Context::PROFILE_MASK`] and one places of
    /// 32 bits.
    pub const PROFILE_STACK_AT: usize = std::mem::offset_of!(Context, profile.stack);
    /// Where the address of the counts of entries by calls is, 64 bits for each site.
    pub const PROFILE_CALLED_AT: usize = std::mem::offset_of!(Context, profile.called);
    /// Where the address of the counts of inlined entries is.
    pub const PROFILE_INLINED_AT: usize = std::mem::offset_of!(Context, profile.inlined);
    /// Where the depth of the stack of sites is: 32 bits.
    pub const PROFILE_DEPTH_AT: usize = std::mem::offset_of!(Context, profile.depth);
    /// Where a caller puts the site of its call: 32 bits.
    pub const PROFILE_SITE_AT: usize = std::mem::offset_of!(Context, profile.site);
    /// What a depth is masked with to be an index.
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
            stopped: std::ptr::null(),
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

    /// Machine code gets a text that a helper has found.
    pub(super) fn found(&mut self, text: &[u8]) {
        (self.text, self.text_size) = (text.as_ptr(), text.len());
    }

    /// Sets what characters are. CR LF is one grapheme, so under graphemes not even ASCII can be
    /// cut by bytes.
    pub(super) fn know(&mut self, unit: Unit) {
        self.cut_by_bytes =
            if unit == Unit::Grapheme { 0 } else { riverhawk_value::layout::heap::IS_ASCII };
    }

    /// Sets where machine code sees that the run is to end.
    pub(super) fn stop_by(&mut self, stopped: *const u8) {
        self.stopped = stopped;
    }

    /// Makes ready for an entry.
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

    /// Passes the profile on; `site` is where the function was called from that is entered.
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

    /// How deep the profile's stack is.
    pub(super) fn profile_depth(&self) -> u32 {
        self.profile.depth
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
    /// `code` keeps the contract of this module, answers with a [`Status`], was made for the
    /// program and the operation at which it is offered, and lives for as long as it is offered
    /// or runs.
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
    /// The context is prepared, and `base` the first register of a frame for which the entry was
    /// offered.
    pub(super) unsafe fn run(self, context: *mut Context, base: *mut Value) -> u32 {
        // SAFETY: by the contracts here and of `new`.
        unsafe { (self.code)(context, base) }
    }
}
