//! The form of decoded text.

use super::adopt::adopt;
use super::utf8::incomplete_tail;
use super::{Decode, Decoded, Verbatim};
use std::borrow::Borrow;
use std::ops::Range;

/// The form of decoded text: [`String`] (results are `&str`) or `Vec<u8>` (results are `&[u8]`).
///
/// In a `Vec<u8>`, `utf-8-c8` keeps all bytes as they are. Other encodings give the same UTF-8 in
/// both forms. Sealed.
pub trait Text: Default + Send + Sync + Borrow<Self::Slice> + sealed::Sealed {
    /// The borrowed form: `str` or `[u8]`.
    type Slice: ?Sized + ToOwned<Owned = Self> + AsRef<[u8]> + PartialEq + std::fmt::Debug + 'static;

    /// Whether it may hold any bytes.
    #[doc(hidden)]
    const RAW: bool;

    #[doc(hidden)]
    fn bytes(&self) -> &[u8];

    #[doc(hidden)]
    fn slice(&self, range: Range<usize>) -> &Self::Slice;

    #[doc(hidden)]
    fn push(&mut self, slice: &Self::Slice);

    #[doc(hidden)]
    fn truncate_to(&mut self, length: usize);

    /// Its memory, for [`from_empty`](Text::from_empty).
    #[doc(hidden)]
    fn into_bytes(self) -> Vec<u8>;

    /// An empty text in the memory of `bytes`.
    #[doc(hidden)]
    fn from_empty(bytes: Vec<u8>) -> Self;

    /// Lets `decode` append to this text, through `scratch` if it is not a string.
    #[doc(hidden)]
    fn append_with<R>(&mut self, scratch: &mut String, decode: impl FnOnce(&mut String) -> R) -> R;

    /// Lets `decoder` append to this text, through `scratch` if necessary.
    #[doc(hidden)]
    fn decode_with(
        &mut self,
        scratch: &mut String,
        decoder: &mut dyn Decode,
        input: &[u8],
    ) -> Decoded;

    /// Appends bytes up to the first that are not verbatim text; returns how many.
    #[doc(hidden)]
    fn push_verbatim(&mut self, kind: Verbatim, bytes: &[u8]) -> usize;

    /// Adopts `bytes` if all are verbatim text.
    #[doc(hidden)]
    fn adopt_verbatim(kind: Verbatim, bytes: Vec<u8>) -> Result<Self, Vec<u8>>;

    /// How many of the last bytes are an incomplete character.
    #[doc(hidden)]
    fn tail(kind: Verbatim, bytes: &[u8]) -> usize;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for String {}
    impl Sealed for Vec<u8> {}
}

/// How many bytes at the start of `input` are their own text in an encoding of this `kind`.
pub(crate) fn verbatim_prefix<T: Text>(kind: Verbatim, input: &[u8]) -> usize {
    match kind {
        Verbatim::Nothing => 0,
        Verbatim::Bytes if T::RAW => input.len(),
        Verbatim::Ascii | Verbatim::Bytes => ascii_prefix(input),
        Verbatim::Utf8 => match simdutf8::compat::from_utf8(input) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        },
    }
}

/// Length of the ASCII prefix of `input`, in whole blocks: testing a block is faster than finding a
/// position.
fn ascii_prefix(input: &[u8]) -> usize {
    const BLOCK: usize = 4096;
    let mut at = 0;
    for block in input.chunks(BLOCK) {
        if !riverhawk_simd::is_ascii(block) {
            return at + encoding_rs::Encoding::ascii_valid_up_to(block);
        }
        at += block.len();
    }
    at
}

impl Text for String {
    type Slice = str;
    const RAW: bool = false;

    #[inline]
    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    #[inline]
    fn slice(&self, range: Range<usize>) -> &str {
        &self[range]
    }

    fn push(&mut self, slice: &str) {
        self.push_str(slice);
    }

    fn truncate_to(&mut self, length: usize) {
        self.truncate(length);
    }

    fn into_bytes(self) -> Vec<u8> {
        String::into_bytes(self)
    }

    fn from_empty(mut bytes: Vec<u8>) -> String {
        bytes.clear();
        String::from_utf8(bytes).unwrap_or_default()
    }

    fn append_with<R>(&mut self, _: &mut String, decode: impl FnOnce(&mut String) -> R) -> R {
        decode(self)
    }

    fn decode_with(&mut self, _: &mut String, decoder: &mut dyn Decode, input: &[u8]) -> Decoded {
        decoder.decode(input, self)
    }

    fn push_verbatim(&mut self, kind: Verbatim, bytes: &[u8]) -> usize {
        let length = verbatim_prefix::<String>(kind, bytes);
        let text = simdutf8::basic::from_utf8(&bytes[..length]).unwrap_or_default();
        self.push_str(text);
        text.len()
    }

    fn adopt_verbatim(kind: Verbatim, bytes: Vec<u8>) -> Result<String, Vec<u8>> {
        adopt(kind, bytes)
    }

    fn tail(kind: Verbatim, bytes: &[u8]) -> usize {
        if kind == Verbatim::Utf8 { incomplete_tail(bytes) } else { 0 }
    }
}

impl Text for Vec<u8> {
    type Slice = [u8];
    const RAW: bool = true;

    #[inline]
    fn bytes(&self) -> &[u8] {
        self
    }

    #[inline]
    fn slice(&self, range: Range<usize>) -> &[u8] {
        &self[range]
    }

    fn push(&mut self, slice: &[u8]) {
        self.extend_from_slice(slice);
    }

    fn truncate_to(&mut self, length: usize) {
        self.truncate(length);
    }

    fn into_bytes(self) -> Vec<u8> {
        self
    }

    fn from_empty(mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.clear();
        bytes
    }

    fn append_with<R>(&mut self, scratch: &mut String, decode: impl FnOnce(&mut String) -> R) -> R {
        scratch.clear();
        let result = decode(scratch);
        self.extend_from_slice(scratch.as_bytes());
        result
    }

    fn decode_with(
        &mut self,
        scratch: &mut String,
        decoder: &mut dyn Decode,
        input: &[u8],
    ) -> Decoded {
        match decoder.decode_bytes(input, self) {
            Some(decoded) => decoded,
            None => self.append_with(scratch, |text| decoder.decode(input, text)),
        }
    }

    fn push_verbatim(&mut self, kind: Verbatim, bytes: &[u8]) -> usize {
        let _ = kind;
        self.extend_from_slice(bytes);
        bytes.len()
    }

    fn adopt_verbatim(kind: Verbatim, bytes: Vec<u8>) -> Result<Vec<u8>, Vec<u8>> {
        let is_text = match kind {
            Verbatim::Nothing => false,
            Verbatim::Ascii => riverhawk_simd::is_ascii(&bytes),
            Verbatim::Utf8 => simdutf8::basic::from_utf8(&bytes).is_ok(),
            Verbatim::Bytes => true,
        };
        if is_text { Ok(bytes) } else { Err(bytes) }
    }

    fn tail(kind: Verbatim, bytes: &[u8]) -> usize {
        if matches!(kind, Verbatim::Utf8 | Verbatim::Bytes) { incomplete_tail(bytes) } else { 0 }
    }
}

/// The offset, or the first byte of the character that it is inside of; at most the text's length.
pub(super) fn character_begin(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rfind(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
