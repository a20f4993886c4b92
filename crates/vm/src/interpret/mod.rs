//! The interpreter's loop. Families of operations are in files of their own; operations that jump,
//! call or end a frame are here.
//!
//! Rules that hold throughout:
//! - The unit has been verified: every operand names a slot that exists, and every jump stays in
//!   its frame. The unchecked accesses depend on this alone.
//! - `base` points at the running frame's first register, `statics` at the first global. The stack
//!   moves only in a call, which sets `base` anew; the statics never move.
//! - Sources are read before `d` is written; they may be the same slot.
//! - Registers above the running frame need no drop; a return clears them.
//! - An operation that fails returns a [`Fault`]; `attempt!` adds the position.
//! - What is rare or long is not inlined, so that the loop stays small.
//! - Helpers of machine code use the same functions.

#![allow(unsafe_code)]

mod arithmetic;
pub(crate) mod arrays;
pub(crate) mod calls;
pub(crate) mod comparison;
mod control;
pub(crate) mod fields;
pub(crate) mod host;
pub(crate) mod input;
pub(crate) mod library;
pub(crate) mod matching;
mod naming;
pub(crate) mod operands;
pub(crate) mod output;
pub(crate) mod texts;

use crate::callback::{Stop, check_arguments};
use crate::error::RuntimeError;
use crate::file_rules::{AfterRules, may_getline};
use crate::flow::{Flow, LoopMode, Stopped};
use crate::frames::Frame;
use crate::machine::Machine;
use crate::memory;
use crate::observe::jumped_forward;
use crate::strings::Case;
use crate::substitute::Replacements;
use crate::tier::{Execution, Kind, PacedTier, kind};
use arithmetic::number;
use naming::array_as_scalar;
use operands::{Operands, clear, put};
use riverhawk_awkio::fault::Fault;
use riverhawk_builtins::arithmetic::power;
use riverhawk_builtins::bits::of_two;
use riverhawk_bytecode::{CodeAt, Op, StaticFrame, Update};
use riverhawk_value::Value;

