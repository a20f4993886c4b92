//! Parallel iteration over slices in chunks, which workers claim one at a time, or a few if there
//! are very many.

use crate::handle::Handle;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

impl Handle {
    /// Calls `body` with each chunk of at most `size` elements (at least 1) and its number, in any
    /// order. A panic of `body` stops the claims, and resumes here after the begun chunks.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// let pool = riverhawk_pool::Pool::new();
    /// let numbers: Vec<u64> = (1..=1000).collect();
    /// let sum = AtomicU64::new(0);
    /// pool.for_each_chunk(&numbers, 64, |_, chunk| {
    ///     sum.fetch_add(chunk.iter().sum(), Ordering::Relaxed);
    /// });
    /// assert_eq!(sum.into_inner(), 500_500);
    /// ```
    #[track_caller]
    pub fn for_each_chunk<T: Sync>(
        &self,
        slice: &[T],
        size: usize,
        body: impl Fn(usize, &[T]) + Sync,
    ) {
        let size = size.max(1);
        let chunks = slice.len().div_ceil(size);
        let claim = self.claim(chunks);
        let next = AtomicUsize::new(0);
        self.share(chunks, || {
            let first = next.fetch_add(claim, Ordering::Relaxed);
            if first >= chunks {
                return false;
            }
            let claimed = &slice[first * size..slice.len().min((first + claim) * size)];
            claimed.chunks(size).zip(first..).for_each(|(chunk, number)| body(number, chunk));
            true
        });
    }

    /// As [`for_each_chunk`](Self::for_each_chunk), with mutable chunks.
    #[track_caller]
    pub fn for_each_chunk_mut<T: Send>(
        &self,
        slice: &mut [T],
        size: usize,
        body: impl Fn(usize, &mut [T]) + Sync,
    ) {
        let size = size.max(1);
        let chunks = slice.len().div_ceil(size);
        let claim = self.claim(chunks);
        let left = Mutex::new((0, slice));
        self.share(chunks, || {
            let (first, claimed) = {
                let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
                let (first, slice) = &mut *left;
                let at = slice.len().min(claim * size);
                let (claimed, rest) = std::mem::take(slice).split_at_mut(at);
                *slice = rest;
                *first += claim;
                (*first - claim, claimed)
            };
            let more = !claimed.is_empty();
            claimed.chunks_mut(size).zip(first..).for_each(|(chunk, number)| body(number, chunk));
            more
        });
    }

    /// Calls `body` with each element, in any order, in chunks of about an eighth of a core's
    /// share.
    #[track_caller]
    pub fn for_each<T: Sync>(&self, slice: &[T], body: impl Fn(&T) + Sync) {
        let size = slice.len().div_ceil(self.cores() * 8);
        self.for_each_chunk(slice, size, |_, chunk| chunk.iter().for_each(&body));
    }

    /// The results of `body` for each chunk, in order.
    ///
    /// ```
    /// let pool = riverhawk_pool::Pool::new();
    /// let text = b"one\ntwo\nthree\n";
    /// let lines = pool.map_chunks(text, 4, |chunk| chunk.iter().filter(|&&byte| byte == b'\n').count());
    /// assert_eq!(lines, [1, 1, 0, 1]);
    /// ```
    #[track_caller]
    pub fn map_chunks<T: Sync, R: Send>(
        &self,
        slice: &[T],
        size: usize,
        body: impl Fn(&[T]) -> R + Sync,
    ) -> Vec<R> {
        let results = Mutex::new(Vec::with_capacity(slice.len().div_ceil(size.max(1))));
        self.for_each_chunk(slice, size, |number, chunk| {
            let result = body(chunk);
            results.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|&(number, _)| number);
        results.into_iter().map(|(_, result)| result).collect()
    }

    /// Chunks per claim: more from 64 per core on, so that claiming stays cheap.
    fn claim(&self, chunks: usize) -> usize {
        (chunks / self.cores().saturating_mul(64)).clamp(1, 64)
    }

    #[track_caller]
    fn share(&self, steps: usize, step: impl Fn() -> bool + Sync) {
        let broken = AtomicBool::new(false);
        let work = || {
            let guard = Breaks(&broken);
            let mut more = true;
            while more && !broken.load(Ordering::Relaxed) {
                more = step();
            }
            std::mem::forget(guard);
        };
        self.scope(|scope| {
            for _ in 0..steps.min(self.cores()) {
                scope.spawn(work);
            }
        });
    }
}

/// Dropped only by a panic: stops the others.
struct Breaks<'a>(&'a AtomicBool);

impl Drop for Breaks<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
