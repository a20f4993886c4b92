//! Moves, waiting, errors, and long records.

use riverhawk_stream::{
    DEFAULT_WINDOW, FdSource, Found, Input, MemorySource, Piece, Quoting, ReadSource, Record,
    RecordSeparator, RecordTooLong, Records, ScriptedSource, Separator, Step, WindowCounters,
};
use std::io::{self, ErrorKind, Write};
use std::sync::mpsc;
use std::time::Duration;

/// A fast path to try first.
type Shortcut = fn(&mut Records) -> Option<Record>;

/// A new separator for each reader.
type Make<'a> = &'a dyn Fn() -> RecordSeparator;

const SHORTCUTS: [Shortcut; 4] =
    [|_| None, Records::next_marked, Records::next_marked_ascii, Records::next_ended];

/// The records, and the first error.
fn drain(records: &mut Records) -> (Vec<Vec<u8>>, Option<io::Error>) {
    drain_by(records, |_| None)
}

fn drain_by(records: &mut Records, shortcut: Shortcut) -> (Vec<Vec<u8>>, Option<io::Error>) {
    let (mut seen, mut first_error) = (Vec::new(), None);
    loop {
        if let Some(record) = shortcut(records) {
            seen.push(records.text(&record).to_vec());
            continue;
        }
        match records.next_buffered() {
            Step::Record(record) => seen.push(records.text(&record).to_vec()),
            Step::NeedMore => {
                if let Err(error) = records.refill() {
                    assert!(first_error.replace(error).is_none(), "an error came twice");
                }
            }
            Step::End => return (seen, first_error),
        }
    }
}

fn next(records: &mut Records) -> Record {
    loop {
        match records.next_buffered() {
            Step::Record(record) => return record,
            Step::NeedMore => drop(records.refill().unwrap()),
            Step::End => panic!("no more records"),
        }
    }
}

#[test]
fn short_and_long_lines_alike_move_less_than_a_hundredth_of_the_file() {
    for length in [8, 1024] {
        let line = [vec![b'x'; length - 1], b"\n".to_vec()].concat();
        let size = 16 << 20;
        let mut records = Records::new(MemorySource::new(line.repeat(size / length)));
        let mut count = 0;
        loop {
            match records.next_buffered() {
                Step::Record(_) => count += 1,
                Step::NeedMore => drop(records.refill().unwrap()),
                Step::End => break,
            }
        }
        assert_eq!(count, size / length);
        let counters = records.counters();
        assert_eq!(counters.bytes_read, size as u64);
        assert!(counters.bytes_moved <= size as u64 / 1000, "{length}: {counters:?}");
        assert!(counters.bytes_moved <= counters.refills * length as u64);
        assert_eq!(counters.allocations, 1);
    }
}

#[test]
fn lines_that_do_not_divide_the_window_still_move_only_their_own_rest() {
    let text = b"0123456789abc\n".repeat(400_000);
    let mut records = Records::new(MemorySource::new(text.clone()));
    assert_eq!(drain(&mut records).0.len(), 400_000);
    let counters = records.counters();
    assert!(
        counters.bytes_moved > 0 && counters.bytes_moved <= counters.refills * 14,
        "{counters:?}"
    );
}

#[test]
fn what_is_buffered_is_delivered_without_another_read() {
    let mut records = Records::new(ScriptedSource::new([
        Piece::Bytes(b"one\ntwo\nthr".to_vec()),
        Piece::Error(ErrorKind::Other),
    ]));
    let texts = ["one", "two"].map(|expected| {
        let record = next(&mut records);
        assert_eq!(records.text(&record), expected.as_bytes());
        records.counters().refills
    });
    assert_eq!(texts, [1, 1]);
    assert_eq!(records.next_buffered(), Step::NeedMore);
    assert_eq!(records.pending(), b"thr");
}

#[test]
fn a_record_on_a_slow_pipe_is_delivered_while_the_writer_waits() {
    let (reader, writer) = io::pipe().unwrap();
    let (seen, was_seen) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        let mut writer = writer;
        for line in ["one\n", "two\n"] {
            writer.write_all(line.as_bytes()).unwrap();
            // The timeout only ends a failed test.
            let delivered: Vec<u8> =
                was_seen.recv_timeout(Duration::from_secs(20)).expect("the line was held back");
            assert_eq!(delivered, line.trim_end().as_bytes());
        }
    });
    let mut records = Records::new(FdSource::new(reader));
    for _ in 0..2 {
        let record = next(&mut records);
        seen.send(records.text(&record).to_vec()).unwrap();
    }
    thread.join().unwrap();
    assert_eq!(drain(&mut records).0.len(), 0);
}

