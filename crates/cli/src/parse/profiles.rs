//! `--profile=FORMAT:FILE`, distinguished from gawk's `--profile=FILE` by the word before the
//! colon.

use crate::usage_error::UsageError;
use riverhawk::engine::ProfileFormat;
use riverhawk::engine::system::names::OsStrExt;
use std::ffi::{OsStr, OsString};

/// `None` for gawk's form.
pub(super) fn time_profile(value: &OsStr) -> Result<Option<(ProfileFormat, OsString)>, UsageError> {
    for format in ProfileFormat::ALL {
        let name = format.name();
        match value
            .as_bytes()
            .strip_prefix(name.as_bytes())
            .and_then(|rest| rest.strip_prefix(b":"))
        {
            Some(b"") => {
                let message = format!(
                    "--profile={name}: needs the name of a file, as in --profile={name}:FILE"
                );
                return Err(UsageError::new(message));
            }
            Some(file) => return Ok(Some((format, OsStr::from_bytes(file).to_owned()))),
            None => {}
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_and_a_colon_make_it_a_profile_of_time() {
        let read = |value: &str| time_profile(OsStr::new(value)).unwrap();
        assert_eq!(read("text:-"), Some((ProfileFormat::Text, "-".into())));
        assert_eq!(read("callgrind:a:b"), Some((ProfileFormat::Callgrind, "a:b".into())));
        for file in ["text", "svgs:x", "./folded:x", "Text:x", ""] {
            assert_eq!(read(file), None, "{file}");
        }
        assert!(time_profile(OsStr::new("folded:")).is_err());
    }
}
