//! Exact sums of doubles, in any order.
//!
//! As long as two doubles hold the sum exactly, it is kept as such a pair (Knuth's TwoSum; pairs are
//! enough for most columns of decimals). From then on it is a *superaccumulator*: an integer in units
//! of the least subnormal, in chunks of 64 bits which overlap by 32, so that carries are propagated
//! only once in many additions. The method is that of the small superaccumulator in Radford M. Neal,
//! "Fast Exact Summation Using Small and Large Superaccumulators", arXiv:1505.05571 (2015). It departs
//! from the paper in dividing each addend among three chunks instead of two: the parts have 32 bits, so
//! carries can wait for 2^30 additions instead of 2^11.

/// Doubles have bits from 2^-1074 to 2^1023, in 66 chunks; two more are for carries.
const CHUNKS: usize = 68;

/// Additions before carries are propagated: each adds less than 2^32 to a chunk of 2^63.
const MAX_PENDING: u32 = 1 << 30;

const CHUNK: i64 = 1 << 32;
const CHUNK_BITS: usize = 32;

/// The exact sum of doubles.
///
/// ```
/// use riverhawk_precise::ExactSum;
///
/// let mut sum = ExactSum::from(1e300);
/// for addend in [1.0, 0.1, -1e300] {
///     sum.add(addend);
/// }
/// assert_eq!(sum.to_f64(), 1.1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ExactSum(Form);

#[derive(Clone, Debug, PartialEq)]
enum Form {
    /// The rounded sum, and what is missing.
    Pair(f64, f64),
    Chunks(Box<Chunks>),
}

#[derive(Clone, Debug, PartialEq)]
struct Chunks {
    /// The sum is that of chunk k times 2^(32 k - 1074).
    chunks: [i64; CHUNKS],
    /// Additions since carries were propagated.
    pending: u32,
    /// The sum of the addends that were infinite or no numbers; 0 without any.
    special: f64,
}

impl Default for ExactSum {
    fn default() -> ExactSum {
        ExactSum::from(0.0)
    }
}

impl From<f64> for ExactSum {
    fn from(number: f64) -> ExactSum {
        let mut sum = ExactSum(Form::Pair(0.0, 0.0));
        sum.add(number);
        sum
    }
}

/// The rounded sum of two numbers and its error, exact if it is finite (Knuth, TAOCP 2, 4.2.2).
#[inline]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// The sum of two numbers if it is exact; a sum of zeros is positive.
#[inline]
pub fn exact_sum(a: f64, b: f64) -> Option<f64> {
    let (sum, error) = two_sum(a, b);
    // No number if the sum is not finite.
    (error == 0.0).then_some(sum + 0.0)
}

impl ExactSum {
    /// Adds a number. As in IEEE 754 sums, infinities of both signs make a NaN, here always the
    /// positive one.
    #[inline]
    pub fn add(&mut self, number: f64) {
        if let Form::Pair(sum, missing) = self.0 {
            let (first, second) = two_sum(sum, number);
            let (second, third) = two_sum(missing, second);
            let (sum, missing) = two_sum(first, second);
            // No numbers after an overflow.
            if third == 0.0 && missing.is_finite() {
                self.0 = Form::Pair(sum, missing);
                return;
            }
        }
        self.chunks().add(number);
    }

    /// Adds another sum.
    pub fn add_all(&mut self, other: &ExactSum) {
        match &other.0 {
            Form::Pair(sum, missing) => {
                self.add(*sum);
                self.add(*missing);
            }
            Form::Chunks(other) => self.chunks().add_all(other),
        }
    }

    /// The sum, rounded to the nearest double, of two as near to the even one. A sum of 0 is
    /// positive.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Form::Pair(sum, _) => sum + 0.0,
            Form::Chunks(chunks) => chunks.to_f64(),
        }
    }

    fn chunks(&mut self) -> &mut Chunks {
        if let Form::Pair(sum, missing) = self.0 {
            let mut chunks = Box::new(Chunks { chunks: [0; CHUNKS], pending: 0, special: 0.0 });
            chunks.add(sum);
            chunks.add(missing);
            self.0 = Form::Chunks(chunks);
        }
        match &mut self.0 {
            Form::Chunks(chunks) => chunks,
            Form::Pair(..) => unreachable!(),
        }
    }

    /// A form for other machines: two words of a pair; or of chunks the special addends, the sign, the
    /// number of the first chunk that is not zero, and the chunks from it on.
    pub fn words(&self) -> Vec<u64> {
        match &self.0 {
            Form::Pair(sum, missing) => vec![sum.to_bits(), missing.to_bits()],
            Form::Chunks(chunks) => {
                let (is_negative, chunks_of_size) = chunks.sign_and_size();
                let first = chunks_of_size.iter().position(|&chunk| chunk != 0).unwrap_or(0);
                let last = chunks_of_size.iter().rposition(|&chunk| chunk != 0).unwrap_or(0);
                let mut words =
                    vec![chunks.special.to_bits(), u64::from(is_negative), first as u64];
                words.extend(chunks_of_size[first..=last].iter().map(|&chunk| chunk as u64));
                words
            }
        }
    }

    /// The sum with these [`ExactSum::words`]; `None` if they are of none.
    pub fn from_words(words: &[u64]) -> Option<ExactSum> {
        if let [sum, missing] = *words {
            let (sum, missing) = (f64::from_bits(sum), f64::from_bits(missing));
            let is_pair = sum.is_finite() && missing.is_finite() && sum + missing == sum;
            return is_pair.then_some(ExactSum(Form::Pair(sum, missing)));
        }
        let [special, sign, first, ref given @ ..] = *words else { return None };
        let special = f64::from_bits(special);
        let first = usize::try_from(first).ok()?;
        let mut chunks = [0; CHUNKS];
        let room = chunks.get_mut(first..)?.get_mut(..given.len())?;
        if sign > 1 || given.iter().any(|&chunk| chunk >= CHUNK as u64) {
            return None;
        }
        for (chunk, &given) in room.iter_mut().zip(given) {
            *chunk = if sign == 1 { -(given as i64) } else { given as i64 };
        }
        let mut sum = Chunks { chunks, pending: 1, special: 0.0 };
        match special {
            0.0 => {}
            special if special.is_finite() => return None,
            special => sum.add_special(special),
        }
        Some(ExactSum(Form::Chunks(Box::new(sum))))
    }
}

