//! Transforms: from the coefficients of a polynomial to its values at roots of one, and back.
//!
//! A polynomial modulo x^2m - w^2 is split into what it is modulo x^m - w and x^m + w, and each of
//! these again; two such steps are one pass over the numbers (a radix of four). So the values come
//! in the order in which the table has the roots, which is that of reversed bits: the node j
//! has the children 2j and 2j + 1, and its w is the root at j, whatever the size. No number ever
//! changes its place.
//!
//! Results whose length is not a power of two are known by fewer values: those of the first half of
//! the nodes, and of one, two or three quarters of the other half (a transform that is cut short,
//! after van der Hoeven).

use super::field::{Residues, add, mul, power_of_two, reduced, sub};

/// One half.
const HALF: Residues = {
    let mut half = power_of_two(49);
    let mut at = 0;
    while at < 8 {
        half[at] = (super::field::PRIMES[at] / 2 + 1) as f64 - super::field::PRIMES[at] as f64;
        at += 1;
    }
    half
};

/// The two halves of a block: (a, b) becomes (a + w b, a - w b).
#[inline(always)]
fn split(x: &mut [Residues], w: &Residues) {
    let (low, high) = x.split_at_mut(x.len() / 2);
    for (a, b) in low.iter_mut().zip(high) {
        let (first, second) = (reduced(a), mul(b, w));
        (*a, *b) = (add(&first, &second), sub(&first, &second));
    }
}

/// Two splits, into quarters. What comes in and goes out is below 2.4.
#[inline(always)]
pub(super) fn split_twice(x: &mut [Residues], w: [&Residues; 3]) {
    let quarter = x.len() / 4;
    let (low, high) = x.split_at_mut(2 * quarter);
    let ((x0, x1), (x2, x3)) = (low.split_at_mut(quarter), high.split_at_mut(quarter));
    for (((x0, x1), x2), x3) in x0.iter_mut().zip(x1).zip(x2).zip(x3) {
        let (a, b) = (mul(x2, w[0]), mul(x3, w[0]));
        let first = reduced(x0);
        let (y0, y2) = (add(&first, &a), sub(&first, &a));
        let (y1, y3) = (mul(&add(x1, &b), w[1]), mul(&sub(x1, &b), w[2]));
        (*x0, *x1) = (add(&y0, &y1), sub(&y0, &y1));
        (*x2, *x3) = (add(&y2, &y3), sub(&y2, &y3));
    }
}

/// One over the root at a place, with the other sign, which the differences that are multiplied by
/// it have too: the mirror image among those that came into the table with it.
#[inline(always)]
fn mirrored(roots: &[Residues], at: usize) -> Residues {
    match at {
        0 => [-1.0; 8],
        _ => roots[3 * (1 << at.ilog2()) - 1 - at],
    }
}

/// The opposite of [`split_twice`], and four times that. What comes in and goes out is below 2.
#[inline(always)]
pub(super) fn join_twice(x: &mut [Residues], roots: &[Residues], node: usize) {
    let quarter = x.len() / 4;
    let (w1, w2, w3) =
        (mirrored(roots, node), mirrored(roots, 2 * node), mirrored(roots, 2 * node + 1));
    let (low, high) = x.split_at_mut(2 * quarter);
    let ((x0, x1), (x2, x3)) = (low.split_at_mut(quarter), high.split_at_mut(quarter));
    for (((x0, x1), x2), x3) in x0.iter_mut().zip(x1).zip(x2).zip(x3) {
        let (y0, y1) = (reduced(&add(x0, x1)), mul(&sub(x1, x0), &w2));
        let (y2, y3) = (reduced(&add(x2, x3)), mul(&sub(x3, x2), &w3));
        (*x0, *x1) = (add(&y0, &y2), add(&y1, &y3));
        (*x2, *x3) = (mul(&sub(&y2, &y0), &w1), mul(&sub(&y3, &y1), &w1));
    }
}

/// The opposite of [`split`], twice.
#[inline(always)]
pub(super) fn join(x: &mut [Residues], roots: &[Residues], node: usize) {
    let w = mirrored(roots, node);
    let (low, high) = x.split_at_mut(x.len() / 2);
    for (a, b) in low.iter_mut().zip(high) {
        (*a, *b) = (reduced(&add(a, b)), mul(&sub(b, a), &w));
    }
}

#[inline(always)]
pub(super) fn split_once(x: &mut [Residues], roots: &[Residues], node: usize) {
    split(x, &roots[node]);
}

