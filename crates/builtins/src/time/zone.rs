//! Time zones, by the crate `jiff` and the system's tables.

use crate::time::calendar::CYCLE;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A time zone.
#[derive(Clone, Debug)]
pub enum Zone {
    /// UTC, under the requested name.
    Universal(String),
    /// With rules.
    Ruled(TimeZone),
}

/// Rules found so far, with their periods, since finding one is slow and times in a log are close.
#[derive(Debug, Default)]
pub struct KnownRules {
    stretches: Vec<(i64, i64, ZoneRule)>,
    recent: usize,
}

const MAX_STRETCHES: usize = 512;

impl KnownRules {
    /// The rule at this many seconds since 1970.
    pub fn rule(&mut self, zone: &Zone, seconds: i64) -> &ZoneRule {
        let holds = |(from, until, _): &(i64, i64, ZoneRule)| (*from..*until).contains(&seconds);
        if !self.stretches.get(self.recent).is_some_and(holds) {
            self.recent = self.stretches.iter().position(holds).unwrap_or_else(|| {
                if self.stretches.len() >= MAX_STRETCHES {
                    self.stretches.clear();
                }
                let (from, until) = zone.stretch(seconds);
                self.stretches.push((from, until, zone.rule(seconds)));
                self.stretches.len() - 1
            });
        }
        &self.stretches[self.recent].2
    }
}

/// The rule of a zone at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneRule {
    /// Seconds ahead of UTC.
    pub offset: i64,
    /// Whether it is daylight saving time.
    pub summer: bool,
    /// The zone's short name.
    pub name: String,
}

/// Which files a zone may be read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZoneFiles {
    /// Any: a TZ that begins with a slash names it.
    #[default]
    Any,
    /// The system's tables, whatever TZ names: for programs that may not read other files.
    System,
}

/// Where systems keep their tables.
const TABLES: [&str; 3] = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"];

/// Larger files are no tables; the largest of the system's has some 4 KB.
const MAX_TABLE: u64 = 1 << 20;

impl ZoneFiles {
    fn read(self, path: &str) -> Option<TimeZone> {
        // Where links lead: a pipe is not waited for, nor a device read.
        let path = Path::new(path).canonicalize().ok()?;
        let is_permitted = match self {
            ZoneFiles::Any => true,
            ZoneFiles::System => TABLES.iter().any(|tables| path.starts_with(tables)),
        };
        if !is_permitted || !path.is_file() {
            return None;
        }
        let mut table = Vec::new();
        File::open(&path).ok()?.take(MAX_TABLE).read_to_end(&mut table).ok()?;
        TimeZone::tzif(path.to_str()?, &table).ok()
    }
}

/// The system's zone. On UNIX not jiff's, which depends on TZ, and the program may have deleted that.
#[cfg(not(windows))]
fn of_system() -> Option<TimeZone> {
    TimeZone::tzif("", &std::fs::read("/etc/localtime").ok()?).ok()
}

/// The system's zone, whose name Windows knows.
#[cfg(windows)]
fn of_system() -> Option<TimeZone> {
    TimeZone::try_system().ok()
}

/// What the C library takes as the name in an invalid TZ.
fn abbreviation(tz: &str) -> String {
    let rest = tz.trim_start_matches(|character: char| character.is_ascii_alphabetic());
    let name = &tz[..tz.len() - rest.len()];
    let is_name =
        name.len() >= 3 && !rest.starts_with(|character: char| character.is_ascii_digit());
    if is_name { name.to_owned() } else { String::new() }
}

