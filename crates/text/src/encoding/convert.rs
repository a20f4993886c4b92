//! Decoding with a policy and with CRLF folded.

use super::{Decode, Decoded, Encoding, Policy, Text, Verbatim};
use std::sync::Arc;

pub(crate) struct Converter {
    pub encoding: Arc<dyn Encoding>,
    pub policy: Policy,
    pub fold_crlf: bool,
}

pub(crate) struct State {
    decode: Box<dyn Decode>,
    /// Whether a CR waits for the next byte, when folding.
    held_cr: bool,
    /// For text that is folded or not decoded to a `String`.
    scratch: String,
}

impl State {
    pub fn fork(&self) -> State {
        State { decode: self.decode.fork(), held_cr: self.held_cr, scratch: String::new() }
    }

    pub fn is_total(&self) -> bool {
        self.decode.is_total()
    }

    pub fn holds_cr(&self) -> bool {
        self.held_cr
    }
}

impl Converter {
    pub fn new(encoding: Arc<dyn Encoding>) -> Converter {
        Converter { encoding, policy: Policy::default(), fold_crlf: false }
    }

    pub fn start(&self) -> State {
        State { decode: self.encoding.decoder(), held_cr: false, scratch: String::new() }
    }

    pub fn verbatim(&self, state: &State) -> Verbatim {
        if state.held_cr { Verbatim::Nothing } else { state.decode.verbatim() }
    }

    pub fn unfolded_prefix(&self, input: &[u8]) -> usize {
        if self.fold_crlf {
            memchr::memchr(b'\r', input).unwrap_or(input.len())
        } else {
            input.len()
        }
    }

    /// Decodes `input` and applies the policy; `undecodable` is 0 except under [`Policy::Strict`].
    pub fn convert<T: Text>(&self, state: &mut State, input: &[u8], text: &mut T) -> Decoded {
        let from = text.bytes().len();
        let decoded = if T::RAW && state.decode.verbatim() == Verbatim::Bytes {
            let consumed = input.len() - T::tail(Verbatim::Bytes, input);
            text.push_verbatim(Verbatim::Bytes, &input[..consumed]);
            Decoded { consumed, undecodable: 0 }
        } else {
            self.decode(state, input, text)
        };
        self.fold(state, text, from);
        decoded
    }

    pub fn finish<T: Text>(&self, state: &mut State, tail: &[u8], text: &mut T) -> Decoded {
        let from = text.bytes().len();
        let mut decoded = Decoded::default();
        if T::RAW && state.decode.verbatim() == Verbatim::Bytes {
            text.push_verbatim(Verbatim::Bytes, tail);
            decoded.consumed = tail.len();
        } else if !tail.is_empty() {
            let State { decode, scratch, .. } = state;
            decoded = text.append_with(scratch, |text| self.end(&mut **decode, tail, text));
        }
        self.fold(state, text, from);
        if decoded.consumed == tail.len() {
            if std::mem::take(&mut state.held_cr) {
                text.push_verbatim(Verbatim::Ascii, b"\r");
            }
            if !tail.is_empty() {
                state.decode = self.encoding.decoder();
            }
        }
        decoded
    }

    fn end(&self, decode: &mut dyn Decode, tail: &[u8], text: &mut String) -> Decoded {
        let mut consumed = 0;
        let mut is_end = true;
        while consumed < tail.len() {
            let rest = &tail[consumed..];
            let decoded =
                if is_end { decode.finish(rest, text) } else { decode.decode(rest, text) };
            let Decoded { consumed: more, undecodable } = clamped(decoded, rest.len());
            consumed += more;
            if undecodable == 0 && is_end {
                break;
            }
            if undecodable > 0 && !self.settle(decode, &rest[more..more + undecodable], text) {
                return Decoded { consumed, undecodable };
            }
            consumed += undecodable;
            is_end = undecodable == 0;
        }
        Decoded { consumed, undecodable: 0 }
    }

    fn decode<T: Text>(&self, state: &mut State, input: &[u8], text: &mut T) -> Decoded {
        let State { decode, scratch, .. } = state;
        let mut consumed = 0;
        loop {
            let rest = &input[consumed..];
            let decoded = clamped(text.decode_with(scratch, &mut **decode, rest), rest.len());
            consumed += decoded.consumed;
            let undecodable = &input[consumed..consumed + decoded.undecodable];
            if undecodable.is_empty()
                || !text.append_with(scratch, |text| self.settle(&**decode, undecodable, text))
            {
                return Decoded { consumed, undecodable: undecodable.len() };
            }
            consumed += undecodable.len();
        }
    }

    fn settle(&self, decode: &dyn Decode, undecodable: &[u8], text: &mut String) -> bool {
        match &self.policy {
            Policy::Strict => return false,
            Policy::Replace => text.push_str(self.encoding.replacement()),
            Policy::ReplaceWith(replacement) => text.push_str(replacement),
            Policy::Permissive => decode.permit(undecodable, text),
        }
        true
    }

    /// Turns each CRLF after `from` into LF, and withholds a final CR.
    fn fold<T: Text>(&self, state: &mut State, text: &mut T, from: usize) {
        let added = &text.bytes()[from..];
        if !self.fold_crlf
            || added.is_empty()
            || !state.held_cr && memchr::memchr(b'\r', added).is_none()
        {
            return;
        }
        let mut folded = T::default();
        let end = text.bytes().len();
        if std::mem::take(&mut state.held_cr) && added[0] != b'\n' {
            folded.push_verbatim(Verbatim::Ascii, b"\r");
        }
        let mut done = from;
        for at in memchr::memchr_iter(b'\r', added).map(|at| from + at) {
            match text.bytes().get(at + 1) {
                Some(b'\n') => folded.push(text.slice(done..at)),
                Some(_) => folded.push(text.slice(done..at + 1)),
                None => {
                    folded.push(text.slice(done..at));
                    state.held_cr = true;
                }
            }
            done = at + 1;
        }
        folded.push(text.slice(done..end));
        text.truncate_to(from);
        text.push(folded.borrow());
    }
}

/// Enforces the contract on a decoder written by a user.
fn clamped(decoded: Decoded, length: usize) -> Decoded {
    let consumed = decoded.consumed.min(length);
    Decoded { consumed, undecodable: decoded.undecodable.min(length - consumed) }
}
