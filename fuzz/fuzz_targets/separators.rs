//! Records through a small window and short reads equal the records of the whole text at once.
//!
//! Input: a byte for the separator, one for the window, one for the size of reads, one for when the
//! separator changes, then the text.

#![cfg_attr(fuzzing, no_main)]

use riverhawk_stream::{Found, Input, RecordSeparator, Records, ScriptedSource, Separator, Step};

/// Runs of `x`, as by a regular expression: a match at the end of the text may grow.
struct Runs;

impl Separator for Runs {
    fn find(&mut self, text: &[u8], search_from: usize, input: Input) -> Found {
        let at_end = input == Input::Ends;
        let Some(start) = text[search_from..].iter().position(|&byte| byte == b'x') else {
            return Found::NotYet { resume_from: text.len() };
        };
        let start = search_from + start;
        let end = start + text[start..].iter().take_while(|&&byte| byte == b'x').count();
        if end == text.len() && !at_end {
            Found::NotYet { resume_from: start }
        } else {
            Found::At { start, end }
        }
    }
}

fn separator(choice: u8, text: &[u8]) -> RecordSeparator {
    // The text's own bytes make separators that occur in it.
    let piece = |at: usize, length: usize| {
        let start = at.min(text.len().saturating_sub(1));
        text[start..text.len().min(start + length)].to_vec()
    };
    match choice % 6 {
        0 => RecordSeparator::Byte(choice),
        1 => RecordSeparator::paragraph(),
        2 => RecordSeparator::custom(Runs),
        3 => RecordSeparator::strings(["\n", "\r\n"]).expect("a valid set"),
        4 => RecordSeparator::strings([piece(0, 3)]).unwrap_or(RecordSeparator::NEWLINE),
        _ => RecordSeparator::strings([piece(0, 2), piece(1, 5), piece(4, 1)])
            .unwrap_or(RecordSeparator::NEWLINE),
    }
}

/// Records and their separators; the separator changes at the `change`th record.
fn read(
    text: &[u8],
    chunk: usize,
    window: usize,
    choice: u8,
    change: usize,
) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut records = Records::with_window(ScriptedSource::chunked(text, chunk), window);
    records.set_separator(separator(choice, text));
    let mut pairs = Vec::new();
    loop {
        match records.next_buffered() {
            Step::Record(record) => {
                let bytes = records.text(&record);
                assert!(!record.ascii || bytes.is_ascii());
                pairs.push((bytes.to_vec(), records.terminator(&record).to_vec()));
                if pairs.len() == change {
                    records.set_separator(separator(choice.wrapping_add(1), text));
                }
            }
            Step::NeedMore => {
                records.refill().expect("memory does not fail");
            }
            Step::End => return pairs,
        }
    }
}

riverhawk_fuzz::target!(|input: &[u8]| {
    let [choice, window, chunk, change, text @ ..] = input else { return };
    let whole = read(text, usize::MAX, text.len() + 1, *choice, usize::from(*change));
    let pieces = read(
        text,
        usize::from(*chunk) + 1,
        usize::from(*window) + 1,
        *choice,
        usize::from(*change),
    );
    assert_eq!(whole, pieces);
    // Records and separators are the whole text, except for newlines before paragraphs.
    if choice % 6 != 1 && *change == 0 {
        let joined: Vec<u8> =
            pieces.into_iter().flat_map(|(record, end)| [record, end].concat()).collect();
        assert_eq!(joined, text);
    }
});
