//! Helpers: the functions that machine code may call. Until code is installed, a helper is known by
//! its place in this table.

use super::context::Context;
use super::views;
use crate::current::CurrentRecord;
use crate::frames::Frame;
use crate::interpret::operands::{Operands, clear, put};
use crate::interpret::{
    arrays, calls, comparison, fields, host, input, library, matching, output, texts,
};
use crate::machine::Machine;
use crate::memory;
use crate::profile::CodeKind;
use crate::runtime::Runtime;
use crate::strings::Case;
use crate::substitute::Replacements;
use crate::workspace::Workspace;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_builtins::arithmetic::{power, remainder};
use riverhawk_bytecode::{Dst, FrameId, Op, Srcs};
use riverhawk_syntax::ast::Special;
use riverhawk_value::{Array, Place, Probe, Value};
use std::cmp::Ordering;
use std::mem::ManuallyDrop;

/// What a helper takes or gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An address.
    Address,
    /// 32 bits.
    Word,
    /// A double.
    Number,
    /// A size in bytes, 64 bits.
    Size,
}

impl Helper {
    /// Whether the address that it gives is null when memory has run out.
    pub fn gives_null(self) -> bool {
        matches!(self, Helper::ElementPlaceUnder | Helper::ElementPlaceUnderField)
    }

    /// Whether the caller must check for running out of memory.
    pub fn grows(self) -> bool {
        use Helper::*;
        matches!(
            self,
            Copy | Field
                | FieldAt
                | OwnField
                | OwnFieldAt
                | GiveBack
                | Argument
                | Element
                | ElementUnder
                | ElementUnderView
                | ElementPlace
                | ElementUnderField
                | Concat
                | ConcatAll
                | Append
                | SubstrFrom
                | Substr
                | Part
                | Lower
                | Upper
                | TakeFormatted
                | JoinKey
                | BeginKeys
                | ViewCase
                | ViewJoined
                | ViewJoinedAll
                | ViewKey
        )
    }
}

/// The result of [`Helper::Perform`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Performed {
    /// The next operation follows.
    Next = 0,
    /// It jumped.
    Jumped = 1,
    /// It failed, with the fault in the context.
    Failed = 2,
    /// As `Next`; globals were assigned.
    NextAssigned = 3,
    /// As `Jumped`; globals were assigned.
    JumpedAssigned = 4,
}

macro_rules! kind {
    (Address) => { *mut Value };
    (Word) => { u32 };
    (Number) => { f64 };
    (Size) => { usize };
}

