//! What each command does.

use super::command_table::{NOT_RUNNING, command};
use super::points::After;
use super::stepping::Pace;
use super::{Resume, Session, expression};
use riverhawk_value::Value;
use riverhawk_vm::visits::Scene;

type Outcome = Result<Option<Resume>, String>;

impl Session {
    /// Reads commands until one lets the run go on.
    pub(super) fn prompt(&mut self, mut scene: Option<&mut Scene<'_>>) -> Resume {
        loop {
            let line = match self.pending.pop_front() {
                Some(line) => line,
                None => match self.console.read(&self.options.prompt) {
                    Some(line) => line,
                    None => {
                        self.quit = true;
                        self.cut_off = !self.console.is_terminal();
                        return Resume::Quit;
                    }
                },
            };
            // At a terminal an empty line repeats commands that follow a program.
            let line = without_comment(&line).trim().to_owned();
            let line = if line.is_empty() && self.console.is_terminal() {
                self.last_command.clone()
            } else {
                line
            };
            if line.is_empty() {
                continue;
            }
            self.last_command = if repeats(&line) { line.clone() } else { String::new() };
            match self.obey(&line, scene.as_deref_mut()) {
                Ok(None) => {}
                Ok(Some(resume)) => return resume,
                Err(message) => self.say(&format!("error: {message}\n")),
            }
        }
    }

    fn obey(&mut self, line: &str, scene: Option<&mut Scene<'_>>) -> Outcome {
        let word =
            line.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(line.len());
        let (typed, argument) = (&line[..word], line[word..].trim());
        let name = command(typed)?;
        match name {
            "break" => self.set_breakpoint(argument, After::Keep).map(|()| None),
            "tbreak" => self.set_breakpoint(argument, After::Delete).map(|()| None),
            "clear" => self.clear(argument).map(|()| None),
            "commands" => self.read_commands(argument).map(|()| None),
            "condition" => self.set_condition(argument).map(|()| None),
            "delete" => self.delete(argument).map(|()| None),
            "disable" => self.disable(argument).map(|()| None),
            "enable" => self.enable(argument).map(|()| None),
            "ignore" => self.ignore(argument).map(|()| None),
            "help" => self.help(argument).map(|()| None),
            "list" => self.list(argument).map(|()| None),
            "save" => self.save(argument).map(|()| None),
            "source" => self.source(argument).map(|()| None),
            "undisplay" => self.undisplay(argument).map(|()| None),
            "unwatch" => self.unwatch(argument).map(|()| None),
            "option" => self.option(argument, scene).map(|()| None),
            "trace" => self.trace(argument).map(|()| None),
            "dump" => self.dump(argument).map(|()| None),
            "end" => Err("`end' valid only in command `commands' or `eval'".to_owned()),
            "silent" => Err("`silent' valid only in command `commands'".to_owned()),
            "watch" => self.watch(argument, scene).map(|()| None),
            "display" => self.display(argument, scene).map(|()| None),
            "quit" | "exit" => {
                self.quit = true;
                Ok(Some(Resume::Quit))
            }
            "run" => {
                if scene.is_some() {
                    return Ok(Some(Resume::Restart));
                }
                if std::mem::replace(&mut self.has_run, true) {
                    self.say("Restarting ...\n");
                }
                self.say("Starting program:\n");
                self.mode = Pace::Continue;
                Ok(Some(Resume::Go))
            }
            "info"
                if matches!(
                    super::information::topic(argument),
                    Some("source" | "sources" | "functions" | "break" | "display" | "watch")
                ) =>
            {
                self.info(argument, None).map(|()| None)
            }
            _ => match scene {
                Some(scene) => self.obey_in_run(name, argument, scene),
                None => Err(NOT_RUNNING.to_owned()),
            },
        }
    }

