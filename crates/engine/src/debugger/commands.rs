//! The commands: their names, and what each does.

use super::points::{Breakpoint, Displayed, Watched};
use super::{Mode, Resume, Session, expression};
use riverhawk_value::Value;
use riverhawk_vm::visits::Scene;

/// Every command: its name, its short form, what `help` says.
const COMMANDS: &[(&str, &str, &str)] = &[
    ("backtrace", "bt", "backtrace [N] - print trace of all or N innermost frames"),
    ("break", "b", "break [[filename:]N|function] - set breakpoint at the specified location"),
    ("clear", "", "clear [[filename:]N|function] - delete breakpoints previously set"),
    (
        "commands",
        "",
        "commands [num] - starts a list of commands to be executed at a breakpoint hit; ends with the line end",
    ),
    ("condition", "", "condition num [expr] - set or clear breakpoint or watchpoint condition"),
    ("continue", "c", "continue [COUNT] - continue program being debugged"),
    ("delete", "d", "delete [breakpoints] - delete specified breakpoints"),
    ("disable", "", "disable [breakpoints] - disable specified breakpoints"),
    ("display", "", "display [expr] - print value of expression each time the program stops"),
    ("down", "", "down [N] - move N frames down the stack"),
    ("enable", "e", "enable [once|del] [breakpoints] - enable specified breakpoints"),
    ("eval", "", "eval expr - evaluate an expression; assignments change the program's variables"),
    ("exit", "", "exit - exit debugger"),
    ("finish", "", "finish - execute until selected stack frame returns"),
    ("frame", "f", "frame [N] - select and print stack frame number N"),
    ("help", "h", "help [command] - print list of commands or explanation of command"),
    ("ignore", "", "ignore N COUNT - set ignore-count of breakpoint number N to COUNT"),
    ("info", "i", "info topic - source|sources|variables|functions|break|frame|args|locals|display|watch"),
    ("list", "l", "list [-|+|[filename:]lineno|function|range] - list specified line(s)"),
    ("next", "n", "next [COUNT] - step program, proceeding through subroutine calls"),
    ("nexti", "ni", "nexti [COUNT] - step one statement, but proceed through subroutine calls"),
    ("print", "p", "print expr, [expr], ... - print value of an expression; @array prints its elements"),
    ("quit", "q", "quit - exit debugger"),
    ("return", "", "return [value] - make selected stack frame return to its caller"),
    ("run", "r", "run - start or restart executing program"),
    ("save", "", "save filename - save breakpoints, watchpoints and displays as commands to a file"),
    ("set", "", "set var = value - assign value to a variable"),
    ("source", "", "source file - execute commands from file"),
    ("step", "s", "step [COUNT] - step program until it reaches a different source line"),
    ("stepi", "si", "stepi [COUNT] - step one statement exactly"),
    ("tbreak", "t", "tbreak [[filename:]N|function] - set a temporary breakpoint"),
    ("trace", "", "trace on|off - print each statement before executing it"),
    ("undisplay", "", "undisplay [N] - remove variable(s) from automatic display list"),
    (
        "until",
        "u",
        "until [[filename:]N|function] - execute until program reaches a different line or line N within current frame",
    ),
    ("unwatch", "", "unwatch [N] - remove variable(s) from watch list"),
    ("up", "", "up [N] - move N frames up the stack"),
    ("watch", "w", "watch expr - set a watchpoint for an expression"),
    ("where", "", "where [N] - same as backtrace"),
];

/// What a command leaves to be done.
type Outcome = Result<Option<Resume>, String>;

