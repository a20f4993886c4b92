//! For builds without the feature `codecs`, which know the formats and say so.

use crate::Codec;
use std::convert::Infallible;
use std::io::{self, BufRead, Read, Write};
use std::marker::PhantomData;

fn refused(act: &str, codec: Codec) -> io::Error {
    let message = format!("this build does not {act} {codec} (feature `compress`)");
    io::Error::new(io::ErrorKind::Unsupported, message)
}

pub(crate) fn member<'r>(codec: Codec, _: &'r mut dyn BufRead) -> io::Result<Box<dyn Read + 'r>> {
    Err(refused("decompress", codec))
}

/// Cannot be made in this build.
pub(crate) struct Encoder<W: Write>(Infallible, PhantomData<W>);

impl<W: Write> Encoder<W> {
    pub(crate) fn new(codec: Codec, _: W) -> io::Result<Self> {
        Err(refused("write", codec))
    }

    pub(crate) fn finish(self) -> io::Result<W> {
        match self.0 {}
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0 {}
    }
}
