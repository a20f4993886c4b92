//! Calls of user functions and built-ins, and getline.

use crate::assign::Target;
use crate::emit::Compiler;
use crate::expression::precise;
use crate::facts::{Facts, FieldForm};
use riverhawk_bytecode::{
    ArrayArguments, Dst, FieldNo, FrameId, GetlineSource, GlobalNo, HostNo, MathFn, Op, PatternRef,
    PreciseFn, RegexSpelling, Regs, Src, Want,
};
use riverhawk_syntax::Visit;
use riverhawk_syntax::ast::{
    Builtin, ExprId, ExprKind, FunctionId, GetlineFrom, HostId, LibraryFn, Span, VariablePlace,
};
use riverhawk_syntax::library::ParameterKind;

impl Compiler<'_> {
    pub(crate) fn call(&mut self, function: FunctionId, args: &[ExprId], d: Dst, span: Span) {
        let returned = self.place_of_returned(d);
        let params = &self.program.functions[function.index()].params;
        // The callee's registers begin at the first argument, so arguments are above all registers
        // in use.
        let registers: Vec<Dst> = args.iter().map(|_| self.register()).collect();
        for ((&argument, &register), param) in args.iter().zip(&registers).zip(params) {
            let mark = self.mark();
            let only_scalar = param.usage.scalar && !param.usage.array;
            self.argument(argument, register, only_scalar);
            self.release(mark);
        }
        self.span = span;
        if !self.program.functions[function.index()].defined {
            let complaint = format!(
                "function `{}' is not defined",
                self.program.functions[function.index()].name
            );
            return self.fail(&complaint);
        }
        let first = registers.first().map_or(self.mark(), |first| first.number());
        let arguments = Regs { first: first as u16, count: registers.len() as u16 };
        self.emit(Op::Call { d: returned, function: FrameId(function.0), arguments });
        self.take_returned(returned, d, span);
    }

    /// A call that always fails.
    pub(crate) fn cannot_work(&mut self, complaint: &str, args: &[ExprId], span: Span) {
        for &argument in args {
            let mark = self.mark();
            let register = self.register();
            self.argument(argument, register, false);
            self.release(mark);
        }
        self.span = span;
        self.fail(complaint);
    }

    /// In an observed run the returned value gets its own register: a debugger that stops after the
    /// call shows it, and the assigned variable before the change.
    fn place_of_returned(&mut self, d: Dst) -> Dst {
        if self.mode.observed { self.register() } else { d }
    }

    fn take_returned(&mut self, returned: Dst, d: Dst, span: Span) {
        if self.mode.observed {
            self.visit(Visit::Returned, span);
            self.emit(Op::Move { d, s: returned.src() });
        }
    }

    /// Calls the function that a variable names; its parameters are known only at run time.
    pub(crate) fn indirect_call(&mut self, name: ExprId, args: &[ExprId], d: Dst, span: Span) {
        let returned = self.place_of_returned(d);
        let name = self.operand(name, self.facts_of(args));
        let registers: Vec<Dst> = args.iter().map(|_| self.register()).collect();
        for (&argument, &register) in args.iter().zip(&registers) {
            let mark = self.mark();
            self.argument(argument, register, false);
            self.release(mark);
        }
        self.span = span;
        let first = registers.first().map_or(self.mark(), |first| first.number());
        let arguments = Regs { first: first as u16, count: registers.len() as u16 };
        self.emit(Op::CallIndirect { d: returned, name, arguments });
        self.take_returned(returned, d, span);
    }

    fn argument(&mut self, id: ExprId, d: Dst, only_scalar: bool) {
        let shares = !only_scalar || self.inspects_types;
        if let ExprKind::Element { array, subscripts } = &self.program[id].kind
            && shares
        {
            let span = self.program[id].span;
            if let Some(table) = self.table_of(*array) {
                let key = self.key(subscripts, Facts::NONE);
                self.span = span;
                return self.emit(Op::GetNamed { d, table, want: Want::Any, key });
            }
            let (array, key) = self.element(*array, subscripts, Facts::NONE);
            self.span = span;
            if only_scalar {
                self.emit(Op::GetElement { d, array, key });
            }
            return self.emit(Op::ArgumentElement { d, array, key });
        }
        // `f((x))` passes a value; only the bare name can be an array.
        let ExprKind::Var(place @ (VariablePlace::Global(_) | VariablePlace::Param(_))) =
            self.program[id].kind
        else {
            return self.into(id, d, FieldForm::Owned);
        };
        self.span = self.program[id].span;
        self.refresh(place);
        let slot = match place {
            VariablePlace::Param(number) => Dst::register(number),
            VariablePlace::Global(global) => match self.global_slot(global) {
                Some(slot) => slot,
                None => {
                    let g = GlobalNo(global.0);
                    self.emit(Op::ArgumentGlobal { d, g });
                    if only_scalar {
                        self.emit(Op::Argument { d, s: d.src() });
                    }
                    return;
                }
            },
            VariablePlace::Special(_) => return,
        };
        if only_scalar && shares {
            self.emit(Op::CheckScalar { s: slot.src() });
        }
        self.emit(if shares {
            Op::ArgumentByName { d, s: slot }
        } else {
            Op::Argument { d, s: slot.src() }
        });
    }

    pub(crate) fn builtin(
        &mut self,
        builtin: Builtin,
        args: &[ExprId],
        d: Dst,
        form: FieldForm,
        span: Span,
    ) {
        use Builtin as B;
        let view = form == FieldForm::View;
        let op = match (builtin, args) {
            (B::Length, []) => Op::LengthField { d, n: FieldNo(0) },
            (B::Length, &[s]) => self.length(s, d),
            (B::Substr, &[s, m]) => {
                let [s, m] = self.several([s, m]);
                Op::SubstrFrom { view, d, s, m }
            }
            (B::Substr, &[s, m, n]) => {
                let [s, m, n] = self.several([s, m, n]);
                Op::Substr { view, d, s, m, n }
            }
            (B::Index, &[s, t]) => {
                let [s, t] = self.several([s, t]);
                Op::Index { d, s, t }
            }
            (B::Split, args) => self.split(args, d),
            (B::Sub | B::Gsub, args) => return self.substitute(builtin == B::Gsub, args, d, span),
            (B::Match, &[s, regex]) => {
                let s = self.operand(s, self.facts(regex));
                let pattern = self.pattern(regex);
                Op::MatchAt { d, s, pattern }
            }
            (B::Match, &[s, regex, array]) => {
                let s = self.operand(s, self.facts(regex));
                let pattern = self.pattern(regex);
                let array = self.array_argument(array);
                Op::MatchGroups { d, s, pattern, array }
            }
            (B::Sprintf, args) => {
                self.format_of(args, Facts::NONE, span);
                Op::TakeFormatted { d }
            }
            (B::Atan2, &[a, b]) => {
                let [a, b] = self.several([a, b]);
                match self.mode.precise {
                    true => Op::Precise { f: PreciseFn::Atan2, d, a, b },
                    false => Op::Atan2 { d, a, b },
                }
            }
            (B::Close, &[s, end]) => {
                let [s, end] = self.several([s, end]);
                Op::CloseEnd { d, s, end }
            }
            (B::Rand, _) if self.mode.precise => precise(PreciseFn::Rand, d, self.number(0.0)),
            (B::Rand, _) => Op::Rand { d },
            (B::Srand, []) if self.mode.precise => {
                precise(PreciseFn::SrandByTime, d, self.number(0.0))
            }
            (B::Srand, []) => Op::SrandByTime { d },
            (B::Fflush, []) => Op::FlushAll { d },
            (_, &[only]) => {
                let s = self.operand(only, Facts::NONE);
                match precise_function(builtin).filter(|_| self.mode.precise) {
                    Some(f) => precise(f, d, s),
                    None => of_one(builtin, d, s),
                }
            }
            (other, args) => unreachable!("{} with {} arguments", other.name(), args.len()),
        };
        self.span = span;
        self.emit(op);
    }

    /// For arguments that are read together.
    fn several<const N: usize>(&mut self, ids: [ExprId; N]) -> [Src; N] {
        let slots = self.slots(&ids, Facts::NONE);
        std::array::from_fn(|at| slots[at])
    }

    fn length(&mut self, id: ExprId, d: Dst) -> Op {
        let bare = self.program.peel(id);
        match self.program[bare].kind {
            ExprKind::Field(index) => {
                if let Some(n) = self.constant_field(index) {
                    return Op::LengthField { d, n };
                }
            }
            // The name may be an array, which has a length too.
            ExprKind::Var(place @ (VariablePlace::Global(_) | VariablePlace::Param(_))) => {
                let s = self.array(place);
                self.note_scalar(s);
                return Op::Length { d, s: s.src() };
            }
            ExprKind::Element { .. } => return Op::Length { d, s: self.element_of_any_type(bare) },
            _ => {}
        }
        Op::Length { d, s: self.operand(id, Facts::NONE) }
    }

    fn array_argument(&mut self, id: ExprId) -> Dst {
        match &self.program[self.program.peel(id)].kind {
            ExprKind::Var(place) => {
                self.span = self.program[id].span;
                self.array(*place)
            }
            ExprKind::Element { array, subscripts } => {
                self.subarray(*array, subscripts, self.program[id].span)
            }
            // The resolver accepts only names.
            _ => self.register(),
        }
    }

    pub(crate) fn library(&mut self, f: LibraryFn, args: &[ExprId], d: Dst, span: Span) {
        if let &[a, b] = args
            && is_bit_operation(f)
            && !self.mode.warns
            && !self.unit.has_large_integers()
        {
            let [a, b] = self.several([a, b]);
            self.span = span;
            return self.emit(Op::Bits { f, d, a, b });
        }
        let following = self.following(args, Facts::NONE);
        let slot = |(at, (&id, later))| match f.parameter(at) {
            ParameterKind::Value => self.operand(id, later),
            ParameterKind::Array => self.array_argument(id).src(),
            ParameterKind::Pattern => self.pattern_argument(id, later),
            ParameterKind::Any => self.argument_of_any_type(id, later),
        };
        let slots: Vec<Src> = args.iter().zip(following).enumerate().map(slot).collect();
        let arguments = self.list(&slots);
        self.span = span;
        self.calls_back |= f.calls_back() && args.len() == f.arity().1;
        self.emit(Op::Library { f, d, arguments });
    }

    pub(crate) fn host_call(&mut self, function: HostId, args: &[ExprId], d: Dst, span: Span) {
        let arrays = ArrayArguments::of(&self.program.host_functions[function.index()]);
        let following = self.following(args, Facts::NONE);
        let slot = |(at, (&id, later))| match arrays.contains(at) {
            true => self.array_argument(id).src(),
            false => self.operand(id, later),
        };
        let slots: Vec<Src> = args.iter().zip(following).enumerate().map(slot).collect();
        let arguments = self.list(&slots);
        self.span = span;
        let function = HostNo(function.0 as u16);
        self.emit(Op::CallHost { function, arrays, d, arguments });
    }

    /// A constant regex by its number, other values for their text.
    fn pattern_argument(&mut self, id: ExprId, later: Facts) -> Src {
        let bare = self.program.peel(id);
        let program = self.program;
        self.span = program[bare].span;
        match &program[bare].kind {
            ExprKind::Regex(pattern) => self.regex_value(pattern, RegexSpelling::Slashes),
            ExprKind::TypedRegex(pattern) => self.regex_value(pattern, RegexSpelling::Typed),
            ExprKind::String(text) if self.has_warned_escapes(text) => self.string(text),
            ExprKind::String(text) => self.regex_value(text, RegexSpelling::Text),
            _ => self.operand(bare, later),
        }
    }

    /// For typeof and the like: a variable as it is, array or not.
    fn argument_of_any_type(&mut self, id: ExprId, later: Facts) -> Src {
        match self.program[id].kind {
            ExprKind::Var(VariablePlace::Param(number)) => Dst::register(number).src(),
            ExprKind::Var(VariablePlace::Global(global)) => match self.global_slot(global) {
                Some(slot) => slot.src(),
                None => {
                    let d = self.register();
                    self.argument(id, d, false);
                    d.src()
                }
            },
            ExprKind::Element { .. } => self.element_of_any_type(id),
            _ => self.operand(id, later),
        }
    }

    fn element_of_any_type(&mut self, id: ExprId) -> Src {
        let d = self.register();
        if let ExprKind::Element { array, subscripts } = &self.program[id].kind {
            if let Some(table) = self.table_of(*array) {
                let key = self.key(subscripts, Facts::NONE);
                self.span = self.program[id].span;
                self.emit(Op::GetNamed { d, table, want: Want::Any, key });
            } else {
                let (array, key) = self.element(*array, subscripts, Facts::NONE);
                self.span = self.program[id].span;
                self.emit(Op::TakeElement { d, array, key });
            }
        }
        d.src()
    }

    fn split(&mut self, args: &[ExprId], d: Dst) -> Op {
        let separator = args.get(2).copied();
        let s = self.operand(args[0], separator.map_or(Facts::NONE, |id| self.facts(id)));
        let by = match separator {
            Some(id) => self.separator(id),
            None => PatternRef::FIELD_SEPARATOR,
        };
        let array = self.array_argument(args[1]);
        match args.get(3) {
            Some(&between) => {
                let between = self.array_argument(between);
                Op::SplitKeeping { d, s, array, by, between }
            }
            None => Op::Split { d, s, array, by },
        }
    }

    fn substitute(&mut self, every: bool, args: &[ExprId], d: Dst, span: Span) {
        let target_id = args.get(2).copied();
        let target_facts = target_id.map_or(Facts::NONE, |id| self.facts(id));
        // As a slot, the regex must survive the evaluations after it.
        let later = self.facts(args[1]).or(target_facts);
        let regex = self.program.peel(args[0]);
        let pattern = match self.program[regex].kind {
            ExprKind::Regex(_) | ExprKind::TypedRegex(_) | ExprKind::String(_) => {
                self.pattern(regex)
            }
            _ => PatternRef::slot(self.operand(regex, later)),
        };
        let by = self.operand(args[1], target_facts);
        let target = match target_id {
            Some(id) => self.target(id, Facts::NONE),
            None => Target::Field(FieldNo(0)),
        };
        if let Target::Field(FieldNo(0)) = target {
            self.span = span;
            return self.emit(Op::SubstituteRecord { every, d, pattern, by });
        }
        if let Target::Slot(v) = target {
            self.note_scalar(v);
        }
        self.reach_field(target);
        let v = match (target, target_id) {
            (Target::Nowhere, Some(id)) => {
                let v = self.register();
                self.into(id, v, FieldForm::View);
                v
            }
            _ => self.load(target),
        };
        // `x = sub(/a/, "b", e[x])`: the element is stored after the count, so the count must not
        // overwrite the key.
        let names_d = match target {
            Target::Element { array, key } => array == d || key == d.src(),
            Target::FieldAt(i) | Target::Named { key: i, .. } => i == d.src(),
            _ => false,
        };
        let count = if d == v || names_d { self.register() } else { d };
        self.span = span;
        self.emit(Op::Substitute { every, d: count, v, pattern, by });
        if !matches!(target, Target::Slot(_) | Target::Nowhere) {
            self.store_when_positive(target, v.src(), count);
        }
        if count != d {
            self.emit(Op::Move { d, s: count.src() });
        }
    }

    /// Formats by the first argument; `later` is evaluated before the result is used.
    pub(crate) fn format_of(&mut self, args: &[ExprId], later: Facts, span: Span) {
        let constant = match args.first().map(|&first| &self.program[self.program.peel(first)].kind)
        {
            Some(ExprKind::String(format)) if !self.mode.precise => Some(self.format(format)),
            _ => None,
        };
        let values = if constant.is_some() { &args[1..] } else { args };
        let parts = self.operands(values, later);
        self.span = span;
        self.emit(match constant {
            Some(format) => Op::FormatConst { format, parts },
            None if self.mode.precise => Op::FormatPrecise { parts },
            None => Op::Format { parts },
        });
    }

    /// A field used as a target is created, even if nothing is stored.
    fn reach_field(&mut self, target: Target) {
        let i = match target {
            Target::Field(FieldNo(0)) => return,
            Target::Field(n) => self.number(f64::from(n.0)),
            Target::FieldAt(i) => i,
            _ => return,
        };
        self.emit(Op::ReachField { i });
    }

    /// Any form of getline; `d` receives 1, 0 or -1.
    pub(crate) fn getline(&mut self, from: GetlineFrom, target: Option<ExprId>, d: Dst) {
        let span = self.span;
        let named = match from {
            GetlineFrom::Main => None,
            GetlineFrom::File(id) => Some((GetlineSource::File, id)),
            GetlineFrom::Command(id) => Some((GetlineSource::Command, id)),
            GetlineFrom::Coprocess(id) => Some((GetlineSource::Coprocess, id)),
        };
        let later = target.map_or(Facts::NONE, |id| self.facts(id));
        let named = named.map(|(how, id)| (how, self.operand(id, later)));
        let Some(target_id) = target else {
            self.span = span;
            return self.emit(match named {
                Some((how, from)) => Op::GetlineFrom { how, d, from },
                None => Op::Getline { d },
            });
        };
        let target = self.target(target_id, Facts::ALL);
        if let Target::Slot(line) = target {
            self.note_scalar(line);
        }
        // As in gawk, an element or field is created even without a record. It is not read: no
        // warning.
        let warns = std::mem::take(&mut self.mode.warns);
        match target {
            Target::Element { .. } => _ = self.load(target),
            _ => self.reach_field(target),
        }
        self.mode.warns = warns;
        let (status, line) = match target {
            // Written only when there is a record, so it can be written in place.
            Target::Slot(slot) if slot != d => (d, slot),
            _ => (self.register(), self.register()),
        };
        self.span = span;
        self.emit(match named {
            Some((how, from)) => Op::GetlineFromVar { how, d: status, line, from },
            None => Op::GetlineVar { d: status, line },
        });
        if !matches!(target, Target::Slot(slot) if slot == line) {
            self.store_when_positive(target, line.src(), status);
        }
        if status != d {
            self.emit(Op::Move { d, s: status.src() });
        }
    }
}

