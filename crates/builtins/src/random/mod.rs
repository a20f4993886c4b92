//! `rand` and `srand`, with gawk's numbers for each seed.
//!
//! [`Random`] gives doubles, [`Twister`] any precision (`-M`), like GMP in gawk.

mod additive;
mod twister;

use additive::Additive;
pub use twister::Twister;

/// A run's source of random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    /// Returned by the next `srand`.
    seed: i64,
    /// Most programs need none.
    generator: Option<Box<Additive>>,
}

impl Default for Random {
    fn default() -> Random {
        Random::new(1.0)
    }
}

impl Random {
    /// As in C, the fraction is cut off, and what does not fit an `i64` becomes its minimum.
    pub fn new(seed: f64) -> Random {
        const LIMIT: f64 = 9_223_372_036_854_775_808.0;
        let seed = if (-LIMIT..LIMIT).contains(&seed) { seed as i64 } else { i64::MIN };
        Random { seed, generator: None }
    }

    /// Starts the sequence of another seed; returns the old one.
    pub fn reseed(&mut self, seed: f64) -> f64 {
        std::mem::replace(self, Random::new(seed)).seed as f64
    }

    /// The next number in [0, 1).
    #[inline]
    pub fn draw(&mut self) -> f64 {
        let seed = self.seed;
        self.generator.get_or_insert_with(|| Box::new(Additive::new(seed as u32))).fraction()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_its_sequence_again_and_the_seed_before_is_returned() {
        let mut random = Random::default();
        let first: Vec<f64> = (0..5).map(|_| random.draw()).collect();
        assert_eq!(random.reseed(42.0), 1.0);
        let other: Vec<f64> = (0..5).map(|_| random.draw()).collect();
        assert_eq!(random.reseed(1.0), 42.0);
        let again: Vec<f64> = (0..5).map(|_| random.draw()).collect();
        assert_eq!(first, again);
        assert_ne!(first, other);
    }
}
