//! Bugs of Perl's File::Slurp, as tests.

use crate::scratch::Scratch;
use riverhawk_slurp::{ErrorKind, ErrorMode, ReadDir, Separator, Settle, Slurp, Spew, prepend};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

#[test]
fn prepending_keeps_what_was_there() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "existing\n");
    prepend(&path, ["one\n", "two\n"].concat()).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"one\ntwo\nexisting\n");
}

#[test]
fn prepend_and_edits_honour_every_option() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "a\nb\n");
    let inode = || std::fs::metadata(&path).unwrap().ino();
    let before = inode();
    let in_place = Spew::new().in_place().chomp();
    in_place.prepend(&path, "0\n").unwrap();
    assert!(in_place.edit(&path, |text| text.extend(b"c\n")).unwrap());
    assert!(in_place.edit_lines(&path, |line| line.push(b';')).unwrap());
    assert_eq!(std::fs::read(&path).unwrap(), b"0;\na;\nb;\nc;\n");
    assert_eq!(inode(), before);

    let atomic = Spew::new().perms(0o400);
    atomic.prepend(&path, "x").unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, 0o400);
    let new = scratch.join("new");
    Spew::new().create().prepend(&new, "made").unwrap();
    assert_eq!(std::fs::read(&new).unwrap(), b"made");
    for result in [
        Spew::new().no_clobber().prepend(&new, "x").map(|()| true),
        Spew::new().no_clobber().edit(&new, |text| text.clear()),
        Spew::new().no_clobber().edit_lines(&new, |line| line.clear()),
    ] {
        assert_eq!(result.unwrap_err().kind(), ErrorKind::AlreadyExists);
    }
    assert_eq!(std::fs::read(&new).unwrap(), b"made");
}

#[test]
fn the_quiet_answer_for_a_missing_file_is_not_that_for_an_empty_one() {
    let scratch = Scratch::new();
    let empty = scratch.file("empty", "");
    for mode in [ErrorMode::Warn, ErrorMode::Return] {
        let slurp = Slurp::new().warn_with(|_| ()).errors(mode);
        let lines =
            |path: &Path| slurp.read_lines(path).settle().unwrap().map(|lines| lines.to_vec());
        assert_eq!(lines(&scratch.join("missing")), None);
        assert_eq!(lines(&empty), Some(Vec::new()));
    }
}

#[test]
fn a_full_stop_separates_at_full_stops_and_no_separator_nowhere() {
    let cut = |separator: Option<&str>| {
        let slurp = Slurp::new().separator(Separator::from(separator));
        slurp.read_lines_from("memory", &b"a.b.c"[..]).unwrap().to_vec()
    };
    assert_eq!(cut(Some(".")), [b"a", b"b", b"c"]);
    assert_eq!(cut(None), [b"a.b.c"]);
}

#[test]
fn names_of_a_directory_come_with_all_options() {
    let scratch = Scratch::new();
    for name in ["b", "a", ".hidden", "c d"] {
        scratch.file(name, "");
    }
    let sorted = ReadDir::new().sorted();
    let names = |options: &ReadDir| options.read(scratch.path()).unwrap();
    assert_eq!(names(&sorted), [".hidden", "a", "b", "c d"].map(Path::new));
    assert_eq!(
        names(&sorted.clone().keep_dots()),
        [".", "..", ".hidden", "a", "b", "c d"].map(Path::new)
    );
    assert_eq!(
        names(&sorted.clone().prefix()),
        [".hidden", "a", "b", "c d"].map(|name| scratch.join(name)).as_slice()
    );
    let mut unsorted = names(&ReadDir::new());
    unsorted.sort();
    assert_eq!(unsorted, names(&sorted));
}
