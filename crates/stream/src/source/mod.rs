//! Where bytes come from.

mod fd;
mod memory;
mod room;
mod scripted;

pub use fd::{FdSource, StdinSource};
pub use memory::{MemorySource, ReadSource};
pub use room::Room;
pub use scripted::{Piece, ScriptedSource};

use std::io;

/// A source of bytes.
///
/// One attempt per call, without waiting until the [`Room`] is full.
pub trait Source: Send {
    /// Reads once and appends to `room`; returns the bytes read, 0 only at the end.
    ///
    /// # Errors
    /// The system's. The window retries [`io::ErrorKind::Interrupted`].
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize>;

    /// How many bytes are left, as far as is known: the window begins with as much memory.
    fn remaining(&self) -> Option<usize> {
        None
    }
}

impl<S: Source + ?Sized> Source for Box<S> {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        (**self).read(room)
    }

    fn remaining(&self) -> Option<usize> {
        (**self).remaining()
    }
}
