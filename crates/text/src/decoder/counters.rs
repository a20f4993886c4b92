/// What a decoder did with its bytes, for tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecoderCounters {
    /// Bytes copied when they were added.
    pub copied_in_bytes: u64,
    /// Bytes of chunks that became text without being copied.
    pub adopted_bytes: u64,
    /// Bytes that were decoded or copied.
    pub converted_bytes: u64,
    /// Bytes of text put together from several chunks.
    pub joined_bytes: u64,
    /// Bytes of text copied because the caller wanted to own them.
    pub copied_out_bytes: u64,
    /// Chunks given to the caller as they were.
    pub handed_over: u64,
    /// Bytes searched for separators.
    pub searched_bytes: u64,
}
