//! Functions of the caller that programs call.

use crate::border::{guarded, rh_text};
use crate::callbacks::Owned;
use crate::value::rh_value;
use riverhawk::{Array, Call, CallError, Element, Reply, Value};
use std::borrow::Cow;
use std::ffi::c_void;

/// A function that programs call. Threads that run the program call it at the same time.
#[repr(C)]
pub struct rh_function {
    /// Passed to the functions.
    pub context: *mut c_void,
    /// Reads the arguments of `call` and gives it a result or an error; without either the result is
    /// as a variable that was never assigned. `call`, and what was asked of it, is valid until it
    /// returns.
    pub call: Option<unsafe extern "C-unwind" fn(context: *mut c_void, call: *mut rh_call<'_>)>,
    /// Called once when the function is no longer needed, also if it could not be added. May be null.
    pub drop: Option<unsafe extern "C-unwind" fn(context: *mut c_void)>,
}

/// A call of a function: its arguments, and its result. An argument that is not there is as a variable
/// that was never assigned: 0, and the empty text.
pub struct rh_call<'c> {
    call: &'c Call<'c>,
    /// Texts that were written for the callback.
    texts: Vec<Vec<u8>>,
    #[expect(clippy::vec_box, reason = "the callback has pointers to them")]
    arrays: Vec<Box<rh_array<'c>>>,
    result: Result<Reply, String>,
}

/// An array of the program, in a call. Changes are seen by the program at once.
pub struct rh_array<'c>(Array<'c>);

