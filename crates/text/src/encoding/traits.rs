//! The three traits an encoding consists of: its name card, its decoder and its encoder.

/// An encoding: what it is called, and where its decoders and encoders come from.
///
/// Implement this and [`Decode`] and [`Encode`] and the encoding works wherever a built-in one
/// does.
pub trait Encoding: Send + Sync {
    /// The one name under which the encoding is reported.
    fn name(&self) -> &str;

    /// Other names under which it is found.
    fn aliases(&self) -> &[&str] {
        &[]
    }

    /// The byte order mark that may stand before the first character without being part of the
    /// text; empty if there is none. Decoders step over it at offset 0 and nowhere else,
    /// encoders write it when asked.
    fn bom(&self) -> &[u8] {
        &[]
    }

    /// What stands for something that cannot be decoded or encoded, unless the user names another
    /// text: `?`, and U+FFFD in the encodings of all of Unicode.
    fn replacement(&self) -> &str {
        "?"
    }

    /// A decoder at the start of a stream.
    fn decoder(&self) -> Box<dyn Decode>;

    /// An encoder at the start of a stream.
    fn encoder(&self) -> Box<dyn Encode>;
}

impl<E: Encoding + ?Sized> Encoding for std::sync::Arc<E> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn aliases(&self) -> &[&str] {
        (**self).aliases()
    }

    fn bom(&self) -> &[u8] {
        (**self).bom()
    }

    fn replacement(&self) -> &str {
        (**self).replacement()
    }

    fn decoder(&self) -> Box<dyn Decode> {
        (**self).decoder()
    }

    fn encoder(&self) -> Box<dyn Encode> {
        (**self).encoder()
    }
}

/// Bytes to text, a piece at a time.
pub trait Decode: Send + Sync {
    /// Appends to `text` what `input` says, up to its end or to the first bytes that say nothing.
    ///
    /// A sequence that `input` ends in the middle of stays unconsumed, and stands at the front of
    /// the next call's input, with more behind it. So an implementation needs to remember
    /// nothing that it left behind.
    fn decode(&mut self, input: &[u8], text: &mut String) -> Decoded;

    /// [`decode`](Decode::decode) for a caller who keeps text as bytes: appends the same text as
    /// UTF-8, without the copy from a string. `None`, with nothing appended, if this decoder
    /// has no such way; one that has it has it always.
    fn decode_bytes(&mut self, input: &[u8], text: &mut Vec<u8>) -> Option<Decoded> {
        let _ = (input, text);
        None
    }

    /// Whether there are no undecodable bytes at all, whole or cut: then nobody needs to know the
    /// place of one.
    fn is_total(&self) -> bool {
        false
    }

    /// The stream ends, and `tail` is what [`decode`](Decode::decode) left unconsumed, not empty.
    /// Unless the encoding can make something of it, that is an incomplete character.
    fn finish(&mut self, tail: &[u8], text: &mut String) -> Decoded {
        let _ = text;
        Decoded { consumed: 0, undecodable: tail.len() }
    }

    /// A decoder in the same state. Called once for each block of a few KiB that is not
    /// [verbatim](Verbatim), so that a position in the text can be turned into a position in
    /// the bytes later on.
    fn fork(&self) -> Box<dyn Decode>;

    /// Which input is, in the present state, the same bytes as its text in UTF-8. Such input never
    /// comes to [`decode`](Decode::decode), so it must not change the state.
    fn verbatim(&self) -> Verbatim {
        Verbatim::Nothing
    }

    /// What undecodable bytes say under [`Policy::Permissive`](super::Policy::Permissive): for each
    /// the code point of the same number, unless the encoding knows better.
    fn permit(&self, undecodable: &[u8], text: &mut String) {
        text.extend(undecodable.iter().map(|byte| char::from(*byte)));
    }
}

/// How far [`Decode::decode`] came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// Bytes from the start of the input whose text has been appended.
    pub consumed: usize,
    /// Bytes after those that cannot be decoded; 0 if what is left is merely incomplete. They
    /// count as not consumed: the caller steps over them.
    pub undecodable: usize,
}

/// Input that is its own text, so that it need not be decoded, only looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verbatim {
    /// None that the decoder vouches for.
    #[default]
    Nothing,
    /// ASCII.
    Ascii,
    /// Valid UTF-8.
    Utf8,
    /// ASCII where the result is a `String`; everything where the result is bytes (`utf-8-c8`).
    Bytes,
}

/// Text to bytes, a piece at a time.
pub trait Encode: Send + Sync {
    /// Appends to `bytes` what `text` is in this encoding, up to its end or the first character
    /// that it has not.
    fn encode(&mut self, text: &str, bytes: &mut Vec<u8>) -> Encoded;

    /// Appends what has to stand at the end of a stream (a return to the initial state, in stateful
    /// encodings).
    fn finish(&mut self, bytes: &mut Vec<u8>) {
        let _ = bytes;
    }

    /// Which text is, in the present state, its own encoding. Such text never comes to
    /// [`encode`](Encode::encode).
    fn verbatim(&self) -> Verbatim {
        Verbatim::Nothing
    }
}

/// How far [`Encode::encode`] came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoded {
    /// All of the text has been encoded.
    All,
    /// All of the text before byte `at`; the character there cannot be.
    Unmappable {
        /// Position of the character in the text, in bytes.
        at: usize,
        /// The character.
        character: char,
    },
}
