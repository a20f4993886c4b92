//! Data breakpoints: a run stops behind the statement that has changed a variable, an element or a
//! field.

use std::collections::HashMap;

use riverhawk_tools::debugger::expression::{self, NamedValue};
use riverhawk_vm::visits::Scene;
use serde_json::{Value, json};

use crate::conditions::Conditions;
use crate::protocol::DataBreakpoint;

/// An expression whose value is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Watched {
    pub expression: String,
    /// The depth of the frame that it is about, if it names a parameter: it is gone with the frame.
    pub depth: Option<usize>,
}

impl Watched {
    /// For the editor, which gives it back.
    pub(crate) fn id(&self) -> String {
        let depth = self.depth.map(|depth| depth.to_string()).unwrap_or_default();
        format!("{depth} {}", self.expression)
    }

    fn from_id(id: &str) -> Option<Watched> {
        let (depth, expression) = id.split_once(' ')?;
        let depth = match depth {
            "" => None,
            depth => Some(depth.parse().ok()?),
        };
        expression::check(expression).ok()?;
        Some(Watched { expression: expression.to_owned(), depth })
    }

    /// How its value is shown; none while another frame runs.
    fn shown(&self, scene: &mut Scene<'_>) -> Option<String> {
        let level = match self.depth {
            Some(depth) if depth != scene.depth() => return None,
            Some(_) => 0,
            None => scene.depth(),
        };
        let found = expression::look_up(&self.expression, scene, level);
        Some(found.map_or_else(|why| why, |found: NamedValue| found.shown(scene)))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Watchpoint {
    pub id: usize,
    watched: Watched,
    conditions: Conditions,
}

impl Watchpoint {
    /// # Errors
    /// What the editor shows of it.
    pub(crate) fn new(id: usize, asked: &DataBreakpoint) -> Result<Watchpoint, String> {
        if asked.access_type.as_deref().is_some_and(|access| access != "write") {
            return Err("only changes can be watched".to_owned());
        }
        let watched = Watched::from_id(&asked.data_id)
            .ok_or_else(|| format!("`{}' names no data", asked.data_id))?;
        Ok(Watchpoint { id, watched, conditions: Conditions::parse(&asked.when)? })
    }
}

/// A value that has changed.
pub(crate) struct Change {
    pub id: usize,
    /// What it was and is.
    pub text: String,
}

/// What the run's thread remembers of watched values, by the number of the breakpoint.
#[derive(Default)]
pub(crate) struct Values {
    known: HashMap<usize, Known>,
}

struct Known {
    value: String,
    changes: u64,
}

impl Values {
    /// The changes that stop the run. `complain` is told of conditions that cannot be evaluated.
    pub(crate) fn changes(
        &mut self,
        watchpoints: &[Watchpoint],
        scene: &mut Scene<'_>,
        complain: &dyn Fn(&str),
    ) -> Vec<Change> {
        let mut changes = Vec::new();
        for Watchpoint { id, watched, conditions } in watchpoints {
            let Some(value) = watched.shown(scene) else { continue };
            let Some(known) = self.known.get_mut(id) else {
                self.known.insert(*id, Known { value, changes: 0 });
                continue;
            };
            if known.value == value {
                continue;
            }
            let text = format!("{}: {} -> {value}", watched.expression, known.value);
            known.value = value;
            if !conditions.hold(scene, complain) {
                continue;
            }
            known.changes += 1;
            if conditions.hold_at(known.changes) {
                changes.push(Change { id: *id, text });
            }
        }
        changes
    }

    /// The user's own changes do not stop the run.
    pub(crate) fn take(&mut self, watchpoints: &[Watchpoint], scene: &mut Scene<'_>) {
        for Watchpoint { id, watched, .. } in watchpoints {
            if let Some(value) = watched.shown(scene) {
                let known = self.known.entry(*id);
                known.or_insert_with(|| Known { value: String::new(), changes: 0 }).value = value;
            }
        }
    }
}

/// Those whose frames have ended.
pub(crate) fn gone(watchpoints: &[Watchpoint], depth: usize) -> Vec<usize> {
    let is_gone = |point: &&Watchpoint| point.watched.depth.is_some_and(|of| of > depth);
    watchpoints.iter().filter(is_gone).map(|point| point.id).collect()
}

/// What an editor is told of data that it may watch.
pub(crate) fn info(watched: &Watched) -> Value {
    json!({"dataId": watched.id(), "description": watched.expression, "accessTypes": ["write"]})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_gives_the_data_back() {
        for (depth, expression) in [(None, "a[\"x y\"]"), (Some(2), "n")] {
            let watched = Watched { expression: expression.to_owned(), depth };
            assert_eq!(Watched::from_id(&watched.id()), Some(watched));
        }
        for wrong in ["", "x", " ", "a x", " x +"] {
            assert_eq!(Watched::from_id(wrong), None, "{wrong}");
        }
    }
}
