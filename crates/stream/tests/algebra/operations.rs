//! Every operation on every stream and buffer size, against the defaults.

use crate::sources::{Plain, each_source};
use proptest::prelude::*;
use riverhawk_stream::{Buffered, ByteSet, Ended, Limited, MemoryStream, Pattern, Stream};
use std::io;

#[derive(Debug, Clone)]
enum Operation {
    NextByte,
    Peek,
    ReadInto(usize),
    CopyTo(usize),
    ReadExact(usize),
    UpTo(u8),
    UpToAny(Vec<u8>),
    UpToAll(Vec<u8>),
    UpToEnd,
    Skip(u64),
    SkipTo(u8),
    SkipToAll(Vec<u8>),
    Line,
    Limited(u64, Vec<Operation>),
}

type Outcome = (Vec<u8>, String);

fn on_stream<S: Stream + ?Sized>(stream: &mut S, operation: &Operation) -> Outcome {
    let mut out = Vec::new();
    let ended = match operation {
        Operation::NextByte => format!("{:?}", stream.next_byte().unwrap()),
        Operation::ReadInto(count) => {
            // How much is available differs.
            let mut buffer = vec![0; *count];
            while out.len() < *count {
                let got = stream.read_into(&mut buffer[..*count - out.len()]).unwrap();
                if got == 0 {
                    break;
                }
                out.extend_from_slice(&buffer[..got]);
            }
            String::new()
        }
        Operation::CopyTo(count) => {
            let (before, mut left) = (out.len(), *count);
            while left > 0 {
                let copied = stream.copy_to(left, &mut out).unwrap();
                if copied == 0 {
                    break;
                }
                left -= copied;
            }
            (out.len() - before).to_string()
        }
        Operation::ReadExact(count) => match stream.read_exact(*count, &mut out) {
            Ok(()) => "whole".into(),
            Err(error) => format!("{:?}", error.kind()),
        },
        Operation::UpTo(byte) => format!("{:?}", stream.up_to(*byte, &mut out).unwrap()),
        Operation::UpToAny(set) => {
            format!("{:?}", stream.up_to_any(&ByteSet::new(set), &mut out).unwrap())
        }
        Operation::UpToAll(pattern) => {
            format!("{:?}", stream.up_to_all(&mut Pattern::new(pattern), &mut out).unwrap())
        }
        Operation::UpToEnd => stream.up_to_end(&mut out).unwrap().to_string(),
        Operation::Skip(count) => stream.skip(*count).unwrap().to_string(),
        Operation::SkipTo(byte) => stream.skip_to(*byte).unwrap().to_string(),
        Operation::SkipToAll(pattern) => {
            stream.skip_to_all(&mut Pattern::new(pattern)).unwrap().to_string()
        }
        Operation::Peek | Operation::Line | Operation::Limited(..) => {
            unreachable!("handled by the callers")
        }
    };
    (out, ended)
}

/// The reference.
fn expected(stream: &mut Plain<'_>, operations: &[Operation], seen: &mut Vec<Outcome>) {
    for operation in operations {
        match operation {
            Operation::Peek => seen.push((vec![], format!("{:?}", stream.rest().first()))),
            Operation::Line => {
                let rest = stream.rest();
                let length = rest.iter().position(|byte| b"\r\n".contains(byte));
                let (length, end, ended) = match length {
                    Some(at) if rest[at..].starts_with(b"\r\n") => (at, 2, Ended::AtDelimiter),
                    Some(at) => (at, 1, Ended::AtDelimiter),
                    None => (rest.len(), 0, Ended::AtEnd),
                };
                seen.push((rest[..length].to_vec(), format!("{ended:?}")));
                stream.advance(length + end);
            }
            Operation::Limited(limit, inner) => {
                let rest = stream.rest();
                let mut part = Plain::new(&rest[..rest.len().min(*limit as usize)]);
                expected(&mut part, inner, seen);
                let taken = rest.len().min(*limit as usize) - part.rest().len();
                stream.advance(taken);
            }
            other => seen.push(on_stream(stream, other)),
        }
    }
}

