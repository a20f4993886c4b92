//! Permissions of created files, under every umask, and files without read or write permission.

use crate::scratch::{Scratch, again, both_spews, is_root, role};
use riverhawk_slurp::{ErrorKind, Keep, Spew, Step, append, edit, prepend, read, read_dir, write};
use rustix::fs::Mode;
use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;

/// An unprivileged user.
const SOMEBODY: u32 = 12_345;

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().mode() & 0o7777
}

#[test]
fn created_files_have_the_permissions_asked_for_less_the_umask() {
    // The umask belongs to the process.
    let Some(directory) = role() else {
        let scratch = Scratch::new();
        let test = "permissions::created_files_have_the_permissions_asked_for_less_the_umask";
        let output = again(test, scratch.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        return;
    };
    let path = directory.join("file");
    for umask in [0o000, 0o022, 0o027, 0o077, 0o777] {
        rustix::process::umask(Mode::from_raw_mode(umask));
        for perms in
            [None, Some(0o600), Some(0o640), Some(0o666), Some(0o755), Some(0o777), Some(0o400)]
        {
            for (name, spew) in both_spews() {
                let mut spew = spew.create();
                if let Some(perms) = perms {
                    spew = spew.perms(perms);
                }
                let expected = perms.unwrap_or(0o666) & !umask;
                let context = format!("umask {umask:o}, perms {perms:?}, {name}");
                for function in 0..4 {
                    match function {
                        0 => spew.write(&path, "x").unwrap(),
                        1 => spew.append(&path, "x").unwrap(),
                        2 => spew.prepend(&path, "x").unwrap(),
                        _ => assert!(spew.edit(&path, |text| text.push(b'x')).unwrap()),
                    }
                    assert_eq!(mode(&path), expected, "{context}, function {function}");
                    std::fs::remove_file(&path).unwrap();
                }
                std::fs::write(&path, "old").unwrap();
                std::fs::set_permissions(&path, Permissions::from_mode(0o604)).unwrap();
                spew.write(&path, "new").unwrap();
                assert_eq!(
                    mode(&path),
                    if name == "atomic" && perms.is_some() { expected } else { 0o604 },
                    "{context}"
                );
                std::fs::remove_file(&path).unwrap();
            }
        }
    }
}

#[test]
fn what_may_not_be_read_or_written_is_refused_and_left_alone() {
    if let Some(directory) = role() {
        return check_refusals(&directory);
    }
    let scratch = Scratch::new();
    for (name, mode) in [("secret", 0o000), ("protected", 0o444), ("write-only", 0o222)] {
        let path = scratch.file(name, "old");
        std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    for (name, mode) in [("closed", 0o000), ("no-entry", 0o555)] {
        std::fs::create_dir(scratch.join(name)).unwrap();
        scratch.file(&format!("{name}/file"), "old");
        std::fs::set_permissions(scratch.join(name), Permissions::from_mode(mode)).unwrap();
    }
    if !is_root() {
        return check_refusals(scratch.path());
    }
    // Root has every permission: change the user.
    for path in ["", "secret", "protected", "write-only", "closed", "no-entry", "no-entry/file"] {
        std::os::unix::fs::chown(scratch.join(path), Some(SOMEBODY), Some(SOMEBODY)).unwrap();
    }
    // For a writer of a file that belongs to root.
    std::fs::set_permissions(scratch.file("foreign", "old"), Permissions::from_mode(0o676))
        .unwrap();
    let test = "permissions::what_may_not_be_read_or_written_is_refused_and_left_alone";
    match again(test, scratch.path()).uid(SOMEBODY).gid(SOMEBODY).stdout(Stdio::null()).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr))
        }
        Err(error) => println!("skipped: nobody else may run this program: {error}"),
    }
}

fn check_refusals(directory: &Path) {
    let refused = |error: riverhawk_slurp::Error| {
        assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}")
    };
    let atomic = Spew::new().atomic();
    refused(read(directory.join("secret")).unwrap_err());
    refused(read_dir(directory.join("closed")).unwrap_err());
    refused(read(directory.join("closed/file")).unwrap_err());
    refused(write(directory.join("closed/file"), "new").unwrap_err());
    for name in ["secret", "protected"] {
        let path = directory.join(name);
        refused(write(&path, "new").unwrap_err());
        refused(append(&path, "new").unwrap_err());
        refused(prepend(&path, "new").unwrap_err());
        refused(edit(&path, |text| text.push(b'x')).unwrap_err());
        // A protected file is not replaced.
        refused(atomic.write(&path, "new").unwrap_err());
    }
    assert_eq!(read(directory.join("protected")).unwrap(), b"old");
    // No new file may be made here.
    let path = directory.join("no-entry/file");
    refused(atomic.write(&path, "new").unwrap_err());
    assert_eq!(read(&path).unwrap(), b"old");
    write(&path, "new").unwrap();
    assert_eq!(read(&path).unwrap(), b"new");
    let path = directory.join("write-only");
    write(&path, "new").unwrap();
    refused(read(&path).unwrap_err());
    refused(edit(&path, |text| text.push(b'x')).unwrap_err());
    if directory.join("foreign").exists() {
        check_foreign(&directory.join("foreign"));
        std::fs::remove_file(directory.join("foreign")).unwrap();
    }
    let mut names: Vec<_> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["closed", "no-entry", "protected", "secret", "write-only"]);
}

/// A file of root that all may write: its owner cannot be kept.
fn check_foreign(path: &Path) {
    let atomic = Spew::new().atomic();
    let error = atomic.write(path, "new").unwrap_err();
    assert_eq!((error.kind(), error.step()), (ErrorKind::PermissionDenied, Step::KeepOwner));
    assert_eq!(read(path).unwrap(), b"old");
    write(path, "new").unwrap();
    // Another group gets only the permissions of others.
    atomic.keep(Keep::Try).write(path, "newer").unwrap();
    let metadata = std::fs::metadata(path).unwrap();
    assert_eq!((metadata.uid(), metadata.mode() & 0o7777), (SOMEBODY, 0o666));
}
