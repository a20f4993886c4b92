//! Panics of the embedder's readers, writers and files become errors: between them and the embedder
//! there may be machine code, which cannot be unwound.

use riverhawk_engine::filesystem::{
    FileSystem, InputStream, OperandFile, OperandFiles, OutputStream, Pipes, ReadAt, Started,
    WriteMode,
};
use riverhawk_engine::panic_message;
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Calls the embedder.
pub(crate) fn caught<T>(call: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        Err(io::Error::other(format!("a panic: {}", panic_message(&*panic))))
    })
}

/// A reader, a writer or files, whose panics are errors.
pub(crate) struct Caught<T>(pub T);

impl<R: Read> Read for Caught<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        caught(|| self.0.read(bytes))
    }
}

impl<W: Write> Write for Caught<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        caught(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        caught(|| self.0.flush())
    }
}

impl<F: FileSystem> FileSystem for Caught<F> {
    fn open(&self, name: &[u8]) -> io::Result<InputStream> {
        caught(|| self.0.open(name)).map(|stream| match stream {
            InputStream::Reader(reader) => InputStream::new(Caught(reader)),
            file => file,
        })
    }

    fn create(&self, name: &[u8], mode: WriteMode) -> io::Result<OutputStream> {
        caught(|| self.0.create(name, mode)).map(|stream| match stream {
            OutputStream::Writer(writer) => OutputStream::new(Caught(writer)),
            file => file,
        })
    }

    fn start(&self, command: &[u8], pipes: Pipes) -> io::Result<Started> {
        caught(|| self.0.start(command, pipes)).map(started)
    }

    fn connect(&self, name: &[u8]) -> io::Result<Started> {
        caught(|| self.0.connect(name)).map(started)
    }
}

impl<F: OperandFiles> OperandFiles for Caught<F> {
    fn open(&self, name: &[u8]) -> Option<io::Result<OperandFile>> {
        let file = match caught(|| Ok(self.0.open(name))) {
            Ok(opened) => opened?,
            Err(panic) => Err(panic),
        };
        Some(file.map(|file| OperandFile { bytes: Arc::new(Caught(file.bytes)), ..file }))
    }
}

impl ReadAt for Caught<Arc<dyn ReadAt>> {
    fn read_at(&self, block: &mut [u8], offset: u64) -> io::Result<usize> {
        caught(|| self.0.read_at(block, offset))
    }
}

fn started(Started { input, output, wait }: Started) -> Started {
    Started {
        input: input.map(|input| Box::new(Caught(input)) as Box<dyn Write + Send>),
        output: output.map(|output| Box::new(Caught(output)) as Box<dyn Read + Send>),
        wait: wait.map(|wait| {
            Box::new(move || caught(wait)) as Box<dyn FnOnce() -> io::Result<i32> + Send>
        }),
    }
}
