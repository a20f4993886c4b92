//! Arithmetic. With `--exact-integers`, a result that may be a rounded integer is computed again by
//! [`exact`](crate::exact); without `EXACT`, the program has not that option.

use super::operands::Operands;
use crate::budget::Budget;
use crate::current::CurrentRecord;
use crate::exact::may_grow;
use crate::globals::Globals;
use crate::memory;
use crate::outside::Outside;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_builtins::arithmetic::{division_by_zero, math, remainder};
use riverhawk_bytecode::{Dst, MathFn, Src, Step, Update};
use riverhawk_value::exact::is_small;
use riverhawk_value::{Place, Value};

#[inline(always)]
pub(super) fn number(current: &CurrentRecord, value: &Value) -> f64 {
    match value {
        Value::Num(number) => *number,
        Value::View(view) => current.number_of(*view),
        other => current.number(other),
    }
}

#[inline(always)]
pub(super) fn read<const EXACT: bool>(current: &CurrentRecord, value: &Value) -> (f64, bool) {
    match value {
        Value::Num(number) => (*number, false),
        other => {
            let number = number(current, other);
            (number, current.is_exact::<EXACT>() && !is_small(number))
        }
    }
}

#[inline(always)]
pub(super) fn read_element<const EXACT: bool>(
    current: &CurrentRecord,
    element: &Place<'_>,
) -> (f64, bool) {
    let number = element.number();
    let is_double = matches!(element, Place::Packed(_) | Place::Value(Value::Num(_)));
    (number, current.is_exact::<EXACT>() && !is_double && !is_small(number))
}

#[inline(always)]
pub(super) fn binary<const EXACT: bool>(
    current: &CurrentRecord,
    mut operands: Operands,
    op: Update,
    d: Dst,
    a: Src,
    b: Src,
    compute: impl FnOnce(f64, f64) -> Fallible<f64>,
) -> Fallible<()> {
    let (x, x_is_large) = read::<EXACT>(current, operands.get(a));
    let (y, y_is_large) = read::<EXACT>(current, operands.get(b));
    let result = compute(x, y)?;
    if current.is_exact::<EXACT>()
        && (x_is_large || y_is_large || may_grow(op) && !is_small(result))
    {
        let result = current.exact(op, operands.get(a), operands.get(b))?;
        operands.put(d, result);
        return memory::check();
    }
    operands.put_number(d, result);
    Ok(())
}

#[inline(always)]
pub(super) fn divide(a: f64, b: f64) -> Fallible<f64> {
    if b == 0.0 { Err(division_by_zero("/")) } else { Ok(a / b) }
}

#[inline(always)]
pub(super) fn modulo(a: f64, b: f64) -> Fallible<f64> {
    if b == 0.0 { Err(division_by_zero("%")) } else { Ok(remainder(a, b)) }
}

#[inline(always)]
pub(super) fn negate<const EXACT: bool>(
    current: &CurrentRecord,
    mut operands: Operands,
    d: Dst,
    a: Src,
) {
    let (number, is_large) = read::<EXACT>(current, operands.get(a));
    if is_large {
        let negative = current.exact_negative(operands.get(a));
        operands.put(d, negative);
    } else {
        operands.put_number(d, -number);
    }
}

#[inline(always)]
pub(super) fn to_number<const EXACT: bool>(
    current: &CurrentRecord,
    mut operands: Operands,
    d: Dst,
    a: Src,
) {
    let (number, is_large) = read::<EXACT>(current, operands.get(a));
    if is_large {
        let number = current.exact_number(operands.get(a));
        operands.put(d, number);
    } else {
        operands.put_number(d, number);
    }
}

