//! `eval "..."` and `printf`, performed over the tree.

use super::Session;
use super::expression::{Evaluation, parsed};
use riverhawk_syntax::ast::{StmtId, StmtKind};
use riverhawk_value::Value;
use riverhawk_vm::visits::Scene;

/// The most iterations of one command's loops, which nothing else could end.
const MAX_TURNS: usize = 10_000_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    On,
    Break,
    Continue,
}

impl Session {
    /// Missing variables are made, and stay until the run ends.
    pub(super) fn run_new_statements(
        &mut self,
        text: &str,
        scene: &mut Scene<'_>,
    ) -> Result<(), String> {
        for global in &parsed(text)?.globals {
            scene.make_variable(&global.name, self.level);
        }
        self.run_statements(text, scene)
    }

    /// In the selected frame; output goes where the program's does.
    pub(super) fn run_statements(
        &mut self,
        text: &str,
        scene: &mut Scene<'_>,
    ) -> Result<(), String> {
        let done = perform(text, scene, self.level);
        self.take_changes(scene);
        done
    }
}

/// Performs statements with the variables of a frame. Their output goes where the program's does.
///
/// # Errors
/// They are no statements, or one fails or is of a kind that cannot be performed here.
pub fn perform(text: &str, scene: &mut Scene<'_>, level: usize) -> Result<(), String> {
    let program = parsed(text)?;
    let evaluation = Evaluation { program: &program, scene: &mut *scene, level };
    let body = program.begin.first().map(|action| action.body.clone()).unwrap_or_default();
    let done = Performance { evaluation, turns: 0 }.all(&body);
    scene.flush();
    done.map(drop)
}

struct Performance<'a, 'm> {
    evaluation: Evaluation<'a, 'm>,
    turns: usize,
}

impl Performance<'_, '_> {
    fn all(&mut self, body: &[StmtId]) -> Result<Flow, String> {
        for &id in body {
            let flow = self.one(id)?;
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    /// Whether another iteration may follow.
    fn turn(&mut self, body: StmtId) -> Result<bool, String> {
        self.turns += 1;
        if self.turns > MAX_TURNS {
            return Err(format!("more than {MAX_TURNS} turns of loops"));
        }
        Ok(self.one(body)? != Flow::Break)
    }

    fn one(&mut self, id: StmtId) -> Result<Flow, String> {
        let program = self.evaluation.program;
        match &program[id].kind {
            StmtKind::Expr(root) => drop(self.evaluation.value(*root)?),
            StmtKind::Print { args, to: None } => {
                let values = match &args[..] {
                    [] => vec![self.evaluation.scene.field(0)],
                    args => self.evaluation.values(args)?,
                };
                self.evaluation.scene.print(&values)?;
            }
            StmtKind::Printf { args, to: None } => {
                let values = self.evaluation.values(args)?;
                self.evaluation.scene.printf(&values)?;
            }
            StmtKind::If { cond, then, otherwise } => {
                if self.evaluation.truth(*cond)? {
                    return self.one(*then);
                } else if let Some(otherwise) = otherwise {
                    return self.one(*otherwise);
                }
            }
            StmtKind::While { cond, body } => {
                while self.evaluation.truth(*cond)? && self.turn(*body)? {}
            }
            StmtKind::DoWhile { body, cond } => {
                while self.turn(*body)? && self.evaluation.truth(*cond)? {}
            }
            StmtKind::For { init, cond, step, body } => {
                if let Some(init) = init {
                    self.one(*init)?;
                }
                while cond.map_or(Ok(true), |cond| self.evaluation.truth(cond))?
                    && self.turn(*body)?
                {
                    if let Some(step) = step {
                        self.one(*step)?;
                    }
                }
            }
            StmtKind::ForIn { target, array, body } => {
                let array = self.evaluation.array_to_fill(array)?;
                for key in self.evaluation.scene.keys(&array) {
                    self.evaluation.assign(*target, key)?;
                    if !self.turn(*body)? {
                        break;
                    }
                }
            }
            StmtKind::Block(body) => return self.all(body),
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Continue => return Ok(Flow::Continue),
            StmtKind::Delete { array, subscripts } => {
                let array = self.evaluation.array(array)?;
                let key = subscripts
                    .as_ref()
                    .map(|subscripts| self.evaluation.key(subscripts))
                    .transpose()?;
                let keys =
                    key.map_or_else(|| self.evaluation.scene.keys(&array), |key: Value| vec![key]);
                keys.iter().for_each(|key| self.evaluation.scene.delete_element(&array, key));
            }
            _ => return Err("this statement cannot be performed here".to_owned()),
        }
        Ok(Flow::On)
    }
}
