//! What becomes of bytes that cannot be decoded and of characters that cannot be encoded.

/// To pass everything through, use the encoding [`Utf8Clean8`](super::Utf8Clean8), for which
/// nothing is undecodable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Stop in front of it and say where it is.
    #[default]
    Strict,
    /// The encoding's own replacement: U+FFFD, or `?`.
    Replace,
    /// This text, which may be empty, as far as the encoding has it.
    ReplaceWith(String),
    /// Decoding: unmapped bytes stand for the code point of their number, as in ISO-8859-1.
    /// Encoding: unmapped characters up to U+00FF become the byte of their number, others the
    /// replacement.
    Permissive,
}
