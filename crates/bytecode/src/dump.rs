//! The bytecode as people read it: `--dump=bytecode`.

use crate::operand::Scope;
use crate::unit::{StaticFrame, Unit};
use std::fmt::Write;

/// The whole unit as text, frame after frame.
pub fn dump(unit: &Unit) -> String {
    let mut out = String::new();
    for frame in unit.frames() {
        dump_frame(unit, frame, &mut out);
    }
    out
}

fn dump_frame(unit: &Unit, frame: &StaticFrame, out: &mut String) {
    let _ = write!(out, "{}", frame.name);
    if frame.kind == crate::unit::FrameKind::Function {
        let _ = write!(out, "({})", frame.params.join(", "));
    }
    let _ = writeln!(out, ": {} registers", frame.registers);
    let scope = Scope { unit, frame };
    for at in frame.code.clone() {
        let Some(op) = unit.code.get(at as usize) else { continue };
        let _ = write!(out, "{at:6}  {:<20}", op.name());
        op.show_operands(scope, out);
        while out.ends_with(' ') {
            out.pop();
        }
        out.push('\n');
    }
    out.push('\n');
}
