//! Compares the new text with the old file.

use super::output::NewContent;
use crate::reading::Reading;
use riverhawk_compress::{Codec, Sniffed};
use riverhawk_stream::{FdSource, Room, Source};
use std::fs::File;
use std::io;
use std::path::Path;

pub(super) struct Written {
    /// Bytes of text, before any encoding.
    pub text: u64,
    pub(crate) unprinted: u64,
    pub(crate) is_coded: bool,
}

impl Written {
    pub(super) fn is_nothing(&self, content: &NewContent) -> io::Result<bool> {
        // Commands write directly, if the file's bytes are the text.
        let by_commands = !self.is_coded && content.written()?.metadata()?.len() > self.text;
        Ok(self.text == self.unprinted && !by_commands)
    }
}

pub(super) fn codec_of(file: File) -> io::Result<Option<Codec>> {
    let mut beginning = Vec::with_capacity(Codec::LONGEST_BEGINNING);
    let mut source = FdSource::new(file);
    while source.read(&mut Room::new(&mut beginning, Codec::LONGEST_BEGINNING))? > 0
        && beginning.len() < Codec::LONGEST_BEGINNING
    {}
    Ok(Codec::of_content(&beginning))
}

/// Compares decompressed, since tools compress differently.
pub(super) fn is_unchanged(
    path: &Path,
    new: &NewContent,
    codec: Option<Codec>,
    reading: &Reading,
) -> io::Result<bool> {
    let (old, new) = (File::open(path)?, new.written()?);
    if codec.is_none() && old.metadata()?.len() != new.metadata()?.len() {
        return Ok(false);
    }
    are_equal(text(old, codec, reading), text(new, codec, reading))
}

fn text(file: File, codec: Option<Codec>, reading: &Reading) -> Box<dyn Source> {
    let source = FdSource::of_regular(file);
    match reading.decompress.filter(|_| codec.is_some()) {
        Some(limit) => Box::new(Sniffed::new(source, limit)),
        None => Box::new(source),
    }
}

pub(super) fn texts(
    path: &Path,
    new: &NewContent,
    codec: Option<Codec>,
    reading: &Reading,
) -> io::Result<[Vec<u8>; 2]> {
    let whole = |file| -> io::Result<Vec<u8>> {
        let mut source = text(file, codec, reading);
        let mut whole = Vec::new();
        loop {
            whole.try_reserve(AT_ONCE)?;
            if source.read(&mut Room::new(&mut whole, AT_ONCE))? == 0 {
                return Ok(whole);
            }
        }
    };
    Ok([whole(File::open(path)?)?, whole(new.written()?)?])
}

/// Bytes compared at once.
const AT_ONCE: usize = 64 * 1024;

fn are_equal(mut one: impl Source, mut other: impl Source) -> io::Result<bool> {
    let (mut left, mut right) = (Vec::with_capacity(AT_ONCE), Vec::with_capacity(AT_ONCE));
    loop {
        fill(&mut one, &mut left)?;
        fill(&mut other, &mut right)?;
        if left != right {
            return Ok(false);
        }
        if left.is_empty() {
            return Ok(true);
        }
    }
}

fn fill(source: &mut impl Source, block: &mut Vec<u8>) -> io::Result<()> {
    block.clear();
    while block.len() < AT_ONCE && source.read(&mut Room::new(block, AT_ONCE))? > 0 {}
    Ok(())
}
