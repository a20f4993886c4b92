//! What is launched.

use std::ffi::OsString;
use std::fs::File;

use riverhawk_engine::{Compiled, Config, Streams};
use riverhawk_system::stdio::dup2_stdin;

use crate::protocol::{Files, LaunchArguments};

/// Compiles programs for the adapter.
pub trait Launcher {
    /// The program that a command line says, compiled to be observed and limited.
    ///
    /// # Errors
    /// A message for the user.
    fn prepare(&self, launch: &Launch) -> Result<Prepared, String>;
}

/// What a program is launched with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// Words of a command line: options, the program, operands.
    pub words: Vec<OsString>,
    /// The folder to run in; the process's own if none.
    pub folder: Option<OsString>,
    /// Changes of the environment: new values, and what has none.
    pub environment: Vec<(String, Option<String>)>,
}

/// A program that can run.
pub struct Prepared {
    /// The program.
    pub compiled: Compiled,
    /// Its run.
    pub config: Config,
    /// Warnings, drawn.
    pub warnings: String,
}

impl Launch {
    pub(crate) fn new(arguments: &LaunchArguments) -> Result<Launch, String> {
        let mut words: Vec<OsString> = arguments.options.iter().map(OsString::from).collect();
        for (name, value) in &arguments.variables {
            words.extend(["-v".into(), format!("{name}={}", value.text()).into()]);
        }
        let files = match &arguments.program {
            None => &[][..],
            Some(Files::One(file)) => std::slice::from_ref(file),
            Some(Files::Several(files)) => files,
        };
        for file in files {
            words.extend(["-f".into(), file.into()]);
        }
        if let Some(text) = &arguments.text {
            words.extend(["-e".into(), text.into()]);
        }
        if files.is_empty() && arguments.text.is_none() {
            return Err("launch: there is no program: set `program', a file, or `text'".to_owned());
        }
        if arguments.stdin.is_some() && arguments.input.is_some() {
            return Err(
                "launch: the standard input is `stdin', a file, or `input', a text; not both"
                    .to_owned(),
            );
        }
        words.push("--".into());
        words.extend(arguments.args.iter().map(OsString::from));
        let value = |(name, value): (&String, &Option<_>)| {
            (name.clone(), value.as_ref().map(crate::protocol::Scalar::text))
        };
        Ok(Launch {
            words,
            folder: arguments.cwd.as_ref().map(OsString::from),
            environment: arguments.env.iter().map(value).collect(),
        })
    }
}

/// Gives the run its standard input, by default none.
pub(crate) fn feed(streams: &mut Streams, arguments: &LaunchArguments) -> Result<(), String> {
    if let Some(text) = &arguments.input {
        streams.read_from(text.clone().into_bytes());
    }
    if let Some(name) = &arguments.stdin {
        let failed = |error| format!("launch: cannot read the standard input `{name}': {error}");
        // As the process's own, so that a run that waits for it can be ended.
        let file = File::open(name).map_err(failed)?;
        dup2_stdin(file).map_err(|error| failed(error.into()))?;
        streams.stdin = None;
    }
    Ok(())
}
