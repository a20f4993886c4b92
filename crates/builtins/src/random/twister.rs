//! The Mersenne Twister (MT19937, Matsumoto and Nishimura) with GMP's seeding: a power of the seed
//! modulo a prime gives 19,937 bits of state.

use riverhawk_precise::{Context, IBig, Number, UBig};

const WORDS: usize = 624;
const BITS: usize = 19_937;
/// The seed is reduced modulo 2^19937 - 20027, ...
const SEED_BELOW: u32 = 20_027;
/// ... 2 is added, and the power reduced modulo 2^19937 - 20023.
const PRIME_BELOW: u32 = 20_023;
const POWER: u32 = 1_074_888_996;
const DROPPED: usize = 2_000;

/// The state of one sequence.
#[derive(Clone, Debug)]
pub struct Twister {
    words: Vec<u32>,
    at: usize,
}

impl Twister {
    /// The sequence of a seed.
    pub fn new(seed: &IBig) -> Twister {
        // The power is even, so the sign does not matter.
        let magnitude = seed.clone().into_parts().1;
        let power = power_of(folded(magnitude, SEED_BELOW) + UBig::from(2u8));
        let bytes = power.to_le_bytes();
        let bit = |at: usize| bytes.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
        let word = |at: usize| {
            (0..32).fold(0, |word, place| word | u32::from(bit(32 * at + place)) << place)
        };
        // Only the highest bit of the first word counts.
        let mut words = vec![u32::from(bit(BITS - 1)) << 31];
        words.extend((0..WORDS - 1).map(word));
        let mut new = Twister { words, at: DROPPED % WORDS };
        for _ in 0..DROPPED / WORDS {
            new.twist();
        }
        new
    }

    /// As many bits as the precision.
    pub fn fraction(&mut self, context: &Context) -> Number {
        let bits = context.precision;
        // Lowest first.
        let mut words: Vec<u32> = (0..bits.div_ceil(32)).map(|_| self.word()).collect();
        if let Some(highest) = words.last_mut()
            && !bits.is_multiple_of(32)
        {
            *highest &= (1 << (bits % 32)) - 1;
        }
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Number::fraction(UBig::from_le_bytes(&bytes), context)
    }

    fn word(&mut self) -> u32 {
        if self.at == WORDS {
            self.twist();
            self.at = 0;
        }
        let mut word = self.words[self.at];
        self.at += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9D2C_5680;
        word ^= word << 15 & 0xEFC6_0000;
        word ^ word >> 18
    }

    fn twist(&mut self) {
        for at in 0..WORDS {
            let pair = self.words[at] & 1 << 31 | self.words[(at + 1) % WORDS] & !(1 << 31);
            let odd = if pair & 1 == 1 { 0x9908_B0DF } else { 0 };
            self.words[at] = self.words[(at + 397) % WORDS] ^ pair >> 1 ^ odd;
        }
    }
}

fn power_of(base: UBig) -> UBig {
    let mut power = UBig::ONE;
    for bit in (0..32 - POWER.leading_zeros()).rev() {
        power = folded(power.sqr(), PRIME_BELOW);
        if POWER >> bit & 1 == 1 {
            power = folded(power * &base, PRIME_BELOW);
        }
    }
    power
}

/// 2^19937 is `below`, so the bits above are folded down.
fn folded(mut number: UBig, below: u32) -> UBig {
    let mask = (UBig::ONE << BITS) - UBig::ONE;
    loop {
        let above = &number >> BITS;
        if above == UBig::ZERO {
            break;
        }
        number = (number & &mask) + above * UBig::from(below);
    }
    let modulus = (UBig::ONE << BITS) - UBig::from(below);
    if number >= modulus { number - modulus } else { number }
}
