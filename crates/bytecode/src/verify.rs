//! Checks a unit once, so that the interpreter need not check each operation each time.
//!
//! After it: every operand names something that exists, no constant is written, every jump stays in
//! its frame, no frame runs off its end, only functions return, and code and spans match. The
//! interpreter's unchecked accesses rest on this.

use crate::instructions::Op;
use crate::operand::{Operand, REGISTER_LIMIT, Scope};
use crate::unit::{FrameKind, StaticFrame, Unit};
use riverhawk_syntax::ast::GlobalId;
use riverhawk_syntax::library::ParameterKind;

/// Why a unit is not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The frame.
    pub frame: String,
    /// The operation's index in the code.
    pub at: u32,
    /// What is wrong.
    pub why: String,
}

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "invalid bytecode in {} at {}: {}", self.frame, self.at, self.why)
    }
}

impl std::error::Error for VerifyError {}

/// Checks every frame of a unit.
pub fn verify(unit: &Unit) -> Result<(), VerifyError> {
    if unit.globals.len() <= GlobalId::ENVIRON.index() {
        let why = "the variables that every program has are not there".into();
        return Err(VerifyError { frame: "the globals".into(), at: 0, why });
    }
    // A value that is a regex names one of the program's; only constants are such values.
    for constant in &unit.constants {
        if let riverhawk_value::Value::Regex { number, .. } = constant
            && *number as usize >= unit.regexes.len()
        {
            let why = format!("regex {number} of {}", unit.regexes.len());
            return Err(VerifyError { frame: "the constants".into(), at: 0, why });
        }
    }
    for (frame, kind) in unit.frames_with_kinds() {
        // A `Return` in a frame that nobody called would have nowhere to go.
        if frame.kind != kind {
            let why = format!(
                "a frame of kind {:?} stands where one of kind {kind:?} belongs",
                frame.kind
            );
            return Err(VerifyError { frame: frame.name.clone(), at: frame.code.start, why });
        }
        verify_frame(unit, frame)?;
    }
    Ok(())
}

fn verify_frame(unit: &Unit, frame: &StaticFrame) -> Result<(), VerifyError> {
    let wrong = |at: u32, why: String| VerifyError { frame: frame.name.clone(), at, why };
    let range = frame.code.start as usize..frame.code.end as usize;
    if unit.spans.len() != unit.code.len() {
        return Err(wrong(frame.code.start, "code and spans differ in length".into()));
    }
    if usize::from(frame.registers) > REGISTER_LIMIT
        || frame.params.len() > usize::from(frame.registers)
    {
        return Err(wrong(frame.code.start, format!("{} registers", frame.registers)));
    }
    let Some(code) = unit.code.get(range) else {
        return Err(wrong(frame.code.start, "the frame's code is not there".into()));
    };
    let scope = Scope { unit, frame };
    for (at, op) in (frame.code.start..).zip(code) {
        op.verify_operands(scope).map_err(|why| wrong(at, format!("{}: {why}", op.name())))?;
        verify_place(unit, frame, op).map_err(|why| wrong(at, format!("{}: {why}", op.name())))?;
    }
    match code.last() {
        Some(last) if never_falls_through(last) => Ok(()),
        _ => Err(wrong(frame.code.end, "the frame runs off its end".into())),
    }
}

fn never_falls_through(op: &Op) -> bool {
    matches!(
        op,
        Op::Jump { .. }
            | Op::Loop { .. }
            | Op::Return { .. }
            | Op::ReturnNothing {}
            | Op::Halt {}
            | Op::Next {}
            | Op::NextFile {}
            | Op::Exit { .. }
            | Op::ExitPlain {}
    )
}

/// What an operation asks of where it stands.
fn verify_place(unit: &Unit, frame: &StaticFrame, op: &Op) -> Result<(), String> {
    match op {
        Op::Return { .. } | Op::ReturnNothing {} if frame.kind != FrameKind::Function => {
            Err("outside a function".into())
        }
        Op::NextRecord { .. } | Op::RecordLoop { .. } | Op::DrainRecords {}
            if frame.kind != FrameKind::Main =>
        {
            Err("outside the record loop".into())
        }
        Op::Halt {} if frame.kind == FrameKind::Function => Err("inside a function".into()),
        Op::Call { function, arguments, .. } => {
            let params =
                unit.functions.get(function.index()).map_or(0, |callee| callee.params.len());
            if usize::from(arguments.count) > params {
                return Err(format!("{} arguments for {params} parameters", arguments.count));
            }
            Ok(())
        }
        Op::PostIncrement { d, v } | Op::PostDecrement { d, v } if d == v => {
            Err("d and v are the same slot".into())
        }
        Op::Substitute { d, v, .. } if d == v => Err("d and v are the same slot".into()),
        Op::Library { f, arguments, .. } => {
            let (least, most) = f.arity();
            let slots = arguments.of(unit);
            if !(least..=most).contains(&slots.len()) {
                return Err(format!("{} arguments for {}", slots.len(), f.signature()));
            }
            let arrays =
                slots.iter().enumerate().filter(|&(at, _)| f.parameter(at) == ParameterKind::Array);
            for (_, slot) in arrays {
                slot.dst().verify(Scope { unit, frame }).map_err(|why| format!("array: {why}"))?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
