//! Where members begin in a file of many, without decoding what precedes them.
//!
//! `bgzip` writes members of at most 64 KiB of text, whose headers have their lengths. A frame of zstd
//! is found from the frame before it: the headers of its blocks have their lengths. A table at the
//! file's end ([seekable format]) would have the same, but frames without one are as many.
//!
//! What is found may still be no member: bytes within one can look like a header. Decoding up to there
//! finds out, as members end where others begin.
//!
//! [seekable format]: https://github.com/facebook/zstd/blob/dev/contrib/seekable_format/zstd_seekable_compression_format.md

use std::io;

/// Reads at a place; fewer bytes only at the end.
pub type ReadPlace<'r> = dyn FnMut(u64, &mut [u8]) -> io::Result<usize> + 'r;

/// Files of members that can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// Members of `bgzip`.
    Bgzip,
    /// Frames of zstd.
    Zstd,
}

const ZSTD_FRAME: u32 = 0xFD2F_B528;

/// Of a member of `bgzip`, up to its length.
const BGZIP_HEADER: usize = 18;

/// No member of `bgzip` is longer.
const LONGEST_BGZIP: usize = 1 << 16;

/// Members in a row that look like some before the first is believed.
const CHAIN: usize = 4;

impl Blocks {
    /// Bytes after which there is no doubt.
    pub const LONGEST_BEGINNING: usize = BGZIP_HEADER;

    /// Of a file that begins so.
    pub fn of_content(beginning: &[u8]) -> Option<Blocks> {
        if bgzip_length(beginning).is_some() {
            return Some(Blocks::Bgzip);
        }
        (word(beginning) == Some(ZSTD_FRAME)).then_some(Blocks::Zstd)
    }

    /// The first member from `from` on that can be found; `None` if there is none, or only far away.
    /// At `known`, at most `from`, is one.
    ///
    /// # Errors
    /// Reading fails.
    pub fn find(self, read: &mut ReadPlace<'_>, known: u64, from: u64) -> io::Result<Option<u64>> {
        match self {
            Blocks::Bgzip => find_bgzip(read, from),
            Blocks::Zstd => find_zstd(read, known, from),
        }
    }
}

