//! Compiled programs, and what they are compiled with.

use crate::border::{caught, guarded, rh_text};
use crate::callbacks::{ForeignFiles, rh_files};
use crate::error::{attempt, rh_diagnostic, rh_error};
use crate::function::{ForeignFunction, rh_function};
use crate::memory_files::rh_memory_files;
use riverhawk::{Builder, Call, Dialect, Lint, Program};
use std::mem::{self, MaybeUninit};

/// A compiled program, which any number of threads may use at the same time. Freed with
/// `rh_program_free`, at any time: runs keep what they need.
pub struct rh_program(pub(crate) Program);

/// What a program is compiled with: made, changed, compiled once, freed with `rh_builder_free`.
///
/// Functions that change it report nothing: the first of their errors is that of
/// `rh_builder_compile`.
pub struct rh_builder {
    builder: Builder,
    /// Of the first change that failed, or that it has been compiled.
    error: Option<Box<rh_error>>,
}

/// Dialects of the language, for `rh_builder_dialect`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum rh_dialect {
    /// gawk's, with Riverhawk's additions: what a builder begins with.
    Gawk = 0,
    /// The awk of Bell Laboratories, without gawk's extensions.
    Traditional = 1,
    /// POSIX: also without anything else that the standard lacks.
    Posix = 2,
}

pub(crate) fn utf8(what: &str, text: rh_text<'_>) -> Result<String, Box<rh_error>> {
    String::from_utf8(text.to_vec()).map_err(|_| rh_error::argument(format!("{what} is not UTF-8")))
}

fn change(
    builder: Option<&mut rh_builder>,
    change: impl FnOnce(Builder) -> Result<Builder, Box<rh_error>>,
) {
    let Some(builder) = builder else { return };
    let changed = caught(|| change(mem::take(&mut builder.builder)));
    match changed.unwrap_or_else(|panic| Err(rh_error::panic(&panic))) {
        Ok(changed) => builder.builder = changed,
        Err(error) => drop(builder.error.get_or_insert(error)),
    }
}

/// Compiles a program of one text. Null if it does not compile.
///
/// `error` may be null; otherwise `*error` becomes null, or an error that is freed with
/// `rh_error_free`. Freed with `rh_program_free`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_program_compile(
    text: rh_text<'_>,
    error: Option<&mut MaybeUninit<*mut rh_error>>,
) -> Option<Box<rh_program>> {
    attempt(error, || Ok(Box::new(rh_program(Program::compile(text.bytes())?))))
}

/// Frees a program; null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn rh_program_free(program: Option<Box<rh_program>>) {
    guarded((), || drop(program));
}

/// No texts, gawk's dialect, nothing to include. Freed with `rh_builder_free`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_builder_new() -> Option<Box<rh_builder>> {
    guarded(None, || Some(Box::new(rh_builder { builder: Builder::default(), error: None })))
}

/// Adds a copy of a text; several are one program. Messages call it by `name`, which is UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn rh_builder_source(
    builder: Option<&mut rh_builder>,
    name: rh_text<'_>,
    text: rh_text<'_>,
) {
    change(builder, |builder| Ok(builder.source(utf8("the name of a text", name)?, text.bytes())));
}

/// The dialect: one of `rh_dialect`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_builder_dialect(builder: Option<&mut rh_builder>, dialect: u32) {
    const DIALECTS: [(rh_dialect, Dialect); 3] = [
        (rh_dialect::Gawk, Dialect::Gawk),
        (rh_dialect::Traditional, Dialect::Traditional),
        (rh_dialect::Posix, Dialect::Posix),
    ];
    change(builder, |builder| {
        let known = DIALECTS.iter().find(|(number, _)| *number as u32 == dialect);
        let unknown = || rh_error::argument(format!("there is no dialect {dialect}"));
        known.map(|(_, dialect)| builder.dialect(*dialect)).ok_or_else(unknown)
    });
}

/// What a program may be compiled for, for `rh_builder_option`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum rh_builder_flag {
    /// Arithmetic of any precision, as gawk's `-M`.
    Bignum = 1,
    /// Integers are exact at any size, other numbers are doubles: for identifiers in JSON.
    ExactIntegers = 2,
    /// Characters are grapheme clusters.
    Graphemes = 3,
    /// Characters are bytes.
    CharactersAsBytes = 4,
    /// Warns of what is dubious: `rh_program_warning`, and the standard error of runs.
    Lint = 5,
}

