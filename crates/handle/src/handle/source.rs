//! A handle as a source of `riverhawk-stream`.

use super::Handle;
use crate::device::Wait;
use riverhawk_stream::{Room, Source};
use std::io;

/// The reading direction of a handle, for [`riverhawk_stream::Records`] and the like: reads go
/// directly into the window, after what the handle has read ahead. Closing the handle ends a
/// blocked read.
///
/// ```
/// use riverhawk_handle::Spawn;
/// use riverhawk_stream::{RecordCursor, RecordStream, Records};
///
/// let command = Spawn::shell("echo one; echo two").read()?;
/// let mut lines = RecordCursor::new(Records::new(command.source()));
/// let mut count = 0;
/// while lines.next_record()?.is_some() {
///     count += 1;
/// }
/// assert_eq!(count, 2);
/// assert_eq!(command.close()?.and_then(|ended| ended.code()), Some(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HandleSource(Handle);

impl Handle {
    /// The handle as a [`Source`].
    pub fn source(&self) -> HandleSource {
        HandleSource(self.clone())
    }
}

impl HandleSource {
    /// Makes reads of an unshared pipe wait in the system call: one call instead of three. For a
    /// handle with one reading thread: closing it elsewhere does not end the wait, and non-waiting
    /// reads wait. A [timeout](Handle::set_read_timeout) ends it.
    pub fn waiting_in_calls(self) -> Self {
        if let Some(device) = self.0.0.read_shared.device.get()
            && self.0.read_timeout().is_none()
        {
            device.set_wait(Wait::InCall);
        }
        self
    }
}

impl Source for HandleSource {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        Ok(self.0.reader().read_room(room)?)
    }
}
