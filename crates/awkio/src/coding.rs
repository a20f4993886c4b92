//! Files in other encodings than UTF-8: decoded between descriptor and window, encoded between
//! buffer and descriptor.
//!
//! Inside, text is UTF-8 (or whatever bytes came in: without an encoding nothing is looked at and
//! nothing is changed). What commands read and write is left alone: they are told their locale, not
//! ours.

use riverhawk_stream::{Room, Source};
use riverhawk_text::decoder::Decoder;
use riverhawk_text::encoding::{DecodeError, Encoder, Encoding, Policy};
use std::io;
use std::sync::Arc;

/// How much of a file is decoded at once: with its text it stays in the second-level cache.
const DECODED_AT_ONCE: usize = 64 * 1024;

/// Bytes of UTF-8 that a byte becomes at most, unless the user has chosen a longer replacement:
/// then the room grows.
const EXPANDED: usize = 3;

/// Room besides for what was left from the read before, and that kernels ask for behind what they
/// write.
const EXPANDED_BY: usize = 1024;

/// An encoding and what becomes of what it has no counterpart for.
#[derive(Clone)]
pub struct Coding {
    /// The encoding.
    pub encoding: Arc<dyn Encoding>,
    /// What becomes of bytes that cannot be decoded, and of characters that cannot be encoded.
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
    /// The text of `source`, which is in this encoding.
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

    /// Whether all of a text can be written in this encoding.
    pub fn can_write(&self, text: &[u8]) -> bool {
        self.encode(true).recode(text, true).1.is_ok()
    }

    /// An encoder for one output; `continues`: behind text that is there already, so that no byte
    /// order mark comes between.
    pub(super) fn encode(&self, continues: bool) -> Recoder {
        let mut encoder = Encoder::new(Arc::clone(&self.encoding)).with_policy(self.policy.clone());
        if continues {
            // Whatever has to stand at the beginning of a text goes with a character that nobody
            // sees.
            let _ = encoder.push_str("\n", &mut Vec::new());
        }
        Recoder { encoder, bytes: Vec::new() }
    }
}

/// The encoder of one output with its buffer.
pub(super) struct Recoder {
    encoder: Encoder,
    bytes: Vec<u8>,
}

impl Recoder {
    /// What is to be written for `text`, and for the end of all text if `last`, as far as it can be
    /// encoded.
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
/// Everything before undecodable bytes is delivered before the error is, and a character cut by a
/// read waits for the next one.
pub struct Decoding {
    source: Box<dyn Source>,
    decoder: Decoder<Vec<u8>>,
    /// The text of the last read that was not decoded into the caller's room, of which everything before `text_at` has been delivered.
    text: Vec<u8>,
    text_at: usize,
    /// Why there is no more text behind that.
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
            // What is read is decoded into the room at once if all that it may come to has room
            // there: writing it elsewhere and copying took 3 ms of 60 MB.
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
    /// What follows from how decoding went.
    fn note(&mut self, decoded: Result<(), DecodeError>) {
        self.ended = self.decoder.is_finished() || decoded.is_err();
        self.failure = decoded.err();
    }
}
