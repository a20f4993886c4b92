//! A piece of the input, run by a machine of its own.

use crate::current::CurrentRecord;
use crate::flow::Flow;
use crate::globals::Globals;
use crate::machine::Machine;
use crate::main_input::AfterSource;
use crate::tier::PacedTier;
use riverhawk_awkio::RecordReader;
use riverhawk_parallel::{
    Before, Cut, Firsts, Join, Noted, PieceEnd, PieceOutput, PieceSource, Plan, Portable,
    PortableArray, Results, Share, Slot, State,
};
use riverhawk_record::record_rule::follow;
use riverhawk_stream::Step;
use riverhawk_syntax::ast::Special;
use riverhawk_value::{Array, KeyIter, Value};
use std::sync::atomic::Ordering;

/// A true value that no program assigns: marks a range only assumed to be open.
const ASSUMED_OPEN: f64 = 2.0;

impl Machine {
    /// Copies the leader's variables.
    ///
    /// # Errors
    /// A special cannot have its value.
    pub fn adopt(&mut self, plan: &Plan, state: &State) -> Result<Vec<usize>, String> {
        for (special, value) in Special::ALL.iter().zip(&state.specials) {
            // Counted or derived from the record, so they must not depend on the order of
            // assignments.
            if matches!(special, Special::Nr | Special::Fnr | Special::Nf | Special::Rt) {
                continue;
            }
            // In tables these only cause a warning, which the leader has given.
            let separates =
                matches!(special, Special::Fs | Special::Rs | Special::Fieldwidths | Special::Fpat);
            if separates && self.rt.current.tables.input.is_some() {
                self.rt.current.specials.store(*special, value.to_value());
                continue;
            }
            // Of these the last assigned counts, with IGNORECASE as it was then.
            if matches!(special, Special::Fs | Special::Fieldwidths | Special::Fpat)
                && Some(*special) != state.mode
            {
                self.rt.current.specials.store(*special, value.to_value());
                continue;
            }
            self.rt.set_special(*special, value.to_value()).map_err(|fault| fault.message())?;
        }
        for (slot, value) in self.rt.globals.statics.iter_mut().zip(&state.globals) {
            if let Some(value) = value {
                *slot = value.to_value();
            }
        }
        self.rt.globals.keeps_sums = plan.relaxed_sums;
        self.rt.current.adopt_columns(&mut self.rt.globals, &state.columns);
        let mut bases = Vec::with_capacity(plan.shares.len());
        for share in &plan.shares {
            let mut base = 0;
            // Needed even if the leader has not used it, since a piece is reset through it.
            let array = if share.array { self.rt.globals.shared_array(share) } else { None };
            if share.join == Join::Keys
                && let Some(array) = array
            {
                let own = PortableArray::of(&array.borrow(), 0)
                    .ok_or("an array in an array")?
                    .to_array_by_arrival();
                base = own.arrived();
                *array.borrow_mut() = own;
            }
            bases.push(base);
        }
        Ok(bases)
    }

    /// Counts a piece's records without running it.
    ///
    /// # Errors
    /// Reading fails, or RS is invalid.
    pub fn count_records(&mut self, source: PieceSource) -> Result<u64, String> {
        let mut reader = self.reader(source)?;
        let mut count = 0;
        loop {
            count += reader.records.skip_buffered().count;
            match reader.records.next_buffered() {
                Step::Record(_) => count += 1,
                Step::NeedMore => drop(reader.records.refill().map_err(|error| error.to_string())?),
                Step::End => return Ok(count),
            }
        }
    }

    /// Whether a piece has a record.
    ///
    /// # Errors
    /// Reading fails, or RS is invalid.
    pub fn has_record(&self, source: PieceSource) -> Result<bool, String> {
        let mut reader = self.reader(source)?;
        loop {
            match reader.records.next_buffered() {
                Step::Record(_) => return Ok(true),
                Step::NeedMore => drop(reader.records.refill().map_err(|error| error.to_string())?),
                Step::End => return Ok(false),
            }
        }
    }

