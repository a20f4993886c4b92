//! `file::stat`, with the element names of gawk's `filefuncs`.

use super::Failure;
use super::file::path;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use riverhawk_value::{Array, ArrayRef, Probe, Value};
use std::fs::{Metadata, read_link, symlink_metadata};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

const BLOCK: f64 = 512.0;

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
        let known =
            if follow { std::fs::metadata(path(name)) } else { symlink_metadata(path(name)) };
        let mut array = array.borrow_mut();
        array.clear();
        let known = known.map(|known| {
            fill(&mut array, name, path(name), &known);
            1
        });
        self.count_or_failure(current, known.map_err(Failure::from))
    }
}

pub(super) fn fill(array: &mut Array, name: &[u8], path: &Path, known: &Metadata) {
    array.set(Probe::Text(b"name"), Value::from_input(name));
    let mut number =
        |field: &str, number: f64| array.set(Probe::Text(field.as_bytes()), Value::Num(number));
    number("dev", known.dev() as f64);
    number("ino", known.ino() as f64);
    number("mode", f64::from(known.mode()));
    number("nlink", known.nlink() as f64);
    number("uid", f64::from(known.uid()));
    number("gid", f64::from(known.gid()));
    number("size", known.size() as f64);
    number("blocks", known.blocks() as f64);
    number("blksize", known.blksize() as f64);
    number("devbsize", BLOCK);
    number("atime", known.atime() as f64);
    number("mtime", known.mtime() as f64);
    number("ctime", known.ctime() as f64);
    let kind = known.mode() & libc::S_IFMT;
    if kind == libc::S_IFBLK || kind == libc::S_IFCHR {
        number("rdev", known.rdev() as f64);
        number("major", f64::from(libc::major(known.rdev())));
        number("minor", f64::from(libc::minor(known.rdev())));
    }
    if kind == libc::S_IFLNK
        && let Ok(target) = read_link(path)
    {
        array.set(Probe::Text(b"linkval"), Value::from_input(target.as_os_str().as_bytes()));
    }
    array.set(Probe::Text(b"type"), Value::from_text(type_name(kind).as_bytes()));
    array.set(Probe::Text(b"pmode"), Value::from_text(&permissions(known.mode())));
}

fn type_name(kind: u32) -> &'static str {
    match kind {
        libc::S_IFREG => "file",
        libc::S_IFDIR => "directory",
        libc::S_IFLNK => "symlink",
        libc::S_IFIFO => "fifo",
        libc::S_IFSOCK => "socket",
        libc::S_IFCHR => "chardev",
        libc::S_IFBLK => "blockdev",
        _ => "unknown",
    }
}

fn permissions(mode: u32) -> [u8; 10] {
    let kind = match mode & libc::S_IFMT {
        libc::S_IFREG => b'-',
        libc::S_IFDIR => b'd',
        libc::S_IFLNK => b'l',
        libc::S_IFIFO => b'p',
        libc::S_IFSOCK => b's',
        libc::S_IFCHR => b'c',
        libc::S_IFBLK => b'b',
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
        bit(libc::S_IRUSR, b'r'),
        bit(libc::S_IWUSR, b'w'),
        executes(libc::S_IXUSR, libc::S_ISUID, b's'),
        bit(libc::S_IRGRP, b'r'),
        bit(libc::S_IWGRP, b'w'),
        executes(libc::S_IXGRP, libc::S_ISGID, b's'),
        bit(libc::S_IROTH, b'r'),
        bit(libc::S_IWOTH, b'w'),
        executes(libc::S_IXOTH, libc::S_ISVTX, b't'),
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
            libc::S_IFREG,
            libc::S_IFDIR,
            libc::S_IFLNK,
            libc::S_IFIFO,
            libc::S_IFSOCK,
            libc::S_IFCHR,
            libc::S_IFBLK,
            0,
        ];
        let names =
            ["file", "directory", "symlink", "fifo", "socket", "chardev", "blockdev", "unknown"];
        assert_eq!(types.map(type_name), names);
    }
}
