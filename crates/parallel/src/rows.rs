//! Finds where rows of CSV begin in the middle of a file.
//!
//! Whether a newline is in quotes depends on all quotes before it. [`guess`] supposes that the text
//! does not begin in quotes, which reading up to the place confirms. [`follow`] scans from a known
//! row.

use riverhawk_simd::{BLOCK, QuoteState, Quoting, find_byte, find_last_byte, mark_rows};

const STEP: usize = 1024;

/// If the text does not begin in quotes.
pub(super) fn guess(text: &[u8], quoting: Quoting) -> Option<usize> {
    let mut state = QuoteState::START;
    first_row(text, quoting, &mut state)
}

pub(super) fn follow(text: &[u8], quoting: Quoting, state: &mut QuoteState) {
    let mut at = 0;
    while at < text.len() {
        // Outside quotes only a quote matters.
        if !state.in_quotes {
            at = find_byte(quoting.quote, &text[at..]).map_or(text.len(), |quote| at + quote);
        }
        let end = (at + STEP).min(text.len());
        marks(&text[at..end], quoting, state);
        at = end;
    }
}

/// After a newline. If none, `state` becomes that of the end.
pub(super) fn first_row(text: &[u8], quoting: Quoting, state: &mut QuoteState) -> Option<usize> {
    text.chunks(STEP).enumerate().find_map(|(number, step)| {
        let marks = marks(step, quoting, state);
        let word = marks.iter().position(|&word| word != 0)?;
        Some(number * STEP + word * BLOCK + marks[word].trailing_zeros() as usize + 1)
    })
}

/// After a newline; possibly the text's end.
pub(super) fn last_row(text: &[u8], quoting: Quoting) -> Option<usize> {
    let Some(quote) = find_byte(quoting.quote, text) else {
        return find_last_byte(b'\n', text).map(|at| at + 1);
    };
    let (free, mut state) = (quote - quote % STEP, QuoteState::START);
    follow(&text[..free], quoting, &mut state);
    let mut last = find_last_byte(b'\n', &text[..free]).map(|at| at + 1);
    for (number, step) in text[free..].chunks(STEP).enumerate() {
        let marks = marks(step, quoting, &mut state);
        if let Some(word) = marks.iter().rposition(|&word| word != 0) {
            last = Some(free + number * STEP + word * BLOCK + marks[word].ilog2() as usize + 1);
        }
    }
    last
}

fn marks(step: &[u8], quoting: Quoting, state: &mut QuoteState) -> [u64; STEP / BLOCK] {
    let mut marks = [0; STEP / BLOCK];
    if !step.is_empty() {
        mark_rows(step, quoting, state, &mut marks, &mut [0]);
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(text: &[u8]) -> (Vec<QuoteState>, Vec<usize>) {
        let (mut states, mut rows, mut state) =
            (vec![QuoteState::START], vec![0], QuoteState::START);
        for (at, &byte) in text.iter().enumerate() {
            state.in_quotes ^= byte == b'"';
            if byte == b'\n' && !state.in_quotes {
                rows.push(at + 1);
            }
            states.push(state);
        }
        (states, rows)
    }

    proptest! {
        #[test]
        fn what_is_guessed_is_so_and_what_is_followed_too(
            text in proptest::collection::vec(prop::sample::select(&b"\"\"\",,\n\nab"[..]), 0..6000),
            filler in 0_usize..3000,
            cut in any::<prop::sample::Index>(),
        ) {
            let text = [vec![b'x'; filler], text].concat();
            let (states, rows) = naive(&text);
            let from = cut.index(text.len() + 1);
            let mut state = QuoteState::START;
            follow(&text[..from], Quoting::CSV, &mut state);
            prop_assert_eq!(state, states[from]);
            let next = rows.iter().copied().find(|&row| row > from);
            prop_assert_eq!(first_row(&text[from..], Quoting::CSV, &mut state).map(|row| from + row), next);
            let known = rows.iter().copied().rfind(|&row| row <= from && row > 0);
            prop_assert_eq!(last_row(&text[..from], Quoting::CSV), known);
            if let Some(place) = guess(&text[from..], Quoting::CSV) {
                prop_assert!(rows.contains(&(from + place)) || states[from].in_quotes);
            }
        }
    }
}
