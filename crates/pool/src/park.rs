//! An idle worker's sleep, ended by a word, which is kept until read, so it may come before the
//! sleep.

use crate::sync::{Condvar, Mutex, lock, wait};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// There is work, and a permit is counted for this worker.
    Work,
    /// The worker is already counted out; its thread ends.
    Leave,
}

pub(crate) struct Parker {
    word: Mutex<Option<Word>>,
    given: Condvar,
}

impl Parker {
    pub(crate) fn new() -> Self {
        Self { word: Mutex::new(None), given: Condvar::new() }
    }

    pub(crate) fn park(&self) -> Word {
        let mut word = lock(&self.word);
        loop {
            if let Some(word) = word.take() {
                return word;
            }
            word = wait(&self.given, word);
        }
    }

    /// Only the thread that took the parker off the idle list may call this, so there is at most
    /// one word.
    pub(crate) fn unpark(&self, word: Word) {
        *lock(&self.word) = Some(word);
        self.given.notify_one();
    }
}
