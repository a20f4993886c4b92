//! The interpreter's loop.
//!
//! Rules that hold everywhere in it:
//! - The unit has been verified: every operand names a slot that exists and every jump stays in its
//!   frame. The unchecked accesses below rest on that and on nothing else.
//! - `base` points at the running frame's first register and `statics` at the first global. The
//!   stack may move only in a call, which sets `base` anew; the statics never move.
//! - Sources are read before `d` is written; they may be the same slot.
//! - A register above the running frame's holds nothing that needs dropping: a return sees to that.
//! - An operation that can fail says so by a [`Fault`]; `attempt!` adds where.
//! - What is rare, or long, lives in a method of [`Runtime`] and is not inlined here: the loop
//!   stays small.

#![allow(unsafe_code)]

use crate::flow::{Flow, Stopped, mode};

use crate::arithmetic::{division_by_zero, math, power, remainder, update};
use crate::callback::{Stop, check_arguments};
use crate::error::RuntimeError;
use crate::exact::may_grow;
use crate::file_rules::Behind;
use crate::frames::{Frame, MAX_CALLS, MAX_REGISTERS};
use crate::machine::Machine;
use crate::memory;
use crate::runtime::{Runtime, field_at};
use crate::strings::Case;
use crate::tier::{Kind, Tier, Way, kind};
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_awkio::time_limit;
use riverhawk_blocks::room;
use riverhawk_bytecode::dump::operand_text;
use riverhawk_bytecode::operand::{Operand, PatternKind};
use riverhawk_bytecode::{CodeAt, Dst, FrameKind, MathFn, Op, StaticFrame, Step, Update};
use riverhawk_syntax::ast::Special;
use riverhawk_syntax::library::ParameterKind;
use riverhawk_value::exact::is_small;
use riverhawk_value::{Place, Value};
use std::cmp::Ordering;

/// Overwrites a slot.
///
/// # Safety
/// `slot` is a live slot of the stack or the statics.
#[inline(always)]
pub(crate) unsafe fn put(slot: *mut Value, value: Value) {
    // SAFETY: by the contract; a plain value needs no drop.
    unsafe {
        if (*slot).is_plain() {
            std::ptr::write(slot, value);
        } else {
            *slot = value;
        }
    }
}

/// As [`put`], for a value that a function has just made in memory, of a kind unknown here. It is
/// stored by its parts: loaded whole, 16 bytes would have to wait until the parts that were stored
/// a moment ago have left the store buffer, 4 ns.
///
/// # Safety
/// As [`put`].
#[inline(always)]
pub(crate) unsafe fn put_parts(slot: *mut Value, value: Value) {
    // SAFETY: by the contract.
    unsafe {
        match value {
            Value::Num(number) => put(slot, Value::Num(number)),
            Value::View(view) => put(slot, Value::View(view)),
            Value::Str(heap) => put(slot, Value::Str(heap)),
            other => put(slot, other),
        }
    }
}

/// Makes registers fit to be left: nothing that needs dropping stays.
///
/// # Safety
/// `count` live slots begin at `first`.
#[inline(always)]
pub(crate) unsafe fn clear(first: *mut Value, count: usize) {
    for at in 0..count {
        // SAFETY: by the contract.
        unsafe {
            let slot = first.add(at);
            if !(*slot).is_plain() {
                *slot = Value::Uninit;
            }
        }
    }
}

