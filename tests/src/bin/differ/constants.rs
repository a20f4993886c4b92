//! Where programs get their constants: numbers, texts, regular expressions and formats that have corners.

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

const INFINITE: [&str; 9] = ["1e300", "-0", "inf", "nan", "+inf", "-inf", "infinity", "1e400", "-1e400"];

/// What a program deals with besides ASCII texts and ordinary numbers.
#[derive(Clone, Copy, Default)]
pub struct Flavour {
    /// Texts beyond ASCII.
    pub unicode: bool,
    /// Infinities and NaN. gawk 5.2.1 shows freed memory when such a number is assigned to a field or compared as text, so
    /// none is.
    pub infinite: bool,
}

impl Flavour {
    pub fn roll(dice: &mut Dice, bytes: bool) -> Flavour {
        match dice.below(8) {
            0 | 1 => Flavour { unicode: !bytes, infinite: false },
            2 => Flavour { unicode: false, infinite: true },
            _ => Flavour::default(),
        }
    }
}

/// Formats of one conversion with the flags and sizes that go into it; `%c` has its own.
const CONVERSIONS: [&str; 12] = ["d", "i", "o", "x", "X", "u", "e", "E", "f", "g", "G", "s"];

/// A number as it stands in a program.
pub fn number(dice: &mut Dice) -> String {
    // Half of them small, so that they meet each other.
    let all = NUMBERS.len();
    let at = if dice.once_in(2) { dice.below(10) } else { dice.below(all) };
    NUMBERS[at].to_owned()
}

/// The inside of a string constant.
pub fn text(dice: &mut Dice, flavour: Flavour) -> &'static str {
    match flavour {
        Flavour { unicode: true, .. } if dice.once_in(3) => dice.pick(&UNICODE),
        Flavour { infinite: true, .. } if dice.once_in(3) => dice.pick(&INFINITE),
        _ => dice.pick(&TEXTS),
    }
}

/// A regular expression as it stands between slashes. With `solid` it matches at least one character.
pub fn regex(dice: &mut Dice, unicode: bool, solid: bool) -> String {
    let mut pattern = String::new();
    if dice.once_in(8) {
        pattern.push('^');
    }
    if solid {
        pattern.push_str(dice.pick(&["a", "b", "[a-c]", "[0-9]", ".", "[^a]"]));
    }
    for _ in 0..1 + dice.below(3) {
        regex_piece(dice, unicode, 2, &mut pattern);
    }
    if dice.once_in(8) {
        pattern.push('$');
    }
    pattern
}

fn regex_piece(dice: &mut Dice, unicode: bool, depth: usize, pattern: &mut String) {
    match dice.below(if depth == 0 { 9 } else { 12 }) {
        0..=2 => pattern.push_str(dice.pick(&["a", "b", "c", "1", "x", " ", "ab"])),
        3 => pattern.push_str(dice.pick(&[
            "[a-c]",
            "[^a]",
            "[[:alpha:]]",
            "[[:digit:]_-]",
            "[]a]",
            "[^]b]",
            "[a-]",
            "[[:space:]]",
        ])),
        4 => pattern.push('.'),
        5 => {
            pattern.push_str(dice.pick(&["\\.", "\\/", "\\+", "\\t", "\\\\", "\\&", "\\$", "[.]", "[/]", "\\[", "\\("]))
        }
        // Not in groups, and neither \y nor \B: gawk's matcher loses boundaries in what is repeated or empty.
        6 if depth == 2 => pattern.push_str(dice.pick(&["\\<", "\\>", "$"])),
        6 => pattern.push_str(dice.pick(&["\\w", "\\W", "\\s", "\\S"])),
        7 if unicode => pattern.push_str(dice.pick(&["é", "日", "[éa]", "[^日]", "[[:upper:]]"])),
        7 | 8 => pattern.push_str(dice.pick(&["[0-9]", "0", "-", ",", ":", "b+", "a*", "1?"])),
        9 => {
            pattern.push('(');
            regex_piece(dice, unicode, depth - 1, pattern);
            pattern.push('|');
            regex_piece(dice, unicode, depth - 1, pattern);
            pattern.push(')');
        }
        10 => {
            pattern.push('(');
            regex_piece(dice, unicode, depth - 1, pattern);
            regex_piece(dice, unicode, depth - 1, pattern);
            pattern.push(')');
            pattern.push_str(dice.pick(&["", "*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}"]));
        }
        _ => {
            pattern.push_str(dice.pick(&["a", "[ab]", ".", "1"]));
            pattern.push_str(dice.pick(&["*", "+", "?", "{2}", "{1,3}", "{0}", "{,2}"]));
        }
    }
}

/// What a conversion wants.
pub enum Wanted {
    Anything,
    Width,
    Precision,
    Character,
}

/// The inside of a format string and what its conversions want.
pub fn format(dice: &mut Dice) -> (String, Vec<Wanted>) {
    let mut text = String::new();
    let mut wanted = Vec::new();
    for _ in 0..1 + dice.below(3) {
        text.push_str(dice.pick(&["", "", "a", "|", " ", "%%", "\\t", "=", "é"]));
        text.push('%');
        if dice.once_in(8) {
            text.push('c');
            wanted.push(Wanted::Character);
            continue;
        }
        let conversion = dice.pick(&CONVERSIONS);
        let mut flags = String::new();
        for flag in ['-', '+', ' ', '#', '0'] {
            if dice.once_in(6) {
                flags.push(flag);
            }
        }
        text.push_str(&flags);
        match dice.below(8) {
            0 => {
                text.push('*');
                wanted.push(Wanted::Width);
            }
            1..=3 => text.push_str(dice.pick(&["1", "3", "5", "8", "12"])),
            _ => {}
        }
        match dice.below(10) {
            0 => {
                text.push_str(".*");
                wanted.push(Wanted::Precision);
            }
            1..=3 => text.push_str(dice.pick(&[".1", ".2", ".3", ".5", ".10", ".20"])),
            // What is left of 0 without digits is a stated divergence, but for these.
            4 if matches!(conversion, "e" | "f" | "g" | "s")
                || (matches!(conversion, "d" | "i") && !flags.contains(['+', ' '])) =>
            {
                text.push_str(dice.pick(&[".", ".0"]))
            }
            _ => {}
        }
        text.push_str(conversion);
        wanted.push(Wanted::Anything);
    }
    if dice.once_in(6) {
        text.push_str(dice.pick(&["\\n", "%5%", "%", " x"]));
    }
    (text, wanted)
}

/// A line of input, without its end.
pub fn line(dice: &mut Dice, flavour: Flavour) -> String {
    let mut line = String::new();
    for number in 0..dice.below(6) {
        if number > 0 || dice.once_in(8) {
            line.push_str(dice.pick(&[" ", " ", " ", "  ", "\t", ",", ":", ", "]));
        }
        line.push_str(text(dice, flavour).replace("\\t", "\t").replace("\\n", "").replace("\\\\", "\\").as_str());
    }
    line
}
