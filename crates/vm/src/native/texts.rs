//! Operations on texts that cannot fail, as the interpreter has them: what stands in the target is
//! used again where that is possible.

use super::operands::Operands;
use crate::interpret::{clear, put, put_parts};
use crate::runtime::Runtime;
use crate::strings::Case;
use riverhawk_bytecode::Srcs;
use riverhawk_value::{HeapStr, Value};

/// The string that a target holds, to be used again, unless a source stands in the same slot.
///
/// # Safety
/// `d` is a live slot that nothing refers to.
#[inline(always)]
unsafe fn recycle(d: *mut Value, sources: &[*mut Value]) -> Option<HeapStr> {
    // SAFETY: by the contract.
    if sources.contains(&d) { None } else { unsafe { (*d).recycle() } }
}

/// d becomes a followed by b.
///
/// # Safety
/// The slots are live, and nothing refers to them; so for all that follow.
pub(super) unsafe fn concat(rt: &mut Runtime, d: *mut Value, a: *mut Value, b: *mut Value) {
    // SAFETY: by the contract.
    unsafe {
        put_parts(d, rt.concat(|| recycle(d, &[a, b]), &*a, &*b));
    }
}

/// d becomes all operands of a list, one after the other.
pub(super) unsafe fn concat_all(rt: &mut Runtime, d: *mut Value, operands: Operands, list: Srcs) {
    // SAFETY: by the contract.
    unsafe {
        let old = if operands.is_in(rt, list, d) { None } else { (*d).recycle() };
        put(d, rt.concat_all(old, operands.list(rt, list)));
    }
}

/// d becomes the subscript made of all operands of a list.
pub(super) unsafe fn join_key(rt: &mut Runtime, d: *mut Value, operands: Operands, list: Srcs) {
    // SAFETY: by the contract.
    unsafe { put(d, rt.join_key(operands.list(rt, list))) }
}

/// d becomes s from a character on, all of it or so many.
pub(super) unsafe fn substr(
    rt: &mut Runtime,
    d: *mut Value,
    s: *mut Value,
    from: f64,
    length: Option<f64>,
) {
    // SAFETY: by the contract.
    unsafe {
        let old = recycle(d, &[s]);
        put(d, rt.substr(old, &*s, from, length));
    }
}

/// d becomes s in the other case.
pub(super) unsafe fn change_case(rt: &mut Runtime, d: *mut Value, s: *mut Value, case: Case) {
    // SAFETY: by the contract.
    unsafe {
        if d == s || !rt.change_case_over(&mut *d, &*s, case) {
            let old = recycle(d, &[s]);
            put_parts(d, rt.change_case(old, &*s, case));
        }
    }
}

/// d becomes what was formatted last.
pub(super) unsafe fn take_formatted(rt: &mut Runtime, d: *mut Value) {
    // SAFETY: by the contract.
    unsafe {
        let old = (*d).recycle();
        put(d, Value::from_text_in(old, &rt.formatted));
    }
}

/// d becomes a field, owned.
pub(super) unsafe fn own_field(rt: &mut Runtime, d: *mut Value, n: usize) {
    let value = rt.field(n);
    // SAFETY: by the contract.
    unsafe {
        let old = (*d).recycle();
        put(d, rt.owned_in(old, value));
    }
}

/// d becomes the next of the keys, if there is one: whether there is.
pub(super) unsafe fn next_key(d: *mut Value, keys: *mut Value) -> bool {
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

/// Whether two values are equal, where one of them is text and no input: mostly both are text.
#[inline]
pub(super) fn are_equal(rt: &Runtime, a: &Value, b: &Value) -> bool {
    use Value::*;
    if let (Small(_) | Str(_) | SmallInput(_) | Input(_), Small(_) | Str(_))
    | (Small(_) | Str(_), SmallInput(_) | Input(_)) = (a, b)
        && !rt.specials.ignore_case
    {
        return a.bytes(b"") == b.bytes(b"");
    }
    rt.compare(a, b).is_some_and(std::cmp::Ordering::is_eq)
}

/// d becomes a copy of s; false, and nothing has happened, when s is an array.
pub(super) unsafe fn argument(rt: &Runtime, d: *mut Value, s: *mut Value) -> bool {
    // SAFETY: by the contract.
    unsafe {
        let is_scalar = (*s).is_plain() || !(*s).is_array();
        if is_scalar {
            put_parts(d, rt.argument_by_value(&*s));
        }
        is_scalar
    }
}

/// Ends a frame of so many registers from `base` on, which are cleared: d gets what a slot held,
/// owned. What stands in one of them is moved, not copied.
pub(super) unsafe fn give_back(
    rt: &Runtime,
    d: *mut Value,
    slot: *mut Value,
    base: *mut Value,
    count: usize,
) {
    // SAFETY: by the contract.
    unsafe {
        let is_register = (base..base.wrapping_add(count)).contains(&slot);
        let value = match &*slot {
            Value::Str(_) | Value::Input(_) if is_register => std::mem::take(&mut *slot),
            other => rt.owned(other),
        };
        clear(base, count);
        put(d, value);
    }
}
