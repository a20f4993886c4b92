//! Variables as plain data: set before a run, and read after it.

use crate::globals::as_array;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_precise::Number;
use riverhawk_syntax::ast::{GlobalId, Special};
use riverhawk_value::format::Format;
use riverhawk_value::{ArrayRef, Probe, Value, new_array};
use std::borrow::Cow;

/// A value as plain data, which any thread may hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Data {
    /// Never assigned.
    #[default]
    Unset,
    /// A number.
    Number(f64),
    /// A number that a double does not hold, in decimal digits.
    Precise(String),
    /// Text.
    Text(Vec<u8>),
    /// Text that was read, which compares as a number if it looks like one.
    Input(Vec<u8>),
    /// An array, in the order of `for (key in array)`.
    Array(Vec<(Vec<u8>, Data)>),
}

/// Dropping deeper arrays would need as deep a stack.
const MAX_DEPTH: usize = 100;

impl Data {
    fn of(value: &Value, depth: usize) -> Fallible<Data> {
        Ok(match value {
            Value::Num(number) => Data::Number(*number),
            Value::Bool(_) | Value::Sum(_) => Data::Number(value.number(b"")),
            Value::Precise(number) => Data::Precise(match &**number {
                Number::Integer(integer) => integer.to_string(),
                Number::Float(_) => number.to_f64().to_string(),
            }),
            Value::Small(_) | Value::Str(_) => Data::Text(bytes_of(value)),
            Value::SmallInput(_) | Value::Input(_) => Data::Input(bytes_of(value)),
            Value::Regex { text, .. } => Data::Text(text.as_bytes().to_vec()),
            Value::Array(array) => Data::of_array(array, depth)?,
            Value::Untyped(cell) => match cell.get() {
                Some(array) => Data::of_array(array, depth)?,
                None => Data::Unset,
            },
            Value::Uninit
            | Value::Unassigned
            | Value::NoField
            | Value::View(_)
            | Value::Keys(_) => Data::Unset,
        })
    }

    fn of_array(array: &ArrayRef, depth: usize) -> Fallible<Data> {
        if depth == MAX_DEPTH {
            return Err(Fault::new(format!("arrays are nested more than {MAX_DEPTH} deep")));
        }
        let pairs = array.borrow().pairs();
        let pair = |(key, value): &(Value, Value)| {
            let mut text = Vec::new();
            key.append_to(b"", &Format::parse(b"%d"), &mut text);
            Data::of(value, depth + 1).map(|data| (text, data))
        };
        pairs.iter().map(pair).collect::<Fallible<_>>().map(Data::Array)
    }

    fn to_value(&self) -> Fallible<Value> {
        Ok(match self {
            Data::Unset => Value::Uninit,
            Data::Number(number) => Value::Num(*number),
            Data::Precise(digits) => {
                let value = Value::from_input(digits.as_bytes());
                if !value.is_numeric(b"") {
                    return Err(Fault::new(format!("`{digits}' is not a number")));
                }
                value.exact(b"").into_value()
            }
            Data::Text(text) => Value::from_text(text),
            Data::Input(text) => Value::from_input(text),
            Data::Array(pairs) => Value::Array(array_of(pairs)?),
        })
    }
}

/// For users of the data.
///
/// ```
/// use riverhawk_vm::data::Data;
///
/// let stock: Data = [("tea", 3.0), ("milk", 1.0)].into_iter().collect();
/// assert_eq!(stock.get("tea").map(Data::number), Some(3.0));
/// assert_eq!(Data::from("12 eggs").number(), 12.0);
/// assert_eq!(&*Data::from(0.5).text(), "0.5");
/// ```
impl Data {
    /// As a number, as awk converts it: the number that a text begins with, or 0.
    pub fn number(&self) -> f64 {
        match self {
            Data::Unset | Data::Array(_) => 0.0,
            Data::Number(number) => *number,
            Data::Precise(digits) => digits.parse().unwrap_or(f64::NAN),
            Data::Text(text) | Data::Input(text) => Value::from_text(text).number(b""),
        }
    }

