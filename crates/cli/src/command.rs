//! What the command does, from its arguments to its exit status.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use riverhawk_engine::{
    Colours, CompileOptions, Compiled, Config, DecimalPoint, Diagnostic, Dialect, Edits, Effect,
    Emptying, Encodings, IncludePath, InputConfig, Limit, LimitConfig, LocaleConfig, Outcome,
    OutputConfig, Renderer, RunOptions, ToolConfig, compile, locale_collation,
    locale_decimal_point, locale_is_bytes,
};

use crate::debug_console::DebugConsole;
use crate::destination::{self, Destination};
use crate::looks::Looks;
use crate::parse::{Dump, Invocation, Request, parse};
use crate::program_text::{self, describe};
use crate::usage_error::UsageError;
use crate::{help, lint_variable, manual, terminal};

/// Runs the command with its arguments, the first of which is its own name, and returns the exit
/// status: the program's, 1 for a wrong command line and syntax errors, 2 for errors while running,
/// as gawk does.
pub fn run(args: Vec<OsString>) -> u8 {
    run_with(args, None)
}

/// As [`run`], with these encodings in place of the built-in ones.
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
        Ok(Request::Run(mut invocation)) => {
            let say = Messages::new(&name, invocation.looks);
            match invocation.apply_environment(|name| std::env::var_os(name)) {
                Ok(()) => {
                    execute(*invocation, Called { program_name, command_line }, encodings, &say)
                }
                Err(error) => refuse(&error, &say),
            }
        }
        Err(error) => refuse(&error, &Messages::new(&name, error.looks)),
    }
}

struct Called {
    program_name: OsString,
    command_line: Vec<OsString>,
}

fn refuse(error: &UsageError, say: &Messages) -> u8 {
    let hint = if error.status == UsageError::STATUS { help::usage_hint() } else { String::new() };
    say.error(&say.renderer.message_with_help(&error.message, &hint));
    error.status
}

