//! Where there are no child processes.

use super::spawn::{Parts, Spawn};
use std::io;

impl Spawn {
    pub(super) fn spawn(self) -> io::Result<Parts> {
        let words = "this platform has no child processes";
        Err(io::Error::new(io::ErrorKind::Unsupported, words))
    }
}
