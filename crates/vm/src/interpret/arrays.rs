//! The interpreter's operations on arrays and their elements.

#![allow(unsafe_code)]

use super::arithmetic::{direction, number, read, read_element};
use super::naming::{element_misuse, scalar_as_array};
use super::operands::{Operands, put, put_copy};
use super::texts::put_assigned;
use crate::current::CurrentRecord;
use crate::exact::may_grow;
use crate::globals::Globals;
use crate::globals::as_array;
use crate::memory;
use crate::workspace::Workspace;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_builtins::arithmetic::update;
use riverhawk_bytecode::Unit as Program;
use riverhawk_bytecode::{Dst, GlobalNo, Src, Srcs, Step, Update};
use riverhawk_value::exact::is_small;
use riverhawk_value::{Array, ArrayRef, Place, Value};

#[cold]
fn element_as_scalar(current: &CurrentRecord, array: Dst, key: &Value) -> Fault {
    element_misuse(array, &current.text_of(key), ["array", "a scalar"])
}

pub(super) fn global_array(
    globals: &mut Globals,
    mut operands: Operands,
    d: Dst,
    g: GlobalNo,
) -> Fallible<()> {
    match as_array(&mut globals.statics[g.index()]).cloned() {
        Ok(array) => operands.put(d, Value::Array(array)),
        Err(_) => return Err(scalar_as_array(g)),
    }
    Ok(())
}

pub(crate) fn take_element(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    mut operands: Operands,
    d: Dst,
    array: Dst,
    key: Src,
) -> Fallible<()> {
    let (array, others) = operands.array(array)?;
    let value = workspace
        .with_key(current, others.get(key), |key| array.borrow_mut().place(key).to_value());
    operands.put(d, value);
    memory::check()
}

pub(crate) fn subarray(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    mut operands: Operands,
    d: Dst,
    operand: Dst,
    key: Src,
) -> Fallible<()> {
    let (array, others) = operands.array(operand)?;
    let key = others.get(key);
    let found = workspace
        .with_key(current, key, |key| as_array(array.borrow_mut().entry(key)).ok().cloned());
    let Some(found) = found else {
        return Err(element_misuse(operand, &current.text_of(key), ["scalar", "an array"]));
    };
    operands.put(d, Value::Array(found));
    memory::check()
}

pub(super) fn argument_element(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    mut operands: Operands,
    d: Dst,
    array: Dst,
    key: Src,
) -> Fallible<()> {
    let (array, others) = operands.array(array)?;
    let key = others.get(key);
    let mut element = workspace.with_key(current, key, |key| array.borrow_mut().place(key).take());
    let argument = current.argument_by_name(&mut element);
    workspace.with_key(current, key, |key| array.borrow_mut().set(key, element));
    operands.put(d, argument);
    memory::check()
}

/// Whether it is no array.
///
/// # Safety
/// As [`put`].
#[inline(always)]
unsafe fn put_element(slot: *mut Value, place: Place<'_>) -> bool {
    // SAFETY: by the contract.
    unsafe {
        match place {
            Place::Packed(packed) => put(slot, packed.value()),
            Place::Value(value) if value.is_array() => return false,
            Place::Value(value) => put_copy(slot, value),
        }
    }
    true
}

#[inline(always)]
pub(super) fn element(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    mut operands: Operands,
    d: Dst,
    operand: Dst,
    key: Src,
) -> Fallible<()> {
    let (array, others) = operands.array(operand)?;
    let key = others.get(key);
    let d = others.slot(d.src());
    let mut array = array.borrow_mut();
    let is_scalar = match key {
        Value::Num(_) => workspace.with_key(current, key, |key| {
            // SAFETY: a live slot, which is no element.
            unsafe { put_element(d, array.place(key)) }
        }),
        // SAFETY: as above.
        _ => unsafe { put_element(d, workspace.place(current, &mut array, key)) },
    };
    if !is_scalar {
        return Err(element_as_scalar(current, operand, key));
    }
    memory::check()
}

