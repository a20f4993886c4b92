use std::sync::{Arc, Mutex};

use super::*;

#[derive(Clone, Copy)]
enum Answer {
    Take(usize),
    Fail(io::ErrorKind),
}

#[derive(Clone, Default)]
struct Script {
    answers: Arc<Mutex<Vec<Answer>>>,
    written: Arc<Mutex<Vec<u8>>>,
    calls: Arc<Mutex<Vec<usize>>>,
}

impl Script {
    fn new(answers: &[Answer]) -> Self {
        let script = Self::default();
        script.answers.lock().unwrap().extend(answers.iter().rev());
        script
    }

    fn sink(&self) -> Sink {
        Sink::into_writer(Box::new(self.clone()), Target::Stdout)
    }

    fn written(&self) -> Vec<u8> {
        self.written.lock().unwrap().clone()
    }

    fn calls(&self) -> Vec<usize> {
        self.calls.lock().unwrap().clone()
    }
}

impl io::Write for Script {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls.lock().unwrap().push(bytes.len());
        let taken = match self.answers.lock().unwrap().pop() {
            Some(Answer::Take(most)) => bytes.len().min(most),
            Some(Answer::Fail(kind)) => return Err(kind.into()),
            None => bytes.len(),
        };
        self.written.lock().unwrap().extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn short_and_interrupted_writes_lose_and_repeat_nothing() {
    use Answer::{Fail, Take};
    let script = Script::new(&[
        Take(1),
        Fail(io::ErrorKind::Interrupted),
        Take(3),
        Fail(io::ErrorKind::Interrupted),
    ]);
    let mut sink = script.sink();
    sink.write(b"hello, ").unwrap();
    sink.write_pair(b"world", b"\n").unwrap();
    assert_eq!(script.written(), b"");
    sink.write_pending(Action::Flush).unwrap();
    assert_eq!(script.written(), b"hello, world\n");
    assert_eq!(script.calls(), [13, 12, 12, 9, 9]);
}

#[test]
fn a_write_that_does_not_fit_flushes_first_and_a_large_one_goes_straight_out() {
    let script = Script::default();
    let mut sink = script.sink();
    sink.write(b"abc").unwrap();
    sink.write(&vec![b'x'; OUTPUT_BLOCK - 2]).unwrap();
    assert_eq!(script.calls(), [3]); // The old bytes alone, the new ones are buffered
    sink.write(&vec![b'y'; OUTPUT_BLOCK]).unwrap();
    assert_eq!(script.calls(), [3, OUTPUT_BLOCK - 2, OUTPUT_BLOCK]);
    assert!(!sink.has_pending());
}

#[test]
fn the_end_of_a_last_line_is_dropped_if_nothing_follows() {
    let ends = |then: &dyn Fn(&mut Sink)| {
        let script = Script::default();
        let mut sink = script.sink();
        sink.write(b"a").unwrap();
        sink.write_spare_end(b"\r\n".to_vec()).unwrap();
        then(&mut sink);
        sink.write_pending(Action::Close).unwrap();
        script.written()
    };
    assert_eq!(ends(&|_| {}), b"a");
    // Even after each print, as on a terminal.
    assert_eq!(ends(&|sink| (0..2).for_each(|_| sink.write_pending(Action::Write).unwrap())), b"a");
    assert_eq!(ends(&|sink| sink.write(b"b").unwrap()), b"a\r\nb");
    let late = |sink: &mut Sink| {
        sink.write_pending(Action::Write).unwrap();
        sink.write(b"b").unwrap();
    };
    assert_eq!(ends(&late), b"a\r\nb");
    // A command's output may follow.
    assert_eq!(ends(&|sink| sink.write_pending(Action::Flush).unwrap()), b"a\r\n");
    let large = |sink: &mut Sink| {
        sink.write_pending(Action::Write).unwrap();
        sink.write(&vec![b'x'; OUTPUT_BLOCK]).unwrap();
    };
    assert_eq!(ends(&large)[..4], *b"a\r\nx");
    let nearly_full = |sink: &mut Sink| sink.write(&vec![b'x'; OUTPUT_BLOCK - 1]).unwrap();
    assert_eq!(ends(&nearly_full).len(), OUTPUT_BLOCK + 2);
}

#[test]
fn every_byte_arrives_in_order_whatever_the_sizes() {
    let script = Script::default();
    let mut sink = script.sink();
    let mut expected = Vec::new();
    for step in 0..400_usize {
        let piece = vec![step as u8; step * 37 % 3001 + usize::from(step % 97 == 0) * OUTPUT_BLOCK];
        expected.extend_from_slice(&piece);
        expected.push(b'\n');
        if step % 2 == 0 {
            sink.write_pair(&piece, b"\n").unwrap();
        } else {
            sink.write(&piece).unwrap();
            sink.write(b"\n").unwrap();
        }
        sink.end_print().unwrap();
    }
    sink.write_pending(Action::Close).unwrap();
    assert!(script.written() == expected);
}

#[test]
fn a_failure_names_target_and_action_and_is_reported_once() {
    let script = Script::new(&[Answer::Fail(io::ErrorKind::StorageFull)]);
    let mut sink = script.sink();
    sink.write(b"lost").unwrap();
    let failure = sink.write_pending(Action::Flush).unwrap_err();
    assert_eq!((&failure.target, failure.action), (&Target::Stdout, Action::Flush));
    assert_eq!(failure.source.kind(), io::ErrorKind::StorageFull);
    sink.write_pending(Action::Close).unwrap();
    assert_eq!(script.written(), b"");
}

#[test]
fn a_device_that_takes_nothing_is_an_error_not_a_loop() {
    let script = Script::new(&[Answer::Take(0)]);
    let mut sink = script.sink();
    sink.write(b"x").unwrap();
    assert_eq!(
        sink.write_pending(Action::Flush).unwrap_err().source.kind(),
        io::ErrorKind::WriteZero
    );
}

#[test]
fn the_standard_error_is_written_once_for_each_print() {
    let script = Script::default();
    let mut sink = Sink::into_writer(Box::new(script.clone()), Target::Stderr);
    for _ in 0..2 {
        sink.write(b"a").unwrap();
        sink.write(b" b\n").unwrap();
        sink.end_print().unwrap();
    }
    assert_eq!(script.calls(), [4, 4]);
}

#[test]
fn a_pipe_is_prompt_for_64_kib_and_then_buffered() {
    let (reader, writer) = io::pipe().unwrap();
    let drained = std::thread::spawn(move || {
        io::copy(&mut io::BufReader::new(reader), &mut io::sink()).unwrap()
    });
    let mut sink = Sink::pipe(Box::new(writer), b"command");
    let line = [b'x'; 1024];
    let mut prompt_prints = 0;
    loop {
        sink.write(&line).unwrap();
        sink.end_print().unwrap();
        if sink.has_pending() {
            break;
        }
        prompt_prints += 1;
    }
    assert_eq!(prompt_prints, PIPE_PROMPT_BYTES / line.len());
    sink.write_pending(Action::Close).unwrap();
    drop(sink);
    assert_eq!(drained.join().unwrap(), 65 * 1024);
}

#[test]
fn a_non_blocking_descriptor_is_waited_for() {
    let (mut reader, writer) = io::pipe().unwrap();
    riverhawk_system::io::ioctl_fionbio(&writer, true).unwrap();
    let text = vec![b'z'; 1 << 20];
    let copy = text.clone();
    let written = std::thread::spawn(move || {
        let mut sink = Sink::file(writer.into(), b"file");
        sink.write(&copy).unwrap();
    });
    let mut read = Vec::new();
    io::Read::read_to_end(&mut reader, &mut read).unwrap();
    written.join().unwrap();
    assert!(read == text);
}

#[test]
#[allow(unsafe_code)] // openpty has no safe face
fn a_terminal_is_written_after_every_print() {
    use riverhawk_system::fd::FromRawFd;
    let (mut controller, mut terminal) = (-1, -1);
    let none = std::ptr::null_mut();
    // SAFETY: both descriptors are written before their use; the optional arguments may be null.
    let opened =
        unsafe { libc::openpty(&mut controller, &mut terminal, none, none.cast(), none.cast()) };
    assert_eq!(opened, 0);
    // SAFETY: openpty just made them, without another owner.
    let (controller, terminal) =
        unsafe { (OwnedFd::from_raw_fd(controller), OwnedFd::from_raw_fd(terminal)) };
    let mut sink = Sink::file(terminal, b"/dev/tty");
    sink.write(b"no newline").unwrap();
    assert!(sink.has_pending());
    sink.end_print().unwrap();
    assert!(!sink.has_pending());
    let mut text = [0; 10];
    io::Read::read_exact(&mut std::fs::File::from(controller), &mut text).unwrap();
    assert_eq!(&text, b"no newline");
}
