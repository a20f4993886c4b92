//! Decodes files in other encodings than UTF-8, and encodes output.
//!
//! Inside, text is UTF-8, or unchanged bytes without an encoding. Commands use their own locale.

use riverhawk_stream::{Room, Source};
use riverhawk_text::decoder::Decoder;
use riverhawk_text::encoding::{DecodeError, Encoder, Encoding, Policy};
use std::io;
use std::sync::Arc;

/// A piece and its text fit the second-level cache.
const DECODED_AT_ONCE: usize = 64 * 1024;

/// Bytes of UTF-8 per byte; a longer replacement makes the room grow.
const EXPANDED: usize = 3;

/// For the rest of the last read, and kernels that write past their end.
const EXPANDED_BY: usize = 1024;

/// An encoding, and the policy for what it cannot represent.
#[derive(Clone)]
pub struct Coding {
    /// The encoding.
    pub encoding: Arc<dyn Encoding>,
    /// For what cannot be decoded or encoded.
    pub policy: Policy,
}

impl std::fmt::Debug for Coding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Coding")
            .field("encoding", &self.encoding.name())
            .field("policy", &self.policy)
            .finish()
    }
}

impl Coding {
    /// Decodes `source`.
    pub fn decode(&self, source: impl Source + 'static) -> Decoding {
        Decoding {
            source: Box::new(source),
            decoder: Decoder::bytes(Arc::clone(&self.encoding)).with_policy(self.policy.clone()),
            text: Vec::new(),
            text_at: 0,
            failure: None,
            ended: false,
        }
    }

    /// Whether this encoding can represent all of `text`.
    pub fn can_write(&self, text: &[u8]) -> bool {
        self.encode(true).recode(text, true).1.is_ok()
    }

    /// `continues`: after existing text, so without a byte order mark.
    pub(super) fn encode(&self, continues: bool) -> Recoder {
        let mut encoder = Encoder::new(Arc::clone(&self.encoding)).with_policy(self.policy.clone());
        if continues {
            // Skips the byte order mark.
            let _ = encoder.push_str("\n", &mut Vec::new());
        }
        Recoder { encoder, bytes: Vec::new() }
    }
}

pub(super) struct Recoder {
    encoder: Encoder,
    bytes: Vec<u8>,
}

impl Recoder {
    /// `last` ends the text.
    pub(super) fn recode(&mut self, text: &[u8], last: bool) -> (&[u8], io::Result<()>) {
        self.bytes.clear();
        let mut result = self.encoder.push(text, &mut self.bytes);
        if last && result.is_ok() {
            result = self.encoder.finish(&mut self.bytes);
        }
        (&self.bytes, result.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)))
    }
}

/// A source of UTF-8 over a source in another encoding.
///
/// Text before undecodable bytes is delivered before the error.
pub struct Decoding {
    source: Box<dyn Source>,
    decoder: Decoder<Vec<u8>>,
    /// Did not fit the caller's room; delivered up to `text_at`.
    text: Vec<u8>,
    text_at: usize,
    /// Returned after `text`.
    failure: Option<DecodeError>,
    ended: bool,
}

impl Source for Decoding {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        while self.text_at == self.text.len() {
            if let Some(failure) = self.failure.take() {
                return Err(io::Error::new(io::ErrorKind::InvalidData, failure));
            }
            if self.ended {
                return Ok(0);
            }
            // Saves a copy.
            let left = room.len();
            let fits = left.saturating_sub(EXPANDED_BY) / EXPANDED;
            let is_direct = fits >= DECODED_AT_ONCE / 8;
            let wanted = if is_direct { fits.min(DECODED_AT_ONCE) } else { DECODED_AT_ONCE };
            let mut bytes = self.decoder.spare_buffer();
            bytes.reserve(DECODED_AT_ONCE);
            self.source.read(&mut Room::new(&mut bytes, wanted))?;
            let maximum = EXPANDED * bytes.len() + EXPANDED_BY;
            if bytes.is_empty() {
                self.decoder.finish();
            } else {
                self.decoder.add(bytes);
            }
            if is_direct
                && let Some(decoded) =
                    room.append_by(maximum, |block| self.decoder.take_available_into(block))
            {
                self.note(decoded);
                let appended = left - room.len();
                if appended > 0 {
                    return Ok(appended);
                }
                continue;
            }
            self.text.clear();
            self.text_at = 0;
            let decoded = self.decoder.take_available_into(&mut self.text);
            self.note(decoded);
        }
        let taken = room.append(&self.text[self.text_at..]);
        self.text_at += taken;
        Ok(taken)
    }
}

impl Decoding {
    fn note(&mut self, decoded: Result<(), DecodeError>) {
        self.ended = self.decoder.is_finished() || decoded.is_err();
        self.failure = decoded.err();
    }
}
