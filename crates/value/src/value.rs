//! A value: 16 bytes, a tag and its content.
//!
//! Text has three lifetimes. A *view* is a range of the current record and valid as long as it, so
//! the compiler keeps it in registers only, and only until the record may change. A *small* string
//! (up to 14 bytes) is inside the value. A *heap* string is counted. The last two may be plain text
//! or *input text* (awk's strnum).

use crate::array::{ArrayRef, KeyIter, ShortKey};
use crate::ascii::Ascii;
use crate::counted::PreciseRef;
use crate::format::Format;
use crate::heap::HeapStr;
use crate::number;
use crate::small::{SMALL_CAPACITY, SmallStr};
use crate::truth::Truth;
use crate::untyped::Untyped;
use riverhawk_memory as memory;
use riverhawk_precise::ExactSum;
use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

/// A variable without a value that several names share.
pub type UntypedRef = Rc<Untyped<ArrayRef>>;

/// How a text compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum TextKind {
    /// As a string made by the program.
    Text,
    /// As input text: a number when it looks like one.
    Input,
}

/// A range of the current record, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct View {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// How it compares: only `$0` and parts of it can be text that the program made.
    pub kind: TextKind,
}

impl View {
    /// A range of input text.
    #[inline(always)]
    pub fn input(start: u32, end: u32) -> View {
        View { start, end, kind: TextKind::Input }
    }

    /// A part of it, as text that the program made.
    ///
    /// # Panics
    /// If the part is not inside it.
    #[inline(always)]
    pub fn part(self, part: Range<usize>) -> View {
        assert!(part.start <= part.end && part.end <= (self.end - self.start) as usize);
        let (start, end) = (self.start + part.start as u32, self.start + part.end as u32);
        View { start, end, kind: TextKind::Text }
    }

    /// First to last byte.
    #[inline(always)]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The bytes in the record.
    #[inline]
    pub fn of(self, record: &[u8]) -> &[u8] {
        &record[self.range()]
    }
}

/// A value of the language, or other content of a register. Its first byte is the tag, on which
/// machine code relies ([`layout`](crate::layout)).
#[derive(Clone, Debug, Default)]
#[repr(u8)]
pub enum Value {
    /// Never assigned: "" and 0 at once.
    #[default]
    Uninit,
    /// Assigned from an unassigned value: cannot become an array.
    Unassigned,
    /// A field that the record does not have: empty text, with its own `typeof`.
    NoField,
    /// A number.
    Num(f64),
    /// Text inside the current record.
    View(View),
    /// Short text.
    Small(SmallStr),
    /// Short input text.
    SmallInput(SmallStr),
    /// A value of `mkbool` or a JSON boolean: number and text, like input text.
    Bool(Truth),
    // All that follow need a clean-up when overwritten; the check is one comparison.
    /// Text.
    Str(HeapStr),
    /// Input text.
    Input(HeapStr),
    /// An array, shared by all variables and parameters that name it.
    Array(ArrayRef),
    /// An untyped variable passed to a function: may become an array under all its names.
    Untyped(UntypedRef),
    /// A regular expression: `@/re/`.
    Regex {
        /// Index among the program's constant regular expressions, or `u32::MAX`. First, to fill
        /// the gap after the tag.
        number: u32,
        /// The text between the slashes.
        text: HeapStr,
    },
    /// The keys that a `for (k in a)` has yet to visit.
    Keys(Box<KeyIter>),
    /// A number that does not fit a double, or an arbitrary-precision float.
    Precise(PreciseRef),
    /// An exact sum, only while records are read: settled before `END`.
    Sum(Box<ExactSum>),
}

const _: () = assert!(size_of::<Value>() == 16);

/// A compiled CONVFMT or OFMT.
pub type NumberFormat = Format;

