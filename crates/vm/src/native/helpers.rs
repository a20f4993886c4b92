//! What machine code may call, in one typed table: it knows helpers by their place in it, and addresses are taken when code is
//! installed.

use super::context::Context;
use crate::arithmetic::{power, remainder};
use crate::frames::Frame;
use crate::interpret::{clear, put};
use crate::runtime::Runtime;
use riverhawk_bytecode::{Dst, FrameId};
use riverhawk_syntax::ast::Special;
use riverhawk_value::{Probe, Value};
use std::cmp::Ordering;

/// What a helper takes or gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An address.
    Address,
    /// 32 bits.
    Word,
    /// A double.
    Number,
}

/// What [`Helper::Perform`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Performed {
    /// Go on with the following operation.
    Next = 0,
    /// It jumped.
    Jumped = 1,
    /// It failed: the fault is held.
    Failed = 2,
    /// As `Next`, and globals were assigned from outside.
    NextAssigned = 3,
    /// As `Jumped`, and globals were assigned from outside.
    JumpedAssigned = 4,
}

macro_rules! kind {
    (Address) => { *mut Value };
    (Word) => { u32 };
    (Number) => { f64 };
}

macro_rules! helpers {
    ($($(#[$doc:meta])* fn $function:ident as $name:ident($context:ident $(, $argument:ident: $kind:ident)*) $(-> $result:ident)? $body:block)*) => {
        /// A function that machine code may call. Each takes the context first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Helper { $($(#[$doc])* $name),* }

        impl Helper {
            /// All of them, in order.
            pub const ALL: &'static [Helper] = &[$(Helper::$name),*];

            /// As dumps show it.
            pub fn name(self) -> &'static str {
                match self { $(Helper::$name => stringify!($function)),* }
            }

            /// What it takes behind the context.
            pub fn arguments(self) -> &'static [Kind] {
                match self { $(Helper::$name => &[$(Kind::$kind),*]),* }
            }

            /// What it gives.
            pub fn result(self) -> Option<Kind> {
                match self { $(Helper::$name => helpers!(@result $($result)?)),* }
            }

            /// Where it is.
            pub fn address(self) -> usize {
                match self { $(Helper::$name => $function as *const () as usize),* }
            }
        }

        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// Called by machine code that keeps the contract of this module: the context is that of the entry, and addresses are
            /// live slots.
            unsafe extern "C" fn $function($context: *mut Context $(, $argument: kind!($kind))*) $(-> kind!($result))? $body
        )*
    };
    (@result) => { None };
    (@result $result:ident) => { Some(Kind::$result) };
}

/// The runtime behind a context.
///
/// # Safety
/// As for helpers; nothing else refers to the runtime meanwhile.
#[inline(always)]
unsafe fn runtime<'a>(context: *mut Context) -> &'a mut Runtime {
    // SAFETY: by the contract; the interpreter that entered machine code waits.
    unsafe { &mut (*(*context).machine).rt }
}

fn performed(jumped: bool, assigned: bool) -> u32 {
    (match (jumped, assigned) {
        (false, false) => Performed::Next,
        (true, false) => Performed::Jumped,
        (false, true) => Performed::NextAssigned,
        (true, true) => Performed::JumpedAssigned,
    }) as u32
}

fn order_code(order: Option<Ordering>) -> u32 {
    match order {
        Some(Ordering::Less) => 0,
        Some(Ordering::Equal) => 1,
        Some(Ordering::Greater) => 2,
        None => 3,
    }
}

