//! A file's encoding and line ends.
//!
//! Text in memory is UTF-8 with LF. A file keeps its encoding, byte order mark and byte order.

use crate::error::{ErrorKind, Failure, Step};
use riverhawk_text::decoder::Decoder;
use riverhawk_text::encoding::{
    DecodeError, EncodeError, Encoder, Encoding, Policy, Utf16Be, Utf16Le, Verbatim,
};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Whether a file is bytes (the default), or text in an encoding.
///
/// ```
/// use riverhawk_slurp::{Slurp, TextForm};
/// use riverhawk_text::encoding::{Latin1, Policy};
///
/// let form = TextForm::new(Latin1).policy(Policy::Strict).crlf();
/// let text = Slurp::new().form(form).read_from("memory", &b"na\xEFve\r\n"[..])?;
/// assert_eq!(text, "naïve\n".as_bytes());
/// # Ok::<(), riverhawk_slurp::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct TextForm {
    encoding: Option<Arc<dyn Encoding>>,
    policy: Policy,
    crlf: bool,
}

/// What the beginning of a file says about the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Head {
    /// A missing or empty file: begins as the encoding does.
    #[default]
    New,
    /// A byte order mark, or the little-endian one of `utf-16`.
    Mark,
    /// The big-endian mark of `utf-16`.
    BigEndianMark,
    /// Text from the first byte on.
    Text,
}

/// Bytes that determine the [`Head`]: the longest byte order mark has four.
pub(crate) const HEAD_LENGTH: usize = 4;

impl TextForm {
    /// Bytes, unchanged.
    pub fn binary() -> Self {
        Self::default()
    }

    /// Text in `encoding`, strictly.
    pub fn new(encoding: impl Encoding + 'static) -> Self {
        Self { encoding: Some(Arc::new(encoding)), policy: Policy::Strict, crlf: false }
    }

    /// The treatment of undecodable and unencodable text. No effect on the binary form.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Lines end with CRLF in the file: reading makes it LF, writing makes LF without a preceding
    /// CR CRLF.
    #[must_use]
    pub fn crlf(mut self) -> Self {
        self.crlf = true;
        self
    }

    pub(crate) fn is_verbatim(&self) -> bool {
        self.encoding.is_none() && !self.crlf
    }

    /// Converts to UTF-8, in place if it is UTF-8 already.
    pub(crate) fn decode(&self, bytes: &mut Vec<u8>) -> Result<(), Failure> {
        if let Some(encoding) = &self.encoding {
            let bom = encoding.bom();
            if !bom.is_empty() && bytes.starts_with(bom) {
                bytes.drain(..bom.len());
            }
            if !is_own_text(bytes, encoding.decoder().verbatim()) {
                let mut text = Vec::with_capacity(bytes.len() + bytes.len() / 8);
                let mut decoder = Decoder::bytes(Arc::clone(encoding))
                    .with_policy(self.policy.clone())
                    .with_bom_kept();
                decoder.add(std::mem::take(bytes));
                decoder.finish();
                decoder.take_available_into(&mut text).map_err(undecodable)?;
                *bytes = text;
            }
        }
        if self.crlf {
            fold_crlf(bytes);
        }
        Ok(())
    }

    /// From the first [`HEAD_LENGTH`] bytes, or the whole shorter file.
    pub(crate) fn head(&self, bytes: &[u8]) -> Head {
        let Some(encoding) = &self.encoding else { return Head::Text };
        let little_endian = is_utf_16(encoding) && bytes.starts_with(b"\xFF\xFE");
        let marked = !encoding.bom().is_empty() && bytes.starts_with(encoding.bom());
        if bytes.is_empty() {
            Head::New
        } else if marked || little_endian {
            Head::Mark
        } else if is_utf_16(encoding) && bytes.starts_with(b"\xFE\xFF") {
            Head::BigEndianMark
        } else {
            Head::Text
        }
    }

