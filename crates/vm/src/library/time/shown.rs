//! `time::format` and `time::make`.

use super::{numbers, seconds_of_numbers};
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::library::Failure;
use crate::library::Kept;
use riverhawk_awkio::fault::Fallible;
use riverhawk_builtins::time::calendar::moment;
use riverhawk_builtins::time::format::{self, Subject};
use riverhawk_value::{HeapStr, Value};
use std::borrow::Cow;
use std::io::Write;

const FARTHEST: f64 = 68e15;

impl Kept {
    pub(in crate::library) fn time_now(&self) -> Value {
        Value::Num(self.clock.since_epoch().as_micros() as f64 / 1e6)
    }

    /// Without a format, ISO 8601.
    pub(in crate::library) fn time_format(
        &mut self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        old: Option<HeapStr>,
        arguments: &[Value],
    ) -> Fallible<Value> {
        let [time, rest @ ..] = arguments else { unreachable!("an argument") };
        let format =
            rest.first().map(|format| current.text_of(format)).filter(|format| !format.is_empty());
        let is_none = matches!(time, Value::Unassigned);
        let time = current.number(time);
        let style = self.clock.surroundings.style;
        let (zone, rules) = self.zone_of(current, globals, "time::format", rest.get(1))?;
        if is_none {
            return Ok(Value::Unassigned);
        }
        if time.is_nan() || time.abs() > FARTHEST {
            let failure = Failure::new("the time is outside the supported years");
            return Ok(globals.text_or_failure(current, Err(failure)));
        }
        let (seconds, micro) = split(time);
        let rule = rules.rule(zone, seconds);
        let subject = Subject {
            moment: moment(seconds + rule.offset),
            offset: rule.offset,
            zone: &rule.name,
            seconds,
            style,
        };
        let mut text = Vec::new();
        match format {
            Some(format) => {
                format::write(&with_fractions(&format, micro, rule.offset), &subject, &mut text)
            }
            None => iso(&subject, micro, &mut text),
        }
        Ok(Value::from_text_in(old, &text))
    }

    pub(in crate::library) fn time_make(
        &mut self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        date: &Value,
        zone: Option<&Value>,
    ) -> Fallible<Value> {
        let text = current.text_of(date);
        let (zone, _) = self.zone_of(current, globals, "time::make", zone)?;
        let time = seconds_of_numbers(&numbers(&text), Some(zone)).map(|seconds| seconds as f64);
        let shown = || String::from_utf8_lossy(&text).into_owned();
        let time = time.ok_or_else(|| {
            Failure::new(format!("\"{}\" is no date as \"YYYY MM DD HH MM SS\"", shown()))
        });
        Ok(globals.time_or_failure(current, time))
    }
}

/// Whole seconds, and microseconds: a double has no more digits for present times.
fn split(time: f64) -> (i64, u32) {
    let whole = time.floor();
    let micro = ((time - whole) * 1e6).round() as u32;
    if micro == 1_000_000 { (whole as i64 + 1, 0) } else { (whole as i64, micro) }
}

fn point(micro: u32) -> String {
    match micro {
        0 => String::new(),
        _ => format!(".{micro:06}").trim_end_matches('0').to_owned(),
    }
}

fn iso(subject: &Subject<'_>, micro: u32, out: &mut Vec<u8>) {
    let moment = &subject.moment;
    let (year, month, day) = (moment.year, moment.month, moment.day);
    let time =
        format!("T{:02}:{:02}:{:02}{}", moment.hour, moment.minute, moment.second, point(micro));
    _ = match (0..=9999).contains(&year) {
        true => write!(out, "{year:04}-{month:02}-{day:02}{time}"),
        false => write!(out, "{year:+07}-{month:02}-{day:02}{time}"),
    };
    match subject.offset == 0 && matches!(subject.zone, "UTC" | "GMT") {
        true => out.push(b'Z'),
        false => _ = write!(out, "{}", colon_offset(subject.offset)),
    }
}

fn colon_offset(offset: i64) -> String {
    let minutes = offset.abs() / 60;
    format!("{}{:02}:{:02}", if offset < 0 { '-' } else { '+' }, minutes / 60, minutes % 60)
}

/// Replaces conversions that `strftime` lacks: `%N`, `%3N`, `%.N`, `%.3N` and `%:z`.
fn with_fractions(format: &[u8], micro: u32, offset: i64) -> Cow<'_, [u8]> {
    if !format
        .windows(2)
        .any(|pair| matches!(pair, [b'0'..=b'9' | b'%' | b'.', b'N'] | [b':', b'z']))
    {
        return Cow::Borrowed(format);
    }
    let mut out = Vec::with_capacity(format.len() + 8);
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        let (written, length) = match byte {
            b'%' => fraction_or_zone(&format[at..], micro, offset).unwrap_or((None, 2)),
            _ => (None, 1),
        };
        let end = (at + length).min(format.len());
        match written {
            Some(text) => out.extend_from_slice(text.as_bytes()),
            None => out.extend_from_slice(&format[at..end]),
        }
        at = end;
    }
    Cow::Owned(out)
}

fn fraction_or_zone(conversion: &[u8], micro: u32, offset: i64) -> Option<(Option<String>, usize)> {
    if conversion.starts_with(b"%:z") {
        return Some((Some(colon_offset(offset)), 3));
    }
    let pointed = usize::from(conversion.get(1) == Some(&b'.'));
    let (digits, length) = match &conversion[1 + pointed..] {
        [b'N', ..] => (None, 2),
        [digit @ b'1'..=b'9', b'N', ..] => (Some(usize::from(digit - b'0')), 3),
        _ => return None,
    };
    let all = format!("{micro:06}000");
    let text = match (digits, pointed == 1) {
        (None, true) => point(micro),
        (digits, true) => format!(".{}", &all[..digits.unwrap_or(9)]),
        (digits, false) => all[..digits.unwrap_or(9)].to_owned(),
    };
    Some((Some(text), length + pointed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_the_decimals_that_were_meant() {
        for (time, expected) in [
            (1_234_567_890.123, (1_234_567_890, 123_000)),
            (-0.25, (-1, 750_000)),
            (1.999_999_9, (2, 0)),
            (1_700_000_000.000_001, (1_700_000_000, 1)),
        ] {
            assert_eq!(split(time), expected);
        }
    }

    #[test]
    fn conversions_of_fractions_are_written_out_and_others_left() {
        for (format, expected) in [
            ("%S.%3N", "%S.123"),
            ("%S%.N %.6N", "%S.1234 .123400"),
            ("%N", "123400000"),
            ("%%N %%:z", "%%N %%:z"),
            ("%F %:z", "%F -05:30"),
            ("%", "%"),
            ("%N%", "123400000%"),
            ("%12N", "%12N"),
        ] {
            assert_eq!(
                &*with_fractions(format.as_bytes(), 123_400, -19_800),
                expected.as_bytes(),
                "{format}"
            );
        }
        assert_eq!(&*with_fractions(b"%S%.N%.3N", 0, 0), b"%S.000");
    }
}
