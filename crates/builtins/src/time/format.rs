//! GNU's `strftime`, in English, with the formats of the locale `C` or `en_US`.

use crate::time::calendar::Moment;

/// Names from Sunday.
pub const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/// Names from January.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Formats that depend on the locale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Of the locale `C`.
    #[default]
    C,
    /// Of `en_US`.
    UnitedStates,
}

impl Style {
    pub(crate) fn date_and_time(self) -> &'static [u8] {
        match self {
            Style::C => b"%a %b %e %H:%M:%S %Y",
            Style::UnitedStates => b"%a %d %b %Y %r %Z",
        }
    }

    /// The format of `%x`.
    pub fn date(self) -> &'static [u8] {
        match self {
            Style::C => b"%m/%d/%y",
            Style::UnitedStates => b"%m/%d/%Y",
        }
    }

    /// The format of `%X`.
    pub fn time(self) -> &'static [u8] {
        match self {
            Style::C => b"%H:%M:%S",
            Style::UnitedStates => b"%r",
        }
    }
}

/// A time to format.
pub struct Subject<'a> {
    /// Local time.
    pub moment: Moment,
    /// Seconds ahead of UTC.
    pub offset: i64,
    /// The zone's short name.
    pub zone: &'a str,
    /// Seconds since 1970, for `%s`.
    pub seconds: i64,
    /// The locale's formats.
    pub style: Style,
}

/// A format must not require gigabytes.
const MAX_WIDTH: usize = 1 << 16;

#[derive(Clone, Copy, Default)]
struct Shape {
    /// `_`, `-` or `0`.
    pad: Option<u8>,
    width: usize,
    upper: bool,
    /// Changes the case.
    change: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Kept,
    Upper,
    Lower,
}

impl Shape {
    fn case(self) -> Case {
        if self.upper { Case::Upper } else { Case::Kept }
    }

    fn text(self, text: &[u8], case: Case, out: &mut Vec<u8>) {
        let padding = self.width.saturating_sub(text.len());
        out.resize(out.len() + padding, if self.pad == Some(b'0') { b'0' } else { b' ' });
        let start = out.len();
        out.extend_from_slice(text);
        match case {
            Case::Upper => out[start..].make_ascii_uppercase(),
            Case::Lower => out[start..].make_ascii_lowercase(),
            Case::Kept => {}
        }
    }

    /// `digits` includes the minus sign.
    fn number(self, digits: usize, number: i64, out: &mut Vec<u8>) {
        let shown = number.unsigned_abs().to_string();
        let negative = number < 0;
        let length = shown.len() + usize::from(negative);
        let padding =
            if self.pad == Some(b'-') { 0 } else { digits.max(self.width).saturating_sub(length) };
        let blank = self.pad == Some(b'_');
        if blank {
            out.resize(out.len() + padding, b' ');
        }
        if negative {
            out.push(b'-');
        }
        if !blank {
            out.resize(out.len() + padding, b'0');
        }
        out.extend_from_slice(shown.as_bytes());
    }

    /// Padded with blanks unless a flag says otherwise.
    fn blank_number(mut self, digits: usize, number: i64, out: &mut Vec<u8>) {
        if !matches!(self.pad, Some(b'0' | b'-')) {
            self.pad = Some(b'_');
        }
        self.number(digits, number, out);
    }
}

/// Appends the time in this format.
pub fn write(format: &[u8], subject: &Subject<'_>, out: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        if byte != b'%' {
            out.push(byte);
            at += 1;
        } else if format
            .get(at + 1)
            .is_some_and(|&character| plain(character, &subject.moment, out))
        {
            at += 2;
        } else {
            at += conversion(&format[at..], subject, out);
        }
    }
}

