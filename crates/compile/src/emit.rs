//! The compiler's state: code, registers in use, constants, and jumps without a target yet.

use crate::Mode;
use crate::Notes;
use crate::facts::{Facts, facts};
use crate::locals::Locals;
use riverhawk_bytecode::operand::{REGISTER_LIMIT, STATIC_LIMIT};
use riverhawk_bytecode::{
    CodeAt, ConstId, Constant, Dst, FieldNo, FormatId, FrameKind, GlobalNo, NamedTable, Op,
    ProfiledRule, RegexConstant, RegexId, RegexSpelling, RuleNo, Src, Srcs, StaticFrame, Unit,
    VisitNo,
};
use riverhawk_syntax::ColumnUses;
use riverhawk_syntax::Visit;
use riverhawk_syntax::ast::{
    ExprId, ExprKind, Global, GlobalId, LibraryFn, Program, RulePattern, Span, Usage,
};
use riverhawk_syntax::diagnostic::Diagnostic;
use riverhawk_value::exact::is_small;
use std::collections::HashMap;

/// Jumps whose target is not known yet.
pub(crate) type Patches = Vec<u32>;

#[derive(Default)]
pub(crate) struct LoopJumps {
    pub breaks: Patches,
    pub continues: Patches,
    /// A `switch`, which `continue` ignores.
    pub is_switch: bool,
}

pub(crate) struct FrameState {
    pub kind: FrameKind,
    pub params: Vec<Usage>,
    /// A function of the program's text, which a profile lists.
    pub is_profiled: bool,
    next: usize,
    most: usize,
}

pub(crate) struct Compiler<'p> {
    pub program: &'p Program,
    pub notes: &'p Notes,
    pub unit: Unit,
    pub frame: FrameState,
    /// Innermost last.
    pub loops: Vec<LoopJumps>,
    /// Of the current node.
    pub span: Span,
    facts: Vec<Facts>,
    numbers: HashMap<u64, u32>,
    strings: HashMap<Vec<u8>, u32>,
    numerals: HashMap<Vec<u8>, u32>,
    /// Texts of constants that do not fit in doubles, by expression.
    numeral_texts: HashMap<u32, &'p [u8]>,
    uninit: Option<u32>,
    regexes: HashMap<(Vec<u8>, RegexSpelling), RegexId>,
    regex_values: HashMap<u32, u32>,
    formats: HashMap<Vec<u8>, FormatId>,
    /// Some built-in function may call functions of the program.
    pub calls_back: bool,
    /// SYMTAB and FUNCTAB, if the program mentions them and its dialect has them.
    named: [(NamedTable, Option<GlobalId>); 2],
    /// The program mentions PROCINFO, which may set the order of loops over arrays.
    pub orders_loops: bool,
    /// The getline that is a loop's condition.
    pub decides: Option<ExprId>,
    /// The program asks for types, so it can distinguish a variable that is unassigned from one
    /// that was assigned nothing.
    pub inspects_types: bool,
    too_large: Option<Span>,
    /// Variables that are registers of the record loop.
    pub locals: Locals,
    /// The last place to which a jump may lead.
    landed: CodeAt,
    pub mode: Mode,
}

fn global(program: &Program, name: &str) -> Option<GlobalId> {
    program.globals.iter().position(|global| global.name == name).map(|at| GlobalId(at as u32))
}

