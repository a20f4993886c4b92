//! HTTP/1.1 request heads (RFC 9112) from any buffered stream, without copying.
//!
//! A head is one piece of the stream's buffer. Strict against request smuggling: lines end with
//! CRLF, folded lines are refused, a colon follows the name, lengths are digits and agree.

use riverhawk_stream::{Buffered, Pattern};
use std::{fmt, io};

#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum bytes of a head, with the empty line.
    pub head: usize,
    /// Maximum bytes of the request line.
    pub request_line: usize,
    /// Maximum number of fields.
    pub fields: usize,
}

impl Default for Limits {
    /// RFC 9112 requires 8,000 bytes; the others are common in servers.
    fn default() -> Self {
        Self { head: 16 * 1024, request_line: 8000, fields: 100 }
    }
}

/// A request's head, borrowed from the stream's buffer.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    pub method: &'a str,
    pub target: &'a str,
    /// The 1 of HTTP/1.1.
    pub minor_version: u8,
    fields: &'a [Span],
    head: &'a [u8],
    pub body: Body,
    /// Whether another request may follow on this stream.
    pub keeps_alive: bool,
}

/// What follows the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// Its length; 0 by default.
    Length(u64),
    /// Chunks, to be parsed by the caller.
    Chunked,
}

impl<'a> Request<'a> {
    /// Names and values in order; values are trimmed and not always UTF-8.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (&'a str, &'a [u8])> + use<'a> {
        let head = self.head;
        self.fields.iter().map(move |span| span.of(head))
    }

    /// The first field of that name, in any case.
    pub fn field(&self, name: &str) -> Option<&'a [u8]> {
        self.fields()
            .find(|(candidate, _)| candidate.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

/// As indexes into the head.
#[derive(Debug, Clone, Copy)]
struct Span {
    name: (usize, usize),
    value: (usize, usize),
}

impl Span {
    fn of<'a>(&self, head: &'a [u8]) -> (&'a str, &'a [u8]) {
        (text(&head[self.name.0..self.name.1]), &head[self.value.0..self.value.1])
    }
}

/// Problems of a request, with examples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// `GET / HTTP/1.1` and then nothing.
    Truncated,
    /// No empty line within [`Limits::head`].
    HeadTooLong { limit: usize },
    /// A URL of 9,000 bytes.
    RequestLineTooLong { limit: usize },
    /// 101 fields.
    TooManyFields { limit: usize },
    /// `GET /`
    RequestLine,
    /// `G(T / HTTP/1.1`
    Method,
    /// `GET /a\x01b HTTP/1.1`
    Target,
    /// `GET / HTTP/2.0`
    Version,
    /// ` continued`: the line begins with a blank.
    Folded,
    /// `Host`: no colon.
    NoColon,
    /// `Host : a`, `: a`, `Ho(st: a`
    FieldName,
    /// A control character, such as a bare CR or LF.
    FieldValue,
    /// HTTP/1.1 without `Host`, or with two.
    Host,
    /// `Content-Length: +5`, or two that differ.
    ContentLength,
    /// `Transfer-Encoding: gzip`, or one beside a `Content-Length`.
    TransferEncoding,
}

/// Why there is no next request.
#[derive(Debug)]
pub enum HttpError {
    /// The stream's error. After [`io::ErrorKind::WouldBlock`] call again.
    Io(io::Error),
    /// An invalid request, and the offset of its line.
    Bad { problem: Problem, line_offset: u64 },
}

impl HttpError {
    /// The HTTP status to answer with.
    pub fn status(&self) -> u16 {
        match self {
            Self::Bad {
                problem: Problem::HeadTooLong { .. } | Problem::TooManyFields { .. },
                ..
            } => 431,
            Self::Bad { problem: Problem::RequestLineTooLong { .. }, .. } => 414,
            Self::Bad { problem: Problem::Version, .. } => 505,
            Self::Bad { .. } => 400,
            Self::Io(_) => 500,
        }
    }
}

