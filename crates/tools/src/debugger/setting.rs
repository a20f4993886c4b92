//! Breakpoints, watchpoints and displays.

use super::commands::{condition, optional_number, quoted};
use super::points::{After, Breakpoint, Displayed, Watched};
use super::{Session, expression};
use riverhawk_awkio::Reason;
use riverhawk_vm::visits::Scene;

impl Session {
    /// A line, a file and a line, or a function; by default the present place.
    pub(super) fn location(&self, argument: &str) -> Result<usize, String> {
        if argument.is_empty() {
            return self.here.ok_or_else(|| super::command_table::NOT_RUNNING.to_owned());
        }
        let (piece, line) = self.piece_and_line(argument)?;
        if let Ok(line) = line.parse::<usize>() {
            if line == 0 {
                return Err("non-zero integer value".to_owned());
            }
            if line > self.places.line_count(piece) {
                return Err(format!(
                    "line number {line} in file `{}' is out of range",
                    self.places.file_name(piece)
                ));
            }
            let found = self.places.at_line(piece, line);
            return found
                .ok_or_else(|| format!("cannot find rule or statement at or after line {line}"));
        }
        self.places.in_function(line).ok_or_else(|| format!("no such function - `{line}'"))
    }

    /// The file, or the present one, and the rest: a line's number or a function's name.
    pub(super) fn piece_and_line<'a>(&self, argument: &'a str) -> Result<(usize, &'a str), String> {
        match argument.rsplit_once(':').filter(|(file, _)| !file.ends_with(':')) {
            Some((file, line)) => {
                let name = file.trim_matches('"');
                let piece = self.places.piece(name);
                let none = "No such file or directory";
                let piece = piece
                    .ok_or_else(|| format!("cannot find source file named `{name}': {none}"))?;
                match line.trim() {
                    "" => Err(format!("expected a line or a function after `{file}:'")),
                    line => Ok((piece, line)),
                }
            }
            None => Ok((self.piece, argument)),
        }
    }

    pub(super) fn set_breakpoint(&mut self, argument: &str, after: After) -> Result<(), String> {
        let (place, rest) = place_and_rest(argument);
        let at = self.location(place)?;
        let condition = checked_condition(rest)?;
        let number = self.next_number();
        self.breakpoints.push(Breakpoint {
            number,
            at,
            enabled: true,
            after,
            condition,
            ignored: 0,
            hits: 0,
            commands: Vec::new(),
        });
        if let Some(place) = self.places.get(at) {
            let text =
                format!("Breakpoint {number} set at file `{}', line {}\n", place.file, place.line);
            self.piece = place.piece;
            self.say(&text);
        }
        Ok(())
    }

    pub(super) fn clear(&mut self, argument: &str) -> Result<(), String> {
        let at = self.location(argument)?;
        let gone: Vec<usize> = self
            .breakpoints
            .iter()
            .filter(|point| point.at == at)
            .map(|point| point.number)
            .collect();
        if gone.is_empty() {
            let is_line = |text: &str| text.parse::<usize>().is_ok();
            let name = Some(argument.rsplit(':').next().unwrap_or_default())
                .filter(|name| !name.is_empty() && !is_line(name));
            let text = match (name, self.places.get(at)) {
                (Some(name), _) => format!("No breakpoint(s) at entry to function `{name}'\n"),
                (None, Some(place)) => {
                    format!("No breakpoint at file `{}', line #{}\n", place.file, place.line)
                }
                (None, None) => return Ok(()),
            };
            self.say(&text);
            return Ok(());
        }
        self.breakpoints.retain(|point| point.at != at);
        let numbers: Vec<String> = gone.iter().map(usize::to_string).collect();
        self.say(&format!("Deleted breakpoint {}\n", numbers.join(", ")));
        Ok(())
    }

    /// The breakpoints with these numbers, or all.
    fn chosen(&mut self, argument: &str) -> Result<Vec<usize>, String> {
        if argument.is_empty() {
            return Ok(self.breakpoints.iter().map(|point| point.number).collect());
        }
        let mut numbers = Vec::new();
        for word in argument.split_whitespace() {
            let (first, last) = word.split_once('-').unwrap_or((word, word));
            let range = first.parse::<usize>().ok().zip(last.parse::<usize>().ok());
            let (first, last) = range.ok_or_else(|| "invalid breakpoint number".to_owned())?;
            let found = self
                .breakpoints
                .iter()
                .map(|point| point.number)
                .filter(|number| (first..=last).contains(number));
            let before = numbers.len();
            numbers.extend(found);
            if numbers.len() == before {
                return Err("invalid breakpoint number".to_owned());
            }
        }
        Ok(numbers)
    }

    pub(super) fn delete(&mut self, argument: &str) -> Result<(), String> {
        let numbers = self.chosen(argument)?;
        self.breakpoints.retain(|point| !numbers.contains(&point.number));
        Ok(())
    }

    pub(super) fn enable(&mut self, argument: &str) -> Result<(), String> {
        let (after, argument) = match argument.split_once(' ').unwrap_or((argument, "")) {
            ("once", rest) => (After::Disable, rest.trim()),
            ("del", rest) => (After::Delete, rest.trim()),
            _ => (After::Keep, argument),
        };
        let numbers = self.chosen(argument)?;
        for point in self.breakpoints.iter_mut().filter(|point| numbers.contains(&point.number)) {
            point.enabled = true;
            point.after = after;
        }
        Ok(())
    }

    pub(super) fn disable(&mut self, argument: &str) -> Result<(), String> {
        let numbers = self.chosen(argument)?;
        for point in self.breakpoints.iter_mut().filter(|point| numbers.contains(&point.number)) {
            point.enabled = false;
        }
        Ok(())
    }

    pub(super) fn set_condition(&mut self, argument: &str) -> Result<(), String> {
        let (number, text) = argument.split_once(char::is_whitespace).unwrap_or((argument, ""));
        let number: usize =
            number.parse().map_err(|_| "condition: expected a number".to_owned())?;
        let condition = checked_condition(text)?;
        if let Some(point) = self.breakpoints.iter_mut().find(|point| point.number == number) {
            point.condition = condition;
        } else if let Some(watched) =
            self.watched.iter_mut().find(|watched| watched.number == number)
        {
            watched.condition = condition;
        } else {
            return Err("condition: invalid breakpoint/watchpoint number".to_owned());
        }
        Ok(())
    }

    pub(super) fn ignore(&mut self, argument: &str) -> Result<(), String> {
        let mut words = argument.split_whitespace().map(str::parse::<usize>);
        let (Some(Ok(number)), Some(Ok(count))) = (words.next(), words.next()) else {
            return Err("ignore: expected a breakpoint number and a count".to_owned());
        };
        let point = self.breakpoints.iter_mut().find(|point| point.number == number);
        point.ok_or_else(|| "invalid breakpoint number".to_owned())?.ignored = count;
        self.say(&match count {
            0 => format!("Will stop next time breakpoint {number} is reached.\n"),
            _ => format!("Will ignore next {count} crossing(s) of breakpoint {number}.\n"),
        });
        Ok(())
    }

    pub(super) fn read_commands(&mut self, argument: &str) -> Result<(), String> {
        let numbers = self.breakpoints.iter().map(|point| point.number);
        let last = numbers.chain(self.watched.iter().map(|watched| watched.number)).max();
        let number = optional_number(argument)?
            .or(last)
            .ok_or_else(|| "no breakpoint/watchpoint has been set yet".to_owned())?;
        let is_there = self.breakpoints.iter().any(|point| point.number == number)
            || self.watched.iter().any(|watched| watched.number == number);
        if !is_there {
            return Err("invalid breakpoint/watchpoint number".to_owned());
        }
        if self.console.is_terminal() {
            self.say(&format!(
                "Type commands for when breakpoint {number} is hit, one per line. End with the command `end'\n"
            ));
        }
        let commands = self.lines_up_to_end();
        if let Some(point) = self.breakpoints.iter_mut().find(|point| point.number == number) {
            point.commands = commands;
        } else if let Some(watched) =
            self.watched.iter_mut().find(|watched| watched.number == number)
        {
            watched.commands = commands;
        }
        Ok(())
    }

    pub(super) fn lines_up_to_end(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.pending.pop_front().or_else(|| self.console.read(">"));
            match line.as_deref().map(str::trim) {
                None | Some("end") => return lines,
                Some("") => {}
                Some(line) => lines.push(line.to_owned()),
            }
        }
    }

    /// The value is read when the run begins.
    pub(super) fn watch(
        &mut self,
        argument: &str,
        scene: Option<&mut Scene<'_>>,
    ) -> Result<(), String> {
        let (watched, rest) = what_and_condition(argument);
        if watched.is_empty() {
            return Err("watch: expected an expression".to_owned());
        }
        let (value, depth) = match scene {
            Some(scene) => (
                Some(expression::described(watched, scene, self.level)?),
                self.places.frame_of_parameters(watched, self.level, scene),
            ),
            None => {
                expression::check(watched)?;
                (None, None)
            }
        };
        let condition = checked_condition(rest)?;
        let number = self.next_number();
        self.watched.push(Watched {
            number,
            expression: watched.to_owned(),
            condition,
            value,
            depth,
            commands: Vec::new(),
        });
        self.say(&format!("Watchpoint {number}: {watched}\n"));
        Ok(())
    }

    pub(super) fn unwatch(&mut self, argument: &str) -> Result<(), String> {
        forget(&mut self.watched, |watched| watched.number, "watch", argument)
    }

    /// Before a run no variable has been used.
    pub(super) fn display(
        &mut self,
        argument: &str,
        scene: Option<&mut Scene<'_>>,
    ) -> Result<(), String> {
        let (text, depth) = match scene {
            Some(scene) if argument.is_empty() => {
                self.show_displays(scene);
                return Ok(());
            }
            None if argument.is_empty() => {
                let line = |displayed: &Displayed| {
                    format!("{}: {}", displayed.number, untyped(&displayed.expression))
                };
                let text: String = self.displayed.iter().map(line).collect();
                self.say(&text);
                return Ok(());
            }
            Some(scene) => {
                let depth = self.places.frame_of_parameters(argument, self.level, scene);
                (self.print(argument, scene)?, depth)
            }
            None => {
                expression::check(argument.trim_start_matches('@'))?;
                (untyped(argument), None)
            }
        };
        self.last_display += 1;
        let number = self.last_display;
        self.displayed.push(Displayed { number, expression: argument.to_owned(), depth });
        self.say(&format!("{number}: {text}"));
        Ok(())
    }

    pub(super) fn undisplay(&mut self, argument: &str) -> Result<(), String> {
        forget(&mut self.displayed, |displayed| displayed.number, "display", argument)
    }

    /// As commands.
    pub(super) fn save(&mut self, file: &str) -> Result<(), String> {
        let file = file.trim_matches('"');
        if file.is_empty() {
            return Err("save: expected the name of a file".to_owned());
        }
        let mut text = String::new();
        let condition = |condition: &Option<String>| match condition {
            Some(condition) => format!(" \"{}\"", condition.replace('"', "\\\"")),
            None => String::new(),
        };
        let commands = |commands: &[String]| match commands {
            [] => String::new(),
            commands => format!("commands\n{}\nend\n", commands.join("\n")),
        };
        for point in &self.breakpoints {
            let Some(place) = self.places.get(point.at) else { continue };
            let kind = if point.after == After::Delete { "tbreak" } else { "break" };
            text += &format!(
                "{kind} \"{}\":{}{}\n",
                place.file,
                place.line,
                condition(&point.condition)
            );
            text += &commands(&point.commands);
        }
        for watched in &self.watched {
            text += &format!("watch {}{}\n", watched.expression, condition(&watched.condition));
            text += &commands(&watched.commands);
        }
        text.extend(
            self.displayed.iter().map(|displayed| format!("display {}\n", displayed.expression)),
        );
        std::fs::write(file, text).map_err(|error| super::command_table::not_written(file, &error))
    }

    pub(super) fn source(&mut self, file: &str) -> Result<(), String> {
        let file = file.trim_matches('"');
        if file.is_empty() {
            return Err("source: expected the name of a file".to_owned());
        }
        let text = std::fs::read_to_string(file).map_err(|error| {
            format!("cannot open source file `{file}' for reading: {}", Reason(&error))
        })?;
        for line in text.lines().rev() {
            self.pending.push_front(line.to_owned());
        }
        Ok(())
    }
}

