//! JSON to arrays and back, without recursion, for deep nesting.

use super::scan::{JsonFlaw, Member, check, members, skip_blanks};
use super::value::{Nested, decoded, value_of, write_text, write_value};
use riverhawk_value::{ArrayRef, Probe, Value, new_array};

/// Parses a value; objects and arrays become their text.
///
/// # Errors
/// Invalid JSON, or empty.
pub fn parse(text: &[u8]) -> Result<Value, JsonFlaw> {
    let text = checked(text)?;
    Ok(value_of(text, (0, text.len())).to_owned(text))
}

/// Fills an array by name, or from 1; returns the number of members. Nested ones become arrays.
///
/// # Errors
/// Invalid JSON, or neither.
pub fn parse_into(text: &[u8], array: &ArrayRef) -> Result<usize, JsonFlaw> {
    array.borrow_mut().clear();
    let text = checked(text)?;
    if !matches!(text.first(), Some(b'{' | b'[')) {
        return Err(JsonFlaw { at: 0, what: "neither an object nor an array" });
    }
    let mut waiting = vec![(array.clone(), 0)];
    while let Some((array, at)) = waiting.pop() {
        let mut count = 0;
        members(text, at, |Member { key, value }| {
            count += 1;
            let element = match text[value.0] {
                b'{' | b'[' => {
                    let inner = new_array();
                    waiting.push((inner.clone(), value.0));
                    Value::Array(inner)
                }
                _ => value_of(text, value).to_owned(text),
            };
            let raw = &text[key.0..key.1];
            let mut array = array.borrow_mut();
            match raw {
                [] => array.set(Probe::Int(count), element),
                raw => {
                    let name = decoded(raw);
                    let name = name.as_deref().unwrap_or(&raw[1..raw.len() - 1]);
                    array.set(Probe::from_text(name), element);
                }
            }
            true
        })?;
    }
    let count = array.borrow().len();
    Ok(count)
}

fn checked(text: &[u8]) -> Result<&[u8], JsonFlaw> {
    check(text)?;
    let begin = skip_blanks(text, 0);
    match &text[begin..] {
        [] => Err(JsonFlaw { at: begin, what: "a value is missing" }),
        rest => Ok(rest.trim_ascii_end()),
    }
}

struct Open {
    array: ArrayRef,
    keys: Vec<Value>,
    written: usize,
    is_list: bool,
}

impl Open {
    /// Keys 1, 2 and so on without a gap make a JSON array.
    fn new(array: &ArrayRef, out: &mut Vec<u8>) -> Open {
        let elements = array.borrow();
        let count = elements.len() as i64;
        let is_list = (1..=count).all(|key| elements.contains(Probe::Int(key)));
        let keys = match is_list {
            true => (1..=count).map(|key| Value::Num(key as f64)).collect(),
            false => elements.keys().collect(),
        };
        out.push(if is_list { b'[' } else { b'{' });
        Open { array: array.clone(), keys, written: 0, is_list }
    }
}

/// Appends an array, with nested ones.
pub fn write_array(array: &ArrayRef, nested: Nested, out: &mut Vec<u8>) {
    let mut open = vec![Open::new(array, out)];
    while let Some(last) = open.last_mut() {
        let Some(key) = last.keys.get(last.written) else {
            out.push(if last.is_list { b']' } else { b'}' });
            open.pop();
            continue;
        };
        if last.written > 0 {
            out.push(b',');
        }
        last.written += 1;
        let (probe_text, number);
        let probe = match key {
            Value::Num(key) => {
                number = *key as i64;
                Probe::Int(number)
            }
            key => {
                probe_text = key.bytes(b"").unwrap_or_default();
                Probe::from_text(probe_text)
            }
        };
        if !last.is_list {
            match key {
                Value::Num(key) => write_text((*key as i64).to_string().as_bytes(), out),
                key => write_text(key.bytes(b"").unwrap_or_default(), out),
            }
            out.push(b':');
        }
        let element =
            last.array.borrow().get(probe).map_or(Value::Uninit, |element| element.clone());
        let inner = match &element {
            Value::Array(inner) => Some(inner.clone()),
            Value::Untyped(cell) => cell.get().cloned(),
            _ => None,
        };
        match inner {
            Some(inner) => {
                let next = Open::new(&inner, out);
                open.push(next);
            }
            None => write_value(&element, b"", nested, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(text: &str) -> String {
        let (array, mut out) = (new_array(), Vec::new());
        parse_into(text.as_bytes(), &array).expect("JSON");
        write_array(&array, Nested::Json, &mut out);
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn arrays_come_back_as_they_went() {
        for text in [
            "[]",
            "[1,\"2\",true,false,null]",
            "{\"a\":{\"b\":[1,[2,{\"c\":\"\\n\"}]]}}",
            "[12345678901234567890,1.50]",
        ] {
            assert_eq!(round(text), text);
        }
        assert_eq!(round(" [ 1 , { \"x\" : [ ] } ] "), "[1,{\"x\":[]}]");
    }

    #[test]
    fn what_is_no_json_says_where() {
        let flaw = |text: &str| parse_into(text.as_bytes(), &new_array()).expect_err("a flaw");
        assert_eq!(
            (flaw("[1,]").at, flaw("5").what, flaw(" ").what),
            (3, "neither an object nor an array", "a value is missing")
        );
        assert_eq!(
            parse(b" \"x\\u00e9\" ").expect("a text").bytes(b""),
            Some("x\u{e9}".as_bytes())
        );
    }

    #[test]
    fn thousands_of_brackets_are_no_matter() {
        let text = format!("{}{}", "[".repeat(9000), "]".repeat(9000));
        assert_eq!(round(&text), text);
    }
}
