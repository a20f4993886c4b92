//! Opening inputs: operands and the files of `getline <`.

use std::fs::File;
use std::io::Read;

use riverhawk_system::fd::{AsFd, BorrowedFd};
use riverhawk_system::fs::{FileType, OFlags};

use crate::descriptor;
use crate::directory::Entries;
use crate::error::OpenError;
use crate::filesystem::{FileSystem, InputStream};
use crate::name::{FileName, Standard, os_string};
use crate::opening;
use crate::reading::Directories;

pub(super) enum Operand {
    /// The standard input, with one reader for all its names.
    Stdin,
    File(Opened),
    /// An embedder's.
    Reader(Box<dyn Read + Send>),
    /// A directory, where directories are read.
    Directory(Entries),
}

pub(super) struct Opened {
    pub(super) file: File,
    /// Whether it is a regular file, at its beginning.
    pub(super) is_regular: bool,
}

/// An operand among an embedder's files.
pub(super) fn open_embedded(name: &[u8], files: &dyn FileSystem) -> Result<Operand, OpenError> {
    match FileName::for_reading(name) {
        _ if name.is_empty() => Err(OpenError::empty_name()),
        FileName::Standard(Standard::Input) => Ok(Operand::Stdin),
        _ => match files.open(name).map_err(|source| OpenError::new(name, source))? {
            InputStream::Reader(reader) => Ok(Operand::Reader(reader)),
            InputStream::File(file) => {
                let kind = riverhawk_system::fs::fstat(&file)
                    .map(|stat| FileType::from_raw_mode(stat.st_mode));
                match kind {
                    Ok(FileType::Directory) => Err(OpenError::directory(name)),
                    // Its offset is the embedder's.
                    _ => Ok(Operand::File(Opened { file, is_regular: false })),
                }
            }
        },
    }
}

/// `-`, `/dev/stdin` and `/dev/fd/0` are the standard input.
///
/// # Errors
/// [`crate::error::OpenErrorKind::Directory`] where those are refused.
pub(super) fn open(name: &[u8], directories: Directories) -> Result<Operand, OpenError> {
    let entries = |fd: BorrowedFd<'_>| match directories {
        Directories::Refused => Err(OpenError::directory(name)),
        Directories::Records | Directories::Fields => {
            Entries::of(fd).map(Operand::Directory).map_err(|source| OpenError::new(name, source))
        }
    };
    let mut is_ours = false;
    let opened = match FileName::for_reading(name) {
        _ if name.is_empty() => return Err(OpenError::empty_name()),
        FileName::Standard(Standard::Input) => {
            let directory = riverhawk_system::fs::fstat(riverhawk_system::stdio::stdin())
                .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode).is_dir());
            return if directory {
                entries(riverhawk_system::stdio::stdin())
            } else {
                Ok(Operand::Stdin)
            };
        }
        FileName::Standard(Standard::Output) => descriptor::duplicate(1).map(File::from),
        FileName::Standard(Standard::Error) => descriptor::duplicate(2).map(File::from),
        FileName::Descriptor(number) => descriptor::duplicate(number).map(File::from),
        FileName::Path(path) => {
            is_ours = true;
            opening::open(&os_string(path), OFlags::RDONLY)
        }
    };
    let file = opened.map_err(|source| OpenError::new(name, source))?;
    let kind = riverhawk_system::fs::fstat(&file).map(|stat| FileType::from_raw_mode(stat.st_mode));
    match kind {
        Ok(FileType::Directory) => entries(file.as_fd()),
        kind => Ok(Operand::File(Opened {
            file,
            is_regular: is_ours && kind == Ok(FileType::RegularFile),
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OpenErrorKind;

    fn kind(name: &str) -> Option<OpenErrorKind> {
        open(name.as_bytes(), Directories::Refused).err().map(|error| error.kind)
    }

    #[test]
    fn each_kind_of_failure_has_its_name() {
        assert_eq!(kind("/no/such/file"), Some(OpenErrorKind::Missing));
        assert_eq!(kind("/"), Some(OpenErrorKind::Directory));
        assert_eq!(kind("/dev/null/x"), Some(OpenErrorKind::Other));
        assert_eq!(kind("/dev/fd/999"), Some(OpenErrorKind::Missing));
        assert_eq!(kind(""), Some(OpenErrorKind::EmptyName));
        assert_eq!(kind("/dev/null"), None);
        assert_eq!(kind("/proc/self/status"), None);
    }

    #[test]
    fn the_standard_input_has_three_names() {
        for name in ["-", "/dev/stdin", "/dev/fd/0"] {
            assert!(
                matches!(open(name.as_bytes(), Directories::Refused), Ok(Operand::Stdin)),
                "{name}"
            );
        }
    }
}
