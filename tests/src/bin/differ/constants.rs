//! Edge cases of numbers, texts, regular expressions and formats.

use crate::dice::Dice;

#[rustfmt::skip]
const NUMBERS: [&str; 43] = [
    "0", "1", "2", "3", "4", "5", "7", "10", "12", "100", "255", "256", "0.1", "0.5", "1.5", "2.5", ".5", "5.", "1e3",
    "1E2", "1e-3", "3.14159265", "0.000001", "1e-7", "123456", "1234567", "0.1234567", "2147483647", "2147483648",
    "4294967296", "9007199254740991", "9007199254740992", "9007199254740993", "1e15", "1e16", "1e17", "1e18",
    "9223372036854775807", "18446744073709551616", "1e30", "1e-300", "100000", "1000000",
];

#[rustfmt::skip]
const TEXTS: [&str; 50] = [
    "", " ", "a", "b", "ab", "abc", "A", "Ab", "aab", "ba ab", "a b c", "x", "10", "9", "010", " 10 ", "10 ", "\\t7",
    "1e2", "1E2x", "0x1A", "+5", "-3", "- 3", ".5", "5.", ".", "-", "+", ".5.", "1.50", "1.5", "0", "00", "0.0",
    "a.b", "a,b,,c", "a:b", "x&y", "&", "\\\\&", "\\\\\\\\&", "[&]", "\\n", "a\\nb", "10a", "3.0", "1 2", "a1b22c",
    "100000000000000000000",
];

const UNICODE: [&str; 10] = ["é", "日本", "aéb", "ß", "Σς", "éa", "日 本", "x日", "Éé", "naïve"];

const INFINITE: [&str; 9] =
    ["1e300", "-0", "inf", "nan", "+inf", "-inf", "infinity", "1e400", "-1e400"];

#[derive(Clone, Copy, Default)]
pub struct Flavour {
    /// The C locale.
    pub bytes: bool,
    pub unicode: bool,
    /// Infinities and NaN, never assigned to a field or compared as text: gawk 5.2.1 prints freed
    /// memory then.
    pub infinite: bool,
    /// Bytes that are not a character in the input. In UTF-8 `toupper` and `substr` are not called
    /// then, a stated divergence.
    pub raw: bool,
    /// Files and commands, in a quarter of the programs: each command costs as much as forty small
    /// cases.
    pub streams: bool,
}

impl Flavour {
    pub fn roll(dice: &mut Dice) -> Flavour {
        let bytes = dice.once_in(5);
        let plain = Flavour { bytes, streams: dice.once_in(4), ..Flavour::default() };
        match dice.below(9) {
            0 | 1 => Flavour { unicode: !bytes, ..plain },
            2 => Flavour { infinite: true, ..plain },
            3 => Flavour { raw: true, ..plain },
            _ => plain,
        }
    }
}

pub fn number(dice: &mut Dice) -> String {
    let all = NUMBERS.len();
    let at = if dice.once_in(2) { dice.below(10) } else { dice.below(all) };
    NUMBERS[at].to_owned()
}

pub fn gawk_number(dice: &mut Dice) -> &'static str {
    dice.pick(&[
        "0x1F",
        "0xff",
        "017",
        "08",
        "0x",
        "1e+3",
        "0XA",
        "00",
        "0x7fffffffffffffff",
        "0.",
        "1.e2",
        "010.5",
    ])
}

pub fn gawk_text(dice: &mut Dice) -> &'static str {
    if dice.once_in(6) {
        return dice.pick(&["\\u00e9", "\\u65e5x", "\\u41", "a\\u0301"]);
    }
    dice.pick(&[
        "\\x41",
        "\\x41g",
        "\\101",
        "\\0601",
        "\\a",
        "\\v\\f",
        "\\\"q\\\"",
        "\\/",
        "a\\\nb",
        "\\x7e",
        "0x11",
        "017",
        "-0x1F",
    ])
}

pub fn text(dice: &mut Dice, flavour: Flavour) -> &'static str {
    match flavour {
        Flavour { unicode: true, .. } if dice.once_in(3) => dice.pick(&UNICODE),
        Flavour { infinite: true, .. } if dice.once_in(3) => dice.pick(&INFINITE),
        _ => dice.pick(&TEXTS),
    }
}
