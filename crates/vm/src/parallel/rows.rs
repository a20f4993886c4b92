//! Where rows of CSV begin, found in the middle of a file.
//!
//! Whether a newline is inside quotes depends on every quote before it, so no place can be recognised by itself. But there are only
//! three states that a row can be in (outside quotes where one may open, outside where none may, inside), and what follows decides
//! between them: a quote that does not stand at the beginning of a field is text outside and closes inside, so from a wrong state
//! one comes to the right one within a field or two that has quotes. [`guess`] goes on from all three at once until they are one,
//! which is a proof: whatever came before, rows are known from there on. Where there are no quotes to tell (a file without any,
//! or in the middle of a long quoted field) it supposes that the place is outside of quotes; whoever reads up to there finds out
//! whether a row ends there. [`follow`] goes over everything from a place where a row is known to begin.

use riverhawk_simd::{BLOCK, QuoteState, Quoting, find_byte, find_last_byte, mark_rows};

/// Bytes that are gone over at once: what is found is not used before the next one.
const STEP: usize = 1024;

/// What a byte can be part of when nothing is known of what came before.
const ALL: [QuoteState; 3] = [
    QuoteState::START,
    QuoteState { in_quotes: false, may_open: false },
    QuoteState { in_quotes: true, may_open: true },
];

/// A place in a text where a row begins, and whether that is so whatever comes before the text; else it is so if the text does not
/// begin in quotes.
pub(super) fn guess(text: &[u8], quoting: Quoting) -> Option<(usize, bool)> {
    let mut states = ALL;
    let mut supposed = None;
    let mut at = 0;
    while at < text.len() {
        // Quotes tell soon if there are any.
        let step = &text[at..text.len().min(at + if at < STEP { BLOCK } else { STEP })];
        if supposed.is_none() && states[0] == states[1] {
            supposed = first_row(step, quoting, &mut states[0].clone()).map(|row| at + row);
        }
        for state in &mut states {
            marks(step, quoting, state);
        }
        at += step.len();
        if states.iter().all(|state| *state == states[0]) {
            return first_row(&text[at..], quoting, &mut states[0]).map(|row| (at + row, true));
        }
    }
    supposed.map(|place| (place, false))
}

/// Goes over a text that is in this state where it begins, up to its end.
pub(super) fn follow(text: &[u8], quoting: Quoting, state: &mut QuoteState) {
    let mut at = 0;
    while at < text.len() {
        // Outside quotes nothing but a quote matters, and the byte before it.
        if !state.in_quotes {
            let before = match find_byte(quoting.quote, &text[at..]) {
                Some(quote) => at + quote,
                None => text.len(),
            };
            let last = before.saturating_sub(1).max(at);
            if before > at {
                *state = ALL[1];
                marks(&text[last..before], quoting, state);
            }
            at = before;
        }
        let end = (at + STEP).min(text.len());
        marks(&text[at..end], quoting, state);
        at = end;
    }
}

/// Where the first row begins behind the newlines of a text that is in this state where it begins. Without one the state is
/// afterwards that of its end.
pub(super) fn first_row(text: &[u8], quoting: Quoting, state: &mut QuoteState) -> Option<usize> {
    text.chunks(STEP).enumerate().find_map(|(number, step)| {
        let marks = marks(step, quoting, state);
        let word = marks.iter().position(|&word| word != 0)?;
        Some(number * STEP + word * BLOCK + marks[word].trailing_zeros() as usize + 1)
    })
}

/// Where the last row begins behind the newlines of a text that begins with a row; the place may be the end of the text.
pub(super) fn last_row(text: &[u8], quoting: Quoting) -> Option<usize> {
    let Some(quote) = find_byte(quoting.quote, text) else { return find_last_byte(b'\n', text).map(|at| at + 1) };
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

/// The newlines outside quotes of a step.
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

    /// Byte by byte: the state before each byte, and the places where rows begin.
    fn naive(text: &[u8]) -> (Vec<QuoteState>, Vec<usize>) {
        let (mut states, mut rows, mut state) = (vec![QuoteState::START], vec![0], QuoteState::START);
        for (at, &byte) in text.iter().enumerate() {
            match byte {
                b'"' if state.in_quotes => state = QuoteState::START,
                b'"' if state.may_open => state = QuoteState { in_quotes: true, may_open: true },
                b'"' => {}
                _ if state.in_quotes => {}
                _ => state.may_open = matches!(byte, b',' | b'\n'),
            }
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
            if let Some((place, proved)) = guess(&text[from..], Quoting::CSV) {
                prop_assert!(rows.contains(&(from + place)) || (!proved && states[from].in_quotes));
            }
        }
    }

    #[test]
    fn quotes_tell_and_where_there_are_none_nothing_does() {
        let quoted = "1,\"a, b\",x\n\"two\nlines\",2,\"\"\n".repeat(200);
        let (_, rows) = naive(quoted.as_bytes());
        for from in 0..200 {
            let (place, proved) = guess(&quoted.as_bytes()[from..], Quoting::CSV).expect("there are quotes");
            assert!(proved && rows.contains(&(from + place)), "from {from}");
        }
        assert_eq!(guess("1,2,3\n".repeat(1000).as_bytes(), Quoting::CSV), Some((BLOCK + 2, false)));
        assert_eq!(guess("1,2,3".repeat(1000).as_bytes(), Quoting::CSV), None);
    }
}
