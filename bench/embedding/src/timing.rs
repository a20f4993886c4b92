//! The best of several rounds.

use std::time::Instant;

/// Seconds of one of `count` turns, in the best of five rounds.
pub fn best(count: u32, mut turn: impl FnMut()) -> f64 {
    let round = |_| {
        let begun = Instant::now();
        (0..count).for_each(|_| turn());
        begun.elapsed().as_secs_f64() / f64::from(count)
    };
    (0..5).map(round).fold(f64::INFINITY, f64::min)
}

/// Nanoseconds of a call: a loop with it against the same loop without, of `turns` turns each.
pub fn call(turns: f64, with: impl FnMut(), without: impl FnMut()) -> f64 {
    (best(1, with) - best(1, without)) / turns * 1e9
}