impl Machine {
    /// Runs from the operation at `entry`, with registers from `base_at`, to the end of `start` or
    /// until the tier wants another mode. Each [`LoopMode`] has its own copy of the loop;
    /// [`LoopMode::Few`] performs `count` operations. Without `EXACT` the program must be one
    /// without `--exact-integers`: in loops of numbers that question costs up to a tenth.
    pub(crate) fn execute<const MODE: u8, const EXACT: bool>(
        &mut self,
        start: &StaticFrame,
        entry: u32,
        mut count: u32,
        mut base_at: usize,
        watch: &mut PacedTier,
    ) -> Result<Stopped, Box<RuntimeError>> {
        let observes = MODE == LoopMode::Observing as u8;
        let few = MODE == LoopMode::Few as u8;
        let held = if few { None } else { Some(self.rt.program.clone()) };
        // SAFETY: a run keeps its program to its end.
        let program = held
            .as_deref()
            .unwrap_or_else(|| unsafe { &*std::sync::Arc::as_ptr(&self.rt.program) });
        let code = program.code.as_ptr();
        let statics = self.rt.globals.statics.as_mut_ptr();
        // SAFETY: the caller has made room for the running frame's registers.
        let mut base = unsafe { self.stack.as_mut_ptr().add(base_at) };
        // SAFETY: a verified frame's code lies inside the unit's; the same holds for every jump.
        let code_at = |at: u32| unsafe { code.add(at as usize) };
        // SAFETY: `next` stays inside the unit's code, or at its end.
        let index_of = |next: *const Op| unsafe { next.offset_from_unsigned(code) };
        let mut next = code_at(entry);
        let mut unseen = None;

        macro_rules! operands {
            () => {
                // SAFETY: only the operands of the running operation, to which nothing else refers.
                unsafe { Operands::new(base, statics) }
            };
        }
        macro_rules! may_warn {
            () => {
                self.rt.outside.warnings.at = (index_of(next) - 1) as u32
            };
        }
        macro_rules! fail {
            ($fault:expr) => {{
                let fault = $fault;
                return Err(if few {
                    self.hold(fault, index_of(next) - 1)
                } else {
                    self.locate(fault, index_of(next) - 1, start)
                });
            }};
        }
        macro_rules! attempt {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(fault) => fail!(fault),
                }
            };
        }
        macro_rules! perform {
            ($($function:ident)::+ $(::<$exact:tt>)? [$($state:ident),*] ($($operand:expr),*)) => {
                attempt!($($function)::+ $(::<$exact>)? ($(&mut self.rt.$state,)* operands!() $(, $operand)*))
            };
            ($($function:ident)::+ $(::<$exact:tt>)? ($($operand:expr),*)) => {
                attempt!($($function)::+ $(::<$exact>)? (&mut self.rt, operands!() $(, $operand)*))
            };
        }
        macro_rules! compute {
            ($op:ident, $d:expr, $a:expr, $b:expr, $compute:expr) => {
                perform!(arithmetic::binary::<EXACT>[current](Update::$op, $d, $a, $b, $compute))
            };
        }
        macro_rules! holds {
            ($($function:ident)::+ [$($state:ident),*] ($($operand:expr),*)) => {
                $($function)::+($(&self.rt.$state,)* operands!() $(, $operand)*)
            };
        }
        macro_rules! put_truth {
            ($d:expr, $truth:expr) => {{
                let truth = $truth;
                operands!().put($d, Value::from_bool(truth))
            }};
        }
        macro_rules! text {
            ($function:ident [$($state:ident),*] ([$($slot:expr),*] $(, $argument:expr)*)) => {{
                let operands = operands!();
                // SAFETY: live slots that nothing refers to.
                unsafe {
                    texts::$function(
                        $(&mut self.rt.$state,)* $(operands.slot($slot),)* $($argument),*
                    )
                }
            }};
        }
        macro_rules! made {
            () => {
                attempt!(memory::check())
            };
        }
        macro_rules! number {
            ($operand:expr) => {
                number(&self.rt.current, operands!().get($operand))
            };
        }
        macro_rules! go {
            ($way:expr) => {
                let observing = match $way {
                    Execution::Plain => false,
                    Execution::Observing => true,
                    Execution::Native(entry) => {
                        // The interpreter continues where machine code left, in whichever frame
                        // that is.
                        let left = self.enter_native(entry, base_at, start, watch)?;
                        base_at = left.base_at;
                        // SAFETY: the registers of a frame that runs are part of the stack.
                        base = unsafe { self.stack.as_mut_ptr().add(base_at) };
                        next = code_at(left.at);
                        watch.pace.observes(self.frames.len())
                    }
                };
                if observing != observes {
                    return Ok(Stopped::Switch { at: index_of(next) as u32, base_at });
                }
            };
        }
        macro_rules! jump {
            ($to:expr) => {{
                let from = next;
                next = code_at($to.0);
                if !few && (observes || watch.pace.jumps()) {
                    if next < from {
                        go!(self.looped($to, base_at, start, watch));
                    } else if !observes {
                        jumped_forward(watch);
                    }
                }
            }};
        }
        macro_rules! jump_if {
            ($condition:expr, $to:expr) => {
                if $condition {
                    jump!($to);
                }
            };
        }
        macro_rules! find_after_file_rules {
            ($find:expr) => {{
                let outcome =
                    self.find_after_file_rules(base_at, start, index_of(next) - 1, &mut $find)?;
                // SAFETY: the running frame's registers are part of the stack, which may have
 // SAFETY: the running frame's registers are part of the stack, which may have moved.
                base = unsafe { self.stack.as_mut_ptr().add(base_at) };
                match outcome {
                    AfterRules::Record => true,
                    AfterRules::Nothing => false,
                    AfterRules::Exit(flow) => {
                        self.unwind(base_at);
                        return Ok(Stopped::By(flow));
                    }
                }
            }};
        }
        macro_rules! call {
            ($d:expr, $function:expr, $first:expr, $count:expr) => {{
                let callee = &program.functions[$function.index()];
                let new_base = base_at + $first as usize;
                let top = new_base + callee.registers as usize;
                if top > self.stack.len() || self.frames.len() == self.frames.capacity() {
                    attempt!(self.make_room(top));
                    // SAFETY: the caller's registers are part of the stack.
                    base = unsafe { self.stack.as_mut_ptr().add(base_at) };
                }
                self.frames.push(Frame {
                    return_to: index_of(next) as u32,
                    caller_base: base_at as u32,
                    function: $function,
                    d: $d,
                });
                // SAFETY: `top` is within the stack.
                base = unsafe { base.add($first as usize) };
                base_at = new_base;
                for omitted in $count as usize..callee.params.len() {
                    // SAFETY: parameters are registers of the frame.
                    unsafe { put(base.add(omitted), Value::Uninit) };
                }
                let call = index_of(next) as u32 - 1;
                next = code_at(callee.code.start);
                if !few && (observes || watch.pace.calls($function)) {
                    go!(self.called($count as usize, call, base_at, watch));
                }
            }};
        }
        macro_rules! return_with {
            ($value:expr, $kind:expr) => {{
                let value = $value;
                // SAFETY: only functions return, and they run only in a frame.
                let frame = unsafe { self.frames.pop().unwrap_unchecked() };
                let registers = program.functions[frame.function.index()].registers as usize;
                // SAFETY: the frame's registers, then the caller's, of the same stack.
                unsafe {
                    clear(base, registers);
                    base = base.sub(base_at - frame.caller_base as usize);
                }
                base_at = frame.caller_base as usize;
                next = code_at(frame.return_to);
                if observes {
                    watch.tier.left(&mut watch.pace, self.frames.len() + 1, $kind(&value));
                }
                operands!().put(frame.d, value);
                if !few {
                    go!(watch.pace.interpretation(self.frames.len()));
                }
            }};
        }

        loop {
            if few {
                if count == 0 {
                    return Ok(Stopped::Before(index_of(next) as u32));
                }
                count -= 1;
            }
            // SAFETY: no verified frame runs past its end.
            let op = unsafe { &*next };
            // SAFETY: as above.
            next = unsafe { next.add(1) };
            if observes {
                self.observe(op, index_of(op) as u32, base_at, &mut unseen, watch);
            }
            match *op {
                Op::Move { d, s } => perform!(texts::assign[current](d, s)),
                Op::LoadConst { d, k } => {
                    let value = self.rt.globals.statics[program.globals.len() + k.index()].clone();
                    operands!().put(d, value);
                }
                Op::GetGlobal { d, g } => {
                    let value = &self.rt.globals.statics[g.index()];
                    if matches!(value, Value::Array(_)) {
                        fail!(array_as_scalar(g));
                    }
                    let value = self.rt.current.owned(value);
                    operands!().put(d, value);
                }
                Op::SetGlobal { g, s } => {
                    let value = self.rt.current.owned(operands!().get(s));
                    self.rt.globals.statics[g.index()] = value;
                    made!();
                }
                Op::GetGlobalArray { d, g } => perform!(arrays::global_array[globals](d, g)),
                Op::CheckScalar { s } => attempt!(operands!().expect_scalar(s)),
                Op::NoteScalar { v } => operands!().change(v).note_scalar(),
                Op::CheckAssigned { s } => {
                    let is_nothing = match operands!().get(s) {
                        Value::Untyped(cell) => cell.get().is_none(),
                        value => matches!(value, Value::Uninit | Value::Unassigned),
                    };
                    if is_nothing {
                        may_warn!();
                        attempt!(self.warn_unassigned(s, start));
                    }
                }
                Op::Lint {} => {
                    if self.rt.outside.lint.level.is_on() {
                        may_warn!();
                        // SAFETY: this is not the last operation of a verified frame.
                        let following = unsafe { *next };
                        let slot = |s| operands!().get(s).clone();
                        attempt!(self.lint(following, &slot, start));
                    }
                }

                Op::Addend { d, a } => {
                    arithmetic::addend::<EXACT>(
                        &self.rt.current,
                        &mut self.rt.globals,
                        operands!(),
                        d,
                        a,
                    );
                }
                Op::Comparand { s } => self.rt.globals.note_comparand(
                    &self.rt.program,
                    &self.rt.current,
                    operands!().get(s),
                ),
                Op::NoteAdd { v, a } => {
                    perform!(arithmetic::note_add::<EXACT>[current, globals](v, a))
                }
                Op::NoteRecordLength { v } => {
                    arithmetic::note_record_length(&mut self.rt, operands!(), v);
                }
                Op::AddExactly { v, a } => {
                    arithmetic::add_exactly(&self.rt.current, &self.rt.globals, operands!(), v, a)
                }
                Op::AddExactlyToElement { array, key, a } => {
                    perform!(arrays::add_exactly[current, workspace](array, key, a))
                }
                Op::BeginFirst { g } => self.rt.begin_first(g),
                Op::EndFirst {} => self.rt.end_first(),
                Op::Add { d, a, b } => compute!(Add, d, a, b, |a, b| Ok(a + b)),
                Op::Sub { d, a, b } => compute!(Sub, d, a, b, |a, b| Ok(a - b)),
                Op::Mul { d, a, b } => compute!(Mul, d, a, b, |a, b| Ok(a * b)),
                Op::Div { d, a, b } => compute!(Div, d, a, b, arithmetic::divide),
                Op::Mod { d, a, b } => compute!(Mod, d, a, b, arithmetic::modulo),
                Op::Pow { d, a, b } => compute!(Pow, d, a, b, |a, b| Ok(power(a, b))),
                Op::Neg { d, a } => {
                    arithmetic::negate::<EXACT>(&self.rt.current, operands!(), d, a)
                }
                Op::ToNumber { d, a } => {
                    arithmetic::to_number::<EXACT>(&self.rt.current, operands!(), d, a);
                }
                Op::Not { d, a } => put_truth!(d, !holds!(comparison::truth[current](a))),
                Op::ToTruth { d, a } => put_truth!(d, holds!(comparison::truth[current](a))),
                Op::Increment { v } => {
                    perform!(arithmetic::step::<EXACT>[current](Update::Add, v, None))
                }
                Op::Decrement { v } => {
                    perform!(arithmetic::step::<EXACT>[current](Update::Sub, v, None))
                }
                Op::PostIncrement { d, v } => {
                    perform!(arithmetic::step::<EXACT>[current](Update::Add, v, Some(d)))
                }
                Op::PostDecrement { d, v } => {
                    perform!(arithmetic::step::<EXACT>[current](Update::Sub, v, Some(d)))
                }
                Op::Precise { f, d, a, b } => {
                    let operands = operands!();
                    let value = attempt!(self.rt.arithmetic.precise(
                        &self.rt.current,
                        &mut self.rt.outside,
                        &self.rt.library.clock,
                        f,
                        operands.get(a),
                        operands.get(b)
                    ));
                    operands!().put(d, value);
                    made!();
                }

                Op::Concat { d, a, b } => {
                    text!(concat[current, workspace]([d.src(), a, b]));
                    made!();
                }
                Op::ConcatAll { d, parts } => {
                    let list = operands!();
                    text!(concat_all[program, current, workspace]([d.src()], list, parts));
                    made!();
                }
                Op::Append { v, s } => perform!(texts::append[current, workspace](v, s)),

                Op::Less { d, a, b } => {
                    put_truth!(d, holds!(comparison::less[program, current, locale](a, b)))
                }
                Op::LessEqual { d, a, b } => {
                    put_truth!(d, holds!(comparison::less_equal[program, current, locale](a, b)))
                }
                Op::Equal { d, a, b } => {
                    put_truth!(d, holds!(comparison::equal[program, current, locale](a, b)))
                }
                Op::NotEqual { d, a, b } => {
                    put_truth!(d, !holds!(comparison::equal[program, current, locale](a, b)))
                }

                Op::Jump { to } => next = code_at(to.0),
                Op::Loop { to } => jump!(to),
                Op::JumpTrue { a, to } => jump_if!(holds!(comparison::truth[current](a)), to),
                Op::JumpFalse { a, to } => jump_if!(!holds!(comparison::truth[current](a)), to),
                Op::JumpLess { a, b, to } => {
                    jump_if!(holds!(comparison::less[program, current, locale](a, b)), to)
                }
                Op::JumpNotLess { a, b, to } => {
                    jump_if!(!holds!(comparison::less[program, current, locale](a, b)), to)
                }
                Op::JumpLessEqual { a, b, to } => {
                    jump_if!(holds!(comparison::less_equal[program, current, locale](a, b)), to)
                }
                Op::JumpNotLessEqual { a, b, to } => {
                    jump_if!(!holds!(comparison::less_equal[program, current, locale](a, b)), to)
                }
                Op::JumpEqual { a, b, to } => {
                    jump_if!(holds!(comparison::equal[program, current, locale](a, b)), to)
                }
                Op::JumpNotEqual { a, b, to } => {
                    jump_if!(!holds!(comparison::equal[program, current, locale](a, b)), to)
                }

                Op::Matches { d, s, pattern } => {
                    may_warn!();
                    perform!(matching::matches(d, s, pattern));
                }
                Op::JumpMatches { s, re, to } => {
                    jump_if!(perform!(matching::matches_constant(s, re)), to)
                }
                Op::JumpNotMatches { s, re, to } => {
                    jump_if!(!perform!(matching::matches_constant(s, re)), to)
                }
                Op::JumpRecordMatches { re, to } => {
                    jump_if!(
                        attempt!(self.rt.searches.record_matches(
                            &mut self.rt.current,
                            &self.rt.main,
                            re.index()
                        )),
                        to
                    )
                }
                Op::JumpRecordNotMatches { re, to } => {
                    jump_if!(
                        !attempt!(self.rt.searches.record_matches(
                            &mut self.rt.current,
                            &self.rt.main,
                            re.index()
                        )),
                        to
                    )
                }

                Op::Field { d, n, reach } => {
                    fields::field(&mut self.rt.current, operands!(), d, n.index(), reach.index());
                }
                Op::OwnField { d, n } => perform!(fields::own_field[current](d, n.index())),
                Op::FieldAt { d, i } => perform!(fields::field_by_number[program, current](d, i)),
                Op::OwnFieldAt { d, i } => {
                    perform!(fields::own_field_by_number[program, current](d, i))
                }
                Op::Column { d, c, i } => perform!(fields::column[program, current](d, c, i)),
                Op::OwnColumn { d, c, i } => {
                    perform!(fields::own_column[program, current](d, c, i))
                }
                Op::SetField { n, s } => perform!(fields::set_field(n, s)),
                Op::SetFieldAt { i, s } => perform!(fields::set_field_by_number(i, s)),
                Op::DeleteField { i } => perform!(fields::delete_field(i)),
                Op::ReachField { i } => perform!(fields::reach_field[program, current](i)),
                Op::UpdateField { op, d, i, v } => {
                    perform!(fields::update_field::<EXACT>(op, d, i, v))
                }
                Op::StepField { how, d, i } => perform!(fields::step_field::<EXACT>(how, d, i)),
                Op::GetSpecial { d, v } => fields::get_special(
                    &self.rt.program,
                    &mut self.rt.current,
                    &self.rt.arithmetic,
                    operands!(),
                    d,
                    v,
                ),
                Op::SetSpecial { v, s } => {
                    may_warn!();
                    perform!(fields::set_special(v, s));
                }

                Op::GetNamed { d, table, want, key } => {
                    let value = attempt!(self.rt.get_named(table, want, operands!().get(key)));
                    operands!().put(d, value);
                    made!();
                }
                Op::SetNamed { table, key, s } => {
                    let operands = operands!();
                    let value = self.rt.current.owned(operands.get(s));
                    attempt!(self.rt.set_named(table, operands.get(key), value));
                    made!();
                }
                Op::RefreshNamed { table } => {
                    self.rt.refresh_named(table);
                    made!();
                }
                Op::DeleteNamed { table } => {
                    fail!(Fault::new(format!("`delete' is not allowed with {}", table.name())))
                }

                Op::TakeElement { d, array, key } => {
                    perform!(arrays::take_element[current, workspace](d, array, key))
                }
                Op::GetSubarray { d, array, key } => {
                    perform!(arrays::subarray[current, workspace](d, array, key))
                }
                Op::ArgumentElement { d, array, key } => {
                    perform!(arrays::argument_element[current, workspace](d, array, key))
                }
                Op::GetElement { d, array, key } => {
                    perform!(arrays::element[current, workspace](d, array, key))
                }
                Op::SetElement { array, key, s } => {
                    perform!(arrays::set_element[current, workspace](array, key, s))
                }
                Op::UpdateElement { op, d, array, key, v } => {
                    perform!(arrays::update_element::<EXACT>[current, workspace](op, [d, array], key, v))
                }
                Op::AppendElement { array, key, v } => {
                    perform!(arrays::append_element[current, workspace](array, key, v))
                }
                Op::StepElement { how, d, array, key } => {
                    perform!(arrays::step_element::<EXACT>[current, workspace](how, d, array, key))
                }
                Op::CountElement { array, key } => {
                    perform!(arrays::count_element::<EXACT>[current, workspace](array, key))
                }
                Op::HasElement { d, array, key } => {
                    perform!(arrays::has_element[current, workspace](d, array, key))
                }
                Op::DeleteElement { array, key } => {
                    perform!(arrays::delete_element[current, workspace](array, key))
                }
                Op::ClearArray { array } => attempt!(arrays::clear(operands!(), array)),
                Op::JoinKey { d, parts } => {
                    let operands = operands!();
                    // SAFETY: a live slot that nothing refers to.
                    unsafe {
                        arrays::join_key(
                            &self.rt.program,
                            &self.rt.current,
                            &mut self.rt.workspace,
                            operands.slot(d.src()),
                            operands,
                            parts,
                        );
                    }
                    made!();
                }
                Op::BeginKeys { d, array } => attempt!(arrays::begin_keys(operands!(), d, array)),
                Op::BeginOrderedKeys { d, array } => {
                    may_warn!();
                    let array = attempt!(operands!().array(array)).0.clone();
                    let keys = if self.rt.globals.process.has_array() {
                        let keys =
                            self.sorted_keys(&array, base_at, start, index_of(next) - 1, watch)?;
                        // SAFETY: the running frame's registers are part of the stack, which may
                        // have moved.
                        base = unsafe { self.stack.as_mut_ptr().add(base_at) };
                        keys
                    } else {
                        array.borrow().keys()
                    };
                    operands!().put(d, Value::Keys(Box::new(keys)));
                    made!();
                }
                Op::NextKey { d, keys, done } => {
                    let operands = operands!();
                    // SAFETY: live slots that nothing refers to.
                    if !unsafe {
                        arrays::next_key(operands.slot(d.src()), operands.slot(keys.src()))
                    } {
                        next = code_at(done.0);
                    }
                }

                Op::Argument { d, s } => perform!(calls::argument[current](d, s)),
                Op::ArgumentByName { d, s } => perform!(calls::argument_by_name[current](d, s)),
                Op::ArgumentGlobal { d, g } => {
                    let mut value = std::mem::take(&mut self.rt.globals.statics[g.index()]);
                    let argument = self.rt.current.argument_by_name(&mut value);
                    self.rt.globals.statics[g.index()] = value;
                    operands!().put(d, argument);
                }
                Op::Call { d, function, arguments } => {
                    call!(d, function, arguments.first, arguments.count)
                }
                Op::CallIndirect { d, name, arguments } => {
                    attempt!(operands!().expect_scalar(name));
                    may_warn!();
                    let (function, count) = attempt!(self.rt.outside.function_named(
                        &self.rt.program,
                        &self.rt.current,
                        operands!().get(name),
                        arguments.count
                    ));
                    let first = base_at + arguments.first as usize;
                    attempt!(check_arguments(
                        &program.functions[function.index()],
                        &self.stack[first..first + count as usize]
                    ));
                    call!(d, function, arguments.first, count);
                }
                Op::Fail { complaint } => {
                    let complaint = self.rt.current.text_of(operands!().get(complaint));
                    fail!(Fault::new(String::from_utf8_lossy(&complaint)));
                }
                Op::Return { s } => {
                    return_with!(self.rt.current.owned(operands!().get(s)), |value| kind(
                        value,
                        self.rt.current.record.text()
                    ))
                }
                Op::ReturnNothing {} => return_with!(Value::Unassigned, |_| Kind::Nothing),

                Op::RecordLoop { again } => {
                    if attempt!(self.rt.next_record())
                        || find_after_file_rules!(Machine::find_record)
                    {
                        jump!(again);
                    }
                    made!();
                }
                Op::CountedRecordLoop { again } => {
                    if attempt!(self.rt.next_record())
                        || find_after_file_rules!(Machine::find_record)
                    {
                        attempt!(self.budget.take_record());
                        jump!(again);
                    }
                    made!();
                }
                Op::NextRecord { done } | Op::CountedNextRecord { done } => {
                    if !attempt!(self.rt.find_record())
                        && !find_after_file_rules!(Machine::find_record)
                    {
                        next = code_at(done.0);
                        continue;
                    }
                    if matches!(op, Op::CountedNextRecord { .. }) {
                        attempt!(self.budget.take_record());
                    }
                    if !few && (observes || watch.pace.jumps()) {
                        // `next` jumps here, so this is an iteration, as at `RecordLoop`.
                        let again = CodeAt(index_of(next) as u32);
                        go!(self.looped(again, base_at, start, watch));
                    }
                }
                Op::DrainRecords {} => {
                    attempt!(self.rt.drain(&mut self.budget));
                    find_after_file_rules!(|machine: &mut Machine| {
                        machine.rt.drain(&mut machine.budget).map(|()| false)
                    });
                }
                Op::Next {} | Op::NextFile {} => {
                    if let Some(flow) = attempt!(self.leave_rules(op, start)) {
                        self.unwind(base_at);
                        return Ok(Stopped::By(flow));
                    }
                    base = self.unwind(base_at);
                    base_at = 0;
                    next = code_at(start.code.start);
                    if !few {
                        watch.tier.unwound(&mut watch.pace, 1);
                        go!(watch.pace.interpretation(0));
                    }
                }
                Op::Exit { s } => {
                    attempt!(control::may_exit(start));
                    let status = number!(s);
                    self.unwind(base_at);
                    return Ok(Stopped::By(Flow::Exit(Some(status as i64 as u8))));
                }
                Op::ExitPlain {} => {
                    attempt!(control::may_exit(start));
                    self.unwind(base_at);
                    return Ok(Stopped::By(Flow::Exit(None)));
                }
                Op::Halt {} => return Ok(Stopped::By(Flow::Ended)),
                Op::Visit { at } => {
                    if !self.count_visit(at) {
                        continue;
                    }
                    let to = attempt!(self.visit(at, base_at));
                    // SAFETY: the running frame's registers are part of the stack, which a function
                    // that the observer called may have moved.
                    base = unsafe { self.stack.as_mut_ptr().add(base_at) };
                    if let Some(to) = to {
                        next = code_at(to);
                    }
                }
                Op::EnterRule { .. } | Op::EnterFunction {} | Op::LeaveFunction {} => {
                    self.mark(op, index_of(next) as u32 - 1);
                }
                Op::CheckTurn {} => {
                    made!();
                    attempt!(self.budget.take_step());
                }

                Op::Print { parts } => perform!(output::print(parts)),
                Op::PrintRecord {} => perform!(output::print_record()),
                Op::PrintTo { how, to, parts } => perform!(output::print_to(how, to, parts)),
                Op::PrintJoined { joints, parts } => perform!(output::print_joined(joints, parts)),
                Op::PrintJoinedTo { how, to, joints, parts } => {
                    perform!(output::print_joined_to(how, to, joints, parts))
                }
                Op::Format { parts } => perform!(output::format_by_first::<false>(parts)),
                Op::FormatPrecise { parts } => perform!(output::format_by_first::<true>(parts)),
                Op::FormatConst { format, parts } => perform!(output::format(format, parts)),
                Op::PrintFormatted {} => perform!(output::print_formatted[workspace, outside]()),
                Op::PrintFormattedTo { how, to } => perform!(output::print_formatted_to(how, to)),
                Op::TakeFormatted { d } => {
                    text!(take_formatted[workspace]([d.src()]));
                    made!();
                }

                Op::Getline { d } => {
                    attempt!(may_getline(start));
                    may_warn!();
                    let mut answer = attempt!(input::read_record(&mut self.rt));
                    if answer == 0.0 && find_after_file_rules!(Machine::find_record) {
                        answer = 1.0;
                    }
                    if answer > 0.0 {
                        attempt!(self.budget.take_other_record());
                    }
                    perform!(input::answer[program, current, outside](d, None, answer));
                }
                Op::GetlineVar { d, line } => {
                    attempt!(may_getline(start));
                    may_warn!();
                    let (mut answer, mut record) = attempt!(input::take_record(&mut self.rt));
                    if answer == 0.0
                        && find_after_file_rules!(|machine: &mut Machine| {
                            record = machine.rt.next_record_into(None)?;
                            Ok(record.is_some())
                        })
                    {
                        answer = 1.0;
                    }
                    if answer > 0.0 {
                        attempt!(self.budget.take_other_record());
                    }
                    perform!(input::answer[program, current, outside](d, record.map(|record| (line, record)), answer));
                }
                Op::GetlineFrom { how, d, from } => {
                    may_warn!();
                    perform!(input::getline_from(how, d, from));
                }
                Op::GetlineFromVar { how, d, line, from } => {
                    may_warn!();
                    perform!(input::getline_var_from(how, d, line, from));
                }

                Op::Length { d, s } => {
                    let length = self.rt.length(operands!().get(s));
                    operands!().put_number(d, length as i64 as f64);
                }
                Op::LengthField { d, n } => {
                    let length = texts::length_of_field(&mut self.rt, n.index());
                    operands!().put_number(d, length as i64 as f64);
                }
                Op::AddRecordLength { v } => {
                    // SAFETY: this is not the last operation of a verified frame.
                    let is_whole_loop = || match unsafe { *next } {
                        Op::RecordLoop { again } | Op::CountedRecordLoop { again } => {
                            std::ptr::eq(code_at(again.0), op)
                        }
                        _ => false,
                    };
                    let budget = &mut self.budget;
                    perform!(arithmetic::add_record_length::<EXACT>(budget, v, is_whole_loop));
                }
                Op::SubstrFrom { view, d, s, m } => {
                    let m = number!(m);
                    if !view || !texts::view(&self.rt, operands!(), d, s, m, None) {
                        text!(substr[current, locale, workspace]([d.src(), s], m, None));
                        made!();
                    }
                }
                Op::Substr { view, d, s, m, n } => {
                    let (m, n) = (number!(m), number!(n));
                    if !view || !texts::view(&self.rt, operands!(), d, s, m, Some(n)) {
                        text!(substr[current, locale, workspace]([d.src(), s], m, Some(n)));
                        made!();
                    }
                }
                Op::Index { d, s, t } => {
                    let operands = operands!();
                    let found = self.rt.workspace.index(
                        &self.rt.current,
                        &self.rt.locale,
                        operands.get(s),
                        operands.get(t),
                    );
                    operands!().put_number(d, found as f64);
                }
                Op::Split { d, s, array, by } => {
                    may_warn!();
                    perform!(matching::split(d, s, array, None, by));
                }
                Op::SplitKeeping { d, s, array, by, between } => {
                    may_warn!();
                    perform!(matching::split(d, s, array, Some(between), by));
                }
                Op::Substitute { every, d, v, pattern, by } => {
                    may_warn!();
                    perform!(matching::substitute(Replacements::of(every), [d, v], pattern, by));
                }
                Op::SubstituteRecord { every, d, pattern, by } => {
                    may_warn!();
                    perform!(matching::substitute_record(Replacements::of(every), d, pattern, by));
                }
                Op::MatchAt { d, s, pattern } => {
                    may_warn!();
                    perform!(matching::match_at(d, s, pattern));
                }
                Op::MatchGroups { d, s, pattern, array } => {
                    may_warn!();
                    perform!(matching::match_groups(d, s, pattern, array));
                }
                Op::ToLower { d, s } => {
                    text!(change_case[current, locale, workspace]([d.src(), s], Case::Lower));
                    made!();
                }
                Op::ToUpper { d, s } => {
                    text!(change_case[current, locale, workspace]([d.src(), s], Case::Upper));
                    made!();
                }
                Op::Math { f, d, a } => {
                    may_warn!();
                    perform!(arithmetic::function::<EXACT>[current, outside](f, d, a));
                }
                Op::Atan2 { d, a, b } => {
                    let angle = number!(a).atan2(number!(b));
                    operands!().put_number(d, angle);
                }
                Op::Bits { f, d, a, b } => {
                    let bits = attempt!(of_two(f, number!(a), number!(b)));
                    operands!().put_number(d, bits);
                }
                Op::Rand { d } => operands!().put_number(d, self.rt.arithmetic.random.draw()),
                Op::SrandByTime { d } => {
                    let now = self.rt.library.clock.seconds() as f64;
                    let before = self.rt.arithmetic.random.reseed(now);
                    operands!().put_number(d, before);
                }
                Op::Srand { d, a } => {
                    let before = self.rt.arithmetic.random.reseed(number!(a));
                    operands!().put_number(d, before);
                }
                Op::Close { d, s } => perform!(output::close(d, s)),
                Op::CloseEnd { d, s, end } => perform!(output::close_end(d, s, end)),
                Op::FlushAll { d } => perform!(output::flush_all[outside](d)),
                Op::Flush { d, s } => {
                    may_warn!();
                    perform!(output::flush(d, s));
                }
                Op::System { d, s } => perform!(output::system(d, s)),

                Op::Library { f, d, arguments } if f.calls_back() => {
                    may_warn!();
                    let held = attempt!(library::take_arguments(
                        &self.rt.program,
                        &mut self.rt.library,
                        &mut operands!(),
                        f,
                        arguments
                    ));
                    let call = (index_of(next) - 1) as u32;
                    let result = self.call_with_callback(f, &held, base_at, start, call, watch);
                    // SAFETY: the running frame's registers are part of the stack, which may have
                    // moved.
                    base = unsafe { self.stack.as_mut_ptr().add(base_at) };
                    library::give_back(&mut self.rt.library, held);
                    match result {
                        Ok(value) => operands!().put(d, value),
                        Err(Stop::Located(error)) => return Err(error),
                        Err(Stop::Fault(fault)) => fail!(fault),
                    }
                    made!();
                }
                Op::Library { f, d, arguments } => {
                    may_warn!();
                    perform!(library::call(f, d, arguments));
                }
                Op::CallHost { function, arrays, d, arguments } => {
                    perform!(host::call(function, arrays, d, arguments));
                }
            }
        }
    }
}
