//! Descriptors: names of the standard streams, which lead nowhere. No call makes one.

use std::convert::Infallible;
use std::fs::File;
use std::io::{PipeReader, PipeWriter, Stderr, Stdin, Stdout};
use std::marker::PhantomData;
use std::process::Child;
use std::sync::Arc;

/// A descriptor's number.
pub type RawFd = i32;

/// The number of what has no descriptor.
const NONE: RawFd = -1;

/// Of what no caller can have.
const NO_SYSTEM: &str = "this platform has no files and no descriptors";

/// A descriptor of someone else.
#[derive(Clone, Copy, Debug)]
pub struct BorrowedFd<'fd>(RawFd, PhantomData<&'fd ()>);

/// A descriptor that is closed at its end: there is no value of this type.
#[derive(Debug)]
pub struct OwnedFd(Infallible);

impl BorrowedFd<'_> {
    pub(super) const fn of(number: RawFd) -> Self {
        BorrowedFd(number, PhantomData)
    }

    /// A descriptor by its number.
    ///
    /// # Safety
    /// None is asked for: a number leads nowhere.
    pub unsafe fn borrow_raw(number: RawFd) -> Self {
        Self::of(number)
    }

    /// A second descriptor.
    ///
    /// # Errors
    /// Always.
    pub fn try_clone_to_owned(&self) -> std::io::Result<OwnedFd> {
        Err(crate::io::Errno::NOTSUP.into())
    }
}

impl OwnedFd {
    /// As that of what is borrowed.
    ///
    /// # Errors
    /// Always.
    pub fn try_clone(&self) -> std::io::Result<OwnedFd> {
        match self.0 {}
    }
}

/// What has a descriptor.
pub trait AsFd {
    /// Its descriptor.
    fn as_fd(&self) -> BorrowedFd<'_>;
}

impl AsFd for BorrowedFd<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        *self
    }
}

impl AsFd for OwnedFd {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self.0 {}
    }
}

macro_rules! have_descriptors {
    ($($kind:ty = $number:expr),*) => {
        $(impl AsFd for $kind {
            fn as_fd(&self) -> BorrowedFd<'_> {
                BorrowedFd::of($number)
            }
        })*
    };
}

// Of the types of which there are no values here, too: what is generic over them is written once.
have_descriptors!(
    Stdin = 0,
    Stdout = 1,
    Stderr = 2,
    File = NONE,
    PipeReader = NONE,
    PipeWriter = NONE,
    Child = NONE
);

macro_rules! become_descriptors {
    ($($kind:ty),*) => {
        $(impl From<$kind> for OwnedFd {
            fn from(_: $kind) -> OwnedFd {
                unreachable!("{NO_SYSTEM}")
            }
        })*
    };
}

become_descriptors!(File, PipeReader, PipeWriter);

impl From<OwnedFd> for File {
    fn from(fd: OwnedFd) -> File {
        match fd.0 {}
    }
}

macro_rules! lead_to_descriptors {
    ($($kind:ty),*) => {
        $(impl<T: AsFd + ?Sized> AsFd for $kind {
            fn as_fd(&self) -> BorrowedFd<'_> {
                (**self).as_fd()
            }
        })*
    };
}

lead_to_descriptors!(&T, &mut T, Arc<T>, Box<T>);

/// What has a descriptor's number.
pub trait AsRawFd {
    /// The number.
    fn as_raw_fd(&self) -> RawFd;
}

impl<T: AsFd> AsRawFd for T {
    fn as_raw_fd(&self) -> RawFd {
        self.as_fd().0
    }
}

/// What can be made of a number.
pub trait FromRawFd {
    /// Takes the descriptor.
    ///
    /// # Safety
    /// It is open, which no descriptor is.
    unsafe fn from_raw_fd(number: RawFd) -> Self;
}

impl FromRawFd for OwnedFd {
    unsafe fn from_raw_fd(_: RawFd) -> OwnedFd {
        unreachable!("{NO_SYSTEM}")
    }
}

/// What gives up its descriptor.
pub trait IntoRawFd {
    /// The number.
    fn into_raw_fd(self) -> RawFd;
}

impl IntoRawFd for OwnedFd {
    fn into_raw_fd(self) -> RawFd {
        match self.0 {}
    }
}