#[inline(always)]
pub(super) fn set_element(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    mut operands: Operands,
    operand: Dst,
    key: Src,
    s: Src,
) -> Fallible<()> {
    let (array, others) = operands.array(operand)?;
    let (key, source) = (others.get(key), others.slot(s));
    let array = &mut *array.borrow_mut();
    let is_scalar = match *others.get(s) {
        Value::Num(number) => set_number(current, workspace, array, key, number),
        _ => set_value(current, workspace, array, key, source),
    };
    if !is_scalar {
        return Err(element_as_scalar(current, operand, key));
    }
    memory::check()
}

/// Assigns an element unless it is an array; returns whether it did.
#[inline(always)]
fn set_number(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    array: &mut Array,
    key: &Value,
    number: f64,
) -> bool {
    if let Value::Num(_) = key {
        return workspace.with_key(current, key, |key| array.set_scalar_number(key, number));
    }
    let mut place = workspace.place(current, array, key);
    let is_scalar = !place.is_array();
    if is_scalar {
        place.set_number(number);
    }
    is_scalar
}

/// As [`set_number`], of what needs a place of 16 bytes: the value of a live slot.
#[inline(always)]
fn set_value(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    array: &mut Array,
    key: &Value,
    source: *mut Value,
) -> bool {
    let assign = |element: &mut Value| {
        let is_scalar = element.is_plain() || !element.is_array();
        if is_scalar {
            // SAFETY: a reference to it, and a live slot, which is no element.
            unsafe { put_assigned(current, element, None, source) };
        }
        is_scalar
    };
    if !matches!(key, Value::Num(_))
        && let Place::Value(element) = workspace.place(current, array, key)
    {
        return assign(element);
    }
    workspace.with_key(current, key, |key| assign(array.entry(key)))
}

/// What an element was and is.
enum Changed {
    Number {
        old: f64,
        new: f64,
    },
    /// It is to be computed again, exactly.
    Large,
    /// It is an array.
    Not,
}

#[inline(always)]
fn change_element<const EXACT: bool>(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    op: Update,
    array: &ArrayRef,
    key: &Value,
    (number, mut is_large): (f64, bool),
) -> Fallible<Changed> {
    let mut array = array.borrow_mut();
    let mut element = workspace.place(current, &mut array, key);
    if element.is_array() {
        return Ok(Changed::Not);
    }
    let (old, is_rounded) = read_element::<EXACT>(current, &element);
    let new = update(op, old, number)?;
    is_large |= is_rounded || current.is_exact::<EXACT>() && may_grow(op) && !is_small(new);
    if is_large {
        return Ok(Changed::Large);
    }
    element.set_number(new);
    Ok(Changed::Number { old, new })
}

#[inline(always)]
pub(super) fn update_element<const EXACT: bool>(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    mut operands: Operands,
    op: Update,
    [d, operand]: [Dst; 2],
    key: Src,
    v: Src,
) -> Fallible<()> {
    let (array, others) = operands.array(operand)?;
    let (key, v) = (others.get(key), others.get(v));
    let by = read::<EXACT>(current, v);
    match change_element::<EXACT>(current, workspace, op, array, key, by)? {
        Changed::Number { new, .. } => operands.put_number(d, new),
        Changed::Large => {
            let (_, new) = workspace.exact_element(current, op, array, key, v)?;
            operands.put(d, new);
        }
        Changed::Not => return Err(element_as_scalar(current, operand, key)),
    }
    memory::check()
}

pub(super) fn add_exactly(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    mut operands: Operands,
    operand: Dst,
    key: Src,
    a: Src,
) -> Fallible<()> {
    let (array, others) = operands.array(operand)?;
    let key = others.get(key);
    let addend = number(current, others.get(a));
    if !workspace.with_key(current, key, |key| array.borrow_mut().add(key, addend)) {
        return Err(element_as_scalar(current, operand, key));
    }
    memory::check()
}

#[inline(always)]
pub(crate) fn append_element(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    mut operands: Operands,
    operand: Dst,
    key: Src,
    v: Src,
) -> Fallible<()> {
    let (array, others) = operands.array(operand)?;
    let key = others.get(key);
    let taken = workspace.with_key(current, key, |key| {
        let mut array = array.borrow_mut();
        let element = array.place(key);
        if element.is_array() { None } else { Some(element.take()) }
    });
    let Some(mut value) = taken else { return Err(element_as_scalar(current, operand, key)) };
    workspace.append(current, &mut value, others.get(v));
    workspace.with_key(current, key, |key| array.borrow_mut().set(key, value));
    memory::check()
}

