//! Joins the results of pieces into those of a serial run, by the plan
//! ([`riverhawk_parallel::Join`]).

use crate::current::CurrentRecord;
use crate::error::RuntimeError;
use crate::globals::Globals;
use crate::globals::as_array;
use crate::machine::Machine;
use crate::tier::PacedTier;
use crate::workspace::Workspace;
use riverhawk_bytecode::Unit as Program;
use riverhawk_bytecode::Update;
use riverhawk_parallel::{
    EXACT_BELOW, Empty, FirstOutput, Firsts, Join, NewKeys, NotJoined, Noted, Plan, Portable,
    PortableArray, Results, Share, Slot,
};
use riverhawk_syntax::ast::GlobalId;
use riverhawk_value::{Array, ArrayRef, Place, Probe, Value};
use std::borrow::Cow;
use std::cmp::Ordering;

/// Joins the results of pieces with the leader's.
#[derive(Debug)]
pub struct Joiner {
    /// A bound for every sum, in whatever order.
    sums: f64,
    /// Which elements of the last piece had been counted before.
    counted: Vec<(GlobalId, Vec<bool>)>,
    keys: NewKeys,
}

impl Joiner {
    /// Checks the leader's variables.
    ///
    /// # Errors
    /// Results cannot be joined with them.
    pub fn new(leader: &Machine, plan: &Plan) -> Result<Joiner, NotJoined> {
        let mut joiner = Joiner { sums: 0.0, counted: Vec::new(), keys: NewKeys::default() };
        for share in &plan.shares {
            match leader.rt.globals.shared(&leader.rt.current, share) {
                Value::Array(array) => {
                    let array = array.borrow();
                    for value in array.dense().flatten() {
                        joiner.check(plan, share, &value)?;
                    }
                    for (_, value) in array.arrivals(0) {
                        joiner.check(plan, share, value)?;
                    }
                }
                value => joiner.check(plan, share, value)?,
            }
        }
        Ok(joiner)
    }

    fn check(&mut self, plan: &Plan, share: &Share, value: &Value) -> Result<(), NotJoined> {
        let number = value.number(b"");
        match share.join {
            Join::Distinct if number < 0.0 => Err(NotJoined::NegativeCount(share.slot)),
            Join::Sum if plan.relaxed_sums => Ok(()),
            Join::Sum | Join::Distinct => {
                // The sign of zero matters only in sums of negative zeros.
                if number.trunc() != number || (number == 0.0 && number.is_sign_negative()) {
                    return Err(NotJoined::Fractions(Some(share.slot)));
                }
                self.sums += number.abs();
                if self.sums < EXACT_BELOW { Ok(()) } else { Err(NotJoined::LargeSums) }
            }
            Join::Best { greatest, vacant, .. } => {
                let is_vacant = vacant == Empty::Text && is_empty(value);
                let ordered = value.is_numeric(b"") && number.is_finite();
                // Elements of a piece start from zero, so the leader's must be no worse.
                let reachable = !share.array
                    || vacant != Empty::Never
                    || if greatest { number >= 0.0 } else { number <= 0.0 };
                if is_vacant || (ordered && reachable) { Ok(()) } else { Err(NotJoined::Unordered) }
            }
            _ => Ok(()),
        }
    }

    /// Joins a piece's results to those joined before.
    ///
    /// # Errors
    /// Their order may have mattered; nothing was joined.
    pub fn join(
        &mut self,
        leader: &mut Machine,
        plan: &Plan,
        results: &Results,
    ) -> Result<(), NotJoined> {
        // The assumption about each range must have been right.
        if results.ranges.0 != leader.ranges(plan) {
            return Err(NotJoined::Ranges);
        }
        if results.noted.failed {
            return Err(NotJoined::Abandoned);
        }
        if results.noted.unordered {
            return Err(NotJoined::Unordered);
        }
        if !plan.relaxed_sums && results.noted.fractions != 0 {
            return Err(NotJoined::Fractions(fractional(plan, results)));
        }
        if !(plan.relaxed_sums || results.noted.sums_are_exact(self.sums)) {
            return Err(NotJoined::LargeSums);
        }
        if self.keys.are_many_with(results) {
            return Err(NotJoined::ManyKeys);
        }
        self.sums += results.noted.addends;
        self.counted = leader.join_values(plan, results);
        leader.set_ranges(plan, &results.ranges.1);
        Ok(())
    }
}

impl Joiner {
    /// What a serial run prints of the output of the last piece that was joined.
    pub fn printed<'r>(&self, results: &'r Results) -> Cow<'r, [u8]> {
        let output = &results.output[..];
        let is_known = |first: &&FirstOutput| {
            let elements = self.counted.iter().find(|(array, _)| *array == first.array);
            elements.is_some_and(|(_, known)| known[first.element as usize])
        };
        let mut dropped = results.firsts.0.iter().filter(is_known).peekable();
        if dropped.peek().is_none() {
            return Cow::Borrowed(output);
        }
        let mut printed = Vec::with_capacity(output.len());
        let mut from = 0;
        for first in dropped {
            printed.extend_from_slice(&output[from..first.start as usize]);
            from = first.end as usize;
        }
        printed.extend_from_slice(&output[from..]);
        Cow::Owned(printed)
    }
}

