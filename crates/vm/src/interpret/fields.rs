//! The interpreter's operations on fields, columns and specials.

#![allow(unsafe_code)]

use super::arithmetic::{direction, number};
use super::operands::{Operands, put};
use super::texts;
use crate::arithmetic::Arithmetic;
use crate::current::CurrentRecord;
use crate::current::field_at;
use crate::memory;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_builtins::arithmetic::update;
use riverhawk_bytecode::Unit as Program;
use riverhawk_bytecode::{ColumnNo, Dst, FieldNo, Src, Step, Update};
use riverhawk_syntax::ast::Special;
use riverhawk_value::Value;

#[inline(always)]
fn field_number(program: &Program, current: &CurrentRecord, value: &Value) -> Fallible<usize> {
    let known = if let Value::Num(number) = value { field_at(*number) } else { None };
    known.map_or_else(|| current.field_number(program, value), Ok)
}

#[inline(always)]
fn column_number(
    program: &Program,
    current: &CurrentRecord,
    operands: &Operands,
    column: ColumnNo,
    i: Src,
) -> Fallible<usize> {
    current
        .columns
        .field(column.index())
        .map_or_else(|| current.field_number(program, operands.get(i)), Ok)
}

/// The next operations use fields up to `reach`. A view is stored from two registers; other values
/// go through memory.
#[inline(always)]
pub(super) fn field(
    current: &mut CurrentRecord,
    operands: Operands,
    d: Dst,
    n: usize,
    reach: usize,
) {
    // SAFETY: a live slot that nothing refers to.
    unsafe { put_field(current, operands.slot(d.src()), n, reach) }
}

/// As [`field`].
///
/// # Safety
/// As [`put`].
#[inline(always)]
pub(crate) unsafe fn put_field(current: &mut CurrentRecord, d: *mut Value, n: usize, reach: usize) {
    // SAFETY: by the contract.
    unsafe {
        match current.field_view(n, reach) {
            Some(view) => put(d, Value::View(view)),
            None => put(d, current.unusual_field(n)),
        }
    }
}

#[inline(always)]
pub(super) fn own_field(
    current: &mut CurrentRecord,
    operands: Operands,
    d: Dst,
    n: usize,
) -> Fallible<()> {
    // SAFETY: a live slot that nothing refers to.
    unsafe { texts::own_field(current, operands.slot(d.src()), n) };
    memory::check()
}

#[inline(always)]
pub(super) fn field_by_number(
    program: &Program,
    current: &mut CurrentRecord,
    mut operands: Operands,
    d: Dst,
    i: Src,
) -> Fallible<()> {
    let n = field_number(program, current, operands.get(i))?;
    match current.record.known_field(n) {
        Some(view) => operands.put(d, Value::View(view)),
        None => field(current, operands, d, n, n),
    }
    Ok(())
}

#[inline(always)]
pub(super) fn own_field_by_number(
    program: &Program,
    current: &mut CurrentRecord,
    operands: Operands,
    d: Dst,
    i: Src,
) -> Fallible<()> {
    let n = field_number(program, current, operands.get(i))?;
    own_field(current, operands, d, n)
}

#[inline(always)]
pub(super) fn column(
    program: &Program,
    current: &mut CurrentRecord,
    mut operands: Operands,
    d: Dst,
    column: ColumnNo,
    i: Src,
) -> Fallible<()> {
    let n = column_number(program, current, &operands, column, i)?;
    operands.put_parts(d, current.record.field(n));
    Ok(())
}

#[inline(always)]
pub(super) fn own_column(
    program: &Program,
    current: &mut CurrentRecord,
    operands: Operands,
    d: Dst,
    column: ColumnNo,
    i: Src,
) -> Fallible<()> {
    let n = column_number(program, current, &operands, column, i)?;
    let value = current.record.field(n);
    // SAFETY: nothing refers to the slot.
    let old = unsafe { operands.recycle(d, &[]) };
    // SAFETY: a live slot.
    unsafe { texts::put_owned(current, operands.slot(d.src()), old, value) };
    memory::check()
}

#[inline(always)]
pub(crate) fn set_field(rt: &mut Runtime, operands: Operands, n: FieldNo, s: Src) -> Fallible<()> {
    rt.set_field(n.index(), operands.get(s))?;
    memory::check()
}

pub(crate) fn set_field_by_number(
    rt: &mut Runtime,
    operands: Operands,
    i: Src,
    s: Src,
) -> Fallible<()> {
    let n = rt.current.field_number(&rt.program, operands.get(i))?;
    rt.set_field(n, operands.get(s))?;
    memory::check()
}

pub(super) fn delete_field(rt: &mut Runtime, operands: Operands, i: Src) -> Fallible<()> {
    let n = rt.current.field_number(&rt.program, operands.get(i))?;
    rt.delete_field(n)?;
    memory::check()
}

pub(super) fn reach_field(
    program: &Program,
    current: &mut CurrentRecord,
    operands: Operands,
    i: Src,
) -> Fallible<()> {
    let n = current.field_number(program, operands.get(i))?;
    current.record.reach(n);
    memory::check()
}

pub(crate) fn update_field<const EXACT: bool>(
    rt: &mut Runtime,
    mut operands: Operands,
    op: Update,
    d: Dst,
    i: Src,
    v: Src,
) -> Fallible<()> {
    let n = rt.current.field_number(&rt.program, operands.get(i))?;
    if rt.current.is_exact::<EXACT>() {
        let (_, new) = rt.update_field_exactly(op, n, operands.get(v))?;
        operands.put(d, new);
    } else {
        let operand = number(&rt.current, operands.get(v));
        let (_, new) = change_field(rt, op, n, operand)?;
        operands.put_number(d, new);
    }
    memory::check()
}

pub(crate) fn step_field<const EXACT: bool>(
    rt: &mut Runtime,
    mut operands: Operands,
    how: Step,
    d: Dst,
    i: Src,
) -> Fallible<()> {
    let n = rt.current.field_number(&rt.program, operands.get(i))?;
    let (op, after) = direction(how);
    if rt.current.is_exact::<EXACT>() {
        let (old, new) = rt.update_field_exactly(op, n, &Value::Num(1.0))?;
        operands.put(d, if after { new } else { old });
    } else {
        let (old, new) = change_field(rt, op, n, 1.0)?;
        operands.put_number(d, if after { new } else { old });
    }
    memory::check()
}

fn change_field(rt: &mut Runtime, op: Update, n: usize, operand: f64) -> Fallible<(f64, f64)> {
    let field = rt.current.field(n);
    let old = rt.current.number(&field);
    let new = update(op, old, operand)?;
    rt.set_field(n, &Value::Num(new))?;
    Ok((old, new))
}

#[inline(always)]
pub(crate) fn counter(current: &CurrentRecord, special: Special) -> Option<f64> {
    match special {
        Special::Nf => current.record.known_count().map(|count| count as i64 as f64),
        Special::Nr if !current.specials.counters_assigned => Some(current.specials.nr),
        _ => None,
    }
}

#[inline(always)]
pub(crate) fn get_special(
    program: &Program,
    current: &mut CurrentRecord,
    arithmetic: &Arithmetic,
    mut operands: Operands,
    d: Dst,
    v: Special,
) {
    match counter(current, v) {
        Some(number) => operands.put_number(d, number),
        None => operands.put_parts(d, current.special(program, arithmetic, v)),
    }
}

pub(crate) fn set_special(
    rt: &mut Runtime,
    operands: Operands,
    v: Special,
    s: Src,
) -> Fallible<()> {
    let value = rt.current.owned(operands.get(s));
    rt.set_special(v, value)?;
    memory::check()
}
