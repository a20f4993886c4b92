//! Stretches of valid UTF-8.

use riverhawk_simd::validate_utf8;
use std::str::Utf8Chunks;

/// The stretches of `text`, each valid UTF-8 followed by broken bytes.
///
/// Valid text is one stretch, checked by SIMD. After the first broken byte the standard library
/// does the work, since SIMD would read all that follows again for each stretch.
pub(crate) fn stretches(text: &[u8]) -> Stretches<'_> {
    match validate_utf8(text) {
        Ok(valid) => Stretches::Whole(Some(valid)),
        Err(_) => Stretches::Broken(text.utf8_chunks()),
    }
}

pub(crate) enum Stretches<'a> {
    Whole(Option<&'a str>),
    Broken(Utf8Chunks<'a>),
}

impl<'a> Iterator for Stretches<'a> {
    type Item = (&'a str, &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<(&'a str, &'a [u8])> {
        match self {
            Stretches::Whole(text) => text.take().map(|valid| (valid, &[][..])),
            Stretches::Broken(chunks) => {
                chunks.next().map(|chunk| (chunk.valid(), chunk.invalid()))
            }
        }
    }
}
