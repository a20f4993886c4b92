//! Messages between a header and the next.

use std::io::{self, BufRead, ErrorKind, Write};

use serde_json::Value;

/// No editor sends longer ones; a wrong length must not use up the memory.
const MAX_LENGTH: usize = 64 << 20;

/// What came in.
#[derive(Debug)]
pub(crate) enum Received {
    Message(Value),
    /// A message that is no JSON, and why.
    Unreadable(String),
    End,
}

/// # Errors
/// The header is none, or the input ends in a message: where the next one begins is unknown.
pub(crate) fn receive(input: &mut dyn BufRead) -> io::Result<Received> {
    let broken = |message: String| io::Error::new(ErrorKind::InvalidData, message);
    let mut length = None;
    let mut is_begun = false;
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return match is_begun {
                false => Ok(Received::End),
                true => Err(broken("the input ends in a header".to_owned())),
            };
        }
        is_begun = true;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            break;
        }
        let Some((name, value)) = line.split_once(':') else {
            return Err(broken(format!("`{line}' is no header")));
        };
        if name.eq_ignore_ascii_case("Content-Length") {
            let found = value.trim().parse().ok().filter(|&length| length <= MAX_LENGTH);
            length =
                Some(found.ok_or_else(|| broken(format!("the length is `{}'", value.trim())))?);
        }
    }
    let length = length.ok_or_else(|| broken("a header has no Content-Length".to_owned()))?;
    let mut text = vec![0; length];
    input.read_exact(&mut text).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => broken("the input ends in a message".to_owned()),
        _ => error,
    })?;
    Ok(match serde_json::from_slice(&text) {
        Ok(message) => Received::Message(message),
        Err(error) => Received::Unreadable(error.to_string()),
    })
}

pub(crate) fn send(output: &mut dyn Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut input: &[u8]) -> (Vec<String>, Option<String>) {
        let mut found = Vec::new();
        loop {
            match receive(&mut input) {
                Ok(Received::End) => return (found, None),
                Ok(Received::Message(message)) => found.push(message.to_string()),
                Ok(Received::Unreadable(_)) => found.push("unreadable".to_owned()),
                Err(error) => return (found, Some(error.to_string())),
            }
        }
    }

    #[test]
    fn messages_follow_each_other() {
        let mut text = Vec::new();
        send(&mut text, &serde_json::json!({"a": "ä"})).unwrap();
        text.extend(b"content-length:2\nContent-Type: x\n\n[]Content-Length: 1\r\n\r\n{");
        let (found, error) = all(&text);
        assert_eq!(found, [r#"{"a":"ä"}"#, "[]", "unreadable"]);
        assert_eq!(error, None);
    }

    #[test]
    fn what_leaves_no_place_for_the_next_message_is_an_error() {
        for (text, why) in [
            ("Content-Length: 3\r\n\r\n{", "the input ends in a message"),
            ("Content-Length: 3\r\n", "the input ends in a header"),
            ("Content-Length: -1\r\n\r\n", "the length is `-1'"),
            ("Content-Length: 99999999999\r\n\r\n", "the length is `99999999999'"),
            ("Content-Type: x\r\n\r\n", "a header has no Content-Length"),
            ("{}\r\n\r\n", "`{}' is no header"),
        ] {
            assert_eq!(all(text.as_bytes()), (Vec::new(), Some(why.to_owned())), "{text:?}");
        }
    }
}
