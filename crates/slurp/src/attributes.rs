//! What a replaced file hands on to the file that takes its place: owner, extended attributes and
//! access lists, mode.

use crate::error::{Failure, Step, during};
use rustix::fd::BorrowedFd;
use rustix::fs::{Gid, Mode, Stat, Uid, XattrFlags, fchmod, fchown};
use rustix::io::{Errno, retry_on_intr};
use std::collections::BTreeMap;
use std::ffi::CString;
use std::path::Path;

/// Whether an atomic write keeps owner, group, extended attributes and access lists of the file it
/// replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// All of it, or the write fails and the old file stays: nobody's access changes unnoticed.
    #[default]
    Must,
    /// As much as the system allows. Where the group cannot be kept, the new group gets no more
    /// than everybody.
    Try,
    /// Nothing: the new file is the writer's, as if the old one had been removed first. The mode is
    /// still kept.
    Nothing,
}

/// Attributes that describe the old content, or are given by the system: copying them would be a
/// lie. The kernel, too, takes capabilities from a file that is written to.
const NOT_COPIED: [&[u8]; 5] = [
    b"security.capability",
    b"security.ima",
    b"security.evm",
    b"security.selinux",
    b"system.nfs4_acl",
];

/// Gives `new` what `old` (found at `old_path`) has. If `new` was `given` permissions it
/// keeps them, and its access list.
///
/// Owner first, since a change of owner takes away setuid; then the access list, which also changes
/// the group's bits of the mode; then the mode, which sets them right.
pub(crate) fn hand_on(
    new: BorrowedFd<'_>,
    old: &Stat,
    old_path: &Path,
    keep: Keep,
    given: Option<u32>,
) -> Result<(), Failure> {
    let keep_mode = given.is_none();
    let mut mode = old.st_mode & 0o7777;
    if keep != Keep::Nothing {
        mode = hand_on_owner(new, old, keep, mode)?;
        let result = hand_on_xattrs(new, old_path, keep_mode);
        if keep == Keep::Must {
            result.map_err(during(Step::KeepAttributes))?;
        }
    }
    if keep_mode {
        retry_on_intr(|| fchmod(new, Mode::from_raw_mode(mode)))
            .map_err(during(Step::KeepPermissions))?;
    }
    Ok(())
}

/// Returns the mode that suits the owner and group that the file has in the end.
fn hand_on_owner(file: BorrowedFd<'_>, old: &Stat, keep: Keep, mode: u32) -> Result<u32, Failure> {
    let new = crate::open::stat_open(file)?;
    let owner = (new.st_uid != old.st_uid).then(|| Uid::from_raw(old.st_uid));
    let group = (new.st_gid != old.st_gid).then(|| Gid::from_raw(old.st_gid));
    if owner.is_none() && group.is_none() {
        return Ok(mode);
    }
    match retry_on_intr(|| fchown(file, owner, group)) {
        Ok(()) => return Ok(mode),
        Err(error) if keep == Keep::Must => return Err(during(Step::KeepOwner)(error)),
        Err(_) => {}
    }
    // The owner is often not ours to give away, but the group is. Programs must not run as somebody
    // else now.
    let mode = mode & !0o6000;
    if group.is_none() || retry_on_intr(|| fchown(file, None, group)).is_ok() {
        return Ok(mode);
    }
    Ok(mode & (!0o070 | (mode & 0o007) << 3))
}

/// Makes the copied attributes of `new` exactly those of the file at `old_path`: also those go that
/// `new` only has because its directory gives an access list to new files.
fn hand_on_xattrs(
    new: BorrowedFd<'_>,
    old_path: &Path,
    with_access_list: bool,
) -> Result<(), Errno> {
    let is_ours = |name: &[u8]| {
        !NOT_COPIED.contains(&name) && (with_access_list || name != b"system.posix_acl_access")
    };
    let wanted = match read_xattrs(old_path, is_ours) {
        // The file system has none.
        Err(Errno::NOTSUP | Errno::NOSYS) => return Ok(()),
        wanted => wanted?,
    };
    for name in names(|buffer| rustix::fs::flistxattr(new, buffer))? {
        if is_ours(name.as_bytes()) && !wanted.contains_key(&name) {
            rustix::fs::fremovexattr(new, &name)?;
        }
    }
    for (name, value) in &wanted {
        match rustix::fs::fsetxattr(new, name, value, XattrFlags::empty()) {
            // `trusted` and `security` belong to the system; who may not set them could not have
            // set them before.
            Err(Errno::PERM | Errno::ACCESS | Errno::NOTSUP)
                if name.as_bytes().starts_with(b"trusted.")
                    || name.as_bytes().starts_with(b"security.") => {}
            result => result?,
        }
    }
    Ok(())
}

fn read_xattrs(
    path: &Path,
    is_wanted: impl Fn(&[u8]) -> bool,
) -> Result<BTreeMap<CString, Vec<u8>>, Errno> {
    let mut xattrs = BTreeMap::new();
    for name in names(|buffer| rustix::fs::listxattr(path, buffer))? {
        if !is_wanted(name.as_bytes()) {
            continue;
        }
        match grown(|buffer| rustix::fs::getxattr(path, &name, buffer)) {
            // Removed since the list was read.
            Err(Errno::NODATA) => {}
            value => drop(xattrs.insert(name, value?)),
        }
    }
    Ok(xattrs)
}

/// The names in a list of attributes, which are separated by NUL.
fn names(list: impl FnMut(&mut [u8]) -> Result<usize, Errno>) -> Result<Vec<CString>, Errno> {
    let list = grown(list)?;
    let names = list.split(|&byte| byte == 0).filter(|name| !name.is_empty());
    Ok(names.filter_map(|name| CString::new(name).ok()).collect())
}

/// Asks with a larger and larger buffer until the answer fits. Linux allows 64 KiB.
fn grown(mut ask: impl FnMut(&mut [u8]) -> Result<usize, Errno>) -> Result<Vec<u8>, Errno> {
    let mut buffer = vec![0; 1024];
    loop {
        match ask(&mut buffer) {
            Err(Errno::RANGE) if buffer.len() < 1 << 20 => buffer.resize(buffer.len() * 4, 0),
            length => {
                buffer.truncate(length?);
                return Ok(buffer);
            }
        }
    }
}
