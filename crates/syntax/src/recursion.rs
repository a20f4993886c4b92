//! Recursion along trees that may be 100,000 levels deep.

use std::cell::Cell;

/// Levels that need no question: the stack of a thread, 2 MiB and more, holds them whatever a level
/// takes (at most some 20 KiB, in builds that are not optimised). The first question of a thread
/// costs 30 microseconds where the C library reads the map of the process to answer it, and most
/// programs never come so deep.
const UNASKED: u32 = 16;

/// What is left of a stack when a further one is begun, in bytes: more than anything takes between
/// two levels.
const RESERVE: usize = 64 * 1024;

/// The size of each further stack, in bytes.
const SEGMENT: usize = 4 * 1024 * 1024;

thread_local! {
    /// Levels that this thread is in.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// A level that has been entered and not left.
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

/// Runs one level of a recursion, with room on the stack: what walks a tree calls itself through
/// this.
pub fn deep<R>(level: impl FnOnce() -> R) -> R {
    let entered = Level::enter();
    if entered.0 < UNASKED { level() } else { stacker::maybe_grow(RESERVE, SEGMENT, level) }
}

#[cfg(test)]
mod tests {
    use super::{DEPTH, deep};

    fn sum(n: u64) -> u64 {
        // What no compiler makes a loop of, and some bytes of frame.
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
