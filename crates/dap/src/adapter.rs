//! The loop over the editor's messages.

use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use riverhawk_engine::Streams;
use serde_json::{Value, json};

use crate::capabilities::{ERRORS, capabilities};
use crate::control::Control;
use crate::framing::{Received, receive};
use crate::launch::{Launch, Launcher, feed};
use crate::outbox::{Category, Outbox};
use crate::printed::Printed;
use crate::protocol::{
    BreakpointLocations, Initialize, LaunchArguments, Request, SetBreakpoints, SetDataBreakpoints,
    SetExceptionBreakpoints, SetFunctionBreakpoints, ShowSource, Source,
};
use crate::run::{self, Launched};
use crate::sources::Sources;
use crate::stops::{Stops, THREAD};

/// How long a run may take to end when the session does.
const PATIENCE: Duration = Duration::from_secs(2);

/// Why the adapter ended too early.
#[derive(Debug)]
pub struct AdapterError {
    error: io::Error,
}

impl fmt::Display for AdapterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the debug adapter ended: {}", self.error)
    }
}

impl std::error::Error for AdapterError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// How far a session is.
enum Phase {
    /// Nothing is launched.
    Idle,
    /// A program waits for the end of the configuration.
    Configuring(Box<Launched>),
    /// It runs, or has run.
    Running(Receiver<()>),
}

struct Adapter<'l> {
    launcher: &'l dyn Launcher,
    outbox: Outbox,
    control: Arc<Control>,
    sources: Option<Sources>,
    /// The editor's numbers of the first line and column.
    first: (usize, usize),
    phase: Phase,
}

/// What follows a request.
enum Next {
    Request,
    End,
}

/// Answers an editor until it disconnects or closes the input. A file that a launch names as the
/// standard input becomes that of the process.
///
/// # Errors
/// The input breaks the protocol, or cannot be read.
pub fn serve(
    input: &mut dyn BufRead,
    output: Box<dyn Write + Send>,
    launcher: &dyn Launcher,
) -> Result<(), AdapterError> {
    let mut adapter = Adapter {
        launcher,
        outbox: Outbox::new(output),
        control: Arc::default(),
        sources: None,
        first: (1, 1),
        phase: Phase::Idle,
    };
    let served = adapter.serve(input);
    adapter.end_run();
    served.map_err(|error| AdapterError { error })
}

/// As [`serve`], over standard input and output. From now on these names mean an empty input and
/// standard error for everything else in the process, so that nothing can mix with the messages.
///
/// # Errors
/// As [`serve`].
pub fn serve_stdio(launcher: &dyn Launcher) -> Result<(), AdapterError> {
    let (input, output) = own_streams().map_err(|error| AdapterError { error })?;
    serve(&mut BufReader::new(input), Box::new(output), launcher)
}

fn own_streams() -> io::Result<(std::fs::File, std::fs::File)> {
    use riverhawk_system::stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout};
    let input = stdin().try_clone_to_owned()?;
    let output = stdout().try_clone_to_owned()?;
    dup2_stdin(std::fs::File::open("/dev/null")?)?;
    dup2_stdout(stderr())?;
    Ok((input.into(), output.into()))
}

