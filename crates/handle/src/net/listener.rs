//! Servers.

use super::Family;
use super::datagram::Datagram;
use super::resolve::resolve;
use super::socket_name;
use crate::device::Socket;
use crate::error::{Action, Error, ErrorKind, Name};
use crate::gate::{Gate, Interest, Waited};
use crate::handle::Handle;
use riverhawk_system::fd::{AsFd, OwnedFd};
use riverhawk_system::net::{RecvFlags, recvfrom};
use socket2::{Domain, SockAddr, Type};
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const BACKLOG: i32 = 128;

/// Accepts connections. Clones are the same listener; any thread may accept on it or close it.
#[derive(Clone)]
pub struct Listener(Arc<ListenerState>);

struct ListenerState {
    name: Name,
    /// `None` when closed. Counted: a running accept keeps the descriptor open.
    socket: Mutex<Option<Arc<OwnedFd>>>,
    gate: Gate,
    local: Option<SocketAddr>,
    timeout: Mutex<Option<Duration>>,
}

impl Listener {
    /// Listens at `host` (a local name or address; `""` for all) for `service`, a name or number;
    /// `"0"` for any free port ([`port`](Listener::port)).
    ///
    /// # Errors
    /// [`ErrorKind::UnknownHost`], or the last address's error.
    pub fn tcp(host: &str, service: &str) -> Result<Self, Error> {
        Self::tcp_family(host, service, Family::Any)
    }

    /// As [`tcp`](Listener::tcp), for one address family.
    ///
    /// # Errors
    /// As [`tcp`](Listener::tcp).
    pub fn tcp_family(host: &str, service: &str, family: Family) -> Result<Self, Error> {
        let name = socket_name(host, service);
        let host = Some(host).filter(|host| !host.is_empty());
        let (socket, local) = bind(&name, host, service, family, Type::STREAM)?;
        socket.listen(BACKLOG).map_err(|source| Error::system(&name, Action::Open, source))?;
        Self::over(name, socket, local)
    }

    /// Creates and listens at a UNIX socket; the caller removes it.
    ///
    /// # Errors
    /// The path exists, or a system error.
    pub fn unix(path: impl AsRef<Path>) -> Result<Self, Error> {
        use riverhawk_system::names::OsStrExt;
        let path = path.as_ref();
        let name = Name::Socket(path.as_os_str().as_bytes().into());
        let system = |source| Error::system(&name, Action::Open, source);
        if path.as_os_str().as_bytes().contains(&0) {
            return Err(Error::of_kind(&name, Action::Open, ErrorKind::NulInName));
        }
        let socket = socket2::Socket::new(Domain::UNIX, Type::STREAM, None).map_err(system)?;
        socket.bind(&SockAddr::unix(path).map_err(system)?).map_err(system)?;
        socket.listen(BACKLOG).map_err(system)?;
        Self::over(name, socket, None)
    }

    fn over(name: Name, socket: socket2::Socket, local: Option<SocketAddr>) -> Result<Self, Error> {
        // Close could not end an accept that blocks in the system.
        socket
            .set_nonblocking(true)
            .map_err(|source| Error::system(&name, Action::Open, source))?;
        Ok(Self(Arc::new(ListenerState {
            name,
            socket: Mutex::new(Some(Arc::new(socket.into()))),
            gate: Gate::default(),
            local,
            timeout: Mutex::new(None),
        })))
    }

    fn socket(&self) -> MutexGuard<'_, Option<Arc<OwnedFd>>> {
        self.0.socket.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its port; `None` for UNIX sockets.
    pub fn port(&self) -> Option<u16> {
        self.0.local.map(|local| local.port())
    }

    /// Its address; `None` for UNIX sockets.
    pub fn local_address(&self) -> Option<SocketAddr> {
        self.0.local
    }

    /// Limits how long [`accept`](Listener::accept) waits; `None` is no limit.
    pub fn set_timeout(&self, limit: Option<Duration>) {
        *self.0.timeout.lock().unwrap_or_else(PoisonError::into_inner) = limit;
    }

