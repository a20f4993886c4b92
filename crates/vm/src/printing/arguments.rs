//! What formats of the program may have, and the values of one printf.

use riverhawk_precise::Number;
use riverhawk_syntax::Dialect;
use riverhawk_value::format::{FormatArgs, FormatRules};
use riverhawk_value::{NumberFormat, Value};
use std::borrow::Cow;

pub(crate) fn format_rules(dialect: Dialect) -> FormatRules {
    match dialect {
        Dialect::Gawk => FormatRules::Gawk,
        Dialect::Traditional => FormatRules::Traditional,
        Dialect::Posix => FormatRules::Posix,
    }
}

#[derive(Default)]
pub struct HeldArguments {
    values: Vec<*const Value>,
}

impl HeldArguments {
    pub(super) fn hold<'a, 'v: 'a>(
        &'a mut self,
        values: impl Iterator<Item = &'v Value>,
    ) -> &'a [&'v Value] {
        self.values.clear();
        self.values.extend(values.map(std::ptr::from_ref));
        // SAFETY: `*const Value` and `&Value` have the same layout; each pointer came from a
        // reference that lives for 'v; and the vector stays as it is while the slice is in
        // use, since that borrows it.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts(self.values.as_ptr().cast::<&'v Value>(), self.values.len())
        }
    }
}

pub(super) struct Arguments<'a> {
    pub(super) values: &'a [&'a Value],
    pub(super) record: &'a [u8],
    pub(super) convfmt: &'a NumberFormat,
    pub(super) exact: bool,
}

impl FormatArgs for Arguments<'_> {
    #[inline]
    fn count(&self) -> usize {
        self.values.len()
    }

    #[inline]
    fn number(&mut self, i: usize) -> f64 {
        self.values[i].number(self.record)
    }

    #[inline]
    fn as_text(&self, i: usize) -> Option<&[u8]> {
        self.values[i].bytes(self.record)
    }

    #[inline]
    fn text(&mut self, i: usize, out: &mut Vec<u8>) {
        self.values[i].append_to(self.record, self.convfmt, out);
    }

    fn precise(&mut self, i: usize) -> Number {
        self.values[i].precise_number(self.record).into_owned()
    }

    fn large_integer(&mut self, i: usize) -> Option<Number> {
        let value = Some(self.values[i]).filter(|_| self.exact)?;
        value.large_integer(self.record).map(Cow::into_owned)
    }

    fn is_number(&mut self, i: usize) -> bool {
        !matches!(self.values[i], Value::Uninit | Value::Unassigned | Value::Untyped(_))
            && self.values[i].is_numeric(self.record)
    }
}
