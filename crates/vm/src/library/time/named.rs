//! Zones named in calls: by a name of the system's tables, by an offset, or as in TZ.

use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::library::Kept;
use jiff::tz::TimeZone;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_builtins::names::unknown_name;
use riverhawk_builtins::time::calendar::DAY;
use riverhawk_builtins::time::zone::{KnownRules, Zone};
use riverhawk_value::Value;

#[derive(Default)]
pub(super) struct NamedZones {
    zones: Vec<(Vec<u8>, Zone, KnownRules)>,
    recent: usize,
}

const MAX_ZONES: usize = 64;

impl NamedZones {
    pub fn get(&mut self, name: &[u8]) -> Option<(&Zone, &mut KnownRules)> {
        let is_it = |(known, ..): &(Vec<u8>, Zone, KnownRules)| known == name;
        if !self.zones.get(self.recent).is_some_and(is_it) {
            self.recent = match self.zones.iter().position(is_it) {
                Some(found) => found,
                None => {
                    let zone = zone_named(name)?;
                    if self.zones.len() >= MAX_ZONES {
                        self.zones.clear();
                    }
                    self.zones.push((name.to_vec(), zone, KnownRules::default()));
                    self.zones.len() - 1
                }
            };
        }
        let (_, zone, rules) = &mut self.zones[self.recent];
        Some((zone, rules))
    }
}

/// Unlike TZ, the name is not a path.
pub(super) fn zone_named(name: &[u8]) -> Option<Zone> {
    let name = std::str::from_utf8(name).ok().filter(|name| !name.is_empty())?;
    if ["UTC", "GMT", "UT", "Z"].iter().any(|universal| universal.eq_ignore_ascii_case(name)) {
        return Some(Zone::Universal("UTC".into()));
    }
    if let Some(seconds) = offset(name.as_bytes()) {
        let offset = jiff::tz::Offset::from_seconds(i32::try_from(seconds).ok()?).ok()?;
        return Some(Zone::Ruled(TimeZone::fixed(offset)));
    }
    TimeZone::get(name).or_else(|_| TimeZone::posix(name)).ok().map(Zone::Ruled)
}

fn offset(text: &[u8]) -> Option<i64> {
    let sign = match text.first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits: Vec<i64> = match text[1..] {
        [a, b] => vec![a, b, b'0', b'0'],
        [a, b, b':', c, d] | [a, b, c, d] => vec![a, b, c, d],
        _ => return None,
    }
    .into_iter()
    .map(|digit| digit.is_ascii_digit().then(|| i64::from(digit - b'0')))
    .collect::<Option<_>>()?;
    let seconds = (digits[0] * 10 + digits[1]) * 3600 + (digits[2] * 10 + digits[3]) * 60;
    (digits[2] < 6 && seconds <= DAY).then_some(sign * seconds)
}

impl Kept {
    pub(super) fn zone_of(
        &mut self,
        current: &CurrentRecord,
        globals: &Globals,
        function: &str,
        name: Option<&Value>,
    ) -> Fallible<(&Zone, &mut KnownRules)> {
        let name = name.map(|name| current.text_of(name)).filter(|name| !name.is_empty());
        let Some(name) = name else { return Ok(self.zone(current, globals)) };
        match self.clock.named.get(&name) {
            Some(found) => Ok(found),
            None => Err(no_zone(function, &name)),
        }
    }
}

#[cold]
fn no_zone(function: &str, name: &[u8]) -> Fault {
    let known: Vec<String> = jiff::tz::db().available().map(|name| name.to_string()).collect();
    if known.is_empty() {
        let name = String::from_utf8_lossy(name);
        return Fault::new(format!(
            "{function}: there is no time zone \"{name}\": this system has no tables of zones; \"+01:00\" needs none"
        ));
    }
    let examples = ["UTC", "+01:00", "Europe/Berlin"];
    unknown_name(function, "time zone", name, &examples, known.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_goes_by_its_name_an_offset_or_rules() {
        let mut zones = NamedZones::default();
        let mut offset =
            |name: &str| zones.get(name.as_bytes()).map(|(zone, rules)| rules.rule(zone, 0).offset);
        for (name, expected) in [
            ("UTC", 0),
            ("utc", 0),
            ("Z", 0),
            ("+01:00", 3600),
            ("-0730", -27_000),
            ("+05", 18_000),
            ("EST5EDT,M3.2.0,M11.1.0", -18_000),
        ] {
            assert_eq!(offset(name), Some(expected), "{name}");
        }
        for name in
            ["", "+1", "+0160", "+2500", "+ab", "/etc/localtime", "../UTC", "Europe/Nowhere"]
        {
            assert_eq!(offset(name), None, "{name}");
        }
    }

    #[test]
    fn the_name_that_was_probably_meant_is_told() {
        let message = no_zone("f", b"UTX").message();
        assert!(
            message.contains("\"UTX\"")
                && (message.contains("did you mean") || message.contains("no tables"))
        );
    }
}
