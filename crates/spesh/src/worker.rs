//! Processes buffers: counts, plans, produces, ages, dumps. It never pauses a program. Its caller
//! returns the quota and wakes a blocked sender.

use crate::counters::Tally;
use crate::dump::{show_frame, show_planned, show_statistics};
use crate::frame::{Produced, Registry};
use crate::frame_id::FrameId;
use crate::log::{LogEntry, ThreadNo};
use crate::planner::{ObservedFrame, Planned, PlannedKind, SpecialisationPlan, plan};
use crate::producer::{Evidence, Producer, Production};
use crate::statistics::Version;
use crate::statistics::ageing::Ages;
use crate::statistics::ledger::Ledger;
use crate::statistics::simulation::Simulation;
use crate::thresholds::{MAX_AGE, Thresholds};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) struct Worker {
    pub(crate) registry: Arc<Registry>,
    pub(crate) tally: Arc<Tally>,
    pub(crate) producer: Box<dyn Producer>,
    pub(crate) thresholds: Thresholds,
    pub(crate) limit: Option<u64>,
    pub(crate) dump: Option<Box<dyn Write + Send>>,
    /// False in blocking mode, where equal runs give equal dumps.
    pub(crate) dumps_times: bool,
    pub(crate) dump_error: Option<io::Error>,
    pub(crate) version: Version,
    pub(crate) simulations: BTreeMap<ThreadNo, Simulation>,
    pub(crate) ages: Ages,
}

impl Worker {
    pub(crate) fn process(&mut self, thread: ThreadNo, entries: Vec<LogEntry>, waited: Duration) {
        let started = Instant::now();
        self.version.0 += 1;
        let registry = Arc::clone(&self.registry);
        let mut ledger = Ledger::new(&registry, self.version);
        self.simulations.entry(thread).or_default().replay(&entries, &mut ledger);
        let count = entries.len();
        drop(entries);
        self.tally.buffers.add(1);
        self.tally.entries.add(count as u64);
        self.end_silent_simulations(&mut ledger);
        ledger.open_callees();
        let counted = Instant::now();

        let plan = plan(&observed(&ledger), ledger.updated(), &self.thresholds);
        let planned = Instant::now();
        if self.dump.is_some() {
            let mut text = format!(
                "==== Buffer {} of thread {}: {count} entries ====\n",
                self.version.0, thread.0
            );
            if self.dumps_times {
                let (counting, planning) =
                    ((counted - started).as_micros(), (planned - counted).as_micros());
                let waited = waited.as_micros();
                let _ = writeln!(
                    text,
                    "Was waiting {waited} us; statistics took {counting} us, the plan {planning} us."
                );
            }
            describe_statistics(&mut text, &ledger);
            let _ = writeln!(text, "\n---- Plan: {} specialisations ----\n", plan.items.len());
            self.write(&text);
        }
        self.produce(&plan, &ledger);
        self.close(ledger);
    }

    pub(crate) fn thread_ended(&mut self, thread: ThreadNo) {
        if let Some(simulation) = self.simulations.remove(&thread) {
            let registry = Arc::clone(&self.registry);
            let mut ledger = Ledger::new(&registry, self.version);
            simulation.end(&mut ledger);
            self.close(ledger);
        }
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        if let (Some(dump), None) = (&mut self.dump, &self.dump_error) {
            self.dump_error = dump.flush().err();
        }
        self.dump_error.map_or(Ok(()), Err)
    }

    /// Ends the stacks of silent threads, to free memory.
    fn end_silent_simulations(&mut self, ledger: &mut Ledger<'_>) {
        let threads = self.tally.threads.read().max(1);
        let oldest_kept = Version(self.version.0.saturating_sub(MAX_AGE.saturating_mul(threads)));
        let is_silent = |simulation: &mut Simulation| simulation.last_replay() < oldest_kept;
        for (_, silent) in self.simulations.extract_if(.., |_, simulation| is_silent(simulation)) {
            silent.end(ledger);
        }
    }

