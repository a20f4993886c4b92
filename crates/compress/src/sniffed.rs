//! A source that finds out by itself whether it is compressed.

use crate::{Codec, Decompressed, Guess, Limit};
use riverhawk_stream::{Room, Source};
use std::io;

/// A source that is decoded if its first bytes are those of a compressed file, and passed through
/// otherwise. One or two bytes tell text from compressed data, and text is then delivered at once.
pub struct Sniffed {
    state: State,
    limit: Limit,
}

enum State {
    /// Not enough has been read to tell.
    Undecided {
        beginning: Vec<u8>,
        source: Box<dyn Source>,
    },
    /// Not compressed; what was read to find out comes first.
    Plain {
        beginning: Vec<u8>,
        at: usize,
        source: Box<dyn Source>,
    },
    Compressed(Decompressed),
    /// Between two of them.
    Moving,
}

impl Sniffed {
    /// Looks at `source` when it is first read.
    pub fn new(source: impl Source + 'static, limit: Limit) -> Self {
        let beginning = Vec::with_capacity(Codec::LONGEST_BEGINNING);
        Sniffed { state: State::Undecided { beginning, source: Box::new(source) }, limit }
    }

    /// Reads until it is clear what the source is.
    fn decide(&mut self) -> io::Result<()> {
        while let State::Undecided { beginning, source } = &mut self.state {
            let ended = match beginning.len() < Codec::LONGEST_BEGINNING {
                true => source.read(&mut Room::new(beginning, Codec::LONGEST_BEGINNING))? == 0,
                false => true,
            };
            let guess = Codec::guess(beginning);
            if guess == Guess::Unknown && !ended {
                continue;
            }
            let State::Undecided { beginning, source } =
                std::mem::replace(&mut self.state, State::Moving)
            else {
                break;
            };
            self.state = match guess {
                Guess::Compressed(codec) => {
                    State::Compressed(Decompressed::begin(codec, beginning, source, self.limit)?)
                }
                _ => State::Plain { beginning, at: 0, source },
            };
        }
        Ok(())
    }
}

impl Source for Sniffed {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        self.decide()?;
        match &mut self.state {
            State::Compressed(text) => text.read(room),
            State::Plain { beginning, at, .. } if *at < beginning.len() => {
                let taken = room.append(&beginning[*at..]);
                *at += taken;
                Ok(taken)
            }
            State::Plain { source, .. } => source.read(room),
            // Decoding could not begin, which was an error then.
            State::Undecided { .. } | State::Moving => Ok(0),
        }
    }

    fn remaining(&self) -> Option<usize> {
        match &self.state {
            State::Undecided { beginning, source } => Some(beginning.len() + source.remaining()?),
            State::Plain { beginning, at, source } => {
                Some(beginning.len() - at + source.remaining()?)
            }
            State::Compressed(_) | State::Moving => None,
        }
    }
}
