//! When the algebra waits, and that errors lose no byte.

use crate::sources::{Plain, SIZES, scratch_file};
use proptest::prelude::*;
use riverhawk_stream::{
    Buffered, ByteSet, Cut, Ended, FdSource, MemoryStream, Pattern, Piece, RecordStream,
    ScriptedSource, Sink, SourceStream, Stream, Undelivered,
};
use std::io::{self, ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

fn does_not_wait(work: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = mpsc::channel();
    let worker = thread::spawn(move || {
        work();
        sender.send(()).unwrap();
    });
    match receiver.recv_timeout(Duration::from_secs(20)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("still waiting after 20 s"),
        _ => worker.join().unwrap(),
    }
}

#[test]
fn a_line_that_ended_with_cr_is_delivered_before_the_next_byte_comes() {
    // No byte after its CR is needed.
    does_not_wait(|| {
        let (reader, mut writer) = io::pipe().unwrap();
        let mut stream = SourceStream::new(FdSource::new(reader));
        writer.write_all(b"one\r").unwrap();
        assert_eq!(stream.take_line().unwrap().bytes, b"one");
        writer.write_all(b"\ntwo\r").unwrap();
        assert_eq!(stream.take_line().unwrap().bytes, b"two");
        writer.write_all(b"three\r").unwrap();
        let mut line = Vec::new();
        assert_eq!(stream.next_line(&mut line).unwrap(), Ended::AtDelimiter);
        assert_eq!(line, b"three");
        writer.write_all(b"\n").unwrap();
        drop(writer);
        assert!(stream.take_line().unwrap().is_end());
    });
}

#[test]
fn a_line_feed_that_comes_late_belongs_to_its_line_whatever_is_called_next() {
    let stream = || {
        let pieces =
            [&b"a\r"[..], b"\n", b"bcd\r", b"\ne"].map(|bytes| Piece::Bytes(bytes.to_vec()));
        let mut stream = SourceStream::new(ScriptedSource::new(pieces));
        assert_eq!(stream.take_line().unwrap().bytes, b"a");
        stream
    };
    assert_eq!(stream().next_byte().unwrap(), Some(b'b'));
    assert_eq!(stream().peek().unwrap(), Some(b'b'));
    assert_eq!(stream().take_up_to(b'c').unwrap().bytes, b"b");
    for mut rest in [Vec::new(), Vec::with_capacity(100)] {
        assert_eq!(stream().up_to_end(&mut rest).unwrap(), 6);
        assert_eq!(rest, b"bcd\r\ne");
    }
    // Counts in the offset, not in a limit set after its line.
    let mut stream = stream();
    let mut part = stream.limited(3);
    assert_eq!(part.take_line().unwrap().bytes, b"bcd");
    assert_eq!((part.remaining(), stream.offset()), (0, 6));
    // After the limit it is a line end.
    assert_eq!(stream.limited(1).take_line().unwrap().bytes, b"");
    assert_eq!(stream.take_line().unwrap().bytes, b"");
    assert_eq!(stream.take_line().unwrap().bytes, b"e");
}

#[test]
fn what_has_arrived_is_delivered_while_the_other_end_stays_open() {
    does_not_wait(|| {
        let (near, mut far) = UnixStream::pair().unwrap();
        let mut stream = SourceStream::from_fd(near);
        far.write_all(b"key: value\n12345--x;").unwrap();
        let mut out = Vec::new();
        assert_eq!(stream.up_to(b':', &mut out).unwrap(), Ended::AtDelimiter);
        assert_eq!(stream.take_up_to(b'\n').unwrap().bytes, b" value");
        out.clear();
        assert_eq!(stream.limited(5).up_to_end(&mut out).unwrap(), 5);
        assert!(stream.skip_to_all(&mut Pattern::new("--")).unwrap());
        assert_eq!(stream.up_to_any(&ByteSet::new(";,"), &mut out).unwrap(), Some(b';'));
        assert_eq!(out, b"12345x");
        far.write_all(b"abc").unwrap();
        let mut buffer = [0; 100];
        assert_eq!(stream.read_into(&mut buffer).unwrap(), 3);
        drop(far);
        assert_eq!(stream.read_into(&mut buffer).unwrap(), 0);
    });
}

#[test]
fn a_peekable_stream_takes_no_byte_more_than_was_looked_at() {
    let mut plain = Plain::new(b"ab;rest");
    let mut stream = (&mut plain).peekable();
    let mut out = Vec::new();
    stream.up_to(b';', &mut out).unwrap();
    assert_eq!(out, b"ab");
    drop(stream);
    assert_eq!(plain.rest(), b"rest");
}

#[test]
fn not_yet_is_told_from_the_end() {
    let (near, mut far) = UnixStream::pair().unwrap();
    near.set_nonblocking(true).unwrap();
    let mut stream = SourceStream::from_fd(near);
    let kind = |result: io::Result<bool>| result.map_err(|error| error.kind());
    assert_eq!(kind(stream.peek().map(|byte| byte.is_some())), Err(ErrorKind::WouldBlock));
    far.write_all(b"abc").unwrap();
    assert_eq!(kind(stream.take_up_to(b'\n').map(|_| true)), Err(ErrorKind::WouldBlock));
    assert_eq!(stream.buffered(), b"abc");
    let mut out = Vec::new();
    assert_eq!(kind(stream.up_to(b'\n', &mut out).map(|_| true)), Err(ErrorKind::WouldBlock));
    far.write_all(b"def\ng").unwrap();
    assert_eq!(stream.up_to(b'\n', &mut out).unwrap(), Ended::AtDelimiter);
    assert_eq!(out, b"abcdef");
    drop(far);
    let last = stream.take_up_to(b'\n').unwrap();
    assert_eq!((last.bytes, last.ended), (&b"g"[..], Ended::AtEnd));
    assert_eq!(stream.peek().unwrap(), None);
}

#[test]
fn a_file_that_grows_goes_on_behind_its_end() {
    let path = scratch_file(b"one\ntw");
    let mut stream = SourceStream::open(&path).unwrap();
    let mut out = Vec::new();
    assert_eq!(stream.up_to_end(&mut out).unwrap(), 6);
    assert_eq!(stream.next_byte().unwrap(), None);
    std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"o\n").unwrap();
    assert_eq!(stream.up_to(b'\n', &mut out).unwrap(), Ended::AtDelimiter);
    assert_eq!((&out[..], stream.offset(), stream.counters().bytes_read), (&b"one\ntwo"[..], 8, 8));
    std::fs::remove_file(path).unwrap();
}