impl Zone {
    /// None is the system's. As in the C library an unknown zone is UTC.
    pub fn of(tz: Option<&[u8]>, files: ZoneFiles) -> Zone {
        let Some(tz) = tz else {
            return of_system().map_or_else(|| Zone::Universal("UTC".into()), Zone::Ruled);
        };
        let Ok(tz) = std::str::from_utf8(tz) else { return Zone::Universal("UTC".into()) };
        let tz = tz.strip_prefix(':').unwrap_or(tz);
        if tz.is_empty() {
            return Zone::Universal("UTC".into());
        }
        let found = match tz.strip_prefix('/') {
            Some(_) => files.read(tz),
            // `EST5EDT` alone has the rules of the United States.
            None => (TimeZone::get(tz).ok())
                .or_else(|| TimeZone::posix(tz).ok())
                .or_else(|| TimeZone::posix(&format!("{tz},M3.2.0,M11.1.0")).ok()),
        };
        found.map_or_else(|| Zone::Universal(abbreviation(tz)), Zone::Ruled)
    }

    /// The period of one rule, within jiff's years.
    fn stretch(&self, seconds: i64) -> (i64, i64) {
        let Zone::Ruled(zone) = self else { return (i64::MIN, i64::MAX) };
        let Ok(timestamp) = Timestamp::from_second(seconds) else { return (seconds, seconds + 1) };
        // The search finds only earlier changes.
        let from =
            Timestamp::from_second(seconds + 1).ok().and_then(|after| zone.preceding(after).next());
        let until = zone.following(timestamp).next();
        let (from, until) =
            (from.map(|change| change.timestamp()), until.map(|change| change.timestamp()));
        (from.unwrap_or(Timestamp::MIN).as_second(), until.unwrap_or(Timestamp::MAX).as_second())
    }

