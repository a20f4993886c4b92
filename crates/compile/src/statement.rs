//! Statements.

use crate::assign::Target;
use crate::emit::{Compiler, LoopJumps, Patches};
use crate::expression::precise;
use crate::facts::Facts;
use riverhawk_bytecode::{CodeAt, FrameKind, Op, PreciseFn, RegexSpelling};
use riverhawk_bytecode::{Joints, Srcs};
use riverhawk_syntax::ast::{
    ExprId, ExprKind, Name, Redirection, Span, StmtId, StmtKind, SwitchCase,
};
use riverhawk_syntax::deep;
use riverhawk_syntax::{Printed, Visit};

impl Compiler<'_> {
    pub(crate) fn block(&mut self, body: &[StmtId]) {
        for &id in body {
            self.statement(id);
        }
    }

    pub(crate) fn statement(&mut self, id: StmtId) {
        deep(|| self.statement_shallow(id));
    }

    fn statement_shallow(&mut self, id: StmtId) {
        let program = self.program;
        let stmt = &program[id];
        let mark = self.mark();
        if self.mode.observed && !matches!(stmt.kind, StmtKind::Block(_)) {
            self.visit(Visit::Statement(id), stmt.span);
        }
        self.span = stmt.span;
        match &stmt.kind {
            StmtKind::Expr(expr) => self.effect(*expr),
            StmtKind::Print { args, to } => self.print(args, *to, stmt.span),
            StmtKind::Printf { args, to } => self.printf(args, *to, stmt.span),
            StmtKind::If { cond, then, otherwise } => {
                self.if_statement(id, *cond, *then, *otherwise)
            }
            StmtKind::While { cond, body } => self.loop_statement(id, Some(*cond), None, *body),
            StmtKind::DoWhile { cond, body } => self.do_while(id, *cond, *body),
            StmtKind::For { init, cond, step, body } => {
                if let Some(init) = init {
                    self.statement(*init);
                }
                self.loop_statement(id, *cond, *step, *body);
            }
            StmtKind::ForIn { target, array, body } => self.for_in(id, *target, *array, *body),
            StmtKind::Switch { subject, cases } => self.switch(id, *subject, cases),
            StmtKind::Block(body) => self.block(body),
            StmtKind::Next => self.emit(Op::Next {}),
            StmtKind::NextFile => self.emit(Op::NextFile {}),
            StmtKind::Break => self.leave(|_| true, |jumps| &mut jumps.breaks),
            StmtKind::Continue => {
                self.leave(|jumps| !jumps.is_switch, |jumps| &mut jumps.continues)
            }
            StmtKind::Exit(None) => self.emit(Op::ExitPlain {}),
            StmtKind::Exit(Some(status)) => {
                let s = self.operand(*status, Facts::NONE);
                self.span = stmt.span;
                self.emit(Op::Exit { s });
            }
            StmtKind::Return(None) => {
                self.leave_function();
                self.emit(Op::ReturnNothing {});
            }
            StmtKind::Return(Some(value)) => {
                let s = self.operand(*value, Facts::NONE);
                self.span = stmt.span;
                self.leave_function();
                self.emit(Op::Return { s });
            }
            StmtKind::Delete { array, subscripts } => self.delete(*array, subscripts.as_deref()),
            StmtKind::DeleteField { field } => {
                // `ColumnUses` leaves it out of the written row; here it only loses its value.
                if let Target::FieldAt(i) = self.target(*field, Facts::NONE) {
                    self.emit(Op::DeleteField { i });
                }
            }
        }
        self.release(mark);
    }

    /// As in gawk, the destination is evaluated first.
    fn print(&mut self, args: &[ExprId], to: Option<Redirection>, span: Span) {
        match to {
            None if args.is_empty() || matches!(args, [only] if self.is_record(*only)) => {
                self.emit(Op::PrintRecord {});
            }
            None => {
                if let Some((joints, parts)) = self.printed_joined(args) {
                    self.span = span;
                    return self.emit(Op::PrintJoined { joints, parts });
                }
                let parts = self.printed(args);
                self.span = span;
                self.emit(Op::Print { parts });
            }
            Some(to) => {
                let target = self.operand(to.target, self.facts_of(args));
                if let Some((joints, parts)) = self.printed_joined(args) {
                    self.span = span;
                    self.note_row(args, parts);
                    return self.emit(Op::PrintJoinedTo {
                        how: to.kind.into(),
                        to: target,
                        joints,
                        parts,
                    });
                }
                // No parts: the record.
                let is_record = matches!(args, [only] if self.is_record(*only));
                let parts = self.printed(if is_record { &[] } else { args });
                self.span = span;
                self.note_row(args, parts);
                self.emit(Op::PrintTo { how: to.kind.into(), to: target, parts });
            }
        }
    }

    /// Notes what a redirected `print` writes, for the file's header.
    fn note_row(&mut self, args: &[ExprId], parts: Srcs) {
        if parts.count > 0 {
            self.unit.rows.insert(parts.at, Printed::of(self.program, args));
        }
    }

    /// Printed concatenations are written part by part, without making the text.
    fn printed_joined(&mut self, args: &[ExprId]) -> Option<(Joints, Srcs)> {
        // Concatenation makes text by the current CONVFMT, before the next is evaluated.
        if self.mode.precise || args.iter().skip(1).any(|&arg| self.facts(arg).record) {
            return None;
        }
        let (mut parts, mut joints) = (Vec::new(), Joints::NONE);
        for &arg in args {
            let first = parts.len();
            parts.extend(self.concat_parts(arg));
            if parts.len() > Joints::MAX_SLOTS {
                return None;
            }
            (first + 1..parts.len()).for_each(|at| joints.join(at));
        }
        if joints == Joints::NONE {
            return None;
        }
        let slots = self.slots(&parts, Facts::NONE);
        Some((joints, self.list(&slots)))
    }

    /// `print` takes doubles only: larger numbers are converted to text first.
    fn printed(&mut self, args: &[ExprId]) -> Srcs {
        let mut slots = self.slots(args, Facts::NONE);
        if self.mode.precise {
            for (slot, &id) in slots.iter_mut().zip(args) {
                if !matches!(self.program[self.program.peel(id)].kind, ExprKind::String(_)) {
                    let d = self.register();
                    self.emit(precise(PreciseFn::Print, d, *slot));
                    *slot = d.src();
                }
            }
        }
        self.list(&slots)
    }

    fn printf(&mut self, args: &[ExprId], to: Option<Redirection>, span: Span) {
        let Some(to) = to else {
            self.format_of(args, Facts::NONE, span);
            return self.emit(Op::PrintFormatted {});
        };
        // As for `print`; evaluating it later could also format something else.
        let target = self.operand(to.target, self.facts_of(args));
        self.format_of(args, Facts::NONE, span);
        self.emit(Op::PrintFormattedTo { how: to.kind.into(), to: target });
    }

    fn if_statement(&mut self, id: StmtId, cond: ExprId, then: StmtId, otherwise: Option<StmtId>) {
        let mut when_false = Patches::new();
        self.jump_unless(cond, &mut when_false);
        self.visit(Visit::Then(id), self.program[cond].span);
        let is_first = self.begin_first(cond);
        self.statement(then);
        if is_first {
            self.emit(Op::EndFirst {});
        }
        let Some(otherwise) = otherwise else { return self.land(when_false) };
        let mut end = Patches::new();
        self.emit_jump(Op::Jump { to: Self::LATER }, &mut end);
        self.land(when_false);
        self.statement(otherwise);
        self.land(end);
    }

    /// `while` and `for`: the test is repeated at the bottom, so an iteration costs one jump.
    fn loop_statement(
        &mut self,
        id: StmtId,
        cond: Option<ExprId>,
        step: Option<StmtId>,
        body: StmtId,
    ) {
        let mut out = Patches::new();
        if let Some(cond) = cond {
            self.decides = Some(self.program.peel(cond));
            self.jump_unless(cond, &mut out);
        }
        let head = self.here();
        self.loops.push(LoopJumps::default());
        self.visit(Visit::Turn(id), self.program[id].span);
        self.check_limits();
        self.statement(body);
        let jumps = self.loops.pop().unwrap_or_default();
        self.land(jumps.continues);
        if let Some(step) = step {
            self.statement(step);
        }
        self.loop_back(cond, head);
        self.land(out);
        self.land(jumps.breaks);
    }

    /// Marks the getline emitted since `start` as a loop's condition.
    pub(crate) fn note_getline_loop(&mut self, start: usize) {
        let is_getline = |op: &Op| {
            matches!(
                op,
                Op::Getline { .. }
                    | Op::GetlineVar { .. }
                    | Op::GetlineFrom { .. }
                    | Op::GetlineFromVar { .. }
            )
        };
        if let Some(at) = self.unit.code[start..].iter().rposition(is_getline) {
            self.unit.getline_loops.push((start + at) as u32);
        }
    }

    fn do_while(&mut self, id: StmtId, cond: ExprId, body: StmtId) {
        let head = self.here();
        self.loops.push(LoopJumps::default());
        self.visit(Visit::Turn(id), self.program[id].span);
        self.check_limits();
        self.statement(body);
        let jumps = self.loops.pop().unwrap_or_default();
        self.land(jumps.continues);
        self.loop_back(Some(cond), head);
        self.land(jumps.breaks);
    }

    fn loop_back(&mut self, cond: Option<ExprId>, head: CodeAt) {
        let mut again = Patches::new();
        match cond {
            Some(cond) => {
                self.decides = Some(self.program.peel(cond));
                self.jump_if(cond, &mut again);
            }
            None => self.emit_jump(Op::Loop { to: Self::LATER }, &mut again),
        }
        self.land_at(again, head);
    }

    fn for_in(&mut self, id: StmtId, target: ExprId, array: Name, body: StmtId) {
        self.calls_back |= self.orders_loops;
        let keys = self.register();
        let array = self.array_of(array);
        self.emit(match self.orders_loops {
            true => Op::BeginOrderedKeys { d: keys, array },
            false => Op::BeginKeys { d: keys, array },
        });
        let head = self.here();
        let mut done = Patches::new();
        let mark = self.mark();
        let place = self.target(target, Facts::ALL);
        let key = match place {
            crate::assign::Target::Slot(slot) => slot,
            _ => self.register(),
        };
        self.emit_jump(Op::NextKey { d: key, keys, done: Self::LATER }, &mut done);
        self.store(place, key.src());
        self.release(mark);
        self.loops.push(LoopJumps::default());
        self.visit(Visit::Turn(id), self.program[id].span);
        self.check_limits();
        self.statement(body);
        let jumps = self.loops.pop().unwrap_or_default();
        self.land_at(jumps.continues, head);
        self.emit(Op::Loop { to: head });
        self.land(done);
        self.land(jumps.breaks);
        // Drops the unvisited keys.
        let nothing = self.uninit();
        self.emit(Op::Move { d: keys, s: nothing });
    }

    /// Compares the labels in order, before the bodies.
    fn switch(&mut self, id: StmtId, subject: ExprId, cases: &[SwitchCase]) {
        let subject = self.operand(subject, Facts::NONE);
        let mut entries: Vec<Patches> = Vec::with_capacity(cases.len());
        let to = Self::LATER;
        for case in cases {
            let mut entry = Patches::new();
            if let Some(label) = case.label {
                let program = self.program;
                self.span = program[label].span;
                match &program[label].kind {
                    kind @ (ExprKind::Regex(pattern) | ExprKind::TypedRegex(pattern)) => {
                        let is_typed = matches!(kind, ExprKind::TypedRegex(_));
                        let spelling =
                            if is_typed { RegexSpelling::Typed } else { RegexSpelling::Slashes };
                        let re = self.regex(pattern, spelling);
                        self.emit_jump(Op::JumpMatches { s: subject, re, to }, &mut entry);
                    }
                    _ => {
                        let b = self.operand(label, Facts::NONE);
                        self.emit_jump(Op::JumpEqual { a: subject, b, to }, &mut entry);
                    }
                }
            }
            entries.push(entry);
        }
        let mut otherwise = Patches::new();
        self.emit_jump(Op::Jump { to }, &mut otherwise);
        self.loops.push(LoopJumps { is_switch: true, ..LoopJumps::default() });
        for (number, (case, entry)) in (0..).zip(cases.iter().zip(entries)) {
            self.land(entry);
            if case.label.is_none() {
                self.land(std::mem::take(&mut otherwise));
            }
            self.visit(Visit::Case(id, number), case.span);
            self.block(&case.body);
        }
        let jumps = self.loops.pop().unwrap_or_default();
        self.land(otherwise);
        self.land(jumps.breaks);
    }

    fn leave(
        &mut self,
        is_meant: impl Fn(&LoopJumps) -> bool,
        which: impl Fn(&mut LoopJumps) -> &mut Patches,
    ) {
        let mut waiting = Patches::new();
        self.emit_jump(Op::Jump { to: Self::LATER }, &mut waiting);
        match self.loops.iter_mut().rev().find(|jumps| is_meant(jumps)) {
            Some(jumps) => which(jumps).append(&mut waiting),
            // The parser rejects break and continue outside loops.
            None => self.land(waiting),
        }
    }

    fn delete(&mut self, array: Name, subscripts: Option<&[ExprId]>) {
        if let Some(table) = self.table_of(array) {
            return self.emit(Op::DeleteNamed { table });
        }
        match subscripts {
            None => {
                let array = self.array_of(array);
                self.emit(Op::ClearArray { array });
            }
            Some(subscripts) if array.element.is_some() => self.delete_deep(array, subscripts),
            Some(subscripts) => {
                let (array, key) = self.element(array, subscripts, Facts::NONE);
                self.emit(Op::DeleteElement { array, key });
            }
        }
    }

    pub(crate) fn end_of_frame(&mut self) {
        match self.frame.kind {
            FrameKind::Function => {
                self.leave_function();
                self.emit(Op::ReturnNothing {});
            }
            _ => self.emit(Op::Halt {}),
        }
    }
}
