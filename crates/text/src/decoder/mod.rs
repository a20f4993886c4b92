//! The streaming decoder: bytes in, in any pieces; lines and characters out.
//!
//! **What it is.** A [`Decoder`] is fed bytes as they come and gives text as soon as it is
//! complete, wherever the pieces were cut. What cannot be given yet is `None`, never an error.
//! [`TextReader`] puts one behind anything that is `Read`.
//!
//! **What it is not.** It does not wait or read by itself, knows no regular expressions as
//! separators (`riverhawk-stream` takes any separator, over bytes), and does not normalise.
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
//! | take all | [`take_all`](Decoder::take_all), which is [`finish`](Decoder::finish) before |
//! | take N characters | [`take_chars`](Decoder::take_chars) (code points), [`take_graphemes`](Decoder::take_graphemes) |
//! | set separators | [`set_separators`](Decoder::set_separators) |
//! | take a line | [`take_line`](Decoder::take_line), [`take_line_with_separator`](Decoder::take_line_with_separator), [`take_line_owned`](Decoder::take_line_owned), [`for_each_line`](Decoder::for_each_line) |
//! | is it empty | [`is_empty`](Decoder::is_empty) |
//! | how many bytes | [`bytes_available`](Decoder::bytes_available) |
//! | take N bytes | [`take_bytes`](Decoder::take_bytes) |
//!
//! # Text that may be anything
//!
//! `Decoder::new` gives `&str`, so bytes that are no text are errors or replaced ([`Policy`]).
//! `Decoder::bytes` gives `&[u8]`, and with [`Utf8Clean8`](crate::encoding::Utf8Clean8) lets every
//! byte pass:
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
//!   character; under [`with_folded_crlf`](Decoder::with_folded_crlf) a CR that came last; and a
//!   line that ends in CR if CR and CRLF are both separators. Combining marks matter to
//!   [`take_graphemes`](Decoder::take_graphemes) only.
//! - **Cuts.** The lines do not depend on how the bytes were cut, nor on what was asked for in
//!   between.
//! - **Allocation.** None per line in a steady state. Buffers go round;
//!   [`fill_from`](Decoder::fill_from) reads into them.
//! - **Copying.** A chunk that is its own text (ASCII in most encodings, UTF-8 in `utf-8`) is
//!   validated and adopted; lines are lent from it. Lines that lie in several chunks are put
//!   together in a buffer that is reused; other chunks are decoded in blocks of 16 KiB. A line that
//!   is exactly one chunk is handed over by [`take_line_owned`](Decoder::take_line_owned).
//! - **Searching.** Each byte of text is looked at once for separators.
//! - **Invalid input.** Under [`Policy::Strict`], complete lines before it come first, then the
//!   error instead of its line, each time until something is done about it:
//!   [`take_available`](Decoder::take_available) gives the text before the bad bytes,
//!   [`take_bytes`](Decoder::take_bytes) the bytes.
//!
//! # Compared with the usual choice
//!
//! | | this | `BufRead::lines`, `read_line` | `bstr` (`for_byte_line`) | `encoding_rs_io` |
//! |---|---|---|---|---|
//! | without a reader | yes | no | no | no |
//! | a line costs | nothing but finding it | an allocation, or a copy and a validation | nothing but finding it | as `BufRead` |
//! | validation | by chunk | by line | none | none, replaces |
//! | encodings | all, and yours | UTF-8 | bytes | the WHATWG set |
//! | separators | any strings | LF | one byte | as `BufRead` |
//! | a million lines of 60 bytes, of 2.3 ms spent in `read` | 8.5 ms, or 6.8 by [`for_each_line`](Decoder::for_each_line) | 20 ms (reused `String`) | 13 ms with a validation each | 22 ms |
//! | the same with an accent in each, UTF-8 | 11 ms | 43 ms | 45 ms with a validation each | 62 ms |
//! | the same in `iso-8859-1` | 11 ms | - | - | 100 ms (windows-1252) |
//! | invalid input | place and bytes, nothing lost | an error without a place, the line lost | passes | replaced |

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

/// Turns bytes that come in pieces into lines and characters. See the [module](self).
///
/// `T` is the form of the text: `String` for results that are `&str`, `Vec<u8>` for `&[u8]`.
pub struct Decoder<T: Text = String> {
    /// Bytes, not decoded yet.
    intake: Intake,
    /// Text, not taken yet, in front of `intake`.
    pending: Pending<T>,
    search: Search,
    separators: Separators,
    /// As they look in the text, if CRLF is folded.
    folded: Option<Separators>,
    counted: Option<operations::Counted>,
    counted_clusters: Option<clusters::CountedClusters>,
    /// Text from several chunks.
    taken_bytes: Vec<u8>,
    /// Text has been taken otherwise than as a line: the search may be behind.
    is_search_behind: bool,
}

impl Decoder<String> {
    /// A decoder of `encoding` whose results are `&str`: strict, LF and CRLF as separators,
    /// stepping over a byte order mark at the start.
    pub fn new(encoding: impl Encoding + 'static) -> Decoder<String> {
        Decoder::of(encoding)
    }
}

impl Decoder<Vec<u8>> {
    /// A decoder of `encoding` whose results are `&[u8]`: any bytes if the encoding is `utf-8-c8`.
    pub fn bytes(encoding: impl Encoding + 'static) -> Decoder<Vec<u8>> {
        Decoder::of(encoding)
    }
}

impl<T: Text> Decoder<T> {
    /// A decoder of `encoding` with results in the form `T`.
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

    /// Makes each CRLF an LF in the text; a CR alone stays. Separators are folded likewise.
    #[must_use]
    pub fn with_folded_crlf(mut self) -> Self {
        self.intake.take_back(&mut self.pending);
        self.intake.converter.fold_crlf = true;
        self.set_separators(self.separators.clone());
        self
    }

    /// Leaves a byte order mark at the start in the text. In `utf-16` it belongs to the encoding
    /// and is never text.
    #[must_use]
    pub fn with_bom_kept(mut self) -> Self {
        self.intake.may_be_bom = false;
        self
    }

    /// What becomes of undecodable bytes in everything that has not been taken. Places in later
    /// errors are counted from the last change to [`Policy::Strict`].
    pub fn set_policy(&mut self, policy: Policy) {
        self.intake.take_back(&mut self.pending);
        self.intake.converter.policy = policy;
        self.pending.tracks_place = self.intake.has_errors();
        self.forget_progress();
    }

    /// What ends a line in everything that has not been taken.
    pub fn set_separators(&mut self, separators: Separators) {
        self.folded = self.intake.converter.fold_crlf.then(|| separators.folded());
        self.separators = separators;
        self.forget_progress();
    }

    /// The encoding of everything that has not been taken, even if some has been decoded. No byte
    /// order mark is looked for.
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

    /// Earlier findings about the text that was not taken are void.
    fn forget_progress(&mut self) {
        self.pending.retire();
        self.search.restart(&self.pending);
    }
}
