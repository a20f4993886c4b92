//! The free end of a window's block.
//!
//! Blocks are not zeroed: touching a large block costs more than the copy. Setting the length after
//! a system call is the only unsafe code of this crate; [`Room::read_from`] is the safe twin, which
//! clears.

use riverhawk_system::fd::AsFd;
use std::io::{self, Read};

/// Fits the first-level cache.
const CLEARED: usize = 64 * 1024;

/// Room after the bytes of a window.
#[derive(Debug)]
pub struct Room<'a> {
    block: &'a mut Vec<u8>,
    left: usize,
}

impl<'a> Room<'a> {
    /// Room for `limit` bytes, within `block`'s capacity.
    pub fn new(block: &'a mut Vec<u8>, limit: usize) -> Self {
        let left = limit.min(block.capacity() - block.len());
        Self { block, left }
    }

    /// The bytes that may be appended.
    pub fn len(&self) -> usize {
        self.left
    }

    /// Whether nothing more may be appended.
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Appends what fits; returns how much.
    pub fn append(&mut self, bytes: &[u8]) -> usize {
        let taken = bytes.len().min(self.left);
        self.block.extend_from_slice(&bytes[..taken]);
        self.left -= taken;
        taken
    }

    /// Lets `append` append up to `most` bytes, if there is room.
    ///
    /// For decoders, which know a maximum. Beyond it the block grows.
    pub fn append_by<R>(
        &mut self,
        most: usize,
        append: impl FnOnce(&mut Vec<u8>) -> R,
    ) -> Option<R> {
        if self.left < most {
            return None;
        }
        let length = self.block.len();
        let result = append(self.block);
        self.left = self.left.saturating_sub(self.block.len().saturating_sub(length));
        Some(result)
    }

    /// One `read` into the room, without clearing it.
    ///
    /// # Errors
    /// The system's; nothing is appended then.
    #[allow(unsafe_code)]
    pub fn read_fd(&mut self, fd: impl AsFd) -> io::Result<usize> {
        let length = self.block.len();
        let free = &mut self.block.spare_capacity_mut()[..self.left];
        let (filled, _) = riverhawk_system::io::read(fd, free)?;
        let count = filled.len();
        // SAFETY: the first `count` bytes after `length` are within the capacity and initialised by
        // the read.
        unsafe { self.block.set_len(length + count) };
        self.left -= count;
        Ok(count)
    }

    /// As [`Room::read_fd`], at `offset` and at most `most` bytes; the descriptor does not move.
    ///
    /// # Errors
    /// The system's; nothing is appended then.
    #[allow(unsafe_code)]
    pub fn read_fd_at(&mut self, fd: impl AsFd, offset: u64, most: usize) -> io::Result<usize> {
        let length = self.block.len();
        let wanted = self.left.min(most);
        let free = &mut self.block.spare_capacity_mut()[..wanted];
        let (filled, _) = riverhawk_system::io::pread(fd, free, offset)?;
        let count = filled.len();
        // SAFETY: as in `read_fd`.
        unsafe { self.block.set_len(length + count) };
        self.left -= count;
        Ok(count)
    }

