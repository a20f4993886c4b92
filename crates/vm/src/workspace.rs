//! Buffers for texts, kept for their allocations.

use crate::current::CurrentRecord;
use crate::printing::arguments::{HeldArguments, format_rules};
use riverhawk_bytecode::Unit as Program;
use riverhawk_value::format::Format;
use riverhawk_value::{Array, HeapStr, Place, Probe, Value};

pub(crate) struct Workspace {
    pub(crate) scratch: [Vec<u8>; 3],
    pub(crate) assembly: Vec<u8>,
    pub(crate) formatted: Vec<u8>,
    pub(crate) pieces: Vec<(u32, u32)>,
    pub(crate) formats: Vec<Format>,
    pub(crate) recent_format: Option<(Vec<u8>, Format)>,
    pub(crate) arguments: HeldArguments,
    /// A text that machine code has overwritten, for its allocation: a register may hold a text and
    /// then something else in each turn of a loop.
    pub(crate) spare: Option<HeapStr>,
}

/// Larger allocations are not kept.
const MAX_SPARE: usize = 1 << 10;

impl Workspace {
    pub(crate) fn new(program: &Program) -> Workspace {
        let rules = format_rules(program.dialect);
        let formats =
            program.formats.iter().map(|format| Format::parse_by(rules, format)).collect();
        Workspace {
            scratch: Default::default(),
            assembly: Vec::new(),
            formatted: Vec::new(),
            pieces: Vec::new(),
            formats,
            recent_format: None,
            arguments: HeldArguments::default(),
            spare: None,
        }
    }

    /// Drops a value, or keeps the allocation of a text that nothing else holds.
    pub fn let_go(&mut self, value: Value) {
        match value {
            Value::Str(text) | Value::Input(text)
                if text.is_unique() && text.capacity() <= MAX_SPARE =>
            {
                self.spare = Some(text);
            }
            _ => {}
        }
    }

    #[inline(always)]
    pub fn with_key<R>(
        &mut self,
        current: &CurrentRecord,
        key: &Value,
        f: impl FnOnce(Probe<'_>) -> R,
    ) -> R {
        f(Probe::from_value(
            key,
            current.record.text_and_behind(),
            &current.specials.convfmt,
            &mut self.scratch[0],
        ))
    }

    /// The element, made if missing.
    #[inline(always)]
    pub fn place<'a>(
        &mut self,
        current: &CurrentRecord,
        array: &'a mut Array,
        key: &Value,
    ) -> Place<'a> {
        let (record, convfmt) = (current.record.text_and_behind(), &current.specials.convfmt);
        match key {
            Value::Num(_) => self.with_key(current, key, |key| array.place(key)),
            _ => array.place_under(key, record, convfmt, &mut self.scratch[0]),
        }
    }

    /// As [`Workspace::place`], of an element that is not [known](Array::known).
    pub fn place_any<'a>(
        &mut self,
        current: &CurrentRecord,
        array: &'a mut Array,
        key: &Value,
    ) -> Place<'a> {
        let (record, convfmt) = (current.record.text_and_behind(), &current.specials.convfmt);
        array.place_under_any(key, record, convfmt, &mut self.scratch[0])
    }

    /// Whether there is an element.
    #[inline(always)]
    pub fn has_element(&mut self, current: &CurrentRecord, array: &Array, key: &Value) -> bool {
        let convfmt = &current.specials.convfmt;
        let record = current.record.text_and_behind();
        array.contains_value(key, record, convfmt, &mut self.scratch[0])
    }
}
