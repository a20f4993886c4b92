//! The memory layout of a value, for machine code, which reads tags and numbers itself.
//!
//! A value is 16 bytes. The first is the tag; a number's eight bytes begin at [`NUMBER_AT`]. A
//! value without clean-up, see [`tag::FIRST_COUNTED`], may be copied as 16 bytes. The rest is
//! private to this crate.

/// Bytes of a value.
pub const SIZE: usize = 16;

/// Offset of the number of a [`Value::Num`](crate::Value::Num), in bytes.
pub const NUMBER_AT: usize = 8;

/// Offset of short text's length, one byte.
pub const SHORT_LENGTH_AT: usize = 1;

/// Offset of short text's bytes; zeros follow the text.
pub const SHORT_BYTES_AT: usize = 2;

/// Offset of the address of longer text, which [`heap`] describes.
pub const TEXT_AT: usize = 8;

/// Offset of a view's first byte, 32 bits.
pub const VIEW_START_AT: usize = VIEW_AT + std::mem::offset_of!(View, start);

/// Offset of the byte after a view's last, 32 bits.
pub const VIEW_END_AT: usize = VIEW_AT + std::mem::offset_of!(View, end);

/// Offset of a view's [`TextKind`](crate::TextKind), one byte.
pub const VIEW_KIND_AT: usize = VIEW_AT + std::mem::offset_of!(View, kind);

/// Behind the tag, aligned.
const VIEW_AT: usize = align_of::<View>();

use crate::View;
pub use crate::heap::at as heap;
pub use dense::{DenseLayout, VectorLayout};

#[allow(unsafe_code)]
mod dense;

/// The tags, in the order of the variants of [`Value`](crate::Value).
pub mod tag {
    use crate::Value;

