//! An allocator with a reserve and a limit, and the state of a process whose memory has run out.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicPtr, AtomicUsize, Ordering::Relaxed};

/// Bytes of the reserve, or a quarter or a sixteenth if there are not as many: for one operation
/// that cannot be refused, the message about it, and writing out the rest of the output.
const RESERVE: usize = 16 << 20;

/// Bytes beyond a limit for operations that cannot be refused: an eighth of the limit, at least
/// this.
const MIN_BEYOND: usize = 4 << 20;

static RAN_OUT: AtomicBool = AtomicBool::new(false);
/// The size of the request that was refused.
static WANTED: AtomicUsize = AtomicUsize::new(0);
static RUNS: AtomicUsize = AtomicUsize::new(0);
/// The reserve, or null, and its size.
static KEPT: AtomicPtr<u8> = AtomicPtr::new(null_mut());
static KEPT_SIZE: AtomicUsize = AtomicUsize::new(0);
/// A `fn() -> !`, or null.
static LAST_RESORT: AtomicPtr<()> = AtomicPtr::new(null_mut());
/// `usize::MAX` without a limit: then nothing is counted.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);
/// Bytes held since the limit was set; negative if blocks from before were freed.
static HELD: AtomicIsize = AtomicIsize::new(0);
/// Whether a request was refused because of the limit, not by the system.
static LIMIT_REACHED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether the operation that allocates on this thread can be refused.
    static REFUSABLE: Cell<bool> = const { Cell::new(false) };
}

/// Whether memory has run out since the oldest unfinished run of this process began.
#[inline(always)]
pub fn ran_out() -> bool {
    RAN_OUT.load(Relaxed)
}

/// The address of the byte that [`ran_out`] reads, for machine code.
pub fn ran_out_at() -> *const u8 {
    RAN_OUT.as_ptr().cast()
}

/// Notes that memory has run out: a request of so many bytes was refused.
#[cold]
pub fn run_out(wanted: usize) {
    if !RAN_OUT.swap(true, Relaxed) {
        WANTED.store(wanted, Relaxed);
    }
}

/// The bytes of the request at which memory ran out.
pub fn wanted() -> usize {
    WANTED.load(Relaxed)
}

/// A run in progress. When the last one ends, memory no longer counts as run out.
#[derive(Debug)]
pub struct Run(());

impl Run {
    /// Begins a run.
    pub fn begin() -> Run {
        RUNS.fetch_add(1, Relaxed);
        if !LAST_RESORT.load(Relaxed).is_null() && !has_reserve() && !ran_out() {
            fill_reserve();
        }
        Run(())
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if RUNS.fetch_sub(1, Relaxed) == 1 {
            RAN_OUT.store(false, Relaxed);
            LIMIT_REACHED.store(false, Relaxed);
        }
    }
}

/// Keeps the reserve from now on, in a process whose allocator is [`Checked`]. `last_resort` ends
/// the process where even the reserve does not suffice.
pub fn keep_reserve(last_resort: fn() -> !) {
    LAST_RESORT.store(last_resort as *mut (), Relaxed);
    fill_reserve();
}

/// Whether the reserve has not been freed.
pub fn has_reserve() -> bool {
    !KEPT.load(Relaxed).is_null()
}

fn reserve_layout(size: usize) -> Layout {
    // SAFETY: a page is a power of two, and no size of a reserve overflows.
    unsafe { Layout::from_size_align_unchecked(size, 4096) }
}

/// The system commits no memory to the reserve, since it is never touched, but counts it where a
/// process may have so much address space.
fn fill_reserve() {
    for size in [RESERVE, RESERVE / 4, RESERVE / 16] {
        // SAFETY: the size is not zero.
        let start = unsafe { System.alloc(reserve_layout(size)) };
        if !start.is_null() {
            KEPT_SIZE.store(size, Relaxed);
            KEPT.store(start, Relaxed);
            return;
        }
    }
}

fn free_reserve() {
    let kept = KEPT.swap(null_mut(), Relaxed);
    if !kept.is_null() {
        // SAFETY: `fill_reserve` allocated it with this size, and only one thread can take it.
        unsafe { System.dealloc(kept, reserve_layout(KEPT_SIZE.load(Relaxed))) };
    }
}

/// The limit was not set: the process has another allocator than [`Checked`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotCounted;

