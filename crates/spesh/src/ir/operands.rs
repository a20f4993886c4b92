//! Operands, exits, registers and scopes of instructions.

use super::function::*;

impl Inst {
    /// The type of its result.
    pub fn result(&self) -> Option<ValueType> {
        use Inst::*;
        Some(match self {
            Number(_)
            | LoadNumber(_)
            | ReadNumber(_)
            | Binary(..)
            | Unary(..)
            | FromTruth(_)
            | FieldNumber(_)
            | FieldNumberAt(_)
            | Special(_)
            | FieldLength(_)
            | Length { .. }
            | Rand
            | LoadElement(_)
            | ReadElement(_) => ValueType::Number,
            Is(..)
            | Compare(..)
            | CompareSlots(..)
            | CompareTexts(..)
            | EqualsText { .. }
            | TruthOf(_)
            | NotZero(_)
            | IsSmall(_)
            | Not(_)
            | Perform { .. }
            | NextRecord { .. }
            | RecordMatches { .. }
            | CompareField { .. }
            | HasElement { .. }
            | IsNumber(_)
            | HasTime
            | HasSteps
            | IsArray(_) => ValueType::Truth,
            Element { .. } | ElementUnder { .. } | ElementUnderField { .. } => ValueType::Element,
            Text(text) => return text.result(),
            Integer(integer) => return Some(integer.result()),
            Call { callee, .. } if callee.returns == ReturnForm::Number => ValueType::Number,
            _ => return None,
        })
    }

    /// Its operands with their required types, except those of its exit.
    pub fn operands(&self) -> Vec<(Value, ValueType)> {
        let mut operands = Vec::new();
        self.each_operand(|value, ty| operands.push((value, ty)));
        operands
    }

    /// As [`Inst::operands`], without a list.
    pub fn each_operand(&self, mut f: impl FnMut(Value, ValueType)) {
        use Inst::*;
        use ValueType as T;
        match *self {
            StoreNumber { value: a, .. }
            | Unary(_, a)
            | NotZero(a)
            | IsSmall(a)
            | FieldAt { n: a, .. }
            | OwnFieldAt { n: a, .. }
            | FieldNumberAt(a)
            | CompareField { value: a, .. }
            | Element { key: a, .. }
            | ElementUnderField { n: a, .. }
            | HasElement { key: a, .. }
            | DeleteElement { key: a, .. } => f(a, T::Number),
            Binary(_, a, b) | Compare(_, a, b) => {
                f(a, T::Number);
                f(b, T::Number);
            }
            Not(a) | FromTruth(a) | Guard { holds: a, .. } => f(a, T::Truth),
            IsNumber(a)
            | IsArray(a)
            | LoadElement(a)
            | ReadElement(a)
            | CopyToElement { element: a, .. }
            | CopyFromElement { element: a, .. } => f(a, T::Element),
            StoreElement { element, value } => {
                f(element, T::Element);
                f(value, T::Number);
            }
            Text(ref text) => text.each_operand(f),
            Length { known: Some(known), .. } => f(known.size, T::Integer),
            Integer(integer) => integer.operands().into_iter().for_each(|(value, ty)| f(value, ty)),
            Call { ref arguments, .. } => {
                arguments.iter().for_each(|&argument| f(argument, T::Number))
            }
            _ => {}
        }
    }

    pub(crate) fn map_operands(&mut self, mut f: impl FnMut(Value) -> Value) {
        use Inst::*;
        match self {
            StoreNumber { value: a, .. }
            | Unary(_, a)
            | NotZero(a)
            | IsSmall(a)
            | FieldAt { n: a, .. }
            | OwnFieldAt { n: a, .. }
            | FieldNumberAt(a)
            | CompareField { value: a, .. }
            | Not(a)
            | FromTruth(a)
            | Guard { holds: a, .. }
            | Element { key: a, .. }
            | ElementUnderField { n: a, .. }
            | HasElement { key: a, .. }
            | DeleteElement { key: a, .. }
            | IsNumber(a)
            | IsArray(a)
            | LoadElement(a)
            | ReadElement(a)
            | CopyToElement { element: a, .. }
            | CopyFromElement { element: a, .. } => *a = f(*a),
            Binary(_, a, b) | Compare(_, a, b) | StoreElement { element: a, value: b } => {
                *a = f(*a);
                *b = f(*b);
            }
            Text(text) => text.map_operands(f),
            Length { known: Some(known), .. } => known.size = f(known.size),
            Integer(integer) => integer.map_operands(f),
            Call { arguments, .. } => {
                arguments.iter_mut().for_each(|argument| *argument = f(*argument))
            }
            _ => {}
        }
    }

