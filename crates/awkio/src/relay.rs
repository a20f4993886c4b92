//! What commands print, where the run's standard output or error is not the process's.

use riverhawk_system::fd::AsFd;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use riverhawk_handle::{Handle, Redirect};
use riverhawk_system::event::{PollFd, PollFlags, Timespec, poll};

use crate::handle_writer::system_error;

/// A writer that the run and its commands share.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Mutex<Box<dyn Write + Send>>>);

impl Shared {
    pub(crate) fn new(writer: Box<dyn Write + Send>) -> Shared {
        Shared(Arc::new(Mutex::new(writer)))
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}

/// A thread that copies what a command prints.
pub(crate) struct Relay {
    copying: JoinHandle<io::Result<()>>,
    /// Dropped when the command has ended: what its own children print later is not waited for.
    command_lives: Option<PipeWriter>,
}

impl Relay {
    /// The end of a pipe for a command to print to.
    pub(crate) fn of_command(to: Shared) -> io::Result<(Redirect, Relay)> {
        let (reader, writer) = io::pipe()?;
        let (ended, command_lives) = io::pipe()?;
        let redirect = Redirect::To(Handle::from_fd("pipe", writer).map_err(system_error)?);
        let copying = spawn(move || copy_from_command(reader, &ended, to))?;
        Ok((redirect, Relay { copying, command_lives: Some(command_lives) }))
    }

    /// Copies to the end of `reader`.
    pub(crate) fn of_reader(mut reader: Box<dyn Read + Send>, mut to: Shared) -> io::Result<Relay> {
        let copying = spawn(move || io::copy(&mut reader, &mut to).map(drop))?;
        Ok(Relay { copying, command_lives: None })
    }

    /// Once the command has ended: everything it has printed is copied.
    pub(crate) fn end(self) -> io::Result<()> {
        drop(self.command_lives);
        match self.copying.join() {
            Ok(copied) => copied,
            Err(_) => Err(io::Error::other("the writer panicked")),
        }
    }
}

fn spawn(
    copy: impl FnOnce() -> io::Result<()> + Send + 'static,
) -> io::Result<JoinHandle<io::Result<()>>> {
    thread::Builder::new().name("output of a command".into()).spawn(copy)
}

/// An error drops the reader, so that the command notices.
fn copy_from_command(mut reader: PipeReader, ended: &PipeReader, mut to: Shared) -> io::Result<()> {
    let mut block = vec![0; 64 * 1024];
    loop {
        let mut waiting = [
            PollFd::from_borrowed_fd(reader.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(ended.as_fd(), PollFlags::IN),
        ];
        poll(&mut waiting, None::<&Timespec>)?;
        if waiting[0].revents().is_empty() {
            return Ok(());
        }
        let count = reader.read(&mut block)?;
        if count == 0 {
            return Ok(());
        }
        to.write_all(&block[..count])?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_handle::Spawn;
    use std::time::{Duration, Instant};

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn printed_by(command: &str) -> Vec<u8> {
        let kept = Kept::default();
        let (stdout, relay) = Relay::of_command(Shared::new(Box::new(kept.clone()))).unwrap();
        let process = Spawn::shell(command).stdout(stdout).start().unwrap();
        process.child.finish().unwrap();
        relay.end().unwrap();
        std::mem::take(&mut *kept.0.lock().unwrap())
    }

    #[test]
    fn all_that_a_command_prints_arrives() {
        let printed = printed_by("yes 0123456789 | head -n 30000");
        assert_eq!(printed.len(), 11 * 30_000);
    }

    #[test]
    fn what_a_command_leaves_behind_is_not_waited_for() {
        let begun = Instant::now();
        assert_eq!(printed_by("sleep 30 & echo done"), b"done\n");
        assert!(begun.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_writer_that_fails_ends_the_command() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let (stdout, relay) = Relay::of_command(Shared::new(Box::new(Full))).unwrap();
        let process = Spawn::shell("yes").stdout(stdout).start().unwrap();
        process.child.finish().unwrap();
        assert_eq!(relay.end().unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