#[test]
fn good_records_come_before_an_error_and_the_error_once() {
    for window in [1, 4, 4096] {
        let mut records = Records::with_window(
            ScriptedSource::new([
                Piece::Interrupted,
                Piece::Bytes(b"ok\nne".to_vec()),
                Piece::Interrupted,
                Piece::Bytes(b"xt\npart".to_vec()),
                Piece::Error(ErrorKind::BrokenPipe),
                Piece::Bytes(b"never\n".to_vec()),
            ]),
            window,
        );
        let (seen, error) = drain(&mut records);
        assert_eq!(seen, [b"ok".to_vec(), b"next".to_vec()]);
        assert_eq!(error.unwrap().kind(), ErrorKind::BrokenPipe);
        assert_eq!(records.pending(), b"part");
        assert_eq!(records.next_buffered(), Step::End);
    }
}

#[test]
fn a_read_that_would_block_may_be_tried_again() {
    let mut records = Records::new(ScriptedSource::new([
        Piece::Bytes(b"a".to_vec()),
        Piece::Error(ErrorKind::WouldBlock),
        Piece::Bytes(b"b\n".to_vec()),
    ]));
    records.refill().unwrap();
    assert_eq!(records.next_buffered(), Step::NeedMore);
    assert_eq!(records.refill().unwrap_err().kind(), ErrorKind::WouldBlock);
    let record = next(&mut records);
    assert_eq!(records.text(&record), b"ab");
}

#[test]
fn a_megabyte_record_passes_through_a_small_window() {
    let long = vec![b'y'; 1 << 20];
    let text = [b"a\n", &long[..], b"\nb\n"].concat();
    for window in [1, 64, 4096] {
        let mut records = Records::with_window(MemorySource::new(text.clone()), window);
        let (seen, error) = drain(&mut records);
        assert!(error.is_none());
        assert_eq!(seen, [b"a".to_vec(), long.clone(), b"b".to_vec()]);
        // Growth is geometric.
        assert!(
            records.counters().bytes_moved <= 4 * text.len() as u64,
            "{:?}",
            records.counters()
        );
    }
}

#[test]
fn a_record_of_the_limit_passes_and_one_byte_more_is_an_error() {
    // Text, separator, records before the error, start of the long record. The limit is 5.
    let string = |text| RecordSeparator::strings([text]).unwrap();
    let rows: [(&str, Make, &[&str], u64); 7] = [
        ("12345\n123456\n1\n", &|| string("\n"), &["12345"], 6),
        ("12345<>123456<>", &|| string("<>"), &["12345"], 7),
        ("1234<>12345<1<>", &|| string("<>"), &["1234"], 6),
        ("12345\n\n\n\n\n\n\n\n\n1\n3456", &RecordSeparator::paragraph, &["12345"], 14),
        (
            "12345\n1\n2\n3\r\n12345\r\n123456\n",
            &|| RecordSeparator::Rows(None),
            &["12345", "1", "2", "3", "12345"],
            20,
        ),
        (
            "12345\n\"2\n3\"\n12\"3456\n",
            &|| RecordSeparator::Rows(Some(Quoting::CSV)),
            &["12345", "\"2\n3\""],
            12,
        ),
        (
            "12345<>>1<>>123456<>>",
            &|| RecordSeparator::strings(["<>>", "<<<<"]).unwrap(),
            &["12345", "1"],
            12,
        ),
    ];
    for (text, separator, expected, start_offset) in rows {
        for (window, shortcut) in
            [1, 3, 64].into_iter().flat_map(|window| SHORTCUTS.map(|by| (window, by)))
        {
            let mut records = Records::with_window(MemorySource::new(text), window);
            records.set_separator(separator());
            records.set_limit(5);
            let (seen, error) = drain_by(&mut records, shortcut);
            assert_eq!(
                seen,
                expected.iter().map(|record| record.as_bytes().to_vec()).collect::<Vec<_>>()
            );
            let error = error.expect("a record over the limit");
            assert_eq!(error.kind(), ErrorKind::InvalidData);
            let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<RecordTooLong>());
            assert_eq!(inner, Some(&RecordTooLong { limit: 5, start_offset }));
            assert_eq!(records.next_buffered(), Step::End);
        }
    }
}

struct Undecided;

impl Separator for Undecided {
    fn find(&mut self, _: &[u8], _: usize, _: Input) -> Found {
        Found::NotYet { resume_from: 0 }
    }
}

#[test]
fn a_last_record_over_the_limit_is_an_error_too() {
    let separators: [Make; 5] = [
        &|| RecordSeparator::NEWLINE,
        &|| RecordSeparator::strings(["<>"]).unwrap(),
        &RecordSeparator::paragraph,
        &|| RecordSeparator::Rows(None),
        &|| RecordSeparator::custom(Undecided),
    ];
    for separator in separators {
        for (text, is_too_long) in
            [("1234", false), ("12345", false), ("123456", true), ("1234567", true)]
        {
            let mut records = Records::new(MemorySource::new(text));
            records.set_separator(separator());
            records.set_limit(5);
            let (seen, error) = drain(&mut records);
            assert_eq!(
                (seen.is_empty(), error.is_some()),
                (is_too_long, is_too_long),
                "{text}, {:?}",
                separator()
            );
        }
    }
}

