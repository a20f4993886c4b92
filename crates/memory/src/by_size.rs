//! One allocator for small blocks, another for large ones.

use std::alloc::{GlobalAlloc, Layout};

/// Blocks of as many bytes or more are large: musl's own allocator maps each of those, and moves
/// its pages when it grows.
pub const LARGE_BLOCK: usize = 128 * 1024;

/// Takes blocks of less than [`LARGE_BLOCK`] from `small`, all others from `large`.
#[derive(Clone, Copy, Debug, Default)]
pub struct BySize<S, L> {
    /// For many blocks that are soon given back.
    pub small: S,
    /// For blocks that grow where they are, or without being copied.
    pub large: L,
}

// SAFETY: a block's size says whose it is, and blocks that change sides are copied.
unsafe impl<S: GlobalAlloc, L: GlobalAlloc> GlobalAlloc for BySize<S, L> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe {
            match is_large(layout.size()) {
                false => self.small.alloc(layout),
                true => self.large.alloc(layout),
            }
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe {
            match is_large(layout.size()) {
                false => self.small.alloc_zeroed(layout),
                true => self.large.alloc_zeroed(layout),
            }
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise; the size is that which the block was allocated with.
        unsafe {
            match is_large(layout.size()) {
                false => self.small.dealloc(block, layout),
                true => self.large.dealloc(block, layout),
            }
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match (is_large(layout.size()), is_large(size)) {
            // SAFETY: the caller's promise, of a block that keeps its owner.
            (false, false) => unsafe { self.small.realloc(block, layout, size) },
            // SAFETY: as above.
            (true, true) => unsafe { self.large.realloc(block, layout, size) },
            // SAFETY: the caller promises that the size, rounded up to the alignment, is a layout's.
            _ => unsafe { self.move_to(block, layout, size) },
        }
    }
}

impl<S: GlobalAlloc, L: GlobalAlloc> BySize<S, L> {
    /// # Safety
    /// As for [`GlobalAlloc::realloc`].
    #[cold]
    unsafe fn move_to(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

fn is_large(size: usize) -> bool {
    size >= LARGE_BLOCK
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::alloc::System;
    use std::cell::RefCell;

    /// Remembers the sizes of its blocks.
    #[derive(Default)]
    struct Noting(RefCell<Vec<usize>>);

    // SAFETY: every block is the system's.
    unsafe impl GlobalAlloc for Noting {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            self.0.borrow_mut().push(layout.size());
            // SAFETY: the caller's promise.
            unsafe { System.alloc(layout) }
        }
        unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
            let mut blocks = self.0.borrow_mut();
            let at = blocks.iter().position(|&size| size == layout.size());
            blocks.swap_remove(at.expect("a block of this allocator"));
            // SAFETY: the caller's promise.
            unsafe { System.dealloc(block, layout) }
        }
    }

    #[test]
    fn blocks_that_cross_the_border_are_copied_and_go_back_to_their_owners() {
        let both = BySize::<Noting, Noting>::default();
        let sizes = [10, LARGE_BLOCK - 1, LARGE_BLOCK, 3 * LARGE_BLOCK, LARGE_BLOCK + 1, 100, 7];
        let layout = |size| Layout::from_size_align(size, 16).unwrap();
        let mut size = sizes[0];
        // SAFETY: blocks are used within their sizes, and given back once.
        unsafe {
            let mut block = both.alloc_zeroed(layout(size));
            for &next in &sizes[1..] {
                block.write_bytes(size as u8, size);
                block = both.realloc(block, layout(size), next);
                let kept = std::slice::from_raw_parts(block, size.min(next));
                assert!(kept.iter().all(|&byte| byte == size as u8), "{size} to {next}");
                let (small, large) = (both.small.0.borrow(), both.large.0.borrow());
                let owner = if next < LARGE_BLOCK { &small } else { &large };
                assert_eq!((owner.as_slice(), small.len() + large.len()), (&[next][..], 1));
                size = next;
            }
            both.dealloc(block, layout(size));
        }
        assert!(both.small.0.borrow().is_empty());
    }
}
