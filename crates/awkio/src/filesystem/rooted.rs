//! The files below one directory.

use super::{FileSystem, InputStream, OutputStream, WriteMode};
use crate::opening;
use riverhawk_system::fd::{AsFd, OwnedFd};
use riverhawk_system::fs::{Mode, OFlags, openat};
use riverhawk_system::io::Errno;
use std::fs::File;
use std::io;
use std::path::Path;

/// The files below a directory, which is the root of every name: `/a`, `a` and `../../a` are the
/// same file in it.
///
/// The directory is opened once; renaming or replacing it changes nothing. Symbolic links that lead
/// outside are read as names below the root on Linux 5.6 and newer, and refused elsewhere, so there
/// is no moment at which a name could be exchanged for a link. Devices and FIFOs in the directory
/// are opened as they are.
///
/// ```
/// use riverhawk_awkio::filesystem::{FileSystem, RootedFiles};
///
/// let folder = std::env::temp_dir();
/// let files = RootedFiles::new(&folder)?;
/// assert!(files.open(b"/etc/passwd").is_err());
/// assert!(files.open(b"../../../../etc/passwd").is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct RootedFiles {
    root: OwnedFd,
    may_write: bool,
}

impl RootedFiles {
    /// Files that may be read and written.
    ///
    /// # Errors
    /// It is no directory, or cannot be opened.
    pub fn new(root: impl AsRef<Path>) -> io::Result<RootedFiles> {
        Ok(RootedFiles { root: directory(root.as_ref())?, may_write: true })
    }

    /// Files that may be read.
    ///
    /// # Errors
    /// As [`RootedFiles::new`].
    pub fn read_only(root: impl AsRef<Path>) -> io::Result<RootedFiles> {
        Ok(RootedFiles { root: directory(root.as_ref())?, may_write: false })
    }

    fn open_below(&self, name: &[u8], flags: OFlags) -> io::Result<File> {
        let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
        let flags = flags | OFlags::CLOEXEC | OFlags::NOCTTY;
        let stat = || riverhawk_system::fs::fstat(self.open_once(name, crate::system::LOOK)?);
        opening::open_by(|flags| self.open_once(name, flags), flags, stat)
    }

    fn open_once(&self, name: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
        let mode = Mode::from_raw_mode(0o666);
        #[cfg(target_os = "linux")]
        {
            use riverhawk_system::fs::{ResolveFlags, openat2};
            let create_mode = if flags.contains(OFlags::CREATE) { mode } else { Mode::empty() };
            let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
            match openat2(&self.root, name, flags, create_mode, resolve) {
                Err(Errno::NOSYS | Errno::PERM) => {}
                opened => return opened,
            }
        }
        open_by_steps(&self.root, name, flags, mode)
    }
}

fn directory(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(riverhawk_system::fs::open(path, flags, Mode::empty())?)
}

/// Folder by folder, without symbolic links. `..` stops at the root.
fn open_by_steps(root: &OwnedFd, name: &[u8], flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
    let mut steps: Vec<&[u8]> = Vec::new();
    for step in name.split(|&byte| byte == b'/') {
        match step {
            b"" | b"." => {}
            b".." => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    let Some((file, folders)) = steps.split_last() else { return Err(Errno::ISDIR) };
    let mut folder = root.as_fd().try_clone_to_owned().map_err(|_| Errno::MFILE)?;
    let through = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    for step in folders {
        folder = openat(&folder, *step, through, Mode::empty())?;
    }
    openat(&folder, *file, flags | OFlags::NOFOLLOW, mode)
}

impl FileSystem for RootedFiles {
    fn open(&self, name: &[u8]) -> io::Result<InputStream> {
        self.open_below(name, OFlags::RDONLY).map(InputStream::File)
    }

    fn create(&self, name: &[u8], mode: WriteMode) -> io::Result<OutputStream> {
        if !self.may_write {
            return Err(Errno::ROFS.into());
        }
        let how = match mode {
            WriteMode::Truncate => OFlags::TRUNC,
            WriteMode::Append => OFlags::APPEND,
        };
        self.open_below(name, OFlags::WRONLY | OFlags::CREATE | how).map(OutputStream::File)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::os::unix::fs::symlink;

    fn read(files: &RootedFiles, name: &str) -> io::Result<String> {
        let InputStream::File(mut file) = files.open(name.as_bytes())? else { panic!("no file") };
        let mut text = String::new();
        file.read_to_string(&mut text).map(|_| text)
    }

    #[test]
    fn nothing_leads_out_of_the_root() {
        let outside = tempfile::tempdir().unwrap();
        let root = outside.path().join("root");
        std::fs::create_dir_all(root.join("a")).unwrap();
        std::fs::write(outside.path().join("secret"), "secret").unwrap();
        std::fs::write(root.join("a/inside"), "inside").unwrap();
        symlink("../../secret", root.join("a/up")).unwrap();
        symlink(outside.path().join("secret"), root.join("absolute")).unwrap();
        symlink("..", root.join("folder")).unwrap();
        let files = RootedFiles::new(&root).unwrap();
        for name in ["a/inside", "/a/inside", "../a/inside", "a/../../../a/inside", "./a//inside"] {
            assert_eq!(read(&files, name).unwrap(), "inside", "{name}");
        }
        for name in ["a/up", "absolute", "folder/secret", "../secret", "/secret"] {
            assert!(read(&files, name).is_err(), "{name}");
        }
        let OutputStream::File(mut file) = files.create(b"new", WriteMode::Truncate).unwrap()
        else {
            panic!("no file")
        };
        file.write_all(b"x").unwrap();
        assert_eq!(std::fs::read(root.join("new")).unwrap(), b"x");
        assert!(files.create(b"../../new", WriteMode::Append).is_ok());
        assert!(!outside.path().join("new").exists());
        let read_only = RootedFiles::read_only(&root).unwrap();
        assert_eq!(read(&read_only, "new").unwrap(), "x");
        assert!(read_only.create(b"new", WriteMode::Append).is_err());
    }

    #[test]
    fn without_the_system_call_links_are_refused() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("a")).unwrap();
        std::fs::write(root.path().join("a/b"), "b").unwrap();
        symlink("a", root.path().join("link")).unwrap();
        let root = directory(root.path()).unwrap();
        let open = |name: &str| {
            open_by_steps(&root, name.as_bytes(), OFlags::RDONLY, Mode::empty()).map(drop)
        };
        assert_eq!(open("/a/../../a/b"), Ok(()));
        assert!(open("link/b").is_err() && open("a").is_ok() && open("/").is_err());
    }
}