    fn produce(&mut self, plan: &SpecialisationPlan, ledger: &Ledger<'_>) {
        for planned in &plan.items {
            match planned.kind {
                PlannedKind::Observed => self.tally.planned_observed.add(1),
                PlannedKind::Derived => self.tally.planned_derived.add(1),
                PlannedKind::Certain => self.tally.planned_certain.add(1),
            }
            let became = self.produce_item(planned, ledger);
            if self.dump.is_some() {
                let mut text = String::new();
                let facts = ledger.frames().get(&planned.frame).map(|open| open.frame.facts());
                let _ = show_planned(&mut text, planned, facts, &|id| name(ledger, id));
                let _ = writeln!(text, "    {became}\n");
                self.write(&text);
            }
        }
    }

    fn produce_item(&mut self, planned: &Planned, ledger: &Ledger<'_>) -> String {
        let Some(evidence) = Evidence::new(ledger, planned.frame) else {
            return String::from("Not produced: the frame is gone");
        };
        if self.limit == Some(0) {
            self.tally.left_out.add(1);
            return String::from("Not produced: the limit is reached");
        }
        if let Some(limit) = &mut self.limit {
            *limit -= 1;
        }
        let mut known = evidence.frame().known();
        let produced = known
            .produced
            .entry(planned.key.clone())
            .or_insert(Produced { rounds: 0, standing: false });
        produced.rounds += 1;
        produced.standing = true;
        let is_first = produced.rounds == 1;
        drop(known);
        if !evidence.frame().facts().is_called {
            // Nothing else can be planned for it. This comes first, since a candidate may be
            // withdrawn at once and the frame watched again.
            evidence.frame().stop_watching();
        }
        match self.producer.produce(planned, &evidence) {
            Production::Done => {
                self.tally.produced.add(1);
                String::from(if is_first {
                    "Produced"
                } else {
                    "Produced again: the one before fell back too often"
                })
            }
            Production::Refused(why) => {
                self.tally.refused.add(1);
                format!("Refused: {why}")
            }
        }
    }

    fn close(&mut self, ledger: Ledger<'_>) {
        ledger.updated().iter().for_each(|id| self.ages.update(*id, self.version));
        ledger.close();
        let simulations = &self.simulations;
        let on_a_stack = || {
            let mut frames = BTreeSet::new();
            simulations.values().for_each(|simulation| simulation.collect_frames(&mut frames));
            frames
        };
        for id in self.ages.take_aged(self.version, on_a_stack) {
            if let Some(frame) = self.registry.find(id) {
                frame.forget_statistics();
            }
        }
        self.tally.frames_with_statistics.set(self.ages.len() as u64);
        self.tally
            .simulated_frames
            .set(self.simulations.values().map(|simulation| simulation.depth() as u64).sum());
    }

    /// Flushes each time, for those who read the dump while the program runs.
    fn write(&mut self, text: &str) {
        if let Some(dump) = &mut self.dump
            && let Err(error) = dump.write_all(text.as_bytes()).and_then(|()| dump.flush())
        {
            self.dump = None;
            self.dump_error = Some(error);
        }
    }
}

fn observed<'l>(ledger: &'l Ledger<'_>) -> BTreeMap<FrameId, ObservedFrame<'l>> {
    let frame = |open: &'l crate::statistics::ledger::OpenFrame| ObservedFrame {
        facts: open.frame.facts(),
        statistics: &open.statistics,
        produced: &open.produced,
    };
    ledger.frames().iter().map(|(id, open)| (*id, frame(open))).collect()
}

fn describe_statistics(text: &mut String, ledger: &Ledger<'_>) {
    let updated = ledger.updated();
    let _ = writeln!(text, "---- Statistics: {} frames updated ----\n", updated.len());
    for id in updated {
        if let Some(open) = ledger.frames().get(id) {
            let _ =
                show_statistics(text, &name(ledger, *id), &open.statistics, &|id| name(ledger, id));
        }
    }
}

fn name(ledger: &Ledger<'_>, id: FrameId) -> String {
    show_frame(id, ledger.frames().get(&id).map(|open| open.frame.facts()))
}
