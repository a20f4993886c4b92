//! JSON values to awk's and back.

use super::scan::{check, is_number, skip_string};
use riverhawk_memory::Growing;
use riverhawk_precise::Number;
use riverhawk_value::{Truth, Value, View};

/// Numbers, objects and arrays are views; `true`, `false` and `null` truth values; strings text.
pub(crate) fn value_of(text: &[u8], (start, end): (usize, usize)) -> Value {
    let raw = &text[start..end];
    match raw.first() {
        Some(b'"') => match decoded(raw) {
            Some(decoded) => Value::from_text(&decoded),
            None => Value::from_text(&raw[1..raw.len() - 1]),
        },
        Some(b'-' | b'0'..=b'9' | b'{' | b'[') => {
            Value::View(View::input(start as u32, end as u32))
        }
        Some(b't') => Value::Bool(Truth::True),
        Some(b'f') => Value::Bool(Truth::False),
        Some(b'n') => Value::Bool(Truth::Null),
        None => Value::NoField,
        _ => Value::from_text(raw),
    }
}

pub(crate) fn string_is(raw: &[u8], text: &[u8]) -> bool {
    match decoded(raw) {
        Some(decoded) => decoded == text,
        None => &raw[1..raw.len() - 1] == text,
    }
}

/// The meaning of a string in quotes, if it has escapes.
pub fn decoded(raw: &[u8]) -> Option<Vec<u8>> {
    let inner = &raw[1..raw.len() - 1];
    let first = memchr::memchr(b'\\', inner)?;
    let mut out = inner[..first].to_vec();
    let mut at = first;
    while let Some(&byte) = inner.get(at) {
        if byte != b'\\' {
            out.push(byte);
            at += 1;
            continue;
        }
        let plain = match inner.get(at + 1) {
            Some(b'b') => b'\x08',
            Some(b'f') => b'\x0C',
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                let (character, length) = code_point(inner, at);
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                at += length;
                continue;
            }
            Some(&itself) => itself,
            None => break,
        };
        out.push(plain);
        at += 2;
    }
    Some(out)
}

/// With its length. A lone surrogate is U+FFFD.
fn code_point(inner: &[u8], at: usize) -> (char, usize) {
    let unit = |at: usize| {
        let digits = inner.get(at..at + 6).filter(|escape| escape.starts_with(b"\\u"))?;
        u32::from_str_radix(std::str::from_utf8(&digits[2..]).ok()?, 16).ok()
    };
    match (unit(at), unit(at + 6)) {
        (Some(high @ 0xD800..0xDC00), Some(low @ 0xDC00..0xE000)) => {
            let code = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
            (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
        }
        (Some(code), _) => (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 6),
        (None, _) => (char::REPLACEMENT_CHARACTER, 6),
    }
}

/// Appends a JSON string. Invalid UTF-8 becomes U+FFFD.
pub(crate) fn write_text(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for chunk in text.utf8_chunks() {
        for &byte in chunk.valid().as_bytes() {
            match byte {
                b'"' => out.extend_from_slice(b"\\\""),
                b'\\' => out.extend_from_slice(b"\\\\"),
                b'\n' => out.extend_from_slice(b"\\n"),
                b'\r' => out.extend_from_slice(b"\\r"),
                b'\t' => out.extend_from_slice(b"\\t"),
                0..b' ' => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
                byte => out.push(byte),
            }
        }
        if !chunk.invalid().is_empty() {
            out.extend_from_slice("\u{FFFD}".as_bytes());
        }
    }
    out.push(b'"');
}

/// Appends JSON without white space between tokens.
pub fn write_compact(text: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let plain = rest
            .iter()
            .position(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'"'))
            .unwrap_or(rest.len());
        out.extend_by(&rest[..plain]);
        at += plain;
        if text.get(at) != Some(&b'"') {
            at += 1;
            continue;
        }
        let end = skip_string(text, at).unwrap_or(text.len());
        out.extend_by(&text[at..end]);
        at = end;
    }
}

/// The meaning of input text that looks like an object or array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nested {
    /// JSON, since it was read as JSON.
    Json,
    /// Ordinary text.
    Text,
}

/// Appends the shortest number that reads back the same, a JSON number verbatim, nothing as null,
/// else a string.
pub fn write_value(value: &Value, record: &[u8], nested: Nested, out: &mut Vec<u8>) {
    match value {
        Value::Num(number)
            if number.is_finite() && number.trunc() == *number && number.abs() < 1e17 =>
        {
            out.extend_from_slice(format!("{}", *number as i64).as_bytes());
        }
        Value::Num(number) if number.is_finite() => {
            out.extend_from_slice(format!("{number:?}").as_bytes())
        }
        Value::Precise(number) => write_precise(number, out),
        Value::Bool(truth) => out.extend_from_slice(truth.word()),
        Value::Num(_) | Value::Uninit | Value::Unassigned | Value::NoField | Value::Untyped(_) => {
            out.extend_from_slice(b"null");
        }
        value => {
            let text = value.bytes(record).unwrap_or_default();
            let is_input = matches!(value, Value::View(_) | Value::SmallInput(_) | Value::Input(_));
            let is_nested =
                nested == Nested::Json && is_input && matches!(text.first(), Some(b'{' | b'['));
            if is_nested && check(text).is_ok() {
                // On one line, since it may become part of one.
                if memchr::memchr(b'\n', text).is_some() {
                    write_compact(text, out)
                } else {
                    out.extend_by(text)
                }
            } else if value.is_numeric(record) && is_number(text) {
                out.extend_from_slice(text);
            } else {
                write_text(text, out);
            }
        }
    }
}

/// Integers with all digits, floats as doubles.
fn write_precise(number: &Number, out: &mut Vec<u8>) {
    let double = number.to_f64();
    match number {
        Number::Integer(integer) => out.extend_from_slice(integer.to_string().as_bytes()),
        Number::Float(_) if double.is_finite() => {
            out.extend_from_slice(format!("{double:?}").as_bytes())
        }
        Number::Float(_) => out.extend_from_slice(b"null"),
    }
}
