//! The only `unsafe` code of this crate: bytes known to be UTF-8 become part of a `String` without
//! being validated again or copied.

use super::Verbatim;
use riverhawk_simd::{ByteOrder, ByteTable, widen_bytes, widen_utf16};

/// The bytes as a string without a copy, if they are ASCII, or UTF-8 where `kind` allows it.
#[allow(unsafe_code)]
pub(crate) fn adopt(kind: Verbatim, bytes: Vec<u8>) -> Result<String, Vec<u8>> {
    let is_text = match kind {
        Verbatim::Nothing => false,
        Verbatim::Ascii | Verbatim::Bytes => riverhawk_simd::is_ascii(&bytes),
        // `compat`, which stops at the first error, is slower on text with accents.
        Verbatim::Utf8 => simdutf8::basic::from_utf8(&bytes).is_ok(),
    };
    if !is_text {
        return Err(bytes);
    }
    // SAFETY: all of `bytes` was just found to be ASCII or valid UTF-8, as `from_utf8_unchecked`
    // requires.
    Ok(unsafe { String::from_utf8_unchecked(bytes) })
}

/// Appends [`widen_bytes`] to a string.
#[allow(unsafe_code)]
pub(crate) fn append_widened(text: &mut String, input: &[u8], table: &ByteTable) -> usize {
    // SAFETY: the kernel only appends, and only whole characters of UTF-8. It can panic only before
    // it has appended anything, if memory runs out.
    widen_bytes(input, table, unsafe { text.as_mut_vec() })
}

/// Appends [`widen_utf16`] to a string.
#[allow(unsafe_code)]
pub(crate) fn append_widened_units(text: &mut String, input: &[u8], order: ByteOrder) -> usize {
    // SAFETY: as in `append_widened`.
    widen_utf16(input, order, unsafe { text.as_mut_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn safe_twin(kind: Verbatim, bytes: Vec<u8>) -> Result<String, Vec<u8>> {
        match String::from_utf8(bytes) {
            Ok(text) if kind == Verbatim::Utf8 || kind != Verbatim::Nothing && text.is_ascii() => {
                Ok(text)
            }
            Ok(text) => Err(text.into_bytes()),
            Err(error) => Err(error.into_bytes()),
        }
    }

    proptest! {
        #[test]
        fn adopts_exactly_what_the_safe_twin_adopts(
            text in "\\PC{0,80}", noise in proptest::option::of((any::<u8>(), any::<prop::sample::Index>())),
        ) {
            let mut bytes = text.into_bytes();
            if let Some((byte, at)) = noise && !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            for kind in [Verbatim::Nothing, Verbatim::Ascii, Verbatim::Utf8, Verbatim::Bytes] {
                prop_assert_eq!(adopt(kind, bytes.clone()), safe_twin(kind, bytes.clone()));
            }
        }

        #[test]
        fn what_the_kernels_append_is_text(before: String, input in proptest::collection::vec(any::<u8>(), 0..400)) {
            let table = ByteTable::new(|byte| char::from_u32(u32::from(byte) * 0x91).filter(|_| byte != 0xFE));
            let mut text = before.clone();
            append_widened(&mut text, &input, &table);
            append_widened_units(&mut text, &input, ByteOrder::Little);
            append_widened_units(&mut text, &input, ByteOrder::Big);
            prop_assert!(text.starts_with(&before));
            prop_assert!(std::str::from_utf8(text.as_bytes()).is_ok());
        }
    }
}
