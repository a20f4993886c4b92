//! `assert::`: what a program, mostly a test, says must hold. What does not is an error with the place
//! of the call.

use crate::runtime::Runtime;
use crate::variables::shortest;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_syntax::ast::LibraryFn;
use riverhawk_text::quoted;
use riverhawk_value::{ArrayRef, Value};
use std::cmp::Ordering;

/// Of numbers that have gone through a few operations.
const DEFAULT_TOLERANCE: f64 = 1e-9;

impl Runtime {
    /// Gives 1 if what is asserted holds.
    pub(super) fn assert(&mut self, f: LibraryFn, arguments: &[Value]) -> Fallible<Value> {
        use LibraryFn as F;
        let (broken, message) = match (f, arguments) {
            (F::AssertEqual, [got, want, message @ ..]) => {
                (self.difference(got, want, ""), message)
            }
            (F::AssertDifferent, [got, other, message @ ..]) => {
                let is_equal = self.difference(got, other, "").is_none();
                let broken = is_equal.then(|| format!("got {}, want another", self.shown(got)));
                (broken, message)
            }
            (F::AssertNear, [got, want, rest @ ..]) => {
                (self.distance(got, want, rest.first()), rest.get(1..).unwrap_or_default())
            }
            (F::AssertMatches, [s, re, message @ ..]) => (self.mismatch(s, re)?, message),
            (F::AssertTrue, [condition, message @ ..]) => {
                let broken = (!self.holds(condition))
                    .then(|| format!("got {}, want a true value", self.shown(condition)));
                (broken, message)
            }
            (F::AssertFalse, [condition, message @ ..]) => {
                let broken = self
                    .holds(condition)
                    .then(|| format!("got {}, want a false value", self.shown(condition)));
                (broken, message)
            }
            (_, message) => (Some(String::new()), message),
        };
        let Some(broken) = broken else { return Ok(Value::Num(1.0)) };
        let message = message.first().map(|message| self.current.text_of(message));
        let message = message.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        let said = match (&*message, &*broken) {
            ("", "") => f.name(),
            ("", broken) => broken,
            (message, "") => message,
            (message, broken) => &format!("{message}: {broken}"),
        };
        Err(Fault::new(format!("assertion failed: {said}")))
    }

    fn holds(&self, condition: &Value) -> bool {
        condition.precise_truth(self.current.record.text())
    }

    /// In words, where `==` says that they differ, in arrays at the first place of the keys' order.
    fn difference(&mut self, got: &Value, want: &Value, at: &str) -> Option<String> {
        let (got_array, want_array) = (array_of(got), array_of(want));
        let got_name = if at.is_empty() { "got".to_owned() } else { format!("got{at}") };
        match (got_array, want_array) {
            (Some(got), Some(want)) => self.difference_of_arrays(&got, &want, at),
            // What nothing was assigned to may be an array without elements.
            (Some(got), None) if is_untouched(want) && got.borrow().is_empty() => None,
            (None, Some(want)) if is_untouched(got) && want.borrow().is_empty() => None,
            (None, None) if self.is_equal(got, want) => None,
            _ if at.is_empty() => {
                Some(format!("got {}, want {}", self.shown(got), self.shown(want)))
            }
            _ => Some(format!("{got_name} is {}, want {}", self.shown(got), self.shown(want))),
        }
    }

    fn is_equal(&mut self, got: &Value, want: &Value) -> bool {
        let Runtime { program, current, locale, .. } = self;
        locale.compare(program, current, got, want) == Some(Ordering::Equal)
    }

    fn difference_of_arrays(
        &mut self,
        got: &ArrayRef,
        want: &ArrayRef,
        at: &str,
    ) -> Option<String> {
        let keys = |array: &ArrayRef| -> Vec<Value> { array.borrow().keys().collect() };
        let mut all: Vec<(Vec<u8>, Value)> = keys(got)
            .into_iter()
            .chain(keys(want))
            .map(|key| (self.current.text_of(&key), key))
            .collect();
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        all.dedup_by(|(a, _), (b, _)| a == b);
        for (text, key) in all {
            let mut element = |array: &ArrayRef| {
                self.workspace.with_key(&self.current, &key, |key| array.borrow().get(key))
            };
            let place = format!("{at}[{}]", quoted(&text));
            match (element(got), element(want)) {
                (Some(got), Some(want)) => {
                    if let Some(difference) = self.difference(&got, &want, &place) {
                        return Some(difference);
                    }
                }
                (Some(got), None) => {
                    return Some(format!("got{place} is {}, want none", self.shown(&got)));
                }
                (None, Some(want)) => {
                    return Some(format!("got{place} is missing, want {}", self.shown(&want)));
                }
                (None, None) => {}
            }
        }
        None
    }

    fn distance(&self, got: &Value, want: &Value, tolerance: Option<&Value>) -> Option<String> {
        let tolerance =
            tolerance.map_or(DEFAULT_TOLERANCE, |tolerance| self.current.number(tolerance));
        let (number, wanted) = (self.current.number(got), self.current.number(want));
        let distance = (number - wanted).abs();
        // Infinities are their own distance; a NaN is close to nothing.
        let is_close = number == wanted
            || distance <= tolerance
            || distance.is_finite() && distance <= tolerance * wanted.abs();
        (!is_close).then(|| {
            format!("got {}, want {} within {tolerance:e}", self.shown(got), self.shown(want))
        })
    }

    fn mismatch(&mut self, s: &Value, re: &Value) -> Fallible<Option<String>> {
        let regex = self.regex_of(re)?;
        let text = self.current.text_of(s);
        let pattern = match re {
            Value::Regex { text, .. } => text.as_bytes().to_vec(),
            re => self.current.text_of(re),
        };
        let pattern = String::from_utf8_lossy(&pattern);
        Ok((!regex.is_match(&text))
            .then(|| format!("got {}, want a match of /{pattern}/", self.shown(s))))
    }

    fn shown(&self, value: &Value) -> String {
        match value {
            value if is_untouched(value) => "nothing assigned".to_owned(),
            Value::Num(number) if number.is_finite() => shortest(*number),
            Value::Array(_) | Value::Untyped(_) => {
                match array_of(value).map_or(0, |array| array.borrow().len()) {
                    1 => "an array with 1 element".to_owned(),
                    count => format!("an array with {count} elements"),
                }
            }
            Value::Precise(_) | Value::Regex { .. } => {
                String::from_utf8_lossy(&self.current.describe(value)).into_owned()
            }
            Value::Bool(_) => String::from_utf8_lossy(&self.current.text_of(value)).into_owned(),
            text => quoted(&self.current.text_of(text)),
        }
    }
}

fn array_of(value: &Value) -> Option<ArrayRef> {
    match value {
        Value::Array(array) => Some(array.clone()),
        Value::Untyped(cell) => cell.get().as_ref().map(|array| (*array).clone()),
        _ => None,
    }
}

fn is_untouched(value: &Value) -> bool {
    match value {
        Value::Uninit | Value::Unassigned | Value::NoField => true,
        Value::Untyped(cell) => cell.get().is_none(),
        _ => false,
    }
}
