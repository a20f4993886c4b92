//! The environment of commands, and the status numbers of `close` and `system`.
//! `riverhawk_handle` prevents zombies.

use riverhawk_system::fd::OwnedFd;
use riverhawk_system::io::Errno;
use std::io;
use std::sync::Arc;

use riverhawk_handle::{Child, Ended, Spawn};

use crate::cancel;
use crate::handle_writer::system_error;
use crate::name::{os_string, until_nul};

/// What `close` and `system` return, as recorded from gawk 5.2.1.
///
/// | the command | value |
/// |---|---|
/// | exited with status n | n |
/// | was killed by signal n | 256 + n |
/// | was killed by signal n and dumped core | 512 + n |
/// | a file was closed | 0 |
/// | nothing by that name was open | -1 |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CloseStatus(pub i32);

impl CloseStatus {
    /// A file closed without error.
    pub const CLOSED: Self = Self(0);
    /// Nothing by that name was open.
    pub const NOT_OPEN: Self = Self(-1);
}

impl From<Ended> for CloseStatus {
    fn from(ended: Ended) -> CloseStatus {
        match ended {
            Ended::Code(code) => CloseStatus(code),
            Ended::Signal { number, core } => CloseStatus(number + if core { 512 } else { 256 }),
        }
    }
}

/// The environment of future children.
#[derive(Clone, Debug, Default)]
pub struct ChildEnvironment {
    changes: Vec<Change>,
    /// Nothing is inherited.
    is_whole: bool,
    /// During an edit in place: the file.
    output: Option<Arc<OwnedFd>>,
}

#[derive(Clone, Debug)]
struct Change {
    name: Box<[u8]>,
    /// `None`: the name is removed.
    value: Option<Box<[u8]>>,
}

impl ChildEnvironment {
    /// Sets or removes `name` for future commands. Invalid names are ignored.
    pub fn set(&mut self, name: &[u8], value: Option<&[u8]>) {
        if !is_name(name) {
            return;
        }
        self.changes.retain(|change| *change.name != *name);
        self.changes.push(Change { name: name.into(), value: value.map(Into::into) });
    }

    /// Replaces the environment of future commands. Values end at a NUL.
    pub fn replace(&mut self, entries: impl Iterator<Item = (Vec<u8>, Vec<u8>)>) {
        self.is_whole = true;
        self.changes.clear();
        self.changes.extend(entries.filter(|(name, _)| is_name(name)).map(|(name, mut value)| {
            value.truncate(value.iter().position(|&byte| byte == 0).unwrap_or(value.len()));
            Change { name: name.into(), value: Some(value.into()) }
        }));
    }
}

impl ChildEnvironment {
    /// The file for commands that are waited for, or our standard output.
    pub(crate) fn lend_output(&mut self, file: Option<OwnedFd>) {
        self.output = file.map(Arc::new);
    }

    /// What was lent, with a descriptor of its own. The copies share one offset, which keeps the
    /// order.
    pub(super) fn lent_output(&self) -> io::Result<Option<OwnedFd>> {
        self.output.as_ref().map(|file| file.try_clone()).transpose()
    }

    pub(super) fn shell(&self, command: &[u8]) -> Spawn {
        let command = Spawn::shell(until_nul(command));
        let command = if self.is_whole { command.env_clear() } else { command };
        self.changes.iter().fold(command, |command, Change { name, value }| match value {
            Some(value) => command.env(os_string(name), os_string(value)),
            None => command.env_remove(os_string(name)),
        })
    }
}

fn is_name(name: &[u8]) -> bool {
    !name.is_empty() && !name.contains(&b'=') && !name.contains(&0)
}

/// A child already waited for, or of another process, has no status; nor has one that is ended
/// with the run.
pub(super) fn wait_for(child: Child) -> io::Result<CloseStatus> {
    match cancel::wait_for(child).map_err(system_error) {
        Ok(ended) => Ok(ended.map_or(CloseStatus::NOT_OPEN, CloseStatus::from)),
        Err(error) if is_no_child(&error) => Ok(CloseStatus::NOT_OPEN),
        Err(error) => Err(error),
    }
}

fn is_no_child(error: &io::Error) -> bool {
    Errno::from_io_error(error) == Some(Errno::CHILD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Launcher;

    fn run(command: &[u8], environment: &ChildEnvironment) -> CloseStatus {
        Launcher::default().start_system(command, environment).unwrap().wait().unwrap()
    }

    fn system(command: &str) -> i32 {
        run(command.as_bytes(), &ChildEnvironment::default()).0
    }

    #[test]
    fn system_returns_gawks_numbers() {
        assert_eq!(system("exit 0"), 0);
        assert_eq!(system("exit 7"), 7);
        assert_eq!(system("exit 300"), 44);
        assert_eq!(system("kill -9 $$"), 265);
        assert_eq!(system("kill -15 $$"), 271);
        assert_eq!(system("command-that-does-not-exist 2>/dev/null"), 127);
        assert_eq!(system(""), 0);
    }

    #[test]
    fn a_command_beginning_with_a_dash_is_a_command() {
        assert_eq!(system("-no-such-command 2>/dev/null"), 127);
    }

    #[test]
    fn a_core_dump_adds_512() {
        // The system's limits decide whether a core is dumped.
        assert!([512 + 11, 256 + 11].contains(&system("cd /tmp && ulimit -c 0; kill -11 $$")));
        assert_eq!(CloseStatus::from(Ended::Signal { number: 11, core: true }), CloseStatus(523));
    }

    #[test]
    fn the_environment_of_children_can_be_changed() {
        let mut environment = ChildEnvironment::default();
        environment.set(b"RIVER", Some(b"first"));
        environment.set(b"RIVER", Some(b"second"));
        environment.set(b"HOME", None);
        environment.set(b"a=b", Some(b"nothing"));
        assert_eq!(
            run(b"test \"$RIVER\" = second && test -z \"$HOME\"", &environment),
            CloseStatus(0)
        );
    }
}
