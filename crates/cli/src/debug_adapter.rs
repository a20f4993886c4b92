//! `--dap`: what the debug adapter asks the command for.

use riverhawk::engine::Encodings;

#[cfg(not(feature = "dap"))]
pub(crate) fn serve(_: Option<Encodings>) -> Result<(), String> {
    Err("--dap: this rhawk was built without the debug adapter".to_owned())
}

/// Debugs for an editor over standard input and output.
#[cfg(feature = "dap")]
pub(crate) fn serve(encodings: Option<Encodings>) -> Result<(), String> {
    let command = served::Command { encodings };
    riverhawk_dap::serve_stdio(&command).map_err(|error| error.to_string())
}

#[cfg(feature = "dap")]
mod served {
    use std::ffi::OsStr;

    use riverhawk::engine::{Encodings, Environment, compile};
    use riverhawk_dap::{Launch, Launcher, Prepared};

    use crate::looks::Looks;
    use crate::messages::Messages;
    use crate::parse::{Invocation, Request, parse};
    use crate::preparation::{Called, complete_config, read_program};
    use crate::program_text::describe;
    use crate::terminal::Color;

    const NAME: &str = "rhawk";

    pub(super) struct Command {
        pub encodings: Option<Encodings>,
    }

    impl Launcher for Command {
        fn prepare(&self, launch: &Launch) -> Result<Prepared, String> {
            if let Some(folder) = &launch.folder {
                std::env::set_current_dir(folder).map_err(|error| {
                    let folder = folder.to_string_lossy();
                    format!("launch: cannot go to the folder '{folder}': {}", describe(&error))
                })?;
            }
            let mut say = Messages::new(NAME, Looks { color: Color::Never, ..Looks::default() });
            say.keep();
            let mut invocation = invocation(launch)?;
            let path = std::env::var_os("AWKPATH").filter(|path| !path.is_empty());
            // Conflicts of options.
            for warning in &invocation.warnings {
                say.error(&say.renderer.warning(warning));
            }
            let texts = read_program(&mut invocation, path.as_deref(), &say);
            let texts = texts.map_err(|_| say.kept())?;
            // So that the run can be looked at, and be ended.
            invocation.compile.observed = true;
            invocation.compile.limited = true;
            let pieces = texts.into_iter().map(|text| text.source).collect();
            let compiled = compile(pieces, &invocation.compile)
                .map_err(|failure| say.renderer.failure(&failure))?;
            if !invocation.compile.quiet {
                say.diagnostics(compiled.sources(), compiled.warnings());
            }
            let called = Called { program_name: NAME.into(), command_line: words(launch) };
            complete_config(&mut invocation, called, path.is_some(), self.encodings.clone(), &say);
            let machine = &mut invocation.config.machine;
            machine.owns_process = false;
            change(&mut machine.environment, launch);
            Ok(Prepared { compiled, config: invocation.config, warnings: say.kept() })
        }
    }

    fn words(launch: &Launch) -> Vec<std::ffi::OsString> {
        std::iter::once(NAME.into()).chain(launch.words.iter().cloned()).collect()
    }

    fn invocation(launch: &Launch) -> Result<Box<Invocation>, String> {
        let variable = |name: &str| std::env::var_os(name);
        match parse(launch.words.iter().cloned(), variable) {
            Ok(Request::Run(mut invocation)) => {
                invocation.apply_environment(variable).map_err(|error| error.message)?;
                match invocation.excluded_by_editors() {
                    None => Ok(invocation),
                    Some(option) => Err(format!("launch: {option} is no option of a debugged run")),
                }
            }
            Ok(_) => Err("launch: the options run no program".to_owned()),
            Err(error) => Err(error.message),
        }
    }

    fn change(environment: &mut Environment, launch: &Launch) {
        for (name, value) in &launch.environment {
            let is_other = |variable: &(Vec<u8>, Vec<u8>)| variable.0 != name.as_bytes();
            environment.variables.retain(is_other);
            environment.assumed.retain(is_other);
            if let Some(value) = value {
                let value = OsStr::new(value).as_encoded_bytes().to_vec();
                environment.variables.push((name.clone().into_bytes(), value));
            }
        }
    }
}