    macro_rules! tags {
        ($($(#[$doc:meta])* $name:ident = $number:literal, $pattern:pat,)*) => {
            $($(#[$doc])* pub const $name: u8 = $number;)*

            /// Number of tags.
            pub const COUNT: u8 = [$($number),*].len() as u8;

            /// The tag of a value.
            #[inline]
            pub fn of(value: &Value) -> u8 {
                match value { $($pattern => $name),* }
            }
        };
    }

    tags! {
        /// Never assigned.
        UNINIT = 0, Value::Uninit,
        /// Assigned from an unassigned value.
        UNASSIGNED = 1, Value::Unassigned,
        /// A field that the record does not have.
        NO_FIELD = 2, Value::NoField,
        /// A number.
        NUM = 3, Value::Num(_),
        /// Text inside the current record.
        VIEW = 4, Value::View(_),
        /// Short text.
        SMALL = 5, Value::Small(_),
        /// Short input text.
        SMALL_INPUT = 6, Value::SmallInput(_),
        /// 1 or 0 of `mkbool`.
        BOOL = 7, Value::Bool(_),
        /// Text.
        STR = 8, Value::Str(_),
        /// Input text.
        INPUT = 9, Value::Input(_),
        /// An array.
        ARRAY = 10, Value::Array(_),
        /// A variable that may still become an array.
        UNTYPED = 11, Value::Untyped(_),
        /// A regular expression as a value.
        REGEX = 12, Value::Regex { .. },
        /// The keys of a for-in.
        KEYS = 13, Value::Keys(_),
        /// A number that does not fit a double.
        PRECISE = 14, Value::Precise(_),
        /// An exact sum.
        SUM = 15, Value::Sum(_),
    }

    /// The first tag whose values need a clean-up when they are overwritten; all later ones do.
    pub const FIRST_COUNTED: u8 = STR;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HeapStr, KeyIter, SmallStr, TextKind, Value, new_array};

    fn one_of_each() -> Vec<Value> {
        vec![
            Value::Uninit,
            Value::Unassigned,
            Value::NoField,
            Value::Num(-2.5),
            Value::View(View::input(1, 2)),
            Value::EMPTY,
            Value::SmallInput(SmallStr::EMPTY),
            Value::Bool(crate::Truth::One),
            Value::Str(HeapStr::new(b"text")),
            Value::Input(HeapStr::new(b"text")),
            Value::Array(new_array()),
            Value::Untyped(Default::default()),
            Value::Regex { number: 0, text: HeapStr::new(b"text") },
            Value::Keys(Box::new(KeyIter::none())),
            Value::Precise(Default::default()),
            Value::Sum(Default::default()),
        ]
    }

    fn bytes_of(value: &Value) -> [u8; NUMBER_AT + 8] {
        // Reads only bytes that are always initialised: the tag and a number's eight bytes.
        let at = std::ptr::from_ref(value).cast::<u8>();
        let mut bytes = [0; NUMBER_AT + 8];
        // SAFETY: a value begins with its tag byte.
        bytes[0] = unsafe { at.read() };
        if matches!(value, Value::Num(_)) {
            for (offset, byte) in bytes.iter_mut().enumerate().skip(NUMBER_AT) {
                // SAFETY: the number's bytes.
                *byte = unsafe { at.add(offset).read() };
            }
        }
        bytes
    }

    #[test]
    fn the_first_byte_of_every_value_is_its_tag() {
        let values = one_of_each();
        assert_eq!(values.len(), tag::COUNT as usize);
        for (at, value) in values.iter().enumerate() {
            assert_eq!(usize::from(bytes_of(value)[0]), at, "{value:?}");
            assert_eq!(usize::from(tag::of(value)), at, "{value:?}");
            assert_eq!(value.is_plain(), tag::of(value) < tag::FIRST_COUNTED, "{value:?}");
        }
    }

    #[test]
    fn a_number_stands_behind_the_tag_at_its_place() {
        for number in [0.0, -0.0, 1.5, f64::NAN, f64::INFINITY] {
            let bytes = bytes_of(&Value::Num(number));
            assert_eq!(bytes[NUMBER_AT..], number.to_ne_bytes());
        }
    }

    #[test]
    fn machine_code_finds_texts_where_it_looks_for_them() {
        let value = Value::from_text(b"short");
        let at = std::ptr::from_ref(&value).cast::<u8>();
        // SAFETY: short text fills the value.
        let (length, bytes) = unsafe {
            (
                at.add(SHORT_LENGTH_AT).read(),
                std::slice::from_raw_parts(at.add(SHORT_BYTES_AT), 14).to_vec(),
            )
        };
        assert_eq!((length, bytes.as_slice()), (5, b"short\0\0\0\0\0\0\0\0\0".as_slice()));

        let text = HeapStr::new("a longer text, with \u{e4} in it".as_bytes());
        let value = Value::Str(text.clone());
        let at = std::ptr::from_ref(&value).cast::<u8>();
        // SAFETY: the value is text, whose address is there.
        let long = unsafe { at.add(TEXT_AT).cast::<*const u8>().read() };
        // SAFETY: it lives, as `value` does.
        let (length, facts, chars, bytes) = unsafe {
            assert_eq!(text.chars(|text| String::from_utf8_lossy(text).chars().count()), 27);
            let facts = long.add(heap::FACTS).read();
            let [length, chars] =
                [heap::LENGTH, heap::CHARS].map(|at| long.add(at).cast::<usize>().read());
            (length, facts, chars, std::slice::from_raw_parts(long.add(heap::BYTES), length))
        };
        assert_eq!((length, chars, bytes), (28, 27, text.as_bytes()));
        assert_eq!(
            (facts & heap::IS_ASCII, facts & heap::CHARS_ARE_KNOWN),
            (0, heap::CHARS_ARE_KNOWN)
        );
        let ascii = HeapStr::new(b"a longer text, all of it ASCII");
        assert!(ascii.is_ascii());
        let value = Value::Str(ascii);
        // SAFETY: as above.
        let facts = unsafe {
            std::ptr::from_ref(&value)
                .cast::<u8>()
                .add(TEXT_AT)
                .cast::<*const u8>()
                .read()
                .add(heap::FACTS)
                .read()
        };
        assert_eq!(facts & heap::IS_ASCII, heap::IS_ASCII);
    }

    #[test]
    fn machine_code_finds_the_parts_of_views_where_it_looks_for_them() {
        let view = View { start: 0x1234, end: 0x5678_9abc, kind: TextKind::Input };
        for view in [view, View { kind: TextKind::Text, ..view }] {
            let value = Value::View(view);
            let at = std::ptr::from_ref(&value).cast::<u8>();
            // SAFETY: the parts of a view, which are always initialised.
            let parts = unsafe {
                let [start, end] =
                    [VIEW_START_AT, VIEW_END_AT].map(|part| at.add(part).cast::<u32>().read());
                (start, end, at.add(VIEW_KIND_AT).read())
            };
            assert_eq!(parts, (view.start, view.end, view.kind as u8));
        }
    }

    #[test]
    fn an_optional_value_is_no_larger_than_a_value() {
        assert_eq!((size_of::<Value>(), size_of::<Option<Value>>()), (SIZE, SIZE));
    }
}
