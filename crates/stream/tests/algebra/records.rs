//! Records over streams, forward and from the end.

use crate::sources::{SIZES, each_source, scratch_file};
use proptest::prelude::*;
use riverhawk_stream::{
    Backwards, Buffered, Cut, LastBytes, LastLines, MemorySource, MemoryStream, Pattern,
    RecordCursor, RecordSeparator, RecordStream, Records, ScriptedSource, Sink, SourceStream,
    Stream, TailTooLong, copy_last_bytes, copy_last_lines,
};
use std::fs::File;
use std::io::{self, Cursor};

fn drain(mut records: impl RecordStream) -> Vec<Vec<u8>> {
    let mut all = vec![];
    records
        .for_each(|record| {
            all.push(record.to_vec());
            Ok(())
        })
        .unwrap();
    assert!(!records.advance().unwrap() && records.record().is_empty());
    all
}

fn with_delimiters(text: &[u8], delimiter: u8) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == delimiter).collect()
}

fn naive_lines(text: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8(text.to_vec()).unwrap().replace("\r\n", "\n").replace('\r', "\n");
    text.split_terminator('\n').map(|line| line.as_bytes().to_vec()).collect()
}

#[test]
fn lines_end_with_lf_cr_or_crlf_on_every_source() {
    let text = b"one\r\ntwo\rthree\n\r\n\n\rlast";
    each_source(text, |name, stream| {
        assert_eq!(drain(stream.lines()), naive_lines(text), "{name}")
    });
}

#[test]
fn a_record_shows_what_ended_it() {
    let mut cut = MemoryStream::new(b"a\r\nb").lines();
    assert!(cut.advance().unwrap());
    assert_eq!((cut.record(), cut.terminator()), (&b"a"[..], &b"\r\n"[..]));
    assert!(cut.advance().unwrap());
    assert_eq!((cut.record(), cut.terminator()), (&b"b"[..], &b""[..]));
    assert_eq!(cut.into_stream().rest(), b"");

    let mut records = Records::new(MemorySource::new("a--b"));
    records.set_separator(RecordSeparator::strings(["--"]).unwrap());
    let mut cursor = RecordCursor::new(records);
    assert_eq!(cursor.next_record().unwrap(), Some(&b"a"[..]));
    assert_eq!(cursor.terminator(), b"--");
    assert_eq!(cursor.into_records().pending(), b"b");
}

#[test]
fn the_stream_goes_on_behind_the_current_record() {
    let mut cut = MemoryStream::new(b"head\nbody").split(b'\n');
    assert!(cut.advance().unwrap());
    assert_eq!(cut.into_stream().rest(), b"body");
}

proptest! {
    #[test]
    fn records_equal_those_of_a_naive_split(text in "[ab\r\n;]{0,80}", size in proptest::sample::select(SIZES.to_vec())) {
        let stream = || SourceStream::with_window(ScriptedSource::chunked(text.as_bytes(), 3), size);
        let split = |delimiter: &str| {
            let pieces = text.split_terminator(delimiter).map(|piece| piece.as_bytes().to_vec());
            pieces.collect::<Vec<_>>()
        };
        prop_assert_eq!(drain(stream().lines()), naive_lines(text.as_bytes()));
        prop_assert_eq!(drain(stream().split(b';')), split(";"));
        prop_assert_eq!(drain(Cut::at_all(stream(), Pattern::new("aab"))), split("aab"));
        let records = Records::with_window(ScriptedSource::chunked(text.as_bytes(), 3), size);
        prop_assert_eq!(drain(RecordCursor::new(records)), split("\n"));

        let lines = naive_lines(text.as_bytes());
        let has_a = |line: &[u8]| line.contains(&b'a');
        let double = |line: &[u8], out: &mut Vec<u8>| out.extend(line.iter().chain(line));
        let want: Vec<_> = lines.iter().filter(|line| has_a(line)).map(|line| line.repeat(2)).collect();
        prop_assert_eq!(drain(stream().lines().select(has_a).collect(double)), want);
        let want: Vec<_> = lines.iter().filter(|line| !has_a(line)).cloned().collect();
        prop_assert_eq!(drain(stream().lines().reject(has_a)), want);
    }

    #[test]
    fn backwards_gives_the_records_of_forwards_in_reverse(
        text in "[ab\n]{0,60}",
        size in 1usize..20,
    ) {
        let mut backwards = Backwards::with_block(Cursor::new(&text), b'\n', size).unwrap();
        let mut have = vec![];
        while let Some(record) = backwards.next_record().unwrap().map(<[u8]>::to_vec) {
            let at = backwards.record_offset() as usize;
            prop_assert!(text.as_bytes()[at..].starts_with(&record));
            have.push(record);
        }
        let mut want: Vec<_> = text.split_terminator('\n').map(|line| line.as_bytes().to_vec()).collect();
        want.reverse();
        prop_assert_eq!(have, want);
    }

    #[test]
    fn the_last_lines_and_bytes_are_those_of_the_whole_text(
        lines in proptest::collection::vec("[ab]{0,9}", 0..12),
        has_last_newline in any::<bool>(),
        count in 0usize..15,
    ) {
        let mut text = lines.join("\n").into_bytes();
        if has_last_newline && !text.is_empty() {
            text.push(b'\n');
        }
        let lines = with_delimiters(&text, b'\n');
        let want = lines[lines.len().saturating_sub(count)..].concat();
        let mut have = Vec::new();
        let copied = copy_last_lines(&mut Cursor::new(&text), count as u64, b'\n', &mut have).unwrap();
        prop_assert_eq!((&have, copied), (&want, want.len() as u64));
        let mut last = LastLines::new(count, b'\n', 1000);
        MemoryStream::new(&text).copy_all(&mut last).unwrap();
        prop_assert_eq!(last.bytes(), Ok(&want[..]));

        let want = &text[text.len().saturating_sub(count)..];
        have.clear();
        copy_last_bytes(&mut Cursor::new(&text), count as u64, &mut have).unwrap();
        prop_assert_eq!(&have[..], want);
        let mut last = LastBytes::new(count);
        MemoryStream::new(&text).copy_all(&mut last).unwrap();
        prop_assert_eq!(last.bytes(), want);
    }
}

