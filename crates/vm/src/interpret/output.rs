//! Output and commands. After running out of memory nothing is written or run.

use super::operands::Operands;
use crate::memory;
use crate::outside::Outside;
use crate::runtime::Runtime;
use crate::workspace::Workspace;
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::{Dst, FormatId, Joints, PrintTarget, Src, Srcs};

#[inline(always)]
pub(crate) fn print(rt: &mut Runtime, operands: Operands, parts: Srcs) -> Fallible<()> {
    memory::check()?;
    let parts = operands.list(&rt.program, parts);
    rt.print(parts)
}

#[inline(always)]
pub(crate) fn print_record(rt: &mut Runtime, _: Operands) -> Fallible<()> {
    memory::check()?;
    rt.print_record()
}

#[inline(always)]
pub(crate) fn print_to(
    rt: &mut Runtime,
    operands: Operands,
    how: PrintTarget,
    to: Src,
    parts: Srcs,
) -> Fallible<()> {
    memory::check()?;
    let values = operands.list(&rt.program, parts);
    rt.print_elsewhere(how, operands.get(to), parts, values)
}

#[inline(always)]
pub(crate) fn print_joined(
    rt: &mut Runtime,
    operands: Operands,
    joints: Joints,
    parts: Srcs,
) -> Fallible<()> {
    memory::check()?;
    let parts = operands.list(&rt.program, parts);
    rt.print_joined(joints, parts)
}

#[inline(always)]
pub(crate) fn print_joined_to(
    rt: &mut Runtime,
    operands: Operands,
    how: PrintTarget,
    to: Src,
    joints: Joints,
    parts: Srcs,
) -> Fallible<()> {
    memory::check()?;
    let values = operands.list(&rt.program, parts);
    rt.print_joined_elsewhere(how, operands.get(to), joints, parts, values)
}

pub(super) fn format_by_first<const PRECISE: bool>(
    rt: &mut Runtime,
    operands: Operands,
    parts: Srcs,
) -> Fallible<()> {
    let parts = operands.list(&rt.program, parts);
    rt.workspace.format_by_first::<PRECISE>(&rt.program, &rt.current, rt.locale.unit, parts)?;
    memory::check()
}

#[inline(always)]
pub(crate) fn format(
    rt: &mut Runtime,
    operands: Operands,
    format: FormatId,
    parts: Srcs,
) -> Fallible<()> {
    let parts = operands.list(&rt.program, parts);
    rt.workspace.format_constant(
        &rt.program,
        &rt.current,
        rt.locale.unit,
        format.index(),
        parts,
    )?;
    memory::check()
}

#[inline(always)]
pub(crate) fn print_formatted(
    workspace: &Workspace,
    outside: &mut Outside,
    _: Operands,
) -> Fallible<()> {
    memory::check()?;
    outside.print_formatted(workspace)
}

pub(super) fn print_formatted_to(
    rt: &mut Runtime,
    operands: Operands,
    how: PrintTarget,
    to: Src,
) -> Fallible<()> {
    memory::check()?;
    rt.print_formatted_elsewhere(how, operands.get(to))
}

pub(super) fn close(rt: &mut Runtime, mut operands: Operands, d: Dst, s: Src) -> Fallible<()> {
    memory::check()?;
    let status = rt.outside.close(&mut rt.current, &mut rt.globals, operands.get(s))?;
    operands.put_number(d, status);
    Ok(())
}

pub(super) fn close_end(
    rt: &mut Runtime,
    mut operands: Operands,
    d: Dst,
    s: Src,
    end: Src,
) -> Fallible<()> {
    memory::check()?;
    let status = rt.outside.close_end(
        &mut rt.current,
        &mut rt.globals,
        operands.get(s),
        operands.get(end),
    )?;
    operands.put_number(d, status);
    Ok(())
}

pub(super) fn flush_all(outside: &mut Outside, mut operands: Operands, d: Dst) -> Fallible<()> {
    memory::check()?;
    let status = outside.flush_all()?;
    operands.put_number(d, status);
    Ok(())
}

pub(super) fn flush(rt: &mut Runtime, mut operands: Operands, d: Dst, s: Src) -> Fallible<()> {
    memory::check()?;
    let status = rt.outside.flush(&mut rt.current, &mut rt.globals, operands.get(s))?;
    operands.put_number(d, status);
    Ok(())
}

pub(super) fn system(rt: &mut Runtime, mut operands: Operands, d: Dst, s: Src) -> Fallible<()> {
    memory::check()?;
    let status = rt.outside.system(&rt.current, &rt.globals, operands.get(s))?;
    operands.put_number(d, status);
    Ok(())
}