impl fmt::Display for HttpError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (problem, offset) = match self {
            Self::Io(error) => return error.fmt(out),
            Self::Bad { problem, line_offset } => (problem, line_offset),
        };
        write!(out, "byte {offset}: ")?;
        match problem {
            Problem::Truncated => {
                out.write_str("the input ends before the empty line that ends a head")
            }
            Problem::HeadTooLong { limit } => write!(out, "the head is longer than {limit} bytes"),
            Problem::RequestLineTooLong { limit } => {
                write!(out, "the request line is longer than {limit} bytes")
            }
            Problem::TooManyFields { limit } => write!(out, "more than {limit} fields"),
            Problem::RequestLine => {
                out.write_str("expected a method, a target and a version with one space between")
            }
            Problem::Method => out.write_str("a method consists of token characters"),
            Problem::Target => out.write_str("a target consists of visible ASCII characters"),
            Problem::Version => out.write_str("expected HTTP/1.0 or HTTP/1.1"),
            Problem::Folded => out.write_str("folded lines are not allowed"),
            Problem::NoColon => out.write_str("a field has a colon behind its name"),
            Problem::FieldName => out.write_str(
                "a field name consists of token characters, and the colon follows at once",
            ),
            Problem::FieldValue => {
                out.write_str("a field value has no control characters; lines end with CR LF")
            }
            Problem::Host => out.write_str("HTTP/1.1 wants exactly one Host field"),
            Problem::ContentLength => {
                out.write_str("Content-Length is one number in decimal digits")
            }
            Problem::TransferEncoding => out.write_str(
                "Transfer-Encoding is `chunked` and nothing else, and not beside Content-Length",
            ),
        }
    }
}

impl std::error::Error for HttpError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Bad { .. } => None,
        }
    }
}

/// Reads heads, reusing its memory.
#[derive(Debug)]
pub struct Parser {
    limits: Limits,
    head_end: Pattern,
    fields: Vec<Span>,
}

impl Parser {
    pub fn new(limits: Limits) -> Self {
        Self { limits, head_end: Pattern::new("\r\n\r\n"), fields: Vec::new() }
    }

    /// The next request; `None` at the end of input. The caller takes the body or
    /// [skips](riverhawk_stream::Stream::skip) it.
    ///
    /// # Errors
    /// [`HttpError`]. After a bad request the stream is unusable.
    pub fn next_request<'a>(
        &'a mut self,
        stream: &'a mut impl Buffered,
    ) -> Result<Option<Request<'a>>, HttpError> {
        // RFC 9112, 2.2: ignore empty lines before a request.
        while let Some(b'\r' | b'\n') = stream.peek().map_err(HttpError::Io)? {
            stream.next_byte().map_err(HttpError::Io)?;
        }
        let head_offset = stream.offset();
        let limit = self.limits.head;
        let bad = |(problem, line_at)| HttpError::Bad {
            problem,
            line_offset: head_offset + line_at as u64,
        };
        let mut bounded = stream.limited(limit as u64);
        match bounded.look_for_all(&self.head_end).map_err(HttpError::Io)? {
            Some(length) => {
                let head = &stream.consume(length + self.head_end.len())[..length];
                self.parse(head).map(Some).map_err(bad)
            }
            None if bounded.buffered().is_empty() => Ok(None),
            None if bounded.buffered().len() == limit => {
                Err(bad((Problem::HeadTooLong { limit }, 0)))
            }
            None => Err(bad((Problem::Truncated, 0))),
        }
    }

    /// Parses a head without its last two line ends.
    pub fn parse<'a>(&'a mut self, head: &'a [u8]) -> Result<Request<'a>, (Problem, usize)> {
        let line_end = memchr::memmem::find(head, b"\r\n").unwrap_or(head.len());
        if line_end > self.limits.request_line {
            return Err((Problem::RequestLineTooLong { limit: self.limits.request_line }, 0));
        }
        let (method, target, minor_version) =
            request_line(&head[..line_end]).map_err(|problem| (problem, 0))?;
        let mut meaning = Meaning { minor_version, ..Meaning::default() };
        self.fields.clear();
        let mut line_at = line_end + 2;
        while line_at < head.len() {
            if self.fields.len() == self.limits.fields {
                return Err((Problem::TooManyFields { limit: self.limits.fields }, line_at));
            }
            // A bare CR or LF is refused as a control character.
            let rest = &head[line_at..];
            let length = memchr::memchr(b'\r', rest).filter(|&at| rest.get(at + 1) == Some(&b'\n'));
            let length = length.unwrap_or(rest.len());
            let span = field(&rest[..length], line_at).map_err(|problem| (problem, line_at))?;
            let (name, value) = span.of(head);
            meaning.note(name, value).map_err(|problem| (problem, line_at))?;
            self.fields.push(span);
            line_at += length + 2;
        }
        let (body, keeps_alive) = meaning.conclude().map_err(|problem| (problem, 0))?;
        Ok(Request { method, target, minor_version, fields: &self.fields, head, body, keeps_alive })
    }
}

