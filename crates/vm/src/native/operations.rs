//! Single operations that may fail, each by a function of its own: what machine code asks for most
//! often of what it has no code for. They are written once more than in the interpreter's loop, in
//! a few lines each, because the way into that loop and out of it takes as many instructions as the
//! shorter ones among them.

use super::operands::Operands;

use super::texts;
use crate::interpret::{put, put_parts};
use crate::machine::Machine;
use crate::runtime::{self, Runtime};
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::{Op, Src};
use riverhawk_syntax::library::ParameterKind;
use riverhawk_value::{Probe, Value};

/// The number of a field that is computed.
///
/// # Safety
/// As for [`Operands::get`].
#[inline(always)]
unsafe fn field_number(machine: &Machine, operands: Operands, operand: Src) -> Fallible<usize> {
    // SAFETY: by the contract.
    let value = unsafe { operands.get(operand) };
    let known = if let Value::Num(number) = value { runtime::field_at(*number) } else { None };
    known.map_or_else(|| machine.rt.field_number(value), Ok)
}

/// An operation: whether it jumped.
///
/// # Safety
/// The operation is one of its kind and of the frame whose operands are given; nothing else refers
/// to the machine.
pub(super) type Operation = unsafe fn(&mut Machine, &Op, Operands) -> Fallible<bool>;

