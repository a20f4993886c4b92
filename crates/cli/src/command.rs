//! The command, from its arguments to its exit status.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;

use riverhawk::engine::{
    Compiled, Encodings, EndCause, Limits, Outcome, ProfileFormat, RuntimeError, VisitCounts,
    compile,
};

use crate::coverage::{self, CoverageOutput};
use crate::debug_console::DebugConsole;
use crate::destination::Destination;
use crate::looks::Looks;
use crate::messages::{Messages, renderer};
use crate::parse::{Dump, Invocation, Request, parse};
use crate::preparation::{Called, complete_config, read_program};
use crate::testing::Testing;
use crate::usage_error::UsageError;
use crate::{debug_adapter, help, language_server, rewrite};

/// Runs the command with its arguments, the first of which is its name. The exit status is the
/// program's, 1 for a wrong command line and syntax errors, 2 for runtime errors, as in gawk.
pub fn run(args: Vec<OsString>) -> u8 {
    run_with(args, None)
}

/// As [`run`], with other encodings than the built-in ones.
pub fn run_with(args: Vec<OsString>, encodings: Option<Encodings>) -> u8 {
    let command_line = args.clone();
    let mut args = args.into_iter();
    let program_name = base_name(args.next());
    let name = program_name.to_string_lossy();
    let plain = || Messages::new(&name, Looks::default());
    match parse(args, |name| std::env::var_os(name)) {
        Ok(Request::Help(None)) => plain().print(help::help()),
        Ok(Request::Help(Some(topic))) => plain().help_about(&topic),
        Ok(Request::Version) => plain().print(help::version()),
        Ok(Request::Copyright) => plain().print(help::copyright()),
        Ok(Request::Library(text)) => plain().print(text),
        Ok(Request::Lsp) => plain().served(language_server::serve()),
        Ok(Request::Dap) => plain().served(debug_adapter::serve(encodings)),
        Ok(Request::Run(mut invocation)) => {
            let mut say = Messages::new(&name, invocation.looks);
            if invocation.check && !invocation.fix {
                say.messages_are_output();
            }
            match invocation.apply_environment(|name| std::env::var_os(name)) {
                Ok(()) => {
                    let status = execute(
                        *invocation,
                        Called { program_name, command_line },
                        encodings,
                        &say,
                    );
                    say.finish(status)
                }
                Err(error) => refuse(&error, &say),
            }
        }
        Err(error) => refuse(&error, &Messages::new(&name, error.looks)),
    }
}

fn refuse(error: &UsageError, say: &Messages) -> u8 {
    let hint = if error.status == UsageError::STATUS { help::usage_hint() } else { String::new() };
    say.error(&say.renderer.message_with_help(&error.message, &hint));
    error.status
}

fn execute(
    mut invocation: Invocation,
    called: Called,
    encodings: Option<Encodings>,
    say: &Messages,
) -> u8 {
    for warning in &invocation.warnings {
        say.error(&say.renderer.warning(warning));
    }
    // An empty AWKPATH counts as unset.
    let searched_path = std::env::var_os("AWKPATH").filter(|path| !path.is_empty());
    let texts = match read_program(&mut invocation, searched_path.as_deref(), say) {
        Ok(texts) => texts,
        Err(status) => return status,
    };
    if let Some(options) = invocation.test.take() {
        let name = called.program_name.to_string_lossy().into_owned();
        complete_config(&mut invocation, called, searched_path.is_some(), encodings, say);
        invocation.config.machine.owns_process = false;
        let Invocation { compile, config, coverage, looks, .. } = invocation;
        let renderer = renderer(&name, looks, &io::stdout());
        return Testing { options, texts, compile, config, coverage, looks, renderer, say }.run();
    }
    if invocation.checks() {
        return rewrite::rewrite(&invocation, texts, say);
    }
    let pieces = texts.into_iter().map(|text| text.source).collect();
    let compiled = match compile(pieces, &invocation.compile) {
        Ok(compiled) => compiled,
        Err(failure) => {
            say.error(&say.renderer.failure(&failure));
            return failure.status;
        }
    };
    let unreached = warn_of_program(&invocation, &compiled, say);
    if let Some(status) = print_program(&invocation, &compiled, &called, say) {
        return status;
    }
    complete_config(&mut invocation, called, searched_path.is_some(), encodings, say);
    let Some(written) = ResultFiles::prepare(&mut invocation, say) else { return Outcome::FATAL };
    let quiet = invocation.compile.quiet;
    let limits = invocation.config.machine.limits;
    let mut outcome = match run_or_debug(&compiled, invocation, say) {
        Ok(outcome) => outcome,
        Err(status) => return status,
    };
    name_options(&mut outcome.errors, &limits);
    report(&compiled, &outcome, unreached, say);
    if outcome.stats.is_some() || io::stderr().is_terminal() && !quiet {
        for remark in &outcome.remarks {
            say.error(&say.renderer.remark(compiled.sources(), remark.span, &remark.message));
        }
    }
    let status = written.write(&compiled, &outcome, say).max(outcome.status);
    // The process ends: freeing this is wasted time.
    std::mem::forget((compiled, outcome));
    status
}

/// Prints the warnings, and decides what to report about calls that cannot work: a run reports
/// those itself, when it reaches them or at its end.
fn warn_of_program(invocation: &Invocation, compiled: &Compiled, say: &Messages) -> Unreached {
    let is_run = invocation.runs() && invocation.debug.is_none();
    let waits = is_run && !invocation.compile.lint.is_some_and(|lint| lint.suspicious);
    let failing = if waits || invocation.compile.quiet { &[] } else { compiled.failing() };
    for warning in compiled.warnings().iter().chain(failing) {
        say.error(&say.renderer.diagnostic(compiled.sources(), warning));
    }
    if waits && !invocation.compile.quiet { Unreached::Reported } else { Unreached::Ignored }
}

