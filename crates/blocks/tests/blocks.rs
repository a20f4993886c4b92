//! The allocator under a whole program: this one.

use proptest::prelude::*;
use riverhawk_blocks::{Blocks, LARGE};
use std::alloc::{GlobalAlloc, Layout};

#[global_allocator]
static BLOCKS: Blocks = Blocks;

/// A byte for each place, different at different places.
fn byte_at(at: usize) -> u8 {
    (at ^ (at >> 8) ^ (at >> 16)) as u8
}

/// Places worth looking at in a block: its ends, and one in every page.
fn places(size: usize) -> impl Iterator<Item = usize> {
    (0..size).step_by(4093).chain(size.saturating_sub(3)..size)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_block_keeps_what_is_in_it_whatever_sizes_it_goes_through(
        sizes in proptest::collection::vec(
            prop_oneof![1usize..100, LARGE - 70_000..LARGE + 70_000, LARGE..5 * LARGE], 1..12),
        align in prop_oneof![Just(1usize), Just(16), Just(64), Just(4096), Just(4 << 20)],
    ) {
        let mut layout = Layout::from_size_align(sizes[0], align).unwrap();
        // SAFETY: the layout is always that of the block; only places within it are touched.
        unsafe {
            let mut block = BLOCKS.alloc_zeroed(layout);
            prop_assert!(places(layout.size()).all(|at| block.add(at).read() == 0));
            for &size in &sizes {
                places(layout.size()).for_each(|at| block.add(at).write(byte_at(at)));
                let both = size.min(layout.size());
                block = BLOCKS.realloc(block, layout, size);
                let written = places(layout.size()).filter(|&at| at < both);
                layout = Layout::from_size_align(size, align).unwrap();
                prop_assert!(!block.is_null() && block.addr().is_multiple_of(align));
                for at in written {
                    prop_assert_eq!(block.add(at).read(), byte_at(at));
                }
            }
            BLOCKS.dealloc(block, layout);
        }
    }
}

#[test]
fn several_large_blocks_grow_side_by_side() {
    let mut vectors = vec![Vec::new(); 3];
    for number in 0..3_000_000u64 {
        vectors[number as usize % 3].push(number);
    }
    for (which, vector) in vectors.iter().enumerate() {
        assert_eq!(vector.len(), 1_000_000);
        assert!((0..).zip(vector).all(|(at, &number)| number == at * 3 + which as u64));
    }
}

#[test]
fn a_size_that_cannot_be_had_is_refused() {
    let layout = Layout::from_size_align(isize::MAX as usize & !0xffff, 16).unwrap();
    // SAFETY: the layouts are those of the blocks.
    unsafe {
        assert!(BLOCKS.alloc(layout).is_null());
        let small = Layout::from_size_align(LARGE, 16).unwrap();
        let block = BLOCKS.alloc(small);
        block.write(7);
        assert!(BLOCKS.realloc(block, small, layout.size()).is_null());
        assert_eq!(block.read(), 7);
        BLOCKS.dealloc(block, small);
    }
}
