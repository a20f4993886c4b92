//! Reading HTTP requests at five stages, each the one before with one thing changed.
//!
//! ```text
//! cargo run --release -p riverhawk-stream --example http_bench -- [ROUNDS]
//! ```
//!
//! Bytes one by one; the body as a block; lines by index and slice; the index by `memchr`; the head
//! as a piece of the buffer. The last columns are the share of time in a server where the first
//! stage takes 30 percent, with and without the parser. All stages must give the same sums. "Byte
//! calls" is the share of bytes with a call of their own.

#[path = "http/parser.rs"]
#[allow(dead_code)]
mod parser;

use parser::{Body, HttpError, Limits, Parser, Request};
use riverhawk_stream::{Buffered, Ended, SourceStream, Stream};
use std::hint::black_box;
use std::io;
use std::time::{Duration, Instant};

const REQUESTS: usize = 4000;

#[derive(Debug, Default, PartialEq, Eq, Clone, Copy)]
struct Sums {
    requests: usize,
    fields: usize,
    field_bytes: usize,
    body_bytes: usize,
    checksum: u64,
}

impl Sums {
    fn head(&mut self, request: &Request<'_>) -> u64 {
        self.requests += 1;
        self.fields += request.fields().len();
        self.field_bytes +=
            request.fields().map(|(name, value)| name.len() + value.len()).sum::<usize>();
        match request.body {
            Body::Length(length) => length,
            Body::Chunked => 0,
        }
    }

    fn body(&mut self, bytes: &[u8]) {
        self.body_bytes += bytes.len();
        let ends = [bytes.first(), bytes.get(bytes.len() / 2), bytes.last()];
        self.checksum = ends
            .into_iter()
            .flatten()
            .fold(self.checksum, |sum, &byte| sum.rotate_left(5) ^ u64::from(byte));
        black_box(bytes);
    }
}

trait Stage {
    fn line<S: Buffered>(stream: &mut S, out: &mut Vec<u8>) -> io::Result<bool>;
    fn body<S: Buffered>(stream: &mut S, length: u64, out: &mut Vec<u8>) -> io::Result<()>;
}

/// Every byte by a call of its own.
struct PerByte;

impl Stage for PerByte {
    fn line<S: Buffered>(stream: &mut S, out: &mut Vec<u8>) -> io::Result<bool> {
        while let Some(byte) = stream.next_byte()? {
            if byte == b'\n' {
                return Ok(true);
            }
            out.push(byte);
        }
        Ok(false)
    }

    fn body<S: Buffered>(stream: &mut S, length: u64, out: &mut Vec<u8>) -> io::Result<()> {
        for _ in 0..length {
            out.extend(stream.next_byte()?);
        }
        Ok(())
    }
}

/// The body as a bounded sub-stream, in blocks.
struct BlockBody;

impl Stage for BlockBody {
    fn line<S: Buffered>(stream: &mut S, out: &mut Vec<u8>) -> io::Result<bool> {
        PerByte::line(stream, out)
    }

    fn body<S: Buffered>(stream: &mut S, length: u64, out: &mut Vec<u8>) -> io::Result<()> {
        stream.limited(length).up_to_end(out).map(drop)
    }
}

/// Searches the buffer for LF byte by byte, and copies a slice.
struct IndexAndSlice;

impl Stage for IndexAndSlice {
    fn line<S: Buffered>(stream: &mut S, out: &mut Vec<u8>) -> io::Result<bool> {
        loop {
            let text = stream.look()?;
            if let Some(at) = text.iter().position(|&byte| byte == b'\n') {
                out.extend_from_slice(&stream.consume(at + 1)[..at]);
                return Ok(true);
            }
            let length = text.len();
            if length == 0 {
                return Ok(false);
            }
            out.extend_from_slice(stream.consume(length));
        }
    }

    fn body<S: Buffered>(stream: &mut S, length: u64, out: &mut Vec<u8>) -> io::Result<()> {
        BlockBody::body(stream, length, out)
    }
}

/// `up_to`, by `memchr`.
struct Memchr;

impl Stage for Memchr {
    fn line<S: Buffered>(stream: &mut S, out: &mut Vec<u8>) -> io::Result<bool> {
        Ok(stream.up_to(b'\n', out)? == Ended::AtDelimiter)
    }

    fn body<S: Buffered>(stream: &mut S, length: u64, out: &mut Vec<u8>) -> io::Result<()> {
        BlockBody::body(stream, length, out)
    }
}

fn bad(problem: (parser::Problem, usize)) -> HttpError {
    HttpError::Bad { problem: problem.0, line_offset: problem.1 as u64 }
}

fn run<T: Stage>(text: &[u8]) -> Result<Sums, HttpError> {
    let mut stream = SourceStream::from_reader(text);
    let (mut parser, mut sums) = (Parser::new(Limits::default()), Sums::default());
    let (mut head, mut body) = (Vec::new(), Vec::new());
    loop {
        head.clear();
        loop {
            let line_at = head.len();
            if !T::line(&mut stream, &mut head).map_err(HttpError::Io)? {
                return Ok(sums);
            }
            head.push(b'\n');
            if head.len() == line_at + 2 {
                break;
            }
        }
        let length = sums.head(&parser.parse(&head[..head.len() - 4]).map_err(bad)?);
        body.clear();
        T::body(&mut stream, length, &mut body).map_err(HttpError::Io)?;
        sums.body(&body);
    }
}

