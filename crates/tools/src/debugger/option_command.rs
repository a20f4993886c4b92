//! The commands `option` and `trace`.

use std::fs::File;

use super::Session;
use super::command_table::not_written;
use super::options::STANDARD_OUTPUT;
use riverhawk_vm::visits::Scene;

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
            // The output is for this session only.
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

    /// Not for the next session.
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
