//! The streaming decoder: takes bytes in any pieces, gives lines and characters.
//!
//! A [`Decoder`] gives text as soon as it is complete, wherever the pieces were cut. What is not
//! complete is `None`, never an error.
//! [`TextReader`] puts a decoder around a `Read`.
//!
//! It does not wait or read by itself and does not normalise. Separators are strings; for regular
//! expressions use `riverhawk-stream`.
//!
//! ```
//! use riverhawk_text::decoder::Decoder;
//! use riverhawk_text::encoding::Utf8;
//!
//! let mut decoder = Decoder::new(Utf8);
//! decoder.add_slice(b"one\ntw\xC3");
//! assert_eq!(decoder.take_line()?, Some("one"));
//! assert_eq!(decoder.take_line()?, None); // not yet
//! decoder.add_slice(b"\xB6\r\nend");
//! assert_eq!(decoder.take_line()?, Some("twö"));
//! decoder.finish(); // the input has ended
//! assert_eq!(decoder.take_line()?, Some("end"));
//! assert_eq!(decoder.take_line()?, None);
//! assert!(decoder.is_empty());
//! # Ok::<(), riverhawk_text::encoding::DecodeError>(())
//! ```
//!
//! # The nine operations
//!
//! | | |
//! |---|---|
//! | add bytes | [`add`](Decoder::add) adopts a `Vec<u8>`, [`add_slice`](Decoder::add_slice) copies, [`fill_from`](Decoder::fill_from) reads |
//! | take what is there | [`take_available`](Decoder::take_available) |
//! | take all | [`take_all`](Decoder::take_all), after [`finish`](Decoder::finish) |
//! | take N characters | [`take_chars`](Decoder::take_chars) (code points), [`take_graphemes`](Decoder::take_graphemes) |
//! | set separators | [`set_separators`](Decoder::set_separators) |
//! | take a line | [`take_line`](Decoder::take_line), [`take_line_with_separator`](Decoder::take_line_with_separator), [`take_line_owned`](Decoder::take_line_owned), [`for_each_line`](Decoder::for_each_line) |
//! | is it empty | [`is_empty`](Decoder::is_empty) |
//! | how many bytes | [`bytes_available`](Decoder::bytes_available) |
//! | take N bytes | [`take_bytes`](Decoder::take_bytes) |
//!
//! # Text that is not valid
//!
//! `Decoder::new` gives `&str`, so invalid bytes are errors or replaced ([`Policy`]).
//! `Decoder::bytes` gives `&[u8]`, and with [`Utf8Clean8`](crate::encoding::Utf8Clean8) accepts
//! every byte:
//!
//! ```
//! use riverhawk_text::decoder::Decoder;
//! use riverhawk_text::encoding::Utf8Clean8;
//! let mut decoder = Decoder::bytes(Utf8Clean8);
//! decoder.add_slice(b"ok\n\xFF\xFE\nx\n");
//! assert_eq!(decoder.take_line()?, Some(&b"ok"[..]));
//! assert_eq!(decoder.take_line()?, Some(&b"\xFF\xFE"[..]));
//! # Ok::<(), riverhawk_text::encoding::DecodeError>(())
//! ```
//!
//! # Guarantees
//!
//! - **Latency.** Text is given as soon as its bytes are there. Withheld are an incomplete
//!   character; under [`with_folded_crlf`](Decoder::with_folded_crlf) a final CR; and a line that
//!   ends in CR if CR and CRLF are both separators.
//! - **Cuts.** The lines do not depend on how the bytes were cut.
//! - **Allocation.** None per line in a steady state: buffers are reused.
//! - **Copying.** A chunk that is its own text (ASCII in most encodings, UTF-8 in `utf-8`) is
//!   validated and adopted; lines are borrowed from it. Lines in several chunks are joined in a
//!   buffer that is reused; other chunks are decoded in blocks of 16 KiB.
//! - **Searching.** Each byte of text is searched for separators once.
//! - **Invalid input.** Under [`Policy::Strict`], complete lines before it come first. The error
//!   then repeats until the caller takes the text before the bad bytes
//!   ([`take_available`](Decoder::take_available)) and the bytes
//!   ([`take_bytes`](Decoder::take_bytes)).
//!
//! `cargo run --release -p riverhawk-text --example decode_speed` compares it with other crates.

mod clusters;
mod counters;
mod intake;
mod operations;
mod pending;
mod reader;
mod search;
mod separators;

pub use counters::DecoderCounters;
pub use reader::{DecodedReadError, TextReader};
pub use separators::{MAX_SEPARATOR_LENGTH, MAX_SEPARATORS, SeparatorError, Separators};

