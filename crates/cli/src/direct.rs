//! The standard streams without the buffers of `std::io`, for which a closed input is an empty one
//! and writing to a closed output succeeds.

use std::io::{self, Read, Write};

use riverhawk::engine::system::{io as system, stdio};

pub(crate) struct StandardInput;

impl Read for StandardInput {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        Ok(system::read(stdio::stdin(), room)?)
    }
}

pub(crate) struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        Ok(system::write(stdio::stdout(), text)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
