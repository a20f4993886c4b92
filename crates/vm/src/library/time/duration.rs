//! Durations, `1h30m` or of ISO 8601, as seconds and back, and added to times in a zone.

use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::library::Failure;
use crate::library::Kept;
use jiff::tz::TimeZone;
use jiff::{Span, SpanRelativeTo, Timestamp};
use riverhawk_awkio::fault::Fallible;
use riverhawk_builtins::names::unknown_name;
use riverhawk_builtins::time::zone::Zone;
use riverhawk_value::{HeapStr, Value};
use std::fmt::Write;

/// A double holds present times in microseconds.
const MICRO: f64 = 1e6;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Short,
    Iso,
    Clock,
}

impl Globals {
    /// A day is 24 hours; a month is no number of seconds.
    pub(in crate::library) fn time_seconds(
        &mut self,
        current: &mut CurrentRecord,
        duration: &Value,
    ) -> Value {
        let text = current.text_of(duration);
        self.time_or_failure(current, seconds(&text))
    }

    pub(in crate::library) fn time_duration(
        &mut self,
        current: &mut CurrentRecord,
        old: Option<HeapStr>,
        seconds: &Value,
        style: Option<&Value>,
    ) -> Fallible<Value> {
        let style = match style {
            None => Style::Short,
            Some(name) => match &*current.text_of(name) {
                b"short" => Style::Short,
                b"iso" => Style::Iso,
                b"clock" => Style::Clock,
                other => {
                    let known = ["short", "iso", "clock"];
                    return Err(unknown_name(
                        "time::duration",
                        "style",
                        other,
                        &known,
                        std::iter::empty(),
                    ));
                }
            },
        };
        let written = written(current.number(seconds), style);
        Ok(self.text_or_failure(
            current,
            written.map(|text| Value::from_text_in(old, text.as_bytes())),
        ))
    }

    pub(super) fn time_or_failure(
        &mut self,
        current: &mut CurrentRecord,
        time: Result<f64, Failure>,
    ) -> Value {
        self.text_or_failure(current, time.map(Value::Num))
    }
}

impl Kept {
    /// Days and longer units are those of the zone's calendar.
    pub(in crate::library) fn time_add(
        &mut self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        time: &Value,
        duration: &Value,
        zone: Option<&Value>,
    ) -> Fallible<Value> {
        let (time, text) = (current.number(time), current.text_of(duration));
        let (zone, _) = self.zone_of(current, globals, "time::add", zone)?;
        let added = sum(time, &text, zone);
        Ok(globals.time_or_failure(current, added))
    }
}

fn span(text: &[u8]) -> Result<Span, Failure> {
    let shown = || String::from_utf8_lossy(text).into_owned();
    let trimmed = text.trim_ascii();
    let alone = !trimmed.is_empty()
        && trimmed.iter().all(|byte| byte.is_ascii_digit() || b"+-.".contains(byte));
    let parsed = match (std::str::from_utf8(trimmed), alone) {
        (Ok(text), true) => format!("{text}s").parse::<Span>().ok(),
        (Ok(text), false) => text.parse::<Span>().ok(),
        (Err(_), _) => None,
    };
    parsed.ok_or_else(|| {
        Failure::new(format!("\"{}\" is no duration, as \"1h30m\" and \"PT1H30M\" are", shown()))
    })
}

fn seconds(text: &[u8]) -> Result<f64, Failure> {
    let span = span(text)?;
    if span.get_years() != 0 || span.get_months() != 0 {
        let text = String::from_utf8_lossy(text);
        let why = format!(
            "\"{text}\" is not a fixed number of seconds: months vary in length; time::add uses the calendar"
        );
        return Err(Failure::new(why));
    }
    let length = span.to_duration(SpanRelativeTo::days_are_24_hours()).map_err(Failure::new)?;
    Ok(length.as_secs() as f64 + f64::from(length.subsec_nanos()) / 1e9)
}

fn sum(time: f64, duration: &[u8], zone: &Zone) -> Result<f64, Failure> {
    let span = span(duration)?;
    let zone = match zone {
        Zone::Universal(_) => TimeZone::UTC,
        Zone::Ruled(zone) => zone.clone(),
    };
    let out_of_range = |_| Failure::new("the time is beyond the years -9999 to 9999");
    if time.is_nan() {
        return Err(Failure::new("the time is not a number"));
    }
    let start = Timestamp::from_microsecond((time * MICRO).round() as i64).map_err(out_of_range)?;
    let end = start.to_zoned(zone).checked_add(span).map_err(out_of_range)?;
    Ok(end.timestamp().as_microsecond() as f64 / MICRO)
}

