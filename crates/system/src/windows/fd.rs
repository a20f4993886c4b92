//! Handles, under the names that descriptors have elsewhere.

use std::fs::File;
use std::io::{PipeReader, PipeWriter, Stderr, Stdin, Stdout};
use std::process::Child;
use std::sync::Arc;

use std::os::windows::io::{AsHandle, AsRawHandle, FromRawHandle, IntoRawHandle};
pub use std::os::windows::io::{
    BorrowedHandle as BorrowedFd, OwnedHandle as OwnedFd, RawHandle as RawFd,
};

/// What has a handle.
pub trait AsFd {
    /// Its handle.
    fn as_fd(&self) -> BorrowedFd<'_>;
}

macro_rules! have_handles {
    ($($kind:ty),*) => {
        $(impl AsFd for $kind {
            fn as_fd(&self) -> BorrowedFd<'_> {
                self.as_handle()
            }
        })*
    };
}

have_handles!(BorrowedFd<'_>, OwnedFd, File, PipeReader, PipeWriter, Stdin, Stdout, Stderr, Child);

macro_rules! lead_to_handles {
    ($($kind:ty),*) => {
        $(impl<T: AsFd + ?Sized> AsFd for $kind {
            fn as_fd(&self) -> BorrowedFd<'_> {
                (**self).as_fd()
            }
        })*
    };
}

lead_to_handles!(&T, &mut T, Arc<T>, Box<T>);

/// What has a raw handle.
pub trait AsRawFd {
    /// Its handle, which may be closed by others.
    fn as_raw_fd(&self) -> RawFd;
}

impl<T: AsFd> AsRawFd for T {
    fn as_raw_fd(&self) -> RawFd {
        self.as_fd().as_raw_handle()
    }
}

/// What can be made of a raw handle.
pub trait FromRawFd {
    /// Takes the handle.
    ///
    /// # Safety
    /// It is open, and nothing else closes it.
    unsafe fn from_raw_fd(handle: RawFd) -> Self;
}

impl<T: FromRawHandle> FromRawFd for T {
    unsafe fn from_raw_fd(handle: RawFd) -> T {
        // SAFETY: the caller's.
        unsafe { T::from_raw_handle(handle) }
    }
}

/// What gives up its handle.
pub trait IntoRawFd {
    /// The handle, which the caller closes.
    fn into_raw_fd(self) -> RawFd;
}

impl<T: IntoRawHandle> IntoRawFd for T {
    fn into_raw_fd(self) -> RawFd {
        self.into_raw_handle()
    }
}
