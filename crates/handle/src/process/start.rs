//! Starting a child: its streams, its terminal, the system's call.

use super::child::{Child, reap_orphans};
use super::pty;
use super::spawn::{Parts, Redirect, Spawn};
use crate::device::{Descriptor, Device, Keeping};
use crate::error::{Action, Error, ErrorKind, Name};
use crate::handle::Handle;
use crate::system;
use riverhawk_system::fd::{AsFd, OwnedFd};
use std::io;
use std::process::{Command, Stdio};
use std::sync::Arc;

impl Spawn {
    pub(super) fn spawn(self) -> io::Result<Parts> {
        reap_orphans();
        let Self { name, stdin, stdout, stderr, is_on_pty, .. } = self;
        let mut command = Command::new(&self.program);
        match &self.arguments[..] {
            [line] if self.is_shell => system::give_line(&mut command, line),
            arguments => drop(command.args(arguments)),
        }
        if self.clears_environment {
            command.env_clear();
        }
        for (variable, value) in &self.environment {
            match value {
                Some(value) => command.env(variable, value),
                None => command.env_remove(variable),
            };
        }
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        let ends = if is_on_pty {
            let (device, slave) = pty::open()?;
            command.stdin(slave.try_clone()?);
            command.stdout(slave.try_clone()?);
            pty::take_terminal(&mut command);
            let complaints = direct_stderr(&mut command, stderr, || Ok(slave.into()))?;
            (Some(Arc::clone(&device)), Some(device), complaints)
        } else {
            let (input, feeds) = direct(stdin, true)?;
            let (output, drains) = direct(stdout, false)?;
            command.stdin(input);
            let complaints = match (stderr, output) {
                (Redirect::Merged, Direction::Fd(fd)) => {
                    command.stderr(fd.try_clone()?);
                    command.stdout(fd);
                    None
                }
                (Redirect::Merged, Direction::Inherit) => {
                    command.stderr(riverhawk_system::stdio::stdout().try_clone_to_owned()?);
                    None
                }
                (stderr, output) => {
                    command.stdout(output);
                    direct_stderr(&mut command, stderr, || Ok(Stdio::null()))?
                }
            };
            (feeds, drains, complaints)
        };
        let process = command.spawn()?;
        drop(command); // and with it our copies of the child's ends
        let child = Child::new(name.clone(), process);
        Ok(Parts { name, stdin: ends.0, stdout: ends.1, stderr: ends.2, child })
    }
}

enum Direction {
    Inherit,
    Null,
    Fd(OwnedFd),
}

impl From<Direction> for Stdio {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::Inherit => Self::inherit(),
            Direction::Null => Self::null(),
            Direction::Fd(fd) => fd.into(),
        }
    }
}

fn direct(redirect: Redirect, is_input: bool) -> io::Result<(Direction, Option<Arc<dyn Device>>)> {
    Ok(match redirect {
        Redirect::Inherit | Redirect::Merged => (Direction::Inherit, None),
        Redirect::Null => (Direction::Null, None),
        Redirect::To(handle) => (Direction::Fd(handle.into_fd(is_input)?), None),
        Redirect::Piped => {
            let (reader, writer) = io::pipe()?;
            let (theirs, ours): (OwnedFd, OwnedFd) = if is_input {
                (reader.into(), writer.into())
            } else {
                (writer.into(), reader.into())
            };
            (Direction::Fd(theirs), Some(Arc::new(Descriptor::new(Keeping::Own(ours))?)))
        }
    })
}

fn direct_stderr(
    command: &mut Command,
    redirect: Redirect,
    merged: impl FnOnce() -> io::Result<Stdio>,
) -> io::Result<Option<Arc<dyn Device>>> {
    if let Redirect::Merged = redirect {
        command.stderr(merged()?);
        return Ok(None);
    }
    let (complaints, ours) = direct(redirect, false)?;
    command.stderr(complaints);
    Ok(ours)
}

impl Handle {
    /// A descriptor for a child: blocking, at the handle's position. Closes the handle without
    /// waiting for a process.
    fn into_fd(self, for_reading: bool) -> io::Result<OwnedFd> {
        let action = if for_reading { Action::Read } else { Action::Write };
        if for_reading {
            let side = self.0.lock_read();
            let (ahead, seekable) = (
                side.available(),
                self.0.read_shared.device.get().is_some_and(|device| device.is_seekable()),
            );
            drop(side);
            if seekable {
                self.seek(io::SeekFrom::Current(0))?;
            } else if ahead > 0 {
                let words = "it has been read from, and what was read ahead would be lost";
                let source = io::Error::new(io::ErrorKind::InvalidInput, words);
                return Err(Error::new(self.name(), action, ErrorKind::System, source).into());
            }
        } else {
            self.flush()?;
        }
        let slot =
            if for_reading { &self.0.read_shared.device } else { &self.0.write_shared.device };
        let device = slot.get();
        let Some(fd) = device.as_ref().and_then(|device| device.fd()) else {
            let kind = if for_reading { ErrorKind::NotReadable } else { ErrorKind::NotWritable };
            return Err(Error::of_kind(self.name(), action, kind).into());
        };
        let copy = fd.as_fd().try_clone_to_owned()?;
        if !self.is_standard() {
            system::make_blocking(&copy)?;
            self.abort();
        }
        Ok(copy)
    }

    fn is_standard(&self) -> bool {
        matches!(self.name(), Name::Stdin | Name::Stdout | Name::Stderr)
    }
}
