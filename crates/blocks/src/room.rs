//! What happens when memory runs out.
//!
//! Nearly all code that allocates cannot be told that there is nothing: Rust's vectors end the
//! process then. So
//!
//! - what may grow large grows by [`grow`], [`append`] and [`push`] here, which leave it as it was
//!   if there is no memory for it;
//! - for everything else there is a *reserve*, kept from the start by [`keep_reserve`] and given
//!   back to the system at the first request that it refuses: the request is tried again, and has
//!   what it wants;
//! - in both cases memory has [run out](ran_out). A run looks at that wherever a program can make
//!   something larger, before anybody sees what has become of it, and ends with an error.
//! - If even the reserve does not suffice, the *last words* are called, which end the process.
//!
//! Reserve and [limit](limit()) are those of [`Checked`], which stands before the process's
//! allocator.

use crate::mapping;
use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicPtr, AtomicUsize, Ordering::Relaxed};

/// Bytes of the reserve, if there is room for as much: what one operation needs that cannot be
/// refused, the message about it, and what writes out the rest of the output.
const RESERVE: usize = 16 << 20;

/// Beyond a limit so much is given to those who cannot be refused: an eighth of the limit, but no
/// less than this.
const MIN_BEYOND: usize = 4 << 20;

/// Blocks of fewer bytes are not refused: there is less to look after.
pub const REFUSABLE_SIZE: usize = 64 << 10;

static RAN_OUT: AtomicBool = AtomicBool::new(false);
/// How many bytes were asked for then.
static WANTED: AtomicUsize = AtomicUsize::new(0);
static RUNS: AtomicUsize = AtomicUsize::new(0);
static KEPT: AtomicPtr<u8> = AtomicPtr::new(null_mut());
static KEPT_SIZE: AtomicUsize = AtomicUsize::new(0);
static LAST_WORDS: AtomicPtr<()> = AtomicPtr::new(null_mut());
/// Nothing is counted while this is the greatest number.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);
/// Bytes held since the limit was set. Less than nothing is possible: what was there before may be
/// given back.
static HELD: AtomicIsize = AtomicIsize::new(0);
/// A request was refused because of the limit, not by the system.
static LIMIT_REACHED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whoever allocates on this thread can be refused.
    static REFUSABLE: Cell<bool> = const { Cell::new(false) };
}

/// Whether memory has run out, since the oldest run of this process began that has not ended.
#[inline(always)]
pub fn ran_out() -> bool {
    RAN_OUT.load(Relaxed)
}

/// Where the byte is that says so, for machine code.
pub fn ran_out_at() -> *const u8 {
    RAN_OUT.as_ptr().cast()
}

/// Memory has run out: somebody was refused so many bytes, and what should have grown is what it
/// was.
#[cold]
pub fn run_out(wanted: usize) {
    if !RAN_OUT.swap(true, Relaxed) {
        WANTED.store(wanted, Relaxed);
    }
}

/// How many bytes were asked for when memory ran out.
pub fn wanted() -> usize {
    WANTED.load(Relaxed)
}

/// A run in progress. When none is any more, memory counts as there again.
#[derive(Debug)]
pub struct Run(());

impl Run {
    /// One begins.
    pub fn begin() -> Run {
        RUNS.fetch_add(1, Relaxed);
        if !LAST_WORDS.load(Relaxed).is_null() && KEPT.load(Relaxed).is_null() && !ran_out() {
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

/// Keeps the reserve from now on, in a process whose allocator is [`Checked`]. `last_words` ends
/// the process.
pub fn keep_reserve(last_words: fn() -> !) {
    LAST_WORDS.store(last_words as *mut (), Relaxed);
    fill_reserve();
}

fn fill_reserve() {
    let sizes = [RESERVE, RESERVE / 4, RESERVE / 16];
    let Some((start, size)) = sizes.into_iter().find_map(|size| {
        let start = mapping::reserve_untouched(size);
        (!start.is_null()).then_some((start, size))
    }) else {
        return;
    };
    KEPT_SIZE.store(size, Relaxed);
    KEPT.store(start, Relaxed);
}

/// The limit is not set: the process has another allocator than [`Checked`], and nothing is
/// counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotCounted;

/// From now on this process holds so many bytes at most, besides what it holds already.
///
/// # Errors
/// Nothing would be counted.
pub fn limit(bytes: usize) -> Result<(), NotCounted> {
    HELD.store(0, Relaxed);
    LIMIT.store(bytes.min(isize::MAX as usize / 2), Relaxed);
    let witness = std::hint::black_box(vec![0u8; 4096]);
    let counted = HELD.load(Relaxed) >= 4096;
    drop(witness);
    if counted {
        Ok(())
    } else {
        LIMIT.store(usize::MAX, Relaxed);
        Err(NotCounted)
    }
}

/// The limit, if it is because of the limit that memory has run out.
pub fn reached_limit() -> Option<usize> {
    LIMIT_REACHED.load(Relaxed).then(|| LIMIT.load(Relaxed))
}

/// An allocator before which the reserve and the limit stand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checked<A>(pub A);

// SAFETY: every block is one of the other allocator's.
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
            // Should a smaller block be refused, it is counted too low: blocks that shrink are few.
            discount(layout.size() - size);
            return counted(0, resize);
        }
        counted(size - layout.size(), resize)
    }
}

