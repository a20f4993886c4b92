//! What the debugger shows of a run that stands still.

use super::places::Place;
use super::points::Displayed;
use super::{Session, expression};
use riverhawk_syntax::ast::Span;
use riverhawk_syntax::source::SourceMap;
use riverhawk_vm::visits::Scene;

impl Session {
    /// Where a frame stands.
    pub(super) fn place_of(&self, level: usize, scene: &mut Scene<'_>) -> Option<Place> {
        if level == 0 {
            return self.here.and_then(|here| self.places.get(here)).cloned();
        }
        let (piece, line) = self.places.of_span(scene.call(level)?)?;
        Some(self.places.nearest(piece, line))
    }

    /// One line of a backtrace.
    pub(super) fn frame_line(&self, level: usize, scene: &mut Scene<'_>) -> String {
        let function = self.frame_name(scene.function(level));
        let inner = if level == 0 { "\t " } else { "\tin " };
        match self.place_of(level, scene) {
            Some(place) => format!("#{level}{inner}{function} at `{}':{}\n", place.file, place.line),
            None => format!("#{level}{inner}{function}\n"),
        }
    }

    /// The frames from the running one outwards, so many of them.
    pub(super) fn backtrace(&self, count: usize, scene: &mut Scene<'_>) -> String {
        (0..=scene.depth()).take(count).map(|level| self.frame_line(level, scene)).collect()
    }

    /// A frame with its line of text.
    pub(super) fn frame_and_line(&self, level: usize, scene: &mut Scene<'_>) -> String {
        let line = self.place_of(level, scene).map(|place| self.places.numbered(&place));
        self.frame_line(level, scene) + &line.unwrap_or_default()
    }

    /// `info frame`.
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

    /// Parameters of the frame that is looked at: those that its caller passed, or the others, which are awk's locals.
    pub(super) fn parameters(&self, scene: &mut Scene<'_>, passed: bool) -> String {
        let level = self.level;
        let Some(function) = scene.function(level) else { return "None in main().\n".to_owned() };
        let params = self.places.params(function).to_vec();
        let count = scene.call(level + 1).and_then(|call| self.places.arguments_of(call)).unwrap_or(params.len());
        let (arguments, locals) = params.split_at(count.min(params.len()));
        match (passed, arguments, locals) {
            (true, [], _) => "No arguments.\n".to_owned(),
            (false, _, []) => "No locals.\n".to_owned(),
            (true, names, _) | (false, _, names) => {
                names.iter().map(|name| format!("{name} = {}\n", expression::describe(name, scene, level))).collect()
            }
        }
    }

    /// `print`: a variable with its value, an array with its elements after `@`.
    pub(super) fn print(&self, argument: &str, scene: &mut Scene<'_>) -> Result<String, String> {
        let (name, all) = match argument.strip_prefix('@') {
            Some(name) => (name.trim(), true),
            None => (argument, false),
        };
        let value = expression::evaluate(name, scene, self.level)?;
        if !all {
            return Ok(format!("{name} = {}\n", expression::describe(name, scene, self.level)));
        }
        let keys = scene.keys(&value);
        let line = |key: &riverhawk_value::Value| {
            let element = scene.element(&value, key)?;
            let key = String::from_utf8_lossy(&scene.text(key)).into_owned();
            Some(format!("{name}[\"{key}\"] = {}\n", scene.describe(&element)))
        };
        Ok(keys.iter().filter_map(line).collect())
    }

    /// What is displayed at every stop.
    pub(super) fn show_displays(&mut self, scene: &mut Scene<'_>) {
        let depth = scene.depth();
        for Displayed { number, expression, .. } in self.displayed.clone().iter().filter(|item| item.is_in(depth)) {
            if let Ok(text) = self.print(expression, scene) {
                self.say(&format!("{number}: {text}"));
            }
        }
    }

    /// `info break`.
    pub(super) fn breakpoint_list(&self) -> String {
        let mut text = "Number  Disp  Enabled  Location\n\n".to_owned();
        for point in &self.breakpoints {
            let Some(place) = self.places.get(point.at) else { continue };
            let kept = if point.temporary { "del" } else { "keep" };
            let enabled = if point.enabled { "yes" } else { "no" };
            text += &format!("{:<8}{kept:<6}{enabled:<9}file {}, line #{}\n", point.number, place.file, place.line);
            if let Some(condition) = &point.condition {
                text += &format!("\tstop condition = {condition}\n");
            }
            if point.hits > 0 {
                text += &format!("\tnumber of hits = {}\n", point.hits);
            }
            if point.ignored > 0 {
                text += &format!("\tignore next {} hit(s)\n", point.ignored);
            }
            for command in &point.commands {
                text += &format!("\t{command}\n");
            }
        }
        text
    }
}

/// Number of the piece, and line.
pub(super) fn locate(sources: &SourceMap, span: Span) -> Option<(usize, usize)> {
    let piece = sources.pieces().iter().rposition(|piece| piece.base <= span.start)?;
    Some((piece, sources.locate(span)?.line))
}
