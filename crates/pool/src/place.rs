//! The origin of a worker's current task, stored for every task, so in one store.

#![allow(unsafe_code)]

use std::panic::Location;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

pub(crate) struct Place(AtomicPtr<Location<'static>>);

impl Place {
    pub(crate) fn new() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    pub(crate) fn set(&self, place: &'static Location<'static>) {
        self.0.store(ptr::from_ref(place).cast_mut(), Ordering::Release);
    }

    pub(crate) fn get(&self) -> Option<&'static Location<'static>> {
        // SAFETY: the pointer is null or a `&'static Location` from `set`, and never written
        // through.
        unsafe { self.0.load(Ordering::Acquire).as_ref() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn same_place_as_the_safe_twin_whatever_was_stored() {
        let (place, twin) = (Place::new(), Mutex::new(None));
        assert_eq!(place.get(), *twin.lock().unwrap());
        for here in [Location::caller(), place_of_another_line(), Location::caller()] {
            place.set(here);
            *twin.lock().unwrap() = Some(here);
            assert_eq!(place.get(), *twin.lock().unwrap());
        }
    }

    #[track_caller]
    fn place_of_another_line() -> &'static Location<'static> {
        Location::caller()
    }
}