fn word(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

/// The length of the member that begins so.
fn bgzip_length(header: &[u8]) -> Option<usize> {
    let header = header.first_chunk::<BGZIP_HEADER>()?;
    let is_one = header.starts_with(b"\x1F\x8B\x08\x04") && header[10..16] == *b"\x06\0BC\x02\0";
    is_one.then(|| usize::from(u16::from_le_bytes([header[16], header[17]])) + 1)
}

fn find_bgzip(read: &mut ReadPlace<'_>, from: u64) -> io::Result<Option<u64>> {
    let mut bytes = vec![0; LONGEST_BGZIP * (CHAIN + 1)];
    let count = read(from, &mut bytes)?;
    bytes.truncate(count);
    // Less than all: the file ends there.
    let ends = count < LONGEST_BGZIP * (CHAIN + 1);
    let is_chain = |at: usize| {
        let mut next = at;
        for _ in 0..CHAIN {
            match bytes.get(next..).and_then(bgzip_length) {
                Some(length) => next += length,
                None => return ends && next == bytes.len(),
            }
        }
        true
    };
    let window = bytes.len().min(LONGEST_BGZIP);
    let found = (0..window).find(|&at| bgzip_length(&bytes[at..]).is_some() && is_chain(at));
    Ok(found.map(|at| from + at as u64))
}

fn find_zstd(read: &mut ReadPlace<'_>, known: u64, from: u64) -> io::Result<Option<u64>> {
    let mut at = known;
    loop {
        let mut header = [0; ZSTD_HEADER];
        let count = read(at, &mut header)?;
        let header = &header[..count];
        match word(header) {
            Some(ZSTD_FRAME) if at >= from => return Ok(Some(at)),
            Some(ZSTD_FRAME) => match zstd_end(read, at, header)? {
                Some(end) => at = end,
                None => return Ok(None),
            },
            // A frame to skip: its length follows.
            Some(kind) if kind & !0xF == 0x184D_2A50 => {
                let Some(length) = header.get(4..).and_then(word) else { return Ok(None) };
                at += 8 + u64::from(length);
            }
            _ => return Ok(None),
        }
    }
}

/// Up to the first block, at most.
const ZSTD_HEADER: usize = 18;

/// Where a frame ends that begins at a place, with this header; `None` if it is damaged.
fn zstd_end(read: &mut ReadPlace<'_>, start: u64, header: &[u8]) -> io::Result<Option<u64>> {
    let Some(&descriptor) = header.get(4) else { return Ok(None) };
    let is_single = descriptor & 0x20 != 0;
    let window = u64::from(!is_single);
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content = match descriptor >> 6 {
        0 => u64::from(is_single),
        size => 1 << size,
    };
    let mut at = start + 5 + window + dictionary + content;
    loop {
        let mut block = [0; 4];
        if read(at, &mut block[..3])? < 3 {
            return Ok(None);
        }
        let block = u32::from_le_bytes(block);
        let stored = match block >> 1 & 3 {
            0 | 2 => block >> 3,
            // One byte, repeated.
            1 => 1,
            _ => return Ok(None),
        };
        at += 3 + u64::from(stored);
        if block & 1 != 0 {
            let checksum = if descriptor & 4 != 0 { 4 } else { 0 };
            return Ok(Some(at + checksum));
        }
    }
}

#[cfg(feature = "codecs")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Codec, compress};

    fn found(file: &[u8], known: usize, from: usize) -> Option<usize> {
        let blocks = Blocks::of_content(file).expect("blocks");
        let mut read = |at: u64, block: &mut [u8]| {
            let rest = file.get(at as usize..).unwrap_or_default();
            let count = rest.len().min(block.len());
            block[..count].copy_from_slice(&rest[..count]);
            Ok(count)
        };
        blocks
            .find(&mut read, known as u64, from as u64)
            .expect("memory can be read")
            .map(|at| at as usize)
    }

    /// Members and where they begin.
    fn joined(members: &[Vec<u8>]) -> (Vec<u8>, Vec<usize>) {
        let (mut file, mut starts) = (Vec::new(), Vec::new());
        for member in members {
            starts.push(file.len());
            file.extend_from_slice(member);
        }
        (file, starts)
    }

    fn text(size: usize, seed: u32) -> Vec<u8> {
        let mut state = seed;
        let mut byte = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        (0..size).map(|at| if at % 3 == 0 { b'a' } else { byte() }).collect()
    }

    /// As `bgzip` writes it: the length in a field of the header.
    fn bgzip(text: &[u8]) -> Vec<u8> {
        let plain = compress(Codec::Gzip, text).expect("it is in memory");
        let length = (plain.len() + 8 - 1) as u16;
        let mut member = plain[..10].to_vec();
        member[3] = 4;
        member.extend_from_slice(b"\x06\0BC\x02\0");
        member.extend_from_slice(&length.to_le_bytes());
        member.extend_from_slice(&plain[10..]);
        member
    }

    #[test]
    fn members_are_found_from_anywhere() {
        let sizes = [1, 60_000, 3, 200, 40_000, 0];
        let texts = sizes.iter().map(|&size| text(size, size as u32));
        let members: Vec<Vec<u8>> = texts.clone().map(|text| bgzip(&text)).collect();
        let frames = texts.map(|text| compress(Codec::Zstd, &text).expect("it is in memory"));
        let skipped = b"\x53\x2A\x4D\x18\x03\0\0\0abc".to_vec();
        let frames: Vec<Vec<u8>> = frames.flat_map(|frame| [frame, skipped.clone()]).collect();
        for (file, starts) in [joined(&members), joined(&frames)] {
            let starts: Vec<usize> = starts
                .into_iter()
                .filter(|at| Blocks::of_content(&file[*at..]).is_some())
                .collect();
            assert_eq!(starts.len(), sizes.len());
            for (from, known) in (0..file.len()).step_by(97).flat_map(|from| {
                starts.iter().filter(move |start| **start <= from).map(move |start| (from, *start))
            }) {
                let next = starts.iter().copied().find(|start| *start >= from);
                assert_eq!(found(&file, known, from), next, "from {from}");
            }
        }
    }

    #[test]
    fn what_only_looks_like_a_member_is_none() {
        let mut member = bgzip(b"tea");
        member.splice(18..18, bgzip(b"milk"));
        assert_eq!(found(&member, 0, 1), None);
        assert_eq!(Blocks::of_content(&compress(Codec::Gzip, b"tea").expect("text")), None);
        let frame = compress(Codec::Zstd, &text(500_000, 1)).expect("it is in memory");
        assert_eq!(found(&frame, 0, 1), None, "one frame, many blocks");
        assert_eq!(found(&frame[..100], 0, 1), None);
    }
}
