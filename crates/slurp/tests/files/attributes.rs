//! What an atomic write keeps of the replaced file: mode, owner, extended attributes, access list,
//! links to it.

use crate::scratch::{Scratch, is_root};
use riverhawk_slurp::{Keep, Spew, prepend};
use rustix::fs::{Gid, Uid, XattrFlags, chown, getxattr, setxattr};
use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().mode() & 0o7777
}

fn xattr(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0; 4096];
    let length = getxattr(path, name, &mut value[..]).ok()?;
    value.truncate(length);
    Some(value)
}

/// Sets an attribute, or prints why the test is skipped.
fn can_set(path: &Path, name: &str, value: &[u8]) -> bool {
    match setxattr(path, name, value, XattrFlags::empty()) {
        Ok(()) => true,
        Err(error) => {
            println!("skipped: {name} cannot be set here: {error}");
            false
        }
    }
}

/// Owner rw, user 12345 rw, group and others r, mask rw, in the kernel's form.
fn access_list() -> Vec<u8> {
    let undefined = u32::MAX;
    let entries: [(u16, u16, u32); 5] = [
        (1, 6, undefined),
        (2, 6, 12345),
        (4, 4, undefined),
        (16, 6, undefined),
        (32, 4, undefined),
    ];
    let mut bytes = 2u32.to_le_bytes().to_vec();
    for (tag, permissions, id) in entries {
        bytes.extend(
            tag.to_le_bytes().into_iter().chain(permissions.to_le_bytes()).chain(id.to_le_bytes()),
        );
    }
    bytes
}

const ACCESS: &str = "system.posix_acl_access";

#[test]
fn every_mode_that_lets_the_writer_write_is_kept() {
    let scratch = Scratch::new();
    for wanted in [0o600, 0o644, 0o755, 0o666, 0o4755, 0o2750, 0o200 | 0o400] {
        let path = scratch.file("file", "old");
        std::fs::set_permissions(&path, Permissions::from_mode(wanted)).unwrap();
        Spew::new().atomic().write(&path, "new").unwrap();
        assert_eq!(mode(&path), wanted, "{wanted:o}");
        prepend(&path, "newer ").unwrap();
        assert_eq!(mode(&path), wanted, "{wanted:o}");
        assert_eq!(std::fs::read(&path).unwrap(), b"newer new");
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn nobody_reads_along_while_a_secret_file_is_replaced() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "old");
    std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    let mut seen = Vec::new();
    Spew::new()
        .atomic()
        .write_with(&path, |out| {
            out.write_all(b"new")?;
            out.flush()?;
            seen.extend(scratch.names().iter().map(|name| mode(&scratch.path().join(name))));
            Ok(())
        })
        .unwrap();
    assert_eq!(seen, [0o600, 0o600], "the temporary file and the old one");
}

#[test]
fn owner_and_group_are_kept() {
    if !is_root() {
        return println!("skipped: only root gives files away");
    }
    let scratch = Scratch::new();
    let path = scratch.file("file", "old");
    std::fs::set_permissions(&path, Permissions::from_mode(0o6755)).unwrap();
    for keep in [Keep::Must, Keep::Try] {
        chown(&path, Some(Uid::from_raw(12_345)), Some(Gid::from_raw(23_456))).unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o6755)).unwrap();
        Spew::new().atomic().keep(keep).write(&path, "new").unwrap();
        let metadata = std::fs::metadata(&path).unwrap();
        assert_eq!(
            (metadata.uid(), metadata.gid(), metadata.mode() & 0o7777),
            (12_345, 23_456, 0o6755)
        );
    }
    Spew::new().atomic().keep(Keep::Nothing).write(&path, "new").unwrap();
    let metadata = std::fs::metadata(&path).unwrap();
    assert_eq!((metadata.uid(), metadata.gid()), (0, 0));
}

