//! Bracket expressions: `[]a]`, `[^a-z]`, `[[:alpha:]_-]`, `[[.x.]]`, `[[=x=]]`, with backslash
//! escapes as awk has them.

use regex_syntax::hir::Hir;

use crate::Error;
use crate::classes::Set;
use crate::parse::{Parser, Unit};

/// One thing between the brackets.
enum Item {
    /// May begin or end a range.
    Unit(Unit),
    /// A class or an equivalence class: may not.
    Closed,
}

/// Reads a bracket expression; the parser stands behind its `[`.
pub(crate) fn parse_bracket(parser: &mut Parser<'_>) -> Result<Hir, Error> {
    let open_at = parser.pos - 1;
    let negated = parser.eat(b'^');
    let mut set = Set::new();
    let first_at = parser.pos;
    loop {
        match parser.peek() {
            None => return Err(parser.error(open_at, "unmatched [")),
            // A bracket that comes first is a member.
            Some(b']') if parser.pos > first_at => break,
            Some(_) => {}
        }
        let item_at = parser.pos;
        let low = match parse_item(parser, &mut set, open_at)? {
            Item::Closed if is_range(parser) => {
                return Err(parser.error(item_at, "invalid range end"));
            }
            Item::Closed => continue,
            Item::Unit(unit) => unit,
        };
        if !is_range(parser) {
            add(&mut set, low, low);
            continue;
        }
        parser.pos += 1;
        // A range may end in `-` only as in `[%--]`, where nothing but `]` can follow.
        let high = match parse_item(parser, &mut set, open_at)? {
            Item::Unit(unit) => unit,
            Item::Closed => return Err(parser.error(item_at, "invalid range end")),
        };
        let ordered = match (low, high) {
            (Unit::Char(low), Unit::Char(high)) => low <= high,
            (Unit::Byte(low), Unit::Byte(high)) => low <= high,
            _ => false,
        };
        // `[a-c-e]`: what follows a range cannot be the start of another by way of its end.
        if !ordered || is_range(parser) {
            return Err(parser.error(item_at, "invalid range end"));
        }
        add(&mut set, low, high);
    }
    parser.pos += 1;
    Ok(set.into_hir(negated, parser.dialect))
}

fn add(set: &mut Set, low: Unit, high: Unit) {
    match (low, high) {
        (Unit::Char(low), Unit::Char(high)) => set.add_range(low, high),
        (Unit::Byte(low), Unit::Byte(high)) => set.add_bytes(low, high),
        _ => {}
    }
}

/// A `-` that is not the last member.
fn is_range(parser: &Parser<'_>) -> bool {
    parser.peek() == Some(b'-') && parser.peek_at(1).is_some_and(|next| next != b']')
}

fn parse_item(parser: &mut Parser<'_>, set: &mut Set, open_at: usize) -> Result<Item, Error> {
    let item_at = parser.pos;
    if parser.peek() == Some(b'[')
        && let Some(kind @ (b':' | b'.' | b'=')) = parser.peek_at(1)
    {
        let name_at = item_at + 2;
        let Some(len) = parser.bytes[name_at..].windows(2).position(|pair| pair == [kind, b']'])
        else {
            return Err(parser.error(open_at, "unmatched ["));
        };
        let name = &parser.bytes[name_at..name_at + len];
        let shown = String::from_utf8_lossy(name).into_owned();
        parser.pos = name_at + len + 2;
        if kind == b':' {
            if !set.add_named(name, parser.dialect) {
                return Err(
                    parser.error(item_at, format!("invalid character class name [:{shown}:]"))
                );
            }
            return Ok(Item::Closed);
        }
        let (unit, unit_len) = parser.unit_at(name_at);
        if unit_len != len || len == 0 {
            return Err(parser.error(
                item_at,
                format!("invalid collation character [{0}{shown}{0}]", char::from(kind)),
            ));
        }
        if kind == b'=' {
            add(set, unit, unit);
            return Ok(Item::Closed);
        }
        return Ok(Item::Unit(unit));
    }
    if parser.peek() == Some(b'\\') {
        parser.pos += 1;
    }
    if parser.peek().is_none() {
        return Err(parser.error(open_at, "unmatched ["));
    }
    let (unit, len) = parser.unit_at(parser.pos);
    parser.pos += len;
    Ok(Item::Unit(unit))
}
