//! Sources of unknown size.

use crate::scratch::Scratch;
use riverhawk_slurp::{ErrorKind, Slurp, Spew, append, prepend, read, read_into, write};
use std::fs::OpenOptions;
use std::io::{self, Cursor, Read, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;
use std::time::Duration;

#[test]
fn files_of_proc_that_claim_to_be_empty_are_read() {
    for path in ["/proc/self/status", "/proc/cpuinfo", "/proc/self/maps"] {
        let Ok(expected) = std::fs::read(path) else { continue };
        let content = read(path).unwrap();
        assert!(!content.is_empty(), "{path}");
        if path == "/proc/cpuinfo" {
            // Frequencies change between two reads.
            let lines = |text: &[u8]| text.iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(lines(&content), lines(&expected));
        }
    }
    let slurp = Slurp::new().block_size(NonZeroUsize::new(3).unwrap());
    assert_eq!(
        slurp.read("/proc/self/cmdline").unwrap(),
        std::fs::read("/proc/self/cmdline").unwrap()
    );
}

#[test]
fn a_fifo_is_read_to_its_end_however_slowly_it_is_written() {
    let scratch = Scratch::new();
    let fifo = scratch.fifo("fifo");
    let expected: Vec<u8> = (0..200_000u32).flat_map(u32::to_le_bytes).collect();
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = OpenOptions::new().write(true).open(&fifo).unwrap();
            for (number, piece) in expected.chunks(33_333).enumerate() {
                file.write_all(piece).unwrap();
                if number % 8 == 0 {
                    thread::sleep(Duration::from_millis(1));
                }
            }
        });
        assert_eq!(read(&fifo).unwrap(), expected);
    });
}

#[test]
fn a_fifo_is_written_and_appended_to_but_neither_cut_nor_replaced() {
    let scratch = Scratch::new();
    let fifo = scratch.fifo("fifo");
    let expected = vec![b'x'; 300_000];
    for round in 0..2 {
        thread::scope(|scope| {
            let reader = scope.spawn(|| std::fs::read(&fifo).unwrap());
            if round == 0 {
                write(&fifo, &expected).unwrap();
            } else {
                append(&fifo, &expected).unwrap();
            }
            assert_eq!(reader.join().unwrap(), expected);
        });
    }
    assert_eq!(prepend(&fifo, "x").unwrap_err().kind(), ErrorKind::NotARegularFile);
    assert_eq!(
        Spew::new().atomic().write(&fifo, "x").unwrap_err().kind(),
        ErrorKind::NotARegularFile
    );
    assert_eq!(
        Spew::new().in_place().edit(&fifo, |_| ()).unwrap_err().kind(),
        ErrorKind::NotARegularFile
    );
    assert_eq!(scratch.names(), ["fifo"]);
}

#[test]
fn a_closed_reader_is_an_error_of_its_own() {
    let (reader, writer) = rustix::pipe::pipe().unwrap();
    drop(reader);
    let error = Spew::new().write_to("pipe", std::fs::File::from(writer), "x").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BrokenPipe);
}

#[test]
fn a_pipe_is_read_by_descriptor_and_by_reader() {
    for by_descriptor in [false, true] {
        let (reader, writer) = rustix::pipe::pipe().unwrap();
        let writer =
            thread::spawn(move || std::fs::File::from(writer).write_all(&[b'x'; 200_000]).unwrap());
        let slurp = Slurp::new();
        let content = if by_descriptor {
            slurp.read_fd("pipe", reader)
        } else {
            slurp.read_from("pipe", std::fs::File::from(reader))
        };
        assert_eq!(content.unwrap(), [b'x'; 200_000]);
        writer.join().unwrap();
    }
}

#[test]
fn a_file_that_grows_while_it_is_read_is_read_to_where_it_ends() {
    let scratch = Scratch::new();
    let path = scratch.file("log", "x".repeat(100_000));
    let file = std::fs::File::open(&path).unwrap();
    // What is read must include later content.
    let mut growing = Growing { file, path: path.clone(), left: 5 };
    let content = Slurp::new().read_from("log", &mut growing).unwrap();
    assert_eq!(content.len(), 100_000 + 5 * 1_000);

    thread::scope(|scope| {
        let writer = scope.spawn(|| (0..500).for_each(|_| append(&path, [b'y'; 1_000]).unwrap()));
        let mut buffer = Vec::new();
        while !writer.is_finished() {
            let before = std::fs::metadata(&path).unwrap().len() as usize;
            let length = read_into(&path, &mut buffer).unwrap();
            assert!(length >= before, "{length} after {before}");
        }
    });
    assert_eq!(read(&path).unwrap().len(), 605_000);
}