enum Side<'a> {
    Number(f64),
    Text(&'a [u8]),
    /// Input text that looks like a number.
    Both(f64, &'a [u8]),
    Nothing,
}

impl Value {
    /// The empty string.
    pub const EMPTY: Value = Value::Small(SmallStr::EMPTY);

    /// A string.
    #[inline]
    pub fn from_text(text: &[u8]) -> Value {
        match SmallStr::new(text) {
            Some(small) => Value::Small(small),
            None => Value::Str(HeapStr::new(text)),
        }
    }

    /// Text from outside, which is a strnum.
    #[inline]
    pub fn from_input(text: &[u8]) -> Value {
        match SmallStr::new(text) {
            Some(small) => Value::SmallInput(small),
            None => Value::Input(HeapStr::new(text)),
        }
    }

    /// As [`Value::from_text`], reusing `old`.
    #[inline]
    pub fn from_text_in(old: Option<HeapStr>, text: &[u8]) -> Value {
        match SmallStr::new(text) {
            Some(small) => Value::Small(small),
            None => Value::Str(
                old.and_then(|old| old.refill(text)).unwrap_or_else(|| HeapStr::new(text)),
            ),
        }
    }

    /// As [`Value::from_input`], reusing `old`.
    #[inline]
    pub fn from_input_in(old: Option<HeapStr>, text: &[u8]) -> Value {
        match SmallStr::new(text) {
            Some(small) => Value::SmallInput(small),
            None => Value::Input(
                old.and_then(|old| old.refill(text)).unwrap_or_else(|| HeapStr::new(text)),
            ),
        }
    }

    /// Becomes input text, reusing its allocation.
    #[inline]
    pub fn set_input(&mut self, text: &[u8], ascii: Ascii) {
        let old = self.recycle();
        *self = Value::from_input_in(old, text);
        if ascii == Ascii::Certain {
            self.note_ascii();
        }
    }

    /// Becomes text, reusing its allocation.
    #[inline]
    pub fn set_text(&mut self, text: &[u8], ascii: Ascii) {
        if let Value::Str(heap) = self
            && text.len() > SMALL_CAPACITY
        {
            if !heap.overwrite(text, ascii) {
                *heap = HeapStr::new(text);
                if ascii == Ascii::Certain {
                    heap.note_ascii();
                }
            }
            return;
        }
        let old = self.recycle();
        *self = Value::from_text_in(old, text);
        if ascii == Ascii::Certain {
            self.note_ascii();
        }
    }

    /// Whether it is a heap string that is known to be ASCII.
    #[inline]
    pub fn is_known_ascii(&self) -> bool {
        matches!(self, Value::Str(heap) | Value::Input(heap) if heap.is_known_ascii())
    }

    /// Its text, if it is small text, an integer of at most eight digits, or unassigned.
    #[inline]
    pub fn short_text(&self) -> Option<SmallStr> {
        match *self {
            Value::Small(small) | Value::SmallInput(small) => Some(small),
            Value::Num(number) => {
                let integer = number as i64;
                if integer as f64 == number { SmallStr::of_integer(integer) } else { None }
            }
            Value::Uninit | Value::Unassigned | Value::NoField => Some(SmallStr::EMPTY),
            _ => None,
        }
    }

    /// Notes that its text is ASCII.
    #[inline]
    pub fn note_ascii(&mut self) {
        if let Value::Str(heap) | Value::Input(heap) = self {
            heap.note_ascii();
        }
    }

    /// `text[start..end]` as input text.
    ///
    /// # Panics
    /// If the range is not inside `text`.
    #[inline(always)]
    pub fn from_input_slice(text: &[u8], start: usize, end: usize) -> Value {
        match ShortKey::slice_of(text, start, end) {
            Some(short) => short.to_input(),
            None => Value::from_input(&text[start..end]),
        }
    }

    /// A view of `record` as text of its own.
    #[inline(always)]
    pub fn from_view(record: &[u8], view: View) -> Value {
        let (start, end) = (view.start as usize, view.end as usize);
        match view.kind {
            TextKind::Input => Value::from_input_slice(record, start, end),
            TextKind::Text => Value::from_text_slice(None, record, start, end),
        }
    }

    /// `text[start..end]` as text, reusing the allocation of `old`.
    ///
    /// # Panics
    /// If the range is not inside `text`.
    #[inline(always)]
    pub fn from_text_slice(old: Option<HeapStr>, text: &[u8], start: usize, end: usize) -> Value {
        match SmallStr::slice_of(text, start, end) {
            Some(small) => Value::Small(small),
            None => Value::from_text_in(old, &text[start..end]),
        }
    }

    /// Keeps this range of its text and becomes text; false, and unchanged, if that is no text of
    /// its own that could be cut in place.
    ///
    /// # Panics
    /// If the range is not inside the text.
    #[inline]
    pub fn cut(&mut self, start: usize, end: usize) -> bool {
        let small = match self {
            Value::Small(small) | Value::SmallInput(small) => {
                SmallStr::slice_of(small.as_bytes(), start, end)
            }
            Value::Str(heap) | Value::Input(heap) => {
                match SmallStr::slice_of(heap.as_bytes(), start, end) {
                    None if !heap.cut(start, end) => return false,
                    small => small,
                }
            }
            Value::View(view) => {
                *view = view.part(start..end);
                return true;
            }
            _ => return false,
        };
        match (small, &mut *self) {
            (Some(small), _) => *self = Value::Small(small),
            (None, Value::Input(_)) => {
                if let Some(heap) = self.recycle() {
                    *self = Value::Str(heap);
                }
            }
            _ => {}
        }
        true
    }

    /// Takes the string out of a value about to be overwritten, to reuse its allocation.
    #[inline]
    pub fn recycle(&mut self) -> Option<HeapStr> {
        if !matches!(self, Value::Str(_) | Value::Input(_)) {
            return None;
        }
        match std::mem::take(self) {
            Value::Str(heap) | Value::Input(heap) => Some(heap),
            _ => None,
        }
    }

    /// 1 or 0.
    #[inline]
    pub fn from_bool(truth: bool) -> Value {
        Value::Num(if truth { 1.0 } else { 0.0 })
    }

    /// Whether overwriting it needs no clean-up.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        !matches!(
            self,
            Value::Str(_)
                | Value::Input(_)
                | Value::Array(_)
                | Value::Untyped(_)
                | Value::Regex { .. }
                | Value::Keys(_)
                | Value::Precise(_)
                | Value::Sum(_)
        )
    }

    /// Whether it is an array, possibly not yet known under this name.
    #[inline]
    pub fn is_array(&self) -> bool {
        match self {
            Value::Array(_) => true,
            Value::Untyped(cell) => cell.get().is_some(),
            _ => false,
        }
    }

    /// Notes that an untyped variable is used as a scalar.
    #[inline]
    pub fn note_scalar(&mut self) {
        if let Value::Uninit = self {
            *self = Value::Untyped(UntypedRef::default());
        }
        if let Value::Untyped(cell) = self {
            cell.note_scalar();
        }
    }

    /// A value that may outlive the record: views become input text.
    #[inline]
    pub fn to_owned(&self, record: &[u8]) -> Value {
        match self {
            Value::View(view) => Value::from_view(record, *view),
            Value::Num(number) => Value::Num(*number),
            // A copy of an untyped variable cannot become an array.
            Value::Uninit | Value::Untyped(_) => Value::Unassigned,
            other => other.clone(),
        }
    }

    /// The bytes when it is text or unassigned (empty).
    #[inline]
    pub fn bytes<'a>(&'a self, record: &'a [u8]) -> Option<&'a [u8]> {
        match self {
            Value::View(view) => Some(view.of(record)),
            Value::Small(small) | Value::SmallInput(small) => Some(small.as_bytes()),
            Value::Str(heap) | Value::Input(heap) => Some(heap.as_bytes()),
            Value::Num(_) | Value::Precise(_) | Value::Sum(_) => None,
            Value::Regex { text, .. } => Some(text.as_bytes()),
            Value::Bool(truth) => Some(truth.text()),
            Value::Uninit
            | Value::Unassigned
            | Value::NoField
            | Value::Array(_)
            | Value::Untyped(_)
            | Value::Keys(_) => Some(b""),
        }
    }

    /// The bytes when it is text, otherwise empty.
    #[inline]
    pub fn bytes_if_text<'a>(&'a self, record: &'a [u8]) -> &'a [u8] {
        match self {
            Value::View(view) => view.of(record),
            Value::Small(small) | Value::SmallInput(small) => small.as_bytes(),
            Value::Str(heap) | Value::Input(heap) | Value::Regex { text: heap, .. } => {
                heap.as_bytes()
            }
            Value::Bool(truth) => truth.text(),
            Value::Num(_)
            | Value::Precise(_)
            | Value::Sum(_)
            | Value::Uninit
            | Value::Unassigned
            | Value::NoField
            | Value::Array(_)
            | Value::Untyped(_)
            | Value::Keys(_) => b"",
        }
    }

    /// The value as text: its bytes, or a number written into `scratch` by `format`.
    #[inline]
    pub fn text<'a>(
        &'a self,
        record: &'a [u8],
        format: &NumberFormat,
        scratch: &'a mut Vec<u8>,
    ) -> &'a [u8] {
        match self.bytes(record) {
            Some(bytes) => bytes,
            None => self.written(format, scratch),
        }
    }

    #[cold]
    #[inline(never)]
    fn written<'a>(&self, format: &NumberFormat, scratch: &'a mut Vec<u8>) -> &'a [u8] {
        scratch.clear();
        match self {
            Value::Num(n) => number::number_to_text(*n, format, scratch),
            Value::Precise(n) => n.append_to(format, scratch),
            Value::Sum(sum) => number::number_to_text(sum.to_f64(), format, scratch),
            _ => {}
        }
        scratch
    }

    /// Appends the value as text.
    #[inline]
    pub fn append_to(&self, record: &[u8], format: &NumberFormat, out: &mut Vec<u8>) {
        match self {
            // Format into a short buffer, since `out` may be long.
            Value::Num(n) => {
                if memory::grow(out, 2 * SMALL_CAPACITY) {
                    number::number_to_text(*n, format, out);
                }
            }
            Value::Small(small) | Value::SmallInput(small) => {
                if memory::grow(out, SMALL_CAPACITY) {
                    small.append_to(out);
                }
            }
            other => match other.bytes(record) {
                Some(bytes) => memory::append(out, bytes),
                None => other.append_precise(format, out),
            },
        }
    }

    /// The value as a number: of text, its numeric beginning.
    #[inline]
    pub fn number(&self, record: &[u8]) -> f64 {
        match self {
            Value::Num(number) => *number,
            Value::Uninit | Value::Unassigned | Value::NoField => 0.0,
            Value::View(view) => {
                number::to_number_within(record, view.start as usize, view.end as usize)
            }
            Value::Small(small) | Value::SmallInput(small) => number::to_number(small.as_bytes()),
            Value::Input(heap) => match heap.looks_numeric(number::looks_numeric) {
                Some(number) => number,
                None => number::to_number(heap.as_bytes()),
            },
            Value::Str(heap) => number::to_number(heap.as_bytes()),
            Value::Bool(truth) => truth.number(),
            Value::Precise(number) => number.nearest_double(),
            Value::Sum(sum) => sum.to_f64(),
            // A regex has no number, even if its text looks like one.
            Value::Regex { .. } | Value::Array(_) | Value::Untyped(_) | Value::Keys(_) => 0.0,
        }
    }

    /// The number that input text looks like; `None` for other values.
    #[inline]
    pub fn strnum(&self, record: &[u8]) -> Option<f64> {
        match self {
            Value::View(view) if view.kind == TextKind::Input => {
                number::looks_numeric(view.of(record))
            }
            Value::SmallInput(small) => number::looks_numeric(small.as_bytes()),
            Value::Input(heap) => heap.looks_numeric(number::looks_numeric),
            Value::Bool(truth) => Some(truth.number()),
            _ => None,
        }
    }

    /// Truth: numbers (and input text that looks like one) when not zero, text when not empty.
    #[inline]
    pub fn truth(&self, record: &[u8]) -> bool {
        match self {
            Value::Num(number) => *number != 0.0,
            Value::Uninit | Value::Unassigned | Value::NoField => false,
            Value::Small(small) => !small.is_empty(),
            Value::Str(heap) | Value::Regex { text: heap, .. } => !heap.is_empty(),
            Value::Bool(truth) => truth.is_true(),
            Value::Precise(number) => number.is_true(),
            Value::Sum(sum) => sum.to_f64() != 0.0,
            Value::View(_) | Value::SmallInput(_) | Value::Input(_) => match self.strnum(record) {
                Some(number) => number != 0.0,
                None => !self.bytes(record).unwrap_or_default().is_empty(),
            },
            Value::Array(_) | Value::Untyped(_) | Value::Keys(_) => false,
        }
    }

    /// Whether it compares and prints (`%c`) as a number.
    pub fn is_numeric(&self, record: &[u8]) -> bool {
        matches!(
            self,
            Value::Num(_)
                | Value::Uninit
                | Value::Unassigned
                | Value::Untyped(_)
                | Value::Precise(_)
                | Value::Sum(_)
        ) || self.strnum(record).is_some()
    }

    // Always inlined: the rare arm for precise numbers would otherwise make it a call.
    #[inline(always)]
    fn side<'a>(&'a self, record: &'a [u8]) -> Side<'a> {
        match self {
            Value::Num(number) => Side::Number(*number),
            Value::Precise(number) => Side::Number(number.nearest_double()),
            Value::Sum(sum) => Side::Number(sum.to_f64()),
            Value::Small(small) => Side::Text(small.as_bytes()),
            Value::NoField => Side::Text(b""),
            Value::Str(heap) | Value::Regex { text: heap, .. } => Side::Text(heap.as_bytes()),
            Value::View(_) | Value::SmallInput(_) | Value::Input(_) | Value::Bool(_) => {
                let text = self.bytes(record).unwrap_or_default();
                match self.strnum(record) {
                    Some(number) => Side::Both(number, text),
                    None => Side::Text(text),
                }
            }
            Value::Uninit
            | Value::Unassigned
            | Value::Array(_)
            | Value::Untyped(_)
            | Value::Keys(_) => Side::Nothing,
        }
    }

    /// Compares as awk does: as numbers when both sides are numbers, look like numbers, or were
    /// never assigned; otherwise as bytes. `None` when a NaN is compared with a number.
    pub fn compare(&self, other: &Value, record: &[u8], format: &NumberFormat) -> Option<Ordering> {
        use Side::*;
        if let (Value::Num(a), Value::Num(b)) = (self, other) {
            return a.partial_cmp(b);
        }
        match (self.side(record), other.side(record)) {
            (Number(a) | Both(a, _), Number(b) | Both(b, _)) => a.partial_cmp(&b),
            // NaN sorts after everything, as in gawk.
            (Number(a) | Both(a, _), Nothing) => a.partial_cmp(&0.0).or(Some(Ordering::Greater)),
            (Nothing, Number(b) | Both(b, _)) => 0.0f64.partial_cmp(&b).or(Some(Ordering::Less)),
            (Nothing, Nothing) => Some(Ordering::Equal),
            (Text(a) | Both(_, a), Text(b) | Both(_, b)) => Some(a.cmp(b)),
            (Nothing, Text(b)) => Some((b"" as &[u8]).cmp(b)),
            (Text(a), Nothing) => Some(a.cmp(b"")),
            (Number(a), Text(b)) => {
                let mut text = Vec::new();
                number::number_to_text(a, format, &mut text);
                Some(text.as_slice().cmp(b))
            }
            (Text(a), Number(b)) => {
                let mut text = Vec::new();
                number::number_to_text(b, format, &mut text);
                Some(a.cmp(&text))
            }
        }
    }
}

