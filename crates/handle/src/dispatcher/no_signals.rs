//! Where there are no signals.

use std::convert::Infallible;
use std::io;
use std::time::Duration;

/// Signals received by the process, which this platform has not.
pub struct Signals(Infallible);

impl Signals {
    /// Listens to signals.
    ///
    /// # Errors
    /// Always: the platform has no signals.
    pub fn of(_: &[i32]) -> io::Result<Self> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "this platform has no signals"))
    }

    /// The next signal, without waiting.
    pub fn try_next(&self) -> Option<i32> {
        match self.0 {}
    }

    /// Waits for the next signal.
    pub fn wait(&self) -> i32 {
        match self.0 {}
    }

    /// Waits for the next signal, at most for `limit`.
    pub fn wait_for(&self, _: Duration) -> Option<i32> {
        match self.0 {}
    }

    /// Awaits the next signal.
    #[allow(clippy::unused_async)] // The form that it has where there are signals.
    pub async fn next(&self) -> i32 {
        match self.0 {}
    }
}
