//! `systime`, `strftime`, `mktime`, `strptime` of the extension `time`, and the namespace `time::`.

mod functions;

mod duration;
mod named;
pub(super) mod shown;
mod stamp;
mod strptime;

use crate::current::CurrentRecord;
use crate::globals::Globals;
use riverhawk_builtins::time::calendar::{DAY, days_of, moment};
use riverhawk_builtins::time::format::Style;
use riverhawk_builtins::time::zone::{KnownRules, Zone, ZoneFiles};
use riverhawk_text::Unit;
use std::borrow::Cow;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DEFAULT_FORMAT: &[u8] = b"%a %b %e %H:%M:%S %Z %Y";

#[derive(Default)]
pub(crate) struct Clock {
    /// The system's time if `None`.
    fixed: Option<SystemTime>,
    surroundings: Surroundings,
    zone_files: ZoneFiles,
    recent: Option<(Option<Vec<u8>>, Zone, KnownRules)>,
    named: named::NamedZones,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Surroundings {
    tz: Option<Vec<u8>>,
    style: Style,
}

impl Surroundings {
    /// `-b` means the locale `C`, which writes bytes.
    pub(crate) fn of(environment: &[(Vec<u8>, Vec<u8>)], unit: Unit) -> Surroundings {
        let get = |wanted: &str| {
            let found = environment.iter().find(|(name, _)| name == wanted.as_bytes());
            found.map(|(_, value)| value.as_slice())
        };
        let locale = ["LC_ALL", "LC_TIME", "LANG"]
            .map(|name| get(name).unwrap_or_default())
            .into_iter()
            .find(|value| !value.is_empty())
            .unwrap_or_default();
        let is_utf_8 = match locale.iter().position(|&byte| byte == b'.') {
            Some(at) => locale[at + 1..].to_ascii_lowercase().starts_with(b"utf"),
            None => true,
        };
        let is_in_bytes = unit == Unit::Byte && is_utf_8;
        let is_american = locale.starts_with(b"en_US") && !is_in_bytes;
        let style = if is_american { Style::UnitedStates } else { Style::C };
        Surroundings { tz: get("TZ").map(<[u8]>::to_vec), style }
    }
}

impl Clock {
    pub(crate) fn zone_name(&self, current: &CurrentRecord, globals: &Globals) -> Option<Vec<u8>> {
        self.surroundings.zone_name(current, globals).map(Cow::into_owned)
    }

    pub(crate) fn new(
        surroundings: Surroundings,
        fixed: Option<SystemTime>,
        zone_files: ZoneFiles,
    ) -> Clock {
        Clock { fixed, surroundings, zone_files, ..Clock::default() }
    }

    /// Whole seconds since the epoch.
    pub(crate) fn seconds(&self) -> i64 {
        self.since_epoch().as_secs() as i64
    }

    /// Zero before the epoch, and without a clock.
    pub(super) fn since_epoch(&self) -> Duration {
        let now = || if riverhawk_system::HAS_CLOCK { SystemTime::now() } else { UNIX_EPOCH };
        let now = self.fixed.unwrap_or_else(now);
        now.duration_since(UNIX_EPOCH).unwrap_or_default()
    }
}

/// Six numbers of a date, and one for summer time. Without a zone in universal time.
fn seconds_of_numbers(numbers: &[i64], zone: Option<&Zone>) -> Option<i64> {
    let [year, month, day, hour, minute, second, ref rest @ ..] = *numbers else { return None };
    if i32::try_from(year.saturating_sub(1900)).is_err() {
        return None;
    }
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

/// At most seven integers, as C's `sscanf` reads them: after blanks, and too large ones become the
/// maximum.
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