    /// The exits that it may take.
    pub fn exits(&self) -> Vec<ExitId> {
        match self {
            Inst::Guard { exit, .. } | Inst::Call { exit, .. } => vec![*exit],
            Inst::Perform { assigned: Some((next, jumped)), .. }
            | Inst::NextRecord { assigned: (next, jumped), .. } => {
                vec![*next, *jumped]
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn map_exits(&mut self, mut f: impl FnMut(ExitId) -> ExitId) {
        match self {
            Inst::Guard { exit, .. } | Inst::Call { exit, .. } => *exit = f(*exit),
            Inst::Perform { assigned: Some((next, jumped)), .. }
            | Inst::NextRecord { assigned: (next, jumped), .. } => {
                *next = f(*next);
                *jumped = f(*jumped);
            }
            _ => {}
        }
    }

    pub(crate) fn map_scope(&mut self, f: impl FnOnce(FrameScope) -> FrameScope) {
        if let Inst::Perform { scope, .. } | Inst::RecordMatches { scope, .. } = self {
            *scope = f(*scope);
        }
    }

    /// Moves its registers up; a call's destination stays, as it is in the caller's frame.
    pub(crate) fn move_registers(&mut self, by: u16) {
        use Inst::*;
        match self {
            LoadNumber(slot)
            | ReadNumber(slot)
            | Is(slot, _)
            | StoreNumber { slot, .. }
            | StoreNothing { slot, .. }
            | LetGo(slot)
            | TruthOf(slot)
            | Field { d: slot, .. }
            | FieldAt { d: slot, .. }
            | OwnFieldAt { d: slot, .. }
            | Length { s: slot, .. }
            | Element { array: slot, .. }
            | ElementUnderField { array: slot, .. }
            | HasElement { array: slot, .. }
            | DeleteElement { array: slot, .. }
            | CopyToElement { slot, .. }
            | CopyFromElement { slot, .. } => slot.move_register(by),
            CompareSlots(_, a, b)
            | CompareTexts(_, a, b)
            | EqualsText { slot: a, constant: b, .. }
            | ElementUnder { array: a, key: b }
            | Copy { d: a, s: b }
            | CopyShort { d: a, s: b, .. } => {
                a.move_register(by);
                b.move_register(by);
            }
            Text(text) => text.move_registers(by),
            Call { first, .. } => *first += by,
            Take { d, first } => {
                d.move_register(by);
                *first += by;
            }
            ReturnSlot { d, slot, first, .. } => {
                d.move_register(by);
                slot.move_register(by);
                *first += by;
            }
            ReturnUnassigned { d, first, .. } => {
                d.move_register(by);
                *first += by;
            }
            Number(_)
            | Binary(..)
            | Unary(..)
            | Compare(..)
            | NotZero(_)
            | IsSmall(_)
            | Not(_)
            | FromTruth(_)
            | Guard { .. }
            | Perform { .. }
            | NextRecord { .. }
            | RecordMatches { .. }
            | FieldNumber(_)
            | FieldNumberAt(_)
            | CompareField { .. }
            | Special(_)
            | FieldLength(_)
            | Rand
            | IsNumber(_)
            | IsArray(_)
            | LoadElement(_)
            | ReadElement(_)
            | StoreElement { .. }
            | Integer(_)
            | HasTime
            | HasSteps
            | Mark(_) => {}
        }
    }

    /// Whether its result depends on its operands alone, without an effect.
    pub fn is_pure(&self) -> bool {
        use Inst::*;
        matches!(
            self,
            Number(_)
                | Binary(..)
                | Unary(..)
                | Compare(..)
                | NotZero(_)
                | IsSmall(_)
                | Not(_)
                | FromTruth(_)
                | Integer(_)
        )
    }

    /// Whether it can be removed when unused. Reading a field cannot: it may rebuild the record
    /// with the current OFS.
    pub(crate) fn is_idle(&self) -> bool {
        use Inst::*;
        self.is_pure()
            || matches!(
                self,
                LoadNumber(_)
                    | ReadNumber(_)
                    | Is(..)
                    | CompareSlots(..)
                    | CompareTexts(..)
                    | EqualsText { .. }
                    | TruthOf(_)
                    | Length { .. }
                    | Text(super::text::Text::KnownSize { .. } | super::text::Text::KnownAt { .. })
                    | HasElement { .. }
                    | IsNumber(_)
                    | IsArray(_)
                    | LoadElement(_)
                    | ReadElement(_)
            )
    }
}