    /// Waits for a connection. The handle may be used on any thread.
    ///
    /// # Errors
    /// [`ErrorKind::Closed`], [`ErrorKind::TimedOut`], [`ErrorKind::TooManyOpen`], or another
    /// system error.
    pub fn accept(&self) -> Result<Handle, Error> {
        let state = &*self.0;
        let fail = |kind| Error::of_kind(&state.name, Action::Accept, kind);
        let system = |source: io::Error| Error::system(&state.name, Action::Accept, source);
        let limit = *state.timeout.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(socket) = self.socket().clone() else { return Err(fail(ErrorKind::Closed)) };
        loop {
            if state.gate.is_shut() {
                return Err(fail(ErrorKind::Closed));
            }
            match crate::system::accept(&socket) {
                Ok(connection) => {
                    let device = Socket::new(connection).map_err(system)?;
                    return Ok(Handle::over(state.name.clone(), Arc::new(device)));
                }
                // The last: the connection ended before it was accepted.
                Err(
                    riverhawk_system::io::Errno::INTR | riverhawk_system::io::Errno::CONNABORTED,
                ) => {}
                Err(riverhawk_system::io::Errno::AGAIN) => {
                    match state.gate.wait(socket.as_fd(), Interest::Read, limit).map_err(system)? {
                        Waited::Ready => {}
                        Waited::Shut => return Err(fail(ErrorKind::Closed)),
                        Waited::TimedOut => return Err(fail(ErrorKind::TimedOut)),
                    }
                }
                Err(errno) => return Err(system(errno.into())),
            }
        }
    }

    /// Stops listening; running accepts end with [`ErrorKind::Closed`]. Accepted connections
    /// continue.
    pub fn close(&self) {
        self.0.gate.shut();
        self.socket().take();
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listener")
            .field("name", &self.0.name)
            .field("local", &self.0.local)
            .finish()
    }
}

fn bind(
    name: &Name,
    host: Option<&str>,
    service: &str,
    family: Family,
    kind: Type,
) -> Result<(socket2::Socket, Option<SocketAddr>), Error> {
    let mut failed = Error::of_kind(name, Action::Open, ErrorKind::UnknownHost);
    for address in resolve(name, host, service, family, kind)? {
        match bind_one(address, kind) {
            Ok(socket) => {
                let local = socket.local_addr().ok().and_then(|local| local.as_socket());
                return Ok((socket, local));
            }
            Err(source) => failed = Error::system(name, Action::Open, source),
        }
    }
    Err(failed)
}

fn bind_one(address: SocketAddr, kind: Type) -> io::Result<socket2::Socket> {
    let socket = socket2::Socket::new(Domain::for_address(address), kind, None)?;
    // A restarted server need not wait until old connections time out.
    socket.set_reuse_address(true)?;
    socket.bind(&SockAddr::from(address))?;
    Ok(socket)
}

impl Handle {
    /// A UDP socket for the sender of the first packet, which it waits for and which is read first.
    ///
    /// # Errors
    /// As [`Listener::tcp`].
    pub fn first_udp_peer(service: &str, family: Family) -> Result<Self, Error> {
        let name = socket_name("", service);
        let system = |source: io::Error| Error::system(&name, Action::Accept, source);
        let (socket, _) = bind(&name, None, service, family, Type::DGRAM)?;
        let fd = OwnedFd::from(socket);
        let peer = riverhawk_pool::blocking(|| {
            loop {
                match recvfrom(&fd, &mut [0_u8; 1], RecvFlags::PEEK) {
                    Err(riverhawk_system::io::Errno::INTR) => {}
                    result => return result,
                }
            }
        });
        let (_, _, peer) = peer.map_err(|errno| system(errno.into()))?;
        let Some(peer) = peer else { return Err(system(io::ErrorKind::NotConnected.into())) };
        riverhawk_system::net::connect(&fd, &peer).map_err(|errno| system(errno.into()))?;
        Ok(Self::over(name.clone(), Arc::new(Datagram::new(fd).map_err(system)?)))
    }
}