#[test]
fn a_separator_that_never_decides_holds_little_more_than_the_limit() {
    let mut records =
        Records::with_window(MemorySource::new(vec![b'x'; 16 * DEFAULT_WINDOW]), 100_003);
    records.set_separator(RecordSeparator::custom(Undecided));
    records.set_limit(5);
    assert!(drain(&mut records).1.is_some());
    assert!(records.counters().bytes_read < 4 * DEFAULT_WINDOW as u64, "{:?}", records.counters());
}

#[test]
fn shortcuts_answer_wherever_they_can() {
    let rows: [(&str, RecordSeparator, &[Shortcut]); 5] = [
        (
            "1\n2\n3\n4\n5\n6\n",
            RecordSeparator::NEWLINE,
            &[Records::next_marked, Records::next_marked_ascii],
        ),
        ("1\n2\n3\n4\n5\n6\n", RecordSeparator::strings(["\n"]).unwrap(), &[Records::next_marked]),
        ("1\n2\n3\n4\n5\n6\n", RecordSeparator::Rows(None), &[Records::next_marked]),
        (
            "1<>2<>3<>4<>5<>6<>",
            RecordSeparator::strings(["<>"]).unwrap(),
            &[Records::next_ended, Records::next_ended_ascii],
        ),
        (
            "1\n\n2\n\n\n3\n\n4\n\n5\n\n6\n\n7",
            RecordSeparator::paragraph(),
            &[Records::next_ended, Records::next_ended_ascii],
        ),
    ];
    for (text, separator, shortcuts) in rows {
        let mut records = Records::new(MemorySource::new(text));
        records.set_separator(separator);
        records.set_limit(5);
        assert_eq!(next(&mut records).end, 1);
        for number in 2..=6 {
            let record =
                shortcuts[number % shortcuts.len()](&mut records).expect("a record that is marked");
            assert_eq!(records.text(&record), number.to_string().as_bytes());
        }
    }
}

#[test]
fn what_was_found_together_survives_a_move() {
    for separator in [RecordSeparator::strings(["<>"]).unwrap(), RecordSeparator::paragraph()] {
        let text = match separator {
            RecordSeparator::Paragraph(_) => "one\n\ntwo\n\nthree\n\nfour\n\n5",
            _ => "one<>two<>three<>four<>5",
        };
        let pieces = [text, "<>six"].map(|piece| Piece::Bytes(piece.as_bytes().to_vec()));
        let mut records = Records::new(ScriptedSource::new(pieces));
        records.set_separator(separator);
        let expect = |records: &mut Records, text: &str| {
            let record = next(records);
            assert_eq!(records.text(&record), text.as_bytes());
        };
        expect(&mut records, "one");
        expect(&mut records, "two");
        records.detach_block().unwrap();
        expect(&mut records, "three");
        records.refill().unwrap();
        expect(&mut records, "four");
    }
}

#[test]
fn a_record_that_begins_before_what_is_marked_is_not_called_ascii() {
    let text = [&[b'a'; 4_084][..], "12345678é<1234512345678".as_bytes()].concat();
    let mut records = Records::new(MemorySource::new(text));
    records.set_separator(RecordSeparator::strings(["12345678"]).unwrap());
    assert_eq!(next(&mut records).end, 4_084);
    let record = next(&mut records);
    assert_eq!((records.text(&record), record.ascii), ("é<12345".as_bytes(), false));
}

#[test]
fn every_byte_may_be_a_separator() {
    let mut records = Records::new(MemorySource::new(vec![b'\n'; 10_000]));
    let (seen, _) = drain(&mut records);
    assert_eq!((seen.len(), seen.concat().len()), (10_000, 0));
}

#[test]
fn a_detached_block_keeps_its_record_and_reading_goes_on() {
    for separator in [RecordSeparator::NEWLINE, RecordSeparator::strings(["\n", "\r\n"]).unwrap()] {
        let mut records =
            Records::with_window(MemorySource::new("first\nsecond\nthird\nfourth"), 16);
        records.set_separator(separator);
        let record = next(&mut records);
        let address = records.bytes().as_ptr();
        let block = records.detach_block().unwrap();
        assert_eq!(block.as_ptr(), address, "the block was copied");
        assert_eq!(&block[record.start..record.end], b"first");
        let (rest, _) = drain(&mut records);
        assert_eq!(rest, [b"second".to_vec(), b"third".to_vec(), b"fourth".to_vec()]);
    }
}