macro_rules! operations {
    ($($(#[$doc:meta])* fn $name:ident($machine:ident, $operands:ident, $op:ident: $pattern:pat) $body:block)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// As for [`Operation`].
            #[allow(unused_unsafe, reason = "not every operation has operands")]
            pub(super) unsafe fn $name($machine: &mut Machine, $op: &Op, $operands: Operands) -> Fallible<bool> {
                let $pattern = *$op else {
                    debug_assert!(false, "{:?}", $op);
                    return Ok(false);
                };
                // SAFETY: by the contract.
                unsafe { $body }
            }
        )*
    };
}

operations! {
    /// `print` to standard output.
    fn print(machine, operands, op: Op::Print { parts }) {
        let parts = operands.list(&machine.rt, parts);
        machine.rt.print(parts)?;
        Ok(false)
    }

    /// `print` of concatenations to standard output.
    fn print_joined(machine, operands, op: Op::PrintJoined { joints, parts }) {
        let parts = operands.list(&machine.rt, parts);
        machine.rt.print_joined(joints, parts)?;
        Ok(false)
    }

    /// `print` of concatenations elsewhere.
    fn print_joined_to(machine, operands, op: Op::PrintJoinedTo { how, to, joints, parts }) {
        let values = operands.list(&machine.rt, parts);
        machine.rt.print_joined_elsewhere(how, operands.get(to), joints, parts, values)?;
        Ok(false)
    }

    /// `print` of the record to standard output.
    fn print_record(machine, _operands, op: Op::PrintRecord {}) {
        machine.rt.print_record()?;
        Ok(false)
    }

    /// `print` elsewhere.
    fn print_to(machine, operands, op: Op::PrintTo { how, to, parts }) {
        let values = operands.list(&machine.rt, parts);
        machine.rt.print_elsewhere(how, operands.get(to), parts, values)?;
        Ok(false)
    }

    /// Assigns to a field.
    fn set_field(machine, operands, op: Op::SetField { n, s }) {
        machine.rt.set_field(n.index(), operands.get(s))?;
        Ok(false)
    }

    /// A field by a number that is computed.
    fn field_at(machine, operands, op: Op::FieldAt { d, i }) {
        let n = field_number(machine, operands, i)?;
        match machine.rt.record.known_field(n) {
            Some(view) => put(operands.slot(d.src()), Value::View(view)),
            None => {
                let value = machine.rt.field(n);
                put_parts(operands.slot(d.src()), value);
            }
        }
        Ok(false)
    }

    /// The same, owned.
    fn own_field_at(machine, operands, op: Op::OwnFieldAt { d, i }) {
        let n = field_number(machine, operands, i)?;
        texts::own_field(&mut machine.rt, operands.slot(d.src()), n);
        Ok(false)
    }

    /// An element that is an array, made if there is none.
    fn get_subarray(machine, operands, op: Op::GetSubarray { d, array: operand, key }) {
        let Ok(array) = Runtime::array(operands.change(operand)) else {
            return Err(operands.array_fault(machine, operand.src()));
        };
        let array = array.clone();
        let name = operands.get(key);
        let subarray = |key: Probe<'_>| Runtime::array(array.borrow_mut().entry(key)).ok().cloned();
        let found = machine.rt.with_key(name, subarray);
        match found {
            Some(found) => put(operands.slot(d.src()), Value::Array(found)),
            None => return Err(operands.element_fault(machine, operand, name)),
        }
        Ok(false)
    }

    /// `getline` from the main input. Programs with rules for files have no machine code, so nothing else can be behind it.
    fn getline(machine, operands, op: Op::Getline { d }) {
        let found = machine.rt.next_record();
        let answer = machine.rt.getline_answer(found)?;
        machine.rt.look_at_answer(answer)?;
        put(operands.slot(d.src()), Value::Num(answer));
        Ok(false)
    }

    /// The same into a variable.
    fn getline_var(machine, operands, op: Op::GetlineVar { d, line }) {
        let mut record = None;
        let found = machine.rt.next_record_into(None).map(|next| {
            record = next;
            record.is_some()
        });
        let answer = machine.rt.getline_answer(found)?;
        machine.rt.look_at_answer(answer)?;
        if let Some(value) = record {
            put(operands.slot(line.src()), value);
        }
        put(operands.slot(d.src()), Value::Num(answer));
        Ok(false)
    }

    /// `getline < file` and `command | getline`.
    fn getline_from(machine, operands, op: Op::GetlineFrom { how, d, from }) {
        let found = machine.rt.getline_from(how, operands.get(from), None)?;
        machine.rt.look_at_answer(found)?;
        put(operands.slot(d.src()), Value::Num(found));
        Ok(false)
    }

    /// The same into a variable.
    fn getline_from_var(machine, operands, op: Op::GetlineFromVar { how, d, line, from }) {
        // Held apart if it is the variable.
        let name = (line.src() == from).then(|| operands.get(from).clone());
        let line = operands.change(line);
        let name = name.as_ref().unwrap_or_else(|| operands.get(from));
        let found = machine.rt.getline_from(how, name, Some(line))?;
        machine.rt.look_at_answer(found)?;
        put(operands.slot(d.src()), Value::Num(found));
        Ok(false)
    }

    /// A variable becomes an argument that may be an array.
    fn argument_by_name(machine, operands, op: Op::ArgumentByName { d, s }) {
        let value = machine.rt.argument_by_name(operands.change(s));
        put(operands.slot(d.src()), value);
        Ok(false)
    }

    /// A function of the library that calls nobody back.
    fn library(machine, operands, op: Op::Library { f, d, arguments }) {
        let first = machine.rt.program.lists.as_ptr().add(arguments.at as usize);
        let parameters = f.parameters();
        let kind = |at: usize| parameters.get(at).map_or(ParameterKind::Value, |parameter| parameter.kind);
        let operand = |at: usize| (*first.add(at), kind(at));
        let mut held = std::mem::take(&mut machine.rt.library.arguments);
        let mut reads_d = false;
        for (operand, kind) in (0..arguments.count as usize).map(operand) {
            reads_d |= operand == d.src();
            held.push(match kind {
                ParameterKind::Array => match Runtime::array(&mut *operands.slot(operand)) {
                    Ok(array) => Value::Array(array.clone()),
                    Err(_) => return Err(operands.array_fault(machine, operand)),
                },
                _ => operands.get(operand).clone(),
            });
        }
        // Only now: the name of a value may also stand where an array must.
        for (operand, kind) in (0..arguments.count as usize).map(operand) {
            if matches!(kind, ParameterKind::Value | ParameterKind::Pattern) {
                operands.scalar(machine, operand, operands.get(operand))?;
            }
        }
        let old = if reads_d { None } else { operands.change(d).recycle() };
        let result = machine.rt.call_library(f, old, &held);
        // What is held must not look shared to the next operation.
        held.clear();
        machine.rt.library.arguments = held;
        put(operands.slot(d.src()), result?);
        Ok(false)
    }

    /// Formats by a constant format.
    fn format(machine, operands, op: Op::FormatConst { format, parts }) {
        let parts = operands.list(&machine.rt, parts);
        machine.rt.format_constant(format.index(), parts)?;
        Ok(false)
    }

    /// Prints what was formatted.
    fn print_formatted(machine, _operands, op: Op::PrintFormatted {}) {
        machine.rt.print_formatted()?;
        Ok(false)
    }

    /// Whether a text matches, as a number.
    fn matches(machine, operands, op: Op::Matches { d, s, pattern }) {
        let regex = machine.rt.regex(pattern, |src| operands.get(src))?;
        let found = machine.rt.matches(operands.get(s), &regex);
        put(operands.slot(d.src()), Value::from_bool(found));
        Ok(false)
    }

    /// Jumps when a text matches a constant regular expression.
    fn jump_matches(machine, operands, op: (Op::JumpMatches { s, re, .. } | Op::JumpNotMatches { s, re, .. })) {
        let regex = machine.rt.constant_regex(re.index())?;
        let found = machine.rt.matches(operands.get(s), &regex);
        Ok(found == matches!(op, Op::JumpMatches { .. }))
    }

    /// `match` without groups.
    fn match_at(machine, operands, op: Op::MatchAt { d, s, pattern }) {
        let regex = machine.rt.regex(pattern, |src| operands.get(src))?;
        let at = machine.rt.match_at(operands.get(s), &regex, None);
        put(operands.slot(d.src()), Value::Num(at));
        Ok(false)
    }

    /// `sub` and `gsub` on anything but the record.
    fn substitute(machine, operands, op: Op::Substitute { every, d, v, pattern, by }) {
        let regex = machine.rt.regex(pattern, |src| operands.get(src))?;
        // Held apart: it may be the target.
        let by = operands.get(by).clone();
        let count = machine.rt.substitute(every, operands.change(v), &regex, &by);
        put(operands.slot(d.src()), Value::Num(count as f64));
        Ok(false)
    }

    /// `split` without separators.
    fn split(machine, operands, op: Op::Split { d, s, array, by }) {
        let held = match Runtime::array(operands.change(array)) {
            Ok(array) => array.clone(),
            Err(_) => return Err(operands.array_fault(machine, array.src())),
        };
        let text = operands.get(s);
        operands.scalar(machine, s, text)?;
        let count = machine.rt.split(text, &held, by, |src| operands.get(src), None)?;
        put(operands.slot(d.src()), Value::Num(count));
        Ok(false)
    }
}
