/// What becomes of bytes that cannot be decoded and characters that cannot be encoded.
/// [`Utf8Clean8`](super::Utf8Clean8) has neither.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Stop before them and report the position.
    #[default]
    Strict,
    /// The encoding's own replacement: U+FFFD, or `?`.
    Replace,
    /// This text, which may be empty, if the encoding has it.
    ReplaceWith(String),
    /// Decoding: an unmapped byte becomes the code point of its number, as in ISO-8859-1. Encoding:
    /// an unmapped character up to U+00FF becomes the byte of its number, others the replacement.
    Permissive,
}
