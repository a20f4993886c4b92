//! The file or stream that a dump, a profile or a formatted program goes to.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;

/// A file by its name: `-` and `/dev/stdout` are standard output, `/dev/stderr` is standard error.
pub(crate) struct Destination {
    name: OsString,
    file: Option<File>,
}

impl Destination {
    /// A file that is created when it is written.
    pub fn new(name: OsString) -> Destination {
        Destination { name, file: None }
    }

    /// What it was called.
    pub fn name(&self) -> &OsStr {
        &self.name
    }

    /// Creates the file now.
    pub fn open(&mut self) -> io::Result<()> {
        if !matches!(self.name.to_str(), Some("-" | "/dev/stdout" | "/dev/stderr")) {
            self.file = Some(File::create(&self.name)?);
        }
        Ok(())
    }

    /// Writes all there is to write.
    pub fn write(mut self, text: &[u8]) -> io::Result<()> {
        match self.name.to_str() {
            Some("-" | "/dev/stdout") => print(text),
            Some("/dev/stderr") => io::stderr().write_all(text),
            _ => {
                if self.file.is_none() {
                    self.open()?;
                }
                self.file.map_or(Ok(()), |mut file| file.write_all(text))
            }
        }
    }
}

pub(crate) fn print(text: &[u8]) -> io::Result<()> {
    // Not through `io::Stdout`, which takes a closed standard output for success.
    let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    output.write_all(text)
}
