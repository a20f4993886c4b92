//! Regular expressions: matching, splitting, substituting.

use super::operands::Operands;
use crate::memory;
use crate::runtime::Runtime;
use crate::substitute::{Replacements, left_of};
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::operand::PatternKind;
use riverhawk_bytecode::{Dst, PatternRef, RegexId, Src};
use riverhawk_value::Value;

#[inline(always)]
pub(crate) fn matches(
    rt: &mut Runtime,
    mut operands: Operands,
    d: Dst,
    s: Src,
    pattern: PatternRef,
) -> Fallible<()> {
    let regex = rt.regex(pattern, |src| operands.get(src))?;
    let found = rt.workspace.matches(&rt.current, operands.get(s), &regex);
    operands.put(d, Value::from_bool(found));
    Ok(())
}

#[inline(always)]
pub(crate) fn matches_constant(
    rt: &mut Runtime,
    operands: Operands,
    s: Src,
    re: RegexId,
) -> Fallible<bool> {
    let regex = rt.searches.patterns.constant(re.index())?.clone();
    Ok(rt.workspace.matches(&rt.current, operands.get(s), &regex))
}

#[inline(always)]
pub(crate) fn match_at(
    rt: &mut Runtime,
    mut operands: Operands,
    d: Dst,
    s: Src,
    pattern: PatternRef,
) -> Fallible<()> {
    let regex = rt.regex(pattern, |src| operands.get(src))?;
    let at = rt.workspace.match_at(&mut rt.current, &rt.locale, operands.get(s), &regex, None);
    operands.put_number(d, at);
    memory::check()
}

pub(super) fn match_groups(
    rt: &mut Runtime,
    mut operands: Operands,
    d: Dst,
    s: Src,
    pattern: PatternRef,
    array: Dst,
) -> Fallible<()> {
    let regex = rt.regex(pattern, |src| operands.get(src))?;
    let array = operands.array(array)?.0.clone();
    rt.globals.check_filled("match", "third", &array)?;
    operands.expect_scalar(s)?;
    let at =
        rt.workspace.match_at(&mut rt.current, &rt.locale, operands.get(s), &regex, Some(&array));
    operands.put_number(d, at);
    memory::check()
}

#[inline(always)]
pub(crate) fn split(
    rt: &mut Runtime,
    mut operands: Operands,
    d: Dst,
    s: Src,
    array: Dst,
    between: Option<Dst>,
    by: PatternRef,
) -> Fallible<()> {
    let array = operands.array(array)?.0.clone();
    let between = match between {
        Some(between) => Some(operands.array(between)?.0.clone()),
        None => None,
    };
    operands.expect_scalar(s)?;
    let count = rt.split(operands.get(s), &array, by, |src| operands.get(src), between.as_ref())?;
    operands.put_number(d, count);
    memory::check()
}

/// `sub` and `gsub` of a view that can only lose an edge: then nothing is allocated. False for
/// others.
#[inline(always)]
pub(crate) fn cut_view(
    rt: &Runtime,
    operands: &mut Operands,
    [d, v]: [Dst; 2],
    pattern: PatternRef,
    by: Src,
) -> bool {
    let Value::View(view) = *operands.get(v.src()) else { return false };
    let text = view.of(rt.current.record.text());
    let left = left_of(&rt.searches, pattern, operands.get(by), text);
    let Some(left) = left else { return false };
    let is_cut = left.len() < text.len();
    if is_cut {
        operands.put(v, Value::View(view.part(left)));
    }
    operands.put(d, Value::from_bool(is_cut));
    true
}

/// The same of the record.
#[inline(always)]
pub(crate) fn cut_record(
    rt: &mut Runtime,
    operands: &mut Operands,
    d: Dst,
    pattern: PatternRef,
    by: Src,
) -> bool {
    if rt.current.record.is_stale() {
        return false;
    }
    let text = rt.current.record.text();
    let left = left_of(&rt.searches, pattern, operands.get(by), text);
    let Some(left) = left else { return false };
    let is_cut = left.len() < text.len();
    if is_cut {
        rt.current.record.cut(left.start, left.end);
    }
    operands.put(d, Value::from_bool(is_cut));
    true
}

#[inline(always)]
pub(crate) fn substitute(
    rt: &mut Runtime,
    mut operands: Operands,
    which: Replacements,
    [d, v]: [Dst; 2],
    pattern: PatternRef,
    by: Src,
) -> Fallible<()> {
    if cut_view(rt, &mut operands, [d, v], pattern, by) {
        return Ok(());
    }
    substitute_within(rt, operands, which, [d, v], pattern, by)
}

#[inline(never)]
pub(crate) fn substitute_within(
    rt: &mut Runtime,
    mut operands: Operands,
    which: Replacements,
    [d, v]: [Dst; 2],
    pattern: PatternRef,
    by: Src,
) -> Fallible<()> {
    let regex = rt.regex(pattern, |src| operands.get(src))?;
    let count = operands.change_by(v, by, |v, by| {
        rt.workspace.substitute(&rt.program, &rt.current, which, v, &regex, by)
    });
    operands.put_number(d, count as f64);
    memory::check()
}

#[inline(always)]
pub(crate) fn substitute_record(
    rt: &mut Runtime,
    mut operands: Operands,
    which: Replacements,
    d: Dst,
    pattern: PatternRef,
    by: Src,
) -> Fallible<()> {
    if cut_record(rt, &mut operands, d, pattern, by) {
        return Ok(());
    }
    substitute_within_record(rt, operands, which, d, pattern, by)
}

#[inline(never)]
pub(crate) fn substitute_within_record(
    rt: &mut Runtime,
    mut operands: Operands,
    which: Replacements,
    d: Dst,
    pattern: PatternRef,
    by: Src,
) -> Fallible<()> {
    rt.current.settle_record();
    let by = operands.get(by);
    let known = match pattern.kind() {
        PatternKind::Constant(re) => rt.substitute_literal(which, re.index(), by),
        _ => None,
    };
    let count = match known {
        Some(count) => count,
        None => {
            let regex = rt.regex(pattern, |src| operands.get(src))?;
            rt.workspace.substitute_record(&rt.program, &mut rt.current, which, &regex, by)
        }
    };
    operands.put_number(d, count as f64);
    memory::check()
}
