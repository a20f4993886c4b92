//! Where and why a run stops: breakpoints, watchpoints.

use super::Session;
use riverhawk_vm::visits::Scene;

/// A place where the run stops.
#[derive(Clone, Debug)]
pub(super) struct Breakpoint {
    pub number: usize,
    /// An index into the places.
    pub at: usize,
    pub enabled: bool,
    /// It is deleted when the run has stopped there.
    pub temporary: bool,
    /// It stops only if this is true.
    pub condition: Option<String>,
    /// So many more times it does not stop.
    pub ignored: usize,
    /// How often it was come by.
    pub hits: usize,
    /// What is done when it stops.
    pub commands: Vec<String>,
}

/// An expression whose changes stop the run.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub number: usize,
    pub expression: String,
    pub condition: Option<String>,
    /// What it was, described; nothing before the run begins.
    pub value: Option<String>,
    /// The depth of the frame it was set in, when it names a parameter: it goes with that.
    pub depth: Option<usize>,
}

/// An expression whose value is shown at every stop.
#[derive(Clone, Debug)]
pub(super) struct Displayed {
    pub number: usize,
    pub expression: String,
    /// As of [`Watched`].
    pub depth: Option<usize>,
}

impl Displayed {
    /// Whether it is shown in a frame at this depth.
    pub fn is_in(&self, depth: usize) -> bool {
        self.depth.is_none_or(|own| own == depth)
    }
}

impl Session {
    /// Whether an enabled breakpoint is here; the reason is added if so.
    pub(super) fn hit(&mut self, at: usize, scene: &mut Scene<'_>, reasons: &mut Vec<String>) -> bool {
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
        self.pending.extend(point.commands);
        if point.temporary {
            self.breakpoints.remove(index);
        }
        true
    }

    /// Whether a condition holds; one that cannot be found out does.
    fn holds(&mut self, condition: &str, scene: &mut Scene<'_>) -> bool {
        match super::expression::evaluate(condition, scene, 0) {
            Ok(value) => scene.truth(&value),
            Err(message) => {
                self.say(&format!("error: {message}\n"));
                true
            }
        }
    }

    /// What names parameters of frames that are gone goes, too.
    fn forget_parameters(&mut self, depth: usize) {
        let is_gone = |set_at: Option<usize>| set_at.is_some_and(|set_at| set_at > depth);
        let watched = self.watched.iter().filter(|item| is_gone(item.depth)).map(|item| ("Watchpoint", item.number));
        let displayed = self.displayed.iter().filter(|item| is_gone(item.depth)).map(|item| ("Display", item.number));
        let gone: String = watched
            .chain(displayed)
            .map(|(what, number)| format!("{what} {number} deleted because parameter is out of scope.\n"))
            .collect();
        if !gone.is_empty() {
            self.say(&gone);
            self.watched.retain(|item| !is_gone(item.depth));
            self.displayed.retain(|item| !is_gone(item.depth));
        }
    }

    /// What of the watched has changed, as reasons to stop.
    pub(super) fn changed(&mut self, scene: &mut Scene<'_>) -> Vec<String> {
        let mut reasons = Vec::new();
        for index in 0..self.watched.len() {
            let watched = self.watched[index].clone();
            if watched.depth.is_some_and(|depth| depth != scene.depth()) {
                continue;
            }
            let value = super::expression::describe(&watched.expression, scene, 0);
            let Some(before) = self.watched[index].value.replace(value.clone()).filter(|before| *before != value)
            else {
                continue;
            };
            if let Some(condition) = &watched.condition
                && !self.holds(condition, scene)
            {
                continue;
            }
            reasons.push(format!(
                "Watchpoint {}: {}\n  Old value: {before}\n  New value: {value}\n",
                watched.number, watched.expression
            ));
        }
        self.forget_parameters(scene.depth());
        reasons
    }
}
