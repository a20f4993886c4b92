//! Date and machine, to compare numbers.

use crate::results::Machine;
use std::fs;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

pub fn describe() -> Machine {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let system = |name| fs::read_to_string(format!("/proc/sys/kernel/{name}")).unwrap_or_default();
    Machine {
        cpu: model.map_or_else(
            || std::env::consts::ARCH.to_string(),
            |(_, name)| name.trim().to_string(),
        ),
        cores: thread::available_parallelism().map_or(1, usize::from),
        kernel: format!("{} {}", system("ostype").trim(), system("osrelease").trim()),
    }
}

/// As 2026-11-21T22:04:00Z.
pub fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    utc(seconds)
}

/// By Howard Hinnant's `civil_from_days`: years begin in March, so that the leap day is last.
fn utc(seconds: u64) -> String {
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right_around_leap_days_and_new_years() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_767_225_599), "2025-12-31T23:59:59Z");
        assert_eq!(utc(1_767_225_600), "2026-01-01T00:00:00Z");
    }
}