struct Failing(SourceStream<ScriptedSource>);

impl Stream for Failing {
    fn read_into(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read_into(buffer)
    }
}

fn insist<T>(mut call: impl FnMut() -> io::Result<T>) -> T {
    loop {
        match call() {
            Ok(value) => return value,
            Err(error) => assert!(
                matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock),
                "{error}"
            ),
        }
    }
}

fn pieces(stream: &mut dyn Stream, delimiter: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![];
    loop {
        let mut out = Vec::new();
        let mut pattern = Pattern::new(delimiter);
        let ended = match delimiter {
            [byte] => insist(|| stream.up_to(*byte, &mut out)),
            _ => insist(|| stream.up_to_all(&mut pattern, &mut out)),
        };
        all.push(out);
        if ended == Ended::AtEnd {
            return all;
        }
    }
}

proptest! {
    #[test]
    fn no_byte_is_lost_or_doubled_by_errors_anywhere(
        text in "[ab;]{0,60}",
        cuts in proptest::collection::vec((1usize..6, 0usize..4), 0..30),
        size in proptest::sample::select(SIZES.to_vec()),
        delimiter in proptest::sample::select(vec![";", "aabab", "ab", ";;"]),
    ) {
        let mut script = Vec::new();
        let mut rest = text.as_bytes();
        for (length, fault) in cuts {
            let (piece, behind) = rest.split_at(length.min(rest.len()));
            rest = behind;
            script.push(Piece::Bytes(piece.to_vec()));
            script.extend(match fault {
                0 => None,
                1 => Some(Piece::Interrupted),
                2 => Some(Piece::Error(ErrorKind::TimedOut)),
                _ => Some(Piece::Error(ErrorKind::WouldBlock)),
            });
        }
        script.push(Piece::Bytes(rest.to_vec()));
        let stream = || SourceStream::with_window(ScriptedSource::new(script.clone()), size);
        let want: Vec<Vec<u8>> = text.split(delimiter).map(|piece| piece.as_bytes().to_vec()).collect();

        prop_assert_eq!(&pieces(&mut stream(), delimiter.as_bytes()), &want);
        prop_assert_eq!(&pieces(&mut Failing(stream()), delimiter.as_bytes()), &want);

        let (mut borrowed, mut have) = (stream(), vec![]);
        loop {
            let pattern = Pattern::new(delimiter);
            insist(|| borrowed.take_up_to_all(&pattern).map(|taken| have.push((taken.bytes.to_vec(), taken.ended))));
            if have.last().unwrap().1 == Ended::AtEnd {
                break;
            }
        }
        prop_assert_eq!(have.into_iter().map(|(bytes, _)| bytes).collect::<Vec<_>>(), want.clone());

        let (mut cut, mut records) = (Cut::at_all(stream(), Pattern::new(delimiter)), vec![]);
        while insist(|| cut.advance()) {
            records.push(cut.record().to_vec());
        }
        let mut want_records = want;
        want_records.pop_if(|last| last.is_empty());
        prop_assert_eq!(records, want_records);

        for read in [Stream::up_to_end, |stream: &mut Failing, out: &mut Vec<u8>| stream.0.up_to_end(out)] {
            let (mut failing, mut out) = (Failing(stream()), Vec::new());
            insist(|| read(&mut failing, &mut out));
            prop_assert_eq!(out, text.as_bytes());
        }
    }
}

