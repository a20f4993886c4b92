//! What the debugger shows of a run that stands still.

use super::places::VisitPlace;
use super::points::After;
use super::{Session, expression};
use riverhawk_value::Value;
use riverhawk_vm::visits::Scene;

/// The rules have no parameters.
const OUTSIDE: &str = "None in main().\n";

impl Session {
    pub(super) fn place_of(&self, level: usize, scene: &mut Scene<'_>) -> Option<VisitPlace> {
        self.places.of_frame(level, self.here, scene)
    }

    pub(super) fn frame_line(&self, level: usize, scene: &mut Scene<'_>) -> String {
        let function = self.frame_name(scene.function(level));
        let inner = if level == 0 { "\t " } else { "\tin " };
        match self.place_of(level, scene) {
            Some(place) => {
                format!("#{level}{inner}{function} at `{}':{}\n", place.file, place.line)
            }
            None => format!("#{level}{inner}{function}\n"),
        }
    }

    /// All frames, the innermost ones or, if negative, the outermost.
    pub(super) fn backtrace(&self, count: Option<isize>, scene: &mut Scene<'_>) -> String {
        let all = scene.depth() + 1;
        let (from, to) = match count {
            None => (0, all),
            Some(count @ 0..) => (0, all.min(count.unsigned_abs())),
            Some(count) => (all.saturating_sub(count.unsigned_abs()), all),
        };
        let mut text: String = (from..to).map(|level| self.frame_line(level, scene)).collect();
        if to < all {
            text += "More stack frames follow ...\n";
        }
        text
    }

    pub(super) fn frame_and_line(&self, level: usize, scene: &mut Scene<'_>) -> String {
        let line = self.place_of(level, scene).map(|place| self.places.numbered(&place));
        self.frame_line(level, scene) + &line.unwrap_or_default()
    }

    pub(super) fn frame_info(&self, scene: &mut Scene<'_>) -> String {
        let mut text = format!("Current frame: {}", self.frame_line(self.level, scene));
        if self.level < scene.depth() {
            text += &format!("Called by frame: {}", self.frame_line(self.level + 1, scene));
        }
        if self.level > 0 {
            text += &format!("Caller of frame: {}", self.frame_line(self.level - 1, scene));
        }
        text
    }

    /// Parameters that the caller passed.
    pub(super) fn arguments(&self, scene: &mut Scene<'_>) -> String {
        let Some([arguments, _]) = self.parameters(scene) else { return OUTSIDE.to_owned() };
        self.describe_all(&arguments, "No arguments.\n", scene)
    }

    /// Parameters that it did not pass.
    pub(super) fn locals(&self, scene: &mut Scene<'_>) -> String {
        let Some([_, locals]) = self.parameters(scene) else { return OUTSIDE.to_owned() };
        self.describe_all(&locals, "No locals.\n", scene)
    }

    fn parameters(&self, scene: &mut Scene<'_>) -> Option<[Vec<String>; 2]> {
        let mut arguments = self.places.params(scene.function(self.level)?).to_vec();
        let locals = arguments.split_off(scene.passed(self.level).min(arguments.len()));
        Some([arguments, locals])
    }

    fn describe_all(&self, names: &[String], none: &str, scene: &mut Scene<'_>) -> String {
        if names.is_empty() {
            return none.to_owned();
        }
        let shown =
            |name: &String| format!("{name} = {}\n", expression::describe(name, scene, self.level));
        names.iter().map(shown).collect()
    }

    /// An array is `@` and its elements.
    pub(super) fn print(&self, argument: &str, scene: &mut Scene<'_>) -> Result<String, String> {
        let Some(name) =
            argument.strip_prefix('@').map(str::trim).filter(|name| !name.starts_with('/'))
        else {
            return Ok(format!(
                "{argument} = {}\n",
                expression::described(argument, scene, self.level)?
            ));
        };
        let value = expression::evaluate(name, scene, self.level)?;
        if !matches!(value, Value::Array(_)) {
            return Err(format!("`{name}' is not an array"));
        }
        let mut text = String::new();
        elements(name, &value, scene, &mut text);
        Ok(text)
    }

    pub(super) fn show_displays(&mut self, scene: &mut Scene<'_>) {
        for displayed in self.displayed.clone() {
            if let Ok(text) = self.print(&displayed.expression, scene) {
                self.say(&format!("{}: {text}", displayed.number));
            }
        }
    }

    pub(super) fn breakpoint_list(&self) -> String {
        let mut text = "Number  Disp  Enabled  Location\n\n".to_owned();
        for point in &self.breakpoints {
            let Some(place) = self.places.get(point.at) else { continue };
            let kept = match point.after {
                After::Keep => "keep",
                After::Disable => "dis",
                After::Delete => "del",
            };
            let enabled = if point.enabled { "yes" } else { "no" };
            text += &format!(
                "{:<8}{kept:<6}{enabled:<9}file {}, line #{}\n",
                point.number, place.file, place.line
            );
            if point.hits > 0 {
                text += &format!("\tnumber of hits = {}\n", point.hits);
            }
            if point.ignored > 0 {
                text += &format!("\tignore next {} hit(s)\n", point.ignored);
            }
            if let Some(condition) = &point.condition {
                text += &format!("\tstop condition: {condition}\n");
            }
            text += &command_list(&point.commands);
        }
        text
    }
}

pub(super) fn command_list(commands: &[String]) -> String {
    match commands {
        [] => String::new(),
        commands => format!("\tcommands:\n\t{}\n", commands.join("\n\t")),
    }
}

fn elements(name: &str, array: &Value, scene: &mut Scene<'_>, text: &mut String) {
    for key in scene.keys(array) {
        let Some(element) = scene.element(array, &key) else { continue };
        let name = format!("{name}[\"{}\"]", String::from_utf8_lossy(&scene.text(&key)));
        *text += &format!("{name} = {}\n", scene.describe(&element));
        if matches!(element, Value::Array(_)) {
            elements(&name, &element, scene, text);
        }
    }
}