impl<'p> Compiler<'p> {
    pub(crate) fn new(program: &'p Program, notes: &'p Notes) -> Compiler<'p> {
        let mut globals = program.globals.clone();
        // A global for each range pattern: whether the run is inside the range.
        let ranges = program
            .rules
            .iter()
            .filter(|rule| matches!(rule.pattern, RulePattern::Range(..)))
            .count();
        let flag = Usage { scalar: true, array: false };
        globals.extend((0..ranges).map(|at| Global { name: format!("range {at}"), usage: flag }));
        Compiler {
            program,
            notes,
            unit: Unit {
                globals,
                dialect: program.dialect,
                extensions: program.extensions.clone(),
                host_functions: program.host_functions.clone(),
                columns: ColumnUses::of(program),
                ..Unit::default()
            },
            frame: FrameState {
                kind: FrameKind::Begin,
                params: Vec::new(),
                is_profiled: false,
                next: 0,
                most: 0,
            },
            loops: Vec::new(),
            span: Span::default(),
            facts: facts(program),
            numbers: HashMap::new(),
            strings: HashMap::new(),
            numerals: HashMap::new(),
            numeral_texts: program.numerals.iter().map(|(id, text)| (id.0, &text[..])).collect(),
            uninit: None,
            regexes: HashMap::new(),
            regex_values: HashMap::new(),
            formats: HashMap::new(),
            calls_back: false,
            named: [NamedTable::Symbols, NamedTable::Functions].map(|table| {
                let has_it = program.dialect.has_extensions();
                (table, global(program, table.name()).filter(|_| has_it))
            }),
            orders_loops: global(program, "PROCINFO").is_some(),
            decides: None,
            inspects_types: program.exprs.iter().any(|expr| {
                matches!(expr.kind, ExprKind::Library { function: LibraryFn::Typeof, .. })
            }),
            too_large: None,
            locals: Locals::default(),
            landed: CodeAt(0),
            mode: Mode::default(),
        }
    }

    pub(crate) fn visit(&mut self, visit: Visit, span: Span) {
        if self.mode.observed {
            let at = VisitNo(self.unit.visits.len() as u32);
            self.unit.visits.push((visit, span));
            self.span = span;
            self.emit(Op::Visit { at });
        }
    }

    pub(crate) fn enter_rule(&mut self, rule: ProfiledRule) {
        if self.mode.profiled {
            self.span = rule.span;
            // Records are read in two places, before the first rule and after the last.
            let known = self.unit.rules.iter().position(|known| rule.reads && *known == rule);
            let number = known.unwrap_or_else(|| {
                self.unit.rules.push(rule);
                self.unit.rules.len() - 1
            });
            self.emit(Op::EnterRule { rule: RuleNo(number as u32) });
        }
    }

    /// At each iteration of a loop and each call.
    pub(crate) fn check_limits(&mut self) {
        if self.mode.limited {
            self.emit(Op::CheckTurn {});
        }
    }

    /// In a profiled run, before the function returns.
    pub(crate) fn leave_function(&mut self) {
        if self.mode.profiled && self.frame.is_profiled {
            self.emit(Op::LeaveFunction {});
        }
    }

    pub(crate) fn finish(self) -> Result<Unit, Box<Diagnostic>> {
        match self.too_large {
            Some(span) => Err(Box::new(
                Diagnostic::error(
                    span,
                    "the expression needs too many registers",
                    "too large to compile",
                )
                .with_help("split it into smaller statements or functions"),
            )),
            None => Ok(self.unit),
        }
    }

    pub(crate) fn facts(&self, id: ExprId) -> Facts {
        self.facts.get(id.index()).copied().unwrap_or(Facts::ALL)
    }

    pub(crate) fn facts_of(&self, ids: &[ExprId]) -> Facts {
        ids.iter().fold(Facts::NONE, |sum, &id| sum.or(self.facts(id)))
    }

    /// Index of the next operation, to which jumps may lead from now on.
    pub(crate) fn here(&mut self) -> CodeAt {
        self.landed = CodeAt(self.unit.code.len() as u32);
        self.landed
    }

    /// Emits an operation, with its check by lint before it.
    pub(crate) fn emit(&mut self, op: Op) {
        if self.mode.warns {
            self.emit_lint_checks(&op);
        } else if let Op::Field { d, n, .. } = op
            && self.has_field(d, n)
        {
            return;
        }
        self.emit_alone(op);
    }

    /// Whether the register still holds this field: `$3 > 5 { sum += $3 }`. What came after reading
    /// it changed neither, and no jump leads in between.
    fn has_field(&self, register: Dst, wanted: FieldNo) -> bool {
        for op in self.unit.code[self.landed.0 as usize..].iter().rev() {
            if let Op::Field { d, n, .. } = *op
                && d == register
            {
                return n == wanted;
            }
            let mut is_kept = keeps_record(op);
            op.visit_slots(&self.unit.lists, |slot, access| {
                is_kept &= slot != register.src() || access.writes().is_none();
            });
            if !is_kept {
                return false;
            }
        }
        false
    }

    /// Without a check by lint.
    pub(crate) fn emit_alone(&mut self, op: Op) {
        if let Op::Field { n, .. } = op {
            self.announce_field(n);
        }
        self.unit.code.push(op);
        self.unit.spans.push(self.span);
    }

    /// For a field taken after others: extends the reach of the first, so that one call of the
    /// kernel finds them all.
    fn announce_field(&mut self, n: FieldNo) {
        for op in self.unit.code.iter_mut().rev() {
            match op {
                Op::Field { reach, .. } if reach.0 < n.0 => *reach = n,
                // An operation that reaches this far has already extended those before.
                _ => return,
            }
        }
    }

    /// Emits a jump to a later target.
    pub(crate) fn emit_jump(&mut self, op: Op, waiting: &mut Patches) {
        self.emit(op);
        // The last operation: lint's check comes before it.
        waiting.push(self.unit.code.len() as u32 - 1);
    }

    /// The register that holds this element since a condition read it: `if (a[i] > most) most = a[i]`.
    /// Only jumps came after, which change nothing, and none of them leads to here.
    pub(crate) fn element_just_tested(&self, of: Dst, under: Src) -> Option<Dst> {
        let read = self.unit.code.iter().rposition(|op| !is_comparing_jump(op))?;
        match self.unit.code[read] {
            Op::GetElement { d, array, key }
                if (array, key) == (of, under) && self.landed.0 as usize <= read =>
            {
                Some(d)
            }
            _ => None,
        }
    }

    /// A placeholder for an unknown target.
    pub(crate) const LATER: CodeAt = CodeAt(u32::MAX);

    pub(crate) fn land(&mut self, waiting: Patches) {
        let here = self.here();
        self.land_at(waiting, here);
    }

    pub(crate) fn land_at(&mut self, waiting: Patches, target: CodeAt) {
        for at in waiting {
            match &mut self.unit.code[at as usize] {
                Op::Jump { to }
                | Op::Loop { to }
                | Op::JumpTrue { to, .. }
                | Op::JumpFalse { to, .. }
                | Op::JumpLess { to, .. }
                | Op::JumpNotLess { to, .. }
                | Op::JumpLessEqual { to, .. }
                | Op::JumpNotLessEqual { to, .. }
                | Op::JumpEqual { to, .. }
                | Op::JumpNotEqual { to, .. }
                | Op::JumpMatches { to, .. }
                | Op::JumpNotMatches { to, .. }
                | Op::JumpRecordMatches { to, .. }
                | Op::JumpRecordNotMatches { to, .. }
                | Op::NextKey { done: to, .. }
                | Op::NextRecord { done: to }
                | Op::CountedNextRecord { done: to } => *to = target,
                other => unreachable!("{} is no jump", other.name()),
            }
        }
    }

    pub(crate) fn open_frame(&mut self, kind: FrameKind, params: Vec<Usage>) -> u32 {
        let count = params.len();
        self.frame = FrameState { kind, params, is_profiled: false, next: count, most: count };
        self.here().0
    }

    pub(crate) fn close_frame(
        &mut self,
        start: u32,
        name: &str,
        params: Vec<String>,
        span: Span,
    ) -> StaticFrame {
        StaticFrame {
            kind: self.frame.kind,
            name: name.to_string(),
            code: start..self.here().0,
            params,
            locals: Vec::new(),
            usages: std::mem::take(&mut self.frame.params),
            registers: self.frame.most.min(REGISTER_LIMIT) as u16,
            span,
            defined: true,
            builtin: false,
        }
    }

    pub(crate) fn register(&mut self) -> Dst {
        let number = self.frame.next;
        self.frame.next += 1;
        self.frame.most = self.frame.most.max(self.frame.next);
        if number >= REGISTER_LIMIT {
            self.too_large.get_or_insert(self.span);
            return Dst::register(0);
        }
        Dst::register(number as u16)
    }

    /// The number of registers in use, for [`Compiler::release`].
    pub(crate) fn mark(&self) -> usize {
        self.frame.next
    }

    pub(crate) fn release(&mut self, mark: usize) {
        self.frame.next = mark;
    }

    fn constant(&mut self, constant: Constant) -> u32 {
        self.unit.constants.push(constant);
        self.unit.constants.len() as u32 - 1
    }

    fn constant_slot(&mut self, constant: u32) -> Src {
        let slot = self.unit.globals.len() + constant as usize;
        if slot < STATIC_LIMIT {
            return Src::fixed(slot as u16);
        }
        let d = self.register();
        self.emit(Op::LoadConst { d, k: ConstId(constant) });
        d.src()
    }

    pub(crate) fn number(&mut self, number: f64) -> Src {
        let constant = match self.numbers.get(&number.to_bits()) {
            Some(&constant) => constant,
            None => {
                let constant = self.constant(Constant::Number(number));
                self.numbers.insert(number.to_bits(), constant);
                constant
            }
        };
        self.constant_slot(constant)
    }

    pub(crate) fn numeral(&mut self, id: ExprId, number: f64) -> Src {
        if !self.mode.precise {
            return self.double_or_integer(id, number, "");
        }
        match self.numeral_texts.get(&id.0) {
            Some(&text) => self.numeral_of(text.to_vec(), number),
            None => self.number(number),
        }
    }

    /// For a signed constant of the program's text, when only integers may exceed doubles.
    pub(crate) fn double_or_integer(&mut self, id: ExprId, number: f64, sign: &str) -> Src {
        let signed = if sign == "-" { -number } else { number };
        let text = match self.numeral_texts.get(&id.0) {
            Some(&text)
                if self.unit.exact && !is_small(number) && text.iter().all(u8::is_ascii_digit) =>
            {
                text
            }
            _ => return self.number(signed),
        };
        let text = [sign.as_bytes(), text].concat();
        let constant = match self.numerals.get(&text) {
            Some(&constant) => constant,
            None => {
                let constant = self.constant(Constant::Integer(text.clone().into()));
                self.numerals.insert(text, constant);
                constant
            }
        };
        self.constant_slot(constant)
    }

    /// For a constant with minuses in arithmetic of any precision: minus zero is a float, and
    /// nothing is rounded.
    pub(crate) fn negative_numeral(&mut self, id: ExprId, number: f64, minuses: usize) -> Src {
        let text = match self.numeral_texts.get(&id.0) {
            Some(text) => text.to_vec(),
            None if number == 0.0 => b"0".to_vec(),
            None => return self.number(if minuses % 2 == 1 { -number } else { number }),
        };
        // Two minuses cancel, except for zero, which has become a float.
        let signs = match (number == 0.0, minuses % 2) {
            (true, 0) => &b"--"[..],
            (_, 1) => b"-",
            _ => b"",
        };
        self.numeral_of([signs, &text].concat(), if minuses % 2 == 1 { -number } else { number })
    }

    fn numeral_of(&mut self, text: Vec<u8>, number: f64) -> Src {
        let constant = match self.numerals.get(&text) {
            Some(&constant) => constant,
            None => {
                let constant = self.constant(Constant::Number(number));
                self.unit.numerals.push((ConstId(constant), text.clone()));
                self.numerals.insert(text, constant);
                constant
            }
        };
        self.constant_slot(constant)
    }

    pub(crate) fn string(&mut self, text: &[u8]) -> Src {
        let constant = match self.strings.get(text) {
            Some(&constant) => constant,
            None => {
                let constant = self.constant(Constant::text(text));
                self.strings.insert(text.to_vec(), constant);
                constant
            }
        };
        self.constant_slot(constant)
    }

    pub(crate) fn uninit(&mut self) -> Src {
        let constant = match self.uninit {
            Some(constant) => constant,
            None => {
                let constant = self.constant(Constant::Nothing);
                self.uninit = Some(constant);
                constant
            }
        };
        self.constant_slot(constant)
    }

    pub(crate) fn regex(&mut self, pattern: &[u8], spelling: RegexSpelling) -> RegexId {
        if let Some(&known) = self.regexes.get(&(pattern.to_vec(), spelling)) {
            return known;
        }
        let id = RegexId(self.unit.regexes.len() as u32);
        self.unit.regexes.push(RegexConstant {
            pattern: pattern.to_vec(),
            spelling,
            span: self.span,
        });
        self.regexes.insert((pattern.to_vec(), spelling), id);
        id
    }

    pub(crate) fn regex_value(&mut self, pattern: &[u8], spelling: RegexSpelling) -> Src {
        let id = self.regex(pattern, spelling);
        let constant = match self.regex_values.get(&id.0) {
            Some(&constant) => constant,
            None => {
                let constant =
                    self.constant(Constant::Regex { text: pattern.into(), number: id.0 });
                self.regex_values.insert(id.0, constant);
                constant
            }
        };
        self.constant_slot(constant)
    }

    pub(crate) fn format(&mut self, format: &[u8]) -> FormatId {
        if let Some(&known) = self.formats.get(format) {
            return known;
        }
        let id = FormatId(self.unit.formats.len() as u32);
        self.unit.formats.push(format.to_vec());
        self.formats.insert(format.to_vec(), id);
        id
    }

    pub(crate) fn list(&mut self, slots: &[Src]) -> Srcs {
        let at = self.unit.lists.len() as u32;
        self.unit.lists.extend_from_slice(slots);
        Srcs { at, count: slots.len() as u32 }
    }

    /// `None` if it is past the reach of an operand.
    pub(crate) fn global_slot(&self, global: GlobalId) -> Option<Dst> {
        if self.frame.kind == FrameKind::Main
            && let Some(register) = self.locals.register(global)
        {
            return Some(Dst::register(register));
        }
        (global.index() < STATIC_LIMIT).then(|| Dst::fixed(global.0 as u16))
    }

    pub(crate) fn named_table(
        &self,
        place: riverhawk_syntax::ast::VariablePlace,
    ) -> Option<NamedTable> {
        let riverhawk_syntax::ast::VariablePlace::Global(id) = place else { return None };
        self.named.iter().find(|(_, global)| *global == Some(id)).map(|(table, _)| *table)
    }

    /// Before a table is used as a whole, updates its elements.
    pub(crate) fn refresh(&mut self, place: riverhawk_syntax::ast::VariablePlace) {
        if let Some(table @ NamedTable::Symbols) = self.named_table(place) {
            self.emit(Op::RefreshNamed { table });
        }
    }

    /// Notes the use of a variable as a scalar, for a program that could see the difference.
    pub(crate) fn note_scalar(&mut self, v: Dst) {
        let note = Op::NoteScalar { v };
        if (self.inspects_types || self.mode.warns) && self.unit.code.last() != Some(&note) {
            self.emit_alone(note);
        }
    }

    pub(crate) fn array(&mut self, place: riverhawk_syntax::ast::VariablePlace) -> Dst {
        use riverhawk_syntax::ast::VariablePlace;
        self.refresh(place);
        match place {
            VariablePlace::Param(number) => Dst::register(number),
            VariablePlace::Global(global) => match self.global_slot(global) {
                Some(slot) => slot,
                None => {
                    let d = self.register();
                    self.emit(Op::GetGlobalArray { d, g: GlobalNo(global.0) });
                    d
                }
            },
            VariablePlace::Special(v) => {
                self.fail(&format!(
                    "attempt to use the special variable `{}' as an array",
                    v.name()
                ));
                self.register()
            }
        }
    }

    pub(crate) fn fail(&mut self, complaint: &str) {
        let complaint = self.string(complaint.as_bytes());
        self.emit(Op::Fail { complaint });
    }

    pub(crate) fn usage(&self, place: riverhawk_syntax::ast::VariablePlace) -> Usage {
        use riverhawk_syntax::ast::VariablePlace;
        match place {
            VariablePlace::Global(global) => self.unit.globals[global.index()].usage,
            VariablePlace::Param(number) => self.frame.params[usize::from(number)],
            VariablePlace::Special(_) => Usage { scalar: true, array: false },
        }
    }
}

