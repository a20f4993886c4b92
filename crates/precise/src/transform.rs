//! Products of thousands of words: as products of polynomials, which are products of their values,
//! by transforms modulo eight primes at once.
//!
//! Three words are a coefficient, and its residues fill a register of eight doubles (or two of
//! four), so that all of a transform is done
//! in whole registers. After D. Harvey, "Faster arithmetic for number-theoretic transforms" (2014),
//! and the `fft_small` of FLINT for arithmetic of residues with fused multiplications. It needs FMA
//! with AVX2, or AVX-512; who has neither goes on with Karatsuba's algorithm.

mod butterflies;
mod field;
mod pieces;

use field::Residues;
use pieces::PIECE;
use std::cell::RefCell;

/// The most words of the shorter factor.
pub(crate) const LONGEST: usize = PIECE << 15;

/// The longest transform: so long is the table of roots, at two words for each of its 2^15 times
/// eight residues.
const LONGEST_TRANSFORM: usize = 1 << 16;

thread_local! {
    static DESK: RefCell<Desk> = const { RefCell::new(Desk { roots: Vec::new(), first: Vec::new(), second: Vec::new() }) };
}

/// Tables and working memory, kept from one product to the next.
struct Desk {
    roots: Vec<Residues>,
    first: Vec<Residues>,
    second: Vec<Residues>,
}

impl Desk {
    /// Gives back what would be much to keep: more than 4 MiB.
    fn tidy(&mut self) {
        if self.first.len() > 1 << 15 {
            (self.first, self.second) = (Vec::new(), Vec::new());
        }
    }
}

/// Whether there are such products on this machine, and with so many words.
pub(crate) fn can(a: usize, b: usize) -> bool {
    a.min(b) <= LONGEST
        && a.div_ceil(PIECE) + b.div_ceil(PIECE) <= LONGEST_TRANSFORM
        && x86::kind().is_some()
}

/// `out = a * b`, which has as many words as both together; of the same slice it is a square. To be
/// asked only if one [`can`].
pub(crate) fn multiply(out: &mut [u64], a: &[u64], b: &[u64]) {
    let (len, eighths) = size_for(a.len().div_ceil(PIECE) + b.len().div_ceil(PIECE));
    // The way back is times half the length, and where both halves are whole, times all of it.
    let order = len.ilog2() as usize - usize::from(eighths < 8);
    let job = Job { eighths, scale: field::SCALES[order], is_square: std::ptr::eq(a, b) };
    DESK.with_borrow_mut(|desk| {
        field::roots(&mut desk.roots, len / 2);
        let (first, second) = (
            room(&mut desk.first, len),
            room(&mut desk.second, if job.is_square { 0 } else { len }),
        );
        x86::run(&job, out, (a, first), (b, second), &desk.roots);
        desk.tidy();
    });
}

/// So much of it; what was in it does not count.
fn room(desk: &mut Vec<Residues>, len: usize) -> &mut [Residues] {
    if desk.len() < len {
        *desk = vec![[0.0; 8]; len];
    }
    &mut desk[..len]
}

/// The length of a transform that gives so many coefficients, a power of two, and how many eighths
/// of it are needed: from five to eight.
fn size_for(pieces: usize) -> (usize, usize) {
    let len = pieces.next_power_of_two().max(16);
    (len, pieces.div_ceil(len / 8).max(5))
}

/// What is the same for all kinds of registers.
struct Job {
    eighths: usize,
    scale: Residues,
    is_square: bool,
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use super::Job;
    use super::field::Residues;
    use std::arch::is_x86_feature_detected;

    /// The registers there are.
    #[derive(Clone, Copy)]
    pub(super) enum Kind {
        Wide,
        Narrow,
    }

    #[inline]
    pub(super) fn kind() -> Option<Kind> {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("bmi2") {
            Some(Kind::Wide)
        } else if is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi2")
        {
            Some(Kind::Narrow)
        } else {
            None
        }
    }

    type Side<'a> = (&'a [u64], &'a mut [Residues]);

    pub(super) fn run(job: &Job, out: &mut [u64], a: Side<'_>, b: Side<'_>, roots: &[Residues]) {
        match kind() {
            // SAFETY: The CPU has what the function is compiled for, which is what `kind` has
            // asked.
            Some(Kind::Wide) => unsafe { wide::product(job, out, a, b, roots) },
            // SAFETY: As above.
            Some(Kind::Narrow) => unsafe { narrow::product(job, out, a, b, roots) },
            None => {}
        }
    }

