//! Taking grapheme clusters.

use super::Decoder;
use super::pending::{Head, Spot};
use crate::GraphemeScanner;
use crate::encoding::{DecodeError, Text};

pub(super) struct CountedClusters {
    scanner: GraphemeScanner,
    /// Where counting began. The count is invalid if text has been taken since.
    head: Head,
    wanted: usize,
    chunk: u64,
    at: usize,
    /// The end of the last cluster wanted, in bytes of text, once it is certain.
    end: Option<u64>,
}

impl<T: Text> Decoder<T> {
    /// Exactly `n` grapheme clusters; at the end of the input the rest.
    ///
    /// The last cluster is withheld while a combining mark may still join it.
    ///
    /// ```
    /// # use riverhawk_text::{decoder::Decoder, encoding::Utf8};
    /// let mut decoder = Decoder::new(Utf8);
    /// decoder.add_slice(b"e");
    /// assert_eq!(decoder.take_graphemes(1)?, None); // it may still get an accent
    /// decoder.add_slice("\u{301}x".as_bytes());
    /// assert_eq!(decoder.take_graphemes(1)?, Some("e\u{301}"));
    /// # Ok::<(), riverhawk_text::encoding::DecodeError>(())
    /// ```
    ///
    /// # Errors
    /// Undecodable bytes among them, under the strict policy.
    pub fn take_graphemes(&mut self, n: usize) -> Result<Option<&T::Slice>, DecodeError> {
        self.pending.retire();
        let end = loop {
            if let Some(end) = self.count_clusters(n) {
                break end;
            }
            if !self.intake.step(&mut self.pending)? {
                if !self.intake.ended || self.pending.is_empty() {
                    return Ok(None);
                }
                break self.finish_clusters();
            }
        };
        Ok(Some(self.lend_until(end)))
    }

    /// Where the first `n` clusters end, if that is certain; otherwise keeps the count for the next
    /// call.
    fn count_clusters(&mut self, n: usize) -> Option<Spot> {
        if n == 0 {
            return Some(Spot {
                chunk: 0,
                at: self.pending.chunks.front().map_or(0, |first| first.from),
            });
        }
        let (head, retired) = (self.pending.head(), self.pending.retired);
        let usable =
            self.counted_clusters.take().filter(|so_far| so_far.head == head && so_far.wanted == n);
        let mut counted = usable.unwrap_or(CountedClusters {
            scanner: GraphemeScanner::new(),
            head,
            wanted: n,
            chunk: head.chunk,
            at: 0,
            end: None,
        });
        while counted.end.is_none()
            && let Some(chunk) = self.pending.chunks.get((counted.chunk - retired) as usize)
        {
            counted.at = counted.at.max(chunk.from);
            let rest = &chunk.text.bytes()[counted.at..];
            if rest.is_empty() {
                if (counted.chunk - retired) as usize + 1 == self.pending.chunks.len() {
                    break;
                }
                counted = CountedClusters { chunk: counted.chunk + 1, at: 0, ..counted };
                continue;
            }
            // Most clusters have one to four bytes.
            let so_far = counted.scanner.complete_count() as usize;
            let piece = &rest[..rest.len().min(4 * (n - so_far.min(n)) + 32)];
            let (mut index, mut end) = (so_far, None);
            counted.scanner.feed(piece, |at| {
                index += 1;
                if index == n {
                    end = Some(at);
                }
            });
            counted.at += piece.len();
            counted.end = end;
        }
        match counted.end {
            Some(end) => Some(self.spot_after(end)),
            None => {
                self.counted_clusters = Some(counted);
                None
            }
        }
    }

    fn finish_clusters(&mut self) -> Spot {
        let Some(mut counted) = self.counted_clusters.take() else { return self.pending.end() };
        let (mut index, mut end) = (counted.scanner.complete_count() as usize, None);
        counted.scanner.finish(|at| {
            index += 1;
            if index == counted.wanted {
                end = Some(at);
            }
        });
        end.map_or_else(|| self.pending.end(), |end| self.spot_after(end))
    }

    fn spot_after(&self, length: u64) -> Spot {
        let mut left = length as usize;
        for (index, chunk) in self.pending.chunks.iter().enumerate() {
            let here = chunk.text.bytes().len() - chunk.from;
            if left <= here {
                return Spot { chunk: index, at: chunk.from + left };
            }
            left -= here;
        }
        self.pending.end()
    }
}
