//! Where bytes come from: one trait with one method, and the sources that every program needs.

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
/// A source makes one attempt per call and appends what it got to the [`Room`] it is given, which
/// is never empty when a window calls. It does not wait for the room to be filled: what has arrived
/// is delivered.
pub trait Source: Send {
    /// Reads once and appends to `room`; the number of bytes appended, 0 only at the end of the
    /// input.
    ///
    /// # Errors
    /// Whatever the system says. [`io::ErrorKind::Interrupted`] is retried by the window, so a
    /// source need not.
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize>;
}

impl<S: Source + ?Sized> Source for Box<S> {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        (**self).read(room)
    }
}
