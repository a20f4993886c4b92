//! The hard limit as text, in an environment variable or an option.

use crate::error::Error;

/// How many threads at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// max(64, 8 x cores).
    #[default]
    Default,
    /// This many.
    Threads(usize),
    /// No limit but the system's.
    Unlimited,
}

impl Limit {
    /// The number for a machine of `cores` cores.
    #[must_use]
    pub fn resolve(self, cores: usize) -> usize {
        match self {
            Self::Default | Self::Threads(0) => crate::rules::default_hard_limit(cores),
            Self::Threads(count) => count,
            Self::Unlimited => usize::MAX / 4,
        }
    }
}

/// Empty text and `0` are the default; `-1`, `inf` and `unlimited` no limit; a number is itself;
/// anything else an error.
///
/// ```
/// use riverhawk_pool::Limit;
///
/// assert_eq!("12".parse::<Limit>()?, Limit::Threads(12));
/// assert_eq!("".parse::<Limit>()?, Limit::Default);
/// assert!("many".parse::<Limit>().is_err());
/// # Ok::<(), riverhawk_pool::Error>(())
/// ```
impl std::str::FromStr for Limit {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "" | "0" => Ok(Self::Default),
            "-1" => Ok(Self::Unlimited),
            _ if ["inf", "unlimited"].iter().any(|word| text.eq_ignore_ascii_case(word)) => {
                Ok(Self::Unlimited)
            }
            _ if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                text.parse().map(Self::Threads).map_err(|_| Error::BadLimit(text.to_owned()))
            }
            _ => Err(Error::BadLimit(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_is_read_as_the_table_says() {
        let rows = [
            ("", Some(Limit::Default)),
            ("0", Some(Limit::Default)),
            ("-1", Some(Limit::Unlimited)),
            ("inf", Some(Limit::Unlimited)),
            ("Inf", Some(Limit::Unlimited)),
            ("unlimited", Some(Limit::Unlimited)),
            ("UNLIMITED", Some(Limit::Unlimited)),
            ("1", Some(Limit::Threads(1))),
            ("64", Some(Limit::Threads(64))),
            ("-2", None),
            ("+4", None),
            ("4 ", None),
            ("4.5", None),
            ("many", None),
            ("nan", None),
            ("99999999999999999999999", None),
        ];
        for (text, expected) in rows {
            assert_eq!(text.parse::<Limit>().ok(), expected, "{text:?}");
        }
    }

    #[test]
    fn zero_threads_and_default_are_the_formula() {
        assert_eq!(Limit::Default.resolve(2), 64);
        assert_eq!(Limit::Threads(0).resolve(16), 128);
        assert_eq!(Limit::Threads(4).resolve(16), 4);
        assert!(Limit::Unlimited.resolve(1) > 1_000_000);
    }
}
