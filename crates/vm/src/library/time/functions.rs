//! The functions of time.

use super::{DEFAULT_FORMAT, Surroundings, numbers, seconds_of_numbers};
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::library::Kept;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_builtins::time::calendar::moment;
use riverhawk_builtins::time::format;
use riverhawk_builtins::time::format::Subject;
use riverhawk_builtins::time::zone::{KnownRules, Zone};
use riverhawk_value::{HeapStr, Probe, Value};
use std::borrow::Cow;

impl Runtime {
    /// The text is empty for a year that C cannot hold.
    pub(in crate::library) fn strftime(
        &mut self,
        old: Option<HeapStr>,
        arguments: &[Value],
    ) -> Fallible<Value> {
        let format = match arguments.first() {
            Some(format @ (Value::Small(_) | Value::Str(_))) => {
                Cow::Borrowed(format.bytes(b"").unwrap_or_default())
            }
            Some(format) => Cow::Owned(self.current.text_of(format)),
            None => match self.globals.process_element("strftime") {
                Some(format) => Cow::Owned(self.current.text_of(&format)),
                None => Cow::Borrowed(DEFAULT_FORMAT),
            },
        };
        let time = arguments.get(1).map_or_else(
            || self.library.clock.seconds() as f64,
            |time| self.current.number(time).trunc(),
        );
        let utc = arguments.get(2).is_some_and(|utc| utc.truth(self.current.record.text()));
        if time.is_nan() || time.abs() > 68e15 {
            return Ok(Value::EMPTY);
        }
        let seconds = time as i64;
        let style = self.library.clock.surroundings.style;
        let mut text = std::mem::take(&mut self.workspace.assembly);
        text.clear();
        let (offset, name, seconds) = match utc {
            // `%s` uses C's broken-down time, which has no zone.
            true if format.contains(&b's') => (
                0,
                "GMT",
                self.library.zone(&self.current, &self.globals).0.when(seconds, Some(false)),
            ),
            true => (0, "GMT", seconds),
            false => {
                let (zone, rules) = self.library.zone(&self.current, &self.globals);
                let rule = rules.rule(zone, seconds);
                (rule.offset, rule.name.as_str(), seconds)
            }
        };
        let moment = moment(time as i64 + offset);
        if i32::try_from(moment.year - 1900).is_err() {
            return Ok(Value::EMPTY);
        }
        format::write(&format, &Subject { moment, offset, zone: name, seconds, style }, &mut text);
        let value = Value::from_text_in(old, &text);
        self.workspace.assembly = text;
        Ok(value)
    }
}

impl Kept {
    /// A new `ENVIRON["TZ"]` takes effect at once.
    pub(super) fn zone(
        &mut self,
        current: &CurrentRecord,
        globals: &Globals,
    ) -> (&Zone, &mut KnownRules) {
        let tz = self.clock.surroundings.zone_name(current, globals);
        let recent = &mut self.clock.recent;
        let known = recent.take().filter(|(known, ..)| known.as_deref() == tz.as_deref());
        let known = known.unwrap_or_else(|| {
            let zone = Zone::of(tz.as_deref(), self.clock.zone_files);
            (tz.map(Cow::into_owned), zone, KnownRules::default())
        });
        let (_, zone, rules) = recent.insert(known);
        (zone, rules)
    }

    pub(in crate::library) fn mktime(
        &mut self,
        current: &CurrentRecord,
        globals: &Globals,
        date: &Value,
        utc: Option<&Value>,
    ) -> Value {
        let utc = utc.is_some_and(|utc| utc.truth(current.record.text()));
        let numbers = numbers(&current.text_of(date));
        let zone = if utc { None } else { Some(self.zone(current, globals).0) };
        Value::Num(seconds_of_numbers(&numbers, zone).map_or(-1.0, |seconds| seconds as f64))
    }
}

impl Surroundings {
    /// `ENVIRON["TZ"]`, or the environment's TZ if the program does not use ENVIRON.
    pub(crate) fn zone_name<'a>(
        &'a self,
        current: &CurrentRecord,
        globals: &Globals,
    ) -> Option<Cow<'a, [u8]>> {
        match &globals.environ {
            Some(environ) => {
                let environ = environ.borrow();
                let tz = environ.get(Probe::Text(b"TZ"));
                tz.map(|tz| Cow::Owned(current.text_of(&tz)))
            }
            None => self.tz.as_deref().map(Cow::Borrowed),
        }
    }
}
