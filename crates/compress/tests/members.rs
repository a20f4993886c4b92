//! Every codec: round trips, several members, damage and truncation at every byte, limits, sources
//! cut anywhere.

use proptest::prelude::*;
use riverhawk_compress::{Codec, Decompressed, Limit, Sniffed, TooMuch, compress, decompress};
use riverhawk_stream::{MemorySource, Room, ScriptedSource, Source};
use std::io;

fn text() -> Vec<u8> {
    (0..3000)
        .flat_map(|n| format!("line {n} of some text, {}\n", n * n % 977).into_bytes())
        .collect()
}

/// All that a source gives, and how it ended.
fn drained(mut source: impl Source, at_once: usize) -> (Vec<u8>, io::Result<()>) {
    let mut all = Vec::new();
    loop {
        let mut block = Vec::with_capacity(at_once);
        match source.read(&mut Room::new(&mut block, at_once)) {
            Ok(0) => return (all, Ok(())),
            Ok(_) => all.extend_from_slice(&block),
            Err(error) => return (all, Err(error)),
        }
    }
}

#[test]
fn what_is_compressed_comes_out_again_and_is_known_by_its_beginning() {
    for codec in Codec::ALL {
        for text in [Vec::new(), b"x".to_vec(), text(), vec![0; 1 << 20]] {
            let small = compress(codec, &text).unwrap();
            assert_eq!(Codec::of_content(&small), Some(codec));
            assert_eq!(decompress(codec, &small, Limit::default()).unwrap(), text, "{codec}");
        }
    }
}

#[test]
fn members_one_after_the_other_are_one_text_and_zeros_behind_them_are_padding() {
    for codec in Codec::ALL {
        let parts = [&b"one\n"[..], b"", &text(), b"last"];
        let mut all: Vec<u8> =
            parts.iter().flat_map(|part| compress(codec, part).unwrap()).collect();
        assert_eq!(decompress(codec, &all, Limit::default()).unwrap(), parts.concat(), "{codec}");
        all.extend([0; 512]);
        assert_eq!(decompress(codec, &all, Limit::default()).unwrap(), parts.concat(), "{codec}");
        all.extend(b"something else");
        let error = decompress(codec, &all, Limit::default()).unwrap_err();
        assert!(error.to_string().contains("followed by something else"), "{codec}: {error}");
    }
}

#[test]
fn input_cut_at_any_byte_is_an_error_after_all_that_came_before() {
    let text = text();
    for codec in Codec::ALL {
        let first = compress(codec, b"whole\n").unwrap();
        let both = [&first[..], &compress(codec, &text).unwrap()].concat();
        for cut in (1..both.len()).step_by(both.len() / 400 + 1) {
            if cut == first.len() {
                continue;
            }
            let source = Decompressed::begin(
                codec,
                Vec::new(),
                MemorySource::new(both[..cut].to_vec()),
                Limit::default(),
            );
            let (found, ended) = drained(source.unwrap(), 1000);
            let error = ended.expect_err("a cut was not noticed");
            assert!(
                error.to_string() == format!("the {codec} data ends too soon")
                    || cut < 32
                    || cut - first.len() < 32,
                "{codec} cut at {cut} of {}: {error}",
                both.len()
            );
            assert!([b"whole\n", &text[..]].concat().starts_with(&found), "{codec}: {cut}");
            assert!(cut < first.len() || found.starts_with(b"whole\n"), "{codec}: {cut}");
        }
    }
}

#[test]
fn input_cut_between_blocks_and_in_headers_is_an_error_too() {
    for codec in Codec::ALL {
        let small = compress(codec, b"some text\n").unwrap();
        for cut in 1..small.len() {
            let error = decompress(codec, &small[..cut], Limit::default())
                .expect_err("a cut was not noticed");
            assert!(
                matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData),
                "{codec} cut at {cut} of {}: {error}",
                small.len()
            );
        }
    }
}

