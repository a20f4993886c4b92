//! Clients.

use super::Family;
use super::datagram::Datagram;
use super::resolve::resolve;
use crate::device::{Device, Socket};
use crate::error::{Action, Error, ErrorKind, Name};
use crate::gate::{Gate, Interest, Waited};
use crate::handle::Handle;
use riverhawk_system::fd::{AsFd, OwnedFd};
use socket2::{Domain, SockAddr, Type};
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A connection to make: TCP, or UDP with one peer.
///
/// ```
/// use riverhawk_handle::{Connect, Listener};
/// let listener = Listener::tcp("127.0.0.1", "0")?;
/// let port = listener.port().unwrap().to_string();
/// let client = Connect::tcp("localhost", &port).open()?;
/// let server = listener.accept()?;
/// client.print("hello")?;
/// client.close_writing()?;
/// assert_eq!(server.read_line()?.as_deref(), Some("hello"));
/// assert_eq!(server.read_line()?, None);
/// # Ok::<(), riverhawk_handle::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Connect<'a> {
    host: &'a str,
    service: &'a str,
    family: Family,
    kind: Type,
    local: Option<&'a str>,
    timeout: Option<Duration>,
}

impl<'a> Connect<'a> {
    /// To a service (name or number) at a host (name or address).
    pub fn tcp(host: &'a str, service: &'a str) -> Self {
        Self { host, service, family: Family::Any, kind: Type::STREAM, local: None, timeout: None }
    }

    /// UDP: each write is a packet, each read gives one.
    pub fn udp(host: &'a str, service: &'a str) -> Self {
        Self { kind: Type::DGRAM, ..Self::tcp(host, service) }
    }

    /// Restricts the addresses.
    #[must_use]
    pub fn family(mut self, family: Family) -> Self {
        self.family = family;
        self
    }

    /// Sets the local port, a name or number.
    #[must_use]
    pub fn local_service(mut self, service: &'a str) -> Self {
        self.local = Some(service);
        self
    }

    /// Limits the time per address.
    #[must_use]
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }

    /// Connects to the first of the host's addresses that answers.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownHost`], or the last address's error.
    pub fn open(&self) -> Result<Handle, Error> {
        let name = socket_name(self.host, self.service);
        let mut failed = Error::of_kind(&name, Action::Open, ErrorKind::UnknownHost);
        for address in resolve(&name, Some(self.host), self.service, self.family, self.kind)? {
            match self.connect(&name, address) {
                Ok(handle) => return Ok(handle),
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }

    fn connect(&self, name: &Name, address: SocketAddr) -> Result<Handle, Error> {
        let system = |source| Error::system(name, Action::Open, source);
        let socket =
            socket2::Socket::new(Domain::for_address(address), self.kind, None).map_err(system)?;
        if let Some(local) = self.local {
            let family = if address.is_ipv4() { Family::V4 } else { Family::V6 };
            let local = resolve(name, None, local, family, self.kind)?;
            socket.set_reuse_address(true).map_err(system)?;
            socket.bind(&SockAddr::from(local[0])).map_err(system)?;
        }
        connect(&socket, &SockAddr::from(address), self.timeout).map_err(system)?;
        let device: Arc<dyn Device> = if self.kind == Type::STREAM {
            Arc::new(Socket::new(OwnedFd::from(socket)).map_err(system)?)
        } else {
            Arc::new(Datagram::new(OwnedFd::from(socket)).map_err(system)?)
        };
        Ok(Handle::over(name.clone(), device))
    }
}

impl Handle {
    /// Connects to a UNIX socket.
    ///
    /// # Errors
    /// [`ErrorKind::Missing`] and [`ErrorKind::Permission`] as for files; a system error without a
    /// listener.
    pub fn connect_unix(path: impl AsRef<Path>) -> Result<Self, Error> {
        use riverhawk_system::names::OsStrExt;
        let path = path.as_ref();
        let name = Name::Socket(path.as_os_str().as_bytes().into());
        let system = |source| Error::system(&name, Action::Open, source);
        if path.as_os_str().as_bytes().contains(&0) {
            return Err(Error::of_kind(&name, Action::Open, ErrorKind::NulInName));
        }
        let socket = socket2::Socket::new(Domain::UNIX, Type::STREAM, None).map_err(system)?;
        connect(&socket, &SockAddr::unix(path).map_err(system)?, None).map_err(system)?;
        let device = Socket::new(OwnedFd::from(socket)).map_err(system)?;
        Ok(Self::over(name, Arc::new(device)))
    }
}

/// An interrupted connect continues by itself; calling it again would be an error.
fn connect(
    socket: &socket2::Socket,
    address: &SockAddr,
    limit: Option<Duration>,
) -> io::Result<()> {
    socket.set_nonblocking(true)?;
    match socket.connect(address) {
        Ok(()) => return Ok(()),
        Err(error) if matches!(error.raw_os_error(), Some(libc::EINPROGRESS | libc::EINTR)) => {}
        // The UNIX listener's queue is full.
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            socket.set_nonblocking(false)?;
            return riverhawk_pool::blocking(|| socket.connect(address));
        }
        Err(error) => return Err(error),
    }
    match Gate::default().wait(socket.as_fd(), Interest::Write, limit)? {
        Waited::Ready => socket.take_error()?.map_or(Ok(()), Err),
        Waited::Shut | Waited::TimedOut => Err(io::ErrorKind::TimedOut.into()),
    }
}

pub(crate) fn socket_name(host: &str, service: &str) -> Name {
    let text = if host.contains(':') {
        format!("[{host}]:{service}")
    } else {
        format!("{host}:{service}")
    };
    Name::Socket(text.into_bytes().into())
}
