//! What becomes of bytes that cannot be decoded and of characters that cannot be encoded.

/// What to do with something that has no counterpart on the other side.
///
/// There is no policy called "pass through": that is the encoding
/// [`Utf8Clean8`](super::Utf8Clean8), for which nothing is undecodable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Stop in front of it and say where it is.
    #[default]
    Strict,
    /// Put the encoding's own replacement in its place: U+FFFD, or `?` if the encoding is not one
    /// of all of Unicode.
    Replace,
    /// Put this text in its place. It may be empty. A replacement that the encoding has not either
    /// is left out.
    ReplaceWith(String),
    /// Decoding: bytes that are left unmapped stand for the code point of their number, as in
    /// ISO-8859-1. Encoding: characters up to U+00FF that are left unmapped become the byte of
    /// their number, all others the encoding's replacement.
    Permissive,
}
