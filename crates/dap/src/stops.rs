//! The observer of the run: where it stops, and what it answers there.

use std::sync::Arc;
use std::time::{Duration, Instant};

use riverhawk_engine::{EndCause, RuntimeError};
use riverhawk_tools::debugger::places::VisitPlace;
use riverhawk_tools::debugger::stepping::Pace;
use riverhawk_vm::visits::{AfterVisit, Observer, Scene};
use serde_json::{Value, json};

use crate::control::Control;
use crate::data_breakpoints::{self, Change, Values, Watchpoint};
use crate::inspection::Inspection;
use crate::outbox::{Category, Outbox};
use crate::protocol::{Request, Step};
use crate::sources::Sources;

/// There is one.
pub(crate) const THREAD: usize = 1;

/// What is printed is shown after at most this time, as long as statements are visited.
const SHOWN_AFTER: Duration = Duration::from_millis(100);

/// How many visits pass between two looks at the clock.
const CLOCK_EVERY: u32 = 256;

pub(crate) struct Stops {
    control: Arc<Control>,
    outbox: Outbox,
    sources: Sources,
    /// The editor's number of the first line, and of the first column.
    first: (usize, usize),
    mode: Pace,
    /// Where it stopped last: the place, and how many records had been read.
    from: Option<usize>,
    records: f64,
    stops_at_entry: bool,
    /// The run stops for nothing.
    runs_through: bool,
    visits: u32,
    shown: Instant,
    /// Of watched data.
    values: Values,
}

/// Why a run stops.
struct Reason {
    reason: &'static str,
    /// Of an exception.
    text: Option<String>,
    /// Of watched data, a line each.
    changes: String,
    breakpoints: Vec<usize>,
}

impl Reason {
    fn new(reason: &'static str) -> Reason {
        Reason { reason, text: None, changes: String::new(), breakpoints: Vec::new() }
    }
}

impl Stops {
    pub(crate) fn new(
        control: &Arc<Control>,
        outbox: &Outbox,
        sources: &Sources,
        first: (usize, usize),
    ) -> Stops {
        Stops {
            control: control.clone(),
            outbox: outbox.clone(),
            sources: sources.clone(),
            first,
            mode: Pace::Continue,
            from: None,
            records: 0.0,
            stops_at_entry: false,
            runs_through: false,
            visits: 0,
            shown: Instant::now(),
            values: Values::default(),
        }
    }

    /// The run stops before its first statement.
    pub(crate) fn stop_at_entry(&mut self) {
        self.mode = Pace::StepStatement;
        self.stops_at_entry = true;
    }

    /// The run stops nowhere.
    pub(crate) fn ignore_breakpoints(&mut self) {
        self.runs_through = true;
    }

    fn reason(&mut self, at: usize, place: &VisitPlace, scene: &mut Scene<'_>) -> Option<Reason> {
        let changes = self.changes(scene);
        let mut breakpoints = self.hit(at, scene);
        if !breakpoints.is_empty() || !changes.is_empty() {
            let reason = if breakpoints.is_empty() { "data breakpoint" } else { "breakpoint" };
            breakpoints.extend(changes.iter().map(|change| change.id));
            let lines: Vec<String> = changes.into_iter().map(|change| change.text).collect();
            return Some(Reason { breakpoints, changes: lines.join("\n"), ..Reason::new(reason) });
        }
        if self.control.takes_pause() {
            return Some(Reason::new("pause"));
        }
        if self.mode == Pace::Continue || !self.arrives(at, place, scene) {
            return None;
        }
        Some(Reason::new(if std::mem::take(&mut self.stops_at_entry) { "entry" } else { "step" }))
    }

    /// As the console's debugger, but a step over a rule of one line ends at the next record.
    fn arrives(&self, at: usize, place: &VisitPlace, scene: &mut Scene<'_>) -> bool {
        if self.mode.arrives(&self.sources.places, self.from, at, scene.depth()) {
            return true;
        }
        let steps = match self.mode {
            Pace::Step => true,
            Pace::Next(depth) => depth == 0,
            _ => false,
        };
        steps && scene.depth() == 0 && place.phase == Some("Rule") && records(scene) != self.records
    }

    fn changes(&mut self, scene: &mut Scene<'_>) -> Vec<Change> {
        let watchpoints = self.watchpoints(scene.depth());
        let complain = |text: &str| self.outbox.show(Category::Console, text);
        self.values.changes(&watchpoints, scene, &complain)
    }

    /// Those whose frames still run; the editor is told of the others.
    fn watchpoints(&self, depth: usize) -> Vec<Watchpoint> {
        let mut breakpoints = self.control.breakpoints();
        let gone = data_breakpoints::gone(&breakpoints.watchpoints, depth);
        breakpoints.watchpoints.retain(|point| !gone.contains(&point.id));
        let left = breakpoints.watchpoints.clone();
        drop(breakpoints);
        for id in gone {
            let breakpoint = json!({"id": id, "verified": false});
            self.outbox.event("breakpoint", json!({"reason": "removed", "breakpoint": breakpoint}));
        }
        left
    }

