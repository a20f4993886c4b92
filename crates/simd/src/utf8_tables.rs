//! The tables by which vector kernels validate UTF-8: three look-ups, by the halves of a byte and
//! the high half of the next, give the errors of the pair as bits.

// One bit for each error of two bytes; two share one, since their first bytes differ.
const TOO_SHORT: u8 = 1 << 0;
const TOO_LONG: u8 = 1 << 1;
const OVERLONG_3: u8 = 1 << 2;
const TOO_LARGE: u8 = 1 << 3;
const SURROGATE: u8 = 1 << 4;
const OVERLONG_2: u8 = 1 << 5;
const TOO_LARGE_1000: u8 = 1 << 6;
const OVERLONG_4: u8 = 1 << 6;
const TWO_CONTINUATIONS: u8 = 1 << 7;
// Errors that the low half of the first byte does not decide.
const ANY: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS;
pub(crate) const FIRST_HIGH: [u8; 16] = [
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TOO_SHORT | OVERLONG_2,
    TOO_SHORT,
    TOO_SHORT | OVERLONG_3 | SURROGATE,
    TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4,
];
const LARGE: u8 = ANY | TOO_LARGE | TOO_LARGE_1000;
pub(crate) const FIRST_LOW: [u8; 16] = [
    ANY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4,
    ANY | OVERLONG_2,
    ANY,
    ANY,
    ANY | TOO_LARGE,
    LARGE,
    LARGE,
    LARGE,
    LARGE,
    LARGE,
    LARGE,
    LARGE,
    LARGE,
    LARGE | SURROGATE,
    LARGE,
    LARGE,
];
const CONTINUED: u8 = TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS;
pub(crate) const SECOND_HIGH: [u8; 16] = [
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    CONTINUED | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4,
    CONTINUED | OVERLONG_3 | TOO_LARGE,
    CONTINUED | SURROGATE | TOO_LARGE,
    CONTINUED | SURROGATE | TOO_LARGE,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
];

/// Of eight units as two bytes each, the bytes that stay, for each set of units that are ASCII.
pub(crate) static SQUEEZE: [[u8; 16]; 256] = {
    let mut table = [[0xFF; 16]; 256];
    let mut ascii = 0;
    while ascii < 256 {
        let (mut word, mut count) = (0, 0);
        while word < 8 {
            table[ascii][count] = 2 * word;
            count += 1;
            if ascii >> word & 1 == 0 {
                table[ascii][count] = 2 * word + 1;
                count += 1;
            }
            word += 1;
        }
        ascii += 1;
    }
    table
};
