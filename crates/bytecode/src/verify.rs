//! Checks a unit once, so that the interpreter need not check at every operation.
//!
//! In a valid unit every operand names something that exists, no constant is written, every jump
//! stays in its frame, no frame runs past its end, only functions return, and code and spans have
//! the same length. The interpreter's unchecked accesses depend on this.

use crate::instructions::Op;
use crate::operand::{ArrayArguments, Operand, PatternKind, REGISTER_LIMIT, Src, Successors};
use crate::unit::{Constant, FrameKind, StaticFrame, Unit};
use riverhawk_syntax::ast::GlobalId;
use riverhawk_syntax::library::ParameterKind;
use std::ops::Deref;
use std::sync::Arc;

/// Why a unit is not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The frame.
    pub frame: String,
    /// Index in the code.
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

/// A valid unit, which can no longer change. Only such units are run.
#[derive(Clone, Debug)]
pub struct VerifiedUnit(Arc<Unit>);

impl VerifiedUnit {
    /// Checks a unit.
    ///
    /// # Errors
    /// As [`verify`].
    pub fn new(unit: Unit) -> Result<VerifiedUnit, VerifyError> {
        verify(&unit)?;
        Ok(VerifiedUnit(Arc::new(unit)))
    }

    /// The unit, to share.
    pub fn unit(&self) -> &Arc<Unit> {
        &self.0
    }
}

impl Deref for VerifiedUnit {
    type Target = Unit;

    fn deref(&self) -> &Unit {
        &self.0
    }
}

