//! The destination of a dump, a profile or a formatted program.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};

use crate::direct::StandardOutput;

/// A file name: `-` and `/dev/stdout` are standard output, `/dev/stderr` is standard error.
pub(crate) struct Destination {
    name: OsString,
    file: Option<File>,
}

impl Destination {
    /// Created when it is written.
    pub fn new(name: OsString) -> Destination {
        Destination { name, file: None }
    }

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
    StandardOutput.write_all(text)
}