fn found(
    stream: &mut dyn Buffered,
    operations: &[Operation],
    borrow: bool,
    seen: &mut Vec<Outcome>,
) {
    for operation in operations {
        let outcome = match operation {
            Operation::Peek => {
                let byte = stream.peek().unwrap();
                assert_eq!(byte, stream.look().unwrap().first().copied());
                (vec![], format!("{:?}", byte.as_ref()))
            }
            Operation::Line if borrow => {
                let taken = stream.take_line().unwrap();
                (taken.bytes.to_vec(), format!("{:?}", taken.ended))
            }
            Operation::Line => {
                let mut out = Vec::new();
                let ended = stream.next_line(&mut out).unwrap();
                (out, format!("{ended:?}"))
            }
            Operation::UpTo(byte) if borrow => {
                let taken = stream.take_up_to(*byte).unwrap();
                (taken.bytes.to_vec(), format!("{:?}", taken.ended))
            }
            Operation::UpToAny(set) if borrow => {
                let (bytes, delimiter) = stream.take_up_to_any(&ByteSet::new(set)).unwrap();
                (bytes.to_vec(), format!("{delimiter:?}"))
            }
            Operation::UpToAll(pattern) if borrow => {
                let taken = stream.take_up_to_all(&Pattern::new(pattern)).unwrap();
                (taken.bytes.to_vec(), format!("{:?}", taken.ended))
            }
            Operation::ReadExact(count) if borrow => {
                let taken = stream.take_exact(*count).unwrap();
                let ended = if taken.bytes.len() == *count { "whole" } else { "UnexpectedEof" };
                assert_eq!(taken.ended == Ended::AtEnd, taken.bytes.len() < *count);
                (taken.bytes.to_vec(), ended.into())
            }
            Operation::Limited(limit, inner) => {
                found(&mut Limited::new(stream, *limit), inner, borrow, seen);
                continue;
            }
            other => on_stream(stream, other),
        };
        seen.push(outcome);
    }
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(proptest::sample::select(b"aaabbc\r\n\n\xff".to_vec()), 0..4)
}

fn operation() -> impl Strategy<Value = Operation> {
    let byte = || proptest::sample::select(b"abc\n\xffz".to_vec());
    let pattern = || {
        let overlapping =
            [&b"aabab"[..], b"aa", b"ab", b"\r\n", b"abaab", b"b"].map(<[u8]>::to_vec).to_vec();
        prop_oneof![bytes(), proptest::sample::select(overlapping)]
    };
    let leaf = prop_oneof![
        Just(Operation::NextByte),
        Just(Operation::Peek),
        (0usize..20).prop_map(Operation::ReadInto),
        (0usize..20).prop_map(Operation::CopyTo),
        (0usize..20).prop_map(Operation::ReadExact),
        byte().prop_map(Operation::UpTo),
        bytes().prop_map(Operation::UpToAny),
        Just(Operation::UpToAny(b"bc\n\xffz".to_vec())),
        pattern().prop_map(Operation::UpToAll),
        (0u64..20).prop_map(Operation::Skip),
        byte().prop_map(Operation::SkipTo),
        pattern().prop_map(Operation::SkipToAll),
        Just(Operation::Line),
        Just(Operation::Line),
    ];
    let ending = Just(Operation::UpToEnd);
    leaf.prop_recursive(2, 12, 4, move |inner| {
        let inner = prop_oneof![9 => inner, 1 => ending.clone()];
        (0u64..30, proptest::collection::vec(inner, 0..4))
            .prop_map(|(limit, inner)| Operation::Limited(limit, inner))
    })
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(proptest::sample::select(b"aaaabbbc\r\n\r\n\xff".to_vec()), 0..200)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn overrides_equal_the_defaults_on_every_source_at_every_buffer_size(
        text in text(),
        mut operations in proptest::collection::vec(operation(), 1..12),
        borrow in any::<bool>(),
    ) {
        operations.push(Operation::UpToEnd);
        let mut want = Vec::new();
        expected(&mut Plain::new(&text), &operations, &mut want);
        each_source(&text, |name, stream| {
            let mut have = Vec::new();
            found(stream, &operations, borrow, &mut have);
            assert_eq!(have, want, "{name}");
            assert_eq!(stream.offset(), text.len() as u64, "{name}");
        });
    }

    #[test]
    fn a_tee_gives_both_the_reader_and_the_sink_everything(
        text in text(),
        mut operations in proptest::collection::vec(operation(), 1..8),
        borrow in any::<bool>(),
    ) {
        operations.push(Operation::UpToEnd);
        let mut want = Vec::new();
        expected(&mut Plain::new(&text), &operations, &mut want);
        each_source(&text, |name, stream| {
            let mut tee = stream.tee(Vec::new());
            let mut have = Vec::new();
            found(&mut tee, &operations, borrow, &mut have);
            assert_eq!(have, want, "{name}");
            assert_eq!(tee.sink(), &text, "{name}");
        });
    }

    #[test]
    fn concatenation_select_reject_and_collect_equal_the_same_done_to_the_text(
        first in text(),
        second in text(),
        operations in proptest::collection::vec(operation(), 1..8),
        size in proptest::sample::select(vec![1usize, 2, 7, 64]),
    ) {
        let keeps = |byte: u8| byte != b'b';
        let changes = |byte: u8| if byte == b'c' { b'a' } else { byte };
        let joined = [&first[..], &second[..]].concat();
        let kept: Vec<u8> = joined.iter().copied().filter(|&byte| keeps(byte)).collect();
        let changed: Vec<u8> = kept.iter().copied().map(changes).collect();
        let mut operations: Vec<_> = operations
            .into_iter()
            .filter(|operation| !matches!(operation, Operation::Limited(..) | Operation::Peek | Operation::Line))
            .collect();
        operations.push(Operation::UpToEnd);
        let run = |text: &[u8], stream: &mut dyn FnMut() -> Box<dyn Stream>| {
            let mut want = Vec::new();
            expected(&mut Plain::new(text), &operations, &mut want);
            let mut stream = stream();
            let have: Vec<_> = operations.iter().map(|operation| on_stream(&mut stream, operation)).collect();
            assert_eq!(have, want);
        };
        // Leaked for boxing.
        let (first, second): (&'static [u8], &'static [u8]) = (first.leak(), second.leak());
        let concat = || MemoryStream::new(first).then(MemoryStream::new(second));
        run(&joined, &mut || Box::new(concat()));
        run(&joined, &mut || Box::new(concat().buffered_by(size)));
        run(&kept, &mut || Box::new(concat().select(keeps)));
        run(&kept, &mut || Box::new(concat().reject(move |byte| !keeps(byte)).buffered_by(size)));
        run(&changed, &mut || Box::new(concat().select(keeps).collect(changes)));
        run(&changed, &mut || Box::new(concat().collect(changes).select(keeps).peekable()));
    }
}