/// Whether two numbers give a number, in an operation of its own.
fn is_bit_operation(f: LibraryFn) -> bool {
    use LibraryFn::*;
    matches!(f, And | Or | Xor | Lshift | Rshift)
}

/// A function of one argument, in hardware numbers.
fn of_one(builtin: Builtin, d: Dst, s: Src) -> Op {
    use Builtin as B;
    match builtin {
        B::Tolower => Op::ToLower { d, s },
        B::Toupper => Op::ToUpper { d, s },
        B::Sin => Op::Math { f: MathFn::Sin, d, a: s },
        B::Cos => Op::Math { f: MathFn::Cos, d, a: s },
        B::Exp => Op::Math { f: MathFn::Exp, d, a: s },
        B::Log => Op::Math { f: MathFn::Log, d, a: s },
        B::Sqrt => Op::Math { f: MathFn::Sqrt, d, a: s },
        B::Int => Op::Math { f: MathFn::Int, d, a: s },
        B::Srand => Op::Srand { d, a: s },
        B::Close => Op::Close { d, s },
        B::Fflush => Op::Flush { d, s },
        B::System => Op::System { d, s },
        other => unreachable!("{} with one argument", other.name()),
    }
}

fn precise_function(builtin: Builtin) -> Option<PreciseFn> {
    Some(match builtin {
        Builtin::Sin => PreciseFn::Sin,
        Builtin::Cos => PreciseFn::Cos,
        Builtin::Exp => PreciseFn::Exp,
        Builtin::Log => PreciseFn::Log,
        Builtin::Sqrt => PreciseFn::Sqrt,
        Builtin::Int => PreciseFn::Int,
        Builtin::Srand => PreciseFn::Srand,
        _ => return None,
    })
}