#[test]
fn a_reader_restarted_on_another_source_keeps_its_memory() {
    let mut records = Records::with_window(MemorySource::new("a\nb\nunfinished"), 64);
    next(&mut records);
    records.refill().unwrap();
    records.restart(MemorySource::new("c\nd"));
    assert_eq!(drain(&mut records).0, [b"c", b"d"]);
    assert_eq!(records.counters().allocations, 1);
    assert_eq!(records.offset(0), 0);
}

#[test]
fn refilling_early_loses_nothing() {
    let text: String = (0..500).map(|i| format!("line {i}\n")).collect();
    let mut records = Records::with_window(ScriptedSource::chunked(text.as_bytes(), 100), 128);
    let mut seen = String::new();
    loop {
        records.refill().unwrap();
        match records.next_buffered() {
            Step::Record(record) => {
                seen.push_str(std::str::from_utf8(records.text(&record)).unwrap());
                seen.push('\n');
            }
            Step::NeedMore => {}
            Step::End => break,
        }
    }
    assert_eq!(seen, text);
}

#[test]
fn offsets_are_positions_in_the_stream() {
    let text = "ab\ncde\n\nfghi\n".repeat(50);
    let mut records = Records::with_window(ScriptedSource::chunked(text.as_bytes(), 7), 8);
    let mut expected = 0;
    for line in text.split_terminator('\n') {
        let record = next(&mut records);
        assert_eq!(records.offset(record.start), expected);
        expected += line.len() as u64 + 1;
    }
}

#[test]
fn lines_near_a_non_ascii_one_may_be_unknown_and_the_others_are_known_to_be_ascii() {
    let text =
        [&b"plain ascii line of some length\n".repeat(1000)[..], "käse\n".as_bytes()].concat();
    let text = [&text[..], &b"plain ascii line of some length\n".repeat(1000)[..]].concat();
    let mut records = Records::new(MemorySource::new(text));
    let (mut known, mut all) = (0, 0);
    loop {
        match records.next_buffered() {
            Step::Record(record) => {
                all += 1;
                known += usize::from(record.ascii);
                assert!(!record.ascii || records.text(&record).is_ascii());
            }
            Step::NeedMore => drop(records.refill().unwrap()),
            Step::End => break,
        }
    }
    assert_eq!(all, 2001);
    assert!(known >= 1996, "{known}");
}

#[test]
fn what_is_known_to_be_ascii_is_wherever_the_other_characters_stand() {
    for line_end in [10, 70, 1000, 3800, 3900, 4000, 4095] {
        for other in [0, 60, 69, 71, 130, 3790, 3830, 3950, 4030, 4090, 4096, 4200, 5000] {
            let mut text = vec![b'x'; 6000];
            (text[line_end], text[5500]) = (b'\n', b'\n');
            text.splice(other..other, "é".bytes());
            for end in [text.len(), 5800] {
                let mut records = Records::new(MemorySource::new(text[..end].to_vec()));
                let ends = [next(&mut records), next(&mut records), next(&mut records)];
                for record in ends {
                    let is_ascii = records.text(&record).is_ascii();
                    assert!(
                        is_ascii || !record.ascii,
                        "line end {line_end}, another character at {other}: {record:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_directory_is_an_error_at_the_first_read() {
    let mut records = Records::new(FdSource::open(std::env::temp_dir()).unwrap());
    let (seen, error) = drain(&mut records);
    assert!(seen.is_empty());
    assert_eq!(error.unwrap().kind(), ErrorKind::IsADirectory);
}

#[test]
fn any_reader_of_the_standard_library_is_a_source() {
    let mut records = Records::new(ReadSource::new(io::Cursor::new("a\nb")));
    assert_eq!(drain(&mut records).0, [b"a", b"b"]);
}

#[test]
fn memory_goes_from_one_source_to_the_next_and_nothing_else_does() {
    let mut first = Records::with_window(MemorySource::new("one\ntwo\nleft"), 8);
    first.set_separator(RecordSeparator::Byte(b'w'));
    assert!(first.refill().unwrap() > 0);
    assert!(matches!(first.next_buffered(), Step::Record(_)));
    let mut second = Records::in_memory(MemorySource::new("a\nbw\n"), first.into_memory());
    assert_eq!(second.counters(), WindowCounters::default());
    let mut texts = Vec::new();
    loop {
        match second.next_buffered() {
            Step::Record(record) => {
                texts.push((second.text(&record).to_vec(), second.offset(record.start)))
            }
            Step::NeedMore => {
                second.refill().unwrap();
            }
            Step::End => break,
        }
    }
    assert_eq!(texts, [(b"a".to_vec(), 0), (b"bw".to_vec(), 2)]);
    assert_eq!(second.counters().allocations, 0);
}