#[test]
fn a_concatenation_goes_up_to_any_byte_of_a_set_across_its_seam() {
    let mut stream = MemoryStream::new(b"ab").then(MemoryStream::new(b"cd;ef"));
    let (set, mut out) = (ByteSet::new(b",;"), Vec::new());
    assert_eq!(stream.up_to_any(&set, &mut out).unwrap(), Some(b';'));
    assert_eq!(out, b"abcd");
    assert_eq!(stream.up_to_any(&set, &mut out).unwrap(), None);
    assert_eq!(out, b"abcdef");
}

#[test]
fn a_pattern_that_overlaps_itself_is_found_across_refills() {
    each_source(b"aabaabab, rest", |name, stream| {
        let mut out = Vec::new();
        let ended = stream.up_to_all(&mut Pattern::new("aabab"), &mut out).unwrap();
        assert_eq!((ended, &out[..]), (Ended::AtDelimiter, &b"aab"[..]), "{name}");
        assert_eq!(stream.take_up_to_all(&Pattern::new(", ")).unwrap().bytes, b"", "{name}");
        assert!(stream.skip_to_all(&mut Pattern::new("st")).unwrap(), "{name}");
        assert_eq!(stream.peek().unwrap(), None, "{name}");
    });
}

#[test]
fn the_empty_pattern_is_found_at_once() {
    each_source(b"abc", |name, stream| {
        let mut out = Vec::new();
        assert_eq!(
            stream.up_to_all(&mut Pattern::new(""), &mut out).unwrap(),
            Ended::AtDelimiter,
            "{name}"
        );
        assert!(out.is_empty() && stream.skip_to_all(&mut Pattern::new("")).unwrap(), "{name}");
        assert_eq!(stream.take_up_to_all(&Pattern::new("")).unwrap().bytes, b"", "{name}");
        assert_eq!(stream.offset(), 0, "{name}");
    });
}

#[test]
fn a_delimiter_behind_the_limit_is_not_seen() {
    // Must not search past the limit.
    each_source(b"abc;def;", |name, stream| {
        let mut part = Limited::new(stream, 2);
        assert_eq!(
            part.take_up_to(b';').unwrap(),
            riverhawk_stream::Taken { bytes: b"ab", ended: Ended::AtEnd }
        );
        assert_eq!((part.remaining(), part.peek().unwrap()), (0, None), "{name}");
        let mut part = Limited::new(stream, 1);
        assert!(!part.skip_to(b';').unwrap(), "{name}");
        assert_eq!(stream.take_up_to(b';').unwrap().bytes, b"", "{name}");
        let mut part = Limited::new(stream, 100);
        assert_eq!(part.take_up_to(b';').unwrap().bytes, b"def", "{name}");
        assert!(part.take_line().unwrap().is_end() && part.remaining() == 96, "{name}");
    });
}

#[test]
fn streams_are_readers_of_the_standard_library() -> io::Result<()> {
    use io::{BufRead, Read};
    each_source(b"one\ntwo\nthree", |name, stream| {
        let mut reader = riverhawk_stream::StreamReader::new(stream);
        let mut line = String::new();
        assert_eq!(reader.read_line(&mut line).unwrap(), 4, "{name}");
        let mut rest = String::new();
        reader.read_to_string(&mut rest).unwrap();
        assert_eq!((&line[..], &rest[..]), ("one\n", "two\nthree"), "{name}");
    });
    Ok(())
}
