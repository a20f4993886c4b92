//! From a parsed command line to a program's texts and the settings of its run.

use std::ffi::{OsStr, OsString};
use std::io;

use riverhawk::engine::system::names::OsStringExt;
use riverhawk::engine::{
    Colours, Config, Dialect, Effect, Encodings, Environment, IncludePath, locale_collation,
    locale_decimal_point, locale_is_bytes,
};

use crate::messages::Messages;
use crate::parse::{Dump, Invocation};
use crate::program_text::{self, Text};
use crate::{lint_variable, terminal};

/// How the command was called.
pub(crate) struct Called {
    /// Without its folder.
    pub program_name: OsString,
    pub command_line: Vec<OsString>,
}

/// `ENVIRON`'s values for gawk's folders where the environment has none. Extensions are built in;
/// the folder is that of Debian's gawk.
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

/// Reads the program, and completes the options of its compilation. The error is the exit status.
pub(crate) fn read_program(
    invocation: &mut Invocation,
    searched_path: Option<&OsStr>,
    say: &Messages,
) -> Result<Vec<Text>, u8> {
    let include_path = searched_path.map_or_else(IncludePath::default, IncludePath::new);
    let names_file = invocation.program_names_file();
    let texts = program_text::read_all(std::mem::take(&mut invocation.program), &include_path)
        .map_err(|unreadable| {
            say.error(&say.renderer.message(&unreadable.message));
            unreadable.status
        })?;
    let lint = lint_variable::apply(invocation);
    if lint.turned_off {
        say.error(&say.renderer.warning("turning off `--lint' due to assignment to `LINT'"));
    }
    let machine = &invocation.config.machine;
    let options = &mut invocation.compile;
    options.characters_as_bytes |=
        !options.graphemes && locale_is_bytes(|name| std::env::var_os(name));
    options.include_path = include_path;
    options.names_file = names_file;
    options.assigns_lint = lint.assigns;
    options.quiet |= lint.says_none;
    options.sandbox = machine.permissions.sandbox;
    let limits = &machine.limits;
    options.limited = limits.timeout.is_some() || limits.max_steps.or(limits.max_records).is_some();
    // Identifiers in JSON can exceed doubles.
    options.exact_integers |= machine.tables.is_json();
    options.profiled = !invocation.time_profiles.is_empty();
    options.observed = invocation.profile.is_some()
        || invocation.config.tools.trace
        || invocation.debug.is_some()
        || !invocation.coverage.is_empty();
    options.outcomes = !invocation.coverage.is_empty();
    Ok(texts)
}

/// Completes a run's settings by what the process has.
pub(crate) fn complete_config(
    invocation: &mut Invocation,
    called: Called,
    path_is_set: bool,
    encodings: Option<Encodings>,
    say: &Messages,
) {
    let variable = |name: &str| std::env::var_os(name);
    let dialect = invocation.compile.dialect;
    let Config { machine, optimiser, tools, .. } = &mut invocation.config;
    machine.owns_process = true;
    machine.command_line.program_name = called.program_name.into_vec();
    machine.command_line.words = called.command_line.into_iter().map(OsString::into_vec).collect();
    machine.environment = Environment {
        variables: bytes(std::env::vars_os()),
        assumed: bytes(assumed_environment(path_is_set)),
    };
    machine.locale.encodings = encodings;
    if invocation.lc_numeric || dialect == Dialect::Posix {
        machine.locale.decimal_point = locale_decimal_point(variable);
    }
    if dialect == Dialect::Posix {
        machine.locale.collation = locale_collation(variable).map(OsString::into_vec);
    }
    if invocation.diff {
        let colours = match terminal::colours(invocation.looks.color, &io::stdout()) {
            true => Colours::Ansi,
            false => Colours::None,
        };
        machine.output.edits.effect = Effect::Show(colours);
    }
    optimiser.keep_ir = invocation.dump == Some(Dump::Ir);
    optimiser.keep_assembly = invocation.dump == Some(Dump::Assembly);
    tools.renderer = Some(say.renderer.clone());
}

fn bytes(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Vec<(Vec<u8>, Vec<u8>)> {
    variables.into_iter().map(|(name, value)| (name.into_vec(), value.into_vec())).collect()
}