#[test]
fn damage_is_an_error_wherever_there_is_a_checksum() {
    let text = text();
    for codec in Codec::ALL {
        let small = compress(codec, &text).unwrap();
        for at in (small.len() / 4..small.len() * 3 / 4).step_by(small.len() / 16) {
            let mut damaged = small.clone();
            damaged[at] ^= 0x40;
            assert!(decompress(codec, &damaged, Limit::default()).is_err(), "{codec}: byte {at}");
        }
    }
}

#[test]
fn what_comes_before_damage_is_delivered_however_the_input_comes() {
    let text: Vec<u8> = (0..8).flat_map(|_| text()).collect();
    for codec in Codec::ALL {
        let small = compress(codec, &text).unwrap();
        for at in [small.len() / 3, small.len() * 2 / 3, small.len() - 1] {
            let mut damaged = small.clone();
            damaged[at] ^= 0x40;
            // Byte by byte, a decoder delivers what it can before it meets the damage.
            let from = |chunk| {
                drained(
                    Sniffed::new(ScriptedSource::chunked(&damaged, chunk), Limit::default()),
                    1 << 16,
                )
            };
            let (bytewise, whole) = (from(1), from(damaged.len()));
            assert!(whole.1.is_err() && bytewise.1.is_err());
            assert!(
                whole.0 == bytewise.0,
                "{codec}: {} of {} bytes",
                whole.0.len(),
                bytewise.0.len()
            );
        }
    }
}

#[test]
fn a_bomb_ends_at_its_limit() {
    for codec in Codec::ALL {
        let small = compress(codec, &vec![0; 20 << 20]).unwrap();
        let error = decompress(codec, &small, Limit::bytes(1 << 20)).unwrap_err();
        let passed: &TooMuch = error.get_ref().unwrap().downcast_ref().unwrap();
        assert!(passed.codec == codec && passed.output <= 2 << 20, "{passed:?}");
        assert!(decompress(codec, &small, Limit::bytes(20 << 20)).is_ok());
    }
}

#[test]
fn other_input_comes_as_it_is_however_little_of_it_there_is() {
    for text in [
        &b""[..],
        b"B",
        b"BZh9",
        b"\x1F",
        b"\x1F\x8B",
        b"BZh9 is no text\n",
        b"\0\0\0\0",
        b"plain\n",
    ] {
        for chunk in [1, 3, 100] {
            let (found, ended) =
                drained(Sniffed::new(ScriptedSource::chunked(text, chunk), Limit::default()), 7);
            ended.unwrap();
            assert_eq!(found, text);
        }
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_task() {
    let small = compress(Codec::Gzip, &vec![b'x'; 50 << 20]).unwrap();
    for _ in 0..20 {
        let mut source = Decompressed::begin(
            Codec::Gzip,
            Vec::new(),
            MemorySource::new(small.clone()),
            Limit::default(),
        )
        .unwrap();
        let mut block = Vec::with_capacity(10);
        assert_eq!(source.read(&mut Room::new(&mut block, 10)).unwrap(), 10);
    }
    // Twenty times 50 MiB would have been decoded by now, or twenty tasks be left; neither may be.
    let begin = std::time::Instant::now();
    let tasks = || riverhawk_pool::process::handle().usage().unfinished();
    while tasks() > 4 {
        assert!(begin.elapsed().as_secs() < 20, "{}", tasks());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

proptest! {
    #[test]
    fn any_text_from_any_chunks(text in proptest::collection::vec(0u8..4, 0..5000), chunk in 1usize..600, codec in 0usize..5) {
        let codec = Codec::ALL[codec];
        let small = compress(codec, &text).unwrap();
        let (found, ended) = drained(Sniffed::new(ScriptedSource::chunked(&small, chunk), Limit::default()), 333);
        ended.unwrap();
        prop_assert_eq!(found, text);
    }
}
