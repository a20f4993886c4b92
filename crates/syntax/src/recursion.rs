//! Recursion along trees that may be 100,000 levels deep, on a stack that grows.

use std::cell::Cell;

/// Levels without a check of the stack: unoptimised they take some 20 KiB each, which fits in a
/// thread's 2 MiB. The first check of a thread may make the C library read the map of the process.
const UNASKED: u32 = 16;

/// Minimum free bytes of a stack: more than anything needs between two levels.
const RESERVE: usize = 64 * 1024;

const SEGMENT: usize = 4 * 1024 * 1024;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

struct Level(u32);

impl Level {
    fn enter() -> Self {
        let outer = DEPTH.get();
        DEPTH.set(outer.saturating_add(1));
        Self(outer)
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        DEPTH.set(self.0);
    }
}

/// Runs one level of a recursion, with room on the stack.
pub fn deep<R>(level: impl FnOnce() -> R) -> R {
    let entered = Level::enter();
    if entered.0 < UNASKED { level() } else { stacker::maybe_grow(RESERVE, SEGMENT, level) }
}

#[cfg(test)]
mod tests {
    use super::{DEPTH, deep};

    fn sum(n: u64) -> u64 {
        // Keeps the compiler from making this a loop, and fills the frame.
        let bytes = std::hint::black_box([1_u8; 512]);
        if n == 0 { 0 } else { deep(|| sum(n - 1)) + u64::from(bytes[n as usize % 512]) }
    }

    #[test]
    fn a_hundred_thousand_levels_find_room_on_a_small_stack() {
        let thread =
            std::thread::Builder::new().stack_size(256 * 1024).spawn(|| sum(100_000)).unwrap();
        assert_eq!(thread.join().unwrap(), 100_000);
    }

    #[test]
    fn levels_left_by_a_panic_are_not_counted() {
        let outcome =
            std::panic::catch_unwind(|| deep(|| deep(|| std::panic::resume_unwind(Box::new(())))));
        assert!(outcome.is_err());
        assert_eq!(DEPTH.get(), 0);
    }
}