#[test]
fn the_tail_of_many_blocks_comes_out_whole_from_both_directions() -> io::Result<()> {
    // Lines of 0 to 2,999 bytes, and one of a megabyte.
    let mut text = Vec::new();
    for length in (0..3000).step_by(7).chain([1 << 20]).chain((0..3000).step_by(11)) {
        text.extend(std::iter::repeat_n(b'a' + (length % 26) as u8, length));
        text.push(b'\n');
    }
    let path = scratch_file(&text);
    let lines = with_delimiters(&text, b'\n');
    for count in [1, 5, 272, 273, 274, 275, lines.len(), lines.len() + 1] {
        let want = lines[lines.len().saturating_sub(count)..].concat();
        let mut have = Vec::new();
        copy_last_lines(&mut File::open(&path)?, count as u64, b'\n', &mut have)?;
        assert!(have == want, "the last {count} lines of a file");
        let mut last = LastLines::new(count, b'\n', 4 << 20);
        SourceStream::open(&path)?.copy_all(&mut last)?;
        assert!(last.bytes() == Ok(&want), "the last {count} lines of a stream");
        let mut last = LastBytes::new(want.len());
        SourceStream::open(&path)?.copy_all(&mut last)?;
        assert!(last.bytes() == want, "the last {} bytes of a stream", want.len());
    }
    let mut backwards = Backwards::new(File::open(&path)?, b'\n')?;
    for line in lines.iter().rev() {
        assert!(backwards.next_record()? == Some(&line[..line.len() - 1]));
    }
    assert_eq!(backwards.next_record()?, None);
    std::fs::remove_file(path)
}

#[test]
fn a_tail_over_its_limit_says_so_and_recovers_when_shorter_lines_follow() {
    let mut last = LastLines::new(2, b'\n', 100);
    let long = [vec![b'x'; 1 << 20], b"\n".to_vec()].concat();
    MemoryStream::new(&long).copy_all(&mut last).unwrap();
    assert_eq!(last.bytes(), Err(TailTooLong { limit: 100 }));
    assert_eq!(
        last.bytes().unwrap_err().to_string(),
        "the last lines are longer than the limit of 100 bytes"
    );
    for _ in 0..4 {
        last.put_all(&[b'x'; 64 * 1024]).unwrap();
        last.put(b"").unwrap();
        assert_eq!(last.bytes(), Err(TailTooLong { limit: 100 }));
    }
    last.put_all(b"\n").unwrap();
    MemoryStream::new(b"one\n").copy_all(&mut last).unwrap();
    assert_eq!(last.bytes(), Err(TailTooLong { limit: 100 }));
    MemoryStream::new(b"two").copy_all(&mut last).unwrap();
    assert_eq!(last.bytes(), Ok(&b"one\ntwo"[..]));
}

#[test]
fn a_file_that_became_shorter_is_an_error_and_backwards_goes_on_when_it_is_whole_again()
-> io::Result<()> {
    let path = scratch_file(b"first\nsecond\nthird\n");
    let mut backwards = Backwards::with_block(File::open(&path)?, b'\n', 8)?;
    assert_eq!(backwards.next_record()?, Some(&b"third"[..]));
    std::fs::write(&path, b"fi")?;
    assert_eq!(backwards.next_record().unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    std::fs::write(&path, b"first\nsecond\nthird\n")?;
    assert_eq!(backwards.next_record()?, Some(&b"second"[..]));
    assert_eq!(backwards.next_record()?, Some(&b"first"[..]));
    std::fs::remove_file(path)
}
