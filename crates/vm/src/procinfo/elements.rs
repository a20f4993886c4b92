//! Fills PROCINFO when the program begins, and reads the elements by which programs change how
//! streams are read and loops are ordered.

use super::GAWK_VERSION;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::named::elements::{global_array, variables};
use crate::outside::Outside;
use riverhawk_awkio::{Connection, Directories};
use riverhawk_bytecode::NamedTable;
use riverhawk_bytecode::Unit as Program;
use riverhawk_precise::{MAX_PRECISION, MIN_PRECISION};
use riverhawk_record::table::TableFormat;
use riverhawk_syntax::ast::{GlobalId, Special};
use riverhawk_value::{ArrayRef, Probe, Value, new_array};
use std::time::Duration;

impl Outside {
    pub(crate) fn fill_process_info(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        globals: &mut Globals,
        environment: &[(Vec<u8>, Vec<u8>)],
        command_line: &[Vec<u8>],
    ) {
        let number = |wanted: &[u8]| {
            let found = environment.iter().find(|(name, _)| name == wanted);
            found.map(|(_, value)| Value::from_input(value).number(b""))
        };
        globals.process.timeout = number(b"GAWK_READ_TIMEOUT").and_then(milliseconds);
        let attempts = number(b"GAWK_SOCK_RETRIES")
            .filter(|&attempts| attempts >= 1.0)
            .map(|attempts| attempts as u32);
        self.io.set_retry(attempts, number(b"GAWK_MSEC_SLEEP").and_then(milliseconds));
        let at = global_array(program, "PROCINFO").filter(|_| program.dialect.has_extensions());
        let Some(at) = at else { return };
        let array = globals.process_info(program, current, command_line);
        globals.statics[at] = Value::Array(array.clone());
        globals.process.array = Some(array);
    }

    pub(crate) fn look_at_override(&mut self, current: &CurrentRecord, globals: &Globals) {
        if self.io.inputs.reading().directories == Directories::Refused {
            return;
        }
        globals.set_field_mode_element(current.specials.mode.variable().name());
        let is_set =
            |array: &ArrayRef| array.borrow().contains(Probe::from_text(b"readdir_override"));
        self.io.inputs.set_directories(match globals.process.array.as_ref().is_some_and(is_set) {
            true => Directories::Fields,
            false => Directories::Records,
        });
    }
}

impl Globals {
    pub(crate) fn process_info(
        &self,
        program: &Program,
        current: &CurrentRecord,
        command_line: &[Vec<u8>],
    ) -> ArrayRef {
        let array = new_array();
        {
            let mut elements = array.borrow_mut();
            let mut set =
                |key: &str, value: Value| elements.set(Probe::from_text(key.as_bytes()), value);
            set("version", Value::from_text(GAWK_VERSION));
            set("rhawk_version", Value::from_text(env!("CARGO_PKG_VERSION").as_bytes()));
            set("platform", Value::from_text(crate::system::PLATFORM));
            set("FS", Value::from_text(b"FS"));
            if matches!(current.tables.input, Some(TableFormat::Csv { .. })) {
                set("CSV", Value::Num(1.0));
            }
            set("strftime", Value::from_text(b"%a %b %e %H:%M:%S %Z %Y"));
            set("gmp_version", Value::from_text(b"dashu-int 0.6"));
            set(
                "mpfr_version",
                Value::from_text(
                    concat!("riverhawk-precise ", env!("CARGO_PKG_VERSION")).as_bytes(),
                ),
            );
            set("prec_min", Value::Num(MIN_PRECISION as f64));
            set("prec_max", Value::Num(MAX_PRECISION as f64));
            let id = |raw: u32| Value::Num(f64::from(raw));
            for (name, number) in crate::system::identities() {
                set(&name, id(number));
            }
        }
        let argv = new_array();
        for (at, word) in (0..).zip(command_line) {
            argv.borrow_mut().set(Probe::Int(at), Value::from_text(word));
        }
        array.borrow_mut().set(Probe::from_text(b"argv"), Value::Array(argv));
        array
            .borrow_mut()
            .set(Probe::from_text(b"identifiers"), Value::Array(self.identifiers(program)));
        array
    }

