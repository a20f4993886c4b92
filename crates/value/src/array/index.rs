//! From a key's hash to its index in the vector of entries.
//!
//! A bucket is one cache line: eight hashes of 32 bits and their indexes. So a lookup reads one
//! line here and one entry, and a failed lookup mostly no entry.
//!
//! The bucket number is the upper bits of the hash, so growing streams through both tables. A full
//! bucket overflows to the next one. A bucket that was ever full stays marked (its last hash is
//! nonzero until a rebuild), so that lookups continue past it.

use riverhawk_memory as memory;

#[allow(unsafe_code)]
mod lanes;

const LANES: usize = 8;

/// Maximum load per bucket on average. At 6 of 8 every seventh bucket is full.
const MAX_USED: usize = 6;

const MIN_ROOM: usize = 8;

/// A place never used; hashes in use are at least [`MIN_HASH`].
const EMPTY: u32 = 0;

const DELETED: u32 = 1;
const MIN_HASH: u32 = 2;
const _: () = assert!(EMPTY < 2 && DELETED < 2 && MIN_HASH == 2, "what `lanes::below_two` asks");

#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Bucket {
    hashes: [u32; LANES],
    indexes: [u32; LANES],
}

impl Bucket {
    const EMPTY: Bucket = Bucket { hashes: [EMPTY; LANES], indexes: [0; LANES] };

    #[inline(always)]
    fn lanes_with(&self, hash: u32) -> u32 {
        lanes::equal(&self.hashes, hash)
    }

    #[inline(always)]
    fn free_lanes(&self) -> u32 {
        lanes::below_two(&self.hashes)
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.hashes[LANES - 1] != EMPTY
    }
}

#[derive(Debug, Default)]
pub(super) struct Index {
    buckets: Vec<Bucket>,
    used: usize,
    deleted: usize,
}

/// Where a key was found.
struct Located {
    bucket: usize,
    lane: usize,
    index: usize,
}

impl Index {
    pub(super) fn copy_from(&mut self, other: &Index) -> bool {
        (self.used, self.deleted) = (other.used, other.deleted);
        self.buckets = memory::copies(Bucket::EMPTY, other.buckets.len());
        let is_there = self.buckets.len() == other.buckets.len();
        if is_there {
            self.buckets.copy_from_slice(&other.buckets);
        }
        is_there
    }

    /// Bytes allocated.
    pub(super) fn footprint(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>()
    }

    fn len(&self) -> usize {
        self.used - self.deleted
    }

    #[inline(always)]
    fn home(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.buckets.len() as u64) >> 32) as usize
    }

    #[inline(always)]
    fn after(&self, at: usize) -> usize {
        if at + 1 == self.buckets.len() { 0 } else { at + 1 }
    }

    #[inline(always)]
    fn locate(&self, hash: u32, mut is: impl FnMut(u32) -> bool) -> Option<Located> {
        let hash = hash | MIN_HASH;
        let mut at = self.home(hash);
        // Also checks whether there are any buckets.
        let mut bucket = self.buckets.get(at)?;
        loop {
            let mut candidates = bucket.lanes_with(hash);
            while candidates != 0 {
                let lane = candidates.trailing_zeros() as usize & (LANES - 1);
                let index = bucket.indexes[lane];
                if is(index) {
                    return Some(Located { bucket: at, lane, index: index as usize });
                }
                candidates &= candidates - 1;
            }
            if !bucket.is_full() {
                return None;
            }
            at = self.after(at);
            bucket = &self.buckets[at];
        }
    }

    #[inline]
    pub(super) fn find(&self, hash: u32, is: impl FnMut(u32) -> bool) -> Option<usize> {
        Some(self.locate(hash, is)?.index)
    }

    /// The index of a key with this hash, if one lies in its first bucket: without a loop.
    #[inline(always)]
    pub(super) fn first(&self, hash: u32) -> Option<usize> {
        let hash = hash | MIN_HASH;
        let bucket = self.buckets.get(self.home(hash))?;
        let lane = bucket.lanes_with(hash).trailing_zeros() as usize;
        Some(*bucket.indexes.get(lane)? as usize)
    }

    #[inline]
    pub(super) fn insert(&mut self, hash: u32, index: u32) -> bool {
        if self.used >= self.buckets.len() * MAX_USED && !self.make_room() {
            return false;
        }
        self.put(hash | MIN_HASH, index);
        true
    }

    #[inline(always)]
    fn put(&mut self, hash: u32, index: u32) {
        let mut at = self.home(hash);
        loop {
            let bucket = &mut self.buckets[at];
            let free = bucket.free_lanes();
            if free != 0 {
                let lane = free.trailing_zeros() as usize & (LANES - 1);
                let was_deleted = bucket.hashes[lane] == DELETED;
                self.deleted -= usize::from(was_deleted);
                self.used += usize::from(!was_deleted);
                (bucket.hashes[lane], bucket.indexes[lane]) = (hash, index);
                return;
            }
            at = self.after(at);
        }
    }

    pub(super) fn remove(&mut self, hash: u32, is: impl FnMut(u32) -> bool) -> Option<usize> {
        let Located { bucket: at, lane, index } = self.locate(hash, is)?;
        let bucket = &mut self.buckets[at];
        if bucket.is_full() {
            bucket.hashes[lane] = DELETED;
            self.deleted += 1;
        } else {
            // No key overflowed past this bucket, so its last fills the place.
            let last = bucket.free_lanes().trailing_zeros() as usize - 1;
            (bucket.hashes[lane], bucket.indexes[lane]) =
                (bucket.hashes[last], bucket.indexes[last]);
            bucket.hashes[last] = EMPTY;
            self.used -= 1;
        }
        Some(index)
    }

    /// Removes all. Buckets are kept only if used, so clearing costs no more than filling did.
    pub(super) fn clear(&mut self) {
        self.buckets.truncate(buckets_for(self.used));
        self.buckets.fill(Bucket::EMPTY);
        (self.used, self.deleted) = (0, 0);
    }

    pub(super) fn renumber(&mut self, new: impl Fn(usize) -> Option<u32>) {
        let had_deleted = self.deleted;
        for bucket in &mut self.buckets {
            for (hash, index) in bucket.hashes.iter_mut().zip(&mut bucket.indexes) {
                if *hash < MIN_HASH {
                    continue;
                }
                match new(*index as usize) {
                    Some(new) => *index = new,
                    None => {
                        *hash = DELETED;
                        self.deleted += 1;
                    }
                }
            }
        }
        // The rest mostly fits where it is, unless deletions hit full buckets.
        if self.deleted > had_deleted || self.len() * 8 < self.buckets.len() * MAX_USED {
            self.rebuild(buckets_for(self.len() + self.len() / 2));
        }
    }

    /// Grows by half, or rebuilds if deleted places are the cause. Growing is cheap, so fuller
    /// buckets are better than doubling.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) -> bool {
        self.rebuild(buckets_for(self.len() + (self.len() / 2).max(MIN_ROOM)))
    }

    fn rebuild(&mut self, count: usize) -> bool {
        let new = memory::copies(Bucket::EMPTY, count);
        if new.is_empty() {
            return false;
        }
        let old = std::mem::replace(&mut self.buckets, new);
        (self.used, self.deleted) = (0, 0);
        for bucket in &old {
            for (&hash, &index) in bucket.hashes.iter().zip(&bucket.indexes) {
                if hash >= MIN_HASH {
                    self.put(hash, index);
                }
            }
        }
        true
    }
}

