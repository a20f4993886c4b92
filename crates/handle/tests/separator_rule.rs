//! Records over bytes and lines of the decoder end at the same indexes for the same separators.

use proptest::prelude::*;
use riverhawk_stream::{RecordSeparator, Records, ScriptedSource, Step};
use riverhawk_text::decoder::{Decoder, Separators};
use riverhawk_text::encoding::Utf8;

fn records(text: &str, set: &[&str], chunk: usize) -> Vec<String> {
    let mut records = Records::with_window(ScriptedSource::chunked(text.as_bytes(), chunk), 1);
    records.set_separator(RecordSeparator::strings(set).unwrap());
    let mut all = Vec::new();
    loop {
        match records.next_buffered() {
            Step::Record(record) => {
                all.push(String::from_utf8(records.text(&record).to_vec()).unwrap());
            }
            Step::NeedMore => drop(records.refill().unwrap()),
            Step::End => return all,
        }
    }
}

fn lines(text: &str, set: &[&str], chunk: usize) -> Vec<String> {
    let mut decoder = Decoder::new(Utf8).with_separators(Separators::strings(set).unwrap());
    let mut all = Vec::new();
    let mut take = |decoder: &mut Decoder| {
        while let Some(line) = decoder.take_line().unwrap() {
            all.push(line.to_owned());
        }
    };
    for piece in text.as_bytes().chunks(chunk) {
        decoder.add_slice(piece);
        take(&mut decoder);
    }
    decoder.finish();
    take(&mut decoder);
    all
}

proptest! {
    #[test]
    fn records_and_decoded_lines_end_at_the_same_places(
        text in "[abc\r\n]{0,40}",
        set in proptest::collection::vec("[abc\r\n]{1,4}", 1..5),
        chunk in 1usize..8,
    ) {
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        prop_assert_eq!(records(&text, &set, chunk), lines(&text, &set, chunk));
    }
}
