//! `systime`, `strftime`, `mktime`, `strptime` of the extension `time`, and the namespace `time::`.

mod calendar;
mod duration;
mod format;
mod named;
mod parse;
mod shown;
mod stamp;
mod strptime;
mod zone;

use crate::fault::Fallible;
use crate::runtime::Runtime;
use calendar::{DAY, days_of, moment};
use format::{Style, Subject};
use riverhawk_text::Unit;
use riverhawk_value::{HeapStr, Probe, Value};
use std::borrow::Cow;
use zone::{KnownRules, Zone};

/// What `strftime` without a format writes: that of the command `date` in the locale `C`.
const DEFAULT_FORMAT: &[u8] = b"%a %b %e %H:%M:%S %Z %Y";

/// The zone that was asked for last, and the locale's formats.
#[derive(Default)]
pub(crate) struct Clock {
    /// TZ when the run began, and the formats that the environment asks for.
    surroundings: Surroundings,
    /// The zone, the TZ that it is for, and what is known of it.
    recent: Option<(Option<Vec<u8>>, Zone, KnownRules)>,
    /// Those that calls have named.
    named: named::NamedZones,
}

/// What the environment of a run says of times.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surroundings {
    tz: Option<Vec<u8>>,
    style: Style,
}

impl Surroundings {
    /// What this environment says; `-b` makes the locale `C`, which shows by bytes where the
    /// locale's characters are those of UTF-8.
    pub(crate) fn of(environment: &[(Vec<u8>, Vec<u8>)], unit: Unit) -> Surroundings {
        let get = |wanted: &str| {
            let found = environment.iter().find(|(name, _)| name == wanted.as_bytes());
            found.map(|(_, value)| value.as_slice())
        };
        let locale = ["LC_ALL", "LC_TIME", "LANG"]
            .into_iter()
            .filter_map(get)
            .find(|value| !value.is_empty());
        let is_utf_8 = |locale: &[u8]| match locale
            .iter()
            .position(|&byte| byte == b'.')
            .map(|at| (at, &locale[at + 1..]))
        {
            Some((_, set)) => set.to_ascii_lowercase().starts_with(b"utf"),
            None => true,
        };
        let style = match locale {
            Some(locale) if unit == Unit::Byte && is_utf_8(locale) => Style::C,
            Some(locale) if locale.starts_with(b"en_US") => Style::UnitedStates,
            _ => Style::C,
        };
        Surroundings { tz: get("TZ").map(<[u8]>::to_vec), style }
    }
}

impl Clock {
    /// A clock in these surroundings.
    pub(crate) fn new(surroundings: Surroundings) -> Clock {
        Clock { surroundings, ..Clock::default() }
    }
}

/// Seconds since 1970, as `systime` has them.
fn seconds_now() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs() as i64)
}

/// `systime()`.
pub(super) fn now() -> Value {
    Value::Num(seconds_now() as f64)
}

impl Runtime {
    /// The zone that TZ names now: what a program assigns to ENVIRON["TZ"] holds at once.
    fn zone(&mut self) -> (&Zone, &mut KnownRules) {
        let tz = match &self.environ {
            Some(environ) => {
                let environ = environ.borrow();
                let tz = environ.get(Probe::Text(b"TZ"));
                tz.map(|tz| Cow::Owned(self.text_of(&tz)))
            }
            None => self.library.clock.surroundings.tz.as_deref().map(Cow::Borrowed),
        };
        let recent = &mut self.library.clock.recent;
        let known = recent.take().filter(|(known, ..)| known.as_deref() == tz.as_deref());
        let known = known.unwrap_or_else(|| {
            let zone = Zone::of(tz.as_deref());
            (tz.map(Cow::into_owned), zone, KnownRules::default())
        });
        let (_, zone, rules) = recent.insert(known);
        (zone, rules)
    }

