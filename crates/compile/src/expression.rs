//! Expressions: to an operand, into a slot, or for their effect alone.

use crate::emit::{Compiler, Patches, field};
use crate::facts::{Facts, FieldForm};
use riverhawk_bytecode::operand::Srcs;
use riverhawk_bytecode::{
    ColumnNo, Dst, FieldNo, GlobalNo, NamedTable, Op, PatternRef, PreciseFn, RegexSpelling, Src,
    Want,
};
use riverhawk_syntax::ast::{BinaryOp, ExprId, ExprKind, Name, Span, Special, VariablePlace};
use riverhawk_syntax::deep;
use riverhawk_syntax::lint::unknown_escapes;

/// Parts that one operation concatenates; longer chains are split.
const CONCAT_PARTS: usize = 64;

impl Compiler<'_> {
    /// A constant, and the number of minuses before it.
    fn negated(&self, mut id: ExprId) -> Option<(ExprId, f64, usize)> {
        let mut minuses = 0;
        loop {
            match self.program[id].kind {
                ExprKind::Number(number) => return Some((id, number, minuses)),
                ExprKind::Minus(inner) => (id, minuses) = (inner, minuses + 1),
                _ => return None,
            }
        }
    }

    /// A slot with the expression's value: a variable or constant in place, or a register. `later`
    /// is evaluated before the slot is read.
    pub(crate) fn operand(&mut self, id: ExprId, later: Facts) -> Src {
        let id = self.program.peel(id);
        let program = self.program;
        match &program[id].kind {
            ExprKind::Number(number) => self.numeral(id, *number),
            ExprKind::String(text) => self.string(text),
            ExprKind::TypedRegex(pattern) => {
                self.span = program[id].span;
                self.regex_value(pattern, RegexSpelling::Typed)
            }
            ExprKind::Var(place) if !later.assigns => {
                self.span = program[id].span;
                match self.variable_slot(*place) {
                    Some(slot) => slot.src(),
                    None => self.in_register(id, later),
                }
            }
            ExprKind::Assign { .. } | ExprKind::Step { prefix: true, .. } if !later.assigns => {
                match self.assigned_slot(id) {
                    Some(slot) => {
                        self.effect(id);
                        slot.src()
                    }
                    None => self.in_register(id, later),
                }
            }
            _ => self.in_register(id, later),
        }
    }

    /// Uses `d` if it is a temporary register, so that a chain of a hundred thousand additions
    /// needs one register.
    fn operand_via(&mut self, d: Dst, id: ExprId, later: Facts) -> Src {
        let id = self.program.peel(id);
        if self.is_temporary(d) && matches!(self.program[id].kind, ExprKind::Binary(..)) {
            self.into(id, d, later.field_form());
            return d.src();
        }
        self.operand(id, later)
    }

    fn is_temporary(&self, d: Dst) -> bool {
        !d.is_static() && d.number() >= self.frame.params.len()
    }

    fn in_register(&mut self, id: ExprId, later: Facts) -> Src {
        let d = self.register();
        self.into(id, d, later.field_form());
        d.src()
    }

    /// The slot of a scalar variable, checked if the program may use it as an array.
    fn variable_slot(&mut self, place: VariablePlace) -> Option<Dst> {
        let slot = match place {
            VariablePlace::Param(number) => Dst::register(number),
            VariablePlace::Global(global) => self.global_slot(global)?,
            VariablePlace::Special(_) => return None,
        };
        self.check_scalar(place, slot);
        if self.mode.warns {
            self.emit(Op::CheckAssigned { s: slot.src() });
        }
        self.note_scalar(slot);
        Some(slot)
    }

    /// Emits the check for a name used both ways.
    pub(crate) fn check_scalar(&mut self, place: VariablePlace, slot: Dst) {
        if self.usage(place).array {
            self.emit(Op::CheckScalar { s: slot.src() });
        }
    }

    /// The plain variable that an assignment or prefix step stores to.
    fn assigned_slot(&mut self, id: ExprId) -> Option<Dst> {
        let (ExprKind::Assign { target, .. } | ExprKind::Step { target, .. }) =
            self.program[id].kind
        else {
            return None;
        };
        match self.program[self.program.peel(target)].kind {
            ExprKind::Var(VariablePlace::Param(number)) => Some(Dst::register(number)),
            ExprKind::Var(VariablePlace::Global(global)) => self.global_slot(global),
            _ => None,
        }
    }

    pub(crate) fn effect(&mut self, id: ExprId) {
        let id = self.program.peel(id);
        let mark = self.mark();
        self.span = self.program[id].span;
        match self.program[id].kind {
            ExprKind::Assign { .. } => self.assign(id, None),
            ExprKind::Step { .. } => self.step(id, None),
            _ => {
                let d = self.register();
                self.into(id, d, FieldForm::View);
            }
        }
        self.release(mark);
    }

    /// Evaluates into `d`, which is written last.
    pub(crate) fn into(&mut self, id: ExprId, d: Dst, form: FieldForm) {
        deep(|| self.write_into(id, d, form));
    }

    fn write_into(&mut self, id: ExprId, d: Dst, form: FieldForm) {
        let id = self.program.peel(id);
        let program = self.program;
        let expr = &program[id];
        let mark = self.mark();
        self.span = expr.span;
        match &expr.kind {
            ExprKind::Number(number) => {
                let s = self.numeral(id, *number);
                self.emit(Op::Move { d, s });
            }
            ExprKind::String(text) => {
                let s = self.string(text);
                self.emit(Op::Move { d, s });
            }
            ExprKind::TypedRegex(pattern) => {
                let s = self.regex_value(pattern, RegexSpelling::Typed);
                self.emit(Op::Move { d, s });
            }
            ExprKind::Regex(pattern) => self.match_record(pattern, d),
            ExprKind::Var(place) => self.read_variable(*place, d),
            ExprKind::Element { array, subscripts } => {
                self.get_element(*array, subscripts, d, expr.span);
            }
            ExprKind::Field(index) => self.field(*index, d, form),
            ExprKind::Group(inner) => self.into(*inner, d, form),
            ExprKind::In { subscripts, array } => {
                let (array, key) = self.element(*array, subscripts, Facts::NONE);
                self.span = expr.span;
                self.emit(Op::HasElement { d, array, key });
            }
            ExprKind::Assign { .. } => self.assign(id, Some(d)),
            ExprKind::Step { .. } => self.step(id, Some(d)),
            ExprKind::Cond { cond, yes, no } => {
                self.either(*cond, [*yes, *no], |compiler, way| compiler.into(way, d, form));
            }
            ExprKind::And(..) | ExprKind::Or(..) => self.truth_by_jumps(id, d),
            ExprKind::Not(inner) => {
                let a = self.operand(*inner, Facts::NONE);
                self.span = expr.span;
                self.emit(match self.mode.precise {
                    true => precise(PreciseFn::Not, d, a),
                    false => Op::Not { d, a },
                });
            }
            ExprKind::Minus(inner) if self.mode.precise => {
                self.minus_precisely(*inner, d, expr.span)
            }
            ExprKind::Minus(inner) => self.minus(*inner, d, expr.span),
            ExprKind::Plus(inner) => {
                let a = self.operand(*inner, Facts::NONE);
                self.span = expr.span;
                self.emit(self.to_number(d, a));
            }
            ExprKind::Binary(BinaryOp::Concat, ..) => self.concat(&self.concat_parts(id), d),
            ExprKind::Binary(op, left, right) => {
                let a = self.operand_via(d, *left, self.facts(*right));
                let b = self.operand(*right, Facts::NONE);
                self.span = expr.span;
                self.binary(*op, d, a, b);
            }
            ExprKind::Match { negated, text, regex } => {
                self.matches(*text, *regex, d, expr.span);
                if *negated {
                    self.emit(Op::Not { d, a: d.src() });
                }
            }
            ExprKind::Call { function, args } => self.call(*function, args, d, expr.span),
            ExprKind::IndirectCall { name, args } => self.indirect_call(*name, args, d, expr.span),
            ExprKind::Builtin { builtin, args } => {
                self.builtin(*builtin, args, d, form, expr.span);
            }
            ExprKind::Host { function, args } => self.host_call(*function, args, d, expr.span),
            ExprKind::Library { function, args } => self.library(*function, args, d, expr.span),
            ExprKind::CannotWork { complaint, args, .. } => {
                self.cannot_work(complaint, args, expr.span)
            }
            ExprKind::Getline { from, target } => {
                let start = self.unit.code.len();
                self.getline(*from, *target, d);
                if self.decides == Some(id) {
                    self.note_getline_loop(start);
                }
            }
        }
        self.release(mark);
    }

    fn get_element(&mut self, array: Name, subscripts: &[ExprId], d: Dst, span: Span) {
        if let Some(table) = self.table_of(array) {
            let key = self.key(subscripts, Facts::NONE);
            self.span = span;
            self.emit(Op::GetNamed { d, table, want: Want::Scalar, key });
        } else {
            let (array, key) = self.element(array, subscripts, Facts::NONE);
            self.span = span;
            match self.element_just_tested(array, key) {
                Some(held) if held == d => {}
                Some(held) => self.emit(Op::Move { d, s: held.src() }),
                None => self.emit(Op::GetElement { d, array, key }),
            }
        }
    }

    /// Evaluates one of two ways. Registers of the condition are used again: one that holds a text
    /// which a way appends to would have it copied.
    pub(crate) fn either<W>(
        &mut self,
        cond: ExprId,
        [yes, no]: [W; 2],
        mut evaluate: impl FnMut(&mut Self, W),
    ) {
        let mut otherwise = Patches::new();
        let mut end = Patches::new();
        let mark = self.mark();
        self.choose_unless(cond, &mut otherwise);
        self.release(mark);
        evaluate(self, yes);
        self.emit_jump(Op::Jump { to: Self::LATER }, &mut end);
        self.land(otherwise);
        self.release(mark);
        evaluate(self, no);
        self.land(end);
    }

    fn minus_precisely(&mut self, inner: ExprId, d: Dst, span: Span) {
        match self.negated(inner) {
            // Parentheses make it an operation, which rounds.
            Some((id, number, minuses)) => {
                let s = self.negative_numeral(id, number, minuses + 1);
                self.emit(Op::Move { d, s });
            }
            None => {
                let a = self.operand(inner, Facts::NONE);
                self.span = span;
                self.emit(precise(PreciseFn::Neg, d, a));
            }
        }
    }

    fn minus(&mut self, inner: ExprId, d: Dst, span: Span) {
        let peeled = self.program.peel(inner);
        if let ExprKind::Number(number) = self.program[peeled].kind {
            let s = self.double_or_integer(peeled, number, "-");
            self.emit(Op::Move { d, s });
        } else {
            let a = self.operand(inner, Facts::NONE);
            self.span = span;
            self.emit(Op::Neg { d, a });
        }
    }

    fn matches(&mut self, text: ExprId, regex: ExprId, d: Dst, span: Span) {
        let s = self.operand(text, self.facts(regex));
        let pattern = self.pattern(regex);
        self.span = span;
        self.emit(Op::Matches { d, s, pattern });
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, d: Dst, a: Src, b: Src) {
        if let (true, Some(f)) = (self.mode.precise, precise_operator(op)) {
            return self.emit(Op::Precise { f, d, a, b });
        }
        self.emit(match op {
            BinaryOp::Add => Op::Add { d, a, b },
            BinaryOp::Sub => Op::Sub { d, a, b },
            BinaryOp::Mul => Op::Mul { d, a, b },
            BinaryOp::Div => Op::Div { d, a, b },
            BinaryOp::Mod => Op::Mod { d, a, b },
            BinaryOp::Pow => Op::Pow { d, a, b },
            BinaryOp::Concat => Op::Concat { d, a, b },
            BinaryOp::Lt => Op::Less { d, a, b },
            BinaryOp::Le => Op::LessEqual { d, a, b },
            BinaryOp::Gt => Op::Less { d, a: b, b: a },
            BinaryOp::Ge => Op::LessEqual { d, a: b, b: a },
            BinaryOp::Eq => Op::Equal { d, a, b },
            BinaryOp::Ne => Op::NotEqual { d, a, b },
        });
    }

    pub(crate) fn to_number(&self, d: Dst, a: Src) -> Op {
        if self.mode.precise { precise(PreciseFn::Number, d, a) } else { Op::ToNumber { d, a } }
    }

    fn read_variable(&mut self, place: VariablePlace, d: Dst) {
        match place {
            VariablePlace::Special(v) => self.emit(Op::GetSpecial { d, v }),
            VariablePlace::Global(global) if self.global_slot(global).is_none() => {
                self.emit(Op::GetGlobal { d, g: GlobalNo(global.0) });
            }
            place => {
                if let Some(slot) = self.variable_slot(place) {
                    self.emit(Op::Move { d, s: slot.src() });
                }
            }
        }
    }

    fn field(&mut self, index: ExprId, d: Dst, form: FieldForm) {
        let own = form == FieldForm::Owned;
        if let Some(n) = self.constant_field(index) {
            self.emit(if own { Op::OwnField { d, n } } else { field(d, n) });
            return;
        }
        if let Some((c, i)) = self.column(index) {
            self.emit(if own { Op::OwnColumn { d, c, i } } else { Op::Column { d, c, i } });
            return;
        }
        let span = self.span;
        let i = self.operand(index, Facts::NONE);
        self.span = span;
        self.emit(if own { Op::OwnFieldAt { d, i } } else { Op::FieldAt { d, i } });
    }

    /// The field number, if it is a small constant.
    pub(crate) fn constant_field(&self, index: ExprId) -> Option<FieldNo> {
        match self.program[self.program.peel(index)].kind {
            ExprKind::Number(number) if (0.0..1e9).contains(&number) => {
                Some(FieldNo(number as u32))
            }
            _ => None,
        }
    }

    /// The column of a field number, and the slot with its number.
    fn column(&self, index: ExprId) -> Option<(ColumnNo, Src)> {
        let ExprKind::Var(VariablePlace::Global(global)) = self.program[index].kind else {
            return None;
        };
        self.program.globals[global.index()].column()?;
        let before = &self.program.globals[..global.index()];
        let number = before.iter().filter(|global| global.column().is_some()).count();
        Some((ColumnNo(number as u32), self.global_slot(global)?.src()))
    }

    pub(crate) fn is_record(&self, id: ExprId) -> bool {
        match self.program[self.program.peel(id)].kind {
            ExprKind::Field(index) => self.constant_field(index) == Some(FieldNo(0)),
            _ => false,
        }
    }

    fn match_record(&mut self, pattern: &[u8], d: Dst) {
        let record = self.register();
        let re = self.regex(pattern, RegexSpelling::Slashes);
        // Not a field of the program: no warning.
        self.emit_alone(field(record, FieldNo(0)));
        self.emit(Op::Matches { d, s: record.src(), pattern: PatternRef::constant(re) });
    }

    pub(crate) fn element(
        &mut self,
        array: Name,
        subscripts: &[ExprId],
        later: Facts,
    ) -> (Dst, Src) {
        if array.element.is_none() {
            let key = self.key(subscripts, later);
            return (self.array_of(array), key);
        }
        // From left to right: `a[i++][i++]`.
        let array = self.array_of(array);
        (array, self.key(subscripts, later))
    }

    pub(crate) fn table_of(&self, array: Name) -> Option<NamedTable> {
        if array.element.is_some() { None } else { self.named_table(array.place) }
    }

    pub(crate) fn subarray(&mut self, array: Name, subscripts: &[ExprId], span: Span) -> Dst {
        if let Some(table) = self.table_of(array) {
            let key = self.key(subscripts, Facts::NONE);
            let d = self.register();
            let before = std::mem::replace(&mut self.span, span);
            self.emit(Op::GetNamed { d, table, want: Want::Array, key });
            self.span = before;
            return d;
        }
        let (array, key) = self.element(array, subscripts, Facts::NONE);
        let d = self.register();
        let before = std::mem::replace(&mut self.span, span);
        self.emit(Op::GetSubarray { d, array, key });
        self.span = before;
        d
    }

    pub(crate) fn array_of(&mut self, name: Name) -> Dst {
        if let Some(element) = name.element
            && let ExprKind::Element { array, subscripts } = &self.program[element].kind
        {
            return deep(|| self.subarray(*array, subscripts, self.program[element].span));
        }
        let span = std::mem::replace(&mut self.span, name.span);
        let array = self.array(name.place);
        self.span = span;
        array
    }

    pub(crate) fn key(&mut self, subscripts: &[ExprId], later: Facts) -> Src {
        match subscripts {
            [only] => self.operand(*only, later),
            several => {
                let parts = self.operands(several, Facts::NONE);
                let d = self.register();
                self.emit(Op::JoinKey { d, parts });
                d.src()
            }
        }
    }

    /// All are evaluated before they are read.
    pub(crate) fn operands(&mut self, ids: &[ExprId], later: Facts) -> Srcs {
        let slots = self.slots(ids, later);
        self.list(&slots)
    }

    pub(crate) fn slots(&mut self, ids: &[ExprId], later: Facts) -> Vec<Src> {
        let following = self.following(ids, later);
        ids.iter().zip(following).map(|(&id, later)| self.operand(id, later)).collect()
    }

    /// For each expression, the facts of those after it and of `later`.
    pub(crate) fn following(&self, ids: &[ExprId], later: Facts) -> Vec<Facts> {
        let mut following = vec![later; ids.len()];
        for at in (1..ids.len()).rev() {
            following[at - 1] = following[at].or(self.facts(ids[at]));
        }
        following
    }

    /// From left to right.
    pub(crate) fn concat_parts(&self, id: ExprId) -> Vec<ExprId> {
        let mut parts = Vec::new();
        let mut rest = id;
        loop {
            // Concatenation is associative: parentheses around the left part do not matter.
            match self.program[self.program.peel(rest)].kind {
                ExprKind::Binary(BinaryOp::Concat, left, right) => {
                    parts.push(right);
                    rest = left;
                }
                _ => {
                    parts.push(rest);
                    parts.reverse();
                    return parts;
                }
            }
        }
    }

    pub(crate) fn concat(&mut self, parts: &[ExprId], d: Dst) {
        let span = self.span;
        let s = self.concat_slots(parts);
        self.span = span;
        match *s.as_slice() {
            [a, b] => self.emit(Op::Concat { d, a, b }),
            _ => {
                let parts = self.list(&s);
                self.emit(Op::ConcatAll { d, parts });
            }
        }
    }

    /// At most [`CONCAT_PARTS`] slots: longer chains are folded from the left.
    pub(crate) fn concat_slots(&mut self, parts: &[ExprId]) -> Vec<Src> {
        if parts.len() <= CONCAT_PARTS {
            return self.slots(parts, Facts::NONE);
        }
        let folded = self.register();
        let mut rest = parts;
        let mut first = true;
        while !rest.is_empty() {
            let (now, after) = rest.split_at(rest.len().min(CONCAT_PARTS));
            let mark = self.mark();
            let mut slots = self.slots(now, Facts::NONE);
            if !first {
                slots.insert(0, folded.src());
            }
            let parts = self.list(&slots);
            self.emit(Op::ConcatAll { d: folded, parts });
            self.release(mark);
            rest = after;
            first = false;
        }
        vec![folded.src()]
    }

    pub(crate) fn pattern(&mut self, id: ExprId) -> PatternRef {
        let id = self.program.peel(id);
        let program = self.program;
        self.span = program[id].span;
        match &program[id].kind {
            ExprKind::Regex(pattern) => {
                PatternRef::constant(self.regex(pattern, RegexSpelling::Slashes))
            }
            ExprKind::TypedRegex(pattern) => {
                PatternRef::constant(self.regex(pattern, RegexSpelling::Typed))
            }
            ExprKind::String(text) if self.has_warned_escapes(text) => {
                PatternRef::slot(self.string(text))
            }
            ExprKind::String(text) => PatternRef::constant(self.regex(text, RegexSpelling::Text)),
            _ => PatternRef::slot(self.operand(id, Facts::NONE)),
        }
    }

    /// Whether a string used as a regex has escapes to warn of when it is reached, as with computed
    /// ones.
    pub(crate) fn has_warned_escapes(&self, text: &[u8]) -> bool {
        unknown_escapes(text, self.program.dialect).next().is_some()
    }

    /// The separator of `split`: a string of one character is not a regex.
    pub(crate) fn separator(&mut self, id: ExprId) -> PatternRef {
        match &self.program[self.program.peel(id)].kind {
            ExprKind::String(text) if text.len() <= 1 => PatternRef::slot(self.string(text)),
            ExprKind::Var(VariablePlace::Special(Special::Fs)) => PatternRef::FIELD_SEPARATOR,
            _ => self.pattern(id),
        }
    }
}

pub(crate) fn precise(f: PreciseFn, d: Dst, a: Src) -> Op {
    Op::Precise { f, d, a, b: a }
}

fn precise_operator(op: BinaryOp) -> Option<PreciseFn> {
    Some(match op {
        BinaryOp::Add => PreciseFn::Add,
        BinaryOp::Sub => PreciseFn::Sub,
        BinaryOp::Mul => PreciseFn::Mul,
        BinaryOp::Div => PreciseFn::Div,
        BinaryOp::Mod => PreciseFn::Mod,
        BinaryOp::Pow => PreciseFn::Pow,
        _ => return None,
    })
}