impl Machine {
    /// Joins the results of two pieces, or of several, to those of one. `bases` comes from
    /// [`Machine::adopt`]. `None` if they are not certainly what a serial run makes of them: then
    /// the leader joins them one after the other, or runs them.
    pub fn join_pieces(
        &mut self,
        plan: &Plan,
        bases: &[usize],
        earlier: &Results,
        later: &Results,
    ) -> Option<Results> {
        // What was open before a piece is known only to the leader.
        if plan.ranges > 0 {
            return None;
        }
        let noted = Noted {
            addends: earlier.noted.addends + later.noted.addends,
            fractions: earlier.noted.fractions | later.noted.fractions,
            unordered: earlier.noted.unordered || later.noted.unordered,
            failed: earlier.noted.failed || later.noted.failed,
        };
        let is_exact = plan.relaxed_sums || noted.sums_are_exact(0.0);
        if !is_exact || noted.unordered || noted.failed {
            return None;
        }
        self.reset(plan, bases);
        self.join_values(plan, earlier);
        self.join_values(plan, later);
        Some(Results {
            end: later.end,
            records: earlier.records + later.records,
            output: Vec::new(),
            firsts: Firsts::default(),
            noted,
            values: self.collect(plan, bases)?,
            ranges: (Vec::new(), Vec::new()),
            ranges_met: earlier.ranges_met && later.ranges_met,
            complaint: None,
        })
    }

    /// Returns which elements had been counted before, by array.
    fn join_values(&mut self, plan: &Plan, results: &Results) -> Vec<(GlobalId, Vec<bool>)> {
        let found = || {
            plan.shares
                .iter()
                .zip(&results.values)
                .filter_map(|(share, value)| Some((share, value.as_ref()?)))
        };
        let rt = &mut self.rt;
        let (mut taken, mut counted) = (Vec::new(), Vec::new());
        for (share, value) in found().filter(|(share, _)| share.follows().is_none()) {
            if let (Join::Distinct, Slot::Global(array), Portable::Array(piece)) =
                (share.join, share.slot, value)
            {
                counted.push((array, rt.globals.join_counts(share, piece)));
                continue;
            }
            if rt.globals.join(&rt.program, &mut rt.current, &mut rt.workspace, share, value) {
                taken.push(share.slot);
            }
        }
        for (share, value) in found() {
            if share.follows().is_some_and(|best| taken.contains(&best)) {
                rt.globals.set_shared(&mut rt.current, share, value.to_value());
            }
        }
        counted
    }
}

fn fractional(plan: &Plan, results: &Results) -> Option<Slot> {
    let is_fraction = |value: &Value| value.number(b"").fract() != 0.0;
    let sums =
        || plan.shares.iter().zip(&results.values).filter(|(share, _)| share.join == Join::Sum);
    let found = sums().find(|(_, value)| match value {
        Some(Portable::Array(array)) => array.elements().any(|(_, value)| is_fraction(&value)),
        Some(value) => is_fraction(&value.to_value()),
        None => false,
    });
    found.or_else(|| sums().next()).map(|(share, _)| share.slot)
}

impl Machine {
    /// The sums of the plan are kept exactly from now on.
    pub fn keep_sums(&mut self, plan: &Plan) {
        self.rt.globals.keeps_sums = plan.relaxed_sums;
        for share in sums(plan).filter(|share| share.array) {
            if let Some(array) = self.rt.globals.shared_array(share) {
                array.borrow_mut().keep_sums();
            }
        }
    }

    /// Rounds the sums, as END sees them, and keeps them no longer.
    pub fn settle_sums(&mut self, plan: &Plan) {
        self.rt.globals.keeps_sums = false;
        for share in sums(plan) {
            match self.rt.globals.shared(&self.rt.current, share).clone() {
                Value::Array(array) => array.borrow_mut().settle_sums(),
                mut value => {
                    value.settle_sum();
                    self.rt.globals.set_shared(&mut self.rt.current, share, value);
                }
            }
        }
    }

    /// Runs the program but for what [`finish`](Self::finish) does, keeping the plan's sums exactly
    /// while `records` reads the main input.
    pub fn phases_with_sums(
        &mut self,
        plan: &Plan,
        watch: &mut PacedTier,
        records: impl FnOnce(&mut Machine, &mut PacedTier) -> Result<(), Box<RuntimeError>>,
    ) -> Result<(), Box<RuntimeError>> {
        if self.begin(watch)? {
            self.keep_sums(plan);
            let records = records(self, watch);
            self.settle_sums(plan);
            records?;
        }
        self.end(watch)
    }
}