/// Gets so many bytes more by `get`, which gives null if the system refuses them.
#[inline(always)]
fn counted(more: usize, get: impl Fn() -> *mut u8) -> *mut u8 {
    if LIMIT.load(Relaxed) == usize::MAX {
        let block = get();
        if !block.is_null() {
            return block;
        }
    }
    scarce(more, get)
}

/// The same where bytes are counted or the system has refused them. Apart, so that what every
/// request does stays in registers: five instructions of 34 less for each (callgrind, 200,000
/// texts, 2026-11-23).
#[cold]
#[inline(never)]
fn scarce(more: usize, get: impl Fn() -> *mut u8) -> *mut u8 {
    if LIMIT.load(Relaxed) != usize::MAX && !count(more) {
        return refused();
    }
    let block = get();
    if block.is_null() { short_of(more, &get) } else { block }
}

/// So many bytes are held no more.
#[inline(always)]
fn discount(bytes: usize) {
    if LIMIT.load(Relaxed) != usize::MAX {
        HELD.fetch_sub(bytes as isize, Relaxed);
    }
}

/// Whether the reserve is there still.
pub fn has_reserve() -> bool {
    !KEPT.load(Relaxed).is_null()
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

/// A request that has been refused for good.
#[cold]
#[inline(never)]
fn refused() -> *mut u8 {
    let last_words = LAST_WORDS.load(Relaxed);
    if !REFUSABLE.get() && !last_words.is_null() {
        // SAFETY: only `keep_reserve` sets it, to such a function.
        let last_words: fn() -> ! = unsafe { std::mem::transmute(last_words) };
        last_words();
    }
    null_mut()
}

/// The system has nothing.
#[cold]
#[inline(never)]
fn short_of(more: usize, get: &dyn Fn() -> *mut u8) -> *mut u8 {
    if !REFUSABLE.get() {
        run_out(more);
        let kept = KEPT.swap(null_mut(), Relaxed);
        if !kept.is_null() {
            // SAFETY: `fill_reserve` has put it there, and only one can have taken it out.
            unsafe { mapping::release(kept, KEPT_SIZE.load(Relaxed)) };
        }
        // Also when another thread has given it back meanwhile.
        let block = get();
        if !block.is_null() {
            return block;
        }
    }
    discount(more);
    refused()
}

/// Does what allocates, and can be refused.
#[inline]
pub fn refusable<R>(allocate: impl FnOnce() -> R) -> R {
    let before = REFUSABLE.replace(true);
    let result = allocate();
    REFUSABLE.set(before);
    result
}

/// Room for so many more elements, and some to spare so that growing piece by piece costs linear
/// time; false, and memory has run out, if there is none.
#[inline]
pub fn grow<T>(vector: &mut Vec<T>, more: usize) -> bool {
    vector.capacity() - vector.len() >= more || grow_slowly(vector, more)
}

#[cold]
#[inline(never)]
fn grow_slowly<T>(vector: &mut Vec<T>, more: usize) -> bool {
    grow_by(vector, more, |vector| {
        // Twice as much may be too much where an eighth more is not.
        vector.try_reserve(more).is_ok()
            || vector.try_reserve_exact(more.max(vector.len() / 8)).is_ok()
    })
}

/// Room for exactly so many more elements; false, and memory has run out, if there is none.
pub fn grow_exactly<T>(vector: &mut Vec<T>, more: usize) -> bool {
    grow_by(vector, more, |vector| vector.try_reserve_exact(more).is_ok())
}

fn grow_by<T>(vector: &mut Vec<T>, more: usize, reserve: impl Fn(&mut Vec<T>) -> bool) -> bool {
    let wanted = vector.len().saturating_add(more).saturating_mul(size_of::<T>());
    if wanted < REFUSABLE_SIZE {
        // From the reserve, if need be.
        return reserve(vector);
    }
    // Once it has run out, loops that go on to their end are not to ask the system again and again.
    let is_there = !ran_out() && refusable(|| reserve(vector));
    if !is_there {
        run_out(wanted);
    }
    is_there
}

/// Whether there are so many bytes, for those who cannot be refused any; if not, memory has run
/// out.
pub fn is_there(bytes: usize) -> bool {
    grow_exactly(&mut Vec::<u8>::new(), bytes)
}

/// Appends a text, or nothing if there is no memory: then memory has run out.
#[inline]
pub fn append(text: &mut Vec<u8>, more: &[u8]) {
    if grow(text, more.len()) {
        text.extend_from_slice(more);
    }
}

/// Texts whose length the input or the program decides, growing.
pub trait Growing {
    /// As [`append`].
    fn extend_by(&mut self, more: &[u8]);
}

impl Growing for Vec<u8> {
    #[inline(always)]
    fn extend_by(&mut self, more: &[u8]) {
        append(self, more);
    }
}

/// Appends an element; if there is no memory nothing happens, and memory has run out.
#[inline]
pub fn push<T>(vector: &mut Vec<T>, element: T) -> bool {
    // Asked as `push` asks it, which then need not ask again.
    if vector.len() == vector.capacity() && !grow_slowly(vector, 1) {
        return false;
    }
    vector.push(element);
    true
}

/// A vector of copies; empty, and memory has run out, if there is none.
pub fn copies<T: Clone>(element: T, count: usize) -> Vec<T> {
    let mut vector = Vec::new();
    if grow_exactly(&mut vector, count) {
        vector.resize(count, element);
    }
    vector
}
