//! Parses times: `strptime` of the C library, and [`Rules::Strict`].

use crate::time::format::{DAYS, MONTHS, Style};

/// How to read a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// As GNU's C library, which ignores zones and ISO 8601 weeks.
    C,
    /// Every part counts; `%N` reads a fraction, `%.N` an optional one.
    Strict,
}

/// A zone as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ZoneText {
    /// Seconds ahead of UTC.
    Offset(i64),
    /// A name or an abbreviation.
    Name(Vec<u8>),
}

/// The parts read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The year; with `%y` between 1969 and 2068.
    pub year: Option<i64>,
    /// The year is from `%y`; `%C` may give its century.
    pub short_year: bool,
    /// `%C`.
    pub century: Option<i64>,
    /// From 1.
    pub month: Option<i64>,
    /// Of the month, from 1.
    pub day: Option<i64>,
    /// From 0; with `half_day` 0 to 11.
    pub hour: Option<i64>,
    /// The hour is of a 12-hour clock.
    pub half_day: bool,
    /// `%p` is PM.
    pub afternoon: bool,
    /// Of the hour.
    pub minute: Option<i64>,
    /// Of the minute.
    pub second: Option<i64>,
    /// Of the second.
    pub nanoseconds: Option<u32>,
    /// From 0, Sunday.
    pub weekday: Option<i64>,
    /// From 0.
    pub year_day: Option<i64>,
    /// The week of the year, and the first weekday.
    pub week: Option<(i64, i64)>,
    /// `%G`.
    pub iso_year: Option<i64>,
    /// `%V`.
    pub iso_week: Option<i64>,
    /// Seconds since 1970.
    pub epoch: Option<i64>,
    /// From `%z` or `%Z`.
    pub zone: Option<ZoneText>,
}

/// Why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// An unknown conversion: its start and end in the format.
    NoConversion(usize, usize),
    /// A part of the format (start, end) does not match the text at the third place.
    Unlike(usize, usize, usize),
    /// The text continues after the format, at this place.
    More(usize),
}

/// Unless strict, the text may continue after the format.
pub fn parse(format: &[u8], text: &[u8], rules: Rules, style: Style) -> Result<Parts, Misfit> {
    let mut reader = Reader { text, at: 0, rules, style, parts: Parts::default() };
    reader.all(format)?;
    match reader.at == text.len() || rules == Rules::C {
        true => Ok(reader.parts),
        false => Err(Misfit::More(reader.at)),
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    rules: Rules,
    style: Style,
    parts: Parts,
}

/// As C's `isspace`.
fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0B
}

/// Returns their length, and whether the conversion takes them.
fn modified(format: &[u8]) -> (usize, bool) {
    match format {
        // The C library requires an era for `%Ey`, which English lacks.
        [b'E', conversion, ..] => (1, b"cCYxX".contains(conversion)),
        [b'O', conversion, ..] => (1, b"bBdehHImMSUVWwy".contains(conversion)),
        [b'E' | b'O'] => (1, false),
        _ => (0, true),
    }
}

