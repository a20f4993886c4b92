//! `time::parse`: reads a time, by a format or by one of the known forms.

use super::KnownRules;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::library::Failure;
use crate::library::Kept;
use jiff::fmt::temporal::Pieces;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_builtins::time::calendar::{DAY, Moment, days_of, moment};
use riverhawk_builtins::time::format::Style;
use riverhawk_builtins::time::parse::{Misfit, Parts, Rules, ZoneText, parse};
use riverhawk_builtins::time::zone::Zone;
use riverhawk_value::Value;

const STAMPS: &[&[u8]] = &[
    b"%d/%b/%Y:%H:%M:%S%.N %z",
    b"%a %b %e %H:%M:%S%.N %Y",
    b"%Y/%m/%d %H:%M:%S%.N",
    b"%b %e %H:%M:%S%.N",
    b"%b %e %Y %H:%M:%S%.N",
    b"%a, %d %b %Y %H:%M:%S %z",
    b"%a, %d %b %Y %H:%M:%S %Z",
    b"%d %b %Y %H:%M:%S %z",
    b"%d %b %Y %H:%M:%S %Z",
    b"%a, %d-%b-%y %H:%M:%S %Z",
    b"%a %b %e %H:%M:%S %Z %Y",
    b"%a %d %b %Y %I:%M:%S %p %Z",
    b"%a %b %e %H:%M:%S %Y %z",
    b"%Y-%m-%d %H:%M:%S%.N %z",
    b"%Y-%m-%d %H:%M:%S%.N %Z",
    b"%G-W%V-%u",
    b"%G-W%V-%uT%H:%M:%S%.N%z",
    b"%Y-%j",
    b"@%s%.N",
];

/// syslog writes no year. A time further in the future than this is taken for the previous year.
const AHEAD: i64 = DAY;

/// Hours behind universal time, for the abbreviations in mail.
const ABBREVIATIONS: [(&str, i64); 8] = [
    ("EST", 5),
    ("EDT", 4),
    ("CST", 6),
    ("CDT", 5),
    ("MST", 7),
    ("MDT", 6),
    ("PST", 8),
    ("PDT", 7),
];

impl Kept {
    pub(in crate::library) fn time_parse(
        &mut self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        arguments: &[Value],
    ) -> Fallible<Value> {
        let [text, rest @ ..] = arguments else { unreachable!("an argument") };
        let text = current.text_of(text);
        let format =
            rest.first().map(|format| current.text_of(format)).filter(|format| !format.is_empty());
        let (style, now) = (self.clock.surroundings.style, self.clock.seconds());
        let (zone, rules) = self.zone_of(current, globals, "time::parse", rest.get(1))?;
        let mut place = Place { zone, rules, now };
        let time = match &format {
            Some(format) => place.by_format(&text, format, style)?,
            None => place.by_shape(&text),
        };
        Ok(globals.time_or_failure(current, time))
    }
}

struct Place<'z> {
    zone: &'z Zone,
    rules: &'z mut KnownRules,
    now: i64,
}