    /// One call of a reader that needs an initialised buffer.
    ///
    /// # Errors
    /// The reader's; nothing is appended then.
    pub fn read_from(&mut self, reader: &mut (impl Read + ?Sized)) -> io::Result<usize> {
        let length = self.block.len();
        self.block.resize(length + self.left.min(CLEARED), 0);
        let result = reader.read(&mut self.block[length..]);
        // Distrusts the reader's count.
        let count = result.as_ref().map_or(0, |&count| count.min(self.block.len() - length));
        self.block.truncate(length + count);
        self.left -= count;
        result.map(|_| count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::Write;

    #[test]
    fn the_uncleared_read_appends_what_its_cleared_twin_appends() {
        let path = std::env::temp_dir().join(format!("riverhawk-room-{}", std::process::id()));
        let text: Vec<u8> = (0..200_000u32).map(|i| (i % 251) as u8).collect();
        File::create(&path).unwrap().write_all(&text).unwrap();
        for limit in [1, 7, 4096, 70_000, 300_000] {
            let (fast_file, mut slow_file) =
                (File::open(&path).unwrap(), File::open(&path).unwrap());
            let (mut fast, mut slow) = (Vec::with_capacity(250_000), Vec::with_capacity(250_000));
            for _ in 0..20 {
                assert!(Room::new(&mut fast, limit).read_fd(&fast_file).unwrap() <= limit);
                assert!(Room::new(&mut slow, limit).read_from(&mut slow_file).unwrap() <= limit);
            }
            let both = fast.len().min(slow.len());
            assert!(both >= 20 && fast[..both] == text[..both] && slow[..both] == text[..both]);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_read_at_an_offset_appends_that_part_and_no_more() {
        let path = std::env::temp_dir().join(format!("riverhawk-room-at-{}", std::process::id()));
        let text: Vec<u8> = (0..10_000u32).map(|i| (i % 251) as u8).collect();
        File::create(&path).unwrap().write_all(&text).unwrap();
        let file = File::open(&path).unwrap();
        for (limit, offset, most, expected) in
            [(9, 5_000, 4, 4), (3, 5_000, 4, 3), (9, 9_998, 9, 2), (9, 20_000, 9, 0)]
        {
            let mut block = Vec::with_capacity(16);
            block.extend_from_slice(b"ab");
            assert_eq!(
                Room::new(&mut block, limit).read_fd_at(&file, offset as u64, most).unwrap(),
                expected
            );
            assert_eq!(block[..2], *b"ab");
            assert_eq!(block[2..], text[offset.min(text.len())..][..expected]);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn several_reads_fill_a_room_to_its_limit_and_no_further() {
        let path =
            std::env::temp_dir().join(format!("riverhawk-room-twice-{}", std::process::id()));
        File::create(&path).unwrap().write_all(b"abcdefghij").unwrap();
        type Read = fn(&mut Room<'_>, &mut File) -> io::Result<usize>;
        let ways: [Read; 3] = [
            |room, file| room.read_fd(file),
            |room, file| room.read_fd_at(file, 0, 4),
            |room, file| room.read_from(&mut file.take(4)),
        ];
        for read in ways {
            let (mut file, mut block) = (File::open(&path).unwrap(), Vec::with_capacity(16));
            let mut room = Room::new(&mut block, 6);
            let counts: Vec<usize> = (0..3).map(|_| read(&mut room, &mut file).unwrap()).collect();
            assert!(room.is_empty() && counts.iter().sum::<usize>() == 6, "{counts:?}");
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_room_ends_at_its_limit_and_at_the_capacity() {
        let mut block = Vec::with_capacity(4);
        assert_eq!(Room::new(&mut block, 3).append(b"abcdef"), 3);
        assert_eq!(Room::new(&mut block, 9).append(b"defghi"), block.capacity() - 3);
        assert!(Room::new(&mut block, 9).is_empty());
    }

    #[test]
    fn appending_by_a_function_needs_the_room_that_it_may_take() {
        let mut block = Vec::with_capacity(8);
        let mut room = Room::new(&mut block, 8);
        assert_eq!(room.append_by(9, |block| block.push(b'x')), None);
        assert_eq!(room.append_by(5, |block| block.extend_from_slice(b"abc")), Some(()));
        assert_eq!(room.len(), 5);
        assert_eq!(room.append_by(5, |block| block.len()), Some(3));
        assert_eq!(block, b"abc");
    }

    #[test]
    fn a_reader_that_lies_about_its_count_cannot_leave_the_room() {
        struct Liar;
        impl Read for Liar {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                Ok(buffer.len() + 10)
            }
        }
        let mut block = Vec::with_capacity(8);
        let count = Room::new(&mut block, 8).read_from(&mut Liar).unwrap();
        assert_eq!((count, block.len()), (8, 8));
    }
}