impl Machine {
    /// Runs from the operation at `entry`, with the running frame's registers at `base_at`, to the
    /// end of `start`, or until the tier wants the other mode. `MODE` is one of [`mode`]; in
    /// the last, `count` operations are performed.
    pub(crate) fn execute<T: Tier, const MODE: u8>(
        &mut self,
        start: &StaticFrame,
        entry: u32,
        mut count: u32,
        mut base_at: usize,
        tier: &mut T,
    ) -> Result<Stopped, Box<RuntimeError>> {
        let (observes, few) = (MODE & mode::OBSERVING != 0, MODE & mode::FEW != 0);
        let exact = MODE & mode::EXACT != 0;
        let held = if few { None } else { Some(self.rt.program.clone()) };
        // SAFETY: a run keeps its program to its end, and never another.
        let program =
            held.as_deref().unwrap_or_else(|| unsafe { &*std::rc::Rc::as_ptr(&self.rt.program) });
        let code = program.code.as_ptr();
        let statics = self.rt.statics.as_mut_ptr();
        // SAFETY: whoever calls has made room for the running frame's registers.
        let mut base = unsafe { self.stack.as_mut_ptr().add(base_at) };
        // SAFETY: a verified frame's code lies inside the unit's; the same holds for every jump.
        let code_at = |at: u32| unsafe { code.add(at as usize) };
        // SAFETY: `next` stays inside the unit's code, or one behind its end.
        let index_of = |next: *const Op| unsafe { next.offset_from_unsigned(code) };
        // The operation after the running one.
        let mut next = code_at(entry);
        // What the last operation brought, while that is observed.
        let mut unseen = None;

        macro_rules! slot {
            ($operand:expr) => {{
                let operand = $operand;
                let from = if operand.is_static() { statics } else { base };
                // SAFETY: the unit is verified, so the operand names a live slot.
                from.wrapping_add(operand.number())
            }};
        }
        macro_rules! src {
            ($operand:expr) => {{
                // SAFETY: a live slot, read before anything writes it.
                unsafe { &*slot!($operand) }
            }};
        }
        macro_rules! put {
            ($operand:expr, $value:expr) => {{
                let value = $value;
                // SAFETY: a live slot.
                unsafe { put(slot!($operand), value) }
            }};
        }
        macro_rules! put_parts {
            ($operand:expr, $value:expr) => {{
                let value = $value;
                // SAFETY: a live slot.
                unsafe { put_parts(slot!($operand), value) }
            }};
        }
        // A view is stored as it comes, in two registers: a value of any kind goes through memory,
        // and is looked at once more to be dropped.
        macro_rules! put_field {
            ($operand:expr, $n:expr, $reach:expr) => {{
                let n = $n;
                match self.rt.field_view(n, $reach) {
                    Some(view) => put!($operand, Value::View(view)),
                    None => put!($operand, self.rt.unusual_field(n)),
                }
            }};
        }
        macro_rules! put_number {
            ($operand:expr, $number:expr) => {
                put!($operand, Value::Num($number))
            };
        }
        macro_rules! number {
            ($operand:expr) => {
                match src!($operand) {
                    Value::Num(number) => *number,
                    other => self.rt.number(other),
                }
            };
        }
        macro_rules! read_number {
            // As `number`; whether it may stand for an integer that is another is noted where
            // integers are exact.
            ($value:expr, $is_large:ident) => {
                match $value {
                    Value::Num(number) => *number,
                    other => {
                        let number = self.rt.number(other);
                        $is_large |= exact && !is_small(number);
                        number
                    }
                }
            };
        }
        macro_rules! arithmetic {
            // d <- a op b by doubles; where integers are exact, unless it may be another one that
            // was rounded.
            ($op:expr, $d:expr, $a:expr, $b:expr, |$x:ident, $y:ident| $result:expr) => {
                if exact {
                    let mut is_large = false;
                    let (a, b) = (src!($a), src!($b));
                    let ($x, $y) = (read_number!(a, is_large), read_number!(b, is_large));
                    let result = $result;
                    if is_large || may_grow($op) && !is_small(result) {
                        put!($d, attempt!(self.rt.exact($op, a, b)));
                        made!();
                    } else {
                        put_number!($d, result);
                    }
                } else {
                    let ($x, $y) = (number!($a), number!($b));
                    put_number!($d, $result);
                }
            };
        }
        macro_rules! step_variable {
            // v <- v op 1 where integers are exact; `old` is then what it was as a number.
            ($v:expr, $op:expr, $by:literal, |$old:ident| $double:expr, $integer:expr) => {{
                let (v, mut is_large) = ($v, false);
                let $old = read_number!(src!(v.src()), is_large);
                if is_large || !is_small($old + $by) {
                    let $old = self.rt.exact_number(src!(v.src()));
                    put!(v, attempt!(self.rt.exact($op, &$old, &Value::Num(1.0))));
                    made!();
                    $integer;
                } else {
                    put_number!(v, $old + $by);
                    $double;
                }
            }};
        }
        macro_rules! recycle {
            // The string that `d` holds, to be used again, unless a source is in the same slot.
            ($d:expr, $($s:expr),*) => {
                if $($d.src() == $s)||* {
                    None
                } else {
                    // SAFETY: a live slot; no source refers to it.
                    unsafe { (*slot!($d)).recycle() }
                }
            };
        }
        macro_rules! change_case {
            ($d:expr, $s:expr, $case:expr) => {{
                let in_place = $d.src() != $s && {
                    // SAFETY: a live slot; no source refers to it.
                    let over = unsafe { &mut *slot!($d) };
                    self.rt.change_case_over(over, src!($s), $case)
                };
                if !in_place {
                    let old = recycle!($d, $s);
                    put_parts!($d, self.rt.change_case(old, src!($s), $case));
                }
            }};
        }
        // What is performed now may have something to say: a warning is about this operation.
        macro_rules! may_warn {
            () => {
                self.rt.warnings.at = (index_of(next) - 1) as u32
            };
        }
        macro_rules! fail {
            ($fault:expr) => {{
                let fault = $fault;
                return Err(if few {
                    self.hold(fault, index_of(next) - 1)
                } else {
                    self.locate(fault, index_of(next) - 1, start)
                });
            }};
        }
        macro_rules! attempt {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(fault) => fail!(fault),
                }
            };
        }
        macro_rules! put_answer {
            // What a getline is.
            ($operand:expr, $answer:expr) => {{
                let answer = $answer;
                if answer < 0.0 {
                    may_warn!();
                    attempt!(self.rt.getline_has_failed());
                }
                put_number!($operand, answer)
            }};
        }
        macro_rules! made {
            // The operation may have made something larger.
            () => {
                attempt!(memory::check())
            };
        }
        macro_rules! array {
            ($operand:expr) => {{
                // SAFETY: a live slot; nothing else refers to it now.
                let slot = unsafe { &mut *slot!($operand) };
                match Runtime::array(slot) {
                    Ok(array) => array,
                    Err(_) => {
                        fail!(self.array_fault(few, $operand.into(), start))
                    }
                }
            }};
        }
        macro_rules! element_fault {
            // The element is one thing and is used as the other.
            ($array:expr, $key:expr, $is:literal, $used_as:literal) => {{ fail!(self.element_fault(few, $array, src!($key), [$is, $used_as], start)) }};
        }
        macro_rules! scalar {
            ($operand:expr) => {
                if src!($operand).is_array() {
                    fail!(self.scalar_fault(few, $operand.into(), start));
                }
            };
        }
        macro_rules! list {
            ($srcs:expr) => {
                $srcs.of(&program.lists).iter().map(move |operand| src!(*operand))
            };
        }
        macro_rules! compare {
            ($a:expr, $b:expr, $numbers:expr, $pattern:pat) => {{
                match (src!($a), src!($b)) {
                    (Value::Num(a), Value::Num(b)) => $numbers(a, b),
                    (a, b) => matches!(self.rt.compare(a, b), $pattern),
                }
            }};
        }
        macro_rules! less {
            ($a:expr, $b:expr) => {
                compare!($a, $b, |a: &f64, b: &f64| a < b, Some(Ordering::Less))
            };
        }
        macro_rules! less_equal {
            ($a:expr, $b:expr) => {
                compare!($a, $b, |a: &f64, b: &f64| a <= b, Some(Ordering::Less | Ordering::Equal))
            };
        }
        macro_rules! equal {
            ($a:expr, $b:expr) => {
                compare!($a, $b, |a: &f64, b: &f64| a == b, Some(Ordering::Equal))
            };
        }
        macro_rules! truth {
            ($a:expr) => {
                match src!($a) {
                    Value::Num(number) => *number != 0.0,
                    other => other.truth(self.rt.record.text()),
                }
            };
        }
        macro_rules! go {
            // On, at `next`, unless the tier wants it the other way.
            ($way:expr) => {
                let observing = match $way {
                    Way::Plain => false,
                    Way::Observing => true,
                    Way::Native(entry) => {
                        // Machine code takes over; where it leaves off, in whichever frame, the
                        // interpreter goes on.
                        let left = self.enter_native(entry, base_at, start, tier)?;
                        base_at = left.base_at;
                        // SAFETY: the registers of a frame that runs are part of the stack.
                        base = unsafe { self.stack.as_mut_ptr().add(base_at) };
                        next = code_at(left.at);
                        tier.observes(self.frames.len())
                    }
                };
                if observing != observes {
                    return Ok(Stopped::Switch { at: index_of(next) as u32, base_at });
                }
            };
        }
        macro_rules! jump {
            ($to:expr) => {{
                let from = next;
                next = code_at($to.0);
                if T::WATCHES && (observes || tier.jumps()) {
                    go!(self.jumped(next < from, $to, base_at, start, observes, tier));
                }
            }};
        }
        macro_rules! jump_if {
            ($condition:expr, $to:expr) => {
                if $condition {
                    jump!($to);
                }
            };
        }

        macro_rules! behind_file_rules {
            // Whether a record is found after all, once the rules for what has happened to files
            // have run.
            ($find:expr) => {{
                let behind =
                    self.behind_file_rules(base_at, start, index_of(next) - 1, &mut $find)?;
                // SAFETY: the running frame's registers are part of the stack, which may have
                // moved.
                base = unsafe { self.stack.as_mut_ptr().add(base_at) };
                match behind {
                    Behind::Record => true,
                    Behind::Nothing => false,
                    Behind::Exit(flow) => {
                        self.unwind(base_at);
                        return Ok(Stopped::By(flow));
                    }
                }
            }};
        }

        macro_rules! call {
            ($d:expr, $function:expr, $first:expr, $count:expr) => {{
                let callee = &program.functions[$function.index()];
                let new_base = base_at + $first as usize;
                let top = new_base + callee.registers as usize;
                if top > self.stack.len() || self.frames.len() == self.frames.capacity() {
                    attempt!(self.make_room(top));
                    // SAFETY: the caller's registers are part of the stack.
                    base = unsafe { self.stack.as_mut_ptr().add(base_at) };
                }
                self.frames.push(Frame {
                    return_to: index_of(next) as u32,
                    caller_base: base_at as u32,
                    function: $function,
                    d: $d,
                });
                // SAFETY: `top` is within the stack.
                base = unsafe { base.add($first as usize) };
                base_at = new_base;
                for omitted in $count as usize..callee.params.len() {
                    // SAFETY: parameters are registers of the frame.
                    unsafe { put(base.add(omitted), Value::Uninit) };
                }
                let call = index_of(next) as u32 - 1;
                next = code_at(callee.code.start);
                if T::WATCHES && (observes || tier.calls($function)) {
                    go!(self.called($count as usize, call, base_at, tier));
                }
            }};
        }

        loop {
            if few {
                if count == 0 {
                    return Ok(Stopped::Before(index_of(next) as u32));
                }
                count -= 1;
            }
            // SAFETY: the unit is verified: no frame runs off its end.
            let op = unsafe { &*next };
            // SAFETY: the same.
            next = unsafe { next.add(1) };
            if observes {
                self.observe(op, index_of(op) as u32, base_at, &mut unseen, tier);
            }
            match *op {
                Op::Move { d, s } => match src!(s) {
                    Value::Num(number) => put_number!(d, *number),
                    Value::View(view) => {
                        let old = recycle!(d, s);
                        let (start, end) = (view.start as usize, view.end as usize);
                        put!(d, Value::from_input_slice(old, self.rt.record.text(), start, end));
                        made!();
                    }
                    other => put_parts!(d, self.rt.owned(other)),
                },
                Op::LoadConst { d, k } => {
                    put!(d, self.rt.statics[program.globals.len() + k.index()].clone())
                }
                Op::GetGlobal { d, g } => {
                    let value = &self.rt.statics[g.index()];
                    if matches!(value, Value::Array(_)) {
                        fail!(self.scalar_fault(few, g.into(), start));
                    }
                    put!(d, self.rt.owned(value));
                }
                Op::SetGlobal { g, s } => {
                    let value = self.rt.owned(src!(s));
                    self.rt.statics[g.index()] = value;
                    made!();
                }
                Op::GetGlobalArray { d, g } => {
                    match Runtime::array(&mut self.rt.statics[g.index()]).cloned() {
                        Ok(array) => put!(d, Value::Array(array)),
                        Err(_) => {
                            fail!(self.array_fault(few, g.into(), start));
                        }
                    }
                }
                Op::CheckScalar { s } => scalar!(s),
                Op::NoteScalar { v } => {
                    // SAFETY: a live slot; nothing else refers to it now.
                    unsafe { &mut *slot!(v) }.note_scalar();
                }
                Op::CheckAssigned { s } => {
                    let is_nothing = match src!(s) {
                        Value::Untyped(cell) => cell.get().is_none(),
                        value => matches!(value, Value::Uninit | Value::Unassigned),
                    };
                    if is_nothing {
                        may_warn!();
                        attempt!(self.warn_unassigned(few, s.into(), start));
                    }
                }
                Op::Lint {} => {
                    if self.rt.lint.level.is_on() {
                        may_warn!();
                        // SAFETY: a verified frame never ends with this operation.
                        let following = unsafe { *next };
                        let slot = move |s: riverhawk_bytecode::Src| src!(s).clone();
                        attempt!(self.lint(following, &slot, start));
                    }
                }

                Op::Addend { d, a } => {
                    let mut is_large = false;
                    let addend = read_number!(src!(a), is_large);
                    self.rt.notes.addend(addend);
                    if is_large {
                        put!(d, self.rt.exact_number(src!(a)));
                    } else {
                        put_number!(d, addend);
                    }
                }
                Op::Comparand { s } => self.rt.note_comparand(src!(s)),
                Op::NoteAdd { v, a } => {
                    self.rt.notes.addend(number!(a));
                    arithmetic!(Update::Add, v, v.src(), a, |a, b| a + b);
                }
                Op::NoteRecordLength { v } => {
                    let length = self.rt.length_of_record() as i64 as f64;
                    self.rt.notes.addend(length);
                    let sum = number!(v.src()) + length;
                    put_number!(v, sum);
                }
                Op::Add { d, a, b } => arithmetic!(Update::Add, d, a, b, |a, b| a + b),
                Op::Sub { d, a, b } => arithmetic!(Update::Sub, d, a, b, |a, b| a - b),
                Op::Mul { d, a, b } => arithmetic!(Update::Mul, d, a, b, |a, b| a * b),
                Op::Div { d, a, b } => arithmetic!(Update::Div, d, a, b, |a, b| {
                    if b == 0.0 {
                        attempt!(Err(division_by_zero("/")));
                    }
                    a / b
                }),
                Op::Mod { d, a, b } => arithmetic!(Update::Mod, d, a, b, |a, b| {
                    if b == 0.0 {
                        attempt!(Err(division_by_zero("%")));
                    }
                    remainder(a, b)
                }),
                Op::Pow { d, a, b } => arithmetic!(Update::Pow, d, a, b, |a, b| power(a, b)),
                Op::Neg { d, a } => {
                    let mut is_large = false;
                    let negative = -read_number!(src!(a), is_large);
                    if is_large {
                        put!(d, self.rt.exact_negative(src!(a)));
                    } else {
                        put_number!(d, negative);
                    }
                }
                Op::ToNumber { d, a } => {
                    let mut is_large = false;
                    let number = read_number!(src!(a), is_large);
                    if is_large {
                        put!(d, self.rt.exact_number(src!(a)));
                    } else {
                        put_number!(d, number);
                    }
                }
                Op::Not { d, a } => put!(d, Value::from_bool(!truth!(a))),
                Op::ToTruth { d, a } => put!(d, Value::from_bool(truth!(a))),
                Op::Increment { v } if !exact => put_number!(v, number!(v.src()) + 1.0),
                Op::Decrement { v } if !exact => put_number!(v, number!(v.src()) - 1.0),
                Op::PostIncrement { d, v } if !exact => {
                    let old = number!(v.src());
                    put_number!(v, old + 1.0);
                    put_number!(d, old);
                }
                Op::PostDecrement { d, v } if !exact => {
                    let old = number!(v.src());
                    put_number!(v, old - 1.0);
                    put_number!(d, old);
                }
                Op::Increment { v } => step_variable!(v, Update::Add, 1.0, |_old| {}, {}),
                Op::Decrement { v } => step_variable!(v, Update::Sub, -1.0, |_old| {}, {}),
                Op::PostIncrement { d, v } => {
                    step_variable!(v, Update::Add, 1.0, |old| put_number!(d, old), put!(d, old));
                }
                Op::PostDecrement { d, v } => {
                    step_variable!(v, Update::Sub, -1.0, |old| put_number!(d, old), put!(d, old));
                }

                Op::Precise { f, d, a, b } => {
                    put!(d, attempt!(self.rt.precise(f, src!(a), src!(b))));
                    made!();
                }

                Op::Concat { d, a, b } => {
                    put_parts!(d, self.rt.concat(|| recycle!(d, a, b), src!(a), src!(b)));
                    made!();
                }
                Op::ConcatAll { d, parts } => {
                    let reads_d = parts.of(&program.lists).contains(&d.src());
                    // SAFETY: a live slot; no source refers to it.
                    let old = if reads_d { None } else { unsafe { (*slot!(d)).recycle() } };
                    put!(d, self.rt.concat_all(old, list!(parts)));
                    made!();
                }
                Op::Append { v, s } => {
                    if v.src() == s {
                        let copy = src!(s).clone();
                        let doubled = self.rt.concat(|| None, &copy, &copy);
                        made!();
                        put!(v, doubled);
                    } else {
                        // SAFETY: a live slot, and another one than `s`.
                        self.rt.append(unsafe { &mut *slot!(v) }, src!(s));
                    }
                    made!();
                }

                Op::Less { d, a, b } => put!(d, Value::from_bool(less!(a, b))),
                Op::LessEqual { d, a, b } => put!(d, Value::from_bool(less_equal!(a, b))),
                Op::Equal { d, a, b } => put!(d, Value::from_bool(equal!(a, b))),
                Op::NotEqual { d, a, b } => put!(d, Value::from_bool(!equal!(a, b))),

                Op::Jump { to } => next = code_at(to.0),
                Op::Loop { to } => jump!(to),
                Op::JumpTrue { a, to } => jump_if!(truth!(a), to),
                Op::JumpFalse { a, to } => jump_if!(!truth!(a), to),
                Op::JumpLess { a, b, to } => jump_if!(less!(a, b), to),
                Op::JumpNotLess { a, b, to } => jump_if!(!less!(a, b), to),
                Op::JumpLessEqual { a, b, to } => jump_if!(less_equal!(a, b), to),
                Op::JumpNotLessEqual { a, b, to } => jump_if!(!less_equal!(a, b), to),
                Op::JumpEqual { a, b, to } => jump_if!(equal!(a, b), to),
                Op::JumpNotEqual { a, b, to } => jump_if!(!equal!(a, b), to),

                Op::Matches { d, s, pattern } => {
                    may_warn!();
                    let regex = attempt!(self.rt.regex(pattern, move |src| src!(src)));
                    let found = self.rt.matches(src!(s), &regex);
                    put!(d, Value::from_bool(found));
                }
                Op::JumpMatches { s, re, to } => {
                    let regex = attempt!(self.rt.constant_regex(re.index()));
                    jump_if!(self.rt.matches(src!(s), &regex), to);
                }
                Op::JumpNotMatches { s, re, to } => {
                    let regex = attempt!(self.rt.constant_regex(re.index()));
                    jump_if!(!self.rt.matches(src!(s), &regex), to);
                }
                Op::JumpRecordMatches { re, to } => {
                    jump_if!(attempt!(self.rt.record_matches(re.index())), to)
                }
                Op::JumpRecordNotMatches { re, to } => {
                    jump_if!(!attempt!(self.rt.record_matches(re.index())), to)
                }

                Op::Field { d, n, reach } => put_field!(d, n.index(), reach.index()),
                Op::OwnField { d, n } => {
                    let value = self.rt.field(n.index());
                    // SAFETY: a live slot that nothing else refers to.
                    let old = unsafe { (*slot!(d)).recycle() };
                    put!(d, self.rt.owned_in(old, value));
                    made!();
                }
                Op::FieldAt { d, i } => {
                    let n = match src!(i) {
                        Value::Num(number) => field_at(*number),
                        _ => None,
                    };
                    match n {
                        Some(n) => match self.rt.record.known_field(n) {
                            Some(view) => put!(d, Value::View(view)),
                            None => put_field!(d, n, n),
                        },
                        None => {
                            let n = attempt!(self.rt.field_number(src!(i)));
                            put_field!(d, n, n);
                        }
                    }
                }
                Op::OwnFieldAt { d, i } => {
                    let n = match src!(i) {
                        Value::Num(number) => field_at(*number),
                        _ => None,
                    };
                    let n = match n {
                        Some(n) => n,
                        None => attempt!(self.rt.field_number(src!(i))),
                    };
                    let value = self.rt.field(n);
                    // SAFETY: a live slot that nothing else refers to.
                    let old = unsafe { (*slot!(d)).recycle() };
                    put!(d, self.rt.owned_in(old, value));
                    made!();
                }
                Op::Column { d, c, i } => {
                    let n = match self.rt.columns.field(c.index()) {
                        Some(n) => n,
                        None => attempt!(self.rt.field_number(src!(i))),
                    };
                    put_parts!(d, self.rt.record.field(n));
                }
                Op::OwnColumn { d, c, i } => {
                    let n = match self.rt.columns.field(c.index()) {
                        Some(n) => n,
                        None => attempt!(self.rt.field_number(src!(i))),
                    };
                    let value = self.rt.record.field(n);
                    // SAFETY: a live slot that nothing else refers to.
                    let old = unsafe { (*slot!(d)).recycle() };
                    put!(d, self.rt.owned_in(old, value));
                    made!();
                }
                Op::SetField { n, s } => {
                    attempt!(self.rt.set_field(n.index(), src!(s)));
                    made!();
                }
                Op::SetFieldAt { i, s } => {
                    let n = attempt!(self.rt.field_number(src!(i)));
                    attempt!(self.rt.set_field(n, src!(s)));
                    made!();
                }
                Op::DeleteField { i } => {
                    let n = attempt!(self.rt.field_number(src!(i)));
                    attempt!(self.rt.delete_field(n));
                    made!();
                }
                Op::ReachField { i } => {
                    let n = attempt!(self.rt.field_number(src!(i)));
                    self.rt.record.reach(n);
                    made!();
                }
                Op::UpdateField { op, d, i, v } => {
                    let n = attempt!(self.rt.field_number(src!(i)));
                    if exact {
                        let (_, new) = attempt!(self.rt.update_field_exactly(op, n, src!(v)));
                        put!(d, new);
                    } else {
                        let operand = number!(v);
                        let (_, new) = attempt!(self.rt.update_field(op, n, operand));
                        put_number!(d, new);
                    }
                    made!();
                }
                Op::StepField { how, d, i } => {
                    let n = attempt!(self.rt.field_number(src!(i)));
                    let (op, after) = step(how);
                    if exact {
                        let (old, new) =
                            attempt!(self.rt.update_field_exactly(op, n, &Value::Num(1.0)));
                        put!(d, if after { new } else { old });
                    } else {
                        let (old, new) = attempt!(self.rt.update_field(op, n, 1.0));
                        put_number!(d, if after { new } else { old });
                    }
                    made!();
                }

                Op::GetSpecial { d, v: Special::Nf } if self.rt.record.is_plainly_split() => {
                    put_number!(d, self.rt.record.split_count() as i64 as f64);
                }
                Op::GetSpecial { d, v: Special::Nr } if !self.rt.specials.counters_assigned => {
                    put_number!(d, self.rt.specials.nr);
                }
                Op::GetSpecial { d, v } => put_parts!(d, self.rt.special(v)),
                Op::SetSpecial { v, s } => {
                    may_warn!();
                    let value = self.rt.owned(src!(s));
                    attempt!(self.rt.set_special(v, value));
                    made!();
                }

                Op::GetNamed { d, table, want, key } => {
                    put!(d, attempt!(self.rt.get_named(table, want, src!(key))));
                    made!();
                }
                Op::SetNamed { table, key, s } => {
                    let value = self.rt.owned(src!(s));
                    attempt!(self.rt.set_named(table, src!(key), value));
                    made!();
                }
                Op::RefreshNamed { table } => {
                    self.rt.refresh_named(table);
                    made!();
                }
                Op::DeleteNamed { table } => {
                    attempt!(Err(Fault::new(format!(
                        "`delete' is not allowed with {}",
                        table.name()
                    ))));
                }

                Op::TakeElement { d, array, key } => {
                    let array = array!(array);
                    let value = self.rt.with_key(src!(key), |key| array.borrow_mut().mention(key));
                    put!(d, value);
                    made!();
                }
                Op::GetSubarray { d, array: operand, key } => {
                    let array = array!(operand);
                    let found = self.rt.with_key(src!(key), |key| {
                        Runtime::array(array.borrow_mut().entry(key)).ok().cloned()
                    });
                    match found {
                        Some(found) => put!(d, Value::Array(found)),
                        None => element_fault!(operand, key, "scalar", "an array"),
                    }
                    made!();
                }
                Op::ArgumentElement { d, array, key } => {
                    let array = array!(array).clone();
                    let value =
                        self.rt.with_key(src!(key), |key| array.borrow_mut().place(key).take());
                    let mut element = value;
                    let argument = self.rt.argument_by_name(&mut element);
                    self.rt.with_key(src!(key), |key| array.borrow_mut().set(key, element));
                    put!(d, argument);
                    made!();
                }
                Op::GetElement { d, array: operand, key } => {
                    let array = array!(operand);
                    let value = self.rt.with_key(src!(key), |key| array.borrow_mut().mention(key));
                    if value.is_array() {
                        element_fault!(operand, key, "array", "a scalar");
                    }
                    put!(d, value);
                    made!();
                }
                Op::SetElement { array: operand, key, s } => {
                    let array = array!(operand);
                    let value = self.rt.owned(src!(s));
                    let stored = self
                        .rt
                        .with_key(src!(key), |key| array.borrow_mut().set_scalar(key, value));
                    if !stored {
                        element_fault!(operand, key, "array", "a scalar");
                    }
                    made!();
                }
                Op::UpdateElement { op, d, array: slot, key, v } => {
                    let mut is_large = false;
                    let operand = read_number!(src!(v), is_large);
                    let array = array!(slot);
                    let result = self.rt.with_key(src!(key), |key| {
                        let mut array = array.borrow_mut();
                        let mut element = array.place(key);
                        if element.is_array() {
                            return Ok(None);
                        }
                        let (old, is_rounded) = number_of_element::<MODE>(&element);
                        is_large |= is_rounded;
                        let new = update(op, old, operand)?;
                        is_large |= exact && may_grow(op) && !is_small(new);
                        if !is_large {
                            element.set_number(new);
                        }
                        Ok(Some(new))
                    });
                    match attempt!(result) {
                        Some(_) if is_large => {
                            let array = array.clone();
                            let (_, new) =
                                attempt!(self.rt.exact_element(op, &array, src!(key), src!(v)));
                            put!(d, new);
                        }
                        Some(new) => put_number!(d, new),
                        None => element_fault!(slot, key, "array", "a scalar"),
                    }
                    made!();
                }
                Op::AppendElement { array: operand, key, v } => {
                    let array = array!(operand);
                    let taken = self.rt.with_key(src!(key), |key| {
                        let mut array = array.borrow_mut();
                        let element = array.place(key);
                        if element.is_array() { None } else { Some(element.take()) }
                    });
                    let Some(mut value) = taken else {
                        element_fault!(operand, key, "array", "a scalar")
                    };
                    self.rt.append(&mut value, src!(v));
                    self.rt.with_key(src!(key), |key| array.borrow_mut().set(key, value));
                    made!();
                }
                Op::StepElement { how, d, array: operand, key } => {
                    let array = array!(operand);
                    let (op, after) = step(how);
                    let mut is_large = false;
                    let stepped = self.rt.with_key(src!(key), |key| {
                        let mut array = array.borrow_mut();
                        let mut element = array.place(key);
                        if element.is_array() {
                            return None;
                        }
                        let (old, is_rounded) = number_of_element::<MODE>(&element);
                        let new = if op == Update::Add { old + 1.0 } else { old - 1.0 };
                        is_large = is_rounded || exact && !is_small(new);
                        if !is_large {
                            element.set_number(new);
                        }
                        Some((old, new))
                    });
                    let Some((old, new)) = stepped else {
                        element_fault!(operand, key, "array", "a scalar")
                    };
                    if is_large {
                        let array = array.clone();
                        let (old, new) = attempt!(self.rt.exact_element(
                            op,
                            &array,
                            src!(key),
                            &Value::Num(1.0)
                        ));
                        put!(d, if after { new } else { old });
                    } else {
                        put_number!(d, if after { new } else { old });
                    }
                    made!();
                }
                Op::CountElement { array: operand, key } => {
                    let array = array!(operand);
                    let mut is_large = false;
                    let counted = self.rt.with_key(src!(key), |key| {
                        let mut array = array.borrow_mut();
                        match array.place(key) {
                            place if exact => {
                                let (old, is_rounded) = number_of_element::<MODE>(&place);
                                let (is_array, mut place) = (place.is_array(), place);
                                is_large = is_rounded || !is_small(old + 1.0);
                                if !is_large && !is_array {
                                    place.set_number(old + 1.0);
                                }
                                return !is_array;
                            }
                            Place::Packed(packed) => packed.set(packed.number() + 1.0),
                            Place::Value(Value::Num(number)) => *number += 1.0,
                            Place::Value(other) if other.is_array() => return false,
                            Place::Value(other) => *other = Value::Num(other.number(b"") + 1.0),
                        }
                        true
                    });
                    if !counted {
                        element_fault!(operand, key, "array", "a scalar");
                    }
                    if is_large {
                        let array = array.clone();
                        attempt!(self.rt.exact_element(
                            Update::Add,
                            &array,
                            src!(key),
                            &Value::Num(1.0)
                        ));
                    }
                    made!();
                }
                Op::HasElement { d, array, key } => {
                    let array = array!(array);
                    let found = self.rt.with_key(src!(key), |key| array.borrow().contains(key));
                    put!(d, Value::from_bool(found));
                }
                Op::DeleteElement { array, key } => {
                    let array = array!(array);
                    self.rt.with_key(src!(key), |key| array.borrow_mut().remove(key));
                }
                Op::ClearArray { array } => array!(array).borrow_mut().clear(),
                Op::JoinKey { d, parts } => {
                    let key = self.rt.join_key(list!(parts));
                    put!(d, key);
                    made!();
                }
                Op::BeginKeys { d, array } => {
                    let keys = array!(array).borrow().keys();
                    put!(d, Value::Keys(Box::new(keys)));
                    made!();
                }
                Op::BeginOrderedKeys { d, array } => {
                    may_warn!();
                    let array = array!(array);
                    let keys = if self.rt.process.has_array() {
                        let array = array.clone();
                        let keys =
                            self.sorted_keys(&array, base_at, start, index_of(next) - 1, tier)?;
                        // SAFETY: the running frame's registers are part of the stack, which may
                        // have moved.
                        base = unsafe { self.stack.as_mut_ptr().add(base_at) };
                        keys
                    } else {
                        array.borrow().keys()
                    };
                    put!(d, Value::Keys(Box::new(keys)));
                    made!();
                }
                Op::NextKey { d, keys, done } => {
                    // SAFETY: a live slot; nothing else refers to it now.
                    let key = match unsafe { &mut *slot!(keys) } {
                        Value::Keys(keys) => keys.next(),
                        _ => None,
                    };
                    match key {
                        Some(key) => put!(d, key),
                        None => next = code_at(done.0),
                    }
                }

                Op::Argument { d, s } => {
                    scalar!(s);
                    put!(d, self.rt.argument_by_value(src!(s)));
                    made!();
                }
                Op::ArgumentByName { d, s } => {
                    // SAFETY: a live slot; nothing else refers to it now.
                    let value = self.rt.argument_by_name(unsafe { &mut *slot!(s) });
                    put!(d, value);
                }
                Op::ArgumentGlobal { d, g } => {
                    let mut value = std::mem::take(&mut self.rt.statics[g.index()]);
                    let argument = self.rt.argument_by_name(&mut value);
                    self.rt.statics[g.index()] = value;
                    put!(d, argument);
                }
                Op::Call { d, function, arguments } => {
                    call!(d, function, arguments.first, arguments.count)
                }
                Op::CallIndirect { d, name, arguments } => {
                    scalar!(name);
                    may_warn!();
                    let (function, count) =
                        attempt!(self.rt.function_named(src!(name), arguments.count));
                    let first = base_at + arguments.first as usize;
                    attempt!(check_arguments(
                        &program.functions[function.index()],
                        &self.stack[first..first + count as usize]
                    ));
                    call!(d, function, arguments.first, count);
                }
                Op::Fail { complaint } => {
                    let complaint = self.rt.text_of(src!(complaint));
                    attempt!(Err(Fault::new(String::from_utf8_lossy(&complaint))));
                }
                Op::Return { s } => {
                    let value = self.rt.owned(src!(s));
                    // SAFETY: return stands only in functions, which run only in a frame.
                    let frame = unsafe { self.frames.pop().unwrap_unchecked() };
                    let registers = program.functions[frame.function.index()].registers as usize;
                    // SAFETY: the frame's registers; then the caller's, of the same stack.
                    unsafe {
                        clear(base, registers);
                        base = base.sub(base_at - frame.caller_base as usize);
                    }
                    base_at = frame.caller_base as usize;
                    next = code_at(frame.return_to);
                    if observes {
                        tier.left(self.frames.len() + 1, kind(&value, self.rt.record.text()));
                    }
                    put!(frame.d, value);
                    if T::WATCHES {
                        go!(Way::of(tier.observes(self.frames.len())));
                    }
                }
                Op::ReturnNothing {} => {
                    // SAFETY: as for `Return`.
                    let frame = unsafe { self.frames.pop().unwrap_unchecked() };
                    let registers = program.functions[frame.function.index()].registers as usize;
                    // SAFETY: as for `Return`.
                    unsafe {
                        clear(base, registers);
                        base = base.sub(base_at - frame.caller_base as usize);
                    }
                    base_at = frame.caller_base as usize;
                    next = code_at(frame.return_to);
                    if observes {
                        tier.left(self.frames.len() + 1, Kind::Nothing);
                    }
                    put!(frame.d, Value::Unassigned);
                    if T::WATCHES {
                        go!(Way::of(tier.observes(self.frames.len())));
                    }
                }

                Op::RecordLoop { again } => {
                    if attempt!(self.rt.next_record()) || behind_file_rules!(Runtime::find_record) {
                        jump!(again);
                    }
                    made!();
                }
                Op::NextRecord { done } => {
                    if !attempt!(self.rt.find_record()) && !behind_file_rules!(Runtime::find_record)
                    {
                        next = code_at(done.0);
                    } else if T::WATCHES && (observes || tier.jumps()) {
                        // `next` comes here, so this is a turn like that of `RecordLoop`.
                        let again = CodeAt(index_of(next) as u32);
                        go!(self.jumped(true, again, base_at, start, observes, tier));
                    }
                }
                Op::DrainRecords {} => {
                    attempt!(self.rt.drain());
                    behind_file_rules!(|rt: &mut Runtime| rt.drain().map(|()| false));
                }
                Op::Next {} | Op::NextFile {} => {
                    let word = if matches!(*op, Op::Next {}) { "next" } else { "nextfile" };
                    if start.kind == FrameKind::BeginFile && word == "nextfile" {
                        self.unwind(base_at);
                        return Ok(Stopped::By(Flow::SkipFile));
                    }
                    if start.kind != FrameKind::Main {
                        let rule = if start.kind == FrameKind::Callback {
                            "a built-in function"
                        } else {
                            &start.name
                        };
                        attempt!(Err(Fault::new(format!(
                            "`{word}' cannot be used in a function called from {rule}"
                        ))));
                    }
                    if word == "nextfile" {
                        attempt!(self.rt.skip_file());
                    }
                    base = self.unwind(base_at);
                    base_at = 0;
                    next = code_at(start.code.start);
                    if T::WATCHES {
                        tier.unwound(1);
                        go!(Way::of(tier.observes(0)));
                    }
                }
                Op::Exit { .. } | Op::ExitPlain {} if start.kind == FrameKind::Callback => {
                    attempt!(Err(Fault::new(
                        "`exit' cannot be used in a function called from a built-in function"
                    )));
                }
                Op::Exit { s } => {
                    made!();
                    let status = number!(s);
                    self.unwind(base_at);
                    return Ok(Stopped::By(Flow::Exit(Some(status as i64 as u8))));
                }
                Op::ExitPlain {} => {
                    made!();
                    self.unwind(base_at);
                    return Ok(Stopped::By(Flow::Exit(None)));
                }
                Op::Halt {} => return Ok(Stopped::By(Flow::Ended)),
                Op::Visit { at } => {
                    if let Some(to) = attempt!(self.come_by(at, base_at)) {
                        next = code_at(to);
                    }
                }

                Op::EnterRule { .. } | Op::EnterFunction {} | Op::LeaveFunction {} => {
                    self.mark(op, index_of(next) as u32 - 1);
                }

                Op::CheckTime {} => attempt!(time_limit::check().map_err(Fault::from)),

                Op::Print { parts } => {
                    made!();
                    let parts = list!(parts);
                    attempt!(self.rt.print(parts));
                }
                Op::PrintRecord {} => {
                    made!();
                    attempt!(self.rt.print_record());
                }
                Op::PrintTo { how, to, parts } => {
                    made!();
                    let list = parts;
                    let parts = list!(parts);
                    attempt!(self.rt.print_elsewhere(how, src!(to), list, parts));
                }
                Op::PrintJoined { joints, parts } => {
                    made!();
                    let parts = list!(parts);
                    attempt!(self.rt.print_joined(joints, parts));
                }
                Op::PrintJoinedTo { how, to, joints, parts } => {
                    made!();
                    let list = parts;
                    let parts = list!(parts);
                    attempt!(self.rt.print_joined_elsewhere(how, src!(to), joints, list, parts));
                }
                Op::Format { parts } => {
                    let parts = list!(parts);
                    attempt!(self.rt.format_by_first::<false>(parts));
                    made!();
                }
                Op::FormatPrecise { parts } => {
                    let parts = list!(parts);
                    attempt!(self.rt.format_by_first::<true>(parts));
                    made!();
                }
                Op::FormatConst { format, parts } => {
                    let parts = list!(parts);
                    attempt!(self.rt.format_constant(format.index(), parts));
                    made!();
                }
                Op::PrintFormatted {} => {
                    made!();
                    attempt!(self.rt.print_formatted());
                }
                Op::PrintFormattedTo { how, to } => {
                    made!();
                    attempt!(self.rt.print_formatted_elsewhere(how, src!(to)));
                }
                Op::TakeFormatted { d } => {
                    // SAFETY: a live slot that nothing else refers to.
                    let old = unsafe { (*slot!(d)).recycle() };
                    put!(d, Value::from_text_in(old, &self.rt.formatted));
                    made!();
                }

                Op::Getline { d } => {
                    attempt!(Runtime::may_getline(start));
                    let found = self.rt.find_record();
                    let mut answer = attempt!(self.rt.getline_answer(found));
                    if answer == 0.0 && behind_file_rules!(Runtime::find_record) {
                        answer = 1.0;
                    }
                    put_answer!(d, answer);
                    made!();
                }
                Op::GetlineVar { d, line } => {
                    attempt!(Runtime::may_getline(start));
                    let mut record = None;
                    let found = self.rt.next_record_into(None).map(|next| {
                        record = next;
                        record.is_some()
                    });
                    let mut answer = attempt!(self.rt.getline_answer(found));
                    if answer == 0.0
                        && behind_file_rules!(|rt: &mut Runtime| {
                            record = rt.next_record_into(None)?;
                            Ok(record.is_some())
                        })
                    {
                        answer = 1.0;
                    }
                    if let Some(value) = record {
                        put!(line, value);
                    }
                    put_answer!(d, answer);
                    made!();
                }
                Op::GetlineFrom { how, d, from } => {
                    put_answer!(d, attempt!(self.rt.getline_from(how, src!(from), None)));
                    made!();
                }
                Op::GetlineFromVar { how, d, line, from } => {
                    let name = if line.src() == from { Some(src!(from).clone()) } else { None };
                    // SAFETY: a live slot; if the name is in it, a copy of the name is used.
                    let line = unsafe { &mut *slot!(line) };
                    let name = name.as_ref().unwrap_or_else(|| src!(from));
                    put_answer!(d, attempt!(self.rt.getline_from(how, name, Some(line))));
                    made!();
                }

                Op::Length { d, s } => put_number!(d, self.rt.length(src!(s)) as i64 as f64),
                Op::LengthField { d, n } => {
                    let length = if n.0 == 0 {
                        self.rt.length_of_record()
                    } else {
                        let field = self.rt.field(n.index());
                        self.rt.length(&field)
                    };
                    put_number!(d, length as i64 as f64);
                }
                Op::AddRecordLength { v } => {
                    // The length first: the sum is then in no register that finding it has to keep.
                    let length = self.rt.length_of_record() as i64 as f64;
                    // SAFETY: a live slot; nothing else refers to it now.
                    match unsafe { &mut *slot!(v) } {
                        Value::Num(sum) if !exact || is_small(*sum + length) => {
                            *sum += length;
                            // SAFETY: no operation is the last of its frame but those that end it.
                            if let Op::RecordLoop { again } = unsafe { &*next }
                                && std::ptr::eq(code_at(again.0), op)
                            {
                                *sum = self.rt.add_lengths(*sum);
                            }
                        }
                        other if exact => {
                            let sum =
                                attempt!(self.rt.exact(Update::Add, other, &Value::Num(length)));
                            *other = sum;
                        }
                        other => *other = Value::Num(self.rt.number(other) + length),
                    }
                }
                Op::SubstrFrom { d, s, m } => {
                    let m = number!(m);
                    let old = recycle!(d, s);
                    put!(d, self.rt.substr(old, src!(s), m, None));
                    made!();
                }
                Op::Substr { d, s, m, n } => {
                    let (m, n) = (number!(m), number!(n));
                    let old = recycle!(d, s);
                    put!(d, self.rt.substr(old, src!(s), m, Some(n)));
                    made!();
                }
                Op::Index { d, s, t } => put_number!(d, self.rt.index(src!(s), src!(t)) as f64),
                Op::Split { d, s, array, by } => {
                    may_warn!();
                    let array = array!(array).clone();
                    scalar!(s);
                    let count =
                        attempt!(self.rt.split(src!(s), &array, by, move |src| src!(src), None));
                    put_number!(d, count);
                    made!();
                }
                Op::SplitKeeping { d, s, array, by, between } => {
                    may_warn!();
                    let (array, between) = (array!(array).clone(), array!(between).clone());
                    scalar!(s);
                    let count = attempt!(self.rt.split(
                        src!(s),
                        &array,
                        by,
                        move |src| src!(src),
                        Some(&between)
                    ));
                    put_number!(d, count);
                    made!();
                }
                Op::Substitute { every, d, v, pattern, by } => {
                    may_warn!();
                    let regex = attempt!(self.rt.regex(pattern, move |src| src!(src)));
                    let replacement = src!(by).clone();
                    // SAFETY: a live slot; the replacement is held apart, since it may be the same
                    // one.
                    let count =
                        self.rt.substitute(every, unsafe { &mut *slot!(v) }, &regex, &replacement);
                    put_number!(d, count as f64);
                    made!();
                }
                Op::SubstituteRecord { every, d, pattern, by } => {
                    let by = src!(by);
                    let known = match pattern.kind() {
                        PatternKind::Constant(re) => {
                            self.rt.substitute_literal(every, re.index(), by)
                        }
                        _ => None,
                    };
                    let count = match known {
                        Some(count) => count,
                        None => {
                            may_warn!();
                            let regex = attempt!(self.rt.regex(pattern, move |src| src!(src)));
                            self.rt.substitute_record(every, &regex, by)
                        }
                    };
                    put_number!(d, count as f64);
                    made!();
                }
                Op::MatchAt { d, s, pattern } => {
                    may_warn!();
                    let regex = attempt!(self.rt.regex(pattern, move |src| src!(src)));
                    put_number!(d, self.rt.match_at(src!(s), &regex, None));
                    made!();
                }
                Op::MatchGroups { d, s, pattern, array } => {
                    may_warn!();
                    let regex = attempt!(self.rt.regex(pattern, move |src| src!(src)));
                    let array = array!(array).clone();
                    attempt!(self.rt.check_filled("match", "third", &array));
                    scalar!(s);
                    put_number!(d, self.rt.match_at(src!(s), &regex, Some(&array)));
                    made!();
                }
                Op::ToLower { d, s } => {
                    change_case!(d, s, Case::Lower);
                    made!();
                }
                Op::ToUpper { d, s } => {
                    change_case!(d, s, Case::Upper);
                    made!();
                }
                Op::Math { f: MathFn::Int, d, a } if exact => {
                    let mut is_large = false;
                    let whole = read_number!(src!(a), is_large).trunc();
                    if is_large {
                        put!(d, self.rt.exact_int(src!(a)));
                    } else {
                        put_number!(d, whole);
                    }
                }
                Op::Math { f, d, a } => {
                    let a = number!(a);
                    let (result, is_odd) = math(f, a);
                    if is_odd {
                        may_warn!();
                        attempt!(self.rt.warn_argument(f, a));
                    }
                    put_number!(d, result);
                }
                Op::Atan2 { d, a, b } => put_number!(d, number!(a).atan2(number!(b))),
                Op::Rand { d } => put_number!(d, self.rt.random.next()),
                Op::SrandByTime { d } => {
                    put_number!(d, self.rt.random.reseed(Runtime::time_of_day()))
                }
                Op::Srand { d, a } => put_number!(d, self.rt.random.reseed(number!(a))),
                Op::Close { d, s } => {
                    made!();
                    put_number!(d, attempt!(self.rt.close(src!(s))));
                }
                Op::CloseEnd { d, s, end } => {
                    made!();
                    put_number!(d, attempt!(self.rt.close_end(src!(s), src!(end))));
                }
                Op::FlushAll { d } => {
                    made!();
                    put_number!(d, attempt!(self.rt.flush_all()));
                }
                Op::Flush { d, s } => {
                    made!();
                    may_warn!();
                    put_number!(d, attempt!(self.rt.flush(src!(s))));
                }
                Op::System { d, s } => {
                    made!();
                    put_number!(d, attempt!(self.rt.system(src!(s))));
                }

                Op::Library { f, d, arguments } => {
                    may_warn!();
                    let operands = arguments.of(&program.lists);
                    let parameters = f.parameters();
                    let kind = |at: usize| {
                        parameters.get(at).map_or(ParameterKind::Value, |parameter| parameter.kind)
                    };
                    let mut held = std::mem::take(&mut self.rt.library.arguments);
                    for (at, &operand) in operands.iter().enumerate() {
                        held.push(match kind(at) {
                            ParameterKind::Array => Value::Array(array!(operand).clone()),
                            _ => src!(operand).clone(),
                        });
                    }
                    // Only now: the name of a value may also stand where an array must.
                    for (at, &operand) in operands.iter().enumerate() {
                        if matches!(kind(at), ParameterKind::Value | ParameterKind::Pattern) {
                            scalar!(operand);
                        }
                    }
                    let reads_d = operands.contains(&d.src());
                    // SAFETY: a live slot; no source refers to it.
                    let old = if reads_d { None } else { unsafe { (*slot!(d)).recycle() } };
                    let result = if f.calls_back() {
                        let result = self.call_with_callback(
                            f,
                            &held,
                            base_at,
                            start,
                            (index_of(next) - 1) as u32,
                            tier,
                        );
                        // SAFETY: the running frame's registers are part of the stack, which may
                        // have moved.
                        base = unsafe { self.stack.as_mut_ptr().add(base_at) };
                        match result {
                            Err(Stop::Located(error)) => return Err(error),
                            Err(Stop::Fault(fault)) => Err(fault),
                            Ok(value) => Ok(value),
                        }
                    } else {
                        self.rt.call_library(f, old, &held)
                    };
                    // What is held must not look shared to the next operation.
                    held.clear();
                    self.rt.library.arguments = held;
                    put!(d, attempt!(result));
                    made!();
                }
            }
        }
    }

    /// Room for the registers of one more call.
    #[cold]
    #[inline(never)]
    pub(crate) fn make_room(&mut self, top: usize) -> Fallible<()> {
        if self.frames.len() >= MAX_CALLS {
            return Err(Fault::new(format!(
                "function calls are nested deeper than the limit of {MAX_CALLS}: does the recursion end?"
            )));
        }
        if top > MAX_REGISTERS {
            return Err(Fault::new(format!(
                "function calls need more registers than the limit of {MAX_REGISTERS}"
            )));
        }
        let calls = self.frames.len();
        if calls == self.frames.capacity() {
            let more = |wanted: usize| wanted.min(MAX_CALLS - calls);
            // No more than may be: who calls asks for nothing but whether there is room.
            let is_there = room::grow_exactly(&mut self.frames, more(calls.max(64)));
            if !is_there {
                return Err(Fault::memory());
            }
        }
        if top <= self.stack.len() {
            return Ok(());
        }
        let size = top.max(self.stack.len() * 2).clamp(256, MAX_REGISTERS);
        if self.lengthen_stack(size) || self.lengthen_stack(top) {
            Ok(())
        } else {
            Err(Fault::memory())
        }
    }

    /// Makes so many registers; whether there is memory for them, and for the calls in progress.
    pub(crate) fn lengthen_stack(&mut self, size: usize) -> bool {
        let more = size.saturating_sub(self.stack.len());
        let is_there = room::grow_exactly(&mut self.stack, more);
        if is_there {
            self.stack.resize(size, Value::Uninit);
        }
        is_there
    }

    /// Leaves all calls, the innermost of which has its registers at `base_at`; the first frame's
    /// registers.
    fn unwind(&mut self, base_at: usize) -> *mut Value {
        let (calls, first) = self.floor;
        if let Some(innermost) = self.frames.get(calls..).and_then(<[Frame]>::last) {
            let top =
                base_at + self.rt.program.functions[innermost.function.index()].registers as usize;
            self.frames.truncate(calls);
            // No further: after a deep recursion the stack is long, and `next` is called for every
            // record.
            for slot in &mut self.stack[first..top] {
                if !slot.is_plain() {
                    *slot = Value::Uninit;
                }
            }
        }
        self.stack.as_mut_ptr()
    }

    /// The name of a slot of the running frame.
    fn slot_name(&self, few: bool, operand: Operand, start: &StaticFrame) -> String {
        let program = &self.rt.program;
        let innermost = if few { None } else { self.frames.last() };
        let frame = innermost.map_or(start, |call| &program.functions[call.function.index()]);
        operand_text(program, frame, operand)
    }

    /// The element is one thing and is used as the other.
    #[cold]
    #[inline(never)]
    pub(crate) fn element_fault(
        &self,
        few: bool,
        array: Dst,
        key: &Value,
        [is, used_as]: [&str; 2],
        start: &StaticFrame,
    ) -> Fault {
        let array = self.slot_name(few, array.into(), start);
        let key = self.rt.text_of(key);
        let key = String::from_utf8_lossy(&key);
        Fault::new(format!("attempt to use the {is} `{array}[\"{key}\"]' as {used_as}"))
    }

    #[cold]
    pub(crate) fn array_fault(&self, few: bool, operand: Operand, start: &StaticFrame) -> Fault {
        let (kind, name) = (
            if operand.is_register() { " parameter" } else { "" },
            self.slot_name(few, operand, start),
        );
        Fault::new(format!("attempt to use the scalar{kind} `{name}' as an array"))
    }

    /// Says that a variable is read to which nothing was assigned.
    #[cold]
    fn warn_unassigned(
        &mut self,
        few: bool,
        operand: Operand,
        start: &StaticFrame,
    ) -> Fallible<()> {
        let kind = if operand.is_register() { "argument" } else { "variable" };
        let mut message =
            format!("reference to uninitialized {kind} `{}'", self.slot_name(few, operand, start));
        let globals = &self.rt.program.globals;
        if let Operand::Src(slot) = operand
            && slot.is_static()
            && globals.get(slot.number()).is_some_and(|global| global.usage.array)
        {
            message.push_str(", which is an array elsewhere");
        }
        self.rt.lint_warn(&message)
    }

    #[cold]
    pub(crate) fn scalar_fault(&self, few: bool, operand: Operand, start: &StaticFrame) -> Fault {
        let (kind, name) = (
            if operand.is_register() { " parameter" } else { "" },
            self.slot_name(few, operand, start),
        );
        Fault::new(format!("attempt to use the array{kind} `{name}' as a scalar"))
    }
}

