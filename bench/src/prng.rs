//! SplitMix64: the data is the same on every machine and in every release.

/// A pseudo-random stream (Steele, Lea, Flood 2014).
pub struct Prng(u64);

impl Prng {
    /// Each data file has its own seed, so that adding a file changes no other.
    pub fn new(seed: u64) -> Self {
        Prng(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below `bound`, by multiplication (the bias is under 2^-32 for our bounds).
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// Uniform.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    /// Below `bound`, small numbers far more likely, as words and addresses in real files.
    pub fn skewed(&mut self, bound: u64) -> u64 {
        let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        // bound^u - 1 is log-uniform, which is Zipf's law with exponent 1.
        let rank = (bound as f64).powf(unit) as u64;
        rank.saturating_sub(1).min(bound - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Prng;

    #[test]
    fn the_stream_is_the_published_one() {
        // First outputs for seed 1234567, from the reference C code.
        let mut prng = Prng::new(1_234_567);
        assert_eq!(prng.next(), 6_457_827_717_110_365_317);
        assert_eq!(prng.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn draws_stay_in_bounds_and_reach_both_ends() {
        let mut prng = Prng::new(7);
        let draws: Vec<u64> = (0..2_000).map(|_| prng.between(3, 5)).collect();
        assert_eq!(draws.iter().min(), Some(&3));
        assert_eq!(draws.iter().max(), Some(&5));
        assert!((0..2_000).all(|_| prng.skewed(10) < 10));
    }

    #[test]
    fn skewed_draws_prefer_small_numbers() {
        let mut prng = Prng::new(7);
        let small = (0..1_000).filter(|_| prng.skewed(10_000) < 100).count();
        assert!(small > 400, "about half are in the first hundredth: {small}");
    }
}
