//! Host functions: functions that the embedding program gives to awk programs.
//!
//! ```
//! use riverhawk_vm::host::{HostCall, HostFunction, HostValue};
//!
//! // area(width, height)
//! let area = |call: &mut HostCall<'_>| Ok(HostValue::from(call.number(0) * call.number(1)));
//! // initials(array): the first bytes of its elements, and nothing for an empty array.
//! let initials = |call: &mut HostCall<'_>| {
//!     let array = call.array(0).ok_or("expected an array")?;
//!     let mut letters = Vec::new();
//!     for (_, element) in array.elements() {
//!         letters.extend(element.text().first());
//!     }
//!     Ok(HostValue::from((!letters.is_empty()).then_some(letters)))
//! };
//! let functions: [&dyn HostFunction; 2] = [&area, &initials];
//! # let _ = functions;
//! ```

use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_value::{ArrayRef, NumberFormat, Probe, Value};
use std::any::Any;
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Why a host function failed; its message becomes an error of the run. `"a text".into()` makes
/// one.
pub type HostError = Box<dyn Error + Send + Sync>;

/// A function that awk programs call; so is every closure `Fn(&mut HostCall<'_>) ->
/// Result<HostValue, HostError>` that threads may share.
///
/// It may run another program, even on the same thread. If it panics, the run ends with an error.
pub trait HostFunction: Send + Sync {
    /// Computes the result of a call.
    ///
    /// # Errors
    /// Any error ends the run.
    fn call(&self, call: &mut HostCall<'_>) -> Result<HostValue, HostError>;
}

impl<F> HostFunction for F
where
    F: Fn(&mut HostCall<'_>) -> Result<HostValue, HostError> + Send + Sync,
{
    fn call(&self, call: &mut HostCall<'_>) -> Result<HostValue, HostError> {
        self(call)
    }
}

/// The host functions of a run, in the order in which the parser got them.
#[derive(Clone, Default)]
pub struct HostFunctions(Vec<Arc<dyn HostFunction>>);

impl HostFunctions {
    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn call(
        &self,
        number: usize,
        name: &str,
        call: &mut HostCall<'_>,
    ) -> Fallible<Value> {
        let Some(function) = self.0.get(number) else {
            return Err(Fault::new(format!("host function `{name}' is not there")));
        };
        match catch_unwind(AssertUnwindSafe(|| function.call(call))) {
            Ok(Ok(HostValue(value))) => Ok(value),
            Ok(Err(error)) => Err(Fault::new(format!("{name}: {error}"))),
            Err(panic) => Err(panicked(name, &*panic)),
        }
    }
}

#[cold]
fn panicked(name: &str, panic: &(dyn Any + Send)) -> Fault {
    Fault::new(format!("host function `{name}' panicked: {}", panic_message(panic)))
}

/// What was said when it panicked.
pub fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

impl From<Vec<Arc<dyn HostFunction>>> for HostFunctions {
    fn from(functions: Vec<Arc<dyn HostFunction>>) -> HostFunctions {
        HostFunctions(functions)
    }
}

impl fmt::Debug for HostFunctions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} host functions", self.0.len())
    }
}

#[derive(Clone, Copy)]
pub(crate) struct HostContext<'c> {
    /// The record, which views are ranges of.
    pub record: &'c [u8],
    /// CONVFMT.
    pub convfmt: &'c NumberFormat,
}

impl<'c> HostContext<'c> {
    #[inline]
    fn text(self, value: &'c Value) -> Cow<'c, [u8]> {
        match value.bytes(self.record) {
            Some(bytes) => Cow::Borrowed(bytes),
            None => {
                let mut text = Vec::new();
                value.append_to(self.record, self.convfmt, &mut text);
                Cow::Owned(text)
            }
        }
    }
}

/// The arguments of a call. A missing one is like an unassigned variable: 0, and the empty text.
pub struct HostCall<'c> {
    arguments: &'c [&'c Value],
    context: HostContext<'c>,
}

impl<'c> HostCall<'c> {
    pub(crate) fn new(arguments: &'c [&'c Value], context: HostContext<'c>) -> HostCall<'c> {
        HostCall { arguments, context }
    }

    /// The number of arguments.
    #[inline]
    pub fn len(&self) -> usize {
        self.arguments.len()
    }

    /// Whether there are no arguments.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.arguments.is_empty()
    }

    #[inline]
    fn value(&self, at: usize) -> &'c Value {
        self.arguments.get(at).copied().unwrap_or(&Value::Uninit)
    }

    /// An argument as a number; of a text, the number it begins with.
    #[inline]
    pub fn number(&self, at: usize) -> f64 {
        self.value(at).number(self.context.record)
    }

    /// An argument as text, borrowed unless it is a number.
    #[inline]
    pub fn text(&self, at: usize) -> Cow<'c, [u8]> {
        self.context.text(self.value(at))
    }

    /// Whether an argument compares as a number, as input that looks like one and unassigned
    /// variables do.
    pub fn is_number(&self, at: usize) -> bool {
        self.value(at).is_numeric(self.context.record)
    }

    /// An argument declared as an array.
    pub fn array(&self, at: usize) -> Option<HostArray<'c>> {
        match self.value(at) {
            Value::Array(array) => Some(HostArray { array: array.clone(), context: self.context }),
            _ => None,
        }
    }
}

