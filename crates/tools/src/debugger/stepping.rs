//! How far a run goes before it stops again.

use super::places::Places;

/// How far a run goes, if no breakpoint stops it. Frames are numbered by their depth: 0 for rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// To the next breakpoint.
    Continue,
    /// To another line.
    Step,
    /// To the next statement.
    StepStatement,
    /// To another line of this frame or an outer one.
    Next(usize),
    /// To the next statement of this frame or an outer one.
    NextStatement(usize),
    /// Out of the frame at this depth.
    Finish(usize),
    /// Out of the frame at this depth, by `return`.
    Return(usize),
    /// To a later line of this frame, or out of it.
    UntilLater(usize, usize),
    /// To this place, or out of the frame at this depth.
    UntilPlace(usize, usize),
}

impl Pace {
    /// Whether a run that is at the place `at`, this many calls deep, is as far as it should go.
    /// `from` is the place where it stopped last.
    pub fn arrives(self, places: &Places, from: Option<usize>, at: usize, depth: usize) -> bool {
        let Some(place) = places.get(at) else { return false };
        let before = from.and_then(|from| places.get(from));
        let other_line =
            before.is_none_or(|before| (before.piece, before.line) != (place.piece, place.line));
        match self {
            Pace::Continue => false,
            Pace::StepStatement => true,
            Pace::Step => other_line,
            Pace::Next(most) => depth < most || depth == most && other_line,
            Pace::NextStatement(most) => depth < most || depth == most && !place.is_return,
            Pace::Finish(most) | Pace::Return(most) => depth < most,
            Pace::UntilLater(line, most) => depth < most || depth == most && place.line > line,
            Pace::UntilPlace(wanted, most) => at == wanted || depth < most,
        }
    }
}