/// What a result of five, six or seven eighths needs of the upper half: the places of the blocks,
/// and their nodes.
pub(super) fn upper_blocks(
    len: usize,
    eighths: usize,
) -> [Option<(std::ops::Range<usize>, usize)>; 2] {
    let eighth = len / 8;
    match eighths {
        5 => [Some((4 * eighth..5 * eighth, 4)), None],
        6 => [Some((4 * eighth..6 * eighth, 2)), None],
        7 => [Some((4 * eighth..6 * eighth, 2)), Some((6 * eighth..7 * eighth, 6))],
        _ => [Some((4 * eighth..8 * eighth, 1)), None],
    }
}

/// The first steps of a transform, down to the half with the node 0 and the blocks of
/// [`upper_blocks`]. What comes in is below a half.
#[inline(always)]
pub(super) fn split_top(x: &mut [Residues], roots: &[Residues], eighths: usize) {
    split(x, &roots[0]);
    let half = x.len() / 2;
    let upper = &mut x[half..];
    if eighths < 8 {
        split(upper, &roots[1]);
        let (low, high) = upper.split_at_mut(half / 2);
        if eighths == 5 {
            split(low, &roots[2]);
        }
        if eighths == 7 {
            split(high, &roots[3]);
        }
    }
}

/// The last steps of the way back, from the half and the blocks, each times its own length; all is
/// times half the length in the end.
#[inline(always)]
pub(super) fn join_top(x: &mut [Residues], roots: &[Residues], eighths: usize) {
    let eighth = x.len() / 8;
    let (half, upper) = x.split_at_mut(4 * eighth);
    match eighths {
        5 => {
            // c = A + (x^4m - 1) D, where x^m = s makes x^4m = -1: D is half of A(s) - B, and B has
            // a fourth of the factor.
            let s = &roots[2];
            for at in 0..eighth {
                let mut a = [[0.0; 8]; 4];
                for (part, a) in a.iter_mut().enumerate() {
                    *a = reduced(&half[part * eighth + at]);
                }
                let inner = add(&a[2], &mul(&a[3], s));
                let inner = add(&a[1], &mul(&inner, s));
                let value = add(&a[0], &mul(&inner, s));
                let b = reduced(&upper[at]);
                let b = reduced(&add(&add(&b, &b), &add(&b, &b)));
                let d = mul(&sub(&value, &b), &HALF);
                half[at] = sub(&a[0], &d);
                upper[at] = d;
            }
        }
        6 | 7 => {
            // x^2m = i: D is half of A(i) - B, of two eighths.
            for at in 0..2 * eighth {
                let a = reduced(&half[at]);
                let value = add(&a, &mul(&half[2 * eighth + at], &roots[1]));
                let b = reduced(&upper[at]);
                let d = mul(&sub(&value, &add(&b, &b)), &HALF);
                half[at] = sub(&a, &d);
                upper[at] = d;
            }
            if eighths == 7 {
                // c = C + (x^4m - 1)(x^2m - i) D, where x^m = u makes x^2m = -i: D is (B - C(u)) /
                // 4i.
                let u = &roots[3];
                let quarter = mul(&HALF, &HALF);
                let over = mul(&mul(&roots[1], &quarter), &[-1.0; 8]);
                let over = reduced(&over);
                for at in 0..eighth {
                    let mut c = [[0.0; 8]; 6];
                    for (part, c) in c.iter_mut().enumerate() {
                        let from = if part < 4 {
                            &half[part * eighth + at]
                        } else {
                            &upper[(part - 4) * eighth + at]
                        };
                        *c = reduced(from);
                    }
                    let mut value = c[5];
                    for lower in c[..5].iter().rev() {
                        value = add(lower, &mul(&value, u));
                    }
                    let b = reduced(&upper[2 * eighth + at]);
                    let b = reduced(&add(&add(&b, &b), &add(&b, &b)));
                    let d = reduced(&mul(&sub(&b, &value), &over));
                    let turned = mul(&d, &roots[1]);
                    half[at] = add(&c[0], &turned);
                    half[2 * eighth + at] = sub(&c[2], &d);
                    upper[at] = sub(&c[4], &turned);
                    upper[2 * eighth + at] = d;
                }
            }
        }
        _ => {
            for (a, b) in half.iter_mut().zip(upper) {
                let (x, y) = (reduced(a), reduced(b));
                (*a, *b) = (add(&x, &y), sub(&x, &y));
            }
        }
    }
}
