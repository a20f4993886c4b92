//! Commands that a run starts: the system's, or those of an embedder's file system.

use std::io::{self, Read, Write};
use std::sync::Arc;

use riverhawk_handle::{Child, Handle, Process, Redirect, Spawn};

use crate::cancel;
use crate::filesystem::{FileSystem, Pipes, Started};
use crate::handle_writer::{Unbuffered, system_error};
use crate::process::{self, ChildEnvironment, CloseStatus};
use crate::relay::{Relay, Shared};

/// Waits for the end of an embedder's command.
pub(super) type Wait = Box<dyn FnOnce() -> io::Result<i32> + Send>;

/// A command that is running.
pub(super) struct Command {
    end: End,
    relays: Vec<Relay>,
}

enum End {
    Child(Child),
    Embedder(Option<Wait>),
}

/// A command's output, to be read.
pub(super) enum CommandOutput {
    Handle(Handle),
    Reader(Box<dyn Read + Send>),
}

impl Command {
    /// Waits for its end, and until what it printed has been copied.
    pub(super) fn wait(self) -> io::Result<CloseStatus> {
        let waited = match self.end {
            End::Child(child) => process::wait_for(child),
            End::Embedder(wait) => wait.map_or(Ok(0), |wait| wait()).map(CloseStatus),
        };
        let copied: io::Result<()> = self.relays.into_iter().try_for_each(Relay::end);
        waited.and_then(|status| copied.map(|()| status))
    }
}

/// Starts the commands of a run.
#[derive(Clone, Default)]
pub(super) struct Launcher {
    /// What names lead to, if not to the operating system.
    pub(super) file_system: Option<Arc<dyn FileSystem>>,
    /// The run's standard output and error, where they are not the process's.
    pub(super) captured: [Option<Shared>; 2],
}

impl Launcher {
    /// `print | command`. No other child keeps the input open, since all descriptors are
    /// close-on-exec.
    pub(super) fn start_reading(
        &self,
        command: &[u8],
        environment: &ChildEnvironment,
    ) -> io::Result<(Command, Box<dyn Write + Send>)> {
        if let Some(files) = &self.file_system {
            let Started { input, output, wait } = files.start(command, Pipes::Input)?;
            let relays = self.relay_output(output)?;
            let input = input.ok_or(io::ErrorKind::BrokenPipe)?;
            return Ok((Command { end: End::Embedder(wait), relays }, input));
        }
        let shell = environment.shell(command).stdin(Redirect::Piped);
        let (process, relays) = self.start(shell, StandardOutput::OfRun)?;
        let input = process.stdin.ok_or(io::ErrorKind::BrokenPipe)?;
        Ok((Command { end: End::Child(process.child), relays }, Box::new(Unbuffered::new(input))))
    }

    /// `command | getline`.
    pub(super) fn start_writing(
        &self,
        command: &[u8],
        environment: &ChildEnvironment,
    ) -> io::Result<(Command, CommandOutput)> {
        if let Some(files) = &self.file_system {
            let Started { output, wait, .. } = files.start(command, Pipes::Output)?;
            let output = output.ok_or(io::ErrorKind::BrokenPipe)?;
            let command = Command { end: End::Embedder(wait), relays: Vec::new() };
            return Ok((command, CommandOutput::Reader(output)));
        }
        let shell = self.without_input(environment.shell(command)).stdout(Redirect::Piped);
        let (process, relays) = self.start(shell, StandardOutput::Elsewhere)?;
        let output = process.stdout.ok_or(io::ErrorKind::BrokenPipe)?;
        Ok((Command { end: End::Child(process.child), relays }, CommandOutput::Handle(output)))
    }

    /// `system(command)`, without waiting for it.
    pub(super) fn start_system(
        &self,
        command: &[u8],
        environment: &ChildEnvironment,
    ) -> io::Result<Command> {
        if let Some(files) = &self.file_system {
            let Started { output, wait, .. } = files.start(command, Pipes::None)?;
            let relays = self.relay_output(output)?;
            return Ok(Command { end: End::Embedder(wait), relays });
        }
        let shell = self.without_input(environment.shell(command));
        let (process, relays) = match environment.lent_output()? {
            Some(file) => {
                let file = Handle::from_fd("file edited in place", file).map_err(system_error)?;
                self.start(shell.stdout(Redirect::To(file)), StandardOutput::Elsewhere)?
            }
            None => self.start(shell, StandardOutput::OfRun)?,
        };
        Ok(Command { end: End::Child(process.child), relays })
    }

    /// Whether the run's output is not the process's.
    pub(super) fn is_captured(&self) -> bool {
        self.captured[0].is_some()
    }

    /// A run whose output is not the process's does not share the process's input either.
    fn without_input(&self, shell: Spawn) -> Spawn {
        if self.is_captured() { shell.stdin(Redirect::Null) } else { shell }
    }

    fn start(&self, shell: Spawn, goes: StandardOutput) -> io::Result<(Process, Vec<Relay>)> {
        let (mut shell, mut relays) = (shell, Vec::new());
        let [stdout, stderr] = &self.captured;
        if let Some(stdout) = stdout.as_ref().filter(|_| goes == StandardOutput::OfRun) {
            let (redirect, relay) = Relay::of_command(stdout.clone())?;
            shell = shell.stdout(redirect);
            relays.push(relay);
        }
        if let Some(stderr) = stderr {
            let (redirect, relay) = Relay::of_command(stderr.clone())?;
            shell = shell.stderr(redirect);
            relays.push(relay);
        }
        cancel::interrupted()?;
        let process = shell.start().map_err(system_error)?;
        cancel::started(&process.child);
        Ok((process, relays))
    }

    /// What an embedder's command prints goes where the run's output goes.
    fn relay_output(&self, output: Option<Box<dyn Read + Send>>) -> io::Result<Vec<Relay>> {
        let Some(output) = output else { return Ok(Vec::new()) };
        let stdout = self.captured[0].clone();
        let stdout = stdout.unwrap_or_else(|| Shared::new(Box::new(ProcessOutput)));
        Ok(vec![Relay::of_reader(output, stdout)?])
    }
}

/// Where a command's standard output goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StandardOutput {
    /// Where the run's goes.
    OfRun,
    Elsewhere,
}

/// The process's standard output, without a buffer.
struct ProcessOutput;

impl Write for ProcessOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(riverhawk_system::io::write(riverhawk_system::stdio::stdout(), bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
