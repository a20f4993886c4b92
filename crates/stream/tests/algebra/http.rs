//! The example's request parser: requests, refusals, limits, any split of the input.

use crate::http_parser::{Body, HttpError, Limits, Parser, Problem};
use riverhawk_stream::{MemoryStream, ScriptedSource, SourceStream, Stream};

type Seen = (String, String, Vec<(String, String)>, Body, bool);

fn all(text: &[u8], chunk: usize, size: usize) -> Result<Vec<Seen>, HttpError> {
    let mut stream = SourceStream::with_window(ScriptedSource::chunked(text, chunk), size);
    let (mut parser, mut seen) = (Parser::new(Limits::default()), vec![]);
    while let Some(request) = parser.next_request(&mut stream)? {
        let fields = request
            .fields()
            .map(|(name, value)| (name.into(), String::from_utf8_lossy(value).into_owned()));
        let body = request.body;
        seen.push((
            request.method.into(),
            request.target.into(),
            fields.collect(),
            body,
            request.keeps_alive,
        ));
        if let Body::Length(length) = body {
            assert_eq!(stream.skip(length).unwrap(), length);
        }
    }
    Ok(seen)
}

fn problem(head: &str) -> (Problem, u64) {
    let text = format!("GET /first HTTP/1.1\r\nHost: a\r\n\r\n{head}\r\n\r\n");
    match all(text.as_bytes(), 1 << 20, 1 << 16) {
        Err(HttpError::Bad { problem, line_offset }) => (problem, line_offset - 32),
        other => panic!("{head:?} gave {other:?}"),
    }
}

const THREE: &[u8] = b"GET /a?b=c HTTP/1.1\r\nHost: example.org\r\nAccept:*/*\r\nX-Empty:\r\n\r\n\
    \r\nPOST /form HTTP/1.1\r\nHOST: example.org\r\ncontent-length: 15\r\nX-Blanks: \t two words \t\r\n\r\na=1&b=2\r\n\r\n&c=3\
    HEAD / HTTP/1.0\r\nConnection: Keep-Alive, x\r\n\r\n";

#[test]
fn requests_in_a_row_come_out_whole_however_the_input_is_cut() {
    let whole = all(THREE, THREE.len(), 1 << 16).unwrap();
    let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
    assert_eq!(whole.len(), 3);
    assert_eq!((&whole[0].0[..], &whole[0].1[..]), ("GET", "/a?b=c"));
    assert_eq!(
        whole[0].2,
        [pair("Host", "example.org"), pair("Accept", "*/*"), pair("X-Empty", "")]
    );
    assert_eq!((whole[1].3, &whole[1].2[2]), (Body::Length(15), &pair("X-Blanks", "two words")));
    assert_eq!((&whole[2].0[..], whole[2].4), ("HEAD", true));
    for chunk in [1, 2, 3, 5, 50] {
        for size in [1, 7, 64] {
            assert_eq!(
                all(THREE, chunk, size).unwrap(),
                whole,
                "chunks of {chunk}, buffer of {size}"
            );
        }
    }
}

#[test]
fn every_refusal_says_what_and_where() {
    let host = "GET / HTTP/1.1\r\nHost: a\r\n";
    for (head, expected, line_at) in [
        ("GET /".to_string(), Problem::RequestLine, 0),
        ("GET / HTTP/1.1 x".into(), Problem::RequestLine, 0),
        ("GET  / HTTP/1.1".into(), Problem::RequestLine, 0),
        ("G(T / HTTP/1.1".into(), Problem::Method, 0),
        ("GET /\u{1} HTTP/1.1".into(), Problem::Target, 0),
        ("GET /\u{e9} HTTP/1.1".into(), Problem::Target, 0),
        ("GET / HTTP/2.0".into(), Problem::Version, 0),
        ("GET / HTTP/1.1".into(), Problem::Host, 0),
        (format!("{host}Host: b"), Problem::Host, 0),
        (format!("{host} folded: x"), Problem::Folded, 25),
        (format!("{host}A: b\r\n\tfolded"), Problem::Folded, 31),
        (format!("{host}nothing"), Problem::NoColon, 25),
        (format!("{host}A : b"), Problem::FieldName, 25),
        (format!("{host}: b"), Problem::FieldName, 25),
        (format!("{host}A: \0"), Problem::FieldValue, 25),
        (format!("{host}A: b\nC: d"), Problem::FieldValue, 25),
        (format!("{host}A: b\rC: d"), Problem::FieldValue, 25),
        (format!("{host}Content-Length: +5"), Problem::ContentLength, 25),
        (format!("{host}Content-Length:"), Problem::ContentLength, 25),
        (format!("{host}Content-Length: 99999999999999999999"), Problem::ContentLength, 25),
        (format!("{host}Content-Length: 5\r\nContent-Length: 6"), Problem::ContentLength, 44),
        (format!("{host}Transfer-Encoding: gzip"), Problem::TransferEncoding, 25),
        (
            format!("{host}Transfer-Encoding: chunked\r\nContent-Length: 3"),
            Problem::TransferEncoding,
            0,
        ),
        (
            format!("GET /{} HTTP/1.1", "x".repeat(8000)),
            Problem::RequestLineTooLong { limit: 8000 },
            0,
        ),
        (
            format!("{host}{}", "A: b\r\n".repeat(100)),
            Problem::TooManyFields { limit: 100 },
            25 + 99 * 6,
        ),
        (format!("{host}A: {}", "x".repeat(17_000)), Problem::HeadTooLong { limit: 16 * 1024 }, 0),
    ] {
        assert_eq!(problem(&head), (expected, line_at), "{head:?}");
    }
}

#[test]
fn an_end_between_requests_is_no_error_and_one_inside_a_head_is() {
    assert!(all(b"", 1, 1).unwrap().is_empty());
    assert!(all(b"\r\n", 1, 1).unwrap().is_empty());
    let error = all(b"GET / HTTP/1.1\r\nHost: a\r\n", 3, 1).unwrap_err();
    assert!(
        matches!(error, HttpError::Bad { problem: Problem::Truncated, line_offset: 0 }),
        "{error}"
    );
    assert_eq!(error.status(), 400);
    assert_eq!(error.to_string(), "byte 0: the input ends before the empty line that ends a head");
}

#[test]
fn connections_close_and_stay_open_as_the_version_and_the_field_say() {
    for (version, connection, expected) in [
        (1, "x", true),
        (1, "close", false),
        (1, "keep-alive, Close", false),
        (0, "x", false),
        (0, "keep-alive", true),
    ] {
        let text = format!("GET / HTTP/1.{version}\r\nHost: a\r\nConnection: {connection}\r\n\r\n");
        let mut parser = Parser::new(Limits::default());
        let mut stream = MemoryStream::new(&text);
        let request = parser.next_request(&mut stream).unwrap().unwrap();
        assert_eq!((request.keeps_alive, request.minor_version), (expected, version), "{text}");
        assert_eq!(request.field("HOST"), Some(&b"a"[..]));
    }
}
