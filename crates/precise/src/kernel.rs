//! Rows of products, in which nearly all the time of long multiplication and division goes: `a += b
//! * word` and `a -= b * word`.
//!
//! Two carries run along such a row, one of what is multiplied and one of what is added. x86-64 has
//! a flag for each (ADX) and a product that touches neither (BMI2), which no compiler makes of a
//! loop; so there they are written out: a program that multiplies integers of 1,000 bits takes
//! three quarters of the time, from 1.12 to 0.84 of gawk's. Which of them runs is asked of the CPU;
//! the other one is the naive twin that tests compare with.
//!
//! This module has unsafe code, and so has, for a CPU's features alone,
//! [`transform`](crate::transform).

#![allow(unsafe_code)]

/// Shorter rows are over before a loop has begun.
const ROW_FROM: usize = 4;

/// A row by the CPU's own instructions where it has them and the row is long enough; `a` is not
/// shorter than `b`.
macro_rules! chosen {
    ($(#[$doc:meta])* $row:ident) => {
        $(#[$doc])*
        #[inline]
        pub(crate) fn $row(a: &mut [u64], b: &[u64], word: u64) -> u64 {
            let a = &mut a[..b.len()];
            #[cfg(target_arch = "x86_64")]
            if b.len() >= ROW_FROM && x86::is_there() {
                return x86::$row(a, b, word);
            }
            plain::$row(a, b, word)
        }
    };
}

chosen! {
    /// `a += b * word` on as many words as `b` has; what is carried out of them.
    add_product
}
chosen! {
    /// `a -= b * word` on as many words as `b` has; what is borrowed from above them.
    sub_product
}
chosen! {
    /// `a = b * word` on as many words as `b` has; what is carried out of them.
    set_product
}

/// `out = a * b`, which has as many words as both together, row by row. Neither is empty.
#[inline]
pub(crate) fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    let (a, b) = if a.len() > b.len() { (b, a) } else { (a, b) };
    let [first, rest @ ..] = a else { return out[..b.len()].fill(0) };
    out[b.len()] = set_product(out, b, *first);
    for (at, &word) in (1..).zip(rest) {
        out[at + b.len()] = add_product(&mut out[at..], b, word);
    }
}

/// As the compiler makes it.
mod plain {
    pub(super) fn add_product(a: &mut [u64], b: &[u64], word: u64) -> u64 {
        let mut carry = 0;
        for (a, b) in a.iter_mut().zip(b) {
            (*a, carry) = b.carrying_mul_add(word, *a, carry);
        }
        carry
    }

    pub(super) fn set_product(a: &mut [u64], b: &[u64], word: u64) -> u64 {
        let mut carry = 0;
        for (a, b) in a.iter_mut().zip(b) {
            (*a, carry) = b.carrying_mul(word, carry);
        }
        carry
    }

    pub(super) fn sub_product(a: &mut [u64], b: &[u64], word: u64) -> u64 {
        let mut borrow = 0u64;
        for (a, b) in a.iter_mut().zip(b) {
            let (low, high) = b.carrying_mul(word, borrow);
            let (rest, under) = a.overflowing_sub(low);
            (*a, borrow) = (rest, high + u64::from(under));
        }
        borrow
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::{asm, is_x86_feature_detected};

    /// Whether the CPU has both extensions: a load and a test, once that is known.
    #[inline]
    pub(super) fn is_there() -> bool {
        is_x86_feature_detected!("adx") && is_x86_feature_detected!("bmi2")
    }

    /// A row: words in eights, then in fours, then one by one. `$step` is for one word at an
    /// offset: what is carried comes in one register and leaves in another, which change places
    /// with each word. No instruction between steps touches the two carry flags.
    macro_rules! row {
        ($a:ident, $b:ident, $word:ident, $step:ident) => {{
            let len = $b.len();
            assert!($a.len() == len);
            let mut carry = 0u64;
            // SAFETY: The steps read and write the words from the two pointers on, eight, four and one at a time: 8 (len / 8) +
            // 4 (len / 4 % 2) + len % 4 words, which is len, and both slices have that many. They touch no other memory and no stack.
            unsafe {
                asm!(
                    "/* {sum} */",
                    // Clears both carry flags.
                    "xor {zero:e}, {zero:e}",
                    "jmp 3f",
                    "2:",
                    $step!("carry", "other", "0"),
                    $step!("other", "carry", "8"),
                    $step!("carry", "other", "16"),
                    $step!("other", "carry", "24"),
                    $step!("carry", "other", "32"),
                    $step!("other", "carry", "40"),
                    $step!("carry", "other", "48"),
                    $step!("other", "carry", "56"),
                    "lea {a}, [{a} + 64]",
                    "lea {b}, [{b} + 64]",
                    // A jump that looks at no flag reaches 127 bytes.
                    "3:",
                    "jrcxz 4f",
                    "lea rcx, [rcx - 1]",
                    "jmp 2b",
                    "4:",
                    "mov rcx, {fours}",
                    "jmp 6f",
                    "5:",
                    $step!("carry", "other", "0"),
                    $step!("other", "carry", "8"),
                    $step!("carry", "other", "16"),
                    $step!("other", "carry", "24"),
                    "lea {a}, [{a} + 32]",
                    "lea {b}, [{b} + 32]",
                    "6:",
                    "jrcxz 7f",
                    "lea rcx, [rcx - 1]",
                    "jmp 5b",
                    "7:",
                    "mov rcx, {ones}",
                    "jmp 9f",
                    "8:",
                    $step!("carry", "other", "0"),
                    "mov {carry}, {other}",
                    "lea {a}, [{a} + 8]",
                    "lea {b}, [{b} + 8]",
                    "9:",
                    "jrcxz 22f",
                    "lea rcx, [rcx - 1]",
                    "jmp 8b",
                    "22:",
                    "adcx {carry}, {zero}",
                    "adox {carry}, {zero}",
                    a = inout(reg) $a.as_mut_ptr() => _,
                    b = inout(reg) $b.as_ptr() => _,
                    fours = in(reg) len / 4 % 2,
                    ones = in(reg) len % 4,
                    carry = inout(reg) carry,
                    other = out(reg) _,
                    low = out(reg) _,
                    sum = out(reg) _,
                    zero = out(reg) _,
                    inout("rcx") len / 8 => _,
                    in("rdx") $word,
                    options(nostack),
                );
            }
            carry
        }};
    }

    /// The product's low word, what is carried, and the word of `a`.
    macro_rules! add {
        ($carry:literal, $other:literal, $at:literal) => {
            concat!(
                "mulx {",
                $other,
                "}, {low}, [{b} + ",
                $at,
                "]\n",
                "adcx {low}, {",
                $carry,
                "}\n",
                "adox {low}, [{a} + ",
                $at,
                "]\n",
                "mov [{a} + ",
                $at,
                "], {low}"
            )
        };
    }

    /// `a - p` is what is not `!a + p`, and what is carried out of this is what that borrows.
    macro_rules! sub {
        ($carry:literal, $other:literal, $at:literal) => {
            concat!(
                "mulx {",
                $other,
                "}, {low}, [{b} + ",
                $at,
                "]\n",
                "adcx {low}, {",
                $carry,
                "}\n",
                "mov {sum}, [{a} + ",
                $at,
                "]\n",
                "not {sum}\n",
                "adox {low}, {sum}\n",
                "not {low}\n",
                "mov [{a} + ",
                $at,
                "], {low}"
            )
        };
    }

    /// The product's low word and what is carried.
    macro_rules! set {
        ($carry:literal, $other:literal, $at:literal) => {
            concat!(
                "mulx {",
                $other,
                "}, {low}, [{b} + ",
                $at,
                "]\n",
                "adcx {low}, {",
                $carry,
                "}\n",
                "mov [{a} + ",
                $at,
                "], {low}"
            )
        };
    }

    pub(super) fn add_product(a: &mut [u64], b: &[u64], word: u64) -> u64 {
        row!(a, b, word, add)
    }

    pub(super) fn sub_product(a: &mut [u64], b: &[u64], word: u64) -> u64 {
        row!(a, b, word, sub)
    }

    pub(super) fn set_product(a: &mut [u64], b: &[u64], word: u64) -> u64 {
        row!(a, b, word, set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::tests::word;
    use proptest::prelude::*;

    type Row = fn(&mut [u64], &[u64], u64) -> u64;

    /// A row, and the word it is multiplied by.
    fn rows() -> impl Strategy<Value = (Vec<u64>, Vec<u64>, u64)> {
        let row = proptest::collection::vec((word(), word()), 0..40);
        (row, word()).prop_map(|(row, word)| {
            let (a, b) = row.into_iter().unzip();
            (a, b, word)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        #[test]
        fn rows_are_what_the_plain_ones_are((a, b, word) in rows()) {
            let twins: [[Row; 2]; 3] = [
                [add_product, plain::add_product],
                [sub_product, plain::sub_product],
                [set_product, plain::set_product],
            ];
            for [one, other] in twins {
                let (mut x, mut y) = (a.clone(), a.clone());
                prop_assert_eq!(one(&mut x, &b, word), other(&mut y, &b, word));
                prop_assert_eq!(x, y);
            }
        }

        #[test]
        fn a_row_is_as_long_as_what_is_multiplied((a, b, word) in rows(), more in 1usize..5) {
            let mut longer = a.clone();
            longer.extend(vec![7; more]);
            add_product(&mut longer, &b, word);
            prop_assert!(longer[b.len()..].iter().all(|&word| word == 7));
        }
    }
}
