//! Compiles a plan to machine code, as part of the specialiser's work.

use super::candidates::{Head, Made};
use super::facts::OP_BYTES;
use super::programs::CodeMaker;
use super::watched::{Machinery, Watched};
use riverhawk_jit::{Compiler, CompilerOptions};
use riverhawk_spesh::ir::passes::Pass;
use riverhawk_spesh::ir::{CodeRequest, EntryPoint, Feedback, FrameName, Refusal};
use riverhawk_spesh::{Evidence, Planned, Production, Type};
use std::sync::PoisonError;

impl CodeMaker for Watched {
    fn produce(&self, index: usize, planned: &Planned, evidence: &Evidence<'_>) -> Production {
        match self.machinery() {
            Some(machinery) => machinery.produce(self, index, planned, evidence),
            None => Production::Refused(String::from("there is to be no machine code")),
        }
    }
}

impl Machinery {
    fn produce(
        &self,
        program: &Watched,
        index: usize,
        planned: &Planned,
        evidence: &Evidence<'_>,
    ) -> Production {
        let Some((frame, code_start)) = self.frame(index) else {
            return Production::Refused(String::from("the frame has no code of its own"));
        };
        if !self.snapshot.gains(frame) {
            return Production::Refused(String::from(
                "a record loop without loops and calls that does not cut records gains nothing",
            ));
        }
        let mut compiler = self.compiler.lock().unwrap_or_else(PoisonError::into_inner);
        if compiler.is_none() {
            let keeps = program.options();
            let options = CompilerOptions {
                keep_ir: keeps.keep_ir,
                keep_assembly: keeps.keep_assembly,
                no_inlining: keeps.no_inline,
                listing: program.listing(),
                skipped_passes: keeps.no_pass.iter().filter_map(|name| Pass::named(name)).collect(),
            };
            match Compiler::new(self.snapshot.clone(), options) {
                Ok(made) => *compiler = Some(made),
                Err(refusal) => return Production::Refused(refusal.to_string()),
            }
        }
        let Some(compiler) = compiler.as_mut() else { return Production::Refused(String::new()) };
        let feedback = feedback(planned, evidence, code_start);
        let (mut done, mut refusals) = (0, Vec::new());
        for entry in self.entries(program, frame, planned) {
            let request = CodeRequest { frame, entry, feedback: feedback.clone() };
            let made = compiler.compile(&request);
            for callee in compiler.take_callees() {
                program.log_inlining(&callee);
                self.candidates.publish(Made { candidate: callee, origin: None });
            }
            match made {
                Ok(candidate) => {
                    program.log_inlining(&candidate);
                    let origin = Some((evidence.frame().clone(), planned.key.clone()));
                    self.candidates.publish(Made { candidate, origin });
                    evidence.frame().publish_candidate();
                    done += 1;
                }
                Err(refusal) => refusals.push(refusal),
            }
        }
        match (done, refusals.first()) {
            (0, Some(refusal)) => Production::Refused(refusal.to_string()),
            (0, None) => Production::Refused(String::from(
                "it is entered neither by a call nor in a loop that was seen and gains by code of its own",
            )),
            _ => Production::Done,
        }
    }

    fn entries(&self, program: &Watched, frame: FrameName, planned: &Planned) -> Vec<EntryPoint> {
        let mut entries = Vec::new();
        if let (FrameName::Function(_), Some(callsite)) = (frame, planned.key.callsite) {
            let types = planned.key.types.as_ref();
            let argument = |at: usize| {
                types.and_then(|types| types.0.get(at).copied().flatten()).and_then(checked)
            };
            entries.push(EntryPoint::Call {
                arguments: (0..callsite.arity()).map(argument).collect(),
            });
        }
        if !program.options().no_osr && planned.osr_hits > 0 {
            let heads = self.candidates.heads(frame);
            let most = heads.iter().map(|(_, head)| head.turns).max().unwrap_or(0);
            // Code entered at a loop header also runs the outer loops, so those with few iterations
            // need no entry.
            let gains =
                |at: u32| program.options().spesh_nodelay || self.snapshot.loop_gains(frame, at);
            let hot = heads.into_iter().filter(|(at, head)| head.turns >= most / 4 && gains(*at));
            entries.extend(hot.map(|(head, Head { registers, globals, .. })| EntryPoint::Loop {
                header: head,
                registers,
                globals,
            }));
        }
        entries
    }
}

/// `None` if the tag does not determine the type. Passing an unassigned argument assigns it.
fn checked(ty: Type) -> Option<Type> {
    matches!(ty, Type::Num | Type::Array).then_some(ty)
}

/// What all tuples of the specialisation saw at each operation.
fn feedback(planned: &Planned, evidence: &Evidence<'_>, code_start: u32) -> Feedback {
    let mut feedback = Feedback::default();
    let Some(at) = evidence.statistics().by_callsite.get(&planned.key.callsite) else {
        return feedback;
    };
    for tuple in &planned.evidence {
        let Some(statistics) = at.by_tuple.get(tuple) else { continue };
        for (offset, place) in &statistics.by_offset {
            // Only entries for whole operations.
            if offset % OP_BYTES != 0 {
                continue;
            }
            let seen = feedback.seen.entry(code_start + offset / OP_BYTES).or_default();
            for (count, more) in seen.types.iter_mut().zip(place.types.0) {
                *count = count.saturating_add(more);
            }
            for (count, more) in seen.outcomes.iter_mut().zip(place.outcomes.0) {
                *count = count.saturating_add(more);
            }
        }
    }
    feedback
}

const _: () = {
    const fn is_send<T: Send + Sync>() {}
    is_send::<Watched>();
    is_send::<Refusal>();
};
