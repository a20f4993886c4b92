//! Files. A name relative to an open folder is joined with the folder's present path.
#![allow(unsafe_code)] // Calls of the system.

use crate::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::io::{Errno, Result, with_file};
use crate::names::OsStringExt;
use crate::{Facts, Symlinks};
use std::ffi::{CString, OsString};
use std::fs::{File, OpenOptions};
use std::io::Seek;
use std::os::windows::ffi::OsStringExt as _;
use std::os::windows::fs::{MetadataExt, OpenOptionsExt};
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};
use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_ATTRIBUTE_DIRECTORY, FILE_ATTRIBUTE_READONLY,
    FILE_ATTRIBUTE_REPARSE_POINT, FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT,
    FILE_READ_ATTRIBUTES, FILE_TYPE_CHAR, FILE_TYPE_DISK, FILE_TYPE_PIPE,
    GetFileInformationByHandle, GetFileType, GetFinalPathNameByHandleW,
};

pub use super::arguments::Arg;
use super::arguments::is_device;
pub use super::directory::{Dir, DirEntry, type_of};
pub use super::lock::flock;
pub use crate::bare::*;
pub use crate::no_rustix::{Access, AtFlags, CWD, Cwd, Mode, OFlags, RawMode};
pub use std::io::SeekFrom;

/// What is known of a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stat {
    /// The volume's serial number.
    pub st_dev: u64,
    /// The file's number there.
    pub st_ino: u64,
    /// Its type, and whether it may be written to.
    pub st_mode: RawMode,
    /// Bytes.
    pub st_size: i64,
    /// Its names.
    pub st_nlink: u64,
    /// The owner is not known.
    pub st_uid: u32,
    /// The group is not known.
    pub st_gid: u32,
    accessed: i64,
    modified: i64,
    created: i64,
}

/// What relative names begin at.
pub trait Folder {
    /// The path of a name.
    ///
    /// # Errors
    /// The folder or the name has none.
    fn path_of(&self, name: impl Arg) -> Result<PathBuf>;
}

impl Folder for Cwd {
    fn path_of(&self, name: impl Arg) -> Result<PathBuf> {
        name.path()
    }
}

impl<T: AsFd> Folder for T {
    fn path_of(&self, name: impl Arg) -> Result<PathBuf> {
        let path = final_path(self.as_fd())?;
        Ok(if name.bytes() == b"." { path } else { path.join(name.path()?) })
    }
}

/// Opens a file.
///
/// # Errors
/// The system's.
pub fn open(path: impl Arg, flags: OFlags, _: Mode) -> Result<OwnedFd> {
    open_path(&path.path()?, flags)
}

/// Opens a file below an open folder.
///
/// # Errors
/// The system's.
pub fn openat(folder: impl Folder, name: impl Arg, flags: OFlags, _: Mode) -> Result<OwnedFd> {
    open_path(&folder.path_of(name)?, flags)
}

fn open_path(path: &Path, flags: OFlags) -> Result<OwnedFd> {
    let has = |flag| flags.contains(flag);
    let writes = flags.intersection(OFlags::ACCMODE) != OFlags::RDONLY;
    let mut options = OpenOptions::new();
    options.read(flags.intersection(OFlags::ACCMODE) != OFlags::WRONLY).write(writes);
    if !is_device(path) {
        if has(OFlags::APPEND) {
            options.append(true);
        }
        if writes {
            let is_new = has(OFlags::CREATE) && has(OFlags::EXCL);
            options.create(has(OFlags::CREATE)).create_new(is_new).truncate(has(OFlags::TRUNC));
            if has(OFlags::APPEND) && has(OFlags::TRUNC) {
                options.truncate(false);
            }
        }
    }
    // Without it a folder cannot be opened even to be looked at.
    let mut custom = if writes { 0 } else { FILE_FLAG_BACKUP_SEMANTICS };
    if has(OFlags::NOFOLLOW) {
        custom |= FILE_FLAG_OPEN_REPARSE_POINT;
    }
    options.custom_flags(custom);
    let mut file = options.open(path).map_err(|error| match Errno::from(error) {
        Errno::ACCESS if writes && path.is_dir() => Errno::ISDIR,
        // As on UNIX: `x/y` below a file, or a folder by the name of a file.
        Errno::NOENT if is_below_file(path) => Errno::NOTDIR,
        error => error,
    })?;
    if has(OFlags::DIRECTORY) || has(OFlags::NOFOLLOW) {
        let kind = FileType::from_raw_mode(fstat(&file)?.st_mode);
        if kind == FileType::Symlink && has(OFlags::NOFOLLOW) {
            return Err(Errno::LOOP);
        }
        if kind != FileType::Directory && has(OFlags::DIRECTORY) {
            return Err(Errno::NOTDIR);
        }
    }
    if has(OFlags::APPEND) && !is_device(path) {
        // The position says whether there is something before it.
        file.seek(SeekFrom::End(0))?;
    }
    Ok(file.into())
}

fn is_below_file(path: &Path) -> bool {
    path.ancestors().skip(1).find_map(|above| above.metadata().ok()).is_some_and(|at| at.is_file())
}

