//! Calls of library functions.

#![allow(unsafe_code)]

use super::operands::{Operands, slots_of};
use crate::library::Kept;
use crate::memory;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::Unit as Program;
use riverhawk_bytecode::{Dst, Srcs};
use riverhawk_syntax::ast::LibraryFn;
use riverhawk_syntax::library::ParameterKind;
use riverhawk_value::Value;

pub(super) fn take_arguments(
    program: &Program,
    library: &mut Kept,
    operands: &mut Operands,
    f: LibraryFn,
    arguments: Srcs,
) -> Fallible<Vec<Value>> {
    let mut held = std::mem::take(&mut library.arguments);
    for (at, slot) in slots_of(program, arguments).enumerate() {
        held.push(match f.parameter(at) {
            ParameterKind::Array => Value::Array(operands.array(slot.dst())?.0.clone()),
            _ => operands.get(slot).clone(),
        });
    }
    // Last, since a value may be named again as an array.
    for (at, slot) in slots_of(program, arguments).enumerate() {
        if matches!(f.parameter(at), ParameterKind::Value | ParameterKind::Pattern) {
            operands.expect_scalar(slot)?;
        }
    }
    Ok(held)
}

/// Drops the values, which would look shared.
pub(super) fn give_back(library: &mut Kept, mut held: Vec<Value>) {
    held.clear();
    library.arguments = held;
}

pub(crate) fn call(
    rt: &mut Runtime,
    mut operands: Operands,
    f: LibraryFn,
    d: Dst,
    arguments: Srcs,
) -> Fallible<()> {
    let held = take_arguments(&rt.program, &mut rt.library, &mut operands, f, arguments)?;
    let reads_d = slots_of(&rt.program, arguments).any(|slot| slot == d.src());
    // SAFETY: a live slot; no source refers to it.
    let old = (!reads_d).then(|| unsafe { operands.recycle(d, &[]) }).flatten();
    let result = rt.call_library(f, old, &held);
    give_back(&mut rt.library, held);
    operands.put(d, result?);
    memory::check()
}
