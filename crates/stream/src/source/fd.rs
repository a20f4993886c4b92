//! File descriptors as sources: files, pipes, terminals, standard input.

use super::{Room, Source};
use riverhawk_system::fd::{AsFd, BorrowedFd, OwnedFd};
use riverhawk_system::fs::{FileType, fstat};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Enlarged pipes, in bytes, make `cat | awk` faster.
const PIPE_SIZE: usize = 1024 * 1024;

/// An owned descriptor.
#[derive(Debug)]
pub struct FdSource {
    fd: Arc<OwnedFd>,
}

impl FdSource {
    /// Reads a [`File`], a pipe or a socket. A pipe is enlarged where possible.
    pub fn new(fd: impl Into<OwnedFd>) -> Self {
        let fd = fd.into();
        enlarge_pipe(fd.as_fd());
        Self { fd: Arc::new(fd) }
    }

    /// Reads a regular file, without checking.
    pub fn of_regular(file: File) -> Self {
        Self { fd: Arc::new(file.into()) }
    }

    /// The descriptor, for polling.
    pub fn shared(&self) -> Arc<OwnedFd> {
        Arc::clone(&self.fd)
    }

    /// Opens a file for reading.
    ///
    /// # Errors
    /// Those of `open`. A directory fails at its first read.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self::new(File::open(path)?))
    }
}

impl AsFd for FdSource {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl Source for FdSource {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        room.read_fd(&self.fd)
    }
}

/// Standard input without the standard library's buffer; descriptor 0 stays open.
#[derive(Debug)]
pub struct StdinSource(());

impl StdinSource {
    /// A pipe is enlarged where possible.
    pub fn new() -> Self {
        enlarge_pipe(riverhawk_system::stdio::stdin());
        Self(())
    }
}

impl Default for StdinSource {
    fn default() -> Self {
        Self::new()
    }
}

impl Source for StdinSource {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        room.read_fd(riverhawk_system::stdio::stdin())
    }
}

/// Failure only costs speed.
fn enlarge_pipe(fd: BorrowedFd<'_>) {
    let is_pipe =
        fstat(fd).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Fifo);
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if is_pipe && riverhawk_system::pipe::fcntl_getpipe_size(fd).is_ok_and(|size| size < PIPE_SIZE)
    {
        let _ = riverhawk_system::pipe::fcntl_setpipe_size(fd, PIPE_SIZE);
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = (is_pipe, PIPE_SIZE);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use riverhawk_system::pipe::{fcntl_getpipe_size, fcntl_setpipe_size};

    #[test]
    fn a_small_pipe_is_enlarged_and_a_large_one_stays_as_it_is() {
        for (before, after) in
            [(1 << 12, PIPE_SIZE), (PIPE_SIZE, PIPE_SIZE), (2 * PIPE_SIZE, 2 * PIPE_SIZE)]
        {
            let (reader, _writer) = io::pipe().unwrap();
            if fcntl_setpipe_size(&reader, before).is_ok()
                && fcntl_setpipe_size(io::pipe().unwrap().0, after).is_ok()
            {
                assert_eq!(fcntl_getpipe_size(FdSource::new(reader)).unwrap(), after);
            }
        }
    }
}