impl fmt::Debug for HostCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a call with {} arguments", self.len())
    }
}

/// The key of an element. An integer is the same key as its decimal text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostKey<'k> {
    /// Any text.
    Text(&'k [u8]),
    /// An integer.
    Integer(i64),
}

impl HostKey<'_> {
    fn with<R>(self, f: impl FnOnce(Probe<'_>) -> R) -> R {
        match self {
            HostKey::Text(text) => f(Probe::from_text(text)),
            HostKey::Integer(integer) => match Probe::from_integer(integer) {
                Some(probe) => f(probe),
                None => f(Probe::Text(integer.to_string().as_bytes())),
            },
        }
    }
}

impl<'k> From<&'k [u8]> for HostKey<'k> {
    fn from(text: &'k [u8]) -> HostKey<'k> {
        HostKey::Text(text)
    }
}

impl<'k> From<&'k str> for HostKey<'k> {
    fn from(text: &'k str) -> HostKey<'k> {
        HostKey::Text(text.as_bytes())
    }
}

impl From<i64> for HostKey<'_> {
    fn from(integer: i64) -> HostKey<'static> {
        HostKey::Integer(integer)
    }
}

/// An array of the program, which sees changes at once.
pub struct HostArray<'c> {
    array: ArrayRef,
    context: HostContext<'c>,
}

impl<'c> HostArray<'c> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.array.borrow().len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.array.borrow().is_empty()
    }

    /// The element under a key.
    pub fn get<'k>(&self, key: impl Into<HostKey<'k>>) -> Option<HostElement<'c>> {
        let value = key.into().with(|key| self.array.borrow().get(key))?;
        Some(HostElement { value, context: self.context })
    }

    /// Assigns an element.
    pub fn set<'k>(&self, key: impl Into<HostKey<'k>>, value: impl Into<HostValue>) {
        let HostValue(value) = value.into();
        key.into().with(|key| self.array.borrow_mut().set(key, value));
    }

    /// Deletes an element; returns whether it existed.
    pub fn remove<'k>(&self, key: impl Into<HostKey<'k>>) -> bool {
        key.into().with(|key| self.array.borrow_mut().remove(key))
    }

    /// Deletes all elements.
    pub fn clear(&self) {
        self.array.borrow_mut().clear();
    }

    /// The keys and elements as they are now, in the order of `for (key in array)`.
    pub fn elements(&self) -> impl Iterator<Item = (HostElement<'c>, HostElement<'c>)> + use<'c> {
        let context = self.context;
        let pairs = self.array.borrow().pairs();
        let element = move |value| HostElement { value, context };
        pairs.into_iter().map(move |(key, value)| (element(key), element(value)))
    }
}

impl fmt::Debug for HostArray<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {} elements", self.len())
    }
}

/// An element, or a key.
pub struct HostElement<'c> {
    value: Value,
    context: HostContext<'c>,
}

impl<'c> HostElement<'c> {
    /// As a number; of a text, the number it begins with.
    pub fn number(&self) -> f64 {
        self.value.number(self.context.record)
    }

    /// As text; only numbers are formatted.
    pub fn text(&self) -> Cow<'_, [u8]> {
        self.context.text(&self.value)
    }

    /// Whether it compares as a number; see [`HostCall::is_number`].
    pub fn is_number(&self) -> bool {
        self.value.is_numeric(self.context.record)
    }

    /// The array, if the element is one.
    pub fn array(&self) -> Option<HostArray<'c>> {
        match &self.value {
            Value::Array(array) => Some(HostArray { array: array.clone(), context: self.context }),
            _ => None,
        }
    }
}

impl fmt::Debug for HostElement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", String::from_utf8_lossy(&self.text()))
    }
}

/// A value for the program: a function's result, or an element.
#[derive(Debug)]
pub struct HostValue(Value);

impl HostValue {
    /// Text that compares as a number if it looks like one, as input does.
    pub fn input(text: &[u8]) -> HostValue {
        HostValue(Value::from_input(text))
    }

    /// The value of a variable that was never assigned.
    pub fn nothing() -> HostValue {
        HostValue(Value::Unassigned)
    }
}

macro_rules! host_values {
    ($($from:ty: $value:ident => $made:expr;)*) => {$(
        impl From<$from> for HostValue {
            fn from($value: $from) -> HostValue { HostValue($made) }
        }
    )*};
}

host_values! {
    f64: number => Value::Num(number);
    i32: number => Value::Num(number.into());
    u32: number => Value::Num(number.into());
    bool: truth => Value::Num(f64::from(u8::from(truth)));
    &[u8]: text => Value::from_text(text);
    &str: text => Value::from_text(text.as_bytes());
    Vec<u8>: text => Value::from_text(&text);
    String: text => Value::from_text(text.as_bytes());
    Cow<'_, [u8]>: text => Value::from_text(&text);
    (): _nothing => Value::Unassigned;
}

impl<T: Into<HostValue>> From<Option<T>> for HostValue {
    fn from(value: Option<T>) -> HostValue {
        value.map_or_else(HostValue::nothing, T::into)
    }
}
