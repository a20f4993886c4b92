//! JSON records: `$1` and so on are members or elements, `@"path"` the value of a path. Assigning
//! changes only that value's text.

use super::path::{Path, PathStep, Use};
use super::scan::{Member, members, skip_blanks, skip_value};
use super::value::{Nested, decoded, value_of, write_text, write_value};
use crate::record::{Record, TextKind};
use crate::terminator::FIELD_LIMIT;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_simd::FINISHED;
use riverhawk_value::Value;

/// The first path's field number; others count down. No record has so many members.
pub const FIRST_PATH: usize = FIELD_LIMIT - 1;

impl Record {
    /// The path of a field number.
    pub(crate) fn path_of(&self, n: usize) -> Option<&Path> {
        self.paths.get(FIRST_PATH.checked_sub(n)?)
    }

    #[cold]
    pub(crate) fn field_by_path(&self, n: usize) -> Value {
        let Some(path) = self.path_of(n) else { return Value::NoField };
        match path.find(self.text()) {
            Ok(range) => {
                path.use_of.set(Use::Found);
                value_of(self.text(), range)
            }
            Err(_) => {
                if path.use_of.get() == Use::Unused {
                    path.use_of.set(Use::Lost);
                }
                Value::NoField
            }
        }
    }

    /// Indexes of used paths that were never found.
    pub fn lost_paths(&self) -> impl Iterator<Item = usize> {
        self.paths
            .iter()
            .enumerate()
            .filter(|(_, path)| path.use_of.get() == Use::Lost)
            .map(|(at, _)| at)
    }

    pub(crate) fn split_json(&mut self) {
        self.split_at = FINISHED;
        let mut fields = std::mem::take(&mut self.fields);
        let start = skip_blanks(self.text(), 0);
        let mut values = Vec::new();
        let is_scalar = !matches!(self.text().get(start), Some(b'{' | b'['));
        let mut take = |value: (usize, usize)| {
            fields.push((value.0 as u32, value.1 as u32));
            values.push(value_of(self.text(), value));
        };
        if is_scalar {
            if let Ok(end) = skip_value(self.text(), start) {
                take((start, end));
            }
        } else {
            let _ = members(self.text(), start, |Member { value, .. }| {
                take(value);
                true
            });
        }
        self.fields = fields;
        if values.iter().any(|value| !matches!(value, Value::View(_))) {
            self.assigned = values
                .into_iter()
                .map(|value| Some(value).filter(|value| !matches!(value, Value::View(_))))
                .collect();
            self.touched = true;
        }
    }

    /// The names of the members, empty in arrays.
    pub fn json_names(&self) -> Vec<Vec<u8>> {
        let text = self.text();
        let mut names = Vec::new();
        let _ = members(text, skip_blanks(text, 0), |Member { key, .. }| {
            let raw = &text[key.0..key.1];
            names.push(if raw.len() < 2 {
                Vec::new()
            } else {
                decoded(raw).unwrap_or_else(|| raw[1..raw.len() - 1].to_vec())
            });
            true
        });
        names
    }

    /// Assigns a member or the value of a path.
    ///
    /// # Errors
    /// No such member, or its parent cannot have one.
    pub fn set_json_member(&mut self, n: usize, value: &Value) -> Fallible<()> {
        let mut json = Vec::new();
        write_value(value, self.text(), Nested::Json, &mut json);
        let text = self.text();
        let new = match self.path_of(n) {
            Some(path) => {
                path.use_of.set(Use::Found);
                with_value(text, path, &json).map_err(Fault::new)?
            }
            None => {
                let mut range = None;
                let mut count = 0;
                let _ = members(text, skip_blanks(text, 0), |Member { value, .. }| {
                    count += 1;
                    if count == n {
                        range = Some(value);
                    }
                    count < n
                });
                let Some((start, end)) = range else {
                    return Err(Fault::new(format!(
                        "the JSON record has no member {n} to assign: name it, as in @\"name\""
                    )));
                };
                [&text[..start], &json, &text[end..]].concat()
            }
        };
        self.set_text(&new, TextKind::Input);
        Ok(())
    }

    /// Removes the value of a path, if present.
    pub fn delete_json_member(&mut self, n: usize) {
        let text = self.text();
        let Some(new) = self.path_of(n).and_then(|path| without(text, path)) else { return };
        self.set_text(&new, TextKind::Input);
    }

