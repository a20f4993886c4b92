//! Clusters of a stream.

use super::rules::Machine;
use super::{Class, class_of, first_class};

/// Finds the clusters of a stream cut anywhere: inside CR LF, a pair of flags, a code point.
///
/// It keeps the state of the rules and up to three bytes of an incomplete code point. The bytes
/// before [`complete_offset`](Self::complete_offset) are complete clusters. The cluster after it
/// may still grow; the caller keeps its bytes. A control character at the end of a piece is final,
/// so a line never waits.
///
/// ```
/// use riverhawk_text::GraphemeScanner;
///
/// let mut scanner = GraphemeScanner::new();
/// let mut ends = Vec::new();
/// scanner.feed(b"ae", |end| ends.push(end));
/// assert_eq!((&ends[..], scanner.complete_offset()), (&[1][..], 1)); // "e" may still get an accent
/// scanner.feed(b"\xCC\x81\r", |end| ends.push(end));
/// assert_eq!(ends, [1, 4]);
/// scanner.feed(b"\n", |end| ends.push(end));
/// assert_eq!(ends, [1, 4, 6]); // after a line feed nothing is waited for
/// assert_eq!(scanner.finish(|_| unreachable!()), 3);
/// ```
#[derive(Clone, Debug)]
pub struct GraphemeScanner {
    machine: Machine,
    /// The start of a code point.
    partial: [u8; 3],
    partial_len: usize,
    scanned_offset: u64,
    complete_offset: u64,
    complete: u64,
}

impl Default for GraphemeScanner {
    fn default() -> Self {
        Self::new()
    }
}

impl GraphemeScanner {
    /// A scanner at the start of a stream.
    pub const fn new() -> Self {
        GraphemeScanner {
            machine: Machine::START,
            partial: [0; 3],
            partial_len: 0,
            scanned_offset: 0,
            complete_offset: 0,
            complete: 0,
        }
    }

    /// How many bytes from the start of the stream are complete clusters.
    pub fn complete_offset(&self) -> u64 {
        self.complete_offset
    }

    /// How many clusters have been completed.
    pub fn complete_count(&self) -> u64 {
        self.complete
    }

    /// Takes the next bytes and reports the end of each completed cluster, as an offset in the
    /// stream.
    pub fn feed(&mut self, mut piece: &[u8], mut on_end: impl FnMut(u64)) {
        // A code point that was cut is read byte by byte until it is complete or broken.
        while self.partial_len > 0 {
            let Some((&byte, rest)) = piece.split_first() else { return };
            let mut bytes = [0; 4];
            bytes[..self.partial_len].copy_from_slice(&self.partial[..self.partial_len]);
            bytes[self.partial_len] = byte;
            let bytes = &bytes[..=self.partial_len];
            if is_cut_short(bytes) {
                self.partial[self.partial_len] = byte;
                self.partial_len += 1;
                piece = rest;
            } else if crate::char_len(bytes) == bytes.len() {
                self.partial_len = 0;
                self.scan_bytes(bytes, &mut on_end);
                piece = rest;
            } else {
                // The bytes so far are broken, and a new code point starts.
                self.drop_partial(&mut on_end);
            }
        }
        let mut whole = piece.len();
        for len in 1..=piece.len().min(3) {
            if is_cut_short(&piece[piece.len() - len..]) {
                whole = piece.len() - len;
                self.partial[..len].copy_from_slice(&piece[whole..]);
                self.partial_len = len;
            }
        }
        self.scan_bytes(&piece[..whole], &mut on_end);
    }

    /// Ends the stream and returns its number of clusters. The scanner can be reused.
    pub fn finish(&mut self, mut on_end: impl FnMut(u64)) -> u64 {
        self.drop_partial(&mut on_end);
        if self.complete_offset < self.scanned_offset {
            self.end_cluster(&mut on_end);
        }
        let count = self.complete;
        *self = Self::new();
        count
    }

    /// Counts each byte of the partial code point as broken.
    fn drop_partial(&mut self, on_end: &mut impl FnMut(u64)) {
        for _ in 0..std::mem::take(&mut self.partial_len) {
            self.scan(Class::Control as u8, 1, on_end);
        }
    }

    fn scan_bytes(&mut self, mut text: &[u8], on_end: &mut impl FnMut(u64)) {
        while let Some((class, len)) = match text {
            [byte, ..] if byte.is_ascii() => Some((class_of(char::from(*byte)), 1)),
            _ => first_class(text),
        } {
            self.scan(class, len, on_end);
            text = &text[len..];
        }
    }

    #[inline]
    fn scan(&mut self, class: u8, len: usize, on_end: &mut impl FnMut(u64)) {
        if self.machine.step(class) && self.complete_offset < self.scanned_offset {
            self.end_cluster(on_end);
        }
        self.scanned_offset += len as u64;
        if self.machine.is_fresh() {
            self.end_cluster(on_end);
        }
    }

    fn end_cluster(&mut self, on_end: &mut impl FnMut(u64)) {
        self.complete_offset = self.scanned_offset;
        self.complete += 1;
        on_end(self.complete_offset);
    }
}

fn is_cut_short(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [0xC2..=0xF4]
            | [0xE0, 0xA0..=0xBF]
            | [0xE1..=0xEC | 0xEE | 0xEF | 0xF1..=0xF3, 0x80..=0xBF]
            | [0xED, 0x80..=0x9F]
            | [0xF0, 0x90..=0xBF]
            | [0xF4, 0x80..=0x8F]
            | [0xF0, 0x90..=0xBF, 0x80..=0xBF]
            | [0xF1..=0xF3, 0x80..=0xBF, 0x80..=0xBF]
            | [0xF4, 0x80..=0x8F, 0x80..=0xBF]
    )
}
