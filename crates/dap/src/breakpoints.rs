//! Breakpoints, as the editor has set them.

use serde_json::{Value, json};

use crate::conditions::{Conditions, given};
use crate::data_breakpoints::Watchpoint;
use crate::log_message::LogMessage;
use crate::protocol::{DataBreakpoint, FunctionBreakpoint, SourceBreakpoint, When};
use crate::sources::Sources;

#[derive(Clone, Debug)]
pub(crate) struct Breakpoint {
    pub id: usize,
    /// The number of its place.
    pub at: usize,
    pub conditions: Conditions,
    pub log: Option<LogMessage>,
    hits: u64,
    owner: Owner,
}

/// What a request replaces: all breakpoints of a file, or of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    File(usize),
    Functions,
}

#[derive(Default)]
pub(crate) struct Breakpoints {
    last: usize,
    all: Vec<Breakpoint>,
    pub watchpoints: Vec<Watchpoint>,
    /// Whether runtime errors stop the run.
    pub at_errors: bool,
}

impl Breakpoints {
    /// Those at a place; the caller evaluates their conditions.
    pub(crate) fn at(&self, at: usize) -> Vec<Breakpoint> {
        self.all.iter().filter(|point| point.at == at).cloned().collect()
    }

    /// Counts a hit, and gives its number; 0 if the breakpoint is gone.
    pub(crate) fn hit(&mut self, id: usize) -> u64 {
        match self.all.iter_mut().find(|point| point.id == id) {
            Some(point) => {
                point.hits += 1;
                point.hits
            }
            None => 0,
        }
    }

    /// Replaces those of a file, and gives what the protocol says of each. `first_line` is the
    /// editor's number of the first line.
    pub(crate) fn set_lines(
        &mut self,
        piece: usize,
        wanted: &[SourceBreakpoint],
        sources: &Sources,
        first_line: usize,
    ) -> Vec<Value> {
        self.all.retain(|point| point.owner != Owner::File(piece));
        let set = |wanted: &SourceBreakpoint| {
            let line = (wanted.line + 1).saturating_sub(first_line).max(1);
            let at =
                sources.places.at_line(piece, line).ok_or("nothing runs at or after this line");
            self.set(
                at.map_err(str::to_owned),
                &wanted.when,
                Owner::File(piece),
                sources,
                first_line,
            )
        };
        wanted.iter().map(set).collect()
    }

    /// Replaces those of functions.
    pub(crate) fn set_functions(
        &mut self,
        wanted: &[FunctionBreakpoint],
        sources: &Sources,
        first_line: usize,
    ) -> Vec<Value> {
        self.all.retain(|point| point.owner != Owner::Functions);
        let set = |wanted: &FunctionBreakpoint| {
            let name = wanted.name.trim().trim_end_matches("()");
            let at = sources.places.in_function(name);
            let at = at.ok_or_else(|| format!("no function `{name}' with statements"));
            self.set(at, &wanted.when, Owner::Functions, sources, first_line)
        };
        wanted.iter().map(set).collect()
    }

    /// Replaces those of data.
    pub(crate) fn set_data(&mut self, wanted: &[DataBreakpoint]) -> Vec<Value> {
        self.watchpoints.clear();
        let set = |wanted: &DataBreakpoint| {
            self.last += 1;
            let id = self.last;
            match Watchpoint::new(id, wanted) {
                Ok(point) => {
                    self.watchpoints.push(point);
                    json!({"id": id, "verified": true})
                }
                Err(message) => json!({"id": id, "verified": false, "message": message}),
            }
        };
        wanted.iter().map(set).collect()
    }

    fn set(
        &mut self,
        at: Result<usize, String>,
        when: &When,
        owner: Owner,
        sources: &Sources,
        first_line: usize,
    ) -> Value {
        self.last += 1;
        let id = self.last;
        match at.and_then(|at| breakpoint(id, at, when, owner)) {
            Ok(point) => {
                let mut shown = json!({"id": id, "verified": true});
                if let Some(place) = sources.places.get(point.at) {
                    shown["line"] = (place.line + first_line - 1).into();
                    shown["source"] = sources.source(place.piece);
                }
                self.all.push(point);
                shown
            }
            Err(message) => json!({"id": id, "verified": false, "message": message}),
        }
    }
}

fn breakpoint(id: usize, at: usize, when: &When, owner: Owner) -> Result<Breakpoint, String> {
    let conditions = Conditions::parse(when)?;
    let log = given(&when.log_message).map(|text| LogMessage::parse(&text)).transpose()?;
    Ok(Breakpoint { id, at, conditions, log, hits: 0, owner })
}
