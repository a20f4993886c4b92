//! Whether a loop is worth code of its own: one that spends its time in functions which code calls as the interpreter does saves less
//! than the compiler takes, some 3 ms.

use super::effects::{Flow, visit};
use super::function::Performer;
use super::operations::performer;
use super::request::FrameName;
use super::snapshot::Snapshot;
use riverhawk_bytecode::Op;

/// What code saves with each operation that it has itself: instructions.
const SAVED: u32 = 25;

/// The least part of the instructions that must be saved, as one of so many: with a tenth a loop of `sprintf` took 39 ms and, compiled, 43.
const LEAST_PART: u32 = 5;

impl Snapshot {
    /// Whether the loop at this head gains by code of its own. Loops with loops or calls within always do, and so do those of functions,
    /// whose code is made for their callers as well.
    pub fn loop_gains(&self, name: FrameName, head: u32) -> bool {
        if !matches!(name, FrameName::Begin | FrameName::End) {
            return true;
        }
        let Some(frame) = self.frame(name) else { return true };
        let flow = |at: u32| visit(&self.code()[at as usize], &self.lists, |_, _| {});
        let back = |at: u32, to: u32| matches!(flow(at), Flow::Jump(target) | Flow::Branch(target) if target == to);
        let Some(last) = (head..frame.code.end).rev().find(|&at| back(at, head)) else { return true };
        let (mut saved, mut spent) = (0u32, 0u32);
        for at in head..=last {
            match flow(at) {
                Flow::Call => return true,
                Flow::Jump(to) | Flow::Branch(to) if to <= at && to > head => return true,
                _ => {}
            }
            match cost(&self.code()[at as usize]) {
                0 => saved += SAVED,
                cost => spent += cost,
            }
        }
        saved * LEAST_PART >= spent
    }
}

/// What an operation takes whoever performs it, where that is much: instructions, measured with short operands.
fn cost(op: &Op) -> u32 {
    match performer(op) {
        Performer::Print | Performer::PrintTo => 300,
        Performer::GetlineFrom | Performer::GetlineFromVar | Performer::Matches | Performer::MatchAt => 400,
        Performer::Format => 700,
        Performer::Substitute | Performer::Library => 900,
        Performer::Split => 1_500,
        _ => 0,
    }
}
