//! gawk's special file names: `/inet/tcp/lport/host/rport`.
//!
//! | part | is |
//! |---|---|
//! | `/inet`, `/inet4`, `/inet6` | either IP version, version 4, version 6 |
//! | `tcp`, `udp` | the protocol |
//! | local port | a number or service name; 0 for any free one |
//! | remote host | a name or address; **0 makes it a server** for the first client |
//! | remote port | a number or service name; unused by a server |
//!
//! ```
//! use riverhawk_handle::{Family, InetError, InetName, InetProtocol};
//! let name = InetName::parse(b"/inet4/tcp/0/localhost/http").unwrap()?;
//! assert_eq!((name.family, name.protocol), (Family::V4, InetProtocol::Tcp));
//! assert_eq!((&*name.local_port, &*name.host, &*name.remote_port), ("0", "localhost", "http"));
//! assert!(InetName::parse(b"/inetd.conf").is_none());
//! assert_eq!(InetName::parse(b"/inet/tcp/0/localhost").unwrap(), Err(InetError::Missing("remote port")));
//! # Ok::<(), InetError>(())
//! ```

#[cfg(not(feature = "network"))]
mod no_network;
#[cfg(feature = "network")]
mod open;

use crate::net::Family;
use std::fmt;
use std::time::Duration;

/// Attempts to connect, and the pause between them. gawk sets these by `GAWK_SOCK_RETRIES` and
/// `GAWK_MSEC_SLEEP`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// Attempts, at least one.
    pub attempts: u32,
    /// Between attempts.
    pub pause: Duration,
}

impl Retry {
    /// One attempt.
    pub const ONCE: Self = Self { attempts: 1, pause: Duration::ZERO };
}

/// TCP or UDP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InetProtocol {
    /// A connection.
    Tcp,
    /// Packets.
    Udp,
}

/// A parsed special file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InetName {
    /// `/inet`, `/inet4` or `/inet6`.
    pub family: Family,
    /// `tcp` or `udp`.
    pub protocol: InetProtocol,
    /// The local port; `0` for any.
    pub local_port: Box<str>,
    /// The remote host; `0` for a server.
    pub host: Box<str>,
    /// The remote port.
    pub remote_port: Box<str>,
}

/// Why a name that begins like a special one is invalid: gawk treats it as an ordinary command or
/// file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InetError {
    /// `/inet/tcp/0/host`: this part is missing or empty.
    Missing(&'static str),
    /// `/inet/sctp/...`: neither `tcp` nor `udp`.
    Protocol(Box<str>),
    /// `/inet/tcp/0/host/80/more`: text after the remote port.
    TooMuch(Box<str>),
    /// `/inet/tcp/99999/host/80`: a port above 65535.
    Port(Box<str>),
    /// A part is not valid UTF-8, or contains NUL.
    NotText(&'static str),
}

impl fmt::Display for InetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(part) => write!(f, "the {part} is missing")?,
            Self::Protocol(name) => write!(f, "'{name}' is not a protocol")?,
            Self::TooMuch(rest) => write!(f, "there is '/{rest}' after the remote port")?,
            Self::Port(port) => write!(f, "port {port} is above 65535")?,
            Self::NotText(part) => write!(f, "the {part} is not text")?,
        }
        f.write_str("; expected /inet/tcp/local-port/host/remote-port, or inet4, inet6, udp")
    }
}

impl std::error::Error for InetError {}

impl InetName {
    /// Parses `name`; `None` unless it begins with `/inet/`, `/inet4/` or `/inet6/`. The error says
    /// what is wrong after that.
    pub fn parse(name: &[u8]) -> Option<Result<Self, InetError>> {
        let rest = name.strip_prefix(b"/inet")?;
        let (family, rest) = match rest {
            [b'/', rest @ ..] => (Family::Any, rest),
            [b'4', b'/', rest @ ..] => (Family::V4, rest),
            [b'6', b'/', rest @ ..] => (Family::V6, rest),
            _ => return None,
        };
        Some(Self::parse_parts(family, rest))
    }

    fn parse_parts(family: Family, rest: &[u8]) -> Result<Self, InetError> {
        let mut parts = rest.splitn(5, |&byte| byte == b'/');
        let mut part = |what: &'static str| -> Result<&str, InetError> {
            let part =
                parts.next().filter(|part| !part.is_empty()).ok_or(InetError::Missing(what))?;
            let text = std::str::from_utf8(part).ok().filter(|text| !text.contains('\0'));
            text.ok_or(InetError::NotText(what))
        };
        let protocol = match part("protocol")? {
            "tcp" => InetProtocol::Tcp,
            "udp" => InetProtocol::Udp,
            other => return Err(InetError::Protocol(other.into())),
        };
        let local_port = port(part("local port")?)?;
        let host = part("remote host")?.into();
        let remote_port = port(part("remote port")?)?;
        match parts.next() {
            None => Ok(Self { family, protocol, local_port, host, remote_port }),
            Some(rest) => Err(InetError::TooMuch(String::from_utf8_lossy(rest).into())),
        }
    }

    /// Whether it waits for a client.
    pub fn is_server(&self) -> bool {
        &*self.host == "0"
    }
}

fn port(text: &str) -> Result<Box<str>, InetError> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_err() {
        return Err(InetError::Port(text.into()));
    }
    Ok(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_name_is_said() {
        for (name, error) in [
            ("/inet/", InetError::Missing("protocol")),
            ("/inet/tcp", InetError::Missing("local port")),
            ("/inet/tcp//h/1", InetError::Missing("local port")),
            ("/inet6/udp/0//1", InetError::Missing("remote host")),
            ("/inet4/tcp/0/h/", InetError::Missing("remote port")),
            ("/inet/sctp/0/h/1", InetError::Protocol("sctp".into())),
            ("/inet/tcp/0/h/1/", InetError::TooMuch("".into())),
            ("/inet/tcp/0/h/1/x/y", InetError::TooMuch("x/y".into())),
            ("/inet/tcp/0/h/65536", InetError::Port("65536".into())),
            ("/inet/tcp/0/h\0/1", InetError::NotText("remote host")),
        ] {
            assert_eq!(InetName::parse(name.as_bytes()), Some(Err(error)), "{name}");
        }
        assert_eq!(
            InetName::parse(b"/inet/tcp/0/\xff/1"),
            Some(Err(InetError::NotText("remote host")))
        );
        for name in ["/inet", "/inet5/tcp/0/h/1", "inet/tcp/0/h/1", "/inet46/tcp/0/h/1", ""] {
            assert_eq!(InetName::parse(name.as_bytes()), None, "{name}");
        }
        let message = InetError::Protocol("sctp".into()).to_string();
        assert!(message.starts_with("'sctp' is not a protocol; expected /inet/tcp/"), "{message}");
    }

    #[test]
    fn host_0_makes_a_server() {
        let is_server = |name: &str| InetName::parse(name.as_bytes()).unwrap().unwrap().is_server();
        assert!(is_server("/inet/tcp/8080/0/0"));
        assert!(is_server("/inet/udp/8080/0/5"));
        assert!(!is_server("/inet/tcp/0/localhost/0"));
    }
}
