//! One character reference (`&eacute;`, `&#233;`, `&#xE9;`), by the rules of the HTML standard for
//! text.

use crate::encode_code_point;

/// The standard's table, sorted by name: a name (with its semicolon; 106 old ones also without),
/// then its one or two code points in hexadecimal. From <https://html.spec.whatwg.org/entities.json> (© WHATWG, BSD-3-Clause where it is part of
/// source code). One text of 29 KiB instead of 2,231 pairs of slices: those would be 150 KiB with
/// their relocations.
static NAMES: &str = include_str!("entities.txt");

/// The longest name without a semicolon at its end.
const LONGEST_OPEN: usize = 6;
/// The longest name.
const LONGEST: usize = 32;

/// Reads the reference that `text` (which begins behind the `&`) begins with: appends what it
/// stands for to `out` and returns its length in bytes, without the `&`. `None` if it is none.
pub(super) fn read(text: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    if let Some(number) = text.strip_prefix(b"#") {
        return read_number(number, out).map(|len| len + 1);
    }
    let letters = text.iter().take(LONGEST).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if text.get(letters) == Some(&b';')
        && let Some(codes) = find(&text[..=letters])
    {
        append(codes, out);
        return Some(letters + 1);
    }
    // The longest of the old names that need no semicolon: `&notit;` is `¬it;`.
    (1..=letters.min(LONGEST_OPEN)).rev().find_map(|len| {
        append(find(&text[..len])?, out);
        Some(len)
    })
}

/// How many slots the index of the table has: a power of two, and almost twice the names, so that a
/// search ends after one or two.
const SLOTS: usize = 4096;

/// Where the line of a name begins in the table, plus one, at the slot of its hash or the next free
/// one behind; 0 is a free slot. Made by the compiler. As fast as the perfect hash of `htmlize`;
/// halving the table took eight times as long.
static INDEX: [u16; SLOTS] = {
    let table = NAMES.as_bytes();
    let mut index = [0; SLOTS];
    let mut start = 0;
    while start < table.len() {
        let (mut at, mut hash) = (start, HASH_START);
        while table[at] != b' ' {
            hash = hash_step(hash, table[at]);
            at += 1;
        }
        let mut slot = hash as usize % SLOTS;
        while index[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        index[slot] = start as u16 + 1;
        while table[at] != b'\n' {
            at += 1;
        }
        start = at + 1;
    }
    index
};

// FNV-1a, folded by the upper bits at each step so that the lower ones, which choose the slot,
// depend on all of them.
const HASH_START: u32 = 0x811C_9DC5;

const fn hash_step(hash: u32, byte: u8) -> u32 {
    let hash = (hash ^ byte as u32).wrapping_mul(0x0100_0193);
    hash ^ hash >> 15
}

/// The code points of a name, as the table has them.
fn find(name: &[u8]) -> Option<&'static str> {
    let mut slot =
        name.iter().fold(HASH_START, |hash, byte| hash_step(hash, *byte)) as usize % SLOTS;
    loop {
        let start = usize::from(INDEX[slot].checked_sub(1)?);
        let line = &NAMES[start..];
        if line.as_bytes().starts_with(name) && line.as_bytes().get(name.len()) == Some(&b' ') {
            return line[name.len() + 1..].split('\n').next();
        }
        slot = (slot + 1) % SLOTS;
    }
}

fn append(codes: &str, out: &mut Vec<u8>) {
    for code in codes.split(' ') {
        // The table holds code points only, which a test checks.
        encode_code_point(u32::from_str_radix(code, 16).unwrap_or(0xFFFD), out);
    }
}

/// A number behind `&#`. Its semicolon may be missing; without a digit it is no reference.
fn read_number(text: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    let (radix, prefix) = if let [b'x' | b'X', ..] = text { (16, 1) } else { (10, 0) };
    let digits =
        text[prefix..].iter().take_while(|byte| char::from(**byte).is_digit(radix)).count();
    if digits == 0 {
        return None;
    }
    // Numbers of any length: what is too large stays too large.
    let code = text[prefix..prefix + digits].iter().fold(0u32, |code, byte| {
        code.saturating_mul(radix).saturating_add(char::from(*byte).to_digit(radix).unwrap_or(0))
    });
    encode_code_point(meant(code), out);
    let len = prefix + digits;
    Some(len + usize::from(text.get(len) == Some(&b';')))
}

/// The code point that a number means: 0, surrogates and what is none are U+FFFD, and the C1
/// controls are windows-1252, which those who wrote them meant.
fn meant(code: u32) -> u32 {
    const WINDOWS_1252: [u16; 32] = [
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039,
        0x152, 0x8D, 0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
    ];
    match code {
        0 => 0xFFFD,
        0x80..=0x9F => WINDOWS_1252[code as usize - 0x80].into(),
        _ => char::from_u32(code).map_or(0xFFFD, u32::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_every_name_is_found() {
        let rows: Vec<(&str, &str)> =
            NAMES.lines().map(|line| line.split_once(' ').unwrap()).collect();
        assert_eq!(rows.len(), 2231);
        assert!(rows.is_sorted_by(|a, b| a.0 < b.0));
        for (name, codes) in rows {
            assert_eq!(find(name.as_bytes()), Some(codes), "{name}");
            assert!(
                name.len() <= LONGEST && (name.ends_with(';') || name.len() <= LONGEST_OPEN),
                "{name}"
            );
            assert!(
                codes
                    .split(' ')
                    .all(|code| char::from_u32(u32::from_str_radix(code, 16).unwrap()).is_some())
            );
        }
        for name in [&b""[..], b"A", b"zzz", b"eacut", b"eacute;;", b"\n", b" "] {
            assert_eq!(find(name), None);
        }
    }
}
