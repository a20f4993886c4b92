//! The intermediate representation as readable text.

use super::function::*;
use std::fmt::Write;

/// A function as text.
pub fn dump(function: &IrFunction) -> String {
    let mut out = String::new();
    let _ = write!(out, "{}", function.frame);
    if let Some(signature) = &function.signature {
        let _ = write!(out, " {:?}", signature.parameters);
    }
    out.push('\n');
    for (number, block) in function.blocks.iter().enumerate() {
        let _ = writeln!(out, "b{number}({}) at {}:", values(&block.parameters), block.at);
        for step in &block.steps {
            out.push_str("    ");
            if let Some(result) = step.result {
                let _ = write!(out, "v{} = ", result.0);
            }
            inst(&step.inst, &mut out);
            for exit in step.inst.exits() {
                show_exit(function, exit, &mut out);
            }
            out.push('\n');
        }
        out.push_str("    ");
        match &block.end {
            BlockEnd::Jump(target) => {
                let _ = write!(out, "jump {}", show_target(target));
            }
            BlockEnd::Branch { on, yes, no } => {
                let _ = write!(out, "branch v{}, {}, {}", on.0, show_target(yes), show_target(no));
            }
            BlockEnd::Leave(exit) => {
                out.push_str("leave");
                show_exit(function, *exit, &mut out);
            }
            BlockEnd::Return(value) => {
                let _ = write!(out, "return v{}", value.0);
            }
            BlockEnd::ReturnValue => out.push_str("return"),
        }
        out.push('\n');
    }
    out
}

fn values(values: &[Value]) -> String {
    let shown: Vec<String> = values.iter().map(|value| format!("v{}", value.0)).collect();
    shown.join(", ")
}

fn show_target(target: &BlockTarget) -> String {
    format!("b{}({})", target.block.0, values(&target.arguments))
}

fn show_exit(function: &IrFunction, exit: ExitId, out: &mut String) {
    let exit = &function.exits[exit.0 as usize];
    let _ = write!(out, " -> {}", exit.at);
    if let Some(guard) = exit.guard {
        let _ = write!(out, " guard {guard}");
    }
    let stores: Vec<String> =
        exit.stores.iter().map(|store| format!("{} = v{}", store.slot, store.value.0)).collect();
    let _ = write!(out, " [{}]", stores.join(", "));
    for inlined in function.frames(exit.scope) {
        let _ = write!(
            out,
            " in function {} at r{} -> {}",
            inlined.function, inlined.base, inlined.return_to
        );
    }
}

fn inst(inst: &Inst, out: &mut String) {
    use Inst::*;
    let _ = match inst {
        Number(number) => write!(out, "number {number}"),
        LoadNumber(slot) => write!(out, "load {slot}"),
        ReadNumber(slot) => write!(out, "read {slot}"),
        Is(slot, tags) => write!(out, "is {slot}, {tags}"),
        StoreNumber { slot, value, memory } => write!(out, "store {slot} ({memory}), v{}", value.0),
        StoreNothing { slot, memory } => write!(out, "nothing {slot} ({memory})"),
        LetGo(slot) => write!(out, "let_go {slot}"),
        Binary(op, a, b) => write!(out, "{} v{}, v{}", format!("{op:?}").to_lowercase(), a.0, b.0),
        Unary(op, a) => write!(out, "{} v{}", format!("{op:?}").to_lowercase(), a.0),
        Compare(order, a, b) => write!(out, "compare {order:?}, v{}, v{}", a.0, b.0),
        CompareSlots(order, a, b) => write!(out, "compare_slots {order:?}, {a}, {b}"),
        CompareTexts(order, a, b) => write!(out, "compare_texts {order:?}, {a}, {b}"),
        EqualsText { slot, text, .. } => write!(out, "equals_text {slot}, {text:?}"),
        Text(text) => write!(out, "{text}"),
        Integer(integer) => write!(out, "{integer}"),
        TruthOf(slot) => write!(out, "truth_of {slot}"),
        NotZero(a) => write!(out, "not_zero v{}", a.0),
        IsSmall(a) => write!(out, "is_small v{}", a.0),
        Not(a) => write!(out, "not v{}", a.0),
        FromTruth(a) => write!(out, "from_truth v{}", a.0),
        Guard { holds, .. } => write!(out, "guard v{}", holds.0),
        Perform { at, by, .. } if *by != Performer::Interpreter => {
            let by = format!("{by:?}").to_lowercase();
            write!(out, "perform {at} by {}", by.split('(').next().unwrap_or_default())
        }
        Perform { at, count: 1, .. } => write!(out, "perform {at}"),
        Perform { at, count, .. } => write!(out, "perform {at}..{}", at + count),
        NextRecord { .. } => write!(out, "next_record"),
        RecordMatches { regex, .. } => write!(out, "record_matches {regex}"),
        Field { d, n } => write!(out, "field {d}, ${n}"),
        FieldAt { d, n } => write!(out, "field {d}, $v{}", n.0),
        OwnFieldAt { d, n } => write!(out, "own_field {d}, $v{}", n.0),
        FieldNumberAt(a) => write!(out, "field_number_at v{}", a.0),
        CompareField { order, n, value, field_first: true } => {
            write!(out, "compare {order:?}, ${n}, v{}", value.0)
        }
        CompareField { order, n, value, .. } => {
            write!(out, "compare {order:?}, v{}, ${n}", value.0)
        }
        Special(special) => {
            write!(out, "special {}", riverhawk_syntax::ast::Special::ALL[*special as usize].name())
        }
        FieldLength(n) => write!(out, "field_length ${n}"),
        Length { s, known: None } => write!(out, "length {s}"),
        Length { s, known: Some(known) } => write!(out, "length {s} of v{}", known.size.0),
        FieldNumber(n) => write!(out, "field_number ${n}"),
        Rand => write!(out, "rand"),
        Element { array, key } => write!(out, "element {array}, v{}", key.0),
        ElementUnder { array, key } => write!(out, "element {array}, {key}"),
        ElementUnderField { array, n } => write!(out, "element {array} under field v{}", n.0),
        HasElement { array, key } => write!(out, "has_element {array}, v{}", key.0),
        DeleteElement { array, key } => write!(out, "delete_element {array}, v{}", key.0),
        IsNumber(a) => write!(out, "is_number v{}", a.0),
        IsArray(a) => write!(out, "is_array v{}", a.0),
        LoadElement(a) => write!(out, "load_element v{}", a.0),
        ReadElement(a) => write!(out, "read_element v{}", a.0),
        StoreElement { element, value } => {
            write!(out, "store_element v{}, v{}", element.0, value.0)
        }
        CopyToElement { element, slot } => write!(out, "copy_to_element v{}, {slot}", element.0),
        CopyFromElement { slot, element } => {
            write!(out, "copy_from_element {slot}, v{}", element.0)
        }
        Copy { d, s } => write!(out, "copy {d}, {s}"),
        CopyShort { d, s, memory } => write!(out, "copy_short {d} ({memory}), {s}"),
        Call { callee, arguments, first, d, .. } => {
            write!(
                out,
                "call function {}({}) at r{first} for {d}",
                callee.function,
                values(arguments)
            )
        }
        Take { d, first } => write!(out, "take {d}, r{first}"),
        ReturnSlot { d, slot, first, .. } => write!(out, "return_slot {slot} from r{first} to {d}"),
        ReturnUnassigned { d, first, .. } => write!(out, "return_unassigned from r{first} to {d}"),
        HasTime => write!(out, "has_time"),
        HasSteps => write!(out, "has_steps"),
        Mark(mark) => write!(out, "mark {mark:?}"),
    };
}
