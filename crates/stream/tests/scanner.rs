//! The scanner: no allocation, exact overflow, cut delimiters, unread.

use proptest::prelude::*;
use riverhawk_stream::{EndOfInput, ScanError, Scanner};
use std::io::{self, Read};

/// `size` bytes at a time, each after an interruption.
struct Drip<'t> {
    text: &'t [u8],
    size: usize,
    interrupt: bool,
}

impl<'t> Drip<'t> {
    fn new(text: &'t [u8], size: usize) -> Self {
        Self { text, size, interrupt: true }
    }
}

impl Read for Drip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupt = !self.interrupt;
        if !self.interrupt {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let count = self.size.min(buffer.len());
        (&mut self.text).take(count as u64).read(buffer)
    }
}

fn tokens(
    text: &[u8],
    size: usize,
    capacity: usize,
    delimiter: &[u8],
    mode: EndOfInput,
) -> Vec<Vec<u8>> {
    let mut buffer = vec![0; capacity];
    let mut scanner =
        Scanner::new(Drip::new(text, size), &mut buffer, delimiter).end_of_input(mode);
    let mut all = Vec::new();
    while let Some(token) = scanner.next_token().unwrap() {
        all.push(token.to_vec());
    }
    assert!(scanner.next_token().unwrap().is_none());
    all
}

#[test]
fn both_ends_of_input() {
    for size in [1, 2, 100] {
        assert_eq!(tokens(b"a\nb\nc", size, 8, b"\n", EndOfInput::Greedy), [b"a", b"b", b"c"]);
        assert_eq!(tokens(b"a\nb\nc", size, 8, b"\n", EndOfInput::Discard), [b"a", b"b"]);
        assert_eq!(tokens(b"a\n", size, 8, b"\n", EndOfInput::Greedy), [b"a"]);
        assert!(tokens(b"", size, 8, b"\n", EndOfInput::Greedy).is_empty());
    }
}

#[test]
fn h11d_a_delimiter_cut_at_every_byte_by_a_read_is_found() {
    for size in 1..12 {
        assert_eq!(
            tokens(b"one<--->two<--->", size, 16, b"<--->", EndOfInput::Greedy),
            [b"one", b"two"]
        );
    }
}

#[test]
fn overflow_comes_at_exactly_the_capacity() {
    for size in [1, 3, 100] {
        assert_eq!(tokens(b"1234567\n1234567\n", size, 8, b"\n", EndOfInput::Greedy).len(), 2);
        let mut buffer = [0; 8];
        let mut scanner = Scanner::new(Drip::new(b"x\n12345678\n", size), &mut buffer, b"\n");
        assert_eq!(scanner.next_token().unwrap(), Some(&b"x"[..]));
        for _ in 0..2 {
            assert!(matches!(scanner.next_token(), Err(ScanError::Overflow { capacity: 8 })));
        }
        assert_eq!(scanner.pending(), b"12345678");
    }
    assert!(matches!(
        Scanner::new(&b"x"[..], &mut [], b"\n").next_token(),
        Err(ScanError::Overflow { capacity: 0 })
    ));
}

#[test]
fn what_is_buffered_is_delivered_without_another_read() {
    struct Once(bool);
    impl Read for Once {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(!std::mem::replace(&mut self.0, true), "read again with tokens in the buffer");
            buffer[..4].copy_from_slice(b"a\nb\n");
            Ok(4)
        }
    }
    let mut buffer = [0; 64];
    let mut scanner = Scanner::new(Once(false), &mut buffer, b"\n");
    assert_eq!(scanner.next_token().unwrap(), Some(&b"a"[..]));
    assert_eq!(scanner.next_token().unwrap(), Some(&b"b"[..]));
}

#[test]
fn h11d_unread_tokens_come_again_in_order_and_no_space_is_lost() {
    let mut buffer = [0; 64];
    let mut scanner = Scanner::new(&b"a b c"[..], &mut buffer, b" ");
    for expected in [b"a", b"b"] {
        assert_eq!(scanner.next_token().unwrap(), Some(&expected[..]));
    }
    // Delimiters included: a space was once lost here.
    assert!(scanner.unread(2) && scanner.unread(2));
    assert!(!scanner.unread(1), "there is nothing before the beginning");
    for expected in [b"a", b"b", b"c"] {
        assert_eq!(scanner.next_token().unwrap(), Some(&expected[..]));
    }
    assert!(scanner.unread(1));
    assert_eq!(scanner.next_token().unwrap(), Some(&b"c"[..]));
}

