//! Checks functions when the whole program is known: every call needs a definition, and no function
//! may have a variable's name.

use std::ops::Range;

use super::names::{Callable, Names};
use crate::ast::{Builtin, FunctionDefinition, Param, Program, Span, Usage};
use crate::diagnostic::{Diagnostic, Fix};
use crate::dialect::Dialect;
use crate::extension::Extension;
use crate::lexer::Lexer;
use crate::library::LibraryFn;
use crate::suggest::nearest;
use crate::written::{WRITTEN, WrittenFn};

/// Moves functions into the program; returns the range of each one's expressions.
pub(super) fn place(
    program: &mut Program,
    names: &mut Names,
    lexer: &Lexer<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Range<usize>> {
    let words = &lexer.words;
    let mut callables = std::mem::take(&mut names.callables);
    super::reached::drop_unreached(program, &mut callables);
    let defined: Vec<&str> = callables
        .iter()
        .filter(|callable| callable.definition.is_some())
        .map(|callable| callable.word)
        .chain(names.host_words.iter().copied())
        .map(|word| words.text(word))
        .collect();
    for &word in &names.host_words {
        if let Some(variable) = names.variable_use(word) {
            diagnostics.push(used_as_variable("host", words.text(word), variable));
        }
    }
    for callable in callables.iter().filter(|callable| callable.definition.is_none()) {
        let name = words.text(callable.word);
        // Fine if all calls precede the variable: gawk reads the program once.
        diagnostics.push(match (callable.after_variable, names.variable_use(callable.word)) {
            (Some(call), Some(variable)) => non_function(name, call, variable),
            _ => {
                let advice = advice(name, &defined, program.dialect);
                let top = lexer.directives_at(callable.first.start);
                undefined(name, callable.first, advice, top)
            }
        });
    }
    let mut ranges = Vec::with_capacity(callables.len());
    for Callable { word, first, definition, max_args, .. } in callables {
        let (mut function, exprs) = match definition {
            Some((function, exprs)) => {
                let (name, takes) = (&function.name, function.params.len());
                if let Some(variable) = names.variable_use(word) {
                    let found = used_as_variable("user", name, variable);
                    diagnostics
                        .push(found.with_related(function.name_span, "defined as a function here"));
                }
                if max_args.0 > takes {
                    diagnostics.push(too_many_arguments(name, takes, max_args, function.name_span));
                }
                (function, exprs)
            }
            None => (without_definition(words.text(word), first), 0..0),
        };
        // gawk warns, evaluates the extra arguments and drops them. Parameters without a name do
        // the same.
        let count = max_args.0.min(usize::from(u16::MAX)).max(function.params.len());
        function.params.resize_with(count, || Param {
            name: String::new(),
            usage: Usage::default(),
            span: function.name_span,
        });
        program.functions.push(function);
        ranges.push(exprs);
    }
    ranges
}

fn without_definition(name: &str, call: Span) -> FunctionDefinition {
    FunctionDefinition {
        name: name.to_string(),
        params: Vec::new(),
        body: Vec::new(),
        span: call,
        name_span: call,
        defined: false,
        builtin: false,
        in_library: false,
    }
}

fn non_function(name: &str, call: Span, variable: Span) -> Diagnostic {
    let found = Diagnostic::error(
        call,
        format!("attempt to use non-function `{name}' in function call"),
        "called here",
    );
    match variable == Span::default() {
        true => found.with_help("the name belongs to a special variable"),
        false => found.with_related(variable, "used as a variable here"),
    }
}

/// `top` is where a directive can be put.
fn undefined(name: &str, call: Span, advice: Advice, top: u32) -> Diagnostic {
    let found = Diagnostic::error(
        call,
        format!("function `{name}' is called but not defined"),
        "an error when this runs",
    )
    .warning();
    let found = match advice {
        Advice::Call(function) => {
            let fix = Fix::suggested(format!("call `{function}`"), call, function.as_str());
            found.with_help(format!("there is a function `{function}`")).with_fix(fix)
        }
        Advice::Load(extension) => {
            let directive = format!("@load \"{}\"", extension.name());
            let title = format!("load the extension {}", extension.name());
            let fix =
                Fix::suggested(title, Span { start: top, end: top }, format!("{directive}\n"));
            found.with_help(format!("`{directive}` brings a function `{name}`")).with_fix(fix)
        }
        Advice::Text(help) => found.with_help(help),
    };
    Diagnostic { when_reached: Some(format!("function `{name}' is not defined").into()), ..found }
}

/// What to do about a call of a function that does not exist.
enum Advice {
    Call(String),
    Load(Extension),
    Text(String),
}

fn call_of(function: &str) -> Advice {
    Advice::Call(function.to_owned())
}

fn advice(name: &str, defined: &[&str], dialect: Dialect) -> Advice {
    if !dialect.has_extensions() && Dialect::adds_function(name) {
        let option = dialect.option();
        return Advice::Text(format!("`{name}` is a function of gawk, which {option} takes away"));
    }
    if let Some((namespace, plain)) = name.split_once("::") {
        return advice_in_namespace(name, namespace, plain, defined);
    }
    // `slurp(x)` means `file::slurp(x)`; `add(x)` the program's `util::add`.
    let library = || library_names().filter(|_| dialect.has_extensions());
    let is_meant = |other: &str| other.contains("::") && plain_name(other) == name;
    let is_own = |other: &str| is_meant(other) || other.eq_ignore_ascii_case(name);
    if let Some(function) = defined.iter().find(|other| is_own(other)) {
        return call_of(function);
    }
    if let Some(function) = library().find(|other| is_meant(other)) {
        return call_of(function);
    }
    if let Some(extension) = Extension::ALL.iter().find(|extension| has_function(**extension, name))
    {
        return Advice::Load(*extension);
    }
    let built_in = Builtin::ALL.iter().map(|builtin| builtin.name());
    let known = built_in.chain(library()).filter(|name| !name.contains("::"));
    match nearest(name, defined.iter().copied()).or_else(|| nearest(name, known)) {
        Some(near) => call_of(near),
        None => Advice::Text(
            "to concatenate a variable with an expression in parentheses, put a blank between them"
                .to_owned(),
        ),
    }
}

fn advice_in_namespace(name: &str, namespace: &str, plain: &str, defined: &[&str]) -> Advice {
    // In a namespace gawk's functions are called by `awk::`.
    if Dialect::adds_function(plain) {
        return Advice::Call(format!("awk::{plain}"));
    }
    let inside: Vec<&str> = defined
        .iter()
        .filter_map(|other| other.strip_prefix(namespace)?.strip_prefix("::"))
        .collect();
    if let Some(near) = nearest(plain, inside.iter().copied()) {
        return Advice::Call(format!("{namespace}::{near}"));
    }
    if let Some(function) =
        defined.iter().find(|other| **other != name && plain_name(other) == plain)
    {
        return call_of(function);
    }
    if library_names().any(|other| other == name) {
        return Advice::Text(format!(
            "the library's function is hidden: the program defines the namespace `{namespace}`"
        ));
    }
    if let Some(function) = library_names().find(|other| plain_name(other) == plain) {
        return call_of(function);
    }
    if let Some(near) = nearest(namespace, namespaces()) {
        return Advice::Text(format!("there is a namespace `{near}`"));
    }
    if !inside.is_empty() {
        return Advice::Text(format!("the namespace `{namespace}` has {}", inside.join(", ")));
    }
    let namespaces = namespaces().collect::<Vec<_>>().join(", ");
    Advice::Text(format!(
        "there is no namespace `{namespace}`; built in are {namespaces}, others come from the program and its included files"
    ))
}

fn library_names() -> impl Iterator<Item = &'static str> {
    LibraryFn::reserved().map(LibraryFn::name).chain(WrittenFn::all().map(WrittenFn::name))
}

