//! The allocator of the command: the system's, but large blocks of memory get a mapping of their
//! own that asks for huge pages. And what happens when memory runs out ([`room`]): a flag that a
//! run looks at, a reserve that lets it come to where it looks, and a limit.
//!
//! On most systems a program has to ask for them (`transparent_hugepage/enabled` says `madvise`). A
//! table of a few MiB with ordinary pages misses the processor's table of pages at nearly every
//! access, and each page of 4 KiB is a fault of its own when it is touched first.
//!
//! It is not a general allocator: it keeps nothing, and what is smaller than [`LARGE`] goes to the
//! system's. Blocks begin where a huge page does, so that a block that grows can be moved by moving
//! its pages. Where the system refuses any of that, ordinary pages and copying do the same.
//!
//! ```
//! use riverhawk_blocks::Blocks;
//!
//! #[global_allocator]
//! static BLOCKS: Blocks = Blocks;
//!
//! let mut numbers: Vec<u64> = (0..1 << 20).collect();
//! numbers.extend(0..1 << 20);
//! assert_eq!(numbers[(1 << 20) + 7], 7);
//! ```

use std::alloc::{GlobalAlloc, Layout, System};

pub mod room;

/// Blocks of so many bytes are large. Two huge pages: of a smaller one, too much might lie outside
/// of whole pages.
pub const LARGE: usize = 4 << 20;

/// The allocator.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blocks;

/// Whether a block is one of ours.
#[cfg(target_os = "linux")]
#[inline(always)]
fn is_large(size: usize, align: usize) -> bool {
    size >= LARGE && align <= mapping::HUGE_PAGE
}

#[cfg(not(target_os = "linux"))]
#[inline(always)]
fn is_large(_size: usize, _align: usize) -> bool {
    false
}

// SAFETY: every block comes from the system's allocator or, if and only if `is_large` says so, from
// a mapping; which of both it was is known from the layout, which callers give back as it was.
unsafe impl GlobalAlloc for Blocks {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_large(layout.size(), layout.align()) {
            return mapping::map(layout.size());
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_large(layout.size(), layout.align()) {
            return mapping::map(layout.size());
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if is_large(layout.size(), layout.align()) {
            // SAFETY: `map` or `remap` gave it for this size.
            return unsafe { mapping::unmap(block, layout.size()) };
        }
        // SAFETY: the caller's promise; it is the system's.
        unsafe { System.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let (was_large, becomes_large) =
            (is_large(layout.size(), layout.align()), is_large(size, layout.align()));
        if !was_large && !becomes_large {
            // SAFETY: the caller's promise; it is the system's.
            return unsafe { System.realloc(block, layout, size) };
        }
        if was_large && becomes_large {
            // SAFETY: `map` or `remap` gave it for this size.
            return unsafe { mapping::remap(block, layout.size(), size) };
        }
        // SAFETY: the caller promises that the size is not zero and fits the address space when
        // rounded up; both blocks are as large as the smaller of the sizes.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                std::ptr::copy_nonoverlapping(block, new, size.min(layout.size()));
                self.dealloc(block, layout);
            }
            new
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod mapping {
    //! No block is large here.
    pub fn map(_size: usize) -> *mut u8 {
        std::ptr::null_mut()
    }
    pub unsafe fn unmap(_block: *mut u8, _size: usize) {}
    pub fn reserve_untouched(_size: usize) -> *mut u8 {
        std::ptr::null_mut()
    }
    pub unsafe fn release(_start: *mut u8, _size: usize) {}
    pub unsafe fn remap(_block: *mut u8, _old: usize, _size: usize) -> *mut u8 {
        std::ptr::null_mut()
    }
}

#[cfg(target_os = "linux")]
mod mapping;
