//! `strptime` of gawk's extension `time`: C's `strptime`, then `mktime`.

use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::library::Kept;
use riverhawk_builtins::time::calendar::{DAY, days_of, moment};
use riverhawk_builtins::time::parse::{Parts, Rules, parse};
use riverhawk_builtins::time::zone::Zone;
use riverhawk_value::Value;

impl Kept {
    /// Local time, whatever zone the text names; -1 if it does not fit. As in C, the text ends at a
    /// NUL.
    pub(in crate::library) fn strptime(
        &mut self,
        current: &CurrentRecord,
        globals: &Globals,
        text: &Value,
        format: &Value,
    ) -> Value {
        let (text, format) = (current.text_of(text), current.text_of(format));
        let [text, format] =
            [&text, &format].map(|text| text.split(|&byte| byte == 0).next().unwrap_or_default());
        let style = self.clock.surroundings.style;
        let seconds = parse(format, text, Rules::C, style)
            .map_or(-1, |parts| seconds_of(&parts, self.zone(current, globals).0));
        Value::Num(seconds as f64)
    }
}

struct Broken {
    year: i64,
    month: i64,
    day: i64,
    summer: Option<bool>,
}

/// As in C, missing parts are 0; so without a day it is the last day of the previous month.
fn seconds_of(parts: &Parts, zone: &Zone) -> i64 {
    let rule = parts.epoch.map(|epoch| zone.rule(epoch));
    let start = parts.epoch.zip(rule.as_ref()).map(|(epoch, rule)| moment(epoch + rule.offset));
    let (year, month, day) =
        start.as_ref().map_or((1900, 1, 0), |start| (start.year, start.month, start.day));
    let mut date = Broken {
        year: year_of(parts).unwrap_or(year),
        month: parts.month.unwrap_or(month),
        day: parts.day.unwrap_or(day),
        summer: rule.map(|rule| rule.summer),
    };
    date.follow_days(parts);
    let time = |part: Option<i64>, of: fn(&riverhawk_builtins::time::calendar::Moment) -> i64| {
        part.or(start.as_ref().map(of)).unwrap_or(0)
    };
    let hour = time(parts.hour, |start| start.hour)
        + if parts.half_day && parts.afternoon { 12 } else { 0 };
    let (minute, second) =
        (time(parts.minute, |start| start.minute), time(parts.second, |start| start.second));
    let days = days_of(date.year, date.month, 1) + date.day - 1;
    zone.when(days * DAY + hour * 3600 + minute * 60 + second, date.summer)
}

/// A century alone means its first year, and must have two digits.
fn year_of(parts: &Parts) -> Option<i64> {
    match (parts.century, parts.year) {
        (Some(century), Some(year)) if parts.short_year => {
            Some(century * 100 + year.rem_euclid(100))
        }
        (Some(century), _) => Some(century * 100),
        (None, year) => year,
    }
}

impl Broken {
    fn follow_days(&mut self, parts: &Parts) {
        let dated = parts.month.is_some() && parts.day.is_some();
        let by_calendar = parts.century.is_some()
            || parts.year.is_some()
            || parts.month.is_some()
            || parts.day.is_some();
        let first = days_of(self.year, 1, 1);
        let days = match (parts.year_day, parts.week, parts.weekday) {
            (Some(day), _, None) if by_calendar && !dated => first + day,
            (day, Some((week, first_day)), Some(weekday)) if !dated => {
                let into_week = (weekday - first_day).rem_euclid(7);
                first
                    + day.unwrap_or(
                        (7 - (moment(first * DAY).weekday - first_day)) % 7
                            + (week - 1) * 7
                            + into_week,
                    )
            }
            _ => return,
        };
        let found = moment(days * DAY);
        if parts.month.is_none() {
            self.month = found.month;
        }
        if parts.day.is_none() {
            self.day = found.day;
        }
    }
}
