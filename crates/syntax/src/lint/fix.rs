//! Applies fixes.

use crate::diagnostic::{Diagnostic, Edit, FixKind};
use crate::source::SourcePiece;

/// A piece of program text with its fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The new text.
    pub text: Vec<u8>,
    /// How many findings were resolved.
    pub applied: usize,
}

/// Applies the first safe fix of each finding in a piece, and leaves fixes that overlap with
/// earlier ones to another pass.
pub fn apply_safe(piece: &SourcePiece, found: &[Diagnostic]) -> Fixed {
    let whole = piece.base..=piece.base + piece.text.len() as u32;
    let is_here = |edit: &Edit| whole.contains(&edit.span.start) && whole.contains(&edit.span.end);
    let mut edits: Vec<&Edit> = Vec::new();
    let mut applied = 0;
    for finding in found {
        let safe = finding.fixes.iter().find(|fix| fix.kind == FixKind::Safe);
        let Some(fix) = safe.filter(|fix| fix.edits.iter().all(is_here)) else { continue };
        let touches = |new: &Edit| {
            edits.iter().any(|old| new.span.start <= old.span.end && old.span.start <= new.span.end)
        };
        if !fix.edits.iter().any(touches) {
            edits.extend(&fix.edits);
            applied += 1;
        }
    }
    edits.sort_by_key(|edit| edit.span.start);
    let mut text = Vec::with_capacity(piece.text.len());
    let mut copied = 0;
    for edit in edits {
        let [start, end] = [edit.span.start, edit.span.end].map(|at| (at - piece.base) as usize);
        text.extend_from_slice(&piece.text[copied..start]);
        text.extend_from_slice(&edit.text);
        copied = end;
    }
    text.extend_from_slice(&piece.text[copied..]);
    Fixed { text, applied }
}
