//! Where an idle worker sleeps until it is given a word. The word is kept until it is read, so it
//! may come before the sleep begins.

use crate::sync::{Condvar, Mutex, lock, wait};

/// Why a parked worker was woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// There is work, and the permit to do it has been counted for this worker.
    Work,
    /// The worker is no longer needed and has been counted out; its thread ends.
    Leave,
}

/// One sleeping place; used by one worker, woken by anybody.
pub(crate) struct Parker {
    word: Mutex<Option<Word>>,
    given: Condvar,
}

impl Parker {
    pub(crate) fn new() -> Self {
        Self { word: Mutex::new(None), given: Condvar::new() }
    }

    /// Sleeps until a word is given, and takes it.
    pub(crate) fn park(&self) -> Word {
        let mut word = lock(&self.word);
        loop {
            if let Some(word) = word.take() {
                return word;
            }
            word = wait(&self.given, word);
        }
    }

    /// Gives the word. Only the thread that took the parker off the idle list may, so there is one
    /// word at most.
    pub(crate) fn unpark(&self, word: Word) {
        *lock(&self.word) = Some(word);
        self.given.notify_one();
    }
}