fn namespaces() -> impl Iterator<Item = &'static str> {
    let native = LibraryFn::NAMESPACES;
    native
        .iter()
        .copied()
        .chain(WRITTEN.iter().map(|written| written.name).filter(|name| !native.contains(name)))
}

fn plain_name(name: &str) -> &str {
    name.rsplit_once("::").map_or(name, |(_, plain)| plain)
}

fn has_function(extension: Extension, name: &str) -> bool {
    extension.functions().iter().any(|function| function.name() == name)
}

fn used_as_variable(kind: &str, name: &str, variable: Span) -> Diagnostic {
    let message = format!(
        "function `{name}' called with space between name and `(', or used as a variable or an array"
    );
    Diagnostic::error(variable, message, "used as a variable here")
        .with_help(format!("no blank may stand between the name of a {kind} function and its `(`"))
}

fn too_many_arguments(
    name: &str,
    takes: usize,
    (count, call): (usize, Span),
    definition: Span,
) -> Diagnostic {
    let message = format!("function `{name}' called with more arguments than declared");
    let label = format!("{count} arguments; it declares {takes}");
    let found = Diagnostic::error(call, message, label).with_related(definition, "declared here");
    // Each extra argument needs a parameter, so their number is limited.
    if count > usize::from(u16::MAX) { found } else { found.warning() }
}