impl Reader<'_> {
    fn all(&mut self, format: &[u8]) -> Result<(), Misfit> {
        let mut at = 0;
        while let Some(&byte) = format.get(at) {
            let start = at;
            at += 1;
            let fits = if is_space(byte) {
                self.skip_spaces();
                true
            } else if byte != b'%' {
                self.byte(byte)
            } else {
                at += format[at..].iter().take_while(|flag| b"-_0^#".contains(flag)).count();
                let (length, takes) = modified(&format[at..]);
                at += length;
                let (conversion, length) = self.longest(&format[at..]);
                at += length;
                let fits = if takes { self.conversion(conversion) } else { None };
                fits.ok_or(Misfit::NoConversion(start, at))?
            };
            if !fits {
                return Err(Misfit::Unlike(start, at, self.at));
            }
        }
        Ok(())
    }

    /// With its length; those of several characters are strict only.
    fn longest<'f>(&self, format: &'f [u8]) -> (&'f [u8], usize) {
        let long = [&b":z"[..], b".N"].into_iter().find(|long| format.starts_with(long));
        let length =
            long.filter(|_| self.rules == Rules::Strict).map_or(format.len().min(1), <[u8]>::len);
        (&format[..length], length)
    }

    /// Whether the text matches; none for an unknown conversion.
    fn conversion(&mut self, conversion: &[u8]) -> Option<bool> {
        let strict = self.rules == Rules::Strict;
        Some(match conversion {
            b"%" => self.byte(b'%'),
            b"a" | b"A" => {
                let found = self.name(&DAYS);
                self.put(found, |parts, day| parts.weekday = Some(day))
            }
            b"b" | b"B" | b"h" => {
                let found = self.name(&MONTHS);
                self.put(found, |parts, month| parts.month = Some(month + 1))
            }
            b"c" => self.all(self.style.date_and_time()).is_ok(),
            b"C" => self.number(0, 99, 2, |parts, century| parts.century = Some(century)),
            b"d" | b"e" => self.number(1, 31, 2, |parts, day| parts.day = Some(day)),
            b"D" => self.all(b"%m/%d/%y").is_ok(),
            b"F" => self.all(b"%Y-%m-%d").is_ok(),
            b"g" if strict => {
                self.number(0, 99, 2, |parts, year| parts.iso_year = Some(of_century(year)))
            }
            b"g" => self.number(0, 99, 2, |_, _| ()),
            b"G" if strict => self.number(0, 9999, 4, |parts, year| parts.iso_year = Some(year)),
            b"G" => self.digits(usize::MAX).is_some(),
            b"H" | b"k" => self
                .number(0, 23, 2, |parts, hour| (parts.hour, parts.half_day) = (Some(hour), false)),
            b"I" | b"l" => self.number(1, 12, 2, |parts, hour| {
                (parts.hour, parts.half_day) = (Some(hour % 12), true)
            }),
            b"j" => self.number(1, 366, 3, |parts, day| parts.year_day = Some(day - 1)),
            b"m" => self.number(1, 12, 2, |parts, month| parts.month = Some(month)),
            b"M" => self.number(0, 59, 2, |parts, minute| parts.minute = Some(minute)),
            b"n" | b"t" => {
                self.skip_spaces();
                true
            }
            b"N" if strict => self.fraction(),
            b".N" => {
                !matches!(self.text[self.at..], [b'.' | b',', b'0'..=b'9', ..]) || {
                    self.at += 1;
                    self.fraction()
                }
            }
            b"p" => self.half_day(),
            b"P" if strict => self.half_day(),
            b"r" => self.all(b"%I:%M:%S %p").is_ok(),
            b"R" => self.all(b"%H:%M").is_ok(),
            b"s" => self.epoch(),
            b"S" => self.number(0, if strict { 60 } else { 61 }, 2, |parts, second| {
                parts.second = Some(second)
            }),
            b"T" => self.all(b"%H:%M:%S").is_ok(),
            b"u" => self.number(1, 7, 1, |parts, day| parts.weekday = Some(day % 7)),
            b"U" => self.number(0, 53, 2, |parts, week| parts.week = Some((week, 0))),
            b"V" if strict => self.number(1, 53, 2, |parts, week| parts.iso_week = Some(week)),
            b"V" => self.number(0, 53, 2, |_, _| ()),
            b"w" => self.number(0, 6, 1, |parts, day| parts.weekday = Some(day)),
            b"W" => self.number(0, 53, 2, |parts, week| parts.week = Some((week, 1))),
            b"x" => self.all(self.style.date()).is_ok(),
            b"X" => self.all(self.style.time()).is_ok(),
            b"y" => self.number(0, 99, 2, |parts, year| {
                (parts.year, parts.short_year) = (Some(of_century(year)), true)
            }),
            b"Y" => self.number(0, 9999, 4, |parts, year| {
                (parts.year, parts.short_year) = (Some(year), false)
            }),
            b"z" | b":z" => self.offset(),
            b"Z" => self.zone_name(),
            _ => return None,
        })
    }

    fn byte(&mut self, byte: u8) -> bool {
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn skip_spaces(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|&&byte| is_space(byte)).count();
    }

    fn put(&mut self, found: Option<i64>, put: impl FnOnce(&mut Parts, i64)) -> bool {
        if let Some(found) = found {
            put(&mut self.parts, found);
        }
        found.is_some()
    }

    /// At most `digits` digits, after blanks. A digit that would exceed the maximum is left unread.
    fn number(
        &mut self,
        least: i64,
        most: i64,
        digits: usize,
        put: impl FnOnce(&mut Parts, i64),
    ) -> bool {
        self.at += self.text[self.at..].iter().take_while(|&&byte| byte == b' ').count();
        let mut value = 0;
        let mut taken = 0;
        while let Some(digit @ b'0'..=b'9') = self.text.get(self.at) {
            value = value * 10 + i64::from(digit - b'0');
            self.at += 1;
            taken += 1;
            if taken == digits || value * 10 > most {
                break;
            }
        }
        self.put((taken > 0 && (least..=most).contains(&value)).then_some(value), put)
    }

    fn digits(&mut self, most: usize) -> Option<&[u8]> {
        let rest = &self.text[self.at..];
        let length = rest.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        self.at += length;
        (length > 0).then_some(&rest[..length])
    }

    /// Digits after the ninth are dropped.
    fn fraction(&mut self) -> bool {
        let Some(digits) = self.digits(usize::MAX) else { return false };
        let digit = |at: usize| digits.get(at).map_or(0, |digit| u32::from(digit - b'0'));
        let nanoseconds = (0..9).fold(0, |value, at| value * 10 + digit(at));
        self.parts.nanoseconds = Some(nanoseconds);
        true
    }

    /// Whole or the first three letters, in any case.
    fn name(&mut self, names: &[&str]) -> Option<i64> {
        let rest = &self.text[self.at..];
        let starts = |name: &str| {
            rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
        };
        let found = names.iter().enumerate().find_map(|(number, name)| {
            let length = [name.len(), 3].into_iter().find(|&length| starts(&name[..length]))?;
            Some((number as i64, length))
        });
        let (number, length) = found?;
        self.at += length;
        Some(number)
    }

    fn half_day(&mut self) -> bool {
        let found = match self.text[self.at..].get(..2) {
            Some(half) if half.eq_ignore_ascii_case(b"am") => false,
            Some(half) if half.eq_ignore_ascii_case(b"pm") => true,
            _ => return false,
        };
        self.at += 2;
        self.parts.afternoon = found;
        true
    }

    fn epoch(&mut self) -> bool {
        let negative = self.rules == Rules::Strict && self.byte(b'-');
        let Some(digits) = self.digits(usize::MAX) else { return false };
        let seconds = digits.iter().fold(0i64, |seconds, digit| {
            seconds.saturating_mul(10).saturating_add(i64::from(digit - b'0'))
        });
        let epoch = Some(if negative { -seconds } else { seconds });
        self.parts = Parts { epoch, century: self.parts.century, ..Parts::default() };
        true
    }

    /// `+hh`, `+hhmm`, `+hh:mm`, `Z`.
    fn offset(&mut self) -> bool {
        self.skip_spaces();
        let offset = match self.text.get(self.at) {
            Some(b'Z') => {
                self.at += 1;
                Some(0)
            }
            Some(sign @ (b'+' | b'-')) => {
                let sign = if *sign == b'-' { -1 } else { 1 };
                self.at += 1;
                self.hours_and_minutes().map(|seconds| sign * seconds)
            }
            _ => None,
        };
        self.put(offset, |parts, offset| parts.zone = Some(ZoneText::Offset(offset)))
    }

    fn hours_and_minutes(&mut self) -> Option<i64> {
        let two = |digits: &[u8]| {
            digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'))
        };
        let hours = self.digits(2).filter(|digits| digits.len() == 2).map(two)?;
        if matches!(self.text[self.at..], [b':', b'0'..=b'9', ..]) {
            self.at += 1;
        }
        let minutes = match self.digits(2) {
            None => 0,
            Some(digits) => Some(digits).filter(|digits| digits.len() == 2).map(two)?,
        };
        (minutes < 60).then_some(hours * 3600 + minutes * 60)
    }

    /// In C anything without white space.
    fn zone_name(&mut self) -> bool {
        let rest = &self.text[self.at..];
        if self.rules == Rules::C {
            self.skip_spaces();
            self.at += self.text[self.at..].iter().take_while(|&&byte| !is_space(byte)).count();
            return true;
        }
        let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"/_+-".contains(byte);
        let length = rest.iter().take_while(is_of_name).count();
        self.at += length;
        self.parts.zone = Some(ZoneText::Name(rest[..length].to_vec()));
        length > 0
    }
}

fn of_century(year: i64) -> i64 {
    if year >= 69 { 1900 + year } else { 2000 + year }
}
