//! Bytes after the beginning of a compressed file decompress or give an error: no panic, at most
//! the limit, the same at once or in pieces. A compressed text that is cut or damaged gives a
//! prefix of itself.
//!
//! Input: one byte for the codec, one for the size of reads, one for where to cut, the bytes.

#![cfg_attr(fuzzing, no_main)]

use riverhawk_compress::{Codec, Decompressed, Limit, compress, decompress};
use riverhawk_stream::{Room, ScriptedSource, Source};
use std::io;

/// Maximum output; it comes in blocks, so one more block may come first.
const LIMIT: u64 = 1 << 20;
const BLOCK: usize = 1 << 20;

/// All output, and the final error's message.
fn drained(codec: Codec, bytes: &[u8], chunk: usize) -> (Vec<u8>, Option<String>) {
    let source = ScriptedSource::chunked(bytes, chunk);
    let mut source =
        Decompressed::begin(codec, Vec::new(), source, Limit::bytes(LIMIT)).expect("a thread");
    let mut all = Vec::new();
    loop {
        let mut block = Vec::with_capacity(4096);
        match source.read(&mut Room::new(&mut block, 4096)) {
            Ok(0) => return (all, None),
            Ok(_) => all.extend_from_slice(&block),
            Err(error) => {
                let is_told = matches!(
                    error.kind(),
                    io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData
                );
                assert!(is_told, "{codec}: {error}");
                return (all, Some(error.to_string()));
            }
        }
        assert!(all.len() <= LIMIT as usize + BLOCK, "{codec}: {} bytes", all.len());
    }
}

riverhawk_fuzz::target!(|input: &[u8]| {
    let [choice, chunk, cut, bytes @ ..] = input else { return };
    let codec = Codec::ALL[usize::from(*choice) % Codec::ALL.len()];
    let chunk = usize::from(*chunk) + 1;

    let (all, error) = drained(codec, bytes, usize::MAX);
    let (in_pieces, error_in_pieces) = drained(codec, bytes, chunk);
    assert_eq!(
        error.is_some(),
        error_in_pieces.is_some(),
        "{codec}: {error:?}, {error_in_pieces:?}"
    );
    // How much of a damaged block comes before the error depends on the pieces.
    assert!(error.is_some() || in_pieces == all, "{codec}");
    assert!(in_pieces.starts_with(&all) || all.starts_with(&in_pieces), "{codec}");
    match decompress(codec, bytes, Limit::bytes(LIMIT)) {
        Ok(text) => assert_eq!((text, None), (all, error)),
        Err(_) => assert!(error.is_some(), "{codec}"),
    }

    // The bytes as a text.
    let small = compress(codec, bytes).expect("memory");
    let (text, error) = drained(codec, &small, chunk);
    assert_eq!((text.as_slice(), error), (bytes, None));
    let cut = small.len() * usize::from(*cut) / 256;
    let (beginning, error) = drained(codec, &small[..cut], chunk);
    assert!(bytes.starts_with(&beginning), "{codec}");
    assert!(error.is_some() || cut == 0, "{codec} cut at {cut} of {}", small.len());
    if let Some(byte) = small.get(cut) {
        let mut damaged = small.clone();
        damaged[cut] = byte ^ 0x10;
        // Some header bytes have no meaning; what has passed its checksum is unchanged.
        let (text, error) = drained(codec, &damaged, chunk);
        assert!(error.is_some() || text == bytes || codec == Codec::Lz4, "{codec}: byte {cut}");
    }
});