/// Fast path for common conversions without flags.
#[inline]
fn plain(character: u8, moment: &Moment, out: &mut Vec<u8>) -> bool {
    let pair = |number: i64| [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
    let two = match character {
        b'd' => moment.day,
        b'H' => moment.hour,
        b'm' => moment.month,
        b'M' => moment.minute,
        b'S' => moment.second,
        b'Y' if (1000..=9999).contains(&moment.year) => {
            out.extend_from_slice(&pair(moment.year / 100));
            moment.year % 100
        }
        _ => return false,
    };
    out.extend_from_slice(&pair(two));
    true
}

/// Returns the length. An invalid conversion is copied.
fn conversion(format: &[u8], subject: &Subject<'_>, out: &mut Vec<u8>) -> usize {
    let mut shape = Shape::default();
    let mut at = 1;
    while let Some(&flag) = format.get(at) {
        match flag {
            b'_' | b'-' | b'0' => shape.pad = Some(flag),
            b'^' => shape.upper = true,
            b'#' => shape.change = true,
            _ => break,
        }
        at += 1;
    }
    while let Some(digit @ b'0'..=b'9') = format.get(at) {
        shape.width = (shape.width * 10 + usize::from(digit - b'0')).min(MAX_WIDTH);
        at += 1;
    }
    let modifier = match format.get(at) {
        Some(&modifier @ (b'E' | b'O')) => {
            at += 1;
            Some(modifier)
        }
        _ => None,
    };
    let known = match format.get(at) {
        Some(&character) if takes(character, modifier) => {
            at += 1;
            convert(character, shape, subject, out)
        }
        Some(_) => {
            at += 1;
            false
        }
        None => false,
    };
    if !known {
        shape.text(&format[..at], shape.case(), out);
    }
    at
}

/// `E` and `O` change nothing in English.
fn takes(character: u8, modifier: Option<u8>) -> bool {
    match modifier {
        None => true,
        Some(b'E') => !b"aAbBhDdeFHIklmMjSUVgGWw%".contains(&character),
        Some(_) => !b"aADFcCxXY%".contains(&character),
    }
}

/// False if unknown.
fn convert(character: u8, shape: Shape, subject: &Subject<'_>, out: &mut Vec<u8>) -> bool {
    let moment = &subject.moment;
    // `#` puts names into capitals.
    let name_case = if shape.change { Case::Upper } else { shape.case() };
    let (weekday, month) = (DAYS[moment.weekday as usize], MONTHS[moment.month as usize - 1]);
    let half_day = if moment.hour < 12 { "AM" } else { "PM" };
    let hour = (moment.hour + 11) % 12 + 1;
    let within = |format: &[u8], out: &mut Vec<u8>| {
        let start = out.len();
        write(format, subject, out);
        if shape.width > 0 || shape.upper {
            let text = out.split_off(start);
            shape.text(&text, shape.case(), out);
        }
    };
    match character {
        b'a' => shape.text(&weekday.as_bytes()[..3], name_case, out),
        b'A' => shape.text(weekday.as_bytes(), name_case, out),
        b'b' | b'h' => shape.text(&month.as_bytes()[..3], name_case, out),
        b'B' => shape.text(month.as_bytes(), name_case, out),
        b'c' => within(subject.style.date_and_time(), out),
        b'C' => shape.number(1, moment.year / 100 - i64::from(moment.year % 100 < 0), out),
        b'd' => shape.number(2, moment.day, out),
        b'D' => within(b"%m/%d/%y", out),
        b'e' => shape.blank_number(2, moment.day, out),
        b'F' => within(b"%Y-%m-%d", out),
        b'g' => shape.number(2, moment.iso_week().0.rem_euclid(100), out),
        b'G' => shape.number(1, moment.iso_week().0, out),
        b'H' => shape.number(2, moment.hour, out),
        b'I' => shape.number(2, hour, out),
        b'j' => shape.number(3, moment.year_day + 1, out),
        b'k' => shape.blank_number(2, moment.hour, out),
        b'l' => shape.blank_number(2, hour, out),
        b'm' => shape.number(2, moment.month, out),
        b'M' => shape.number(2, moment.minute, out),
        b'n' => shape.text(b"\n", Case::Kept, out),
        b'p' => shape.text(
            half_day.as_bytes(),
            if shape.change { Case::Lower } else { shape.case() },
            out,
        ),
        b'P' => shape.text(half_day.as_bytes(), Case::Lower, out),
        b'r' => within(b"%I:%M:%S %p", out),
        b'R' => within(b"%H:%M", out),
        b's' => shape.number(1, subject.seconds, out),
        b'S' => shape.number(2, moment.second, out),
        b't' => shape.text(b"\t", Case::Kept, out),
        b'T' => within(b"%H:%M:%S", out),
        b'u' => shape.number(1, (moment.weekday + 6) % 7 + 1, out),
        b'U' => shape.number(2, moment.week_from(0), out),
        b'V' => shape.number(2, moment.iso_week().1, out),
        b'w' => shape.number(1, moment.weekday, out),
        b'W' => shape.number(2, moment.week_from(1), out),
        b'x' => within(subject.style.date(), out),
        b'X' => within(subject.style.time(), out),
        b'y' => shape.number(2, moment.year.rem_euclid(100), out),
        b'Y' => shape.number(1, moment.year, out),
        b'z' => {
            shape.text(if subject.offset < 0 { b"-" } else { b"+" }, Case::Kept, out);
            let minutes = subject.offset.abs() / 60;
            shape.number(4, minutes / 60 * 100 + minutes % 60, out);
        }
        b'Z' => shape.text(
            subject.zone.as_bytes(),
            if shape.change { Case::Lower } else { shape.case() },
            out,
        ),
        b'%' => shape.text(b"%", Case::Kept, out),
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::calendar::moment;

    fn written(format: &str, style: Style) -> String {
        let seconds = 1_234_567_890;
        let subject = Subject { moment: moment(seconds), offset: 0, zone: "UTC", seconds, style };
        let mut out = Vec::new();
        write(format.as_bytes(), &subject, &mut out);
        String::from_utf8(out).expect("ASCII")
    }

    /// Every answer is gawk 5.2.1's in en_US.UTF-8.
    #[test]
    fn flags_widths_and_modifiers_are_those_of_the_c_library() {
        for (format, expected) in [
            ("%-d|%_d|%05d|%^a|%#a|%#Z", "13|13|00013|FRI|FRI|utc"),
            ("%^p|%#p|%10Y|%-j|%_5m|%+4Y", "PM|pm|0000002009|44|    2|%+4Y"),
            ("%20a|%-20a|%020a", "                 Fri|                 Fri|00000000000000000Fri"),
            ("%5n|%5%|%3t", "    \n|    %|  \t"),
            (
                "%12F|%-F|%+12F|%_12F|%10T|%9R",
                "  2009-02-13|2009-02-13|%+12F|  2009-02-13|  23:31:30|    23:31",
            ),
            ("%10:z|%:z|%_z|%-z|%05z", "      %10:z|%:z|+   0|+0|0000+00000"),
            ("%EC|%Ey|%EY|%Od|%OB|%Ea|%Ed|%OY", "20|09|2009|13|February|%Ea|%Ed|%OY"),
            ("%^c", "FRI 13 FEB 2009 11:31:30 PM UTC"),
        ] {
            assert_eq!(written(format, Style::UnitedStates), expected, "{format}");
        }
        for (format, expected) in
            [("%", "%"), ("a%", "a%"), ("%5", "   %5"), ("%E", "%E"), ("", "")]
        {
            assert_eq!(written(format, Style::C), expected, "{format}");
        }
    }

    #[test]
    fn formats_of_the_locale_are_those_of_c_or_of_the_united_states() {
        assert_eq!(written("%c|%x|%X", Style::C), "Fri Feb 13 23:31:30 2009|02/13/09|23:31:30");
        let expected = "Fri 13 Feb 2009 11:31:30 PM UTC|02/13/2009|11:31:30 PM";
        assert_eq!(written("%c|%x|%X", Style::UnitedStates), expected);
    }
}
