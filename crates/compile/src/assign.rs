//! Assignment, `op=`, `++` and `--`, to every kind of lvalue.

use crate::emit::{Compiler, Patches, field};
use crate::facts::{Facts, FieldForm, changes_nothing};
use riverhawk_bytecode::{Dst, FieldNo, GlobalNo, NamedTable, Op, Src, Step, Update, Want};
use riverhawk_syntax::ast::{BinaryOp, Builtin, ExprId, ExprKind, Special, VariablePlace};
use riverhawk_syntax::deep;

/// Where a value is stored, with its subscripts or field number already evaluated.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    Slot(Dst),
    /// Past the reach of a slot.
    Global(GlobalNo),
    Special(Special),
    Element {
        array: Dst,
        /// The joined subscripts.
        key: Src,
    },
    /// A variable by its name.
    Named {
        table: NamedTable,
        /// Its name.
        key: Src,
    },
    Field(FieldNo),
    FieldAt(Src),
    /// Not an lvalue: the value is dropped.
    Nowhere,
}

impl Compiler<'_> {
    /// Evaluates subscripts or the field number; `later` is evaluated before the store.
    pub(crate) fn target(&mut self, id: ExprId, later: Facts) -> Target {
        let id = self.program.peel(id);
        let program = self.program;
        match &program[id].kind {
            ExprKind::Var(VariablePlace::Special(special)) => Target::Special(*special),
            ExprKind::Var(place) => {
                let span = std::mem::replace(&mut self.span, program[id].span);
                let target = self.variable_target(*place);
                self.span = span;
                target
            }
            ExprKind::Element { array, subscripts } => match self.table_of(*array) {
                Some(table) => Target::Named { table, key: self.key(subscripts, later) },
                None => {
                    let (array, key) = self.element(*array, subscripts, later);
                    Target::Element { array, key }
                }
            },
            ExprKind::Field(index) => match self.constant_field(*index) {
                Some(n) => Target::Field(n),
                None => Target::FieldAt(self.operand(*index, later)),
            },
            _ => Target::Nowhere,
        }
    }

    fn variable_target(&mut self, place: VariablePlace) -> Target {
        let slot = match place {
            VariablePlace::Param(number) => Dst::register(number),
            VariablePlace::Global(global) => match self.global_slot(global) {
                Some(slot) => slot,
                None => return Target::Global(GlobalNo(global.0)),
            },
            VariablePlace::Special(special) => return Target::Special(special),
        };
        self.check_scalar(place, slot);
        // Assigning a parameter makes its argument a scalar.
        if let VariablePlace::Param(_) = place {
            self.note_scalar(slot);
        }
        Target::Slot(slot)
    }

    pub(crate) fn store(&mut self, target: Target, s: Src) {
        match target {
            Target::Slot(d) if d.src() == s => {}
            Target::Slot(d) => self.emit(Op::Move { d, s }),
            Target::Global(g) => self.emit(Op::SetGlobal { g, s }),
            Target::Special(v) => self.emit(Op::SetSpecial { v, s }),
            Target::Element { array, key } => self.emit(Op::SetElement { array, key, s }),
            Target::Named { table, key } => self.emit(Op::SetNamed { table, key, s }),
            Target::Field(n) => self.emit(Op::SetField { n, s }),
            Target::FieldAt(i) => self.emit(Op::SetFieldAt { i, s }),
            Target::Nowhere => {}
        }
    }

    pub(crate) fn load(&mut self, target: Target) -> Dst {
        if let Target::Slot(slot) = target {
            return slot;
        }
        let d = self.register();
        match target {
            Target::Slot(_) | Target::Nowhere => {}
            Target::Global(g) => self.emit(Op::GetGlobal { d, g }),
            Target::Special(v) => self.emit(Op::GetSpecial { d, v }),
            Target::Element { array, key } => self.emit(Op::GetElement { d, array, key }),
            Target::Named { table, key } => {
                self.emit(Op::GetNamed { d, table, want: Want::Scalar, key })
            }
            Target::Field(n) => self.emit(field(d, n)),
            Target::FieldAt(i) => self.emit(Op::FieldAt { d, i }),
        }
        d
    }

    /// The value also goes to `result`, if given.
    pub(crate) fn assign(&mut self, id: ExprId, result: Option<Dst>) {
        let ExprKind::Assign { op, target, value } = self.program[id].kind else { return };
        let span = self.program[id].span;
        match op {
            None => {
                let form = match self.locals.views.get(id.index()).is_some_and(|&view| view) {
                    true => FieldForm::View,
                    false => FieldForm::Owned,
                };
                self.assign_plain(target, value, form, result);
            }
            Some(op) => self.assign_update(op, target, value, result),
        }
        self.span = span;
    }

    fn assign_plain(
        &mut self,
        target: ExprId,
        value: ExprId,
        form: FieldForm,
        result: Option<Dst>,
    ) {
        let span = self.span;
        let target_id = self.program.peel(target);
        if result.is_none()
            && let Some((cond, ways)) = self.ways_to_append(target_id, value)
        {
            return self.either(cond, ways, |compiler, parts| {
                compiler.span = span;
                match *parts {
                    [only] => compiler.assign_plain(target, only, form, None),
                    _ => compiler.assign_joined(target_id, &parts),
                }
            });
        }
        if let ExprKind::Var(place) = self.program[target_id].kind
            && let Target::Slot(slot) = self.variable_target(place)
        {
            if self.usage(place).array {
                // Evaluating the value may make the name an array, if it is used both ways.
                let s = self.operand(value, Facts::NONE);
                self.check_scalar(place, slot);
                self.emit(Op::Move { d: slot, s });
            } else if self.inspects_types
                && matches!(self.program[self.program.peel(value)].kind, ExprKind::Element { .. })
            {
                // The assigned value has a type; read directly from the element it would have none.
                let s = self.operand(value, Facts::NONE);
                self.emit(Op::Move { d: slot, s });
            } else if !self.append_to_itself(target_id, slot, &self.concat_parts(value)) {
                self.into(value, slot, form);
            }
            if let Some(d) = result.filter(|&d| d != slot) {
                self.emit(Op::Move { d, s: slot.src() });
            }
            return;
        }
        if result.is_none() && self.append_to_own_element(target_id, &self.concat_parts(value)) {
            return;
        }
        // As in gawk, the value is evaluated before the target's subscripts. Storing to a field
        // ends all views, so a value that is still needed must be owned.
        let mut later = self.facts(target_id);
        let stores_field = matches!(
            self.program[target_id].kind,
            ExprKind::Field(_) | ExprKind::Var(VariablePlace::Special(_))
        );
        later.record |= stores_field && result.is_some();
        let s = self.operand(value, later);
        let target = self.target(target_id, Facts::NONE);
        self.span = span;
        self.store(target, s);
        if let Some(d) = result {
            self.emit(Op::Move { d, s });
        }
    }

    /// What is assigned either way by `s = c ? a : b` and `s = (c ? a : b) d`, each as the parts that
    /// are joined, where one of the two grows in place.
    fn ways_to_append(&self, target: ExprId, value: ExprId) -> Option<(ExprId, [Vec<ExprId>; 2])> {
        let parts = self.concat_parts(value);
        let (&first, rest) = parts.split_first()?;
        let ExprKind::Cond { cond, yes, no } = self.program[self.program.peel(first)].kind else {
            return None;
        };
        let ways = [yes, no].map(|way| [self.concat_parts(way), rest.to_vec()].concat());
        ways.iter().any(|way| self.appended(target, way).is_some()).then_some((cond, ways))
    }

    /// Assigns the parts of a concatenation.
    fn assign_joined(&mut self, target: ExprId, parts: &[ExprId]) {
        if let ExprKind::Var(place) = self.program[target].kind
            && let Target::Slot(slot) = self.variable_target(place)
            && !self.usage(place).array
        {
            if !self.append_to_itself(target, slot, parts) {
                self.concat(parts, slot);
            }
        } else if !self.append_to_own_element(target, parts) {
            let s = self.joined(parts);
            let target = self.target(target, Facts::NONE);
            self.store(target, s);
        }
    }

    /// Compiles `s = s a b` to growth in place, if it is that.
    fn append_to_itself(&mut self, target: ExprId, slot: Dst, parts: &[ExprId]) -> bool {
        let Some(rest) = self.appended(target, parts) else { return false };
        if rest.len() > 1 && rest.iter().all(|&id| self.is_apart(id, target)) {
            for &part in rest {
                let mark = self.mark();
                let s = self.operand(part, Facts::NONE);
                self.emit(Op::Append { v: slot, s });
                self.release(mark);
            }
        } else {
            let s = self.joined(rest);
            self.emit(Op::Append { v: slot, s });
        }
        true
    }

    /// Compiles `e[k] = e[k] a b` to growth in place, if it is that: collecting text by key then
    /// costs linear time.
    fn append_to_own_element(&mut self, target: ExprId, parts: &[ExprId]) -> bool {
        let program = self.program;
        let ExprKind::Element { array, subscripts } = &program[target].kind else { return false };
        let Some(rest) = self.appended(target, parts) else { return false };
        let v = self.joined(rest);
        let key = self.key(subscripts, Facts::NONE);
        let array = self.array_of(*array);
        self.emit(Op::AppendElement { array, key, v });
        true
    }

    /// What an assignment of joined parts adds to its target, which it reads first: `a b` in
    /// `s = s a b`.
    fn appended<'p>(&self, target: ExprId, parts: &'p [ExprId]) -> Option<&'p [ExprId]> {
        let (&first, rest) = parts.split_first()?;
        if rest.is_empty() || !self.is_same(target, first) {
            return None;
        }
        let is_wanted = match &self.program[target].kind {
            ExprKind::Var(_) => {
                let is_short = rest.len() <= 8 && !rest.iter().any(|&id| self.is_same(target, id));
                !self.facts_of(rest).assigns && (rest.len() == 1 || is_short)
            }
            ExprKind::Element { array, .. } => {
                self.named_table(array.place).is_none()
                    && self.has_pure_subscripts(target)
                    && rest.iter().all(|&id| self.is_pure(id, Some(target)))
            }
            _ => false,
        };
        is_wanted.then_some(rest)
    }

    fn has_pure_subscripts(&self, element: ExprId) -> bool {
        let ExprKind::Element { array, subscripts } = &self.program[element].kind else {
            return false;
        };
        subscripts.iter().all(|&id| self.is_pure(id, None))
            && array.element.is_none_or(|outer| deep(|| self.has_pure_subscripts(outer)))
    }

    fn joined(&mut self, parts: &[ExprId]) -> Src {
        if let [only] = *parts {
            return self.operand(only, Facts::NONE);
        }
        let slots = self.slots(parts, Facts::NONE);
        let parts = self.list(&slots);
        let d = self.register();
        self.emit(Op::ConcatAll { d, parts });
        d.src()
    }

    /// Whether evaluating it changes nothing and does not read this variable.
    fn is_apart(&self, id: ExprId, variable: ExprId) -> bool {
        changes_nothing(self.program, id, &mut |expr| match &expr.kind {
            kind @ ExprKind::Var(_) => !self.is_same_kind(kind, &self.program[variable].kind),
            // An element of SYMTAB may be the variable.
            ExprKind::Element { array, subscripts } => {
                array.element.is_none()
                    && self.named_table(array.place).is_none()
                    && subscripts.iter().all(|&id| self.is_apart(id, variable))
            }
            _ => true,
        })
    }

    /// Whether it is the same at any time before an assignment to `element`, which is read first.
    fn is_pure(&self, id: ExprId, element: Option<ExprId>) -> bool {
        let kind = |id: ExprId| &self.program[self.program.peel(id)].kind;
        changes_nothing(self.program, id, &mut |expr| match &expr.kind {
            ExprKind::Element { .. } => {
                element.is_some_and(|own| self.is_same_kind(kind(own), &expr.kind))
            }
            // A variable may be an array, which the element belongs to.
            ExprKind::Builtin { builtin: Builtin::Length, args } => {
                !args.iter().any(|&id| matches!(kind(id), ExprKind::Var(_)))
            }
            _ => true,
        })
    }

    /// Whether two pure expressions, or elements under such, are written alike.
    fn is_same(&self, a: ExprId, b: ExprId) -> bool {
        let kind = |id: ExprId| &self.program[self.program.peel(id)].kind;
        deep(|| self.is_same_kind(kind(a), kind(b)))
    }

    fn is_same_kind(&self, a: &ExprKind, b: &ExprKind) -> bool {
        let all = |a: &[ExprId], b: &[ExprId]| {
            a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.is_same(a, b))
        };
        match (a, b) {
            (ExprKind::Var(a), ExprKind::Var(b)) => a == b,
            // Under -M numerals beyond are more than their doubles.
            (ExprKind::Number(a), ExprKind::Number(b)) => {
                a == b && a.fract() == 0.0 && a.abs() < (1_u64 << 53) as f64
            }
            (ExprKind::String(a), ExprKind::String(b)) => a == b,
            (&ExprKind::Field(a), &ExprKind::Field(b)) => self.is_same(a, b),
            (&ExprKind::Binary(op, a, c), &ExprKind::Binary(other, b, d)) => {
                op == other && all(&[a, c], &[b, d])
            }
            (
                ExprKind::Builtin { builtin, args },
                ExprKind::Builtin { builtin: other, args: others },
            ) => builtin == other && all(args, others),
            (
                ExprKind::Element { array, subscripts },
                ExprKind::Element { array: other, subscripts: others },
            ) => {
                let are_in_same = match (array.element, other.element) {
                    (Some(a), Some(b)) => self.is_same(a, b),
                    (None, None) => true,
                    _ => false,
                };
                array.place == other.place && are_in_same && all(subscripts, others)
            }
            _ => false,
        }
    }

    fn assign_update(&mut self, op: BinaryOp, target: ExprId, value: ExprId, result: Option<Dst>) {
        let span = self.span;
        let target_id = self.program.peel(target);
        if result.is_none() && self.notes.sums.contains(&value) {
            return self.update_sum(op, target_id, value);
        }
        if result.is_none()
            && op == BinaryOp::Add
            && !self.mode.precise
            && self.adds_record_length(target_id, value)
        {
            return;
        }
        let mut v = self.operand(value, self.facts(target_id));
        let noted = self.notes.addends.contains(&value);
        if let (true, BinaryOp::Add, ExprKind::Var(place)) =
            (noted, op, &self.program[target_id].kind)
            && let Target::Slot(slot) = self.variable_target(*place)
            && result.is_none()
        {
            self.span = span;
            self.emit(Op::NoteAdd { v: slot, a: v });
            return;
        }
        if noted {
            let d = self.register();
            self.emit(Op::Addend { d, a: v });
            v = d.src();
        }
        let target = self.target(target_id, Facts::NONE);
        self.span = span;
        let Some(update) = Update::of(op) else { return };
        match target {
            Target::Slot(slot) => {
                self.binary(op, slot, slot.src(), v);
                if let Some(d) = result.filter(|&d| d != slot) {
                    self.emit(Op::Move { d, s: slot.src() });
                }
            }
            // The operations that update elements and fields know only doubles.
            _ if self.mode.precise => self.update_via_register(op, target, v, result),
            Target::Element { array, key } => {
                let d = result.unwrap_or_else(|| self.register());
                self.emit(Op::UpdateElement { op: update, d, array, key, v });
            }
            Target::Field(n) => {
                let i = self.number(f64::from(n.0));
                let d = result.unwrap_or_else(|| self.register());
                self.emit(Op::UpdateField { op: update, d, i, v });
            }
            Target::FieldAt(i) => {
                let d = result.unwrap_or_else(|| self.register());
                self.emit(Op::UpdateField { op: update, d, i, v });
            }
            Target::Global(_) | Target::Special(_) | Target::Named { .. } | Target::Nowhere => {
                self.update_via_register(op, target, v, result);
            }
        }
    }

    fn update_sum(&mut self, op: BinaryOp, target: ExprId, value: ExprId) {
        let span = self.span;
        let mut a = self.operand(value, self.facts(target));
        if op == BinaryOp::Sub {
            let d = self.register();
            self.emit(Op::Neg { d, a });
            a = d.src();
        }
        let target = self.target(target, Facts::NONE);
        self.span = span;
        self.add_exactly(target, a);
    }

    fn add_exactly(&mut self, target: Target, a: Src) {
        match target {
            Target::Slot(v) => self.emit(Op::AddExactly { v, a }),
            Target::Element { array, key } => self.emit(Op::AddExactlyToElement { array, key, a }),
            // Only globals are kept exactly.
            _ => {
                let v = self.load(target);
                self.emit(Op::AddExactly { v, a });
                self.store(target, v.src());
            }
        }
    }

    fn update_via_register(&mut self, op: BinaryOp, target: Target, v: Src, result: Option<Dst>) {
        let loaded = self.load(target);
        self.binary(op, loaded, loaded.src(), v);
        self.store(target, loaded.src());
        if let Some(d) = result {
            self.emit(Op::Move { d, s: loaded.src() });
        }
    }

    /// `n += length` or `n += length($0)` with a plain variable.
    fn adds_record_length(&mut self, target: ExprId, value: ExprId) -> bool {
        let ExprKind::Builtin { builtin: Builtin::Length, args } =
            &self.program[self.program.peel(value)].kind
        else {
            return false;
        };
        if !args.first().is_none_or(|&argument| self.is_record(argument)) {
            return false;
        }
        let ExprKind::Var(place) = self.program[target].kind else { return false };
        match self.variable_target(place) {
            Target::Slot(v) => {
                let noted = self.notes.addends.contains(&value);
                self.emit(if noted {
                    Op::NoteRecordLength { v }
                } else {
                    Op::AddRecordLength { v }
                });
                true
            }
            _ => false,
        }
    }

    /// `++x`, `x--` and so on, with the value in `result` if given.
    pub(crate) fn step(&mut self, id: ExprId, result: Option<Dst>) {
        let ExprKind::Step { prefix, down, target } = self.program[id].kind else { return };
        let span = self.span;
        let target = self.target(target, Facts::NONE);
        self.span = span;
        if result.is_none() && self.notes.sums.contains(&id) {
            let one = self.number(if down { -1.0 } else { 1.0 });
            return self.add_exactly(target, one);
        }
        let how = match (prefix, down) {
            (true, false) => Step::PreUp,
            (true, true) => Step::PreDown,
            (false, false) => Step::PostUp,
            (false, true) => Step::PostDown,
        };
        match target {
            Target::Slot(v) => self.step_slot(v, prefix, down, result),
            _ if self.mode.precise => {
                let loaded = self.load(target);
                self.step_slot(loaded, prefix, down, result);
                self.store(target, loaded.src());
            }
            Target::Element { array, key } => match result {
                None if !down => self.emit(Op::CountElement { array, key }),
                _ => {
                    let d = result.unwrap_or_else(|| self.register());
                    self.emit(Op::StepElement { how, d, array, key });
                }
            },
            Target::Field(_) | Target::FieldAt(_) => {
                let i = match target {
                    Target::FieldAt(i) => i,
                    Target::Field(n) => self.number(f64::from(n.0)),
                    _ => return,
                };
                let d = result.unwrap_or_else(|| self.register());
                self.emit(Op::StepField { how, d, i });
            }
            Target::Global(_) | Target::Special(_) | Target::Named { .. } | Target::Nowhere => {
                let loaded = self.load(target);
                self.step_slot(loaded, prefix, down, result);
                self.store(target, loaded.src());
            }
        }
    }

    fn step_slot(&mut self, v: Dst, prefix: bool, down: bool, result: Option<Dst>) {
        if self.mode.precise {
            return self.step_slot_precisely(v, prefix, down, result);
        }
        let step = |v| if down { Op::Decrement { v } } else { Op::Increment { v } };
        match result {
            None => self.emit(step(v)),
            Some(d) if prefix => {
                self.emit(step(v));
                if d != v {
                    self.emit(Op::Move { d, s: v.src() });
                }
            }
            Some(d) => {
                // `x = x++`: the old value is stored back.
                let old = if d == v { self.register() } else { d };
                self.emit(if down {
                    Op::PostDecrement { d: old, v }
                } else {
                    Op::PostIncrement { d: old, v }
                });
                if old != d {
                    self.emit(Op::Move { d, s: old.src() });
                }
            }
        }
    }

    fn step_slot_precisely(&mut self, v: Dst, prefix: bool, down: bool, result: Option<Dst>) {
        let one = self.number(1.0);
        let op = if down { BinaryOp::Sub } else { BinaryOp::Add };
        match result.filter(|_| !prefix) {
            None => {
                self.binary(op, v, v.src(), one);
                if let Some(d) = result.filter(|&d| d != v) {
                    self.emit(Op::Move { d, s: v.src() });
                }
            }
            Some(d) => {
                // As below: the old value may be stored back.
                let old = self.register();
                self.emit(self.to_number(old, v.src()));
                self.binary(op, v, old.src(), one);
                self.emit(Op::Move { d, s: old.src() });
            }
        }
    }

    pub(crate) fn store_when_positive(&mut self, target: Target, s: Src, count: Dst) {
        let mut none = Patches::new();
        let zero = self.number(0.0);
        self.emit_jump(Op::JumpNotLess { a: zero, b: count.src(), to: Self::LATER }, &mut none);
        self.store(target, s);
        self.land(none);
    }
}