/// What is known of an open file.
///
/// # Errors
/// The system's.
pub fn fstat(fd: impl AsFd) -> Result<Stat> {
    let handle = fd.as_fd().as_raw_handle();
    // SAFETY: the handle is open or null.
    let kind = match unsafe { GetFileType(handle) } {
        FILE_TYPE_DISK => return stat_disk(fd.as_fd()),
        FILE_TYPE_CHAR => FileType::CharacterDevice,
        FILE_TYPE_PIPE => FileType::Fifo,
        _ => return Err(Errno::BADF),
    };
    Ok(Stat { st_mode: kind.as_raw_mode() | 0o666, st_nlink: 1, ..Stat::default() })
}

fn stat_disk(fd: BorrowedFd<'_>) -> Result<Stat> {
    let mut known = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is open, and the call writes to `known` alone.
    if unsafe { GetFileInformationByHandle(fd.as_raw_handle(), &mut known) } == 0 {
        return Err(Errno::last());
    }
    let wide = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    let attributes = known.dwFileAttributes;
    // Files that are kept elsewhere are reparse points too, and no links.
    let is_link = attributes & FILE_ATTRIBUTE_REPARSE_POINT != 0
        && with_file(fd, File::metadata)?.is_symlink();
    let kind = match attributes & FILE_ATTRIBUTE_DIRECTORY {
        _ if is_link => FileType::Symlink,
        0 => FileType::RegularFile,
        _ => FileType::Directory,
    };
    let permissions = match kind {
        FileType::Directory | FileType::Symlink => 0o777,
        _ if attributes & FILE_ATTRIBUTE_READONLY != 0 => 0o444,
        _ => 0o666,
    };
    Ok(Stat {
        st_dev: known.dwVolumeSerialNumber.into(),
        st_ino: wide(known.nFileIndexHigh, known.nFileIndexLow),
        st_mode: kind.as_raw_mode() | permissions,
        st_size: wide(known.nFileSizeHigh, known.nFileSizeLow) as i64,
        st_nlink: known.nNumberOfLinks.into(),
        accessed: seconds(known.ftLastAccessTime),
        modified: seconds(known.ftLastWriteTime),
        created: seconds(known.ftCreationTime),
        ..Stat::default()
    })
}

/// Seconds since 1970 of a time that counts 100 nanoseconds since 1601.
fn seconds(time: FILETIME) -> i64 {
    let ticks = u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
    (ticks / 10_000_000) as i64 - 11_644_473_600
}

fn stat_path(path: &Path, links: Symlinks) -> Result<Stat> {
    let mut flags = FILE_FLAG_BACKUP_SEMANTICS;
    if links == Symlinks::AsTheyAre {
        flags |= FILE_FLAG_OPEN_REPARSE_POINT;
    }
    let mut options = OpenOptions::new();
    options.access_mode(FILE_READ_ATTRIBUTES).custom_flags(flags);
    match options.open(path).map_err(Errno::from) {
        Ok(file) => fstat(&file),
        Err(Errno::NOENT) if is_below_file(path) => Err(Errno::NOTDIR),
        Err(error) => Err(error),
    }
}

/// What is known of a file, through symbolic links.
///
/// # Errors
/// The system's.
pub fn stat(path: impl Arg) -> Result<Stat> {
    stat_path(&path.path()?, Symlinks::Followed)
}

/// What is known of a file, which may be a symbolic link.
///
/// # Errors
/// The system's.
pub fn lstat(path: impl Arg) -> Result<Stat> {
    stat_path(&path.path()?, Symlinks::AsTheyAre)
}

/// What is known of a file below an open folder.
///
/// # Errors
/// The system's.
pub fn statat(folder: impl Folder, name: impl Arg, flags: AtFlags) -> Result<Stat> {
    let links = match flags.contains(AtFlags::SYMLINK_NOFOLLOW) {
        true => Symlinks::AsTheyAre,
        false => Symlinks::Followed,
    };
    stat_path(&folder.path_of(name)?, links)
}

/// Whether something may be done with a file: all but writing to one that is marked as read-only.
///
/// # Errors
/// It may not, or the system's.
pub fn accessat(folder: impl Folder, name: impl Arg, access: Access, _: AtFlags) -> Result<()> {
    let path = folder.path_of(name)?;
    let is_read_only = path.metadata()?.file_attributes() & FILE_ATTRIBUTE_READONLY != 0;
    let is_refused = access.contains(Access::WRITE_OK) && is_read_only;
    if is_refused { Err(Errno::ACCESS) } else { Ok(()) }
}

/// Gives a file another name, which replaces a file that has it.
///
/// # Errors
/// The system's.
pub fn renameat(
    folder: impl Folder,
    name: impl Arg,
    new_folder: impl Folder,
    new_name: impl Arg,
) -> Result<()> {
    Ok(std::fs::rename(folder.path_of(name)?, new_folder.path_of(new_name)?)?)
}

