//! One file, read and written in any order, compared with a vector and an index.

mod scratch;

use proptest::prelude::*;
use riverhawk_handle::{Handle, OpenOptions};
use riverhawk_text::encoding::Latin1;
use scratch::Scratch;
use std::io::SeekFrom;

#[derive(Clone, Debug)]
enum Step {
    Receive(usize),
    ReadExactly(usize),
    ReadChars(usize),
    ReadLine,
    ReadToEnd,
    Write(Vec<u8>),
    SeekStart(u64),
    SeekCurrent(i64),
    SeekEnd(i64),
    Tell,
    AtEnd,
    Flush,
    Buffer(usize),
    Binary,
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..40)
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..30_usize).prop_map(Step::Receive),
        (0..30_usize).prop_map(Step::ReadExactly),
        (0..30_usize).prop_map(Step::ReadChars),
        Just(Step::ReadLine),
        Just(Step::ReadToEnd),
        bytes().prop_map(Step::Write),
        bytes().prop_map(Step::Write),
        (0..100_u64).prop_map(Step::SeekStart),
        (-20..20_i64).prop_map(Step::SeekCurrent),
        (-50..5_i64).prop_map(Step::SeekEnd),
        Just(Step::Tell),
        Just(Step::AtEnd),
        Just(Step::Flush),
        (0..20_usize).prop_map(Step::Buffer),
        Just(Step::Binary),
    ]
}

/// The expected content and position. Text is Latin-1: a character is a byte.
struct Model {
    file: Vec<u8>,
    at: usize,
}

impl Model {
    fn take(&mut self, count: usize) -> Vec<u8> {
        let from = self.at.min(self.file.len());
        let taken = self.file[from..].iter().take(count).copied().collect::<Vec<_>>();
        self.at += taken.len();
        taken
    }

    fn line(&mut self) -> Option<String> {
        let rest = &self.file[self.at.min(self.file.len())..];
        if rest.is_empty() {
            return None;
        }
        let length = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| at + 1);
        let mut line = self.take(length);
        if line.last() == Some(&b'\n') {
            line.pop();
            if line.last() == Some(&b'\r') {
                line.pop();
            }
        }
        Some(latin(&line))
    }

    fn write(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.file.resize(self.file.len().max(self.at + bytes.len()), 0);
        self.file[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }

    fn seek(&mut self, to: i64) -> Option<u64> {
        self.at = usize::try_from(to).ok()?;
        Some(self.at as u64)
    }
}

fn latin(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

fn compare(handle: &Handle, model: &mut Model, step: &Step) {
    match step {
        Step::Receive(limit) => {
            let got = handle.receive(*limit).unwrap();
            assert!(got.len() <= *limit);
            let left = model.file.len().saturating_sub(model.at);
            assert_eq!(got.is_empty(), *limit == 0 || left == 0);
            assert_eq!(got, model.take(got.len()));
        }
        Step::ReadExactly(count) => {
            assert_eq!(handle.read_exactly(*count).unwrap(), model.take(*count))
        }
        Step::ReadChars(count) => {
            let expected = latin(&model.take(*count));
            let got = handle.read_chars(*count).unwrap();
            assert_eq!(got, (*count == 0 || !expected.is_empty()).then_some(expected));
        }
        Step::ReadLine => assert_eq!(handle.read_line().unwrap(), model.line()),
        Step::ReadToEnd => assert_eq!(handle.read_to_end().unwrap(), model.take(usize::MAX)),
        Step::Write(bytes) => {
            handle.write(bytes).unwrap();
            model.write(bytes);
        }
        Step::SeekStart(to) => {
            assert_eq!(handle.seek(SeekFrom::Start(*to)).ok(), model.seek(*to as i64));
        }
        Step::SeekCurrent(by) => {
            let to = model.at as i64 + by;
            assert_eq!(handle.seek(SeekFrom::Current(*by)).ok(), model.seek(to));
        }
        Step::SeekEnd(by) => {
            let to = model.file.len() as i64 + by;
            assert_eq!(handle.seek(SeekFrom::End(*by)).ok(), model.seek(to));
        }
        Step::Tell => assert_eq!(handle.tell().unwrap(), model.at as u64),
        // An empty file may be one in /proc: only a read can tell.
        Step::AtEnd if model.file.is_empty() => {}
        Step::AtEnd => assert_eq!(handle.is_at_end().unwrap(), model.at >= model.file.len()),
        Step::Flush => handle.flush().unwrap(),
        Step::Buffer(size) => handle.set_buffer(*size).unwrap(),
        Step::Binary => handle.set_binary(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_file_read_and_written_in_any_order_is_as_a_vector_with_an_index(
        start in bytes(),
        steps in proptest::collection::vec(step(), 1..40),
    ) {
        let scratch = Scratch::new();
        let path = scratch.with("f", &start);
        let handle = OpenOptions::update().open(&path).unwrap();
        handle.set_encoding(Latin1);
        let mut model = Model { file: start, at: 0 };
        for step in &steps {
            compare(&handle, &mut model, step);
        }
        handle.close().unwrap();
        prop_assert_eq!(std::fs::read(&path).unwrap(), model.file);
    }
}
