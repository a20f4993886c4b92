//! Prints HTTP/1.1 requests from files, standard input or a socket.
//!
//! ```text
//! printf 'GET / HTTP/1.1\r\nHost: a\r\n\r\n' | cargo run -p riverhawk-stream --example http_headers
//! cargo run -p riverhawk-stream --example http_headers -- --listen 127.0.0.1:8080
//! ```
//!
//! Skips bodies of known length. A bad request ends its connection with a message and status 1.

#[path = "http/parser.rs"]
#[allow(dead_code)]
mod parser;

use parser::{Body, HttpError, Limits, Parser};
use riverhawk_stream::{Buffered, SourceStream, StdinSource};
use std::io::{self, Write};
use std::net::TcpListener;
use std::process::ExitCode;

fn show(stream: &mut impl Buffered, out: &mut impl Write) -> Result<u64, HttpError> {
    let mut parser = Parser::new(Limits::default());
    let mut count = 0;
    while let Some(request) = parser.next_request(stream)? {
        count += 1;
        let write_all = |out: &mut dyn Write| -> io::Result<()> {
            writeln!(
                out,
                "{} {} (HTTP/1.{})",
                request.method, request.target, request.minor_version
            )?;
            for (name, value) in request.fields() {
                writeln!(out, "    {name}: {}", value.escape_ascii())?;
            }
            Ok(())
        };
        write_all(out).map_err(HttpError::Io)?;
        let (body, keeps_alive) = (request.body, request.keeps_alive);
        let Body::Length(length) = body else {
            writeln!(out, "    (a chunked body: stopping here)").map_err(HttpError::Io)?;
            break;
        };
        let skipped = stream.skip(length).map_err(HttpError::Io)?;
        if length > 0 {
            writeln!(out, "    ({skipped} of {length} bytes of body)").map_err(HttpError::Io)?;
        }
        if !keeps_alive {
            break;
        }
    }
    Ok(count)
}

fn listen(address: &str) -> io::Result<()> {
    let listener = TcpListener::bind(address)?;
    loop {
        let (socket, peer) = listener.accept()?;
        let mut answer = socket.try_clone()?;
        let status = match show(&mut SourceStream::from_fd(socket), &mut io::stdout()) {
            Ok(_) => 204,
            Err(error) => {
                eprintln!("http_headers: {peer}: {error}");
                error.status()
            }
        };
        // The client may have disconnected.
        let _ = write!(answer, "HTTP/1.1 {status} -\r\nConnection: close\r\n\r\n");
    }
}

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [option, address] = &arguments[..]
        && option == "--listen"
    {
        return listen(address)
            .map_or_else(|error| complain(address, &error), |()| ExitCode::SUCCESS);
    }
    if arguments.is_empty() {
        arguments.push("-".into());
    }
    let mut status = ExitCode::SUCCESS;
    for name in &arguments {
        let result = if name == "-" {
            show(&mut SourceStream::new(StdinSource::new()), &mut io::stdout())
        } else {
            SourceStream::open(name)
                .map_err(HttpError::Io)
                .and_then(|mut stream| show(&mut stream, &mut io::stdout()))
        };
        if let Err(error) = result {
            status = complain(name, &error);
        }
    }
    status
}

fn complain(name: &str, error: &dyn std::error::Error) -> ExitCode {
    eprintln!("http_headers: {name}: {error}");
    ExitCode::FAILURE
}
