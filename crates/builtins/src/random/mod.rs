//! `rand` and `srand`: the numbers that gawk gives for the same seed.
//!
//! [`Random`] is for doubles; [`Twister`] is for arithmetic of any precision (`-M`), where gawk
//! asks GMP.

mod additive;
mod twister;

use additive::Additive;
pub use twister::Twister;

/// The source of random numbers of a run.
#[derive(Clone, Debug)]
pub struct Random {
    /// What `srand` returns next time.
    seed: i64,
    /// Made when the first number is asked for, since most programs never ask.
    generator: Option<Box<Additive>>,
}

impl Default for Random {
    fn default() -> Random {
        Random::new(1.0)
    }
}

impl Random {
    /// The sequence of this seed. As in C, its fraction is cut off, and what no 64-bit integer
    /// holds is the least of them.
    pub fn new(seed: f64) -> Random {
        const LIMIT: f64 = 9_223_372_036_854_775_808.0;
        let seed = if (-LIMIT..LIMIT).contains(&seed) { seed as i64 } else { i64::MIN };
        Random { seed, generator: None }
    }

    /// Starts the sequence of another seed; the seed before.
    pub fn reseed(&mut self, seed: f64) -> f64 {
        std::mem::replace(self, Random::new(seed)).seed as f64
    }

    /// The next number, at least 0 and below 1.
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
