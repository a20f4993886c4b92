//! `name=value`, as `-v` takes it.

use std::fmt;

use riverhawk_syntax::{has_namespace, is_reserved, is_variable_name};

/// A variable set before the program starts. The run replaces escape sequences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    name: String,
    value: Vec<u8>,
}

/// Why a text is not an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssignmentError {
    /// No `=`: `abc`.
    NoEquals,
    /// Not a variable's name: `1a=2`. Holds it as far as it is UTF-8.
    NotAName(String),
    /// A malformed namespace: `a:x=1`, `a::=1`.
    BadNamespace(String),
    /// A keyword or a built-in function: `if=2`, `length=2`.
    Reserved(String),
}

impl Assignment {
    /// Splits at the first `=` and checks the name.
    pub fn parse(text: &[u8]) -> Result<Assignment, AssignmentError> {
        let equals = text.iter().position(|&byte| byte == b'=').ok_or(AssignmentError::NoEquals)?;
        let (name, value) = (&text[..equals], &text[equals + 1..]);
        let name_text = String::from_utf8_lossy(name).into_owned();
        if !is_variable_name(&name_text) {
            if has_namespace(&name_text) {
                return Err(AssignmentError::BadNamespace(name_text));
            }
            return Err(AssignmentError::NotAName(name_text));
        }
        let name_text = name_text.strip_prefix("awk::").map(str::to_owned).unwrap_or(name_text);
        if is_reserved(&name_text) {
            return Err(AssignmentError::Reserved(name_text));
        }
        Ok(Assignment { name: name_text, value: value.to_vec() })
    }

    /// `-F separator`. A leading `@` is escaped, since only `-v` takes `@/re/`.
    pub fn field_separator(separator: &[u8]) -> Assignment {
        let value = match separator {
            [b'@', rest @ ..] => [br"\100", rest].concat(),
            separator => separator.to_vec(),
        };
        Assignment { name: "FS".to_owned(), value }
    }

    /// Whether it is `-Ft`, which old awks take for a tab.
    pub fn is_letter_t(&self) -> bool {
        self.name == "FS" && self.value == b"t"
    }

    /// The variable, possibly with a namespace.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value as written.
    pub fn value(&self) -> &[u8] {
        &self.value
    }
}

impl fmt::Display for AssignmentError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AssignmentError::NoEquals => out.write_str("expected var=value"),
            AssignmentError::NotAName(name) => write!(out, "'{name}' is not a legal variable name"),
            AssignmentError::BadNamespace(name) => {
                write!(out, "'{name}': a namespace is followed by two colons and a name")
            }
            AssignmentError::Reserved(name) => {
                write!(out, "'{name}' is a keyword, not a variable")
            }
        }
    }
}

impl std::error::Error for AssignmentError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_equals_separates() {
        let assignment = Assignment::parse(b"a_1=b=\xff").unwrap();
        assert_eq!((assignment.name(), assignment.value()), ("a_1", &b"b=\xff"[..]));
        assert_eq!(Assignment::parse(b"x=").unwrap().value(), b"");
    }

    #[test]
    fn what_is_no_assignment_is_refused_with_the_reason() {
        let error = |text: &[u8]| Assignment::parse(text).unwrap_err();
        assert_eq!(error(b"abc"), AssignmentError::NoEquals);
        assert_eq!(error(b""), AssignmentError::NoEquals);
        for name in ["1a", "", "a b", "a-b", "é"] {
            assert_eq!(
                error(format!("{name}=1").as_bytes()),
                AssignmentError::NotAName(name.to_owned())
            );
        }
        for name in ["a:x", "a::", "a::b::c", "_:_"] {
            assert_eq!(
                error(format!("{name}=1").as_bytes()),
                AssignmentError::BadNamespace(name.to_owned())
            );
        }
        for name in ["if", "func", "length", "BEGIN", "getline", "substr"] {
            assert_eq!(
                error(format!("{name}=1").as_bytes()),
                AssignmentError::Reserved(name.to_owned())
            );
        }
    }
}