    /// Assigns NF: truncates, or extends an array with `null`s.
    ///
    /// # Errors
    /// Only arrays can be extended.
    pub fn set_json_count(&mut self, count: usize) -> Fallible<()> {
        if let Some(new) = with_count(self.text(), count).map_err(Fault::new)? {
            self.set_text(&new, TextKind::Input);
        }
        Ok(())
    }
}

const MAX_ADDED: usize = 1 << 20;

fn with_count(text: &[u8], count: usize) -> Result<Option<Vec<u8>>, String> {
    let start = skip_blanks(text, 0);
    let (mut found, mut kept_to) = (0, start + 1);
    let is_object = match text.get(start) {
        Some(b'{') => true,
        Some(b'[') => false,
        value if count == usize::from(value.is_some()) => return Ok(None),
        _ => {
            return Err(format!(
                "a JSON record that is no object and no array cannot have {count} members"
            ));
        }
    };
    let _ = members(text, start, |Member { value, .. }| {
        found += 1;
        if found <= count {
            kept_to = value.1;
        }
        true
    });
    let close = skip_value(text, start).map_err(|flaw| flaw.what.to_string())? - 1;
    let added = count.saturating_sub(found);
    if added == 0 {
        return Ok((found > count).then(|| [&text[..kept_to], &text[close..]].concat()));
    }
    if is_object {
        return Err("NF cannot add a member to a JSON object: assign it by name, as in @\"name\""
            .to_string());
    }
    if added > MAX_ADDED {
        return Err(format!(
            "{added} elements are more than the {MAX_ADDED} that NF can add to an array"
        ));
    }
    let nulls = vec![&b"null"[..]; added].join(&b',');
    let comma: &[u8] = if found > 0 { b"," } else { b"" };
    Ok(Some([&text[..kept_to], comma, &nulls, &text[close..]].concat()))
}

/// None if absent.
fn without(text: &[u8], path: &Path) -> Option<Vec<u8>> {
    let (start, _) = path.find(text).ok()?;
    let outer = path.parent().find(text).ok()?.0;
    let (mut before, mut place, mut after) = (None, None, None);
    let _ = members(text, outer, |Member { key, value }| {
        match place {
            None if value.0 == start => place = Some((key.0, value.1)),
            None => before = Some(value.1),
            Some(_) => after = Some(key.0),
        }
        after.is_none()
    });
    let (first, end) = place?;
    let (from, to) = match (before, after) {
        (_, Some(next)) => (first, next),
        (Some(previous), None) => (previous, end),
        (None, None) => (first, end),
    };
    Some([&text[..from], &text[to..]].concat())
}

/// Creates missing parents.
fn with_value(text: &[u8], path: &Path, json: &[u8]) -> Result<Vec<u8>, String> {
    let (done, at) = match path.find(text) {
        Ok((start, end)) => return Ok([&text[..start], json, &text[end..]].concat()),
        Err(missing) => missing,
    };
    // Remaining steps, innermost first.
    let mut inner = json.to_vec();
    for step in path.steps[done + 1..].iter().rev() {
        inner = match step {
            PathStep::Key(name) => {
                let mut object = b"{".to_vec();
                write_text(name, &mut object);
                [&object[..], b":", &inner, b"}"].concat()
            }
            PathStep::Index(0) | PathStep::Append => [b"[", &inner[..], b"]"].concat(),
            PathStep::Index(index) => {
                return Err(format!("element {index} cannot be created in a new array"));
            }
        };
    }
    let end = if text.get(at).is_some() {
        skip_value(text, at).map_err(|flaw| flaw.what.to_string())?
    } else {
        at
    };
    let (mut count, mut last) = (0, None);
    let _ = members(text, at, |member| {
        count += 1;
        last = Some(member);
        true
    });
    match (&path.steps[done], text.get(at)) {
        (PathStep::Key(name), Some(b'{')) => {
            let mut key = Vec::new();
            write_text(name, &mut key);
            Ok(with_member(text, end, last, &key, &inner))
        }
        (PathStep::Append, Some(b'[')) => Ok(with_member(text, end, last, b"", &inner)),
        (PathStep::Index(index), Some(b'[')) if *index == count => {
            Ok(with_member(text, end, last, b"", &inner))
        }
        (PathStep::Index(index), Some(b'[')) => {
            Err(format!("the array has {count} elements: element {index} cannot be made"))
        }
        // An empty record or null becomes an object.
        (PathStep::Key(name), None | Some(b'n')) => {
            let mut object = b"{".to_vec();
            write_text(name, &mut object);
            Ok([&text[..at], &object, b":", &inner, b"}", &text[end..]].concat())
        }
        (PathStep::Key(name), _) => Err(format!(
            "there is no object to hold a member \"{}\"",
            String::from_utf8_lossy(name)
        )),
        // Or an array.
        (PathStep::Index(0) | PathStep::Append, None | Some(b'n')) => {
            Ok([&text[..at], b"[", &inner, b"]", &text[end..]].concat())
        }
        (PathStep::Append, _) => Err("there is no array to append to".into()),
        (PathStep::Index(index), _) => Err(format!("there is no array to hold an element {index}")),
    }
}

