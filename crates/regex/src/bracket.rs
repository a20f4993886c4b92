//! Bracket expressions with awk's escapes: `[]a]`, `[^a-z]`, `[[:alpha:]_-]`, `[[.x.]]`, `[[=x=]]`.

use regex_syntax::hir::Hir;

use crate::Error;
use crate::classes::Set;
use crate::cursor::{PatternCursor, PatternUnit};

enum Item {
    /// A character or byte, which can begin or end a range.
    Unit(PatternUnit),
    /// A class or an equivalence class, which cannot.
    Closed,
}

pub(crate) fn parse_bracket(cursor: &mut PatternCursor<'_>) -> Result<Hir, Error> {
    let open_at = cursor.pos - 1;
    let negated = cursor.eat(b'^');
    let mut set = Set::new();
    let first_at = cursor.pos;
    loop {
        match cursor.peek() {
            None => return Err(cursor.error(open_at, "unmatched [")),
            // A first `]` is a member.
            Some(b']') if cursor.pos > first_at => break,
            Some(_) => {}
        }
        let item_at = cursor.pos;
        let low = match parse_item(cursor, &mut set, open_at)? {
            Item::Closed if is_range(cursor) => {
                return Err(cursor.error(item_at, "invalid range end"));
            }
            Item::Closed => continue,
            Item::Unit(unit) => unit,
        };
        if !is_range(cursor) {
            add(&mut set, low, low);
            continue;
        }
        cursor.pos += 1;
        // A range can end in `-` only as in `[%--]`, before `]`.
        let high = match parse_item(cursor, &mut set, open_at)? {
            Item::Unit(unit) => unit,
            Item::Closed => return Err(cursor.error(item_at, "invalid range end")),
        };
        let ordered = match (low, high) {
            (PatternUnit::Char(low), PatternUnit::Char(high)) => low <= high,
            (PatternUnit::Byte(low), PatternUnit::Byte(high)) => low <= high,
            _ => false,
        };
        // In `[a-c-e]` the end of a range cannot begin another.
        if !ordered || is_range(cursor) {
            return Err(cursor.error(item_at, "invalid range end"));
        }
        add(&mut set, low, high);
    }
    cursor.pos += 1;
    Ok(match negated {
        true => set.into_negated_hir(cursor.dialect),
        false => set.into_hir(cursor.dialect),
    })
}

fn add(set: &mut Set, low: PatternUnit, high: PatternUnit) {
    match (low, high) {
        (PatternUnit::Char(low), PatternUnit::Char(high)) => set.add_range(low, high),
        (PatternUnit::Byte(low), PatternUnit::Byte(high)) => set.add_bytes(low, high),
        _ => {}
    }
}

fn is_range(cursor: &PatternCursor<'_>) -> bool {
    cursor.peek() == Some(b'-') && cursor.peek_at(1).is_some_and(|next| next != b']')
}

fn parse_item(
    cursor: &mut PatternCursor<'_>,
    set: &mut Set,
    open_at: usize,
) -> Result<Item, Error> {
    let item_at = cursor.pos;
    if cursor.peek() == Some(b'[')
        && let Some(kind @ (b':' | b'.' | b'=')) = cursor.peek_at(1)
    {
        let name_at = item_at + 2;
        let Some(len) = cursor.bytes[name_at..].windows(2).position(|pair| pair == [kind, b']'])
        else {
            return Err(cursor.error(open_at, "unmatched ["));
        };
        let name = &cursor.bytes[name_at..name_at + len];
        let shown = String::from_utf8_lossy(name).into_owned();
        cursor.pos = name_at + len + 2;
        if kind == b':' {
            if !set.add_named(name, cursor.dialect) {
                return Err(
                    cursor.error(item_at, format!("invalid character class name [:{shown}:]"))
                );
            }
            return Ok(Item::Closed);
        }
        let (unit, unit_len) = cursor.unit_at(name_at);
        if unit_len != len || len == 0 {
            return Err(cursor.error(
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
    if cursor.peek() == Some(b'\\') {
        cursor.pos += 1;
    }
    if cursor.peek().is_none() {
        return Err(cursor.error(open_at, "unmatched ["));
    }
    let (unit, len) = cursor.unit_at(cursor.pos);
    cursor.pos += len;
    Ok(Item::Unit(unit))
}
