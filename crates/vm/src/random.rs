//! `rand` and `srand`: xoshiro256** by Blackman and Vigna, seeded through SplitMix64, so that a seed gives the same sequence
//! everywhere and every start without `srand` gives the same one too, as POSIX asks.

/// A source of random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
    /// What `srand` returns next time.
    seed: f64,
}

impl Default for Random {
    fn default() -> Random {
        // gawk and onetrue-awk begin with seed 1.
        Random::new(1.0)
    }
}

impl Random {
    /// The sequence of this seed, of which the whole part counts, as in gawk.
    pub fn new(seed: f64) -> Random {
        let seed = seed.trunc();
        let mut mixed = seed as i64 as u64;
        let state = std::array::from_fn(|_| {
            mixed = mixed.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut word = mixed;
            word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            word ^ (word >> 31)
        });
        Random { state, seed }
    }

    /// Starts the sequence of another seed; the seed before.
    pub fn reseed(&mut self, seed: f64) -> f64 {
        let before = self.seed;
        *self = Random::new(seed);
        before
    }

    /// The next number, at least 0 and below 1, with 53 random bits.
    #[inline]
    pub fn next(&mut self) -> f64 {
        (self.next_word() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_word(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let word = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_at_least_zero_and_below_one_and_evenly_spread() {
        let mut random = Random::default();
        let mut tenths = [0; 10];
        for _ in 0..100_000 {
            let number = random.next();
            assert!((0.0..1.0).contains(&number));
            tenths[(number * 10.0) as usize] += 1;
        }
        assert!(tenths.iter().all(|&count| (9_500..10_500).contains(&count)), "{tenths:?}");
    }

    #[test]
    fn a_seed_gives_its_sequence_again_and_the_seed_before_is_returned() {
        let mut random = Random::default();
        let first: Vec<f64> = (0..5).map(|_| random.next()).collect();
        assert_eq!(random.reseed(42.0), 1.0);
        let other: Vec<f64> = (0..5).map(|_| random.next()).collect();
        assert_eq!(random.reseed(1.0), 42.0);
        let again: Vec<f64> = (0..5).map(|_| random.next()).collect();
        assert_eq!(first, again);
        assert_ne!(first, other);
    }
}
