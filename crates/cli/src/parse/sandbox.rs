//! `--sandbox=read:/data,write:/tmp/out,exec:none,net:none`: permissions of an untrusted program.

use crate::program_text::describe;
use crate::usage_error::UsageError;
use riverhawk::engine::system::names::OsStrExt;
use riverhawk::engine::{Access, Allowed, Paths};
use std::ffi::OsStr;
use std::path::Path;

/// Adds a list's permissions to earlier ones.
pub(super) fn allow(allowed: &mut Allowed, list: &OsStr) -> Result<(), UsageError> {
    list.as_bytes().split(|&byte| byte == b',').try_for_each(|item| allow_one(allowed, item))
}

fn allow_one(allowed: &mut Allowed, item: &[u8]) -> Result<(), UsageError> {
    let shown = String::from_utf8_lossy(item);
    let (what, which) = match item.iter().position(|&byte| byte == b':') {
        Some(colon) => (&item[..colon], &item[colon + 1..]),
        None => (item, &b""[..]),
    };
    match what {
        b"read" if !which.is_empty() => allow_path(&mut allowed.read, which),
        b"write" if !which.is_empty() => allow_path(&mut allowed.write, which),
        b"exec" | b"net" => {
            let access = if what == b"exec" { &mut allowed.commands } else { &mut allowed.network };
            match which {
                b"all" => *access = Access::Granted,
                b"none" => {}
                _ => {
                    return Err(UsageError::new(format!(
                        "--sandbox: '{shown}' should end in :all or :none"
                    )));
                }
            }
            Ok(())
        }
        _ => Err(UsageError::new(format!(
            "--sandbox needs a list such as read:/data,write:/tmp/out,exec:none,net:none, not '{shown}'"
        ))),
    }
}

fn allow_path(paths: &mut Paths, which: &[u8]) -> Result<(), UsageError> {
    match (which, paths) {
        (b"none", _) | (_, Paths::All) => Ok(()),
        (b"all", paths) => {
            *paths = Paths::All;
            Ok(())
        }
        (path, Paths::Under(paths)) => {
            let path = Path::new(OsStr::from_bytes(path));
            let found = path.canonicalize().map_err(|error| {
                let (shown, why) = (path.display(), describe(&error));
                UsageError::new(format!(
                    "--sandbox: cannot allow '{shown}': {why}; make the file or folder first"
                ))
            })?;
            paths.push(found);
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(lists: &[&str]) -> Result<Allowed, String> {
        let mut allowed = Allowed::default();
        lists
            .iter()
            .try_for_each(|list| allow(&mut allowed, OsStr::new(list)))
            .map_err(|error| error.message)?;
        Ok(allowed)
    }

    #[test]
    fn what_is_not_on_the_list_is_not_allowed() {
        assert_eq!(allowed(&["exec:none,net:none,read:none,write:none"]), Ok(Allowed::default()));
        let list = allowed(&["read:/,net:all", "read:/dev/null,write:all", "write:/"]).unwrap();
        assert_eq!(list.read, Paths::Under(vec!["/".into(), "/dev/null".into()]));
        assert_eq!(
            (list.write, list.commands, list.network),
            (Paths::All, Access::Denied, Access::Granted)
        );
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for list in [
            "",
            "read",
            "read:",
            "reed:/",
            "exec",
            "exec:/bin/ls",
            "net:80",
            "read:/,",
            "read:/no/such/file",
        ] {
            assert!(allowed(&[list]).is_err(), "{list}");
        }
    }
}
