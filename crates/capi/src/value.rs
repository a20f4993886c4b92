//! Values of variables, in and out.

use crate::border::{guarded, rh_text};
use riverhawk::Value;
use std::mem::MaybeUninit;
use std::ptr;

/// What a value is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum rh_value_kind {
    /// Never assigned: 0, and the empty text.
    Unset = 0,
    /// A number.
    Number = 1,
    /// A number that a double does not hold, as decimal digits.
    Precise = 2,
    /// Text.
    Text = 3,
    /// Text that was read: it is compared as a number if it looks like one.
    Input = 4,
    /// An array.
    Array = 5,
}

/// A value. One that a function made is freed with `rh_value_free`; one that is part of an outcome or
/// an array belongs to that.
// `repr(transparent)`, so written that cbindgen leaves the type opaque.
#[cfg_attr(all(), repr(transparent))]
pub struct rh_value(pub(crate) Value);

impl rh_value {
    /// A part of something else, as C sees it.
    pub(crate) fn borrowed(value: &Value) -> &rh_value {
        // SAFETY: `rh_value` is transparent, so both have the same layout.
        unsafe { &*ptr::from_ref(value).cast::<rh_value>() }
    }

    fn pairs(&self) -> &[(Vec<u8>, Value)] {
        match &self.0 {
            Value::Array(pairs) => pairs,
            _ => &[],
        }
    }
}

fn boxed(make: impl FnOnce() -> Value) -> Option<Box<rh_value>> {
    guarded(None, || Some(Box::new(rh_value(make()))))
}

/// A number. Freed with `rh_value_free`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_value_number(number: f64) -> Option<Box<rh_value>> {
    boxed(|| Value::Number(number))
}

/// A copy of a text, compared as text. Freed with `rh_value_free`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_value_text(text: rh_text<'_>) -> Option<Box<rh_value>> {
    boxed(|| Value::Text(text.to_vec()))
}

/// A copy of a text, compared as a number if it looks like one, as input is. Freed with
/// `rh_value_free`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_value_input(text: rh_text<'_>) -> Option<Box<rh_value>> {
    boxed(|| Value::Input(text.to_vec()))
}

/// An empty array. Freed with `rh_value_free`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_value_array() -> Option<Box<rh_value>> {
    boxed(|| Value::Array(Vec::new()))
}

/// Adds an element to an array: a copy of `element`, under a copy of `key`. A key that is added twice
/// has the later element in the program. False if `array` is not an array or an argument is null.
#[unsafe(no_mangle)]
pub extern "C" fn rh_value_add(
    array: Option<&mut rh_value>,
    key: rh_text<'_>,
    element: Option<&rh_value>,
) -> bool {
    guarded(false, || match (array, element) {
        (Some(rh_value(Value::Array(pairs))), Some(element)) => {
            pairs.push((key.to_vec(), element.0.clone()));
            true
        }
        _ => false,
    })
}

/// What a value is; `RH_VALUE_KIND_UNSET` for null.
#[unsafe(no_mangle)]
pub extern "C" fn rh_value_kind_of(value: Option<&rh_value>) -> rh_value_kind {
    match value.map(|value| &value.0) {
        None | Some(Value::Unset) => rh_value_kind::Unset,
        Some(Value::Number(_)) => rh_value_kind::Number,
        Some(Value::Precise(_)) => rh_value_kind::Precise,
        Some(Value::Text(_)) => rh_value_kind::Text,
        Some(Value::Input(_)) => rh_value_kind::Input,
        Some(Value::Array(_)) => rh_value_kind::Array,
    }
}

/// A value as a number, as the language reads it: a text's numeric beginning, 0 where there is none
/// and for arrays and null.
#[unsafe(no_mangle)]
pub extern "C" fn rh_value_to_number(value: Option<&rh_value>) -> f64 {
    guarded(0.0, || value.map_or(0.0, |value| value.0.number()))
}

/// The bytes of a value that is text, input or a precise number, without a copy: `text` belongs to the
/// value. False, and an empty text, for other values and null.
#[unsafe(no_mangle)]
pub extern "C" fn rh_value_as_text<'v>(
    value: Option<&'v rh_value>,
    text: Option<&mut MaybeUninit<rh_text<'v>>>,
) -> bool {
    let bytes = match value.map(|value| &value.0) {
        Some(Value::Text(text) | Value::Input(text)) => Some(text.as_slice()),
        Some(Value::Precise(digits)) => Some(digits.as_bytes()),
        _ => None,
    };
    if let Some(text) = text {
        text.write(rh_text::new(bytes.unwrap_or_default()));
    }
    bytes.is_some()
}

/// Writes any value as text: numbers as `%d` or `%.6g` do, nothing for an array. At most `capacity`
/// bytes are written to `buffer`, which may be null if that is 0; no NUL is added. Returns the
/// length of the whole text.
///
/// # Safety
/// `buffer` is null, or has room for `capacity` bytes and is no part of the value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rh_value_write(
    value: Option<&rh_value>,
    buffer: *mut u8,
    capacity: usize,
) -> usize {
    guarded(0, || {
        let Some(value) = value else { return 0 };
        let bytes = value.0.bytes();
        if !buffer.is_null() {
            let count = bytes.len().min(capacity);
            // SAFETY: the caller gives a buffer of `capacity` bytes that is no part of the value.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), buffer, count) };
        }
        bytes.len()
    })
}

/// The number of an array's elements; 0 for other values and null.
#[unsafe(no_mangle)]
pub extern "C" fn rh_value_count(value: Option<&rh_value>) -> usize {
    value.map_or(0, |value| value.pairs().len())
}

/// An element of an array by its number, counted from 0 in the order of `for (key in array)`, and its
/// key unless `key` is null. Null beyond the last. They belong to the array.
#[unsafe(no_mangle)]
pub extern "C" fn rh_value_at<'v>(
    value: Option<&'v rh_value>,
    at: usize,
    key: Option<&mut MaybeUninit<rh_text<'v>>>,
) -> Option<&'v rh_value> {
    let (found, element) = value?.pairs().get(at)?;
    if let Some(key) = key {
        key.write(rh_text::new(found));
    }
    Some(rh_value::borrowed(element))
}

/// The element of an array under a key; null if there is none. The keys are looked at one by one. It
/// belongs to the array.
#[unsafe(no_mangle)]
pub extern "C" fn rh_value_get<'v>(
    value: Option<&'v rh_value>,
    key: rh_text<'_>,
) -> Option<&'v rh_value> {
    value?.0.get(key.bytes()).map(rh_value::borrowed)
}

/// Frees a value that a function made; null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn rh_value_free(value: Option<Box<rh_value>>) {
    guarded((), || drop(value));
}