fn buckets_for(count: usize) -> usize {
    count.div_ceil(MAX_USED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn hash_of(number: u32, kinds: u32) -> u32 {
        match number % kinds {
            0 => 0,
            1 => u32::MAX,
            2 => DELETED,
            other => other.wrapping_mul(0x9e37_79b9),
        }
    }

    proptest! {
        #[test]
        fn behaves_as_a_map_however_hashes_collide(
            kinds in 3u32..200,
            steps in proptest::collection::vec((0u32..300, 0u8..8), 0..900),
        ) {
            let mut index = Index::default();
            let mut model: BTreeMap<u32, u32> = BTreeMap::new();
            for (number, kind) in steps {
                let hash = hash_of(number, kinds);
                match kind {
                    0..=3 => {
                        if let std::collections::btree_map::Entry::Vacant(vacant) = model.entry(number) {
                            index.insert(hash, number);
                            vacant.insert(number);
                        }
                    }
                    4..=6 => {
                        let removed = index.remove(hash, |other| other == number);
                        prop_assert_eq!(removed, model.remove(&number).map(|number| number as usize));
                    }
                    _ if number == 0 => {
                        index.clear();
                        model.clear();
                    }
                    _ if number < 9 => {
                        index.renumber(|at| (at % 3 != 0).then_some(at as u32));
                        model.retain(|number, _| number % 3 != 0);
                    }
                    _ => {}
                }
                prop_assert_eq!(index.len(), model.len());
                prop_assert!(index.buckets.is_empty() || index.buckets.iter().any(|bucket| !bucket.is_full()));
            }
            for number in 0..300 {
                let found = index.find(hash_of(number, kinds), |other| other == number);
                prop_assert_eq!(found, model.get(&number).map(|&number| number as usize));
            }
        }
    }

    #[test]
    fn indexes_get_new_numbers() {
        let mut index = Index::default();
        for number in 0..100u32 {
            index.insert(number * 0x0123_4567, number);
        }
        index.renumber(|at| (at >= 50).then(|| at as u32 - 50));
        assert_eq!(index.len(), 50);
        for number in 0..100u32 {
            let expected = number.checked_sub(50).map(|number| number as usize);
            assert_eq!(
                index.find(number * 0x0123_4567, |other| Some(other) == number.checked_sub(50)),
                expected
            );
        }
    }

    #[test]
    fn keys_that_come_and_go_need_no_more_buckets() {
        let mut index = Index::default();
        for number in 0..100_000u32 {
            index.insert(number.wrapping_mul(0x9e37_79b9), number);
            if let Some(old) = number.checked_sub(10) {
                assert_eq!(
                    index.remove(old.wrapping_mul(0x9e37_79b9), |other| other == old),
                    Some(old as usize)
                );
            }
        }
        assert!(index.buckets.len() <= 8, "{}", index.buckets.len());
    }

    #[test]
    fn emptying_a_table_that_is_nearly_empty_makes_it_small() {
        let mut index = Index::default();
        for number in 0..10_000u32 {
            index.insert(number.wrapping_mul(0x9e37_79b9), number);
        }
        index.clear();
        assert!(index.buckets.len() > 1_000);
        index.insert(7, 7);
        index.clear();
        assert_eq!((index.buckets.len(), index.find(7, |_| true)), (1, None));
    }
}
