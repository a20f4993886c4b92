//! For builds without the feature `network`.

use super::{InetName, Retry};
use crate::error::{Action, Error, Name};
use crate::handle::Handle;
use std::io;

impl InetName {
    /// # Errors
    /// Always: the build has no sockets.
    pub fn open(&self, _: Retry) -> Result<Handle, Error> {
        let why = "this build makes no connections (feature `network`)";
        let name = Name::Socket(format!("{}:{}", self.host, self.remote_port).into_bytes().into());
        let refused = io::Error::new(io::ErrorKind::Unsupported, why);
        Err(Error::system(&name, Action::Open, refused))
    }
}
