//! Mappings that begin where a huge page does.

use rustix::mm::{
    Advice, MapFlags, MremapFlags, ProtFlags, madvise, mmap_anonymous, mremap, mremap_fixed, munmap,
};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Bytes of a huge page on the processors that matter; elsewhere it is just a round number.
pub const HUGE_PAGE: usize = 2 << 20;

/// Bytes that every page size divides.
const PAGES: usize = 64 << 10;

/// How long the mapping of a block is; nothing when that is more than the address space.
fn length(size: usize) -> Option<usize> {
    size.checked_next_multiple_of(PAGES)
}

/// Memory that reads as zero, or null.
#[inline(never)]
pub fn map(size: usize) -> *mut u8 {
    let Some(length) = length(size) else { return null_mut() };
    let start = reserve(length);
    if !start.is_null() {
        // SAFETY: the mapping is ours. Advice changes nothing that can be read, and a refusal
        // changes nothing at all.
        let _ = unsafe { madvise(start, length, Advice::LinuxHugepage) };
    }
    start.cast()
}

/// Memory that nobody is going to touch, or null: it counts where a process may have so much and no
/// more.
pub fn reserve_untouched(size: usize) -> *mut u8 {
    // SAFETY: a new mapping wherever there is room.
    let mapped = unsafe {
        mmap_anonymous(null_mut(), size, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE)
    };
    mapped.map_or(null_mut(), <*mut c_void>::cast)
}

/// Gives it back.
///
/// # Safety
/// [`reserve_untouched`] gave it for this size.
pub unsafe fn release(start: *mut u8, size: usize) {
    // SAFETY: by the contract.
    unsafe { cut(start.cast(), size) }
}

/// A mapping that begins where a huge page does, or null.
fn reserve(length: usize) -> *mut c_void {
    let Some(more) = length.checked_add(HUGE_PAGE) else { return null_mut() };
    // SAFETY: a new mapping wherever there is room.
    let mapped = unsafe {
        mmap_anonymous(null_mut(), more, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE)
    };
    let Ok(mapped) = mapped else { return null_mut() };
    let before = mapped.addr().wrapping_neg() % HUGE_PAGE;
    // SAFETY: both ends of it that nobody knows yet; `before` is less than a huge page, so what is
    // between is `length` bytes.
    unsafe {
        let start = mapped.byte_add(before);
        cut(mapped, before);
        cut(start.byte_add(length), HUGE_PAGE - before);
        start
    }
}

/// Gives back a piece of a mapping.
///
/// # Safety
/// Nobody uses it.
unsafe fn cut(start: *mut c_void, length: usize) {
    if length > 0 {
        // SAFETY: by the contract. It can only fail where the system can hold no more mappings; the
        // piece is then lost, untouched.
        let _ = unsafe { munmap(start, length) };
    }
}

/// Gives back a block.
///
/// # Safety
/// [`map`] or [`remap`] gave it for this size, and nobody uses it any more.
#[inline(never)]
pub unsafe fn unmap(block: *mut u8, size: usize) {
    if let Some(length) = length(size) {
        // SAFETY: by the contract.
        unsafe { cut(block.cast(), length) };
    }
}

/// The block with another size: where it was, or elsewhere. Null, and nothing has happened, when
/// there is no room.
///
/// # Safety
/// [`map`] or [`remap`] gave it for the old size, and nobody else uses it.
#[inline(never)]
pub unsafe fn remap(block: *mut u8, old_size: usize, size: usize) -> *mut u8 {
    let (Some(old), Some(new)) = (length(old_size), length(size)) else { return null_mut() };
    // SAFETY: by the contract; what is moved to has just been reserved for it.
    unsafe {
        if let Ok(start) = mremap(block.cast(), old, new, MremapFlags::empty()) {
            return start.cast();
        }
        let room = reserve(new);
        if room.is_null() {
            return null_mut();
        }
        match mremap_fixed(block.cast(), old, new, MremapFlags::MAYMOVE, room) {
            Ok(start) => start.cast(),
            Err(_) => {
                cut(room, new);
                null_mut()
            }
        }
    }
}
