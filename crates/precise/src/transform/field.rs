//! Eight primes below 2^50, and residues modulo all of them at once.
//!
//! A residue is a double that is an integer, of whichever sign, not always the least in magnitude.
//! A product of two has a hundred bits: what a fused multiplication leaves below the rounded
//! product is known exactly, and so is what remains when the prime is taken from both as often
//! as it goes. Where a comment says how large a residue is, the unit is the prime.

/// Primes that leave 1 modulo 2^17.
pub(super) const PRIMES: [u64; 8] = [
    0x3_ffff_ffd2_0001,
    0x3_ffff_ffb8_0001,
    0x3_ffff_fed6_0001,
    0x3_ffff_fec8_0001,
    0x3_ffff_febe_0001,
    0x3_ffff_fea6_0001,
    0x3_ffff_fea4_0001,
    0x3_ffff_fe9e_0001,
];

/// For each a root of one of the order 2^17.
const ROOTS: [u64; 8] = [
    0x3_d39e_7226_a395,
    0x1_7b99_9d3c_b63e,
    0x0_72c9_f7d5_cc06,
    0x2_3375_5f23_172f,
    0x2_4978_e32b_400b,
    0x0_32c6_0d5c_4cc1,
    0x1_36d9_edd5_3fab,
    0x2_916c_8bbb_cd46,
];

const ROOT_ORDER: u32 = 17;

/// A residue for each prime.
pub(super) type Residues = [f64; 8];

/// A sum with this, and a difference again, rounds to an integer, of up to 51 bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

const MODULI: Residues = of_integers(PRIMES);

const INVERSES: Residues = {
    let mut inverses = MODULI;
    let mut at = 0;
    while at < 8 {
        inverses[at] = 1.0 / MODULI[at];
        at += 1;
    }
    inverses
};

const fn of_integers(integers: [u64; 8]) -> Residues {
    let mut residues = [0.0; 8];
    let mut at = 0;
    while at < 8 {
        residues[at] = integers[at] as f64;
        at += 1;
    }
    residues
}

/// What is most often done, a lane for each prime.
macro_rules! lanes {
    ($at:ident => $lane:expr) => {{
        let mut out = [0.0; 8];
        for $at in 0..8 {
            out[$at] = $lane;
        }
        out
    }};
}

#[inline(always)]
pub(super) fn add(a: &Residues, b: &Residues) -> Residues {
    lanes!(at => a[at] + b[at])
}

#[inline(always)]
pub(super) fn sub(a: &Residues, b: &Residues) -> Residues {
    lanes!(at => a[at] - b[at])
}

/// The same to within half the prime, of what is below 4.
#[inline(always)]
pub(super) fn reduced(a: &Residues) -> Residues {
    lanes!(at => {
        let times = a[at].mul_add(INVERSES[at], ROUND) - ROUND;
        times.mul_add(-MODULI[at], a[at])
    })
}

/// `a * b`, where `a` is below 4 and `b` below a half: below a half and an eighth of `a`.
#[inline(always)]
pub(super) fn mul(a: &Residues, b: &Residues) -> Residues {
    lanes!(at => {
        let high = a[at] * b[at];
        let low = a[at].mul_add(b[at], -high);
        let times = high.mul_add(INVERSES[at], ROUND) - ROUND;
        times.mul_add(-MODULI[at], high) + low
    })
}

/// `a * b` from 0 to the prime, which it may be.
#[inline(always)]
pub(super) fn mul_positive(a: &Residues, b: &Residues) -> Residues {
    let product = mul(a, b);
    let rest = reduced(&product);
    lanes!(at => if rest[at] < 0.0 { rest[at] + MODULI[at] } else { rest[at] })
}

/// A sum of the residues over their primes.
#[inline(always)]
pub(super) fn sum_of_quotients(a: &Residues) -> f64 {
    let parts = lanes!(at => a[at] * INVERSES[at]);
    ((parts[0] + parts[1]) + (parts[2] + parts[3]))
        + ((parts[4] + parts[5]) + (parts[6] + parts[7]))
}

const fn mul_mod(a: u64, b: u64, prime: u64) -> u64 {
    ((a as u128 * b as u128) % prime as u128) as u64
}

const fn power_mod(base: u64, mut exponent: u64, prime: u64) -> u64 {
    let (mut base, mut power) = (base, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = mul_mod(power, base, prime);
        }
        base = mul_mod(base, base, prime);
        exponent >>= 1;
    }
    power
}

/// The least in magnitude.
const fn centred(residue: u64, prime: u64) -> f64 {
    if residue > prime / 2 { -((prime - residue) as f64) } else { residue as f64 }
}

/// `2^exponent`.
pub(super) const fn power_of_two(exponent: u64) -> Residues {
    let mut residues = [0.0; 8];
    let mut at = 0;
    while at < 8 {
        residues[at] = centred(power_mod(2, exponent, PRIMES[at]), PRIMES[at]);
        at += 1;
    }
    residues
}