    /// The breakpoints that stop the run; log points are shown.
    fn hit(&self, at: usize, scene: &mut Scene<'_>) -> Vec<usize> {
        let here = self.control.breakpoints().at(at);
        let mut stopping = Vec::new();
        for point in here {
            if !point.conditions.hold(scene, |text| self.outbox.show(Category::Console, text)) {
                continue;
            }
            let hits = self.control.breakpoints().hit(point.id);
            if !point.conditions.hold_at(hits) {
                continue;
            }
            match &point.log {
                Some(log) => {
                    scene.flush();
                    self.outbox.show(Category::Console, &log.fill(scene));
                }
                None => stopping.push(point.id),
            }
        }
        stopping
    }

    /// Stands still until the editor lets the run go on; false if it is to end.
    fn stop(&mut self, reason: &Reason, top: VisitPlace, scene: &mut Scene<'_>) -> bool {
        scene.flush();
        self.control.open();
        let mut stopped = json!({
            "reason": reason.reason,
            "threadId": THREAD,
            "allThreadsStopped": true,
        });
        if let Some(text) = &reason.text {
            stopped["description"] = "Runtime error".into();
            stopped["text"] = text.clone().into();
        }
        if !reason.changes.is_empty() {
            stopped["text"] = reason.changes.clone().into();
        }
        if !reason.breakpoints.is_empty() {
            stopped["hitBreakpointIds"] = reason.breakpoints.clone().into();
        }
        self.outbox.event("stopped", stopped);
        let mut inspection = Inspection::new(&self.sources, top, self.first);
        let goes_on = loop {
            let Some(request) = self.control.next() else { break false };
            if let Some(mode) = mode(&request, scene.depth()) {
                self.records = records(scene);
                let watchpoints = self.watchpoints(scene.depth());
                self.values.take(&watchpoints, scene);
                let late = self.control.close();
                let body = json!({"allThreadsContinued": true});
                self.mode = mode;
                self.outbox.answer(&request, Ok(body));
                for request in late {
                    self.outbox.answer(&request, Err("the program runs".to_owned()));
                }
                return true;
            }
            let answer = match (&*request.command, &reason.text) {
                ("exceptionInfo", Some(text)) => Ok(exception(text)),
                ("exceptionInfo", None) => Err("the program has not failed".to_owned()),
                _ => inspection.answer(&request, scene),
            };
            self.outbox.answer(&request, answer);
        };
        self.control.close();
        goes_on
    }

    /// Shows what was printed some time ago.
    fn show_output(&mut self, scene: &mut Scene<'_>) {
        self.visits += 1;
        if self.visits >= CLOCK_EVERY {
            self.visits = 0;
            if self.shown.elapsed() >= SHOWN_AFTER {
                self.shown = Instant::now();
                scene.flush();
            }
        }
    }
}

impl Observer for Stops {
    fn visit(&mut self, at: usize, scene: &mut Scene<'_>) -> AfterVisit {
        if self.control.is_ending() {
            return AfterVisit::End;
        }
        self.show_output(scene);
        if self.runs_through {
            return AfterVisit::On;
        }
        let Some(place) = self.sources.places.get(at).filter(|place| place.stops).cloned() else {
            return AfterVisit::On;
        };
        let Some(reason) = self.reason(at, &place, scene) else { return AfterVisit::On };
        self.from = Some(at);
        match self.stop(&reason, place, scene) {
            true => AfterVisit::On,
            false => AfterVisit::End,
        }
    }

    fn failed(&mut self, error: &RuntimeError, scene: &mut Scene<'_>) {
        // Without memory nothing could be shown.
        let is_ended = matches!(
            error.cause,
            Some(EndCause::Cancelled | EndCause::Time | EndCause::Memory | EndCause::Output)
        );
        if self.runs_through
            || is_ended
            || error.message.is_empty()
            || !self.control.breakpoints().at_errors
        {
            return;
        }
        let place = error.span.and_then(|span| self.sources.places.of_span(span));
        let Some(place) = place.or_else(|| self.sources.places.get(self.from?).cloned()) else {
            return;
        };
        let text = Some(error.message.clone());
        self.stop(&Reason { text, ..Reason::new("exception") }, place, scene);
    }
}

fn exception(text: &str) -> Value {
    json!({"exceptionId": "runtime error", "description": text, "breakMode": "always"})
}

fn records(scene: &mut Scene<'_>) -> f64 {
    scene.variable("NR", 0).map_or(0.0, |value| scene.number(&value))
}

/// How the run goes on after a request; none if it does not.
fn mode(request: &Request, depth: usize) -> Option<Pace> {
    let by_statement = || {
        let step: Option<Step> = request.arguments().ok();
        step.and_then(|step| step.granularity).is_some_and(|granularity| granularity != "line")
    };
    Some(match &*request.command {
        "continue" => Pace::Continue,
        "next" if by_statement() => Pace::NextStatement(depth),
        "next" => Pace::Next(depth),
        "stepIn" if by_statement() => Pace::StepStatement,
        "stepIn" => Pace::Step,
        // There is nothing around a rule.
        "stepOut" if depth == 0 => Pace::Continue,
        "stepOut" => Pace::Finish(depth),
        _ => return None,
    })
}