    /// Converts UTF-8 to a whole file that begins with `head`.
    pub(crate) fn encode<'a>(&self, text: &'a [u8], head: Head) -> Result<Cow<'a, [u8]>, Failure> {
        // An empty file stays empty: a mark alone is not text.
        let mark: &[u8] = match (&self.encoding, head) {
            (None, _) | (_, Head::New | Head::Text) => b"",
            (Some(encoding), Head::Mark) if is_utf_16(encoding) => b"\xFF\xFE",
            (Some(encoding), Head::Mark) => encoding.bom(),
            (_, Head::BigEndianMark) => b"\xFE\xFF",
        };
        self.convert(text, head, mark)
    }

    /// Converts UTF-8 to bytes to append to a file that begins with `head`.
    pub(crate) fn encode_more<'a>(
        &self,
        text: &'a [u8],
        head: Head,
    ) -> Result<Cow<'a, [u8]>, Failure> {
        self.convert(text, head, b"")
    }

    fn convert<'a>(
        &self,
        text: &'a [u8],
        head: Head,
        mark: &[u8],
    ) -> Result<Cow<'a, [u8]>, Failure> {
        let text = if self.crlf { unfold_crlf(text) } else { Cow::Borrowed(text) };
        let Some(encoding) = &self.encoding else { return Ok(text) };
        if mark.is_empty() && is_own_text(&text, encoding.encoder().verbatim()) {
            return Ok(text);
        }
        let encoding: Arc<dyn Encoding> = match head {
            // `utf-16` alone would begin with a mark; without one it is little-endian.
            Head::Mark | Head::Text if is_utf_16(encoding) => Arc::new(Utf16Le),
            Head::BigEndianMark => Arc::new(Utf16Be),
            _ if is_utf_16(encoding) && text.is_empty() => Arc::new(Utf16Le),
            _ => Arc::clone(encoding),
        };
        let mut bytes = Vec::with_capacity(mark.len() + text.len());
        bytes.extend_from_slice(mark);
        let mut encoder = Encoder::new(encoding).with_policy(self.policy.clone());
        encoder.push(&text, &mut bytes).map_err(unencodable)?;
        encoder.finish(&mut bytes).map_err(unencodable)?;
        Ok(Cow::Owned(bytes))
    }
}

impl fmt::Debug for TextForm {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoding = self.encoding.as_ref().map(|encoding| encoding.name());
        out.debug_struct("TextForm")
            .field("encoding", &encoding)
            .field("policy", &self.policy)
            .field("crlf", &self.crlf)
            .finish()
    }
}

fn undecodable(error: DecodeError) -> Failure {
    Failure::new(Step::Decode, ErrorKind::Undecodable, error)
}

fn unencodable(error: EncodeError) -> Failure {
    Failure::new(Step::Encode, ErrorKind::Unencodable, error)
}

/// The only encoding whose mark is part of it and decides how to read the rest.
fn is_utf_16(encoding: &Arc<dyn Encoding>) -> bool {
    encoding.name() == "utf-16"
}

fn is_own_text(bytes: &[u8], verbatim: Verbatim) -> bool {
    match verbatim {
        Verbatim::Nothing => false,
        Verbatim::Ascii => riverhawk_simd::is_ascii(bytes),
        Verbatim::Utf8 => riverhawk_simd::validate_utf8(bytes).is_ok(),
        Verbatim::Bytes => true,
    }
}

fn fold_crlf(text: &mut Vec<u8>) {
    let crlf = memchr::memmem::Finder::new(b"\r\n");
    // Kept bytes end at `end`; the rest begins at `from`, never before.
    let (mut end, mut from) = (0, 0);
    while let Some(length) = crlf.find(&text[from..]) {
        text.copy_within(from..from + length, end);
        end += length;
        text[end] = b'\n';
        end += 1;
        from += length + 2;
    }
    text.copy_within(from.., end);
    text.truncate(text.len() - (from - end));
}

fn unfold_crlf(text: &[u8]) -> Cow<'_, [u8]> {
    let is_bare = |at: usize| at == 0 || text[at - 1] != b'\r';
    let mut bare = memchr::memchr_iter(b'\n', text).filter(|&at| is_bare(at)).peekable();
    if bare.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len() + text.len() / 32 + 16);
    let mut from = 0;
    for at in bare {
        bytes.extend_from_slice(&text[from..at]);
        bytes.push(b'\r');
        from = at;
    }
    bytes.extend_from_slice(&text[from..]);
    Cow::Owned(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn folding_and_unfolding_are_the_naive_replacements(text in "[ab\r\n]{0,60}") {
            let mut folded = text.clone().into_bytes();
            fold_crlf(&mut folded);
            let naive = text.replace("\r\n", "\n");
            prop_assert_eq!(&folded, naive.as_bytes());
            let unfolded = unfold_crlf(text.as_bytes());
            let naive = text.replace("\r\n", "\n").replace('\n', "\r\n");
            prop_assert_eq!(&*unfolded, naive.as_bytes());
        }
    }
}
