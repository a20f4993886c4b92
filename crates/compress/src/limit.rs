//! How much may come out of a compressed file.

use crate::Codec;
use std::fmt;

/// Maximum size of what comes out of a compressed input. Honest data stays far below the default:
/// deflate cannot reach 1,033 times its size, and logs of one repeated line reach a few thousand
/// with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// This many bytes come out of anything, whatever its size.
    pub free: u64,
    /// Beyond that, at most so many times the bytes that went in.
    pub ratio: u64,
}

impl Default for Limit {
    /// 1 GiB, then 10,000 times.
    fn default() -> Self {
        Limit { free: 1 << 30, ratio: 10_000 }
    }
}

impl Limit {
    /// No limit.
    pub const NONE: Limit = Limit { free: u64::MAX, ratio: 0 };

    /// At most so many bytes.
    pub fn bytes(maximum: u64) -> Limit {
        Limit { free: maximum, ratio: 0 }
    }

    /// Whether `output` bytes out of `input` are too much.
    pub(crate) fn is_passed(&self, input: u64, output: u64) -> bool {
        output > self.free && output > input.saturating_mul(self.ratio)
    }
}

/// More came out than the [`Limit`] allows. Comes wrapped in an [`std::io::Error`] of kind
/// `InvalidData`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch {
    /// What it is compressed with.
    pub codec: Codec,
    /// How many bytes had gone in.
    pub input: u64,
    /// How many had come out.
    pub output: u64,
}

impl fmt::Display for TooMuch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooMuch { codec, input, output } = self;
        write!(
            out,
            "{input} bytes of {codec} data became more than {output}, over the limit for decompression"
        )
    }
}

impl std::error::Error for TooMuch {}
