//! The three traits of an encoding.

/// An encoding. With [`Decode`] and [`Encode`] it works wherever a built-in one does.
pub trait Encoding: Send + Sync {
    /// The name for messages.
    fn name(&self) -> &str;

    /// Other names.
    fn aliases(&self) -> &[&str] {
        &[]
    }

    /// The byte order mark before the text, or empty. Decoders skip it at offset 0, encoders write
    /// it on request.
    fn bom(&self) -> &[u8] {
        &[]
    }

    /// The default replacement: `?`, or U+FFFD in the encodings of all of Unicode.
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

/// Turns bytes into text, a piece at a time.
pub trait Decode: Send + Sync {
    /// Appends the text of `input` to `text`, up to its end or the first undecodable bytes.
    ///
    /// A sequence that the end of `input` cuts stays unconsumed and begins the next call's input,
    /// so the decoder need not remember it.
    fn decode(&mut self, input: &[u8], text: &mut String) -> Decoded;

    /// As [`decode`](Decode::decode), but appends the text as UTF-8 bytes. `None` if this decoder
    /// leaves that to `decode`.
    fn decode_bytes(&mut self, input: &[u8], text: &mut Vec<u8>) -> Option<Decoded> {
        let _ = (input, text);
        None
    }

    /// Whether no bytes are undecodable, so that positions need not be counted.
    fn is_total(&self) -> bool {
        false
    }

    /// Ends the stream with `tail` left unconsumed, which is not empty: an incomplete character,
    /// unless the encoding gives it a meaning.
    fn finish(&mut self, tail: &[u8], text: &mut String) -> Decoded {
        let _ = text;
        Decoded { consumed: 0, undecodable: tail.len() }
    }

    /// A decoder in the same state. Called for each block of a few KiB that is not
    /// [verbatim](Verbatim), to find positions again.
    fn fork(&self) -> Box<dyn Decode>;

    /// Which input is now its own text. Such input bypasses [`decode`](Decode::decode), so it must
    /// not change the state.
    fn verbatim(&self) -> Verbatim {
        Verbatim::Nothing
    }

    /// The text of undecodable bytes under [`Policy::Permissive`](super::Policy::Permissive): by
    /// default code points of the same number.
    fn permit(&self, undecodable: &[u8], text: &mut String) {
        text.extend(undecodable.iter().map(|byte| char::from(*byte)));
    }
}

/// The result of [`Decode::decode`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// Bytes from the start of the input whose text has been appended.
    pub consumed: usize,
    /// How many bytes after those cannot be decoded and are skipped by the caller; 0 if the rest is
    /// incomplete.
    pub undecodable: usize,
}

/// Input that is its own text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verbatim {
    /// None.
    #[default]
    Nothing,
    /// ASCII.
    Ascii,
    /// Valid UTF-8.
    Utf8,
    /// ASCII for a `String`, everything for bytes (`utf-8-c8`).
    Bytes,
}

/// Turns text into bytes, a piece at a time.
pub trait Encode: Send + Sync {
    /// Appends `text` to `bytes` in this encoding, up to its end or the first character it lacks.
    fn encode(&mut self, text: &str, bytes: &mut Vec<u8>) -> Encoded;

    /// Appends the end of a stream (a return to the initial state).
    fn finish(&mut self, bytes: &mut Vec<u8>) {
        let _ = bytes;
    }

    /// Which text is now its own encoding. It bypasses [`encode`](Encode::encode).
    fn verbatim(&self) -> Verbatim {
        Verbatim::Nothing
    }
}

/// The result of [`Encode::encode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoded {
    /// All of the text has been encoded.
    All,
    /// All of the text before byte `at`; the character there cannot be encoded.
    Unmappable {
        /// Position of the character in the text, in bytes.
        at: usize,
        /// The character.
        character: char,
    },
}