#[test]
fn h11d_what_a_short_read_left_alone_is_not_text() {
    // Only what the reader delivered counts as read.
    for size in 1..8 {
        let mut buffer = *b"dirt\ndirt\ndirt\n";
        let mut scanner = Scanner::new(Drip::new(b"ab\ncd", size), &mut buffer, b"\n");
        assert_eq!(scanner.next_token().unwrap(), Some(&b"ab"[..]), "{size}");
        assert!(b"cd".starts_with(scanner.pending()), "{size}: {:?}", scanner.pending());
        assert_eq!(scanner.next_token().unwrap(), Some(&b"cd"[..]), "{size}");
        assert_eq!(scanner.next_token().unwrap(), None, "{size}");
    }
}

#[test]
fn h11d_a_pipe_may_begin_a_new_buffer_anywhere() {
    // The pipe gives less than was asked for.
    let (reader, mut writer) = io::pipe().unwrap();
    let lines: Vec<String> = (0..2000).map(|n| "x".repeat(n % 29)).collect();
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for piece in text.as_bytes().chunks(13) {
                io::Write::write_all(&mut writer, piece).unwrap();
            }
        });
        let mut buffer = [0; 32];
        let mut scanner = Scanner::new(reader, &mut buffer, b"\n");
        for line in &lines {
            assert_eq!(scanner.next_token().unwrap(), Some(line.as_bytes()));
        }
        assert_eq!(scanner.next_token().unwrap(), None);
    });
}

#[test]
fn h11d_the_last_bytes_are_readable() {
    for last in ["a", "ab", "abc", "é", "日", "a日", "🦅"] {
        for size in 1..6 {
            let text = format!("first\n{last}");
            let expected = [b"first", last.as_bytes()];
            assert_eq!(
                tokens(text.as_bytes(), size, 16, b"\n", EndOfInput::Greedy),
                expected,
                "{last} by {size}"
            );
        }
    }
}

#[test]
fn a_failed_read_is_reported_and_nothing_is_lost() {
    struct Flaky(u8);
    impl Read for Flaky {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            match self.0 {
                1 => {
                    buffer[..2].copy_from_slice(b"ab");
                    Ok(2)
                }
                2 => Err(io::ErrorKind::TimedOut.into()),
                3 => {
                    buffer[..2].copy_from_slice(b"c\n");
                    Ok(2)
                }
                _ => Ok(0),
            }
        }
    }
    let mut buffer = [0; 64];
    let mut scanner = Scanner::new(Flaky(0), &mut buffer, b"\n");
    assert!(
        matches!(scanner.next_token(), Err(ScanError::Read(error)) if error.kind() == io::ErrorKind::TimedOut)
    );
    assert_eq!(scanner.next_token().unwrap(), Some(&b"abc"[..]));
}

proptest! {
    #[test]
    fn tokens_equal_those_of_a_naive_split(
        parts in proptest::collection::vec("[ab-]{0,9}", 0..20),
        delimiter in proptest::sample::select(vec!["\n", "--", "-a-", "aab"]),
        size in 1usize..40,
        capacity in 30usize..50,
    ) {
        let text = parts.join(delimiter);
        let mut expected: Vec<&str> = text.split(delimiter).collect();
        prop_assume!(expected.iter().all(|token| token.len() + delimiter.len() <= 30));
        if expected.last() == Some(&"") {
            expected.pop();
        }
        let found = tokens(text.as_bytes(), size, capacity, delimiter.as_bytes(), EndOfInput::Greedy);
        prop_assert_eq!(found, expected.iter().map(|token| token.as_bytes().to_vec()).collect::<Vec<_>>());
    }
}

#[test]
fn an_error_of_the_reader_is_the_source_of_the_scanner_s() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
    let error = Scanner::new(Broken, &mut [0; 4], b"\n").next_token().unwrap_err();
    let source = std::error::Error::source(&error).expect("the reader's error");
    assert_eq!((error.to_string(), source.to_string()), ("broken".to_owned(), "broken".to_owned()));
    let full = Scanner::new(&b"abcdefgh"[..], &mut [0; 4], b"\n").next_token().unwrap_err();
    assert!(std::error::Error::source(&full).is_none());
    assert_eq!(full.to_string(), "a token does not fit into the buffer of 4 bytes");
}
