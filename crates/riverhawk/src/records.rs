//! What a program prints, pulled line by line.

use crate::Cancel;
use crate::error::RunError;
use crate::program::Program;
use crate::run::Run;
use std::fmt;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// Blocks that the program may be ahead.
const BLOCKS_AHEAD: usize = 2;

/// What a program prints, line by line without the newlines: see [`Program::records`].
///
/// An error of the run is the last item.
///
/// ```
/// use riverhawk::{Program, Run};
///
/// let words = Program::compile("{ for (i = 1; i <= NF; i++) print $i }")?;
/// let mut records = words.records(Run::new().input("a b\nc\n"));
/// assert_eq!(records.next().transpose()?, Some(b"a".to_vec()));
/// assert_eq!(records.count(), 2);
/// # Ok::<(), riverhawk::Error>(())
/// ```
pub struct Records {
    blocks: Option<Receiver<Vec<u8>>>,
    block: Vec<u8>,
    at: usize,
    run: Option<JoinHandle<Result<(), RunError>>>,
    cancel: Cancel,
}

impl Program {
    /// What the program prints, line by line as the caller asks for it: the program runs on a thread
    /// of its own, at most two blocks of 64 KiB ahead. Dropping the iterator ends the run.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let squares = Program::compile("BEGIN { for (;;) print ++i * i }")?;
    /// let few: Vec<Vec<u8>> = squares.records(Run::new()).take(3).collect::<Result<_, _>>()?;
    /// assert_eq!(few, [b"1".to_vec(), b"4".to_vec(), b"9".to_vec()]);
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn records(&self, run: Run) -> Records {
        Records::begin(self.clone(), run)
    }
}

impl Records {
    fn begin(program: Program, run: Run) -> Records {
        let (sender, blocks) = sync_channel(BLOCKS_AHEAD);
        let (run, cancel) = run.stdout(Blocks(sender)).with_cancel();
        let thread = thread::Builder::new().name("program".into());
        let run = thread.spawn(move || program.run(run).map(drop));
        Records { blocks: Some(blocks), block: Vec::new(), at: 0, run: run.ok(), cancel }
    }

    /// The rest of a line that began in the block before.
    fn line(&mut self) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        loop {
            let rest = &self.block[self.at..];
            match rest.iter().position(|&byte| byte == b'\n') {
                Some(end) => {
                    line.extend_from_slice(&rest[..end]);
                    self.at += end + 1;
                    return Some(line);
                }
                None => line.extend_from_slice(rest),
            }
            match self.blocks.as_ref().and_then(|blocks| blocks.recv().ok()) {
                Some(block) => (self.block, self.at) = (block, 0),
                None => {
                    (self.block, self.at, self.blocks) = (Vec::new(), 0, None);
                    return (!line.is_empty()).then_some(line);
                }
            }
        }
    }
}

impl Iterator for Records {
    type Item = Result<Vec<u8>, RunError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(line) = self.line() {
            return Some(Ok(line));
        }
        // A panic is none of the program's: it goes on here.
        match self.run.take()?.join() {
            Ok(ended) => ended.err().map(Err),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

impl Drop for Records {
    fn drop(&mut self) {
        self.blocks = None;
        if let Some(run) = self.run.take() {
            self.cancel.cancel();
            let _ = run.join();
        }
    }
}

impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").finish_non_exhaustive()
    }
}

struct Blocks(SyncSender<Vec<u8>>);

impl Write for Blocks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
