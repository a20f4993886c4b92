//! An access log in the combined format, and blocks of HTTP headers.

use crate::prng::Prng;
use std::io::{self, Write};

const PATHS: &[&str] = &[
    "/",
    "/index.html",
    "/static/app.js",
    "/static/style.css",
    "/images/logo.png",
    "/api/v1/users",
    "/api/v1/orders",
    "/login",
    "/logout",
    "/search",
    "/products/list",
    "/about/contact.html",
    "/feed.xml",
    "/robots.txt",
];
const METHODS: &[&str] =
    &["GET", "GET", "GET", "GET", "GET", "GET", "GET", "POST", "POST", "PUT", "HEAD"];
const STATUSES: &[u16] =
    &[200, 200, 200, 200, 200, 200, 200, 200, 206, 301, 302, 304, 304, 403, 404, 404, 500, 503];
const AGENTS: &[&str] = &[
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0.0.0",
    "curl/8.5.0",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
];
const MONTHS: &[&str] =
    &["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A request per line of about 170 bytes, in order of time; 5,000 clients, a few of them busy.
pub fn access(out: &mut dyn Write, prng: &mut Prng, lines: u64) -> io::Result<()> {
    for number in 0..lines {
        let client = prng.skewed(5_000);
        let second = number * 7 / 3;
        let (day, month) = (second / 86_400 % 28 + 1, second / (86_400 * 28) % 12);
        writeln!(
            out,
            "10.{}.{}.{} - - [{day:02}/{}/2026:{:02}:{:02}:{:02} +0000] \"{} {}?id={} HTTP/1.1\" {} {} \"https://example.org{}\" \"{}\" {}.{:03}",
            client % 7,
            client / 256,
            client % 256,
            MONTHS[month as usize],
            second / 3_600 % 24,
            second / 60 % 60,
            second % 60,
            prng.pick(METHODS),
            prng.pick(PATHS),
            prng.below(100_000),
            prng.pick(STATUSES),
            prng.skewed(1_000_000),
            prng.pick(PATHS),
            prng.pick(AGENTS),
            prng.skewed(20),
            prng.below(1_000),
        )?;
    }
    Ok(())
}

/// Header blocks in a proxy's log: lines end with CRLF, blocks with an empty line.
pub fn headers(out: &mut dyn Write, prng: &mut Prng, blocks: u64) -> io::Result<()> {
    for _ in 0..blocks {
        write!(out, "HTTP/1.1 {} OK\r\n", prng.pick(STATUSES))?;
        write!(
            out,
            "Content-Type: {}\r\n",
            prng.pick(&["text/html; charset=utf-8", "application/json", "image/png"])
        )?;
        write!(out, "Content-Length: {}\r\n", prng.skewed(1_000_000))?;
        write!(
            out,
            "Date: Sat, {:02} Nov 2026 {:02}:{:02}:00 GMT\r\n",
            prng.between(1, 30),
            prng.below(24),
            prng.below(60)
        )?;
        for _ in 0..prng.between(1, 4) {
            write!(
                out,
                "Set-Cookie: s{}={:016x}; Path=/; HttpOnly\r\n",
                prng.below(10),
                prng.next()
            )?;
        }
        write!(
            out,
            "Cache-Control: max-age={}\r\nETag: \"{:08x}\"\r\n\r\n",
            prng.below(86_400),
            prng.next() >> 32
        )?;
    }
    Ok(())
}
