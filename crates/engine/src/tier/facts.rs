//! The specialiser's facts about the frames of a program.

use riverhawk_bytecode::{FrameKind, Op, StaticFrame, Unit};
use riverhawk_spesh::FrameFacts;
use riverhawk_syntax::source::SourceMap;

/// Size of an operation. The log has positions in bytes, which leaves room for parts of an
/// operation.
pub(super) const OP_BYTES: u32 = size_of::<Op>() as u32;

/// In the order of [`Unit::frames`].
pub(super) fn facts(unit: &Unit, sources: &SourceMap) -> Vec<FrameFacts> {
    unit.frames().map(|frame| facts_of(frame, unit, sources)).collect()
}

fn facts_of(frame: &StaticFrame, unit: &Unit, sources: &SourceMap) -> FrameFacts {
    let place = sources
        .locate(frame.span)
        .map_or_else(String::new, |at| format!("{}:{}", at.name, at.line));
    let code =
        unit.code.get(frame.code.start as usize..frame.code.end as usize).unwrap_or_default();
    FrameFacts {
        name: if frame.kind == FrameKind::Callback {
            String::from("callback")
        } else {
            frame.name.clone()
        },
        place,
        bytecode_bytes: (code.len() as u32).saturating_mul(OP_BYTES),
        parameters: frame.params.clone(),
        is_called: !matches!(frame.kind, FrameKind::Begin | FrameKind::Main | FrameKind::End),
        gains_from_types: code.iter().any(riverhawk_vm::tier::gains_from_types),
    }
}
