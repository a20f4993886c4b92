//! Built-in functions on texts: concatenation, length, substr, index, case, match.

use crate::current::CurrentRecord;
use crate::locale::Locale;
use crate::main_input::MainInput;
use crate::runtime::Runtime;
use crate::searches::Searches;
use crate::workspace::Workspace;
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::PatternRef;
use riverhawk_bytecode::operand::PatternKind;
use riverhawk_record::ahead::TestedRecord;
use riverhawk_regex::{Match, Regex};
use riverhawk_syntax::ast::Special;
use riverhawk_text::Unit;
use riverhawk_value::{Array, ArrayRef, Ascii, HeapStr, Probe, SmallStr, Value, join_texts};
use std::ops::Range;
use std::rc::Rc;

#[inline]
fn bytes_at_hand<'a>(
    short: &'a Option<SmallStr>,
    value: &'a Value,
    record: &'a [u8],
) -> Option<&'a [u8]> {
    match short {
        Some(short) => Some(short.as_bytes()),
        None => value.bytes(record),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    Lower,
    Upper,
}

impl Case {
    pub(crate) fn write(self, text: &[u8], unit: Unit, out: &mut Vec<u8>) {
        match self {
            Case::Lower => riverhawk_text::to_lower(text, unit, out),
            Case::Upper => riverhawk_text::to_upper(text, unit, out),
        }
    }
}

impl Runtime {
    #[inline]
    pub fn length(&mut self, s: &Value) -> usize {
        match s {
            Value::Str(heap) | Value::Input(heap) => {
                let unit = self.locale.unit;
                match unit {
                    Unit::Byte => heap.len(),
                    Unit::CodePoint => heap.chars(|text| riverhawk_text::length(text, unit)),
                    // CR LF is one grapheme, so even ASCII must be counted; the string caches the
                    // result.
                    Unit::Grapheme => heap.units(|text| riverhawk_text::length(text, unit)),
                }
            }
            Value::View(view) if view.start == 0 => {
                self.current.record_length(&self.locale, &mut self.main, view.end as usize)
            }
            Value::View(view) if self.current.unit_of(&self.locale, s) == Unit::Byte => {
                (view.end - view.start) as usize
            }
            Value::Array(array) => array.borrow().len(),
            Value::Untyped(cell) => cell.get().map_or(0, |array| array.borrow().len()),
            other => {
                let text = self.current.bytes(other, &mut self.workspace.scratch[0]);
                riverhawk_text::length(text, self.locale.unit)
            }
        }
    }

    #[inline]
    pub fn regex<'v>(
        &mut self,
        pattern: PatternRef,
        slot: impl FnOnce(riverhawk_bytecode::Src) -> &'v Value,
    ) -> Fallible<Rc<Regex>> {
        match pattern.kind() {
            PatternKind::Constant(re) => Ok(self.searches.patterns.constant(re.index())?.clone()),
            PatternKind::Slot(src) => {
                let pattern = slot(src);
                if let Value::Regex { number, text } = pattern {
                    return Ok(self.searches.patterns.of_value(*number, text.as_bytes())?);
                }
                let mut scratch = std::mem::take(&mut self.workspace.scratch[2]);
                let text = pattern.text(
                    self.current.record.text(),
                    &self.current.specials.convfmt,
                    &mut scratch,
                );
                let regex = self.searches.patterns.dynamic(text);
                self.workspace.scratch[2] = scratch;
                self.searches.warn_of_unknown_escapes(&self.current, &mut self.outside)?;
                Ok(regex?)
            }
            PatternKind::FieldSeparator => {
                let text = self.current.text_of(self.current.specials.value(Special::Fs));
                Ok(self.searches.patterns.dynamic(&text)?)
            }
        }
    }
}

impl CurrentRecord {
    /// The unit in which positions in this value are counted: bytes where it is known to be ASCII.
    #[inline(always)]
    pub fn unit_of(&self, locale: &Locale, value: &Value) -> Unit {
        if locale.unit != Unit::CodePoint {
            return locale.unit;
        }
        let is_ascii = match value {
            Value::Str(heap) | Value::Input(heap) => heap.is_ascii(),
            Value::View(_) => self.record.is_ascii(),
            Value::Small(small) | Value::SmallInput(small) => small.is_ascii(),
            _ => false,
        };
        if is_ascii { Unit::Byte } else { Unit::CodePoint }
    }