/// Sets the bytes that this process may hold besides what it holds already.
///
/// # Errors
/// The allocator of the process does not count.
pub fn limit(bytes: usize) -> Result<(), NotCounted> {
    HELD.store(0, Relaxed);
    LIMIT.store(bytes.min(isize::MAX as usize / 2), Relaxed);
    let probe = std::hint::black_box(vec![0u8; 4096]);
    let counted = HELD.load(Relaxed) >= 4096;
    drop(probe);
    if counted {
        Ok(())
    } else {
        LIMIT.store(usize::MAX, Relaxed);
        Err(NotCounted)
    }
}

/// The limit, if memory has run out because of it.
pub fn reached_limit() -> Option<usize> {
    LIMIT_REACHED.load(Relaxed).then(|| LIMIT.load(Relaxed))
}

/// Does what allocates, and can be refused.
#[inline]
pub fn refusable<R>(allocate: impl FnOnce() -> R) -> R {
    let before = REFUSABLE.replace(true);
    let result = allocate();
    REFUSABLE.set(before);
    result
}

/// An allocator with the reserve and the limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checked<A>(pub A);

// SAFETY: every block is one of the wrapped allocator's.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Checked<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        counted(layout.size(), || unsafe { self.0.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        counted(layout.size(), || unsafe { self.0.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        discount(layout.size());
        // SAFETY: the caller's promise.
        unsafe { self.0.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        let resize = || unsafe { self.0.realloc(block, layout, size) };
        if size <= layout.size() {
            // If the smaller block is refused, too little is counted; that is rare.
            discount(layout.size() - size);
            return counted(0, resize);
        }
        counted(size - layout.size(), resize)
    }
}

/// Allocates so many bytes more by `get`, which gives null if the system refuses them.
#[inline(always)]
fn counted(more: usize, get: impl Fn() -> *mut u8) -> *mut u8 {
    if LIMIT.load(Relaxed) == usize::MAX {
        let block = get();
        if !block.is_null() {
            return block;
        }
    }
    counted_slowly(more, get)
}

/// The same where bytes are counted or the system has refused them. Apart, so that the common case
/// stays in registers.
#[cold]
#[inline(never)]
fn counted_slowly(more: usize, get: impl Fn() -> *mut u8) -> *mut u8 {
    if LIMIT.load(Relaxed) != usize::MAX && !count(more) {
        return refused();
    }
    let block = get();
    if block.is_null() { with_reserve(more, &get) } else { block }
}

#[inline(always)]
fn discount(bytes: usize) {
    if LIMIT.load(Relaxed) != usize::MAX {
        HELD.fetch_sub(bytes as isize, Relaxed);
    }
}

/// Counts so many bytes more; false, and they are not counted, if that is too much.
#[cold]
#[inline(never)]
fn count(more: usize) -> bool {
    let limit = LIMIT.load(Relaxed) as isize;
    let more = isize::try_from(more).unwrap_or(isize::MAX);
    let held = HELD.fetch_add(more, Relaxed).saturating_add(more);
    if held <= limit {
        return true;
    }
    LIMIT_REACHED.store(true, Relaxed);
    let beyond = (limit / 8).max(MIN_BEYOND as isize);
    let granted = !REFUSABLE.get() && held <= limit.saturating_add(beyond);
    if granted {
        run_out(more as usize);
    } else {
        HELD.fetch_sub(more, Relaxed);
    }
    granted
}

/// The result of a request that is refused for good.
#[cold]
#[inline(never)]
fn refused() -> *mut u8 {
    let last_resort = LAST_RESORT.load(Relaxed);
    if !REFUSABLE.get() && !last_resort.is_null() {
        // SAFETY: only `keep_reserve` sets it, to such a function.
        let last_resort: fn() -> ! = unsafe { std::mem::transmute(last_resort) };
        last_resort();
    }
    null_mut()
}

/// A request that the system has refused, tried again with the reserve freed.
#[cold]
#[inline(never)]
fn with_reserve(more: usize, get: &dyn Fn() -> *mut u8) -> *mut u8 {
    if !REFUSABLE.get() {
        run_out(more);
        free_reserve();
        // Another thread may have freed it just before.
        let block = get();
        if !block.is_null() {
            return block;
        }
    }
    discount(more);
    refused()
}
