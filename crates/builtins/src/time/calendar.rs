//! The proleptic Gregorian calendar, for any year that fits.
//!
//! After Howard Hinnant's "chrono-compatible low-level date algorithms".

/// Seconds per day.
pub const DAY: i64 = 86_400;

/// Of 400 years, after which dates and weekdays repeat.
pub(crate) const CYCLE: i64 = 146_097 * DAY;

/// A moment as local clocks and calendars show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Year; 0 precedes 1.
    pub year: i64,
    /// Month from 1.
    pub month: i64,
    /// Day of the month from 1.
    pub day: i64,
    /// Hour from 0.
    pub hour: i64,
    /// Minute.
    pub minute: i64,
    /// Second.
    pub second: i64,
    /// Day of the week, from Sunday, 0.
    pub weekday: i64,
    /// Day of the year from 0.
    pub year_day: i64,
}

/// Days from 1970-01-01; the month from 1 to 12, any day.
pub fn days_of(year: i64, month: i64, day: i64) -> i64 {
    // Years from March put the leap day last.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let year_day = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + year_day - 719_468
}

/// Seconds since 1970 in local time.
pub fn moment(seconds: i64) -> Moment {
    let (days, time) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let march_day = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * march_day + 2) / 153;
    let month = (march_month + 2) % 12 + 1;
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    Moment {
        year,
        month,
        day: march_day - (153 * march_month + 2) / 5 + 1,
        hour: time / 3600,
        minute: time / 60 % 60,
        second: time % 60,
        weekday: (days + 4).rem_euclid(7),
        year_day: days - days_of(year, 1, 1),
    }
}

impl Moment {
    /// ISO 8601 week, and its year.
    pub fn iso_week(&self) -> (i64, i64) {
        // The year of the week's Thursday.
        let monday_based = (self.weekday + 6) % 7;
        let thursday = days_of(self.year, self.month, self.day) - monday_based + 3;
        let of = moment(thursday * DAY);
        (of.year, of.year_day / 7 + 1)
    }

    /// With weeks from this day on; 0 before the first.
    pub(crate) fn week_from(&self, first_day: i64) -> i64 {
        (self.year_day - (self.weekday - first_day).rem_euclid(7) + 7) / 7
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_800_years_is_the_day_after_the_one_before() {
        let mut before = moment(days_of(1600, 1, 1) * DAY);
        for days in days_of(1600, 1, 1) + 1..days_of(2400, 1, 1) {
            let now = moment(days * DAY);
            assert_eq!(days_of(now.year, now.month, now.day), days);
            assert_eq!(now.weekday, (before.weekday + 1) % 7);
            if now.year == before.year {
                assert_eq!(now.year_day, before.year_day + 1);
            } else {
                assert_eq!(
                    (now.year, now.month, now.day, now.year_day),
                    (before.year + 1, 1, 1, 0)
                );
            }
            if now.month == before.month {
                assert_eq!(now.day, before.day + 1);
            } else {
                assert_eq!((now.month, now.day), (before.month % 12 + 1, 1));
            }
            before = now;
        }
    }

    /// As printed by gawk 5.2.1: `strftime("%U-%V-%W-%G")`.
    #[test]
    fn weeks_are_those_of_gawk() {
        for (year, month, day, expected) in [
            (2000, 1, 1, "00-52-00-1999"),
            (2001, 1, 1, "00-01-01-2001"),
            (2005, 1, 1, "00-53-00-2004"),
            (2006, 1, 1, "01-52-00-2005"),
            (2008, 12, 30, "52-01-52-2009"),
            (2012, 12, 30, "53-52-52-2012"),
        ] {
            let moment = moment(days_of(year, month, day) * DAY);
            let (iso_year, iso_week) = moment.iso_week();
            let shown = format!(
                "{:02}-{iso_week:02}-{:02}-{iso_year}",
                moment.week_from(0),
                moment.week_from(1)
            );
            assert_eq!(shown, expected, "{year}-{month}-{day}");
        }
    }

    #[test]
    fn times_of_day_and_years_before_the_first_are_right() {
        let last = moment(-1);
        assert_eq!(
            (last.year, last.month, last.day, last.hour, last.second),
            (1969, 12, 31, 23, 59)
        );
        let early = moment(-62_200_000_000);
        assert_eq!((early.year, early.month, early.day), (-2, 12, 17));
    }
}
