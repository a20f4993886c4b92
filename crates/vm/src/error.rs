//! An error that ended a run, with all that its message needs.

use std::sync::Arc;

use riverhawk_awkio::cancel::StopCause;
use riverhawk_awkio::fault::{FaultKind, RunLimit};
use riverhawk_syntax::ast::Span;

/// What went wrong. The exit status is 2, as for gawk's fatal errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuntimeError {
    /// One line, without position.
    pub message: String,
    /// The expression or statement that failed, if one did.
    pub span: Option<Span>,
    /// The calls that led there.
    pub backtrace: Backtrace,
    /// The current record; `None` in `BEGIN`.
    pub input: Option<InputPosition>,
    /// What to do about it.
    pub help: Option<String>,
    /// The limit that was reached, or what ended the run.
    pub cause: Option<EndCause>,
}

impl RuntimeError {
    /// An error with only a message.
    pub fn new(message: impl Into<String>) -> RuntimeError {
        RuntimeError { message: message.into(), ..RuntimeError::default() }
    }

    /// The same, with a position in the program.
    pub fn at(mut self, span: Span) -> RuntimeError {
        self.span = Some(span);
        self
    }
}

/// Why a run ended without a mistake of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndCause {
    /// [`Cancel::cancel`](riverhawk_awkio::cancel::Cancel::cancel).
    Cancelled,
    /// [`Limits::timeout`](crate::config::Limits::timeout).
    Time,
    /// Out of memory, or [`Limits::memory_limit`](crate::config::Limits::memory_limit).
    Memory,
    /// [`Limits::max_steps`](crate::config::Limits::max_steps).
    Steps,
    /// [`Limits::max_records`](crate::config::Limits::max_records).
    Records,
    /// [`Limits::max_call_depth`](crate::config::Limits::max_call_depth).
    Calls,
    /// [`Limits::max_output`](crate::config::Limits::max_output).
    Output,
    /// A record is longer than [`Limits::max_record`](crate::config::Limits::max_record), or than
    /// any may be.
    RecordLength,
}

impl EndCause {
    pub(crate) fn of(fault: &FaultKind) -> Option<EndCause> {
        Some(match fault {
            FaultKind::Stopped(cause) => (*cause).into(),
            FaultKind::Memory => EndCause::Memory,
            FaultKind::Limit(RunLimit::Steps(_)) => EndCause::Steps,
            FaultKind::Limit(RunLimit::Records(_)) => EndCause::Records,
            FaultKind::Limit(RunLimit::Calls(_)) => EndCause::Calls,
            FaultKind::Output(error) if error.is_limit() => EndCause::Output,
            FaultKind::RecordTooLong(_) => EndCause::RecordLength,
            FaultKind::Read(_, error) if is_too_long(error) => EndCause::RecordLength,
            _ => return None,
        })
    }
}

pub(crate) fn is_too_long(error: &std::io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<riverhawk_stream::RecordTooLong>())
}

impl From<StopCause> for EndCause {
    fn from(cause: StopCause) -> EndCause {
        match cause {
            StopCause::Cancelled => EndCause::Cancelled,
            StopCause::Time(_) => EndCause::Time,
        }
    }
}

/// A position in the main input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputPosition {
    /// The file's name; empty for standard input.
    pub file: Vec<u8>,
    /// Records read from this file (`FNR`).
    pub record: u64,
}

/// One call of a user function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function that was called.
    pub function: Arc<str>,
    /// The call.
    pub call: Span,
}

/// The calls from the failing one outwards; of a deep one only both ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Backtrace {
    /// The innermost calls, at most [`Backtrace::INNERMOST`].
    pub innermost: Vec<Frame>,
    /// Number of calls left out between the two lists.
    pub omitted: u64,
    /// The outermost calls, at most [`Backtrace::OUTERMOST`].
    pub outermost: Vec<Frame>,
}

impl Backtrace {
    /// Enough to see a cycle of mutual recursion.
    pub const INNERMOST: usize = 10;
    /// Enough to see how the recursion began.
    pub const OUTERMOST: usize = 5;
}

impl FromIterator<Frame> for Backtrace {
    fn from_iter<I: IntoIterator<Item = Frame>>(frames: I) -> Backtrace {
        let mut frames = frames.into_iter();
        let innermost: Vec<Frame> = frames.by_ref().take(Backtrace::INNERMOST).collect();
        let mut last = std::collections::VecDeque::with_capacity(Backtrace::OUTERMOST + 1);
        let mut omitted = 0;
        for frame in frames {
            last.push_back(frame);
            if last.len() > Backtrace::OUTERMOST {
                last.pop_front();
                omitted += 1;
            }
        }
        Backtrace { innermost, omitted, outermost: last.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(count: u32) -> impl Iterator<Item = Frame> {
        let name: Arc<str> = "f".into();
        (0..count)
            .map(move |at| Frame { function: name.clone(), call: Span { start: at, end: at } })
    }

    #[test]
    fn a_shallow_backtrace_keeps_every_call() {
        for depth in 0..=15 {
            let trace: Backtrace = frames(depth).collect();
            assert_eq!(trace.omitted, 0);
            let kept: Vec<u32> = trace
                .innermost
                .iter()
                .chain(&trace.outermost)
                .map(|frame| frame.call.start)
                .collect();
            assert_eq!(kept, (0..depth).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn a_deep_backtrace_keeps_both_ends_and_counts_the_rest() {
        let trace: Backtrace = frames(1_000_000).collect();
        assert_eq!(trace.innermost.len(), 10);
        assert_eq!(trace.omitted, 999_985);
        assert_eq!(trace.outermost[0].call.start, 999_995);
        assert_eq!(trace.outermost.len(), 5);
    }
}