    fn reader(&self, source: PieceSource) -> Result<RecordReader, String> {
        let mut reader = RecordReader::of_source(source, self.rt.outside.io.inputs.window());
        follow(&mut reader, &self.rt.current.rule).map_err(|fault| fault.message())?;
        Ok(reader)
    }

    /// Runs the rules over a piece. `bases` comes from [`Machine::adopt`].
    pub fn run_piece(
        &mut self,
        plan: &Plan,
        bases: &[usize],
        before: &Before,
        source: PieceSource,
        (stdout, stderr): (&PieceOutput, &PieceOutput),
        watch: &mut PacedTier,
    ) -> Results {
        self.reset(plan, bases);
        self.rt.globals.notes = Noted::default();
        self.rt.globals.firsts = Firsts::default();
        self.rt.globals.firsts_from = self.rt.outside.io.outputs.stdout().position();
        (self.rt.current.specials.nr, self.rt.current.specials.fnr) = before.counted;
        self.rt.current.specials.store(Special::Filename, Value::from_input(&before.name));
        for (flag, &open) in
            self.rt.globals.statics[plan.range_flags()].iter_mut().zip(&before.ranges)
        {
            *flag = if open { Value::Num(ASSUMED_OPEN) } else { Value::Uninit };
        }
        let cancelled = source.cancelled.clone();
        self.rt.main.read_from(source, self.rt.outside.io.inputs.window(), AfterSource::End);
        let program = self.rt.program.clone();
        let flow = match &program.main {
            Some(main) => self.interpret(main, watch),
            None => Ok(Flow::Ended),
        };
        let flushed = self.rt.outside.io.outputs.flush_all();
        let mut complaint = flow.as_ref().err().map(|error| error.message.clone());
        let whole = matches!(flow, Ok(Flow::Ended)) && flushed.is_ok();
        if !whole {
            self.recover();
        }
        let skipped = self.rt.main.take_skipped();
        let output = stdout.take();
        let can_be_written = before.coding.as_ref().is_none_or(|coding| coding.can_write(&output));
        // The leader knows whether a last line without a newline ends the output.
        let must_end = before.must_end || self.rt.current.tables.keeps_ends();
        let ends = !must_end || skipped || self.rt.current.has_terminator();
        let warnings = stderr.take();
        if !warnings.is_empty() {
            complaint.get_or_insert_with(|| String::from_utf8_lossy(&warnings).into_owned());
        }
        let whole = whole
            && ends
            && can_be_written
            && warnings.is_empty()
            && !cancelled.load(Ordering::Relaxed);
        let mut results = Results {
            end: match (whole, skipped) {
                (false, _) => PieceEnd::Abandoned,
                (true, true) => PieceEnd::FileSkipped,
                (true, false) => PieceEnd::Whole,
            },
            records: (self.rt.current.specials.nr - before.counted.0) as u64,
            output,
            firsts: std::mem::take(&mut self.rt.globals.firsts),
            noted: self.rt.globals.notes,
            values: Vec::new(),
            ranges: (before.ranges.clone(), self.ranges(plan)),
            ranges_met: self.rt.globals.statics[plan.range_flags()]
                .iter()
                .all(|flag| matches!(flag, Value::Num(value) if *value != ASSUMED_OPEN)),
            complaint,
        };
        match self.collect(plan, bases) {
            Some(values) if self.has_all_firsts(plan, &results.firsts) => results.values = values,
            _ => results.end = PieceEnd::Abandoned,
        }
        results
    }

    /// Whether what was printed is known for each element.
    fn has_all_firsts(&self, plan: &Plan, firsts: &Firsts) -> bool {
        plan.shares.iter().filter(|share| share.join == Join::Distinct).all(|share| {
            let known = firsts.0.iter().filter(|first| share.slot == Slot::Global(first.array));
            let elements = match self.rt.globals.shared(&self.rt.current, share) {
                Value::Array(array) => array.borrow().arrived(),
                _ => 0,
            };
            known.count() == elements
        })
    }