/// A function of the caller.
pub(crate) struct ForeignFunction {
    owned: Owned,
    call: Option<unsafe extern "C-unwind" fn(*mut c_void, *mut rh_call<'_>)>,
}

impl From<rh_function> for ForeignFunction {
    fn from(function: rh_function) -> ForeignFunction {
        let owned = Owned { context: function.context, drop: function.drop };
        ForeignFunction { owned, call: function.call }
    }
}

impl ForeignFunction {
    pub(crate) fn call(&self, call: &Call<'_>) -> Result<Reply, CallError> {
        let function = self.call.ok_or("the callback is missing")?;
        let (texts, arrays) = (Vec::new(), Vec::new());
        let mut call = rh_call { call, texts, arrays, result: Ok(Reply::nothing()) };
        // SAFETY: the call lives until the function returns, and the pointer is the one that was given
        // with it.
        unsafe { function(self.owned.context, &raw mut call) };
        call.result.map_err(CallError::from)
    }
}

/// Levels of arrays in arrays that are copied.
const MAX_DEPTH: usize = 100;

fn value_of(element: &Element<'_>, depth: usize) -> Value {
    if let Some(array) = element.array() {
        return copy_of(&array, depth + 1);
    }
    match element.text() {
        // Only numbers are written out.
        Cow::Owned(_) => Value::Number(element.number()),
        Cow::Borrowed(b"") if element.is_number() => Value::Unset,
        Cow::Borrowed(text) if element.is_number() => Value::Input(text.to_vec()),
        Cow::Borrowed(text) => Value::Text(text.to_vec()),
    }
}

fn copy_of(array: &Array<'_>, depth: usize) -> Value {
    if depth > MAX_DEPTH {
        return Value::Unset;
    }
    let pairs = array.elements();
    Value::Array(
        pairs.map(|(key, value)| (key.text().into_owned(), value_of(&value, depth))).collect(),
    )
}

/// A value for the program; `None` for an array.
fn reply_of(value: &Value) -> Option<Reply> {
    match value {
        Value::Unset => Some(Reply::nothing()),
        Value::Number(number) => Some(Reply::from(*number)),
        Value::Precise(digits) => Some(Reply::input(digits.as_bytes())),
        Value::Text(text) => Some(Reply::from(text.as_slice())),
        Value::Input(text) => Some(Reply::input(text)),
        Value::Array(_) => None,
    }
}

/// The number of arguments.
#[unsafe(no_mangle)]
pub extern "C" fn rh_call_count(call: Option<&rh_call<'_>>) -> usize {
    call.map_or(0, |call| call.call.len())
}

/// An argument, counted from 0, as a number: of text, its numeric beginning.
#[unsafe(no_mangle)]
pub extern "C" fn rh_call_number(call: Option<&rh_call<'_>>, at: usize) -> f64 {
    guarded(0.0, || call.map_or(0.0, |call| call.call.number(at)))
}

/// An argument as text, borrowed where it is, also from the record; only numbers are written out. It is
/// valid until the callback returns or changes an array.
#[unsafe(no_mangle)]
pub extern "C" fn rh_call_text<'a>(call: Option<&'a mut rh_call<'_>>, at: usize) -> rh_text<'a> {
    guarded(rh_text::EMPTY, || {
        let Some(call) = call else { return rh_text::EMPTY };
        match call.call.text(at) {
            Cow::Borrowed(text) => rh_text::new(text),
            Cow::Owned(text) => {
                call.texts.push(text);
                call.texts.last().map_or(rh_text::EMPTY, |text| rh_text::new(text))
            }
        }
    })
}

/// Whether an argument compares as a number: a number, input that looks like one, or a variable that was
/// never assigned.
#[unsafe(no_mangle)]
pub extern "C" fn rh_call_is_number(call: Option<&rh_call<'_>>, at: usize) -> bool {
    guarded(false, || call.is_some_and(|call| call.call.is_number(at)))
}

/// An argument that was declared to be an array; null for others. It belongs to the call.
#[unsafe(no_mangle)]
pub extern "C" fn rh_call_array<'a, 'c>(
    call: Option<&'a mut rh_call<'c>>,
    at: usize,
) -> Option<&'a rh_array<'c>> {
    guarded(None, || {
        let call = call?;
        call.arrays.push(Box::new(rh_array(call.call.array(at)?)));
        call.arrays.last().map(|array| &**array)
    })
}

/// The call's result is a number.
#[unsafe(no_mangle)]
pub extern "C" fn rh_call_return_number(call: Option<&mut rh_call<'_>>, number: f64) {
    guarded((), || {
        if let Some(call) = call {
            call.result = Ok(Reply::from(number));
        }
    });
}

/// The call's result is a copy of a text.
#[unsafe(no_mangle)]
pub extern "C" fn rh_call_return_text(call: Option<&mut rh_call<'_>>, text: rh_text<'_>) {
    guarded((), || {
        if let Some(call) = call {
            call.result = Ok(Reply::from(text.bytes()));
        }
    });
}

/// The call's result is a copy of a value. False, and nothing changes, if it is an array or null.
#[unsafe(no_mangle)]
pub extern "C" fn rh_call_return_value(
    call: Option<&mut rh_call<'_>>,
    value: Option<&rh_value>,
) -> bool {
    guarded(false, || match (call, value.and_then(|value| reply_of(&value.0))) {
        (Some(call), Some(reply)) => {
            call.result = Ok(reply);
            true
        }
        _ => false,
    })
}

/// The call fails, and with it the run: a copy of the message is in its error, which has the place of
/// the call.
#[unsafe(no_mangle)]
pub extern "C" fn rh_call_fail(call: Option<&mut rh_call<'_>>, message: rh_text<'_>) {
    guarded((), || {
        if let Some(call) = call {
            call.result = Err(String::from_utf8_lossy(message.bytes()).into_owned());
        }
    });
}

/// The number of elements.
#[unsafe(no_mangle)]
pub extern "C" fn rh_array_count(array: Option<&rh_array<'_>>) -> usize {
    guarded(0, || array.map_or(0, |array| array.0.len()))
}

/// A copy of the element under a key, to be freed with `rh_value_free`; null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn rh_array_get(
    array: Option<&rh_array<'_>>,
    key: rh_text<'_>,
) -> Option<Box<rh_value>> {
    guarded(None, || Some(Box::new(rh_value(value_of(&array?.0.get(key.bytes())?, 0)))))
}

/// A copy of the whole array, to be freed with `rh_value_free`; null if `array` is.
#[unsafe(no_mangle)]
pub extern "C" fn rh_array_copy(array: Option<&rh_array<'_>>) -> Option<Box<rh_value>> {
    guarded(None, || Some(Box::new(rh_value(copy_of(&array?.0, 0)))))
}

/// Assigns a copy of a value to the element under a key. False if the value is an array, or an argument
/// is null.
#[unsafe(no_mangle)]
pub extern "C" fn rh_array_set(
    array: Option<&rh_array<'_>>,
    key: rh_text<'_>,
    value: Option<&rh_value>,
) -> bool {
    guarded(false, || match (array, value.and_then(|value| reply_of(&value.0))) {
        (Some(array), Some(reply)) => {
            array.0.set(key.bytes(), reply);
            true
        }
        _ => false,
    })
}

/// Deletes the element under a key; false if there was none.
#[unsafe(no_mangle)]
pub extern "C" fn rh_array_remove(array: Option<&rh_array<'_>>, key: rh_text<'_>) -> bool {
    guarded(false, || array.is_some_and(|array| array.0.remove(key.bytes())))
}

/// Deletes all elements.
#[unsafe(no_mangle)]
pub extern "C" fn rh_array_clear(array: Option<&rh_array<'_>>) {
    guarded((), || {
        if let Some(array) = array {
            array.0.clear();
        }
    });
}
