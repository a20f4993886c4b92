//! Sinks: partial writes, failures, and what is left after them.

use riverhawk_stream::{
    BlockSink, FdSink, FlushRule, MemoryStream, OutputBuffer, Sink, Stream, TeeSink, WriteSink,
};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::unix::net::UnixStream;

/// One to three bytes at a time, failing every second time.
#[derive(Default)]
struct Fussy {
    taken: Vec<u8>,
    calls: usize,
}

impl Sink for Fussy {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        match self.calls % 4 {
            1 => Err(ErrorKind::Interrupted.into()),
            3 => Err(ErrorKind::WouldBlock.into()),
            turn => self.taken.put(&block[..block.len().min(turn + 1)]),
        }
    }
}

/// Repeats after each "not yet".
fn insist(sink: &mut dyn Sink, mut block: &[u8]) {
    while let Err(error) = sink.put_rest(&mut block) {
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
    }
}

const TEXT: &[u8] = b"the quick brown fox jumps over the lazy dog";

#[test]
fn a_tee_gives_each_sink_everything_once_although_both_are_fussy() {
    let mut tee = TeeSink::new(Fussy::default(), Fussy { calls: 2, ..Fussy::default() });
    for piece in TEXT.chunks(7) {
        insist(&mut tee, piece);
    }
    let (first, second) = tee.into_parts();
    assert_eq!((&first.taken[..], &second.taken[..]), (TEXT, TEXT));
}

#[test]
fn blocks_of_every_size_pass_on_everything_in_order() {
    for size in 1..50 {
        for piece in [1, 3, 7, 43] {
            let mut sink = BlockSink::with_size(Fussy::default(), size);
            for piece in TEXT.chunks(piece) {
                insist(&mut sink, piece);
            }
            let fussy = loop {
                match sink.finish() {
                    Ok(fussy) => break fussy,
                    Err((again, error)) => {
                        assert_eq!(error.kind(), ErrorKind::WouldBlock);
                        sink = again;
                    }
                }
            };
            assert_eq!(fussy.taken, TEXT, "blocks of {size}, pieces of {piece}");
        }
    }
}

/// Records block lengths.
#[derive(Default)]
struct Sizes(Vec<usize>);

impl Sink for Sizes {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        self.0.push(block.len());
        Ok(block.len())
    }
}

#[test]
fn small_pieces_reach_the_sink_as_blocks() {
    let mut sink = BlockSink::with_size(Sizes(vec![]), 10);
    for _ in 0..25 {
        sink.put_all(b"x").unwrap();
    }
    assert_eq!(sink.pending().len(), 5);
    assert_eq!(sink.finish().map_err(|(_, error)| error).unwrap().0, [10, 10, 5]);
    // As large as a block: no copy.
    let mut sink = BlockSink::with_size(Sizes(vec![]), 10);
    sink.put_all(&[b'x'; 33]).unwrap();
    assert_eq!(sink.pending(), b"");
    assert_eq!(sink.finish().map_err(|(_, error)| error).unwrap().0, [33]);
}

/// As [`Fussy`], but waits.
#[derive(Default)]
struct Patient {
    fussy: Fussy,
    waits: usize,
}

impl Sink for Patient {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        self.fussy.put(block)
    }

    fn retry(&mut self, error: io::Error) -> io::Result<()> {
        self.waits += usize::from(error.kind() == ErrorKind::WouldBlock);
        Ok(())
    }
}

#[test]
fn a_buffer_of_any_size_puts_everything_once_and_in_order_whatever_its_rule() {
    use FlushRule::{EachPiece, EachPieceFor, WhenFull};
    for size in 0..50 {
        for rule in [WhenFull, EachPiece, EachPieceFor(5), EachPieceFor(20)] {
            let (mut buffer, mut sink) = (OutputBuffer::new(size, rule), Patient::default());
            let mut written = 0;
            for (turn, piece) in TEXT.chunks(5).enumerate() {
                written += piece.len();
                match turn % 4 {
                    0 => buffer.write_piece(&[piece], &mut sink).unwrap(),
                    1 => {
                        buffer.write_piece(&[&piece[..1], b"", &piece[1..]], &mut sink).unwrap();
                    }
                    2 if buffer.hold(piece) => {}
                    3 if buffer.hold_pair(&piece[..2], &piece[2..]) => {}
                    _ => buffer.write(piece, &mut sink).unwrap(),
                }
                assert!(buffer.pending().len() <= size);
                assert_eq!(sink.fussy.taken.len() + buffer.pending().len(), written);
                let is_piece = turn % 4 < 2;
                assert!(!(is_piece && rule == EachPiece) || buffer.pending().is_empty());
            }
            buffer.flush(&mut sink).unwrap();
            assert_eq!(sink.fussy.taken, TEXT, "{size} {rule:?}");
            assert!(sink.waits > 0 && buffer.pending().is_empty());
        }
    }
}