use crate::encoding::convert::Converter;
use crate::encoding::{Encoding, Policy, Text};
use intake::Intake;
use pending::Pending;
use search::Search;
use std::sync::Arc;

/// Turns bytes that arrive in pieces into lines and characters. See the [module](self).
///
/// Results are `&str` with `T = String`, and `&[u8]` with `Vec<u8>`.
pub struct Decoder<T: Text = String> {
    intake: Intake,
    /// Text not taken yet; `intake` follows it.
    pending: Pending<T>,
    search: Search,
    separators: Separators,
    /// The separators in folded text, if CRLF is folded.
    folded: Option<Separators>,
    counted: Option<operations::Counted>,
    counted_clusters: Option<clusters::CountedClusters>,
    /// Text put together from several chunks.
    taken_bytes: Vec<u8>,
    /// Text was taken other than by lines, so the search must catch up.
    is_search_behind: bool,
}

impl Decoder<String> {
    /// A decoder of `encoding` whose results are `&str`: strict, LF and CRLF as separators, a byte
    /// order mark at the start skipped.
    pub fn new(encoding: impl Encoding + 'static) -> Decoder<String> {
        Decoder::of(encoding)
    }
}

impl Decoder<Vec<u8>> {
    /// A decoder of `encoding` whose results are `&[u8]`; `utf-8-c8` allows any bytes.
    pub fn bytes(encoding: impl Encoding + 'static) -> Decoder<Vec<u8>> {
        Decoder::of(encoding)
    }
}

impl<T: Text> Decoder<T> {
    /// A decoder of `encoding` with results of type `T`.
    pub fn of(encoding: impl Encoding + 'static) -> Decoder<T> {
        let intake = Intake::new(Converter::new(Arc::new(encoding)));
        let mut pending = Pending::new();
        pending.tracks_place = intake.has_errors();
        Decoder {
            intake,
            pending,
            search: Search::new(),
            separators: Separators::default(),
            folded: None,
            counted: None,
            counted_clusters: None,
            taken_bytes: Vec::new(),
            is_search_behind: false,
        }
    }

    /// What becomes of undecodable bytes.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.set_policy(policy);
        self
    }

    /// What ends a line.
    #[must_use]
    pub fn with_separators(mut self, separators: Separators) -> Self {
        self.set_separators(separators);
        self
    }

    /// Turns each CRLF into LF, in the text and the separators; a lone CR stays.
    #[must_use]
    pub fn with_folded_crlf(mut self) -> Self {
        self.intake.take_back(&mut self.pending);
        self.intake.converter.fold_crlf = true;
        self.set_separators(self.separators.clone());
        self
    }

    /// Keeps a byte order mark at the start in the text. In `utf-16` it is never text.
    #[must_use]
    pub fn with_bom_kept(mut self) -> Self {
        self.intake.may_be_bom = false;
        self
    }

    /// The policy for everything not yet taken. Positions in later errors are counted from the last
    /// change to [`Policy::Strict`].
    pub fn set_policy(&mut self, policy: Policy) {
        self.intake.take_back(&mut self.pending);
        self.intake.converter.policy = policy;
        self.pending.tracks_place = self.intake.has_errors();
        self.forget_progress();
    }

    /// The separators in everything not yet taken.
    pub fn set_separators(&mut self, separators: Separators) {
        self.folded = self.intake.converter.fold_crlf.then(|| separators.folded());
        self.separators = separators;
        self.forget_progress();
    }

    /// The encoding of everything not yet taken, even if some has been decoded. A byte order mark
    /// is not skipped.
    pub fn set_encoding(&mut self, encoding: impl Encoding + 'static) {
        self.intake.take_back(&mut self.pending);
        self.intake.may_be_bom &= self.intake.byte_offset == 0;
        self.intake.converter.encoding = Arc::new(encoding);
        self.intake.state = self.intake.converter.start();
        self.pending.tracks_place = self.intake.has_errors();
        self.forget_progress();
    }

    /// The encoding.
    pub fn encoding(&self) -> &dyn Encoding {
        &self.intake.converter.encoding
    }

    /// What ends a line.
    pub fn separators(&self) -> &Separators {
        &self.separators
    }

    /// What has been done so far.
    pub fn counters(&self) -> DecoderCounters {
        DecoderCounters { searched_bytes: self.search.searched, ..self.pending.counters }
    }

    fn forget_progress(&mut self) {
        self.pending.retire();
        self.search.restart(&self.pending);
    }
}
