//! Emptying the dense part.

use crate::layout::tag;
use crate::value::Value;

use super::Array;
use super::origin::Origin;
use super::places::Places;

impl Array {
    /// Numbers and short texts need no clean-up, and checking each took a tenth of a program that
    /// fills a million elements.
    pub(super) fn empty_dense(&mut self) {
        let Places { numbers, values, origin, holes } = &mut self.dense;
        if values.iter().fold(0, |tags, slot| tags | first_byte(slot)) & tag::FIRST_COUNTED != 0 {
            values.iter_mut().for_each(|slot| *slot = None);
        }
        // SAFETY: shorter than before; the rest needs no clean-up.
        unsafe { values.set_len(0) };
        numbers.clear();
        *holes = 0;
        *origin = Origin::default();
    }
}

/// All counted tags have this bit, those of plain values not.
const _: () = assert!(tag::FIRST_COUNTED.is_power_of_two());
const _: () = assert!(tag::COUNT <= 2 * tag::FIRST_COUNTED);

/// A value's tag.
fn first_byte(slot: &Option<Value>) -> u8 {
    const { assert!(size_of::<Option<Value>>() == size_of::<Value>()) };
    // SAFETY: initialized, as it also says whether there is a value.
    unsafe { *std::ptr::from_ref(slot).cast() }
}
