//! Files of tests, and the tests in them.

use riverhawk::engine::system::names::OsStringExt;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use riverhawk::engine::{CompileOptions, Compiled, Outcome, Source, TestFunction, compile};

use crate::messages::Messages;
use crate::program_text::{self, ProgramText, Text, describe};

/// A program with tests.
pub(super) struct Suite {
    /// The file of the tests.
    pub name: String,
    pub pieces: Vec<Source>,
    /// The program with all its rules.
    pub compiled: Compiled,
    pub tests: Vec<TestFunction>,
}

impl Suite {
    pub fn folder(&self) -> PathBuf {
        Path::new(&self.name).parent().unwrap_or(Path::new("")).to_owned()
    }
}

/// What is looked for, and where besides the files.
pub(super) struct Search<'a> {
    /// Program text of options.
    pub texts: &'a [Text],
    pub compile: &'a CompileOptions,
    /// A part of the names of tests.
    pub only: Option<&'a str>,
    pub say: &'a Messages,
}

/// A suite for each file; without files, the program text of options is one. The error is the exit
/// status, after messages.
pub(super) fn suites(search: &Search<'_>, operands: Vec<Vec<u8>>) -> Result<Vec<Suite>, u8> {
    if operands.is_empty() {
        return Ok(vec![suite(search, None)?]);
    }
    let mut files = Vec::new();
    for operand in operands {
        let may_be_option = operand.starts_with(b"-");
        let path = PathBuf::from(OsString::from_vec(operand));
        if may_be_option && !path.exists() {
            let name = path.display();
            let message = format!("'{name}' is no file of tests; options come before the files");
            search.say.error(&search.say.renderer.message(&message));
            return Err(Outcome::FATAL);
        }
        if !path.is_dir() {
            files.push(path);
            continue;
        }
        let before = files.len();
        let found = add_folder(&path, &mut files);
        let why = match found {
            Ok(()) if files.len() > before => continue,
            Ok(()) => "it has no files named *_test.awk or test_*.awk".to_owned(),
            Err(error) => describe(&error),
        };
        let message = format!("no tests in folder '{}': {why}", path.display());
        search.say.error(&search.say.renderer.message(&message));
        return Err(Outcome::FATAL);
    }
    files.into_iter().map(|file| suite(search, Some(file))).collect()
}

/// In the order of names.
fn add_folder(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if entry.file_type()?.is_dir() {
            add_folder(&entry.path(), files)?;
        } else if name.ends_with("_test.awk") || name.starts_with("test_") && name.ends_with(".awk")
        {
            files.push(entry.path());
        }
    }
    Ok(())
}

fn suite(search: &Search<'_>, file: Option<PathBuf>) -> Result<Suite, u8> {
    let say = search.say;
    let is_file = file.is_some();
    let own: Vec<ProgramText> =
        file.into_iter().map(|file| ProgramText::File(file.into_os_string())).collect();
    let own = program_text::read_all(own, &search.compile.include_path).map_err(|unreadable| {
        say.error(&say.renderer.message(&unreadable.message));
        Outcome::FATAL
    })?;
    let name = |text: &Text| text.source.name().to_owned();
    let texts = || search.texts.iter().chain(&own);
    let pieces: Vec<Source> = texts().map(|text| text.source.clone()).collect();
    let name = own.first().or(search.texts.last()).map(name).unwrap_or_default();
    let compiled = compile(pieces.clone(), search.compile).map_err(|failure| {
        say.error(&say.renderer.failure(&failure));
        Outcome::FATAL
    })?;
    for warning in compiled.warnings().iter().chain(compiled.failing()) {
        say.error(&say.renderer.diagnostic(compiled.sources(), warning));
    }
    let own_text = |test: &TestFunction| match is_file {
        true => test.place.file == name,
        false => texts().any(|text| test.place.file == text.source.name()),
    };
    let is_wanted = |test: &TestFunction| search.only.is_none_or(|only| test.name.contains(only));
    let mut tests = compiled.test_functions();
    tests.retain(|test| own_text(test) && is_wanted(test));
    Ok(Suite { name, pieces, compiled, tests })
}