    #[inline]
    pub fn bytes<'a>(&'a self, value: &'a Value, scratch: &'a mut Vec<u8>) -> &'a [u8] {
        value.text(self.record.text(), &self.specials.convfmt, scratch)
    }

    #[inline(never)]
    fn concat_to_grow(&self, v: &Value, text: &[u8]) -> Value {
        let mut head = Vec::new();
        let head = v.text(self.record.text(), &self.specials.convfmt, &mut head);
        let length = head.len() + text.len();
        if length <= riverhawk_value::small::SMALL_CAPACITY {
            let mut joined = [0; riverhawk_value::small::SMALL_CAPACITY];
            joined[..head.len()].copy_from_slice(head);
            joined[head.len()..length].copy_from_slice(text);
            return Value::from_text(&joined[..length]);
        }
        let mut heap = HeapStr::with_capacity(length * 2);
        heap.push(head);
        heap.push(text);
        Value::Str(heap)
    }

    #[inline]
    fn record_length(&self, locale: &Locale, main: &mut MainInput, end: usize) -> usize {
        match locale.unit {
            Unit::Byte => end,
            Unit::CodePoint if self.record.is_ascii() => end,
            // A line contains no CR LF, the only grapheme of two ASCII characters.
            Unit::Grapheme
                if self.record.is_ascii()
                    && self.record.is_within_window()
                    && self.rule.is_line() =>
            {
                end
            }
            unit => self.measure_record(main, end, unit),
        }
    }

    fn measure_record(&self, main: &mut MainInput, end: usize, unit: Unit) -> usize {
        let text = &self.record.text()[..end];
        if unit == Unit::CodePoint
            && self.record.is_in_window()
            && let Some(count) = main.code_points(text)
        {
            return count;
        }
        riverhawk_text::length(text, unit)
    }

    #[inline]
    pub fn length_of_record(&mut self, locale: &Locale, main: &mut MainInput) -> usize {
        self.settle_record();
        self.record_length(locale, main, self.record.text().len())
    }

    fn store_groups(
        &self,
        locale: &Locale,
        text: &[u8],
        groups: &[Option<Match>],
        array: &mut Array,
    ) {
        array.clear();
        for (n, group) in groups.iter().enumerate() {
            let Some(group) = group else { continue };
            let start = riverhawk_text::length(&text[..group.start], locale.unit) + 1;
            let length = riverhawk_text::length(&text[group.start..group.end], locale.unit);
            array.set(Probe::Int(n as i64), Value::from_input(&text[group.start..group.end]));
            for (what, number) in [("start", start), ("length", length)] {
                let mut key = n.to_string().into_bytes();
                key.extend_from_slice(&self.specials.subsep);
                key.extend_from_slice(what.as_bytes());
                array.set(Probe::from_text(&key), Value::Num(number as f64));
            }
        }
    }
}

/// Two texts as a short one, if it is.
#[inline(always)]
pub(crate) fn joined_short(a: &Value, b: &Value) -> Option<SmallStr> {
    a.short_text()?.joined(b.short_text()?)
}

impl Workspace {
    /// Two texts as one, mostly where [`joined_short`] refuses.
    pub fn concat(
        &mut self,
        current: &CurrentRecord,
        old: impl FnOnce() -> Option<HeapStr>,
        a: &Value,
        b: &Value,
    ) -> Value {
        let short = [a.short_text(), b.short_text()];
        let old = old().or_else(|| self.spare.take());
        let record = current.record.text();
        let is_ascii = |short: &Option<SmallStr>, value: &Value| match short {
            Some(short) => short.is_ascii(),
            None => value.is_known_ascii(),
        };
        let is_known_ascii = is_ascii(&short[0], a) && is_ascii(&short[1], b);
        if let (Some(a), Some(b)) =
            (bytes_at_hand(&short[0], a, record), bytes_at_hand(&short[1], b, record))
            && a.len() + b.len() > riverhawk_value::small::SMALL_CAPACITY
        {
            let joined = old
                .and_then(|old| old.refill_pair(a, b))
                .unwrap_or_else(|| HeapStr::concat([a, b]));
            let mut joined = Value::Str(joined);
            if is_known_ascii {
                joined.note_ascii();
            }
            return joined;
        }
        let mut value = self.join_to_value(current, old, [a, b].into_iter(), b"");
        if is_known_ascii {
            value.note_ascii();
        }
        value
    }

