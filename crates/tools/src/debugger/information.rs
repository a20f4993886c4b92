//! `list`, `info`, `help`, `dump`.

use super::Session;
use super::command_table::{COMMANDS, NOT_RUNNING, command, not_written};
use riverhawk_vm::visits::Scene;

impl Session {
    pub(super) fn list(&mut self, argument: &str) -> Result<(), String> {
        let lines = self.options.list_size;
        let (mut piece, mut to) = (self.piece, None);
        let around = |line: usize| line.saturating_sub(lines / 2).max(1);
        let range = argument.split_once('-').filter(|(from, _)| !from.is_empty());
        let range = range.and_then(|(from, to)| {
            Some((from.trim().parse().ok()?, to.trim().parse::<usize>().ok()?))
        });
        let from = match argument {
            "" | "+" => self.listed.1 + 1,
            "-" if self.listed.0 <= 1 => return Ok(()),
            "-" => self.listed.0.saturating_sub(lines).max(1),
            _ => match range {
                Some((from, last)) if from > last => {
                    return Err(format!("invalid range specification: {from} - {last}"));
                }
                Some((from, last)) => {
                    to = Some(last);
                    from
                }
                None => {
                    let (named, line) = self.piece_and_line(argument)?;
                    piece = named;
                    match line.parse::<usize>() {
                        Ok(0) => return Err("non-zero integer value".to_owned()),
                        Ok(line) => around(line),
                        Err(_) => {
                            let (defined, line) = self
                                .places
                                .definition(line)
                                .ok_or_else(|| format!("no such function - `{line}'"))?;
                            piece = defined;
                            around(line)
                        }
                    }
                }
            },
        };
        let count = self.places.line_count(piece);
        if from > count {
            return Err(format!(
                "line number {from} out of range; `{}' has {count} lines",
                self.places.file_name(piece)
            ));
        }
        let to = to.unwrap_or(from + lines - 1).min(count);
        let here =
            self.here.and_then(|here| self.places.get(here)).map(|place| (place.piece, place.line));
        let stops = self.breakpoints.iter().filter_map(|point| self.places.get(point.at));
        let stops: Vec<usize> =
            stops.filter(|place| place.piece == piece).map(|place| place.line).collect();
        let marked = |line: usize| {
            let breakpoint = if stops.contains(&line) { ":b" } else { "" };
            let present = if here == Some((piece, line)) { "=>" } else { "" };
            format!("{breakpoint:2}{present:2}")
        };
        let text = self.places.list(piece, from, to, marked);
        (self.piece, self.listed) = (piece, (from, to));
        self.say(&text);
        Ok(())
    }

    pub(super) fn info(
        &mut self,
        argument: &str,
        scene: Option<&mut Scene<'_>>,
    ) -> Result<(), String> {
        let topic =
            topic(argument).ok_or_else(|| format!("info: invalid option - `{argument}'"))?;
        let text = match (topic, scene) {
            ("source", _) => {
                format!(
                    "Current source file: {}\nNumber of lines: {}\n",
                    self.places.file_name(self.piece),
                    self.places.line_count(self.piece)
                )
            }
            ("sources", _) => (0..self.places.file_count())
                .map(|piece| {
                    let (name, lines) =
                        (self.places.file_name(piece), self.places.line_count(piece));
                    format!("Source file (lines): {name} ({lines})\n")
                })
                .collect(),
            ("break", _) => self.breakpoint_list(),
            ("functions", _) => {
                let mut lines: Vec<String> = self
                    .places
                    .functions()
                    .map(|(signature, file, line)| {
                        format!("{signature} in file `{file}', line {line}\n")
                    })
                    .collect();
                lines.sort();
                format!("All defined functions:\n\n{}", lines.concat())
            }
            ("display", _) => {
                let line = |displayed: &super::points::Displayed| {
                    format!("{}:\t{}\n", displayed.number, displayed.expression)
                };
                let lines: String = self.displayed.iter().map(line).collect();
                format!("Auto-display variables:\n\n{lines}")
            }
            ("watch", _) => {
                let mut text = "Watch variables:\n\n".to_owned();
                for watched in &self.watched {
                    text += &format!("{}:\t{}\n", watched.number, watched.expression);
                    if let Some(condition) = &watched.condition {
                        text += &format!("\tstop condition: {condition}\n");
                    }
                    text += &super::show::command_list(&watched.commands);
                }
                text
            }
            ("variables", Some(scene)) => {
                format!("All defined variables:\n\n{}", scene.variables())
            }
            ("frame", Some(scene)) => self.frame_info(scene),
            ("args", Some(scene)) => self.arguments(scene),
            ("locals", Some(scene)) => self.locals(scene),
            _ => return Err(NOT_RUNNING.to_owned()),
        };
        self.say(&text);
        Ok(())
    }

    pub(super) fn help(&mut self, argument: &str) -> Result<(), String> {
        let text = match argument {
            "" => COMMANDS.iter().map(|(name, _, help)| format!("{name}:\n\t{help}\n")).collect(),
            word => {
                let name = command(word)?;
                let rows = COMMANDS.iter().filter(|row| row.0 == name);
                let mut text: String = rows.map(|(_, _, help)| format!("{help}\n")).collect();
                if name == "option" {
                    text += super::options::HELP;
                }
                text
            }
        };
        self.say(&text);
        Ok(())
    }

    pub(super) fn dump(&mut self, file: &str) -> Result<(), String> {
        let text = riverhawk_bytecode::dump::dump(&self.unit);
        match file.trim_matches('"') {
            "" => self.say(&text),
            file => std::fs::write(file, text).map_err(|error| not_written(file, &error))?,
        }
        Ok(())
    }
}

pub(super) fn topic(typed: &str) -> Option<&'static str> {
    const TOPICS: [&str; 10] = [
        "source",
        "sources",
        "variables",
        "functions",
        "break",
        "frame",
        "args",
        "locals",
        "display",
        "watch",
    ];
    let whole = TOPICS.into_iter().find(|topic| *topic == typed);
    whole.or_else(|| TOPICS.into_iter().find(|topic| !typed.is_empty() && topic.starts_with(typed)))
}
