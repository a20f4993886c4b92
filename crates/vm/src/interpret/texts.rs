//! Operations on texts. The target's string is reused where possible.
//!
//! Most take addresses of slots, since machine code has operands outside the running frame.

#![allow(unsafe_code)]

use super::operands::{Operands, put, put_parts, put_text};
use crate::current::CurrentRecord;
use crate::locale::Locale;
use crate::memory;
use crate::runtime::Runtime;
use crate::strings::{Case, joined_short};
use crate::workspace::Workspace;
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::Unit as Program;
use riverhawk_bytecode::{Dst, Src, Srcs};
use riverhawk_value::{Ascii, HeapStr, SmallStr, TextKind, Value, View};
use std::ops::Range;

#[inline(always)]
pub(super) fn assign(current: &CurrentRecord, operands: Operands, d: Dst, s: Src) -> Fallible<()> {
    let is_view = matches!(operands.get(s), Value::View(_));
    // SAFETY: live slots that nothing refers to.
    unsafe {
        let old = if is_view { operands.recycle(d, &[s]) } else { None };
        put_assigned(current, operands.slot(d.src()), old, operands.slot(s));
    }
    if is_view { memory::check() } else { Ok(()) }
}

/// As [`put`], of what assigning the value of a slot gives, which may be the same.
///
/// # Safety
/// As [`put`], for both.
#[inline(always)]
pub(super) unsafe fn put_assigned(
    current: &CurrentRecord,
    d: *mut Value,
    old: Option<HeapStr>,
    s: *mut Value,
) {
    // SAFETY: by the contract.
    unsafe {
        match *s {
            Value::Num(number) => put(d, Value::Num(number)),
            Value::Small(text) => put(d, Value::Small(text)),
            Value::SmallInput(text) => put(d, Value::SmallInput(text)),
            Value::View(view) => put_owned(current, d, old, Value::View(view)),
            ref other => {
                let value = current.owned(other);
                put_parts(d, value);
            }
        }
    }
}

#[inline(always)]
pub(super) fn append(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    mut operands: Operands,
    v: Dst,
    s: Src,
) -> Fallible<()> {
    if v.src() == s {
        let copy = operands.get(s).clone();
        let doubled = workspace.concat(current, || None, &copy, &copy);
        memory::check()?;
        operands.put(v, doubled);
    } else {
        let (v, s) = (operands.slot(v.src()), operands.slot(s));
        // SAFETY: two different live slots.
        workspace.append(current, unsafe { &mut *v }, unsafe { &*s });
    }
    memory::check()
}

#[inline(always)]
pub(crate) fn length_of_field(rt: &mut Runtime, n: usize) -> usize {
    if n == 0 {
        return rt.current.length_of_record(&rt.locale, &mut rt.main);
    }
    let field = rt.current.field(n);
    rt.length(&field)
}

/// The string in `d`, for its allocation, unless `d` is a source.
///
/// # Safety
/// `d` is a live slot that nothing refers to.
#[inline(always)]
unsafe fn recycle(d: *mut Value, sources: &[*mut Value]) -> Option<HeapStr> {
    // SAFETY: by the contract.
    if sources.contains(&d) { None } else { unsafe { (*d).recycle() } }
}

/// # Safety
/// For this and all that follow: the slots are live, and nothing refers to them.
pub(crate) unsafe fn concat(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    d: *mut Value,
    a: *mut Value,
    b: *mut Value,
) {
    // SAFETY: by the contract; `a` is another slot where `d` is changed.
    unsafe {
        if d == b && d != a && workspace.prepend(current, &mut *d, std::iter::once(&*a)) {
            return;
        }
        match joined_short(&*a, &*b) {
            Some(joined) => put(d, Value::Small(joined)),
            None => put(d, workspace.concat(current, || recycle(d, &[a, b]), &*a, &*b)),
        }
    }
}