/// Adds a member before `end`, spaced as its last one.
fn with_member(text: &[u8], end: usize, last: Option<Member>, key: &[u8], value: &[u8]) -> Vec<u8> {
    let Some(last) = last else {
        let close = end.saturating_sub(1);
        let colon: &[u8] = if key.is_empty() { b"" } else { b":" };
        return [&text[..close], key, colon, value, &text[close..]].concat();
    };
    let before = &text[..last.key.0];
    let blanks = &before[before.trim_ascii_end().len()..];
    let colon = &text[last.key.1..last.value.0];
    let colon = if key.is_empty() { b"" } else { colon };
    let at = last.value.1;
    [&text[..at], b",", blanks, key, colon, value, &text[at..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_of_members_cuts_them_off_or_fills_an_array() {
        let with = |text: &str, count| {
            with_count(text.as_bytes(), count)
                .map(|text| text.map(|text| String::from_utf8(text).unwrap()))
        };
        assert_eq!(with(r#" {"a": 1 , "b":[2] } "#, 1).unwrap().unwrap(), r#" {"a": 1} "#);
        assert_eq!(with(r#"{"a":1,"b":2}"#, 0).unwrap().unwrap(), "{}");
        assert_eq!(with("[1, 2]", 4).unwrap().unwrap(), "[1, 2,null,null]");
        assert_eq!(with("[ ]", 1).unwrap().unwrap(), "[null]");
        assert_eq!((with("[1]", 1), with("5", 1), with("", 0)), (Ok(None), Ok(None), Ok(None)));
        assert!(with(r#"{"a":1}"#, 2).unwrap_err().contains("assign it by name"));
        assert!(with("5", 2).is_err() && with("5", 0).is_err() && with("[]", 1 << 25).is_err());
    }

    #[test]
    fn values_are_put_where_paths_lead_and_everything_else_stays() {
        let set = |text: &str, path: &str| {
            with_value(text.as_bytes(), &Path::parse(path).expect("a path"), b"9")
                .map(|text| String::from_utf8(text).unwrap())
        };
        assert_eq!(
            set(r#"{"a" : 1 , "b":[ 1, 2]}"#, "b[1]").unwrap(),
            r#"{"a" : 1 , "b":[ 1, 9]}"#
        );
        assert_eq!(set(r#"{"a":1}"#, "b").unwrap(), r#"{"a":1,"b":9}"#);
        assert_eq!(
            set("{\n  \"a\" : [1, 2]\n}", "b").unwrap(),
            "{\n  \"a\" : [1, 2],\n  \"b\" : 9\n}"
        );
        assert_eq!(set("{\n  \"a\": [1, 2]\n}", "a[]").unwrap(), "{\n  \"a\": [1, 2, 9]\n}");
        assert_eq!(set("{}", "b.c[0].d").unwrap(), r#"{"b":{"c":[{"d":9}]}}"#);
        assert_eq!(set(r#"{"a":[1]}"#, "a[1]").unwrap(), r#"{"a":[1,9]}"#);
        assert_eq!(set(r#"{"a":null,"b":1}"#, "a.x").unwrap(), r#"{"a":{"x":9},"b":1}"#);
        assert_eq!(set("", "a").unwrap(), r#"{"a":9}"#);
        assert!(set(r#"{"a":[1]}"#, "a[3]").unwrap_err().contains("1 elements"));
        assert!(set(r#"{"a":1}"#, "a.b").is_err() && set("[1]", "a").is_err());
    }
}
