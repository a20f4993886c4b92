//! `getline`, without the rules for files, which the loop runs.

use super::operands::Operands;
use crate::current::CurrentRecord;
use crate::memory;
use crate::outside::Outside;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::Unit as Program;
use riverhawk_bytecode::{Dst, GetlineSource, Src};
use riverhawk_value::Value;

pub(crate) fn read_record(rt: &mut Runtime) -> Fallible<f64> {
    let found = rt.next_record();
    rt.globals.getline_answer(&mut rt.current, found)
}

pub(crate) fn take_record(rt: &mut Runtime) -> Fallible<(f64, Option<Value>)> {
    let mut record = None;
    let found = rt.next_record_into(None).map(|next| {
        record = next;
        record.is_some()
    });
    Ok((rt.globals.getline_answer(&mut rt.current, found)?, record))
}

pub(crate) fn answer(
    program: &Program,
    current: &CurrentRecord,
    outside: &mut Outside,
    mut operands: Operands,
    d: Dst,
    line: Option<(Dst, Value)>,
    answer: f64,
) -> Fallible<()> {
    if let Some((line, record)) = line {
        operands.put(line, record);
    }
    outside.check_getline_result(program, current, answer)?;
    operands.put_number(d, answer);
    memory::check()
}

pub(crate) fn getline_from(
    rt: &mut Runtime,
    mut operands: Operands,
    how: GetlineSource,
    d: Dst,
    from: Src,
) -> Fallible<()> {
    let found = rt.getline_from(how, operands.get(from), None)?;
    rt.outside.check_getline_result(&rt.program, &rt.current, found)?;
    operands.put_number(d, found);
    memory::check()
}

pub(crate) fn getline_var_from(
    rt: &mut Runtime,
    mut operands: Operands,
    how: GetlineSource,
    d: Dst,
    line: Dst,
    from: Src,
) -> Fallible<()> {
    // The variable may be what holds the name.
    let name = operands.get(from).clone();
    let found = rt.getline_from(how, &name, Some(operands.change(line)))?;
    rt.outside.check_getline_result(&rt.program, &rt.current, found)?;
    operands.put_number(d, found);
    memory::check()
}
