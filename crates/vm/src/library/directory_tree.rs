//! `fts` of gawk's extension `filefuncs`: the files below some paths as nested arrays, as BSD's
//! fts(3) visits them.
//!
//! A directory is an array of its entries, with `"."` for itself. Any other file is an array with
//! its `path` and with `stat`, or `error` if nothing more is known. As in gawk, devices, sockets
//! and pipes are left out.

use super::Failure;
use super::file::path;
use super::stat::fill;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use riverhawk_system::io::Errno;
use riverhawk_system::names::OsStrExt;
use riverhawk_system::{Facts, Symlinks};
use riverhawk_value::{ArrayRef, Probe, Value, new_array};
use std::io;

pub(super) const FLAGS: &[(&str, u32)] = &[
    ("FTS_COMFOLLOW", FOLLOW_FIRST),
    ("FTS_LOGICAL", LOGICAL),
    ("FTS_NOCHDIR", 4),
    ("FTS_PHYSICAL", PHYSICAL),
    ("FTS_SEEDOT", SEE_DOTS),
    ("FTS_XDEV", ONE_DEVICE),
    ("FTS_SKIP", SKIP),
];

const FOLLOW_FIRST: u32 = 1;
const LOGICAL: u32 = 2;
const PHYSICAL: u32 = 16;
const SEE_DOTS: u32 = 32;
const ONE_DEVICE: u32 = 64;
const SKIP: u32 = 512;

impl Globals {
    pub(super) fn fts(
        &mut self,
        current: &mut CurrentRecord,
        paths: &ArrayRef,
        flags: &Value,
        tree: &ArrayRef,
    ) -> Value {
        let flags = current.number(flags) as i64 as u32;
        let pairs = paths.borrow().pairs();
        let has_arrays = pairs.iter().any(|(_, value)| value.is_array());
        let paths: Vec<Vec<u8>> = pairs.iter().map(|(_, value)| current.text_of(value)).collect();
        if matches!(flags & (LOGICAL | PHYSICAL), 0 | 18) || paths.is_empty() || has_arrays {
            return self.count_or_failure(current, Err(io::Error::from(Errno::INVAL).into()));
        }
        tree.borrow_mut().clear();
        if paths.iter().any(Vec::is_empty) {
            return self
                .count_or_failure(current, Err(Failure::from(io::Error::from(Errno::NOENT))));
        }
        for path in &paths {
            let mut walk = Walk { flags, device: None, above: Vec::new() };
            walk.visit(tree, last_part(path), path);
        }
        Value::Num(0.0)
    }
}

fn last_part(path: &[u8]) -> &[u8] {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(at) if path != b"/" => &path[at + 1..],
        _ => path,
    }
}

struct Walk {
    flags: u32,
    device: Option<u64>,
    above: Vec<(u64, u64)>,
}

impl Walk {
    fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    /// The depth is bounded by the length of a path: half of 4096 bytes.
    fn visit(&mut self, into: &ArrayRef, name: &[u8], at: &[u8]) {
        let is_first = self.above.is_empty();
        let follow = self.has(LOGICAL) || is_first && self.has(FOLLOW_FIRST);
        let known = match Facts::of_path(path(at), Symlinks::AsTheyAre) {
            Ok(link) if follow && link.is_symlink() => {
                Ok(Facts::of_path(path(at), Symlinks::Followed).unwrap_or(link))
            }
            known => known,
        };
        let known = match known {
            Ok(known) => known,
            Err(error) => return put(into, name, element(name, at, None, Some(&error))),
        };
        if !known.is_dir() {
            if known.is_file() || known.is_symlink() {
                put(into, name, element(name, at, Some(&known), None));
            }
            return;
        }
        let identity = known.identity();
        if self.above.contains(&identity) {
            // A cycle, for which gawk has no error text.
            return put(
                into,
                name,
                element(name, at, None, Some(&io::Error::from_raw_os_error(0))),
            );
        }
        let here = new_array();
        put(into, name, here.clone());
        let device = *self.device.get_or_insert(known.device);
        let stays_out =
            is_first && self.has(SKIP) || self.has(ONE_DEVICE) && device != known.device;
        if !stays_out {
            let entries = match std::fs::read_dir(path(at)) {
                Ok(entries) => entries,
                Err(error) => return put(&here, name, element(name, at, None, Some(&error))),
            };
            if self.has(SEE_DOTS) {
                let above = below(at, b"..");
                if let Ok(known) = Facts::of_path(path(&above), Symlinks::AsTheyAre) {
                    put(&here, b"..", element(b"..", &above, Some(&known), None));
                }
            }
            self.above.push(identity);
            for entry in entries.flatten() {
                let name = entry.file_name();
                self.visit(&here, name.as_bytes(), &below(at, name.as_bytes()));
            }
            self.above.pop();
        }
        put(&here, b".", element(name, at, Some(&known), None));
    }
}

fn below(directory: &[u8], name: &[u8]) -> Vec<u8> {
    let directory = directory.strip_suffix(b"/").unwrap_or(directory);
    [directory, b"/", name].concat()
}

fn put(into: &ArrayRef, name: &[u8], array: ArrayRef) {
    into.borrow_mut().set(Probe::from_text(name), Value::Array(array));
}

fn element(name: &[u8], at: &[u8], known: Option<&Facts>, error: Option<&io::Error>) -> ArrayRef {
    let array = new_array();
    array.borrow_mut().set(Probe::Text(b"path"), Value::from_text(at));
    if let Some(known) = known {
        let stat = new_array();
        fill(&mut stat.borrow_mut(), name, path(at), known);
        array.borrow_mut().set(Probe::Text(b"stat"), Value::Array(stat));
    }
    if let Some(error) = error {
        let reason = riverhawk_awkio::Reason(error).to_string();
        array.borrow_mut().set(Probe::Text(b"error"), Value::from_text(reason.as_bytes()));
    }
    array
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_called_by_what_stands_behind_its_last_slash() {
        for (path, expected) in
            [("a", "a"), ("a/b", "b"), ("/a", "a"), ("a/", ""), ("/", "/"), (".", ".")]
        {
            assert_eq!(last_part(path.as_bytes()), expected.as_bytes(), "{path}");
        }
    }

    #[test]
    fn what_is_below_a_directory_has_one_slash_between() {
        assert_eq!(below(b"a/", b"b"), b"a/b");
        assert_eq!(below(b"/", b"b"), b"/b");
        assert_eq!(below(b"a", b"b"), b"a/b");
    }
}