/// The key that a number is, handed to `f`.
#[inline(always)]
fn with_number_key<R>(rt: &mut Runtime, number: f64, f: impl FnOnce(Probe<'_>) -> R) -> R {
    let integer = number as i64;
    if integer as f64 == number && integer.unsigned_abs() < 1 << 48 {
        return f(Probe::Int(integer));
    }
    rt.with_key(&Value::Num(number), f)
}

helpers! {
    /// Performs so many operations of the frame, from the one at `at` on: [`Performed`]. Only the last may jump. If one fails, the
    /// context says which.
    fn perform as Perform(context, base: Address, frame: Word, at: Word, count: Word) -> Word {
        // SAFETY: by the contract.
        let (context, machine) = unsafe { (&mut *context, &mut *(*context).machine) };
        // SAFETY: `base` is a register of the stack.
        let base_at = unsafe { base.offset_from_unsigned(machine.stack.as_mut_ptr()) };
        let assignments = machine.rt.assignments;
        let Some(next) = machine.perform(frame, at, count, base_at) else {
            if let Some((fault, at)) = machine.held_fault.take() {
                (context.fault, context.at) = (Some(fault), at);
            }
            return Performed::Failed as u32;
        };
        performed(next != at + count, machine.rt.assignments != assignments)
    }

    /// Makes the next record `$0`: [`Performed`], as of an operation at `at` that jumps when there is one.
    fn next_record as NextRecord(context, at: Word) -> Word {
        // SAFETY: by the contract.
        let (rt, context) = unsafe { (runtime(context), &mut *context) };
        let assignments = rt.assignments;
        match rt.next_record() {
            Ok(found) => performed(found, rt.assignments != assignments),
            Err(fault) => {
                (context.fault, context.at) = (Some(fault), at);
                Performed::Failed as u32
            }
        }
    }

    /// Whether the record matches a constant regular expression: [`Performed`], as of an operation at `at` that jumps when it does.
    fn record_matches as RecordMatches(context, regex: Word, at: Word) -> Word {
        // SAFETY: by the contract.
        let (rt, context) = unsafe { (runtime(context), &mut *context) };
        match rt.record_matches(regex as usize) {
            Ok(matches) => performed(matches, false),
            Err(fault) => {
                (context.fault, context.at) = (Some(fault), at);
                Performed::Failed as u32
            }
        }
    }

    /// A sample of the profile is due.
    fn sample as Sample(context) {
        // SAFETY: by the contract.
        let (context, machine) = unsafe { (&mut *context, &mut *(*context).machine) };
        if let Some(profile) = &mut machine.profile {
            profile.depth = context.profile_depth();
            profile.look(true);
        }
    }

    /// A call that is left: what the interpreter would have pushed for it.
    fn push_call as PushCall(context, base: Address, return_to: Word, function: Word, d: Word) {
        // SAFETY: by the contract.
        let (context, machine) = unsafe { (&mut *context, &mut *(*context).machine) };
        // SAFETY: `base` is a register of the stack.
        let base_at = unsafe { base.offset_from_unsigned(machine.stack.as_mut_ptr()) };
        let number = (d & 0x7fff) as u16;
        let d = if d & 0x8000 != 0 { Dst::fixed(number) } else { Dst::register(number) };
        context.calls.push(Frame { return_to, caller_base: base_at as u32, function: FrameId(function), d });
    }

    /// A value as a number.
    fn number as Number(context, slot: Address) -> Number {
        // SAFETY: by the contract.
        unsafe { runtime(context).number(&*slot) }
    }

    /// Whether a value is true: 1 or 0.
    fn truth as Truth(context, slot: Address) -> Word {
        // SAFETY: by the contract.
        unsafe { u32::from((*slot).truth(runtime(context).record.text())) }
    }

    /// Compares two values: 0 less, 1 equal, 2 greater, 3 when a NaN is involved.
    fn compare as Compare(context, a: Address, b: Address) -> Word {
        // SAFETY: by the contract.
        order_code(unsafe { runtime(context).compare(&*a, &*b) })
    }

    /// A slot becomes nothing; what it held is let go.
    fn let_go as LetGo(_context, slot: Address) {
        // SAFETY: by the contract.
        unsafe { *slot = Value::Uninit }
    }

    /// A slot gets a copy of a value that may outlive the record.
    fn copy as Copy(context, d: Address, s: Address) {
        // SAFETY: by the contract; the source is read before the target is written.
        unsafe {
            let value = runtime(context).owned(&*s);
            *d = value;
        }
    }

    /// A slot gets a copy of an element, as it is.
    fn clone_value as CloneValue(_context, d: Address, s: Address) {
        // SAFETY: by the contract; the source is read before the target is written.
        unsafe {
            let value = (*s).clone();
            *d = value;
        }
    }

    /// Ends a function's frame of so many registers: its first register gets a copy of a slot, the others are cleared.
    fn give_back as GiveBack(context, base: Address, slot: Address, count: Word) {
        // SAFETY: by the contract.
        unsafe {
            let value = runtime(context).owned(&*slot);
            clear(base, count as usize);
            *base = value;
        }
    }

    /// The same, with what was assigned from nothing.
    fn give_nothing as GiveNothing(_context, base: Address, count: Word) {
        // SAFETY: by the contract.
        unsafe {
            clear(base, count as usize);
            *base = Value::Unassigned;
        }
    }

    /// A slot gets another's value, which becomes nothing.
    fn take as Take(_context, d: Address, s: Address) {
        // SAFETY: by the contract.
        unsafe {
            let value = std::mem::take(&mut *s);
            *d = value;
        }
    }

    /// The remainder of a division.
    fn remainder_of as Remainder(_context, a: Number, b: Number) -> Number {
        remainder(a, b)
    }

    /// A power.
    fn power_of as Power(_context, a: Number, b: Number) -> Number {
        power(a, b)
    }

    /// Sine.
    fn sine as Sin(_context, a: Number) -> Number {
        a.sin()
    }

    /// Cosine.
    fn cosine as Cos(_context, a: Number) -> Number {
        a.cos()
    }

    /// e to the power; infinite where the interpreter may have something to say.
    fn exponential as Exp(_context, a: Number) -> Number {
        a.exp()
    }

    /// Natural logarithm of a number that is not negative.
    fn logarithm as Log(_context, a: Number) -> Number {
        a.ln()
    }

    /// The angle of (y, x).
    fn angle as Atan2(_context, a: Number, b: Number) -> Number {
        a.atan2(b)
    }

    /// A random number.
    fn random as Rand(context) -> Number {
        // SAFETY: by the contract.
        unsafe { runtime(context).random.next() }
    }

    /// A slot gets a field.
    fn field as Field(context, d: Address, n: Word) {
        // SAFETY: by the contract; the slot is live.
        unsafe {
            let value = runtime(context).field(n as usize);
            put(d, value);
        }
    }

    /// Compares a field with a number, as `Compare`.
    fn compare_field as CompareField(context, n: Word, number: Number) -> Word {
        // SAFETY: by the contract.
        let rt = unsafe { runtime(context) };
        let field = rt.field(n as usize);
        order_code(rt.compare(&field, &Value::Num(number)))
    }

    /// The field whose number this is, as a number. The number is from 0 to the greatest there may be.
    fn field_number_at as FieldNumberAt(context, n: Number) -> Number {
        // SAFETY: by the contract.
        let rt = unsafe { runtime(context) };
        // By way of a signed number: unsigned ones of 64 bits take several instructions to convert to.
        let field = rt.field(n as i64 as usize);
        rt.number(&field)
    }

    /// One of the variables that the engine keeps, by its place in [`Special::ALL`], if it is a number; otherwise a NaN.
    fn special_number as SpecialNumber(context, special: Word) -> Number {
        // SAFETY: by the contract.
        let rt = unsafe { runtime(context) };
        match Special::ALL[special as usize] {
            Special::Nf if rt.record.is_plainly_split() => rt.record.split_count() as i64 as f64,
            Special::Nr if !rt.specials.counters_assigned => rt.specials.nr,
            special => match rt.special(special) {
                Value::Num(number) => number,
                _ => f64::NAN,
            },
        }
    }

    /// Characters of a field; of the record, for 0.
    fn field_length as FieldLength(context, n: Word) -> Number {
        // SAFETY: by the contract.
        let rt = unsafe { runtime(context) };
        if n == 0 {
            return rt.length_of_record() as i64 as f64;
        }
        let field = rt.field(n as usize);
        rt.length(&field) as i64 as f64
    }

    /// Characters of a value; elements of an array.
    fn length as Length(context, slot: Address) -> Number {
        // SAFETY: by the contract.
        unsafe { runtime(context).length(&*slot) as i64 as f64 }
    }

    /// A field as a number, read from the record's bytes.
    fn field_number as FieldNumber(context, n: Word) -> Number {
        // SAFETY: by the contract.
        let rt = unsafe { runtime(context) };
        let field = rt.field(n as usize);
        rt.number(&field)
    }

    /// The element of an array under a number, made when there is none; null when it is to be done the long way.
    fn element as Element(context, array: Address, key: Number) -> Address {
        // SAFETY: by the contract.
        let (rt, slot) = unsafe { (runtime(context), &mut *array) };
        let Value::Array(array) = slot else { return std::ptr::null_mut() };
        let mut array = array.borrow_mut();
        std::ptr::from_mut(with_number_key(rt, key, |key| array.entry(key)))
    }

    /// An array loses the element under a number.
    fn delete_element as DeleteElement(context, array: Address, key: Number) {
        // SAFETY: by the contract.
        let (rt, slot) = unsafe { (runtime(context), &mut *array) };
        if let Value::Array(array) = slot {
            let mut array = array.borrow_mut();
            with_number_key(rt, key, |key| array.remove(key));
        }
    }

    /// As `Element`, under any key.
    fn element_under as ElementUnder(context, array: Address, key: Address) -> Address {
        // SAFETY: by the contract.
        let (rt, slot, key) = unsafe { (runtime(context), &mut *array, &*key) };
        let Value::Array(array) = slot else { return std::ptr::null_mut() };
        let mut array = array.borrow_mut();
        std::ptr::from_mut(rt.with_key(key, |key| array.entry(key)))
    }

    /// Whether an array has an element under a number: 1 or 0; 2 when it is to be done the long way.
    fn has_element as HasElement(context, array: Address, key: Number) -> Word {
        // SAFETY: by the contract.
        let (rt, slot) = unsafe { (runtime(context), &mut *array) };
        let Value::Array(array) = slot else { return 2 };
        let array = array.borrow();
        u32::from(with_number_key(rt, key, |key| array.contains(key)))
    }
}
