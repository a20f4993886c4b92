//! Frames: BEGIN, the record loop, END, functions.

use crate::emit::{Compiler, Patches};
use riverhawk_bytecode::{Dst, FrameKind, Op, ProfiledRule};
use riverhawk_syntax::Visit;
use riverhawk_syntax::ast::{
    FunctionDefinition, FunctionId, GlobalId, Rule, RuleAction, RulePattern, Span, Usage,
};

impl Compiler<'_> {
    pub(crate) fn program(&mut self) {
        let program = self.program;
        if !program.begin.is_empty() {
            self.unit.begin = Some(self.actions(FrameKind::Begin, "BEGIN", &program.begin));
        }
        let watches_files = !program.begin_file.is_empty() || !program.end_file.is_empty();
        if !program.rules.is_empty() || !program.end.is_empty() || watches_files {
            self.unit.main = Some(self.record_loop());
        }
        if !program.end.is_empty() {
            self.unit.end = Some(self.actions(FrameKind::End, "END", &program.end));
        }
        if !program.begin_file.is_empty() {
            self.unit.begin_file =
                Some(self.actions(FrameKind::BeginFile, "BEGINFILE", &program.begin_file));
        }
        if !program.end_file.is_empty() {
            self.unit.end_file =
                Some(self.actions(FrameKind::EndFile, "ENDFILE", &program.end_file));
        }
        self.unit.test = self.mode.test.map(|function| self.test(function));
        for (number, function) in (0..).zip(&program.functions) {
            let frame = self.function(FunctionId(number), function);
            self.unit.functions.push(frame);
        }
        // A debugger may call the program's functions.
        if self.calls_back || self.mode.observed {
            let start = self.open_frame(FrameKind::Callback, Vec::new());
            self.emit(Op::Halt {});
            self.unit.callback =
                Some(self.close_frame(start, "a callback", Vec::new(), Span::default()));
        }
    }

    fn actions(
        &mut self,
        kind: FrameKind,
        name: &str,
        actions: &[RuleAction],
    ) -> riverhawk_bytecode::StaticFrame {
        let start = self.open_frame(kind, Vec::new());
        for action in actions {
            self.enter_rule(ProfiledRule { kind, pattern: None, reads: false, span: action.span });
            self.block(&action.body);
        }
        self.end_of_frame();
        let span = actions.first().map_or(Span::default(), |action| action.span);
        self.close_frame(start, name, Vec::new(), span)
    }

    fn test(&mut self, id: FunctionId) -> riverhawk_bytecode::StaticFrame {
        let span = self.program.functions[id.index()].name_span;
        let start = self.open_frame(FrameKind::End, Vec::new());
        let d = self.register();
        self.call(id, &[], d, span);
        self.end_of_frame();
        self.close_frame(start, "test", Vec::new(), span)
    }

    fn record_loop(&mut self) -> riverhawk_bytecode::StaticFrame {
        let scalar = Usage { scalar: true, array: false };
        let start = self.open_frame(FrameKind::Main, vec![scalar; self.locals.variables.len()]);
        let rules = &self.program.rules;
        let span = rules.first().map_or(Span::default(), |rule| rule.span);
        let reading = ProfiledRule { kind: FrameKind::Main, pattern: None, reads: true, span };
        self.enter_rule(reading.clone());
        if rules.is_empty() {
            self.emit(Op::DrainRecords {});
        } else {
            let mut done = Patches::new();
            let (place, done_at) = (self.span, Self::LATER);
            let next = match self.mode.limited {
                true => Op::CountedNextRecord { done: done_at },
                false => Op::NextRecord { done: done_at },
            };
            self.emit_jump(next, &mut done);
            let again = self.here();
            let mut range = 0;
            for (number, rule) in (0..).zip(rules) {
                self.rule(number, rule, &mut range);
            }
            self.enter_rule(reading);
            if self.mode.limited {
                // Where the first record was counted.
                self.span = place;
                self.emit(Op::CountedRecordLoop { again });
            } else {
                self.emit(Op::RecordLoop { again });
            }
            self.land(done);
        }
        self.end_of_frame();
        let name = |local: &GlobalId| self.program.globals[local.index()].name.clone();
        let locals = self.locals.variables.iter().map(name).collect();
        let frame = self.close_frame(start, "main", Vec::new(), span);
        riverhawk_bytecode::StaticFrame { locals, usages: Vec::new(), ..frame }
    }

    fn rule(&mut self, number: u32, rule: &Rule, range: &mut usize) {
        let mut skip = Patches::new();
        self.visit(Visit::Rule(number), rule.span);
        let pattern = match rule.pattern {
            RulePattern::Always => None,
            RulePattern::Expr(expr) => Some(self.program[expr].span),
            RulePattern::Range(first, last) => {
                let (first, last) = (self.program[first].span, self.program[last].span);
                Some(Span { start: first.start, end: last.end })
            }
        };
        self.enter_rule(ProfiledRule {
            kind: FrameKind::Main,
            pattern,
            reads: false,
            span: rule.span,
        });
        self.span = rule.span;
        match rule.pattern {
            RulePattern::Always => {}
            RulePattern::Expr(expr) => self.jump_unless(expr, &mut skip),
            RulePattern::Range(first, last) => {
                let flag = GlobalId((self.program.globals.len() + *range) as u32);
                *range += 1;
                self.range(flag, first, last, &mut skip);
            }
        }
        self.visit(Visit::Match(number), rule.span);
        let is_first = match rule.pattern {
            RulePattern::Expr(cond) => self.begin_first(cond),
            _ => false,
        };
        self.span = rule.span;
        match &rule.action {
            Some(body) => self.block(body),
            None => self.emit(Op::PrintRecord {}),
        }
        if is_first {
            self.emit(Op::EndFirst {});
        }
        self.land(skip);
    }

    /// Both ends included; `flag` remembers whether the range is open.
    fn range(
        &mut self,
        flag: GlobalId,
        first: riverhawk_syntax::ast::ExprId,
        last: riverhawk_syntax::ast::ExprId,
        skip: &mut Patches,
    ) {
        let mut inside = Patches::new();
        let mut stay = Patches::new();
        let mark = self.mark();
        let a = self.flag(flag).src();
        self.emit_jump(Op::JumpTrue { a, to: Self::LATER }, &mut inside);
        self.jump_unless(first, skip);
        self.set_flag(flag, 1.0);
        self.land(inside);
        self.jump_unless(last, &mut stay);
        self.set_flag(flag, 0.0);
        self.land(stay);
        self.release(mark);
    }

    fn flag(&mut self, flag: GlobalId) -> Dst {
        self.global_slot(flag).unwrap_or_else(|| {
            let d = self.register();
            self.emit(Op::GetGlobal { d, g: riverhawk_bytecode::GlobalNo(flag.0) });
            d
        })
    }

    fn set_flag(&mut self, flag: GlobalId, value: f64) {
        let s = self.number(value);
        match self.global_slot(flag) {
            Some(d) => self.emit(Op::Move { d, s }),
            None => self.emit(Op::SetGlobal { g: riverhawk_bytecode::GlobalNo(flag.0), s }),
        }
    }

    fn function(
        &mut self,
        id: FunctionId,
        function: &FunctionDefinition,
    ) -> riverhawk_bytecode::StaticFrame {
        let start = self.open_frame(
            FrameKind::Function,
            function.params.iter().map(|param| param.usage).collect(),
        );
        if function.defined && !function.builtin {
            self.visit(Visit::Function(id), function.name_span);
            self.frame.is_profiled = true;
            if self.mode.profiled {
                self.span = function.name_span;
                self.emit(Op::EnterFunction {});
            }
        }
        let warns = self.mode.warns;
        self.mode.warns &= !function.in_library;
        self.check_limits();
        self.block(&function.body);
        self.mode.warns = warns;
        self.end_of_frame();
        if self.mode.observed {
            // Where a debugger makes the function return.
            let last = GlobalId(self.unit.globals.len() as u32 - 1);
            match self.global_slot(last) {
                Some(slot) => self.emit(Op::Return { s: slot.src() }),
                None => self.emit(Op::ReturnNothing {}),
            }
        }
        let params = function.params.iter().map(|param| param.name.clone()).collect();
        let frame = self.close_frame(start, &function.name, params, function.span);
        riverhawk_bytecode::StaticFrame {
            defined: function.defined,
            builtin: function.builtin,
            ..frame
        }
    }
}