#[test]
fn a_piece_is_put_in_one_call_and_its_parts_never_alone() {
    for (size, rule) in [(0, FlushRule::WhenFull), (100, FlushRule::EachPiece)] {
        let (mut buffer, mut sink) = (OutputBuffer::new(size, rule), Sizes::default());
        buffer.write_piece(&[b"one", b" ", b"two"], &mut sink).unwrap();
        buffer.write_piece(&[b"\n"], &mut sink).unwrap();
        assert_eq!(sink.0, [7, 1]);
    }
}

#[test]
fn pieces_are_written_one_by_one_only_until_enough_has_gone_out() {
    let mut buffer = OutputBuffer::new(100, FlushRule::EachPieceFor(6));
    let mut sink = Sizes::default();
    for _ in 0..4 {
        buffer.write_piece(&[b"four"], &mut sink).unwrap();
    }
    assert_eq!((&sink.0[..], buffer.pending().len()), (&[4, 4][..], 8));
}

#[test]
fn what_a_flush_could_not_write_goes_out_with_the_next_or_is_discarded() {
    let (mut buffer, mut sink) = (OutputBuffer::new(64, FlushRule::WhenFull), Fussy::default());
    assert!(buffer.hold(TEXT));
    let mut failures = 0;
    while let Err(error) = buffer.flush(&mut sink) {
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
        assert_eq!([&sink.taken, buffer.pending()].concat(), TEXT);
        failures += 1;
    }
    assert!(failures > 1);
    assert_eq!(sink.taken, TEXT);
    assert!(buffer.hold(b"lost") && buffer.discard() == 4);
    buffer.flush(&mut sink).unwrap();
    assert_eq!(sink.taken, TEXT);
}

#[test]
fn a_full_device_and_a_closed_reader_are_errors_at_every_size() {
    for size in [0, 1, 7, 1000] {
        let (near, far) = UnixStream::pair().unwrap();
        drop(far);
        let full = File::options().write(true).open("/dev/full").unwrap();
        for (fd, kind) in [
            (FdSink::new(near), ErrorKind::BrokenPipe),
            (FdSink::new(full), ErrorKind::StorageFull),
        ] {
            let (mut buffer, mut sink) = (OutputBuffer::new(size, FlushRule::WhenFull), fd);
            let mut failures = Vec::new();
            for piece in TEXT.chunks(3) {
                failures.extend(buffer.write(piece, &mut sink).err());
            }
            failures.extend(buffer.flush(&mut sink).err());
            assert!(failures.iter().all(|error| error.kind() == kind));
            assert!(!failures.is_empty());
        }
    }
}

#[test]
fn descriptors_and_writers_get_what_is_put() -> io::Result<()> {
    let (near, mut far) = UnixStream::pair()?;
    let mut sink = FdSink::new(near);
    let count = MemoryStream::new(TEXT).copy_all(&mut sink)?;
    assert_eq!(count, TEXT.len() as u64);
    drop(sink);
    let mut seen = Vec::new();
    far.read_to_end(&mut seen)?;
    assert_eq!(seen, TEXT);
    let mut sink = WriteSink::new(Vec::new());
    MemoryStream::new(TEXT).copy_all(&mut sink)?;
    assert_eq!(sink.into_inner(), TEXT);
    Ok(())
}

#[test]
fn a_full_device_is_an_error() {
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    let mut sink = BlockSink::new(FdSink::new(full));
    sink.put_all(TEXT).unwrap();
    let (sink, error) = sink.finish().unwrap_err();
    assert_eq!((error.kind(), sink.pending()), (ErrorKind::StorageFull, TEXT));
}

#[test]
fn a_sink_that_takes_nothing_and_does_not_say_why_is_an_error() {
    struct Deaf;
    impl Sink for Deaf {
        fn put(&mut self, _: &[u8]) -> io::Result<usize> {
            Ok(0)
        }
    }
    assert_eq!(Deaf.put_all(b"x").unwrap_err().kind(), ErrorKind::WriteZero);
    Deaf.put_all(b"").unwrap();
}

#[test]
fn sinks_behind_pointers_are_sinks() {
    let mut memory = Vec::new();
    let boxed: Box<dyn Sink + '_> = Box::new(&mut memory);
    TeeSink::new(boxed, WriteSink::new(io::sink())).put_all(TEXT).unwrap();
    assert_eq!(memory, TEXT);
}