    /// `strftime([format [, time [, utc]]])`: a time beyond the years that C can count is no text.
    pub(super) fn strftime(
        &mut self,
        old: Option<HeapStr>,
        arguments: &[Value],
    ) -> Fallible<Value> {
        let format = match arguments.first() {
            Some(format @ (Value::Small(_) | Value::Str(_))) => {
                Cow::Borrowed(format.bytes(b"").unwrap_or_default())
            }
            Some(format) => Cow::Owned(self.text_of(format)),
            None => match self.process_element("strftime") {
                Some(format) => Cow::Owned(self.text_of(&format)),
                None => Cow::Borrowed(DEFAULT_FORMAT),
            },
        };
        let time =
            arguments.get(1).map_or_else(|| seconds_now() as f64, |time| self.number(time).trunc());
        let utc = arguments.get(2).is_some_and(|utc| utc.truth(self.record.text()));
        // No year that C can count is further away.
        if time.is_nan() || time.abs() > 68e15 {
            return Ok(Value::EMPTY);
        }
        let seconds = time as i64;
        let style = self.library.clock.surroundings.style;
        let mut text = std::mem::take(&mut self.assembly);
        text.clear();
        let (offset, name, seconds) = match utc {
            // What `%s` writes is what C makes of the broken-down time, which knows no zone.
            true if format.contains(&b's') => (0, "GMT", self.zone().0.when(seconds, Some(false))),
            true => (0, "GMT", seconds),
            false => {
                let (zone, rules) = self.zone();
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
        self.assembly = text;
        Ok(value)
    }

    /// `mktime(date [, utc])`: six numbers, and a seventh that says whether summer time is meant.
    pub(super) fn mktime(&mut self, date: &Value, utc: Option<&Value>) -> Value {
        let utc = utc.is_some_and(|utc| utc.truth(self.record.text()));
        let numbers = numbers(&self.text_of(date));
        let zone = if utc { None } else { Some(self.zone().0) };
        Value::Num(seconds_of_numbers(&numbers, zone).map_or(-1.0, |seconds| seconds as f64))
    }
}

/// The time of six numbers of a date, and a seventh that says whether summer time is meant;
/// universal time without a zone.
fn seconds_of_numbers(numbers: &[i64], zone: Option<&Zone>) -> Option<i64> {
    let [year, month, day, hour, minute, second, ref rest @ ..] = *numbers else { return None };
    if i32::try_from(year.saturating_sub(1900)).is_err() {
        return None;
    }
    // C keeps each in an int.
    let [month, day, hour, minute, second] =
        [month, day, hour, minute, second].map(|number| i64::from(number as i32));
    let months = year * 12 + month - 1;
    let days = days_of(months.div_euclid(12), months.rem_euclid(12) + 1, 1) + day - 1;
    let local = days * DAY + hour * 3600 + minute * 60 + second;
    let summer =
        rest.first().map(|&flag| flag as i32).and_then(|flag| (flag >= 0).then_some(flag > 0));
    let seconds = zone.map_or(local, |zone| zone.when(local, summer));
    i32::try_from(moment(seconds).year - 1900).is_ok().then_some(seconds)
}

/// The whole numbers that a text begins with, at most seven, as C's `sscanf` reads them: blanks in
/// front of each, and one that is too large becomes the largest.
fn numbers(text: &[u8]) -> Vec<i64> {
    let mut numbers = Vec::with_capacity(7);
    let mut rest = text;
    while numbers.len() < 7 {
        rest = rest.trim_ascii_start();
        let (negative, digits) = match rest {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] => (false, digits),
            digits => (false, digits),
        };
        let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 {
            break;
        }
        let sign = if negative { -1 } else { 1 };
        numbers.push(digits[..length].iter().fold(0i64, |sum, digit| {
            sum.saturating_mul(10).saturating_add(sign * i64::from(digit - b'0'))
        }));
        rest = &digits[length..];
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_far_as_they_go() {
        for (text, expected) in [
            ("2009 02 13 23 31 30", &[2009, 2, 13, 23, 31, 30][..]),
            (" 2009  02 -13 +23 31 30x", &[2009, 2, -13, 23, 31, 30]),
            ("2009-02-13", &[2009, -2, -13]),
            ("2009 2.5 13", &[2009, 2]),
            ("1 2 3 4 5 6 7 8", &[1, 2, 3, 4, 5, 6, 7]),
            ("99999999999999999999 -99999999999999999999", &[i64::MAX, i64::MIN]),
            ("x", &[]),
            ("", &[]),
        ] {
            assert_eq!(numbers(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn the_environment_says_zone_and_formats() {
        let of = |pairs: &[(&str, &str)]| {
            let pairs = pairs
                .iter()
                .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()));
            Surroundings::of(&pairs.collect::<Vec<_>>(), Unit::CodePoint)
        };
        assert_eq!(of(&[("LANG", "en_US.UTF-8"), ("TZ", "")]).tz, Some(Vec::new()));
        assert_eq!(of(&[("LANG", "en_US.UTF-8")]).style, Style::UnitedStates);
        assert_eq!(of(&[("LANG", "en_US.UTF-8"), ("LC_ALL", "C")]).style, Style::C);
        assert_eq!(of(&[("LC_ALL", ""), ("LC_TIME", "en_US")]).style, Style::UnitedStates);
        assert_eq!(of(&[]).tz, None);
    }
}