    fn obey_in_run(&mut self, name: &str, argument: &str, scene: &mut Scene<'_>) -> Outcome {
        let depth = scene.depth();
        let count = |argument: &str| {
            Ok::<usize, String>(optional_number(argument)?.unwrap_or(1).saturating_sub(1))
        };
        match name {
            "continue" => {
                if let Some(passes) = optional_number(argument)? {
                    let here = self.here;
                    let text =
                        match self.breakpoints.iter_mut().find(|point| Some(point.at) == here) {
                            Some(point) => {
                                point.ignored = passes;
                                format!(
                                    "Will ignore next {passes} crossings of breakpoint {}.\n",
                                    point.number
                                )
                            }
                            None => "Not stopped at any breakpoint; argument ignored.\n".to_owned(),
                        };
                    self.say(&text);
                }
                self.go(Pace::Continue, 0)
            }
            "step" => self.go(Pace::Step, count(argument)?),
            "stepi" => self.go(Pace::StepStatement, count(argument)?),
            "next" => self.go(Pace::Next(depth), count(argument)?),
            "nexti" => self.go(Pace::NextStatement(depth), count(argument)?),
            "finish" => {
                if self.level >= depth {
                    return Err("'finish' not meaningful in the outermost frame main()".to_owned());
                }
                let text = format!("Run until return from {}", self.frame_line(self.level, scene));
                self.say(&text);
                self.go(Pace::Finish(depth - self.level), 0)
            }
            "until" => {
                let frame = depth - self.level;
                let mode = if argument.is_empty() {
                    let line = self.place_of(self.level, scene).map_or(0, |place| place.line);
                    Pace::UntilLater(line, frame)
                } else {
                    Pace::UntilPlace(self.location(argument)?, frame)
                };
                self.go(mode, 0)
            }
            "return" => {
                if depth == 0 {
                    return Err("'return' not meaningful in the outermost frame main()".to_owned());
                }
                let value = match argument {
                    "" => Value::Unassigned,
                    text => expression::evaluate(text, scene, self.level)?,
                };
                Ok(Some(Resume::Return(value)))
            }
            "backtrace" | "where" => {
                let count = match argument {
                    "" => None,
                    text => Some(
                        text.parse::<isize>()
                            .map_err(|_| format!("expected a number, not `{text}'"))?,
                    ),
                };
                let text = self.backtrace(count, scene);
                self.say(&text);
                Ok(None)
            }
            "up" | "down" | "frame" => {
                let by = optional_number(argument)?;
                self.level = match name {
                    "up" => self.level.saturating_add(by.unwrap_or(1)).min(depth),
                    "down" => self.level.saturating_sub(by.unwrap_or(1)),
                    _ => Some(by.unwrap_or(0))
                        .filter(|&level| level <= depth)
                        .ok_or_else(|| "invalid frame number".to_owned())?,
                };
                let text = self.frame_and_line(self.level, scene);
                if let Some(place) = self.place_of(self.level, scene) {
                    self.centre_on(&place);
                }
                self.say(&text);
                Ok(None)
            }
            "print" => {
                for argument in pieces(argument) {
                    let text = self.print(argument, scene)?;
                    self.say(&text);
                }
                Ok(None)
            }
            "printf" => self.run_statements(&format!("printf {argument}"), scene).map(|()| None),
            "eval" if argument.is_empty() || quoted(argument).is_some() => {
                let statements =
                    quoted(argument).unwrap_or_else(|| self.lines_up_to_end().join("\n"));
                self.run_new_statements(&statements, scene).map(|()| None)
            }
            "eval" => {
                let value = expression::evaluate(argument, scene, self.level)?;
                let text = scene.describe(&value);
                self.take_changes(scene);
                self.say(&format!("{text}\n"));
                Ok(None)
            }
            // The user's changes do not stop the run.
            "set" => {
                let target = argument.strip_prefix("var ").unwrap_or(argument).trim();
                if !target.contains('=') {
                    return Err("set: expected var = value".to_owned());
                }
                let value = expression::evaluate(target, scene, self.level)?;
                let name = target.split('=').next().unwrap_or(target).trim_end();
                let text = scene.describe(&value);
                self.take_changes(scene);
                self.say(&format!("{name} = {text}\n"));
                Ok(None)
            }
            "info" => self.info(argument, Some(scene)).map(|()| None),
            _ => Err(format!("unknown command - `{name}', try help")),
        }
    }

    fn go(&mut self, mode: Pace, repeat: usize) -> Outcome {
        self.mode = mode;
        self.repeat = repeat;
        Ok(Some(Resume::Go))
    }
}

pub(super) fn optional_number(argument: &str) -> Result<Option<usize>, String> {
    match argument {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| format!("expected a number, not `{text}'")),
    }
}

/// Cuts at commas outside brackets and quotes.
fn pieces(argument: &str) -> Vec<&str> {
    let (mut pieces, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0usize, false);
    for (at, character) in argument.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '(' | '[' if !quoted => depth += 1,
            ')' | ']' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                pieces.push(argument[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(argument[start..].trim());
    pieces
}

/// A comment's `#` begins the line or follows a blank, outside of quotes.
fn without_comment(line: &str) -> &str {
    let (mut is_quoted, mut before) = (false, ' ');
    for (at, character) in line.char_indices() {
        match character {
            '"' if before != '\\' => is_quoted = !is_quoted,
            '#' if !is_quoted && before.is_whitespace() => return &line[..at],
            _ => {}
        }
        before = character;
    }
    line
}

/// Whether an empty line repeats it.
fn repeats(line: &str) -> bool {
    let word =
        line.split(|character: char| !character.is_ascii_alphabetic()).next().unwrap_or_default();
    matches!(
        command(word),
        Ok("next" | "nexti" | "step" | "stepi" | "continue" | "until" | "list" | "up" | "down")
    )
}

/// gawk wants conditions and statements in quotes.
pub(super) fn quoted(argument: &str) -> Option<String> {
    let inner = argument.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => return None,
            '\\' => match characters.next()? {
                '"' => text.push('"'),
                other => text.extend(['\\', other]),
            },
            other => text.push(other),
        }
    }
    Some(text)
}

pub(super) fn condition(argument: &str) -> Option<String> {
    let argument = argument.trim();
    let text = quoted(argument)
        .unwrap_or_else(|| argument.strip_prefix("if ").unwrap_or(argument).trim().to_owned());
    Some(text).filter(|text| !text.is_empty())
}
