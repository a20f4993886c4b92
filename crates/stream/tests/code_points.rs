//! Code points of each record, with every window, chunk size and separator; in valid text nearly
//! all are counted if all are asked for.

use proptest::prelude::*;
use riverhawk_stream::{
    MemorySource, Record, RecordSeparator, Records, ScriptedSource, Source, Step,
};

fn read(
    source: impl Source + 'static,
    window: usize,
    separator: u8,
    asks: impl Fn(usize) -> bool,
) -> (usize, usize) {
    let mut records = Records::with_window(source, window);
    records.set_separator(RecordSeparator::Byte(separator));
    let (mut number, mut asked, mut answered) = (0, 0, 0);
    loop {
        let record = match records.next_buffered() {
            Step::Record(record) => record,
            Step::NeedMore => {
                records.refill().unwrap();
                continue;
            }
            Step::End => return (asked, answered),
        };
        number += 1;
        if asks(number) {
            asked += 1;
            answered += usize::from(check(&mut records, &record));
        }
    }
}

fn check(records: &mut Records, record: &Record) -> bool {
    let count = records.code_points(record.end);
    if let Some(count) = count {
        let text =
            std::str::from_utf8(records.text(record)).expect("a broken record is not counted");
        assert_eq!(count, text.chars().count(), "{text:?}");
    }
    count.is_some()
}

fn lines(count: usize) -> Vec<u8> {
    let words = ["ястреб", "hawk", "鷹", "🦅", "águila", "", "x"];
    let line = |i: usize| format!("{} {}\n", words[i % 7], words[i / 7 % 7].repeat(i % 11));
    (0..count).map(line).collect::<String>().into_bytes()
}

#[test]
fn nearly_every_record_of_a_valid_text_is_counted_with_others() {
    let text = lines(20_000);
    for window in [5000, 64 * 1024, 256 * 1024] {
        let (asked, answered) = read(MemorySource::new(text.clone()), window, b'\n', |_| true);
        // The first chunk only shows that all are asked for.
        assert!(
            asked == 20_000 && answered > 19_000,
            "{answered} of {asked} with a window of {window}"
        );
    }
}

#[test]
fn few_questions_are_not_worth_counting_for() {
    let (asked, answered) =
        read(MemorySource::new(lines(20_000)), 64 * 1024, b'\n', |number| number % 50 == 0);
    // In a chunk of few records many may seem asked for.
    assert!(asked == 400 && answered < 20, "{answered} of {asked}");
}

#[test]
fn a_broken_byte_spoils_its_chunk_and_no_more() {
    let mut text = lines(20_000);
    let at = text.len() / 2;
    text[at] = 0xFF;
    let (asked, answered) = read(MemorySource::new(text), 64 * 1024, b'\n', |_| true);
    assert!(answered > asked - 1200 && answered < asked, "{answered} of {asked}");
}

#[test]
fn a_separator_that_is_part_of_a_character_counts_nothing() {
    let text = "añb".repeat(10_000).into_bytes();
    assert_eq!(read(MemorySource::new(text), 64 * 1024, 0xB1, |_| true), (10_001, 0));
}

#[test]
fn only_the_last_record_delivered_has_an_answer() {
    let mut records = Records::new(MemorySource::new(lines(5000)));
    records.refill().unwrap();
    let mut before: Option<Record> = None;
    while let Step::Record(record) = records.next_buffered() {
        check(&mut records, &record);
        if let Some(before) = before {
            assert_eq!(records.code_points(before.end), None);
        }
        before = Some(record);
    }
    records.set_separator(RecordSeparator::Byte(b';'));
    assert_eq!(records.code_points(before.unwrap().end), None);
}

proptest! {
    #[test]
    fn answers_are_right_whatever_the_window_and_the_reads(
        pieces in proptest::collection::vec(
            prop_oneof![
                6 => "[a-z é日🦅]{0,60}\n".prop_map(String::into_bytes),
                1 => "[é日🦅]{0,3000}".prop_map(String::into_bytes),
                1 => proptest::collection::vec(0x80u8.., 1..3),
            ],
            0..200,
        ),
        valid: bool,
        window in prop_oneof![Just(1usize), Just(7), Just(4097), Just(10_000), Just(65_536)],
        read_size in prop_oneof![Just(3usize), Just(1000), Just(4096), Just(100_000)],
        separator in prop_oneof![4 => Just(b'\n'), 1 => Just(b'a')],
        every in 1usize..5,
    ) {
        let mut text = pieces.concat();
        if valid {
            text = String::from_utf8_lossy(&text).into_owned().into_bytes();
        }
        let text = text.repeat(2);
        read(ScriptedSource::chunked(&text, read_size), window, separator, |number| number % every == 0);
    }
}
