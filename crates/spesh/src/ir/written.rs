//! What instructions change.

use super::function::{Inst, Performer};
use super::slot::Slot;
use super::text::Text;
use super::view::Want;

/// What an instruction changes, apart from elements of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Nothing,
    Slots(Slot, Option<Slot>),
    /// Any slot, the record, special variables.
    Anything,
}

impl Inst {
    pub(super) fn written(&self) -> Written {
        use Inst::*;
        match *self {
            StoreNumber { slot, .. }
            | StoreNothing { slot, .. }
            | LetGo(slot)
            | Field { d: slot, .. }
            | FieldAt { d: slot, .. }
            | OwnFieldAt { d: slot, .. }
            | CopyFromElement { slot, .. }
            | Copy { d: slot, .. }
            | CopyShort { d: slot, .. } => Written::Slots(slot, None),
            Text(ref text) => text.written(),
            Perform { by, assigned: None, .. } if is_read_only(by) => Written::Nothing,
            Perform { .. }
            | NextRecord { .. }
            | Call { .. }
            | Take { .. }
            | ReturnSlot { .. }
            | ReturnUnassigned { .. } => Written::Anything,
            Number(_)
            | LoadNumber(_)
            | ReadNumber(_)
            | Is(..)
            | Binary(..)
            | Unary(..)
            | Compare(..)
            | CompareSlots(..)
            | CompareTexts(..)
            | EqualsText { .. }
            | TruthOf(_)
            | NotZero(_)
            | IsSmall(_)
            | Not(_)
            | FromTruth(_)
            | Guard { .. }
            | RecordMatches { .. }
            | FieldNumber(_)
            | FieldNumberAt(_)
            | CompareField { .. }
            | Special(_)
            | FieldLength(_)
            | Length { .. }
            | Integer(_)
            | Rand
            | Element { .. }
            | ElementUnder { .. }
            | ElementUnderField { .. }
            | HasElement { .. }
            | DeleteElement { .. }
            | IsNumber(_)
            | IsArray(_)
            | LoadElement(_)
            | ReadElement(_)
            | StoreElement { .. }
            | CopyToElement { .. }
            | HasTime
            | HasSteps
            | Mark(_) => Written::Nothing,
        }
    }
}

impl Inst {
    /// Whether it finds an element, or makes one, that the next instructions read or change.
    pub fn finds_element(&self) -> bool {
        use Inst::*;
        matches!(self, Element { .. } | ElementUnder { .. } | ElementUnderField { .. })
    }

    /// Whether an array may gain or lose elements.
    pub(super) fn changes_element_count(&self) -> bool {
        let of_text = |text: &Text| {
            matches!(text, Text::DeleteUnder { .. } | Text::View { want: Want::Element { .. }, .. })
        };
        match self {
            Inst::DeleteElement { .. } => true,
            Inst::Text(text) => of_text(text),
            other => other.finds_element(),
        }
    }
}

impl Text {
    fn written(&self) -> Written {
        use Text::*;
        match *self {
            Argument { d, .. }
            | Concat { d, .. }
            | ConcatAll { d, .. }
            | Append { v: d, .. }
            | Substr { d, .. }
            | ChangeCase { d, .. }
            | TakeFormatted { d }
            | OwnField { d, .. }
            | JoinKey { d, .. }
            | BeginKeys { d, .. } => Written::Slots(d, None),
            NextKey { d, keys } => Written::Slots(d, Some(keys)),
            Index { .. }
            | HasUnder { .. }
            | DeleteUnder { .. }
            | View { .. }
            | KnownSize { .. }
            | KnownAt { .. } => Written::Nothing,
        }
    }
}

fn is_read_only(by: Performer) -> bool {
    use Performer::*;
    matches!(
        by,
        Print | PrintRecord | PrintJoined | Format | PrintFormatted | Matches | JumpMatches
    )
}
