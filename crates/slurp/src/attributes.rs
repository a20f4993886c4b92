//! What a replacement keeps of the old file: owner, extended attributes, access lists, mode.

use crate::error::{Failure, Step, during};
use riverhawk_system::fd::BorrowedFd;
use riverhawk_system::fs::{
    Gid, HAS_PERMISSIONS, Mode, NO_ATTRIBUTE, RawMode, Stat, Uid, XattrFlags, fchmod, fchown,
};
use riverhawk_system::io::{Errno, retry_on_intr};
use std::collections::BTreeMap;
use std::ffi::CString;
use std::path::Path;

/// What an atomic write keeps of the old file's owner, group, extended attributes and access lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// Everything, or the write fails.
    #[default]
    Must,
    /// As much as the system allows. If the group cannot be kept, the new group gets only the
    /// permissions of others.
    Try,
    /// Only the mode: the new file is the writer's.
    Nothing,
}

/// Attributes of the old content, or of the system. The kernel also removes capabilities from a
/// written file.
const NOT_COPIED: [&[u8]; 5] = [
    b"security.capability",
    b"security.ima",
    b"security.evm",
    b"security.selinux",
    b"system.nfs4_acl",
];

/// Those of a new file, before the umask. Asking for some fails where files have none.
pub(crate) fn permissions(asked: Option<u32>, otherwise: u32) -> Result<Mode, Failure> {
    if asked.is_some() && !HAS_PERMISSIONS {
        return Err(during(Step::SetPermissions)(Errno::NOTSUP));
    }
    Ok(Mode::from_raw_mode(asked.unwrap_or(otherwise) as RawMode))
}

/// Copies the attributes of `old`, at `old_path`, to `new`. If `new` was `given` permissions it
/// keeps them and its access list.
///
/// Owner first, which clears setuid; then the access list, which changes the group's bits; then the
/// mode.
pub(crate) fn hand_on(
    new: BorrowedFd<'_>,
    old: &Stat,
    old_path: &Path,
    keep: Keep,
    given: Option<u32>,
) -> Result<(), Failure> {
    if !HAS_PERMISSIONS {
        return Ok(());
    }
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

fn hand_on_owner(
    file: BorrowedFd<'_>,
    old: &Stat,
    keep: Keep,
    mode: RawMode,
) -> Result<RawMode, Failure> {
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
    // The group may still be settable. Programs must not run as another user.
    let mode = mode & !0o6000;
    if group.is_none() || retry_on_intr(|| fchown(file, None, group)).is_ok() {
        return Ok(mode);
    }
    Ok(mode & (!0o070 | (mode & 0o007) << 3))
}

/// Copies attributes from the file at `old_path`, and removes those that `new` inherited from its
/// directory.
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
    for name in names(|buffer| riverhawk_system::fs::flistxattr(new, buffer))? {
        if is_ours(name.as_bytes()) && !wanted.contains_key(&name) {
            riverhawk_system::fs::fremovexattr(new, &name)?;
        }
    }
    for (name, value) in &wanted {
        match riverhawk_system::fs::fsetxattr(new, name, value, XattrFlags::empty()) {
            // These belong to the system.
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
    for name in names(|buffer| riverhawk_system::fs::listxattr(path, buffer))? {
        if !is_wanted(name.as_bytes()) {
            continue;
        }
        match grown(|buffer| riverhawk_system::fs::getxattr(path, &name, buffer)) {
            Err(NO_ATTRIBUTE) => {}
            value => drop(xattrs.insert(name, value?)),
        }
    }
    Ok(xattrs)
}

fn names(list: impl FnMut(&mut [u8]) -> Result<usize, Errno>) -> Result<Vec<CString>, Errno> {
    let list = grown(list)?;
    let names = list.split(|&byte| byte == 0).filter(|name| !name.is_empty());
    Ok(names.filter_map(|name| CString::new(name).ok()).collect())
}

/// Retries with a growing buffer until the answer fits.
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