#[test]
fn extended_attributes_are_kept_and_large_ones_too() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "old");
    if !can_set(&path, "user.origin", b"here") {
        return;
    }
    // Longer than the first buffer.
    let names: Vec<String> =
        (0..30).map(|number| format!("user.{number}.{}", "n".repeat(40))).collect();
    let all_set = names.iter().all(|name| can_set(&path, name, name.as_bytes()));
    let large_set = can_set(&path, "user.large", &[7; 1500]);
    prepend(&path, "new ").unwrap();
    assert_eq!(xattr(&path, "user.origin").as_deref(), Some(&b"here"[..]));
    assert!(
        !all_set || names.iter().all(|name| xattr(&path, name).as_deref() == Some(name.as_bytes()))
    );
    assert!(!large_set || xattr(&path, "user.large") == Some(vec![7; 1500]));
    Spew::new().atomic().keep(Keep::Nothing).write(&path, "new").unwrap();
    assert_eq!(xattr(&path, "user.origin"), None);
}

#[test]
fn the_access_list_is_kept_and_one_given_by_the_directory_does_not_widen_access() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "old");
    if !can_set(&path, ACCESS, &access_list()) {
        return;
    }
    let before = mode(&path);
    prepend(&path, "new ").unwrap();
    assert_eq!(xattr(&path, ACCESS), Some(access_list()));
    assert_eq!(mode(&path), before);

    // Files created here get a list; one that replaces a file without must not.
    let plain = scratch.file("plain", "old");
    std::fs::set_permissions(&plain, Permissions::from_mode(0o640)).unwrap();
    setxattr(scratch.path(), "system.posix_acl_default", &access_list(), XattrFlags::empty())
        .unwrap();
    prepend(&plain, "new ").unwrap();
    assert_eq!(xattr(&plain, ACCESS), None);
    assert_eq!(mode(&plain), 0o640);
    Spew::new().atomic().perms(0o660).write(&plain, "newest").unwrap();
    assert!(xattr(&plain, ACCESS).is_some());
}

#[test]
fn links_lead_to_the_same_file_as_before() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.join("deep")).unwrap();
    let file = scratch.file("deep/file", "old");
    symlink("deep/file", scratch.join("relative")).unwrap();
    symlink(scratch.join("relative"), scratch.join("deep/absolute")).unwrap();
    symlink("../relative", scratch.join("deep/back")).unwrap();
    for name in ["relative", "deep/absolute", "deep/back"] {
        let link = scratch.join(name);
        prepend(&link, "x").unwrap();
        assert!(link.is_symlink());
    }
    assert_eq!(std::fs::read(&file).unwrap(), b"xxxold");
    // A dangling link leads to the new file.
    symlink("deep/new", scratch.join("dangling")).unwrap();
    Spew::new().atomic().write(scratch.join("dangling"), "new").unwrap();
    assert!(scratch.join("dangling").is_symlink());
    assert_eq!(std::fs::read(scratch.join("deep/new")).unwrap(), b"new");
}

#[test]
fn an_open_file_found_through_proc_is_replaced_under_its_real_name_or_refused() {
    use std::os::fd::AsRawFd;
    let scratch = Scratch::new();
    let path = scratch.file("file", "old");
    let open = std::fs::File::open(&path).unwrap();
    let through = format!("/proc/self/fd/{}", open.as_raw_fd());
    if !Path::new(&through).exists() {
        return println!("skipped: no /proc/self/fd here");
    }
    Spew::new().atomic().write(&through, "new").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"new");
    let error = Spew::new().atomic().write(&through, "x").unwrap_err();
    assert_eq!(error.kind(), riverhawk_slurp::ErrorKind::NotARegularFile);
    assert_eq!(scratch.names(), ["file"]);
    let impostor = scratch.file("file (deleted)", "other");
    let error = Spew::new().atomic().write(&through, "x").unwrap_err();
    assert_eq!(error.kind(), riverhawk_slurp::ErrorKind::NotARegularFile);
    assert_eq!(std::fs::read(impostor).unwrap(), b"other");
}
