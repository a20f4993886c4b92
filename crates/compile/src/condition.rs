//! Truth: jumps for conditions, and conditions as values.

use crate::emit::{Compiler, Patches, field};
use crate::expression::precise;
use crate::facts::Facts;
use riverhawk_bytecode::operand::PatternKind;
use riverhawk_bytecode::{Dst, Op, PreciseFn, RegexSpelling};
use riverhawk_syntax::ast::{BinaryOp, ExprId, ExprKind};
use riverhawk_syntax::{Visit, deep};

impl Compiler<'_> {
    /// Jumps (added to `waiting`) if the expression is true.
    pub(crate) fn jump_if(&mut self, id: ExprId, waiting: &mut Patches) {
        self.jump_when(id, true, waiting);
    }

    /// Jumps (added to `waiting`) if the expression is false.
    pub(crate) fn jump_unless(&mut self, id: ExprId, waiting: &mut Patches) {
        self.jump_when(id, false, waiting);
    }

    fn jump_when(&mut self, id: ExprId, sense: bool, waiting: &mut Patches) {
        deep(|| self.jump_when_shallow(id, sense, waiting));
    }

    fn jump_when_shallow(&mut self, id: ExprId, sense: bool, waiting: &mut Patches) {
        let id = self.program.peel(id);
        let program = self.program;
        let mark = self.mark();
        let span = program[id].span;
        self.span = span;
        match &program[id].kind {
            ExprKind::Not(inner) => self.jump_when(*inner, !sense, waiting),
            ExprKind::And(a, b) => self.jump_both(*a, *b, true, sense, waiting),
            ExprKind::Or(a, b) => self.jump_both(*a, *b, false, sense, waiting),
            ExprKind::Binary(op, left, right) if is_comparison(*op) => {
                let a = self.operand(*left, self.facts(*right));
                let b = self.operand(*right, Facts::NONE);
                for (side, s) in [(left, a), (right, b)] {
                    if self.notes.comparands.contains(side) {
                        self.emit(Op::Comparand { s });
                    }
                }
                self.span = span;
                let to = Self::LATER;
                let jump = match (op, sense) {
                    (BinaryOp::Lt, true) => Op::JumpLess { a, b, to },
                    (BinaryOp::Lt, false) => Op::JumpNotLess { a, b, to },
                    (BinaryOp::Le, true) => Op::JumpLessEqual { a, b, to },
                    (BinaryOp::Le, false) => Op::JumpNotLessEqual { a, b, to },
                    (BinaryOp::Gt, true) => Op::JumpLess { a: b, b: a, to },
                    (BinaryOp::Gt, false) => Op::JumpNotLess { a: b, b: a, to },
                    (BinaryOp::Ge, true) => Op::JumpLessEqual { a: b, b: a, to },
                    (BinaryOp::Ge, false) => Op::JumpNotLessEqual { a: b, b: a, to },
                    (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => Op::JumpEqual { a, b, to },
                    _ => Op::JumpNotEqual { a, b, to },
                };
                self.emit_jump(jump, waiting);
            }
            ExprKind::Regex(pattern) => {
                let re = self.regex(pattern, RegexSpelling::Slashes);
                self.emit_jump(record_jump(re, sense), waiting);
            }
            ExprKind::Match { negated, text, regex } => {
                self.jump_match(*text, *regex, sense != *negated, waiting)
            }
            _ => {
                let mut a = self.operand(id, Facts::NONE);
                self.span = span;
                if self.mode.precise {
                    let d = self.register();
                    self.emit(precise(PreciseFn::Truth, d, a));
                    a = d.src();
                }
                let to = Self::LATER;
                self.emit_jump(
                    if sense { Op::JumpTrue { a, to } } else { Op::JumpFalse { a, to } },
                    waiting,
                );
            }
        }
        self.release(mark);
    }

    /// Marks what is printed while the condition holds, if it is noted; whether it is.
    pub(crate) fn begin_first(&mut self, cond: ExprId) -> bool {
        let Some(array) = self.notes.firsts.get(&cond) else { return false };
        self.emit(Op::BeginFirst { g: riverhawk_bytecode::GlobalNo(array.0) });
        true
    }

    fn jump_both(&mut self, a: ExprId, b: ExprId, and: bool, sense: bool, waiting: &mut Patches) {
        if and == sense {
            // If the first decides, skip the second.
            let mut settled = Patches::new();
            self.jump_operand(a, !sense, &mut settled);
            self.jump_operand(b, sense, waiting);
            self.land(settled);
        } else {
            self.jump_operand(a, sense, waiting);
            self.jump_operand(b, sense, waiting);
        }
    }

    /// An operand that consists of conditions has no outcome that theirs do not show.
    fn jump_operand(&mut self, id: ExprId, sense: bool, waiting: &mut Patches) {
        match self.program.is_compound(id) {
            true => self.jump_when(id, sense, waiting),
            false => self.test_outcome(id, sense, waiting),
        }
    }

    /// As `jump_unless`, for what `?:` asks.
    pub(crate) fn choose_unless(&mut self, id: ExprId, waiting: &mut Patches) {
        self.test_outcome(id, false, waiting);
    }

    /// As `jump_when`; a run that counts outcomes passes one of two places.
    fn test_outcome(&mut self, id: ExprId, sense: bool, waiting: &mut Patches) {
        if !self.mode.outcomes {
            return self.jump_when(id, sense, waiting);
        }
        let span = self.program[id].span;
        let (mut failed, mut end) = (Patches::new(), Patches::new());
        self.jump_unless(id, &mut failed);
        self.visit(Visit::Held(id), span);
        let on = if sense { &mut *waiting } else { &mut end };
        self.emit_jump(Op::Jump { to: Self::LATER }, on);
        self.land(failed);
        self.visit(Visit::Failed(id), span);
        if !sense {
            self.emit_jump(Op::Jump { to: Self::LATER }, waiting);
        }
        self.land(end);
    }

    fn jump_match(&mut self, text: ExprId, regex: ExprId, sense: bool, waiting: &mut Patches) {
        let span = self.span;
        let to = Self::LATER;
        let s =
            if self.is_record(text) { None } else { Some(self.operand(text, self.facts(regex))) };
        let pattern = self.pattern(regex);
        self.span = span;
        match (s, pattern.kind()) {
            (None, PatternKind::Constant(re)) => self.emit_jump(record_jump(re, sense), waiting),
            (Some(s), PatternKind::Constant(re)) => {
                let jump = if sense {
                    Op::JumpMatches { s, re, to }
                } else {
                    Op::JumpNotMatches { s, re, to }
                };
                self.emit_jump(jump, waiting);
            }
            (s, _) => {
                // The pattern has been evaluated, so the record can be read now.
                let s = s.unwrap_or_else(|| {
                    let d = self.register();
                    self.emit(field(d, riverhawk_bytecode::FieldNo(0)));
                    d.src()
                });
                let d = self.register();
                self.emit(Op::Matches { d, s, pattern });
                let a = d.src();
                self.emit_jump(
                    if sense { Op::JumpTrue { a, to } } else { Op::JumpFalse { a, to } },
                    waiting,
                );
            }
        }
    }

    /// Gives 1 or 0; `d` is written last, on either path.
    pub(crate) fn truth_by_jumps(&mut self, id: ExprId, d: Dst) {
        let mut otherwise = Patches::new();
        let mut end = Patches::new();
        self.jump_unless(id, &mut otherwise);
        let one = self.number(1.0);
        self.emit(Op::Move { d, s: one });
        self.emit_jump(Op::Jump { to: Self::LATER }, &mut end);
        self.land(otherwise);
        let zero = self.number(0.0);
        self.emit(Op::Move { d, s: zero });
        self.land(end);
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne
    )
}

fn record_jump(re: riverhawk_bytecode::RegexId, sense: bool) -> Op {
    let to = Compiler::LATER;
    if sense { Op::JumpRecordMatches { re, to } } else { Op::JumpRecordNotMatches { re, to } }
}
