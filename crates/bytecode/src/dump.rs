//! Bytecode as text: `--dump=bytecode`.

use crate::operand::{Joints, Operand, PatternKind, Src};
use crate::unit::{Constant, FrameKind, StaticFrame, Unit};
use riverhawk_syntax::host::HostDeclaration;
use std::fmt::Write;

/// All frames of a unit.
pub fn dump(unit: &Unit) -> String {
    let mut out = String::new();
    for frame in unit.frames() {
        dump_frame(unit, frame, &mut out);
    }
    out
}

fn dump_frame(unit: &Unit, frame: &StaticFrame, out: &mut String) {
    let _ = write!(out, "{}", frame.name);
    if frame.kind == FrameKind::Function {
        let _ = write!(out, "({})", frame.params.join(", "));
    }
    let _ = writeln!(out, ": {} registers", frame.registers);
    for at in frame.code.clone() {
        let Some(op) = unit.code.get(at as usize) else { continue };
        let _ = write!(out, "{at:6}  {:<20}", op.name());
        op.visit_operands(&mut |name, operand, _| {
            let _ = write!(out, " {name}={}", operand_text(unit, frame, operand));
        });
        while out.ends_with(' ') {
            out.pop();
        }
        out.push('\n');
    }
    out.push('\n');
}

/// `r3`, the name of a parameter, local or global, or the constant.
fn slot_text(unit: &Unit, frame: &StaticFrame, slot: Src) -> String {
    let number = slot.number();
    if !slot.is_static() {
        let mut names = frame.params.iter().chain(&frame.locals);
        return names.nth(number).cloned().unwrap_or_else(|| format!("r{number}"));
    }
    if let Some(global) = unit.globals.get(number) {
        return global.name.clone();
    }
    match unit.constants.get(number.wrapping_sub(unit.globals.len())) {
        Some(constant) => constant_text(constant),
        None => format!("static {number}"),
    }
}

/// One operand: a variable's name, or the constant.
pub fn operand_text(unit: &Unit, frame: &StaticFrame, operand: Operand) -> String {
    // In an invalid unit an operand may name what does not exist: its number is shown.
    let or_number = |text: Option<String>, what: &str, number: u32| {
        text.unwrap_or_else(|| format!("{what} {number}"))
    };
    let list = |slots: &mut dyn Iterator<Item = Src>| {
        let texts: Vec<String> = slots.map(|slot| slot_text(unit, frame, slot)).collect();
        format!("[{}]", texts.join(" "))
    };
    match operand {
        Operand::Src(slot) => slot_text(unit, frame, slot),
        Operand::Dst(slot) => slot_text(unit, frame, slot.src()),
        Operand::Srcs(parts) => list(&mut parts.of(&unit.lists).iter().copied()),
        Operand::Regs(registers) => {
            let count = usize::from(registers.count);
            list(&mut (registers.first..).take(count).map(Src::register))
        }
        Operand::PatternRef(pattern) => match pattern.kind() {
            PatternKind::Constant(regex) => operand_text(unit, frame, regex.into()),
            PatternKind::Slot(slot) => slot_text(unit, frame, slot),
            PatternKind::FieldSeparator => "FS".to_owned(),
        },
        Operand::CodeAt(to) => format!("-> {}", to.0),
        Operand::Joints(joints) => {
            let joined = (0..Joints::MAX_SLOTS).filter(|&at| joints.is_joined(at));
            let joined: Vec<String> = joined.map(|at| at.to_string()).collect();
            format!("[{}]", joined.join(" "))
        }
        Operand::GlobalNo(global) => {
            let text = unit.globals.get(global.index()).map(|global| global.name.clone());
            or_number(text, "global", global.0)
        }
        Operand::ConstId(constant) => {
            let text = unit.constants.get(constant.index()).map(constant_text);
            or_number(text, "constant", constant.0)
        }
        Operand::RegexId(regex) => {
            let text = unit.regexes.get(regex.index()).map(|regex| pattern_text(&regex.pattern));
            or_number(text, "regex", regex.0)
        }
        Operand::FormatId(format) => {
            let text = unit.formats.get(format.index()).map(|format| quoted(format));
            or_number(text, "format", format.0)
        }
        Operand::FrameId(function) => {
            let text = unit.functions.get(function.index()).map(|function| function.name.clone());
            or_number(text, "function", function.0)
        }
        Operand::HostNo(function) => {
            let text = unit.host_functions.get(function.index()).map(|of| of.name().to_owned());
            or_number(text, "host function", function.0.into())
        }
        Operand::ArrayArguments(arrays) => {
            let arrays = (0..HostDeclaration::MAX_ARRAYS).filter(|&at| arrays.contains(at));
            let arrays: Vec<String> = arrays.map(|at| at.to_string()).collect();
            format!("[{}]", arrays.join(" "))
        }
        Operand::VisitNo(visit) => {
            let text = unit.visits.get(visit.index()).map(|(visit, _)| format!("{visit:?}"));
            or_number(text, "visit", visit.0)
        }
        Operand::RuleNo(rule) => {
            let text = unit.rules.get(rule.index());
            let text = text.map(|found| format!("rule {} ({})", rule.0, found.kind.name()));
            or_number(text, "rule", rule.0)
        }
        Operand::FieldNo(field) => format!("${}", field.0),
        Operand::ColumnNo(column) => {
            let text = unit.column_names().nth(column.index()).map(|name| format!("@{name:?}"));
            or_number(text, "column", column.0)
        }
        Operand::Word(word) => word.to_owned(),
    }
}

fn constant_text(constant: &Constant) -> String {
    match constant {
        Constant::Number(number) => format!("{number}"),
        Constant::Integer(_) => format!("{}", constant.to_value().number(b"")),
        Constant::Nothing => "nothing".to_owned(),
        Constant::Regex { text, .. } => pattern_text(text),
        Constant::Text(text) => quoted(text),
    }
}

fn pattern_text(pattern: &[u8]) -> String {
    format!("/{}/", String::from_utf8_lossy(pattern))
}

fn quoted(text: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(text))
}