pub(crate) unsafe fn concat_all(
    program: &Program,
    current: &CurrentRecord,
    workspace: &mut Workspace,
    d: *mut Value,
    operands: Operands,
    list: Srcs,
) {
    // SAFETY: by the contract.
    unsafe {
        let first = operands.list(program, list).position(|part| std::ptr::eq(part, d));
        if let Some(before) = first
            && before + 1 == list.count as usize
            && workspace.prepend(current, &mut *d, operands.list(program, list).take(before))
        {
            return;
        }
        let old = if first.is_some() { None } else { (*d).recycle() };
        put(d, workspace.join_to_value(current, old, operands.list(program, list), b""));
    }
}

pub(crate) unsafe fn substr(
    current: &CurrentRecord,
    locale: &Locale,
    workspace: &mut Workspace,
    d: *mut Value,
    s: *mut Value,
    from: f64,
    length: Option<f64>,
) {
    // SAFETY: by the contract.
    unsafe {
        let old = recycle(d, &[s]);
        let (text, range, ascii) = workspace.substr(current, locale, &*s, from, length);
        put_text(d, old, TextKind::Text, text, range);
        if ascii == Ascii::Certain {
            (*d).note_ascii();
        }
    }
}

/// `substr` of a view.
#[inline(always)]
pub(crate) fn part(rt: &Runtime, s: &Value, from: f64, length: Option<f64>) -> Option<View> {
    let Value::View(view) = *s else { return None };
    let unit = rt.current.unit_of(&rt.locale, s);
    let text = view.of(rt.current.record.text());
    Some(view.part(riverhawk_text::substr_range(text, unit, from, length)))
}

/// Makes `d` a part of the view in `s`; false if that is none.
#[inline(always)]
pub(super) fn view(
    rt: &Runtime,
    mut operands: Operands,
    d: Dst,
    s: Src,
    from: f64,
    length: Option<f64>,
) -> bool {
    let part = part(rt, operands.get(s), from, length);
    part.map(|part| operands.put(d, Value::View(part))).is_some()
}

/// `None` unless it is a short text of ASCII.
#[inline(always)]
fn short_with_case(current: &CurrentRecord, s: &Value, case: Case) -> Option<SmallStr> {
    let short = match s {
        Value::View(view) => {
            let Range { start, end } = view.range();
            SmallStr::slice_of(current.record.text_and_behind(), start, end)?
        }
        Value::Small(text) | Value::SmallInput(text) => *text,
        _ => return None,
    };
    match case {
        Case::Lower => short.ascii_lowercase(),
        Case::Upper => short.ascii_uppercase(),
    }
}

pub(crate) unsafe fn change_case(
    current: &CurrentRecord,
    locale: &Locale,
    workspace: &mut Workspace,
    d: *mut Value,
    s: *mut Value,
    case: Case,
) {
    // SAFETY: by the contract.
    unsafe {
        if let Some(changed) = short_with_case(current, &*s, case) {
            put(d, Value::Small(changed));
            return;
        }
        if d != s
            && (*d).is_plain()
            && let Some(spare) = workspace.spare.take()
        {
            put(d, Value::Str(spare));
        }
        if d == s || !locale.change_case_over(current, &mut *d, &*s, case) {
            let old = recycle(d, &[s]);
            put_parts(d, workspace.change_case(current, locale, old, &*s, case));
        }
    }
}

pub(crate) unsafe fn take_formatted(workspace: &Workspace, d: *mut Value) {
    // SAFETY: by the contract.
    unsafe {
        let old = (*d).recycle();
        let text = &workspace.formatted;
        put_text(d, old, TextKind::Text, text, 0..text.len());
    }
}

/// As [`put`], of a text of its own.
///
/// # Safety
/// As [`put`].
#[inline(always)]
pub(super) unsafe fn put_owned(
    current: &CurrentRecord,
    d: *mut Value,
    old: Option<HeapStr>,
    value: Value,
) {
    // SAFETY: by the contract.
    unsafe {
        match value {
            Value::View(view) => {
                put_text(d, old, view.kind, current.record.text_and_behind(), view.range())
            }
            other => put(d, other),
        }
    }
}

pub(crate) unsafe fn own_field(current: &mut CurrentRecord, d: *mut Value, n: usize) {
    let value = current.field(n);
    // SAFETY: by the contract.
    unsafe {
        let old = (*d).recycle();
        put_owned(current, d, old, value);
    }
}
