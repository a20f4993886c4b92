//! Paths: `a.b[0]` is the first element of `b` in `a`.

use super::scan::{Member, members, skip_blanks};
use super::value::string_is;
use std::cell::Cell;

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathStep {
    /// The member of this name.
    Key(Vec<u8>),
    /// This element, from 0.
    Index(usize),
    /// A new element after the last.
    Append,
}

/// A path into a JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// From the outermost value.
    pub steps: Vec<PathStep>,
    pub(crate) use_of: Cell<Use>,
}

/// The success of a path so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Use {
    /// Not used yet.
    #[default]
    Unused,
    /// Never found.
    Lost,
    /// Found at least once.
    Found,
}

impl Path {
    /// Parses names separated by points, numbers in brackets, empty brackets for a new element.
    /// `["a.b"]` quotes a name.
    ///
    /// # Errors
    /// Invalid number in brackets: negative or too large.
    pub fn parse(text: &str) -> Result<Path, String> {
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(inner) = rest.strip_prefix("[\"")
                && let Some((name, behind)) = quoted_name(inner)
            {
                steps.push(PathStep::Key(name.into_bytes()));
                rest = behind;
            } else if let Some(behind) = rest.strip_prefix("[]") {
                steps.push(PathStep::Append);
                rest = behind;
            } else if let Some(inner) = rest.strip_prefix('[')
                && let Some(end) = inner.find(']')
                && inner[..end].trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit())
            {
                let Ok(index) = inner[..end].parse() else {
                    let place = text.chars().count() - rest.chars().count() + 1;
                    let found = &rest[..end + 2];
                    return Err(format!(
                        "the path \"{text}\": {found} at character {place} is not an array index"
                    ));
                };
                steps.push(PathStep::Index(index));
                rest = &inner[end + 1..];
            } else {
                let from = usize::from(rest.starts_with('['));
                let end = rest[from..].find(['.', '[']).map_or(rest.len(), |end| from + end);
                steps.push(PathStep::Key(rest.as_bytes()[..end].to_vec()));
                rest = &rest[end..];
            }
            // A point at the end leads to the empty name.
            if let Some(after) = rest.strip_prefix('.') {
                rest = after;
                if rest.is_empty() {
                    steps.push(PathStep::Key(Vec::new()));
                }
            }
        }
        if steps.is_empty() {
            steps.push(PathStep::Key(Vec::new()));
        }
        Ok(Path { steps, use_of: Cell::default() })
    }

    /// The path without its last step.
    pub fn parent(&self) -> Path {
        Path {
            steps: self.steps[..self.steps.len().saturating_sub(1)].to_vec(),
            use_of: Cell::default(),
        }
    }

    /// The value's range, or the number of steps found and the last value.
    pub fn find(&self, text: &[u8]) -> Result<(usize, usize), (usize, usize)> {
        let mut at = skip_blanks(text, 0);
        let mut range = (at, text.len());
        for (done, step) in self.steps.iter().enumerate() {
            let is_object = text.get(at) == Some(&b'{');
            let (mut found, mut count) = (None, 0);
            let scanned = members(text, at, |Member { key, value }| {
                let is_wanted = match step {
                    PathStep::Key(name) => is_object && string_is(&text[key.0..key.1], name),
                    PathStep::Index(index) => !is_object && count == *index,
                    PathStep::Append => false,
                };
                count += 1;
                if is_wanted {
                    found = Some(value);
                }
                // The last of repeated names counts, as everywhere.
                !is_wanted || is_object
            });
            match found {
                Some(value) if scanned.is_ok() => (at, range) = (value.0, value),
                _ => return Err((done, at)),
            }
        }
        Ok(range)
    }
}

fn quoted_name(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' if text[at..].starts_with("\"]") => return Some((name, &text[at + 2..])),
            '\\' if text[at + 1..].starts_with(['"', '\\']) => {
                name.extend(characters.next().map(|(_, quoted)| quoted))
            }
            other => name.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_by_names_and_numbers() {
        let text = br#" {"a":{"b":[10,{"c d":"x"}]},"":1,"a.b":2,"q":3,"q":4} "#;
        let parse = |path: &str| Path::parse(path).expect("a path");
        let found = |path: &str| parse(path).find(text).ok().map(|(start, end)| &text[start..end]);
        assert_eq!(found("a.b[0]"), Some(&b"10"[..]));
        assert_eq!(found("a.b[1].c d"), Some(&b"\"x\""[..]));
        assert_eq!(found("a[\"b\"][1]"), Some(&b"{\"c d\":\"x\"}"[..]));
        assert_eq!(found("[\"a.b\"]"), Some(&b"2"[..]));
        assert_eq!(found(""), Some(&b"1"[..]));
        assert_eq!(found("q"), Some(&b"4"[..]));
        assert_eq!(
            (found("a.b[2]"), found("a.x"), found("a[0]"), found("a.b[0].c")),
            (None, None, None, None)
        );
        assert_eq!(parse("[1][2]").find(b"[0,[1,2,3]]").map(|(start, end)| end - start), Ok(1));
    }

    #[test]
    fn a_name_may_have_points_brackets_and_quotes() {
        let names = |path: &str| Path::parse(path).expect("a path").steps;
        let name = |name: &str| PathStep::Key(name.as_bytes().to_vec());
        assert_eq!(names(r#"["a.b"].c"#), [name("a.b"), name("c")]);
        assert_eq!(names(r#"["say \"hi\""]["\\"]"#), [name(r#"say "hi""#), name("\\")]);
        assert_eq!(names(r#"["a"b"]["[0]"]"#), [name("a\"b"), name("[0]")]);
        assert_eq!(names("t[].x"), [name("t"), PathStep::Append, name("x")]);
    }

    #[test]
    fn brackets_without_the_number_of_an_element_are_errors() {
        let refused = |path: &str| Path::parse(path).expect_err("refused");
        assert_eq!(
            refused("é.x[-1]"),
            "the path \"é.x[-1]\": [-1] at character 4 is not an array index"
        );
        for path in ["[-1]", "x[99999999999999999999]", "x[0][-2]", "x[-0]"] {
            assert!(refused(path).contains("is not an array index"), "{path}");
        }
        assert!(Path::parse("x[y]").is_ok() && Path::parse("x[1").is_ok());
    }
}
