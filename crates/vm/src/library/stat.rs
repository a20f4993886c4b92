//! `file::stat`, with the element names of gawk's `filefuncs`.

use super::Failure;
use super::file::path;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use riverhawk_system::names::OsStrExt;
use riverhawk_system::{Facts, Symlinks};
use riverhawk_value::{Array, ArrayRef, Probe, Value};
use std::fs::read_link;
use std::path::Path;

const BLOCK: f64 = 512.0;

/// The bits of a file's mode, which all Unix systems share; libc's types of them differ.
mod mode {
    pub(super) const S_IFMT: u32 = 0o170_000;
    pub(super) const S_IFIFO: u32 = 0o010_000;
    pub(super) const S_IFCHR: u32 = 0o020_000;
    pub(super) const S_IFDIR: u32 = 0o040_000;
    pub(super) const S_IFBLK: u32 = 0o060_000;
    pub(super) const S_IFREG: u32 = 0o100_000;
    pub(super) const S_IFLNK: u32 = 0o120_000;
    pub(super) const S_IFSOCK: u32 = 0o140_000;
    pub(super) const S_ISUID: u32 = 0o4000;
    pub(super) const S_ISGID: u32 = 0o2000;
    pub(super) const S_ISVTX: u32 = 0o1000;
    pub(super) const S_IRUSR: u32 = 0o400;
    pub(super) const S_IWUSR: u32 = 0o200;
    pub(super) const S_IXUSR: u32 = 0o100;
    pub(super) const S_IRGRP: u32 = 0o040;
    pub(super) const S_IWGRP: u32 = 0o020;
    pub(super) const S_IXGRP: u32 = 0o010;
    pub(super) const S_IROTH: u32 = 0o004;
    pub(super) const S_IWOTH: u32 = 0o002;
    pub(super) const S_IXOTH: u32 = 0o001;
}

impl Globals {
    pub(super) fn file_stat(
        &mut self,
        current: &mut CurrentRecord,
        name: &Value,
        array: &ArrayRef,
        follow: Option<&Value>,
    ) -> Value {
        let follow = follow.is_some_and(|follow| follow.truth(current.record.text()));
        let mut scratch = Vec::new();
        let name = current.bytes(name, &mut scratch);
        let links = if follow { Symlinks::Followed } else { Symlinks::AsTheyAre };
        let known = Facts::of_path(path(name), links);
        let mut array = array.borrow_mut();
        array.clear();
        let known = known.map(|known| {
            fill(&mut array, name, path(name), &known);
            1
        });
        self.count_or_failure(current, known.map_err(Failure::from))
    }
}

pub(super) fn fill(array: &mut Array, name: &[u8], path: &Path, known: &Facts) {
    array.set(Probe::Text(b"name"), Value::from_input(name));
    let mut number =
        |field: &str, number: f64| array.set(Probe::Text(field.as_bytes()), Value::Num(number));
    number("dev", known.device as f64);
    number("ino", known.inode as f64);
    number("mode", f64::from(known.mode));
    number("nlink", known.links as f64);
    number("uid", f64::from(known.user));
    number("gid", f64::from(known.group));
    number("size", known.size as f64);
    number("blocks", known.blocks as f64);
    number("blksize", known.block_size as f64);
    number("devbsize", BLOCK);
    number("atime", known.accessed as f64);
    number("mtime", known.modified as f64);
    number("ctime", known.changed as f64);
    let kind = known.mode & mode::S_IFMT;
    if kind == mode::S_IFBLK || kind == mode::S_IFCHR {
        number("rdev", known.special as f64);
        let (major, minor) = crate::system::device_parts(known.special);
        number("major", major);
        number("minor", minor);
    }
    if kind == mode::S_IFLNK
        && let Ok(target) = read_link(path)
    {
        array.set(Probe::Text(b"linkval"), Value::from_input(target.as_os_str().as_bytes()));
    }
    array.set(Probe::Text(b"type"), Value::from_text(type_name(kind).as_bytes()));
    array.set(Probe::Text(b"pmode"), Value::from_text(&permissions(known.mode)));
}

fn type_name(kind: u32) -> &'static str {
    match kind {
        mode::S_IFREG => "file",
        mode::S_IFDIR => "directory",
        mode::S_IFLNK => "symlink",
        mode::S_IFIFO => "fifo",
        mode::S_IFSOCK => "socket",
        mode::S_IFCHR => "chardev",
        mode::S_IFBLK => "blockdev",
        _ => "unknown",
    }
}

fn permissions(mode: u32) -> [u8; 10] {
    let kind = match mode & mode::S_IFMT {
        mode::S_IFREG => b'-',
        mode::S_IFDIR => b'd',
        mode::S_IFLNK => b'l',
        mode::S_IFIFO => b'p',
        mode::S_IFSOCK => b's',
        mode::S_IFCHR => b'c',
        mode::S_IFBLK => b'b',
        _ => b'?',
    };
    let bit = |bit: u32, letter: u8| if mode & bit != 0 { letter } else { b'-' };
    // The special bits replace the letter of the executable bit.
    let executes = |bit: u32, special: u32, letter: u8| match (mode & bit != 0, mode & special != 0)
    {
        (true, true) => letter,
        (false, true) => letter.to_ascii_uppercase(),
        (true, false) => b'x',
        (false, false) => b'-',
    };
    [
        kind,
        bit(mode::S_IRUSR, b'r'),
        bit(mode::S_IWUSR, b'w'),
        executes(mode::S_IXUSR, mode::S_ISUID, b's'),
        bit(mode::S_IRGRP, b'r'),
        bit(mode::S_IWGRP, b'w'),
        executes(mode::S_IXGRP, mode::S_ISGID, b's'),
        bit(mode::S_IROTH, b'r'),
        bit(mode::S_IWOTH, b'w'),
        executes(mode::S_IXOTH, mode::S_ISVTX, b't'),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_are_shown_as_ls_shows_them() {
        for (mode, shown) in [
            (0o100644, "-rw-r--r--"),
            (0o040755, "drwxr-xr-x"),
            (0o041777, "drwxrwxrwt"),
            (0o041776, "drwxrwxrwT"),
            (0o104755, "-rwsr-xr-x"),
            (0o106644, "-rwSr-Sr--"),
            (0o102755, "-rwxr-sr-x"),
            (0o120777, "lrwxrwxrwx"),
            (0o010000, "p---------"),
            (0o140000, "s---------"),
            (0o020666, "crw-rw-rw-"),
            (0o060660, "brw-rw----"),
            (0o000000, "?---------"),
        ] {
            assert_eq!(String::from_utf8_lossy(&permissions(mode)), shown, "{mode:o}");
        }
    }

    #[test]
    fn every_type_of_file_has_the_name_that_gawk_gives_it() {
        let types = [
            mode::S_IFREG,
            mode::S_IFDIR,
            mode::S_IFLNK,
            mode::S_IFIFO,
            mode::S_IFSOCK,
            mode::S_IFCHR,
            mode::S_IFBLK,
            0,
        ];
        let names =
            ["file", "directory", "symlink", "fifo", "socket", "chardev", "blockdev", "unknown"];
        assert_eq!(types.map(type_name), names);
    }
}
