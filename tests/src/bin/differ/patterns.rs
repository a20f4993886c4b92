//! Random regular expressions between slashes.

use crate::constants::Flavour;
use crate::dialect::Dialect;
use crate::dice::Dice;

#[derive(Clone, Copy)]
pub struct Wish {
    pub flavour: Flavour,
    pub dialect: Dialect,
    pub solid: bool,
}

pub fn regex(dice: &mut Dice, wish: Wish) -> String {
    let mut pattern = String::new();
    if dice.once_in(8) {
        pattern.push('^');
    }
    if wish.dialect.has_extensions() && dice.once_in(12) {
        // Only next to a whole character: gawk's matcher loses boundaries next to what is repeated
        // or empty.
        pattern.push_str(dice.pick(&[
            "\\y[ab1]",
            "\\<[[:alnum:]]",
            "\\B[ab]",
            "[a-z]\\>",
            "[b1 ]\\y",
            "a\\Bb",
            "\\`a",
            "a\\'",
        ]));
    }
    if wish.solid {
        pattern.push_str(dice.pick(&["a", "b", "[a-c]", "[0-9]", ".", "[^a]"]));
    }
    for _ in 0..1 + dice.below(3) {
        piece(dice, wish, 2, &mut pattern);
    }
    if dice.once_in(8) {
        pattern.push('$');
    }
    pattern
}

fn piece(dice: &mut Dice, wish: Wish, depth: usize, pattern: &mut String) {
    if wish.dialect.has_extensions() && dice.once_in(6) {
        return extended(dice, wish, depth, pattern);
    }
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
            pattern.push_str(dice.pick(&[
                "\\.", "\\/", "\\+", "\\t", "\\\\", "\\&", "\\$", "[.]", "[/]", "\\[", "\\(",
            ]))
        }
        // Not in groups, and neither \y nor \B: gawk's matcher loses boundaries in what is repeated
        // or empty.
        6 if depth == 2 && !wish.flavour.unicode && !wish.flavour.raw => {
            pattern.push_str(dice.pick(&["\\<", "\\>", "$"]))
        }
        6 => pattern.push_str(dice.pick(&["\\w", "\\W", "\\s", "\\S"])),
        7 if wish.flavour.unicode => {
            pattern.push_str(dice.pick(&["é", "日", "[éa]", "[^日]", "[[:upper:]]"]))
        }
        7 | 8 => pattern.push_str(dice.pick(&["[0-9]", "0", "-", ",", ":", "b+", "a*", "1?"])),
        9 => {
            pattern.push('(');
            piece(dice, wish, depth - 1, pattern);
            pattern.push('|');
            piece(dice, wish, depth - 1, pattern);
            pattern.push(')');
        }
        10 => {
            pattern.push('(');
            piece(dice, wish, depth - 1, pattern);
            piece(dice, wish, depth - 1, pattern);
            pattern.push(')');
            pattern.push_str(dice.pick(&["", "*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}"]));
        }
        _ => {
            pattern.push_str(dice.pick(&["a", "[ab]", ".", "1"]));
            pattern.push_str(dice.pick(&["*", "+", "?", "{2}", "{1,3}", "{0}", "{,2}"]));
        }
    }
}

fn extended(dice: &mut Dice, wish: Wish, depth: usize, pattern: &mut String) {
    match dice.below(6) {
        0 => pattern.push_str(dice.pick(&[
            "[[:alnum:]]",
            "[[:blank:]]",
            "[[:punct:]]",
            "[^[:print:]]",
            "[[:lower:][:digit:]]",
            "[[:xdigit:]]",
            "[[:graph:]]",
            "[[:cntrl:]]",
        ])),
        // Neither [[=a=]] nor [[.-.]]: a bracket with a slash after them confuses gawk's lexer.
        1 => pattern
            .push_str(dice.pick(&["[\\]a]", "[\\/1]", "[a\\-c]", "[\\w]", "[^\\\\]", "[a^]"])),
        2 => pattern.push_str(dice.pick(&["\\x41", "\\101", "\\x2e", "\\056", "\\x61b", "\\1a"])),
        // Nothing that may be empty: gawk's empty matches cut a character of several bytes.
        3 | 4 if wish.flavour.unicode => {
            pattern.push_str(dice.pick(&["{", "a{", "\\w+", "\\S+", "[^ ]+"]))
        }
        3 => pattern.push_str(
            dice.pick(&["{", "a{", "{1", "a{x}", "\\{1\\}", "()", "(|a)", "(a|)", "a||b"]),
        ),
        4 if depth == 2 => pattern.push_str(dice.pick(&["a|b", "ab|1", "x|"])),
        4 => pattern.push_str(dice.pick(&["\\w+", "\\s*", "\\S+", "[^ ]*"])),
        _ if wish.flavour.unicode => pattern.push_str(dice.pick(&[
            "[à-ü]",
            "é+",
            "[日本]{2}",
            "[^a-zé]",
            ".é",
            "[[:lower:]]+",
        ])),
        _ => pattern.push_str(dice.pick(&[
            "[a-c]+",
            "[^,]*",
            "[0-9]+",
            "(ab?)+",
            "([a-c])([0-9])",
            "(a)|(b)",
        ])),
    }
}