fn request_line(line: &[u8]) -> Result<(&str, &str, u8), Problem> {
    let mut words = line.split(|&byte| byte == b' ');
    let (Some(method), Some(target), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(Problem::RequestLine);
    };
    if method.is_empty() || !method.iter().all(|&byte| is_token(byte)) {
        return Err(Problem::Method);
    }
    if target.is_empty() || !target.iter().all(u8::is_ascii_graphic) {
        return Err(Problem::Target);
    }
    let minor_version = match version {
        b"HTTP/1.1" => 1,
        b"HTTP/1.0" => 0,
        _ => return Err(Problem::Version),
    };
    Ok((text(method), text(target), minor_version))
}

fn field(line: &[u8], line_at: usize) -> Result<Span, Problem> {
    if let Some(b' ' | b'\t') = line.first() {
        return Err(Problem::Folded);
    }
    let colon_at = memchr::memchr(b':', line).ok_or(Problem::NoColon)?;
    let (name, value) = (&line[..colon_at], &line[colon_at + 1..]);
    if name.is_empty() || !name.iter().all(|&byte| is_token(byte)) {
        return Err(Problem::FieldName);
    }
    // Without an early exit the loop is vectorised.
    if value
        .iter()
        .fold(false, |bad, &byte| bad | ((byte < b' ') & (byte != b'\t')) | (byte == 0x7f))
    {
        return Err(Problem::FieldValue);
    }
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let leading = value.iter().take_while(is_blank).count();
    let trailing = value[leading..].iter().rev().take_while(is_blank).count();
    let value_at = line_at + colon_at + 1;
    Ok(Span {
        name: (line_at, line_at + colon_at),
        value: (value_at + leading, value_at + value.len() - trailing),
    })
}

#[derive(Debug, Default)]
struct Meaning {
    minor_version: u8,
    hosts: usize,
    length: Option<u64>,
    is_chunked: bool,
    closes: bool,
    keeps: bool,
}

impl Meaning {
    fn note(&mut self, name: &str, value: &[u8]) -> Result<(), Problem> {
        // Rejects most fields by length.
        match name.len() {
            4 if name.eq_ignore_ascii_case("host") => self.hosts += 1,
            10 if name.eq_ignore_ascii_case("connection") => {
                for option in value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
                    self.closes |= option.eq_ignore_ascii_case(b"close");
                    self.keeps |= option.eq_ignore_ascii_case(b"keep-alive");
                }
            }
            14 if name.eq_ignore_ascii_case("content-length") => {
                let length = decimal(value).ok_or(Problem::ContentLength)?;
                if self.length.replace(length).is_some_and(|other| other != length) {
                    return Err(Problem::ContentLength);
                }
            }
            17 if name.eq_ignore_ascii_case("transfer-encoding") => {
                if self.is_chunked || !value.eq_ignore_ascii_case(b"chunked") {
                    return Err(Problem::TransferEncoding);
                }
                self.is_chunked = true;
            }
            _ => {}
        }
        Ok(())
    }

    fn conclude(self) -> Result<(Body, bool), Problem> {
        if self.hosts > 1 || (self.minor_version == 1 && self.hosts == 0) {
            return Err(Problem::Host);
        }
        if self.is_chunked && (self.length.is_some() || self.minor_version == 0) {
            return Err(Problem::TransferEncoding);
        }
        let body =
            if self.is_chunked { Body::Chunked } else { Body::Length(self.length.unwrap_or(0)) };
        Ok((body, !self.closes && (self.minor_version == 1 || self.keeps)))
    }
}

fn decimal(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u64, |number, byte| {
        let digit = byte.checked_sub(b'0').filter(|&digit| digit < 10)?;
        number.checked_mul(10)?.checked_add(digit.into())
    })
}

/// RFC 9110, 5.6.2.
fn is_token(byte: u8) -> bool {
    const TOKEN: [bool; 256] = {
        let (mut table, mut byte) = ([false; 256], 0);
        while byte < 256 {
            table[byte] = (byte as u8).is_ascii_alphanumeric();
            byte += 1;
        }
        let marks = b"!#$%&'*+-.^_`|~";
        let mut at = 0;
        while at < marks.len() {
            table[marks[at] as usize] = true;
            at += 1;
        }
        table
    };
    TOKEN[usize::from(byte)]
}

/// Token and target characters are ASCII.
fn text(ascii: &[u8]) -> &str {
    std::str::from_utf8(ascii).unwrap_or_default()
}
