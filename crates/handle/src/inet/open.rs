//! Opening a special file name.

use super::{InetName, InetProtocol, Retry};
use crate::error::{Error, ErrorKind};
use crate::handle::Handle;
use crate::net::{Connect, Listener};
use riverhawk_pool::blocking;

impl InetName {
    /// Connects, or for host `0` waits for one connection (or the first packet). A packet socket
    /// has no buffer.
    ///
    /// # Errors
    /// The last attempt's; an unknown host or service is not retried.
    pub fn open(&self, retry: Retry) -> Result<Handle, Error> {
        let mut attempt = 1;
        loop {
            match self.open_once() {
                Err(error)
                    if attempt < retry.attempts && error.kind() != ErrorKind::UnknownHost =>
                {
                    attempt += 1;
                    blocking(|| std::thread::sleep(retry.pause));
                }
                result => return result,
            }
        }
    }

    fn open_once(&self) -> Result<Handle, Error> {
        match (self.is_server(), self.protocol) {
            (true, InetProtocol::Tcp) => {
                let listener = Listener::tcp_family("", &self.local_port, self.family)?;
                let connection = listener.accept();
                listener.close();
                connection
            }
            (true, InetProtocol::Udp) => Handle::first_udp_peer(&self.local_port, self.family),
            (false, protocol) => {
                let connect = match protocol {
                    InetProtocol::Tcp => Connect::tcp(&self.host, &self.remote_port),
                    InetProtocol::Udp => Connect::udp(&self.host, &self.remote_port),
                };
                let connect = connect.family(self.family);
                match &*self.local_port {
                    "0" => connect.open(),
                    port => connect.local_service(port).open(),
                }
            }
        }
    }
}
