//! The streams for the algebra's tests.

use riverhawk_stream::{
    Buffered, FdSource, MemoryStream, Piece, ReadSource, ScriptedSource, Source, SourceStream,
    Stream,
};
use std::fs;
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU64, Ordering};

pub const SIZES: [usize; 6] = [1, 2, 3, 7, 64, 64 * 1024];

/// Only the first primitive.
pub struct Plain<'t> {
    text: &'t [u8],
}

impl<'t> Plain<'t> {
    pub fn new(text: &'t [u8]) -> Self {
        Self { text }
    }

    pub fn rest(&self) -> &'t [u8] {
        self.text
    }

    pub fn advance(&mut self, count: usize) {
        self.text = &self.text[count..];
    }
}

impl Stream for Plain<'_> {
    fn read_into(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.text.len());
        buffer[..count].copy_from_slice(&self.text[..count]);
        self.text = &self.text[count..];
        Ok(count)
    }
}

/// Runs `check` on `text` in memory, files, pipes, sockets, a reader and others, at every buffer
/// size.
pub fn each_source(text: &[u8], mut check: impl FnMut(&str, &mut dyn Buffered)) {
    check("memory", &mut MemoryStream::new(text));
    let path = scratch_file(text);
    for size in SIZES {
        let mut run = |name: &str, source: Box<dyn Source>| {
            check(
                &format!("{name}, buffer of {size}"),
                &mut SourceStream::with_window(source, size),
            );
        };
        run("file", Box::new(FdSource::open(&path).unwrap()));
        run("pipe", Box::new(pipe(text)));
        run("unix socket", Box::new(unix_socket(text)));
        run("reader", Box::new(ReadSource::new(io::Cursor::new(text.to_vec()))));
        for chunk in [1, 5] {
            let pieces = text
                .chunks(chunk)
                .flat_map(|bytes| [Piece::Interrupted, Piece::Bytes(bytes.to_vec())]);
            run("interrupted pieces", Box::new(ScriptedSource::new(pieces)));
        }
        // Connections are slow.
        if size == 3 || size == 64 * 1024 {
            run("tcp socket", Box::new(tcp_socket(text)));
        }
        check(&format!("no look-ahead, buffer of {size}"), &mut Plain::new(text).buffered_by(size));
    }
    check("no look-ahead, peekable", &mut Plain::new(text).peekable());
    fs::remove_file(path).unwrap();
}

pub fn scratch_file(text: &[u8]) -> std::path::PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path =
        std::env::temp_dir().join(format!("riverhawk-algebra-{}-{number}", std::process::id()));
    fs::write(&path, text).unwrap();
    path
}

/// For less than 64 KiB.
fn pipe(text: &[u8]) -> FdSource {
    let (reader, mut writer) = io::pipe().unwrap();
    writer.write_all(text).unwrap();
    FdSource::new(reader)
}

fn unix_socket(text: &[u8]) -> FdSource {
    let (reader, mut writer) = UnixStream::pair().unwrap();
    writer.write_all(text).unwrap();
    FdSource::new(reader)
}

fn tcp_socket(text: &[u8]) -> FdSource {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut writer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (reader, _) = listener.accept().unwrap();
    writer.write_all(text).unwrap();
    FdSource::new(reader)
}
