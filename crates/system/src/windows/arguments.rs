//! Names of files, as callers give them.

use crate::io::{Errno, Result};
use crate::names::OsStrExt;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::path::{Path, PathBuf};

/// The name of a file.
pub trait Arg {
    /// Its bytes.
    fn bytes(&self) -> &[u8];

    /// The path that the system is asked for. UNIX names of what Windows has too are known.
    ///
    /// # Errors
    /// Bytes that are no text, or contain a NUL.
    fn path(&self) -> Result<PathBuf> {
        match self.bytes() {
            b"/dev/null" => Ok("NUL".into()),
            b"/dev/tty" => Ok("CON".into()),
            b"" => Err(Errno::NOENT),
            bytes => {
                let name = OsStr::from_bytes(bytes);
                if name.as_bytes().contains(&0) { Err(Errno::ILSEQ) } else { Ok(name.into()) }
            }
        }
    }
}

macro_rules! names {
    ($($kind:ty: $bytes:expr;)*) => {
        $(impl Arg for $kind {
            fn bytes(&self) -> &[u8] {
                let bytes: fn(&$kind) -> &[u8] = $bytes;
                bytes(self)
            }
        })*
    };
}

names! {
    [u8]: |name| name;
    str: |name| name.as_bytes();
    CStr: |name| name.to_bytes();
    CString: |name| name.to_bytes();
    OsStr: |name| OsStrExt::as_bytes(name);
    OsString: |name| OsStrExt::as_bytes(name.as_os_str());
    Path: |name| OsStrExt::as_bytes(name.as_os_str());
    PathBuf: |name| OsStrExt::as_bytes(name.as_os_str());
}

impl<T: Arg + ?Sized> Arg for &T {
    fn bytes(&self) -> &[u8] {
        (**self).bytes()
    }
}

/// Whether a name is a device's, which is opened as it is: it cannot be made or emptied.
pub(super) fn is_device(path: &Path) -> bool {
    const DEVICES: [&str; 6] = ["NUL", "CON", "CONIN$", "CONOUT$", "AUX", "PRN"];
    let name = path.as_os_str().as_encoded_bytes();
    DEVICES.iter().any(|device| name.eq_ignore_ascii_case(device.as_bytes()))
        || name.starts_with(br"\\.\")
}
