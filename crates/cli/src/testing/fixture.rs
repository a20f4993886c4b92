//! What the comment above a test says: its input, and what is expected besides its assertions.
//!
//! ```text
//! # Totals by name.          prose
//! # input:                   the program's rules run over these lines
//! # | tea 3
//! # output: expected.txt     a file, beside the file of the test
//! # status: 1
//! ```

use std::path::{Path, PathBuf};

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Fixture {
    pub input: Option<Input>,
    pub output: Option<Text>,
    pub status: u8,
    /// A part of the message of the error that ends the run.
    pub fails: Option<String>,
    /// Why it is not run.
    pub skip: Option<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// The standard input.
    Lines(Vec<u8>),
    /// Operands.
    Files(Vec<PathBuf>),
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Text {
    Lines(Vec<u8>),
    File(PathBuf),
}

/// Which text the lines with `|` belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Filled {
    Nothing,
    Input,
    Output,
}

impl Fixture {
    /// Reads a comment; files are in `folder`.
    pub fn read(comment: &str, folder: &Path) -> Result<Fixture, String> {
        let mut fixture = Fixture::default();
        let mut filled = Filled::Nothing;
        for line in comment.lines() {
            if let Some(text) = line.strip_prefix('|') {
                fixture.add_line(filled, text.strip_prefix(' ').unwrap_or(text))?;
                continue;
            }
            let Some((word, value)) = line.split_once(':') else {
                filled = Filled::Nothing;
                continue;
            };
            filled = fixture.take(word, value.trim(), folder)?;
        }
        Ok(fixture)
    }

    fn take(&mut self, word: &str, value: &str, folder: &Path) -> Result<Filled, String> {
        match (word, value) {
            ("input", "") if self.input.is_none() => {
                self.input = Some(Input::Lines(Vec::new()));
                return Ok(Filled::Input);
            }
            ("input", "") => return Err("input: is there twice".to_owned()),
            ("input", file) => match &mut self.input {
                None => self.input = Some(Input::Files(vec![folder.join(file)])),
                Some(Input::Files(files)) => files.push(folder.join(file)),
                Some(Input::Lines(_)) => return Err("input: is both lines and a file".to_owned()),
            },
            ("output", _) if self.output.is_some() => {
                return Err("output: is there twice".to_owned());
            }
            ("output", "") => {
                self.output = Some(Text::Lines(Vec::new()));
                return Ok(Filled::Output);
            }
            ("output", file) => self.output = Some(Text::File(folder.join(file))),
            ("status", number) => {
                self.status = number
                    .parse()
                    .map_err(|_| format!("status: is no number from 0 to 255: {number}"))?;
            }
            ("fails", "") => return Err("fails: needs a part of the message".to_owned()),
            ("fails", message) => self.fails = Some(message.to_owned()),
            ("skip", why) => self.skip = Some(why.to_owned()),
            _ => {}
        }
        Ok(Filled::Nothing)
    }

    fn add_line(&mut self, filled: Filled, line: &str) -> Result<(), String> {
        let text = match (filled, &mut self.input, &mut self.output) {
            (Filled::Input, Some(Input::Lines(text)), _) => text,
            (Filled::Output, _, Some(Text::Lines(text))) => text,
            _ => return Err(format!("no input: or output: directly above the line | {line}")),
        };
        text.extend_from_slice(line.as_bytes());
        text.push(b'\n');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(comment: &str) -> Result<Fixture, String> {
        Fixture::read(comment, Path::new("tests"))
    }

    #[test]
    fn lines_and_files_are_taken_from_among_prose() {
        let fixture =
            read("Counts: all of them.\n\ninput:\n| a  b\n|\n|c\noutput: want/one\nstatus: 3")
                .unwrap();
        assert_eq!(fixture.input, Some(Input::Lines(b"a  b\n\nc\n".to_vec())));
        assert_eq!(fixture.output, Some(Text::File("tests/want/one".into())));
        assert_eq!(fixture.status, 3);
        assert_eq!(read("A test: nothing more.").unwrap(), Fixture::default());
        let several = read("input: a\ninput: b\nfails: no such: thing\nskip: later").unwrap();
        assert_eq!(several.input, Some(Input::Files(vec!["tests/a".into(), "tests/b".into()])));
        assert_eq!(several.fails.as_deref(), Some("no such: thing"));
        assert_eq!(several.skip.as_deref(), Some("later"));
    }

    #[test]
    fn what_cannot_be_meant_is_an_error() {
        for wrong in ["| a", "input:\nprose\n| a", "input:\n| a\ninput: b", "status: x", "fails:"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