impl Adapter<'_> {
    fn serve(&mut self, input: &mut dyn BufRead) -> io::Result<()> {
        loop {
            let message = match receive(input)? {
                Received::Message(message) => message,
                Received::Unreadable(why) => {
                    self.complain(&format!("a message is no JSON: {why}"));
                    continue;
                }
                Received::End => return Ok(()),
            };
            // There are no requests to the editor, so what else it sends is of no interest.
            if message["type"] != "request" {
                continue;
            }
            match serde_json::from_value(message) {
                Ok(request) => match self.handle(request) {
                    Next::Request => {}
                    Next::End => return Ok(()),
                },
                Err(error) => self.complain(&format!("a message is no request: {error}")),
            }
        }
    }

    fn complain(&self, what: &str) {
        self.outbox.show(Category::Console, &format!("rhawk: {what}\n"));
    }

    fn handle(&mut self, request: Request) -> Next {
        match &*request.command {
            "launch" => self.launch(&request),
            "configurationDone" => self.begin(&request),
            "disconnect" => {
                self.end_run();
                self.outbox.answer(&request, Ok(Value::Null));
                return Next::End;
            }
            "stackTrace" | "scopes" | "variables" | "setVariable" | "evaluate"
            | "setExpression" | "dataBreakpointInfo" | "exceptionInfo" | "continue" | "next"
            | "stepIn" | "stepOut" => {
                if let Err(request) = self.control.deliver(request) {
                    self.outbox.answer(&request, Err(self.why_not_stopped().to_owned()));
                }
            }
            _ => {
                let answer = self.answer(&request);
                self.outbox.answer(&request, answer);
            }
        }
        Next::Request
    }

    fn why_not_stopped(&self) -> &'static str {
        match &self.phase {
            Phase::Running(_) if self.control.is_ending() => "the program ends",
            Phase::Running(_) => "the program runs: pause it first",
            _ => "no program runs",
        }
    }

    /// What needs no run that stands still.
    fn answer(&mut self, request: &Request) -> Result<Value, String> {
        let first_line = self.first.0;
        match &*request.command {
            "initialize" => {
                let asked: Initialize = request.arguments()?;
                self.first =
                    (usize::from(asked.lines_start_at1), usize::from(asked.columns_start_at1));
                Ok(capabilities())
            }
            "setBreakpoints" => {
                let asked: SetBreakpoints = request.arguments()?;
                let sources = self.launched()?;
                let points = match sources.piece(&asked.source) {
                    Some(piece) => self.control.breakpoints().set_lines(
                        piece,
                        &asked.breakpoints,
                        sources,
                        first_line,
                    ),
                    None => {
                        let why = "this file is not a part of the program";
                        let none = json!({"verified": false, "message": why});
                        asked.breakpoints.iter().map(|_| none.clone()).collect()
                    }
                };
                Ok(json!({"breakpoints": points}))
            }
            "setFunctionBreakpoints" => {
                let asked: SetFunctionBreakpoints = request.arguments()?;
                let sources = self.launched()?;
                let mut breakpoints = self.control.breakpoints();
                let points = breakpoints.set_functions(&asked.breakpoints, sources, first_line);
                Ok(json!({"breakpoints": points}))
            }
            "setDataBreakpoints" => {
                let asked: SetDataBreakpoints = request.arguments()?;
                let points = self.control.breakpoints().set_data(&asked.breakpoints);
                Ok(json!({"breakpoints": points}))
            }
            "setExceptionBreakpoints" => {
                let asked: SetExceptionBreakpoints = request.arguments()?;
                if let Some(other) = asked.filters.iter().find(|filter| *filter != ERRORS) {
                    return Err(format!("there is no filter `{other}': only `{ERRORS}'"));
                }
                self.control.breakpoints().at_errors = !asked.filters.is_empty();
                Ok(Value::Null)
            }
            "breakpointLocations" => {
                let asked: BreakpointLocations = request.arguments()?;
                let sources = self.launched()?;
                let lines = sources.piece(&asked.source);
                let lines = lines.map(|piece| sources.places.lines_that_stop(piece));
                let wanted = asked.line..=asked.end_line.unwrap_or(asked.line);
                let lines = lines.unwrap_or_default().into_iter().map(|line| line + first_line - 1);
                let found: Vec<Value> = lines
                    .filter(|line| wanted.contains(line))
                    .map(|line| json!({"line": line}))
                    .collect();
                Ok(json!({"breakpoints": found}))
            }
            "threads" => Ok(json!({"threads": [{"id": THREAD, "name": "program"}]})),
            "loadedSources" => Ok(json!({"sources": self.launched()?.all()})),
            "source" => {
                let asked: ShowSource = request.arguments()?;
                let sources = self.launched()?;
                let by_reference =
                    Source { source_reference: Some(asked.source_reference), ..Source::default() };
                let piece = sources.piece(&asked.source.unwrap_or(by_reference));
                let text = piece.and_then(|piece| sources.places.text_of(piece));
                let text = text.ok_or("there is no such text in the program")?;
                Ok(json!({"content": String::from_utf8_lossy(text), "mimeType": "text/x-awk"}))
            }
            "pause" => match &self.phase {
                Phase::Running(_) => {
                    self.control.pause();
                    Ok(Value::Null)
                }
                _ => Err("no program runs".to_owned()),
            },
            "terminate" => {
                self.control.end();
                Ok(Value::Null)
            }
            "attach" => Err("there is nothing to attach to: use `launch'".to_owned()),
            other => Err(format!("`{other}' is not supported")),
        }
    }

    fn launched(&self) -> Result<&Sources, String> {
        self.sources.as_ref().ok_or_else(|| "launch a program first".to_owned())
    }

    /// The configuration follows a launch: only then it is known where breakpoints can be.
    fn launch(&mut self, request: &Request) {
        let launched = self.prepare(request);
        let is_launched = launched.is_ok();
        self.outbox.answer(request, launched.map(|()| Value::Null));
        if is_launched {
            self.outbox.event("initialized", Value::Null);
        }
    }

    fn prepare(&mut self, request: &Request) -> Result<(), String> {
        if !matches!(self.phase, Phase::Idle) {
            return Err("a program is launched already".to_owned());
        }
        let arguments: LaunchArguments = request.arguments()?;
        let launch = Launch::new(&arguments)?;
        let prepared = self.launcher.prepare(&launch)?;
        self.outbox.show(Category::Stderr, &prepared.warnings);
        let mut streams = Streams {
            stdout: Box::new(Printed::new(&self.outbox, Category::Stdout)),
            stderr: Box::new(Printed::new(&self.outbox, Category::Stderr)),
            ..Streams::default()
        };
        feed(&mut streams, &arguments)?;
        let sources = Sources::new(prepared.compiled.places());
        let mut stops = Stops::new(&self.control, &self.outbox, &sources, self.first);
        if arguments.no_debug {
            stops.ignore_breakpoints();
        } else if arguments.stop_on_entry {
            stops.stop_at_entry();
        }
        self.sources = Some(sources);
        self.phase = Phase::Configuring(Box::new(Launched { prepared, streams, stops }));
        Ok(())
    }

    fn begin(&mut self, request: &Request) {
        let launched = match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Configuring(launched) => launched,
            other => {
                self.phase = other;
                self.outbox.answer(request, Err("there is nothing to begin".to_owned()));
                return;
            }
        };
        // Before the events of the run.
        self.outbox.answer(request, Ok(Value::Null));
        match run::start(*launched, &self.control, &self.outbox) {
            Ok(ended) => self.phase = Phase::Running(ended),
            Err(why) => {
                self.complain(&why);
                self.outbox.event("terminated", Value::Null);
            }
        }
    }

    /// Commands that the run has started end with it. What does not end in time ends with the
    /// process.
    fn end_run(&mut self) {
        self.control.end();
        if let Phase::Running(ended) = &self.phase {
            let _ = ended.recv_timeout(PATIENCE);
        }
    }
}
