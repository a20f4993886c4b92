//! Random format strings for `printf`, and the arguments of their conversions.

use crate::constants::Flavour;
use crate::dialect::Dialect;
use crate::dice::Dice;

const CONVERSIONS: [&str; 12] = ["d", "i", "o", "x", "X", "u", "e", "E", "f", "g", "G", "s"];

#[derive(Clone, Copy)]
pub enum Wanted {
    Anything,
    Width,
    Precision,
    Character,
    /// A one-byte character: `%5c` counts the bytes of others in gawk, a stated divergence.
    ByteCharacter,
}

pub fn format(dice: &mut Dice, dialect: Dialect, flavour: Flavour) -> (String, Vec<Wanted>) {
    // Otherwise no width or precision for texts: gawk ends them at a byte that is not a character,
    // a stated divergence.
    let whole = flavour.bytes || !flavour.raw;
    if dialect.has_extensions() && whole && dice.once_in(6) {
        return positional(dice);
    }
    let mut text = String::new();
    let mut wanted = Vec::new();
    for _ in 0..1 + dice.below(3) {
        text.push_str(dice.pick(&["", "", "a", "|", " ", "%%", "\\t", "=", "é"]));
        if dialect.has_extensions() && whole && dice.once_in(8) {
            wanted.push(odd(dice, &mut text));
            continue;
        }
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
        if conversion == "s" && !whole {
            text.push('s');
            wanted.push(Wanted::Anything);
            continue;
        }
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
            4 => text.push_str(dice.pick(&[".", ".0"])),
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

fn odd(dice: &mut Dice, text: &mut String) -> Wanted {
    text.push_str(dice.pick(&[
        "%'d", "%'12d", "%'.2f", "%'x", "%--5d", "%0-6d", "%+ d", "% +5d", "%00005d", "%-05s",
        "%#o", "%#x", "%+s", "%05s", "%ld", "%hd", "%lld", "%5.3d", "%05.3d", "%-+8.2e", "%#g",
        "%#.3g", "%F", "%a", "%.2a", "%A", "%.s", "%.3i", "% i", "%+.3f", "%#.0f", "%010.2f",
        "%i%%", "%5c", "%05c", "%.2c",
    ]));
    if text.ends_with('c') { Wanted::ByteCharacter } else { Wanted::Anything }
}

/// Arguments by number. All of them, as gawk demands.
fn positional(dice: &mut Dice) -> (String, Vec<Wanted>) {
    let mut wanted = vec![Wanted::Anything; 2];
    let mut text = String::new();
    for _ in 0..1 + dice.below(3) {
        let number = 1 + dice.below(2);
        text.push_str(dice.pick(&["", "a", "|", " "]));
        let size = match dice.below(5) {
            0 => {
                wanted.push(Wanted::Width);
                format!("*{}$", wanted.len())
            }
            1 => {
                wanted.push(Wanted::Precision);
                format!(".*{}$", wanted.len())
            }
            _ => dice.pick(&["", "5", "-7", ".2", "08"]).to_owned(),
        };
        text.push_str(&format!("%{number}${size}{}", dice.pick(&["s", "d", "x", "g", "f"])));
    }
    (text, wanted)
}
