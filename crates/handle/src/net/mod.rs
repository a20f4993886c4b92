//! Sockets: TCP and UNIX, clients and servers, and connected UDP. Without the feature `network` there
//! are pairs alone.

#[cfg(feature = "network")]
mod connect;
#[cfg(feature = "network")]
mod datagram;
#[cfg(feature = "network")]
mod listener;
mod pair;
#[cfg(feature = "network")]
mod resolve;

#[cfg(feature = "network")]
pub use {
    connect::Connect,
    listener::Listener,
    resolve::{HostPortError, split_host_port},
};

#[cfg(feature = "network")]
pub(crate) use connect::socket_name;

/// Version of the internet protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Family {
    /// Either, in the system's order.
    #[default]
    Any,
    /// Version 4.
    V4,
    /// Version 6.
    V6,
}
