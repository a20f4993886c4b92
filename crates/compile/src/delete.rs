//! `delete a[i][j]`: as in gawk, does nothing and creates nothing when `a[i]` does not exist.

use crate::emit::{Compiler, Patches};
use crate::facts::Facts;
use riverhawk_bytecode::{Op, Src};
use riverhawk_syntax::ast::{ExprId, ExprKind, Name};

impl Compiler<'_> {
    pub(crate) fn delete_deep(&mut self, array: Name, subscripts: &[ExprId]) {
        let program = self.program;
        // From the variable inwards, each with its element's span.
        let mut levels = vec![(subscripts, self.span)];
        let mut variable = array;
        while let Some(element) = variable.element
            && let ExprKind::Element { array, subscripts } = &program[element].kind
        {
            levels.push((subscripts, program[element].span));
            variable = *array;
        }
        levels.reverse();
        if self.table_of(variable).is_some() {
            let (array, key) = self.element(array, subscripts, Facts::NONE);
            return self.emit(Op::DeleteElement { array, key });
        }
        let span = self.span;
        let keys: Vec<Src> = (0..levels.len())
            .map(|at| {
                let later = levels[at + 1..]
                    .iter()
                    .fold(Facts::NONE, |sum, (ids, _)| sum.or(self.facts_of(ids)));
                self.key(levels[at].0, later)
            })
            .collect();
        let mut array = self.array_of(variable);
        let mut missing = Patches::new();
        let last = keys.len() - 1;
        for (&key, (_, place)) in keys[..last].iter().zip(&levels) {
            self.span = *place;
            let found = self.register();
            self.emit(Op::HasElement { d: found, array, key });
            if self.mode.warns {
                // Deleting a missing element only warns.
                let mut there = Patches::new();
                self.emit_jump(Op::JumpTrue { a: found.src(), to: Self::LATER }, &mut there);
                self.emit(Op::DeleteElement { array, key });
                self.emit_jump(Op::Jump { to: Self::LATER }, &mut missing);
                self.land(there);
            } else {
                self.emit_jump(Op::JumpFalse { a: found.src(), to: Self::LATER }, &mut missing);
            }
            let d = self.register();
            self.emit(Op::GetSubarray { d, array, key });
            array = d;
        }
        self.span = span;
        self.emit(Op::DeleteElement { array, key: keys[last] });
        self.land(missing);
    }
}
