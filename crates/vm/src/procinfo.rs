//! PROCINFO: what a program can learn of its process, and what it can ask of its streams.
//!
//! The array exists only for programs that name it. What is asked of streams is read when it matters, so that it may be changed
//! at any time: `PROCINFO[name, "READ_TIMEOUT"]`, `PROCINFO[name, "RETRY"]`, `PROCINFO[name, "pty"]`.

use crate::runtime::Runtime;
use riverhawk_syntax::ast::Usage;
use riverhawk_value::{ArrayRef, Probe, Value, new_array};
use std::time::Duration;

/// What PROCINFO says, and where reads may take how long when it does not.
#[derive(Default)]
pub struct ProcessInfo {
    /// The array, when the program uses it.
    array: Option<ArrayRef>,
    /// `GAWK_READ_TIMEOUT`.
    timeout: Option<Duration>,
}

impl ProcessInfo {
    /// Whether any input may have a timeout.
    pub fn sets_timeouts(&self) -> bool {
        self.array.is_some() || self.timeout.is_some()
    }
}

impl Runtime {
    /// Fills PROCINFO, if the program names it, with the elements that gawk has and that mean something here.
    pub(crate) fn fill_process_info(&mut self, environment: &[(Vec<u8>, Vec<u8>)]) {
        let number = |wanted: &[u8]| {
            let found = environment.iter().find(|(name, _)| name == wanted);
            found.map(|(_, value)| Value::from_input(value).number(b""))
        };
        self.process.timeout = number(b"GAWK_READ_TIMEOUT").and_then(milliseconds);
        let attempts = number(b"GAWK_SOCK_RETRIES").filter(|&attempts| attempts >= 1.0).map(|attempts| attempts as u32);
        self.io.set_retry(attempts, number(b"GAWK_MSEC_SLEEP").and_then(milliseconds));
        let array_alone = Usage { scalar: false, array: true };
        let globals = &self.program.globals;
        let at = globals.iter().position(|global| global.name == "PROCINFO" && global.usage == array_alone);
        let at = at.filter(|_| self.program.dialect.has_extensions());
        let Some(at) = at else { return };
        let array = new_array();
        {
            let mut elements = array.borrow_mut();
            let mut set = |key: &str, value: Value| elements.set(Probe::from_text(key.as_bytes()), value);
            set("version", Value::from_text(env!("CARGO_PKG_VERSION").as_bytes()));
            set("platform", Value::from_text(b"posix"));
            set("FS", Value::from_text(b"FS"));
            set("strftime", Value::from_text(b"%a %b %e %H:%M:%S %Z %Y"));
            let id = |raw: u32| Value::Num(f64::from(raw));
            set("pid", id(std::process::id()));
            set("ppid", id(rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get() as u32)));
            set("pgrpid", id(rustix::process::getpgrp().as_raw_nonzero().get() as u32));
            set("uid", id(rustix::process::getuid().as_raw()));
            set("euid", id(rustix::process::geteuid().as_raw()));
            set("gid", id(rustix::process::getgid().as_raw()));
            set("egid", id(rustix::process::getegid().as_raw()));
            for (at, group) in (1..).zip(rustix::process::getgroups().unwrap_or_default()) {
                set(&format!("group{at}"), id(group.as_raw()));
            }
        }
        self.statics[at] = Value::Array(array.clone());
        self.process.array = Some(array);
    }

    /// `PROCINFO[name, what]`, if there is such an element.
    fn asked_of(&self, name: &[u8], what: &str) -> Option<Value> {
        let array = self.process.array.as_ref()?;
        let key = [name, &self.specials.subsep, what.as_bytes()].concat();
        array.borrow().get(Probe::from_text(&key)).cloned()
    }

    /// How long a read of this input may have nothing to give.
    pub(crate) fn read_timeout(&self, name: &[u8]) -> Option<Duration> {
        if !self.process.sets_timeouts() {
            return None;
        }
        match self.asked_of(name, "READ_TIMEOUT") {
            Some(value) => milliseconds(self.number(&value)),
            None => self.process.timeout,
        }
    }

    /// Whether a read of this input that took too long may be tried again: getline is -2 then instead of -1.
    pub(crate) fn may_retry(&self, name: &[u8]) -> bool {
        self.asked_of(name, "RETRY").is_some()
    }

    /// Whether this coprocess is to be started on a pseudo-terminal.
    pub(crate) fn wants_terminal(&self, name: &[u8]) -> bool {
        self.asked_of(name, "pty").is_some_and(|value| value.truth(b""))
    }
}

/// A timeout in milliseconds, as gawk takes it: none unless it is positive.
fn milliseconds(number: f64) -> Option<Duration> {
    (number >= 1.0).then(|| Duration::from_millis(number.min(1e15) as u64))
}