/// An element as a number, and whether it may stand for an integer that is another, where integers
/// are exact.
#[inline(always)]
fn number_of_element<const MODE: u8>(element: &Place<'_>) -> (f64, bool) {
    let number = element.number();
    let is_double = matches!(element, Place::Packed(_) | Place::Value(Value::Num(_)));
    (number, MODE & mode::EXACT != 0 && !is_double && !is_small(number))
}

/// What a step does, and whether its value is the one after.
fn step(how: Step) -> (Update, bool) {
    match how {
        Step::PreUp => (Update::Add, true),
        Step::PreDown => (Update::Sub, true),
        Step::PostUp => (Update::Add, false),
        Step::PostDown => (Update::Sub, false),
    }
}

impl Runtime {
    pub(crate) fn constant_regex(
        &self,
        re: usize,
    ) -> Fallible<std::rc::Rc<riverhawk_regex::Regex>> {
        Ok(self.patterns.constant(re)?.clone())
    }

    /// Field `n` as a number before and after.
    fn update_field(&mut self, op: Update, n: usize, operand: f64) -> Fallible<(f64, f64)> {
        let field = self.field(n);
        let old = self.number(&field);
        let new = update(op, old, operand)?;
        self.set_field(n, &Value::Num(new))?;
        Ok((old, new))
    }

