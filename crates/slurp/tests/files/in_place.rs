//! Overwriting in place: same inode, exactly the new content, and created files.

use crate::scratch::{Scratch, both_spews};
use riverhawk_slurp::{ErrorKind, Spew, append, edit, write};
use std::os::unix::fs::MetadataExt;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn a_shorter_text_after_a_longer_one_is_all_there_is() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "x".repeat(100_000));
    let inode = std::fs::metadata(&path).unwrap().ino();
    for length in [99_999, 4_097, 4_096, 1, 0, 5] {
        let text = "y".repeat(length);
        write(&path, &text).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        Spew::new().write_with(&path, |out| out.write_all(&text.as_bytes()[length / 2..])).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().len() as usize, length - length / 2);
    }
    assert_eq!(std::fs::metadata(&path).unwrap().ino(), inode);
}

#[test]
fn in_place_all_hard_links_see_the_change_and_atomically_only_the_named_one() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "old");
    let other = scratch.join("other");
    std::fs::hard_link(&path, &other).unwrap();
    write(&path, "new").unwrap();
    assert_eq!(std::fs::read(&other).unwrap(), b"new");
    Spew::new().in_place().edit(&path, |text| text.extend(b"er")).unwrap();
    assert_eq!(std::fs::read(&other).unwrap(), b"newer");
    edit(&path, |text| text.extend(b" still")).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"newer still");
    assert_eq!(std::fs::read(&other).unwrap(), b"newer");
}

#[test]
fn appending_nothing_changes_nothing() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "content");
    append(&path, "").unwrap();
    Spew::new().atomic().append(&path, "").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"content");
    append(scratch.join("new"), "").unwrap();
    assert_eq!(std::fs::read(scratch.join("new")).unwrap(), b"");
}

#[test]
fn an_edit_that_changes_nothing_writes_only_if_asked_to() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "content\n");
    let inode = || std::fs::metadata(&path).unwrap().ino();
    let before = inode();
    assert!(!edit(&path, |_| ()).unwrap());
    assert!(!Spew::new().edit_lines(&path, |_| ()).unwrap());
    Spew::new().prepend(&path, "").unwrap();
    assert_eq!(inode(), before);
    assert!(Spew::new().write_unchanged().edit(&path, |_| ()).unwrap());
    assert_ne!(inode(), before);
}

#[test]
fn a_panic_in_an_edit_leaves_the_file_and_its_directory_alone() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "content");
    for (_, spew) in both_spews() {
        let text = AssertUnwindSafe(|| spew.edit(&path, |_| panic!("on purpose")));
        assert!(catch_unwind(text).is_err());
        let lines = AssertUnwindSafe(|| spew.edit_lines(&path, |_| panic!("on purpose")));
        assert!(catch_unwind(lines).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"content");
        assert_eq!(scratch.names(), ["file"]);
    }
}

#[test]
fn lines_of_appending_writers_do_not_mix() {
    let scratch = Scratch::new();
    let path = scratch.join("log");
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let path = &path;
            scope.spawn(move || {
                for number in 0..100 {
                    append(path, format!("{writer} {number} {}\n", "x".repeat(50 + writer)))
                        .unwrap();
                }
            });
        }
    });
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 400);
    assert!(text.lines().all(|line| {
        let writer: usize = line[..1].parse().unwrap();
        line.ends_with(&format!(" {}", "x".repeat(50 + writer)))
    }));
}

#[test]
fn a_path_with_a_nul_or_none_at_all_is_an_error_not_a_panic() {
    for path in ["", "a\0b", "/", "..", "."] {
        for (name, spew) in both_spews() {
            let error = spew.write(path, "x").unwrap_err();
            let expected: &[ErrorKind] = match path {
                "" => &[ErrorKind::NotFound],
                "a\0b" => &[ErrorKind::Other],
                _ => &[ErrorKind::IsADirectory],
            };
            assert!(expected.contains(&error.kind()), "{path:?} {name}: {error:?}");
        }
    }
}
