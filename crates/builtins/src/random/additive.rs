//! The additive feedback generator of BSD's `random(3)`, `x[n] = x[n - 63] + x[n - 1]` modulo 2^32,
//! with a Bays-Durham shuffle.
//!
//! The 63 words begin as powers of 16807 modulo 2^31 - 1 (Park and Miller). A draw takes the
//! table's entry selected by the draw before, and replaces it by the next output.

/// The degree of the generator's polynomial x^63 + x + 1.
const DEGREE: usize = 63;
const SHUFFLED: usize = 512;
const DROPPED: usize = 10 * DEGREE;

/// The state of one sequence.
#[derive(Clone, Debug)]
pub struct Additive {
    words: [u32; DEGREE],
    at: usize,
    newest: u32,
    table: [u32; SHUFFLED],
    /// Its low bits index the table.
    last: u32,
}

impl Additive {
    pub fn new(seed: u32) -> Additive {
        let mut word = seed;
        let words = std::array::from_fn(|at| {
            if at > 0 {
                word = park_miller(word);
            }
            word
        });
        let mut new = Additive { words, at: 1, newest: seed, table: [0; SHUFFLED], last: 0 };
        for at in 0..SHUFFLED {
            new.table[at] = new.output();
        }
        new.last = new.output();
        for _ in 0..DROPPED {
            new.draw();
        }
        new
    }

    /// Before shuffling.
    #[inline]
    fn output(&mut self) -> u32 {
        let word = &mut self.words[self.at];
        *word = word.wrapping_add(self.newest);
        self.newest = *word;
        self.at = if self.at == DEGREE - 1 { 0 } else { self.at + 1 };
        self.newest >> 1
    }

    #[inline]
    fn draw(&mut self) -> u32 {
        let place = self.last as usize % SHUFFLED;
        self.last = self.table[place];
        self.table[place] = self.output();
        self.last
    }

    /// The next number in [0, 1), from two draws.
    #[inline]
    pub fn fraction(&mut self) -> f64 {
        const UNIT: f64 = 1.0 / (1u64 << 31) as f64;
        loop {
            let low = f64::from(self.draw());
            let high = f64::from(self.draw());
            // Drops bits below 2^-53; the sum may round to 1.
            let number = 0.5 + (low * UNIT + high) * UNIT - 0.5;
            if number < 1.0 {
                return number;
            }
        }
    }
}

/// 16807 times a signed word modulo 2^31 - 1, by Schrage's method.
fn park_miller(word: u32) -> u32 {
    let word = if word == 0 { 123_459_876 } else { word as i32 };
    let next = 16_807 * (word % 127_773) - 2_836 * (word / 127_773);
    (if next < 0 { next + 0x7FFF_FFFF } else { next }) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_at_least_zero_and_below_one_and_evenly_spread() {
        let mut generator = Additive::new(1);
        let mut tenths = [0; 10];
        for _ in 0..100_000 {
            let number = generator.fraction();
            assert!((0.0..1.0).contains(&number));
            tenths[(number * 10.0) as usize] += 1;
        }
        assert!(tenths.iter().all(|&count| (9_500..10_500).contains(&count)), "{tenths:?}");
    }
}
