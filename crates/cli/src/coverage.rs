//! `--coverage`: where it is written, and what it is added to.

use riverhawk::engine::system::names::OsStrExt;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use riverhawk::engine::slurp::{Lock, Spew};
use riverhawk::engine::{Coverage, Outcome};

use crate::destination::Destination;
use crate::messages::Messages;
use crate::program_text::describe;
use crate::usage_error::UsageError;

/// A form of `--coverage`, and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoverageOutput {
    /// `lcov:FILE`
    Lcov(PathBuf),
    /// `html:FOLDER`
    Html(PathBuf),
    /// `text` or `text:FILE`
    Text(OsString),
}

impl CoverageOutput {
    pub(crate) fn named(value: &OsStr) -> Result<CoverageOutput, UsageError> {
        let after = |form: &str| {
            let rest = value.as_bytes().strip_prefix(form.as_bytes())?.strip_prefix(b":")?;
            (!rest.is_empty()).then(|| OsStr::from_bytes(rest).to_owned())
        };
        if value == "text" {
            return Ok(CoverageOutput::Text("/dev/stderr".into()));
        }
        let lcov = after("lcov").map(|file| CoverageOutput::Lcov(file.into()));
        let html = || after("html").map(|folder| CoverageOutput::Html(folder.into()));
        let text = || after("text").map(CoverageOutput::Text);
        lcov.or_else(html).or_else(text).ok_or_else(|| {
            UsageError::new(format!(
                "--coverage={}: it is lcov:FILE, html:FOLDER, text or text:FILE",
                value.to_string_lossy()
            ))
        })
    }
}

/// Writes all forms, with what the lcov files held before. Gives 0, or 2 after a message.
pub(crate) fn write(mut coverage: Coverage, outputs: &[CoverageOutput], say: &Messages) -> u8 {
    let mut status = 0;
    for output in outputs {
        if let CoverageOutput::Lcov(file) = output {
            status = status.max(add_to(file, &mut coverage, say));
        }
    }
    for (name, file) in &mut coverage.files {
        if file.text.is_none()
            && let Ok(text) = fs::read(name)
        {
            file.take_text(text);
        }
    }
    for output in outputs {
        let written = match output {
            CoverageOutput::Lcov(_) => 0,
            CoverageOutput::Text(file) => {
                say.write(Destination::new(file.clone()), coverage.to_text())
            }
            CoverageOutput::Html(folder) => match write_pages(folder, &coverage) {
                Ok(()) => 0,
                Err(error) => refuse(folder, &describe(&error), say),
            },
        };
        status = status.max(written);
    }
    status
}

/// Adds to the file what ran, and to the coverage what the file held.
fn add_to(file: &Path, coverage: &mut Coverage, say: &Messages) -> u8 {
    let mut wrong = None;
    let mut changed = Vec::new();
    // Other runs may end at the same time.
    let edited = Spew::new().lock(Lock::Exclusive).create().edit(file, |text| {
        let earlier = match text.is_empty() {
            true => Ok(Coverage::default()),
            false => Coverage::from_lcov(&String::from_utf8_lossy(text)),
        };
        match earlier {
            Ok(earlier) => {
                changed = coverage.merge(&earlier);
                *text = coverage.to_lcov().into_bytes();
            }
            Err(why) => wrong = Some(why),
        }
    });
    for name in changed {
        let message =
            format!("{}: counts of another version of {name} are dropped", file.display());
        say.error(&say.renderer.warning(&message));
    }
    match (edited, wrong) {
        (Ok(_), None) => 0,
        (Ok(_), Some(why)) => refuse(file, &format!("it is no coverage of rhawk: {why}"), say),
        (Err(error), _) => refuse(file, &error.to_string(), say),
    }
}

/// Only in place of such pages: a folder may have an `index.html` of another kind.
fn write_pages(folder: &Path, coverage: &Coverage) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let pages = coverage.to_html();
    for (name, _) in &pages {
        match fs::read(folder.join(name)) {
            Ok(text) if !Coverage::is_page(&text) => {
                return Err(io::Error::other(format!("{name} in it is no page of coverage")));
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    for (name, page) in pages {
        fs::write(folder.join(name), page)?;
    }
    Ok(())
}

fn refuse(path: &Path, why: &str, say: &Messages) -> u8 {
    let message = format!("cannot write coverage to '{}': {why}", path.display());
    say.error(&say.renderer.message(&message));
    Outcome::FATAL
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_and_where_it_goes() {
        let named = |value: &str| CoverageOutput::named(OsStr::new(value));
        assert_eq!(named("lcov:a:b").unwrap(), CoverageOutput::Lcov("a:b".into()));
        assert_eq!(named("html:out").unwrap(), CoverageOutput::Html("out".into()));
        assert_eq!(named("text:-").unwrap(), CoverageOutput::Text("-".into()));
        assert_eq!(named("text").unwrap(), CoverageOutput::Text("/dev/stderr".into()));
        for wrong in ["", "lcov", "lcov:", "html", "xml:a", "textual"] {
            assert!(named(wrong).is_err(), "{wrong}");
        }
    }
}
