//! `text::encode` and `text::decode`.
//!
//! Both are strict: text or bytes without a counterpart are a failure, and ERRNO says where.

mod convert;

use super::Failure;
use riverhawk_awkio::fault::Fallible;
use riverhawk_builtins::names::unknown_name;
use riverhawk_text::encoding::{Encoding, Encodings};
use std::sync::Arc;

#[derive(Default)]
pub(crate) struct KnownEncodings {
    all: Option<Encodings>,
    recent: Option<(Vec<u8>, Arc<dyn Encoding>)>,
}

impl KnownEncodings {
    pub(crate) fn of(all: Encodings) -> KnownEncodings {
        KnownEncodings { all: Some(all), recent: None }
    }

    fn get(&mut self, function: &str, name: &[u8]) -> Fallible<Arc<dyn Encoding>> {
        if let Some((recent, encoding)) = &self.recent
            && recent == name
        {
            return Ok(encoding.clone());
        }
        let all = self.all.get_or_insert_default();
        let found = std::str::from_utf8(name).ok().and_then(|name| all.get(name));
        let Some(encoding) = found else {
            let names: Vec<&str> = all.iter().map(|encoding| encoding.name()).collect();
            let aliases = all.iter().flat_map(|encoding| encoding.aliases().iter().copied());
            return Err(unknown_name(function, "encoding", name, &names, aliases));
        };
        self.recent = Some((name.to_vec(), encoding.clone()));
        Ok(encoding)
    }
}

fn failure(error: impl std::fmt::Display) -> Failure {
    Failure::new(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_is_found_under_its_name_and_its_aliases_in_any_case() {
        let mut known = KnownEncodings::default();
        for (name, expected) in [
            ("utf-8", "utf-8"),
            ("UTF8", "utf-8"),
            ("utf-8", "utf-8"),
            ("Latin1", "iso-8859-1"),
            ("cp1252", "windows-1252"),
        ] {
            let found = known
                .get("f", name.as_bytes())
                .unwrap_or_else(|fault| panic!("{}", fault.message()));
            assert_eq!(found.name(), expected, "{name}");
        }
    }

    #[test]
    fn an_unknown_encoding_is_told_with_the_one_that_was_probably_meant() {
        let mut known = KnownEncodings::default();
        let mut message = |name: &[u8]| {
            known.get("f", name).err().map(|fault| fault.message()).unwrap_or_default()
        };
        assert_eq!(
            message(b"windws-1252"),
            "f: there is no encoding \"windws-1252\"; did you mean \"windows-1252\"?"
        );
        assert_eq!(
            message(b"latn1"),
            "f: there is no encoding \"latn1\"; did you mean \"latin1\"?"
        );
        assert!(message(b"\xFF").contains("there are utf-8, utf-8-c8,"));
    }
}
