//! Where and why a run stops.

use super::Session;
use super::points::After;
use riverhawk_vm::visits::Scene;

impl Session {
    /// Whether an enabled breakpoint is here; adds the reason.
    pub(super) fn hit(
        &mut self,
        at: usize,
        scene: &mut Scene<'_>,
        reasons: &mut Vec<String>,
    ) -> bool {
        let mut stop = None;
        for index in 0..self.breakpoints.len() {
            let point = self.breakpoints[index].clone();
            if point.at != at || !point.enabled {
                continue;
            }
            if let Some(condition) = &point.condition
                && !self.holds(condition, scene)
            {
                continue;
            }
            self.breakpoints[index].hits += 1;
            if point.ignored > 0 {
                self.breakpoints[index].ignored -= 1;
                continue;
            }
            stop.get_or_insert(index);
        }
        let Some(index) = stop else { return false };
        let point = self.breakpoints[index].clone();
        reasons.push(format!("Breakpoint {}, ", point.number));
        self.commanded(point.commands);
        match point.after {
            After::Keep => {}
            After::Disable => {
                let point = &mut self.breakpoints[index];
                (point.enabled, point.after) = (false, After::Keep);
            }
            After::Delete => drop(self.breakpoints.remove(index)),
        }
        true
    }

    /// A breakpoint's commands come before others.
    fn commanded(&mut self, commands: Vec<String>) {
        self.silent |= commands.first().is_some_and(|command| command == "silent");
        let commands = commands.into_iter().filter(|command| command != "silent");
        commands.rev().for_each(|command| self.pending.push_front(command));
    }

    /// A condition that cannot be evaluated holds.
    fn holds(&mut self, condition: &str, scene: &mut Scene<'_>) -> bool {
        match super::expression::is_true(condition, scene, 0) {
            Ok(yes) => yes,
            Err(message) => {
                self.say(&format!("error: {message}\n"));
                true
            }
        }
    }

    /// Changes as reasons to stop. Watchpoints of ended frames go.
    pub(super) fn changed(&mut self, scene: &mut Scene<'_>) -> Vec<String> {
        let depth = scene.depth();
        self.forget_frames(depth);
        let mut reasons = Vec::new();
        for index in 0..self.watched.len() {
            let watched = self.watched[index].clone();
            if watched.depth.is_some_and(|set_at| set_at != depth) {
                continue;
            }
            let value = super::expression::describe(&watched.expression, scene, 0);
            let Some(old) = watched.value else {
                self.watched[index].value = Some(value);
                continue;
            };
            if value == old {
                continue;
            }
            if let Some(condition) = &watched.condition
                && !self.holds(condition, scene)
            {
                continue;
            }
            self.watched[index].value = Some(value.clone());
            reasons.push(format!(
                "Watchpoint {}: {}\n  Old value: {old}\n  New value: {value}\n",
                watched.number, watched.expression
            ));
            self.commanded(watched.commands);
        }
        reasons
    }

    /// The user's changes do not stop the run.
    pub(super) fn take_changes(&mut self, scene: &mut Scene<'_>) {
        for watched in &mut self.watched {
            if watched.depth.is_none_or(|set_at| set_at == scene.depth()) {
                watched.value = Some(super::expression::describe(&watched.expression, scene, 0));
            }
        }
    }

    fn forget_frames(&mut self, depth: usize) {
        let is_gone = |set_at: Option<usize>| set_at.is_some_and(|set_at| set_at > depth);
        let watched = self.watched.iter().filter(|watched| is_gone(watched.depth));
        let mut text: String = watched.map(|watched| gone("Watchpoint", watched.number)).collect();
        let displayed = self.displayed.iter().filter(|displayed| is_gone(displayed.depth));
        text.extend(displayed.map(|displayed| gone("Display", displayed.number)));
        if !text.is_empty() {
            self.watched.retain(|watched| !is_gone(watched.depth));
            self.displayed.retain(|displayed| !is_gone(displayed.depth));
            self.say(&text);
        }
    }
}

fn gone(what: &str, number: usize) -> String {
    format!("{what} {number} deleted because parameter is out of scope.\n")
}