    /// All of a product, compiled for one kind of registers.
    macro_rules! compiled_for {
        ($name:ident, $features:literal) => {
            mod $name {
                use super::super::butterflies::{
                    join, join_top, join_twice, split_once, split_top, split_twice, upper_blocks,
                };
                use super::super::field::{Residues, mul, reduced};
                use super::super::pieces::{put_together, take_apart};
                use super::{Job, Side};

                #[target_feature(enable = $features)]
                pub(super) fn product(
                    job: &Job,
                    out: &mut [u64],
                    a: Side<'_>,
                    b: Side<'_>,
                    roots: &[Residues],
                ) {
                    let x = a.1;
                    there(job, x, a.0, roots);
                    if job.is_square {
                        for x in x.iter_mut() {
                            *x = mul(x, &reduced(x));
                        }
                    } else {
                        there(job, b.1, b.0, roots);
                        for (x, y) in x.iter_mut().zip(b.1) {
                            *x = mul(x, &reduced(y));
                        }
                    }
                    back(job, x, roots);
                    put_together(out, x, &job.scale);
                }

                /// From words to values.
                #[target_feature(enable = $features)]
                fn there(job: &Job, x: &mut [Residues], words: &[u64], roots: &[Residues]) {
                    take_apart(x, words);
                    split_top(x, roots, job.eighths);
                    let half = x.len() / 2;
                    forward(&mut x[..half], roots, 0);
                    for (place, node) in upper_blocks(2 * half, job.eighths).into_iter().flatten() {
                        forward(&mut x[place], roots, node);
                    }
                }

                /// From values to coefficients, times half the length, or all of it if all of it is
                /// needed.
                #[target_feature(enable = $features)]
                fn back(job: &Job, x: &mut [Residues], roots: &[Residues]) {
                    let half = x.len() / 2;
                    inverse(&mut x[..half], roots, 0);
                    for (place, node) in upper_blocks(2 * half, job.eighths).into_iter().flatten() {
                        inverse(&mut x[place], roots, node);
                    }
                    join_top(x, roots, job.eighths);
                }

                /// Depth first: so that a block that fits in a cache stays there.
                #[target_feature(enable = $features)]
                fn forward(x: &mut [Residues], roots: &[Residues], node: usize) {
                    match x.len() {
                        ..=1 => {}
                        2 => split_once(x, roots, node),
                        len => {
                            split_twice(x, [&roots[node], &roots[2 * node], &roots[2 * node + 1]]);
                            if len > 4 {
                                for (x, node) in x.chunks_exact_mut(len / 4).zip(4 * node..) {
                                    forward(x, roots, node);
                                }
                            }
                        }
                    }
                }

                #[target_feature(enable = $features)]
                fn inverse(x: &mut [Residues], roots: &[Residues], node: usize) {
                    match x.len() {
                        ..=1 => {}
                        2 => join(x, roots, node),
                        len => {
                            if len > 4 {
                                for (x, node) in x.chunks_exact_mut(len / 4).zip(4 * node..) {
                                    inverse(x, roots, node);
                                }
                            }
                            join_twice(x, roots, node);
                        }
                    }
                }
            }
        };
    }

    compiled_for!(wide, "avx512f,bmi2");
    compiled_for!(narrow, "avx2,fma,bmi2");
}

#[cfg(not(target_arch = "x86_64"))]
mod x86 {
    use super::Job;
    use super::field::Residues;

    pub(super) fn kind() -> Option<()> {
        None
    }

    pub(super) fn run(
        _: &Job,
        _: &mut [u64],
        _: (&[u64], &mut [Residues]),
        _: (&[u64], &mut [Residues]),
        _: &[Residues],
    ) {
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::tests::words;
    use dashu_int::UBig;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn products_and_squares_are_those_of_large_integers(a in words(1..700), b in words(1..300), ones: bool) {
            if !can(a.len(), b.len()) {
                return Ok(());
            }
            let (a, b) = if ones { (vec![u64::MAX; a.len()], vec![u64::MAX; b.len()]) } else { (a, b) };
            let (x, y) = (UBig::from_words(&a), UBig::from_words(&b));
            let mut out = vec![7; a.len() + b.len()];
            multiply(&mut out, &a, &b);
            prop_assert_eq!(UBig::from_words(&out), &x * &y);
            let mut out = vec![7; 2 * a.len()];
            multiply(&mut out, &a, &a);
            prop_assert_eq!(UBig::from_words(&out), x.sqr());
        }
    }

    #[test]
    fn the_longest_coefficients_fit() {
        let len = LONGEST;
        if !can(len, len) {
            return;
        }
        let a = vec![u64::MAX; len];
        let mut out = vec![0; 2 * len];
        multiply(&mut out, &a, &a);
        // (2^n - 1)^2 = 2^2n - 2^(n+1) + 1.
        assert_eq!((out[0], out[len]), (1, u64::MAX - 1));
        assert!(
            out[1..len].iter().all(|&word| word == 0)
                && out[len + 1..].iter().all(|&word| word == u64::MAX)
        );
    }
}