macro_rules! helpers {
    (
        operations($rt:ident, $operands:ident) {
            $($(#[$operation_doc:meta])* $operation_function:ident as $operation:ident: $pattern:pat => $perform:expr;)*
        }
        $($helpers:tt)*
    ) => {
        helpers! {
            $(
                $(#[$operation_doc])*
                /// An operation, as by [`Helper::Perform`].
                fn $operation_function as $operation(context, base: Address, _frame: Word, at: Word, _count: Word) -> Word {
                    // SAFETY: by the contract.
                    unsafe {
                        one(context, base, at, |#[allow(unused_variables, reason = "few need no more than operands")] $rt, $operands, op| match *op {
                            $pattern => $perform,
                            _ => {
                                debug_assert!(false, "{op:?}");
                                Ok(false)
                            }
                        })
                    }
                }
            )*
            $($helpers)*
        }
    };
    ($($(#[$doc:meta])* fn $function:ident as $name:ident($context:ident $(, $argument:ident: $kind:ident)*) $(-> $result:ident)? $body:block)*) => {
        /// A function for machine code; the context is its first argument.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Helper { $($(#[$doc])* $name),* }

        impl Helper {
            /// All, in order.
            pub const ALL: &'static [Helper] = &[$(Helper::$name),*];

            /// The name in dumps.
            pub fn name(self) -> &'static str {
                match self { $(Helper::$name => stringify!($function)),* }
            }

            /// Its arguments after the context.
            pub fn arguments(self) -> &'static [Kind] {
                match self { $(Helper::$name => &[$(Kind::$kind),*]),* }
            }

            /// Its result.
            pub fn result(self) -> Option<Kind> {
                match self { $(Helper::$name => helpers!(@result $($result)?)),* }
            }

            /// Its address.
            pub fn address(self) -> usize {
                match self { $(Helper::$name => $function as *const () as usize),* }
            }
        }

        $(
            $(#[$doc])*
            ///
            ///
            /// # Safety
            /// Called by machine code that keeps this module's contract: the context is that of the
            /// entry, addresses are live slots.
            unsafe extern "C" fn $function($context: *mut Context $(, $argument: kind!($kind))*) $(-> kind!($result))? $body
        )*
    };
    (@result) => { None };
    (@result $result:ident) => { Some(Kind::$result) };
}

/// # Safety
/// As for helpers; meanwhile nothing else refers to the runtime.
#[inline(always)]
unsafe fn runtime<'a>(context: *mut Context) -> &'a mut Runtime {
    // SAFETY: by the contract; the interpreter that entered machine code waits.
    unsafe { &mut (*(*context).machine.cast::<Machine>()).rt }
}

/// # Safety
/// As for [`runtime`]; `base` is the frame's first register.
#[inline(always)]
unsafe fn operands(context: *mut Context, base: *mut Value) -> Operands {
    // SAFETY: by the contract.
    unsafe { Operands::new(base, (*context).statics) }
}

/// Performs the operation at `at`: [`Performed`].
///
/// # Safety
/// As for helpers.
#[inline(always)]
unsafe fn one(
    context: *mut Context,
    base: *mut Value,
    at: u32,
    operation: impl FnOnce(&mut Runtime, Operands, &Op) -> Fallible<bool>,
) -> u32 {
    // SAFETY: by the contract; a run keeps its program to its end.
    unsafe {
        let rt = runtime(context);
        let op = &*rt.program.code.as_ptr().add(at as usize);
        rt.outside.warnings.at = at;
        let assignments = rt.globals.assignments;
        let result = operation(rt, operands(context, base), op);
        match result.and_then(|jumped| memory::check().map(|()| jumped)) {
            Ok(jumped) => {
                performed(jumped, rt.globals.assignments != assignments && op.reads_input())
            }
            Err(fault) => failed(context, fault, at),
        }
    }
}

/// # Safety
/// As for helpers.
unsafe fn failed(context: *mut Context, fault: Fault, at: u32) -> u32 {
    // SAFETY: by the contract.
    unsafe { ((*context).fault, (*context).at) = (Some(fault), at) };
    Performed::Failed as u32
}

fn on((): ()) -> bool {
    false
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

#[inline(always)]
fn with_number_key<R>(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    number: f64,
    f: impl FnOnce(Probe<'_>) -> R,
) -> R {
    let integer = number as i64;
    if integer as f64 == number && integer.unsigned_abs() < 1 << 48 {
        return f(Probe::Int(integer));
    }
    workspace.with_key(current, &Value::Num(number), f)
}

/// # Safety
/// Machine code has made sure that it is from 0 and below 2^28.
#[inline(always)]
unsafe fn field_number_of(n: f64) -> usize {
    // SAFETY: by the contract. A conversion that looks itself takes eight instructions.
    unsafe { n.to_int_unchecked::<i64>() as usize }
}

/// # Safety
/// As for helpers.
#[inline(always)]
unsafe fn known_element(rt: &Runtime, slot: *mut Value, key: &Value) -> Option<*mut Value> {
    // SAFETY: by the contract.
    let Value::Array(array) = (unsafe { &*slot }) else { return None };
    debug_assert!(array.try_borrow_mut().is_ok());
    // SAFETY: machine code holds no reference into an array.
    let array = unsafe { &mut *array.as_ptr() };
    array.known(key, rt.current.record.text_and_behind()).map(std::ptr::from_mut)
}

/// # Safety
/// As for helpers.
#[inline(never)]
unsafe extern "C" fn place_under_any(
    context: *mut Context,
    slot: *mut Value,
    key: *mut Value,
) -> *mut Value {
    // SAFETY: by the contract.
    let (rt, slot, key) = unsafe { (runtime(context), &*slot, &*key) };
    let Value::Array(array) = slot else { return std::ptr::null_mut() };
    there(rt.workspace.place_any(&rt.current, &mut array.borrow_mut(), key))
}

/// # Safety
/// As for helpers.
#[inline(never)]
unsafe extern "C" fn place_under_any_field(
    context: *mut Context,
    slot: *mut Value,
    n: f64,
) -> *mut Value {
    // SAFETY: by the contract.
    let (rt, slot, n) = unsafe { (runtime(context), &*slot, field_number_of(n)) };
    let Value::Array(array) = slot else { return std::ptr::null_mut() };
    let field = rt.current.field(n);
    there(rt.workspace.place_any(&rt.current, &mut array.borrow_mut(), &field))
}

/// As [`address`]; null if memory has run out.
fn there(place: Place<'_>) -> *mut Value {
    if riverhawk_memory::ran_out() { std::ptr::null_mut() } else { address(place) }
}

/// The address of an element that is no packed one, made if needed.
#[inline(always)]
fn entry(rt: &mut Runtime, array: &mut Array, key: &Value) -> *mut Value {
    match rt.workspace.place(&rt.current, array, key) {
        Place::Value(value) => std::ptr::from_mut(value),
        Place::Packed(_) => {
            rt.workspace.with_key(&rt.current, key, |key| std::ptr::from_mut(array.entry(key)))
        }
    }
}

/// An element's address, plus one if packed: both kinds are aligned to words.
fn address(place: Place<'_>) -> *mut Value {
    match place {
        Place::Value(value) => std::ptr::from_mut(value),
        Place::Packed(packed) => std::ptr::from_mut(packed).cast::<Value>().wrapping_byte_add(1),
    }
}

/// # Safety
/// As for helpers.
#[inline(never)]
unsafe fn substitute_within(context: *mut Context, base: *mut Value, at: u32) -> u32 {
    // SAFETY: by the contract.
    unsafe {
        one(context, base, at, |rt, operands, op| match *op {
            Op::Substitute { every, d, v, pattern, by } => {
                let which = Replacements::of(every);
                matching::substitute_within(rt, operands, which, [d, v], pattern, by).map(on)
            }
            Op::SubstituteRecord { every, d, pattern, by } => {
                let which = Replacements::of(every);
                matching::substitute_within_record(rt, operands, which, d, pattern, by).map(on)
            }
            _ => Ok(false),
        })
    }
}

helpers! {
    operations(rt, operands) {
        /// `print`.
        print as Print: Op::Print { parts } => output::print(rt, operands, parts).map(on);
        /// `print` of concatenations.
        print_joined as PrintJoined: Op::PrintJoined { joints, parts } => output::print_joined(rt, operands, joints, parts).map(on);
        /// `print` of concatenations elsewhere.
        print_joined_to as PrintJoinedTo: Op::PrintJoinedTo { how, to, joints, parts } => {
            output::print_joined_to(rt, operands, how, to, joints, parts).map(on)
        };
        /// `print` of the record.
        print_record as PrintRecord: Op::PrintRecord {} => output::print_record(rt, operands).map(on);
        /// `print` elsewhere.
        print_to as PrintTo: Op::PrintTo { how, to, parts } => output::print_to(rt, operands, how, to, parts).map(on);
        /// Assigns to a field.
        set_field as SetField: Op::SetField { n, s } => fields::set_field(rt, operands, n, s).map(on);
        /// Assigns to a field by a computed number.
        set_field_at as SetFieldAt: Op::SetFieldAt { i, s } => fields::set_field_by_number(rt, operands, i, s).map(on);
        /// `$i += v`.
        update_field as UpdateField: Op::UpdateField { op, d, i, v } => fields::update_field::<true>(rt, operands, op, d, i, v).map(on);
        /// `$i++` and the like.
        step_field as StepField: Op::StepField { how, d, i } => fields::step_field::<true>(rt, operands, how, d, i).map(on);
        /// A special variable.
        get_special as GetSpecial: Op::GetSpecial { d, v } => {
            fields::get_special(&rt.program, &mut rt.current, &rt.arithmetic, operands, d, v);
            Ok(false)
        };
        /// Assigns to a special variable.
        set_special as SetSpecial: Op::SetSpecial { v, s } => fields::set_special(rt, operands, v, s).map(on);
        /// An element that is passed on.
        take_element as TakeElement: Op::TakeElement { d, array, key } => arrays::take_element(&rt.current, &mut rt.workspace, operands, d, array, key).map(on);
        /// `a[k] = a[k] s`.
        append_element as AppendElement: Op::AppendElement { array, key, v } => arrays::append_element(&rt.current, &mut rt.workspace, operands, array, key, v).map(on);
        /// `delete a`.
        clear_array as ClearArray: Op::ClearArray { array } => arrays::clear(operands, array).map(on);
        /// An element that is an array.
        get_subarray as GetSubarray: Op::GetSubarray { d, array, key } => arrays::subarray(&rt.current, &mut rt.workspace, operands, d, array, key).map(on);
        /// `getline`; programs with rules for files have no machine code.
        getline as Getline: Op::Getline { d } => {
            let answer = input::read_record(rt)?;
            input::answer(&rt.program, &rt.current, &mut rt.outside, operands, d, None, answer).map(on)
        };
        /// `getline var`.
        getline_var as GetlineVar: Op::GetlineVar { d, line } => {
            let (answer, record) = input::take_record(rt)?;
            let record = record.map(|record| (line, record));
            input::answer(&rt.program, &rt.current, &mut rt.outside, operands, d, record, answer).map(on)
        };
        /// `getline` from elsewhere.
        getline_from as GetlineFrom: Op::GetlineFrom { how, d, from } => input::getline_from(rt, operands, how, d, from).map(on);
        /// `getline var` from elsewhere.
        getline_from_var as GetlineFromVar: Op::GetlineFromVar { how, d, line, from } => {
            input::getline_var_from(rt, operands, how, d, line, from).map(on)
        };
        /// An argument that may be an array.
        argument_by_name as ArgumentByName: Op::ArgumentByName { d, s } => calls::argument_by_name(&rt.current, operands, d, s).map(on);
        /// A library function without callbacks.
        library as Library: Op::Library { f, d, arguments } => library::call(rt, operands, f, d, arguments).map(on);
        /// A host function.
        call_host as CallHost: Op::CallHost { function, arrays, d, arguments } => {
            host::call(rt, operands, function, arrays, d, arguments).map(on)
        };
        /// Fills in a constant format.
        format as Format: Op::FormatConst { format, parts } => output::format(rt, operands, format, parts).map(on);
        /// Prints what was formatted.
        print_formatted as PrintFormatted: Op::PrintFormatted {} => output::print_formatted(&rt.workspace, &mut rt.outside, operands).map(on);
        /// `~`.
        matches as Matches: Op::Matches { d, s, pattern } => matching::matches(rt, operands, d, s, pattern).map(on);
        /// Jumps by a match.
        jump_matches as JumpMatches: jump @ (Op::JumpMatches { s, re, .. } | Op::JumpNotMatches { s, re, .. }) => {
            let found = matching::matches_constant(rt, operands, s, re)?;
            Ok(found == matches!(jump, Op::JumpMatches { .. }))
        };
        /// `match`.
        match_at as MatchAt: Op::MatchAt { d, s, pattern } => matching::match_at(rt, operands, d, s, pattern).map(on);
        /// `split`.
        split as Split: split @ (Op::Split { d, s, array, by } | Op::SplitKeeping { d, s, array, by, .. }) => {
            let between = if let Op::SplitKeeping { between, .. } = split { Some(between) } else { None };
            matching::split(rt, operands, d, s, array, between, by).map(on)
        };
    }

    /// `sub` and `gsub`, as an operation.
    fn substitute as Substitute(context, base: Address, _frame: Word, at: Word, _count: Word) -> Word {
        // SAFETY: by the contract; a run keeps its program to its end.
        let (rt, mut operands, op) = unsafe {
            let rt = runtime(context);
            let op = *rt.program.code.as_ptr().add(at as usize);
            (rt, operands(context, base), op)
        };
        // What only cuts takes a third of the time without what others need.
        let is_cut = match op {
            Op::Substitute { d, v, pattern, by, .. } => {
                matching::cut_view(rt, &mut operands, [d, v], pattern, by)
            }
            Op::SubstituteRecord { d, pattern, by, .. } => {
                matching::cut_record(rt, &mut operands, d, pattern, by)
            }
            _ => false,
        };
        if is_cut {
            return Performed::Next as u32;
        }
        // SAFETY: by the contract.
        unsafe { substitute_within(context, base, at) }
    }

    /// Performs `count` operations from `at`: [`Performed`]. Only the last may jump.
    fn perform as Perform(context, base: Address, frame: Word, at: Word, count: Word) -> Word {
        // SAFETY: by the contract.
        let (context, machine) = unsafe { (&mut *context, &mut *(*context).machine.cast::<Machine>()) };
        // SAFETY: `base` is a register of the stack.
        let base_at = unsafe { base.offset_from_unsigned(machine.stack.as_mut_ptr()) };
        let assignments = machine.rt.globals.assignments;
        let Some(next) = machine.perform(frame, at, count, base_at) else {
            if let Some((fault, at)) = machine.pending_fault.take() {
                (context.fault, context.at) = (Some(fault), at);
            }
            return Performed::Failed as u32;
        };
        performed(next != at + count, machine.rt.globals.assignments != assignments)
    }

    /// Reads a record into `$0`: [`Performed`], a jump if there is one.
    fn next_record as NextRecord(context, at: Word) -> Word {
        // SAFETY: by the contract.
        let machine = unsafe { &mut *(*context).machine.cast::<Machine>() };
        let rt = &mut machine.rt;
        let is_counted = matches!(rt.program.code[at as usize], Op::CountedRecordLoop { .. });
        if !is_counted && !riverhawk_memory::ran_out() && rt.next_marked() {
            return Performed::Jumped as u32;
        }
        let assignments = rt.globals.assignments;
        let found = rt.next_record().and_then(|found| {
            memory::check()?;
            if found && is_counted {
                machine.budget.take_record()?;
            }
            Ok(found)
        });
        match found {
            Ok(found) => performed(found, rt.globals.assignments != assignments),
            // SAFETY: by the contract.
            Err(fault) => unsafe { failed(context, fault, at) },
        }
    }

    /// Matches the record with a constant: [`Performed`], a jump if it does.
    fn record_matches as RecordMatches(context, regex: Word, at: Word) -> Word {
        // SAFETY: by the contract.
        let rt = unsafe { runtime(context) };
        match rt.searches.record_matches(&mut rt.current, &rt.main, regex as usize) {
            Ok(matches) => performed(matches, false),
            // SAFETY: by the contract.
            Err(fault) => unsafe { failed(context, fault, at) },
        }
    }

    /// Takes a sample of the profile.
    fn sample as Sample(context) {
        // SAFETY: by the contract.
        let (context, machine) = unsafe { (&mut *context, &mut *(*context).machine.cast::<Machine>()) };
        if let Some(profile) = &mut machine.profile {
            profile.depth = context.profile_depth();
            profile.sample_if_due(CodeKind::Compiled);
        }
    }

    /// Pushes the frame of a call that is left.
    fn push_call as PushCall(context, base: Address, return_to: Word, function: Word, d: Word) {
        // SAFETY: by the contract.
        let (context, machine) = unsafe { (&mut *context, &mut *(*context).machine.cast::<Machine>()) };
        // SAFETY: `base` is a register of the stack.
        let base_at = unsafe { base.offset_from_unsigned(machine.stack.as_mut_ptr()) };
        let number = (d & 0x7fff) as u16;
        let d = if d & 0x8000 != 0 { Dst::fixed(number) } else { Dst::register(number) };
        context.calls.push(Frame { return_to, caller_base: base_at as u32, function: FrameId(function), d });
    }

    /// A value as a number.
    fn number as Number(context, slot: Address) -> Number {
        // SAFETY: by the contract.
        unsafe { runtime(context).current.number(&*slot) }
    }

    /// Truth: 1 or 0.
    fn truth as Truth(context, slot: Address) -> Word {
        // SAFETY: by the contract.
        unsafe { u32::from((*slot).truth(runtime(context).current.record.text())) }
    }

    /// Compares: 0 less, 1 equal, 2 greater, 3 with a NaN.
    fn compare as Compare(context, a: Address, b: Address) -> Word {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            order_code(rt.locale.compare(&rt.program, &rt.current, &*a, &*b))
        }
    }

    /// Drops what a slot holds.
    fn let_go as LetGo(context, slot: Address) {
        // SAFETY: by the contract.
        unsafe { runtime(context).workspace.let_go(std::mem::take(&mut *slot)) }
    }

    /// An owned copy.
    fn copy as Copy(context, d: Address, s: Address) {
        // SAFETY: by the contract; the source is read before the target is written.
        unsafe {
            let value = runtime(context).current.owned(&*s);
            *d = value;
        }
    }

    /// A copy as it is.
    fn clone_value as CloneValue(_context, d: Address, s: Address) {
        // SAFETY: by the contract; the source is read before the target is written.
        unsafe {
            let value = (*s).clone();
            *d = value;
        }
    }

    /// Ends a frame with registers from `base` on; `d` gets a slot's value.
    fn give_back as GiveBack(context, d: Address, slot: Address, base: Address, count: Word) {
        // SAFETY: by the contract.
        unsafe { calls::give_back(&runtime(context).current, d, slot, base, count as usize) }
    }

    /// Ends a frame; `d` becomes unassigned.
    fn give_nothing as GiveNothing(_context, d: Address, base: Address, count: Word) {
        // SAFETY: by the contract.
        unsafe {
            clear(base, count as usize);
            put(d, Value::Unassigned);
        }
    }

    /// Moves a value.
    fn take as Take(_context, d: Address, s: Address) {
        // SAFETY: by the contract.
        unsafe {
            let value = std::mem::take(&mut *s);
            *d = value;
        }
    }

    /// `%`.
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

    /// `exp`; infinite if the interpreter may warn.
    fn exponential as Exp(_context, a: Number) -> Number {
        a.exp()
    }

    /// `log`.
    fn logarithm as Log(_context, a: Number) -> Number {
        a.ln()
    }

    /// `atan2`.
    fn angle as Atan2(_context, a: Number, b: Number) -> Number {
        a.atan2(b)
    }

    /// A random number.
    fn random as Rand(context) -> Number {
        // SAFETY: by the contract.
        unsafe { runtime(context).arithmetic.random.draw() }
    }

    /// A field.
    fn field as Field(context, d: Address, n: Word) {
        // SAFETY: by the contract; the slot is live.
        unsafe { fields::put_field(&mut runtime(context).current, d, n as usize, n as usize) }
    }

    /// A field by a number in range.
    fn field_at as FieldAt(context, d: Address, n: Number) {
        // SAFETY: by the contract, and machine code has looked at the number; the slot is live.
        unsafe {
            let n = field_number_of(n);
            fields::put_field(&mut runtime(context).current, d, n, n)
        }
    }

    /// The same, owned.
    fn own_field_at as OwnFieldAt(context, d: Address, n: Number) {
        // SAFETY: as above.
        unsafe { texts::own_field(&mut runtime(context).current, d, field_number_of(n)) }
    }

    /// `$0` becomes a part of itself.
    fn cut_record as CutRecord(context, start: Size, end: Size) {
        // SAFETY: by the contract.
        unsafe { runtime(context).current.record.cut(start as usize, end as usize) }
    }

    /// Compares a field with a number, as `Compare`.
    fn compare_field as CompareField(context, n: Word, number: Number) -> Word {
        // SAFETY: by the contract.
        let rt = unsafe { runtime(context) };
        let field = rt.current.field(n as usize);
        order_code(rt.locale.compare(&rt.program, &rt.current, &field, &Value::Num(number)))
    }

    /// A field by a number in range, as a number.
    fn field_number_at as FieldNumberAt(context, n: Number) -> Number {
        // SAFETY: by the contract.
        let (rt, n) = unsafe { (runtime(context), field_number_of(n)) };
        let field = rt.current.field(n);
        rt.current.number(&field)
    }

    /// A special by its index in [`Special::ALL`]; NaN if it is not a number.
    fn special_number as SpecialNumber(context, special: Word) -> Number {
        // SAFETY: by the contract.
        let rt = unsafe { runtime(context) };
        let special = Special::ALL[special as usize];
        if let Some(count) = fields::counter(&rt.current, special) {
            return count;
        }
        match rt.current.special(&rt.program, &rt.arithmetic, special) {
            Value::Num(number) => number,
            _ => f64::NAN,
        }
    }

    /// Characters of a field.
    fn field_length as FieldLength(context, n: Word) -> Number {
        // SAFETY: by the contract.
        let rt = unsafe { runtime(context) };
        texts::length_of_field(rt, n as usize) as i64 as f64
    }

    /// Characters of a value, or elements of an array.
    fn length as Length(context, slot: Address) -> Number {
        // SAFETY: by the contract.
        unsafe { runtime(context).length(&*slot) as i64 as f64 }
    }

    /// A field as a number.
    fn field_number as FieldNumber(context, n: Word) -> Number {
        // SAFETY: by the contract.
        let rt = unsafe { runtime(context) };
        let field = rt.current.field(n as usize);
        rt.current.number(&field)
    }

    /// As `ElementPlace`, but unpacks a packed array.
    fn element as Element(context, array: Address, key: Number) -> Address {
        // SAFETY: by the contract.
        let (rt, slot) = unsafe { (runtime(context), &mut *array) };
        let Value::Array(array) = slot else { return std::ptr::null_mut() };
        let mut array = array.borrow_mut();
        std::ptr::from_mut(with_number_key(&rt.current, &mut rt.workspace, key, |key| array.entry(key)))
    }

    /// The address of an element, made if needed; plus one if packed.
    fn element_place as ElementPlace(context, array: Address, key: Number) -> Address {
        // SAFETY: by the contract.
        let (rt, slot) = unsafe { (runtime(context), &mut *array) };
        let Value::Array(array) = slot else { return std::ptr::null_mut() };
        let mut array = array.borrow_mut();
        with_number_key(&rt.current, &mut rt.workspace, key, |key| address(array.place(key)))
    }

    /// As `ElementPlace`, under any key.
    fn element_place_under as ElementPlaceUnder(context, array: Address, key: Address) -> Address {
        // SAFETY: by the contract.
        match unsafe { known_element(runtime(context), array, &*key) } {
            Some(element) => element,
            // SAFETY: by the contract.
            None => unsafe { place_under_any(context, array, key) },
        }
    }

    /// As `ElementPlace`, under a field's text.
    fn element_place_under_field as ElementPlaceUnderField(context, array: Address, n: Number) -> Address {
        // SAFETY: by the contract.
        let (rt, at) = unsafe { (runtime(context), field_number_of(n)) };
        if let Some(view) = rt.current.record.known_field(at) {
            // The compiler does not see that it needs no drop.
            let key = ManuallyDrop::new(Value::View(view));
            // SAFETY: by the contract.
            if let Some(element) = unsafe { known_element(rt, array, &key) } {
                return element;
            }
        }
        // SAFETY: by the contract.
        unsafe { place_under_any_field(context, array, n) }
    }

    /// As `Element`, under a field's text.
    fn element_under_field as ElementUnderField(context, array: Address, n: Number) -> Address {
        // SAFETY: by the contract.
        let (rt, slot, n) = unsafe { (runtime(context), &mut *array, field_number_of(n)) };
        let Value::Array(array) = slot else { return std::ptr::null_mut() };
        let field = rt.current.field(n);
        entry(rt, &mut array.borrow_mut(), &field)
    }

    /// Deletes an element.
    fn delete_element as DeleteElement(context, array: Address, key: Number) {
        // SAFETY: by the contract.
        let (rt, slot) = unsafe { (runtime(context), &mut *array) };
        if let Value::Array(array) = slot {
            let mut array = array.borrow_mut();
            with_number_key(&rt.current, &mut rt.workspace, key, |key| array.remove(key));
        }
    }

    /// As `Element`, under any key.
    fn element_under as ElementUnder(context, array: Address, key: Address) -> Address {
        // SAFETY: by the contract.
        let (rt, slot, key) = unsafe { (runtime(context), &mut *array, &*key) };
        let Value::Array(array) = slot else { return std::ptr::null_mut() };
        let mut array = array.borrow_mut();
        entry(rt, &mut array, key)
    }

    /// Whether there is an element: 1 or 0; 2 for the interpreter.
    fn has_element as HasElement(context, array: Address, key: Number) -> Word {
        // SAFETY: by the contract.
        let (rt, slot) = unsafe { (runtime(context), &mut *array) };
        let Value::Array(array) = slot else { return 2 };
        let array = array.borrow();
        u32::from(with_number_key(&rt.current, &mut rt.workspace, key, |key| array.contains(key)))
    }

    /// Copies an argument: 1; for an array does nothing: 0.
    fn argument as Argument(context, d: Address, s: Address) -> Word {
        // SAFETY: by the contract.
        unsafe { u32::from(calls::pass(&runtime(context).current, d, s)) }
    }

    /// Concatenates.
    fn concat as Concat(context, d: Address, a: Address, b: Address) {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            texts::concat(&rt.current, &mut rt.workspace, d, a, b)
        }
    }

    /// Concatenates a list.
    fn concat_all as ConcatAll(context, base: Address, d: Address, at: Word, count: Word) {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            texts::concat_all(&rt.program, &rt.current, &mut rt.workspace, d, operands(context, base), Srcs { at, count })
        }
    }

    /// Appends.
    fn append as Append(context, v: Address, s: Address) {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            rt.workspace.append(&rt.current, &mut *v, &*s);
        }
    }

    /// `substr` without a length.
    fn substr_from as SubstrFrom(context, d: Address, s: Address, from: Number) {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            texts::substr(&rt.current, &rt.locale, &mut rt.workspace, d, s, from, None)
        }
    }

    /// `substr`.
    fn substr as Substr(context, d: Address, s: Address, from: Number, length: Number) {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            texts::substr(&rt.current, &rt.locale, &mut rt.workspace, d, s, from, Some(length))
        }
    }

    /// `substr`, a view if its text is one; without a length that is infinite.
    fn part as Part(context, d: Address, s: Address, from: Number, length: Number) {
        let length = (length != f64::INFINITY).then_some(length);
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            match texts::part(rt, &*s, from, length) {
                Some(part) => put(d, Value::View(part)),
                None => texts::substr(&rt.current, &rt.locale, &mut rt.workspace, d, s, from, length),
            }
        }
    }

    /// `tolower`.
    fn lower as Lower(context, d: Address, s: Address) {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            texts::change_case(&rt.current, &rt.locale, &mut rt.workspace, d, s, Case::Lower)
        }
    }

    /// `toupper`.
    fn upper as Upper(context, d: Address, s: Address) {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            texts::change_case(&rt.current, &rt.locale, &mut rt.workspace, d, s, Case::Upper)
        }
    }

    /// `index`.
    fn index as Index(context, s: Address, t: Address) -> Number {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            rt.workspace.index(&rt.current, &rt.locale, &*s, &*t) as i64 as f64
        }
    }

    /// Takes formatted text.
    fn take_formatted as TakeFormatted(context, d: Address) {
        // SAFETY: by the contract.
        unsafe { texts::take_formatted(&runtime(context).workspace, d) }
    }

    /// An owned field.
    fn own_field as OwnField(context, d: Address, n: Word) {
        // SAFETY: by the contract.
        unsafe { texts::own_field(&mut runtime(context).current, d, n as usize) }
    }

    /// Joins a subscript.
    fn join_key as JoinKey(context, base: Address, d: Address, at: Word, count: Word) {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            arrays::join_key(&rt.program, &rt.current, &mut rt.workspace, d, operands(context, base), Srcs { at, count })
        }
    }

    /// Begins a loop over keys.
    fn begin_keys as BeginKeys(_context, d: Address, array: Address) {
        // SAFETY: by the contract.
        unsafe {
            if let Value::Array(array) = &*array {
                let keys = array.borrow().keys();
                put(d, Value::Keys(Box::new(keys)));
            }
        }
    }

    /// The next key: 1; none: 0.
    fn next_key as NextKey(_context, d: Address, keys: Address) -> Word {
        // SAFETY: by the contract.
        unsafe { u32::from(arrays::next_key(d, keys)) }
    }

    /// Whether there is an element.
    fn has_under as HasUnder(context, array: Address, key: Address) -> Word {
        // SAFETY: by the contract.
        let (rt, array, key) = unsafe { (runtime(context), &*array, &*key) };
        let Value::Array(array) = array else { return 0 };
        let array = array.borrow();
        u32::from(rt.workspace.has_element(&rt.current, &array, key))
    }

    /// Deletes an element.
    fn delete_under as DeleteUnder(context, array: Address, key: Address) {
        // SAFETY: by the contract.
        let (rt, array, key) = unsafe { (runtime(context), &*array, &*key) };
        if let Value::Array(array) = array {
            let mut array = array.borrow_mut();
            rt.workspace.with_key(&rt.current, key, |key| array.remove(key));
        }
    }

    /// Finds `substr` in place.
    fn view_piece as ViewPiece(context, s: Address, from: Number, length: Number) {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            let text = views::piece(&rt.current, &rt.locale, &mut rt.workspace, s, from, length);
            (*context).found(text);
        }
    }

    /// Bytes of a text cut by bytes, otherwise 0; 0 too if compared under IGNORECASE.
    fn known_size as KnownSize(context, s: Address, compared: Word) -> Size {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            if compared != 0 && rt.current.specials.ignore_case {
                0
            } else {
                views::known_size(&rt.current, &rt.locale, &*s)
            }
        }
    }

    /// Finds a text in another case.
    fn view_case as ViewCase(context, s: Address, upper: Word) {
        // SAFETY: by the contract.
        unsafe {
            let case = if upper != 0 { Case::Upper } else { Case::Lower };
            let rt = runtime(context);
            let text = views::case(&rt.current, &rt.locale, &mut rt.workspace, s, case);
            (*context).found(text);
        }
    }

    /// Finds a concatenation.
    fn view_joined as ViewJoined(context, a: Address, b: Address) {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            let text = views::joined(&rt.current, &mut rt.workspace, [&*a, &*b].into_iter());
            (*context).found(text);
        }
    }

    /// Finds a concatenation of a list.
    fn view_joined_all as ViewJoinedAll(context, base: Address, at: Word, count: Word) {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            let operands = operands(context, base);
            let parts = operands.list(&rt.program, Srcs { at, count });
            let text = views::joined(&rt.current, &mut rt.workspace, parts);
            (*context).found(text);
        }
    }

    /// Finds a joined subscript.
    fn view_key as ViewKey(context, base: Address, at: Word, count: Word) {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            let operands = operands(context, base);
            let parts = operands.list(&rt.program, Srcs { at, count });
            let text = views::key(&rt.current, &mut rt.workspace, parts);
            (*context).found(text);
        }
    }

    /// `length` of a view.
    fn length_of_view as LengthOfView(context, text: Address, size: Size) -> Number {
        // SAFETY: by the contract.
        unsafe { views::length(&runtime(context).locale, views::bytes(text, size)) as i64 as f64 }
    }

    /// A view as a number.
    fn number_of_view as NumberOfView(_context, text: Address, size: Size) -> Number {
        // SAFETY: by the contract.
        unsafe { views::number(views::bytes(text, size)) }
    }

    /// `index` in a view.
    fn index_in_view as IndexInView(context, text: Address, size: Size, t: Address) -> Number {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            views::index(&rt.current, &rt.locale, &mut rt.workspace, views::bytes(text, size), &*t) as i64 as f64
        }
    }

    /// Whether a view equals a value.
    fn equals_view as EqualsView(context, text: Address, size: Size, other: Address) -> Word {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            u32::from(views::equals(&rt.program, &rt.current, &rt.locale, views::bytes(text, size), &*other))
        }
    }

    /// Compares a view, as `Compare`.
    fn order_of_view as OrderOfView(context, text: Address, size: Size, other: Address) -> Word {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            order_code(views::order(&rt.program, &rt.current, &rt.locale, views::bytes(text, size), &*other))
        }
    }

    /// Whether there is an element under a view.
    fn has_under_view as HasUnderView(_context, array: Address, text: Address, size: Size) -> Word {
        // SAFETY: by the contract.
        let (array, key) = unsafe { (&*array, views::bytes(text, size)) };
        let Value::Array(array) = array else { return 0 };
        u32::from(array.borrow().contains(Probe::from_text(key)))
    }

    /// As `ElementUnder`, under a view.
    fn element_under_view as ElementUnderView(_context, array: Address, text: Address, size: Size) -> Address {
        // SAFETY: by the contract.
        let (array, key) = unsafe { (&*array, views::bytes(text, size)) };
        let Value::Array(array) = array else { return std::ptr::null_mut() };
        std::ptr::from_mut(array.borrow_mut().entry(Probe::from_text(key)))
    }

    /// Whether two values, one of them text, are equal.
    fn equal_texts as EqualTexts(context, a: Address, b: Address) -> Word {
        // SAFETY: by the contract.
        unsafe {
            let rt = runtime(context);
            u32::from(comparison::are_equal(&rt.program, &rt.current, &rt.locale, &*a, &*b))
        }
    }
}
