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

/// Something that can be read once more.
///
/// A source makes one attempt per call and appends what it got to the [`Room`], which is not empty.
/// It does not wait until the room is full.
pub trait Source: Send {
    /// Reads once and appends to `room`; the number of bytes appended, 0 only at the end of the
    /// input.
    ///
    /// # Errors
    /// The system's. [`io::ErrorKind::Interrupted`] is tried again by the window.
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize>;
}

impl<S: Source + ?Sized> Source for Box<S> {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        (**self).read(room)
    }
}