/// Compiles for this: one of `rh_builder_flag`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_builder_option(builder: Option<&mut rh_builder>, flag: u32) {
    type Apply = fn(Builder) -> Builder;
    const FLAGS: [(rh_builder_flag, Apply); 5] = [
        (rh_builder_flag::Bignum, Builder::bignum),
        (rh_builder_flag::ExactIntegers, Builder::exact_integers),
        (rh_builder_flag::Graphemes, Builder::graphemes),
        (rh_builder_flag::CharactersAsBytes, Builder::characters_as_bytes),
        (rh_builder_flag::Lint, |builder| {
            builder.lint(Lint { suspicious: true, extensions: false, portable: false, old: false })
        }),
    ];
    change(builder, |builder| {
        let known = FLAGS.iter().find(|(number, _)| *number as u32 == flag);
        let unknown = || rh_error::argument(format!("there is no option {flag} of programs"));
        known.map(|(_, apply)| apply(builder)).ok_or_else(unknown)
    });
}

/// How many warnings there are about a program's text.
#[unsafe(no_mangle)]
pub extern "C" fn rh_program_warning_count(program: Option<&rh_program>) -> usize {
    guarded(0, || program.map_or(0, |program| program.0.warnings().len()))
}

/// One of the warnings, counted from 0; an empty one beyond the last. It belongs to the program.
#[unsafe(no_mangle)]
pub extern "C" fn rh_program_warning(program: Option<&rh_program>, at: usize) -> rh_diagnostic<'_> {
    guarded(rh_diagnostic::EMPTY, || {
        let warning = program.and_then(|program| program.0.warnings().get(at));
        warning.map_or(rh_diagnostic::EMPTY, |warning| {
            rh_diagnostic::new(&warning.message, warning.location.as_ref())
        })
    })
}

/// Where `@include` reads files from: callbacks, which are the builder's from now on.
#[unsafe(no_mangle)]
pub extern "C" fn rh_builder_includes(builder: Option<&mut rh_builder>, files: rh_files) {
    let files = ForeignFiles::from(files);
    change(builder, |builder| Ok(builder.includes(files)));
}

/// Where `@include` reads files from: files in memory.
#[unsafe(no_mangle)]
pub extern "C" fn rh_builder_include_memory_files(
    builder: Option<&mut rh_builder>,
    files: Option<&rh_memory_files>,
) {
    change(builder, |builder| {
        let files = files.ok_or_else(|| rh_error::argument("no files to include from"))?;
        Ok(builder.includes(files.0.clone()))
    });
}

/// Adds a function that the program may call, with from `minimum` to `maximum` arguments (`SIZE_MAX` for
/// any number). Where bit n of `arrays` is set, argument n, counted from 0, is an array; only the first
/// 16 can be.
///
/// The callbacks are the builder's from now on, and then the program's. A name that the language or the
/// program has already is an error of compilation, as is a call with another number of arguments.
#[unsafe(no_mangle)]
pub extern "C" fn rh_builder_function(
    builder: Option<&mut rh_builder>,
    name: rh_text<'_>,
    minimum: usize,
    maximum: usize,
    arrays: u16,
    function: rh_function,
) {
    let function = ForeignFunction::from(function);
    change(builder, |builder| {
        let name = utf8("the name of a function", name)?;
        if minimum > maximum {
            return Err(rh_error::argument(format!("{name}: {minimum} to {maximum} arguments")));
        }
        let arrays = (0..16).filter(|at| arrays >> at & 1 == 1);
        let call = move |call: &mut Call<'_>| function.call(call);
        Ok(builder.function_of_arrays(name, minimum..=maximum, arrays, call))
    });
}

/// Compiles the program. Null if an argument of the builder was wrong or the program does not compile.
/// The builder is used up in any case; it is still to be freed.
///
/// `error` as for `rh_program_compile`. Freed with `rh_program_free`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_builder_compile(
    builder: Option<&mut rh_builder>,
    error: Option<&mut MaybeUninit<*mut rh_error>>,
) -> Option<Box<rh_program>> {
    attempt(error, || {
        let builder = builder.ok_or_else(|| rh_error::argument("no builder"))?;
        let used_up = rh_error::argument("the builder has been used up");
        match builder.error.replace(used_up) {
            Some(error) => Err(error),
            None => Ok(Box::new(rh_program(mem::take(&mut builder.builder).compile()?))),
        }
    })
}

/// Frees a builder; null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn rh_builder_free(builder: Option<Box<rh_builder>>) {
    guarded((), || drop(builder));
}