    /// A variable assigned before the program begins is a scalar.
    pub(crate) fn identify_assigned(&self, name: &str) {
        let Some(process) = &self.process.array else { return };
        let process = process.borrow();
        let Some(Value::Array(identifiers)) = process.get(Probe::from_text(b"identifiers")) else {
            return;
        };
        let is_known = identifiers.borrow().get(Probe::from_text(name.as_bytes())).is_some();
        if is_known {
            identifiers
                .borrow_mut()
                .set(Probe::from_text(name.as_bytes()), Value::from_text(b"scalar"));
        }
    }

    fn identifiers(&self, program: &Program) -> ArrayRef {
        let array = new_array();
        let set = |name: &str, what: &str| {
            array
                .borrow_mut()
                .set(Probe::from_text(name.as_bytes()), Value::from_text(what.as_bytes()));
        };
        for (name, at) in variables(program) {
            let is_array = self.statics[at].is_array() || ["ENVIRON", "PROCINFO"].contains(&&*name);
            let is_own = at < GlobalId::PREDEFINED.len();
            set(
                &name,
                if is_array {
                    "array"
                } else if is_own {
                    "scalar"
                } else {
                    "untyped"
                },
            );
        }
        for name in ["PROCINFO", NamedTable::Symbols.name(), NamedTable::Functions.name()] {
            set(name, "array");
        }
        for special in Special::ALL.iter().filter(|&&special| special != Special::Encoding) {
            set(special.name(), "scalar");
        }
        for name in crate::named::elements::builtins() {
            set(name, "builtin");
        }
        for function in &program.host_functions {
            set(function.name(), "extension");
        }
        for function in
            program.functions.iter().filter(|function| function.defined && !function.builtin)
        {
            set(&function.name, "user");
        }
        array
    }

    pub(crate) fn loop_order(&self) -> Option<Value> {
        self.process_element("sorted_in")
    }

    pub(crate) fn process_element(&self, name: &str) -> Option<Value> {
        self.process.array.as_ref()?.borrow().get(Probe::Text(name.as_bytes()))
    }

    pub(crate) fn set_errno_element(&self, number: i32) {
        if let Some(array) = &self.process.array {
            array.borrow_mut().set(Probe::from_text(b"errno"), Value::Num(f64::from(number)));
        }
    }

    pub(crate) fn may_fail(&self, current: &CurrentRecord, name: &[u8]) -> bool {
        let Some(array) = &self.process.array else { return false };
        array.borrow().contains(Probe::from_text(b"NONFATAL"))
            || self.setting_for(current, name, "NONFATAL").is_some()
    }

    pub(crate) fn set_field_mode_element(&self, name: &str) {
        if let Some(array) = &self.process.array {
            array.borrow_mut().set(Probe::from_text(b"FS"), Value::from_text(name.as_bytes()));
        }
    }

    /// FS does not split a record that is an entry of a directory.
    pub(crate) fn cut_entry(&self, current: &mut CurrentRecord) {
        current.record.cut_entry();
        self.set_field_mode_element("API");
    }

    fn setting_for(&self, current: &CurrentRecord, name: &[u8], what: &str) -> Option<Value> {
        let array = self.process.array.as_ref()?;
        let key = [name, &current.specials.subsep, what.as_bytes()].concat();
        array.borrow().get(Probe::from_text(&key))
    }

    pub(crate) fn read_timeout(&self, current: &CurrentRecord, name: &[u8]) -> Option<Duration> {
        if !self.process.sets_timeouts() {
            return None;
        }
        match self.setting_for(current, name, "READ_TIMEOUT") {
            Some(value) => milliseconds(current.number(&value)),
            None => self.process.timeout,
        }
    }

    /// Whether a read that timed out may be repeated; getline then returns -2, not -1.
    pub(crate) fn may_retry(&self, current: &CurrentRecord, name: &[u8]) -> bool {
        self.setting_for(current, name, "RETRY").is_some()
    }

    pub(crate) fn connection_of(&self, current: &CurrentRecord, name: &[u8]) -> Connection {
        match self.setting_for(current, name, "pty") {
            Some(value) if value.truth(b"") => Connection::Terminal,
            _ => Connection::Pipes,
        }
    }
}

/// As gawk takes milliseconds: none unless positive.
fn milliseconds(number: f64) -> Option<Duration> {
    (number >= 1.0).then(|| Duration::from_millis(number.min(1e15) as u64))
}