/// Appends to the file whenever some of it has been read.
struct Growing {
    file: std::fs::File,
    path: std::path::PathBuf,
    left: usize,
}

impl Read for Growing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left > 0 {
            self.left -= 1;
            append(&self.path, [b'y'; 1_000]).map_err(io::Error::from)?;
        }
        self.file.read(buffer)
    }
}

/// Gives one byte at a time, each after an interruption.
struct Interrupted<R>(R, bool);

impl<R: Read> Read for Interrupted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let most = buffer.len().min(1);
        self.0.read(&mut buffer[..most])
    }
}

/// Takes one byte at a time, each after an interruption.
impl Write for Interrupted<&mut Vec<u8>> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        self.0.write(&bytes[..bytes.len().min(1)])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn interrupted_calls_are_repeated() {
    let text = b"some text that takes a while".repeat(20);
    let reader = Interrupted(Cursor::new(&text), false);
    assert_eq!(Slurp::new().read_from("slow", reader).unwrap(), text);
    let mut written = Vec::new();
    Spew::new().write_to("slow", Interrupted(&mut written, false), &text).unwrap();
    assert_eq!(written, text);
}

#[test]
fn a_reader_that_fails_in_the_middle_gives_an_error_and_not_what_it_had() {
    struct Failing(bool);
    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                return Err(io::Error::other("gone"));
            }
            buffer[0] = b'x';
            Ok(1)
        }
    }
    let error = Slurp::new().read_from("wire", Failing(false)).unwrap_err();
    assert_eq!(error.to_string(), "cannot read wire: gone");
}

#[test]
fn sources_without_an_end_stop_at_the_limit() {
    let scratch = Scratch::new();
    let path = scratch.file("file", [b'x'; 1_000]);
    for (limit, fits) in [(999, false), (1_000, true), (1_001, true)] {
        let slurp = Slurp::new().limit(limit);
        assert_eq!(slurp.read(&path).is_ok(), fits);
        assert_eq!(slurp.read_from("memory", &[b'x'; 1_000][..]).is_ok(), fits);
        assert_eq!(slurp.read_fd("file", std::fs::File::open(&path).unwrap()).is_ok(), fits);
    }
    let endless = Slurp::new().limit(100_000);
    let error = endless.read("/dev/zero").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    assert!(error.to_string().contains("limit of 100000 bytes"), "{error}");
    assert_eq!(endless.read_from("zeros", io::repeat(0)).unwrap_err().kind(), ErrorKind::TooLarge);
}

#[test]
fn a_file_larger_than_any_memory_is_an_error_not_an_abort() {
    // More than any address space; a file system in memory may allow it.
    let memory = Path::new("/dev/shm");
    let scratch = if memory.is_dir() { Scratch::under(memory) } else { Scratch::new() };
    let path = scratch.file("sparse", "");
    if OpenOptions::new().write(true).open(&path).unwrap().set_len(1 << 62).is_err() {
        return println!("skipped: this file system has no files of 2^62 bytes");
    }
    assert_eq!(read(&path).unwrap_err().kind(), ErrorKind::OutOfMemory);
}

#[test]
fn a_reused_buffer_keeps_its_memory_and_forgets_its_content() {
    let scratch = Scratch::new();
    let (long, short) = (scratch.file("long", [b'x'; 50_000]), scratch.file("short", "short"));
    let mut buffer = Vec::new();
    assert_eq!(read_into(&long, &mut buffer).unwrap(), 50_000);
    let (capacity, place) = (buffer.capacity(), buffer.as_ptr());
    for _ in 0..3 {
        assert_eq!(read_into(&short, &mut buffer).unwrap(), 5);
        assert_eq!(buffer, b"short");
        assert_eq!(read_into(&long, &mut buffer).unwrap(), 50_000);
        assert_eq!((buffer.capacity(), buffer.as_ptr()), (capacity, place));
    }
    assert!(read_into(scratch.join("missing"), &mut buffer).is_err());
    assert!(buffer.is_empty());
}
