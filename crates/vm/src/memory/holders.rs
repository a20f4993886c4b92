//! Finds which part of a run holds most memory.

use crate::frames::Frame;
use crate::machine::Machine;
use riverhawk_bytecode::Op;
use riverhawk_memory as memory;
use riverhawk_value::Value;

const MIN_WORTH_NAMING: usize = 1 << 20;

struct Holder {
    bytes: usize,
    what: MemoryHolder,
}

enum MemoryHolder {
    Array { name: String, elements: usize },
    Text { name: String },
    Record,
    Calls(usize),
}

impl Machine {
    #[cold]
    #[inline(never)]
    pub(crate) fn out_of_memory(&self) -> String {
        let mut message = match memory::reached_limit() {
            Some(limit) => format!("out of memory: the limit of {} is reached", in_units(limit)),
            None => "out of memory".to_owned(),
        };
        let holder = self.largest_holder();
        if holder.is_none() && memory::wanted() >= MIN_WORTH_NAMING {
            message.push_str(": ");
            message.push_str(&in_units(memory::wanted()));
            message.push_str(" are needed");
        }
        if let Some(Holder { bytes, what }) = holder {
            let bytes = in_units(bytes);
            let holder = match what {
                MemoryHolder::Array { name, elements } => {
                    format!("array `{name}' holds {elements} elements (about {bytes})")
                }
                MemoryHolder::Text { name } => format!("the text of `{name}' takes {bytes}"),
                MemoryHolder::Record => format!("the record takes {bytes}"),
                MemoryHolder::Calls(calls) => format!("{calls} nested calls take {bytes}"),
            };
            message.push_str(": ");
            message.push_str(&holder);
        }
        message
    }

    fn largest_holder(&self) -> Option<Holder> {
        let mut largest: Option<Holder> = None;
        let mut see = |bytes: usize, what: &dyn Fn() -> MemoryHolder| {
            if bytes >= largest.as_ref().map_or(MIN_WORTH_NAMING, |largest| largest.bytes + 1) {
                largest = Some(Holder { bytes, what: what() });
            }
        };
        see(self.rt.current.record.footprint(), &|| MemoryHolder::Record);
        let calls = self.stack.capacity() * size_of::<Value>()
            + self.frames.capacity() * size_of::<Frame>();
        see(calls, &|| MemoryHolder::Calls(self.frames.len()));
        let mut look = |value: &Value, name: &str| {
            let name = || name.to_owned();
            match value {
                Value::Array(array) => {
                    let Ok(array) = array.try_borrow() else { return };
                    see(array.footprint(), &|| MemoryHolder::Array {
                        name: name(),
                        elements: array.len(),
                    });
                }
                Value::Str(text) | Value::Input(text) => {
                    see(text.capacity(), &|| MemoryHolder::Text { name: name() })
                }
                _ => {}
            }
        };
        for (global, value) in self.rt.program.globals.iter().zip(&self.rt.globals.statics) {
            look(value, &global.name);
        }
        for frame in &self.frames {
            let function = &self.rt.program.functions[frame.function.index()];
            let first = match self.rt.program.code.get((frame.return_to as usize).wrapping_sub(1)) {
                Some(Op::Call { arguments, .. } | Op::CallIndirect { arguments, .. }) => {
                    arguments.first as usize
                }
                _ => continue,
            };
            let registers =
                self.stack.get(frame.caller_base as usize + first..).unwrap_or_default();
            for (name, value) in function.params.iter().zip(registers) {
                look(value, name);
            }
        }
        largest
    }
}

fn in_units(bytes: usize) -> String {
    // 10 GiB are more than `usize` holds on 32 bits.
    let (bytes, kib, mib, gib) = (bytes as u64, 1 << 10, 1 << 20, 1 << 30);
    match bytes {
        _ if bytes >= 10 * gib || bytes >= gib && bytes.is_multiple_of(gib) => {
            format!("{} GiB", bytes / gib)
        }
        _ if bytes >= mib => format!("{} MiB", bytes / mib),
        _ if bytes >= kib => format!("{} KiB", bytes / kib),
        _ => format!("{bytes} bytes"),
    }
}