    /// Replaces the assembly by the texts of values; see [`join_texts`].
    #[inline]
    pub(crate) fn join<'v>(
        &mut self,
        current: &CurrentRecord,
        parts: impl Iterator<Item = &'v Value>,
        between: &[u8],
    ) -> usize {
        let (record, convfmt) = (current.record.text_and_behind(), &current.specials.convfmt);
        join_texts(parts, record, convfmt, between, &mut self.assembly)
    }

    #[inline]
    pub(crate) fn join_to_value<'v>(
        &mut self,
        current: &CurrentRecord,
        old: Option<HeapStr>,
        parts: impl Iterator<Item = &'v Value>,
        between: &[u8],
    ) -> Value {
        let length = self.join(current, parts, between);
        Value::from_text_slice(old, &self.assembly, 0, length)
    }

    /// Puts the parts before the text in place; false if that cannot be done.
    pub fn prepend<'v>(
        &mut self,
        current: &CurrentRecord,
        v: &mut Value,
        parts: impl Iterator<Item = &'v Value>,
    ) -> bool {
        let Value::Str(heap) = v else { return false };
        let length = self.join(current, parts, b"");
        heap.prepend(&self.assembly[..length])
    }

    /// In place if `v` is the text's only holder, so that repeated appending takes linear time.
    #[inline]
    pub fn append(&mut self, current: &CurrentRecord, v: &mut Value, s: &Value) {
        let text = s.text(current.record.text(), &current.specials.convfmt, &mut self.scratch[0]);
        match v {
            Value::Str(heap) => heap.push(text),
            Value::Input(_) => {
                if let Value::Input(mut heap) = std::mem::take(v) {
                    heap.push(text);
                    *v = Value::Str(heap);
                }
            }
            _ => *v = current.concat_to_grow(v, text),
        }
    }

    /// A text, which part of it `substr` is, and whether that is known to be ASCII.
    #[inline(always)]
    pub fn substr<'a>(
        &'a mut self,
        current: &'a CurrentRecord,
        locale: &Locale,
        s: &'a Value,
        start: f64,
        length: Option<f64>,
    ) -> (&'a [u8], Range<usize>, Ascii) {
        let unit = current.unit_of(locale, s);
        let text = s.text(current.record.text(), &current.specials.convfmt, &mut self.scratch[0]);
        let is_ascii = unit == Unit::Byte && locale.unit == Unit::CodePoint;
        let ascii = if is_ascii { Ascii::Certain } else { Ascii::Unknown };
        (text, riverhawk_text::substr_range(text, unit, start, length), ascii)
    }

    #[inline(always)]
    pub fn index(
        &mut self,
        current: &CurrentRecord,
        locale: &Locale,
        s: &Value,
        t: &Value,
    ) -> usize {
        if let (Value::View(view), Value::Small(wanted)) = (s, t)
            && let [wanted] = wanted.as_bytes()
            && current.unit_of(locale, s) == Unit::Byte
            && !current.specials.ignore_case
        {
            let found = memchr::memchr(*wanted, view.of(current.record.text()));
            return found.map_or(0, |at| at + 1);
        }
        self.index_of_any(current, locale, s, t)
    }

    #[inline(never)]
    fn index_of_any(
        &mut self,
        current: &CurrentRecord,
        locale: &Locale,
        s: &Value,
        t: &Value,
    ) -> usize {
        let [first, second, ..] = &mut self.scratch;
        let (record, format) = (current.record.text(), &current.specials.convfmt);
        let (text, wanted) = (s.text(record, format, first), t.text(record, format, second));
        match current.specials.ignore_case {
            false => riverhawk_text::index(text, wanted, current.unit_of(locale, s)),
            true => locale.index_of_folded(text, wanted),
        }
    }

    pub fn change_case(
        &mut self,
        current: &CurrentRecord,
        locale: &Locale,
        old: Option<HeapStr>,
        s: &Value,
        case: Case,
    ) -> Value {
        let text = s.text(current.record.text(), &current.specials.convfmt, &mut self.scratch[0]);
        let mut value = Value::EMPTY;
        if locale.is_ascii_case(current, s, text)
            && text.len() > riverhawk_value::small::SMALL_CAPACITY
        {
            let mut heap = old.unwrap_or_else(|| HeapStr::with_capacity(text.len()));
            if !overwrite_in_case(&mut heap, text, locale.unit, case) {
                heap = HeapStr::with_capacity(text.len());
                overwrite_in_case(&mut heap, text, locale.unit, case);
            }
            value = Value::Str(heap);
        } else {
            let mut out = std::mem::take(&mut self.assembly);
            out.clear();
            case.write(text, locale.unit, &mut out);
            if !out.is_empty() {
                value = Value::from_text_in(old, &out);
            }
            self.assembly = out;
        }
        value
    }

    #[inline]
    pub fn matches(&mut self, current: &CurrentRecord, s: &Value, regex: &Regex) -> bool {
        let text = s.text(current.record.text(), &current.specials.convfmt, &mut self.scratch[0]);
        regex.is_match(text)
    }

    pub fn match_at(
        &mut self,
        current: &mut CurrentRecord,
        locale: &Locale,
        s: &Value,
        regex: &Regex,
        groups: Option<&ArrayRef>,
    ) -> f64 {
        let text = s.text(current.record.text(), &current.specials.convfmt, &mut self.scratch[0]);
        let unit = current.unit_of(locale, s);
        let found = match groups {
            None => regex.find(text),
            Some(array) => {
                let mut found = Vec::new();
                regex.captures(text, &mut found);
                current.store_groups(locale, text, &found, &mut array.borrow_mut());
                found.first().copied().flatten()
            }
        };
        let (start, length) = match found {
            Some(found) => {
                // A match inside a character starts at that character.
                let before = riverhawk_text::byte_to_char(text, unit, found.start);
                let length = riverhawk_text::length(&text[found.start..found.end], unit);
                (before as f64 + 1.0, length as f64)
            }
            None => (0.0, -1.0),
        };
        current.specials.store(Special::Rstart, Value::Num(start));
        current.specials.store(Special::Rlength, Value::Num(length));
        start
    }
}

