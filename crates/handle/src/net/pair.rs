//! Pairs of connected handles.

use crate::device::{self, Descriptor, Keeping};
use crate::error::{Action, Error, Name};
use crate::handle::Handle;
use std::sync::Arc;

impl Handle {
    /// A connected pair of UNIX sockets.
    ///
    /// # Errors
    /// No descriptor left.
    pub fn pair() -> Result<(Self, Self), Error> {
        let name = Name::Socket(b"pair"[..].into());
        let system = |source| Error::system(&name, Action::Open, source);
        let (one, other) = device::pair().map_err(system)?;
        Ok((Self::over(name.clone(), Arc::new(one)), Self::over(name.clone(), Arc::new(other))))
    }

    /// A pipe: its reading and its writing end.
    ///
    /// # Errors
    /// No descriptor left.
    pub fn pipe() -> Result<(Self, Self), Error> {
        let name = Name::Other(b"pipe"[..].into());
        let system = |source| Error::system(&name, Action::Open, source);
        let (reader, writer) = std::io::pipe().map_err(system)?;
        let reader = Descriptor::new(Keeping::Own(reader.into())).map_err(system)?;
        let writer = Descriptor::new(Keeping::Own(writer.into())).map_err(system)?;
        Ok((
            Self::from_parts(name.clone(), Some(Arc::new(reader)), None, None),
            Self::from_parts(name.clone(), None, Some(Arc::new(writer)), None),
        ))
    }
}
