//! `text::matches`: all matches of a regex, with their groups.

use crate::memory;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_value::{ArrayRef, Probe, Value, new_array};

impl Runtime {
    /// Each match is an array: its text `[0]`, its groups from `[1]`, and `start` and `length` in
    /// characters. Empty matches count as in gsub.
    pub(super) fn text_matches(
        &mut self,
        s: &Value,
        re: &Value,
        array: &ArrayRef,
    ) -> Fallible<Value> {
        self.globals.check_filled("text::matches", "third", array)?;
        let regex = self.regex_of(re)?;
        let mut scratch = std::mem::take(&mut self.workspace.scratch[0]);
        let text = s.text(self.current.record.text(), &self.current.specials.convfmt, &mut scratch);
        let (mut groups, mut count) = (Vec::new(), 0);
        let (mut counted_to, mut characters) = (0, 0);
        let mut array = array.borrow_mut();
        array.clear();
        for found in memory::while_memory_lasts(regex.matches(text)) {
            regex.captures_of(text, found, &mut groups);
            characters += riverhawk_text::length(&text[counted_to..found.start], self.locale.unit);
            counted_to = found.start;
            let length = riverhawk_text::length(&text[found.start..found.end], self.locale.unit);
            let one = new_array();
            let mut parts = one.borrow_mut();
            for (number, group) in groups.iter().enumerate() {
                if let Some(group) = group {
                    parts.set(
                        Probe::Int(number as i64),
                        Value::from_input(&text[group.start..group.end]),
                    );
                }
            }
            parts.set(Probe::Text(b"start"), Value::Num(characters as f64 + 1.0));
            parts.set(Probe::Text(b"length"), Value::Num(length as f64));
            drop(parts);
            count += 1;
            array.set(Probe::Int(count), Value::Array(one));
        }
        drop(array);
        self.workspace.scratch[0] = scratch;
        Ok(Value::Num(count as f64))
    }
}