    pub(crate) fn join_key<'v>(&mut self, parts: impl Iterator<Item = &'v Value>) -> Value {
        let mut key = std::mem::take(&mut self.assembly);
        let specials = &self.specials;
        riverhawk_value::join_subscripts(
            parts,
            self.record.text(),
            &specials.convfmt,
            &specials.subsep,
            &mut key,
        );
        let value = Value::from_text(&key);
        self.assembly = key;
        value
    }

    /// A variable as an argument that is no array. What never had a value has none in the function
    /// either, which may ask for its type.
    #[inline]
    pub(crate) fn argument_by_value(&self, value: &Value) -> Value {
        match value {
            Value::Uninit | Value::Untyped(_) => Value::Uninit,
            other => self.owned(other),
        }
    }

    /// A variable as an argument that may be an array: shared when it is few, or when it is nothing
    /// yet.
    pub(crate) fn argument_by_name(&mut self, slot: &mut Value) -> Value {
        match slot {
            Value::Uninit => {
                *slot = Value::Untyped(std::rc::Rc::default());
                slot.clone()
            }
            Value::Untyped(cell) => match cell.get() {
                Some(array) => Value::Array(array.clone()),
                None => slot.clone(),
            },
            Value::Array(array) => Value::Array(array.clone()),
            other => self.owned(other),
        }
    }
}