/// Gives a file a second name.
///
/// # Errors
/// The system's.
pub fn linkat(
    folder: impl Folder,
    name: impl Arg,
    new_folder: impl Folder,
    new_name: impl Arg,
    _: AtFlags,
) -> Result<()> {
    Ok(std::fs::hard_link(folder.path_of(name)?, new_folder.path_of(new_name)?)?)
}

/// Removes a name.
///
/// # Errors
/// The system's.
pub fn unlinkat(folder: impl Folder, name: impl Arg, flags: AtFlags) -> Result<()> {
    let path = folder.path_of(name)?;
    match flags.contains(AtFlags::REMOVEDIR) {
        true => std::fs::remove_dir(path)?,
        false => std::fs::remove_file(path)?,
    }
    Ok(())
}

/// Where a symbolic link leads.
///
/// # Errors
/// [`Errno::INVAL`] if it is none, or the system's.
pub fn readlink(path: impl Arg, _: Vec<u8>) -> Result<CString> {
    let path = path.path()?;
    if is_device(&path) {
        return Err(Errno::INVAL);
    }
    let target = std::fs::read_link(path)?;
    CString::new(target.into_os_string().into_vec()).map_err(|_| Errno::INVAL)
}

/// Cuts an open file off, or adds zeros.
///
/// # Errors
/// The system's.
pub fn ftruncate(fd: impl AsFd, length: u64) -> Result<()> {
    with_file(fd.as_fd(), |file| file.set_len(length))
}

/// Writes what was written to the disk.
///
/// # Errors
/// [`Errno::INVAL`] if it is no file that was opened to be written to.
pub fn fsync(fd: impl AsFd) -> Result<()> {
    match with_file(fd.as_fd(), File::sync_all) {
        Err(Errno::ACCESS | Errno::BADF) => Err(Errno::INVAL),
        synced => synced,
    }
}

/// Moves the position; gives the new one.
///
/// # Errors
/// [`Errno::SPIPE`] without a position.
pub fn seek(fd: impl AsFd, to: SeekFrom) -> Result<u64> {
    let fd = fd.as_fd();
    // SAFETY: the handle is open or null.
    if unsafe { GetFileType(fd.as_raw_handle()) } != FILE_TYPE_DISK {
        return Err(Errno::SPIPE);
    }
    with_file(fd, |mut file| file.seek(to))
}

/// The position.
///
/// # Errors
/// As [`seek`].
pub fn tell(fd: impl AsFd) -> Result<u64> {
    seek(fd, SeekFrom::Current(0))
}

/// How a file was opened, which is not known.
///
/// # Errors
/// Always.
pub fn fcntl_getfl(_: impl AsFd) -> Result<OFlags> {
    Err(Errno::NOTSUP)
}

/// Calls that block, which is always so.
///
/// # Errors
/// Calls that do not are asked for.
pub fn fcntl_setfl(_: impl AsFd, flags: OFlags) -> Result<()> {
    if flags.contains(OFlags::NONBLOCK) { Err(Errno::NOTSUP) } else { Ok(()) }
}

/// The path of an open file at present.
pub(super) fn final_path(fd: BorrowedFd<'_>) -> Result<PathBuf> {
    let mut units = vec![0; 512];
    loop {
        // SAFETY: the handle is open, and the call writes at most that many units.
        let length = unsafe {
            let room = units.len() as u32;
            GetFinalPathNameByHandleW(fd.as_raw_handle(), units.as_mut_ptr(), room, 0)
        } as usize;
        match length {
            0 => return Err(Errno::last()),
            // Then it is the size that is wanted.
            _ if length > units.len() => units.resize(length, 0),
            _ => {
                let path = PathBuf::from(OsString::from_wide(&units[..length]));
                // It begins with `\\?\`, where `/` separates nothing.
                return Ok(plain(&path).unwrap_or(path));
            }
        }
    }
}

/// A path without `\\?\`, where it is a drive's.
fn plain(path: &Path) -> Option<PathBuf> {
    let rest = path.to_str()?.strip_prefix(r"\\?\")?;
    (rest.as_bytes().get(1) == Some(&b':') && rest.len() < 248).then(|| rest.into())
}

impl Facts {
    /// Of what has a name.
    ///
    /// # Errors
    /// The system's.
    pub fn of_path(path: impl AsRef<Path>, links: Symlinks) -> std::io::Result<Facts> {
        Ok(Facts::of(&stat_path(&path.as_ref().path()?, links)?))
    }

    /// Of an open file.
    ///
    /// # Errors
    /// The system's.
    pub fn of_file(file: &File) -> std::io::Result<Facts> {
        Ok(Facts::of(&fstat(file)?))
    }

    fn of(known: &Stat) -> Facts {
        Facts {
            device: known.st_dev,
            inode: known.st_ino,
            mode: known.st_mode,
            links: known.st_nlink,
            user: 0,
            group: 0,
            special: 0,
            size: known.st_size as u64,
            block_size: 4096,
            blocks: (known.st_size as u64).div_ceil(512),
            accessed: known.accessed,
            modified: known.modified,
            changed: known.created,
        }
    }
}
