//! Where a normal form has work: text as plain stretches and the sections between them.

use riverhawk_simd::first_not_below;

/// How many bytes below the form's first lead byte must follow each other to end a section. Shorter
/// stretches are left in it: handing them over costs less than starting anew.
const PLAIN_RUN: usize = 32;

/// Iterator over (plain stretch, section behind it); put together they are the text.
///
/// Plain stretches are below the first significant code point, so the form changes nothing in them,
/// and none of them begins with something that joins what is before. Their last code point may be
/// joined by what follows; it is therefore given to the section. So each section can be normalised
/// by itself.
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
        // Back to where the code point before begins.
        let mut start = first.saturating_sub(1);
        while start > 0 && is_continuation(self.rest[start]) {
            start -= 1;
        }
        // On to where a long plain stretch begins, or the end. From the back of each window: in a
        // script that is all above the limit the last byte that is so is the last or the
        // one before it.
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