pub(crate) fn field(d: Dst, n: FieldNo) -> Op {
    Op::Field { d, n, reach: n }
}

fn is_comparing_jump(op: &Op) -> bool {
    matches!(
        op,
        Op::JumpTrue { .. }
            | Op::JumpFalse { .. }
            | Op::JumpLess { .. }
            | Op::JumpNotLess { .. }
            | Op::JumpLessEqual { .. }
            | Op::JumpNotLessEqual { .. }
            | Op::JumpEqual { .. }
            | Op::JumpNotEqual { .. }
    )
}

fn keeps_record(op: &Op) -> bool {
    use Op::*;
    is_comparing_jump(op)
        || matches!(
            op,
            JumpMatches { .. }
                | JumpNotMatches { .. }
                | JumpRecordMatches { .. }
                | JumpRecordNotMatches { .. }
                | Field { .. }
                | Move { .. }
                | Add { .. }
                | Sub { .. }
                | Mul { .. }
                | Div { .. }
                | Mod { .. }
                | Increment { .. }
                | Decrement { .. }
                | Length { .. }
                | LengthField { .. }
                | Index { .. }
                | Substr { .. }
                | SubstrFrom { .. }
                | Concat { .. }
                | GetElement { .. }
                | SetElement { .. }
                | UpdateElement { .. }
                | StepElement { .. }
                | CountElement { .. }
                | HasElement { .. }
        )
}
