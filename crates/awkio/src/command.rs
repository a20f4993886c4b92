//! Commands that a run starts: the system's, or those of an embedder's file system.

use std::io::{self, Read, Write};

use riverhawk_handle::{Child, Handle, Process, Redirect, Spawn};

use crate::cancel;
use crate::filesystem::{Pipes, Started};
use crate::handle_writer::{Unbuffered, system_error};
use crate::output::Outputs;
use crate::process::{self, ChildEnvironment, CloseStatus};
use crate::reader::RecordReader;
use crate::relay::{Relay, Shared};
use crate::signals::InterruptsIgnored;

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

impl CommandOutput {
    pub(super) fn records(self, window: usize) -> RecordReader {
        match self {
            CommandOutput::Handle(handle) => RecordReader::of_handle(handle, window),
            CommandOutput::Reader(reader) => RecordReader::of_reader(reader, window),
        }
    }
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

/// `print | command`. No other child keeps the input open, since all descriptors are
/// close-on-exec.
pub(super) fn start_reading(
    command: &[u8],
    environment: &ChildEnvironment,
    outputs: &mut Outputs,
) -> io::Result<(Command, Box<dyn Write + Send>)> {
    if let Some(files) = outputs.file_system().cloned() {
        let Started { input, output, wait } = files.start(command, Pipes::Input)?;
        let relays = relay_output(output, outputs)?;
        let input = input.ok_or(io::ErrorKind::BrokenPipe)?;
        return Ok((Command { end: End::Embedder(wait), relays }, input));
    }
    let shell = || Ok(environment.shell(command).stdin(Redirect::Piped));
    let (process, relays) = start(shell, StandardOutput::OfRun, outputs)?;
    let input = process.stdin.ok_or(io::ErrorKind::BrokenPipe)?;
    Ok((Command { end: End::Child(process.child), relays }, Box::new(Unbuffered::new(input))))
}

/// `command | getline`.
pub(super) fn start_writing(
    command: &[u8],
    environment: &ChildEnvironment,
    outputs: &mut Outputs,
) -> io::Result<(Command, CommandOutput)> {
    if let Some(files) = outputs.file_system().cloned() {
        let Started { output, wait, .. } = files.start(command, Pipes::Output)?;
        let output = output.ok_or(io::ErrorKind::BrokenPipe)?;
        let command = Command { end: End::Embedder(wait), relays: Vec::new() };
        return Ok((command, CommandOutput::Reader(output)));
    }
    let input = input(outputs);
    let shell = || Ok(input(environment.shell(command)).stdout(Redirect::Piped));
    let (process, relays) = start(shell, StandardOutput::Elsewhere, outputs)?;
    let output = process.stdout.ok_or(io::ErrorKind::BrokenPipe)?;
    Ok((Command { end: End::Child(process.child), relays }, CommandOutput::Handle(output)))
}

/// `system(command)`. This process ignores SIGINT and SIGQUIT meanwhile, if its standard output is
/// the run's.
pub(super) fn run(
    command: &[u8],
    environment: &ChildEnvironment,
    outputs: &mut Outputs,
) -> io::Result<CloseStatus> {
    if let Some(files) = outputs.file_system().cloned() {
        let Started { output, wait, .. } = files.start(command, Pipes::None)?;
        let relays = relay_output(output, outputs)?;
        return Command { end: End::Embedder(wait), relays }.wait();
    }
    let input = input(outputs);
    let (process, relays) = match environment.lent_output()? {
        Some(file) => {
            let shell = || {
                let file = Handle::from_fd("file edited in place", file.try_clone()?);
                let shell = input(environment.shell(command));
                Ok(shell.stdout(Redirect::To(file.map_err(system_error)?)))
            };
            start(shell, StandardOutput::Elsewhere, outputs)?
        }
        None => start(|| Ok(input(environment.shell(command))), StandardOutput::OfRun, outputs)?,
    };
    // After the start, so that the child inherits our dispositions.
    let _ignored = (!outputs.is_captured()).then(InterruptsIgnored::new);
    Command { end: End::Child(process.child), relays }.wait()
}

/// A run whose output is not the process's does not share the process's input either.
fn input(outputs: &Outputs) -> fn(Spawn) -> Spawn {
    if outputs.is_captured() { |shell| shell.stdin(Redirect::Null) } else { |shell| shell }
}

/// Where a command's standard output goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StandardOutput {
    /// Where the run's goes.
    OfRun,
    Elsewhere,
}

fn start(
    shell: impl Fn() -> io::Result<Spawn>,
    goes: StandardOutput,
    outputs: &mut Outputs,
) -> io::Result<(Process, Vec<Relay>)> {
    let [stdout, stderr] = outputs.captured();
    let stdout = stdout.filter(|_| goes == StandardOutput::OfRun);
    outputs.with_spare_descriptor(|| {
        let (mut shell, mut relays) = (shell()?, Vec::new());
        if let Some(stdout) = stdout.clone() {
            let (redirect, relay) = Relay::of_command(stdout)?;
            shell = shell.stdout(redirect);
            relays.push(relay);
        }
        if let Some(stderr) = stderr.clone() {
            let (redirect, relay) = Relay::of_command(stderr)?;
            shell = shell.stderr(redirect);
            relays.push(relay);
        }
        cancel::interrupted()?;
        let process = shell.start().map_err(system_error)?;
        cancel::started(&process.child);
        Ok((process, relays))
    })
}

/// What an embedder's command prints goes where the run's output goes.
fn relay_output(output: Option<Box<dyn Read + Send>>, outputs: &Outputs) -> io::Result<Vec<Relay>> {
    let Some(output) = output else { return Ok(Vec::new()) };
    let [stdout, _] = outputs.captured();
    let stdout = stdout.unwrap_or_else(|| Shared::new(Box::new(ProcessOutput)));
    Ok(vec![Relay::of_reader(output, stdout)?])
}

/// The process's standard output, without a buffer.
struct ProcessOutput;

impl Write for ProcessOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(rustix::stdio::stdout(), bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