    /// As bytes. Numbers are written by `%d` or `%.6g`; an array is empty.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Data::Unset | Data::Array(_) => Cow::Borrowed(b""),
            Data::Precise(digits) => Cow::Borrowed(digits.as_bytes()),
            Data::Text(text) | Data::Input(text) => Cow::Borrowed(text),
            Data::Number(number) => {
                let mut text = Vec::new();
                Value::Num(*number).append_to(b"", &Format::parse(b"%.6g"), &mut text);
                Cow::Owned(text)
            }
        }
    }

    /// As text, with invalid UTF-8 replaced.
    pub fn text(&self) -> Cow<'_, str> {
        match self.bytes() {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    /// An element of an array. It searches all keys: to look up many, collect them.
    pub fn get(&self, key: impl AsRef<[u8]>) -> Option<&Data> {
        let Data::Array(pairs) = self else { return None };
        pairs.iter().find(|(known, _)| known == key.as_ref()).map(|(_, data)| data)
    }
}

impl From<f64> for Data {
    fn from(number: f64) -> Data {
        Data::Number(number)
    }
}

impl From<i32> for Data {
    fn from(number: i32) -> Data {
        Data::Number(number.into())
    }
}

impl From<&str> for Data {
    fn from(text: &str) -> Data {
        Data::Text(text.into())
    }
}

impl From<String> for Data {
    fn from(text: String) -> Data {
        Data::Text(text.into())
    }
}

impl From<&[u8]> for Data {
    fn from(text: &[u8]) -> Data {
        Data::Text(text.into())
    }
}

impl From<Vec<u8>> for Data {
    fn from(text: Vec<u8>) -> Data {
        Data::Text(text)
    }
}

impl<K: Into<Vec<u8>>, V: Into<Data>> FromIterator<(K, V)> for Data {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Data {
        Data::Array(pairs.into_iter().map(|(key, data)| (key.into(), data.into())).collect())
    }
}

fn bytes_of(value: &Value) -> Vec<u8> {
    value.bytes(b"").unwrap_or_default().to_vec()
}

fn array_of(pairs: &[(Vec<u8>, Data)]) -> Fallible<ArrayRef> {
    let array = new_array();
    for (key, data) in pairs {
        let value = data.to_value()?;
        array.borrow_mut().set(Probe::from_text(key), value);
    }
    Ok(array)
}

impl Runtime {
    /// Sets a variable before the program begins; if the program does not mention it, in `SYMTAB`.
    pub(crate) fn set_data(&mut self, name: &str, data: &Data) -> Fallible<()> {
        let Data::Array(pairs) = data else {
            return self.assign_value(name, data.to_value()?);
        };
        if Special::from_name(name)
            .is_some_and(|special| self.program.dialect.has_variable(special.name()))
        {
            return Err(Fault::new(format!("`{name}' is not an array")));
        }
        let Some(at) = self.program.globals.iter().position(|global| global.name == name) else {
            self.globals.keep_named(name, Value::Array(array_of(pairs)?));
            return Ok(());
        };
        let usage = self.program.globals[at].usage;
        if usage.scalar && !usage.array {
            return Err(Fault::new(format!("`{name}' is not an array")));
        }
        let array = as_array(&mut self.globals.statics[at])?.clone();
        let mut array = array.borrow_mut();
        for (key, data) in pairs {
            array.set(Probe::from_text(key), data.to_value()?);
        }
        Ok(())
    }

    pub(crate) fn data(&mut self) -> Fallible<Vec<(String, Data)>> {
        let program = self.program.clone();
        let own = program.globals.iter().enumerate().filter(|(at, global)| {
            let is_filled = *at == GlobalId::ENVIRON.index()
                || GlobalId::FILLED.contains(&global.name.as_str());
            !global.name.contains(' ') && global.column().is_none() && !is_filled
        });
        let mut all = Vec::new();
        for (at, global) in own {
            let data = Data::of(&self.globals.statics[at], 0);
            let data = data.map_err(|fault| {
                Fault::new(format!("cannot give {}: {}", global.name, fault.message()))
            })?;
            all.push((global.name.clone(), data));
        }
        for special in [Special::Nr, Special::Fnr, Special::Nf] {
            let value = self.current.special(&program, &self.arithmetic, special);
            all.push((special.name().to_owned(), Data::of(&self.current.owned(&value), 0)?));
        }
        Ok(all)
    }
}
