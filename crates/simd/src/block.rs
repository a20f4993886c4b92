//! Blocks of 64 bytes, one for each mark word.

/// Bytes per mark word.
pub const BLOCK: usize = 64;

/// Passes every block with its length to `kernel`, which writes its word and returns whether it is
/// not ASCII. The last one is padded with ASCII; marks of the padding are cut off.
#[inline(always)]
pub(crate) fn each_block(
    text: &[u8],
    marks: &mut [u64],
    non_ascii: &mut [u64],
    mut kernel: impl FnMut(&[u8; BLOCK], usize, &mut u64) -> bool,
) {
    let (blocks, tail) = text.as_chunks::<BLOCK>();
    let mut words = marks.iter_mut();
    for (group, flags) in blocks.chunks(64).zip(non_ascii.iter_mut()) {
        let mut high = 0;
        for (i, (block, word)) in group.iter().zip(&mut words).enumerate() {
            high |= u64::from(kernel(block, BLOCK, word)) << i;
        }
        let kept = if group.len() == 64 { 0 } else { !0 << group.len() };
        *flags = *flags & kept | high;
    }
    if let (false, Some(word), Some(flags)) =
        (tail.is_empty(), words.next(), non_ascii.get_mut(blocks.len() / 64))
    {
        let mut block = [b'x'; BLOCK];
        block[..tail.len()].copy_from_slice(tail);
        let is_high = kernel(&block, tail.len(), word);
        *word &= !(!0 << tail.len());
        let bit = blocks.len() % 64;
        *flags = *flags & !(1 << bit) | u64::from(is_high) << bit;
    }
}

/// Fewer than 16 bytes as two words, zeros above: overlapping loads, the second shifted.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline]
pub(crate) fn short_words(bytes: &[u8]) -> [u64; 2] {
    let length = bytes.len();
    debug_assert!(length < 16);
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        // A shift by 64 must give 0.
        let high = u64::from_le_bytes(*last).checked_shr(8 * (16 - length as u32)).unwrap_or(0);
        [u64::from_le_bytes(*first), high]
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let low = u64::from(u32::from_le_bytes(*first));
        [low | u64::from(u32::from_le_bytes(*last)) << (8 * (length - 4)), 0]
    } else {
        // Up to three bytes: first, middle and last, which may coincide.
        let low = [0, length / 2, length.saturating_sub(1)]
            .into_iter()
            .fold(0, |low, at| low | u64::from(bytes.get(at).copied().unwrap_or(0)) << (8 * at));
        [low, 0]
    }
}
