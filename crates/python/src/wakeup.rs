//! What Python's handler of signals writes to: `signal.set_wakeup_fd` takes a descriptor, and on Windows a
//! socket.

pub(crate) use this::{End, number, pair, write};

#[cfg(not(windows))]
mod this {
    use pyo3::intern;
    use pyo3::prelude::*;
    use std::io;
    use std::os::fd::AsRawFd;
    use std::os::unix::net::UnixStream;

    pub(crate) type End = UnixStream;

    /// Both ends.
    pub(crate) fn pair() -> io::Result<(End, End)> {
        UnixStream::pair()
    }

    /// What Python calls it.
    pub(crate) fn number(end: &End) -> i64 {
        end.as_raw_fd().into()
    }

    /// Writes to what someone else has set.
    pub(crate) fn write(py: Python<'_>, number: i64, signals: &[u8]) -> PyResult<()> {
        let os = py.import(intern!(py, "os"))?;
        os.call_method1(intern!(py, "write"), (number, signals)).map(drop)
    }
}

#[cfg(windows)]
mod this {
    use pyo3::intern;
    use pyo3::prelude::*;
    use pyo3::types::PyDict;
    use std::io;
    use std::net::{Ipv4Addr, TcpListener, TcpStream};
    use std::os::windows::io::AsRawSocket;

    pub(crate) type End = TcpStream;

    /// Both ends.
    pub(crate) fn pair() -> io::Result<(End, End)> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let written = TcpStream::connect(listener.local_addr()?)?;
        let (read, peer) = listener.accept()?;
        if peer != written.local_addr()? {
            // Another process was faster.
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        written.set_nodelay(true)?;
        Ok((written, read))
    }

    /// What Python calls it.
    pub(crate) fn number(end: &End) -> i64 {
        end.as_raw_socket() as i64
    }

    /// Writes to what someone else has set, which stays theirs.
    pub(crate) fn write(py: Python<'_>, number: i64, signals: &[u8]) -> PyResult<()> {
        let options = PyDict::new(py);
        options.set_item(intern!(py, "fileno"), number)?;
        let sockets = py.import(intern!(py, "socket"))?;
        let socket = sockets.call_method(intern!(py, "socket"), (), Some(&options))?;
        let sent = socket.call_method1(intern!(py, "send"), (signals,));
        socket.call_method0(intern!(py, "detach"))?;
        sent.map(drop)
    }
}
