//! The order of elements that are apart.

use crate::wire::{Wire, WireError, WireReader};

/// Where elements of an array first appeared among all, ascending. Written as differences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ElementOrder(pub(crate) Vec<u64>);

impl Wire for ElementOrder {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.len().write(out);
        let mut last = 0;
        for place in &self.0 {
            place.wrapping_sub(last).write(out);
            last = *place;
        }
    }

    fn read(from: &mut WireReader<'_>) -> Result<ElementOrder, WireError> {
        let mut last = 0_u64;
        let differences: Vec<u64> = Vec::read(from)?;
        let add = |difference: &u64| {
            last = last.checked_add(*difference)?;
            Some(last)
        };
        let places: Option<_> = differences.iter().map(add).collect();
        places.map(ElementOrder).ok_or(WireError::Damaged)
    }
}
