//! Access to the registers, globals and constants that the running operation names.

#![allow(unsafe_code)]

use super::naming::{array_as_scalar, scalar_as_array};
use crate::globals::as_array;
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::{Dst, Src, Srcs, Unit as Program};
use riverhawk_value::{ArrayRef, HeapStr, SmallStr, TextKind, Value};
use std::ops::Range;

pub(crate) struct Operands {
    base: *mut Value,
    statics: *mut Value,
}

impl Operands {
    /// # Safety
    /// `base` is the running frame's first register, `statics` the first global. It is used only
    /// for operands of one operation of that frame, in a verified unit; meanwhile nothing else
    /// refers to these slots or moves them.
    #[inline(always)]
    pub unsafe fn new(base: *mut Value, statics: *mut Value) -> Operands {
        Operands { base, statics }
    }

    #[inline(always)]
    pub fn slot(&self, operand: Src) -> *mut Value {
        let from = if operand.is_static() { self.statics } else { self.base };
        from.wrapping_add(operand.number())
    }

    #[inline(always)]
    pub fn get(&self, operand: Src) -> &Value {
        // SAFETY: the unit is verified, so the operand names a live slot; by `Operands::new` only a
        // mutable borrow of `self` writes it.
        unsafe { &*self.slot(operand) }
    }

    #[inline(always)]
    pub fn change(&mut self, operand: Dst) -> &mut Value {
        // SAFETY: as for `get`.
        unsafe { &mut *self.slot(operand.src()) }
    }

    /// A slot to change while another is read, of which it gets a copy if both are one.
    #[inline(always)]
    pub fn change_by<R>(&mut self, d: Dst, s: Src, f: impl FnOnce(&mut Value, &Value) -> R) -> R {
        let (to, from) = (self.slot(d.src()), self.slot(s));
        if to == from {
            let copy = self.get(s).clone();
            return f(self.change(d), &copy);
        }
        // SAFETY: as for `get`, and they are two.
        unsafe { f(&mut *to, &*from) }
    }

    #[inline(always)]
    pub fn put(&mut self, d: Dst, value: Value) {
        // SAFETY: as for `get`.
        unsafe { put(self.slot(d.src()), value) }
    }

    #[inline(always)]
    pub fn put_parts(&mut self, d: Dst, value: Value) {
        // SAFETY: as for `get`.
        unsafe { put_parts(self.slot(d.src()), value) }
    }

    #[inline(always)]
    pub fn put_number(&mut self, d: Dst, number: f64) {
        self.put(d, Value::Num(number));
    }

    #[inline(always)]
    pub fn list<'s>(
        &'s self,
        program: &Program,
        list: Srcs,
    ) -> impl Iterator<Item = &'s Value> + use<'s> {
        slots_of(program, list).map(|slot| self.get(slot))
    }

    /// The string in `d`, for its allocation, unless `d` is a source.
    ///
    /// # Safety
    /// Nothing refers to the slot of `d`, unless it is one of the sources.
    #[inline(always)]
    pub unsafe fn recycle(&self, d: Dst, sources: &[Src]) -> Option<HeapStr> {
        if sources.contains(&d.src()) {
            return None;
        }
        // SAFETY: a live slot; by the contract nothing refers to it.
        unsafe { (*self.slot(d.src())).recycle() }
    }

    #[inline(always)]
    pub fn array(&mut self, operand: Dst) -> Fallible<(&ArrayRef, &Operands)> {
        if as_array(self.change(operand)).is_err() {
            return Err(scalar_as_array(operand));
        }
        match self.get(operand.src()) {
            Value::Array(array) => Ok((array, self)),
            _ => Err(scalar_as_array(operand)),
        }
    }

    #[inline(always)]
    pub fn expect_scalar(&self, operand: Src) -> Fallible<()> {
        if self.get(operand).is_array() {
            return Err(array_as_scalar(operand));
        }
        Ok(())
    }
}

#[inline(always)]
pub(super) fn slots_of(program: &Program, list: Srcs) -> impl Iterator<Item = Src> + use<> {
    // SAFETY: a verified list is inside the unit's, and a run keeps its program to its end.
    let first = unsafe { program.lists.as_ptr().add(list.at as usize) };
    // SAFETY: as above.
    (0..list.count as usize).map(move |at| unsafe { *first.add(at) })
}

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

/// As [`put`], of a copy. Short texts go from memory to memory: one put together on the way would be
/// loaded before its parts are stored.
///
/// # Safety
/// As [`put`].
#[inline(always)]
pub(crate) unsafe fn put_copy(slot: *mut Value, value: &Value) {
    // SAFETY: by the contract.
    unsafe {
        match value {
            Value::Num(number) => put(slot, Value::Num(*number)),
            Value::Small(text) => put(slot, Value::Small(*text)),
            Value::SmallInput(text) => put(slot, Value::SmallInput(*text)),
            other => put(slot, other.clone()),
        }
    }
}

/// As [`put`], of a part of a text. A short one is stored at once, not put together elsewhere.
///
/// # Safety
/// As [`put`].
#[inline(always)]
pub(crate) unsafe fn put_text(
    slot: *mut Value,
    old: Option<HeapStr>,
    kind: TextKind,
    text: &[u8],
    Range { start, end }: Range<usize>,
) {
    // SAFETY: by the contract.
    unsafe {
        match (SmallStr::slice_of(text, start, end), kind) {
            (Some(short), TextKind::Text) => put(slot, Value::Small(short)),
            (Some(short), TextKind::Input) => put(slot, Value::SmallInput(short)),
            (None, TextKind::Text) => put(slot, Value::from_text_in(old, &text[start..end])),
            (None, TextKind::Input) => put(slot, Value::from_input_in(old, &text[start..end])),
        }
    }
}

/// As [`put`], for a value just made in memory. It is stored by its parts, since loading all 16
/// bytes would wait for the store buffer.
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
