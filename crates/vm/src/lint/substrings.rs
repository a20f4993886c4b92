//! Warns of `substr` that exceeds its text.

use super::general;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_value::Value;

const LONGEST: f64 = u64::MAX as f64;

impl Runtime {
    pub(super) fn lint_substr(
        &mut self,
        s: &Value,
        from: &Value,
        length: Option<&Value>,
    ) -> Fallible<()> {
        self.outside.wants_text_or_input(&self.current, s, "substr", "first argument")?;
        self.outside.wants_number(&self.current, from, "substr", "second argument")?;
        let count = self.number_of_characters(s) as f64;
        let mut start = self.current.number(from);
        let mut wanted = None;
        if let Some(length) = length {
            self.outside.wants_number(&self.current, length, "substr", "third argument")?;
            let length = self.current.number(length);
            let shown = general(length);
            if length.is_nan() || length < 1.0 {
                return self
                    .outside
                    .lint_warn(&self.current, &format!("substr: length {shown} is not >= 1"));
            }
            if length != length.trunc() {
                self.outside.lint_warn(
                    &self.current,
                    &format!("substr: non-integer length {shown} will be truncated"),
                )?;
            }
            if length > LONGEST {
                let longest = general(LONGEST);
                let message = format!(
                    "substr: length {shown} too big for string indexing, truncating to {longest}"
                );
                self.outside.lint_warn(&self.current, &message)?;
            }
            wanted = Some((length.trunc(), shown));
        }
        let mut shown = general(start);
        if start.is_nan() || start < 1.0 {
            self.outside.lint_warn(
                &self.current,
                &format!("substr: start index {shown} is invalid, using 1"),
            )?;
            start = 1.0;
            shown = general(start);
        } else if start != start.trunc() {
            self.outside.lint_warn(
                &self.current,
                &format!("substr: non-integer start index {shown} will be truncated"),
            )?;
        }
        let start = start.trunc();
        if count == 0.0 {
            return self.outside.lint_warn(&self.current, "substr: source string is zero length");
        }
        if start > count {
            return self.outside.lint_warn(
                &self.current,
                &format!("substr: start index {shown} is past end of string"),
            );
        }
        match wanted {
            Some((length, shown_length)) if length > count - (start - 1.0) => self.outside.lint_warn(&self.current, &format!(
                "substr: length {shown_length} at start index {shown} exceeds length of first argument ({count})"
            )),
            _ => Ok(()),
        }
    }

    fn number_of_characters(&mut self, s: &Value) -> usize {
        self.length(s)
    }
}