/// Checks every frame of a unit.
pub fn verify(unit: &Unit) -> Result<(), VerifyError> {
    if unit.globals.len() <= GlobalId::ENVIRON.index() {
        let why = "the variables that every program has are not there".into();
        return Err(VerifyError { frame: "the globals".into(), at: 0, why });
    }
    // A regex value must name one of the program's regular expressions.
    for constant in &unit.constants {
        if let Constant::Regex { number, .. } = constant
            && *number as usize >= unit.regexes.len()
        {
            let why = format!("regex {number} of {}", unit.regexes.len());
            return Err(VerifyError { frame: "the constants".into(), at: 0, why });
        }
    }
    for (frame, kind) in unit.frames_with_kinds() {
        // A `Return` in a frame that is not called would have no target.
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
        || frame.params.len() + frame.locals.len() > usize::from(frame.registers)
    {
        return Err(wrong(frame.code.start, format!("{} registers", frame.registers)));
    }
    let Some(code) = unit.code.get(range) else {
        return Err(wrong(frame.code.start, "the frame's code is not there".into()));
    };
    for (at, op) in (frame.code.start..).zip(code) {
        verify_operands(unit, frame, op)
            .and_then(|()| verify_place(unit, frame, op))
            .map_err(|why| wrong(at, format!("{}: {why}", op.name())))?;
    }
    match code.last().map(Op::successors) {
        Some(Successors::Jump(_) | Successors::End) => Ok(()),
        _ => Err(wrong(frame.code.end, "the frame runs off its end".into())),
    }
}

fn verify_operands(unit: &Unit, frame: &StaticFrame, op: &Op) -> Result<(), String> {
    let mut verified = Ok(());
    op.visit_operands(&mut |name, operand, _| {
        if verified.is_ok() {
            verified = verify_operand(unit, frame, operand).map_err(|why| format!("{name}: {why}"));
        }
    });
    verified
}

/// Whether the operand names something that exists.
fn verify_operand(unit: &Unit, frame: &StaticFrame, operand: Operand) -> Result<(), String> {
    let below = |what: &str, number: usize, limit: usize| {
        if number < limit { Ok(()) } else { Err(format!("{what} {number} of {limit}")) }
    };
    let slot = |is_static, number, statics| match is_static {
        true => below("static slot", number, statics),
        false => below("register", number, frame.registers.into()),
    };
    match operand {
        Operand::Src(src) => slot(src.is_static(), src.number(), unit.statics()),
        Operand::Dst(dst) => slot(dst.is_static(), dst.number(), unit.globals.len()),
        Operand::Srcs(parts) => {
            let slots = parts.of(&unit.lists);
            if slots.len() != parts.count as usize {
                return Err(format!("list {} is not there", parts.at));
            }
            slots.iter().try_for_each(|&slot| verify_operand(unit, frame, slot.into()))
        }
        Operand::Regs(registers) => {
            let end = usize::from(registers.first) + usize::from(registers.count);
            let limit = usize::from(frame.registers);
            if end <= limit {
                Ok(())
            } else {
                Err(format!("registers {}..{end} of {limit}", registers.first))
            }
        }
        Operand::PatternRef(pattern) => match pattern.kind() {
            PatternKind::Constant(regex) => verify_operand(unit, frame, regex.into()),
            PatternKind::Slot(slot) => verify_operand(unit, frame, slot.into()),
            PatternKind::FieldSeparator => Ok(()),
        },
        Operand::CodeAt(to) if frame.code.contains(&to.0) => Ok(()),
        Operand::CodeAt(to) => Err(format!("jump to {} leaves the frame", to.0)),
        Operand::Joints(joints) if joints.is_joined(0) => {
            Err("nothing stands before the first slot".into())
        }
        Operand::GlobalNo(global) => below("global", global.index(), unit.globals.len()),
        Operand::ConstId(constant) => below("constant", constant.index(), unit.constants.len()),
        Operand::RegexId(regex) => below("regex", regex.index(), unit.regexes.len()),
        Operand::FormatId(format) => below("format", format.index(), unit.formats.len()),
        Operand::FrameId(function) => below("function", function.index(), unit.functions.len()),
        Operand::VisitNo(visit) => below("visit", visit.index(), unit.visits.len()),
        Operand::RuleNo(rule) => below("rule", rule.index(), unit.rules.len()),
        Operand::ColumnNo(column) => below("column", column.index(), unit.column_names().count()),
        Operand::HostNo(function) => {
            below("host function", function.index(), unit.host_functions.len())
        }
        Operand::FieldNo(_)
        | Operand::Joints(_)
        | Operand::ArrayArguments(_)
        | Operand::Word(_) => Ok(()),
    }
}

/// Where an operation may occur.
fn verify_place(unit: &Unit, frame: &StaticFrame, op: &Op) -> Result<(), String> {
    match op {
        Op::Return { .. } | Op::ReturnNothing {} if frame.kind != FrameKind::Function => {
            Err("outside a function".into())
        }
        Op::NextRecord { .. }
        | Op::RecordLoop { .. }
        | Op::CountedNextRecord { .. }
        | Op::CountedRecordLoop { .. }
        | Op::DrainRecords {}
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
            let slots = arguments.of(&unit.lists);
            if !(least..=most).contains(&slots.len()) {
                return Err(format!("{} arguments for {}", slots.len(), f.signature()));
            }
            verify_arrays(unit, frame, slots, |at| f.parameter(at) == ParameterKind::Array)
        }
        Op::CallHost { function, arrays, arguments, .. } => {
            let Some(declared) = unit.host_functions.get(function.index()) else { return Ok(()) };
            let (least, most) = declared.arity();
            let slots = arguments.of(&unit.lists);
            if !(least..=most).contains(&slots.len()) {
                return Err(format!("{} arguments for {}", slots.len(), declared.name()));
            }
            if *arrays != ArrayArguments::of(declared) {
                return Err(format!("{} takes other arrays", declared.name()));
            }
            verify_arrays(unit, frame, slots, |at| arrays.contains(at))
        }
        _ => Ok(()),
    }
}

/// Checks that arguments that must be arrays are slots that may be written.
fn verify_arrays(
    unit: &Unit,
    frame: &StaticFrame,
    slots: &[Src],
    is_array: impl Fn(usize) -> bool,
) -> Result<(), String> {
    let mut arrays = slots.iter().enumerate().filter(|&(at, _)| is_array(at));
    arrays.try_for_each(|(_, slot)| {
        verify_operand(unit, frame, slot.dst().into()).map_err(|why| format!("array: {why}"))
    })
}
