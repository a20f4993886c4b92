//! Operations on texts, each performed by a helper that cannot fail. Entering the interpreter's
//! loop instead would cost as much as a short concatenation.

use super::slot::Slot;
use super::value::{Known, List, Value, ValueType};
use super::view::{View, Want};

/// An operation on texts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "each row says what its operands are")]
pub enum Text {
    /// Copies s as an argument unless it is an array; whether it did: truth.
    Argument { d: Slot, s: Slot },
    /// d becomes a followed by b.
    Concat { d: Slot, a: Slot, b: Slot },
    /// d becomes the list, concatenated.
    ConcatAll { d: Slot, list: List },
    /// Appends s to v, another slot.
    Append { v: Slot, s: Slot },
    /// d becomes `substr(s, from, length)`; `view`: a view if s is one.
    Substr {
        view: bool,
        d: Slot,
        s: Slot,
        from: Value,
        length: Option<Value>,
        known: Option<Known>,
    },
    /// d becomes s in lower or upper case.
    ChangeCase { d: Slot, s: Slot, upper: bool },
    /// Position of t in s from 1, or 0: number; `byte`: what t is, if it is one of ASCII.
    Index { s: Slot, t: Slot, byte: Option<u8> },
    /// d becomes the last formatted text.
    TakeFormatted { d: Slot },
    /// d becomes field n, owned.
    OwnField { d: Slot, n: u32 },
    /// d becomes the subscript of the list.
    JoinKey { d: Slot, list: List },
    /// d becomes the keys of an array.
    BeginKeys { d: Slot, array: Slot },
    /// d becomes the next key; whether there was none: truth.
    NextKey { d: Slot, keys: Slot },
    /// Whether an array has the key in a slot: truth.
    HasUnder { array: Slot, key: Slot },
    /// Deletes the element under the key in a slot.
    DeleteUnder { array: Slot, key: Slot },
    /// Reads an unmaterialised string.
    View { view: View, want: Want },
    /// As [`Known::size`]: integer. It is 0 if the text is `compared` for equality under
    /// IGNORECASE.
    KnownSize { s: Slot, compared: bool },
    /// Address of s's text if its size is known: bytes.
    KnownAt { s: Slot },
}

impl Text {
    /// The type of its result.
    pub fn result(&self) -> Option<ValueType> {
        match self {
            Text::Index { .. } => Some(ValueType::Number),
            Text::Argument { .. } | Text::NextKey { .. } | Text::HasUnder { .. } => {
                Some(ValueType::Truth)
            }
            Text::View { want, .. } => Some(want.result()),
            Text::KnownSize { .. } => Some(ValueType::Integer),
            Text::KnownAt { .. } => Some(ValueType::Bytes),
            _ => None,
        }
    }

    /// Start, length, and address of the piece.
    pub fn piece(&self) -> Option<(Value, Option<Value>, Option<Known>)> {
        match *self {
            Text::Substr { from, length, known, .. } => Some((from, length, known)),
            Text::View { view: View::Piece { from, length, known, .. }, .. } => {
                Some((from, length, known))
            }
            _ => None,
        }
    }

    pub(crate) fn piece_mut(
        &mut self,
    ) -> Option<(&mut Value, &mut Option<Value>, &mut Option<Known>)> {
        match self {
            Text::Substr { from, length, known, .. } => Some((from, length, known)),
            Text::View { view: View::Piece { from, length, known, .. }, .. } => {
                Some((from, length, known))
            }
            _ => None,
        }
    }

    /// Its operands, with their types. Bounds may be integers.
    pub fn each_operand(&self, mut f: impl FnMut(Value, ValueType)) {
        let Some((from, length, known)) = self.piece() else { return };
        f(from, ValueType::Number);
        length.into_iter().for_each(|length| f(length, ValueType::Number));
        if let Some(known) = known {
            f(known.at, ValueType::Bytes);
            f(known.size, ValueType::Integer);
        }
    }

    pub(crate) fn map_operands(&mut self, mut f: impl FnMut(Value) -> Value) {
        let Some((from, length, known)) = self.piece_mut() else { return };
        *from = f(*from);
        *length = length.map(&mut f);
        *known = known.map(|known| Known { at: f(known.at), size: f(known.size) });
    }

    pub(crate) fn move_registers(&mut self, by: u16) {
        use Text::*;
        match self {
            ConcatAll { d, list } | JoinKey { d, list } => {
                d.move_register(by);
                list.base += by;
            }
            View { view, want } => {
                view.move_registers(by);
                want.move_registers(by);
            }
            TakeFormatted { d: slot }
            | OwnField { d: slot, .. }
            | KnownSize { s: slot, .. }
            | KnownAt { s: slot } => {
                slot.move_register(by);
            }
            Concat { d, a, b } => [d, a, b].into_iter().for_each(|slot| slot.move_register(by)),
            Argument { d: a, s: b }
            | Append { v: a, s: b }
            | Substr { d: a, s: b, .. }
            | ChangeCase { d: a, s: b, .. }
            | Index { s: a, t: b, .. }
            | BeginKeys { d: a, array: b }
            | NextKey { d: a, keys: b }
            | HasUnder { array: a, key: b }
            | DeleteUnder { array: a, key: b } => {
                a.move_register(by);
                b.move_register(by);
            }
        }
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use Text::*;
        let known = self.piece().and_then(|(_, _, known)| known);
        match self {
            Argument { d, s } => write!(f, "argument {d}, {s}"),
            Concat { d, a, b } => write!(f, "concat {d}, {a}, {b}"),
            ConcatAll { d, list } => write!(f, "concat_all {d}, {} operands", list.count),
            Append { v, s } => write!(f, "append {v}, {s}"),
            Substr { view, d, s, from, length, .. } => {
                let name = if *view { "part" } else { "substr" };
                write!(f, "{name} {d}, {s}, v{}", from.0)?;
                length.map_or(Ok(()), |length| write!(f, ", v{}", length.0))
            }
            ChangeCase { d, s, upper: false } => write!(f, "lower {d}, {s}"),
            ChangeCase { d, s, upper: true } => write!(f, "upper {d}, {s}"),
            Index { s, t, .. } => write!(f, "index {s}, {t}"),
            TakeFormatted { d } => write!(f, "take_formatted {d}"),
            OwnField { d, n } => write!(f, "own_field {d}, ${n}"),
            JoinKey { d, list } => write!(f, "join_key {d}, {} operands", list.count),
            BeginKeys { d, array } => write!(f, "begin_keys {d}, {array}"),
            NextKey { d, keys } => write!(f, "next_key {d}, {keys}"),
            HasUnder { array, key } => write!(f, "has_element {array}, {key}"),
            DeleteUnder { array, key } => write!(f, "delete_element {array}, {key}"),
            View { view, want } => write!(f, "{want} {view}"),
            KnownSize { s, compared: false } => write!(f, "known_size {s}"),
            KnownSize { s, compared: true } => write!(f, "known_size {s}, to compare"),
            KnownAt { s } => write!(f, "known_at {s}"),
        }?;
        match known {
            Some(Known { at, size }) => write!(f, " at v{}, v{}", at.0, size.0),
            None => Ok(()),
        }
    }
}
