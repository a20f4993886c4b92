//! Names of hosts and services to addresses.

use super::Family;
use crate::error::{Action, Error, ErrorKind, Name};
use dns_lookup::{AddrInfoHints, LookupErrorKind, getaddrinfo};
use riverhawk_pool::blocking;
use socket2::Type;
use std::fmt;
use std::net::SocketAddr;

/// The addresses of `service` at `host`; without a host, those to listen at.
pub(super) fn resolve(
    name: &Name,
    host: Option<&str>,
    service: &str,
    family: Family,
    kind: Type,
) -> Result<Vec<SocketAddr>, Error> {
    if host.is_some_and(|host| host.contains('\0')) || service.contains('\0') {
        return Err(Error::of_kind(name, Action::Open, ErrorKind::NulInName));
    }
    if host == Some("") || service.is_empty() {
        return Err(Error::of_kind(name, Action::Open, ErrorKind::EmptyName));
    }
    let hints = AddrInfoHints {
        flags: if host.is_none() { libc::AI_PASSIVE } else { 0 },
        address: match family {
            Family::Any => libc::AF_UNSPEC,
            Family::V4 => libc::AF_INET,
            Family::V6 => libc::AF_INET6,
        },
        socktype: kind.into(),
        protocol: 0,
    };
    let found = blocking(|| getaddrinfo(host, Some(service), Some(hints)));
    let found = found.map_err(|error| {
        let kind = match error.kind() {
            LookupErrorKind::NoName | LookupErrorKind::NoData | LookupErrorKind::Service => {
                ErrorKind::UnknownHost
            }
            _ => ErrorKind::System,
        };
        Error::new(name, Action::Open, kind, error.into())
    })?;
    let addresses: Vec<_> = found.filter_map(Result::ok).map(|info| info.sockaddr).collect();
    if addresses.is_empty() {
        return Err(Error::of_kind(name, Action::Open, ErrorKind::UnknownHost));
    }
    Ok(addresses)
}

/// Why a text is not `host:port`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HostPortError {
    /// `[::1:80`: the bracket is not closed.
    UnclosedBracket,
    /// `host`: there is no port.
    NoPort,
    /// `:80`, `[]:80`: there is no host.
    NoHost,
    /// `::1:80`: an address with colons needs brackets.
    BareColons,
    /// `host:99999`: a port above 65535.
    PortOutOfRange,
}

impl fmt::Display for HostPortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnclosedBracket => "'[' without ']'",
            Self::NoPort => "there is no ':port'",
            Self::NoHost => "there is no host before ':port'",
            Self::BareColons => "an address with colons must stand in brackets, as in [::1]:80",
            Self::PortOutOfRange => "the port is above 65535",
        })
    }
}

impl std::error::Error for HostPortError {}

/// Splits `host:port`; an IPv6 address is in brackets. The port may be a service name.
///
/// # Errors
/// What is wrong.
///
/// ```
/// use riverhawk_handle::{HostPortError, split_host_port};
/// assert_eq!(split_host_port("localhost:80"), Ok(("localhost", "80")));
/// assert_eq!(split_host_port("[::1]:http"), Ok(("::1", "http")));
/// assert_eq!(split_host_port("::1"), Err(HostPortError::BareColons));
/// assert_eq!(split_host_port("localhost:65536"), Err(HostPortError::PortOutOfRange));
/// ```
pub fn split_host_port(text: &str) -> Result<(&str, &str), HostPortError> {
    let (host, port) = if let Some(rest) = text.strip_prefix('[') {
        let (host, rest) = rest.split_once(']').ok_or(HostPortError::UnclosedBracket)?;
        (host, rest.strip_prefix(':').ok_or(HostPortError::NoPort)?)
    } else {
        let (host, port) = text.rsplit_once(':').ok_or(HostPortError::NoPort)?;
        if host.contains(':') {
            return Err(HostPortError::BareColons);
        }
        (host, port)
    };
    if host.is_empty() {
        return Err(HostPortError::NoHost);
    }
    if port.is_empty() {
        return Err(HostPortError::NoPort);
    }
    if port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_err() {
        return Err(HostPortError::PortOutOfRange);
    }
    Ok((host, port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_and_hosts_are_found_by_name_and_by_number() {
        let name = Name::Socket(b"test"[..].into());
        let find = |host, service, family| resolve(&name, host, service, family, Type::STREAM);
        let v4 = find(Some("localhost"), "80", Family::V4).unwrap();
        assert_eq!(v4, ["127.0.0.1:80".parse().unwrap()]);
        assert_eq!(find(Some("127.0.0.1"), "0", Family::Any).unwrap()[0].port(), 0);
        assert!(find(None, "0", Family::V4).unwrap()[0].ip().is_unspecified());
        for (host, service) in
            [(Some("no-such-host.invalid"), "80"), (Some("localhost"), "no-such-service")]
        {
            let kind = find(host, service, Family::V4).unwrap_err().kind();
            // Without a name server the first is a system failure.
            assert!(matches!(kind, ErrorKind::UnknownHost | ErrorKind::System), "{kind:?}");
        }
        assert_eq!(find(Some(""), "80", Family::Any).unwrap_err().kind(), ErrorKind::EmptyName);
        assert_eq!(find(Some("a\0b"), "80", Family::Any).unwrap_err().kind(), ErrorKind::NulInName);
    }

    #[test]
    fn what_is_no_host_and_port_says_why() {
        for (text, error) in [
            ("[::1", HostPortError::UnclosedBracket),
            ("[::1]", HostPortError::NoPort),
            ("host", HostPortError::NoPort),
            ("host:", HostPortError::NoPort),
            (":80", HostPortError::NoHost),
            ("[]:80", HostPortError::NoHost),
            ("::1:80", HostPortError::BareColons),
        ] {
            assert_eq!(split_host_port(text), Err(error), "{text}");
        }
    }
}