#[inline(always)]
pub(super) fn step_element<const EXACT: bool>(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    mut operands: Operands,
    how: Step,
    d: Dst,
    operand: Dst,
    key: Src,
) -> Fallible<()> {
    let (array, others) = operands.array(operand)?;
    let key = others.get(key);
    let (op, after) = direction(how);
    match change_element::<EXACT>(current, workspace, op, array, key, (1.0, false))? {
        Changed::Number { old, new } => operands.put_number(d, if after { new } else { old }),
        Changed::Large => {
            let (old, new) = workspace.exact_element(current, op, array, key, &Value::Num(1.0))?;
            operands.put(d, if after { new } else { old });
        }
        Changed::Not => return Err(element_as_scalar(current, operand, key)),
    }
    memory::check()
}

#[inline(always)]
pub(super) fn count_element<const EXACT: bool>(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    mut operands: Operands,
    operand: Dst,
    key: Src,
) -> Fallible<()> {
    let (array, others) = operands.array(operand)?;
    let key = others.get(key);
    let mut elements = array.borrow_mut();
    match workspace.place(current, &mut elements, key) {
        place if current.is_exact::<EXACT>() => {
            let (old, is_rounded) = read_element::<EXACT>(current, &place);
            let (is_array, mut place) = (place.is_array(), place);
            if is_array {
                return Err(element_as_scalar(current, operand, key));
            }
            if !is_rounded && is_small(old + 1.0) {
                place.set_number(old + 1.0);
            } else {
                drop(elements);
                workspace.exact_element(current, Update::Add, array, key, &Value::Num(1.0))?;
            }
        }
        Place::Packed(packed) => packed.set(packed.number() + 1.0),
        Place::Value(Value::Num(number)) => *number += 1.0,
        Place::Value(other) if other.is_array() => {
            return Err(element_as_scalar(current, operand, key));
        }
        Place::Value(other) => *other = Value::Num(other.number(b"") + 1.0),
    }
    memory::check()
}

#[inline(always)]
pub(super) fn has_element(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    mut operands: Operands,
    d: Dst,
    array: Dst,
    key: Src,
) -> Fallible<()> {
    let (array, others) = operands.array(array)?;
    let found = workspace.has_element(current, &array.borrow(), others.get(key));
    operands.put(d, Value::from_bool(found));
    Ok(())
}

#[inline(always)]
pub(super) fn delete_element(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    mut operands: Operands,
    array: Dst,
    key: Src,
) -> Fallible<()> {
    let (array, others) = operands.array(array)?;
    workspace.with_key(current, others.get(key), |key| array.borrow_mut().remove(key));
    Ok(())
}

pub(crate) fn clear(mut operands: Operands, array: Dst) -> Fallible<()> {
    operands.array(array)?.0.borrow_mut().clear();
    Ok(())
}

/// # Safety
/// The slots are live, and nothing refers to them.
pub(crate) unsafe fn join_key(
    program: &Program,
    current: &CurrentRecord,
    workspace: &mut Workspace,
    d: *mut Value,
    operands: Operands,
    list: Srcs,
) {
    // SAFETY: by the contract.
    unsafe {
        let (parts, subsep) = (operands.list(program, list), &current.specials.subsep);
        put(d, workspace.join_to_value(current, None, parts, subsep));
    }
}

pub(super) fn begin_keys(mut operands: Operands, d: Dst, array: Dst) -> Fallible<()> {
    let keys = operands.array(array)?.0.borrow().keys();
    operands.put(d, Value::Keys(Box::new(keys)));
    memory::check()
}

/// Returns whether there was another key.
///
/// # Safety
/// The slots are live, and nothing refers to them.
pub(crate) unsafe fn next_key(d: *mut Value, keys: *mut Value) -> bool {
    // SAFETY: by the contract.
    let key = match unsafe { &mut *keys } {
        Value::Keys(keys) => keys.next(),
        _ => None,
    };
    match key {
        Some(key) => {
            // SAFETY: by the contract.
            unsafe { put(d, key) }
            true
        }
        None => false,
    }
}