fn sums(plan: &Plan) -> impl Iterator<Item = &Share> {
    plan.shares.iter().filter(|share| plan.relaxed_sums && share.join == Join::Sum)
}

impl Globals {
    pub(super) fn shared<'r>(&'r self, current: &'r CurrentRecord, share: &Share) -> &'r Value {
        match share.slot {
            Slot::Global(global) => &self.statics[global.index()],
            Slot::Special(special) => current.specials.value(special),
        }
    }

    pub(super) fn set_shared(&mut self, current: &mut CurrentRecord, share: &Share, value: Value) {
        match share.slot {
            Slot::Global(global) => self.statics[global.index()] = value,
            Slot::Special(special) => current.specials.store(special, value),
        }
    }

    fn join(
        &mut self,
        program: &Program,
        current: &mut CurrentRecord,
        workspace: &mut Workspace,
        share: &Share,
        piece: &Portable,
    ) -> bool {
        match piece {
            Portable::Array(piece) if share.join == Join::Contents => {
                self.replace_contents(share, piece)
            }
            Portable::Array(piece) => self.join_elements(program, current, workspace, share, piece),
            piece => {
                let mut value = self.shared(current, share).clone();
                let taken = workspace.join_value(
                    program,
                    current,
                    share.join,
                    &mut value,
                    piece.to_value(),
                    None,
                );
                self.set_shared(current, share, value);
                return taken;
            }
        }
        false
    }

    pub(super) fn shared_array(&mut self, share: &Share) -> Option<ArrayRef> {
        match share.slot {
            Slot::Global(global) => as_array(&mut self.statics[global.index()]).ok().cloned(),
            Slot::Special(_) => None,
        }
    }

    fn replace_contents(&mut self, share: &Share, piece: &PortableArray) {
        if let Some(array) = self.shared_array(share) {
            *array.borrow_mut() = piece.to_array();
        }
    }

    /// Adds counts; returns which keys had been counted before.
    fn join_counts(&mut self, share: &Share, piece: &PortableArray) -> Vec<bool> {
        let Some(array) = self.shared_array(share) else { return Vec::new() };
        let array: &mut Array = &mut array.borrow_mut();
        let add = |(key, count): (Probe<'_>, Value)| {
            let mut element = array.place(key);
            let before = element.number();
            element.set_number(before + count.number(b""));
            before != 0.0
        };
        piece.elements().map(add).collect()
    }

    fn join_elements(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        workspace: &mut Workspace,
        share: &Share,
        piece: &PortableArray,
    ) {
        let Some(array) = self.shared_array(share) else { return };
        let array: &mut Array = &mut array.borrow_mut();
        for (key, value) in piece.elements() {
            let was_there = array.contains(key);
            if let Place::Value(element) = array.place(key) {
                workspace.join_value(program, current, share.join, element, value, Some(was_there));
                continue;
            }
            let mut element = array.place(key).take();
            workspace.join_value(
                program,
                current,
                share.join,
                &mut element,
                value,
                Some(was_there),
            );
            array.set(key, element);
        }
    }
}

impl Workspace {
    /// Joins a value; `was_there` is whether the leader had the element. Returns whether it is the
    /// new maximum or minimum.
    fn join_value(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        join: Join,
        value: &mut Value,
        piece: Value,
        was_there: Option<bool>,
    ) -> bool {
        let nothing = matches!(piece, Value::Uninit | Value::Unassigned | Value::NoField);
        if nothing && was_there == Some(false) {
            *value = piece;
            return false;
        }
        match join {
            Join::Constant | Join::Contents | Join::Keys | Join::Follow(_) | Join::Distinct => {}
            Join::Last => *value = piece,
            Join::First => {
                // An element counts if it exists, a variable if it is not empty.
                if !was_there.unwrap_or_else(|| !is_empty(value)) {
                    *value = piece;
                }
            }
            Join::Sum if nothing => {}
            Join::Sum if program.exact => {
                if let Ok(sum) = current.exact(Update::Add, value, &piece) {
                    *value = sum;
                }
            }
            Join::Sum => value.add_sum(&piece),
            Join::Concatenation if nothing => {}
            Join::Concatenation => self.append(current, value, &piece),
            Join::Best { .. } if nothing => {}
            Join::Best { greatest, or_equal, vacant } => {
                let is_vacant = match vacant {
                    Empty::Never => false,
                    Empty::Text => is_empty(value),
                    Empty::Missing => was_there == Some(false),
                };
                let order = piece.compare(value, b"", &current.specials.convfmt);
                let better = if greatest { Ordering::Greater } else { Ordering::Less };
                if is_vacant
                    || order == Some(better)
                    || (or_equal && order == Some(Ordering::Equal))
                {
                    *value = piece;
                    return true;
                }
            }
        }
        false
    }
}

fn is_empty(value: &Value) -> bool {
    value.bytes(b"").is_some_and(<[u8]>::is_empty)
}
