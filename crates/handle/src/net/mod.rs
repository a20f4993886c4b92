//! Sockets: TCP and UNIX, clients and servers, and connected UDP.

mod connect;
mod listener;
mod pair;
mod resolve;

pub use connect::Connect;
pub use listener::Listener;
pub use resolve::{Family, HostPortError, split_host_port};

pub(crate) use connect::socket_name;
