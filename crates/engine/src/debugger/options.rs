//! The debugger's options: how much is listed, where the program prints, what the next session
//! remembers.

use std::fs::File;

use super::Session;
use super::information::not_written;
use riverhawk_vm::visits::Scene;

/// What `help option` says of each.
pub(super) const HELP: &str =
    "\thistory_size    - set or show the number of lines to keep in history file
\tlistsize        - set or show the list command window size
\toutfile         - set or show rhawk output file
\tprompt          - set or show debugger prompt
\tsave_history    - (un)set or show saving of command history (value=on|off)
\tsave_options    - (un)set or show saving of options (value=on|off)
\ttrace           - (un)set or show instruction tracing (value=on|off)
";

/// Where the program prints unless it is told otherwise.
const STANDARD_OUTPUT: &str = "/dev/stdout";

pub(super) struct Options {
    history_size: usize,
    /// How many lines are listed.
    pub list_size: usize,
    /// Where the program prints, if not on the standard output.
    pub output: Option<(String, File)>,
    pub prompt: String,
    /// Lines typed are remembered for the next session too.
    save_history: bool,
    save_options: bool,
    /// Every statement is shown before it runs.
    pub trace: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            history_size: 100,
            list_size: 15,
            output: None,
            prompt: "rhawk> ".to_owned(),
            save_history: true,
            save_options: true,
            trace: false,
        }
    }
}

impl Options {
    /// The file that the program prints into; none if another descriptor for it cannot be had
    /// either.
    pub fn output_file(&self) -> Option<File> {
        self.output.as_ref().and_then(|(_, file)| file.try_clone().ok())
    }

    /// Every option with its value, as `option` shows it, in order of their names.
    fn all(&self) -> [(&'static str, String); 7] {
        let flag = |is_set: bool| u8::from(is_set).to_string();
        let output = self.output.as_ref().map_or(STANDARD_OUTPUT, |(name, _)| name);
        [
            ("history_size", self.history_size.to_string()),
            ("listsize", self.list_size.to_string()),
            ("outfile", format!("\"{output}\"")),
            ("prompt", format!("\"{}\"", self.prompt)),
            ("save_history", flag(self.save_history)),
            ("save_options", flag(self.save_options)),
            ("trace", flag(self.trace)),
        ]
    }
}

impl Session {
    pub(super) fn option(
        &mut self,
        argument: &str,
        scene: Option<&mut Scene<'_>>,
    ) -> Result<(), String> {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim().trim_matches('"'))),
            None => (argument, None),
        };
        let Some(value) = value else { return self.show_options(name) };
        let options = &mut self.options;
        match name {
            "history_size" => options.history_size = size(value)?,
            "listsize" => options.list_size = size(value)?,
            "outfile" => self.set_output(value, scene)?,
            "prompt" => options.prompt = value.to_owned(),
            "save_history" => options.save_history = on_or_off(name, value)?,
            "save_options" => options.save_options = on_or_off(name, value)?,
            "trace" => options.trace = on_or_off(name, value)?,
            _ => return Err(format!("option: invalid parameter - `{name}'")),
        }
        let options = &self.options;
        match name {
            "history_size" | "save_history" => {
                self.console.remember(options.history_size, options.save_history)
            }
            _ => {}
        }
        if options.save_options || name == "save_options" {
            // Where the program prints is a matter of this session.
            let kept = options
                .all()
                .into_iter()
                .filter(|(name, _)| options.save_options && *name != "outfile");
            let kept: String =
                kept.map(|(name, value)| format!("option {name} = {value}\n")).collect();
            self.console.keep_options(&kept);
        }
        Ok(())
    }

    /// `trace on` and `trace off`: not for the next session.
    pub(super) fn trace(&mut self, argument: &str) -> Result<(), String> {
        self.options.trace = on_or_off("trace", argument)?;
        Ok(())
    }

    fn show_options(&mut self, name: &str) -> Result<(), String> {
        let all = self.options.all();
        let shown = all.iter().filter(|(option, _)| name.is_empty() || *option == name);
        let text: String = shown.map(|(option, value)| format!("{option} = {value}\n")).collect();
        if text.is_empty() {
            return Err(format!("option: invalid parameter - `{name}'"));
        }
        self.say(&text);
        Ok(())
    }

    fn set_output(&mut self, name: &str, scene: Option<&mut Scene<'_>>) -> Result<(), String> {
        let opened = match name {
            "" | STANDARD_OUTPUT => Ok(None),
            name => File::create(name).map(|file| Some((name.to_owned(), file))),
        };
        self.options.output = match opened {
            Ok(output) => output,
            Err(error) => {
                self.say(&format!(
                    "error: {}\nsending output to stdout\n",
                    not_written(name, &error)
                ));
                None
            }
        };
        match scene {
            Some(scene) => scene.print_to(self.options.output_file()),
            None => {
                self.moves_output = true;
                Ok(())
            }
        }
    }
}

fn size(value: &str) -> Result<usize, String> {
    value.parse().ok().filter(|&size| size > 0).ok_or_else(|| format!("invalid number: `{value}'"))
}

fn on_or_off(name: &str, value: &str) -> Result<bool, String> {
    match value {
        "on" | "1" => Ok(true),
        "off" | "0" => Ok(false),
        _ => Err(format!("{name}: invalid option - `{value}', expected on or off")),
    }
}
