//! Escapes that regular expressions do not have.

/// The escapes that are read as operators in regular expressions, characters that an escape makes plain, and the escapes of strings.
const KNOWN: &[u8] = b"BSW<>swy`'abfnrtuvx01234567/-[]{}()|*+?.^$\\\n";
/// Those of them that only gawk has.
const ONLY_OF_GAWK: &[u8] = b"BSW<>suwy`'";

/// The letters of a pattern before which a backslash does nothing, with all of gawk's operators or without.
///
/// ```
/// use riverhawk_syntax::lint::unknown_escapes;
/// assert!(unknown_escapes(br"\q\.\y\_", true).eq([b'q', b'_']));
/// assert!(unknown_escapes(br"\q\.\y\_", false).eq([b'q', b'y', b'_']));
/// ```
pub fn unknown_escapes(pattern: &[u8], extensions: bool) -> impl Iterator<Item = u8> {
    let mut bytes = pattern.iter().copied();
    std::iter::from_fn(move || {
        loop {
            let escaped = bytes.find(|&byte| byte == b'\\').and_then(|_| bytes.next())?;
            let known = KNOWN.contains(&escaped) && (extensions || !ONLY_OF_GAWK.contains(&escaped));
            if !known && escaped.is_ascii_graphic() {
                return Some(escaped);
            }
        }
    })
}
