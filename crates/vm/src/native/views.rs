//! Unmaterialised strings.
//!
//! A piece is in its text, or in a buffer if that is a number; joined or changed text is in the
//! workspace. Machine code uses it before it can change.

use crate::current::CurrentRecord;
use crate::locale::Locale;
use crate::strings::Case;
use crate::workspace::Workspace;
use riverhawk_bytecode::Unit as Program;
use riverhawk_text::Unit;
use riverhawk_value::{Value, number};
use std::cmp::Ordering;

/// # Safety
/// Machine code has them from a function below, or from the text that they are a piece of, and
/// nothing has changed since.
pub(super) unsafe fn bytes<'a>(text: *const Value, size: usize) -> &'a [u8] {
    // SAFETY: by the contract.
    unsafe { std::slice::from_raw_parts(text.cast(), size) }
}

/// Detaches a text from its borrow; machine code uses it before it can change.
fn released<'a>(text: &[u8]) -> &'a [u8] {
    // SAFETY: callers pass it on as an address and a size, and the text stays until machine code
    // has used it.
    unsafe { std::slice::from_raw_parts(text.as_ptr(), text.len()) }
}

/// `length` may be infinite.
///
/// # Safety
/// `s` is a live slot that nothing refers to.
pub(super) unsafe fn piece<'a>(
    current: &CurrentRecord,
    locale: &Locale,
    workspace: &mut Workspace,
    s: *const Value,
    from: f64,
    length: f64,
) -> &'a [u8] {
    // SAFETY: by the contract.
    let s = unsafe { &*s };
    let text = s.text(current.record.text(), &current.specials.convfmt, &mut workspace.scratch[1]);
    let unit = current.unit_of(locale, s);
    let length = (length != f64::INFINITY).then_some(length);
    released(&text[riverhawk_text::substr_range(text, unit, from, length)])
}

/// Bytes of a text whose characters are bytes, otherwise 0. Checks whether a long text is ASCII.
pub(super) fn known_size(current: &CurrentRecord, locale: &Locale, s: &Value) -> usize {
    if locale.unit == Unit::Grapheme {
        return 0;
    }
    match s {
        Value::View(view) if current.record.is_ascii() => view.range().len(),
        Value::Str(text) | Value::Input(text) if text.is_ascii() => text.len(),
        Value::Small(text) | Value::SmallInput(text) if text.as_bytes().is_ascii() => text.len(),
        _ => 0,
    }
}

/// # Safety
/// As for [`piece`].
pub(super) unsafe fn case<'a>(
    current: &CurrentRecord,
    locale: &Locale,
    workspace: &mut Workspace,
    s: *const Value,
    case: Case,
) -> &'a [u8] {
    // SAFETY: by the contract.
    let s = unsafe { &*s };
    let text = s.text(current.record.text(), &current.specials.convfmt, &mut workspace.scratch[1]);
    workspace.assembly.clear();
    case.write(text, locale.unit, &mut workspace.assembly);
    released(&workspace.assembly)
}

pub(super) fn joined<'a, 'v>(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    parts: impl Iterator<Item = &'v Value>,
) -> &'a [u8] {
    let length = workspace.join(current, parts, b"");
    released(&workspace.assembly[..length])
}

pub(super) fn key<'a, 'v>(
    current: &CurrentRecord,
    workspace: &mut Workspace,
    parts: impl Iterator<Item = &'v Value>,
) -> &'a [u8] {
    let length = workspace.join(current, parts, &current.specials.subsep);
    released(&workspace.assembly[..length])
}

pub(super) fn length(locale: &Locale, text: &[u8]) -> usize {
    riverhawk_text::length(text, locale.unit)
}

/// The text is not input, whatever it looks like.
pub(super) fn number(text: &[u8]) -> f64 {
    number::to_number(text)
}

pub(super) fn index(
    current: &CurrentRecord,
    locale: &Locale,
    workspace: &mut Workspace,
    text: &[u8],
    t: &Value,
) -> usize {
    let mut scratch = std::mem::take(&mut workspace.scratch[0]);
    let wanted = t.text(current.record.text(), &current.specials.convfmt, &mut scratch);
    let found = match current.specials.ignore_case {
        false => riverhawk_text::index(text, wanted, locale.unit),
        true => locale.index_of_folded(text, wanted),
    };
    workspace.scratch[0] = scratch;
    found
}

pub(super) fn equals(
    program: &Program,
    current: &CurrentRecord,
    locale: &Locale,
    text: &[u8],
    other: &Value,
) -> bool {
    use Value::*;
    if let Small(_) | Str(_) | SmallInput(_) | Input(_) | View(_) = other
        && !current.specials.ignore_case
    {
        return other.bytes(current.record.text()) == Some(text);
    }
    locale
        .compare(program, current, &Value::from_text(text), other)
        .is_some_and(std::cmp::Ordering::is_eq)
}

pub(super) fn order(
    program: &Program,
    current: &CurrentRecord,
    locale: &Locale,
    text: &[u8],
    other: &Value,
) -> Option<Ordering> {
    if !current.specials.compares_otherwise
        && let Some(other) = other.bytes(current.record.text())
    {
        return Some(text.cmp(other));
    }
    locale.compare(program, current, &Value::from_text(text), other)
}