fn written(seconds: f64, style: Style) -> Result<String, Failure> {
    let micro = (seconds * MICRO).round();
    // Beyond this not even seconds are exact.
    if micro.is_nan() || micro.abs() >= i64::MAX as f64 {
        return Err(Failure::new("not a number of seconds that a duration can express"));
    }
    let (negative, micro) = (micro < 0.0, micro.abs() as u64);
    let (whole, fraction) = (micro / 1_000_000, micro % 1_000_000);
    let mut second = format!("{:02}", whole % 60);
    if fraction != 0 {
        _ = write!(second, ".{fraction:06}");
        second.truncate(second.trim_end_matches('0').len());
    }
    let mut text = String::from(if negative { "-" } else { "" });
    if style == Style::Clock {
        _ = write!(text, "{:02}:{:02}:{second}", whole / 3600, whole / 60 % 60);
        return Ok(text);
    }
    let second = second.strip_prefix('0').unwrap_or(&second);
    let shown_second = if second == "0" && whole >= 60 { "" } else { second };
    let (days, hours, minutes) = (whole / 86_400, whole / 3600 % 24, whole / 60 % 60);
    let units = if style == Style::Iso { ["D", "H", "M", "S"] } else { ["d", "h", "m", "s"] };
    if style == Style::Iso {
        text.push('P');
    }
    if days > 0 {
        _ = write!(text, "{days}{}", units[0]);
    }
    if style == Style::Iso && (hours > 0 || minutes > 0 || !shown_second.is_empty()) {
        text.push('T');
    }
    for (count, unit) in [(hours, units[1]), (minutes, units[2])] {
        if count > 0 {
            _ = write!(text, "{count}{unit}");
        }
    }
    if !shown_second.is_empty() {
        text += shown_second;
        text += units[3];
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_builtins::time::zone::ZoneFiles;

    #[test]
    fn durations_are_read_in_both_forms() {
        for (text, expected) in [
            ("1h30m", 5400.0),
            ("PT1H30M", 5400.0),
            ("2 days, 3 hours", 183_600.0),
            ("1w", 604_800.0),
            ("90", 90.0),
            (" -1.5 ", -1.5),
            ("1.25s", 1.25),
            ("-1h30m", -5400.0),
            ("10 minutes ago", -600.0),
            ("250ms", 0.25),
            ("01:30:00", 5400.0),
        ] {
            assert_eq!(seconds(text.as_bytes()).ok(), Some(expected), "{text}");
        }
        for text in ["", "x", "1 fortnight", "P1M", "1 year", "-", "\u{e9}"] {
            assert!(seconds(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_are_written_in_three_forms() {
        for (seconds, short, iso, clock) in [
            (0.0, "0s", "PT0S", "00:00:00"),
            (5400.0, "1h30m", "PT1H30M", "01:30:00"),
            (93_784.5, "1d2h3m4.5s", "P1DT2H3M4.5S", "26:03:04.5"),
            (86_400.0, "1d", "P1D", "24:00:00"),
            (60.0, "1m", "PT1M", "00:01:00"),
            (-61.25, "-1m1.25s", "-PT1M1.25S", "-00:01:01.25"),
            (86_400.000001, "1d0.000001s", "P1DT0.000001S", "24:00:00.000001"),
        ] {
            let all = [Style::Short, Style::Iso, Style::Clock]
                .map(|style| written(seconds, style).expect("a duration"));
            assert_eq!(all, [short, iso, clock], "{seconds}");
            for text in [short, iso] {
                assert_eq!(super::seconds(text.as_bytes()).ok(), Some(seconds), "{text}");
            }
        }
        assert!(written(f64::NAN, Style::Short).is_err() && written(1e18, Style::Short).is_err());
    }

    #[test]
    fn days_are_those_of_the_zone_and_hours_are_hours() {
        let zone = Zone::of(Some(b"EST5EDT,M3.2.0,M11.1.0"), ZoneFiles::Any);
        // 2009-03-07 12:00 in New York. Clocks are put forward in the following night.
        let noon = 1_236_445_200.0;
        for (duration, expected) in
            [("1d", noon + 82_800.0), ("24h", noon + 86_400.0), ("-1d", noon - 86_400.0)]
        {
            assert_eq!(sum(noon, duration.as_bytes(), &zone).ok(), Some(expected), "{duration}");
        }
        let utc = Zone::of(Some(b""), ZoneFiles::Any);
        assert_eq!(sum(1_233_360_000.0, b"1 month", &utc).ok(), Some(1_235_779_200.0));
        assert_eq!(sum(0.25, b"P1Y", &utc).ok(), Some(31_536_000.25));
        assert!(sum(0.0, b"9999 years", &utc).is_err() && sum(f64::INFINITY, b"1s", &utc).is_err());
    }
}
