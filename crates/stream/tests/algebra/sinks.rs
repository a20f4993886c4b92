//! Sinks: partial writes, failures, and what is left after them.

use riverhawk_stream::{
    BlockSink, CountingSink, FdSink, MemorySink, MemoryStream, NullSink, Sink, Stream, TeeSink,
    WriteSink,
};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::unix::net::UnixStream;

/// Takes one to three bytes at a time and fails before every second time.
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

/// Puts all of `block` into `sink`, again after each "not yet".
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

#[test]
fn small_pieces_reach_the_sink_as_blocks() {
    struct Sizes(Vec<usize>);
    impl Sink for Sizes {
        fn put(&mut self, block: &[u8]) -> io::Result<usize> {
            self.0.push(block.len());
            Ok(block.len())
        }
    }
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

#[test]
fn descriptors_and_writers_get_what_is_put() -> io::Result<()> {
    let (near, mut far) = UnixStream::pair()?;
    let mut sink = CountingSink::new(FdSink::new(near));
    MemoryStream::new(TEXT).copy_all(&mut sink)?;
    assert_eq!(sink.count(), TEXT.len() as u64);
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
    let mut memory = MemorySink::new();
    let boxed: Box<dyn Sink + '_> = Box::new(&mut memory);
    TeeSink::new(boxed, NullSink).put_all(TEXT).unwrap();
    assert_eq!(memory.into_bytes(), TEXT);
}
