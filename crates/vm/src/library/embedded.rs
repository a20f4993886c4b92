//! The namespace `file::` when the embedder provides the files.

use super::Failure;
use riverhawk_awkio::filesystem::{FileSystem, InputStream, OutputStream, WriteMode};
use riverhawk_memory as memory;
use std::io::{self, Read, Write};

pub(super) const NO_FLAGS: &str = "flags need the file system, which this run does not use";

pub(super) fn read(files: &dyn FileSystem, name: &[u8], limit: u64) -> Result<Vec<u8>, Failure> {
    let mut reader: Box<dyn Read> = match files.open(name).map_err(|error| Failure::of(&error))? {
        InputStream::File(file) => Box::new(file),
        InputStream::Reader(reader) => reader,
    };
    let (mut text, mut block) = (Vec::new(), vec![0; 64 * 1024]);
    loop {
        let count = match reader.read(&mut block) {
            Ok(0) => return Ok(text),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Failure::of(&error)),
        };
        if (text.len() + count) as u64 > limit {
            return Err(Failure::new(format!(
                "the file is longer than the limit of {limit} bytes"
            )));
        }
        if !memory::grow(&mut text, count) {
            return Err(Failure::of(&io::ErrorKind::OutOfMemory.into()));
        }
        text.extend_from_slice(&block[..count]);
    }
}

pub(super) fn write(
    files: &dyn FileSystem,
    name: &[u8],
    mode: WriteMode,
    text: &[u8],
) -> Result<(), Failure> {
    let written = files.create(name, mode).and_then(|stream| match stream {
        OutputStream::File(mut file) => file.write_all(text),
        OutputStream::Writer(mut writer) => {
            writer.write_all(text)?;
            writer.flush()
        }
    });
    written.map_err(|error| Failure::of(&error))
}
