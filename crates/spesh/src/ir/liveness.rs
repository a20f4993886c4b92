//! Which registers of a frame hold something that will still be read: only those must be in their
//! slots when machine code is left.

use super::effects::{Access, Flow, visit};
use super::slot::Slot;
use super::snapshot::{Frame, Snapshot};
use riverhawk_bytecode::Op;

/// For each operation of a frame, the registers that are read at it or later before they are
/// written.
#[derive(Clone, Debug)]
pub struct Liveness {
    start: u32,
    /// 64-bit words for each operation.
    words: usize,
    live: Vec<u64>,
}

impl Liveness {
    /// Of a frame.
    pub fn of(snapshot: &Snapshot, frame: &Frame) -> Liveness {
        let words = usize::from(frame.registers).div_ceil(64).max(1);
        let (start, end) = (frame.code.start, frame.code.end);
        let count = (end - start) as usize;
        let mut live = vec![0u64; words * (count + 1)];
        let mut row = vec![0u64; words];
        let mut changed = true;
        while changed {
            changed = false;
            for at in (start..end).rev() {
                let op = &snapshot.code[at as usize];
                let index = (at - start) as usize;
                row.fill(0);
                let (mut reads, mut writes) = (Vec::new(), Vec::new());
                let flow = visit(op, &snapshot.lists, |slot, access| {
                    let Slot::Register(register) = slot else { return };
                    match access {
                        Access::Read | Access::Array => reads.push(register),
                        Access::Write(_) => writes.push(register),
                    }
                });
                let mut merge = |target: u32| {
                    let from = (target - start) as usize * words;
                    for (word, more) in row.iter_mut().zip(&live[from..from + words]) {
                        *word |= more;
                    }
                };
                match flow {
                    Flow::Jump(to) => merge(to),
                    Flow::Branch(to) => {
                        merge(to);
                        merge(at + 1);
                    }
                    Flow::Next | Flow::Call => merge(at + 1),
                    Flow::Interpreter if goes_on(op) => merge(at + 1),
                    // From anywhere in the record loop, back to where it begins.
                    Flow::Interpreter if matches!(op, Op::Next {}) => merge(start),
                    Flow::Interpreter => {}
                }
                for register in writes {
                    row[usize::from(register) / 64] &= !(1 << (register % 64));
                }
                for register in reads {
                    row[usize::from(register) / 64] |= 1 << (register % 64);
                }
                let into = &mut live[index * words..(index + 1) * words];
                if into != row.as_slice() {
                    into.copy_from_slice(&row);
                    changed = true;
                }
            }
        }
        Liveness { start, words, live }
    }

    /// Whether a register is live before an operation.
    pub fn is_live(&self, at: u32, register: u16) -> bool {
        let word = (at - self.start) as usize * self.words + usize::from(register) / 64;
        self.live[word] & 1 << (register % 64) != 0
    }
}

/// Whether the frame goes on behind an operation that only the interpreter knows. Told by those
/// that end it: one forgotten here costs a few stores, one forgotten in a list of the others costs
/// the values.
fn goes_on(op: &Op) -> bool {
    !matches!(
        op,
        Op::Fail { .. }
            | Op::Return { .. }
            | Op::ReturnNothing {}
            | Op::Exit { .. }
            | Op::ExitPlain {}
            | Op::Halt {}
            | Op::Next {}
            | Op::NextFile {}
    )
}
