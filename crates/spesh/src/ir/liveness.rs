//! Which registers will be read again, and so must be in their slots at a side exit.

use super::slot::Slot;
use super::snapshot::{Snapshot, SnapshotFrame};
use riverhawk_bytecode::{Op, Successors};

/// By operation, the registers read before they are written.
#[derive(Clone, Debug)]
pub struct Liveness {
    start: u32,
    words: usize,
    live: Vec<u64>,
}

impl Liveness {
    /// The liveness of a frame.
    pub fn of(snapshot: &Snapshot, frame: &SnapshotFrame) -> Liveness {
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
                op.visit_slots(&snapshot.lists, |slot, access| {
                    let Slot::Register(register) = slot.into() else { return };
                    if access.reads() {
                        reads.push(register);
                    }
                    if access.writes().is_some() {
                        writes.push(register);
                    }
                });
                let mut merge = |target: u32| {
                    let from = (target - start) as usize * words;
                    for (word, more) in row.iter_mut().zip(&live[from..from + words]) {
                        *word |= more;
                    }
                };
                match op.successors() {
                    Successors::Jump(to) => merge(to),
                    Successors::Branch(to) => {
                        merge(to);
                        merge(at + 1);
                    }
                    Successors::Next | Successors::Call | Successors::Interpreter => merge(at + 1),
                    // `next` jumps to the start of the record loop.
                    Successors::End if matches!(op, Op::Next {}) => merge(start),
                    Successors::End => {}
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