/// Head and body as pieces of the buffer.
fn run_final(text: &[u8]) -> Result<Sums, HttpError> {
    let mut stream = SourceStream::from_reader(text);
    let (mut parser, mut sums) = (Parser::new(Limits::default()), Sums::default());
    while let Some(request) = parser.next_request(&mut stream)? {
        let length = sums.head(&request);
        sums.body(stream.take_exact(length as usize).map_err(HttpError::Io)?.bytes);
    }
    Ok(sums)
}

fn parse_only(heads: &[&[u8]]) -> Result<Sums, HttpError> {
    let (mut parser, mut sums) = (Parser::new(Limits::default()), Sums::default());
    for head in heads {
        sums.head(&parser.parse(head).map_err(bad)?);
    }
    Ok(sums)
}

/// As from a browser; every second request has a form of 600 bytes.
fn workload() -> Vec<u8> {
    let fields = "Host: www.example.org\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r\n\
        Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Language: en-US,en;q=0.5\r\n\
        Accept-Encoding: gzip, deflate, br, zstd\r\nReferer: https://www.example.org/counter?_s=Vq9bLz0kXK&_k=fYhTq\r\n\
        Cookie: session=6f1c2f4a9b7e4d0c8a55; theme=dark\r\nConnection: keep-alive\r\n";
    let form =
        "name=J%C3%BCrgen+M%C3%BCller&comment=".to_string() + &"many+small+words+".repeat(40);
    let mut text = String::new();
    for number in 0..REQUESTS {
        if number % 2 == 0 {
            text += &format!("GET /counter?_s=Vq9bLz0kXK&_k={number} HTTP/1.1\r\n{fields}\r\n");
        } else {
            let form = &form[..600];
            text += &format!(
                "POST /counter?_k={number} HTTP/1.1\r\n{fields}Content-Length: 600\r\n\r\n{form}"
            );
        }
    }
    text.into_bytes()
}

fn main() -> Result<(), HttpError> {
    let rounds = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(40);
    let text = workload();
    let mut heads = Vec::new();
    let mut at = 0;
    while let Some(length) = memchr::memmem::find(&text[at..], b"\r\n\r\n") {
        heads.push(&text[at..at + length]);
        let has_body = text[at..].starts_with(b"POST");
        at += length + 4 + if has_body { 600 } else { 0 };
    }
    let head_bytes =
        heads.iter().map(|head| head.len() + 4).sum::<usize>() as f64 / text.len() as f64;

    type Row<'t> = (&'t str, &'t str, f64, Box<dyn Fn() -> Result<Sums, HttpError> + 't>);
    let rows: [Row<'_>; 6] = [
        ("0", "every byte by itself", 1.0, Box::new(|| run::<PerByte>(&text))),
        ("1", "the body as a block", head_bytes, Box::new(|| run::<BlockBody>(&text))),
        ("2", "lines by index and slice", 0.0, Box::new(|| run::<IndexAndSlice>(&text))),
        ("3", "lines by memchr and slice", 0.0, Box::new(|| run::<Memchr>(&text))),
        ("4", "the head as a piece of the buffer", 0.0, Box::new(|| run_final(&text))),
        ("-", "the parser alone (in all of them)", 0.0, Box::new(|| parse_only(&heads))),
    ];
    let expected = rows[0].3()?;
    let mut best = [Duration::MAX; 6];
    for _ in 0..rounds {
        for ((_, what, _, run), best) in rows.iter().zip(&mut best).take(6) {
            let start = Instant::now();
            let sums = run()?;
            *best = start.elapsed().min(*best);
            assert_eq!(
                (sums.requests, sums.fields, sums.field_bytes),
                (REQUESTS, expected.fields, expected.field_bytes)
            );
            assert!(sums == expected || what.starts_with("the parser"), "{what}: {sums:?}");
        }
    }
    println!(
        "{REQUESTS} requests, {} bytes each on average, {} fields",
        text.len() / REQUESTS,
        expected.fields / REQUESTS
    );
    println!(
        "stage                                     ns/request    GB/s  byte calls  share of time  reading alone"
    );
    let seconds = best.map(|time| time.as_secs_f64());
    let parser = seconds[5];
    let share = |time: f64, first: f64| 100.0 * time / (time + first * 70.0 / 30.0);
    for (at, (number, what, byte_calls, _)) in rows.iter().enumerate() {
        let (ns, speed) =
            (seconds[at] * 1e9 / REQUESTS as f64, text.len() as f64 / seconds[at] / 1e9);
        print!("{number}  {what:<38} {ns:>10.0} {speed:>7.2} {:>9.0} %", byte_calls * 100.0);
        match at {
            5 => println!(),
            _ => println!(
                "  {:>11.1} %  {:>11.1} %",
                share(seconds[at], seconds[0]),
                share(seconds[at] - parser, seconds[0] - parser)
            ),
        }
    }
    Ok(())
}