/// What `ENVIRON` says of gawk's folders where the environment says nothing. Extensions are built
/// in; the folder is that of Debian's gawk.
fn assumed_environment(path_is_set: bool) -> Vec<(OsString, OsString)> {
    let mut assumed = Vec::new();
    if !path_is_set {
        assumed.push(("AWKPATH".into(), IncludePath::DEFAULT.into()));
    }
    if std::env::var_os("AWKLIBPATH").is_none_or(|path| path.is_empty()) {
        assumed.push((
            "AWKLIBPATH".into(),
            format!("/usr/lib/{}-linux-gnu/gawk", std::env::consts::ARCH).into(),
        ));
    }
    assumed
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
    let bytes =
        invocation.bytes || !invocation.graphemes && locale_is_bytes(|name| std::env::var_os(name));
    // An empty AWKPATH is none.
    let searched_path = std::env::var_os("AWKPATH").filter(|path| !path.is_empty());
    let include_path = searched_path.as_deref().map_or_else(IncludePath::default, IncludePath::new);
    // As in gawk, ENVIRON says what is in force.
    let assumed = assumed_environment(searched_path.is_some());
    let names_file = invocation.program_names_file();
    let pieces =
        match program_text::read_all(std::mem::take(&mut invocation.program), &include_path) {
            Ok(pieces) => pieces,
            Err(unreadable) => {
                say.error(&say.renderer.message(&unreadable.message));
                return unreadable.status;
            }
        };
    let lint = lint_variable::apply(&mut invocation);
    if lint.turned_off {
        say.error(&say.renderer.warning("turning off `--lint' due to assignment to `LINT'"));
    }
    let options = CompileOptions {
        assigns_lint: lint.assigns,
        bytes,
        graphemes: invocation.graphemes,
        include_path,
        sandbox: invocation.sandbox,
        dialect: invocation.dialect,
        profiled: !invocation.time_profiles.is_empty(),
        observed: invocation.profile.is_some() || invocation.trace || invocation.debug.is_some(),
        precise: invocation.precise,
        timed: invocation.timeout.is_some(),
        // Identifiers in JSON are longer than doubles.
        exact_integers: invocation.exact_integers || invocation.tables.is_json(),
        lint: invocation.lint,
        lint_is_fatal: invocation.lint_is_fatal,
        quiet: invocation.quiet || lint.says_none,
        names_file,
    };
    let quiet = options.quiet;
    let compiled = match compile(pieces, &options) {
        Ok(compiled) => compiled,
        Err(failure) => {
            say.error(&say.renderer.failure(&failure));
            return failure.status;
        }
    };
    // A run reports these itself, when it reaches them or at its end.
    let is_run = invocation.runs() && invocation.debug.is_none();
    let waits = is_run && !invocation.lint.is_some_and(|lint| lint.suspicious);
    let failing = if waits || options.quiet { &[] } else { compiled.failing() };
    for warning in compiled.warnings().iter().chain(failing) {
        say.error(&say.renderer.diagnostic(compiled.sources(), warning));
    }
    if invocation.format {
        return say.print(compiled.format());
    }
    if let Some(file) = &invocation.pretty_print {
        return say.write(Destination::new(file.clone()), compiled.pretty_print());
    }
    match invocation.dump {
        Some(Dump::Ast) => return say.print(compiled.dump_ast()),
        Some(Dump::Bytecode) => return say.print(compiled.dump_bytecode()),
        Some(Dump::Ir | Dump::Assembly) | None => {}
    }
    if invocation.gen_pot {
        return say.print(compiled.translatable());
    }
    if invocation.explain {
        let name = called.program_name.to_string_lossy();
        let renderer = renderer(&name, terminal::colours(invocation.looks.color, &io::stdout()));
        return say.print(compiled.explain(&renderer));
    }
    invocation.optimising.keep_ir = invocation.dump == Some(Dump::Ir);
    invocation.optimising.keep_assembly = invocation.dump == Some(Dump::Assembly);
    let options = RunOptions {
        renderer: Some(say.renderer.clone()),
        assignments: invocation.assignments,
        operands: invocation.operands,
        program_name: called.program_name,
        command_line: called.command_line,
        environment: std::env::vars_os().collect(),
        assumed_environment: assumed,
        config: Config {
            input: InputConfig {
                window: invocation.window_size.unwrap_or(RunOptions::WINDOW_SIZE),
                only_files: invocation.only_files,
                strip_bom: invocation.strip_bom,
                decompress: match (invocation.no_decompress, invocation.decompress_limit) {
                    (true, _) => None,
                    (false, None) => Some(Limit::default()),
                    (false, Some(0)) => Some(Limit::NONE),
                    (false, Some(bytes)) => Some(Limit::bytes(bytes as u64)),
                },
                follow: invocation.follow,
            },
            output: OutputConfig {
                encoding: invocation.output_encoding,
                compress: invocation.compress_output,
                in_place: invocation.in_place,
                edits: Edits {
                    empty: if invocation.allow_empty { Emptying::Allow } else { Emptying::Refuse },
                    effect: match invocation.diff {
                        true if terminal::colours(invocation.looks.color, &io::stdout()) => {
                            Effect::Show(Colours::Ansi)
                        }
                        true => Effect::Show(Colours::None),
                        false => Effect::Replace,
                    },
                },
            },
            tables: invocation.tables,
            locale: LocaleConfig {
                encodings,
                numbers: invocation.numbers,
                decimal_point: match invocation.lc_numeric || invocation.dialect == Dialect::Posix {
                    true => locale_decimal_point(|name| std::env::var_os(name)),
                    false => DecimalPoint::Period,
                },
                collation: match invocation.dialect {
                    Dialect::Posix => locale_collation(|name| std::env::var_os(name)),
                    _ => None,
                },
            },
            limits: LimitConfig {
                memory: invocation.memory_limit,
                time: invocation.timeout,
                record: invocation.max_record,
                output: invocation.max_output,
                sandbox: invocation.sandbox,
                allowed: invocation.allowed,
            },
            tools: ToolConfig {
                lists_variables: invocation.dump_variables.is_some(),
                stats: invocation.stats,
                trace: invocation.trace,
                progress: invocation.progress,
            },
        },
        owns_process: true,
        jobs: invocation.jobs.unwrap_or(1),
        piece_size: invocation.piece_size.unwrap_or(RunOptions::PIECE_SIZE),
        relaxed_sums: invocation.relaxed_sums,
        optimising: invocation.optimising,
    };
    let (Ok(variables_to), Ok(profile_to)) = (
        say.report(invocation.dump_variables, invocation.sandbox),
        say.report(invocation.profile, invocation.sandbox),
    ) else {
        return Outcome::FATAL;
    };
    let time_profiles = invocation
        .time_profiles
        .into_iter()
        .map(|(format, file)| Ok((format, say.report(Some(file), invocation.sandbox)?)));
    let Ok(time_profiles) = time_profiles.collect::<Result<Vec<_>, ()>>() else {
        return Outcome::FATAL;
    };
    let outcome = match invocation.debug {
        Some(file) => match DebugConsole::new(file.as_deref()) {
            Ok(console) => compiled.debug(options, Box::new(console)),
            Err(message) => {
                say.error(&say.renderer.message(&message));
                return Outcome::FATAL;
            }
        },
        None => compiled.run(options),
    };
    let unreached = if waits && !quiet { &outcome.unreached[..] } else { &[] };
    report(&compiled, &outcome, unreached, say);
    if outcome.stats.is_some() || io::stderr().is_terminal() && !quiet {
        for remark in &outcome.remarks {
            say.error(&say.renderer.remark(compiled.sources(), remark.span, &remark.message));
        }
    }
    let mut status = outcome.status;
    if let (Some(file), Some(variables)) = (variables_to, &outcome.variables) {
        status = status.max(say.write(file, variables));
    }
    if let Some(file) = profile_to {
        status = status.max(say.write(file, compiled.profile(&outcome)));
    }
    for (format, file) in time_profiles {
        if let (Some(file), Some(profile)) = (file, &outcome.profile) {
            status = status.max(say.write(file, profile.write(format)));
        }
    }
    // The process ends: the system takes everything back at once.
    std::mem::forget((compiled, outcome));
    status
}