impl Chunks {
    fn add(&mut self, number: f64) {
        if !number.is_finite() {
            self.add_special(number);
            return;
        }
        self.make_room();
        let bits = number.to_bits();
        let exponent = (bits >> 52) as usize & 0x7ff;
        let fraction = bits & ((1 << 52) - 1);
        // Subnormals have the exponent of the least normal numbers, without their leading bit.
        let (digits, place) = match exponent {
            0 => (fraction, 0),
            _ => (fraction | 1 << 52, exponent - 1),
        };
        let shifted = u128::from(digits) << (place % CHUNK_BITS);
        let first = place / CHUNK_BITS;
        for (at, chunk) in self.chunks[first..first + 3].iter_mut().enumerate() {
            let part = (shifted >> (CHUNK_BITS * at)) as u32;
            *chunk += if number.is_sign_negative() { -i64::from(part) } else { i64::from(part) };
        }
    }

    fn add_all(&mut self, other: &Chunks) {
        self.add_special(other.special);
        let mut other = other.chunks;
        propagate(&mut other);
        self.make_room();
        for (chunk, more) in self.chunks.iter_mut().zip(other) {
            *chunk += more;
        }
    }

    fn add_special(&mut self, number: f64) {
        self.special += number;
        // Whose sign the hardware gives it depends on the order.
        if self.special.is_nan() {
            self.special = f64::NAN;
        }
    }

    fn make_room(&mut self) {
        if self.pending >= MAX_PENDING {
            propagate(&mut self.chunks);
            self.pending = 1;
        }
        self.pending += 1;
    }

    /// Whether the sum is negative, and the chunks of its absolute value.
    fn sign_and_size(&self) -> (bool, [i64; CHUNKS]) {
        let mut chunks = self.chunks;
        propagate(&mut chunks);
        let is_negative = chunks[CHUNKS - 1] < 0;
        if is_negative {
            chunks.iter_mut().for_each(|chunk| *chunk = -*chunk);
            propagate(&mut chunks);
        }
        (is_negative, chunks)
    }

    fn to_f64(&self) -> f64 {
        if self.special != 0.0 {
            return self.special;
        }
        let (is_negative, chunks) = self.sign_and_size();
        let size = rounded(&chunks);
        if is_negative { -size } else { size }
    }
}

/// Makes every chunk one of 32 bits, apart from the last one, which has the sign.
fn propagate(chunks: &mut [i64; CHUNKS]) {
    let mut carry = 0;
    for chunk in &mut chunks[..CHUNKS - 1] {
        let sum = *chunk + carry;
        carry = sum.div_euclid(CHUNK);
        *chunk = sum.rem_euclid(CHUNK);
    }
    chunks[CHUNKS - 1] += carry;
}

/// The nearest double; the chunks have 32 bits each.
fn rounded(chunks: &[i64; CHUNKS]) -> f64 {
    let Some(top) = chunks.iter().rposition(|&chunk| chunk != 0) else { return 0.0 };
    // At least 65 bits, if there are as many.
    let lowest = top.saturating_sub(2);
    let bits = chunks[lowest..=top]
        .iter()
        .rev()
        .fold(0, |bits, &chunk| bits << CHUNK_BITS | chunk as u128);
    let length = (128 - bits.leading_zeros()) as usize;
    let cut = length.saturating_sub(53);
    let digits = (bits >> cut) as u64;
    let rest = bits & ((1 << cut) - 1);
    let half = 1 << cut >> 1;
    let is_more = chunks[..lowest].iter().any(|&chunk| chunk != 0);
    let rounds_up = cut > 0 && (rest > half || rest == half && (is_more || digits % 2 == 1));
    let place = (lowest * CHUNK_BITS + cut) as u64;
    // The leading bit of a normal number adds 1 to the exponent, which is 0 for subnormals; so does
    // a carry from rounding.
    let exponent = place.min(0x7ff) << 52;
    f64::from_bits((exponent + digits + u64::from(rounds_up)).min(f64::INFINITY.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carries_wait_no_longer_than_there_is_room() {
        let mut sum = ExactSum::from(f64::MAX);
        sum.add(f64::MAX);
        let chunks = sum.chunks();
        for _ in 0..3 {
            // As after so many small numbers.
            chunks.pending = MAX_PENDING;
            chunks.add(f64::MAX);
            assert_eq!(chunks.pending, 2);
            assert!(chunks.chunks.iter().all(|chunk| chunk.abs() < 2 * CHUNK));
        }
        for _ in 0..4 {
            chunks.add(-f64::MAX);
        }
        assert_eq!(sum.to_f64(), f64::MAX);
    }
}
