//! `text::`: graphemes, code points, normal forms, widths, replacement and escapes, from the crate
//! `text`.

use crate::current::CurrentRecord;
use crate::library::Kept;
use crate::workspace::Workspace;
use riverhawk_awkio::fault::Fallible;
use riverhawk_builtins::names::unknown_name;
use riverhawk_text::{
    NormalForm, Replacer, Unit, chars, display_width, grapheme_count, graphemes, length, normalize,
    url_decode, url_encode,
};
use riverhawk_value::{ArrayRef, HeapStr, Value};
use std::borrow::Cow;

impl CurrentRecord {
    pub(super) fn text_graphemes(&self, s: &Value) -> Value {
        self.measured(s, grapheme_count)
    }

    pub(super) fn text_graphemes_into(&self, s: &Value, array: &ArrayRef) -> Value {
        let mut scratch = Vec::new();
        let clusters = graphemes(self.bytes(s, &mut scratch));
        array.borrow_mut().fill(clusters.map(Value::from_input));
        Value::Num(array.borrow().len() as f64)
    }

    /// Bytes that are part of none count too.
    pub(super) fn text_codepoints(&self, s: &Value) -> Value {
        self.measured(s, |text| length(text, Unit::CodePoint))
    }

    pub(super) fn text_codepoints_into(&self, s: &Value, array: &ArrayRef) -> Value {
        let mut scratch = Vec::new();
        let points = chars(self.bytes(s, &mut scratch), Unit::CodePoint);
        array.borrow_mut().fill(points.map(Value::from_input));
        Value::Num(array.borrow().len() as f64)
    }

    pub(super) fn text_width(&self, s: &Value) -> Value {
        self.measured(s, display_width)
    }

    fn measured(&self, s: &Value, measure: impl FnOnce(&[u8]) -> usize) -> Value {
        let mut scratch = Vec::new();
        Value::Num(measure(self.bytes(s, &mut scratch)) as f64)
    }

    pub(super) fn text_normalize(
        &self,
        old: Option<HeapStr>,
        s: &Value,
        form: Option<&Value>,
    ) -> Fallible<Value> {
        let form = match form {
            None => NormalForm::Nfc,
            Some(name) => {
                let mut scratch = Vec::new();
                let name = self.bytes(name, &mut scratch);
                let known = ["NFC", "NFD", "NFKC", "NFKD"];
                NormalForm::from_name(name).ok_or_else(|| {
                    unknown_name("text::normalize", "normal form", name, &known, std::iter::empty())
                })?
            }
        };
        Ok(self.converted(old, s, |text| normalize(text, form)))
    }

    pub(super) fn text_url_encode(&self, old: Option<HeapStr>, s: &Value) -> Value {
        self.converted(old, s, url_encode)
    }

    pub(super) fn text_url_decode(&self, old: Option<HeapStr>, s: &Value) -> Value {
        self.converted(old, s, url_decode)
    }

    fn converted(
        &self,
        old: Option<HeapStr>,
        s: &Value,
        convert: impl FnOnce(&[u8]) -> Cow<'_, [u8]>,
    ) -> Value {
        let mut scratch = Vec::new();
        match convert(self.bytes(s, &mut scratch)) {
            Cow::Borrowed(_) if matches!(s, Value::Str(_) | Value::Small(_)) => s.clone(),
            text => Value::from_text_in(old, &text),
        }
    }
}

impl Kept {
    pub(super) fn text_replace(
        &mut self,
        current: &CurrentRecord,
        workspace: &mut Workspace,
        old: Option<HeapStr>,
        s: &Value,
        [wanted, new]: [&Value; 2],
        count: Option<&Value>,
    ) -> Value {
        let limit = count.map_or(usize::MAX, |count| current.number(count) as usize);
        let replacer = self.replacer(current, wanted, new);
        let mut scratch = std::mem::take(&mut workspace.scratch[0]);
        let mut out = std::mem::take(&mut workspace.assembly);
        out.clear();
        let replaced = replacer.replace_into(current.bytes(s, &mut scratch), limit, &mut out);
        let value = match s {
            Value::Str(_) | Value::Small(_) if replaced == 0 => s.clone(),
            _ => Value::from_text_in(old, &out),
        };
        workspace.scratch[0] = scratch;
        workspace.assembly = out;
        self.replacer = Some(replacer);
        value
    }

    /// Reuses the last one, which most programs use in every record.
    fn replacer(&mut self, current: &CurrentRecord, wanted: &Value, new: &Value) -> Replacer {
        let last = self.replacer.take();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let (wanted, new) = (current.bytes(wanted, &mut first), current.bytes(new, &mut second));
        match last {
            Some(last) if last.old() == wanted && last.replacement() == new => last,
            _ => Replacer::new(wanted, new),
        }
    }
}