/// A root of one of the order `2^order`.
fn root(order: u32) -> Residues {
    let mut residues = [0.0; 8];
    for (at, residue) in residues.iter_mut().enumerate() {
        let root = power_mod(ROOTS[at], 1 << (ROOT_ORDER - order), PRIMES[at]);
        *residue = centred(root, PRIMES[at]);
    }
    residues
}

/// For each prime one over the product of the others, and over 2^order.
pub(super) const SCALES: [Residues; ROOT_ORDER as usize] = {
    let mut scales = [[0.0; 8]; ROOT_ORDER as usize];
    let mut at = 0;
    while at < 8 {
        let prime = PRIMES[at];
        let (mut others, mut other) = (1, 0);
        while other < 8 {
            if other != at {
                others = mul_mod(others, PRIMES[other] % prime, prime);
            }
            other += 1;
        }
        let mut scale = power_mod(others, prime - 2, prime);
        let mut order = 0;
        while order < ROOT_ORDER as usize {
            scales[order][at] = centred(scale, prime);
            // An odd one is even with the prime.
            scale = if scale.is_multiple_of(2) { scale / 2 } else { (scale + prime) / 2 };
            order += 1;
        }
        at += 1;
    }
    scales
};

/// Lets a table of roots grow to so many: that at j is a turn's part e(j), where e(0) = 0, e(2j) =
/// e(j)/2 and e(2j+1) = e(j)/2 + 1/4.
pub(super) fn roots(table: &mut Vec<Residues>, count: usize) {
    if table.is_empty() {
        table.push([1.0; 8]);
    }
    while table.len() < count {
        // The second half is the first, turned further.
        let turn = root(table.len().ilog2() + 2);
        let more: Vec<Residues> = table.iter().map(|root| reduced(&mul(root, &turn))).collect();
        table.extend(more);
    }
}

/// The product of the primes without one of them: 350 bits.
pub(super) const OTHERS: [[u64; 6]; 8] = {
    let mut others = [[0; 6]; 8];
    let mut at = 0;
    while at < 8 {
        let mut product = [0; 7];
        product[0] = 1;
        let mut factor = 0;
        while factor < 8 {
            if factor != at {
                product = mul_small(product, PRIMES[factor]);
            }
            factor += 1;
        }
        let mut word = 0;
        while word < 6 {
            others[at][word] = product[word];
            word += 1;
        }
        at += 1;
    }
    others
};

/// The multiples of the product of all primes, which has 400 bits.
pub(super) const MULTIPLES: [[u64; 7]; 9] = {
    let mut multiples = [[0; 7]; 9];
    let mut times = 0;
    while times < 9 {
        let mut product = [0; 7];
        product[0] = times as u64;
        let mut factor = 0;
        while factor < 8 {
            product = mul_small(product, PRIMES[factor]);
            factor += 1;
        }
        multiples[times] = product;
        times += 1;
    }
    multiples
};

const fn mul_small(words: [u64; 7], by: u64) -> [u64; 7] {
    let mut out = words;
    let (mut carry, mut at) = (0u128, 0);
    while at < 7 {
        let sum = out[at] as u128 * by as u128 + carry;
        out[at] = sum as u64;
        carry = sum >> 64;
        at += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(residue: f64, prime: u64) -> u64 {
        (residue as i64).rem_euclid(prime as i64) as u64
    }

    #[test]
    fn primes_are_primes_and_roots_have_their_order() {
        for (&prime, &root) in PRIMES.iter().zip(&ROOTS) {
            assert_eq!(prime % (1 << ROOT_ORDER), 1);
            assert!(prime < 1 << 50);
            // Fermat's test for some bases.
            for base in [2, 3, 5, 7, 11, 13] {
                assert_eq!(power_mod(base, prime - 1, prime), 1);
            }
            assert_eq!(power_mod(root, 1 << (ROOT_ORDER - 1), prime), prime - 1);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        #[test]
        fn products_of_residues_are_those_of_integers(a in -4.0f64..4.0, b in -0.5f64..0.5) {
            for (at, &prime) in PRIMES.iter().enumerate() {
                let (x, y) = ((a * prime as f64).trunc(), (b * prime as f64).trunc());
                let product = mul(&[x; 8], &[y; 8])[at];
                let exact = mul_mod(value(x, prime), value(y, prime), prime);
                prop_assert_eq!(value(product, prime), exact);
                prop_assert!(product.abs() <= (0.5 + a.abs() / 8.0) * prime as f64);
                let least = reduced(&[x; 8])[at];
                prop_assert_eq!(value(least, prime), value(x, prime));
                prop_assert!(least.abs() <= 0.5 * prime as f64 + 1.0);
                let positive = mul_positive(&[x; 8], &[y; 8])[at];
                prop_assert!((0.0..=prime as f64).contains(&positive) && value(positive, prime) == exact);
            }
        }
    }
}