impl Locale {
    /// As [`Workspace::change_case`], in the string of `d`. False if the text is short or not
    /// ASCII, or the string is shared or of another length.
    #[inline]
    pub fn change_case_over(
        &self,
        current: &CurrentRecord,
        d: &mut Value,
        s: &Value,
        case: Case,
    ) -> bool {
        let (Value::Str(heap), Some(text)) = (d, s.bytes(current.record.text())) else {
            return false;
        };
        if text.len() <= riverhawk_value::small::SMALL_CAPACITY
            || !self.is_ascii_case(current, s, text)
        {
            return false;
        }
        overwrite_in_case(heap, text, self.unit, case)
    }

    #[inline]
    fn is_ascii_case(&self, current: &CurrentRecord, s: &Value, text: &[u8]) -> bool {
        let is_known = match s {
            Value::View(_) => current.record.is_ascii(),
            other => other.is_known_ascii(),
        };
        self.unit == Unit::Byte || is_known || riverhawk_simd::is_ascii(text)
    }
}

impl Searches {
    #[inline]
    pub fn record_matches(
        &mut self,
        current: &mut CurrentRecord,
        main: &MainInput,
        re: usize,
    ) -> Fallible<bool> {
        current.settle_record();
        if let Some(found) = self.look_ahead(current, main, re) {
            return Ok(found);
        }
        let found = self.patterns.constant(re)?.is_match(current.record.text());
        self.note_tested(re, TestedRecord::of(found));
        Ok(found)
    }
}

/// Overwrites a string that has room with ASCII text in this case.
#[inline]
fn overwrite_in_case(heap: &mut HeapStr, text: &[u8], unit: Unit, case: Case) -> bool {
    let ascii = if unit == Unit::Byte { Ascii::Unknown } else { Ascii::Certain };
    match case {
        Case::Lower => heap.overwrite_changed(text, ascii, riverhawk_text::lower_lanes),
        Case::Upper => heap.overwrite_changed(text, ascii, riverhawk_text::upper_lanes),
    }
}