impl Session {
    /// Reads and obeys commands until one lets the run go on.
    pub(super) fn prompt(&mut self, mut scene: Option<&mut Scene<'_>>) -> Resume {
        loop {
            let line = match self.pending.pop_front() {
                Some(line) => line,
                None => match self.console.read("rhawk> ") {
                    Some(line) => line,
                    None => {
                        self.quit = true;
                        self.cut_off = !self.console.ends_by_wish();
                        return Resume::Quit;
                    }
                },
            };
            // An empty line repeats what lets a program be followed.
            let line = line.trim().to_owned();
            let line = if line.is_empty() { self.last_command.clone() } else { line };
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            self.last_command = line.clone();
            match self.obey(&line, scene.as_deref_mut()) {
                Ok(None) => {}
                Ok(Some(resume)) => return resume,
                Err(message) => self.say(&format!("error: {message}\n")),
            }
        }
    }

    fn obey(&mut self, line: &str, scene: Option<&mut Scene<'_>>) -> Outcome {
        let word = line.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(line.len());
        let (typed, argument) = (&line[..word], line[word..].trim());
        let name = command(typed)?;
        match name {
            "break" | "tbreak" => self.set_breakpoint(argument, name == "tbreak").map(|()| None),
            "clear" => self.clear(argument).map(|()| None),
            "commands" => self.read_commands(argument).map(|()| None),
            "condition" => self.set_condition(argument).map(|()| None),
            "delete" => self.delete(argument).map(|()| None),
            "disable" => self.enable(argument, false).map(|()| None),
            "enable" => self.enable(argument, true).map(|()| None),
            "ignore" => self.ignore(argument).map(|()| None),
            "help" => self.help(argument).map(|()| None),
            "list" => self.list(argument).map(|()| None),
            "save" => self.save(argument).map(|()| None),
            "source" => self.source(argument).map(|()| None),
            "undisplay" => {
                let number = optional_number(argument)?;
                let is_meant = |item: &Displayed| number.is_none_or(|number| item.number == number);
                if let Some(number) = number.filter(|_| !self.displayed.iter().any(is_meant)) {
                    return Err(format!("no display item numbered {number}"));
                }
                self.displayed.retain(|item| !is_meant(item));
                Ok(None)
            }
            "unwatch" => {
                let number = optional_number(argument)?;
                let is_meant = |item: &Watched| number.is_none_or(|number| item.number == number);
                if let Some(number) = number.filter(|_| !self.watched.iter().any(is_meant)) {
                    return Err(format!("no watch item numbered {number}"));
                }
                self.watched.retain(|item| !is_meant(item));
                Ok(None)
            }
            "trace" => {
                self.trace = match argument {
                    "on" => true,
                    "off" => false,
                    _ => return Err("trace: on or off".to_owned()),
                };
                Ok(None)
            }
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
                self.say("Starting program:\n");
                self.mode = Mode::Continue;
                Ok(Some(Resume::Go))
            }
            "info"
                if matches!(
                    topic(argument),
                    Some("source" | "sources" | "functions" | "break" | "display" | "watch")
                ) =>
            {
                self.info(argument, None).map(|()| None)
            }
            _ => match scene {
                Some(scene) => self.obey_in_run(name, argument, scene),
                None => Err("program not running".to_owned()),
            },
        }
    }

    /// Commands that need a run.
    fn obey_in_run(&mut self, name: &str, argument: &str, scene: &mut Scene<'_>) -> Outcome {
        let depth = scene.depth();
        let count = |argument: &str| Ok::<usize, String>(optional_number(argument)?.unwrap_or(1).saturating_sub(1));
        match name {
            "continue" => {
                let passes = count(argument)?;
                let here = self.here;
                if let Some(point) = self.breakpoints.iter_mut().find(|point| Some(point.at) == here) {
                    point.ignored = passes;
                }
                self.go(Mode::Continue, 0)
            }
            "step" => self.go(Mode::Step, count(argument)?),
            "stepi" => self.go(Mode::StepStatement, count(argument)?),
            "next" => self.go(Mode::Next(depth), count(argument)?),
            "nexti" => self.go(Mode::NextStatement(depth), count(argument)?),
            "finish" => {
                if self.level >= depth {
                    return Err("'finish' not meaningful in the outermost frame main()".to_owned());
                }
                let text = format!("Run until return from {}", self.frame_line(self.level, scene));
                self.say(&text);
                self.go(Mode::Finish(depth - self.level), 0)
            }
            "until" => {
                let frame = depth - self.level;
                let mode = if argument.is_empty() {
                    let line = self.place_of(self.level, scene).map_or(0, |place| place.line);
                    Mode::UntilLater(line, frame)
                } else {
                    Mode::UntilPlace(self.location(argument)?, frame)
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
                let text = self.backtrace(optional_number(argument)?.unwrap_or(usize::MAX), scene);
                self.say(&text);
                Ok(None)
            }
            "up" | "down" | "frame" => {
                let by = optional_number(argument)?;
                self.level = match name {
                    "up" => self.level.saturating_add(by.unwrap_or(1)).min(depth),
                    "down" => self.level.saturating_sub(by.unwrap_or(1)),
                    _ => by.unwrap_or(self.level),
                };
                if self.level > depth {
                    self.level = depth;
                    return Err("invalid frame number".to_owned());
                }
                let text = self.frame_and_line(self.level, scene);
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
            "eval" => {
                let value = expression::evaluate(argument, scene, self.level)?;
                let text = scene.describe(&value);
                self.changed(scene);
                self.say(&format!("{text}\n"));
                Ok(None)
            }
            // What the user changes is no reason to stop.
            "set" => {
                let target = argument.strip_prefix("var ").unwrap_or(argument).trim();
                if !target.contains('=') {
                    return Err("set: expected var = value".to_owned());
                }
                let value = expression::evaluate(target, scene, self.level)?;
                let name = target.split('=').next().unwrap_or(target).trim_end();
                let text = scene.describe(&value);
                self.changed(scene);
                self.say(&format!("{name} = {text}\n"));
                Ok(None)
            }
            "info" => self.info(argument, Some(scene)).map(|()| None),
            _ => Err(format!("unknown command - `{name}', try help")),
        }
    }

    fn go(&mut self, mode: Mode, repeat: usize) -> Outcome {
        self.mode = mode;
        self.repeat = repeat;
        Ok(Some(Resume::Go))
    }

    /// The place that an argument names: a line, a file and a line, a function; nothing is where the run stands.
    fn location(&self, argument: &str) -> Result<usize, String> {
        if argument.is_empty() {
            return self.here.ok_or_else(|| "no location".to_owned());
        }
        let piece_here = self.here.and_then(|here| self.places.get(here)).map_or(0, |place| place.piece);
        let (piece, line) = match argument.rsplit_once(':') {
            Some((file, line)) => {
                let name = file.trim_matches('"');
                let piece = self.places.piece(name).ok_or_else(|| format!("cannot find source file named `{name}'"))?;
                (piece, line)
            }
            None => (piece_here, argument),
        };
        if let Ok(line) = line.trim().parse::<usize>() {
            if line == 0 || line > self.places.line_count(piece) {
                return Err(format!("line number {line} in file `{}' is out of range", self.places.file_name(piece)));
            }
            let found = self.places.at_line(piece, line);
            return found.ok_or_else(|| format!("cannot find rule or statement at or after line {line}"));
        }
        self.places.in_function(argument).ok_or_else(|| format!("no such function - `{argument}'"))
    }

    fn set_breakpoint(&mut self, argument: &str, temporary: bool) -> Result<(), String> {
        let at = self.location(argument)?;
        let number = self.next_number();
        let (enabled, condition, ignored, hits) = (true, None, 0, 0);
        let commands = Vec::new();
        self.breakpoints.push(Breakpoint { number, at, enabled, temporary, condition, ignored, hits, commands });
        if let Some(place) = self.places.get(at) {
            let text = format!("Breakpoint {number} set at file `{}', line {}\n", place.file, place.line);
            self.say(&text);
        }
        Ok(())
    }

    fn clear(&mut self, argument: &str) -> Result<(), String> {
        let at = self.location(argument)?;
        let gone: Vec<usize> =
            self.breakpoints.iter().filter(|point| point.at == at).map(|point| point.number).collect();
        if gone.is_empty() {
            return Err("no breakpoint(s) there".to_owned());
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
            let found =
                self.breakpoints.iter().map(|point| point.number).filter(|number| (first..=last).contains(number));
            let before = numbers.len();
            numbers.extend(found);
            if numbers.len() == before {
                return Err("invalid breakpoint number".to_owned());
            }
        }
        Ok(numbers)
    }

    fn delete(&mut self, argument: &str) -> Result<(), String> {
        let numbers = self.chosen(argument)?;
        self.breakpoints.retain(|point| !numbers.contains(&point.number));
        Ok(())
    }

    fn enable(&mut self, argument: &str, enabled: bool) -> Result<(), String> {
        let (temporary, argument) = match argument.split_once(' ').unwrap_or((argument, "")) {
            ("once" | "del", rest) if enabled => (true, rest.trim()),
            _ => (false, argument),
        };
        let numbers = self.chosen(argument)?;
        for point in self.breakpoints.iter_mut().filter(|point| numbers.contains(&point.number)) {
            point.enabled = enabled;
            point.temporary |= temporary;
        }
        Ok(())
    }

    fn set_condition(&mut self, argument: &str) -> Result<(), String> {
        let (number, condition) = argument.split_once(char::is_whitespace).unwrap_or((argument, ""));
        let number: usize = number.parse().map_err(|_| "condition: expected a number".to_owned())?;
        let condition = Some(condition.trim().to_owned()).filter(|condition| !condition.is_empty());
        if let Some(point) = self.breakpoints.iter_mut().find(|point| point.number == number) {
            point.condition = condition;
        } else if let Some(watched) = self.watched.iter_mut().find(|watched| watched.number == number) {
            watched.condition = condition;
        } else {
            return Err(format!("condition: no breakpoint or watchpoint numbered {number}"));
        }
        Ok(())
    }

    fn ignore(&mut self, argument: &str) -> Result<(), String> {
        let mut words = argument.split_whitespace().map(str::parse::<usize>);
        let (Some(Ok(number)), Some(Ok(count))) = (words.next(), words.next()) else {
            return Err("ignore: expected a breakpoint number and a count".to_owned());
        };
        let point = self.breakpoints.iter_mut().find(|point| point.number == number);
        point.ok_or_else(|| "invalid breakpoint number".to_owned())?.ignored = count;
        self.say(&format!("Will ignore next {count} crossing(s) of breakpoint {number}.\n"));
        Ok(())
    }

    /// The commands of a breakpoint, up to `end`.
    fn read_commands(&mut self, argument: &str) -> Result<(), String> {
        let last = self.breakpoints.last().map(|point| point.number);
        let number = optional_number(argument)?.or(last).ok_or_else(|| "no breakpoint".to_owned())?;
        let index = self.breakpoints.iter().position(|point| point.number == number);
        let index = index.ok_or_else(|| "invalid breakpoint number".to_owned())?;
        self.say(&format!(
            "Type commands for when breakpoint {number} is hit, one per line. End with the command `end'\n"
        ));
        let mut commands = Vec::new();
        loop {
            let line = self.pending.pop_front().or_else(|| self.console.read(">"));
            match line.as_deref().map(str::trim) {
                None | Some("end") => break,
                Some("" | "silent") => {}
                Some(command) => commands.push(command.to_owned()),
            }
        }
        self.breakpoints[index].commands = commands;
        Ok(())
    }

    fn watch(&mut self, argument: &str, scene: Option<&mut Scene<'_>>) -> Result<(), String> {
        if argument.is_empty() {
            return Err("watch: expected an expression".to_owned());
        }
        let mut watched = Watched {
            number: self.last_number + 1,
            expression: argument.to_owned(),
            condition: None,
            value: None,
            depth: None,
        };
        match scene {
            // What a run begins with is no change.
            None => expression::check(argument)?,
            Some(scene) => {
                expression::evaluate(argument, scene, self.level)?;
                watched.value = Some(expression::describe(argument, scene, self.level));
                watched.depth = self.depth_of(argument, scene);
            }
        }
        self.last_number += 1;
        self.watched.push(watched);
        self.say(&format!("Watchpoint {}: {argument}\n", self.last_number));
        Ok(())
    }

    fn display(&mut self, argument: &str, scene: Option<&mut Scene<'_>>) -> Result<(), String> {
        let (text, depth) = match scene {
            Some(scene) if argument.is_empty() => {
                self.show_displays(scene);
                return Ok(());
            }
            None if argument.is_empty() => return Ok(()),
            Some(scene) => (self.print(argument, scene)?, self.depth_of(argument, scene)),
            None => {
                expression::check(argument.trim_start_matches('@'))?;
                (String::new(), None)
            }
        };
        self.last_display += 1;
        let number = self.last_display;
        self.displayed.push(Displayed { number, expression: argument.to_owned(), depth });
        if !text.is_empty() {
            self.say(&format!("{number}: {text}"));
        }
        Ok(())
    }

    /// The depth of the frame that is looked at, if an expression names one of its parameters: it goes with that.
    fn depth_of(&self, text: &str, scene: &mut Scene<'_>) -> Option<usize> {
        let params = scene.function(self.level).map(|function| self.places.params(function)).unwrap_or_default();
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| params.iter().any(|param| param == word)).then(|| scene.depth() - self.level)
    }

    fn list(&mut self, argument: &str) -> Result<(), String> {
        const LINES: usize = 15;
        let here = self.here.and_then(|here| self.places.get(here)).map_or(0, |place| place.piece);
        let (mut piece, mut to) = (here, None);
        let from = match argument {
            "" | "+" => self.listed,
            "-" => self.listed.saturating_sub(2 * LINES).max(1),
            range
                if range
                    .split_once('-')
                    .is_some_and(|(from, to)| from.parse::<usize>().is_ok() && to.parse::<usize>().is_ok()) =>
            {
                let (from, last) = range.split_once('-').unwrap_or_default();
                to = last.parse().ok();
                from.parse().unwrap_or(1)
            }
            place => {
                let place = self.places.get(self.location(place)?).cloned();
                piece = place.as_ref().map_or(here, |place| place.piece);
                place.map_or(1, |place| place.line.saturating_sub(LINES / 2).max(1))
            }
        };
        let to = to.unwrap_or(from + LINES - 1);
        let text = self.places.list(piece, from, to);
        if text.is_empty() {
            return Err(format!("line number {from} in file `{}' out of range", self.places.file_name(piece)));
        }
        self.listed = to + 1;
        self.say(&text);
        Ok(())
    }

    fn info(&mut self, argument: &str, scene: Option<&mut Scene<'_>>) -> Result<(), String> {
        let topic = topic(argument).ok_or_else(|| {
            "info: source, sources, variables, functions, break, frame, args, locals, display or watch".to_owned()
        })?;
        let here = self.here.and_then(|here| self.places.get(here)).map_or(0, |place| place.piece);
        let text = match (topic, scene) {
            ("source", _) => {
                format!(
                    "Current source file: {}\nNumber of lines: {}\n",
                    self.places.file_name(here),
                    self.places.line_count(here)
                )
            }
            ("sources", _) => (0..self.places.file_count())
                .map(|piece| {
                    format!(
                        "Source file (lines): {} ({})\n",
                        self.places.file_name(piece),
                        self.places.line_count(piece)
                    )
                })
                .collect(),
            ("break", _) => self.breakpoint_list(),
            ("functions", _) => {
                let mut lines: Vec<String> = self
                    .places
                    .functions()
                    .map(|(signature, file, line)| format!("{signature} in file `{file}', line {line}\n"))
                    .collect();
                lines.sort();
                format!("All defined functions:\n\n{}", lines.concat())
            }
            ("display", _) => {
                let lines: String =
                    self.displayed.iter().map(|item| format!("{}:\t{}\n", item.number, item.expression)).collect();
                format!("Auto-display variables:\n\n{lines}")
            }
            ("watch", _) => {
                let lines: String = self
                    .watched
                    .iter()
                    .map(|watched| format!("{}:\t{}\n", watched.number, watched.expression))
                    .collect();
                format!("Watch variables:\n\n{lines}")
            }
            ("variables", Some(scene)) => format!("All defined variables:\n\n{}", scene.variables()),
            ("frame", Some(scene)) => self.frame_info(scene),
            ("args", Some(scene)) => self.parameters(scene, true),
            ("locals", Some(scene)) => self.parameters(scene, false),
            _ => return Err("program not running".to_owned()),
        };
        self.say(&text);
        Ok(())
    }

    fn help(&mut self, argument: &str) -> Result<(), String> {
        let text = match argument {
            "" => COMMANDS.iter().map(|(_, _, help)| format!("{help}\n")).collect(),
            word => {
                let name = command(word)?;
                COMMANDS.iter().filter(|row| row.0 == name).map(|(_, _, help)| format!("{help}\n")).collect::<String>()
            }
        };
        self.say(&text);
        Ok(())
    }

    /// Writes breakpoints, watchpoints and displays as commands.
    fn save(&mut self, file: &str) -> Result<(), String> {
        let file = file.trim_matches('"');
        if file.is_empty() {
            return Err("save: expected the name of a file".to_owned());
        }
        let mut text = String::new();
        for point in &self.breakpoints {
            let Some(place) = self.places.get(point.at) else { continue };
            let kind = if point.temporary { "tbreak" } else { "break" };
            text += &format!("{kind} \"{}\":{}\n", place.file, place.line);
            if !point.commands.is_empty() {
                text += &format!("commands\n{}\nend\n", point.commands.join("\n"));
            }
        }
        text.extend(self.watched.iter().map(|watched| format!("watch {}\n", watched.expression)));
        text.extend(self.displayed.iter().map(|item| format!("display {}\n", item.expression)));
        std::fs::write(file, text).map_err(|error| format!("could not write `{file}': {error}"))
    }

    fn source(&mut self, file: &str) -> Result<(), String> {
        let file = file.trim_matches('"');
        let text =
            std::fs::read_to_string(file).map_err(|error| format!("could not open `{file}' for reading: {error}"))?;
        for line in text.lines().rev() {
            self.pending.push_front(line.to_owned());
        }
        Ok(())
    }
}