fn report(compiled: &Compiled, outcome: &Outcome, unreached: &[Diagnostic], say: &Messages) {
    for warning in unreached {
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

/// The last part of the command's own name, as gawk's `ARGV[0]`.
fn base_name(called: Option<OsString>) -> OsString {
    let base = called.as_deref().and_then(|called| Path::new(called).file_name());
    base.map_or_else(|| OsString::from("rhawk"), OsString::from)
}

fn renderer(name: &str, is_coloured: bool) -> Renderer {
    if is_coloured { Renderer::coloured(name) } else { Renderer::plain(name) }
}

struct Messages {
    renderer: Renderer,
}

impl Messages {
    fn new(name: &str, looks: Looks) -> Messages {
        let renderer =
            renderer(name, terminal::colours(looks.color, &io::stderr())).in_format(looks.format);
        match terminal::columns_of_stderr() {
            Some(columns) => Messages { renderer: renderer.for_width(columns) },
            None => Messages { renderer },
        }
    }

    /// To standard error, which may be closed: that is no reason to fail.
    fn error(&self, text: &str) {
        let _ = io::stderr().write_all(text.as_bytes());
    }

    /// Opens the file for what is written after the run: in a sandbox no file can be opened later.
    fn report(&self, name: Option<OsString>, sandbox: bool) -> Result<Option<Destination>, ()> {
        let Some(name) = name else { return Ok(None) };
        let mut destination = Destination::new(name);
        match if sandbox { destination.open() } else { Ok(()) } {
            Ok(()) => Ok(Some(destination)),
            Err(error) => {
                self.cannot_write(destination.name(), &error);
                Err(())
            }
        }
    }

    /// Writes to a file; 0, or 2 and a message.
    fn write(&self, destination: Destination, text: impl AsRef<[u8]>) -> u8 {
        let name = destination.name().to_owned();
        match destination.write(text.as_ref()) {
            Ok(()) => 0,
            Err(error) => {
                self.cannot_write(&name, &error);
                Outcome::FATAL
            }
        }
    }

    fn cannot_write(&self, name: &OsStr, error: &io::Error) {
        let message = format!("cannot write '{}': {}", name.to_string_lossy(), describe(error));
        self.error(&self.renderer.message(&message));
    }

    fn help_about(&self, topic: &str) -> u8 {
        let text = match topic {
            "all" => Ok(help::every_option()),
            topic => manual::about(topic),
        };
        match text {
            Ok(text) => self.print(text),
            Err(message) => {
                self.error(&self.renderer.message(&message));
                UsageError::STATUS
            }
        }
    }

    /// Writes to standard output; 0, or 2 and a message.
    fn print(&self, text: impl AsRef<[u8]>) -> u8 {
        match destination::print(text.as_ref()) {
            Ok(()) => 0,
            Err(error) => {
                let message = format!("cannot write to standard output: {}", describe(&error));
                self.error(&self.renderer.message(&message));
                Outcome::FATAL
            }
        }
    }
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
