//! Standard input and output as files in memory.

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::stdio::{dup2_stdin, dup2_stdout};
use std::fs::File;
use std::io::{self, Read, Seek, Write};

/// Standard error stays: the fuzzer reports there.
#[derive(Debug)]
pub struct Streams {
    input: File,
    output: File,
}

impl Streams {
    /// Makes the files; after the first run they are standard input and output for the rest of the
    /// process.
    pub fn take_over() -> io::Result<Streams> {
        let input = File::from(memfd_create("input", MemfdFlags::CLOEXEC)?);
        let output = File::from(memfd_create("output", MemfdFlags::CLOEXEC)?);
        Ok(Streams { input, output })
    }

    /// Runs with `input` on standard input; gives the result and the output.
    pub fn around<T>(&mut self, input: &[u8], run: impl FnOnce() -> T) -> io::Result<(T, Vec<u8>)> {
        // Every time: a run may have closed them. The descriptors share their offsets with these
        // files.
        dup2_stdin(&self.input)?;
        dup2_stdout(&self.output)?;
        self.input.set_len(0)?;
        self.input.rewind()?;
        self.input.write_all(input)?;
        self.input.rewind()?;
        self.output.set_len(0)?;
        self.output.rewind()?;
        let result = run();
        self.output.rewind()?;
        let mut written = Vec::new();
        self.output.read_to_end(&mut written)?;
        Ok((result, written))
    }
}
