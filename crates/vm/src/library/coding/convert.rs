//! Converting texts between encodings.

use super::super::Failure;
use super::failure;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::library::Kept;
use crate::runtime::Runtime;
use crate::workspace::Workspace;
use riverhawk_awkio::Coding;
use riverhawk_awkio::fault::Fallible;
use riverhawk_builtins::names::unknown_name;
use riverhawk_text::decoder::Decoder;
use riverhawk_text::encoding::{Encoder, Encoding, Policy, Utf8};
use riverhawk_value::{HeapStr, Value};
use std::sync::Arc;

impl Runtime {
    pub(in crate::library) fn text_encode(
        &mut self,
        old: Option<HeapStr>,
        s: &Value,
        encoding: &Value,
    ) -> Fallible<Value> {
        let encoding = self.library.encoding(&self.current, "text::encode", encoding)?;
        Ok(self.workspace.recoded(&mut self.current, &mut self.globals, old, s, |text, bytes| {
            let mut encoder = Encoder::new(encoding);
            encoder.push(text, bytes).map_err(failure)?;
            encoder.finish(bytes).map_err(failure)
        }))
    }

    pub(in crate::library) fn text_decode(
        &mut self,
        old: Option<HeapStr>,
        s: &Value,
        encoding: &Value,
    ) -> Fallible<Value> {
        let encoding = self.library.encoding(&self.current, "text::decode", encoding)?;
        Ok(self.workspace.recoded(&mut self.current, &mut self.globals, old, s, |bytes, text| {
            let mut decoder = Decoder::bytes(encoding);
            decoder.add_slice(bytes);
            decoder.finish();
            decoder.take_available_into(text).map_err(failure)
        }))
    }
}

impl Kept {
    /// For `name` or `name:policy`; `None` for UTF-8. An error names `whom`.
    pub(crate) fn coding(&mut self, whom: &str, name: &[u8]) -> Fallible<Option<Coding>> {
        let (name, policy) = match name.iter().position(|&byte| byte == b':') {
            Some(colon) => (&name[..colon], Some(&name[colon + 1..])),
            None => (name, None),
        };
        if name.is_empty() && policy.is_none() {
            return Ok(None);
        }
        let encoding = self.encodings.get(whom, name)?;
        let policy = match policy {
            None if encoding.name() == Utf8.name() => return Ok(None),
            None | Some(b"strict") => Policy::Strict,
            Some(b"replace") => Policy::Replace,
            Some(b"permissive") => Policy::Permissive,
            Some(other) => {
                let names = ["strict", "replace", "permissive"];
                return Err(unknown_name(whom, "policy", other, &names, std::iter::empty()));
            }
        };
        Ok(Some(Coding { encoding, policy }))
    }

    pub(in crate::library) fn encoding(
        &mut self,
        current: &CurrentRecord,
        function: &str,
        name: &Value,
    ) -> Fallible<Arc<dyn Encoding>> {
        let mut known = std::mem::take(&mut self.encodings);
        let mut scratch = Vec::new();
        let found = known.get(function, current.bytes(name, &mut scratch));
        self.encodings = known;
        found
    }
}

impl Workspace {
    pub(in crate::library) fn recoded(
        &mut self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        old: Option<HeapStr>,
        s: &Value,
        recode: impl FnOnce(&[u8], &mut Vec<u8>) -> Result<(), Failure>,
    ) -> Value {
        let mut scratch = std::mem::take(&mut self.scratch[0]);
        let mut out = std::mem::take(&mut self.assembly);
        out.clear();
        let result = recode(current.bytes(s, &mut scratch), &mut out)
            .map(|()| Value::from_text_in(old, &out));
        self.scratch[0] = scratch;
        self.assembly = out;
        globals.text_or_failure(current, result)
    }
}
