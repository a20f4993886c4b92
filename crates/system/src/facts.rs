//! What is known of a file.

/// What is known of a file. What a platform does not know of its files is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The device that it is on.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
    /// Type and permissions, in the bits that all UNIX systems share.
    pub mode: u32,
    /// Its names.
    pub links: u64,
    /// Its owner.
    pub user: u32,
    /// Its group.
    pub group: u32,
    /// Which device it is, if it is one.
    pub special: u64,
    /// Bytes.
    pub size: u64,
    /// The best size of a read or write.
    pub block_size: u64,
    /// Used blocks of 512 bytes.
    pub blocks: u64,
    /// When it was last read, in seconds.
    pub accessed: i64,
    /// When it was last written, in seconds.
    pub modified: i64,
    /// When something of this changed last, in seconds.
    pub changed: i64,
}

/// What a symbolic link stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symlinks {
    /// The file that it leads to.
    Followed,
    /// Itself.
    AsTheyAre,
}

const TYPE: u32 = 0o170_000;
const FIFO: u32 = 0o010_000;
const DIRECTORY: u32 = 0o040_000;
const REGULAR: u32 = 0o100_000;
const LINK: u32 = 0o120_000;

impl Facts {
    /// Whether it is a directory.
    pub fn is_dir(&self) -> bool {
        self.mode & TYPE == DIRECTORY
    }

    /// Whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.mode & TYPE == REGULAR
    }

    /// Whether it is a pipe with a name.
    pub fn is_fifo(&self) -> bool {
        self.mode & TYPE == FIFO
    }

    /// Whether it is a symbolic link.
    pub fn is_symlink(&self) -> bool {
        self.mode & TYPE == LINK
    }

    /// Device and inode, which no other file has at the same time.
    pub fn identity(&self) -> (u64, u64) {
        (self.device, self.inode)
    }
}