impl Place<'_> {
    fn by_format(
        &mut self,
        text: &[u8],
        format: &[u8],
        style: Style,
    ) -> Fallible<Result<f64, Failure>> {
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let why = match parse(format, text, Rules::Strict, style) {
            Ok(parts) => {
                return Ok(self
                    .time_of(&parts)
                    .map_err(|why| Failure::new(format!("\"{}\": {why}", shown(text)))));
            }
            Err(Misfit::NoConversion(start, end)) => {
                let conversion = shown(&format[start..end]);
                let help = if conversion == "%f" { "; %N is the fraction of a second" } else { "" };
                return Err(Fault::new(format!(
                    "time::parse: there is no conversion \"{conversion}\"{help}"
                )));
            }
            Err(Misfit::Unlike(start, end, at)) => {
                let character = shown(&text[..at]).chars().count() + 1;
                format!("\"{}\" does not fit its character {character}", shown(&format[start..end]))
            }
            Err(Misfit::More(at)) => format!("the format ends before \"{}\"", shown(&text[at..])),
        };
        Ok(Err(Failure::new(format!("\"{}\" is not of \"{}\": {why}", shown(text), shown(format)))))
    }

    fn by_shape(&mut self, text: &[u8]) -> Result<f64, Failure> {
        let trimmed = text.trim_ascii();
        let stamp =
            trimmed.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]")).unwrap_or(trimmed);
        if let Some(time) = self.by_iso(stamp) {
            return time;
        }
        let found = STAMPS.iter().find_map(|format| {
            let parts = parse(format, stamp, Rules::Strict, Style::C).ok()?;
            let is_day_of_year = format.ends_with(b"%j");
            (!is_day_of_year || stamp.len() == "2009-044".len()).then_some(parts)
        });
        let text = String::from_utf8_lossy(text);
        match found {
            Some(parts) => {
                self.time_of(&parts).map_err(|why| Failure::new(format!("\"{text}\": {why}")))
            }
            None => {
                Err(Failure::new(format!("\"{text}\" is not in a known format: give its format")))
            }
        }
    }

    fn by_iso(&mut self, text: &[u8]) -> Option<Result<f64, Failure>> {
        let pieces = Pieces::parse(text).ok()?;
        let (date, time) = (pieces.date(), pieces.time().unwrap_or_default());
        let days = days_of(date.year().into(), date.month().into(), date.day().into());
        let [hour, minute, second] = [time.hour(), time.minute(), time.second()].map(i64::from);
        let local = days * DAY + hour * 3600 + minute * 60 + second;
        let seconds = match (pieces.to_numeric_offset(), pieces.to_time_zone()) {
            (Some(offset), _) => local - i64::from(offset.seconds()),
            (None, Ok(Some(zone))) => Zone::Ruled(zone).when(local, None),
            (None, Ok(None)) => self.zone.when(local, None),
            (None, Err(error)) => return Some(Err(Failure::new(error))),
        };
        Some(Ok(seconds as f64 + f64::from(time.subsec_nanosecond()) / 1e9))
    }

    /// Missing parts larger than those read are today's; smaller ones are the first.
    fn time_of(&mut self, parts: &Parts) -> Result<f64, String> {
        let fraction = f64::from(parts.nanoseconds.unwrap_or(0)) / 1e9;
        if let Some(epoch) = parts.epoch {
            let is_negative = epoch < 0;
            return Ok(epoch as f64 + if is_negative { -fraction } else { fraction });
        }
        let offset = self.rules.rule(self.zone, self.now).offset;
        let today = moment(self.now + offset);
        let days = days_of_parts(parts, &today)?;
        let hour = parts.hour.unwrap_or(0) + if parts.half_day && parts.afternoon { 12 } else { 0 };
        let time = hour * 3600 + parts.minute.unwrap_or(0) * 60 + parts.second.unwrap_or(0);
        let seconds = self.seconds_at(days * DAY + time, parts.zone.as_ref())?;
        let lacks_its_year =
            parts.year.is_none() && parts.century.is_none() && parts.iso_year.is_none();
        if lacks_its_year
            && parts.month.is_some()
            && parts.day.is_some()
            && seconds > self.now + AHEAD
        {
            let before = Parts { year: Some(today.year - 1), ..parts.clone() };
            let days = days_of_parts(&before, &today)?;
            return Ok(self.seconds_at(days * DAY + time, parts.zone.as_ref())? as f64 + fraction);
        }
        Ok(seconds as f64 + fraction)
    }

    fn seconds_at(&self, local: i64, zone: Option<&ZoneText>) -> Result<i64, String> {
        let name = match zone {
            None => return Ok(self.zone.when(local, None)),
            Some(ZoneText::Offset(offset)) => return Ok(local - offset),
            Some(ZoneText::Name(name)) => name,
        };
        // When clocks are put back, an abbreviation distinguishes the two times.
        for summer in [Some(false), Some(true)] {
            let seconds = self.zone.when(local, summer);
            let rule = self.zone.rule(seconds);
            if rule.name.as_bytes() == name && Some(rule.summer) == summer {
                return Ok(seconds);
            }
        }
        if let Some((_, hours)) = ABBREVIATIONS.iter().find(|(known, _)| known.as_bytes() == name) {
            return Ok(local + hours * 3600);
        }
        match super::named::zone_named(name) {
            Some(zone) => Ok(zone.when(local, None)),
            None => Err(format!("there is no time zone \"{}\"", String::from_utf8_lossy(name))),
        }
    }
}

