//! Finds the sections of a text in which a normal form may change something.

use riverhawk_simd::first_not_below;

/// Shorter plain stretches stay in a section: this costs less than starting another.
const PLAIN_RUN: usize = 32;

/// Iterates over a text as pairs: a plain stretch and the section after it.
///
/// A plain stretch is below the first significant code point. Its last code point belongs to the
/// section, which may join it; so each section can be normalised on its own.
pub(super) struct Sections<'a> {
    rest: &'a [u8],
    lead: u8,
}

impl<'a> Sections<'a> {
    pub(super) fn new(text: &'a [u8], lead: u8) -> Self {
        Sections { rest: text, lead }
    }
}

impl<'a> Iterator for Sections<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        if self.rest.is_empty() {
            return None;
        }
        let Some(first) = first_not_below(self.rest, self.lead, self.lead) else {
            return Some((std::mem::take(&mut self.rest), &[]));
        };
        // Back to the start of the code point before.
        let mut start = first.saturating_sub(1);
        while start > 0 && is_continuation(self.rest[start]) {
            start -= 1;
        }
        // On to the start of a long plain stretch; windows are searched from their end.
        let mut end = first + 1;
        while let Some(found) =
            last_not_below(&self.rest[end..self.rest.len().min(end + PLAIN_RUN)], self.lead)
        {
            end += found + 1;
        }
        while end < self.rest.len() && is_continuation(self.rest[end]) {
            end += 1;
        }
        let (head, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(head.split_at(start))
    }
}

fn last_not_below(window: &[u8], limit: u8) -> Option<usize> {
    window.iter().rposition(|byte| *byte >= limit)
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}