    /// The rule at this many seconds since 1970.
    pub fn rule(&self, seconds: i64) -> ZoneRule {
        let zone = match self {
            Zone::Universal(name) => {
                return ZoneRule { offset: 0, summer: false, name: name.clone() };
            }
            Zone::Ruled(zone) => zone,
        };
        // Beyond jiff's years rules repeat with the calendar.
        let (least, most) = (Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
        let within = if seconds > most {
            seconds - ((seconds - most) / CYCLE + 1) * CYCLE
        } else if seconds < least {
            seconds + ((least - seconds) / CYCLE + 1) * CYCLE
        } else {
            seconds
        };
        let timestamp = Timestamp::from_second(within).unwrap_or_default();
        let info = zone.to_offset_info(timestamp);
        ZoneRule {
            offset: i64::from(info.offset().seconds()),
            summer: info.dst().is_dst(),
            name: info.abbreviation().to_owned(),
        }
    }

    /// Seconds at which clocks show `local`. `summer` selects one of two times when clocks go back;
    /// if it contradicts the rule, the nearest period of its kind applies, as in the C library.
    pub fn when(&self, local: i64, summer: Option<bool>) -> i64 {
        let day = crate::time::calendar::DAY;
        let (before, after) = (self.rule(local - day), self.rule(local + day));
        let shows = |time: i64| time + self.rule(time).offset == local;
        let (early, late) = (local - before.offset, local - after.offset);
        let time = match (shows(early), shows(late)) {
            (true, true) => early.min(late),
            (false, true) => late,
            // In the skipped hour standard time still applies.
            (false, false) if summer == Some(true) && after.summer => return late,
            _ => early,
        };
        let Some(summer) = summer else { return time };
        if self.rule(time).summer == summer {
            return time;
        }
        // A week is the shortest period that matters; within 17 years every zone that ever had
        // daylight saving time has it.
        const STRIDE: i64 = 601_200;
        const REACH: i64 = 268_243_200;
        let mut distance = STRIDE;
        while distance < REACH * 2 {
            for there in [time - distance, time + distance] {
                let rule = self.rule(there);
                if rule.summer == summer {
                    return local - rule.offset;
                }
            }
            distance += STRIDE;
        }
        // As in the C library, without daylight saving time.
        if summer { time - 3600 } else { time + 3600 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_york() -> Zone {
        Zone::of(Some(b"EST5EDT,M3.2.0,M11.1.0"), ZoneFiles::Any)
    }

    /// Every answer is gawk 5.2.1's under TZ=America/New_York.
    #[test]
    fn local_times_are_those_of_the_c_library() {
        let zone = new_york();
        let local = |month: i64, day: i64, hour: i64, minute: i64| {
            crate::time::calendar::days_of(2009, month, day) * 86_400 + hour * 3600 + minute * 60
        };
        let (july, january) = (local(7, 1, 12, 0), local(1, 1, 12, 0));
        let (gap, twice) = (local(3, 8, 2, 30), local(11, 1, 1, 30));
        for (time, [unsaid, winter, summer]) in [
            (july, [1_246_464_000, 1_246_467_600, 1_246_464_000]),
            (january, [1_230_829_200, 1_230_829_200, 1_230_825_600]),
            (gap, [1_236_497_400, 1_236_497_400, 1_236_493_800]),
            (twice, [1_257_053_400, 1_257_057_000, 1_257_053_400]),
        ] {
            assert_eq!(zone.when(time, None), unsaid);
            assert_eq!(zone.when(time, Some(false)), winter);
            assert_eq!(zone.when(time, Some(true)), summer);
        }
    }

    #[test]
    fn summer_time_is_an_hour_in_a_zone_without_it() {
        for tz in [&b"UTC0"[..], b""] {
            let zone = Zone::of(Some(tz), ZoneFiles::Any);
            assert_eq!(zone.when(1000, Some(true)), -2600);
            assert_eq!((zone.when(1000, Some(false)), zone.when(1000, None)), (1000, 1000));
        }
    }

    #[test]
    fn what_names_no_zone_is_universal_time_under_its_name() {
        for (tz, name) in [
            ("XYZ", "XYZ"),
            ("Foo/Bar", "Foo"),
            ("bad", "bad"),
            ("", "UTC"),
            ("4", ""),
            ("../x", ""),
            ("EST5 EDT", ""),
        ] {
            assert_eq!(
                Zone::of(Some(tz.as_bytes()), ZoneFiles::Any).rule(0),
                ZoneRule { offset: 0, summer: false, name: name.into() }
            );
        }
    }

    #[test]
    fn rules_hold_beyond_the_years_of_the_tables() {
        let (zone, summer) = (new_york(), 1_250_000_000);
        for cycles in [-1000, -40, 25, 1000, 100_000] {
            assert!(zone.rule(summer + cycles * CYCLE).summer, "{cycles}");
        }
        assert_eq!(
            Zone::of(Some(b"<+03>-3"), ZoneFiles::Any).rule(0),
            ZoneRule { offset: 10_800, summer: false, name: "+03".into() }
        );
    }

    /// A table of one rule: nine hours, JST.
    fn tokyo() -> Vec<u8> {
        let mut table = b"TZif".to_vec();
        table.extend([0; 35]);
        table.extend(b"\x01\0\0\0\x04\0\0\x7e\x90\0\0JST\0");
        table
    }

    #[test]
    fn only_tables_are_read_and_only_the_systems_if_no_others_may_be() {
        let folder = std::env::temp_dir().join(format!("zones-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let table = folder.join("Tokyo");
        std::fs::write(&table, tokyo()).unwrap();
        let offset = |path: &Path, files| {
            let name = format!(":{}", path.display());
            Zone::of(Some(name.as_bytes()), files).rule(0).offset
        };
        assert_eq!(offset(&table, ZoneFiles::Any), 32_400);
        let system = Path::new(TABLES[0]).join("Asia/Tokyo");
        if system.is_file() {
            assert_eq!(offset(&system, ZoneFiles::System), 32_400);
        }
        assert_eq!(offset(&table, ZoneFiles::System), 0);
        // Endless, and the way out of the tables.
        assert_eq!(offset(Path::new("/dev/zero"), ZoneFiles::Any), 0);
        let out = format!("{}/../../..{}", TABLES[0], table.display());
        assert_eq!(offset(Path::new(&out), ZoneFiles::System), 0);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