#[inline(always)]
pub(super) fn step<const EXACT: bool>(
    current: &CurrentRecord,
    mut operands: Operands,
    op: Update,
    v: Dst,
    old: Option<Dst>,
) -> Fallible<()> {
    let (number, is_large) = read::<EXACT>(current, operands.get(v.src()));
    let new = if op == Update::Add { number + 1.0 } else { number - 1.0 };
    if current.is_exact::<EXACT>() && (is_large || !is_small(new)) {
        let before = current.exact_number(operands.get(v.src()));
        let after = current.exact(op, &before, &Value::Num(1.0))?;
        operands.put(v, after);
        memory::check()?;
        if let Some(old) = old {
            operands.put(old, before);
        }
        return Ok(());
    }
    operands.put_number(v, new);
    if let Some(old) = old {
        operands.put_number(old, number);
    }
    Ok(())
}

pub(super) fn direction(how: Step) -> (Update, bool) {
    match how {
        Step::PreUp => (Update::Add, true),
        Step::PreDown => (Update::Sub, true),
        Step::PostUp => (Update::Add, false),
        Step::PostDown => (Update::Sub, false),
    }
}

#[inline(always)]
pub(super) fn function<const EXACT: bool>(
    current: &CurrentRecord,
    outside: &mut Outside,
    mut operands: Operands,
    f: MathFn,
    d: Dst,
    a: Src,
) -> Fallible<()> {
    let (number, is_large) = read::<EXACT>(current, operands.get(a));
    if current.is_exact::<EXACT>() && is_large && f == MathFn::Int {
        let whole = current.exact_int(operands.get(a));
        operands.put(d, whole);
        return Ok(());
    }
    let (result, is_odd) = math(f, number);
    if is_odd {
        outside.warn_argument(current, f, number)?;
    }
    operands.put_number(d, result);
    Ok(())
}

pub(super) fn addend<const EXACT: bool>(
    current: &CurrentRecord,
    globals: &mut Globals,
    operands: Operands,
    d: Dst,
    a: Src,
) {
    let number = number(current, operands.get(a));
    globals.notes.addend(number);
    to_number::<EXACT>(current, operands, d, a);
}

pub(super) fn note_add<const EXACT: bool>(
    current: &CurrentRecord,
    globals: &mut Globals,
    operands: Operands,
    v: Dst,
    a: Src,
) -> Fallible<()> {
    let number = number(current, operands.get(a));
    globals.notes.addend(number);
    binary::<EXACT>(current, operands, Update::Add, v, v.src(), a, |a, b| Ok(a + b))
}

pub(super) fn add_exactly(
    current: &CurrentRecord,
    globals: &Globals,
    mut operands: Operands,
    v: Dst,
    a: Src,
) {
    let keeps_sums = globals.keeps_sums;
    let addend = number(current, operands.get(a));
    match operands.change(v) {
        sum if keeps_sums => sum.add_exactly(addend),
        sum => *sum = Value::Num(number(current, sum) + addend),
    }
}

pub(super) fn note_record_length(rt: &mut Runtime, mut operands: Operands, v: Dst) {
    let length = rt.current.length_of_record(&rt.locale, &mut rt.main) as i64 as f64;
    rt.globals.notes.addend(length);
    let sum = number(&rt.current, operands.get(v.src())) + length;
    operands.put_number(v, sum);
}

#[inline(always)]
pub(super) fn add_record_length<const EXACT: bool>(
    rt: &mut Runtime,
    mut operands: Operands,
    budget: &mut Budget,
    v: Dst,
    is_whole_loop: impl FnOnce() -> bool,
) -> Fallible<()> {
    let length = rt.current.length_of_record(&rt.locale, &mut rt.main) as i64 as f64;
    match operands.change(v) {
        Value::Num(sum) if !rt.current.is_exact::<EXACT>() || is_small(*sum + length) => {
            *sum += length;
            if is_whole_loop() {
                *sum = rt.main.add_lengths(&mut rt.current, &rt.locale, budget, *sum);
            }
        }
        other if rt.current.is_exact::<EXACT>() => {
            *other = rt.current.exact(Update::Add, other, &Value::Num(length))?
        }
        other => *other = Value::Num(rt.current.number(other) + length),
    }
    Ok(())
}