fn days_of_parts(parts: &Parts, today: &Moment) -> Result<i64, String> {
    let weekday = parts.weekday;
    if let Some(week) = parts.iso_week {
        let year = parts.iso_year.or(parts.year).unwrap_or_else(|| today.iso_week().0);
        let fourth = days_of(year, 1, 4);
        let monday = fourth - (moment(fourth * DAY).weekday + 6) % 7;
        let days = monday + (week - 1) * 7 + (weekday.unwrap_or(1) + 6) % 7;
        let is_of_year = moment((monday + (week - 1) * 7) * DAY).iso_week() == (year, week);
        return if is_of_year { Ok(days) } else { Err(format!("{year} has no week {week}")) };
    }
    let year = match (parts.century, parts.year) {
        (Some(century), Some(year)) if parts.short_year => century * 100 + year.rem_euclid(100),
        (_, Some(year)) => year,
        (Some(century), None) => century * 100,
        (None, None) => today.year,
    };
    let first = days_of(year, 1, 1);
    let days = match (parts.month, parts.day) {
        (None, None) if parts.year_day.is_some() => first + parts.year_day.unwrap_or(0),
        (None, None) if parts.week.is_some() => {
            let (week, first_day) = parts.week.unwrap_or_default();
            let into_week = (weekday.unwrap_or(first_day) - first_day).rem_euclid(7);
            let start = (7 - (moment(first * DAY).weekday - first_day)) % 7;
            return Ok(first + start + (week - 1) * 7 + into_week);
        }
        (None, None) if parts.year.is_none() && parts.century.is_none() => {
            days_of(today.year, today.month, today.day)
        }
        (month, day) => {
            let lacks_year = parts.year.is_none() && parts.century.is_none();
            let month = month.unwrap_or(if lacks_year { today.month } else { 1 });
            days_of(year, month, day.unwrap_or(1))
        }
    };
    let found = moment(days * DAY);
    let is_as_read = |part: Option<i64>, found: i64| part.is_none_or(|part| part == found);
    if found.year != year
        || !is_as_read(parts.month, found.month)
        || !is_as_read(parts.day, found.day)
    {
        return Err("there is no such day".to_owned());
    }
    let is_dated = parts.day.is_some() || parts.year_day.is_some();
    match is_dated && !is_as_read(weekday, found.weekday) {
        true => Err(format!(
            "that day is a {}",
            riverhawk_builtins::time::format::DAYS[found.weekday as usize]
        )),
        false => Ok(days),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_builtins::time::zone::ZoneFiles;

    /// 2009-02-13 23:31:30 UTC, a Friday.
    const NOW: i64 = 1_234_567_890;

    fn read(text: &str, format: Option<&str>, tz: &str) -> Result<f64, String> {
        let (zone, mut rules) =
            (Zone::of(Some(tz.as_bytes()), ZoneFiles::Any), KnownRules::default());
        let mut place = Place { zone: &zone, rules: &mut rules, now: NOW };
        let time = match format {
            Some(format) => place
                .by_format(text.as_bytes(), format.as_bytes(), Style::C)
                .map_err(|fault| fault.message())?,
            None => place.by_shape(text.as_bytes()),
        };
        time.map_err(|failure| failure.reason)
    }

    #[test]
    fn stamps_are_known_by_their_shape() {
        let now = NOW as f64;
        for (text, expected) in [
            ("2009-02-13T23:31:30Z", now),
            ("2009-02-13 23:31:30.25Z", now + 0.25),
            ("2009-02-13T18:31:30,5-05:00", now + 0.5),
            ("20090213T233130Z", now),
            ("2009-02-13T23:31:30", now),
            ("2009-02-13", now - 84_690.0),
            ("2009-W07-5", now - 84_690.0),
            ("2009-W07-5T23:31:30Z", now),
            ("2009-044", now - 84_690.0),
            ("2009-02-14 00:31:30 +0100", now),
            ("2009-02-13 23:31:30 UTC", now),
            ("[13/Feb/2009:16:31:30 -0700]", now),
            (" 13/Feb/2009:23:31:30 +0000 ", now),
            ("[Fri Feb 13 23:31:30.123456 2009]", now + 0.123456),
            ("2009/02/13 23:31:30", now),
            ("Feb 13 23:31:30", now),
            ("Feb  3 23:31:30", now - 864_000.0),
            ("Feb 13 2009 23:31:30", now),
            ("Fri, 13 Feb 2009 23:31:30 +0000", now),
            ("Fri, 13 Feb 2009 18:31:30 EST", now),
            ("Fri, 13 Feb 2009 23:31:30 GMT", now),
            ("Friday, 13-Feb-09 23:31:30 GMT", now),
            ("Fri Feb 13 23:31:30 UTC 2009", now),
            ("Fri 13 Feb 2009 11:31:30 PM UTC", now),
            ("@1234567890.5", now + 0.5),
            ("@-1.25", -1.25),
        ] {
            assert_eq!(read(text, None, "UTC0"), Ok(expected), "{text}");
        }
        for text in [
            "",
            "13/02/2009",
            "2009-13-01",
            "2009-02-30",
            "1234567890",
            "yesterday",
            "2009-02-13T25:00",
            "2009-4",
        ] {
            assert!(read(text, None, "UTC0").is_err(), "{text}");
        }
    }

    #[test]
    fn a_stamp_without_a_year_is_of_the_last_twelve_months() {
        let year = 365.0 * DAY as f64;
        assert_eq!(read("Feb 14 23:31:30", None, "UTC0"), Ok((NOW + DAY) as f64));
        assert_eq!(
            read("Feb 14 23:31:31", None, "UTC0"),
            Ok((NOW + DAY + 1) as f64 - year - DAY as f64)
        );
        assert_eq!(read("Dec 31 00:00:00", None, "UTC0"), Ok(1_230_681_600.0));
    }

    #[test]
    fn what_a_format_lacks_is_of_today_or_the_first() {
        for (text, format, expected) in [
            ("10:20", "%H:%M", "2009-02-13T10:20:00Z"),
            ("2009", "%Y", "2009-01-01T00:00:00Z"),
            ("03", "%d", "2009-02-03T00:00:00Z"),
            ("2008 March", "%Y %B", "2008-03-01T00:00:00Z"),
            ("08 366", "%y %j", "2008-12-31T00:00:00Z"),
            ("2009 10 1", "%Y %U %w", "2009-03-09T00:00:00Z"),
            ("2009 10", "%Y %W", "2009-03-09T00:00:00Z"),
            ("2009-W53-7", "%G-W%V-%u", "2010-01-03T00:00:00Z"),
            ("12 AM", "%I %p", "2009-02-13T00:00:00Z"),
            ("12 pm", "%I %p", "2009-02-13T12:00:00Z"),
            ("1.5", "%s.%N", "1970-01-01T00:00:01.5Z"),
            ("23:59:60", "%T", "2009-02-14T00:00:00Z"),
            ("5.250000001s", "%S.%Ns", "2009-02-13T00:00:05.250000001Z"),
            ("7", "%S%.N", "2009-02-13T00:00:07Z"),
        ] {
            assert_eq!(read(text, Some(format), "UTC0"), read(expected, None, "UTC0"), "{text}");
        }
    }

    #[test]
    fn a_text_that_does_not_fit_is_told_with_the_place() {
        for (text, format, expected) in [
            (
                "2009-13-01",
                "%Y-%m-%d",
                "\"2009-13-01\" is not of \"%Y-%m-%d\": \"%m\" does not fit its character 8",
            ),
            ("2009-01-01x", "%F", "\"2009-01-01x\" is not of \"%F\": the format ends before \"x\""),
            ("2009-02-30", "%F", "\"2009-02-30\": there is no such day"),
            ("2009 366", "%Y %j", "\"2009 366\": there is no such day"),
            ("2008-W53", "%G-W%V", "\"2008-W53\": 2008 has no week 53"),
            ("Mon 2009-02-13", "%a %F", "\"Mon 2009-02-13\": that day is a Friday"),
            ("1:00 XQZ", "%H:%M %Z", "\"1:00 XQZ\": there is no time zone \"XQZ\""),
            (
                "5",
                "%f",
                "time::parse: there is no conversion \"%f\"; %N is the fraction of a second",
            ),
        ] {
            assert_eq!(read(text, Some(format), "UTC0"), Err(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn zones_are_those_of_the_text_before_that_of_the_place() {
        let new_york = "EST5EDT,M3.2.0,M11.1.0";
        for (text, expected) in [
            ("2009-11-01 01:30:00", 1_257_053_400.0),
            ("2009-11-01 01:30:00 EST", 1_257_057_000.0),
            ("2009-11-01 01:30:00 EDT", 1_257_053_400.0),
            ("2009-11-01 01:30:00 PST", 1_257_067_800.0),
            ("2009-11-01 01:30:00 UTC", 1_257_039_000.0),
            ("2009-11-01 01:30:00 +01:00", 1_257_035_400.0),
            ("2009-11-01T01:30:00-06", 1_257_060_600.0),
        ] {
            assert_eq!(read(text, None, new_york), Ok(expected), "{text}");
        }
    }
}