    /// What a piece, or several joined, made of the variables; `None` for arrays in arrays.
    pub(super) fn collect(&self, plan: &Plan, bases: &[usize]) -> Option<Vec<Option<Portable>>> {
        let shares = plan.shares.iter().zip(bases);
        shares
            .map(|(share, &base)| self.rt.globals.collect(&self.rt.current, share, base))
            .collect()
    }

    /// The variables become those from which a piece starts.
    pub(super) fn reset(&mut self, plan: &Plan, bases: &[usize]) {
        for (share, &base) in plan.shares.iter().zip(bases) {
            self.rt.globals.reset(&mut self.rt.current, share, base);
        }
    }

    /// Which ranges are open.
    pub fn ranges(&self, plan: &Plan) -> Vec<bool> {
        let flags = self.rt.globals.statics[plan.range_flags()].iter();
        flags.map(|flag| matches!(flag, Value::Num(value) if *value != 0.0)).collect()
    }

    /// Opens and closes ranges.
    pub fn set_ranges(&mut self, plan: &Plan, open: &[bool]) {
        for (flag, &open) in self.rt.globals.statics[plan.range_flags()].iter_mut().zip(open) {
            *flag = Value::Num(f64::from(u8::from(open)));
        }
    }

    fn recover(&mut self) {
        self.frames.clear();
        self.stack.iter_mut().for_each(|slot| *slot = Value::Uninit);
        // Edited files are never read in pieces.
        let _ = self.rt.main.skip_file(&mut self.rt.current, &mut self.rt.outside);
    }

    /// How RS lets the input be cut.
    pub fn cut(&self) -> Option<Cut> {
        Cut::of(&self.rt.current.rule)
    }
}

impl Globals {
    fn reset(&mut self, current: &mut CurrentRecord, share: &Share, base: usize) {
        if share.array {
            let Value::Array(array) = self.shared(current, share) else { return };
            let mut array = array.borrow_mut();
            match share.join {
                Join::Constant => {}
                Join::Contents => array.await_clearing(),
                Join::Keys => array.forget_arrivals(base),
                Join::Last
                | Join::Sum
                | Join::Distinct
                | Join::Best { .. }
                | Join::First
                | Join::Concatenation
                | Join::Follow(_) => {
                    *array = Array::by_arrival();
                    if self.keeps_sums && share.join == Join::Sum {
                        array.keep_sums();
                    }
                }
            }
            return;
        }
        match share.join {
            Join::Constant | Join::Contents | Join::Keys => {}
            // No program can assign this value, so it shows whether the piece assigned one.
            Join::Last | Join::Follow(_) => {
                self.set_shared(current, share, Value::Keys(Box::new(KeyIter::none())))
            }
            Join::Sum | Join::Distinct | Join::First | Join::Concatenation => {
                self.set_shared(current, share, Value::Uninit)
            }
            Join::Best { greatest, .. } => {
                self.set_shared(current, share, Value::Num(worst(greatest)))
            }
        }
    }

    fn collect(
        &self,
        current: &CurrentRecord,
        share: &Share,
        base: usize,
    ) -> Option<Option<Portable>> {
        if !share.wanted || share.join == Join::Constant {
            return Some(None);
        }
        let value = self.shared(current, share);
        let untouched = match (share.join, value) {
            (Join::Contents, Value::Array(array)) => !array.borrow().was_cleared(),
            (Join::Keys, Value::Array(array)) => array.borrow().arrived() == base,
            (_, Value::Array(array)) => array.borrow().is_empty(),
            (Join::Last | Join::Follow(_), Value::Keys(_)) => true,
            (Join::Sum | Join::First | Join::Concatenation, Value::Uninit) => true,
            (Join::Best { greatest, .. }, Value::Num(number)) => *number == worst(greatest),
            _ => false,
        };
        if untouched {
            return Some(None);
        }
        match (share.join, value) {
            (Join::Keys, Value::Array(array)) => {
                Some(Some(Portable::Array(PortableArray::of(&array.borrow(), base)?)))
            }
            _ => Some(Some(Portable::of(value)?)),
        }
    }
}

fn worst(greatest: bool) -> f64 {
    if greatest { f64::NEG_INFINITY } else { f64::INFINITY }
}