/// Reports, after a run, of unreached calls that cannot work.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unreached {
    Reported,
    Ignored,
}

/// `None` if it is to run.
fn print_program(
    invocation: &Invocation,
    compiled: &Compiled,
    called: &Called,
    say: &Messages,
) -> Option<u8> {
    if invocation.format {
        return Some(say.print(compiled.format(invocation.format_width)));
    }
    if let Some(file) = &invocation.pretty_print {
        return Some(say.write(Destination::new(file.clone()), compiled.pretty_print()));
    }
    match invocation.dump {
        Some(Dump::Ast) => return Some(say.print(compiled.dump_ast())),
        Some(Dump::Bytecode) => return Some(say.print(compiled.dump_bytecode())),
        Some(Dump::Ir | Dump::Assembly) | None => {}
    }
    if invocation.gen_pot {
        return Some(say.print(compiled.translatable()));
    }
    if invocation.explain {
        let name = called.program_name.to_string_lossy();
        let renderer = renderer(&name, invocation.looks, &io::stdout());
        return Some(say.print(compiled.explain(&renderer)));
    }
    None
}

/// The error is the exit status, if nothing can run.
fn run_or_debug(
    compiled: &Compiled,
    invocation: Invocation,
    say: &Messages,
) -> Result<Outcome, u8> {
    let Some(commands) = invocation.debug else { return Ok(compiled.run(invocation.config)) };
    match DebugConsole::new(commands.as_deref()) {
        Ok(console) => Ok(compiled.debug(&invocation.config, Box::new(console))),
        Err(message) => {
            say.error(&say.renderer.message(&message));
            Err(Outcome::FATAL)
        }
    }
}

struct ResultFiles {
    variables: Option<Destination>,
    profile: Option<Destination>,
    time_profiles: Vec<(ProfileFormat, Destination)>,
    coverage: Vec<CoverageOutput>,
}

impl ResultFiles {
    /// In a sandbox, opens them now, since that is impossible later. `None` after a message.
    fn prepare(invocation: &mut Invocation, say: &Messages) -> Option<ResultFiles> {
        let sandbox = invocation.config.machine.permissions.sandbox;
        let open = |name: OsString| match sandbox {
            true => say.opened(name),
            false => Ok(Destination::new(name)),
        };
        let optional = |name: Option<OsString>| name.map(open).transpose();
        let mut prepare = || -> Result<ResultFiles, ()> {
            Ok(ResultFiles {
                variables: optional(invocation.dump_variables.take())?,
                profile: optional(invocation.profile.take())?,
                time_profiles: std::mem::take(&mut invocation.time_profiles)
                    .into_iter()
                    .map(|(format, file)| Ok((format, open(file)?)))
                    .collect::<Result<_, ()>>()?,
                coverage: std::mem::take(&mut invocation.coverage),
            })
        };
        prepare().ok()
    }

    /// Gives 0, or 2 after a message.
    fn write(self, compiled: &Compiled, outcome: &Outcome, say: &Messages) -> u8 {
        let mut status = 0;
        if let (Some(file), Some(variables)) = (self.variables, &outcome.variables) {
            status = status.max(say.write(file, variables));
        }
        if let Some(file) = self.profile {
            status = status.max(say.write(file, compiled.profile(outcome)));
        }
        for (format, file) in self.time_profiles {
            if let Some(profile) = &outcome.profile {
                status = status.max(say.write(file, profile.write(format)));
            }
        }
        if !self.coverage.is_empty() {
            let mut counts = VisitCounts::default();
            compiled.add_visits(outcome, &mut counts);
            let written = coverage::write(compiled.coverage(&counts), &self.coverage, say);
            status = status.max(written);
        }
        status
    }
}

/// The option of a limit that was reached is in the message.
fn name_options(errors: &mut [RuntimeError], limits: &Limits) {
    for error in errors {
        let option = match error.cause {
            Some(EndCause::Time) => "--timeout",
            Some(EndCause::Steps) => "--max-steps",
            Some(EndCause::Records) => "--max-records",
            Some(EndCause::Output) => "--max-output",
            Some(EndCause::RecordLength) if limits.max_record.is_some() => "--max-record",
            _ => continue,
        };
        error.message = format!("{} ({option})", error.message);
    }
}

fn report(compiled: &Compiled, outcome: &Outcome, unreached: Unreached, say: &Messages) {
    for warning in outcome.unreached.iter().filter(|_| unreached == Unreached::Reported) {
        say.error(&say.renderer.diagnostic(compiled.sources(), warning));
    }
    for error in &outcome.errors {
        say.error(&say.renderer.runtime_error(compiled.sources(), error));
    }
    if !outcome.machine_code.is_empty() {
        say.error(&outcome.machine_code);
    }
    if let Some(stats) = &outcome.stats {
        say.error(&stats.to_text());
    }
}

/// As gawk's `ARGV[0]`.
fn base_name(called: Option<OsString>) -> OsString {
    let base = called.as_deref().and_then(|called| Path::new(called).file_name());
    base.map_or_else(|| OsString::from("rhawk"), OsString::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_the_last_part_of_the_path() {
        assert_eq!(base_name(Some("/usr/bin/rhawk".into())), "rhawk");
        assert_eq!(base_name(Some("awk".into())), "awk");
        assert_eq!(base_name(Some("".into())), "rhawk");
        assert_eq!(base_name(None), "rhawk");
    }
}