/// What is shown before a run.
fn untyped(expression: &str) -> String {
    format!("{expression} = untyped variable\n")
}

/// A condition that is no expression is refused at once.
fn checked_condition(text: &str) -> Result<Option<String>, String> {
    let condition = condition(text);
    condition.as_deref().map(expression::check).transpose()?;
    Ok(condition)
}

fn forget<T>(
    items: &mut Vec<T>,
    number_of: fn(&T) -> usize,
    what: &str,
    argument: &str,
) -> Result<(), String> {
    let Some(number) = optional_number(argument)? else {
        items.clear();
        return Ok(());
    };
    let before = items.len();
    items.retain(|item| number_of(item) != number);
    match items.len() < before {
        true => Ok(()),
        false => Err(format!("no {what} item numbered {number}")),
    }
}

fn place_and_rest(argument: &str) -> (&str, &str) {
    let name_end = match argument.strip_prefix('"') {
        Some(rest) => rest.find('"').map_or(0, |at| at + 2),
        None => 0,
    };
    let end =
        argument[name_end..].find(char::is_whitespace).map_or(argument.len(), |at| name_end + at);
    (argument[..end].trim(), argument[end..].trim())
}

fn what_and_condition(argument: &str) -> (&str, &str) {
    let argument = argument.trim();
    let cuts = argument.match_indices(" \"").map(|(at, _)| at);
    let cut = cuts.into_iter().find(|&at| quoted(&argument[at + 1..]).is_some());
    // An element such as `a["k"]` has no blank before its text.
    cut.map_or((argument, ""), |at| (argument[..at].trim(), &argument[at + 1..]))
}