/// Takes `room` bytes, at most three at once, then fails.
struct Small {
    taken: Vec<u8>,
    room: usize,
}

impl Sink for Small {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        let count = block.len().min(3).min(self.room - self.taken.len());
        if count == 0 && !block.is_empty() {
            return Err(ErrorKind::StorageFull.into());
        }
        self.taken.put(&block[..count])
    }
}

#[test]
fn what_a_failing_sink_did_not_take_stays_in_a_stream_with_a_buffer() {
    let mut stream = MemoryStream::new(b"0123456789");
    let mut sink = Small { taken: vec![], room: 4 };
    assert_eq!(stream.copy_all(&mut sink).unwrap_err().kind(), ErrorKind::StorageFull);
    assert_eq!((&sink.taken[..], stream.rest()), (&b"0123"[..], &b"456789"[..]));
    sink.room = 100;
    assert_eq!(stream.copy_all(&mut sink).unwrap(), 6);
    assert_eq!(sink.taken, b"0123456789");

    let mut tee = MemoryStream::new(b"0123456789").tee(Small { taken: vec![], room: 4 });
    assert_eq!(tee.take_up_to(b'7').unwrap_err().kind(), ErrorKind::StorageFull);
    assert_eq!(tee.take_exact(4).unwrap().bytes, b"0123");
    let (stream, sink) = tee.into_parts();
    assert_eq!((&sink.taken[..], stream.rest()), (&b"0123"[..], &b"456789"[..]));
}

#[test]
fn what_a_failing_sink_did_not_take_comes_with_the_error_of_a_stream_without_one() {
    let error =
        Plain::new(b"0123456789").copy_all(&mut Small { taken: vec![], room: 4 }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StorageFull);
    assert!(error.to_string().contains(" bytes could not be delivered: "), "{error}");
    let undelivered =
        error.get_ref().and_then(|inner| inner.downcast_ref::<Undelivered>()).unwrap();
    assert_eq!(undelivered.bytes, b"456789");
    assert_eq!(undelivered.error.kind(), ErrorKind::StorageFull);
}