/// The command that a word is: its name, its short form, or an unambiguous beginning.
fn command(typed: &str) -> Result<&'static str, String> {
    if let Some(row) = COMMANDS.iter().find(|row| !typed.is_empty() && (row.0 == typed || row.1 == typed)) {
        return Ok(row.0);
    }
    let mut meant = COMMANDS.iter().filter(|row| !typed.is_empty() && row.0.starts_with(typed));
    match (meant.next(), meant.next()) {
        (Some(row), None) => Ok(row.0),
        (Some(one), Some(other)) => Err(format!("ambiguous command - `{typed}': {} or {}", one.0, other.0)),
        _ => Err(format!("unknown command - `{typed}', try help")),
    }
}

fn topic(typed: &str) -> Option<&'static str> {
    const TOPICS: [&str; 10] =
        ["source", "sources", "variables", "functions", "break", "frame", "args", "locals", "display", "watch"];
    let whole = TOPICS.into_iter().find(|topic| *topic == typed);
    whole.or_else(|| TOPICS.into_iter().find(|topic| !typed.is_empty() && topic.starts_with(typed)))
}

fn optional_number(argument: &str) -> Result<Option<usize>, String> {
    match argument {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| format!("expected a number, not `{text}'")),
    }
}

/// The arguments of `print`, cut at commas outside brackets and quotes.
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