impl From<f64> for Value {
    #[inline]
    fn from(number: f64) -> Value {
        Value::Num(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(a: &Value, b: &Value) -> Option<Ordering> {
        a.compare(b, b"", &Format::parse(b"%.6g"))
    }

    #[test]
    fn input_text_that_looks_numeric_compares_as_a_number_and_plain_text_does_not() {
        assert_eq!(
            compared(&Value::from_input(b"10"), &Value::from_input(b"9")),
            Some(Ordering::Greater)
        );
        assert_eq!(
            compared(&Value::from_text(b"10"), &Value::from_input(b"9")),
            Some(Ordering::Less)
        );
        assert_eq!(
            compared(&Value::from_input(b" +1e1 "), &Value::Num(10.0)),
            Some(Ordering::Equal)
        );
        assert_eq!(compared(&Value::from_input(b"0x1A"), &Value::Num(26.0)), Some(Ordering::Less));
        assert_eq!(compared(&Value::Num(10.0), &Value::from_text(b"9")), Some(Ordering::Less));
    }

    #[test]
    fn an_unassigned_value_is_zero_to_numbers_and_empty_to_text() {
        assert_eq!(compared(&Value::Uninit, &Value::Num(0.0)), Some(Ordering::Equal));
        assert_eq!(compared(&Value::Uninit, &Value::EMPTY), Some(Ordering::Equal));
        assert_eq!(compared(&Value::Uninit, &Value::from_input(b"0")), Some(Ordering::Equal));
        assert_eq!(compared(&Value::Uninit, &Value::Uninit), Some(Ordering::Equal));
    }

    #[test]
    fn nan_compares_with_no_number() {
        assert_eq!(compared(&Value::Num(f64::NAN), &Value::Num(f64::NAN)), None);
        assert_eq!(compared(&Value::from_input(b"+nan"), &Value::Num(0.0)), None);
    }

    #[test]
    fn nothing_is_before_nan() {
        for nan in [Value::Num(f64::NAN), Value::Num(-f64::NAN), Value::from_input(b"-nan")] {
            for nothing in [Value::Uninit, Value::Unassigned] {
                assert_eq!(compared(&nothing, &nan), Some(Ordering::Less));
                assert_eq!(compared(&nan, &nothing), Some(Ordering::Greater));
            }
        }
    }

    #[test]
    fn truth_follows_the_kind() {
        assert!(!Value::from_input(b" 0.0 ").truth(b""));
        assert!(Value::from_text(b"0").truth(b""));
        assert!(Value::from_input(b" ").truth(b""));
        assert!(!Value::EMPTY.truth(b""));
        assert!(!Value::Uninit.truth(b""));
    }

    #[test]
    fn text_that_is_set_replaces_every_kind_of_value_and_leaves_those_who_share_it() {
        let long = Value::from_text(b"a text that is long enough");
        let shared = long.clone();
        for (mut value, ascii) in [
            (long, Ascii::Certain),
            (Value::Num(1.0), Ascii::Unknown),
            (Value::from_input(b"12"), Ascii::Certain),
            (Value::EMPTY, Ascii::Unknown),
        ] {
            for text in ["another text that is long", "short", "a third text that is quite long"] {
                value.set_text(text.as_bytes(), ascii);
                assert_eq!(value.bytes(b""), Some(text.as_bytes()));
                assert_eq!(value.strnum(b""), None);
            }
            value.set_text("größer als vierzehn Byte".as_bytes(), Ascii::Unknown);
            assert!(!value.is_known_ascii());
        }
        assert_eq!(shared.bytes(b""), Some(&b"a text that is long enough"[..]));
    }

    #[test]
    fn a_view_that_is_owned_outlives_its_record() {
        let view = Value::View(View::input(2, 5));
        let owned = view.to_owned(b"a 123 b");
        assert_eq!(owned.bytes(b"something else"), Some(&b"123"[..]));
        assert_eq!(owned.strnum(b""), Some(123.0));
    }

    #[test]
    fn a_view_of_text_is_text_and_so_is_its_copy() {
        let view = Value::View(View { start: 2, end: 5, kind: TextKind::Text });
        let record = b"a 123 b";
        assert_eq!((view.strnum(record), view.number(record)), (None, 123.0));
        assert!(matches!(view.to_owned(record), Value::Small(_)));
        let long = b"a text that is longer than fourteen bytes";
        let view = Value::View(View { start: 2, end: 30, kind: TextKind::Text });
        assert!(matches!(view.to_owned(long), Value::Str(_)));
    }

    #[test]
    fn what_is_cut_is_text_of_the_bytes_that_are_kept_and_leaves_those_who_share_it() {
        let text = b"a text that is long enough to be cut";
        for len in [0, 5, 14, 15, text.len()] {
            for start in 0..=len {
                for end in start..=len {
                    for make in [Value::from_text, Value::from_input] {
                        let mut value = make(&text[..len]);
                        assert!(value.cut(start, end));
                        assert_eq!(value.bytes(b""), Some(&text[start..end]));
                        assert!(matches!(value, Value::Small(_) | Value::Str(_)));
                        assert_eq!(matches!(value, Value::Small(_)), end - start <= SMALL_CAPACITY);
                    }
                }
            }
        }
        let mut long = Value::from_text(text);
        long.note_ascii();
        let shared = long.clone();
        assert!(!long.cut(1, 30));
        assert!(long.cut(1, 4));
        assert_eq!((long.bytes(b""), shared.bytes(b"")), (Some(&text[1..4]), Some(&text[..])));
        assert!(!Value::Num(12.0).cut(0, 1));
        let mut known = Value::from_text(text);
        known.note_ascii();
        assert!(known.cut(0, 20) && known.is_known_ascii());
    }
}
